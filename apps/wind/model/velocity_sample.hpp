// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Trilinear interpolation of the velocity from the faces of the cells to a point.
#pragma once

#include "wind/case/grid_cell.hpp"
#include "wind/case/terrain/terrain.hpp"
#include "wind/case/wind/profile.hpp"
#include "wind/case/wind/sensor_wind.hpp"
#include <karman/core/uniform_grid.hpp>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace karman::wind {

/// Indices and weights of one point: a plain record, filled on the host and read by kernels.
///
/// Each component is interpolated on the lattice of its own faces. Along its axis the point is between two faces of its
/// cell, along the others between two cell centres. Beyond the outermost centres, in the half cells along the sides and
/// the top, the interpolation continues linearly. Below the lowest centre above the ground u and v follow the
/// undisturbed profile: they are the values at the lowest centre times `ground`.
struct VelocitySample {
  int i = 0, j = 0, k = 0;                          ///< cell that contains the point
  double share_x = 0, share_y = 0, share_z = 0;     ///< place between the faces of that cell, 0 to 1
  int center_i = 0, center_j = 0, center_k = 0;     ///< lower of the two neighboring cell centres
  double center_x = 0, center_y = 0, center_z = 0;  ///< place between these centres
  double ground = 1;                                ///< factor of u and v below the lowest centre
};

/// Records of points in one domain.
class VelocityInterpolation {
 public:
  /// All arguments must outlive the object; no terrain: ground at z = 0. Cost: one evaluation of the profile per layer.
  VelocityInterpolation(UniformGrid const& grid, Profile const& profile, Terrain const* terrain = nullptr);

  /// The undisturbed wind becomes that between several sensors, which must outlive the object; none changes nothing.
  void set_sensors(std::span<WindSensor const> sensors, int passes);

  /// The record of a point, which counts for cell_of(). Between the ground of a column and the lowest layer centre
  /// above it, the cell of that centre counts. Cost: O(log nz), and one evaluation of the profile for each new height
  /// below the lowest centre.
  VelocitySample at(std::array<double, 3> const& point);

  /// Speed of the undisturbed wind at the point, interpolated from the layer centres like the velocity itself. An empty
  /// domain thus has a ratio of 1 between the two. Between sensors it is
  /// that of the column. Cost: over ground above z = 0, two evaluations of the profile; of the profiles of all sensors,
  /// and the weights, between sensors.
  double undisturbed_speed(VelocitySample const& sample) const;

 private:
  std::array<double, 2> between_sensors(int k, double ground, std::span<double const> weights) const;
  double ground_factor(double above, double reference);
  double ground_of(int i, int j) const { return terrain_ == nullptr ? 0 : terrain_->height(i, j); }

  UniformGrid const& grid_;
  Profile const& profile_;
  Terrain const* terrain_;
  std::optional<SensorWind> sensors_;
  std::vector<std::array<double, 2>> layers_;  // undisturbed velocity at the layer centres, each of all sensors
  double last_height_ = -1;                    // and its factor: planes ask for one height again and again
  double last_reference_ = -1;
  double last_factor_ = 1;
};

}  // namespace karman::wind
