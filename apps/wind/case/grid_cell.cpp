// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_cell.hpp"

#include <algorithm>

namespace karman::wind {

InCell in_cell(double position, int count) {
  double const inside = std::clamp(position, 0.0, static_cast<double>(count));
  int const index = std::min(static_cast<int>(inside), count - 1);
  return {index, inside - index};
}

InCell in_layer(UniformGrid const& grid, double z) {
  int low = 0;
  int high = grid.nz();
  while (high - low > 1) {
    int const middle = low + (high - low) / 2;
    (grid.z_face(middle) <= z ? low : high) = middle;
  }
  double const share = (z - grid.z_face(low)) / (grid.z_face(low + 1) - grid.z_face(low));
  return {low, std::clamp(share, 0.0, 1.0)};
}

std::array<int, 3> cell_of(UniformGrid const& grid, std::array<double, 3> const& point) {
  return {in_cell(point[0] / grid.dx(), grid.nx()).index, in_cell(point[1] / grid.dy(), grid.ny()).index,
          in_layer(grid, point[2]).index};
}

}  // namespace karman::wind
