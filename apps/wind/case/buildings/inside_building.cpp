// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inside_building.hpp"

#include "wind/case/wind/angles.hpp"

#include <algorithm>

namespace karman::wind {

BuildingInterior interior_of(Building const& building) {
  // Allows for round-off in the rotation, which must not break a wall that runs exactly through cell centres.
  constexpr double slack = 1e-9;
  auto const [c, s] = direction_cosines(building.rotation);
  BuildingInterior test;
  test.x = building.x;
  test.y = building.y;
  test.cosine = c;
  test.sine = s;
  test.half_length = 0.5 * building.length * (1 + slack);
  test.half_width = 0.5 * building.width * (1 + slack);
  test.bottom = building.base - slack * building.height;
  test.top = building.top() + slack * building.height;
  if (!building.is_rectangle()) {
    test.outline = building.footprint.outline();
    test.slack = 0.5 * slack * std::max(building.length, building.width);
  }
  return test;
}

}  // namespace karman::wind
