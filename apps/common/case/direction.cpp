// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "direction.hpp"

#include "common/case/texts.hpp"

#include <cmath>

namespace karman::app {

double travel_degrees(double direction, DirectionConvention convention) {
  return convention == DirectionConvention::nautical ? 270 - direction : direction;
}

double within_turn(double degrees) { return std::fmod(degrees + 720, 360); }

std::string convention_text(DirectionConvention convention, std::string_view come, std::string_view go) {
  if (convention == DirectionConvention::travel) return "travel: " + std::string(go) + ", anticlockwise from +x";
  return "nautical: " + std::string(come) + ", clockwise from north (+y)";
}

std::string direction_text(double direction, DirectionConvention convention, std::string_view come,
                           std::string_view go) {
  return formatted("direction %g degrees, ", direction) + convention_text(convention, come, go) +
         formatted("; toward %g degrees from +x", within_turn(travel_degrees(direction, convention)));
}

}  // namespace karman::app
