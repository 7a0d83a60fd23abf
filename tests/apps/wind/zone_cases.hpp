// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Blocks in an even wind of 4 m/s, for tests of the zones by hand.
#pragma once

#include "wind/model/zones.hpp"

#include <utility>
#include <vector>

namespace karman::test {

inline wind::Building zone_block(double x, double y, double length, double width, double height, double rotation = 0) {
  wind::Building building;
  building.x = x;
  building.y = y;
  building.length = length;
  building.width = width;
  building.height = height;
  building.rotation = rotation;
  return building;
}

/// A domain of 200 x 200 x 50 m with a wind of 4 m/s from the west at all heights and no zones but those asked for.
inline wind::WindCase zone_case(std::vector<wind::Building> buildings, wind::Parameterisations const& settings,
                                double direction = 270) {
  wind::WindCase wind_case;
  wind_case.grid = UniformGrid({100, 100, 25}, {2, 2, 2});
  wind_case.profile.kind = wind::Profile::Kind::power;
  wind_case.profile.speed = 4;
  wind_case.profile.exponent = 0;
  wind_case.profile.direction = direction;
  wind_case.buildings = std::move(buildings);
  wind_case.parameterisations = settings;
  return wind_case;
}

inline wind::Parameterisations no_zones() {
  wind::Parameterisations settings;
  settings.upwind_cavity = settings.wake = false;
  return settings;
}

inline wind::PointState zone_at(wind::ZonePlan const& plan, double x, double y, double z, double speed = 4) {
  return table_of(plan).at(x, y, z, speed);
}

}  // namespace karman::test
