// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Vegetation: porous prisms that slow the wind and are no walls.
#pragma once

#include "wind/case/buildings/building.hpp"

#include <array>
#include <string_view>

namespace karman::wind {

enum class PlantKind {
  canopy,     ///< homogeneous, from the ground up
  tree,       ///< one crown above a trunk
  windbreak,  ///< a thin porous row with shelter behind it
  rows        ///< parallel rows with gaps
};

/// "canopy", "tree", "windbreak" or "rows".
std::string_view name(PlantKind kind);

/// One plant or one group of plants. Lengths in metres.
struct Plant {
  PlantKind kind = PlantKind::canopy;
  /// Footprint, and heights from the underside of the leaves to the top. Of an ellipse: the rectangle around it.
  Building shape;
  bool ellipse = false;
  bool may_reach_out = false;    ///< of the domain: only the part inside counts
  double attenuation = 0;        ///< a in U_H exp(a (z / H - 1)); of rows: for wind across them
  double attenuation_along = 0;  ///< of rows: for wind along them
  double porosity = 1;           ///< optical, of windbreaks: 0 solid, 1 nothing
  double spacing = 1;            ///< of rows: distance of their middles
  double row_width = 1;          ///< of rows
  double row_rotation = 0;       ///< of rows: degrees, counter-clockwise, of their direction against x

  /// Height of the top above the ground that the plant is on.
  double top_height() const { return shape.roof_height(); }
  /// Height of the underside of the leaves above that ground.
  double base_height() const { return shape.base - shape.ground; }
  /// Corners of the outer ring, counter-clockwise. Cost: O(corners).
  Ring corners() const;
  /// Half the extents of the upright box around the footprint, (x, y).
  std::array<double, 2> half_extents() const;
};

/// Solid prism over the footprint, a polygon instead of an ellipse.
Building prism_of(Plant const& plant);

}  // namespace karman::wind
