// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plausibility.hpp"

#include "common/case/texts.hpp"
#include "wind/case/buildings/ground_buildings.hpp"
#include "wind/case/buildings/inside_building.hpp"
#include "wind/case/buildings/zone_lengths.hpp"
#include "wind/case/wind/angles.hpp"
#include "wind/case/wind/sensor_wind.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

namespace karman::wind {
namespace {

using app::formatted;

/// A side of the domain, with its outward normal.
struct Side {
  char const* name;
  double x, y;
};
constexpr std::array<Side, 4> sides{{{"west", -1, 0}, {"east", 1, 0}, {"south", 0, -1}, {"north", 0, 1}}};

/// The role of a side: within 60 degrees of the wind or against it, else along it.
char const* role_of(Side const& side, std::array<double, 2> const& heading) {
  double const cosine = side.x * heading[0] + side.y * heading[1];
  double const limit = 0.5;
  return cosine >= limit ? "downwind" : cosine <= -limit ? "upwind" : "lateral";
}

/// Distance of a point, given from the domain's corner, to a side; negative outside.
double distance_to(Side const& side, UniformGrid const& grid, double x, double y) {
  if (side.x < 0) return x;
  if (side.x > 0) return grid.nx() * grid.dx() - x;
  if (side.y < 0) return y;
  return grid.ny() * grid.dy() - y;
}

/// Distance of the footprint to a side.
double distance_to(Side const& side, UniformGrid const& grid, Building const& building) {
  auto const [ex, ey] = building.half_extents();
  return distance_to(side, grid, building.x, building.y) - (side.x != 0 ? ex : ey);
}

/// The worst of the buildings that break a rule, and their number.
struct Worst {
  Building const* building = nullptr;
  std::size_t side = 0;
  double value = std::numeric_limits<double>::infinity();
  int count = 0;

  void consider(Building const& candidate, double found, std::size_t at_side = 0) {
    ++count;
    if (!(found < value)) return;
    building = &candidate;
    value = found;
    side = at_side;
  }

  /// " (and 3 more)", or nothing.
  std::string others() const { return count > 1 ? formatted(" (and %d more)", count - 1) : std::string(); }
};

void check_lid(WindCase const& wind_case, BuildingName const& name_of, std::vector<std::string>& warnings) {
  UniformGrid const& grid = wind_case.grid;
  auto const highest = std::max_element(wind_case.buildings.begin(), wind_case.buildings.end(),
                                        [](Building const& a, Building const& b) { return a.top() < b.top(); });
  // Heights above the lowest ground.
  double const ground = wind_case.terrain.lowest();
  double const lid = grid.z_face(grid.nz()) - ground;
  double const hill = wind_case.terrain.highest() - ground;
  double const roof = highest == wind_case.buildings.end() ? 0 : highest->top() - ground;
  bool const of_roof = least_lid * roof >= least_lid_over_hills * hill;
  double const times = of_roof ? least_lid : least_lid_over_hills;
  double const obstacle = of_roof ? roof : hill;
  if (lid >= times * obstacle) return;
  if (!wind_case.terrain.empty()) {
    warnings.push_back(formatted("the domain top, %g m above the lowest ground, is less than %g times as high as the "
                                 "highest %s, %g m above it",
                                 lid, times, of_roof ? "roof" : "ground", obstacle) +
                       (of_roof ? " (" + name_of(*highest) + ')' : std::string()) +
                       formatted(": the lid changes the flow there; extend /domain/layers to at least %g m",
                                 ground + times * obstacle));
    return;
  }
  warnings.push_back(formatted("the domain top at %g m is less than %g times as high as the highest roof, %g m (", lid,
                               least_lid, roof) +
                     name_of(*highest) +
                     formatted("): the lid changes the flow at the roof by more than 2 %% of the speed there; extend "
                               "/domain/layers to at least %g m",
                               least_lid * roof));
}

void check_sides(WindCase const& wind_case, BuildingName const& name_of, std::vector<std::string>& warnings) {
  UniformGrid const& grid = wind_case.grid;
  Worst worst;
  for (Building const& building : wind_case.buildings) {
    if (!building.has_zones()) continue;  // a part of another building
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t nearest_side = 0;
    for (std::size_t s = 0; s < sides.size(); ++s) {
      double const heights = distance_to(sides[s], grid, building) / building.roof_height();
      if (heights < nearest) {
        nearest = heights;
        nearest_side = s;
      }
    }
    if (nearest < least_distance * (1 - 1e-9)) worst.consider(building, nearest, nearest_side);
  }
  if (worst.count == 0) return;
  Side const& side = sides[worst.side];
  warnings.push_back(name_of(*worst.building) + worst.others() +
                     formatted(" is %.3g m from the %s side (%s), %.2g times its height: expected %g times; extend "
                               "/domain",
                               std::max(0.0, distance_to(side, grid, *worst.building)),
                               role_of(side, wind_case.profile.heading()), side.name, std::max(0.0, worst.value),
                               least_distance));
}

/// Length of the wake behind the middle of a building: three cavity lengths from its lee wall, along the wind.
double wake_end(Building const& building, double angle) {
  auto const [c, s] = direction_cosines(angle);
  double const along = building.length * std::abs(c) + building.width * std::abs(s);
  double const across = building.length * std::abs(s) + building.width * std::abs(c);
  double const area = building.area();
  return 0.5 * along + 3 * cavity_length(area / across, area / along, building.height);
}

void check_wakes(WindCase const& wind_case, BuildingName const& name_of, std::vector<std::string>& warnings) {
  if (!wind_case.parameterisations.wake) return;
  UniformGrid const& grid = wind_case.grid;
  auto const heading = wind_case.profile.heading();
  double const travel = heading_degrees(wind_case.profile.direction);
  Worst worst;
  for (Building const& building : wind_case.buildings) {
    if (!building.has_zones()) continue;  // a part of another building
    double const length = wake_end(building, building.rotation - travel);
    double const x = building.x + length * heading[0];
    double const y = building.y + length * heading[1];
    double least = 0;
    std::size_t crossed = 0;
    for (std::size_t s = 0; s < sides.size(); ++s) {
      double const inside = distance_to(sides[s], grid, x, y);
      if (inside < least) {
        least = inside;
        crossed = s;
      }
    }
    if (least < -1e-9 * length) worst.consider(building, least, crossed);
  }
  if (worst.count == 0) return;
  warnings.push_back("the wake of " + name_of(*worst.building) + worst.others() +
                     formatted(" ends %.3g m outside of the %s side: the domain cuts it; extend /domain", -worst.value,
                               sides[worst.side].name));
}

void check_layers(WindCase const& wind_case, BuildingName const& name_of, std::vector<std::string>& warnings) {
  UniformGrid const& grid = wind_case.grid;
  Worst worst;
  for (Building const& building : wind_case.buildings) {
    if (!building.has_zones()) continue;  // a part of another building
    BuildingInterior const test = interior_of(building);
    int layers = 0;
    for (int k = 0; k < grid.nz() && layers < least_layers; ++k) layers += test.holds_height(grid.z_center(k)) ? 1 : 0;
    if (layers < least_layers) worst.consider(building, layers);
  }
  if (worst.count == 0) return;
  warnings.push_back(name_of(*worst.building) + worst.others() +
                     formatted(" has %g layer%s over its height of %g m: expected %d; refine /domain/layers",
                               worst.value, worst.value == 1 ? "" : "s", worst.building->height, least_layers));
}

/// Range of the ground in the outermost columns; roofs below the ground beside them.
void check_terrain(WindCase const& wind_case, BuildingName const& name_of, std::vector<std::string>& warnings) {
  Terrain const& terrain = wind_case.terrain;
  if (terrain.empty()) return;
  UniformGrid const& grid = wind_case.grid;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (int j = 0; j < grid.ny(); ++j) {
    bool const whole_row = j == 0 || j == grid.ny() - 1;
    for (int i = 0; i < grid.nx(); i += whole_row ? 1 : std::max(1, grid.nx() - 1)) {
      low = std::min(low, terrain.height(i, j));
      high = std::max(high, terrain.height(i, j));
    }
  }
  if (high - low > grid.dz(0)) {
    warnings.push_back(
        formatted("the terrain along the sides of the domain goes from %g to %g m, more than a layer: "
                  "the sides are no flat inflow; set /terrain/halo",
                  low, high));
  }
  Worst worst;
  for (Building const& building : wind_case.buildings) {
    if (!building.has_zones()) continue;  // a part of another building
    double const highest = ground_under(building, terrain, grid).highest;
    if (highest > building.top()) worst.consider(building, building.top() - highest);
  }
  if (worst.count == 0) return;
  warnings.push_back("the terrain under " + name_of(*worst.building) + worst.others() +
                     formatted(" rises %g m above its roof at %g m: its uphill part is below the ground", -worst.value,
                               worst.building->top()));
}

/// Direction between sensors at each building against the axis of the zones, of a series at each time.
void check_axis(WindCase const& wind_case, BuildingName const& name_of, std::vector<std::string>& warnings) {
  if (wind_case.sensors.empty()) return;
  WindCase present;
  present.grid = wind_case.grid;
  present.sensors = wind_case.sensors;
  present.sensor_passes = wind_case.sensor_passes;
  present.profile = wind_case.profile;
  std::size_t const times = wind_case.series ? wind_case.series->times.size() : 1;
  double most = 0;
  std::size_t worst_time = 0;
  Building const* worst = nullptr;
  for (std::size_t n = 0; n < times; ++n) {
    if (wind_case.series) set_wind_of_time(*wind_case.series, n, present);
    SensorWind const wind(present.sensors, present.sensor_passes);
    for (Building const& building : wind_case.buildings) {
      if (!building.has_zones()) continue;  // a part of another building
      auto const velocity = wind.velocity(building.x, building.y, building.roof_height());
      if (!(speed_of(velocity) > 0)) continue;
      double const angle = angle_between(direction_of(velocity), present.profile.direction);
      if (!(angle > most)) continue;
      most = angle;
      worst = &building;
      worst_time = n;
    }
  }
  if (!(most > most_turn_from_axis)) return;
  warnings.push_back(
      "the wind over " + name_of(*worst) +
      (wind_case.series ? formatted(" at %g h", wind_case.series->times[worst_time].time) : std::string()) +
      formatted(" is %.3g degrees off the mean over the domain, along which all flow zones lie: expected %g at "
                "most; divide the domain",
                most, most_turn_from_axis));
}

/// Height of the maps against the lowest layer.
void check_maps(WindCase const& wind_case, std::vector<std::string>& warnings) {
  std::optional<double> height = wind_case.outputs.pedestrian_height;
  if (wind_case.sweep) height = wind_case.sweep->height;
  if (wind_case.series) height = wind_case.series->height;
  double const lowest = wind_case.grid.z_center(0);
  if (!height || *height >= lowest) return;
  warnings.push_back(
      formatted("the maps at %g m are below the centre of the lowest layer at %g m: they are its wind, "
                "scaled by the profile; refine /domain/layers",
                *height, lowest));
}

}  // namespace

std::vector<std::string> plausibility_warnings(WindCase const& wind_case, BuildingName const& name_of) {
  std::vector<std::string> warnings;
  check_maps(wind_case, warnings);
  if (wind_case.buildings.empty() && wind_case.terrain.empty()) return warnings;
  check_lid(wind_case, name_of, warnings);
  check_terrain(wind_case, name_of, warnings);
  check_sides(wind_case, name_of, warnings);
  check_wakes(wind_case, name_of, warnings);
  check_layers(wind_case, name_of, warnings);
  check_axis(wind_case, name_of, warnings);
  return warnings;
}

}  // namespace karman::wind
