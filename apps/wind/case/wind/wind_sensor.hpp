// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A place where the wind was measured.
#pragma once

#include "profile.hpp"

#include <string>

namespace karman::wind {

/// Wind over one place of the domain.
struct WindSensor {
  std::string name;
  double x = 0, y = 0;  ///< metres from the domain's corner
  Profile profile;      ///< heights above the ground at the sensor
};

/// Largest number of sensors of a case.
inline constexpr int most_sensors = 64;

}  // namespace karman::wind
