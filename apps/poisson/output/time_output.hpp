// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Output files of a time-dependent problem: <problem>.h5 with its frames, <problem>.xdmf, history.csv.
#pragma once

#include "frames.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/shared_hdf5_file.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace karman::poisson {

std::string xdmf_file_of(TimeCase const& time_case);

/// Figures of a run for its fields file.
struct TimeTotals {
  double solve_seconds = 0;
  std::int64_t memory_bytes = 0;
  std::string algorithm;
  bool converged = true;  ///< every checked step is sound, see StepCheck
};

/// Writes frames as they arrive; the files appear at finish(). Frames before a checkpoint remain after a killed
/// process: secure() gives them a file of their own, and a restart takes them over. Errors: FileError.
///
/// Several processes write files in parts, whose names are chosen when a file is created. All their frames go into
/// files of their own, which finish() joins. Any number of processes takes over the frames of any number. Collective.
class TimeOutput {
 public:
  TimeOutput(std::filesystem::path const& folder, Overwrite overwrite, TimeCase const& time_case,
             BackendInfo const& backend);

  /// Takes over the frames of an earlier run, oldest first; frames of another folder are copied. Skips a frame that
  /// cannot be read. Returns one line about skipped frames, empty where there are none.
  std::string attach(std::vector<FrameSegment> const& segments);

  /// The last frame; empty when there is none yet.
  std::optional<FrameFacts> last() const;

  /// A frame of values of the precision of the case.
  void add(FrameFacts const& facts, app::HostField const& values);

  /// Makes all frames durable, before a checkpoint, and returns the files that hold them.
  std::vector<FrameSegment> const& secure();

  /// Joins all frames in one file, writes the others, and removes the segments.
  void finish(TimeTotals const& totals);

 private:
  SharedHdf5File new_file(std::filesystem::path const& path, Overwrite overwrite) const;
  std::filesystem::path fields_file() const;
  /// The file of a segment. A complete run has removed it: then the fields file beside it.
  Hdf5File open_segment(FrameSegment const& segment) const;
  void join();
  std::vector<FrameFacts> all_facts() const;
  void write_series(std::vector<FrameFacts> const& facts) const;

  std::filesystem::path folder_;
  Overwrite overwrite_;
  TimeCase const& case_;
  BackendInfo backend_;
  FileProcesses processes_;
  std::vector<FrameSegment> segments_;  ///< on disk
  std::optional<SharedHdf5File> file_;  ///< of the frames since the last segment
  std::vector<Frame> frames_;           ///< in file_
};

}  // namespace karman::poisson
