// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Red-black successive over-relaxation for the 7-point operator with variable face coefficients.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/core/types.hpp>
#include <karman/solvers/grid/red_black_sor_options.hpp>
#include <karman/solvers/grid/seven_point_problem.hpp>
#include <karman/solvers/grid/seven_point_shape.hpp>
#include <karman/solvers/solve_report.hpp>

#include <array>

namespace karman {

/// Solves a SevenPointProblem, A x = rhs, by red-black successive over-relaxation,
///
///     x <- (1 - omega) x + omega (sum of coefficient * neighbour - rhs) / (own weight),
///
/// all cells with i + j + k even first, then the odd ones. With an odd number of cells along a periodic axis two cells
/// of one colour are neighbours across the seam; cells of the last plane are then relaxed after the others of their
/// colour.
///
/// Views: x and rhs are Field<Exec, T> of shape (nz, ny, nx). Inside, each colour has an array of its own, so that
/// every access is contiguous. Preconditions: own weight positive wherever a face is open. With Neumann or periodic on
/// all sides the problem is singular: it has solutions only for a right-hand side that sums to zero (weighted with the
/// cell volumes), otherwise the residual stays above the tolerance. Solutions then differ by a constant, which depends
/// on the first guess. Results are the same bits from run to run and for any number of threads. solve() allocates
/// nothing. Plans may be moved, not copied; one plan serves one instance at a time. Source: D. M. Young, Iterative
/// Solution of Large Linear Systems, 1971; A. Larson 2008 for the wall coefficients.
///
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Cost
/// Per cell and iteration: packed 18 B (float) or 34 B (double), folded and coefficients 40 or 80 B, with own weights
/// 52 or 104 B; about 30 flops, and a division with coefficients. A periodic axis adds two small kernels per iteration,
/// with an odd number of cells ten. Memory per cell beyond x and rhs: 2 Real and the coefficients.
template <ExecutionSpace Exec, Real T>
class RedBlackSor {
 public:
  using execution_space = Exec;
  using real = T;

  /// Plan: takes its own copy of the coefficients.
  /// \param space execution space instance
  /// \param problem grid, sides, and walls or coefficients
  /// \param setup storage; SorStorage::packed needs values that a code can hold
  /// \throws std::invalid_argument for a problem whose parts do not fit each other.
  /// \par Synchrony
  /// Fences `space`.
  RedBlackSor(Exec const& space, SevenPointProblem<Exec, T> const& problem, SorSetup const& setup = {});

  /// Sets the boundary values g of one side, zero at first. A closed side ignores them, also where its axis is absent.
  /// \param space execution space instance
  /// \param side the side
  /// \param values shape (nz, ny) for east and west, (nz, nx) for north and south, (ny, nx) for top and bottom; copied
  /// \throws std::invalid_argument for another shape or a periodic side.
  /// \par Synchrony
  /// Asynchronous on `space`.
  void set_boundary_values(Exec const& space, Side side, ConstPlane<Exec, T> const& values);

  /// load(), then sweeps until the residual is small enough, then store().
  /// \param space execution space instance
  /// \param x in: first guess, out: solution
  /// \param rhs right-hand side, without boundary values
  /// \param options per-solve options
  /// \return iterations and residuals; a residual that is not finite ends the solve at once, not converged
  /// \throws std::invalid_argument for wrong extents or options.
  /// \par Synchrony
  /// Fences `space`.
  SolveReport solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                    SorOptions const& options = {});

  /// The two-dimensional form, on a grid of one layer: x and rhs of shape (ny, nx).
  SolveReport solve(Exec const& space, Plane<Exec, T> const& x, ConstPlane<Exec, T> const& rhs,
                    SorOptions const& options = {});

  // The steps of solve(), for callers that drive the iteration themselves. All asynchronous but residual().

  /// Takes a first guess and a right-hand side.
  void load(Exec const& space, ConstField<Exec, T> const& x, ConstField<Exec, T> const& rhs);
  /// Sweeps over both colours, `count` times.
  void iterate(Exec const& space, int count, double omega);
  /// max |residual| of the present iterate, absolute. Fences.
  double residual(Exec const& space);
  /// max |b|: the residual of x = 0. Valid after load(). Fences.
  double right_hand_side_norm(Exec const& space);
  /// Writes the present iterate. Cells that keep their value are written too.
  void store(Exec const& space, Field<Exec, T> const& x);

  /// 2 / (1 + sqrt(1 - rho^2)), rho the spectral radius of Jacobi's method on an open box with these extents,
  /// spacings, weights and sides.
  double optimal_omega() const;

  /// Memory of the plan in the memory of `Exec`.
  std::int64_t workspace_bytes() const;
  /// The same before the plan is made. Making it takes more for a while: codes, or arrays on the way to another
  /// storage.
  /// \param shape shape of the problem
  /// \param setup storage
  static std::int64_t workspace_bytes(SevenPointShape const& shape, SorSetup const& setup = {});

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                       \
  extern template class RedBlackSor<Exec, float>; \
  extern template class RedBlackSor<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
