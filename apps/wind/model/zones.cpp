// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "zones.hpp"

#include "vegetation_plan.hpp"
#include "wall_faces.hpp"
#include "wind/case/buildings/box_tree.hpp"
#include "wind/case/wind/angles.hpp"
#include "wind/case/wind/sensor_wind.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace karman::wind {
namespace {

constexpr double wake_in_cavity_lengths = 3;

/// Extents of a footprint along and across the wind, and its area.
struct WindExtents {
  double along = 0, across = 0, area = 0;
};

WindExtents wind_extents(BuildingZones const& zone, Building const& building) {
  if (!building.is_rectangle()) return {2 * zone.half_length, 2 * zone.half_width, building.area()};
  double const c = std::abs(zone.cosine);
  double const s = std::abs(zone.sine);
  return {building.length * c + building.width * s, building.length * s + building.width * c, building.area()};
}

/// Outer ring of a polygon in wind-aligned coordinates relative to the middle of its wind-aligned box, appended to
/// `corners`. Sets the centre, the range of corners, and the half extents.
void append_corners(BuildingZones& zone, Building const& building, std::array<double, 2> const& heading,
                    std::vector<WindCorner>& corners) {
  auto const [hx, hy] = heading;
  WindCorner low{1e300, 1e300}, high{-1e300, -1e300};
  zone.first_corner = static_cast<int>(corners.size());
  for (auto const& [x, y] : building.footprint.outer()) {
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

/// Zones of one building without their extents: footprint, heights, speed at the roof. The corners of a polygon are
/// appended to `corners`.
BuildingZones make_footprint(Building const& building, Profile const& profile, Parameterisations const& settings,
                             std::vector<WindCorner>& corners) {
  auto const [hx, hy] = profile.heading();
  auto const [c, s] = direction_cosines(building.rotation - heading_degrees(profile.direction));
  BuildingZones zone;
  zone.x = building.x * hx + building.y * hy;
  zone.y = building.y * hx - building.x * hy;
  zone.cosine = c;
  zone.sine = s;
  zone.half_length = 0.5 * building.length;
  zone.half_width = 0.5 * building.width;
  zone.base = building.base;
  zone.height = building.height;
  zone.ground = building.ground;
  zone.deck = settings.bridge && building.deck;
  zone.roof_speed = profile.speed_at(building.roof_height() - (zone.deck ? 0.5 * building.height : 0));
  if (!building.is_rectangle()) append_corners(zone, building, {hx, hy}, corners);
  return zone;
}

/// Grows the box of all zones of a building to hold a point.
void extend_box(BuildingZones& zone, double x, double y) {
  zone.front = std::min(zone.front, x);
  zone.rear = std::max(zone.rear, x);
  zone.right = std::min(zone.right, y);
  zone.left = std::max(zone.left, y);
}

void extend_box(BuildingZones& zone, SideWall const& wall) {
  double const reach = std::max(wall.length, wall.vortex_length);
  double const width = std::max(wall.vortex_width, layer_height(wall.length, wall.vortex_length, wall.vortex_width));
  for (double along : {0.0, reach}) {
    for (double away : {0.0, width}) {
      extend_box(zone, wall.x + along * wall.tangent_x + away * wall.normal_x,
                 wall.y + along * wall.tangent_y + away * wall.normal_y);
    }
  }
}

/// Appends the zones of the walls of a building to the lists of a plan.
template <class Zone>
ZoneRange append(std::vector<Zone>& list, std::vector<Zone> const& zones) {
  ZoneRange range;
  range.first = static_cast<int>(list.size());
  list.insert(list.end(), zones.begin(), zones.end());
  range.last = static_cast<int>(list.size());
  return range;
}

/// L_r of a building, for its own zones and for canyons behind it.
double recirculation_length(Building const& building, WindExtents const& extents, Parameterisations const& settings) {
  double const length = extents.area / extents.across;
  double const width = extents.area / extents.along;
  double const height = settings.bridge && building.deck ? 0.5 * building.height : building.height;
  return settings.high_rise ? high_rise_cavity_length(length, width, height) : cavity_length(length, width, height);
}

/// Completes the zones of a building. Zones of single walls are appended to the lists of the plan.
void add_zones(BuildingZones& zone, std::vector<WallFace> const& walls, double recirculation,
               WindExtents const& extents, Parameterisations const& settings, ZonePlan& plan) {
  zone.half_extent = 0.5 * extents.across;
  zone.upwind_edge = zone.front = zone.x - 0.5 * extents.along;
  zone.lee_edge = zone.rear = zone.x + 0.5 * extents.along;
  zone.right = zone.y - zone.half_extent;
  zone.left = zone.y + zone.half_extent;
  double const scale = separation_scale(extents.area / extents.along, zone.height);

  zone.faces = append(plan.faces, frontal_faces(walls, zone.flow_height(), settings));
  for (int f = zone.faces.first; f < zone.faces.last; ++f) {
    zone.front = std::min(zone.front, zone.upwind_edge - plan.faces[static_cast<std::size_t>(f)].cavity_length);
  }
  if (settings.wake) {
    zone.cavity_length = recirculation;
    zone.rear = zone.lee_edge + wake_in_cavity_lengths * recirculation;
  } else if (settings.street_canyon) {
    zone.rear = zone.lee_edge + recirculation;
  }
  if (settings.sidewall) zone.side_walls = append(plan.side_walls, side_walls(walls, scale, settings));
  for (int w = zone.side_walls.first; w < zone.side_walls.last; ++w) {
    extend_box(zone, plan.side_walls[static_cast<std::size_t>(w)]);
  }
  if (settings.rooftop != RooftopModel::off) {
    zone.rooftop_length = settings.rooftop_length * scale;
    zone.rooftop_height = settings.rooftop_height * scale;
  }
}

/// Courts of a building; their rings are appended to the corners, relative to the centre of the zones.
std::vector<Court> make_courts(Building const& building, BuildingZones const& zone,
                               std::array<double, 2> const& heading, std::vector<WindCorner>& corners) {
  auto const [hx, hy] = heading;
  std::vector<Court> courts;
  for (Ring const& hole : building.holes()) {
    Court court;
    court.first_corner = static_cast<int>(corners.size());
    double front = 1e300, right = 1e300, left = -1e300;
    for (auto const& [x, y] : hole) {
      WindCorner const corner{x * hx + y * hy - zone.x, y * hx - x * hy - zone.y};
      corners.push_back(corner);
      front = std::min(front, zone.x + corner.x);
      right = std::min(right, zone.y + corner.y);
      left = std::max(left, zone.y + corner.y);
    }
    court.last_corner = static_cast<int>(corners.size());
    court.y = 0.5 * (right + left);
    court.half_width = 0.5 * (left - right);
    // The wing upwind of the court has the length along the wind.
    court.cavity_length = cavity_length(front - zone.upwind_edge, left - right, zone.height);
    courts.push_back(court);
  }
  return courts;
}

/// Height between the slabs of a garage, which follow its envelope in the list of buildings; 0 for other buildings.
/// Precondition: `building` is one of the list.
double clear_height(Building const& building, std::vector<Building> const& all) {
  if (building.part != Part::envelope) return 0;
  int storeys = 0;
  double thickness = 0;
  Building const* const end = all.data() + all.size();
  for (Building const* slab = &building + 1; slab != end && slab->entry == building.entry; ++slab) {
    if (slab->part != Part::solid) continue;
    ++storeys;
    thickness = slab->height;
  }
  return storeys > 0 ? building.height / storeys - thickness : 0;
}

/// True if `other` extends into the zones in height and along the wind.
bool may_obstruct(BuildingZones const& zone, BuildingZones const& other) {
  return other.lee_edge >= zone.front && other.upwind_edge <= zone.rear && other.base < zone.top() &&
         zone.base < other.top();
}

/// For each building the others that share a line of the wind and may lie in its zones, in rising order.
std::vector<std::vector<int>> find_obstacles(std::vector<BuildingZones> const& zones) {
  std::vector<PlanBox> footprints;
  footprints.reserve(zones.size());
  for (BuildingZones const& zone : zones) {
    footprints.push_back({{zone.upwind_edge, zone.y - zone.half_extent}, {zone.lee_edge, zone.y + zone.half_extent}});
  }
  BoxTree const tree(footprints);
  std::vector<std::vector<int>> obstacles(zones.size());
  for (std::size_t a = 0; a < zones.size(); ++a) {
    PlanBox const reach{{zones[a].front, footprints[a].low[1]}, {zones[a].rear, footprints[a].high[1]}};
    tree.visit_meeting(reach, [&](std::size_t b) {
      if (b != a && may_obstruct(zones[a], zones[b])) obstacles[a].push_back(static_cast<int>(b));
      return false;
    });
    std::sort(obstacles[a].begin(), obstacles[a].end());
  }
  return obstacles;
}

/// The wind between the sensors of a case; none for one wind over the domain.
std::optional<SensorWind> sensor_wind(WindCase const& wind_case) {
  if (wind_case.sensors.empty()) return std::nullopt;
  return SensorWind(wind_case.sensors, wind_case.sensor_passes);
}

/// Undisturbed speed between sensors over the centre of a building.
double speed_at(SensorWind const& wind, BuildingZones const& zone, ZonePlan const& plan, double height) {
  return speed_of(wind.velocity(zone.x * plan.heading_x - zone.y * plan.heading_y,
                                zone.x * plan.heading_y + zone.y * plan.heading_x, height));
}

/// Undisturbed speed over the ground at a height, at the centre of the lowest layer above another.
double speed_above(double height, BuildingZones const& zone, ZonePlan const& plan, Profile const& profile,
                   std::optional<SensorWind> const& sensors) {
  auto const above = std::upper_bound(plan.layer_center.begin(), plan.layer_center.end(), height);
  auto const layer = std::min(static_cast<std::size_t>(above - plan.layer_center.begin()), plan.layer_speed.size() - 1);
  if (sensors) return speed_at(*sensors, zone, plan, plan.layer_center[layer] - zone.ground);
  return zone.ground == 0 ? plan.layer_speed[layer] : profile.speed_at(plan.layer_center[layer] - zone.ground);
}

/// Canyons between the building `upwind` and the buildings downwind of it. Their walls are appended to `found`.
std::vector<StreetCanyon> find_canyons(std::size_t upwind, std::vector<int> const& obstacles,
                                       std::vector<std::vector<WallFace>> const& walls, double recirculation,
                                       ZonePlan const& plan, WindCase const& wind_case,
                                       std::optional<SensorWind> const& sensors, std::vector<CanyonWalls>& found) {
  Parameterisations const& settings = wind_case.parameterisations;
  BuildingZones const& zone = plan.zones[upwind];
  std::vector<StreetCanyon> canyons;
  for (int const o : obstacles) {
    BuildingZones const& other = plan.zones[static_cast<std::size_t>(o)];
    if (other.lee_edge < zone.upwind_edge || other.upwind_edge > zone.lee_edge + recirculation) continue;
    double const bottom = std::max(zone.base, other.base);
    double const top = std::min(zone.top(), other.top());
    for (WallFace const& lee : walls[upwind]) {
      for (WallFace const& downwind : walls[static_cast<std::size_t>(o)]) {
        auto canyon = canyon_between(lee, downwind, recirculation, settings);
        if (!canyon) continue;
        canyon->bottom = bottom;
        // Round-off must not decide about the faces of cells at the very top.
        canyon->top = top - 1e-9 * (top - bottom);
        canyon->least_ratio = other.top() < zone.top() ? settings.canyon_least_ratio : 0;
        canyon->reference_speed = speed_above(top, zone, plan, wind_case.profile, sensors);
        canyon->downwind_building = o;
        canyons.push_back(*canyon);
        found.push_back({lee, downwind, bottom, canyon->top});
      }
    }
  }
  return canyons;
}

/// Appends crossings to the plan, and extends the list of the box of the building.
void add_crossings(BuildingZones& zone, std::vector<Crossing> const& crossings, ZonePlan& plan) {
  zone.crossings = append(plan.crossings, crossings);
  for (Crossing const& c : crossings) {
    // The corners of the parallelogram: steps along the walls that gain the widths of both streets.
    double const sine = c.first_normal_x * c.second_normal_y - c.first_normal_y * c.second_normal_x;
    for (double first : {0.0, c.first_width}) {
      for (double second : {0.0, c.second_width}) {
        extend_box(zone, c.x + (first * c.second_normal_y - second * c.first_normal_y) / sine,
                   c.y + (second * c.first_normal_x - first * c.second_normal_x) / sine);
      }
    }
  }
}

ZoneSettings make_settings(Parameterisations const& settings) {
  ZoneSettings result;
  result.upwind_model = settings.upwind_model;
  result.upwind_inner = settings.upwind_inner;
  result.cavity_decay = settings.cavity_decay;
  result.wake_offset = settings.wake_offset;
  result.wall_roughness = settings.wall_roughness;
  result.canyon_mixing = settings.canyon_mixing;
  result.garage_friction = settings.garage_friction;
  result.crossings = settings.intersection && settings.street_canyon;
  result.courts = settings.courtyard;
  result.garages = settings.garage;
  result.canyons = settings.street_canyon;
  result.side_walls = settings.sidewall;
  result.rooftops = settings.rooftop != RooftopModel::off;
  bool const upwind_vortex = settings.upwind_cavity && settings.upwind_model != UpwindModel::roeckle &&
                             settings.upwind_inner == UpwindInner::vortex;
  result.vertical = upwind_vortex || settings.street_canyon;
  return result;
}

std::vector<WindBox> boxes_of(std::vector<BuildingZones> const& zones) {
  std::vector<WindBox> boxes;
  for (BuildingZones const& zone : zones) boxes.push_back({zone.front, zone.rear, zone.right, zone.left});
  return boxes;
}

}  // namespace

ZonePlan plan_zones(WindCase const& wind_case) {
  Parameterisations const& settings = wind_case.parameterisations;
  ZonePlan plan;
  auto const heading = wind_case.profile.heading();
  plan.heading_x = heading[0];
  plan.heading_y = heading[1];
  plan.settings = make_settings(settings);
  for (int k = 0; k < wind_case.grid.nz(); ++k) {
    plan.layer_center.push_back(wind_case.grid.z_center(k));
    plan.layer_speed.push_back(wind_case.profile.speed_at(wind_case.grid.z_center(k)));
  }
  std::vector<Building const*> lowest_first;
  std::size_t corners = 0;
  for (Building const& building : wind_case.buildings) {
    if (!building.has_zones()) continue;
    lowest_first.push_back(&building);
    corners += building.footprint.corner_count();
  }
  std::stable_sort(lowest_first.begin(), lowest_first.end(),
                   [](Building const* a, Building const* b) { return a->top() < b->top(); });
  plan.zones.reserve(lowest_first.size());
  plan.corners.reserve(corners);
  auto const sensors = sensor_wind(wind_case);
  std::vector<std::vector<WallFace>> walls;
  std::vector<double> recirculation;
  for (Building const* const next : lowest_first) {
    Building const& building = *next;
    BuildingZones zone = make_footprint(building, wind_case.profile, settings, plan.corners);
    if (sensors) zone.roof_speed = speed_at(*sensors, zone, plan, building.roof_height());
    WindExtents const extents = wind_extents(zone, building);
    std::vector<WallFace> faces = wall_faces(building, heading);
    recirculation.push_back(recirculation_length(building, extents, settings));
    add_zones(zone, faces, recirculation.back(), extents, settings, plan);
    if (settings.street_canyon) {
      // Kept for the canyons: in a city they are most of the memory of the plan.
      faces.shrink_to_fit();
      walls.push_back(std::move(faces));
    }
    if (settings.courtyard) zone.courts = append(plan.courts, make_courts(building, zone, heading, plan.corners));
    if (settings.garage) zone.clear_height = clear_height(building, wind_case.buildings);
    plan.zones.push_back(zone);
  }
  auto const obstacles = find_obstacles(plan.zones);
  for (std::size_t b = 0; b < plan.zones.size(); ++b) {
    plan.zones[b].obstacles = append(plan.obstacles, obstacles[b]);
    if (settings.street_canyon) {
      std::vector<CanyonWalls> found;
      plan.zones[b].canyons =
          append(plan.canyons, find_canyons(b, obstacles[b], walls, recirculation[b], plan, wind_case, sensors, found));
      if (settings.intersection) add_crossings(plan.zones[b], find_crossings(found), plan);
    }
  }
  plan.tiles = make_tiles(boxes_of(plan.zones), wind_case);
  plan.vegetation = plan_vegetation(wind_case, plan.zones);
  return plan;
}

ZoneTable table_of(ZonePlan const& plan) {
  ZoneTable table;
  table.zones = plan.zones.data();
  table.corners = plan.corners.data();
  table.obstacles = plan.obstacles.data();
  table.faces = plan.faces.data();
  table.canyons = plan.canyons.data();
  table.side_walls = plan.side_walls.data();
  table.courts = plan.courts.data();
  table.crossings = plan.crossings.data();
  table.tile_starts = plan.tiles.starts.data();
  table.candidates = plan.tiles.candidates.data();
  table.layer_center = plan.layer_center.data();
  table.layer_speed = plan.layer_speed.data();
  table.layers = static_cast<int>(plan.layer_center.size());
  table.settings = plan.settings;
  table.tile_size_x = plan.tiles.tile_size_x;
  table.tile_size_y = plan.tiles.tile_size_y;
  table.tiles_x = plan.tiles.tiles_x;
  table.tiles_y = plan.tiles.tiles_y;
  table.heading_x = plan.heading_x;
  table.heading_y = plan.heading_y;
  if (plan.vegetation.plants.empty()) return table;
  auto const zones_of = [](PlantZones const& zones) {
    return PlantZoneTable{zones.boxes.data(), zones.tiles.starts.data(), zones.tiles.candidates.data()};
  };
  table.vegetation = {plan.vegetation.plants.data(),
                      {plan.vegetation.corners.data(), plan.vegetation.ring_ends.data()},
                      plan.vegetation.obstacles.data(),
                      zones_of(plan.vegetation.over),
                      zones_of(plan.vegetation.behind)};
  return table;
}

}  // namespace karman::wind
