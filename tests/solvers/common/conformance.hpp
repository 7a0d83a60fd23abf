// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conformance of all solvers: values that are not finite, limits, monitors, continued solves and singular problems. A
/// solver joins the suite as one ConformingSolver in the list of its family.
#pragma once

#include <karman/solvers/solve_report.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace karman::test {

/// Difference of a problem from the plain one of its family.
struct ConformanceInput {
  double size = 1;  ///< factor of everything given: right-hand side and boundary values
  bool singular = false;
  double imbalance = 0;       ///< of a singular problem: added to its compatible right-hand side, in units of `size`
  std::string poisoned = {};  ///< name of the input with one wrong value
  double poison = 0;
};

/// Options of a solve of any type; ignored where the solver has no such option.
struct ConformanceOptions {
  double tolerance = 0;
  int max_iterations = 100'000, check_every = 2, first_iteration = 0, restart_every = 0;
  std::function<bool(ResidualSample const&)> monitor = {};

  template <class Options>
  Options as(Options options = {}) const {
    options.tolerance = tolerance;
    options.max_iterations = max_iterations;
    options.first_iteration = first_iteration;
    options.monitor = monitor;
    if constexpr (requires { options.check_every; }) options.check_every = check_every;
    if constexpr (requires { options.restart_every; }) options.restart_every = restart_every;
    return options;
  }
};

/// A solve: the report, x, and max |b - A x| / max |b| by plain loops, b less its mean in singular problems.
struct ConformanceResult {
  SolveReport report;
  std::vector<double> x;
  double residual = 0;
};

struct ConformingSolver {
  std::string name;
  std::size_t unknowns = 0;
  double tolerance = 1e-9;   ///< easily reached by the solver
  double epsilon = 2.3e-16;  ///< of its numbers
  bool iterative = true;
  bool takes_mean_out = true;  ///< solves a singular problem for b without its mean, and reports that mean
  bool may_be_singular = true;
  bool takes_any_size = true;              ///< also 1e-280 and 1e280
  int most_iterations = 2000;              ///< a few times the iterations of any solve that converges
  std::vector<std::string> inputs{"rhs"};  ///< inputs that may be poisoned, besides the first guess
  std::function<ConformanceResult(ConformanceInput const&, std::vector<double> const& guess, ConformanceOptions const&)>
      solve;

  std::vector<double> zero() const { return std::vector<double>(unknowns, 0.0); }
  std::vector<double> random_guess() const {
    std::mt19937 generator(3);
    std::vector<double> values(unknowns);
    for (double& value : values) value = double(float(generator() % 1000) / 1000 - 0.5f);
    return values;
  }
  /// Error of the residuals: a few roundings of the terms of a row.
  double rounding() const { return 1e3 * epsilon; }
};

/// NaN or infinity: a breakdown at once, never converged, x unchanged.
inline void expect_breakdown_for_poison(ConformingSolver const& solver) {
  double const infinity = std::numeric_limits<double>::infinity();
  for (double const poison : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
    for (std::string const& input : solver.inputs) {
      SCOPED_TRACE(input + " with " + std::to_string(poison));
      auto const guess = solver.random_guess();
      try {
        auto const result = solver.solve({.poisoned = input, .poison = poison}, guess, {.tolerance = solver.tolerance});
        EXPECT_FALSE(result.report.converged);
        EXPECT_FALSE(result.report.breakdown.empty());
        if (solver.iterative) {
          EXPECT_EQ(result.report.iterations, 0);
          EXPECT_EQ(result.x, guess);
        }
      } catch (std::invalid_argument const&) {
        EXPECT_EQ(input, "coefficients") << "only coefficients may be refused";
      }
    }
    if (!solver.iterative) continue;
    SCOPED_TRACE("first guess with " + std::to_string(poison));
    auto guess = solver.zero();
    guess[guess.size() / 2] = poison;
    for (bool const singular : {false, true}) {
      if (singular && !solver.may_be_singular) continue;
      auto const result = solver.solve({.singular = singular}, guess, {.tolerance = solver.tolerance});
      EXPECT_FALSE(result.report.converged);
      EXPECT_FALSE(result.report.breakdown.empty());
      EXPECT_EQ(result.report.iterations, 0);
    }
  }
}

inline void expect_zero_for_zero(ConformingSolver const& solver) {
  auto const at_once = solver.solve({.size = 0}, solver.zero(), {.tolerance = solver.tolerance});
  EXPECT_TRUE(at_once.report.converged) << summary(at_once.report);
  EXPECT_EQ(at_once.report.residual, 0);
  EXPECT_EQ(at_once.x, solver.zero());
  if (!solver.iterative) return;
  EXPECT_EQ(at_once.report.iterations, 0);
  // The first residual sets the scale.
  auto const report = solver.solve({.size = 0}, solver.random_guess(), {.tolerance = solver.tolerance}).report;
  EXPECT_TRUE(report.converged) << summary(report);
  EXPECT_EQ(report.history.front().residual, 1);
  EXPECT_GT(report.iterations, 0);
}

inline void expect_nothing_for_the_solution(ConformingSolver const& solver) {
  if (!solver.iterative) return;
  auto const first = solver.solve({}, solver.zero(), {.tolerance = solver.tolerance});
  EXPECT_TRUE(first.report.converged) << summary(first.report);
  EXPECT_LE(first.residual, solver.tolerance + solver.rounding());
  auto const again = solver.solve({}, first.x, {.tolerance = 2 * solver.tolerance});
  EXPECT_TRUE(again.report.converged);
  EXPECT_EQ(again.report.iterations, 0);
  EXPECT_EQ(again.x, first.x);
}

inline void expect_limits(ConformingSolver const& solver) {
  if (!solver.iterative) return;
  auto const guess = solver.random_guess();
  for (int const most : {0, 1, 3}) {
    auto const result = solver.solve({}, guess, {.tolerance = 0, .max_iterations = most});
    EXPECT_EQ(result.report.iterations, most);
    EXPECT_FALSE(result.report.converged);
    EXPECT_FALSE(result.report.stopped);
    EXPECT_EQ(result.report.history.back().iteration, most);
    EXPECT_EQ(result.report.history.back().residual, result.report.residual);
    if (most == 0) {
      EXPECT_EQ(result.x, guess);
    }
  }
  auto const passed = solver.solve({}, guess, {.tolerance = 0, .max_iterations = 5, .first_iteration = 6});
  EXPECT_EQ(passed.report.iterations, 6);
  EXPECT_EQ(passed.x, guess);
  for (int const restart_every : {0, 2}) {
    ConformanceOptions last{.tolerance = 0, .max_iterations = INT_MAX, .first_iteration = INT_MAX - 1};
    last.restart_every = restart_every;
    auto const report = solver.solve({}, guess, last).report;
    EXPECT_EQ(report.iterations, INT_MAX);
    EXPECT_EQ(report.history.size(), 2u);
  }
  EXPECT_THROW(solver.solve({}, guess, {.first_iteration = -1}), std::invalid_argument);
  EXPECT_THROW(solver.solve({}, guess, {.max_iterations = -1}), std::invalid_argument);
  EXPECT_THROW(solver.solve({}, guess, {.tolerance = -1}), std::invalid_argument);
  EXPECT_THROW(solver.solve({}, guess, {.tolerance = std::nan("")}), std::invalid_argument);
}

inline void expect_obedience_to_the_monitor(ConformingSolver const& solver) {
  if (!solver.iterative) return;
  ConformanceOptions options{.tolerance = 0, .first_iteration = 10};
  options.monitor = [](ResidualSample const& sample) { return sample.iteration < 14; };
  auto const report = solver.solve({}, solver.random_guess(), options).report;
  EXPECT_TRUE(report.stopped);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 14);
  EXPECT_EQ(report.history.front().iteration, 10);
  EXPECT_TRUE(report.breakdown.empty()) << report.breakdown;
}

/// A solve continued at a planned restart gives the bits of an uninterrupted one; without a recursion, at any
/// iteration.
inline void expect_one_solve_in_parts(ConformingSolver const& solver) {
  if (!solver.iterative) return;
  for (bool const singular : {false, true}) {
    if (singular && !solver.may_be_singular) continue;
    SCOPED_TRACE(singular ? "singular" : "not singular");
    ConformanceInput const input{.singular = singular};
    ConformanceOptions options{.tolerance = 0, .max_iterations = 12, .restart_every = 4};
    auto const whole = solver.solve(input, solver.random_guess(), options);
    auto x = solver.random_guess();
    std::vector<ResidualSample> history;
    for (int begin = 0; begin < 12; begin += 4) {
      options.first_iteration = begin;
      options.max_iterations = begin + 4;
      auto part = solver.solve(input, x, options);
      EXPECT_EQ(part.report.iterations, begin + 4);
      x = part.x;
      if (begin > 0) part.report.history.erase(part.report.history.begin());
      history.insert(history.end(), part.report.history.begin(), part.report.history.end());
    }
    EXPECT_EQ(x, whole.x);
    ASSERT_EQ(history.size(), whole.report.history.size());
    for (std::size_t n = 0; n < history.size(); ++n) {
      EXPECT_EQ(history[n].iteration, whole.report.history[n].iteration);
      EXPECT_EQ(history[n].residual, whole.report.history[n].residual) << history[n].iteration;
    }
  }
}

/// Converged means: solved, except for the reported mean.
inline void expect_truth_about_singular_problems(ConformingSolver const& solver) {
  if (!solver.may_be_singular) return;
  auto const good = solver.solve({.singular = true}, solver.zero(), {.tolerance = solver.tolerance});
  EXPECT_TRUE(good.report.converged) << summary(good.report);
  EXPECT_LE(good.residual, solver.tolerance + solver.rounding());
  EXPECT_LE(good.report.imbalance, solver.rounding());
  for (double const imbalance : {0.25, 1e3}) {
    ConformanceOptions const options{.tolerance = solver.tolerance, .max_iterations = solver.most_iterations};
    auto const bad = solver.solve({.singular = true, .imbalance = imbalance}, solver.zero(), options);
    if (solver.takes_mean_out) {
      EXPECT_GE(bad.report.imbalance, imbalance / (1 + imbalance) * 0.9);
      EXPECT_LE(bad.report.imbalance, 1);
      // Relative to max |b| with its mean.
      if (bad.report.converged) {
        EXPECT_LE(bad.residual, (solver.tolerance + solver.rounding()) * 3 * (1 + imbalance));
      }
    } else {
      EXPECT_FALSE(bad.report.converged);
    }
  }
}

/// Sizes whose squares leave the range of double: solved, not taken for zero.
inline void expect_any_size(ConformingSolver const& solver) {
  bool const single = solver.epsilon > 1e-10;
  for (double const size : {single ? 1e-25 : 1e-170, single ? 1e-30 : 1e-270, single ? 1e25 : 1e170}) {
    SCOPED_TRACE(size);
    auto const result = solver.solve({.size = size}, solver.zero(),
                                     {.tolerance = solver.tolerance, .max_iterations = solver.most_iterations});
    EXPECT_TRUE(result.report.converged || !solver.takes_any_size) << summary(result.report);
    if (result.report.converged) {
      EXPECT_LE(result.residual, solver.tolerance + solver.rounding());
    }
  }
}

/// All of the above for all solvers of a family.
inline void expect_conformance(std::vector<ConformingSolver> const& solvers) {
  for (ConformingSolver const& solver : solvers) {
    SCOPED_TRACE(solver.name);
    expect_breakdown_for_poison(solver);
    expect_zero_for_zero(solver);
    expect_nothing_for_the_solution(solver);
    expect_limits(solver);
    expect_obedience_to_the_monitor(solver);
    expect_one_solve_in_parts(solver);
    expect_truth_about_singular_problems(solver);
    expect_any_size(solver);
  }
}

}  // namespace karman::test
