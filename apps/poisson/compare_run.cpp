// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare_run.hpp"

#include "../kokkos_runtime.hpp"
#include "../run_support.hpp"
#include "comparison.hpp"
#include "estimate.hpp"
#include "judge.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace karman::poisson {
namespace {

/// A solve shorter than this is timed again, the fastest of so many counts.
constexpr double short_solve = 0.5;
constexpr int most_solves = 5;

/// The backend that was asked for, or all of this build, the fastest first.
std::vector<Backend> backends_of(app::RunOptions const& options) {
  if (options.backend) return {*options.backend};
  return enabled_backends();
}

class Contest {
 public:
  Contest(app::RunOptions const& options, PoissonCase const& poisson_case, LinearSystem const& system)
      : budget_(*options.compare_budget), case_(poisson_case), system_(system) {
    comparison_.title = poisson_case.title;
    comparison_.case_text = poisson_case.text;
    comparison_.cells = system.cells();
    comparison_.precision = poisson_case.solver.precision;
    comparison_.tolerance = poisson_case.solver.tolerance;
    comparison_.budget = budget_;
    for (Backend backend : backends_of(options)) comparison_.backends.push_back(describe(backend));
  }

  Comparison const& run(Progress& progress) {
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

 private:
  ComparisonRow row(Method method, BackendInfo const& backend) {
    ComparisonRow row;
    row.method = method;
    row.backend = backend.backend;
    if (stop_requested() != 0) return row;
    row.reason = why_not(method, system_);
    if (!row.reason.empty()) {
      row.fate = Fate::not_applicable;
      return row;
    }
    std::int64_t const needed = plan_bytes(method, case_.solver, system_.constant_coefficient(), system_.has_solid(),
                                           system_.grid.cell_count());
    std::int64_t const free = describe(backend.backend).free_memory_bytes;
    if (free > 0 && needed > free) {
      row.fate = Fate::no_room;
      row.reason = "about " + bytes_text(double(needed)) + " are needed, " + bytes_text(double(free)) + " are free";
      return row;
    }
    measure(row);
    return row;
  }

  void measure(ComparisonRow& row) {
    app::Clock::time_point start = app::Clock::now();
    auto const solver = make_poisson_solver(row.backend, row.method, case_.solver, system_);
    row.set_up_seconds = app::seconds_since(start);
    row.memory_bytes = solver->memory_bytes();

    SolveRequest request;
    request.tolerance = case_.solver.tolerance;
    request.max_iterations = 1;
    request.check_every = 1;
    // Once unmeasured: kernels are loaded, memory is touched, and it is known what an iteration takes.
    double const one = solver->solve(request, {}).seconds;
    request.max_iterations = case_.solver.max_iterations;
    // A look at the residual at least every twentieth of the time allowed.
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
      if (row.solves == 1 || outcome.seconds < result.outcome.seconds) result.outcome = std::move(outcome);
      if (over || stop_requested() != 0) break;
    }
    judge(system_, case_.solver.precision, *solver, result);
    row.iterations = result.outcome.iterations;
    row.residual = result.largest_residual;
    row.seconds = result.outcome.seconds;
    row.history = result.outcome.history;
    if (result.error) row.largest_error = result.error->largest;
    if (result.outcome.converged && std::isfinite(row.residual)) {
      row.fate = Fate::done;
    } else if (result.outcome.stopped) {
      row.fate = over ? Fate::cut_off : Fate::not_run;
      row.expected_seconds = expected_seconds(row.history, case_.solver.tolerance);
    } else {
      row.fate = Fate::not_converged;
      row.reason = !result.outcome.breakdown.empty()               ? result.outcome.breakdown
                   : row.iterations >= case_.solver.max_iterations ? "the iterations are at their limit"
                                                                   : "the residual falls no further";
    }
  }

  double budget_;
  PoissonCase const& case_;
  LinearSystem const& system_;
  Comparison comparison_;
};

}  // namespace

int compare_methods(app::RunOptions const& options, Case const& input, PoissonCase const& poisson_case) {
  std::filesystem::path const folder = app::output_folder(options);
  if (!options.dry_run) {
    prepare_output_folder(folder, options.overwrite);
    app::require_no_files(folder, std::array{compare_file, compare_json, compare_csv}, options.overwrite);
  }
  app::KokkosRuntime const kokkos(backends_of(options));
  BackendInfo const first = describe(backends_of(options).front());
  Estimate const need = estimate(poisson_case, options.dry_run ? app::quick_copy_rate(first.backend) : 0);
  app::require_memory(need.device_bytes, need.host_bytes, first, describe(enabled_backends().back()));
  LinearSystem const system = make_linear_system(input, poisson_case);
  for (std::string const& remark : remarks(system)) std::printf("%s\n", remark.c_str());
  if (options.dry_run) {
    std::fputs(dry_run_report(poisson_case, need, first).c_str(), stdout);
    std::size_t const backends = backends_of(options).size();
    int applicable = 0;
    for (Method method : all_methods) applicable += why_not(method, system).empty() ? 1 : 0;
    std::printf("comparison  %d methods apply, %zu backend%s; at most about %s\n", applicable, backends,
                backends == 1 ? "" : "s",
                duration_text(applicable * double(backends) * *options.compare_budget).c_str());
    return app::done;
  }
  StopSignals const signals;
  Progress progress({.mode = options.progress,
                     .label = "compare",
                     .unit = "solves",
                     .total = double(all_methods.size() * backends_of(options).size())});
  Contest contest(options, poisson_case, system);
  Comparison const& comparison = contest.run(progress);
  write_comparison(folder, options.overwrite, comparison);
  std::printf("%s\n%s\n%s\n", table(comparison).c_str(), verdict(comparison).c_str(), (folder / compare_file).c_str());
  if (stop_requested() != 0) {
    std::fprintf(stderr, "karman poisson: the comparison was stopped by a signal; what was not run is marked\n");
    return 128 + stop_requested();
  }
  bool const any = std::any_of(comparison.rows.begin(), comparison.rows.end(),
                               [](ComparisonRow const& row) { return row.fate == Fate::done; });
  if (any) return app::done;
  std::fprintf(stderr, "karman poisson: NOT CONVERGED: no method met the tolerance %.2e within %g s\n",
               comparison.tolerance, comparison.budget);
  return app::not_converged;
}

}  // namespace karman::poisson
