// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Undisturbed wind at tabulated heights above the ground.
#pragma once

#include "wind/case/wind/profile.hpp"
#include "wind/case/wind/wind_sensor.hpp"

#include <span>
#include <vector>

namespace karman::wind {

/// Profile at the heights a_n = scale (exp(n step) - 1) from 0 to at least `top`; scale is the roughness, 1 cm for a
/// power law. Linear interpolation in ln(1 + a / scale) is exact for a logarithmic profile. For the others its relative
/// error is below 1e-6. At the kinks of measured points it is below 1e-3 of the change of slope.
struct ProfileTable {
  double scale = 1;
  double step = 1;
  std::vector<double> speed;                 ///< m/s
  std::vector<double> heading_x, heading_y;  ///< unit vectors of the direction of travel
};

/// Number of heights of a table.
inline constexpr int profile_heights = 16384;

/// \par Requires
/// top > 0
ProfileTable tabulate(Profile const& profile, double top);

/// Velocities of several sensors, (heights, sensors), m/s.
struct SensorTable {
  double scale = 1;
  double step = 1;
  std::vector<double> u, v;
};

/// At the heights of a ProfileTable; `scale` is the least of the sensors.
/// \par Requires
/// top > 0, a sensor
SensorTable tabulate(std::span<WindSensor const> sensors, double top);

/// At given heights; `scale` and `step` have no meaning.
SensorTable tabulate(std::span<WindSensor const> sensors, std::span<double const> heights);

}  // namespace karman::wind
