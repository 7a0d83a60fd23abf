// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `karman poisson CASE.json --compare`: every method on every backend, one after the other.
#pragma once

#include "common/run/run_context.hpp"
#include "poisson/output/comparison_table.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace karman {
class Case;
class Progress;
}  // namespace karman

namespace karman::poisson {

/// The chosen backend, or all of this build, the fastest first.
std::vector<Backend> backends_of(app::RunOptions const& options);

/// Makes the solver of a row: make_poisson_solver().
using MakeSolver =
    std::function<std::unique_ptr<PoissonSolver>(Backend, Method, SolverSettings const&, LinearSystem const&)>;

/// Fills the rows of a comparison. A method that throws gets a row with Fate::failed and the reason; the others
/// continue. Kokkos must be initialised. Each solve may take options.compare_budget seconds.
///
/// Several processes make the same calls and find the same fates, with times of the slowest one. There only
/// std::invalid_argument becomes a row, which the solvers throw in all processes. Other exceptions end the comparison:
/// the other processes may wait in the solver.
class Contest {
 public:
  /// Case and systems must outlive it. `of_multigrid`: the same system in the parts that multigrid takes, where they
  /// differ; else null.
  Contest(app::RunOptions const& options, PoissonCase const& poisson_case, LinearSystem const& system,
          MakeSolver make_solver, LinearSystem const* of_multigrid = nullptr);

  /// Runs all of them; after a stop signal the rest is Fate::not_run.
  Comparison const& run(Progress& progress);

 private:
  ComparisonRow row(Method method, BackendInfo const& backend);
  void measure(ComparisonRow& row);
  LinearSystem const& system_of(Method method) const;

  double budget_;
  PoissonCase const& case_;
  LinearSystem const& system_;
  LinearSystem const* of_multigrid_;
  Communicator communicator_;
  int processes_here_;  ///< on this machine
  MakeSolver make_solver_;
  Comparison comparison_;
};

/// Solves the case with every method that applies, on every backend of the build or on the chosen one. Each has its
/// time. Writes and prints the comparison. Returns the exit code. Collective.
int compare_methods(app::RunContext& context, Case const& input, PoissonCase const& poisson_case);

}  // namespace karman::poisson
