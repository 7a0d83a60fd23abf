// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "poisson_run.hpp"

#include "checkpointed_solve.hpp"
#include "common/case/texts.hpp"
#include "common/run/divided_cells.hpp"
#include "common/run/run_context.hpp"
#include "comparison_run.hpp"
#include "poisson/model/first_guess.hpp"
#include "poisson/model/method_choice.hpp"
#include "poisson/model/residual_check.hpp"
#include "poisson/output/poisson_output.hpp"
#include "poisson_estimate.hpp"
#include "time_run.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>
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
  Run(app::RunContext& context, Case const& input, PoissonCase const& poisson_case)
      : context_(context), input_(input), case_(poisson_case) {
    context.checkpoints().set(context.folder() / checkpoint_file, poisson_case.solver.checkpoint_every);
  }

  int execute() {
    if (auto const end = context_.prepare({{fields_file, xdmf_file, history_file}})) return *end;
    result_.backend = context_.backend();
    Backend const backend = result_.backend.backend;
    need_ = estimate(case_, backend, context_.copy_rate(), context_.announced_processes());
    result_.method = need_.method;
    if (!context_.evaluates(need_)) {
      std::string obstacle = why_not(need_.method, case_);
      if (obstacle.empty() && context_.announced_processes() > 1) obstacle = why_not_in_parts(need_.method);
      if (!obstacle.empty()) throw not_applicable(obstacle);
      return *context_.open(need_);  // a dry run
    }
    Clock::time_point const start = Clock::now();
    LinearSystem const system = make_linear_system(input_, case_, context_.communicator());
    result_.system_seconds = seconds_since(start);
    result_.method = case_.solver.method.value_or(automatic_method(system));
    if (std::string const obstacle = why_not(result_.method, system); !obstacle.empty()) throw not_applicable(obstacle);
    for (std::string const& remark : remarks(system)) std::printf("%s\n", remark.c_str());
    need_.device_bytes = plan_bytes(backend, result_.method, case_.solver, shape_of(system, result_.method));
    need_.is_large = false;
    if (auto const end = context_.open(need_)) return *end;
    return solve(system);
  }

 private:
  CaseError not_applicable(std::string const& obstacle) const {
    return input_.error("/solver/method", "method not applicable: " + obstacle);
  }

  int solve(LinearSystem const& system) {
    FirstGuess guess;
    if (context_.restarts()) {
      guess = read_first_guess(context_.options().restart, input_, case_, system);
      context_.report().warn(guess.note);
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
    if (auto const end = context_.stopped_in_set_up()) return *end;
    Progress progress({.mode = context_.options().progress,
                       .label = std::string(name(result_.method)),
                       .total = double(need_.iterations)});
    CheckpointedSolve run(context_.checkpoints(), case_, system, result_.method, *solver, guess.state);
    result_.outcome = run.run(request, [&](SolveSample const& sample) {
      progress.update(sample.iteration, formatted("residual %.2e", sample.residual));
      return !context_.must_stop();
    });
    progress.finish(result_.outcome.iterations, formatted("residual %.2e", result_.outcome.residual));
    if (result_.outcome.stopped && context_.all_must_stop()) return stopped(run.save());
    result_.memory_bytes = std::max(result_.memory_bytes, solver->memory_bytes());
    replaced_cycles_ = solver->double_cycles() && !case_.solver.cycle_precision;
    judge(system, case_.solver, *solver, result_);
    result_.memory_bytes = context_.communicator().sum(result_.memory_bytes);
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
    return context_.report().stopped(formatted("after %d iterations", done), context_.continuation(),
                                     saved < done ? formatted("from iteration %d ", saved) : "");
  }

  int conclude(LinearSystem const& system) {
    SolveOutcome const& outcome = result_.outcome;
    if (!std::isfinite(result_.largest_residual)) {
      std::string place;
      if (auto const cell = find_not_finite(system.communicator, system.grid, result_.p)) {
        auto const [k, j, i] = *cell;
        place = formatted(" at (k, j, i) = (%d, %d, %d)", k, j, i);
      }
      return context_.report().broken_down("p is not finite" + place + ", " + std::string(name(result_.method)) +
                                           formatted(", iteration %d; no results written", outcome.iterations));
    }
    write_output(context_.folder(), context_.options().overwrite, case_, system, result_);
    std::printf("%s: %d iteration%s in %s, relative residual %.2e, %s%s\n", std::string(name(result_.method)).c_str(),
                outcome.iterations, outcome.iterations == 1 ? "" : "s",
                context_.time_words(duration_text(outcome.seconds)).c_str(), result_.largest_residual,
                bytes_text(static_cast<double>(result_.memory_bytes)).c_str(),
                context_.processes() == 1 ? "" : " in all");
    if (replaced_cycles_) {
      std::printf("cycles in single precision stalled, and double ones took their place (/solver/cycle_precision)\n");
    }
    if (!result_.remark.empty()) std::printf("%s\n", result_.remark.c_str());
    if (result_.error) {
      std::printf(
          "error against the exact solution: largest %.3e, mean %.3e, root mean square %.3e (largest value %.3g)\n",
          result_.error->largest, result_.error->mean, result_.error->root_mean_square, result_.error->largest_exact);
    }
    std::printf("%s\n", (context_.folder() / fields_file).c_str());
    if (outcome.converged) return app::done;
    std::string const reason = outcome.breakdown.empty() ? advice() : "; " + outcome.breakdown;
    return context_.report().not_converged(formatted(" after %d iterations: relative residual %.2e, tolerance %.2e",
                                                     outcome.iterations, outcome.residual, case_.solver.tolerance) +
                                           reason);
  }

  std::string advice() const {
    if (is_direct(result_.method)) return "; round-off is larger than expected";
    if (is_exhausted()) {
      return "; change /solver/method (--compare finds the fastest) or continue with " +
             context_.continuation("/solver/max_iterations", result_.outcome.iterations);
    }
    return case_.solver.precision == Precision::f32 ? "; single precision is exhausted: set /solver/precision to f64"
                                                    : "; change /solver/method (--compare finds the fastest)";
  }

  app::RunContext& context_;
  Case const& input_;
  PoissonCase const& case_;
  Estimate need_;
  SolveResult result_;
  bool replaced_cycles_ = false;  ///< of multigrid, by double ones
};

/// The periodic axis with an odd number of cells that these boxes cut, for a method of two colours.
std::optional<std::size_t> uncolored_axis(PoissonCase const& poisson_case, BoxDecomposition const& boxes) {
  if (!poisson_case.solver.method || !has_two_colors(*poisson_case.solver.method)) return {};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    bool const periodic = poisson_case.sides[2 * axis].kind == Boundary::periodic;
    if (periodic && boxes.cells()[axis] % 2 != 0 && boxes.parts()[axis] > 1) return axis;
  }
  return {};
}

/// Refuses a case that cannot be divided among so many processes.
void require_parts(Case const& input, PoissonCase const& poisson_case, int processes) {
  if (poisson_case.dimensions == 1) {
    throw input.error("/domain/cells", "expected two or three dimensions for " + std::to_string(processes) +
                                           " processes; a line of cells takes one");
  }
  std::array<int, 3> const cells = poisson_case.grid.global_cells();
  auto const boxes = app::divided_cells(cells, processes);
  if (!boxes)
    throw app::not_divided(cells, processes,
                           [&](BoxDecomposition const& fewer) { return !uncolored_axis(poisson_case, fewer); });
  if (auto const axis = uncolored_axis(poisson_case, *boxes)) {
    throw input.error("/domain/cells/" + std::to_string(*axis),
                      "expected an even number for " + std::string(name(*poisson_case.solver.method)) + " as " +
                          std::to_string(processes) + " processes, found the odd number of " +
                          std::to_string(cells[*axis]) +
                          " cells along a periodic axis; change it, or set /solver/method to auto");
  }
}

}  // namespace

int run_poisson(app::RunOptions const& options) {
  app::RunContext context("poisson", options);
  Case const input = Case::load(options.case_file, schema(), options.overrides);
  auto const problem = input.get<std::string>("/problem");
  if (options.compare_budget && problem != "poisson") {
    throw input.error("/problem", "--compare needs the problem poisson");
  }
  context.require_same_case(input.text());
  if (problem == "column_diffusion") return run_columns(context, input);
  if (problem == "heat") return run_heat(context, input);
  PoissonCase const poisson_case = read_poisson_case(input);
  if (context.announced_processes() > 1) {
    // A comparison skips methods that need other boxes.
    PoissonCase divided = poisson_case;
    if (options.compare_budget) divided.solver.method.reset();
    require_parts(input, divided, context.announced_processes());
  }
  if (options.compare_budget) return compare_methods(context, input, poisson_case);
  return Run(context, input, poisson_case).execute();
}

}  // namespace karman::poisson
