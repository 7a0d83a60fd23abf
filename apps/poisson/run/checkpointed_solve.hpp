// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A solve with checkpoints, which continues from them to the same bits.
#pragma once

#include "common/run/checkpoints.hpp"
#include "poisson/model/first_guess.hpp"

namespace karman::poisson {

/// Runs a solver in stretches that end at multiples of restart_interval(). A restart can continue from the states
/// between them. A checkpoint is written at the first of them after solver.checkpoint_every has elapsed. However often
/// it is interrupted and restarted, the solve gives the bits of an uninterrupted one. After
/// `max_iterations` it continues from the last iterate, also with methods that restart there.
class CheckpointedSolve {
 public:
  /// All arguments must outlive it. `guess` is the starting state of the solver.
  CheckpointedSolve(app::Checkpoints& checkpoints, PoissonCase const& poisson_case, LinearSystem const& system,
                    Method method, PoissonSolver& solver, SolveState const& guess);

  /// Solves; history and seconds of the outcome include the guess. Calls `monitor` at every check; when it
  /// returns false, the outcome is stopped. Throws FileError.
  SolveOutcome run(SolveRequest request, Monitor const& monitor);

  /// After a run that was stopped, or was at its last iteration: writes the last state that a restart can continue
  /// from, and returns its iteration. Throws FileError.
  int save();

 private:
  void join(SolveOutcome& outcome);
  void take_snapshot(int iterations);
  bool stagnates() const;

  app::Checkpoints& checkpoints_;
  PoissonCase const& case_;
  LinearSystem const& system_;
  PoissonSolver& solver_;
  int interval_;
  SolveState sum_;       ///< all stretches so far, without values
  SolveState snapshot_;  ///< the last state to continue from
};

}  // namespace karman::poisson
