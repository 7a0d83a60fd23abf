// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Unformatted sequential files of Fortran: records between two marks of their length, in either byte order.
#pragma once

#include "io/files/descriptor.hpp"
#include <karman/io/atomic_file.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace karman::detail {

/// The bytes in the other order.
inline std::uint32_t reversed(std::uint32_t v) {
  return (v >> 24) | ((v >> 8) & 0xff00U) | ((v << 8) & 0xff0000U) | (v << 24);
}
inline std::uint64_t reversed(std::uint64_t v) {
  return (std::uint64_t{reversed(static_cast<std::uint32_t>(v))} << 32) | reversed(static_cast<std::uint32_t>(v >> 32));
}

/// Reads records one after the other. Every mark is compared with the size of the file before memory is taken.
class FortranRecords {
 public:
  /// `first_length`: bytes of the first record, which reveal the byte order. Throws CaseError and FileError.
  FortranRecords(std::filesystem::path const& path, std::size_t most_bytes, std::uint32_t first_length);

  /// True behind the last record.
  bool at_end() const { return position_ == size_; }
  /// Bytes behind the current record.
  std::uint64_t bytes_left() const { return size_ - position_; }
  /// Reads the next record, of this many bytes. `what` names it in messages.
  void read(std::string what, std::uint64_t bytes);
  /// The same, but calls take(index, bits) with every number of the record, of 4 or 8 bytes. Takes little memory.
  template <class Bits, class Take>
  void each(std::string what, std::uint64_t bytes, Take const& take_number) {
    std::uint64_t const begin = enter(std::move(what), bytes) + 4;
    constexpr std::size_t most = std::size_t{1} << 17;
    for (std::uint64_t done = 0; done < bytes; done += record_.size()) {
      record_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(bytes - done, most)));
      take(begin + done, record_.data(), record_.size());
      for (std::size_t i = 0; i < record_.size() / sizeof(Bits); ++i) {
        Bits bits;
        std::memcpy(&bits, record_.data() + i * sizeof bits, sizeof bits);
        take_number(static_cast<std::size_t>(done) / sizeof(Bits) + i, swapped_ ? reversed(bits) : bits);
      }
    }
  }
  /// Passes over the next record, of this many bytes.
  void skip(std::string what, std::uint64_t bytes) { enter(std::move(what), bytes); }
  /// The same as each(), of floats of 4 or 8 bytes.
  template <class Take>
  void each_real(std::string what, std::uint64_t count, std::size_t width, Take const& take_number) {
    if (width == sizeof(float))
      each<std::uint32_t>(std::move(what), count * width, [&](std::size_t i, std::uint32_t bits) {
        take_number(i, static_cast<double>(std::bit_cast<float>(bits)));
      });
    else
      each<std::uint64_t>(std::move(what), count * width,
                          [&](std::size_t i, std::uint64_t bits) { take_number(i, std::bit_cast<double>(bits)); });
  }
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

  /// Throws CaseError with the name of the current record.
  [[noreturn]] void fail(std::string_view found, std::string_view expected) const;

 private:
  /// Checks the marks of the next record and goes behind it. Returns its begin.
  std::uint64_t enter(std::string what, std::uint64_t bytes);
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
