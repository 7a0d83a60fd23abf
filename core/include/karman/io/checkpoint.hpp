// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The state of a run on disk, from which it goes on to the same bits.
#pragma once

#include <karman/io/array.hpp>
#include <karman/io/hdf5_file.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace karman {

/// Which program and which layout of its state a checkpoint holds: a restart refuses any other.
struct CheckpointFormat {
  std::string name;  ///< "karman.wind"
  int version = 1;   ///< changes whenever the meaning of an array or of the metadata does
};

/// One array of the state.
struct CheckpointArray {
  std::string name;  ///< a plain name without '/'
  ConstArray array;
};

/// Writes the state: the arrays and a text of metadata (JSON: resolved case, iteration, time). The file is an HDF5
/// file that any HDF5 tool opens, followed by a seal of 32 bytes with the hash of everything before it.
/// It is written under a temporary name, fsync'ed and renamed; the checkpoint that had the name before stays beside
/// it as `<path>.previous`, so that the last two are kept and at least one is whole whenever the process dies.
/// Returns the hash of the state (names, types, extents, bytes, metadata), equal for equal states.
/// Cost: writes and re-reads the state once. Synchronous. Errors: FileError, the former checkpoints are then untouched.
std::uint64_t write_checkpoint(std::filesystem::path const& path, CheckpointFormat const& format,
                               std::string_view metadata, std::span<CheckpointArray const> arrays);

/// The name of the older of the two checkpoints.
std::filesystem::path previous_checkpoint(std::filesystem::path const& path);

/// A checkpoint that was opened and found whole.
class Checkpoint {
 public:
  /// Verifies seal, format, version and the list of arrays. Nothing of a file whose seal does not fit reaches HDF5.
  /// Errors: FileError on one line.
  static Checkpoint open(std::filesystem::path const& path, CheckpointFormat const& format);
  /// `path` when it is whole, else its predecessor. When both fail: the error of `path`.
  static Checkpoint open_latest(std::filesystem::path const& path, CheckpointFormat const& format);

  std::filesystem::path const& path() const { return file_.path(); }
  /// Why open_latest() had to take the older one; empty when it did not.
  std::string const& warning() const { return warning_; }
  std::string const& metadata() const { return metadata_; }
  std::uint64_t state_hash() const { return state_hash_; }
  bool has(std::string_view array) const;
  /// Type and extents; FileError when there is no such array.
  DatasetInfo info(std::string_view array) const;
  /// Reads an array of exactly this type and these extents and verifies its hash.
  void read(std::string_view array, MutableArray const& destination) const;
  template <FileScalar T>
  void read(std::string_view array, T* data, ArrayExtents const& extents) const {
    read(array, MutableArray(data, extents));
  }

 private:
  explicit Checkpoint(Hdf5File file) : file_(std::move(file)) {}
  Hdf5File file_;
  std::string warning_;
  std::string metadata_;
  std::uint64_t state_hash_ = 0;
};

}  // namespace karman
