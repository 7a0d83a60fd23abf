// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Undisturbed wind as a function of height.
#pragma once

#include <array>

namespace karman::wind {

/// Horizontal wind, uniform over the domain, with one direction at all heights.
struct Profile {
  enum class Kind { log, power };
  Kind kind = Kind::log;
  double speed = 0;        ///< m/s at `height`
  double height = 10;      ///< m above the ground
  double roughness = 1;    ///< m, log only
  double exponent = 0;     ///< power only
  double direction = 270;  ///< degrees, where the wind comes from: 0 north, 90 east

  /// Speed in m/s at the height z >= 0 in metres above the ground:
  ///   log: speed ln((z + roughness) / roughness) / ln((height + roughness) / roughness)
  ///   power: speed (z / height)^exponent
  double speed_at(double z) const;

  /// Unit vector of the wind's direction of travel, (x, y).
  std::array<double, 2> heading() const;
};

}  // namespace karman::wind
