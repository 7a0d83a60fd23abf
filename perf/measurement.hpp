// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One row at a time: preparation, check, warm-up, and measurement by Google Benchmark.
#pragma once

#include "row.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace karman::perf {

/// A row with its data in memory, and with a right answer or a reason not to time it.
struct Prepared {
  std::unique_ptr<Work> work;
  std::string failure;  ///< empty when the answer was right
  int batch = 1;        ///< calls between two fences
};

/// Allocates, checks and warms up. Where the row may run back to back, chooses a batch of at least a millisecond. Never
/// throws: an exception becomes the failure.
Prepared prepare(Row const& row, bool spoil);

/// Bandwidth in bytes/s of a yardstick row: the best of many measurements. Throws std::runtime_error when its answer is
/// wrong.
double measure_yardstick(Row const& row);

/// The same of a row that defines a peak, in flops per second.
double measure_peak(Row const& row);

/// Yardsticks of a run.
struct Yardsticks {
  std::map<std::string, double> bandwidth;  ///< of each backend, bytes/s
  std::map<std::string, double> peak;       ///< of each backend/precision, flops per second
};

/// Width of the middle half of values over their median, by linear interpolation; as the reports compute it.
double relative_spread(std::vector<double> const& values);

/// Repetitions that a row has at least, whatever the budget.
inline constexpr int fewest_repetitions = 3;
/// Message of a repetition that was left out; reports omit it.
inline constexpr char const* repetition_left_out = "repetition left out: the time of the row is over";

/// Registers rows with Google Benchmark and holds the data of the running one.
class Session {
 public:
  /// \param budget seconds of all rows; 0: no limit
  /// \param share_of_row leaves out repetitions of a row once it has had its share of the time that was left
  Session(Yardsticks yardsticks, bool spoil, double budget, bool share_of_row = false);

  void add(Row row);
  Yardsticks const& yardsticks() const { return yardsticks_; }
  /// Frees the data of the last row, and all rows; call it while Kokkos still runs.
  void finish();
  /// Rows that ended with a wrong answer or an error.
  int failures() const { return failures_; }
  /// Rows skipped because the budget was used up.
  int left_out() const { return left_out_; }

 private:
  using Clock = std::chrono::steady_clock;
  void run(Row const& row, benchmark::State& state);
  Yardsticks yardsticks_;
  bool spoil_;
  double budget_;
  bool share_of_row_;
  Clock::time_point const start_ = Clock::now();
  Clock::time_point row_end_ = Clock::time_point::max();
  int rows_left_ = 0;                         ///< rows that have not begun
  benchmark::IterationCount iterations_ = 0;  ///< of the last call for the current row
  int repetitions_ = 0;                       ///< with that number, among them the one that found it
  std::string current_name_;
  Prepared current_;
  int failures_ = 0;
  int left_out_ = 0;
};

}  // namespace karman::perf
