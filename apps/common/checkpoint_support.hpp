// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shared parts of the checkpoints of all applications.
#pragma once

#include "run_options.hpp"
#include "run_support.hpp"
#include <karman/io/checkpoint.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace karman::app {

/// Copy of a case without the values at these JSON pointers; pointers to absent values are ignored. Serves the
/// comparison of two cases by the values that determine the iterates.
nlohmann::json without(nlohmann::json whole, std::initializer_list<char const*> pointers);

/// Values of a table of doubles (rows, columns), row by row. Throws FileError unless it has this number of columns.
std::vector<double> read_rows(Checkpoint const& checkpoint, std::string const& table, std::size_t columns);

/// Command that continues a run beyond its limit, for a shell. `limit`: JSON pointer of that limit, whose value was
/// `reached`; the command doubles it. Its results replace those of the run.
/// "karman euler case.json --output o --overwrite --restart o/euler.checkpoint --set /time/max_steps=100"
std::string continuation(std::string const& application, RunOptions const& options,
                         std::filesystem::path const& checkpoint, std::string const& limit, std::int64_t reached);

/// Time since the last checkpoint.
class CheckpointClock {
 public:
  /// `every`: seconds between two checkpoints; 0: never.
  explicit CheckpointClock(double every) : every_(every) {}

  bool due() const { return every_ > 0 && seconds_since(last_) >= every_; }
  /// Restarts after a checkpoint.
  void restart() { last_ = Clock::now(); }

 private:
  double every_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace karman::app
