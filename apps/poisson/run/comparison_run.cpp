// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comparison_run.hpp"

#include "common/case/texts.hpp"
#include "common/case/work_in_all.hpp"
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
#include <stdexcept>
#include <utility>
#include <vector>

namespace karman::poisson {
namespace {

/// A solve shorter than this is timed several times, and the fastest counts.
constexpr double short_solve = 0.5;
constexpr int most_solves = 5;

bool is_multigrid(Method method) { return method == Method::multigrid || method == Method::mg_pcg; }

/// The case with another method, which decides on the boxes of the processes.
PoissonCase with_method(PoissonCase poisson_case, Method method) {
  poisson_case.solver.method = method;
  return poisson_case;
}

bool same_boxes(PoissonCase const& a, PoissonCase const& b, int processes) {
  BoxDecomposition const of_a = boxes_of(a, processes), of_b = boxes_of(b, processes);
  for (int rank = 0; rank < processes; ++rank) {
    Box const x = of_a.box(rank), y = of_b.box(rank);
    if (x.begin != y.begin || x.end != y.end) return false;
  }
  return true;
}

}  // namespace

std::vector<Backend> backends_of(app::RunOptions const& options) {
  if (options.backend) return {*options.backend};
  return enabled_backends();
}

Contest::Contest(app::RunOptions const& options, PoissonCase const& poisson_case, LinearSystem const& system,
                 MakeSolver make_solver, LinearSystem const* of_multigrid)
    : budget_(*options.compare_budget),
      case_(poisson_case),
      system_(system),
      of_multigrid_(of_multigrid),
      communicator_(system.communicator),
      processes_here_(options.processes->local_size()),
      make_solver_(std::move(make_solver)) {
  comparison_.title = poisson_case.title;
  comparison_.case_text = poisson_case.text;
  comparison_.cells = system.whole.global_cells();
  comparison_.processes = communicator_.size();
  comparison_.precision = poisson_case.solver.precision;
  comparison_.tolerance = poisson_case.solver.tolerance;
  comparison_.budget = budget_;
  for (Backend backend : backends_of(options)) comparison_.backends.push_back(describe(backend));
}

LinearSystem const& Contest::system_of(Method method) const {
  return of_multigrid_ != nullptr && is_multigrid(method) ? *of_multigrid_ : system_;
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
  if (app::any_must_stop(communicator_)) return row;
  LinearSystem const& system = system_of(method);
  row.reason = why_not(method, system);
  if (!row.reason.empty()) {
    row.fate = Fate::not_applicable;
    return row;
  }
  auto const shares = app::shares_of(communicator_.all_gather(app::device_identity(backend.backend)));
  std::int64_t const needed = app::processes_per_memory(shares, processes_here_) *
                              plan_bytes(backend.backend, method, case_.solver, shape_of(system, method));
  std::int64_t const free = describe(backend.backend).free_memory_bytes;
  struct Room {
    std::int64_t needed, free;
  };
  std::vector<Room> const rooms = communicator_.all_gather(Room{needed, free});
  auto const full =
      std::find_if(rooms.begin(), rooms.end(), [](Room const& one) { return one.free > 0 && one.needed > one.free; });
  if (full != rooms.end()) {
    row.fate = Fate::no_room;
    row.reason =
        "needs about " + bytes_text(double(full->needed)) + ", " + bytes_text(double(full->free)) + " are free";
    return row;
  }
  try {
    measure(row);
  } catch (std::exception const& error) {
    bool const in_all = dynamic_cast<std::invalid_argument const*>(&error) != nullptr;
    if (communicator_.size() > 1 && !in_all) throw;
    row.fate = Fate::failed;
    row.reason = app::reason_of(error);
  }
  return row;
}

void Contest::measure(ComparisonRow& row) {
  LinearSystem const& system = system_of(row.method);
  app::Clock::time_point start = app::Clock::now();
  auto const solver = make_solver_(row.backend, row.method, case_.solver, system);
  row.set_up_seconds = communicator_.largest(app::seconds_since(start));
  row.memory_bytes = solver->memory_bytes();

  SolveRequest request;
  request.tolerance = case_.solver.tolerance;
  request.max_iterations = 1;
  request.check_every = 1;
  // One untimed solve loads kernels, touches memory, and gives the time per iteration.
  double const one = communicator_.largest(solver->solve(request, {}).seconds);
  request.max_iterations = case_.solver.max_iterations;
  // Checks the residual at least every twentieth of the allowed time.
  double const affordable = std::clamp(budget_ / 20 / std::max(one, 1e-9), 1.0, 1e6);
  request.check_every =
      std::min(case_.solver.check_every.value_or(usual_check_every(row.method)), static_cast<int>(affordable));
  SolveResult result;
  result.method = row.method;
  bool over = false;
  start = app::Clock::now();
  while (row.solves < most_solves &&
         (row.solves == 0 || communicator_.largest(app::seconds_since(start)) < short_solve)) {
    solver->clear_guess();
    SolveOutcome outcome = solver->solve(request, [&](SolveSample const& sample) {
      // One answer for all: signals and clocks differ.
      int const mine = stop_requested() != 0 ? 2 : sample.seconds > budget_ ? 1 : 0;
      int const answer = communicator_.largest(mine);
      over = answer == 1;
      return answer == 0;
    });
    outcome.seconds = communicator_.largest(outcome.seconds);
    ++row.solves;
    if (row.solves == 1) {
      // Judges before the solver is used again: a repeated solve may be cut off.
      result.outcome = std::move(outcome);
      judge(system, case_.solver, *solver, result);
    } else if (!outcome.stopped && outcome.seconds < result.outcome.seconds) {
      // The same iterates in less time.
      result.outcome.seconds = outcome.seconds;
      result.outcome.history = std::move(outcome.history);
    }
    if (app::any_must_stop(communicator_) || over) break;
    // A repeated solve would not have the stalled cycles that come first.
    if (solver->double_cycles() && !case_.solver.cycle_precision) break;
  }
  row.memory_bytes = communicator_.sum(std::max(row.memory_bytes, solver->memory_bytes()));
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
  int const processes = context.announced_processes();
  Estimate need = estimate(poisson_case, backends.front(), context.copy_rate(), processes);
  // Each method runs in the parts that it has in a run of its own.
  PoissonCase const by_cells = with_method(poisson_case, Method::cg),
                    by_blocks = with_method(poisson_case, Method::mg_pcg);
  bool const other_parts = processes > 1 && !same_boxes(by_cells, by_blocks, processes);
  if (other_parts) need.host_bytes *= 2;
  std::optional<LinearSystem> system, of_multigrid;
  if (context.evaluates(need)) {
    system = make_linear_system(input, by_cells, context.communicator());
    if (other_parts) of_multigrid = make_linear_system(input, by_blocks, context.communicator());
    need.is_large = false;
    for (std::string const& remark : remarks(*system)) std::printf("%s\n", remark.c_str());
  }
  auto const applicable = std::count_if(all_methods.begin(), all_methods.end(), [&](Method method) {
    if (system) return why_not(method, *system).empty();
    return why_not(method, poisson_case).empty() && (processes == 1 || why_not_in_parts(method).empty());
  });
  need.lines +=
      app::formatted("comparison  %d applicable methods, %zu backend%s; at most about %s\n",
                     static_cast<int>(applicable), backends.size(), backends.size() == 1 ? "" : "s",
                     duration_text(double(applicable) * double(backends.size()) * *options.compare_budget).c_str());
  if (auto const end = context.open(need)) return *end;
  // From here on a signal ends a solve, and no evaluation of its result.
  if (auto const end = context.stopped_in_set_up()) return *end;
  Progress progress({.mode = options.progress,
                     .label = "compare",
                     .unit = "solves",
                     .total = double(all_methods.size() * backends.size())});
  Contest contest(options, poisson_case, *system, make_poisson_solver, of_multigrid ? &*of_multigrid : nullptr);
  Comparison const& comparison = contest.run(progress);
  context.by_first([&] { write_comparison(context.folder(), options.overwrite, comparison); });
  if (processes > 1) std::printf("%d processes: times of the slowest one, memory of all\n", processes);
  std::printf("%s\n%s\n%s\n", table(comparison).c_str(), verdict(comparison).c_str(),
              (context.folder() / compare_file).c_str());
  if (context.all_must_stop()) {
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
