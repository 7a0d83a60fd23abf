// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "zones.hpp"

#include "wind/case/angles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>

namespace karman::wind {
namespace {

constexpr double largest_angle_of_a_frontal_face = 10;  // degrees, between the normal of a frontal face and the wind
constexpr double wake_in_cavity_lengths = 3;

/// Fills in the upwind cavity for the face that the wind meets head on, if there is one.
void add_upwind_cavity(BuildingZones& zone, Building const& building, double angle) {
  double const cosine_limit = direction_cosines(largest_angle_of_a_frontal_face)[0];
  // Outward normals of the four faces relative to the wind: the block's axes and their opposites.
  for (int face = 0; face < 4; ++face) {
    auto const [nx, ny] = direction_cosines(angle + 90.0 * face);
    if (-nx < cosine_limit - 1e-12) continue;
    bool const end_face = face % 2 == 0;
    double const face_width = end_face ? building.width : building.length;
    double const distance = 0.5 * (end_face ? building.length : building.width);
    double const width = face_width * std::abs(nx);
    zone.upwind_length = upwind_cavity_length(width, building.height);
    zone.face_y = distance * ny;
    zone.face_half_width = 0.5 * width;
  }
}

/// Fills in the upwind cavity of the widest run of frontal walls, if there is one. A run may be the
/// nose of a round building.
void add_upwind_cavity(BuildingZones& zone, std::span<WindCorner const> ring, double height) {
  double const cosine_limit = direction_cosines(largest_angle_of_a_frontal_face)[0];
  // The wall from corner n is frontal if its outward normal, (dy, -dx) / length, points against the wind.
  auto const is_frontal = [&](std::size_t n) {
    WindCorner const& a = ring[n];
    WindCorner const& b = ring[(n + 1) % ring.size()];
    double const length = std::hypot(b.x - a.x, b.y - a.y);
    return length > 0 && (a.y - b.y) / length >= cosine_limit - 1e-12;
  };
  double widest = 0;
  for (std::size_t first = 0; first < ring.size(); ++first) {
    if (!is_frontal(first) || is_frontal((first + ring.size() - 1) % ring.size())) continue;
    std::size_t end = first;
    while (is_frontal(end)) end = (end + 1) % ring.size();
    double const width = ring[first].y - ring[end].y;
    if (width <= widest) continue;
    widest = width;
    zone.upwind_length = upwind_cavity_length(width, height);
    zone.face_y = 0.5 * (ring[first].y + ring[end].y);
    zone.face_half_width = 0.5 * width;
  }
}

/// Outer ring of a polygon in wind-aligned coordinates relative to the middle of its wind-aligned box, appended to
/// `corners`. Sets the centre, the range of corners, and the half extents.
void append_corners(BuildingZones& zone, Building const& building, std::array<double, 2> const& heading,
                    std::vector<WindCorner>& corners) {
  auto const [hx, hy] = heading;
  WindCorner low{1e300, 1e300}, high{-1e300, -1e300};
  zone.first_corner = static_cast<int>(corners.size());
  for (auto const& [x, y] : building.footprint->outer()) {
    corners.push_back({x * hx + y * hy, y * hx - x * hy});
    low = {std::min(low.x, corners.back().x), std::min(low.y, corners.back().y)};
    high = {std::max(high.x, corners.back().x), std::max(high.y, corners.back().y)};
  }
  zone.last_corner = static_cast<int>(corners.size());
  WindCorner const middle{0.5 * (low.x + high.x), 0.5 * (low.y + high.y)};
  for (std::size_t n = static_cast<std::size_t>(zone.first_corner); n < corners.size(); ++n)
    corners[n] = {corners[n].x - middle.x, corners[n].y - middle.y};
  zone.x += middle.x;
  zone.y += middle.y;
  zone.cosine = 1;
  zone.sine = 0;
  zone.half_length = 0.5 * (high.x - low.x);
  zone.half_width = 0.5 * (high.y - low.y);
}

/// Zones of one building; the corners of a polygon are appended to `corners`.
BuildingZones make_zones(Building const& building, WindCase const& wind_case, std::vector<WindCorner>& corners) {
  auto const [hx, hy] = wind_case.profile.heading();
  double const angle = building.rotation - heading_degrees(wind_case.profile.direction);
  auto const [c, s] = direction_cosines(angle);
  BuildingZones zone;
  zone.x = building.x * hx + building.y * hy;
  zone.y = building.y * hx - building.x * hy;
  zone.cosine = c;
  zone.sine = s;
  zone.half_length = 0.5 * building.length;
  zone.half_width = 0.5 * building.width;
  zone.base = building.base;
  zone.height = building.height;
  zone.roof_speed = wind_case.profile.speed_at(building.top());
  if (building.footprint) append_corners(zone, building, {hx, hy}, corners);
  bool const rectangle = building.is_rectangle();
  double const extent_along =
      rectangle ? building.length * std::abs(c) + building.width * std::abs(s) : 2 * zone.half_length;
  double const extent_across =
      rectangle ? building.length * std::abs(s) + building.width * std::abs(c) : 2 * zone.half_width;
  double const area = building.area();
  zone.half_extent = 0.5 * extent_across;
  if (wind_case.parameterisations.upwind_cavity) {
    if (rectangle) {
      add_upwind_cavity(zone, building, angle);
    } else {
      add_upwind_cavity(zone, std::span(corners).subspan(static_cast<std::size_t>(zone.first_corner)), building.height);
    }
  }
  if (wind_case.parameterisations.wake) {
    zone.cavity_length = cavity_length(area / extent_across, area / extent_along, building.height);
  }
  zone.front = zone.x - 0.5 * extent_along - zone.upwind_length;
  zone.rear = zone.x + 0.5 * extent_along + wake_in_cavity_lengths * zone.cavity_length;
  return zone;
}

/// True if the two overlap in the strip of wind-aligned y and in height, and `other` extends into the zones.
bool may_obstruct(BuildingZones const& zone, BuildingZones const& other) {
  double const reach = std::hypot(other.half_length, other.half_width);
  return std::abs(zone.y - other.y) <= zone.half_extent + other.half_extent && other.x + reach >= zone.front &&
         other.x - reach <= zone.rear && other.base < zone.base + zone.height && zone.base < other.base + other.height;
}

ZoneTiles make_tiles(std::vector<BuildingZones> const& zones, WindCase const& wind_case) {
  constexpr int cells_a_tile = 16;
  UniformGrid const& grid = wind_case.grid;
  auto const [hx, hy] = wind_case.profile.heading();
  ZoneTiles tiles;
  tiles.tile_size_x = cells_a_tile * grid.dx();
  tiles.tile_size_y = cells_a_tile * grid.dy();
  tiles.tiles_x = (grid.nx() + cells_a_tile - 1) / cells_a_tile;
  tiles.tiles_y = (grid.ny() + cells_a_tile - 1) / cells_a_tile;
  // The upright box around the wind-aligned box of all zones of a building, in tiles.
  auto const range = [&](BuildingZones const& zone) {
    double x_low = 1e300, x_high = -1e300, y_low = 1e300, y_high = -1e300;
    for (double wx : {zone.front, zone.rear}) {
      for (double wy : {zone.y - zone.half_extent, zone.y + zone.half_extent}) {
        double const px = wx * hx - wy * hy;
        double const py = wx * hy + wy * hx;
        x_low = std::min(x_low, px);
        x_high = std::max(x_high, px);
        y_low = std::min(y_low, py);
        y_high = std::max(y_high, py);
      }
    }
    auto const tile = [](double position, double size, int count) {
      return static_cast<int>(std::clamp(std::floor(position / size), 0.0, count - 1.0));
    };
    double const slack = 1e-6 * (grid.dx() + grid.dy());
    return std::array{
        tile(x_low - slack, tiles.tile_size_x, tiles.tiles_x), tile(x_high + slack, tiles.tile_size_x, tiles.tiles_x),
        tile(y_low - slack, tiles.tile_size_y, tiles.tiles_y), tile(y_high + slack, tiles.tile_size_y, tiles.tiles_y)};
  };
  tiles.starts.assign(static_cast<std::size_t>(tiles.tiles_x) * static_cast<std::size_t>(tiles.tiles_y) + 1, 0);
  auto const for_each_tile = [&](BuildingZones const& zone, auto&& action) {
    auto const [i0, i1, j0, j1] = range(zone);
    for (int j = j0; j <= j1; ++j) {
      for (int i = i0; i <= i1; ++i)
        action(static_cast<std::size_t>(j) * static_cast<std::size_t>(tiles.tiles_x) + static_cast<std::size_t>(i));
    }
  };
  for (BuildingZones const& zone : zones) for_each_tile(zone, [&](std::size_t t) { ++tiles.starts[t + 1]; });
  std::partial_sum(tiles.starts.begin(), tiles.starts.end(), tiles.starts.begin());
  tiles.candidates.resize(static_cast<std::size_t>(tiles.starts.back()));
  std::vector<std::int64_t> next(tiles.starts.begin(), tiles.starts.end() - 1);
  for (std::size_t b = 0; b < zones.size(); ++b) {
    for_each_tile(zones[b],
                  [&](std::size_t t) { tiles.candidates[static_cast<std::size_t>(next[t]++)] = static_cast<int>(b); });
  }
  return tiles;
}

}  // namespace

double upwind_cavity_length(double width, double height) { return 2 * width / (1 + 0.8 * width / height); }

double cavity_length(double length, double width, double height) {
  double const l = std::clamp(length / height, 0.3, 3.0);
  double const w = std::min(width / height, 10.0);
  return height * 1.8 * w / (std::pow(l, 0.3) * (1 + 0.24 * w));
}

ZonePlan plan_zones(WindCase const& wind_case) {
  ZonePlan plan;
  auto const [hx, hy] = wind_case.profile.heading();
  plan.heading_x = hx;
  plan.heading_y = hy;
  std::vector<Building> lowest_first;
  std::copy_if(wind_case.buildings.begin(), wind_case.buildings.end(), std::back_inserter(lowest_first),
               [](Building const& building) { return building.has_zones(); });
  std::stable_sort(lowest_first.begin(), lowest_first.end(),
                   [](Building const& a, Building const& b) { return a.top() < b.top(); });
  for (Building const& building : lowest_first) plan.zones.push_back(make_zones(building, wind_case, plan.corners));
  for (std::size_t b = 0; b < plan.zones.size(); ++b) {
    plan.zones[b].first_obstacle = static_cast<int>(plan.obstacles.size());
    for (std::size_t o = 0; o < plan.zones.size(); ++o) {
      if (o != b && may_obstruct(plan.zones[b], plan.zones[o])) plan.obstacles.push_back(static_cast<int>(o));
    }
    plan.zones[b].last_obstacle = static_cast<int>(plan.obstacles.size());
  }
  plan.tiles = make_tiles(plan.zones, wind_case);
  return plan;
}

ZoneTable table_of(ZonePlan const& plan) {
  ZoneTable table;
  table.zones = plan.zones.data();
  table.corners = plan.corners.data();
  table.obstacles = plan.obstacles.data();
  table.tile_starts = plan.tiles.starts.data();
  table.candidates = plan.tiles.candidates.data();
  table.tile_size_x = plan.tiles.tile_size_x;
  table.tile_size_y = plan.tiles.tile_size_y;
  table.tiles_x = plan.tiles.tiles_x;
  table.tiles_y = plan.tiles.tiles_y;
  table.heading_x = plan.heading_x;
  table.heading_y = plan.heading_y;
  return table;
}

}  // namespace karman::wind
