// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Geometric multigrid for the 7-point operator with variable face coefficients, alone or inside conjugate gradients.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/solve_report.hpp>
#include <karman/solvers/wall_codes.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace karman {

/// The order in which a cycle visits the grids: V once down and up, W every coarse grid twice, F a coarse F followed by
/// a coarse V.
enum class MultigridCycle { v, w, f };

/// How the error is smoothed on every grid.
enum class MultigridSmoother {
  automatic,  ///< line where the layers make the coupling in z change with height against that in x and y, else
              ///< red_black
  red_black,  ///< cell by cell, one colour after the other
  line        ///< whole columns in z by tridiagonal solves, every second one at a time (zebra)
};

/// How the coarse grids are made.
enum class MultigridCoarsening {
  automatic,  ///< aggregates where walls cut a grid of very different couplings, or of few cells along some axis, into
              ///< pieces; else pairs
  pairs,      ///< cells joined in pairs along the axes that are coupled strongly
  aggregates  ///< sets of cells that are coupled strongly, of any shape: made on the host, at about 1 us per cell
};

/// "v", "w" or "f".
std::string_view name(MultigridCycle cycle);
/// "automatic", "red_black" or "line".
std::string_view name(MultigridSmoother smoother);
/// "automatic", "pairs" or "aggregates".
std::string_view name(MultigridCoarsening coarsening);

/// What is settled when the plan is made.
struct MultigridSetup {
  /// Weights of the second differences in x, y, z.
  std::array<double, 3> weights = {1, 1, 1};
  /// Axes (x, y, z) whose two sides are one: the faces there lead to the cells of the other side.
  std::array<bool, 3> periodic = {false, false, false};
  MultigridCycle cycle = MultigridCycle::v;                   ///< cycle
  MultigridSmoother smoother = MultigridSmoother::automatic;  ///< smoother
  int pre = 2,                                                ///< sweeps before the coarse grid
      post = 2;                                               ///< sweeps after the coarse grid
  /// Relaxation factor of the sweeps, in (0, 2); 0 takes the one that is best for the number of axes and the smoother.
  double omega = 0;
  /// Makes apply() a symmetric operator (in the inner product weighted with the cell volumes), as plain conjugate
  /// gradients needs: restriction is the adjoint of prolongation and the sweeps after the coarse grid run backwards.
  /// The default converges faster, and solve() uses a form of conjugate gradients that does not need the symmetry.
  bool symmetric = false;
  /// Cycles in float where the fields are double: half the memory traffic, and the same final accuracy, because the
  /// residual is always that of the double solution.
  bool single_precision_cycles = true;
  /// Below the finest grid. Cycles over aggregates are V cycles.
  MultigridCoarsening coarsening = MultigridCoarsening::automatic;
};

/// What may differ from solve to solve.
struct MultigridOptions {
  /// Stop when max |residual| <= tolerance * max |b|; b is the right-hand side with the boundary values moved into it.
  double tolerance = 1e-8;
  /// Number of the last cycle: one that begins at first_iteration makes max_iterations - first_iteration at most.
  int max_iterations = 100;
  /// Conjugate gradients preconditioned with a cycle; false: cycles alone, each correcting the last.
  bool conjugate_gradients = true;
  /// Number of the first iteration, for a solve that continues an earlier one.
  int first_iteration = 0;
  /// The recursion begins anew from x at each iteration whose number is a multiple of this; 0: never. A solve that
  /// continues from such a number has the bits of one that was not interrupted.
  int restart_every = 0;
  /// Called after every cycle, on the host; returning false stops the solve.
  std::function<bool(ResidualSample const&)> monitor = {};
};

/// Solves, on a grid of nx * ny * nz cells, the equation of RedBlackSor (see there),
///
///     wx [e (l_E - l) + f (l_W - l)] / dx^2 + wy [g (l_N - l) + h (l_S - l)] / dy^2
///     + wz [m (l_T - l) / dz_t + n (l_B - l) / dz_b] / dz_k = rhs,
///
/// for l = lambda on a hierarchy of grids. Each grid joins cells of the last in pairs along the axes that are coupled
/// strongly; an odd extent leaves one cell single, with its own volume and distances, so that any extents will do. A
/// grid of one layer with Neumann top and bottom is the 5-point form, one row of it the 3-point form.
///
/// Coarse face coefficients are the area averages of the fine ones. Prolongation is linear along each axis and does not
/// reach through walls, restriction averages. The coarsest grid, of 64 cells at most, is solved directly. On a device
/// the small grids are worked on by a single kernel. Where walls cut the grid into pieces, sets of strongly coupled
/// cells take the place of the coarse grids (MultigridCoarsening::aggregates). Along a periodic axis with an odd number
/// of cells the last plane is relaxed after the others of its colour.
///
/// Views: lambda and rhs are Field<Exec, T> of shape (nz, ny, nx). lambda in: first guess, out: solution.
/// Preconditions: face coefficients not negative; the coefficient of a face is the same seen from both of its cells. A
/// cell whose six faces are all 0 keeps its value. A connected set of cells without a side where lambda is given makes
/// the problem singular: a solution exists only for a right-hand side that sums to zero over it (weighted with the cell
/// volumes), and is unique up to a constant. All cells may form one such set, as with Neumann or periodic sides all
/// around. The solve then removes the mean of the right-hand side (SolveReport::imbalance). The solution has mean zero
/// over the cells with an equation. A solve that rounding keeps from its tolerance ends not converged. Cost: about 100
/// B a cell for a V(2,2) cycle in float, a little more with walls, 80 B for the vectors of conjugate gradients in
/// double; about 250 flops. Results are the same bits from run to run and for any number of threads. solve() and
/// apply() allocate nothing. Plans may be moved, not copied; one plan serves one instance at a time. Source: U.
/// Trottenberg, C. Oosterlee, A. Schueller, Multigrid, 2001; P. Wesseling, An Introduction to Multigrid Methods, 1992
/// (cell-centred grids); Y. Notay, SIAM J. Sci. Comput. 22, 2000 (flexible conjugate gradients); P. Vanek, J. Mandel,
/// M. Brezina, Computing 56, 1996 (aggregates).
template <ExecutionSpace Exec, Real T>
class Multigrid final : public LinearOperator<Exec, T> {
 public:
  using execution_space = Exec;
  using real = T;

  /// Plan with packed walls. Throws std::invalid_argument for wrong extents or setup, and for coefficients that are
  /// negative or not finite. Fences `space`.
  Multigrid(Exec const& space, UniformGrid const& grid, WallCodes<Exec> const& walls, MultigridSetup const& setup = {});

  /// Plan with coefficient arrays; o, p, q may be empty. The arrays are copied.
  Multigrid(Exec const& space, UniformGrid const& grid, FaceCoefficients<Exec, T> const& coefficients,
            MultigridSetup const& setup = {});

  Multigrid(Multigrid&&) noexcept;
  Multigrid& operator=(Multigrid&&) noexcept;
  ~Multigrid() override;

  /// Sets the value g beyond one side (see Boundary), zero at first: shape (nz, ny) for east and west, (nz, nx) for
  /// north and south, (ny, nx) for top and bottom. A closed side ignores them, also where its axis is not there.
  /// Throws std::invalid_argument for another shape or a periodic side. Asynchronous.
  void set_boundary_values(Exec const& space, Side side, ConstPlane<Exec, T> const& values);

  /// Cycles until the residual is small enough. Has fenced `space` when it returns.
  /// Throws std::invalid_argument for wrong extents or options. A residual that is not finite ends the solve at once,
  /// not converged.
  SolveReport solve(Exec const& space, Field<Exec, T> const& lambda, ConstField<Exec, T> const& rhs,
                    MultigridOptions const& options = {});

  /// The two-dimensional form, on a grid of one layer: lambda and rhs of shape (ny, nx).
  SolveReport solve(Exec const& space, Plane<Exec, T> const& lambda, ConstPlane<Exec, T> const& rhs,
                    MultigridOptions const& options = {});

  /// One cycle as a preconditioner: correction ~ A^-1 residual, A the operator above with zero boundary values. The two
  /// may be the same View. Asynchronous. Throws std::invalid_argument for wrong extents.
  void apply(Exec const& space, ConstField<Exec, T> const& residual, Field<Exec, T> const& correction) override;

  std::array<int, 3> extents() const override;

  /// Extents (nx, ny, nz) of the grids, finest first; (number, 1, 1) of levels of aggregates.
  std::vector<std::array<int, 3>> levels() const;

  /// No lambda is given anywhere: neither on a side nor by a weight o, p, q larger than the consistent one.
  bool singular() const;

  /// Smoother of the plan.
  MultigridSmoother smoother() const;
  /// Coarsening of the plan.
  MultigridCoarsening coarsening() const;
  /// Relaxation factor of the plan.
  double omega() const;

  /// Memory of the plan in the memory of `Exec`.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

#define KARMAN_EXTERN(Exec)                     \
  extern template class Multigrid<Exec, float>; \
  extern template class Multigrid<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
