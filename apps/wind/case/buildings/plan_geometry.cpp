// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_geometry.hpp"

#include "wind/case/wind/rising_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace karman::wind {
namespace {

/// Relative area below which two areas are equal and an overlap is a contact.
constexpr double area_slack = 1e-6;
/// Greatest coordinate of a corner, metres.
constexpr double farthest = 1e9;

void append_levels(std::span<Wall const> walls, std::vector<double>& levels) {
  for (Wall const& wall : walls) levels.insert(levels.end(), {wall.ay, wall.by});
}

/// Appends the heights where walls of one polygon cross walls of another, both in the order of their lower ends.
void append_crossings(std::span<Wall const> first, std::span<Wall const> second, std::vector<double>& levels) {
  std::vector<Wall> met_of_first, met_of_second;
  auto const meet = [&](Wall const& wall, std::vector<Wall>& others) {
    double const bottom = RisingLine::lower(wall);
    std::erase_if(others, [&](Wall const& other) { return RisingLine::upper(other) < bottom; });
    for (Wall const& other : others) {
      if (auto const point = crossing(wall, other)) levels.push_back((*point)[1]);
    }
  };
  for (std::size_t m = 0, n = 0; m < first.size() || n < second.size();) {
    bool const takes_first =
        n == second.size() || (m < first.size() && RisingLine::lower(first[m]) <= RisingLine::lower(second[n]));
    Wall const& wall = takes_first ? first[m++] : second[n++];
    meet(wall, takes_first ? met_of_second : met_of_first);
    (takes_first ? met_of_first : met_of_second).push_back(wall);
  }
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

double common_area(std::span<Wall const> first, std::span<Wall const> second, double enough) {
  if (first.empty() || second.empty()) return 0;
  auto const range = [](std::span<Wall const> walls) {
    std::array<double, 2> result{walls.front().ay, walls.front().ay};
    for (Wall const& wall : walls) {
      result[0] = std::min(result[0], RisingLine::lower(wall));
      result[1] = std::max(result[1], RisingLine::upper(wall));
    }
    return result;
  };
  auto const a_range = range(first), b_range = range(second);
  double const bottom = std::max(a_range[0], b_range[0]), top = std::min(a_range[1], b_range[1]);
  RisingLine a_line(first, bottom, top), b_line(second, bottom, top);
  // Between two levels of corners and crossings the common part consists of trapezoids.
  std::vector<double> levels{bottom, top}, a, b;
  append_levels(a_line.walls(), levels);
  append_levels(b_line.walls(), levels);
  append_crossings(a_line.walls(), b_line.walls(), levels);
  std::erase_if(levels, [&](double y) { return y < bottom || y > top; });
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  double area = 0;
  for (std::size_t n = 0; n + 1 < levels.size() && area <= enough; ++n) {
    double const middle = 0.5 * (levels[n] + levels[n + 1]);
    a_line.positions_at(middle, a);
    b_line.positions_at(middle, b);
    area += common_length(a, b) * (levels[n + 1] - levels[n]);
  }
  return area;
}

Ring without_repeats(Ring ring) {
  ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
  while (ring.size() > 1 && ring.back() == ring.front()) ring.pop_back();
  return ring;
}

bool has_area(Ring const& ring) {
  if (ring.size() < 3) return false;
  Point const& first = ring.front();
  Point const& far = *std::max_element(ring.begin(), ring.end(), [&](Point const& a, Point const& b) {
    return std::hypot(a[0] - first[0], a[1] - first[1]) < std::hypot(b[0] - first[0], b[1] - first[1]);
  });
  double const extent = extent_of(ring);
  return std::any_of(ring.begin(), ring.end(), [&](Point const& corner) {
    double const twice = (far[0] - first[0]) * (corner[1] - first[1]) - (corner[0] - first[0]) * (far[1] - first[1]);
    return std::abs(twice) > 2e-12 * extent * extent;
  });
}

bool all_finite(std::vector<Ring> const& rings) {
  return std::all_of(rings.begin(), rings.end(), [](Ring const& ring) {
    return std::all_of(ring.begin(), ring.end(),
                       [](Point const& corner) { return std::isfinite(corner[0]) && std::isfinite(corner[1]); });
  });
}

std::string footprint_fault(Ring const& outer, std::vector<Ring> const& holes, Point const& origin) {
  auto const ring_of = [&](std::size_t n) -> Ring const& { return n == 0 ? outer : holes[n - 1]; };
  auto const name_of = [](std::size_t n) { return n == 0 ? "its outline" : "hole " + std::to_string(n - 1); };
  for (std::size_t n = 0; n <= holes.size(); ++n) {
    std::size_t const corners = ring_of(n).size();
    if (corners < 3)
      return name_of(n) + " has " + std::to_string(corners) + " different corners in a row; expected at least 3";
    for (Point const& corner : ring_of(n)) {
      if (std::abs(corner[0]) <= farthest && std::abs(corner[1]) <= farthest) continue;
      return name_of(n) + " has a corner at " + position_text(corner, origin) + "; expected positions within 1e9 m";
    }
  }
  std::vector<Wall> const walls = walls_of(outer, holes);
  if (auto const point = find_crossing(walls)) return "its walls cross at " + position_text(*point, origin);
  std::vector<double> areas;
  for (std::size_t n = 0; n <= holes.size(); ++n) {
    double const extent = extent_of(ring_of(n));
    areas.push_back(std::abs(signed_area(ring_of(n))));
    if (!(areas[n] > 1e-12 * extent * extent)) return name_of(n) + " has no area: its corners are on one line";
  }
  // Crossings through corners leave a difference between the two ways to count the area.
  for (std::size_t n = 0; n <= holes.size(); ++n) {
    double const even_odd = even_odd_area(walls_of(ring_of(n), {}));
    if (std::abs(even_odd - areas[n]) > area_slack * areas[n]) return name_of(n) + " crosses itself in a corner";
  }
  // So do the parts of holes that are outside of the outline or in another hole: each counts twice. The even-odd rule
  // over the outline and some holes has the area of the outline without theirs.
  auto const agrees = [&](std::span<std::size_t const> chosen) {
    std::vector<Ring> rings;
    double expected = areas[0], smallest = areas[0];
    for (std::size_t const hole : chosen) {
      rings.push_back(holes[hole]);
      expected -= areas[hole + 1];
      smallest = std::min(smallest, areas[hole + 1]);
    }
    double const slack = std::max(area_slack * smallest, 1e-9 * areas[0]);
    return std::abs(even_odd_area(walls_of(outer, rings)) - expected) <= slack;
  };
  if (holes.empty()) return {};
  std::vector<std::size_t> all(holes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (agrees(all)) {
    double const left = areas[0] - std::accumulate(areas.begin() + 1, areas.end(), 0.0);
    return left > area_slack * areas[0] ? "" : "its holes leave no area";
  }
  // The first hole that is wrong after those before it.
  std::size_t good = 0, wrong = all.size();
  while (wrong - good > 1) {
    std::size_t const middle = good + (wrong - good) / 2;
    (agrees(std::span(all).first(middle)) ? good : wrong) = middle;
  }
  bool const is_inside = agrees(std::span(all).subspan(good, 1));
  return is_inside ? "two of its holes overlap" : name_of(wrong) + " is not inside the outline";
}

}  // namespace karman::wind
