// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The box around points of the plane.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace karman {

/// The least box along the axes that holds some points; around none, low lies above high.
struct PlaneBox {
  std::array<double, 2> low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  std::array<double, 2> high{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

  PlaneBox() = default;

  /// Around a range of points.
  template <class Points>
  explicit PlaneBox(Points const& points) {
    for (std::array<double, 2> const& point : points) hold(point);
  }

  void hold(std::array<double, 2> const& point) {
    for (std::size_t axis : {0, 1}) {
      low[axis] = std::min(low[axis], point[axis]);
      high[axis] = std::max(high[axis], point[axis]);
    }
  }

  double width() const { return high[0] - low[0]; }
  double height() const { return high[1] - low[1]; }
  double longest_side() const { return std::max(width(), height()); }
};

}  // namespace karman
