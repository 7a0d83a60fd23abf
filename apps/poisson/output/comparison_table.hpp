// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Results of every method on every backend, as table, files and sentences.
#pragma once

#include "poisson/model/linear_system.hpp"
#include "poisson/model/solver.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/atomic_file.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace karman::poisson {

/// Outcome of a method.
enum class Fate {
  done,           ///< the tolerance is met
  cut_off,        ///< the allowed time was over before
  not_converged,  ///< it stopped by itself: at the iteration limit or at the limit of the precision
  no_room,        ///< it needs more memory than is free
  not_applicable,
  failed,  ///< it ended with an error
  not_run  ///< the comparison was interrupted before
};

/// "done", "cut off", ...
std::string_view words(Fate fate);

/// One method on one backend. Times are from the fastest timed solve. Of several processes they are times of the
/// slowest one, and the memory is that of all.
struct ComparisonRow {
  Method method = Method::mg_pcg;
  Backend backend = Backend::serial;
  Fate fate = Fate::not_run;
  /// Reason why it does not apply, has too little memory, failed or did not converge. Or the remark on a residual that
  /// is round-off.
  std::string reason;
  int iterations = 0;
  double residual = 0;  ///< max |b - A p| / max |b| of its result, computed in double precision
  double seconds = 0;   ///< of the solve
  double set_up_seconds = 0;
  /// Time of a solve to the tolerance, extrapolated from the last residuals. Set where a solve was cut off.
  std::optional<double> expected_seconds;
  std::int64_t memory_bytes = 0;
  std::optional<double> largest_error;
  int solves = 0;  ///< that were timed
  std::vector<SolveSample> history;

  bool ran() const { return fate == Fate::done || fate == Fate::cut_off || fate == Fate::not_converged; }
};

struct Comparison {
  std::string title;
  std::string case_text;
  std::array<int, 3> cells{};
  Precision precision = Precision::f64;
  double tolerance = 0;
  double budget = 0;
  int processes = 1;
  std::vector<BackendInfo> backends;
  std::vector<ComparisonRow> rows;
};

inline constexpr char const* compare_file = "compare.h5";
inline constexpr char const* compare_json = "compare.json";
inline constexpr char const* compare_csv = "compare.csv";

/// The table for a terminal, fastest first.
std::string table(Comparison const& comparison);
/// Recommended method, with the measured reasons. A few lines.
std::string verdict(Comparison const& comparison);
/// compare.h5 (every history), compare.json, compare.csv. Throws FileError.
void write_comparison(std::filesystem::path const& folder, Overwrite overwrite, Comparison const& comparison);

/// Seconds until the residual meets the tolerance, if it keeps the rate of the last half of the history. Empty when it
/// did not fall.
std::optional<double> expected_seconds(std::vector<SolveSample> const& history, double tolerance);

}  // namespace karman::poisson
