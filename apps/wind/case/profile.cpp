// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile.hpp"

#include "angles.hpp"

#include <cmath>

namespace karman::wind {

double Profile::speed_at(double z) const {
  if (kind == Kind::power) return speed * std::pow(z / height, exponent);
  return speed * std::log1p(z / roughness) / std::log1p(height / roughness);
}

std::array<double, 2> Profile::heading() const { return direction_cosines(heading_degrees(direction)); }

}  // namespace karman::wind
