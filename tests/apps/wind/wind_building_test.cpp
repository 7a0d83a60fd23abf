// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind/case/buildings/building.hpp"
#include "wind/case/buildings/inside_building.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace wind_building_test {

using karman::wind::Building;
using karman::wind::interior_of;
using karman::wind::overlap;

Building block(double x, double y, double length, double width, double height, double rotation = 0, double base = 0) {
  Building building;
  building.x = x;
  building.y = y;
  building.length = length;
  building.width = width;
  building.height = height;
  building.rotation = rotation;
  building.base = base;
  return building;
}

TEST(Building, CornersAndExtentsFollowTheRotation) {
  Building const turned = block(10, 20, 4, 2, 1, 90);
  EXPECT_EQ(turned.half_extents(), (std::array<double, 2>{1, 2}));
  EXPECT_EQ(turned.corners()[0], (std::array<double, 2>{11, 18}));
  EXPECT_EQ(turned.corners()[2], (std::array<double, 2>{9, 22}));
  EXPECT_NEAR(block(0, 0, 2, 2, 1, 45).half_extents()[0], std::sqrt(2.0), 1e-15);
}

TEST(Building, TouchingIsNotOverlapping) {
  EXPECT_FALSE(overlap(block(0, 0, 2, 2, 1), block(2, 0, 2, 2, 1)));
  EXPECT_TRUE(overlap(block(0, 0, 2, 2, 1), block(1.9, 0, 2, 2, 1)));
  EXPECT_FALSE(overlap(block(0, 0, 2, 2, 1), block(0, 0, 2, 2, 1, 0, 1)));  // one on top of the other
  EXPECT_TRUE(overlap(block(0, 0, 2, 2, 1), block(0, 0, 2, 2, 1, 0, 0.9)));
  EXPECT_TRUE(overlap(block(0, 0, 10, 10, 5), block(1, 1, 1, 1, 1)));  // one inside the other
}

TEST(Building, RotatedFootprintsAreSeparatedByTheirOwnAxes) {
  // Two long blocks at 45 degrees, side by side: their upright boxes overlap, they do not.
  EXPECT_FALSE(overlap(block(0, 0, 20, 2, 1, 45), block(3, -3, 20, 2, 1, 45)));
  EXPECT_TRUE(overlap(block(0, 0, 20, 2, 1, 45), block(1, -1, 20, 2, 1, 45)));
  EXPECT_TRUE(overlap(block(0, 0, 20, 2, 1, 45), block(3, -3, 20, 2, 1, -45)));
}

TEST(BuildingInterior, HoldsItsBoundaryAtAnyRotation) {
  for (double rotation : {0.0, 30.0, 45.0, 77.0, 90.0}) {
    Building const building = block(100, 50, 20, 10, 8, rotation, 2);
    auto const test = interior_of(building);
    for (auto const& [x, y] : building.corners()) EXPECT_TRUE(test.holds_point(x, y)) << rotation;
    auto const [c, s] = building.corners()[0];
    EXPECT_FALSE(test.holds_point(100 + 1.001 * (c - 100), 50 + 1.001 * (s - 50))) << rotation;
    EXPECT_TRUE(test.holds_height(2));
    EXPECT_TRUE(test.holds_height(10));
    EXPECT_FALSE(test.holds_height(1.99));
    EXPECT_FALSE(test.holds_height(10.01));
  }
}

}  // namespace wind_building_test
