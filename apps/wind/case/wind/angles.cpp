// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "angles.hpp"

#include <cmath>
#include <numbers>

namespace karman::wind {

std::array<double, 2> direction_cosines(double degrees) {
  double const turn = std::fmod(degrees, 360.0);
  double const quarters = std::round(turn / 90.0);
  double const rest = (turn - 90.0 * quarters) * std::numbers::pi / 180.0;
  double const c = std::cos(rest);
  double const s = std::sin(rest);
  switch ((static_cast<int>(quarters) % 4 + 4) % 4) {
    case 0: return {c, s};
    case 1: return {-s, c};
    case 2: return {-c, -s};
    default: return {s, -c};
  }
}

double heading_degrees(double direction) { return 270.0 - direction; }

}  // namespace karman::wind
