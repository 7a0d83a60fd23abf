// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Directions of wind and waves as cases give them.
#pragma once

#include <numbers>
#include <string>
#include <string_view>

namespace karman::app {

/// One radian in degrees, one degree in radians.
inline constexpr double degrees = 180 / std::numbers::pi, degree = std::numbers::pi / 180;

/// nautical: direction of origin of wind or waves, clockwise from north (+y). travel: direction of travel,
/// anticlockwise from +x.
enum class DirectionConvention { nautical, travel };

/// Direction of travel, degrees anticlockwise from +x. Nautical: 270 - direction. The function is its own inverse.
double travel_degrees(double direction, DirectionConvention convention);

/// An angle in degrees, at least -720, reduced to 0 to 360 (360 itself becomes 0).
double within_turn(double degrees);

/// "nautical: where waves come from, clockwise from north (+y)", with `come` = "waves come" and `go` = "they go".
std::string convention_text(DirectionConvention convention, std::string_view come, std::string_view go);

/// "direction 270 degrees, nautical: where the wind comes from, clockwise from north (+y); toward 0 degrees from +x".
std::string direction_text(double direction, DirectionConvention convention, std::string_view come,
                           std::string_view go);

}  // namespace karman::app
