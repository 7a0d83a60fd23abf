// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warnings about domains and grids that change the results: each alone, its words, and its limit.
#include "wind/case/plausibility.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wind_plausibility_test {

using karman::UniformGrid;
using namespace karman::wind;

Building block(double x, double y, double length, double width, double height, std::size_t entry = 0) {
  Building building;
  building.x = x;
  building.y = y;
  building.length = length;
  building.width = width;
  building.height = height;
  building.entry = entry;
  return building;
}

/// 300 x 200 x 60 m in cells of 2.5 m: a cube of 10 m fits in the middle.
WindCase roomy_case(std::vector<Building> buildings) {
  WindCase wind_case;
  wind_case.grid = UniformGrid({120, 80, 24}, {2.5, 2.5, 2.5});
  wind_case.profile.speed = 5;
  wind_case.profile.roughness = 0.1;
  wind_case.buildings = std::move(buildings);
  return wind_case;
}

std::vector<std::string> warnings(WindCase const& wind_case) {
  return plausibility_warnings(wind_case,
                               [](Building const& building) { return "building " + std::to_string(building.entry); });
}

TEST(Plausibility, SaysNothingOfAnEmptyOrARoomyDomain) {
  EXPECT_EQ(warnings(roomy_case({})), std::vector<std::string>{});
  EXPECT_EQ(warnings(roomy_case({block(150, 100, 10, 10, 10)})), std::vector<std::string>{});
}

TEST(Plausibility, WarnsOfLowMaps) {
  WindCase wind_case = roomy_case({});
  wind_case.outputs.pedestrian_height = 1.25;
  EXPECT_EQ(warnings(wind_case), std::vector<std::string>{}) << "at the centre";
  wind_case.outputs.pedestrian_height = 1;
  EXPECT_EQ(warnings(wind_case),
            std::vector<std::string>{"the maps at 1 m are below the centre of the lowest layer at 1.25 m: they are its "
                                     "wind, scaled by the profile; refine /domain/layers"});
}

TEST(Plausibility, WarnsOfALowLid) {
  EXPECT_EQ(warnings(roomy_case({block(150, 100, 30, 10, 15), block(150, 100, 10, 10, 10)})),
            std::vector<std::string>{});
  WindCase low = roomy_case({block(150, 100, 10, 10, 10), block(150, 100, 10, 10, 15, 1)});
  low.grid = UniformGrid({120, 80, 11}, {2.5, 2.5, 2.5});
  EXPECT_EQ(
      warnings(low),
      std::vector<std::string>{
          "the domain top at 27.5 m is less than 2 times as high as the highest roof, 15 m (building 1): the lid "
          "changes the flow at the roof by more than 2 % of the speed there; extend /domain/layers to at least 30 m"});
}

TEST(Plausibility, WarnsOfTheNearestSideAndItsRole) {
  struct Near {
    double x, y;
    char const* words;
  };
  for (Near const& near : {Near{30, 100, "building 0 is 25 m from the upwind side (west), 2.5 times its height"},
                           Near{275, 100, "building 0 is 20 m from the downwind side (east), 2 times its height"},
                           Near{150, 30, "building 0 is 25 m from the lateral side (south), 2.5 times its height"},
                           Near{150, 185, "building 0 is 10 m from the lateral side (north), 1 times its height"}}) {
    WindCase wind_case = roomy_case({block(near.x, near.y, 10, 10, 10)});
    wind_case.parameterisations.wake = false;
    auto const found = warnings(wind_case);
    ASSERT_EQ(found.size(), 1u) << near.words;
    EXPECT_EQ(found.front(), near.words + std::string(": expected 3 times; extend /domain"));
  }
  // Exactly three heights are enough.
  EXPECT_TRUE(warnings(roomy_case({block(35, 100, 10, 10, 10)})).empty());
}

TEST(Plausibility, TheRoleOfASideTurnsWithTheWind) {
  WindCase wind_case = roomy_case({block(30, 100, 10, 10, 10)});
  wind_case.parameterisations.wake = false;
  auto const role = [&](double direction) {
    wind_case.profile.direction = direction;
    auto const found = warnings(wind_case);
    return found.size() == 1 ? found.front().substr(found.front().find("the "), 12) : "none";
  };
  EXPECT_EQ(role(270), "the upwind s");
  EXPECT_EQ(role(240), "the upwind s");
  EXPECT_EQ(role(180), "the lateral ");
  EXPECT_EQ(role(0), "the lateral ");
  EXPECT_EQ(role(90), "the downwind");
}

TEST(Plausibility, NamesTheWorstBuildingAndCountsTheOthers) {
  WindCase wind_case =
      roomy_case({block(30, 100, 10, 10, 10, 0), block(150, 25, 10, 10, 10, 1), block(150, 172, 10, 10, 10, 2)});
  wind_case.parameterisations.wake = false;
  auto const found = warnings(wind_case);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().rfind("building 1 (and 2 more) is 20 m from the lateral side (south)", 0), 0u)
      << found.front();
}

TEST(Plausibility, WarnsOfAWakeThatLeavesTheDomain) {
  // W = L = H = 10: L_r = 1.8 / 1.24 of 10 m, so the wake ends 43.55 m behind the lee wall.
  WindCase wind_case = roomy_case({block(252, 100, 10, 10, 10)});
  auto const found = warnings(wind_case);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front(),
            "the wake of building 0 ends 0.548 m outside of the east side: the domain cuts it; extend /domain");
  wind_case.buildings[0].x = 251;
  EXPECT_EQ(warnings(wind_case).size(), 0u) << "the wake ends 0.45 m inside";
  wind_case.buildings[0].x = 252;
  wind_case.profile.direction = 90;
  EXPECT_EQ(warnings(wind_case).size(), 0u) << "the wake lies in the domain";
  wind_case.profile.direction = 270;
  wind_case.parameterisations.wake = false;
  EXPECT_EQ(warnings(wind_case).size(), 0u) << "there is no wake";
}

TEST(Plausibility, WarnsOfABuildingWithFewLayers) {
  EXPECT_TRUE(warnings(roomy_case({block(150, 100, 10, 10, 9)})).empty()) << "centres at 1.25, 3.75, 6.25 and 8.75 m";
  EXPECT_EQ(warnings(roomy_case({block(150, 100, 10, 10, 8.5), block(150, 120, 10, 10, 2, 7)})),
            std::vector<std::string>{
                "building 7 (and 1 more) has 1 layer over its height of 2 m: expected 4; refine /domain/layers"});
  Building raised = block(150, 100, 10, 10, 7.5);
  raised.base = 2.5;
  EXPECT_EQ(
      warnings(roomy_case({raised})),
      std::vector<std::string>{"building 0 has 3 layers over its height of 7.5 m: expected 4; refine /domain/layers"});
}

}  // namespace wind_plausibility_test
