// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace karman::wind {
namespace {

/// Relative area below which two areas are equal and an overlap is a contact.
constexpr double area_slack = 1e-6;

/// Positions along x where walls meet the line at the height y, in order. No corner is at this height.
void crossings_at(std::span<Wall const> walls, double y, std::vector<double>& x) {
  x.clear();
  for (Wall const& wall : walls) {
    if ((wall.ay > y) == (wall.by > y)) continue;
    x.push_back(wall.ax + (y - wall.ay) / (wall.by - wall.ay) * (wall.bx - wall.ax));
  }
  std::sort(x.begin(), x.end());
}

void append_levels(std::span<Wall const> walls, std::vector<double>& levels) {
  for (Wall const& wall : walls) levels.push_back(wall.ay);
}

void sort_levels(std::vector<double>& levels) {
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
}

/// Twice the area of the triangle (a, b, p): positive where p is on the left. 0 within round-off.
double side(Wall const& wall, double px, double py) {
  double const first = (wall.bx - wall.ax) * (py - wall.ay);
  double const second = (wall.by - wall.ay) * (px - wall.ax);
  double const difference = first - second;
  return std::abs(difference) <= 1e-12 * (std::abs(first) + std::abs(second)) ? 0 : difference;
}

bool boxes_meet(Wall const& p, Wall const& q) {
  return std::min(p.ax, p.bx) <= std::max(q.ax, q.bx) && std::min(q.ax, q.bx) <= std::max(p.ax, p.bx) &&
         std::min(p.ay, p.by) <= std::max(q.ay, q.by) && std::min(q.ay, q.by) <= std::max(p.ay, p.by);
}

/// The point where two walls cross.
std::optional<Point> crossing(Wall const& p, Wall const& q) {
  if (!boxes_meet(p, q)) return std::nullopt;
  double const qa = side(p, q.ax, q.ay);
  double const qb = side(p, q.bx, q.by);
  double const pa = side(q, p.ax, p.ay);
  double const pb = side(q, p.bx, p.by);
  if (!(qa * qb < 0 && pa * pb < 0)) return std::nullopt;
  double const part = pa / (pa - pb);
  return Point{p.ax + part * (p.bx - p.ax), p.ay + part * (p.by - p.ay)};
}

/// Length common to the intervals [a0, a1], [a2, a3], ... and [b0, b1], ... of two sorted lists.
double common_length(std::vector<double> const& a, std::vector<double> const& b) {
  double sum = 0;
  for (std::size_t m = 0, n = 0; m + 1 < a.size() && n + 1 < b.size();) {
    sum += std::max(0.0, std::min(a[m + 1], b[n + 1]) - std::max(a[m], b[n]));
    if (a[m + 1] < b[n + 1]) m += 2;
    else n += 2;
  }
  return sum;
}

std::vector<Wall> walls_of(Ring const& outer, std::vector<Ring> const& holes) {
  std::vector<Wall> walls;
  auto const append = [&](Ring const& ring) {
    for (std::size_t n = 0; n < ring.size(); ++n) {
      Point const& a = ring[n];
      Point const& b = ring[(n + 1) % ring.size()];
      walls.push_back({a[0], a[1], b[0], b[1]});
    }
  };
  append(outer);
  for (Ring const& hole : holes) append(hole);
  return walls;
}

std::string position_text(Point const& point, Point const& origin) {
  char text[80];
  std::snprintf(text, sizeof text, "(%.9g, %.9g)", point[0] + origin[0], point[1] + origin[1]);
  return text;
}

/// Largest extent of a ring, metres.
double extent_of(Ring const& ring) {
  double largest = 0;
  for (Point const& corner : ring)
    largest = std::max({largest, std::abs(corner[0] - ring[0][0]), std::abs(corner[1] - ring[0][1])});
  return largest;
}

}  // namespace

double even_odd_area(std::span<Wall const> walls) {
  std::vector<double> levels, x;
  append_levels(walls, levels);
  sort_levels(levels);
  double area = 0;
  for (std::size_t n = 0; n + 1 < levels.size(); ++n) {
    crossings_at(walls, 0.5 * (levels[n] + levels[n + 1]), x);
    double length = 0;
    for (std::size_t m = 0; m + 1 < x.size(); m += 2) length += x[m + 1] - x[m];
    area += length * (levels[n + 1] - levels[n]);
  }
  return area;
}

double common_area(std::span<Wall const> first, std::span<Wall const> second, double enough) {
  // Between two levels of corners and crossings the common part consists of trapezoids.
  std::vector<double> levels, a, b;
  append_levels(first, levels);
  append_levels(second, levels);
  for (Wall const& p : first) {
    for (Wall const& q : second) {
      if (auto const point = crossing(p, q)) levels.push_back((*point)[1]);
    }
  }
  sort_levels(levels);
  double area = 0;
  for (std::size_t n = 0; n + 1 < levels.size() && area <= enough; ++n) {
    double const middle = 0.5 * (levels[n] + levels[n + 1]);
    crossings_at(first, middle, a);
    if (a.empty()) continue;
    crossings_at(second, middle, b);
    area += common_length(a, b) * (levels[n + 1] - levels[n]);
  }
  return area;
}

std::optional<Point> find_crossing(std::span<Wall const> walls) {
  std::vector<std::size_t> order(walls.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const left = [&](std::size_t n) { return std::min(walls[n].ax, walls[n].bx); };
  std::sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) { return left(p) < left(q); });
  for (std::size_t m = 0; m < order.size(); ++m) {
    Wall const& wall = walls[order[m]];
    double const right = std::max(wall.ax, wall.bx);
    for (std::size_t n = m + 1; n < order.size() && left(order[n]) <= right; ++n) {
      if (auto const point = crossing(wall, walls[order[n]])) return point;
    }
  }
  return std::nullopt;
}

Ring without_repeats(Ring ring) {
  ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
  while (ring.size() > 1 && ring.back() == ring.front()) ring.pop_back();
  return ring;
}

std::string footprint_fault(Ring const& outer, std::vector<Ring> const& holes, Point const& origin) {
  auto const ring_of = [&](std::size_t n) -> Ring const& { return n == 0 ? outer : holes[n - 1]; };
  auto const name_of = [](std::size_t n) { return n == 0 ? "its outline" : "hole " + std::to_string(n - 1); };
  for (std::size_t n = 0; n <= holes.size(); ++n) {
    std::size_t const corners = ring_of(n).size();
    if (corners < 3)
      return name_of(n) + " has " + std::to_string(corners) + " different corners in a row; expected at least 3";
  }
  std::vector<Wall> const walls = walls_of(outer, holes);
  if (auto const point = find_crossing(walls)) return "its walls cross at " + position_text(*point, origin);
  double holes_area = 0;
  for (std::size_t n = 0; n <= holes.size(); ++n) {
    double const extent = extent_of(ring_of(n));
    double const area = std::abs(signed_area(ring_of(n)));
    if (!(area > 1e-12 * extent * extent)) return name_of(n) + " has no area: its corners are on one line";
    if (n > 0) holes_area += area;
  }
  // Crossings through corners leave a difference between the two ways to count the area.
  double const area = std::abs(signed_area(outer));
  std::vector<Wall> const outline = walls_of(outer, {});
  if (std::abs(even_odd_area(outline) - area) > area_slack * area) return "its outline crosses itself in a corner";
  for (std::size_t n = 0; n < holes.size(); ++n) {
    std::vector<Wall> const hole = walls_of(holes[n], {});
    double const hole_area = std::abs(signed_area(holes[n]));
    std::string const name = name_of(n + 1);
    if (std::abs(even_odd_area(hole) - hole_area) > area_slack * hole_area) return name + " crosses itself in a corner";
    if (common_area(outline, hole) < (1 - area_slack) * hole_area) return name + " is not inside the outline";
  }
  if (std::abs(even_odd_area(walls) - (area - holes_area)) > area_slack * area) return "two of its holes overlap";
  return {};
}

}  // namespace karman::wind
