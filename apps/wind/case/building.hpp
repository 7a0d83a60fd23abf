// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Buildings: upright prisms over a footprint.
#pragma once

#include "footprint.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace karman::wind {

/// Prism over a rectangle or a polygon. Lengths in metres. A move of (x, y) moves the building as a whole.
struct Building {
  double x = 0, y = 0;           ///< centre: middle of the rectangle, or of the polygon's upright box
  double length = 0, width = 0;  ///< of a rectangle along its own two axes, of a polygon along x and y
  double height = 0;             ///< from its underside to its roof
  double rotation = 0;           ///< degrees, counter-clockwise, of the length axis against x; 0 for a polygon
  double base = 0;               ///< height of its underside above the ground
  std::size_t entry = 0;         ///< index in the case's list of buildings
  std::size_t member = 0;        ///< number within that entry
  /// Plan relative to (x, y); empty for a rectangle. Shared by copies of the building.
  std::shared_ptr<Footprint const> footprint;

  double top() const { return base + height; }
  bool is_rectangle() const { return footprint == nullptr; }
  /// Corners of the outer ring, counter-clockwise. Cost: O(corners).
  Ring corners() const;
  /// Holes of the footprint, each clockwise. Cost: O(corners).
  std::vector<Ring> holes() const;
  /// Area of the footprint without its holes, square metres.
  double area() const;
  /// Half the extents of the upright box around the footprint, (x, y).
  std::array<double, 2> half_extents() const;
};

/// Building of height 0 over a polygon, with its centre set. `outer` and `holes` are in the coordinates of the centre,
/// in any orientation. Precondition: at least three corners in each ring, all finite.
Building prism(Ring outer, std::vector<Ring> holes = {});

/// True if the two share more than a boundary, in plan and in height. Overlaps of less than a millionth of the smaller
/// block count as touching.
bool overlap(Building const& a, Building const& b);

}  // namespace karman::wind
