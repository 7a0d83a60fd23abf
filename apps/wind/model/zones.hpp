// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Zones of disturbed flow around a building in the initial wind field, after Roeckle (1990).
///
/// All coordinates are wind-aligned: x along the wind, y to its left, z above the building's underside. W and L are the
/// building's effective width and length: area over the extents of the footprint across and along the wind. H is its
/// height, U_H the undisturbed wind at the roof. x is counted from the wall along the line y = const.
///
/// - Upwind cavity: in front of a face whose normal is within 10 degrees of the wind. W is the face's width across the
///   wind, L_f = 2 W / (1 + 0.8 W / H). The velocity is zero up to x = L_f sqrt((1 - (y / (W/2))^2) (1 - (z / (0.6
///   H))^2)).
/// - Cavity behind the building: L_r / H = 1.8 (W/H) / ((L/H)^0.3 (1 + 0.24 W/H)) with 0.3 <= L/H <= 3 and W/H <= 10
///   (Fackrell 1984), d = L_r sqrt((1 - (y / y_max)^2) (1 - (z / H)^2)), y_max half the footprint's extent across the
///   wind. For x < d the flow is reversed: u = -U_H (1 - x/d)^2 sqrt(1 - |y / y_max|).
/// - Wake: for d <= x < 3 d, u = u0 (1 - (d / x)^1.5).
///
/// A zone ends where, at its height, another building lies on the line of the wind. An upwind cavity replaces
/// undisturbed air, a cavity replaces anything but a wall, a wake acts on air and on other wakes. All upwind cavities
/// come first, then the zones behind the buildings, lowest roof first.
#pragma once

#include "common/host_device.hpp"
#include "wind/case/building.hpp"
#include "wind/case/profile.hpp"
#include "wind/case/wind_case.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace karman::wind {

/// Cell type, as in the output; the numbers are those of QUIC-URB's family of codes.
enum class CellFlag : std::uint8_t { solid = 0, air = 1, upwind_cavity = 3, cavity = 4, wake = 5 };

/// 2 W / (1 + 0.8 W / H).
double upwind_cavity_length(double width, double height);

/// Fackrell's recirculation length, see above.
double cavity_length(double length, double width, double height);

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
  double roof_speed = 0;     ///< U_H
  double half_extent = 0;    ///< y_max
  double cavity_length = 0;  ///< L_r, 0 for no zones behind
  double upwind_length = 0;  ///< L_f, 0 for no upwind cavity
  double face_y = 0;         ///< wind-aligned y of the middle of the upwind face, relative to the centre
  double face_half_width = 0;
  double front = 0, rear = 0;                 ///< least and greatest wind-aligned x of all zones
  int first_obstacle = 0, last_obstacle = 0;  ///< range in the list of obstacles

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

/// The buildings whose zones may touch the columns of one tile of the domain: `candidates` of tile t are those from
/// starts[t] to starts[t + 1], lowest roof first. Tiles are numbered row by row.
struct ZoneTiles {
  double tile_size_x = 0, tile_size_y = 0;
  int tiles_x = 0, tiles_y = 0;
  std::vector<std::int64_t> starts;
  std::vector<int> candidates;
};

/// The zones of all buildings, lowest roof first, the obstacles in their way, and the tiles that they may touch.
struct ZonePlan {
  std::vector<BuildingZones> zones;
  std::vector<WindCorner> corners;  ///< of all polygons
  std::vector<int> obstacles;
  ZoneTiles tiles;
  double heading_x = 1, heading_y = 0;
};

/// Cost: O(buildings^2) at worst for the obstacles, and O(tiles covered) for the tiles.
ZonePlan plan_zones(WindCase const& wind_case);

/// Zone and velocity at a point.
struct PointState {
  CellFlag flag = CellFlag::air;
  double speed = 0;  ///< along the heading of the undisturbed wind, m/s
};

/// Raw pointers into a ZonePlan, on the host or on the device.
struct ZoneTable {
  BuildingZones const* zones = nullptr;
  WindCorner const* corners = nullptr;
  int const* obstacles = nullptr;
  std::int64_t const* tile_starts = nullptr;
  int const* candidates = nullptr;
  double tile_size_x = 1, tile_size_y = 1;
  int tiles_x = 1, tiles_y = 1;
  double heading_x = 1, heading_y = 0;

  /// State of the point (px, py), relative to the domain's corner, at the height z, where the undisturbed speed is
  /// `speed`.
  KARMAN_HOST_DEVICE PointState at(double px, double py, double z, double speed) const {
    PointState state{CellFlag::air, speed};
    int const tile = tile_index(py, tile_size_y, tiles_y) * tiles_x + tile_index(px, tile_size_x, tiles_x);
    double const wx = px * heading_x + py * heading_y;
    double const wy = py * heading_x - px * heading_y;
    std::int64_t const begin = tile_starts[tile];
    std::int64_t const end = tile_starts[tile + 1];
    for (std::int64_t c = begin; c < end; ++c) upwind(zones[candidates[c]], wx, wy, z, state);
    for (std::int64_t c = begin; c < end; ++c) behind(zones[candidates[c]], wx, wy, z, state);
    return state;
  }

 private:
  KARMAN_HOST_DEVICE static int tile_index(double position, double size, int count) {
    int const index = static_cast<int>(position / size);
    return index < 0 ? 0 : index >= count ? count - 1 : index;
  }

  /// sqrt((1 - a^2) (1 - b^2)), 0 outside of the unit square: the outline of every zone.
  KARMAN_HOST_DEVICE static double outline(double a, double b) {
    double const p = 1 - a * a;
    double const q = 1 - b * b;
    return p > 0 && q > 0 ? std::sqrt(p * q) : 0.0;
  }

  KARMAN_HOST_DEVICE void upwind(BuildingZones const& zone, double wx, double wy, double z, PointState& state) const {
    if (!(zone.upwind_length > 0) || wx < zone.front || wx > zone.x || z < zone.base) return;
    double const y = wy - zone.y;
    double const reach =
        zone.upwind_length * outline((y - zone.face_y) / zone.face_half_width, (z - zone.base) / (0.6 * zone.height));
    double entry, exit;
    if (!(reach > 0) || !zone.chord(corners, y, entry, exit)) return;
    double const distance = zone.x + entry - wx;
    if (distance < 0 || distance > reach || obstructed(zone, wx, zone.x + entry, wy, z)) return;
    state.flag = CellFlag::upwind_cavity;
    state.speed = 0;
  }

  KARMAN_HOST_DEVICE void behind(BuildingZones const& zone, double wx, double wy, double z, PointState& state) const {
    if (!(zone.cavity_length > 0) || wx < zone.x - zone.half_length - zone.half_width || wx > zone.rear ||
        z < zone.base) {
      return;
    }
    double const y = wy - zone.y;
    double const across = y / zone.half_extent;
    double const d = zone.cavity_length * outline(across, (z - zone.base) / zone.height);
    double entry, exit;
    if (!(d > 0) || !zone.chord(corners, y, entry, exit)) return;
    double const distance = wx - (zone.x + exit);
    if (distance < 0 || distance >= 3 * d || obstructed(zone, zone.x + exit, wx, wy, z)) return;
    if (distance < d) {
      double const rest = 1 - distance / d;
      state.flag = CellFlag::cavity;
      state.speed = -zone.roof_speed * rest * rest * std::sqrt(1 - std::fabs(across));
    } else if (state.flag == CellFlag::air || state.flag == CellFlag::wake) {
      double const ratio = d / distance;
      state.flag = CellFlag::wake;
      state.speed *= 1 - ratio * std::sqrt(ratio);
    }
  }

  /// True if another building lies on the line y = wy between x = from and x = to at the height z.
  KARMAN_HOST_DEVICE bool obstructed(BuildingZones const& zone, double from, double to, double wy, double z) const {
    for (int o = zone.first_obstacle; o < zone.last_obstacle; ++o) {
      BuildingZones const& other = zones[obstacles[o]];
      double entry, exit;
      if (z < other.base || z > other.base + other.height || !other.chord(corners, wy - other.y, entry, exit)) continue;
      double const middle = other.x + 0.5 * (entry + exit);
      if (middle > from && middle < to) return true;
    }
    return false;
  }
};

/// Table of a plan that stays on the host.
ZoneTable table_of(ZonePlan const& plan);

}  // namespace karman::wind
