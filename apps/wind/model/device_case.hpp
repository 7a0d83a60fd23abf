// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Uploads of a case: grid, ground, zones and solid cells in the memory of an execution space.
#pragma once

#include "profile_table.hpp"
#include "wind/case/wind/sensor_wind.hpp"
#include "wind_kernels.hpp"
#include <karman/core/host_copy.hpp>

#include <array>
#include <span>
#include <string>
#include <vector>

namespace karman::wind {

/// A new field without values, with `what` at the end of its label.
template <class T, ExecutionSpace Exec>
Field<Exec, T> make_field(Exec const& space, char const* what, std::array<int, 3> const& extents) {
  return Field<Exec, T>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::wind::") + what),
                        static_cast<std::size_t>(extents[0]), static_cast<std::size_t>(extents[1]),
                        static_cast<std::size_t>(extents[2]));
}

/// Uploads a line of values, no allocation for none. Fences: the source may be released.
template <ExecutionSpace Exec, class T>
Line<Exec, T> make_line(Exec const& space, char const* what, std::span<T const> values) {
  if (values.empty()) return {};
  return device_copy(space, values, std::string("karman::wind::") + what);
}

template <ExecutionSpace Exec, class T>
Line<Exec, T> make_line(Exec const& space, char const* what, std::vector<T> const& values) {
  return make_line<Exec, T>(space, what, std::span<T const>(values));
}

template <Real T, ExecutionSpace Exec>
DeviceGrid<Exec, T> make_grid(Exec const& space, DomainPart const& part) {
  UniformGrid const& grid = part.ringed;
  std::vector<double> center, face;
  std::vector<T> inverse, inverse_face;
  for (int k = 0; k < grid.nz(); ++k) {
    center.push_back(grid.z_center(k));
    inverse.push_back(static_cast<T>(1 / grid.dz(k)));
  }
  for (int k = 0; k <= grid.nz(); ++k) {
    face.push_back(grid.z_face(k));
    inverse_face.push_back(static_cast<T>(1 / grid.dz_between(k)));
  }
  DeviceGrid<Exec, T> result;
  result.dx = grid.dx();
  result.dy = grid.dy();
  result.first_x = grid.own_box().begin[0];
  result.first_y = grid.own_box().begin[1];
  result.ring_x = part.ring[0];
  result.ring_y = part.ring[1];
  result.z_center = make_line(space, "z_center", center);
  result.z_face = make_line(space, "z_face", face);
  result.inverse_dz = make_line(space, "inverse_dz", inverse);
  result.inverse_dz_face = make_line(space, "inverse_dz_face", inverse_face);
  return result;
}

/// Height of the ground in the columns of a part of the grid; none without terrain.
inline std::vector<double> ground_of(Terrain const& terrain, UniformGrid const& part) {
  std::vector<double> heights;
  if (terrain.empty()) return heights;
  Box const box = part.own_box();
  for (int j = box.begin[1]; j < box.end[1]; ++j) {
    for (int i = box.begin[0]; i < box.end[0]; ++i) heights.push_back(terrain.height(i, j));
  }
  return heights;
}

template <ExecutionSpace Exec>
DeviceVegetation<Exec> make_vegetation(Exec const& space, VegetationPlan const& plan) {
  DeviceVegetation<Exec> result;
  if (plan.plants.empty()) return result;
  result.plants = make_line(space, "plants", plan.plants);
  result.corners = make_line(space, "plant_corners", plan.corners);
  result.ring_ends = make_line(space, "plant_ring_ends", plan.ring_ends);
  result.obstacles = make_line(space, "plant_obstacles", plan.obstacles);
  result.over = make_line(space, "plant_boxes", plan.over.boxes);
  result.over_starts = make_line(space, "plant_tile_starts", plan.over.tiles.starts);
  result.over_candidates = make_line(space, "plant_candidates", plan.over.tiles.candidates);
  result.behind = make_line(space, "plant_wake_boxes", plan.behind.boxes);
  result.behind_starts = make_line(space, "plant_wake_tile_starts", plan.behind.tiles.starts);
  result.behind_candidates = make_line(space, "plant_wake_candidates", plan.behind.tiles.candidates);
  return result;
}

template <ExecutionSpace Exec>
VegetationTable table_of(DeviceVegetation<Exec> const& lines) {
  return {lines.plants.data(),
          {lines.corners.data(), lines.ring_ends.data()},
          lines.obstacles.data(),
          {lines.over.data(), lines.over_starts.data(), lines.over_candidates.data()},
          {lines.behind.data(), lines.behind_starts.data(), lines.behind_candidates.data()}};
}

/// Adds the winds of several sensors and their weights in the columns of `grid`. Fences.
template <ExecutionSpace Exec>
void add_sensors(Exec const& space, WindCase const& wind_case, UniformGrid const& grid,
                 std::vector<double> const& layer_center, DeviceZones<Exec>& result) {
  BarnesInterpolation const interpolation(wind_case.sensors, wind_case.sensor_passes);
  result.sensor_x = make_line(space, "sensor_x", interpolation.x());
  result.sensor_y = make_line(space, "sensor_y", interpolation.y());
  result.feedback = make_line(space, "sensor_feedback", interpolation.feedback());
  BarnesTable table = interpolation.table();
  table.x = result.sensor_x.data();
  table.y = result.sensor_y.data();
  table.feedback = result.feedback.data();
  result.weights = Line<Exec, double>(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "karman::wind::sensor_weights"),
      wind_case.sensors.size() * static_cast<std::size_t>(grid.nx()) * static_cast<std::size_t>(grid.ny()));
  interpolate_sensors<Exec>(space, table, grid, result.weights);
  compat::fence(space, "karman::wind::sensors");
  SensorTable const layers = tabulate(wind_case.sensors, layer_center);
  result.layer_u = make_line(space, "sensor_layer_u", layers.u);
  result.layer_v = make_line(space, "sensor_layer_v", layers.v);
  UndisturbedWind& wind = result.wind;
  wind.sensors = static_cast<int>(wind_case.sensors.size());
  wind.weights = result.weights.data();
  wind.layer_u = result.layer_u.data();
  wind.layer_v = result.layer_v.data();
  wind.nx = grid.nx();
  wind.ny = grid.ny();
  wind.axis_x = result.table.heading_x;
  wind.axis_y = result.table.heading_y;
  if (wind_case.terrain.empty()) return;
  SensorTable const heights = tabulate(wind_case.sensors, grid.z_face(grid.nz()));
  result.table_u = make_line(space, "sensor_table_u", heights.u);
  result.table_v = make_line(space, "sensor_table_v", heights.v);
  wind.table_u = result.table_u.data();
  wind.table_v = result.table_v.data();
  wind.count = profile_heights;
  wind.scale = heights.scale;
  wind.inverse_step = 1 / heights.step;
}

/// `ground`: height of the columns of `grid`, empty without terrain. It must outlive the result.
template <ExecutionSpace Exec>
DeviceZones<Exec> make_zones(Exec const& space, WindCase const& wind_case, UniformGrid const& grid,
                             Line<Exec, double> const& ground) {
  ZonePlan const plan = plan_zones(wind_case);
  std::vector<double> heading_x, heading_y;
  for (int k = 0; k < wind_case.grid.nz(); ++k) {
    auto const [x, y] = wind_case.profile.heading_at(wind_case.grid.z_center(k));
    heading_x.push_back(x);
    heading_y.push_back(y);
  }
  DeviceZones<Exec> result;
  result.zones = make_line(space, "zones", plan.zones);
  result.corners = make_line(space, "corners", plan.corners);
  result.obstacles = make_line(space, "obstacles", plan.obstacles);
  result.faces = make_line(space, "faces", plan.faces);
  result.canyons = make_line(space, "canyons", plan.canyons);
  result.side_walls = make_line(space, "side_walls", plan.side_walls);
  result.courts = make_line(space, "courts", plan.courts);
  result.crossings = make_line(space, "crossings", plan.crossings);
  result.tile_starts = make_line(space, "tile_starts", plan.tiles.starts);
  result.candidates = make_line(space, "candidates", plan.tiles.candidates);
  result.layer_center = make_line(space, "layer_center", plan.layer_center);
  result.layer_speed = make_line(space, "layer_speed", plan.layer_speed);
  result.heading_x = make_line(space, "heading_x", heading_x);
  result.heading_y = make_line(space, "heading_y", heading_y);
  result.table = table_of(plan);
  result.table.zones = result.zones.data();
  result.table.corners = result.corners.data();
  result.table.obstacles = result.obstacles.data();
  result.table.faces = result.faces.data();
  result.table.canyons = result.canyons.data();
  result.table.side_walls = result.side_walls.data();
  result.table.courts = result.courts.data();
  result.table.crossings = result.crossings.data();
  result.table.tile_starts = result.tile_starts.data();
  result.table.candidates = result.candidates.data();
  result.table.layer_center = result.layer_center.data();
  result.table.layer_speed = result.layer_speed.data();
  result.vegetation = make_vegetation(space, plan.vegetation);
  result.table.vegetation = table_of(result.vegetation);
  result.wind.layer_speed = result.layer_speed.data();
  result.wind.layer_heading_x = result.heading_x.data();
  result.wind.layer_heading_y = result.heading_y.data();
  if (!wind_case.terrain.empty()) {
    result.wind.ground = ground.data();
    result.wind.nx = grid.nx();
    result.wind.ny = grid.ny();
  }
  if (!wind_case.sensors.empty()) {
    add_sensors(space, wind_case, grid, plan.layer_center, result);
    return result;
  }
  if (wind_case.terrain.empty()) return result;
  ProfileTable const profile = tabulate(wind_case.profile, wind_case.grid.z_face(wind_case.grid.nz()));
  result.profile_speed = make_line(space, "profile_speed", profile.speed);
  result.profile_heading_x = make_line(space, "profile_heading_x", profile.heading_x);
  result.profile_heading_y = make_line(space, "profile_heading_y", profile.heading_y);
  result.wind.speed = result.profile_speed.data();
  result.wind.heading_x = result.profile_heading_x.data();
  result.wind.heading_y = result.profile_heading_y.data();
  result.wind.count = profile_heights;
  result.wind.scale = profile.scale;
  result.wind.inverse_step = 1 / profile.step;
  return result;
}

/// Uploads a plan of solid cells. Fences.
template <ExecutionSpace Exec>
DeviceSolids<Exec> make_solids(Exec const& space, SolidPlan plan) {
  DeviceSolids<Exec> result;
  result.corners = make_line(space, "corners_of_polygons", plan.corners);
  result.ring_ends = make_line(space, "ring_ends_of_polygons", plan.ring_ends);
  for (SolidColumns& building : plan.buildings) {
    building.test.outline.corners = result.corners.data() + building.first_corner;
    building.test.outline.ring_ends = result.ring_ends.data() + building.first_ring;
  }
  result.buildings = make_line(space, "buildings", plan.buildings);
  result.tile_starts = make_line(space, "building_tile_starts", plan.tile_starts);
  result.candidates = make_line(space, "building_candidates", plan.candidates);
  result.tiles_x = plan.tiles_x;
  return result;
}

}  // namespace karman::wind
