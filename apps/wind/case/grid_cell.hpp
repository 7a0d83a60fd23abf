// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cells that contain points.
#pragma once

#include <karman/core/uniform_grid.hpp>

#include <array>

namespace karman::wind {

/// Index of a cell and the place in it, from 0 to 1.
struct InCell {
  int index = 0;
  double share = 0;
};

/// `position` in equal cells, of which there are `count`. Positions outside are moved to the boundary.
InCell in_cell(double position, int count);
/// Layer of a height.
InCell in_layer(UniformGrid const& grid, double z);

/// Cell (i, j, k) that contains a point, in metres from the domain's corner. A point outside the domain is moved to its
/// boundary. A point on a face belongs to the cell above it in the order of the axis.
std::array<int, 3> cell_of(UniformGrid const& grid, std::array<double, 3> const& point);

}  // namespace karman::wind
