// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile_table.hpp"

#include <cmath>

namespace karman::wind {

ProfileTable tabulate(Profile const& profile, double top) {
  ProfileTable table;
  table.scale = profile.kind == Profile::Kind::power ? 0.01 : profile.roughness;
  table.step = std::log1p(top / table.scale) / (profile_heights - 1);
  for (int n = 0; n < profile_heights; ++n) {
    double const height = table.scale * std::expm1(n * table.step);
    table.speed.push_back(profile.speed_at(height));
    auto const [x, y] = profile.heading_at(height);
    table.heading_x.push_back(x);
    table.heading_y.push_back(y);
  }
  return table;
}

}  // namespace karman::wind
