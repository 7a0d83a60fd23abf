// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "velocity_sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace karman::wind {
namespace {

/// Between the centres of equal cells; `position` in cells.
InCell between_centers(double position, int count) {
  if (count == 1) return {};
  double const inside = std::clamp(position, 0.0, static_cast<double>(count)) - 0.5;
  int const index = std::clamp(static_cast<int>(std::floor(inside)), 0, count - 2);
  return {index, inside - index};
}

/// `lowest`: the lowest layer above the ground.
InCell between_layer_centers(UniformGrid const& grid, int layer, int lowest, double z) {
  if (grid.nz() == 1 || z <= grid.z_center(lowest)) return {lowest, 0};
  int const low = std::clamp(z < grid.z_center(layer) ? layer - 1 : layer, 0, grid.nz() - 2);
  return {low, (z - grid.z_center(low)) / (grid.z_center(low + 1) - grid.z_center(low))};
}

}  // namespace

VelocityInterpolation::VelocityInterpolation(UniformGrid const& grid, Profile const& profile, Terrain const* terrain)
    : grid_(grid), profile_(profile), terrain_(terrain) {
  for (int k = 0; k < grid.nz(); ++k) layers_.push_back(profile.velocity(grid.z_center(k)));
}

void VelocityInterpolation::set_sensors(std::span<WindSensor const> sensors, int passes) {
  if (sensors.empty()) return;
  sensors_.emplace(sensors, passes);
  layers_.clear();
  for (int k = 0; k < grid_.nz(); ++k) {
    for (WindSensor const& sensor : sensors) layers_.push_back(sensor.profile.velocity(grid_.z_center(k)));
  }
}

/// Undisturbed velocity in layer k over ground of this height.
std::array<double, 2> VelocityInterpolation::between_sensors(int k, double ground,
                                                             std::span<double const> weights) const {
  if (ground > 0) return sensors_->combined(weights, std::max(0.0, grid_.z_center(k) - ground));
  std::array<double, 2> sum{0, 0};
  for (std::size_t s = 0; s < weights.size(); ++s) {
    auto const& [u, v] = layers_[static_cast<std::size_t>(k) * weights.size() + s];
    sum[0] += weights[s] * u;
    sum[1] += weights[s] * v;
  }
  return sum;
}

/// U(above) / U(reference).
double VelocityInterpolation::ground_factor(double above, double reference) {
  if (above == last_height_ && reference == last_reference_) return last_factor_;
  double const speed = profile_.speed_at(reference);
  last_height_ = above;
  last_reference_ = reference;
  last_factor_ = speed > 0 ? profile_.speed_at(above) / speed : 1;
  return last_factor_;
}

VelocitySample VelocityInterpolation::at(std::array<double, 3> const& point) {
  double const x = point[0] / grid_.dx();
  double const y = point[1] / grid_.dy();
  double const z = std::clamp(point[2], 0.0, grid_.z_face(grid_.nz()));
  InCell const column = in_cell(x, grid_.nx()), row = in_cell(y, grid_.ny());
  InCell layer = in_layer(grid_, z);
  double const ground = ground_of(column.index, row.index);
  int const lowest = ground > 0 ? layers_below(grid_, ground) : 0;
  bool const in_ground = layer.index < lowest && z < ground;
  // The stairs of the ground may reach above the ground itself.
  if (layer.index < lowest && !in_ground) layer = {lowest, 0};
  InCell const between_x = between_centers(x, grid_.nx()), between_y = between_centers(y, grid_.ny());
  InCell const between_z = between_layer_centers(grid_, layer.index, in_ground ? 0 : lowest, z);
  VelocitySample sample;
  sample.i = column.index;
  sample.j = row.index;
  sample.k = layer.index;
  sample.share_x = column.share;
  sample.share_y = row.share;
  sample.share_z = layer.share;
  sample.center_i = between_x.index;
  sample.center_j = between_y.index;
  sample.center_k = between_z.index;
  sample.center_x = between_x.share;
  sample.center_y = between_y.share;
  sample.center_z = between_z.share;
  if (!in_ground && z < grid_.z_center(lowest))
    sample.ground = ground_factor(std::max(0.0, z - ground), grid_.z_center(lowest) - ground);
  return sample;
}

double VelocityInterpolation::undisturbed_speed(VelocitySample const& sample) const {
  double const ground = ground_of(sample.i, sample.j);
  std::vector<double> weights;
  if (sensors_) weights = sensors_->interpolation().at((sample.i + 0.5) * grid_.dx(), (sample.j + 0.5) * grid_.dy());
  auto const velocity_in = [&](int k) {
    if (sensors_) return between_sensors(k, ground, weights);
    return ground > 0 ? profile_.velocity(std::max(0.0, grid_.z_center(k) - ground))
                      : layers_[static_cast<std::size_t>(k)];
  };
  auto const low = velocity_in(sample.center_k);
  auto const high = velocity_in(std::min(sample.center_k + 1, grid_.nz() - 1));
  auto const component = [&](std::size_t c) { return sample.ground * (low[c] + sample.center_z * (high[c] - low[c])); };
  return std::hypot(component(0), component(1));
}

}  // namespace karman::wind
