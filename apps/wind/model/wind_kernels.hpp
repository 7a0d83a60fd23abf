// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels of the wind model, all asynchronous on `space`. Cells and faces are independent of one another, so the
/// results are the same bits for any number of threads.
///
/// Flags, velocities and ground have the columns of DomainPart::ringed, which is the domain in one process. Fields with
/// the own cells alone are named below.
#pragma once

#include "domain_part.hpp"
#include "solid_plan.hpp"
#include "undisturbed_wind.hpp"
#include "wind/case/wind/barnes.hpp"
#include "zones.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/types.hpp>

#include <array>
#include <cstdint>

namespace karman::wind {

/// The velocity on the faces of the cells, (nz, ny, nx + 1), (nz, ny + 1, nx), (nz + 1, ny, nx), m/s.
template <ExecutionSpace Exec, Real T>
struct FaceVelocity {
  Field<Exec, T> u, v, w;
};

/// A line of values in the memory of `Exec`.
template <ExecutionSpace Exec, class T>
using Line = Kokkos::View<T*, typename Exec::memory_space>;

/// Geometry of the grid in the memory of `Exec`.
template <ExecutionSpace Exec, Real T>
struct DeviceGrid {
  double dx = 1, dy = 1;
  std::int64_t first_x = 0, first_y = 0;  ///< column of the domain that has index 0 in fields with a ring
  std::int64_t ring_x = 0, ring_y = 0;    ///< columns of the ring before the own ones
  Line<Exec, double> z_center;            ///< nz
  Line<Exec, double> z_face;              ///< nz + 1
  Line<Exec, T> inverse_dz;               ///< nz, of the layers
  Line<Exec, T> inverse_dz_face;          ///< nz + 1, of the distances between the centres of neighbouring layers
};

/// A VegetationPlan in the memory of `Exec`; empty without vegetation.
template <ExecutionSpace Exec>
struct DeviceVegetation {
  Line<Exec, PlantZone> plants;
  Line<Exec, Corner> corners;
  Line<Exec, std::uint32_t> ring_ends;
  Line<Exec, int> obstacles;
  Line<Exec, PlantBox> over, behind;
  Line<Exec, std::int64_t> over_starts, behind_starts;
  Line<Exec, int> over_candidates, behind_candidates;
};

/// A ZonePlan in the memory of `Exec`, and the direction of the undisturbed wind at the centres of the layers.
template <ExecutionSpace Exec>
struct DeviceZones {
  Line<Exec, BuildingZones> zones;
  Line<Exec, WindCorner> corners;
  Line<Exec, int> obstacles;
  Line<Exec, FrontalFace> faces;
  Line<Exec, StreetCanyon> canyons;
  Line<Exec, SideWall> side_walls;
  Line<Exec, Court> courts;
  Line<Exec, Crossing> crossings;
  Line<Exec, std::int64_t> tile_starts;
  Line<Exec, int> candidates;
  Line<Exec, double> layer_center, layer_speed;  ///< nz
  DeviceVegetation<Exec> vegetation;
  ZoneTable table;                          ///< over the above
  Line<Exec, double> heading_x, heading_y;  ///< nz, direction of travel of the undisturbed wind
  Line<Exec, double> profile_speed, profile_heading_x, profile_heading_y;  ///< over a terrain: a ProfileTable
  Line<Exec, double> sensor_x, sensor_y, feedback, weights;  ///< of several sensors: a BarnesTable, its weights
  Line<Exec, double> layer_u, layer_v, table_u, table_v;     ///< and their winds, as UndisturbedWind has them
  UndisturbedWind wind;                                      ///< over the above
};

/// A SolidPlan in the memory of `Exec`.
template <ExecutionSpace Exec>
struct DeviceSolids {
  Line<Exec, SolidColumns> buildings;
  Line<Exec, Corner> corners;  ///< of all polygons; `buildings` point into them
  Line<Exec, std::uint32_t> ring_ends;
  Line<Exec, std::int64_t> tile_starts;
  Line<Exec, int> candidates;
  int tiles_x = 1;
};

/// Marks the cells of all buildings as solid: flag = CellFlag::solid where the centre of a cell is inside one. One
/// launch, over the columns of the domain. Cost: per column the point tests of the buildings in its tile, O(walls)
/// each, then one byte written per solid cell.
template <ExecutionSpace Exec, Real T>
void mark_solid(Exec const& space, DeviceGrid<Exec, T> const& grid, DeviceSolids<Exec> const& solids,
                Field<Exec, std::uint8_t> const& flag);

/// Marks the cells with their centre below the ground: flag = CellFlag::terrain. `ground`: height of the columns, (ny,
/// nx), metres. One byte written per cell below the ground.
template <ExecutionSpace Exec, Real T>
void mark_terrain(Exec const& space, DeviceGrid<Exec, T> const& grid, Line<Exec, double> const& ground,
                  Field<Exec, std::uint8_t> const& flag);

/// Weights of the sensors at the centres of the columns of `grid`, (sensors, ny, nx). `sensors` is in the memory of
/// `Exec`. Cost per column: 2 exponentials a sensor, one product a pair of sensors.
template <ExecutionSpace Exec>
void interpolate_sensors(Exec const& space, BarnesTable const& sensors, UniformGrid const& grid,
                         Line<Exec, double> const& weights);

/// Marks every cell that is not solid with the zone of its centre. 1 byte per cell read and written.
template <ExecutionSpace Exec, Real T>
void mark_zones(Exec const& space, DeviceGrid<Exec, T> const& grid, DeviceZones<Exec> const& zones,
                Field<Exec, std::uint8_t> const& flag);

/// walls = 1 where a cell is solid, else 0. `walls`: own cells.
template <ExecutionSpace Exec>
void solid_mask(Exec const& space, std::array<int, 2> const& ring, ConstField<Exec, std::uint8_t> const& flag,
                Field<Exec, std::uint8_t> const& walls);

/// The initial field: profile and zones at the middle of each face, zero on the faces of solid cells and on the ground.
/// Over a terrain the profile counts from the mean ground of the two columns at the face.
/// w is zero without evaluation where no zone of the plan has a vertical velocity.
template <ExecutionSpace Exec, Real T>
void set_initial_velocity(Exec const& space, DeviceGrid<Exec, T> const& grid, DeviceZones<Exec> const& zones,
                          ConstField<Exec, std::uint8_t> const& flag, FaceVelocity<Exec, T> const& velocity);

/// out = scale * (du/dx + dv/dy + dw/dz) in fluid cells, 0 in solid ones. `out`: own cells. A scale of 1 gives the
/// divergence in 1/s. Traffic per cell: 5 reals and a flag.
template <ExecutionSpace Exec, Real T>
void divergence(Exec const& space, DeviceGrid<Exec, T> const& grid, ConstField<Exec, std::uint8_t> const& flag,
                FaceVelocity<Exec, T> const& velocity, double scale, Field<Exec, T> const& out);

/// Velocity update of a pass: u += (lambda_i - lambda_{i-1}) / (2 alpha_1^2 dx) and so on on every face that is
/// neither a wall nor the ground. On the sides and the top lambda is zero on the face itself, half a cell away. Then
/// sum += lambda, unless `sum` is empty. All fields have the same cells. Where the ring ends within the domain, its
/// outermost faces get values that nothing reads. Traffic per cell: lambda and a flag read, three velocities and the
/// sum read and written.
template <ExecutionSpace Exec, Real T>
void add_gradient(Exec const& space, DeviceGrid<Exec, T> const& grid, ConstField<Exec, std::uint8_t> const& flag,
                  ConstField<Exec, T> const& lambda, std::array<double, 2> const& alpha,
                  FaceVelocity<Exec, T> const& velocity, Field<Exec, T> const& sum = {});

/// to += values.
template <ExecutionSpace Exec, Real T>
void add(Exec const& space, ConstField<Exec, T> const& values, Field<Exec, T> const& to);

/// Copies own values into a field with a ring of which they are the values from `ring` on.
template <ExecutionSpace Exec, class T>
void copy_into_ringed(Exec const& space, std::array<int, 2> const& ring, ConstField<Exec, T> const& own,
                      Field<Exec, T> const& ringed);
/// Copies own values out of such a field.
template <ExecutionSpace Exec, class T>
void copy_from_ringed(Exec const& space, std::array<int, 2> const& ring, ConstField<Exec, T> const& ringed,
                      Field<Exec, T> const& own);

/// out = mean of the two faces of each own cell along `axis` (0: x, 1: y, 2: z) of the face field `face`.
template <ExecutionSpace Exec, Real T>
void average_to_centers(Exec const& space, std::array<int, 2> const& ring, int axis, ConstField<Exec, T> const& face,
                        Field<Exec, T> const& out);

/// out = a + b on the slice `index` of own cells along `axis` (0: x, 1: y, 2: z), rows and columns in index order.
template <ExecutionSpace Exec, Real T>
void add_on_slice(Exec const& space, int axis, int index, ConstField<Exec, T> const& a, ConstField<Exec, T> const& b,
                  Plane<Exec, T> const& out);

/// Storage-order index of the first own value that is not finite; the number of own values when all are finite. `own`:
/// their extents. `field` has a ring of `ring` columns before them. Waits.
template <ExecutionSpace Exec, Real T>
std::int64_t first_not_finite(Exec const& space, std::array<int, 2> const& ring, std::array<int, 3> const& own,
                              ConstField<Exec, T> const& field);

}  // namespace karman::wind
