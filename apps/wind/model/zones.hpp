// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Zones of disturbed flow around buildings in the initial wind field, after Roeckle (1990).
///
/// Vegetation comes before and after them: vegetation_zone.hpp.
///
/// All coordinates are wind-aligned: x along the wind, y to its left, z above the building's underside. W and L are the
/// building's effective width and length: area over the extents of the footprint across and along the wind. H is its
/// height, U_H the undisturbed wind at the roof. x is counted from the wall along the line y = const.
///
/// - Upwind cavity: upwind_zone.hpp.
/// - Cavity behind the building: d = L_r sqrt((1 - (y / y_max)^2) (1 - (z / H)^2)), y_max half the footprint's extent
///   across the wind. For x < d the flow is reversed: u = -U_H (1 - x / (c_f d))^2 sqrt(1 - |y / y_max|).
/// - Wake: for d <= x < 3 d, u = u0 (1 - (d / (x + w_f d))^1.5).
/// - Courts and garages: court_zone.hpp. Street canyon: canyon_zone.hpp.
/// - Side walls and roofs: wall_layers.hpp.
///
/// Zones in front of and behind a building end, at each height, at the next building on the line. All are
/// set in the order above, each kind for all buildings, lowest roof first. A cavity replaces everything except a wall;
/// a wake acts on air and on other wakes; a canyon replaces all of them. Zones of side walls act on air, zones of roofs
/// on air and wakes.
///
/// Between several sensors the wind varies over the domain. All zones then have one axis, the direction of its mean
/// (SensorWind::mean). Speeds are local: U_H and U_c those over the centre of the building, u0 that of the point. Over
/// roofs the shape of the profile is that of the mean.
#pragma once

#include "canyon_zone.hpp"
#include "common/fields/host_device.hpp"
#include "court_zone.hpp"
#include "intersection_zone.hpp"
#include "upwind_zone.hpp"
#include "vegetation_zone.hpp"
#include "wall_layers.hpp"
#include "wind/case/buildings/building.hpp"
#include "wind/case/buildings/zone_lengths.hpp"
#include "wind/case/wind/profile.hpp"
#include "wind/case/wind_case.hpp"
#include "zone_state.hpp"
#include "zone_tiles.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace karman::wind {

/// Corner of a footprint in wind-aligned coordinates, relative to the centre of its zones.
struct WindCorner {
  double x = 0, y = 0;
};

/// The zones of one building: a plain record, filled on the host and read by kernels. Its wind-aligned coordinates have
/// their origin in the domain's corner.
struct BuildingZones {
  double x = 0, y = 0;                     ///< wind-aligned centre: of a rectangle, or of the box around a polygon
  double cosine = 1, sine = 0;             ///< of the block's own axis against the wind; 1, 0 for a polygon
  double half_length = 0, half_width = 0;  ///< of a rectangle along its axes, of a polygon along and across the wind
  int first_corner = 0, last_corner = 0;   ///< range of the outer ring in the list of corners; empty for a rectangle
  double base = 0, height = 0;
  double ground = 0;                     ///< height of the ground that the building is on
  double roof_speed = 0;                 ///< U_H
  double half_extent = 0;                ///< y_max
  double upwind_edge = 0, lee_edge = 0;  ///< least and greatest wind-aligned x of the footprint
  double cavity_length = 0;              ///< L_r, 0 for no zones behind
  double rooftop_length = 0;             ///< L_c over the roof, 0 for no zone there
  double rooftop_height = 0;             ///< D over the roof
  double front = 0, rear = 0;            ///< range of wind-aligned x of all zones
  double right = 0, left = 0;            ///< range of wind-aligned y of all zones
  bool deck = false;                     ///< zones on both sides of the middle of its height
  double clear_height = 0;               ///< of the open storeys of a garage, 0 for none
  ZoneRange obstacles, faces, canyons, side_walls, courts, crossings;

  KARMAN_HOST_DEVICE double top() const { return base + height; }
  /// Height of the zones in front and behind: half of a deck is the mirror image of the other half.
  KARMAN_HOST_DEVICE double flow_height() const { return deck ? 0.5 * height : height; }
  /// Height of a point in these zones: above the underside, from the middle of a deck.
  KARMAN_HOST_DEVICE double flow_level(double z) const {
    return deck ? std::fabs(z - (base + 0.5 * height)) : z - base;
  }

  /// Intersection of the line y = const (relative to the centre) with the footprint: first entry into the outer ring
  /// and last exit, relative to the centre. False when it misses. `corners`: list that the range refers to. Cost: O(1)
  /// for a rectangle and beside the footprint, else O(corners).
  KARMAN_HOST_DEVICE bool chord(WindCorner const* corners, double line, double& entry, double& exit) const {
    if (first_corner < last_corner) return polygon_chord(corners, line, entry, exit);
    entry = -1e300;
    exit = 1e300;
    return clip(cosine, sine * line, half_length, entry, exit) && clip(-sine, cosine * line, half_width, entry, exit) &&
           entry <= exit;
  }

 private:
  /// Cuts the interval of t to |slope t + offset| <= half.
  KARMAN_HOST_DEVICE static bool clip(double slope, double offset, double half, double& entry, double& exit) {
    if (std::fabs(slope) < 1e-12) return std::fabs(offset) <= half;
    double const a = (-half - offset) / slope;
    double const b = (half - offset) / slope;
    double const low = a < b ? a : b;
    double const high = a < b ? b : a;
    if (low > entry) entry = low;
    if (high < exit) exit = high;
    return true;
  }

  /// Least and greatest x of the ring on the line, its corners included.
  KARMAN_HOST_DEVICE bool polygon_chord(WindCorner const* corners, double line, double& entry, double& exit) const {
    entry = 1e300;
    exit = -1e300;
    if (line < -half_width || line > half_width) return false;
    WindCorner a = corners[last_corner - 1];
    for (int n = first_corner; n < last_corner; ++n) {
      WindCorner const b = corners[n];
      if ((a.y <= line && line <= b.y) || (b.y <= line && line <= a.y)) {
        double const rise = b.y - a.y;
        double const x = rise != 0 ? a.x + (line - a.y) / rise * (b.x - a.x) : a.x;
        if (x < entry) entry = x;
        if (x > exit) exit = x;
        // A wall along the line counts with both ends.
        if (rise == 0 && b.x < entry) entry = b.x;
        if (rise == 0 && b.x > exit) exit = b.x;
      }
      a = b;
    }
    return entry <= exit;
  }
};

/// Constants of the zones, the same for all buildings: see Parameterisations.
struct ZoneSettings {
  UpwindModel upwind_model = UpwindModel::roeckle;
  UpwindInner upwind_inner = UpwindInner::vortex;
  double cavity_decay = 1, wake_offset = 0;
  double wall_roughness = 0.1;
  double canyon_mixing = 0, garage_friction = 0;
  bool crossings = false, courts = false, garages = false;     ///< zones of this kind may exist
  bool canyons = false, side_walls = false, rooftops = false;  ///< zones of this kind may exist
  bool vertical = false;                                       ///< some zone has a vertical velocity
};

/// The zones of all buildings, lowest roof first. Also the lists that they refer to and the tiles that they may touch.
struct ZonePlan {
  std::vector<BuildingZones> zones;
  std::vector<WindCorner> corners;  ///< of all polygons
  std::vector<int> obstacles;
  std::vector<FrontalFace> faces;
  std::vector<StreetCanyon> canyons;
  std::vector<SideWall> side_walls;
  std::vector<Court> courts;
  std::vector<Crossing> crossings;
  ZoneTiles tiles;                   ///< lowest roof first
  std::vector<double> layer_center;  ///< heights of the centres of the layers, m
  std::vector<double> layer_speed;   ///< undisturbed speed there, m/s
  ZoneSettings settings;
  double heading_x = 1, heading_y = 0;
  VegetationPlan vegetation;
};

/// Cost: one sort across the wind, comparisons of buildings on the same lines of the wind, O(tiles covered).
ZonePlan plan_zones(WindCase const& wind_case);

/// Deficit from which air behind a plant has the flag of a wake.
inline constexpr double least_visible_deficit = 0.01;

/// Raw pointers into a ZonePlan, on the host or on the device.
struct ZoneTable {
  BuildingZones const* zones = nullptr;
  WindCorner const* corners = nullptr;
  int const* obstacles = nullptr;
  FrontalFace const* faces = nullptr;
  StreetCanyon const* canyons = nullptr;
  SideWall const* side_walls = nullptr;
  Court const* courts = nullptr;
  Crossing const* crossings = nullptr;
  std::int64_t const* tile_starts = nullptr;
  int const* candidates = nullptr;
  double const* layer_center = nullptr;
  double const* layer_speed = nullptr;
  int layers = 0;
  double tile_size_x = 1, tile_size_y = 1;
  int tiles_x = 1, tiles_y = 1;
  ZoneSettings settings;
  double heading_x = 1, heading_y = 0;
  VegetationTable vegetation;

  /// State of the point (px, py), relative to the domain's corner, at the height z, where the undisturbed speed is
  /// `speed`.
  KARMAN_HOST_DEVICE PointState at(double px, double py, double z, double speed) const {
    PointState state;
    state.along = speed;
    int const tile = tile_index(py, tile_size_y, tiles_y) * tiles_x + tile_index(px, tile_size_x, tiles_x);
    double const wx = px * heading_x + py * heading_y;
    double const wy = py * heading_x - px * heading_y;
    std::int64_t const begin = tile_starts[tile];
    std::int64_t const end = tile_starts[tile + 1];
    if (vegetation.plants) vegetation.slow(tile, wx, wy, z, state);
    UpwindFlow front;
    for (std::int64_t c = begin; c < end; ++c) upwind(zones[candidates[c]], wx, wy, z, speed, front);
    front.apply(state);
    for (std::int64_t c = begin; c < end; ++c) behind(zones[candidates[c]], wx, wy, z, state);
    if (settings.courts) {
      for (std::int64_t c = begin; c < end; ++c) in_courts(zones[candidates[c]], wx, wy, z, state);
    }
    if (settings.garages) {
      for (std::int64_t c = begin; c < end; ++c) in_storeys(zones[candidates[c]], wx, wy, z, state);
    }
    if (settings.canyons) {
      for (std::int64_t c = begin; c < end; ++c) canyon(zones[candidates[c]], wx, wy, z, speed, state);
    }
    if (settings.crossings) {
      for (std::int64_t c = begin; c < end; ++c) in_crossings(zones[candidates[c]], wx, wy, z, speed, state);
    }
    if (settings.side_walls && state.flag == CellFlag::air) {
      double factor = 1;
      for (std::int64_t c = begin; c < end; ++c) beside(zones[candidates[c]], wx, wy, z, factor);
      if (factor < 1) {
        state.flag = CellFlag::sidewall;
        state.along *= factor;
      }
    }
    if (settings.rooftops && (state.flag == CellFlag::air || state.flag == CellFlag::wake)) {
      // The highest roof below the point counts.
      for (std::int64_t c = end; c > begin && !above(zones[candidates[c - 1]], wx, wy, z, state); --c) {
      }
    }
    if (vegetation.plants && speed > 0) behind_plants(tile, wx, wy, z, speed, state);
    return state;
  }

 private:
  KARMAN_HOST_DEVICE static int tile_index(double position, double size, int count) {
    int const index = static_cast<int>(position / size);
    return index < 0 ? 0 : index >= count ? count - 1 : index;
  }

  KARMAN_HOST_DEVICE void upwind(BuildingZones const& zone, double wx, double wy, double z, double speed,
                                 UpwindFlow& flow) const {
    if (zone.faces.first == zone.faces.last || wx < zone.front || wx > zone.lee_edge || z < zone.base) return;
    for (int f = zone.faces.first; f < zone.faces.last; ++f) {
      FrontalFace const& face = faces[f];
      double const wall = face.wall(wy);
      double const distance = wall - wx;
      if (distance < 0 || !(distance <= face.cavity_length)) continue;
      double const reach =
          face.cavity_length * outline((wy - face.y) / face.half_width, zone.flow_level(z) / face.cavity_height);
      if (!(reach > 0) || distance > reach || obstructed(zone, wx, wall, wy, z)) continue;
      flow.add(face, settings.upwind_model, settings.upwind_inner, zone.roof_speed, speed, distance, reach, wy,
               zone.flow_level(z), zone.deck && z < zone.base + 0.5 * zone.height ? -1 : 1);
    }
  }

  KARMAN_HOST_DEVICE void behind(BuildingZones const& zone, double wx, double wy, double z, PointState& state) const {
    if (!(zone.cavity_length > 0) || wx < zone.upwind_edge || wx > zone.rear || z < zone.base) return;
    double const y = wy - zone.y;
    double const across = y / zone.half_extent;
    double const d = zone.cavity_length * outline(across, zone.flow_level(z) / zone.flow_height());
    double entry, exit;
    if (!(d > 0) || !zone.chord(corners, y, entry, exit)) return;
    double const distance = wx - (zone.x + exit);
    if (distance < 0 || distance >= 3 * d || obstructed(zone, zone.x + exit, wx, wy, z)) return;
    if (distance < d) {
      double const rest = 1 - distance / (settings.cavity_decay * d);
      state.flag = CellFlag::cavity;
      state.along = -zone.roof_speed * rest * rest * std::sqrt(1 - std::fabs(across));
      state.across = state.vertical = 0;
    } else if (state.flag == CellFlag::air || state.flag == CellFlag::wake || state.flag == CellFlag::vegetation) {
      double const ratio = d / (distance + settings.wake_offset * d);
      if (state.flag == CellFlag::air) state.flag = CellFlag::wake;
      state.along *= 1 - ratio * std::sqrt(ratio);
    }
  }

  KARMAN_HOST_DEVICE void canyon(BuildingZones const& zone, double wx, double wy, double z, double speed,
                                 PointState& state) const {
    for (int n = zone.canyons.first; n < zone.canyons.last; ++n) {
      StreetCanyon const& street = canyons[n];
      if (!street.holds_line(wy, z)) continue;
      double const lee = street.lee_wall(wy);
      double const width = street.downwind_wall(wy) - lee;
      if (!street.holds_width(width) || wx < lee || wx > lee + width) continue;
      BuildingZones const& downwind = zones[street.downwind_building];
      // Other wings of the same two buildings may lie between the two walls.
      double const slack = 1e-6 * street.most_width;
      double entry, exit;
      if (!zone.chord(corners, wy - zone.y, entry, exit) || std::fabs(zone.x + exit - lee) > slack) continue;
      if (!downwind.chord(corners, wy - downwind.y, entry, exit) || std::fabs(downwind.x + entry - lee - width) > slack)
        continue;
      if (obstructed(zone, lee, lee + width, wy, z)) continue;
      double const share = street.share(wy, z, width, settings.canyon_mixing);
      PointState const around = state;
      street.apply((wx - lee) / width, speed, state);
      if (share == 1) continue;
      state.along = share * state.along + (1 - share) * around.along;
      state.across = share * state.across + (1 - share) * around.across;
      state.vertical = share * state.vertical + (1 - share) * around.vertical;
    }
  }

  KARMAN_HOST_DEVICE void in_crossings(BuildingZones const& zone, double wx, double wy, double z, double speed,
                                       PointState& state) const {
    for (int n = zone.crossings.first; n < zone.crossings.last; ++n) {
      if (crossings[n].holds(wx, wy, z)) crossings[n].apply(z, speed, settings.canyon_mixing, state);
    }
  }

  /// Cavity and wake behind the upwind wall of the court that holds the point.
  KARMAN_HOST_DEVICE void in_courts(BuildingZones const& zone, double wx, double wy, double z,
                                    PointState& state) const {
    if (zone.courts.first == zone.courts.last || z < zone.base || z >= zone.top()) return;
    for (int n = zone.courts.first; n < zone.courts.last; ++n) {
      Court const& court = courts[n];
      double const across = (wy - court.y) / court.half_width;
      double from, to;
      if (!(std::fabs(across) < 1) || !between_walls(zone, court, wx, wy, from, to)) continue;
      double const reach = court.cavity_length * outline(across, (z - zone.base) / zone.height);
      double const d = reach < to - from ? reach : to - from;
      double const x = wx - from;
      if (!(d > 0) || x >= 3 * d || obstructed(zone, from, wx, wy, z)) continue;
      if (x < d) {
        double const rest = 1 - x / d;
        state.flag = CellFlag::cavity;
        state.along = -zone.roof_speed * rest * rest * std::sqrt(1 - std::fabs(across));
        state.across = state.vertical = 0;
      } else if (state.flag == CellFlag::air || state.flag == CellFlag::wake) {
        double const ratio = d / x;
        state.flag = CellFlag::wake;
        state.along *= 1 - ratio * std::sqrt(ratio);
      }
    }
  }

  /// The two walls of a court around a point on its line of the wind; false outside of the court. Cost: O(corners).
  KARMAN_HOST_DEVICE bool between_walls(BuildingZones const& zone, Court const& court, double wx, double wy,
                                        double& from, double& to) const {
    from = -1e300;
    to = 1e300;
    bool inside = false;
    double const line = wy - zone.y;
    WindCorner a = corners[court.last_corner - 1];
    for (int n = court.first_corner; n < court.last_corner; ++n) {
      WindCorner const b = corners[n];
      if ((a.y > line) != (b.y > line)) {
        double const x = zone.x + a.x + (line - a.y) / (b.y - a.y) * (b.x - a.x);
        if (x <= wx) {
          inside = !inside;
          if (x > from) from = x;
        } else if (x < to) {
          to = x;
        }
      }
      a = b;
    }
    return inside && to < 1e300;
  }

  /// Open storeys of a garage.
  KARMAN_HOST_DEVICE void in_storeys(BuildingZones const& zone, double wx, double wy, double z,
                                     PointState& state) const {
    if (!(zone.clear_height > 0) || z < zone.base || z >= zone.top()) return;
    if (state.flag != CellFlag::air && state.flag != CellFlag::wake) return;
    double entry, exit;
    if (!zone.chord(corners, wy - zone.y, entry, exit) || wx < zone.x + entry || wx > zone.x + exit) return;
    state.along *= storey_factor(exit - entry, zone.clear_height, settings.garage_friction);
  }

  KARMAN_HOST_DEVICE void beside(BuildingZones const& zone, double wx, double wy, double z, double& factor) const {
    if (z < zone.base || z >= zone.top()) return;
    for (int s = zone.side_walls.first; s < zone.side_walls.last; ++s) {
      double const here = side_walls[s].factor(wx, wy, settings.wall_roughness);
      if (here < factor) factor = here;
    }
  }

  /// True if the point is in the zone over the roof.
  KARMAN_HOST_DEVICE bool above(BuildingZones const& zone, double wx, double wy, double z, PointState& state) const {
    if (!(zone.rooftop_length > 0) || z < zone.top() || wx < zone.upwind_edge || wx > zone.lee_edge) return false;
    double entry, exit;
    if (!zone.chord(corners, wy - zone.y, entry, exit) || wx > zone.x + exit) return false;
    double const x = wx - (zone.x + entry);
    double const from_roof = z - zone.top();
    double const separation = x >= 0 && x < zone.rooftop_length && behind_a_vortex_edge(zone, zone.x + entry, wy)
                                  ? separation_height(x, zone.rooftop_length, zone.rooftop_height)
                                  : 0.0;
    if (from_roof < separation) {
      state.flag = CellFlag::rooftop;
      state.along *= -(separation - from_roof) / zone.rooftop_height;
      return true;
    }
    double const layer = layer_height(x, zone.rooftop_length, zone.rooftop_height);
    if (!(from_roof < layer)) return false;
    double const speed = speed_at(z - zone.ground);
    state.flag = CellFlag::rooftop;
    if (speed > 0)
      state.along *=
          speed_at(zone.top() - zone.ground + layer) / speed * layer_factor(from_roof, layer, settings.wall_roughness);
    return true;
  }

  /// True if the line y = wy meets the building at wx on a face with a rooftop vortex.
  KARMAN_HOST_DEVICE bool behind_a_vortex_edge(BuildingZones const& zone, double wx, double wy) const {
    for (int f = zone.faces.first; f < zone.faces.last; ++f) {
      FrontalFace const& face = faces[f];
      if (face.rooftop_vortex && std::fabs(wy - face.y) <= face.half_width &&
          std::fabs(face.wall(wy) - wx) <= 1e-6 * face.half_width) {
        return true;
      }
    }
    return false;
  }

  /// Undisturbed speed at a height: linear between the centres of the layers, constant beyond the outermost.
  KARMAN_HOST_DEVICE double speed_at(double z) const {
    int low = 0;
    int high = layers - 1;
    if (z <= layer_center[low]) return layer_speed[low];
    if (z >= layer_center[high]) return layer_speed[high];
    while (high - low > 1) {
      int const middle = (low + high) / 2;
      if (layer_center[middle] <= z) low = middle;
      else high = middle;
    }
    double const fraction = (z - layer_center[low]) / (layer_center[high] - layer_center[low]);
    return layer_speed[low] + fraction * (layer_speed[high] - layer_speed[low]);
  }

  /// Wakes of trees and shelter of windbreaks: of several the largest deficit counts.
  KARMAN_HOST_DEVICE void behind_plants(int tile, double wx, double wy, double z, double speed,
                                        PointState& state) const {
    if (state.flag != CellFlag::air && state.flag != CellFlag::wake && state.flag != CellFlag::rooftop) return;
    double largest = 0;
    PlantZoneTable const& wakes = vegetation.behind;
    for (std::int64_t c = wakes.tile_starts[tile]; c < wakes.tile_starts[tile + 1]; ++c) {
      int const p = wakes.candidates[c];
      if (!wakes.boxes[p].holds(wx, wy, z)) continue;
      PlantZone const& plant = vegetation.plants[p];
      double const from = plant.wake_origin(vegetation.outlines, wy);
      if (!(wx > from)) continue;
      double const deficit = plant.deficit(from, wx, wy, z - plant.ground, speed);
      if (deficit > largest && !blocked(vegetation.obstacles, plant.obstacles, from, wx, wy, z)) largest = deficit;
    }
    if (!(largest > 0)) return;
    state.along *= 1 - largest;
    if (state.flag == CellFlag::air && largest >= least_visible_deficit) state.flag = CellFlag::wake;
  }

  /// True if another building lies on the line y = wy between x = from and x = to at the height z.
  KARMAN_HOST_DEVICE bool obstructed(BuildingZones const& zone, double from, double to, double wy, double z) const {
    return blocked(obstacles, zone.obstacles, from, to, wy, z);
  }

  /// The same for the buildings of one range of a list.
  KARMAN_HOST_DEVICE bool blocked(int const* list, ZoneRange const& range, double from, double to, double wy,
                                  double z) const {
    for (int o = range.first; o < range.last; ++o) {
      BuildingZones const& other = zones[list[o]];
      double entry, exit;
      if (z < other.base || z > other.base + other.height || !other.chord(corners, wy - other.y, entry, exit)) continue;
      double const middle = other.x + 0.5 * (entry + exit);
      if (middle > from && middle < to) return true;
    }
    return false;
  }
};

/// The component along x of a state, of a wind with this heading. Exact where the wind has no component across it.
KARMAN_HOST_DEVICE inline double component_x(PointState const& state, double heading_x, double heading_y) {
  return state.across == 0 ? state.along * heading_x : state.along * heading_x - state.across * heading_y;
}
/// The component along y.
KARMAN_HOST_DEVICE inline double component_y(PointState const& state, double heading_x, double heading_y) {
  return state.across == 0 ? state.along * heading_y : state.along * heading_y + state.across * heading_x;
}

/// Table of a plan that stays on the host.
ZoneTable table_of(ZonePlan const& plan);

}  // namespace karman::wind
