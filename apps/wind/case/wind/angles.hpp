// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Directions in degrees.
#pragma once

#include <array>

namespace karman::wind {

/// Cosine and sine of an angle in degrees, exact (0, 1 or -1) at every multiple of 90. A wind from due west must have
/// no component along y.
std::array<double, 2> direction_cosines(double degrees);

/// Angle of travel, counter-clockwise from +x, of a wind from the compass direction `direction` (0 north, 90 east): 270
/// - direction.
double heading_degrees(double direction);

}  // namespace karman::wind
