// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Interval and place of the checkpoints of a run, and the command that continues from one.
#pragma once

#include "clock.hpp"
#include "run_options.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace karman::app {

/// Values of a case that a command changes: JSON pointers, and their new values as the command line has them.
using CaseChanges = std::vector<std::pair<std::string, std::string>>;

/// Command that continues a run from its checkpoint, for a shell, with some values of the case changed: "karman euler
/// case.json --output o --overwrite --restart o/euler.checkpoint --set /time/cfl=2 --set /time/max_steps=100". Its
/// results replace the results of the run.
std::string continuation(std::string const& application, RunOptions const& options,
                         std::filesystem::path const& checkpoint, CaseChanges const& changes = {});

/// The checkpoints of a run: one file, renewed at an interval.
class Checkpoints {
 public:
  /// `restart`: the checkpoint that the run begins with; empty: none.
  explicit Checkpoints(std::filesystem::path restart) : restart_(std::move(restart)) {}

  /// Sets the file, and the seconds from one checkpoint to the next, 0: none. The interval begins now.
  void set(std::filesystem::path file, double every) {
    file_ = std::move(file);
    every_ = every;
    last_ = Clock::now();
  }

  std::filesystem::path const& file() const { return file_; }
  bool due() const { return every_ > 0 && seconds_since(last_) >= every_; }
  /// Notes a checkpoint in file().
  void note_written() {
    written_ = true;
    last_ = Clock::now();
  }
  /// "; the last good checkpoint is FILE", or "; no checkpoint was written".
  std::string last_good() const;

 private:
  std::filesystem::path restart_, file_;
  double every_ = 0;
  Clock::time_point last_ = Clock::now();
  bool written_ = false;
};

}  // namespace karman::app
