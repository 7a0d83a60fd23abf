// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// When an iterative solver stops, and what it reports: the same for all of them.
#pragma once

#include <karman/core/error.hpp>
#include <karman/solvers/solve_report.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace karman::detail {

/// Throws std::invalid_argument for a tolerance, a number of iterations or an interval out of range. Options of every
/// solver have these members.
template <class Options>
void require_iteration_options(Options const& options, std::string const& name) {
  require(options.tolerance >= 0 && std::isfinite(options.tolerance),
          name + ": tolerance must be finite and not negative");
  require(options.max_iterations >= 0, name + ": max_iterations must not be negative");
  require(options.check_every >= 1, name + ": check_every must be at least 1");
}

/// Keeps the report of a running solve.
template <class Options>
class IterationWatch {
 public:
  SolveReport report;

  /// `norm` is max |b|, `first` the residual of the first guess, which sets the scale where b is zero.
  IterationWatch(Options const& options, double norm, double first)
      : options_(options),
        scale_(norm > 0    ? norm
               : first > 0 ? first
                           : 1) {
    report.iterations = options.first_iteration;
  }

  bool meets_tolerance(double absolute) const { return absolute / scale_ <= options_.tolerance; }

  /// Records the residual of the present iterate and asks the monitor.
  void look(double absolute) {
    report.residual = absolute / scale_;
    report.converged = report.residual <= options_.tolerance;
    report.history.push_back({report.iterations, report.residual});
    if (options_.monitor && !options_.monitor(report.history.back())) report.stopped = !report.converged;
    if (!std::isfinite(report.residual)) report.breakdown = "a value is not a number";
  }

  /// Puts the exact residual in the place of the last one that was recorded.
  void correct(double absolute) {
    report.residual = absolute / scale_;
    report.converged = report.residual <= options_.tolerance;
    if (!report.history.empty()) report.history.back().residual = report.residual;
  }

  bool goes_on() const {
    return !report.converged && !report.stopped && report.breakdown.empty() &&
           report.iterations < options_.max_iterations;
  }

  /// Iterations until the next look.
  int next_count() const { return std::min(options_.check_every, options_.max_iterations - report.iterations); }

 private:
  Options const& options_;
  double scale_;
};

}  // namespace karman::detail
