// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Courts, garages, bridges and the mixing of canyons, by hand.
#include "all_zones.hpp"
#include "zone_cases.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace wind_court_test {

using namespace karman::test;
using karman::wind::Building;
using karman::wind::CellFlag;
using karman::wind::Parameterisations;
using karman::wind::Part;
using karman::wind::PointState;
using karman::wind::Ring;

Building prism_of(Ring outer, std::vector<Ring> holes, double height, double base = 0) {
  Building building = karman::wind::prism(std::move(outer), std::move(holes));
  building.height = height;
  building.base = base;
  return building;
}

/// 40 x 30 m and 10 m high around (100, 100), with a court of 20 x 14 m.
Building court_building() {
  return prism_of({{80, 85}, {120, 85}, {120, 115}, {80, 115}}, {{{90, 93}, {110, 93}, {110, 107}, {90, 107}}}, 10);
}

/// The envelope of 20 x 16 x 9 m around (100, 100), and three slabs of 1 m.
std::vector<Building> garage() {
  std::vector<Building> parts{zone_block(100, 100, 20, 16, 9)};
  parts[0].part = Part::envelope;
  for (int n = 1; n <= 3; ++n) {
    parts.push_back(zone_block(100, 100, 20, 16, 1));
    parts.back().base = 3 * n - 1;
    parts.back().part = Part::solid;
  }
  return parts;
}

Building bridge(double x, double y, double length, double width, double thickness, double base) {
  Building deck = zone_block(x, y, length, width, thickness);
  deck.base = base;
  deck.deck = true;
  return deck;
}

Parameterisations only(bool Parameterisations::* zone) {
  Parameterisations settings = no_zones();
  settings.*zone = true;
  return settings;
}

TEST(CourtZone, CavityBehindTheUpwindInnerWall) {
  auto const plan = plan_zones(zone_case({court_building()}, only(&Parameterisations::courtyard)));
  ASSERT_EQ(plan.courts.size(), 1u);
  // The upwind wing is 10 m long, the court 14 m wide: L_r = 1.8 * 14 / (1 + 0.24 * 1.4) = 18.86 m.
  double const length = 1.8 * 14 / (1 + 0.24 * 1.4);
  EXPECT_NEAR(plan.courts[0].cavity_length, length, 1e-12);
  auto const at = [&](double x, double y, double z) { return zone_at(plan, 90 + x, y, z); };
  double const d = length * std::sqrt(1 - 0.25);
  EXPECT_EQ(at(5, 100, 5).flag, CellFlag::cavity);
  EXPECT_NEAR(at(5, 100, 5).along, -4 * std::pow(1 - 5 / d, 2), 1e-12);
  double const aside = length * std::sqrt((1 - 0.25) * (1 - 0.25));
  EXPECT_NEAR(at(5, 103.5, 5).along, -4 * std::pow(1 - 5 / aside, 2) * std::sqrt(0.5), 1e-12);
  EXPECT_EQ(at(5, 103.5, 5).along, at(5, 96.5, 5).along);
  EXPECT_EQ(at(d + 1, 100, 5).flag, CellFlag::wake);
  EXPECT_NEAR(at(d + 1, 100, 5).along, 4 * (1 - std::pow(d / (d + 1), 1.5)), 1e-12);
  EXPECT_NEAR(at(1e-9, 100, 1e-9).along, -4, 1e-6);
  EXPECT_EQ(at(5, 100, 10.1).along, 4) << "above the roof";
  EXPECT_EQ(at(-11, 100, 5).along, 4);
  EXPECT_EQ(at(31, 100, 5).along, 4) << "only in the court";
}

TEST(CourtZone, EndsAtTheOtherSideOfTheCourt) {
  // A court of 6 m is shorter than the cavity: the reversed flow ends at its downwind wall.
  Building const narrow =
      prism_of({{80, 85}, {120, 85}, {120, 115}, {80, 115}}, {{{97, 90}, {103, 90}, {103, 110}, {97, 110}}}, 10);
  auto const plan = plan_zones(zone_case({narrow}, only(&Parameterisations::courtyard)));
  EXPECT_NEAR(zone_at(plan, 100, 100, 5).along, -4 * 0.25, 1e-12);
  EXPECT_NEAR(zone_at(plan, 103 - 1e-9, 100, 5).along, 0, 1e-12);
}

TEST(CourtZone, OffLeavesTheCourtAlone) {
  auto const plan = plan_zones(zone_case({court_building()}, {}));
  EXPECT_EQ(zone_at(plan, 95, 100, 5).along, 4);
  EXPECT_TRUE(plan.courts.empty());
}

TEST(CourtZone, EndsAtABuildingInTheCourt) {
  auto const with =
      plan_zones(zone_case({court_building(), zone_block(96, 100, 2, 14, 10)}, only(&Parameterisations::courtyard)));
  EXPECT_LT(zone_at(with, 92, 100, 5).along, 0);
  EXPECT_EQ(zone_at(with, 99, 100, 5).along, 4);
}

TEST(GarageZone, PressureAgainstFriction) {
  // sqrt(1.1 / 1.5) without friction.
  EXPECT_NEAR(karman::wind::storey_factor(20, 2, 0), std::sqrt(1.1 / 1.5), 1e-14);
  EXPECT_NEAR(karman::wind::storey_factor(20, 2, 0.04), std::sqrt(1.1 / 1.7), 1e-14);
  auto const plan = plan_zones(zone_case(garage(), only(&Parameterisations::garage)));
  EXPECT_NEAR(zone_at(plan, 100, 100, 1).along, 4 * std::sqrt(1.1 / 1.7), 1e-12);
  EXPECT_NEAR(zone_at(plan, 109, 107, 7).along, 4 * std::sqrt(1.1 / 1.7), 1e-12);
  EXPECT_EQ(zone_at(plan, 111, 100, 1).along, 4);
  EXPECT_EQ(zone_at(plan, 100, 100, 9.1).along, 4);
  auto const across = plan_zones(zone_case(garage(), only(&Parameterisations::garage), 180));
  EXPECT_NEAR(zone_at(across, 100, 100, 1).along, 4 * std::sqrt(1.1 / (1.5 + 0.04 * 4)), 1e-12) << "16 m long";
  EXPECT_EQ(zone_at(plan_zones(zone_case(garage(), no_zones())), 100, 100, 1).along, 4);
  EXPECT_EQ(
      zone_at(plan_zones(zone_case({zone_block(100, 100, 20, 16, 9)}, only(&Parameterisations::garage))), 100, 100, 1)
          .along,
      4)
      << "a block has no storeys";
}

TEST(BridgeZone, IsTwoMirrorImages) {
  Parameterisations settings;
  settings.bridge = true;
  settings.upwind_model = karman::wind::UpwindModel::mvp;
  // 4 m thick from z = 10 on: the middle is at 12 m, the height of the half 2 m.
  auto const plan = plan_zones(zone_case({bridge(100, 100, 6, 20, 4, 10)}, settings));
  double const length = karman::wind::cavity_length(6, 20, 2);
  double const d = length * std::sqrt(1 - 0.25);
  EXPECT_NEAR(plan.zones[0].cavity_length, length, 1e-12);
  EXPECT_NEAR(zone_at(plan, 103 + 0.5 * d, 100, 13).along, -4 * 0.25, 1e-12);
  for (double x : {94.0, 96.0, 96.8, 104.0, 108.0, 115.0}) {
    for (double z : {0.1, 0.7, 1.3, 1.9}) {
      PointState const above = zone_at(plan, x, 101, 12 + z);
      PointState const below = zone_at(plan, x, 101, 12 - z);
      EXPECT_EQ(above.flag, below.flag);
      EXPECT_NEAR(above.along, below.along, 1e-12) << x << ' ' << z;
      EXPECT_NEAR(above.vertical, -below.vertical, 1e-12);
    }
  }
  EXPECT_NE(zone_at(plan, 96.8, 101, 12.7).vertical, 0);
  EXPECT_EQ(zone_at(plan, 105, 100, 9.9).flag, CellFlag::air) << "the air below passes";
  settings.bridge = false;
  EXPECT_EQ(plan_zones(zone_case({bridge(100, 100, 6, 20, 4, 10)}, settings)).zones[0].cavity_length,
            karman::wind::cavity_length(6, 20, 4));
}

TEST(CanyonMixing, IsLinearAtTopAndEnds) {
  Parameterisations settings = no_zones();
  settings.street_canyon = true;
  std::vector<Building> const street{zone_block(100, 100, 10, 40, 10), zone_block(118, 100, 10, 40, 10)};
  auto const plain = plan_zones(zone_case(street, settings));
  settings.canyon_mixing = 0.25;
  auto const mixed = plan_zones(zone_case(street, settings));
  auto const share = [&](double y, double z) {
    PointState const whole = zone_at(plain, 107, y, z);
    PointState const part = zone_at(mixed, 107, y, z);
    EXPECT_EQ(part.flag, CellFlag::canyon);
    EXPECT_NEAR(part.vertical / whole.vertical, (part.along - 4) / (whole.along - 4), 1e-12);
    return part.vertical / whole.vertical;
  };
  EXPECT_EQ(share(100, 5), 1);
  EXPECT_NEAR(share(100, 10 - 1.25), 0.5, 1e-8) << "2.5 m deep at the top";
  EXPECT_NEAR(share(119.5, 5), 0.25, 1e-7) << "2 m deep at the ends of a street of 8 m";
  EXPECT_NEAR(share(81, 5), 0.5, 1e-7);
  EXPECT_NEAR(share(81, 10 - 1.25), 0.25, 1e-7);
}

/// Four blocks of 20 m around a crossing of two streets of 8 m, the corner of the first at (96, 96).
std::vector<Building> four_blocks() {
  std::vector<Building> blocks;
  for (double y : {86.0, 114.0}) {
    for (double x : {86.0, 114.0}) blocks.push_back(zone_block(x, y, 20, 20, 10));
  }
  return blocks;
}

TEST(Intersection, TheWindPassesWhereTwoCanyonsMeet) {
  Parameterisations settings;
  settings.street_canyon = true;
  settings.canyon_mixing = 0.25;
  auto const without = plan_zones(zone_case(four_blocks(), settings, 225));
  settings.intersection = true;
  auto const plan = plan_zones(zone_case(four_blocks(), settings, 225));
  // South-westerly wind: both walls of the first block are lee walls.
  ASSERT_EQ(plan.crossings.size(), 1u);
  EXPECT_NEAR(plan.crossings[0].first_width, 8, 1e-12);
  EXPECT_NEAR(plan.crossings[0].second_width, 8, 1e-12);
  int changed = 0;
  for (double x = 70.5; x < 130; x += 1) {
    for (double y = 70.5; y < 130; y += 1) {
      PointState const before = zone_at(without, x, y, 5);
      PointState const here = zone_at(plan, x, y, 5);
      if (x > 96 && x < 104 && y > 96 && y < 104) {
        EXPECT_EQ(here.flag, CellFlag::canyon);
        EXPECT_EQ(here.along, 4);
        EXPECT_EQ(here.across, 0);
        changed += before.along != 4;
      } else {
        EXPECT_EQ(here.along, before.along) << x << ' ' << y;
        EXPECT_EQ(here.flag, before.flag);
      }
    }
  }
  EXPECT_GT(changed, 20);
  // Mixed over 2.5 m below the top.
  double const old = zone_at(without, 98, 98, 10 - 1.25).along;
  EXPECT_NEAR(zone_at(plan, 98, 98, 10 - 1.25).along, 0.5 * (4 + old), 1e-7);
  EXPECT_EQ(zone_at(plan, 100, 100, 10.1).flag, zone_at(without, 100, 100, 10.1).flag);
}

TEST(Intersection, NeedsCanyonsInBothStreets) {
  Parameterisations settings;
  settings.street_canyon = settings.intersection = true;
  EXPECT_TRUE(plan_zones(zone_case(four_blocks(), settings, 270)).crossings.empty()) << "along one street";
  std::vector<Building> blocks = four_blocks();
  blocks.erase(blocks.begin() + 1);
  EXPECT_TRUE(plan_zones(zone_case(blocks, settings, 225)).crossings.empty()) << "one side of a street is open";
  settings.street_canyon = false;
  EXPECT_TRUE(plan_zones(zone_case(four_blocks(), settings, 225)).crossings.empty());
}

TEST(CourtZone, AllTurnWithTheWind) {
  Ring const outer{{30, 120}, {70, 118}, {74, 150}, {34, 156}};
  Ring const hole{{40, 128}, {62, 126}, {63, 143}, {43, 146}};
  auto const turned = [](Ring ring) {
    for (auto& corner : ring) corner = {200 - corner[1], corner[0]};
    return ring;
  };
  std::vector<Building> west = garage();
  for (std::size_t n = 0; n < west.size(); ++n) west[n].rotation = 12;
  west.push_back(bridge(60, 60, 8, 40, 3, 6));
  west.push_back(zone_block(84, 62, 6, 50, 12, 3));
  // A crossing whose streets are oblique to the wind.
  double const c = std::cos(33 * std::numbers::pi / 180), s = std::sin(33 * std::numbers::pi / 180);
  for (double b : {-8.0, 8.0}) {
    for (double a : {-8.0, 8.0}) west.push_back(zone_block(129 + a * c - b * s, 48 + a * s + b * c, 12, 11, 9, 33));
  }
  std::vector<Building> south = west;
  for (Building& building : south) {
    building.x = 200 - std::exchange(building.y, building.x);
    building.rotation += 90;
  }
  west.push_back(prism_of(outer, {hole}, 14));
  south.push_back(prism_of(turned(outer), {turned(hole)}, 14));
  auto const one = plan_zones(zone_case(west, all_zones(), 264));
  auto const other = plan_zones(zone_case(south, all_zones(), 174));
  EXPECT_FALSE(one.crossings.empty());
  EXPECT_EQ(one.courts.size(), 1u);
  int changed = 0;
  for (double x = 21.3; x < 150; x += 1.7) {
    for (double y = 31.1; y < 160; y += 1.9) {
      for (double z : {0.7, 2.6, 7.3, 8.4}) {
        PointState const here = zone_at(one, x, y, z);
        PointState const there = zone_at(other, 200 - y, x, z);
        ASSERT_EQ(here.flag, there.flag) << x << ' ' << y << ' ' << z;
        ASSERT_NEAR(here.along, there.along, 1e-9);
        ASSERT_NEAR(here.across, there.across, 1e-9);
        ASSERT_NEAR(here.vertical, there.vertical, 1e-9);
        changed += here.flag != CellFlag::air;
      }
    }
  }
  EXPECT_GT(changed, 2000);
}

}  // namespace wind_court_test
