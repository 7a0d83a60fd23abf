// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "poisson_run.hpp"

#include "checkpointed_solve.hpp"
#include "common/checkpoint_support.hpp"
#include "common/kokkos_runtime.hpp"
#include "common/run_support.hpp"
#include "compare_run.hpp"
#include "judge.hpp"
#include "poisson/case/estimate.hpp"
#include "poisson/model/first_guess.hpp"
#include "poisson/output/poisson_output.hpp"
#include "time_run.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

namespace karman::poisson {
namespace {

using app::Clock;
using app::formatted;
using app::seconds_since;

/// One solve by one method: options and state.
class Run {
 public:
  Run(app::RunOptions const& options, Case const& input, PoissonCase const& poisson_case)
      : options_(options), input_(input), case_(poisson_case), folder_(app::output_folder(options)) {}

  int execute() {
    if (!options_.dry_run) {
      bool const goes_on = !options_.restart.empty();
      lock_ = prepare_output_folder(folder_, goes_on ? Overwrite::yes : options_.overwrite);
      app::require_no_files(folder_, std::array{fields_file, xdmf_file, history_file}, options_.overwrite);
    }
    Backend const backend = options_.backend.value_or(enabled_backends().front());
    app::KokkosRuntime const kokkos({backend});
    result_.backend = describe(backend);
    need_ = estimate(case_, backend, options_.dry_run ? app::quick_copy_rate(result_.backend.backend) : 0);
    BackendInfo const host = describe(enabled_backends().back());
    bool const fits = app::fits_memory(need_.device_bytes, need_.host_bytes, result_.backend, host);
    if (options_.dry_run && (need_.cells > quick_cells || !fits)) return report_needs(host);
    app::require_memory(need_.device_bytes, need_.host_bytes, result_.backend, host);
    if (!options_.dry_run) require_free_space(folder_, static_cast<std::uint64_t>(need_.disk_bytes));

    Clock::time_point const start = Clock::now();
    LinearSystem const system = make_linear_system(input_, case_);
    result_.system_seconds = seconds_since(start);
    result_.method = case_.solver.method.value_or(automatic_method(system));
    if (std::string const obstacle = why_not(result_.method, system); !obstacle.empty()) {
      throw not_applicable(obstacle);
    }
    for (std::string const& remark : remarks(system)) std::printf("%s\n", remark.c_str());
    if (options_.dry_run) {
      need_.device_bytes = plan_bytes(backend, result_.method, case_.solver, shape_of(system, result_.method));
      std::fputs(dry_run_report(case_, need_, result_.backend).c_str(), stdout);
      return app::done;
    }
    return solve(system);
  }

 private:
  CaseError not_applicable(std::string const& obstacle) const {
    return input_.error("/solver/method", "method not applicable: " + obstacle);
  }

  /// Dry run of a large case, whose values are not evaluated. The needs of one that does not fit are worth as much as
  /// those of one that does.
  int report_needs(BackendInfo const& host) const {
    if (std::string const obstacle = why_not(need_.method, case_); !obstacle.empty()) throw not_applicable(obstacle);
    std::printf("%s%s", dry_run_report(case_, need_, result_.backend).c_str(), app::sampled_values_line);
    app::require_memory(need_.device_bytes, need_.host_bytes, result_.backend, host);
    return app::done;
  }

  int solve(LinearSystem const& system) {
    FirstGuess guess;
    if (!options_.restart.empty()) {
      guess = read_first_guess(options_.restart, input_, case_);
      if (!guess.note.empty()) std::fprintf(stderr, "karman poisson: %s\n", guess.note.c_str());
    }
    Clock::time_point const start = Clock::now();
    SolverSettings settings = case_.solver;
    if (guess.state.double_cycles) settings.cycle_precision = Precision::f64;
    auto const solver = make_poisson_solver(result_.backend.backend, result_.method, settings, system);
    result_.set_up_seconds = seconds_since(start);
    result_.memory_bytes = solver->memory_bytes();
    if (guess.state.values.empty()) solver->clear_guess();
    else solver->set_guess(std::as_const(guess.state.values).array());

    SolveRequest request;
    request.tolerance = case_.solver.tolerance;
    request.max_iterations = case_.solver.max_iterations;
    request.check_every = case_.solver.check_every.value_or(usual_check_every(result_.method));
    request.first_iteration = guess.state.iterations;
    StopSignals const signals;
    Progress progress(
        {.mode = options_.progress, .label = std::string(name(result_.method)), .total = double(need_.iterations)});
    std::filesystem::path const checkpoint = folder_ / checkpoint_file;
    CheckpointedSolve run(checkpoint, case_, system, result_.method, *solver, guess.state);
    result_.outcome = run.run(request, [&](SolveSample const& sample) {
      progress.update(sample.iteration, formatted("residual %.2e", sample.residual));
      return stop_requested() == 0;
    });
    progress.finish(result_.outcome.iterations, formatted("residual %.2e", result_.outcome.residual));
    if (result_.outcome.stopped && stop_requested() != 0) return stopped(run.save());
    result_.memory_bytes = std::max(result_.memory_bytes, solver->memory_bytes());
    replaced_cycles_ = solver->double_cycles() && !case_.solver.cycle_precision;
    judge(system, case_.solver, *solver, result_);
    if (is_exhausted()) run.save();
    return conclude(system);
  }

  /// True if the solve ended at its last iteration, with finite values, and can continue.
  bool is_exhausted() const {
    SolveOutcome const& outcome = result_.outcome;
    return !outcome.converged && outcome.breakdown.empty() && !is_direct(result_.method) &&
           outcome.iterations >= case_.solver.max_iterations && std::isfinite(result_.largest_residual);
  }

  int stopped(int saved) const {
    int const done = result_.outcome.iterations;
    std::string const back = saved < done ? formatted(" from iteration %d", saved) : "";
    std::fprintf(stderr, "karman poisson: stopped by a signal after %d iterations; continue%s with --restart %s\n",
                 done, back.c_str(), (folder_ / checkpoint_file).c_str());
    return 128 + stop_requested();
  }

  int conclude(LinearSystem const& system) {
    SolveOutcome const& outcome = result_.outcome;
    if (!std::isfinite(result_.largest_residual)) {
      std::string place;
      if (auto const cell = find_not_finite(system, result_.p)) {
        auto const [k, j, i] = *cell;
        place = formatted(" at (k, j, i) = (%d, %d, %d)", k, j, i);
      }
      std::fprintf(stderr, "karman poisson: p is not finite%s, %s, iteration %d; no results written\n", place.c_str(),
                   std::string(name(result_.method)).c_str(), outcome.iterations);
      return app::breakdown;
    }
    write_output(folder_, options_.overwrite, case_, system, result_);
    std::printf("%s: %d iteration%s in %s on %s (%s), relative residual %.2e, %s\n",
                std::string(name(result_.method)).c_str(), outcome.iterations, outcome.iterations == 1 ? "" : "s",
                duration_text(outcome.seconds).c_str(), std::string(name(result_.backend.backend)).c_str(),
                result_.backend.device.c_str(), result_.largest_residual,
                bytes_text(static_cast<double>(result_.memory_bytes)).c_str());
    if (replaced_cycles_) {
      std::printf("cycles in single precision stalled, and double ones took their place (/solver/cycle_precision)\n");
    }
    if (!result_.remark.empty()) std::printf("%s\n", result_.remark.c_str());
    if (result_.error) {
      std::printf(
          "error against the exact solution: largest %.3e, mean %.3e, root mean square %.3e (largest value %.3g)\n",
          result_.error->largest, result_.error->mean, result_.error->root_mean_square, result_.error->largest_exact);
    }
    std::printf("%s\n", (folder_ / fields_file).c_str());
    if (outcome.converged) return app::done;
    std::string const reason = outcome.breakdown.empty() ? advice() : "; " + outcome.breakdown;
    std::fprintf(stderr,
                 "karman poisson: NOT CONVERGED after %d iterations: relative residual %.2e, tolerance %.2e%s\n",
                 outcome.iterations, outcome.residual, case_.solver.tolerance, reason.c_str());
    return app::not_converged;
  }

  std::string advice() const {
    if (is_direct(result_.method)) return "; round-off is larger than expected";
    if (is_exhausted()) {
      return "; change /solver/method (--compare finds the fastest) or continue with " +
             app::continuation("poisson", options_, folder_ / checkpoint_file, "/solver/max_iterations",
                               result_.outcome.iterations);
    }
    return case_.solver.precision == Precision::f32 ? "; single precision is exhausted: set /solver/precision to f64"
                                                    : "; change /solver/method (--compare finds the fastest)";
  }

  app::RunOptions const& options_;
  Case const& input_;
  PoissonCase const& case_;
  std::filesystem::path folder_;
  FolderLock lock_;
  Estimate need_;
  SolveResult result_;
  bool replaced_cycles_ = false;  ///< of multigrid, by double ones
};

}  // namespace

int run_poisson(app::RunOptions const& options) {
  Case const input = Case::load(options.case_file, schema(), options.overrides);
  auto const problem = input.get<std::string>("/problem");
  if (options.compare_budget && problem != "poisson") {
    throw input.error("/problem", "--compare needs the problem poisson");
  }
  if (problem == "column_diffusion") return run_columns(options, input);
  if (problem == "heat") return run_heat(options, input);
  PoissonCase const poisson_case = read_poisson_case(input);
  if (options.compare_budget) return compare_methods(options, input, poisson_case);
  return Run(options, input, poisson_case).execute();
}

}  // namespace karman::poisson
