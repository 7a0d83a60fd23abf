// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Orientation of a triangle.
#pragma once

#include <array>
#include <cmath>
#include <limits>

namespace karman::detail {

/// 1 for an anticlockwise triangle a b c, -1 for a clockwise one, 0 for one without area. The latter has twice its area
/// below 8 eps of the product of two of its sides. The sign of its computed area is rounding. Coordinates up to 1e100.
inline int triangle_turn(std::array<double, 2> const& a, std::array<double, 2> const& b,
                         std::array<double, 2> const& c) {
  constexpr double tolerance = 8 * std::numeric_limits<double>::epsilon();
  double const x1 = b[0] - a[0], y1 = b[1] - a[1], x2 = c[0] - a[0], y2 = c[1] - a[1];
  double const twice = x1 * y2 - x2 * y1;
  // The sums bound the lengths of the sides without a root.
  if (std::abs(twice) > tolerance * (std::abs(x1) + std::abs(y1)) * (std::abs(x2) + std::abs(y2)))
    return twice > 0 ? 1 : -1;
  double const sides = std::sqrt(x1 * x1 + y1 * y1) * std::sqrt(x2 * x2 + y2 * y2);
  return std::abs(twice) <= tolerance * sides ? 0 : twice > 0 ? 1 : -1;
}

}  // namespace karman::detail
