// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parts of an HDF5 file that several processes have written: their names and places, their writer.
#pragma once

#include <karman/io/file_processes.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/shared_hdf5_file.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace karman::detail {

/// Greatest number of parts of a file.
inline constexpr int most_parts = 4096;

/// The parts of a file, by its attributes.
struct PartNames {
  int count = 0;
  std::uint64_t id = 0;  ///< of the writing, in each part too
  std::string prefix, suffix;

  /// Name of the file of a part: prefix, four digits, suffix.
  std::string name(int part) const;
  /// Part of that name; empty: none.
  std::optional<int> part_of(std::string const& name) const;
};

/// A part of an array, and its place in the array.
struct PlacedPart {
  int part = 0;
  ArrayExtents begin, extents;
};

/// First reason why parts do not fill an array exactly once; empty: they do.
std::string why_no_tiling(ArrayExtents const& whole, std::vector<PlacedPart> const& parts);

/// Reads the attributes of a file that is open for reading; empty for a file without parts. Throws FileError.
std::optional<PartNames> read_part_names(Hdf5File const& file);

/// Opens a part and verifies that it belongs to the file with these names. Throws FileError.
Hdf5File open_part(std::filesystem::path const& folder, PartNames const& names, int part);

/// Folder with the parts of a file.
std::filesystem::path folder_of_parts(std::filesystem::path const& file);

/// Writer of a file with parts. With one process it has none.
class PartsWriter {
 public:
  PartsWriter(FileProcesses const& processes, std::filesystem::path const& path, Overwrite overwrite, Links links);
  PartsWriter(PartsWriter const&) = delete;
  PartsWriter& operator=(PartsWriter const&) = delete;
  /// Removes the published part of a file that was not committed.
  ~PartsWriter();

  FileProcesses const& processes() const { return processes_; }
  Hdf5File& shared() { return *shared_; }
  /// Part of this process; null with one process.
  Hdf5File* part() { return part_ ? &*part_ : nullptr; }
  /// Places of all parts.
  std::vector<std::filesystem::path> part_paths() const;
  void write(std::string_view name, ConstArray const& mine, ArrayPart const& place, DatasetOptions const& options);
  /// Completes the parts, and then lets `add` append to each, under its temporary name.
  void finish_parts(std::function<void(StagedPath const&)> const& add = {});
  /// Publishes the parts and then, by `commit_shared` in the first process, the file. Afterwards removes the parts of
  /// the files at `path` before, except parts of files in `kept`.
  void publish(std::function<void(Hdf5File&)> const& commit_shared,
               std::vector<std::filesystem::path> const& kept = {});

 private:
  /// Whether the file at its place is this one.
  bool is_committed() const noexcept;
  std::vector<std::filesystem::path> present_parts(std::vector<std::filesystem::path> const& files) const;

  FileProcesses processes_;
  std::filesystem::path path_;
  PartNames names_;
  std::optional<Hdf5File> shared_, part_;
  std::optional<StagedPath> finished_;
  std::filesystem::path published_;  ///< own part, until the file is committed
};

}  // namespace karman::detail
