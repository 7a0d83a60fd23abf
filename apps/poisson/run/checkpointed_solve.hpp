// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A solve that leaves checkpoints, from which it goes on to the same bits.
#pragma once

#include "poisson/model/first_guess.hpp"

#include <filesystem>

namespace karman::poisson {

/// Runs a solver in stretches. Between them, at the multiples of restart_interval(), are the states that a restart can
/// continue from; a checkpoint is written at one of them when solver.checkpoint_every is over. Interrupted and
/// restarted any number of times, the solve gives the bits of one that was not.
class CheckpointedSolve {
 public:
  /// Everything must outlive it. `guess` is the state that the solver starts from.
  CheckpointedSolve(std::filesystem::path const& file, PoissonCase const& poisson_case, LinearSystem const& system,
                    Method method, PoissonSolver& solver, SolveState const& guess);

  /// Solves; history and seconds of the outcome include those of the guess. `monitor` is asked at every look; when it
  /// returns false the outcome is stopped. Throws FileError.
  SolveOutcome run(SolveRequest request, Monitor const& monitor);

  /// After a run that was stopped: writes the last state that a restart can continue from, and returns its iteration.
  /// Throws FileError.
  int save();

 private:
  void join(SolveOutcome& outcome);
  void take_snapshot(int iterations);
  bool stagnates() const;

  std::filesystem::path const& file_;
  PoissonCase const& case_;
  LinearSystem const& system_;
  PoissonSolver& solver_;
  int interval_;
  SolveState sum_;       ///< all stretches so far, without values
  SolveState snapshot_;  ///< the last state to continue from
};

}  // namespace karman::poisson
