// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Zones over roofs and along side walls, by hand.
#include "zone_cases.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace wind_wall_layers_test {

using namespace karman::test;
using karman::wind::CellFlag;
using karman::wind::Parameterisations;
using karman::wind::PointState;
using karman::wind::RooftopModel;
using karman::wind::WindCase;

Parameterisations over_roofs(RooftopModel model) {
  Parameterisations settings = no_zones();
  settings.rooftop = model;
  return settings;
}

Parameterisations beside_walls() {
  Parameterisations settings = no_zones();
  settings.sidewall = true;
  return settings;
}

/// ln((n + z0) / z0) / ln((delta + z0) / z0) with z0 = 0.1 m.
double layer(double n, double delta) { return std::log(n / 0.1 + 1) / std::log(delta / 0.1 + 1); }

TEST(SeparationScale, ByHand) {
  EXPECT_NEAR(karman::wind::separation_scale(10, 10), 10, 1e-14);
  // 8^(2/3) 27^(1/3) = 4 * 3.
  EXPECT_NEAR(karman::wind::separation_scale(8, 27), 12, 1e-13);
  EXPECT_NEAR(karman::wind::separation_scale(27, 8), 12, 1e-13);
}

TEST(RooftopZone, VortexAndLayerOnACube) {
  // R = 10: L_c = 9, D = 2.2; the roof reaches from x = 95 to 105 at z = 10.
  auto const plan = plan_zones(zone_case({zone_block(100, 100, 10, 10, 10)}, over_roofs(RooftopModel::vortex)));
  auto const at = [&](double x, double z, double y = 100) { return zone_at(plan, 95 + x, y, 10 + z); };
  EXPECT_EQ(at(4.5, 1.1).flag, CellFlag::rooftop);
  EXPECT_NEAR(at(4.5, 1.1).along, -4 * 0.5, 1e-12);
  EXPECT_NEAR(at(4.5, 1e-9).along, -4, 1e-8);
  EXPECT_NEAR(at(4.5, 2.2 - 1e-9).along, 0, 1e-8);
  // Behind the middle the layer is the higher one: s = 2.2 sqrt(1 - (1 - 8/4.5)^2), delta = 2.2 sqrt(8/4.5).
  double const s = 2.2 * std::sqrt(1 - std::pow(1 - 8 / 4.5, 2));
  double const delta = 2.2 * std::sqrt(8 / 4.5);
  EXPECT_NEAR(at(8, 0.5 * s).along, -4 * 0.5 * s / 2.2, 1e-12);
  EXPECT_NEAR(at(8, 2).along, 4 * layer(2, delta), 1e-12);
  EXPECT_NEAR(at(8, delta - 1e-9).along, 4, 1e-8) << "the layer joins the undisturbed wind";
  EXPECT_EQ(at(8, delta + 1e-9).flag, CellFlag::air);
  EXPECT_EQ(at(9.5, 1).along, at(9.5, 1, 104).along);
  EXPECT_GT(at(9.5, 0.1).along, 0);
  EXPECT_EQ(at(10.1, 0.1).flag, CellFlag::air);
  EXPECT_EQ(at(-0.1, 0.1).flag, CellFlag::air);
  EXPECT_EQ(at(4, 0.1, 105.1).flag, CellFlag::air);
}

TEST(RooftopZone, LogHasNoVortex) {
  auto const plan = plan_zones(zone_case({zone_block(100, 100, 10, 10, 10)}, over_roofs(RooftopModel::log)));
  EXPECT_NEAR(zone_at(plan, 99.5, 100, 11.1).along, 4 * layer(1.1, 2.2), 1e-12);
  EXPECT_NEAR(zone_at(plan, 99.5, 100, 10 + 1e-12).along, 0, 1e-9);
  EXPECT_TRUE(plan.faces.empty());
}

TEST(RooftopZone, VortexNeedsAnEdgeAcrossTheWind) {
  for (double rotation : {14.0, 16.0}) {
    auto const plan =
        plan_zones(zone_case({zone_block(100, 100, 20, 20, 10, rotation)}, over_roofs(RooftopModel::vortex)));
    PointState const state = zone_at(plan, 94, 100, 10.5);
    EXPECT_EQ(state.flag, CellFlag::rooftop);
    EXPECT_EQ(state.along < 0, rotation < 15) << rotation;
    // Lines that enter through the other face have none in either case.
    EXPECT_EQ(zone_at(plan, 101, 110, 10.5).flag, CellFlag::rooftop);
    EXPECT_GT(zone_at(plan, 101, 110, 10.5).along, 0);
  }
}

TEST(RooftopZone, LayerTakesTheSpeedOfItsEdge) {
  // A linear profile, which the table of layers reproduces exactly: U(z) = 0.4 z.
  WindCase wind_case = zone_case({zone_block(100, 100, 10, 10, 10)}, over_roofs(RooftopModel::log));
  wind_case.profile.exponent = 1;
  wind_case.profile.height = 10;
  auto const plan = plan_zones(wind_case);
  double const delta = 2.2 * std::sqrt(8 / 4.5);
  EXPECT_NEAR(zone_at(plan, 103, 100, 11, 0.4 * 11).along, 0.4 * (10 + delta) * layer(1, delta), 1e-12);
  // No wind at all: no division by it.
  wind_case.profile.speed = 0;
  EXPECT_EQ(zone_at(plan_zones(wind_case), 103, 100, 11, 0).along, 0);
}

TEST(RooftopZone, LeavesCavitiesAloneAndKeepsTheDeficitOfWakes) {
  Parameterisations settings = over_roofs(RooftopModel::log);
  settings.wake = true;
  // A low roof in the cavity of a tower, another one in its wake.
  std::vector<karman::wind::Building> const buildings{
      zone_block(100, 100, 10, 10, 30), zone_block(115, 100, 20, 10, 10), zone_block(160, 100, 10, 10, 10)};
  auto const plan = plan_zones(zone_case(buildings, settings));
  PointState const cavity = zone_at(plan, 108, 100, 10.2);
  EXPECT_EQ(cavity.flag, CellFlag::cavity);
  settings.rooftop = RooftopModel::off;
  auto const without = plan_zones(zone_case(buildings, settings));
  PointState const wake = zone_at(without, 160, 100, 11);
  ASSERT_EQ(wake.flag, CellFlag::wake);
  PointState const roof = zone_at(plan, 160, 100, 11);
  EXPECT_EQ(roof.flag, CellFlag::rooftop);
  double const delta = 2.2 * std::sqrt(5 / 4.5);
  EXPECT_NEAR(roof.along, wake.along * layer(1, delta), 1e-12);
}

TEST(SidewallZone, VortexAndLayerBesideACube) {
  // R = 10: L_c = 9, D = 1.1; the edges at (95, 95) and (95, 105).
  auto const plan = plan_zones(zone_case({zone_block(100, 100, 10, 10, 10)}, beside_walls()));
  ASSERT_EQ(plan.side_walls.size(), 2u);
  for (double side : {-1.0, 1.0}) {
    auto const at = [&](double x, double n, double z = 5) { return zone_at(plan, 95 + x, 100 + side * (5 + n), z); };
    EXPECT_EQ(at(4.5, 0.55).flag, CellFlag::sidewall);
    EXPECT_NEAR(at(4.5, 0.55).along, -4 * 0.5, 1e-12);
    EXPECT_NEAR(at(4.5, 1.1 - 1e-9).along, 0, 1e-8);
    EXPECT_NEAR(at(4.5, 1e-9).along, -4, 1e-8);
    double const delta = 1.1 * std::sqrt(9.5 / 4.5);
    EXPECT_NEAR(at(9.5, 1).along, 4 * layer(1, delta), 1e-12);
    EXPECT_NEAR(at(9.5, delta - 1e-9).along, 4, 1e-8);
    EXPECT_EQ(at(9.5, delta + 1e-9).flag, CellFlag::air);
    EXPECT_EQ(at(10.1, 0.1).flag, CellFlag::air);
    EXPECT_EQ(at(-0.1, 0.1).flag, CellFlag::air);
    EXPECT_EQ(at(4.5, 0.5, 9.9).flag, CellFlag::sidewall);
    EXPECT_EQ(at(4.5, 0.5, 10.1).flag, CellFlag::air);
  }
}

TEST(SidewallZone, NeedsWallsAlongTheWindBehindAnEdgeAcrossIt) {
  EXPECT_EQ(plan_zones(zone_case({zone_block(100, 100, 10, 10, 10, 9)}, beside_walls())).side_walls.size(), 2u);
  EXPECT_TRUE(plan_zones(zone_case({zone_block(100, 100, 10, 10, 10, 11)}, beside_walls())).side_walls.empty());
  Parameterisations settings = beside_walls();
  settings.sidewall_angle = 12;
  EXPECT_EQ(plan_zones(zone_case({zone_block(100, 100, 10, 10, 10, 11)}, settings)).side_walls.size(), 2u);
}

TEST(SidewallZone, InAnAlleyTheStrongerOneCounts) {
  // Walls 1.5 m apart, a vortex of up to 1.1 m on each: in the middle both apply alike.
  karman::wind::Building const a = zone_block(100, 100, 10, 10, 10);
  karman::wind::Building const b = zone_block(100, 111.5, 10, 10, 10);
  auto const one = plan_zones(zone_case({a, b}, beside_walls()));
  auto const other = plan_zones(zone_case({b, a}, beside_walls()));
  EXPECT_NEAR(zone_at(one, 99.5, 105.75, 5).along, -4 * (1.1 - 0.75) / 1.1, 1e-12);
  for (double y = 105.05; y < 106.5; y += 0.1) {
    EXPECT_EQ(zone_at(one, 99.5, y, 5).along, zone_at(other, 99.5, y, 5).along);
    double const nearest = std::fmin(y - 105, 106.5 - y);
    EXPECT_NEAR(zone_at(one, 99.5, y, 5).along, -4 * (1.1 - nearest) / 1.1, 1e-12);
  }
}

TEST(SidewallZone, ActsOnAirOnly) {
  Parameterisations settings = beside_walls();
  settings.wake = true;
  auto const plan =
      plan_zones(zone_case({zone_block(80, 100, 10, 30, 10), zone_block(108, 100, 10, 10, 10)}, settings));
  EXPECT_NE(zone_at(plan, 107.5, 105.5, 5).flag, CellFlag::sidewall);
}

}  // namespace wind_wall_layers_test
