// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Walls of a building in wind-aligned coordinates, and the zones that belong to single walls.
#pragma once

#include "canyon_zone.hpp"
#include "upwind_zone.hpp"
#include "wall_layers.hpp"
#include "wind/case/buildings/building.hpp"
#include "wind/case/parameterisations.hpp"

#include <array>
#include <optional>
#include <vector>

namespace karman::wind {

/// One wall: from one corner of the footprint to the next, counter-clockwise.
struct WallFace {
  std::array<double, 2> start{}, end{};
  std::array<double, 2> tangent{};  ///< unit vector from start to end
  std::array<double, 2> normal{};   ///< unit vector out of the building
  double length = 0;

  double lowest_y() const { return start[1] < end[1] ? start[1] : end[1]; }
  double highest_y() const { return start[1] < end[1] ? end[1] : start[1]; }
  /// dx/dy along the wall. Precondition: the wall is not along the wind.
  double slope() const { return (end[0] - start[0]) / (end[1] - start[1]); }
  /// Wind-aligned x of the wall on the line y = const. Same precondition.
  double x_at(double y) const { return start[0] + slope() * (y - start[1]); }
};

/// The walls of a building under a wind with this heading. Walls without length are left out; those that continue
/// straight are one.
std::vector<WallFace> wall_faces(Building const& building, std::array<double, 2> const& heading);

/// Faces across the wind, as far as their zones are switched on. Each run of walls has one upwind cavity, each wall one
/// rooftop vortex behind it.
std::vector<FrontalFace> frontal_faces(std::vector<WallFace> const& walls, double height,
                                       Parameterisations const& settings);

/// Zones of side walls: walls along the wind behind an edge with a wall across the wind. `scale`: R.
std::vector<SideWall> side_walls(std::vector<WallFace> const& walls, double scale, Parameterisations const& settings);

/// Geometry of the canyon between a lee wall and a wall downwind of it; empty where they do not face each other. Leaves
/// heights and speed to the caller. `most_width`: L_r of the upwind building.
std::optional<StreetCanyon> canyon_between(WallFace const& lee, WallFace const& downwind, double most_width,
                                           Parameterisations const& settings);

}  // namespace karman::wind
