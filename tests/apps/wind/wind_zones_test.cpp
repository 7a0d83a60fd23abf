// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "all_zones.hpp"
#include "wind/model/zones.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

namespace wind_zones_test {

using karman::wind::Building;
using karman::wind::CellFlag;
using karman::wind::Footprint;
using karman::wind::Point;
using karman::wind::PointState;
using karman::wind::Ring;
using karman::wind::WindCase;
using karman::wind::ZonePlan;
using karman::wind::ZoneTable;

Building cube(double x, double y, double edge, double rotation = 0) {
  Building building;
  building.x = x;
  building.y = y;
  building.length = building.width = building.height = edge;
  building.rotation = rotation;
  return building;
}

/// A domain of 200 x 200 x 50 m with a wind of 4 m/s at all heights.
WindCase even_wind(double direction, std::vector<Building> buildings) {
  WindCase wind_case;
  wind_case.grid = karman::UniformGrid({100, 100, 25}, {2, 2, 2});
  wind_case.profile.kind = karman::wind::Profile::Kind::power;
  wind_case.profile.speed = 4;
  wind_case.profile.exponent = 0;
  wind_case.profile.direction = direction;
  wind_case.buildings = std::move(buildings);
  return wind_case;
}

PointState at(ZonePlan const& plan, double x, double y, double z) { return table_of(plan).at(x, y, z, 4); }

TEST(Zones, LengthsByHand) {
  EXPECT_NEAR(karman::wind::upwind_cavity_length(2, 1, 1), 2 / 1.8, 1e-15);
  EXPECT_NEAR(karman::wind::upwind_cavity_length(2, 30, 10), 60 / 3.4, 1e-13);
  EXPECT_NEAR(karman::wind::cavity_length(1, 1, 1), 1.8 / 1.24, 1e-15);
  // L/H = 5 counts as 3: 1.8 * 2 / (3^0.3 * 1.48), 3^0.3 = 1.3903891703159093.
  EXPECT_NEAR(karman::wind::cavity_length(5, 2, 1), 1.7494615783577785, 1e-14);
  // L/H = 0.1 counts as 0.3, W/H = 20 as 10: 18 H / (0.3^0.3 * 3.4), 0.3^0.3 = 0.6968453019359489.
  EXPECT_NEAR(karman::wind::cavity_length(0.2, 40, 2), 2 * 7.597263886763544, 1e-13);
}

TEST(Zones, AlongTheMiddleOfACube) {
  // Cube of 10 m at (100, 100): faces at x = 95 and 105, L_f = 11.111, L_r = 14.516.
  ZonePlan const plan = plan_zones(even_wind(270, {cube(100, 100, 10)}));
  double const z = 1e-9;
  EXPECT_EQ(at(plan, 83.8, 100, z).flag, CellFlag::air);
  EXPECT_EQ(at(plan, 84.0, 100, z).flag, CellFlag::upwind_cavity);
  EXPECT_EQ(at(plan, 84.0, 100, z).along, 0);
  EXPECT_EQ(at(plan, 94.9, 100, 5.9).flag, CellFlag::upwind_cavity);
  EXPECT_EQ(at(plan, 94.9, 100, 6.1).flag, CellFlag::air);
  EXPECT_EQ(at(plan, 105.1, 100, z).flag, CellFlag::cavity);
  // Half way into the cavity: -U (1 - 1/2)^2.
  double const length = 10 * 1.8 / 1.24;
  EXPECT_NEAR(at(plan, 105 + 0.5 * length, 100, z).along, -4 * 0.25, 1e-9);
  // Half way to the side: d = L_r sqrt(1 - 1/4), the speed with another sqrt(1 - 1/2).
  double const d = length * std::sqrt(0.75);
  EXPECT_NEAR(at(plan, 105 + 0.5 * d, 102.5, z).along, -4 * 0.25 * std::sqrt(0.5), 1e-9);
  EXPECT_EQ(at(plan, 105 + 1.01 * length, 100, z).flag, CellFlag::wake);
  EXPECT_NEAR(at(plan, 105 + 2 * length, 100, z).along, 4 * (1 - std::pow(0.5, 1.5)), 1e-9);
  EXPECT_EQ(at(plan, 105 + 3.01 * length, 100, z).flag, CellFlag::air);
  EXPECT_EQ(at(plan, 110, 105.1, z).flag, CellFlag::air);
  EXPECT_EQ(at(plan, 110, 100, 10.1).flag, CellFlag::air);
}

TEST(Zones, FollowTheWind) {
  // The same point seen from the cube, for winds from the four sides.
  for (auto const& [direction, dx, dy] : {std::array{270.0, 1.0, 0.0}, std::array{90.0, -1.0, 0.0},
                                          std::array{0.0, 0.0, -1.0}, std::array{180.0, 0.0, 1.0}}) {
    ZonePlan const plan = plan_zones(even_wind(direction, {cube(100, 100, 10)}));
    EXPECT_EQ(at(plan, 100 + 8 * dx, 100 + 8 * dy, 1).flag, CellFlag::cavity) << direction;
    EXPECT_EQ(at(plan, 100 + 25 * dx, 100 + 25 * dy, 1).flag, CellFlag::wake) << direction;
    EXPECT_EQ(at(plan, 100 - 8 * dx, 100 - 8 * dy, 1).flag, CellFlag::upwind_cavity) << direction;
  }
}

TEST(Zones, EffectiveSizesOfARotatedBlock) {
  // A square at 45 degrees: its shadow is sqrt(2) wide, the effective width and length are area over extent.
  ZonePlan const plan = plan_zones(even_wind(270, {cube(100, 100, 10, 45)}));
  ASSERT_EQ(plan.zones.size(), 1u);
  double const effective = 100 / (10 * std::sqrt(2.0));
  EXPECT_NEAR(plan.zones[0].cavity_length, karman::wind::cavity_length(effective, effective, 10), 1e-12);
  EXPECT_NEAR(plan.zones[0].half_extent, 5 * std::sqrt(2.0), 1e-12);
  EXPECT_EQ(plan.faces.size(), 0u) << "no face is across the wind";
  EXPECT_EQ(plan_zones(even_wind(270, {cube(100, 100, 10, 9)})).faces.size(), 1u);
  EXPECT_EQ(plan_zones(even_wind(270, {cube(100, 100, 10, 11)})).faces.size(), 0u);
}

TEST(Zones, AreSwitchedOneByOne) {
  WindCase wind_case = even_wind(270, {cube(100, 100, 10)});
  wind_case.parameterisations.upwind_cavity = false;
  EXPECT_EQ(at(plan_zones(wind_case), 90, 100, 1).flag, CellFlag::air);
  EXPECT_EQ(at(plan_zones(wind_case), 110, 100, 1).flag, CellFlag::cavity);
  wind_case.parameterisations.upwind_cavity = true;
  wind_case.parameterisations.wake = false;
  EXPECT_EQ(at(plan_zones(wind_case), 90, 100, 1).flag, CellFlag::upwind_cavity);
  EXPECT_EQ(at(plan_zones(wind_case), 110, 100, 1).flag, CellFlag::air);
}

TEST(Zones, EndAtABuildingInTheWay) {
  Building tall = cube(100, 100, 20);
  Building low = cube(120, 100, 6);
  low.height = 4;
  ZonePlan const plan = plan_zones(even_wind(270, {tall, low}));
  EXPECT_EQ(at(plan, 114, 100, 2).flag, CellFlag::cavity);
  // Behind the low one, in the wake of the tall one: below its roof only the low one's own zones remain.
  EXPECT_NE(at(plan, 150, 100, 2).flag, CellFlag::wake);
  EXPECT_EQ(at(plan, 150, 100, 5).flag, CellFlag::wake);
}

/// A polygon with five corners, one of them turned inwards.
Building pentagon(double x, double y, double size, double turn) {
  Ring ring;
  for (int n = 0; n < 5; ++n) {
    double const radius = size / 2 * (n == 1 ? 0.3 : 1.0), angle = (turn + 72 * n) * std::numbers::pi / 180;
    ring.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  Building building = cube(x, y, size, 0);
  for (std::size_t axis = 0; axis < 2; ++axis) {
    auto const [first, last] =
        std::minmax_element(ring.begin(), ring.end(), [axis](Point a, Point b) { return a[axis] < b[axis]; });
    double const low = (*first)[axis], high = (*last)[axis], middle = (low + high) / 2;
    (axis == 0 ? building.length : building.width) = high - low;
    (axis == 0 ? building.x : building.y) += middle;
    for (Point& corner : ring) corner[axis] -= middle;
  }
  building.footprint = Footprint(ring, std::vector<Ring>{});
  return building;
}

TEST(Zones, TilesLeaveNothingOut) {
  // The plan's own tiles against one tile that holds every building, at many points.
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(0, 200), height(0, 50), angle(0, 360);
  std::map<CellFlag, int> seen;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Building> buildings;
    for (int b = 0; b < 12; ++b) {
      Building building = cube(place(random), place(random), 4 + 0.1 * place(random), angle(random));
      building.width *= 1.7;
      if (b % 3 == 2) building = pentagon(place(random), place(random), 4 + 0.1 * place(random), angle(random));
      building.height = 5 + 0.8 * height(random);
      buildings.push_back(building);
    }
    WindCase wind_case = even_wind(angle(random), buildings);
    // Every second city has all zones.
    if (trial % 2 == 1) wind_case.parameterisations = karman::test::all_zones();
    if (trial % 4 == 3) wind_case.parameterisations.wake = false;
    ZonePlan const plan = plan_zones(wind_case);
    ZonePlan whole = plan;
    whole.tiles = {1000, 1000, 1, 1, {0, 12}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
    for (int p = 0; p < 2000; ++p) {
      double const x = place(random);
      double const y = place(random);
      double const z = height(random);
      PointState const one = at(plan, x, y, z);
      PointState const other = at(whole, x, y, z);
      EXPECT_EQ(one.flag, other.flag) << x << ' ' << y << ' ' << z;
      EXPECT_EQ(one.along, other.along);
      EXPECT_EQ(one.across, other.across);
      EXPECT_EQ(one.vertical, other.vertical);
      ++seen[one.flag];
    }
  }
  for (CellFlag flag : {CellFlag::upwind_cavity, CellFlag::cavity, CellFlag::wake, CellFlag::canyon, CellFlag::sidewall,
                        CellFlag::rooftop}) {
    EXPECT_GT(seen[flag], 10) << static_cast<int>(flag);
  }
}

}  // namespace wind_zones_test
