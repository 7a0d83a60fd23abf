// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Street canyons between two buildings, by hand.
#include "zone_cases.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace wind_canyon_test {

using namespace karman::test;
using karman::wind::Building;
using karman::wind::CellFlag;
using karman::wind::Parameterisations;
using karman::wind::PointState;
using karman::wind::WindCase;

Parameterisations with_canyons() {
  Parameterisations settings;
  settings.street_canyon = true;
  return settings;
}

/// Cubes of 10 m, walls at x = 105 and 113: S = 8, below L_r = 14.5.
std::vector<Building> two_cubes(double second_height = 10) {
  return {zone_block(100, 100, 10, 10, 10), zone_block(118, 100, 10, 10, second_height)};
}

TEST(CanyonZone, VortexBetweenTwoCubes) {
  auto const plan = plan_zones(zone_case(two_cubes(), with_canyons()));
  ASSERT_EQ(plan.canyons.size(), 1u);
  auto const at = [&](double x, double y = 100, double z = 5) { return zone_at(plan, x, y, z); };
  EXPECT_EQ(at(109).flag, CellFlag::canyon);
  EXPECT_NEAR(at(109).along, -4, 1e-12);
  EXPECT_NEAR(at(109).vertical, 0, 1e-12);
  EXPECT_EQ(at(109).across, 0);
  // A quarter of the way: -U 4 (1/4) (3/4), and U/2 (1/2)^2 upward; downward at the other side.
  EXPECT_NEAR(at(107).along, -3, 1e-12);
  EXPECT_NEAR(at(107).vertical, 0.5, 1e-12);
  EXPECT_NEAR(at(111).along, -3, 1e-12);
  EXPECT_NEAR(at(111).vertical, -0.5, 1e-12);
  // No flow through the walls; up along the lee wall, down along the other.
  EXPECT_NEAR(at(105 + 1e-9).along, 0, 1e-8);
  EXPECT_NEAR(at(105 + 1e-9).vertical, 2, 1e-8);
  EXPECT_NEAR(at(113 - 1e-9).along, 0, 1e-8);
  EXPECT_NEAR(at(113 - 1e-9).vertical, -2, 1e-8);
  EXPECT_EQ(at(109, 104.9).flag, CellFlag::canyon);
  EXPECT_NE(at(109, 105.1).flag, CellFlag::canyon);
  EXPECT_EQ(at(109, 100, 9.9).flag, CellFlag::canyon);
  EXPECT_NE(at(109, 100, 10).flag, CellFlag::canyon);
}

TEST(CanyonZone, ReferenceIsOneCellAboveTheTop) {
  WindCase wind_case = zone_case(two_cubes(12), with_canyons());
  wind_case.profile.exponent = 0.5;
  wind_case.profile.height = 10;
  auto const plan = plan_zones(wind_case);
  ASSERT_EQ(plan.canyons.size(), 1u);
  // The lower roof is at 10 m, the centre of the layer above it at 11 m.
  EXPECT_NEAR(zone_at(plan, 109, 100, 5, 1).along, -4 * std::sqrt(1.1), 1e-12);
  EXPECT_NE(zone_at(plan, 109, 100, 10.5).flag, CellFlag::canyon) << "only one wall at this height";
}

TEST(CanyonZone, ObliqueCanyonIsSplitAcrossAndAlong) {
  // Two long walls at 30 degrees to the flow's normal: t is the direction along them, n the normal.
  double const angle = 30 * std::acos(-1.0) / 180;
  std::array<double, 2> const n{std::cos(angle), std::sin(angle)};
  std::array<double, 2> const t{-n[1], n[0]};
  auto const plan = plan_zones(zone_case({zone_block(100 - 9 * n[0], 100 - 9 * n[1], 10, 60, 10, 30),
                                          zone_block(100 + 9 * n[0], 100 + 9 * n[1], 10, 60, 10, 30)},
                                         with_canyons()));
  for (double fraction : {0.1, 0.5, 0.8}) {
    // The walls are 4 m from the middle along the normal.
    double const offset = 8 * (fraction - 0.5);
    PointState const state = zone_at(plan, 100 + offset * n[0], 100 + offset * n[1], 5, 2.5);
    ASSERT_EQ(state.flag, CellFlag::canyon);
    double const u_n = state.along * n[0] + state.across * n[1];
    double const u_t = state.along * t[0] + state.across * t[1];
    EXPECT_NEAR(u_n, -4 * n[0] * 4 * fraction * (1 - fraction), 1e-12);
    EXPECT_NEAR(u_t, 2.5 * t[0], 1e-12) << "undisturbed at its own height";
    EXPECT_NEAR(state.vertical, 0.5 * 4 * n[0] * (1 - 2 * fraction) * std::abs(1 - 2 * fraction), 1e-12);
  }
}

TEST(CanyonZone, NeedsAWidthBelowTheCavity) {
  double const length = 10 * 1.8 / 1.24;
  for (double width : {length - 0.01, length + 0.01}) {
    auto const plan = plan_zones(
        zone_case({zone_block(100, 100, 10, 10, 10), zone_block(110 + width, 100, 10, 10, 10)}, with_canyons()));
    EXPECT_EQ(zone_at(plan, 110, 100, 5).flag, width < length ? CellFlag::canyon : CellFlag::cavity);
  }
}

TEST(CanyonZone, LowerBuildingDownwindNeedsANarrowCanyon) {
  // Height over width 0.5, then 0.75.
  EXPECT_EQ(zone_at(plan_zones(zone_case(two_cubes(4), with_canyons())), 109, 100, 2).flag, CellFlag::cavity);
  EXPECT_EQ(zone_at(plan_zones(zone_case(two_cubes(6), with_canyons())), 109, 100, 2).flag, CellFlag::canyon);
  Parameterisations settings = with_canyons();
  settings.canyon_least_ratio = 0.4;
  EXPECT_EQ(zone_at(plan_zones(zone_case(two_cubes(4), settings)), 109, 100, 2).flag, CellFlag::canyon);
  // A higher building downwind: any ratio.
  auto const steps_up =
      plan_zones(zone_case({zone_block(100, 100, 10, 10, 4), zone_block(112, 100, 10, 10, 20)}, with_canyons()));
  EXPECT_EQ(zone_at(steps_up, 106, 100, 2).flag, CellFlag::canyon);
  EXPECT_GT(steps_up.zones[0].cavity_length, 2);
}

TEST(CanyonZone, WallsMustFaceEachOther) {
  for (double rotation : {44.0, 46.0}) {
    std::vector<Building> const buildings{zone_block(100, 100, 10, 20, 10), zone_block(120, 100, 14, 6, 10, rotation)};
    Parameterisations settings = with_canyons();
    // One face of the turned block is at 44 degrees in both cases, the other is excluded here by its place.
    settings.canyon_angle = 43;
    EXPECT_TRUE(plan_zones(zone_case(buildings, settings)).canyons.empty());
    settings.canyon_angle = 45;
    EXPECT_EQ(plan_zones(zone_case(buildings, settings)).canyons.size(), 1u);
    settings.canyon_angle = 47;
    EXPECT_EQ(plan_zones(zone_case(buildings, settings)).canyons.size(), 2u);
  }
}

TEST(CanyonZone, EndsAtABuildingInBetween) {
  auto const plan = plan_zones(
      zone_case({zone_block(100, 100, 10, 10, 10), zone_block(109, 100, 2, 10, 4), zone_block(118, 100, 10, 10, 10)},
                with_canyons()));
  // Below 4 m there are two canyons of 3 m, above it one of 8 m.
  EXPECT_NEAR(zone_at(plan, 106.5, 100, 2).along, -4, 1e-12);
  EXPECT_NEAR(zone_at(plan, 111.5, 100, 2).along, -4, 1e-12);
  EXPECT_NEAR(zone_at(plan, 109, 100, 6).along, -4, 1e-12);
  EXPECT_NEAR(zone_at(plan, 107, 100, 6).along, -3, 1e-12);
}

TEST(CanyonZone, WorksWithoutTheWake) {
  Parameterisations settings = with_canyons();
  settings.wake = settings.upwind_cavity = false;
  auto const plan = plan_zones(zone_case(two_cubes(), settings));
  EXPECT_NEAR(zone_at(plan, 109, 100, 5).along, -4, 1e-12);
  EXPECT_EQ(zone_at(plan, 130, 100, 5).flag, CellFlag::air);
}

TEST(CanyonZone, BetweenRaisedBuildingsOnly) {
  std::vector<Building> buildings = two_cubes();
  buildings[1].base = 4;
  auto const plan = plan_zones(zone_case(buildings, with_canyons()));
  EXPECT_NE(zone_at(plan, 109, 100, 3).flag, CellFlag::canyon);
  EXPECT_EQ(zone_at(plan, 109, 100, 5).flag, CellFlag::canyon);
  EXPECT_NE(zone_at(plan, 109, 100, 11).flag, CellFlag::canyon);
}

}  // namespace wind_canyon_test
