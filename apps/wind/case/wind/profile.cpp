// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile.hpp"

#include "angles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace karman::wind {
namespace {

constexpr double stable_slope = 4.7;     // Businger et al. 1971
constexpr double unstable_factor = 15;   // Businger et al. 1971
constexpr double end_of_log_linear = 1;  // zeta from which the shear in stable air is constant (Webb 1970)

double zeta_of(Profile const& profile, double x) {
  return profile.obukhov_length == 0 ? 0 : x / profile.obukhov_length;
}

/// psi(x / L) - psi(z0 / L).
double correction_above_roughness(Profile const& profile, double x) {
  if (profile.obukhov_length == 0) return 0;
  return stability_correction(zeta_of(profile, x)) - stability_correction(zeta_of(profile, profile.roughness));
}

/// F(z + z0), zero on the ground.
double log_shape(Profile const& profile, double z) {
  double const shape = std::log1p(z / profile.roughness);
  return profile.obukhov_length == 0 ? shape : shape + correction_above_roughness(profile, z + profile.roughness);
}

/// F(x) of a profile over a displacement height.
double displaced_shape(Profile const& profile, double x) {
  return std::log(x / profile.roughness) + correction_above_roughness(profile, x);
}

double canopy_shape(Profile const& profile, double displacement, double z) {
  double const top = profile.canopy_height;
  if (z >= top) return displaced_shape(profile, z - displacement);
  return displaced_shape(profile, top - displacement) * std::exp(profile.attenuation * (z / top - 1));
}

/// An interval of the measured heights, and the place in it, from 0 at `low` to 1 at `high`.
struct Place {
  std::size_t low = 0, high = 0;
  double share = 0;
};

/// Linear in ln((z + z0) / z0). Requires a height within the measured ones; outside it returns the nearest of them.
Place place_between(Profile const& profile, double z) {
  auto const& heights = profile.heights;
  std::size_t const last = heights.size() - 1;
  if (z <= heights.front()) return {0, 0, 0};
  if (z >= heights[last]) return {last, last, 0};
  auto const above = std::upper_bound(heights.begin(), heights.end(), z);
  std::size_t const high = static_cast<std::size_t>(above - heights.begin());
  double const low_shape = std::log1p(heights[high - 1] / profile.roughness);
  double const high_shape = std::log1p(heights[high] / profile.roughness);
  return {high - 1, high, (std::log1p(z / profile.roughness) - low_shape) / (high_shape - low_shape)};
}

double measured_speed(Profile const& profile, double z) {
  if (z < profile.heights.front()) {
    return profile.speeds.front() * std::log1p(z / profile.roughness) /
           std::log1p(profile.heights.front() / profile.roughness);
  }
  auto const [low, high, share] = place_between(profile, z);
  return profile.speeds[low] + share * (profile.speeds[high] - profile.speeds[low]);
}

/// Interpolated the short way round.
double measured_turning(Profile const& profile, double z) {
  auto const [low, high, share] = place_between(profile, z);
  double const turn = std::remainder(profile.turning[high] - profile.turning[low], 360.0);
  return profile.turning[low] + share * turn;
}

}  // namespace

double stability_correction(double zeta) {
  if (zeta > end_of_log_linear) return stable_slope * (1 + std::log(zeta));
  if (zeta >= 0) return stable_slope * zeta;
  double const x = std::sqrt(std::sqrt(1 - unstable_factor * zeta));
  return -2 * std::log((1 + x) / 2) - std::log((1 + x * x) / 2) + 2 * std::atan(x) - std::numbers::pi / 2;
}

double dimensionless_shear(double zeta) {
  if (zeta >= 0) return 1 + stable_slope * std::min(zeta, end_of_log_linear);
  return 1 / std::sqrt(std::sqrt(1 - unstable_factor * zeta));
}

double least_attenuation(Profile const& profile) {
  double const top = profile.canopy_height;
  return dimensionless_shear(zeta_of(profile, top)) / displaced_shape(profile, top);
}

double canopy_displacement(Profile const& profile) {
  double const top = profile.canopy_height;
  // Increases with x = H - d: F does, and phi(x / L) / x falls. Negative at x = z0, where F is zero.
  auto const mismatch = [&](double x) {
    return profile.attenuation * displaced_shape(profile, x) - dimensionless_shear(zeta_of(profile, x)) * top / x;
  };
  double low = profile.roughness;
  double high = top;
  for (;;) {
    double const middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    (mismatch(middle) < 0 ? low : high) = middle;
  }
  return top - high;
}

double Profile::speed_at(double z) const {
  switch (kind) {
    case Kind::log: break;
    case Kind::power: return speed * std::pow(z / height, exponent);
    case Kind::canopy: {
      double const displacement = canopy_displacement(*this);
      return speed * canopy_shape(*this, displacement, z) / canopy_shape(*this, displacement, height);
    }
    case Kind::measured: return measured_speed(*this, z);
  }
  return speed * log_shape(*this, z) / log_shape(*this, height);
}

std::array<double, 2> Profile::heading() const { return direction_cosines(heading_degrees(direction)); }

std::array<double, 2> Profile::heading_at(double z) const {
  if (turning.empty()) return heading();
  return direction_cosines(heading_degrees(direction + measured_turning(*this, z)));
}

std::array<double, 2> Profile::velocity(double z) const {
  double const along = speed_at(z);
  auto const [x, y] = heading_at(z);
  return {along * x, along * y};
}

}  // namespace karman::wind
