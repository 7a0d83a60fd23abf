// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Refraction over straight, parallel contours.
#pragma once

#include <cmath>

namespace karman::waves {

/// A wave at another depth.
struct RefractedWave {
  double direction = 0;  ///< of travel, rad anticlockwise from +x
  double cosine = 0;     ///< of the angle between the wave and the direction of the depth's change, >= 0
};

/// Snell's law: sin(angle) / k is constant, with the angle counted from `across`, the direction of the depth's change.
/// `direction` holds in water of wave number k_0, `ratio` = k_0 / k. Where the sine would be above 1, the wave follows
/// the contours.
inline RefractedWave refracted(double direction, double across, double ratio) {
  double const from = direction - across;
  double const sine = ratio * std::sin(from);
  double const forward = std::cos(from) < 0 ? -1 : 1;
  double const bounded = std::fmin(std::fmax(sine, -1.0), 1.0);
  double const cosine = std::sqrt(1 - bounded * bounded);
  return {across + std::atan2(bounded, forward * cosine), cosine};
}

}  // namespace karman::waves
