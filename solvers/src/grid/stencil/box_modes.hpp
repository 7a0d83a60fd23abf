// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Smoothest modes of the 7-point operator in an open box, axis by axis.
#pragma once

#include <karman/core/uniform_grid.hpp>

#include <cmath>
#include <numbers>

namespace karman::detail {

/// Smallest eigenvalue of -d^2/dx^2 on one axis, and the smallest one besides that of a constant.
struct SmallestEigenvalue {
  double value, after_constant;
};

/// For n cells of size `spacing` between two sides, or around a periodic axis. Sides are given as doubled face
/// coefficients (0 Neumann, 2 ghost centre, 4 on the side).
inline SmallestEigenvalue smallest_eigenvalue(int n, double spacing, double opening_a, double opening_b,
                                              bool periodic = false) {
  double const length = n + (opening_a == 2 ? 0.5 : 0) + (opening_b == 2 ? 0.5 : 0);
  auto const of_angle = [&](double angle) { return 2 * (1 - std::cos(angle)) / (spacing * spacing); };
  if (periodic) return {0, n > 1 ? of_angle(2 * std::numbers::pi / n) : HUGE_VAL};
  bool const closed_a = opening_a == 0;
  bool const closed_b = opening_b == 0;
  if (closed_a && closed_b) return {0, n > 1 ? of_angle(std::numbers::pi / n) : HUGE_VAL};
  double const angle = (closed_a || closed_b ? 0.5 : 1.0) * std::numbers::pi / length;
  return {of_angle(angle), of_angle(angle)};
}

/// Distance between the centres of the layers k - 1 and k, for k from 0 to nz. With a periodic axis, layer -1 is the
/// highest one and layer nz the lowest.
inline double layer_distance(UniformGrid const& grid, int k, bool periodic) {
  bool const seam = k == 0 || k == grid.nz();
  return periodic && seam ? 0.5 * (grid.dz(0) + grid.dz(grid.nz() - 1)) : grid.dz_between(k);
}

}  // namespace karman::detail
