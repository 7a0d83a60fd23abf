// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sensor_wind.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace karman::wind {

std::array<double, 2> SensorWind::combined(std::span<double const> weights, double height) const {
  std::array<double, 2> sum{0, 0};
  for (std::size_t s = 0; s < sensors_.size(); ++s) {
    auto const [u, v] = sensors_[s].profile.velocity(height);
    sum[0] += weights[s] * u;
    sum[1] += weights[s] * v;
  }
  return sum;
}

Profile SensorWind::mean(UniformGrid const& grid) const {
  constexpr int most_places = 64;
  constexpr int heights_below = 6;
  int const columns = std::min(grid.nx(), most_places);
  int const rows = std::min(grid.ny(), most_places);
  std::vector<double> weights(sensors_.size(), 0.0);
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      auto const here =
          interpolation_.at((i + 0.5) * grid.nx() * grid.dx() / columns, (j + 0.5) * grid.ny() * grid.dy() / rows);
      for (std::size_t s = 0; s < weights.size(); ++s) weights[s] += here[s] / (columns * rows);
    }
  }
  Profile mean;
  mean.kind = Profile::Kind::measured;
  mean.height = axis_height;
  auto const axis = combined(weights, axis_height);
  mean.speed = speed_of(axis);
  // Round-off must not turn the zones: points on their edges would change sides.
  mean.direction = mean.speed > 0 ? std::round(direction_of(axis) * 1e9) / 1e9 : sensors_.front().profile.direction;
  mean.roughness = height_scale(sensors_.front().profile);
  for (WindSensor const& sensor : sensors_) mean.roughness = std::min(mean.roughness, height_scale(sensor.profile));
  for (int n = heights_below; n > 0; --n) mean.heights.push_back(std::ldexp(grid.z_center(0), -n));
  for (int k = 0; k < grid.nz(); ++k) mean.heights.push_back(grid.z_center(k));
  for (double const height : mean.heights) {
    auto const velocity = combined(weights, height);
    mean.speeds.push_back(speed_of(velocity));
    double const turning = mean.speeds.back() > 0 ? direction_of(velocity) - mean.direction : 0;
    mean.turning.push_back(std::remainder(turning, 360.0));
  }
  return mean;
}

double height_scale(Profile const& profile) { return profile.kind == Profile::Kind::power ? 0.01 : profile.roughness; }

double direction_of(std::array<double, 2> const& velocity) {
  return 90 - std::atan2(-velocity[1], -velocity[0]) * 180 / std::numbers::pi;
}

double speed_of(std::array<double, 2> const& velocity) { return std::hypot(velocity[0], velocity[1]); }

double angle_between(double direction, double other) { return std::abs(std::remainder(direction - other, 360.0)); }

}  // namespace karman::wind
