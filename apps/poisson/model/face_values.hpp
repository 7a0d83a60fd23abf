// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Quantities on the faces of cells: the coefficient on all of them, boundary values on the faces of a side.
#pragma once

#include "linear_system.hpp"

#include <array>

namespace karman::poisson {

/// Sets the coefficient a of the system. Constant: one number. Formula: evaluated in the middle of each face. File:
/// harmonic mean of the two cells (on a side, the value of its cell). Throws CaseError for values that are not
/// positive.
void set_coefficient(Case const& input, Quantity const& coefficient, LinearSystem& system);

/// Faces of a side: (slow, fast) extents, (nz, ny) for east and west, (nz, nx) for north and south, (ny, nx) for top
/// and bottom. `side` in the order of Side.
std::array<int, 2> side_extents(UniformGrid const& grid, int side);

/// Indices (k, j, i) of the cell at face (slow, fast) of a side; `last`: highest index along its axis.
std::array<int, 3> cell_at_side(int side, int last, int slow, int fast);

/// A quantity in the middle of the faces of a side. Throws CaseError for values that are not finite.
CellValues side_values(Case const& input, Quantity const& quantity, UniformGrid const& grid, int side, double time = 0);

}  // namespace karman::poisson
