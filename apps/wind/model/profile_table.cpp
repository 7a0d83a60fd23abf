// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile_table.hpp"

#include "wind/case/wind/sensor_wind.hpp"

#include <algorithm>
#include <cmath>

namespace karman::wind {

ProfileTable tabulate(Profile const& profile, double top) {
  ProfileTable table;
  table.scale = height_scale(profile);
  table.step = std::log1p(top / table.scale) / (profile_heights - 1);
  for (int n = 0; n < profile_heights; ++n) {
    double const height = table.scale * std::expm1(n * table.step);
    table.speed.push_back(profile.speed_at(height));
    auto const [x, y] = profile.heading_at(height);
    table.heading_x.push_back(x);
    table.heading_y.push_back(y);
  }
  return table;
}

SensorTable tabulate(std::span<WindSensor const> sensors, std::span<double const> heights) {
  SensorTable table;
  for (double const height : heights) {
    for (WindSensor const& sensor : sensors) {
      auto const [u, v] = sensor.profile.velocity(height);
      table.u.push_back(u);
      table.v.push_back(v);
    }
  }
  return table;
}

SensorTable tabulate(std::span<WindSensor const> sensors, double top) {
  double scale = height_scale(sensors.front().profile);
  for (WindSensor const& sensor : sensors) scale = std::min(scale, height_scale(sensor.profile));
  double const step = std::log1p(top / scale) / (profile_heights - 1);
  std::vector<double> heights;
  for (int n = 0; n < profile_heights; ++n) heights.push_back(scale * std::expm1(n * step));
  SensorTable table = tabulate(sensors, heights);
  table.scale = scale;
  table.step = step;
  return table;
}

}  // namespace karman::wind
