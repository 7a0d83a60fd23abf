// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Slow air in, above and behind vegetation. docs/wind_vegetation.md has formulas and sources.
///
/// z is the height above the ground of the plant, H its top, u0 the undisturbed wind. All velocities are factors of u0.
///
/// - Canopy (Cionco 1965): ln((H - d) / z0) exp(a (z / H - 1)) / ln((z + z0) / z0) below H, above it
///   ln((z - d) / z0) / ln((z + z0) / z0), never more than 1.
/// - Tree: the same within the crown; above it the factor goes linearly to 1 at 2 H.
/// - Rows: the same with a depending on the angle of the wind; less in the gaps.
/// - Windbreak: porosity^e inside.
/// - Wake of a tree (Margairaz et al. 2022), shelter of a windbreak (mixing layer; Perera 1981): see the functions.
#pragma once

#include "common/fields/host_device.hpp"
#include "wind/case/buildings/inside_building.hpp"
#include "wind/case/vegetation/plant.hpp"
#include "zone_state.hpp"
#include "zone_tiles.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace karman::wind {

inline constexpr double von_karman = 0.4;

/// Wind in and above a canopy, as a factor of the logarithmic law over the same ground.
struct CanopyLaw {
  double top = 1;           ///< H
  double attenuation = 0;   ///< a
  double displacement = 0;  ///< d
  double roughness = 1;     ///< z0
  double top_shape = 0;     ///< ln((H - d) / z0)

  KARMAN_HOST_DEVICE double factor(double z) const {
    if (!(z > 0)) return 1;
    double const undisturbed = std::log1p(z / roughness);
    double const here =
        z < top ? top_shape * std::exp(attenuation * (z / top - 1)) : std::log((z - displacement) / roughness);
    return here < undisturbed ? here / undisturbed : 1;
  }
};

/// Relative deficit in the wake of a tree with a crown of height h. xi = x / h, x from the middle of the crown, y and z
/// from the same. The wake is an ellipse of the axes (B + 1.15) h across and (B - 1.15) h upward, q = 1 on its edge:
/// - xi < 7.77: B = 2.12 + 0.05 xi, friction (9.33 - 0.63 xi) exp(-q / (4 * 0.083));
/// - else: B = 1.70 xi^0.19, friction 90.68 xi^-1.48 exp(-q / (4 * 0.083)).
/// friction = u* / U. Never more than 1; 0 outside of the ellipse and for x <= 0.
KARMAN_HOST_DEVICE inline double tree_wake_deficit(double friction, double h, double x, double y, double z) {
  constexpr double end_of_near_wake = 7.77;
  constexpr double spread = 0.083;
  if (!(x > 0)) return 0;
  double const xi = x / h;
  bool const near = xi < end_of_near_wake;
  double const b = near ? 0.05 * xi + 2.12 : 1.70 * std::pow(xi, 0.19);
  double const across = 2 * y / ((b + 1.15) * h);
  double const upward = 2 * z / ((b - 1.15) * h);
  double const q = across * across + upward * upward;
  if (!(q < 1)) return 0;
  double const center = friction * (near ? 9.33 - 0.63 * xi : 90.68 * std::pow(xi, -1.48));
  double const deficit = center * std::exp(-q / (4 * spread));
  return deficit < 1 ? deficit : 1;
}

/// Shelter behind a windbreak. alpha is the share of the wind that passes, b the underside of the leaves.
struct Shelter {
  double top = 1, base = 0;  ///< H, b
  double passing = 1;        ///< alpha
  double half_width = 0;     ///< across the wind
  double length = 0;         ///< L, end of the shelter
  double side_spread = 0;    ///< s_c = 0.14 (1 - alpha) / ((1 + alpha) / 2)
  double top_spread = 0;     ///< s = sqrt(s_c^2 + (2 sigma_w / U_H)^2)
  double perera_rate = 0;    ///< K = 2 kappa^2 / ln(H / z0)
  double top_speed = 0;      ///< U_H

  /// Deficit as a factor of u0 at the distance x > 0 from the lee edge, y across from the middle. `undisturbed` > 0.
  /// - x <= 5 H: the mixing layer D_n = (1 - alpha) / 2 (t(b) - t(H)), t(h) = tanh(1.5 (z - h) / (s x)), t(b) = 1 for
  ///   b = 0.
  /// - x >= 10 H: D_f = 9.75 (1 - alpha) (1 - b / H) (H / x) eta exp(-0.67 eta^1.5) U_H / u0,
  ///   eta = (z / H) (K x / H)^(-1 / 2.14).
  /// - between them linear from one to the other; linear to 0 over the last fifth of L.
  /// Times (1 - tanh(1.5 (|y| - (W / 2 - e)) / e)) / 2 on both sides, e = s_c x / 2.
  KARMAN_HOST_DEVICE double deficit(double x, double y, double z, double undisturbed) const {
    double const e = 0.5 * side_spread * x;
    double const sides = edge(y, e) * edge(-y, e);
    double const far_share = clamped((x / top - 5) / 5);
    double const fading = clamped((length - x) / (0.2 * length));
    double const near = far_share < 1 ? near_deficit(x, z) : 0.0;
    double const far = far_share > 0 ? far_deficit(x, z, undisturbed) : 0.0;
    double const whole = sides * fading * (near + far_share * (far - near));
    return whole < 1 ? whole : 1;
  }

 private:
  KARMAN_HOST_DEVICE static double clamped(double value) { return value < 0 ? 0 : value > 1 ? 1 : value; }
  KARMAN_HOST_DEVICE double edge(double y, double e) const {
    return 0.5 - 0.5 * std::tanh(1.5 * (y - (half_width - e)) / e);
  }
  KARMAN_HOST_DEVICE double near_deficit(double x, double z) const {
    double const thickness = top_spread * x;
    double const below = base > 0 ? std::tanh(1.5 * (z - base) / thickness) : 1.0;
    return 0.5 * (1 - passing) * (below - std::tanh(1.5 * (z - top) / thickness));
  }
  KARMAN_HOST_DEVICE double far_deficit(double x, double z, double undisturbed) const {
    double const eta = z / top * std::pow(perera_rate * x / top, -1 / 2.14);
    return 9.75 * (1 - passing) * (1 - base / top) * top / x * eta * std::exp(-0.67 * eta * std::sqrt(eta)) *
           top_speed / undisturbed;
  }
};

/// Raw pointers to the rings of all plants that are polygons, on the host or on the device.
struct PlantOutlines {
  Corner const* corners = nullptr;
  std::uint32_t const* ring_ends = nullptr;  ///< in the corners of their plant
};

/// One plant: a plain record, filled on the host and read by kernels, in wind-aligned coordinates from the domain's
/// corner.
struct PlantZone {
  PlantKind kind = PlantKind::canopy;
  bool ellipse = false;
  BuildingInterior test;                 ///< of the footprint; of an ellipse the rectangle around it; no pointers
  int first_corner = 0, first_ring = 0;  ///< of a polygon, in the lists of corners and ends of rings
  double ground = 0, base = 0, top = 0;  ///< base and top above the ground
  CanopyLaw law;                         ///< of all but windbreaks
  double row_cosine = 1, row_sine = 0;   ///< of rows: their direction
  double spacing = 1, row_width = 1;     ///< of rows
  double row_angle_sine = 1;             ///< of rows: |sin| of the angle between them and the wind
  double half_extent = 0;                ///< of the footprint across the wind
  double friction = 0;                   ///< of trees: u* / U
  Shelter shelter;                       ///< of windbreaks
  ZoneRange obstacles;                   ///< buildings that may end the wake
  WindBox box;                           ///< of the footprint

  /// True inside of the footprint, edge included. Cost: O(1), O(walls) in the box around a polygon.
  KARMAN_HOST_DEVICE bool holds(PlantOutlines const& outlines, double wx, double wy) const {
    if (ellipse) {
      double const dx = wx - test.x;
      double const dy = wy - test.y;
      double const a = (dx * test.cosine + dy * test.sine) / test.half_length;
      double const b = (dy * test.cosine - dx * test.sine) / test.half_width;
      return a * a + b * b <= 1;
    }
    BuildingInterior here = test;
    here.outline = outline(outlines);
    return here.holds_point(wx, wy);
  }

  /// Factor of u0 at a point over the footprint. z above the ground of the plant.
  KARMAN_HOST_DEVICE double factor(double wx, double wy, double z) const {
    if (kind == PlantKind::windbreak) return z >= base && z < top ? shelter.passing : 1;
    if (kind == PlantKind::tree) {
      if (z < base || z >= 2 * top) return 1;
      double const deficit = 1 - law.factor(z);
      return z < top ? 1 - deficit : 1 - deficit * (2 - z / top);
    }
    double const whole = law.factor(z);
    return kind == PlantKind::rows && !in_row(wx, wy) ? 1 - (1 - whole) * row_angle_sine : whole;
  }

  /// Deficit behind the plant as a factor of u0 = `speed` > 0; 0 outside of wakes and within the reach of x <= 0.
  KARMAN_HOST_DEVICE double deficit(double from, double wx, double wy, double z, double speed) const {
    double const y = wy - test.y;
    if (kind == PlantKind::tree) return tree_wake_deficit(friction, top - base, wx - from, y, z - 0.5 * (base + top));
    return shelter.deficit(wx - from, y, z, speed);
  }

  /// Wind-aligned x from which the wake counts on a line: the middle of a tree, the lee edge of a windbreak. Lines
  /// beside a windbreak take its outermost line. Cost: O(1), O(walls) for a polygon.
  KARMAN_HOST_DEVICE double wake_origin(PlantOutlines const& outlines, double wy) const {
    if (kind == PlantKind::tree) return test.x;
    double const apart = wy - test.y;
    double const y = apart < -half_extent ? -half_extent : apart > half_extent ? half_extent : apart;
    if (ellipse) return test.x + ellipse_exit(y);
    return test.x + (test.outline.empty() ? rectangle_exit(y) : polygon_exit(outline(outlines), y));
  }

 private:
  KARMAN_HOST_DEVICE PlanOutline outline(PlantOutlines const& outlines) const {
    return {outlines.corners + first_corner, outlines.ring_ends + first_ring, test.outline.ring_count};
  }

  KARMAN_HOST_DEVICE bool in_row(double wx, double wy) const {
    double const across = (wy - test.y) * row_cosine - (wx - test.x) * row_sine;
    double const rows = across / spacing;
    return std::fabs(rows - std::floor(rows + 0.5)) * spacing <= 0.5 * row_width;
  }

  KARMAN_HOST_DEVICE double rectangle_exit(double y) const {
    double const along = bound(test.cosine, test.sine * y, test.half_length);
    double const across = bound(-test.sine, test.cosine * y, test.half_width);
    return along < across ? along : across;
  }
  /// Largest t with |slope t + offset| <= half.
  KARMAN_HOST_DEVICE static double bound(double slope, double offset, double half) {
    if (std::fabs(slope) < 1e-12) return 1e300;
    return slope > 0 ? (half - offset) / slope : (-half - offset) / slope;
  }
  KARMAN_HOST_DEVICE double ellipse_exit(double y) const {
    double const c = test.cosine / test.half_length;
    double const s = test.sine / test.half_length;
    double const p = test.cosine / test.half_width;
    double const q = test.sine / test.half_width;
    double const square = c * c + q * q;
    double const half_linear = y * (c * s - p * q);
    double const rest = y * y * (s * s + p * p) - 1;
    double const root = half_linear * half_linear - square * rest;
    return (-half_linear + (root > 0 ? std::sqrt(root) : 0.0)) / square;
  }
  KARMAN_HOST_DEVICE static double polygon_exit(PlanOutline const& polygon, double y) {
    double exit = -1e300;
    for (OutlineWalls walls(polygon); walls.next();) {
      Wall const& wall = walls.wall();
      bool const crosses = (wall.ay <= y && y <= wall.by) || (wall.by <= y && y <= wall.ay);
      if (!crosses) continue;
      double const rise = wall.by - wall.ay;
      double const x = rise != 0 ? wall.ax + (y - wall.ay) / rise * (wall.bx - wall.ax) : wall.bx;
      if (x > exit) exit = x;
      if (rise == 0 && wall.ax > exit) exit = wall.ax;
    }
    return exit > -1e300 ? exit : 0;
  }
};

/// Box of one zone of a plant, wind-aligned, and heights above z = 0.
struct PlantBox {
  WindBox plan;
  double low = 0, high = 0;

  KARMAN_HOST_DEVICE bool holds(double wx, double wy, double z) const {
    return z >= low && z <= high && wx >= plan.front && wx <= plan.rear && wy >= plan.right && wy <= plan.left;
  }
};

/// Zones of one kind, of all plants: a box for each plant, empty where it has no such zone, and the tiles that they may
/// touch.
struct PlantZones {
  std::vector<PlantBox> boxes;
  ZoneTiles tiles;
};

/// All plants, and the rings of polygons.
struct VegetationPlan {
  std::vector<PlantZone> plants;
  std::vector<Corner> corners;           ///< wind-aligned, relative to the centres of the plants
  std::vector<std::uint32_t> ring_ends;  ///< in the corners of their plant
  std::vector<int> obstacles;
  PlantZones over;    ///< in and above plants
  PlantZones behind;  ///< wakes and shelter
};

/// Raw pointers into PlantZones.
struct PlantZoneTable {
  PlantBox const* boxes = nullptr;
  std::int64_t const* tile_starts = nullptr;
  int const* candidates = nullptr;
};

/// Raw pointers into a VegetationPlan, on the host or on the device. Tiles as for the buildings.
struct VegetationTable {
  PlantZone const* plants = nullptr;  ///< null: none
  PlantOutlines outlines;
  int const* obstacles = nullptr;
  PlantZoneTable over, behind;

  /// Air in and above plants. Of several at one point the one that leaves least counts.
  KARMAN_HOST_DEVICE void slow(int tile, double wx, double wy, double z, PointState& state) const {
    double factor = 1;
    for (std::int64_t c = over.tile_starts[tile]; c < over.tile_starts[tile + 1]; ++c) {
      int const p = over.candidates[c];
      if (!over.boxes[p].holds(wx, wy, z) || !plants[p].holds(outlines, wx, wy)) continue;
      PlantZone const& plant = plants[p];
      double const height = z - plant.ground;
      double const here = plant.factor(wx, wy, height);
      if (here < factor) factor = here;
      if (height >= plant.base && height < plant.top) state.flag = CellFlag::vegetation;
    }
    state.along *= factor;
  }
};

}  // namespace karman::wind
