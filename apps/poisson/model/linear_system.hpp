// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The discrete problem of a case in host memory, in double precision. All methods solve it, and the residual check
/// uses it.
#pragma once

#include "poisson/case/poisson_case.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/core/communicator.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace karman::poisson {

/// Cell-centred finite volumes, [a_E (p_E - p) - a_W (p - p_W)] / dx^2 + (the same in y and z) = b, with a on the faces
/// of the cells. Second order. A Dirichlet side lies half a cell beyond the outermost centres. Its face therefore has
/// twice its a, and its value goes into b. The flux through a Neumann side goes into b too. No flux crosses a face of a
/// solid cell.
///
/// Cells that walls cut off from every Dirichlet side would form a problem of their own, determined up to a constant.
/// They count as solid and are counted in `cut_off`. Where no side is Dirichlet, the largest connected part stays and p
/// is determined up to a constant (`singular`). b must then sum to zero.
///
/// With several processes each has the cells of its part of the grid. Counts, sums and largest values are of all.
struct LinearSystem {
  UniformGrid grid{{1, 1, 1}, {1, 1, 1}};
  UniformGrid whole{{1, 1, 1}, {1, 1, 1}};  ///< the grid of all processes
  Communicator communicator;
  int dimensions = 3;
  std::array<Boundary, 6> sides{};  ///< in the order of Side; Neumann on sides of missing axes

  double coefficient = 1;             ///< a where it is constant
  CellValues face_x, face_y, face_z;  ///< a on faces, (nz, ny, nx + 1) and so on; empty where a is constant
  std::vector<std::uint8_t> solid;    ///< 1 in solid cells; empty: none
  /// Solid cells beyond the cut sides, (k, j) for the sides in x and (k, i) for those in y; empty: none.
  std::array<std::vector<std::uint8_t>, 4> solid_beyond;

  CellValues f;      ///< the right-hand side from the case, 0 in solid cells
  CellValues b;      ///< the same plus boundary values and fluxes, compatible where the problem is singular
  CellValues exact;  ///< empty: unknown

  bool singular = false;
  double removed_mean = 0;         ///< subtracted from b in every cell that is not solid
  double largest_b = 0;            ///< max |b|
  double largest_coefficient = 1;  ///< max a on the faces
  std::int64_t fluid_cells = 0;
  std::int64_t cut_off = 0;

  bool constant_coefficient() const { return face_x.empty(); }
  bool has_solid() const { return !solid.empty(); }
  /// True for a side behind which another process has cells.
  bool is_cut(int side) const {
    auto const axis = static_cast<std::size_t>(side / 2);
    int const begin = grid.own_box().begin[axis], end = grid.own_box().end[axis], all = grid.global_cells()[axis];
    if (begin == 0 && end == all) return false;
    return periodic(side / 2) || (side % 2 == 0 ? end < all : begin > 0);
  }
  bool periodic(int axis) const { return sides[static_cast<std::size_t>(2 * axis)] == Boundary::periodic; }
  bool is_solid(std::size_t cell) const { return !solid.empty() && solid[cell] != 0; }
  std::array<int, 3> cells() const { return {grid.nx(), grid.ny(), grid.nz()}; }
};

/// Parts of a case of so many processes. With multigrid they begin at whole coarse cells where parts are large enough,
/// so that coarser grids stay in parts.
BoxDecomposition boxes_of(PoissonCase const& poisson_case, int processes);

/// Builds the system: evaluates every formula and reads every file. Throws FileError for files. Throws CaseError for
/// values that are not finite, a coefficient that is not positive, and a domain without cells left. Also throws
/// CaseError for an incompatible right-hand side where the case asks for `require`.
/// With several processes each evaluates its part of the grid alone, but marks the solid cells of the whole.
/// Collective, as are the functions below.
LinearSystem make_linear_system(Case const& input, PoissonCase const& poisson_case,
                                Communicator const& communicator = {});

/// max |value| over the cells of all processes.
double largest_magnitude(LinearSystem const& system, CellValues const& values);

/// r = b - A p in every cell that is not solid, 0 in the others. Returns max |r|.
double residual(LinearSystem const& system, CellValues const& p, CellValues& r);

/// Where p is determined up to a constant: adds the constant that gives it the mean of the exact solution, or zero
/// where that is unknown.
void settle_constant(LinearSystem const& system, CellValues& p);

/// Differences to the exact solution over the cells that are not solid.
struct ErrorNorms {
  double largest = 0;  ///< max |p - exact|
  double mean = 0;     ///< mean |p - exact|
  double root_mean_square = 0;
  double largest_exact = 0;  ///< max |exact|
};
ErrorNorms error_norms(LinearSystem const& system, CellValues const& p);

/// Remarks on the system for the user: cells cut off, a subtracted mean. One line each.
std::vector<std::string> remarks(LinearSystem const& system);

}  // namespace karman::poisson
