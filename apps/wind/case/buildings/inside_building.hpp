// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Test whether a point is inside a building.
#pragma once

#include "building.hpp"
#include "common/fields/host_device.hpp"

namespace karman::wind {

/// A building in the form for tests in kernels. A cell is solid where its centre is inside, boundary included: walls
/// follow the cells like stairs.
struct BuildingInterior {
  double x = 0, y = 0;                     ///< centre of the footprint, from the domain's corner
  double cosine = 1, sine = 0;             ///< of the block's rotation
  double half_length = 0, half_width = 0;  ///< with a slack for round-off
  double bottom = 0, top = 0;              ///< above z = 0, with the same slack
  PlanOutline outline;                     ///< of a polygon, relative to (x, y); a rectangle has none
  double slack = 0;                        ///< distance from a wall that counts as on it, metres

  KARMAN_HOST_DEVICE bool holds_height(double z) const { return z >= bottom && z <= top; }

  /// Cost: O(1) for a rectangle and outside of the upright box, else O(walls).
  KARMAN_HOST_DEVICE bool holds_point(double px, double py) const {
    double const dx = px - x;
    double const dy = py - y;
    double const along = dx * cosine + dy * sine;
    double const across = dy * cosine - dx * sine;
    bool const in_box = along >= -half_length && along <= half_length && across >= -half_width && across <= half_width;
    return in_box && (outline.empty() || within_walls(dx, dy));
  }

 private:
  /// On a wall, or inside by the even-odd rule: a ray along +x crosses an odd number of walls.
  KARMAN_HOST_DEVICE bool within_walls(double px, double py) const {
    bool inside = false;
    for (OutlineWalls walls(outline); walls.next();) {
      Wall const& wall = walls.wall();
      double const ax = px - wall.ax;
      double const ay = py - wall.ay;
      double const ex = wall.bx - wall.ax;
      double const ey = wall.by - wall.ay;
      double const square = ex * ex + ey * ey;
      double const part = square > 0 ? (ax * ex + ay * ey) / square : 0.0;
      double const nearest = part < 0 ? 0.0 : part > 1 ? 1.0 : part;
      double const from_x = ax - nearest * ex;
      double const from_y = ay - nearest * ey;
      if (from_x * from_x + from_y * from_y <= slack * slack) return true;
      // Upper ends are excluded, so that a ray through a corner counts it once.
      if ((wall.ay > py) != (wall.by > py) && (ax * ey < ay * ex) == (ey > 0)) inside = !inside;
    }
    return inside;
  }
};

/// The test of a building. A polygon's outline stays in the building's footprint, which must outlive the test.
BuildingInterior interior_of(Building const& building);

}  // namespace karman::wind
