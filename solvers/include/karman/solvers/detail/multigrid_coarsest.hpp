// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The direct solution on the coarsest grid of a multigrid hierarchy, on the host.
#pragma once

#include <array>
#include <vector>

namespace karman::detail {

/// The equations of a small grid, cells in natural order (x fastest).
struct MultigridCoarsest {
  std::array<int, 3> extents{};  ///< x, y, z
  std::array<bool, 3> periodic{};
  /// Of each cell: the coefficients towards +x, -x, +y, -y, +z, -z, its own weight, and its volume.
  std::vector<std::array<double, 8>> cells;
};

/// The matrix B, row by row, with x = B rhs. Where a connected set of cells has no value given, the mean of the
/// right-hand side over it (weighted with the volumes) is ignored and the solution has mean zero: B is the
/// pseudo-inverse. Rows of cells that keep their value are zero. B is self-adjoint in the inner product weighted with
/// the volumes.
std::vector<double> inverse_of(MultigridCoarsest const& grid);

}  // namespace karman::detail
