// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Polygons with holes: the plans of buildings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace karman::wind {

/// Position (x, y) in plan, metres.
using Point = std::array<double, 2>;
/// Corners of a closed polygon in order. The last is joined to the first and not repeated.
using Ring = std::vector<Point>;

/// Area of a ring in square metres by the shoelace formula, positive for counter-clockwise corners. Cost: O(corners).
double signed_area(Ring const& ring);

/// Straight wall from corner a to corner b. The building is on its left, on the outer ring and around holes.
struct Wall {
  double ax = 0, ay = 0, bx = 0, by = 0;
};

/// Outer ring with holes, relative to the middle of its upright box. Immutable. It keeps its walls alone, 32 bytes for
/// each corner.
class Footprint {
 public:
  /// Orients the rings: the outer one counter-clockwise, holes clockwise. Preconditions: at least three corners in each
  /// ring, coordinates finite and relative to the middle of the upright box around `outer`.
  Footprint(Ring outer, std::vector<Ring> holes);

  /// Corners of the outer ring. Cost: O(corners).
  Ring outer() const { return ring(0); }
  /// Corners of the holes. Cost: O(corners).
  std::vector<Ring> holes() const;
  std::size_t hole_count() const { return hole_starts_.size(); }
  /// The walls of all rings, outer ring first.
  std::span<Wall const> walls() const { return walls_; }
  /// Area of the outer ring less the areas of the holes, square metres.
  double area() const { return area_; }
  /// Half the extents of the upright box, (x, y).
  std::array<double, 2> half_extents() const { return half_extents_; }

 private:
  /// The outer ring, or hole n - 1.
  Ring ring(std::size_t n) const;

  std::vector<Wall> walls_;
  std::vector<std::uint32_t> hole_starts_;  ///< in the walls
  double area_ = 0;
  std::array<double, 2> half_extents_{};
};

}  // namespace karman::wind
