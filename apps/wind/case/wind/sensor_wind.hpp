// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Undisturbed wind between several sensors.
#pragma once

#include "barnes.hpp"
#include "wind_sensor.hpp"
#include <karman/core/uniform_grid.hpp>

#include <array>
#include <span>
#include <vector>

namespace karman::wind {

/// Height above the ground of the wind that gives the zones their axis, m.
inline constexpr double axis_height = 10;

/// u(x, y, z) = sum_s c_s(x, y) u_s(z), z above the ground: barnes.hpp.
class SensorWind {
 public:
  /// The sensors must outlive the object. Requirements of BarnesInterpolation.
  SensorWind(std::span<WindSensor const> sensors, int passes) : sensors_(sensors), interpolation_(sensors, passes) {}

  BarnesInterpolation const& interpolation() const { return interpolation_; }

  /// Velocity (u, v) over a place, in metres from the domain's corner. Cost: one profile per sensor.
  std::array<double, 2> velocity(double x, double y, double height) const {
    return combined(interpolation_.at(x, y), height);
  }
  /// The same with given weights.
  std::array<double, 2> combined(std::span<double const> weights, double height) const;

  /// The mean of the wind over the domain as a measured profile: at the centres of the layers and at some heights below
  /// them. Its direction is that of the mean at `axis_height`; of the first sensor where that mean is calm. The mean is
  /// that of at most 64 x 64 places, evenly spread.
  Profile mean(UniformGrid const& grid) const;

 private:
  std::span<WindSensor const> sensors_;
  BarnesInterpolation interpolation_;
};

/// Length scale of the tables of a profile over heights: its roughness, 1 cm for a power law.
double height_scale(Profile const& profile);

/// Direction that a wind comes from, degrees from north, -90 to 270.
double direction_of(std::array<double, 2> const& velocity);

/// Speed of a velocity.
double speed_of(std::array<double, 2> const& velocity);

/// Angle between two directions, degrees, 0 to 180.
double angle_between(double direction, double other);

}  // namespace karman::wind
