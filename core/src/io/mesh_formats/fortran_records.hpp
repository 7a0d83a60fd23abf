// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Unformatted sequential files of Fortran: records between two marks of their length, in either byte order.
#pragma once

#include "io/files/descriptor.hpp"
#include <karman/io/atomic_file.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace karman::detail {

/// Reads records one after the other. Every mark is compared with the size of the file before memory is taken.
class FortranRecords {
 public:
  /// `first_length`: bytes of the first record, which reveal the byte order. Throws CaseError and FileError.
  FortranRecords(std::filesystem::path const& path, std::size_t most_bytes, std::uint32_t first_length);

  /// True behind the last record.
  bool at_end() const { return position_ == size_; }
  /// Bytes behind the current record.
  std::uint64_t bytes_left() const { return size_ - position_; }
  /// Reads the next record. `what` names it in messages.
  void read(std::string what);
  /// The same, for a record of this many bytes.
  void read(std::string what, std::uint64_t bytes);
  /// Length of the next record, which is not read yet.
  std::uint32_t next_length(std::string const& what);
  /// Goes back to the record that began at this place.
  void seek(std::uint64_t position) { position_ = position; }
  std::uint64_t position() const { return position_; }

  /// Bytes of the current record.
  std::string_view bytes() const { return record_; }
  std::size_t size() const { return record_.size(); }
  /// Whole number of 4 bytes at a place of the current record.
  std::int32_t integer(std::size_t index) const;
  /// All numbers of the current record, of 4 bytes.
  std::vector<std::int32_t> integers() const;
  /// All numbers of the current record, floats of 4 or 8 bytes.
  std::vector<double> reals(std::size_t width) const;

  /// Throws CaseError with the name of the current record.
  [[noreturn]] void fail(std::string_view found, std::string_view expected) const;

 private:
  void take(std::uint64_t position, char* to, std::size_t count) const;
  std::uint32_t mark(std::uint64_t position) const;

  std::filesystem::path path_;
  Descriptor file_;
  std::uint64_t size_ = 0, position_ = 0;
  std::uint64_t begin_ = 0;  ///< of the current record
  bool swapped_ = false;
  std::string record_, what_;
};

/// A record to write, of big-endian numbers.
class FortranRecord {
 public:
  FortranRecord& text(std::string_view text, std::size_t bytes);
  FortranRecord& integer(std::int32_t value);
  /// A float of 4 or 8 bytes.
  FortranRecord& real(double value, std::size_t width);
  /// Writes the record between its marks, and empties it. Throws std::invalid_argument beyond 2^31 - 1 bytes.
  void end(AtomicFile& file);

 private:
  template <class T>
  void put(T value);
  std::string bytes_;
};

}  // namespace karman::detail
