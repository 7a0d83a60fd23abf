// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Geometric multigrid for the 7-point operator with variable face coefficients, alone or inside conjugate gradients.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/box_decomposition.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/core/types.hpp>
#include <karman/solvers/grid/multigrid_options.hpp>
#include <karman/solvers/grid/seven_point_problem.hpp>
#include <karman/solvers/grid/seven_point_shape.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/solve_report.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace karman {

/// Solves a SevenPointProblem, A x = rhs, on a hierarchy of grids. Each grid joins cells of the last in pairs along the
/// axes that are coupled strongly; an odd extent leaves one cell single, with its own volume and distances, so that any
/// extents will do.
///
/// Coarse face coefficients are the area averages of the fine ones. Prolongation is linear along each axis and does not
/// reach through walls, restriction averages. The coarsest grid, of 64 cells at most, is solved directly. On a device
/// the small grids are worked on by a single kernel. Where walls cut the grid into pieces, sets of strongly coupled
/// cells take the place of the coarse grids (MultigridCoarsening::aggregates). Along a periodic axis with an odd number
/// of cells the last plane is relaxed after the others of its colour.
///
/// With many processes (MultigridSetup::communicator) each holds a part of the grid, and all make each call. The
/// processes exchange the cells along their faces, down to a grid that is gathered: one of few cells per process
/// (MultigridSetup::gathered_cells), or one whose parts begin at odd cells along an axis with pairs. Edges at
/// multiples of 2^L thus keep L grids in parts (BoxDecompositionOptions::multiple). Each process solves on the gathered
/// grids as one process would. Of more than 64 processes (MultigridSetup::gathered_parts) groups of up to eight
/// neighbours gather the parts of their members first. The next grids then have fewer and larger parts, each in all
/// members of a group. Aggregates take the place of grids below the first gathered one alone. Among walls that
/// cut the grid into pieces the solve may then take more cycles than in one process. Sums are joined in order of rank:
/// a number of processes gives the same bits in every run.
///
/// Views: x and rhs are Field<Exec, T> of shape (nz, ny, nx).
/// Preconditions: face coefficients not negative; the coefficient of a face is the same seen from both of its cells. A
/// cell whose six faces are all 0 keeps its value. A connected set of cells without a side where x is given makes
/// the problem singular: a solution exists only for a right-hand side that sums to zero over it (weighted with the cell
/// volumes), and is unique up to a constant. Where that holds for all cells alike, with Neumann or periodic sides
/// all around, the right-hand side loses its mean (SolveReport::imbalance). The solution then has mean zero over the
/// cells that have an equation. A solve that rounding keeps from its tolerance ends not converged. Results are the same
/// bits from run to run and for any number of threads. solve() and apply() allocate nothing. Plans may be moved, not
/// copied; one plan serves one instance at a time. Source: U. Trottenberg, C. Oosterlee, A. Schueller, Multigrid, 2001;
/// P. Wesseling, An Introduction to Multigrid Methods, 1992 (cell-centred grids); Y. Notay, SIAM J. Sci. Comput. 22,
/// 2000 (flexible conjugate gradients); P. Vanek, J. Mandel, M. Brezina, Computing 56, 1996 (aggregates).
///
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Cost
/// Per cell about 100 B for a V(2,2) cycle in float, a little more with walls, 80 B for the vectors of conjugate
/// gradients in double; about 250 flops. With many processes: ten exchanges on every grid in parts for a V(2,2) cycle,
/// and one of all processes for the first gathered grid. A stage adds one within each group. An iteration has three
/// gathers of 8 to 16 B.
template <ExecutionSpace Exec, Real T>
class Multigrid final : public LinearOperator<Exec, T> {
 public:
  using execution_space = Exec;
  using real = T;

  /// Plan: takes its own copy of the coefficients.
  /// \param space execution space instance
  /// \param problem grid, sides, and walls or coefficients
  /// \param setup cycle, smoother and coarsening
  /// \throws std::invalid_argument for a problem whose parts do not fit each other, a wrong setup, and coefficients
  /// that are negative or not finite. Also for more than 2^30 cells along x or rows ny * nz. With many processes, in
  /// all of them.
  /// \par Synchrony
  /// Fences `space`.
  Multigrid(Exec const& space, SevenPointProblem<Exec, T> const& problem, MultigridSetup const& setup = {});

  /// Sets the boundary values g of one side, zero at first. A closed side ignores them, also where its axis is absent.
  /// \param space execution space instance
  /// \param side the side
  /// \param values shape (nz, ny) for east and west, (nz, nx) for north and south, (ny, nx) for top and bottom; copied
  /// \throws std::invalid_argument for another shape or a periodic side.
  /// \par Synchrony
  /// Asynchronous on `space`.
  void set_boundary_values(Exec const& space, Side side, ConstPlane<Exec, T> const& values);

  /// Cycles until the residual is small enough.
  /// \param space execution space instance
  /// \param x in: first guess, unless options.zero_guess; out: solution
  /// \param rhs right-hand side, without boundary values
  /// \param options per-solve options
  /// \return cycles and residuals; a residual that is not finite ends the solve at once, not converged
  /// \throws std::invalid_argument for wrong extents or options; with many processes, in all of them.
  /// \par Synchrony
  /// Fences `space`.
  SolveReport solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                    MultigridOptions const& options = {});

  /// The two-dimensional form, on a grid of one layer: x and rhs of shape (ny, nx).
  SolveReport solve(Exec const& space, Plane<Exec, T> const& x, ConstPlane<Exec, T> const& rhs,
                    MultigridOptions const& options = {});

  /// One cycle as a preconditioner: correction ~ A^-1 residual, with zero boundary values.
  /// \param space execution space instance
  /// \param residual shape (nz, ny, nx)
  /// \param correction shape (nz, ny, nx); may be `residual`
  /// \throws std::invalid_argument for wrong extents.
  /// \par Synchrony
  /// Asynchronous on `space`. With many processes it waits for their messages.
  void apply(Exec const& space, ConstField<Exec, T> const& residual, Field<Exec, T> const& correction) const override;

  std::array<int, 3> extents() const override;

  /// The processes of the plan.
  Communicator communicator() const override;

  /// Extents (nx, ny, nz) of the grids, finest first; (number, 1, 1) of levels of aggregates.
  std::vector<std::array<int, 3>> levels() const;

  /// \return number of grids, from the finest on, of which each process works on its own part alone. The grids below
  /// are gathered, or in the larger parts of groups: see parts(). 0 with one process.
  int levels_in_parts() const;

  /// \return number of parts of each of the levels(): of boxes of cells, each in one process or in several that have
  /// joined theirs. 1 where every process has all cells.
  std::vector<int> parts() const;

  /// True when x is given nowhere: neither on a side nor by an own weight larger than the consistent one.
  bool singular() const;

  /// Smoother of the plan.
  MultigridSmoother smoother() const;
  /// Coarsening of the plan.
  MultigridCoarsening coarsening() const;
  /// Relaxation factor of the plan.
  double omega() const;

  /// Memory of the plan in the memory of `Exec`.
  std::int64_t workspace_bytes() const;
  /// The same before the plan of one process is made. Exact for pairs of cells, of arrays where most inner faces have
  /// one coefficient. MultigridCoarsening::automatic chooses by `blocked_share` of the shape. Sizes of aggregates
  /// follow from the walls: their memory is an estimate, as measured among random boxes. Making the plan takes more for
  /// a while: 2 bytes per cell for the codes of an open box.
  /// \param space execution space instance; no kernel runs on it
  /// \param shape shape of the problem
  /// \param setup cycle, smoother and coarsening
  /// \throws std::invalid_argument for a wrong setup, and too many rows
  static std::int64_t workspace_bytes(Exec const& space, SevenPointShape const& shape,
                                      MultigridSetup const& setup = {});
  /// The most that one of many processes needs, before the plan is made; an upper bound as far as the estimate above
  /// is one. Not collective.
  /// \param space execution space instance; no kernel runs on it
  /// \param shape shape of the whole problem
  /// \param boxes parts of the processes
  /// \param setup cycle, smoother and coarsening; its communicator is not used
  /// \throws std::invalid_argument for a wrong setup, boxes of another grid, and too many rows
  static std::int64_t workspace_bytes(Exec const& space, SevenPointShape const& shape, BoxDecomposition const& boxes,
                                      MultigridSetup const& setup = {});

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                     \
  extern template class Multigrid<Exec, float>; \
  extern template class Multigrid<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
