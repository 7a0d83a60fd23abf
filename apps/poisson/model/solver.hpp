// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Solver by one method on one backend, behind an interface without Kokkos and precision.
#pragma once

#include "linear_system.hpp"
#include "poisson/model/method_choice.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/core/box_decomposition.hpp>
#include <karman/io/array.hpp>
#include <karman/solvers/solve_report.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace karman::poisson {

/// Per-solve options.
struct SolveRequest {
  double tolerance = 1e-10;  ///< of max |residual| / max |b|
  int max_iterations = 100000;
  int check_every = 1;
  int first_iteration = 0;  ///< first iteration number, to continue an earlier solve
};

/// Residual at one check.
struct SolveSample {
  int iteration = 0;
  double residual = 0;  ///< max |residual| / max |b|, as the method computes it
  double seconds = 0;   ///< since the solve began
};

/// Result of a solve.
struct SolveOutcome {
  int iterations = 0;
  double residual = 0;
  bool converged = false;
  bool stopped = false;
  double omega = 0;
  double seconds = 0;
  std::string breakdown;  ///< the reason why the method could not continue; empty when it could
  std::vector<SolveSample> history;
};

/// Called after every check; false stops.
using Monitor = std::function<bool(SolveSample const&)>;

/// A plan of one method for one system: fields and workspace in the memory of its backend.
class PoissonSolver {
 public:
  virtual ~PoissonSolver() = default;
  /// Sets the first guess: values of the precision of the case, extents (nz, ny, nx). Waits. Throws
  /// std::invalid_argument for another number type or other extents.
  virtual void set_guess(ConstArray const& values) = 0;
  /// Sets it to zero. Waits.
  virtual void clear_guess() = 0;
  /// Solves from the present guess. Waits.
  virtual SolveOutcome solve(SolveRequest const& request, Monitor const& monitor) = 0;
  /// The solution into host memory, of the precision of the case, extents (nz, ny, nx). Waits.
  virtual void copy_solution(MutableArray const& values) = 0;
  /// Bytes of fields, coefficients and workspace in the memory of the backend.
  virtual std::int64_t memory_bytes() const = 0;
  /// True if the next solve has multigrid cycles in double precision from its start. They replace stalled ones in
  /// single precision, see SolverSettings::cycle_precision.
  virtual bool double_cycles() const { return false; }
};

/// Default interval between residual checks of a method.
int usual_check_every(Method method);

/// Iterations between states that a restart can continue from. Multigrid and conjugate gradients carry more than the
/// solution from iteration to iteration. Stretches must therefore end at the first check at or after a multiple of this
/// number. A solve continued from there gives the same bits. 1: stretches may end at any check.
int restart_interval(Method method, LinearSystem const& system);

/// Makes the plan. Kokkos must be initialised, and must not be finalised while the solver lives. Throws
/// std::invalid_argument for a method that does not apply (why_not() checks this in advance).
std::unique_ptr<PoissonSolver> make_poisson_solver(Backend backend, Method method, SolverSettings const& settings,
                                                   LinearSystem const& system);

/// Properties of a system that determine the memory of a plan.
struct SystemShape {
  UniformGrid grid{{1, 1, 1}, {1, 1, 1}};  ///< of all processes
  std::optional<BoxDecomposition> boxes;   ///< the parts of many processes
  std::array<Boundary, 6> sides{};
  bool constant_coefficient = true;
  bool has_solid = false;
  double blocked_share = 0;  ///< as of SevenPointShape
};
/// For a method; only multigrid takes a pass over the cells. Collective.
SystemShape shape_of(LinearSystem const& system, Method method);
/// From a case alone: blocked_share is 0.
SystemShape shape_of(PoissonCase const& poisson_case, int processes = 1);

/// The part with most cells; all cells of one process.
UniformGrid largest_part(SystemShape const& shape);
/// Cells of that part along its cuts.
std::int64_t cells_at_cuts(SystemShape const& shape);

/// PoissonSolver::memory_bytes() of a plan before it is made, by workspace_bytes() of the solvers. Kokkos must be
/// initialised. Exact for one process, except for aggregates of multigrid, which are estimated. With many processes an
/// upper bound for each of them.
std::int64_t plan_bytes(Backend backend, Method method, SolverSettings const& settings, SystemShape const& shape);

}  // namespace karman::poisson
