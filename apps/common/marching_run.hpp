// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shared steps of the runs that march in time and write frames and checkpoints.
#pragma once

#include "checkpoint_support.hpp"
#include "run_options.hpp"
#include <karman/io/output_folder.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

namespace karman::app {

/// Makes the folder of a run and requires that the run may write its files there: all of them, or for a run that goes
/// on the first `final_files`, which are written at the end. Returns the lock of the folder.
[[nodiscard]] FolderLock prepare_marching_folder(std::filesystem::path const& folder, RunOptions const& options,
                                                 std::span<char const* const> files, std::size_t final_files);

/// Interval and place of the checkpoints of a run.
class MarchCheckpoints {
 public:
  /// `file`: checkpoints of this run; `every`: seconds between two of them, 0: none.
  MarchCheckpoints(RunOptions const& options, std::filesystem::path file, double every)
      : restart_(options.restart), file_(std::move(file)), clock_(every) {}

  std::filesystem::path const& file() const { return file_; }
  /// Whether the run began with a checkpoint.
  bool goes_on() const { return !restart_.empty(); }
  bool due() const { return clock_.due(); }
  /// Notes a checkpoint in file().
  void note_written() {
    written_ = true;
    clock_.restart();
  }
  /// "; the last good checkpoint is FILE", or "; no checkpoint was written".
  std::string last_good() const;
  /// Tells how a run that a signal stopped goes on. Returns the exit code.
  int report_stop(char const* application, std::int64_t step, double time) const;

 private:
  std::filesystem::path restart_, file_;
  CheckpointClock clock_;
  bool written_ = false;
};

}  // namespace karman::app
