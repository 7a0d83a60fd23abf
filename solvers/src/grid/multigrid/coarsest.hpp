// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The direct solution on the coarsest grid of a multigrid hierarchy, on the host.
#pragma once

#include "aggregation.hpp"

#include <array>
#include <vector>

namespace karman::detail {

/// The equations of a grid, cells in natural order (x fastest).
struct MultigridCoarsest {
  std::array<int, 3> extents{};  ///< x, y, z
  std::array<bool, 3> periodic{};
  /// Of each cell: the coefficients towards +x, -x, +y, -y, +z, -z, the excess of its own weight over their sum, and
  /// its volume. An absent excess is exactly zero.
  std::vector<std::array<double, 8>> cells;
};

/// The matrix B, row by row, with x = B rhs. B is self-adjoint in the inner product weighted with the volumes. A
/// connected set of cells floats where none of them has an excess or an open face on a side. The mean of the right-hand
/// side over it (weighted with the volumes) is ignored, and the solution has mean zero: B is the pseudo-inverse. Rows
/// of cells that keep their value are zero. Source: A. S. Alfa, J. Xue, Q. Ye, Math. Comp. 71, 2002 (elimination
/// without differences).
std::vector<double> inverse_of(MultigridCoarsest const& grid);

/// The equations of the grid times minus `volumes`, as a network.
MultigridNetwork sparse_network_of(MultigridCoarsest const& grid, std::vector<double> const& volumes);

/// The same for a network, with all volumes 1 and the sign of its equations.
std::vector<double> inverse_of(MultigridNetwork const& network);

}  // namespace karman::detail
