// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metres_per_degree.hpp"

#include <cmath>
#include <numbers>

namespace karman::wind {

std::array<double, 2> metres_per_degree(double latitude) {
  constexpr double equator = 6378137;                // semi-major axis, metres
  constexpr double eccentricity = 0.00669437999014;  // squared
  double const phi = latitude * std::numbers::pi / 180;
  double const q = 1 - eccentricity * std::sin(phi) * std::sin(phi);
  double const degree = std::numbers::pi / 180;
  return {equator / std::sqrt(q) * std::cos(phi) * degree, equator * (1 - eccentricity) / (q * std::sqrt(q)) * degree};
}

}  // namespace karman::wind
