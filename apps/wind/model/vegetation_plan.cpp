// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vegetation_plan.hpp"

#include "wind/case/wind/angles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace karman::wind {
namespace {

constexpr double tree_wake_length = 11;        // crowns
constexpr double crosswise_turbulence = 1.25;  // sigma_w / u*, neutral surface layer
constexpr double friction_height = 1.5;        // tops of a tree
constexpr double shelter_height = 5;           // tops of a windbreak, as in QES-Winds
constexpr double classic_spread = 0.14;        // of a plane mixing layer

/// Moves the rings of a polygon into wind-aligned coordinates, relative to the middle of its upright box.
void append_rings(PlantZone& zone, Plant const& plant, std::array<double, 2> const& heading, VegetationPlan& plan) {
  auto const [hx, hy] = heading;
  zone.first_corner = static_cast<int>(plan.corners.size());
  zone.first_ring = static_cast<int>(plan.ring_ends.size());
  zone.test = {};
  PlanOutline const outline = plant.shape.footprint.outline();
  for (std::uint32_t n = 0; n < outline.corner_count(); ++n) {
    auto const [x, y] = outline.corners[n];
    Corner const corner{x * hx + y * hy, y * hx - x * hy};
    plan.corners.push_back(corner);
    zone.test.half_length = std::max(zone.test.half_length, std::abs(corner.x));
    zone.test.half_width = std::max(zone.test.half_width, std::abs(corner.y));
  }
  plan.ring_ends.insert(plan.ring_ends.end(), outline.ring_ends, outline.ring_ends + outline.ring_count);
  zone.test.outline.ring_count = outline.ring_count;
  zone.half_extent = zone.test.half_width;
  constexpr double slack = 1e-9;
  zone.test.slack = slack * std::max(zone.test.half_length, zone.test.half_width);
  zone.test.half_length *= 1 + slack;
  zone.test.half_width *= 1 + slack;
}

/// The footprint in wind-aligned coordinates, and its box.
PlantZone make_footprint(Plant const& plant, Profile const& profile, VegetationPlan& plan) {
  auto const [hx, hy] = profile.heading();
  PlantZone zone;
  zone.kind = plant.kind;
  zone.ellipse = plant.ellipse;
  zone.ground = plant.shape.ground;
  zone.base = plant.base_height();
  zone.top = plant.top_height();
  double half_along;
  if (plant.shape.is_rectangle()) {
    Building turned = plant.shape;
    turned.rotation -= heading_degrees(profile.direction);
    zone.test = interior_of(turned);
    double const c = std::abs(zone.test.cosine);
    double const s = std::abs(zone.test.sine);
    auto const extent = [&](double length, double width) {
      return plant.ellipse ? std::hypot(length, width) : length + width;
    };
    half_along = 0.5 * extent(turned.length * c, turned.width * s);
    zone.half_extent = 0.5 * extent(turned.length * s, turned.width * c);
  } else {
    append_rings(zone, plant, {hx, hy}, plan);
    half_along = zone.test.half_length;
  }
  zone.test.x = plant.shape.x * hx + plant.shape.y * hy;
  zone.test.y = plant.shape.y * hx - plant.shape.x * hy;
  zone.box = {zone.test.x - half_along, zone.test.x + half_along, zone.test.y - zone.half_extent,
              zone.test.y + zone.half_extent};
  return zone;
}

void add_rows(PlantZone& zone, Plant const& plant, Profile const& profile) {
  auto const [c, s] = direction_cosines(plant.row_rotation - heading_degrees(profile.direction));
  zone.row_cosine = c;
  zone.row_sine = s;
  zone.spacing = plant.spacing;
  zone.row_width = plant.row_width * (1 + 1e-9);
  zone.row_angle_sine = std::abs(s);
}

void add_shelter(PlantZone& zone, Plant const& plant, WindCase const& wind_case, double roughness) {
  Shelter& shelter = zone.shelter;
  double const alpha = std::pow(plant.porosity, wind_case.parameterisations.windbreak_exponent);
  shelter.passing = alpha;
  shelter.top = zone.top;
  shelter.base = zone.base;
  shelter.half_width = zone.half_extent;
  shelter.length = wind_case.parameterisations.windbreak_length * zone.top;
  shelter.side_spread = classic_spread * (1 - alpha) / (0.5 * (1 + alpha));
  double const turbulence = 2 * crosswise_turbulence * von_karman / std::log1p(zone.top / roughness);
  shelter.top_spread = std::hypot(shelter.side_spread, turbulence);
  shelter.perera_rate = 2 * von_karman * von_karman / std::log(zone.top / roughness);
  shelter.top_speed = wind_case.profile.speed_at(zone.top);
}

/// Air above canopies and rows changes up to the top of the domain.
PlantBox box_over(PlantZone const& zone) {
  constexpr double slack = 1e-6;  // metres, for round-off in the footprint
  PlantBox box{zone.box, zone.ground + zone.base, 1e300};
  box.plan.front -= slack;
  box.plan.rear += slack;
  box.plan.right -= slack;
  box.plan.left += slack;
  if (zone.kind == PlantKind::tree) box.high = zone.ground + 2 * zone.top;
  if (zone.kind == PlantKind::windbreak) box.high = zone.ground + zone.top;
  return box;
}

/// Constants of the wake, and its box; an empty one for no wake.
PlantBox add_wake(PlantZone& zone, double roughness) {
  PlantBox none;
  none.high = -1;
  if (zone.kind == PlantKind::tree) {
    double const crown = zone.top - zone.base;
    double const b = 1.70 * std::pow(tree_wake_length, 0.19);
    double const half_width = 0.5 * (b + 1.15) * crown;
    double const half_height = 0.5 * (b - 1.15) * crown;
    double const middle = zone.ground + 0.5 * (zone.base + zone.top);
    zone.friction = von_karman / std::log1p(friction_height * zone.top / roughness);
    return {{zone.test.x, zone.test.x + tree_wake_length * crown, zone.test.y - half_width, zone.test.y + half_width},
            std::max(zone.ground, middle - half_height),
            middle + half_height};
  }
  if (zone.kind == PlantKind::windbreak && zone.shelter.passing < 1) {
    double const reach = zone.half_extent + 0.5 * zone.shelter.side_spread * zone.shelter.length;
    return {{zone.box.front, zone.box.rear + zone.shelter.length, zone.test.y - reach, zone.test.y + reach},
            zone.ground,
            zone.ground + shelter_height * zone.top};
  }
  return none;
}

PlantZone make_zone(Plant const& plant, WindCase const& wind_case, double roughness, VegetationPlan& plan) {
  PlantZone zone = make_footprint(plant, wind_case.profile, plan);
  double attenuation = plant.attenuation;
  if (plant.kind == PlantKind::rows) {
    add_rows(zone, plant, wind_case.profile);
    attenuation = row_attenuation(attenuation, plant.attenuation_along, zone.row_sine, zone.row_cosine);
  }
  zone.law = canopy_law(zone.top, attenuation, roughness);
  if (plant.kind == PlantKind::windbreak) add_shelter(zone, plant, wind_case, roughness);
  return zone;
}

/// Buildings by their right ends, for a search across the wind.
class BuildingsAcross {
 public:
  explicit BuildingsAcross(std::vector<BuildingZones> const& buildings) : buildings_(buildings) {
    order_.resize(buildings.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](int a, int b) { return right(a) < right(b); });
    for (BuildingZones const& building : buildings) widest_ = std::max(widest_, 2 * building.half_extent);
  }

  /// Appends the buildings that may lie in the wake of a plant to `found`, in rising order.
  ZoneRange append_obstacles(PlantBox const& wake, std::vector<int>& found) const {
    ZoneRange range;
    range.first = static_cast<int>(found.size());
    auto it = std::lower_bound(order_.begin(), order_.end(), wake.plan.right - widest_,
                               [&](int b, double y) { return right(b) < y; });
    for (; it != order_.end() && right(*it) <= wake.plan.left; ++it) {
      BuildingZones const& other = buildings_[static_cast<std::size_t>(*it)];
      bool const on_the_way = other.lee_edge >= wake.plan.front && other.upwind_edge <= wake.plan.rear;
      if (on_the_way && other.top() > wake.low && other.base < wake.high) found.push_back(*it);
    }
    std::sort(found.begin() + range.first, found.end());
    range.last = static_cast<int>(found.size());
    return range;
  }

 private:
  double right(int b) const {
    BuildingZones const& building = buildings_[static_cast<std::size_t>(b)];
    return building.y - building.half_extent;
  }

  std::vector<BuildingZones> const& buildings_;
  std::vector<int> order_;
  double widest_ = 0;
};

/// Tiles of the boxes that are not empty.
ZoneTiles tiles_of(std::vector<PlantBox> const& boxes, WindCase const& wind_case) {
  std::vector<WindBox> plans;
  std::vector<int> owner;
  for (std::size_t p = 0; p < boxes.size(); ++p) {
    if (boxes[p].high < boxes[p].low) continue;
    plans.push_back(boxes[p].plan);
    owner.push_back(static_cast<int>(p));
  }
  ZoneTiles tiles = make_tiles(plans, wind_case);
  for (int& candidate : tiles.candidates) candidate = owner[static_cast<std::size_t>(candidate)];
  return tiles;
}

}  // namespace

CanopyLaw canopy_law(double top, double attenuation, double roughness) {
  CanopyLaw law;
  law.top = top;
  law.attenuation = attenuation;
  law.roughness = roughness;
  Profile profile;
  profile.kind = Profile::Kind::canopy;
  profile.canopy_height = top;
  profile.attenuation = attenuation;
  profile.roughness = roughness;
  if (attenuation >= least_attenuation(profile)) law.displacement = canopy_displacement(profile);
  law.top_shape = std::log((top - law.displacement) / roughness);
  return law;
}

double row_attenuation(double across, double along, double sine, double cosine) {
  return std::cbrt(across * across * across * std::abs(sine) + along * along * along * std::abs(cosine));
}

VegetationPlan plan_vegetation(WindCase const& wind_case, std::vector<BuildingZones> const& buildings) {
  VegetationPlan plan;
  if (!wind_case.parameterisations.vegetation || wind_case.vegetation.empty()) return plan;
  BuildingsAcross const across(buildings);
  double const roughness = canopy_roughness(wind_case.parameterisations, wind_case.profile);
  for (Plant const& plant : wind_case.vegetation) {
    PlantZone zone = make_zone(plant, wind_case, roughness, plan);
    plan.over.boxes.push_back(box_over(zone));
    if (wind_case.parameterisations.vegetation_wake) {
      plan.behind.boxes.push_back(add_wake(zone, roughness));
      zone.obstacles = across.append_obstacles(plan.behind.boxes.back(), plan.obstacles);
    }
    plan.plants.push_back(zone);
  }
  plan.over.tiles = tiles_of(plan.over.boxes, wind_case);
  plan.behind.tiles = tiles_of(plan.behind.boxes, wind_case);
  return plan;
}

}  // namespace karman::wind
