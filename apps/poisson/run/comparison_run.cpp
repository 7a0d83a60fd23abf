// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comparison_run.hpp"

#include "common/case/texts.hpp"
#include "common/run/clock.hpp"
#include "poisson/model/method_choice.hpp"
#include "poisson/model/residual_check.hpp"
#include "poisson_estimate.hpp"
#include <karman/io/config.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <utility>

namespace karman::poisson {
namespace {

/// A solve shorter than this is timed several times, and the fastest counts.
constexpr double short_solve = 0.5;
constexpr int most_solves = 5;

}  // namespace

std::vector<Backend> backends_of(app::RunOptions const& options) {
  if (options.backend) return {*options.backend};
  return enabled_backends();
}

Contest::Contest(app::RunOptions const& options, PoissonCase const& poisson_case, LinearSystem const& system,
                 MakeSolver make_solver)
    : budget_(*options.compare_budget), case_(poisson_case), system_(system), make_solver_(std::move(make_solver)) {
  comparison_.title = poisson_case.title;
  comparison_.case_text = poisson_case.text;
  comparison_.cells = system.cells();
  comparison_.precision = poisson_case.solver.precision;
  comparison_.tolerance = poisson_case.solver.tolerance;
  comparison_.budget = budget_;
  for (Backend backend : backends_of(options)) comparison_.backends.push_back(describe(backend));
}

Comparison const& Contest::run(Progress& progress) {
  int done = 0;
  for (BackendInfo const& backend : comparison_.backends) {
    for (Method method : all_methods) {
      progress.update(done++, std::string(name(method)) + " on " + std::string(name(backend.backend)));
      comparison_.rows.push_back(row(method, backend));
    }
  }
  progress.finish(done);
  return comparison_;
}

ComparisonRow Contest::row(Method method, BackendInfo const& backend) {
  ComparisonRow row;
  row.method = method;
  row.backend = backend.backend;
  if (stop_requested() != 0) return row;
  row.reason = why_not(method, system_);
  if (!row.reason.empty()) {
    row.fate = Fate::not_applicable;
    return row;
  }
  std::int64_t const needed = plan_bytes(backend.backend, method, case_.solver, shape_of(system_, method));
  std::int64_t const free = describe(backend.backend).free_memory_bytes;
  if (free > 0 && needed > free) {
    row.fate = Fate::no_room;
    row.reason = "needs about " + bytes_text(double(needed)) + ", " + bytes_text(double(free)) + " are free";
    return row;
  }
  try {
    measure(row);
  } catch (std::exception const& error) {
    row.fate = Fate::failed;
    row.reason = app::reason_of(error);
  }
  return row;
}

void Contest::measure(ComparisonRow& row) {
  app::Clock::time_point start = app::Clock::now();
  auto const solver = make_solver_(row.backend, row.method, case_.solver, system_);
  row.set_up_seconds = app::seconds_since(start);
  row.memory_bytes = solver->memory_bytes();

  SolveRequest request;
  request.tolerance = case_.solver.tolerance;
  request.max_iterations = 1;
  request.check_every = 1;
  // One untimed solve loads kernels, touches memory, and gives the time per iteration.
  double const one = solver->solve(request, {}).seconds;
  request.max_iterations = case_.solver.max_iterations;
  // Checks the residual at least every twentieth of the allowed time.
  double const affordable = std::clamp(budget_ / 20 / std::max(one, 1e-9), 1.0, 1e6);
  request.check_every =
      std::min(case_.solver.check_every.value_or(usual_check_every(row.method)), static_cast<int>(affordable));
  SolveResult result;
  result.method = row.method;
  bool over = false;
  start = app::Clock::now();
  while (row.solves < most_solves && (row.solves == 0 || app::seconds_since(start) < short_solve)) {
    solver->clear_guess();
    SolveOutcome outcome = solver->solve(request, [&](SolveSample const& sample) {
      over = sample.seconds > budget_;
      return !over && stop_requested() == 0;
    });
    ++row.solves;
    if (row.solves == 1) {
      // Judges before the solver is used again: a repeated solve may be cut off.
      result.outcome = std::move(outcome);
      judge(system_, case_.solver, *solver, result);
    } else if (!outcome.stopped && outcome.seconds < result.outcome.seconds) {
      // The same iterates in less time.
      result.outcome.seconds = outcome.seconds;
      result.outcome.history = std::move(outcome.history);
    }
    if (over || stop_requested() != 0) break;
    // A repeated solve would not have the stalled cycles that come first.
    if (solver->double_cycles() && !case_.solver.cycle_precision) break;
  }
  row.memory_bytes = std::max(row.memory_bytes, solver->memory_bytes());
  row.iterations = result.outcome.iterations;
  row.residual = result.largest_residual;
  row.seconds = result.outcome.seconds;
  row.history = result.outcome.history;
  if (result.error) row.largest_error = result.error->largest;
  if (result.outcome.converged) {
    row.fate = Fate::done;
    row.reason = result.remark;
  } else if (result.outcome.stopped) {
    row.fate = over ? Fate::cut_off : Fate::not_run;
    row.expected_seconds = expected_seconds(row.history, case_.solver.tolerance);
  } else {
    row.fate = Fate::not_converged;
    row.reason = !result.outcome.breakdown.empty()               ? result.outcome.breakdown
                 : row.iterations >= case_.solver.max_iterations ? "reached the iteration limit"
                                                                 : "the residual no longer decreases";
  }
}

int compare_methods(app::RunContext& context, Case const& input, PoissonCase const& poisson_case) {
  app::RunOptions const& options = context.options();
  std::vector<Backend> const backends = backends_of(options);
  // A run of the same case may have left its files there. The files of a comparison have other names.
  if (auto const end =
          context.prepare({.names = {compare_file, compare_json, compare_csv}, .beside_others = true}, backends)) {
    return *end;
  }
  Estimate need = estimate(poisson_case, backends.front(), context.copy_rate());
  std::optional<LinearSystem> system;
  if (context.evaluates(need)) {
    system = make_linear_system(input, poisson_case);
    need.is_large = false;
    for (std::string const& remark : remarks(*system)) std::printf("%s\n", remark.c_str());
  }
  auto const applicable = std::count_if(all_methods.begin(), all_methods.end(), [&](Method method) {
    return (system ? why_not(method, *system) : why_not(method, poisson_case)).empty();
  });
  need.lines +=
      app::formatted("comparison  %d applicable methods, %zu backend%s; at most about %s\n",
                     static_cast<int>(applicable), backends.size(), backends.size() == 1 ? "" : "s",
                     duration_text(double(applicable) * double(backends.size()) * *options.compare_budget).c_str());
  if (auto const end = context.open(need)) return *end;
  Progress progress({.mode = options.progress,
                     .label = "compare",
                     .unit = "solves",
                     .total = double(all_methods.size() * backends.size())});
  Contest contest(options, poisson_case, *system, make_poisson_solver);
  Comparison const& comparison = contest.run(progress);
  write_comparison(context.folder(), options.overwrite, comparison);
  std::printf("%s\n%s\n%s\n", table(comparison).c_str(), verdict(comparison).c_str(),
              (context.folder() / compare_file).c_str());
  if (stop_requested() != 0) {
    context.report().warn("comparison stopped by a signal; the rows left are marked \"not run\"");
    return 128 + stop_requested();
  }
  bool const any = std::any_of(comparison.rows.begin(), comparison.rows.end(),
                               [](ComparisonRow const& row) { return row.fate == Fate::done; });
  if (any) return app::done;
  return context.report().not_converged(
      app::formatted(": no method met the tolerance %.2e within %g s", comparison.tolerance, comparison.budget));
}

}  // namespace karman::poisson
