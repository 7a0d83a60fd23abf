// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "building.hpp"

#include "plan_geometry.hpp"
#include "wind/case/wind/angles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace karman::wind {

namespace {

Ring moved(Ring ring, double x, double y) {
  for (Point& corner : ring) corner = {corner[0] + x, corner[1] + y};
  return ring;
}

}  // namespace

Ring Building::corners() const {
  if (!is_rectangle()) return moved(footprint.outer(), x, y);
  auto const [c, s] = direction_cosines(rotation);
  double const a = 0.5 * length;
  double const b = 0.5 * width;
  auto const corner = [&](double along, double across) {
    return Point{x + along * c - across * s, y + along * s + across * c};
  };
  return {corner(-a, -b), corner(a, -b), corner(a, b), corner(-a, b)};
}

std::vector<Ring> Building::holes() const {
  std::vector<Ring> result;
  for (Ring& hole : footprint.holes()) result.push_back(moved(std::move(hole), x, y));
  return result;
}

double Building::area() const { return is_rectangle() ? length * width : footprint.area(); }

std::array<double, 2> Building::half_extents() const {
  if (!is_rectangle()) return {0.5 * length, 0.5 * width};
  auto const [c, s] = direction_cosines(rotation);
  return {0.5 * (length * std::abs(c) + width * std::abs(s)), 0.5 * (length * std::abs(s) + width * std::abs(c))};
}

Building prism(Ring outer, std::vector<Ring> holes) {
  Point low = outer.front();
  Point high = outer.front();
  for (Point const& corner : outer) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], corner[axis]);
      high[axis] = std::max(high[axis], corner[axis]);
    }
  }
  Building building;
  building.x = 0.5 * (low[0] + high[0]);
  building.y = 0.5 * (low[1] + high[1]);
  for (Ring& hole : holes) hole = moved(std::move(hole), -building.x, -building.y);
  building.footprint = Footprint(moved(std::move(outer), -building.x, -building.y), std::move(holes));
  auto const [ex, ey] = building.footprint.half_extents();
  building.length = 2 * ex;
  building.width = 2 * ey;
  return building;
}

namespace {

/// Walls of a building, relative to the position (x, y).
std::vector<Wall> walls_around(Building const& building, double x, double y) {
  Building near = building;
  near.x -= x;
  near.y -= y;
  std::vector<Wall> walls = building.footprint.walls();
  for (Wall& wall : walls) wall = {wall.ax + near.x, wall.ay + near.y, wall.bx + near.x, wall.by + near.y};
  if (!building.is_rectangle()) return walls;
  Ring const ring = near.corners();
  for (std::size_t n = 0; n < ring.size(); ++n) {
    Point const& end = ring[(n + 1) % ring.size()];
    walls.push_back({ring[n][0], ring[n][1], end[0], end[1]});
  }
  return walls;
}

bool polygons_overlap(Building const& a, Building const& b) {
  constexpr double slack = 1e-6;
  double const least_height = slack * std::min(a.height, b.height);
  if (a.top() <= b.base + least_height || b.top() <= a.base + least_height) return false;
  auto const [ax, ay] = a.half_extents();
  auto const [bx, by] = b.half_extents();
  double const common_x = std::min(a.x + ax, b.x + bx) - std::max(a.x - ax, b.x - bx);
  double const common_y = std::min(a.y + ay, b.y + by) - std::max(a.y - ay, b.y - by);
  double const least = slack * std::min(a.area(), b.area());
  if (common_x <= 0 || common_y <= 0 || common_x * common_y <= least) return false;
  return common_area(walls_around(a, a.x, a.y), walls_around(b, a.x, a.y), least) > least;
}

}  // namespace

double covered_area(Building const& above, Building const& below) {
  return common_area(walls_around(above, above.x, above.y), walls_around(below, above.x, above.y));
}

bool overlap(Building const& a, Building const& b) {
  if (!a.is_rectangle() || !b.is_rectangle()) return polygons_overlap(a, b);
  double const slack = 1e-6 * std::min({a.length, a.width, a.height, b.length, b.width, b.height});
  if (a.top() <= b.base + slack || b.top() <= a.base + slack) return false;
  // Two convex footprints are disjoint exactly when the normal of one of their edges separates them. Positions are
  // relative to the first block, so that large coordinates cost no digits.
  double const apart_x = b.x - a.x;
  double const apart_y = b.y - a.y;
  auto const half_shadow = [](Building const& block, double nx, double ny) {
    auto const [c, s] = direction_cosines(block.rotation);
    return 0.5 * (block.length * std::abs(nx * c + ny * s) + block.width * std::abs(ny * c - nx * s));
  };
  for (Building const* block : {&a, &b}) {
    auto const [c, s] = direction_cosines(block->rotation);
    for (auto const& [nx, ny] : {std::array{c, s}, std::array{-s, c}}) {
      double const distance = std::abs(apart_x * nx + apart_y * ny);
      if (distance >= half_shadow(a, nx, ny) + half_shadow(b, nx, ny) - slack) return false;
    }
  }
  return true;
}

}  // namespace karman::wind
