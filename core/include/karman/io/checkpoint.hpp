// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// State of a run on disk, for a restart with the same bits.
#pragma once

#include <karman/io/array.hpp>
#include <karman/io/file_processes.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/shared_hdf5_file.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace karman {

/// Program and state layout of a checkpoint. A restart refuses any other.
struct CheckpointFormat {
  std::string name;  ///< program, such as "karman.wind"
  int version = 1;   ///< changes with the meaning of an array or of the metadata
};

/// One array of the state.
struct CheckpointArray {
  std::string name;  ///< plain name without '/'
  ConstArray array;  ///< values
  /// Gives the values when they are written, instead of `array`; a state then needs memory for one array at a time.
  std::function<ConstArray()> load{};
  /// Place of the values of this process in an array of all. Without it all processes have the same values.
  std::optional<ArrayPart> part{};
};

/// Writes the state of a run. The file is an HDF5 file for any HDF5 tool. A seal of 32 bytes with the hash of all
/// bytes before it follows. It is written under a temporary name, fsync'ed and renamed. The checkpoint of that name
/// before stays as `<path>.previous`, if its seal is correct; a damaged one is replaced, and the predecessor stays.
/// With two complete checkpoints on disk, two different ones are complete at any moment, also when the process is
/// killed. A symbolic link at `path` is replaced, never its target.
///
/// Several processes write a SharedHdf5File. Each part has a seal of its own, and the file has their hashes. The parts
/// are complete and have their names before the file follows; the parts of the file that is no longer kept are removed.
/// \param path file
/// \param format program and layout
/// \param metadata text for the restart, in JSON: resolved case, iteration, time
/// \param arrays arrays of the state, the same ones in all processes
/// \param processes the processes
/// \return hash of the state (names, types, extents, bytes, metadata); equal for equal states in equal parts
/// \par Cost
/// Writes and re-reads the state once. The first call of a process reads the former checkpoint, too.
/// \par Synchrony
/// Synchronous.
/// \throws FileError for any failure; the former checkpoints are then unchanged, except where only the predecessor
/// cannot be replaced: `path` is then the new checkpoint
std::uint64_t write_checkpoint(std::filesystem::path const& path, CheckpointFormat const& format,
                               std::string_view metadata, std::span<CheckpointArray const> arrays,
                               FileProcesses const& processes = {});

/// Name of the older of the two checkpoints.
std::filesystem::path previous_checkpoint(std::filesystem::path const& path);

/// Checkpoint after verification.
class Checkpoint {
 public:
  /// Opens a checkpoint. Verifies seal, format, version, the list of arrays and the seals of all parts. HDF5 reads
  /// nothing of a file with a wrong seal. Any number of processes opens a checkpoint of any number; the seals are
  /// divided among them.
  /// \param path file
  /// \param format required program and layout
  /// \param processes the processes
  /// \return the checkpoint
  /// \throws FileError with a message on one line
  static Checkpoint open(std::filesystem::path const& path, CheckpointFormat const& format,
                         FileProcesses const& processes = {});
  /// Opens `path` if it is complete, else its predecessor.
  /// \param path file
  /// \param format required program and layout
  /// \param processes the processes
  /// \return the checkpoint
  /// \throws FileError that of `path`, when both fail
  static Checkpoint open_latest(std::filesystem::path const& path, CheckpointFormat const& format,
                                FileProcesses const& processes = {});

  /// File of this checkpoint.
  std::filesystem::path const& path() const { return file_.path(); }
  /// Reason for the older checkpoint of open_latest(); empty for the newer one.
  std::string const& warning() const { return warning_; }
  /// Text for the restart.
  std::string const& metadata() const { return metadata_; }
  /// Hash of the state, as write_checkpoint() returned it.
  std::uint64_t state_hash() const { return state_hash_; }
  /// True when the checkpoint has this array.
  bool has(std::string_view array) const;
  /// Type and extents of an array.
  /// \throws FileError for an array that does not exist
  DatasetInfo info(std::string_view array) const;
  /// Reads a box of an array. Its hash is not verified; the seal was.
  /// \param array name
  /// \param destination memory of exactly the stored type, with the extents of the box
  /// \param begin first index of the box along each axis
  /// \throws FileError for another type, a box beyond the array, or a part that is not there
  void read_box(std::string_view array, MutableArray const& destination, ArrayExtents const& begin) const;
  /// Reads an array and verifies its hash. The hash of an array in parts is that of the seals.
  /// \param array name
  /// \param destination memory of exactly the stored type and extents
  /// \throws FileError for another type, other extents, or a wrong hash
  void read(std::string_view array, MutableArray const& destination) const;
  /// Reads an array and verifies its hash.
  /// \param array name
  /// \param data memory for the values
  /// \param extents extents, exactly those stored
  /// \throws FileError for another type, other extents, or a wrong hash
  template <FileScalar T>
  void read(std::string_view array, T* data, ArrayExtents const& extents) const {
    read(array, MutableArray(data, extents));
  }

 private:
  explicit Checkpoint(Hdf5File file) : file_(std::move(file)) {}
  static Checkpoint read(std::filesystem::path const& path, CheckpointFormat const& format);
  Hdf5File file_;
  std::string warning_;
  std::string metadata_;
  std::uint64_t state_hash_ = 0;
};

}  // namespace karman
