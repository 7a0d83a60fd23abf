// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checkpointed_solve.hpp"

#include "poisson/model/residual_check.hpp"

#include <cmath>
#include <limits>

namespace karman::poisson {

CheckpointedSolve::CheckpointedSolve(app::Checkpoints& checkpoints, PoissonCase const& poisson_case,
                                     LinearSystem const& system, Method method, PoissonSolver& solver,
                                     SolveState const& guess)
    : checkpoints_(checkpoints),
      case_(poisson_case),
      system_(system),
      solver_(solver),
      interval_(restart_interval(method, system)),
      sum_{guess.iterations, guess.seconds, guess.history, {}, guess.double_cycles} {}

/// Appends a stretch. Its history begins with the final state of the last stretch.
void CheckpointedSolve::join(SolveOutcome& outcome) {
  for (SolveSample& sample : outcome.history) {
    sample.seconds += sum_.seconds;
    if (sum_.history.empty() || sample.iteration > sum_.history.back().iteration) sum_.history.push_back(sample);
  }
  sum_.iterations = outcome.iterations;
  sum_.seconds += outcome.seconds;
}

void CheckpointedSolve::take_snapshot(int iterations) {
  snapshot_ = sum_;
  snapshot_.iterations = iterations;
  snapshot_.double_cycles = solver_.double_cycles();
  snapshot_.values = raw_solution(system_, case_.solver.precision, solver_);
}

/// Detects stagnation across stretches, which a method that restarts cannot notice: the last stretches have found no
/// lower residual.
bool CheckpointedSolve::stagnates() const {
  constexpr int stretches = 5;
  constexpr double gain = 0.999;
  if (interval_ == 1 || sum_.history.empty()) return false;
  int const recent = sum_.iterations - stretches * interval_;
  double before = std::numeric_limits<double>::infinity(), since = before;
  for (SolveSample const& sample : sum_.history) {
    double& lowest = sample.iteration <= recent ? before : since;
    lowest = std::fmin(lowest, sample.residual);
  }
  return std::isfinite(before) && !(since < gain * before);
}

SolveOutcome CheckpointedSolve::run(SolveRequest request, Monitor const& monitor) {
  bool const anywhere = interval_ == 1;
  take_snapshot(request.first_iteration);
  for (;;) {
    int const end = request.first_iteration - request.first_iteration % interval_ + interval_;
    bool asked = false, is_due = false;
    SolveOutcome outcome = solver_.solve(request, [&](SolveSample const& sample) {
      // One answer for all: signals and clocks differ.
      int const mine = !monitor(sample) ? 2 : checkpoints_.due() ? 1 : 0;
      int const answer = system_.communicator.largest(mine);
      asked = answer == 2;
      is_due = answer >= 1;
      // However soon a checkpoint is due, a stretch goes beyond the state that it began with.
      if (anywhere) return !asked && (sample.iteration == request.first_iteration || !is_due);
      return !asked && sample.iteration < end;
    });
    if (!asked) is_due = system_.communicator.largest(checkpoints_.due() ? 1 : 0) > 0;
    join(outcome);
    bool const whole = anywhere || outcome.iterations >= end;
    bool const exhausted = !outcome.converged && outcome.iterations >= request.max_iterations;
    if ((outcome.stopped && whole) || exhausted) take_snapshot(outcome.iterations);
    if (!asked && (outcome.iterations >= request.max_iterations || stagnates())) outcome.stopped = false;
    if (!outcome.stopped || asked) {
      outcome.history = sum_.history;
      outcome.seconds = sum_.seconds;
      return outcome;
    }
    if (is_due) save();
    request.first_iteration = outcome.iterations;
  }
}

int CheckpointedSolve::save() {
  write_poisson_checkpoint(checkpoints_.file(), case_, system_, snapshot_);
  checkpoints_.note_written();
  return snapshot_.iterations;
}

}  // namespace karman::poisson
