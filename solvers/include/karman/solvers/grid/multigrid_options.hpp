// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of multigrid.hpp. Standard library only.
#pragma once

#include <karman/core/communicator.hpp>
#include <karman/solvers/solve_report.hpp>

#include <cstdint>
#include <functional>
#include <string_view>

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

/// A face counts as closed for MultigridCoarsening::automatic if its coefficient is below this fraction of the largest
/// one of its cell.
inline constexpr double nearly_closed_face = 0.05;

/// "v", "w" or "f".
std::string_view name(MultigridCycle cycle);
/// "automatic", "red_black" or "line".
std::string_view name(MultigridSmoother smoother);
/// "automatic", "pairs" or "aggregates".
std::string_view name(MultigridCoarsening coarsening);

/// Options of a Multigrid plan.
struct MultigridSetup {
  /// Order in which a cycle visits the grids.
  MultigridCycle cycle = MultigridCycle::v;
  /// Sweeps on every grid.
  MultigridSmoother smoother = MultigridSmoother::automatic;
  /// Sweeps before the coarse grid.
  int pre = 2;
  /// Sweeps after the coarse grid.
  int post = 2;
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
  /// Processes that hold the parts of the grid, UniformGrid::part() of the whole.
  Communicator communicator = {};
  /// With many processes, grids of at most this number of cells per part are gathered: each process works on all
  /// cells of them. 0: automatic, 16^3 on hosts and 64^3 on devices. Where walls call for aggregates also grids of at
  /// most 2^20 cells in all.
  std::int64_t gathered_cells = 0;
  /// Largest number of parts that are gathered at once. Of more, up to eight neighbours, and at most this number, join
  /// their parts first: each of them then works on the cells of all. The next grids stay in these larger parts while
  /// they have more than `gathered_cells`.
  int gathered_parts = 64;
};

/// Per-solve options of Multigrid.
struct MultigridOptions {
  /// Stop when max |residual| <= tolerance * max |b|; b is the right-hand side with the boundary values moved into it.
  double tolerance = 1e-8;
  /// Number of the last cycle. A solve that begins at first_iteration makes max_iterations - first_iteration at most.
  int max_iterations = 100;
  /// Conjugate gradients preconditioned with a cycle; false: cycles alone, each correcting the last.
  bool conjugate_gradients = true;
  /// The first guess is zero, and x is not read: any cell without an equation gets zero. Saves three passes over the
  /// fields where neither boundary values nor a mean change b.
  bool zero_guess = false;
  /// Number of the first iteration, for a solve that continues an earlier one.
  int first_iteration = 0;
  /// The recursion restarts from x at each iteration whose number is a multiple of this; 0: never. A solve that
  /// continues from such a number has the bits of one that was not interrupted.
  int restart_every = 0;
  /// Called after every cycle, on the host; returning false stops the solve.
  std::function<bool(ResidualSample const&)> monitor = {};
};

}  // namespace karman
