// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options, limits and report of a running iteration: the same for every iterative solver.
#pragma once

#include <karman/core/error.hpp>
#include <karman/solvers/solve_report.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace karman::detail {

/// Reason of a solve that met NaN or infinity.
inline constexpr std::string_view not_finite = "a value is not a number";

template <class Options>
int check_interval(Options const& options) {
  if constexpr (requires { options.check_every; }) {
    return options.check_every;
  } else {
    return 1;
  }
}

/// 0 where the recursion has no planned restarts.
template <class Options>
int restart_interval(Options const& options) {
  if constexpr (requires { options.restart_every; }) {
    return options.restart_every;
  } else {
    return 0;
  }
}

/// Throws std::invalid_argument for a tolerance, a limit or an interval out of range. `name` is the type of the
/// options.
template <class Options>
void require_iteration_options(Options const& options, std::string const& name) {
  auto const found = [](auto value) { return ", found " + std::to_string(value); };
  require(options.tolerance >= 0 && std::isfinite(options.tolerance),
          name + ": tolerance must be finite and not negative" + found(options.tolerance));
  require(options.max_iterations >= 0, name + ": max_iterations must not be negative" + found(options.max_iterations));
  require(options.first_iteration >= 0,
          name + ": first_iteration must not be negative" + found(options.first_iteration));
  require(check_interval(options) >= 1, name + ": check_every must be at least 1" + found(check_interval(options)));
  require(restart_interval(options) >= 0,
          name + ": restart_every must not be negative" + found(restart_interval(options)));
}

/// Keeps the report of a running solve and decides whether it continues.
template <class Options>
class IterationWatch {
 public:
  SolveReport report;

  /// `norm` is |b|, `first` the residual of the first guess, which sets the scale where b is zero.
  IterationWatch(Options const& options, double norm, double first)
      : options_(options),
        scale_(norm > 0    ? norm
               : first > 0 ? first
                           : 1) {
    report.iterations = options.first_iteration;
  }

  bool meets_tolerance(double absolute) const { return relative(absolute) <= options_.tolerance; }

  /// Records the residual of the present iterate and calls the monitor.
  void check(double absolute) {
    judge(absolute);
    report.history.push_back({report.iterations, report.residual});
    if (options_.monitor && !options_.monitor(report.history.back())) report.stopped = !report.converged;
    if (!std::isfinite(report.residual)) report.breakdown = not_finite;
  }

  /// Replaces the last recorded residual by the exact one.
  void correct(double absolute) {
    judge(absolute);
    if (!report.history.empty()) report.history.back().residual = report.residual;
    if (report.converged) report.stopped = false;
    if (report.converged) report.breakdown = {};
    if (!std::isfinite(report.residual)) report.breakdown = not_finite;
  }

  bool goes_on() const {
    return !report.converged && !report.stopped && report.breakdown.empty() &&
           report.iterations < options_.max_iterations;
  }

  /// Iterations until the next check: `check_every`, or fewer where a limit or a planned restart comes first.
  int next_count() const {
    int const count = std::min(check_interval(options_), options_.max_iterations - report.iterations);
    int const every = restart_interval(options_);
    return every > 0 ? std::min(count, every - report.iterations % every) : count;
  }

  /// True if a planned restart is due here.
  bool restarts() const {
    int const every = restart_interval(options_);
    return every > 0 && report.iterations % every == 0;
  }

 private:
  /// Keeps a finite residual finite, however small |b| is.
  double relative(double absolute) const {
    double const quotient = absolute / scale_;
    return std::isinf(quotient) && std::isfinite(absolute) ? std::numeric_limits<double>::max() : quotient;
  }
  void judge(double absolute) {
    report.residual = relative(absolute);
    report.converged = report.residual <= options_.tolerance;
  }

  Options const& options_;
  double scale_;
};

/// Detects stagnation: no new lowest residual for `stagnation_after` iterations.
class LackOfProgress {
 public:
  template <class Options>
  LackOfProgress(Options const& options, double first) : lowest_(first), at_(options.first_iteration) {
    if constexpr (requires { options.stagnation_after; }) patience_ = options.stagnation_after;
  }
  /// True if there is no progress. Call once at every check.
  bool lacks(SolveReport const& report) {
    if (report.residual < lowest_) {
      lowest_ = report.residual;
      at_ = report.iterations;
    }
    return patience_ > 0 && report.iterations - at_ >= patience_;
  }

 private:
  double lowest_;
  int at_, patience_ = 0;
};

/// Power of two by which a recursion scales its vectors, x among them. With it no product of two of its numbers leaves
/// the range of double. 1 for all but very small and very large residuals.
inline double residual_unit(double residual) {
  constexpr double least = 1e-20, most = 1e20;
  if (!(residual > 0) || !std::isfinite(residual) || (residual >= least && residual <= most)) return 1;
  constexpr int limit = 1000;  // its inverse is a normal number
  return std::ldexp(1.0, std::clamp(std::ilogb(residual), -limit, limit));
}

/// True if x is final, not a state from which a later solve may continue: the mean of a singular problem is subtracted.
inline bool has_ended(SolveReport const& report) {
  return report.converged || (!report.breakdown.empty() && report.breakdown != not_finite);
}

}  // namespace karman::detail
