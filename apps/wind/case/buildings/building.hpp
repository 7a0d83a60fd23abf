// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Buildings: upright prisms over a footprint.
#pragma once

#include "footprint.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace karman::wind {

/// Role of a prism. An open building is an envelope, which makes the zones, and parts that are solid.
enum class Part : std::uint8_t {
  whole,    ///< solid, with zones
  solid,    ///< solid, without zones of its own
  envelope  ///< zones only
};

/// Prism over a rectangle or a polygon. Lengths in metres. A move of (x, y) moves the building as a whole.
struct Building {
  double x = 0, y = 0;           ///< centre: middle of the rectangle, or of the polygon's upright box
  double length = 0, width = 0;  ///< of a rectangle along its own two axes, of a polygon's upright box along x and y
  double height = 0;             ///< from its underside to its roof
  double rotation = 0;           ///< degrees, counter-clockwise, of the length axis against x; 0 for a polygon
  double base = 0;               ///< height of its underside above z = 0
  double ground = 0;             ///< height of the ground that it is on above z = 0
  std::uint32_t entry = 0;       ///< index in the case's list of buildings
  std::uint32_t member = 0;      ///< number within that entry
  Part part = Part::whole;       ///< role of this prism
  bool deck = false;             ///< of a bridge: air flows above and below
  bool may_overlap = false;      ///< overlaps are allowed: solid cells are the union
  /// Plan relative to (x, y); empty for a rectangle. Shared by copies of the building.
  Footprint footprint;

  double top() const { return base + height; }
  /// Height of the roof above the ground that the building is on.
  double roof_height() const { return top() - ground; }
  bool is_solid() const { return part != Part::envelope; }
  bool has_zones() const { return part != Part::solid; }
  bool is_rectangle() const { return footprint.empty(); }
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

/// True if the two share more than a boundary, in plan and in height. Contacts are no overlap: for two rectangles, a
/// depth below a millionth of the least size; else, a common area below a millionth of the smaller footprint. Cost:
/// O(1) for rectangles and disjoint boxes, else that of common_area().
bool overlap(Building const& a, Building const& b);

/// Area common to the two footprints, square metres. Cost: that of common_area().
double covered_area(Building const& above, Building const& below);

}  // namespace karman::wind
