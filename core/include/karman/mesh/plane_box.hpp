// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Bounding box of points in the plane.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace karman {

/// Least box along the axes around some points. Around none, `low` lies above `high`.
struct PlaneBox {
  /// Lower left corner.
  std::array<double, 2> low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  /// Upper right corner.
  std::array<double, 2> high{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

  PlaneBox() = default;

  /// Box around a range of points.
  template <class Points>
  explicit PlaneBox(Points const& points) {
    for (std::array<double, 2> const& point : points) hold(point);
  }

  /// Extends the box to a point.
  void hold(std::array<double, 2> const& point) {
    for (std::size_t axis : {0, 1}) {
      low[axis] = std::min(low[axis], point[axis]);
      high[axis] = std::max(high[axis], point[axis]);
    }
  }

  /// Extent in x.
  double width() const { return high[0] - low[0]; }
  /// Extent in y.
  double height() const { return high[1] - low[1]; }
  /// Greater of width() and height().
  double longest_side() const { return std::max(width(), height()); }
};

}  // namespace karman
