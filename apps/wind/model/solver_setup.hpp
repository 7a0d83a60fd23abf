// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the equation for lambda is posed and solved.
#pragma once

#include "wind/case/wind_case.hpp"
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>

#include <array>

namespace karman::wind {

/// Pairs of cells: streets are open towards the air above. Aggregates are for grids that walls cut into pieces. They
/// would be made on the host, which costs more than the solve.
inline MultigridSetup multigrid_setup(Communicator const& communicator = {}) {
  return {.coarsening = MultigridCoarsening::pairs, .communicator = communicator};
}

/// Open sides and top, closed ground.
inline Boundaries open_above_ground() {
  Boundaries boundaries = Boundaries::all(Boundary::dirichlet);
  boundaries.bottom = Boundary::neumann;
  return boundaries;
}

/// Weights of the equation for lambda along x, y and z.
inline std::array<double, 3> equation_weights(std::array<double, 2> const& alpha) {
  double const anisotropy = alpha[0] / alpha[1];
  return {1, 1, anisotropy * anisotropy};
}

/// Openings have any value, which wall codes cannot hold.
inline SorStorage sor_storage(WindCase const& wind_case) {
  return cuts_cells(wind_case) ? SorStorage::coefficients : wind_case.solver.storage;
}

}  // namespace karman::wind
