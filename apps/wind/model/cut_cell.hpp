// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The part of a cell in plan that a building covers.
#pragma once

#include "common/fields/host_device.hpp"
#include "wind/case/buildings/inside_building.hpp"

#include <cmath>

namespace karman::wind {

/// Covered fractions of a cell in plan: of its area and of its four edges, seen from inside the cell. A wall exactly on
/// an edge covers the edge of the cell on its inner side alone.
struct CutCell {
  double area = 0, west = 0, east = 0, south = 0, north = 0;
};

/// Rectangle of a cell in plan, relative to the centre of a building.
struct CellPlan {
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
};

namespace detail {

KARMAN_HOST_DEVICE inline double limited(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

/// Integral of limited(s, 0, range) from 0 to s.
KARMAN_HOST_DEVICE inline double limited_integral(double s, double range) {
  if (s <= 0) return 0;
  return s <= range ? 0.5 * s * s : 0.5 * range * range + range * (s - range);
}

/// Mean of limited(s, 0, range) over a straight line from a to b.
KARMAN_HOST_DEVICE inline double limited_mean(double a, double b, double range) {
  if (std::fabs(b - a) < 1e-9 * range) return limited(0.5 * (a + b), 0, range);
  return (limited_integral(b, range) - limited_integral(a, range)) / (b - a);
}

/// Contribution of one wall to the covered fractions. The building is on the left of all its walls. Hence the
/// contributions add up to area = - closed integral of y dx within the cell. The same holds on each edge.
KARMAN_HOST_DEVICE inline void add_wall(Wall const& wall, CellPlan const& cell, CutCell& sum) {
  double const width = cell.x1 - cell.x0, height = cell.y1 - cell.y0;
  constexpr double inset = 1e-6;  // of the edges, so that a wall on an edge counts for one of its two cells
  double const run = wall.bx - wall.ax, rise = wall.by - wall.ay;
  if (run != 0) {
    double const sign = run > 0 ? -1.0 : 1.0;
    double const low = limited(run > 0 ? wall.ax : wall.bx, cell.x0, cell.x1);
    double const high = limited(run > 0 ? wall.bx : wall.ax, cell.x0, cell.x1);
    auto const above = [&](double x) { return wall.ay + rise * ((x - wall.ax) / run) - cell.y0; };
    if (high > low) {
      sum.area += sign * (high - low) * limited_mean(above(low), above(high), height) / (width * height);
    }
    double const west = cell.x0 + inset * width, east = cell.x1 - inset * width;
    if ((wall.ax > west) != (wall.bx > west)) sum.west += sign * limited(above(west), 0, height) / height;
    if ((wall.ax > east) != (wall.bx > east)) sum.east += sign * limited(above(east), 0, height) / height;
  }
  if (rise != 0) {
    double const sign = rise > 0 ? 1.0 : -1.0;
    auto const beside = [&](double y) { return wall.ax + run * ((y - wall.ay) / rise) - cell.x0; };
    double const south = cell.y0 + inset * height, north = cell.y1 - inset * height;
    if ((wall.ay > south) != (wall.by > south)) sum.south += sign * limited(beside(south), 0, width) / width;
    if ((wall.ay > north) != (wall.by > north)) sum.north += sign * limited(beside(north), 0, width) / width;
  }
}

}  // namespace detail

/// The fractions of the cell [x0, x0 + dx] x [y0, y0 + dy] that a building covers, exact for straight walls. Cost: O(1)
/// outside of the upright box around the building, else O(walls).
KARMAN_HOST_DEVICE inline CutCell cut_cell(BuildingInterior const& building, double x0, double y0, double dx,
                                           double dy) {
  CellPlan const cell{x0 - building.x, x0 + dx - building.x, y0 - building.y, y0 + dy - building.y};
  double const c = building.cosine, s = building.sine;
  double const reach_x = std::fabs(c) * building.half_length + std::fabs(s) * building.half_width;
  double const reach_y = std::fabs(s) * building.half_length + std::fabs(c) * building.half_width;
  CutCell sum;
  if (cell.x1 <= -reach_x || cell.x0 >= reach_x || cell.y1 <= -reach_y || cell.y0 >= reach_y) return sum;
  if (!building.outline.empty()) {
    for (OutlineWalls walls(building.outline); walls.next();) detail::add_wall(walls.wall(), cell, sum);
    return sum;
  }
  // A rectangle: its corners counter-clockwise.
  double px = c * building.half_length + s * building.half_width;
  double py = s * building.half_length - c * building.half_width;
  for (int n = 0; n < 4; ++n) {
    double const along = n == 0 || n == 3 ? building.half_length : -building.half_length;
    double const across = n < 2 ? building.half_width : -building.half_width;
    double const qx = c * along - s * across, qy = s * along + c * across;
    detail::add_wall({px, py, qx, qy}, cell, sum);
    px = qx;
    py = qy;
  }
  return sum;
}

}  // namespace karman::wind
