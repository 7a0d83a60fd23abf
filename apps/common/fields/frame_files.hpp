// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Frames of a run in time, each in a file of its own.
#pragma once

#include <karman/io/atomic_file.hpp>
#include <karman/io/hdf5_file.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace karman {
class XdmfDocument;
}

namespace karman::app {

/// The files frames/frame_NNNNNN.h5 of an output folder, and their list frames.xdmf. Throws FileError.
class FrameFiles {
 public:
  FrameFiles(std::filesystem::path const& folder, Overwrite overwrite) : folder_(folder), overwrite_(overwrite) {}

  /// Continues after the frames at `times`, which lie beside a checkpoint; removes temporary files of a killed run.
  /// Frames restart where the checkpoint lies in another folder. Throws FileError for a frame that is missing.
  void attach(std::filesystem::path const& checkpoint, std::vector<double> const& times);

  /// Creates the folder of the frames; removes temporary files of killed runs.
  void make_folder() const;
  /// Creates the file of the next frame.
  Hdf5File create() const;
  /// Commits the file of the next frame, with step and time as attributes.
  void commit(Hdf5File& file, std::int64_t step, double time);
  /// Writes the list of all frames.
  void write_list(XdmfDocument const& list) const;
  /// At the end of a run that replaces results: removes the frames of an earlier, longer one.
  void remove_later() const;

  std::vector<double> const& times() const { return times_; }
  /// File of a frame, from the output folder.
  static std::filesystem::path name(std::size_t number);
  /// Time of the next frame of `frames` at equal intervals up to `end`, after those that are there.
  double next_time(double end, int frames) const;

 private:
  std::filesystem::path folder_;
  Overwrite overwrite_;
  std::vector<double> times_;
};

}  // namespace karman::app
