// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Zones of vegetation by hand.
#include "wind/model/vegetation_plan.hpp"
#include "zone_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wind_vegetation_test {

using namespace karman::test;
using karman::wind::Building;
using karman::wind::CellFlag;
using karman::wind::Plant;
using karman::wind::PlantKind;
using karman::wind::PointState;
using karman::wind::WindCase;
using karman::wind::ZonePlan;

Plant plant(PlantKind kind, double x, double y, double length, double width, double top, double base = 0) {
  Plant result;
  result.kind = kind;
  result.shape = zone_block(x, y, length, width, top - base);
  result.shape.base = base;
  result.attenuation = 2;
  return result;
}

Plant tree(double x, double y, double diameter = 6, double top = 10, double base = 3) {
  Plant result = plant(PlantKind::tree, x, y, diameter, diameter, top, base);
  result.ellipse = true;
  return result;
}

Plant windbreak(double x, double y, double thickness, double width, double top, double porosity) {
  Plant result = plant(PlantKind::windbreak, x, y, thickness, width, top);
  result.porosity = porosity;
  return result;
}

/// An even wind of 4 m/s over ground of the roughness 0.1 m.
ZonePlan planted(std::vector<Plant> plants, std::vector<Building> buildings = {}, double direction = 270,
                 karman::wind::Parameterisations settings = no_zones()) {
  WindCase wind_case = zone_case(std::move(buildings), settings, direction);
  wind_case.vegetation = std::move(plants);
  return plan_zones(wind_case);
}

double log_law(double z) { return std::log(z / 0.1 + 1); }

TEST(CanopyLaw, SlopesMeetAtTheTop) {
  auto const law = karman::wind::canopy_law(10, 2, 0.1);
  double const rest = 10 - law.displacement;
  EXPECT_NEAR(2 * std::log(rest / 0.1), 10 / rest, 1e-12) << "a U_H kappa / u* = H / (H - d)";
  // u kappa / u* is the factor times the logarithmic law.
  auto const shape = [&](double z) { return law.factor(z) * log_law(z); };
  EXPECT_NEAR(shape(10), std::log(rest / 0.1), 1e-12);
  EXPECT_NEAR(shape(10 - 1e-9), shape(10), 1e-8);
  EXPECT_NEAR((shape(10) - shape(10 - 1e-6)) / 1e-6, (shape(10 + 1e-6) - shape(10)) / 1e-6, 1e-5);
  EXPECT_NEAR(shape(5), shape(10) * std::exp(-1), 1e-12);
  EXPECT_NEAR(shape(40), std::log((40 - law.displacement) / 0.1), 1e-12);
  // Too thin for a displacement: less than 1 / ln(H / z0) = 0.217. No leaves, no effect.
  EXPECT_EQ(karman::wind::canopy_law(10, 0.2, 0.1).displacement, 0);
  EXPECT_EQ(karman::wind::canopy_law(10, 0, 0.1).factor(0.05), 1);
}

TEST(VegetationZone, Canopy) {
  auto const plan = planted({plant(PlantKind::canopy, 100, 100, 40, 20, 10)});
  auto const law = karman::wind::canopy_law(10, 2, 0.1);
  auto const at = [&](double x, double y, double z) { return zone_at(plan, x, y, z); };
  EXPECT_EQ(at(100, 100, 5).flag, CellFlag::vegetation);
  EXPECT_NEAR(at(100, 100, 5).along, 4 * law.top_shape * std::exp(-1) / log_law(5), 1e-12);
  EXPECT_EQ(at(100, 100, 10.5).flag, CellFlag::air);
  EXPECT_NEAR(at(100, 100, 20).along, 4 * std::log((20 - law.displacement) / 0.1) / log_law(20), 1e-12);
  EXPECT_EQ(at(120.1, 100, 5).along, 4);
  EXPECT_EQ(at(79.9, 100, 5).flag, CellFlag::air);
  EXPECT_EQ(at(100, 110.1, 5).along, 4);
  EXPECT_EQ(at(100, 110, 5).flag, CellFlag::vegetation) << "the edge is inside";
}

TEST(VegetationZone, AClearingIsAir) {
  Plant forest = plant(PlantKind::canopy, 0, 0, 0, 0, 10);
  Building ring =
      karman::wind::prism({{80, 80}, {120, 80}, {120, 120}, {80, 120}}, {{{95, 95}, {105, 95}, {105, 105}, {95, 105}}});
  ring.height = 10;
  forest.shape = ring;
  for (double direction : {270.0, 180.0, 213.0}) {
    auto const plan = planted({forest}, {}, direction);
    EXPECT_EQ(zone_at(plan, 100, 100, 5).along, 4);
    EXPECT_EQ(zone_at(plan, 90, 100, 5).flag, CellFlag::vegetation) << direction;
    EXPECT_EQ(zone_at(plan, 121, 100, 5).flag, CellFlag::air);
  }
}

TEST(VegetationZone, OfSeveralPlantsTheOneThatLeavesLeastCounts) {
  Plant const low = plant(PlantKind::canopy, 100, 100, 40, 20, 6);
  Plant const high = plant(PlantKind::canopy, 110, 100, 40, 20, 12);
  auto const one = planted({low, high});
  auto const other = planted({high, low});
  for (double z : {1.0, 5.0, 7.0, 11.0, 13.0}) {
    double const both = zone_at(one, 105, 100, z).along;
    EXPECT_EQ(both, zone_at(other, 105, 100, z).along);
    EXPECT_EQ(both, std::min(zone_at(one, 85, 100, z).along, zone_at(one, 125, 100, z).along)) << z;
  }
}

TEST(VegetationZone, Tree) {
  karman::wind::Parameterisations settings = no_zones();
  settings.vegetation_wake = false;
  auto const plan = planted({tree(100, 100)}, {}, 270, settings);
  auto const law = karman::wind::canopy_law(10, 2, 0.1);
  auto const at = [&](double x, double z) { return zone_at(plan, x, 100, z); };
  EXPECT_EQ(at(100, 2.9).along, 4) << "below the crown";
  EXPECT_EQ(at(102.9, 5).flag, CellFlag::vegetation);
  EXPECT_NEAR(at(102.9, 5).along, 4 * law.factor(5), 1e-14);
  EXPECT_EQ(at(103.1, 5).along, 4);
  EXPECT_EQ(zone_at(plan, 102.5, 102.5, 5).along, 4) << "round";
  EXPECT_NEAR(at(100, 15).along, 4 * (1 - 0.5 * (1 - law.factor(15))), 1e-14) << "half of the deficit at 1.5 H";
  EXPECT_NEAR(at(100, 20 - 1e-9).along, 4, 1e-8);
  EXPECT_NEAR(at(100, 10).along, at(100, 10 - 1e-9).along, 1e-8);
  EXPECT_EQ(at(110, 6.5).flag, CellFlag::air) << "no wake";
}

TEST(TreeWake, ByHand) {
  // A crown of 7 m around z = 6.5 m; u*/U at 15 m is 0.4 / ln(151).
  auto const plan = planted({tree(100, 100)});
  double const friction = 0.4 / std::log(151);
  auto const at = [&](double x, double y, double z) { return zone_at(plan, x, y, z); };
  EXPECT_EQ(at(114, 100, 6.5).flag, CellFlag::wake);
  EXPECT_NEAR(at(114, 100, 6.5).along, 4 * (1 - friction * (9.33 - 0.63 * 2)), 1e-12);
  EXPECT_NEAR(at(170, 100, 6.5).along, 4 * (1 - friction * 90.68 * std::pow(10, -1.48)), 1e-12);
  // Axes at xi = 2: B = 2.22, (B + 1.15) 7 / 2 = 11.795 across and (B - 1.15) 7 / 2 = 3.745 upward.
  double const center = friction * (9.33 - 0.63 * 2);
  EXPECT_NEAR(at(114, 100 + 0.5 * 11.795, 6.5).along, 4 * (1 - center * std::exp(-0.25 / 0.332)), 1e-12);
  EXPECT_EQ(at(114, 100 + 0.5 * 11.795, 6.5).along, at(114, 100 - 0.5 * 11.795, 6.5).along);
  EXPECT_NEAR(at(114, 100, 6.5 - 0.5 * 3.745).along, 4 * (1 - center * std::exp(-0.25 / 0.332)), 1e-12);
  EXPECT_EQ(at(114, 100 + 11.8, 6.5).along, 4);
  EXPECT_EQ(at(114, 100, 6.5 + 3.75).along, 4);
  EXPECT_LT(at(114, 100, 6.5 + 3.74).along, 4);
  EXPECT_EQ(at(100 + 77.1, 100, 6.5).along, 4) << "11 crowns long";
  EXPECT_EQ(at(96, 100, 6.5).along, 4);
  // The two branches of the source do not meet: 4.435 and 4.36 at xi = 7.77.
  double const near = karman::wind::tree_wake_deficit(0.1, 7, 7 * 7.7699, 0, 0);
  double const far = karman::wind::tree_wake_deficit(0.1, 7, 7 * 7.7701, 0, 0);
  EXPECT_NEAR(near, 0.4435, 1e-4);
  EXPECT_NEAR(far / near, 0.983, 2e-3);
}

TEST(TreeWake, EndsAtABuildingAndTakesTheLargestOfSeveral) {
  auto const behind = [](std::vector<Building> buildings) {
    return zone_at(planted({tree(100, 100)}, std::move(buildings)), 140, 100, 6.5).along;
  };
  EXPECT_LT(behind({}), 4);
  EXPECT_EQ(behind({zone_block(120, 100, 10, 10, 10)}), 4);
  EXPECT_LT(behind({zone_block(120, 100, 10, 10, 5)}), 4) << "lower";
  EXPECT_LT(behind({zone_block(120, 120, 10, 10, 10)}), 4) << "beside";
  EXPECT_LT(behind({zone_block(80, 100, 10, 10, 10)}), 4) << "upwind";
  auto const two = planted({tree(100, 100), tree(110, 100)});
  double const near = zone_at(planted({tree(110, 100)}), 140, 100, 6.5).along;
  EXPECT_EQ(zone_at(two, 140, 100, 6.5).along, near);
  EXPECT_EQ(zone_at(planted({tree(110, 100), tree(100, 100)}), 140, 100, 6.5).along, near);
  // In another crown its own law holds.
  EXPECT_EQ(zone_at(two, 110, 100, 6.5).along, zone_at(two, 100, 100, 6.5).along);
}

TEST(TreeWake, FollowsRooftopsAndSparesCavities) {
  karman::wind::Parameterisations settings = no_zones();
  settings.rooftop = karman::wind::RooftopModel::log;
  settings.wake = true;
  std::vector<Building> const house{zone_block(120, 100, 10, 10, 5)};
  auto const bare = planted({}, house, 270, settings);
  auto const both = planted({tree(100, 100)}, house, 270, settings);
  PointState const roof = zone_at(bare, 122, 100, 5.5);
  ASSERT_EQ(roof.flag, CellFlag::rooftop);
  auto const alone = planted({tree(100, 100)});
  EXPECT_NEAR(zone_at(both, 122, 100, 5.5).along, roof.along * zone_at(alone, 122, 100, 5.5).along / 4, 1e-12);
  EXPECT_EQ(zone_at(both, 122, 100, 5.5).flag, CellFlag::rooftop);
  PointState const cavity = zone_at(bare, 126, 100, 4);
  ASSERT_EQ(cavity.flag, CellFlag::cavity);
  EXPECT_EQ(zone_at(both, 126, 100, 4).along, cavity.along);
}

TEST(Windbreak, BleedsInside) {
  auto const plan = planted({windbreak(60, 100, 4, 80, 10, 0.5)});
  double const alpha = std::pow(0.5, 0.4);
  EXPECT_EQ(zone_at(plan, 60, 100, 5).flag, CellFlag::vegetation);
  EXPECT_NEAR(zone_at(plan, 60, 100, 5).along, 4 * alpha, 1e-14);
  EXPECT_EQ(zone_at(plan, 60, 100, 10.5).along, 4);
  EXPECT_EQ(zone_at(plan, 57.9, 100, 5).along, 4) << "nothing upwind";
}

TEST(Windbreak, NearZoneIsAMixingLayer) {
  auto const plan = planted({windbreak(60, 100, 4, 80, 10, 0.5)});
  double const alpha = std::pow(0.5, 0.4);
  // The lee edge is at x = 62; 30 m behind it, before 5 H = 50 m.
  auto const at = [&](double z) { return zone_at(plan, 92, 100, z).along; };
  double const classic = 0.14 * (1 - alpha) / (0.5 * (1 + alpha));
  double const turbulence = 2 * 1.25 * 0.4 / std::log(101);
  double const thickness = 30 * std::sqrt(classic * classic + turbulence * turbulence);
  EXPECT_NEAR(at(10), 4 * (1 - 0.5 * (1 - alpha)), 1e-9) << "half of it at the top";
  EXPECT_NEAR(at(6), 4 * (1 - 0.5 * (1 - alpha) * (1 - std::tanh(-6 / thickness))), 1e-9);
  EXPECT_LT(at(1), at(6));
  EXPECT_NEAR(at(40), 4, 1e-3);
  EXPECT_EQ(zone_at(plan, 92, 100, 5).flag, CellFlag::wake);
}

TEST(Windbreak, FarZoneIsPereras) {
  // A solid fence, 20 H behind it; the profile is even.
  auto const plan = planted({windbreak(20, 100, 2, 120, 5, 0)});
  double const rate = 2 * 0.16 / std::log(50);
  double const eta = 0.6 * std::pow(rate * 20, -1 / 2.14);
  double const deficit = 9.75 / 20 * eta * std::exp(-0.67 * std::pow(eta, 1.5));
  // The sides mix over e = s_c x / 2 = 14 m: on the middle line, 60 m from both, they leave 0.99995 twice.
  double const e = 0.5 * 0.28 * 100;
  double const side = 0.5 - 0.5 * std::tanh(1.5 * (e - 60) / e);
  EXPECT_NEAR(zone_at(plan, 121, 100, 3).along, 4 * (1 - deficit * side * side), 1e-10);
  EXPECT_EQ(zone_at(plan, 21 + 150.1, 100, 3).along, 4) << "30 H long";
  double const late = zone_at(plan, 21 + 149, 100, 3).along;
  EXPECT_LT(late, 4);
  EXPECT_NEAR(late, 4, 0.1);
}

TEST(Windbreak, FullPorosityIsNoWindbreak) {
  auto const plan = planted({windbreak(60, 100, 4, 80, 10, 1)});
  for (double x : {60.0, 70.0, 150.0}) EXPECT_EQ(zone_at(plan, x, 100, 5).along, 4);
}

TEST(Windbreak, ShelterIsAsWideAsTheWindbreakAndSymmetric) {
  auto const plan = planted({windbreak(60, 100, 4, 40, 10, 0.3)});
  double const middle = 4 - zone_at(plan, 92, 100, 5).along;
  EXPECT_GT(middle, 1);
  EXPECT_LT(4 - zone_at(plan, 92, 122, 5).along, 0.1 * middle);
  for (double y : {5.0, 18.0, 19.5, 20.2})
    EXPECT_EQ(zone_at(plan, 92, 100 + y, 5).along, zone_at(plan, 92, 100 - y, 5).along);
}

TEST(Windbreak, LeavesOnATrunkLetTheWindPassBelow) {
  Plant hedge = windbreak(60, 100, 4, 80, 10, 0.3);
  hedge.shape.base = 4;
  hedge.shape.height = 6;
  auto const plan = planted({hedge});
  EXPECT_EQ(zone_at(plan, 60, 100, 3).along, 4);
  EXPECT_LT(zone_at(plan, 60, 100, 5).along, 4);
  EXPECT_GT(zone_at(plan, 66, 100, 1).along, 3.9);
  EXPECT_LT(zone_at(plan, 66, 100, 7).along, 3);
}

TEST(Rows, AttenuationDependsOnTheAngle) {
  // (8 |sin| + |cos|)^(1/3).
  EXPECT_NEAR(karman::wind::row_attenuation(2, 1, 1, 0), 2, 1e-14);
  EXPECT_NEAR(karman::wind::row_attenuation(2, 1, 0, -1), 1, 1e-14);
  EXPECT_NEAR(karman::wind::row_attenuation(2, 1, 0.6, 0.8), std::cbrt(5.6), 1e-14);
  Plant rows = plant(PlantKind::rows, 100, 100, 40, 40, 2);
  rows.attenuation_along = 1;
  rows.spacing = 4;
  rows.row_width = 1;
  // Rows along x: middles at y = 100, 104, ...; the wind from the west blows along them, from the south across.
  auto const along = planted({rows}, {}, 270);
  auto const across = planted({rows}, {}, 180);
  auto const law_along = karman::wind::canopy_law(2, 1, 0.1);
  auto const law_across = karman::wind::canopy_law(2, 2, 0.1);
  EXPECT_NEAR(zone_at(along, 100, 104, 1).along, 4 * law_along.factor(1), 1e-12);
  EXPECT_NEAR(zone_at(along, 100, 102, 1).along, 4, 1e-12) << "an open lane";
  EXPECT_EQ(zone_at(along, 100, 102, 1).flag, CellFlag::vegetation);
  for (double y : {100.0, 102.0}) EXPECT_NEAR(zone_at(across, 100, y, 1).along, 4 * law_across.factor(1), 1e-12);
  double const slanted = zone_at(planted({rows}, {}, 240), 100, 102, 1).along;
  EXPECT_NEAR(slanted, 4 * (1 - 0.5 * (1 - karman::wind::canopy_law(2, std::cbrt(4 + std::sqrt(0.75)), 0.1).factor(1))),
              1e-12);
}

TEST(VegetationZone, TurnsWithTheWind) {
  Plant hedge = windbreak(90, 110, 3, 20, 6, 0.4);
  hedge.shape.rotation = 20;
  Plant oval = plant(PlantKind::windbreak, 70, 90, 4, 30, 5, 0);
  oval.ellipse = true;
  oval.porosity = 0.4;
  oval.shape.rotation = 10;
  Plant corn = plant(PlantKind::rows, 140, 80, 30, 20, 3);
  corn.spacing = 3;
  corn.row_width = 1.5;
  corn.row_rotation = 35;
  std::vector<Plant> west{tree(60, 120), hedge, oval, corn}, south;
  for (Plant turned : west) {
    std::swap(turned.shape.x, turned.shape.y);
    turned.shape.x = 200 - turned.shape.x;
    turned.shape.rotation += 90;
    turned.row_rotation += 90;
    south.push_back(turned);
  }
  auto const one = planted(west);
  auto const other = planted(south, {}, 180);
  int slow = 0;
  for (double x = 31.3; x < 180; x += 2.7) {
    for (double y = 61.1; y < 140; y += 1.9) {
      for (double z : {0.7, 2.1, 5.3}) {
        double const here = zone_at(one, x, y, z).along;
        ASSERT_NEAR(here, zone_at(other, 200 - y, x, z).along, 1e-9) << x << ' ' << y << ' ' << z;
        slow += here < 3.9;
      }
    }
  }
  EXPECT_GT(slow, 500);
}

TEST(VegetationZone, TilesOfTenThousandTreesHoldAllTheirZones) {
  std::vector<Plant> trees;
  for (int n = 0; n < 10000; ++n) trees.push_back(tree(1 + (n * 37 % 1000) * 0.198, 1 + (n % 997) * 0.198, 4, 8, 2));
  ZonePlan const plan = planted(trees, {zone_block(100, 100, 20, 20, 20)}, 250);
  ASSERT_EQ(plan.vegetation.plants.size(), 10000u);
  ZonePlan whole = plan;
  for (auto* tiles : {&whole.vegetation.over.tiles, &whole.vegetation.behind.tiles}) {
    tiles->candidates.clear();
    for (std::size_t t = 0; t + 1 < tiles->starts.size(); ++t) {
      for (int n = 0; n < 10000; ++n) tiles->candidates.push_back(n);
      tiles->starts[t + 1] = static_cast<std::int64_t>(tiles->candidates.size());
    }
  }
  for (int n = 0; n < 200; ++n) {
    double const x = (n * 7919 % 1999) * 0.1;
    double const y = (n * 104729 % 1997) * 0.1;
    double const z = 0.5 + n % 12;
    EXPECT_EQ(zone_at(plan, x, y, z).along, zone_at(whole, x, y, z).along);
  }
}

TEST(VegetationZone, WakesOfBuildingsActInPlants) {
  karman::wind::Parameterisations settings = no_zones();
  settings.wake = true;
  Plant const wood = plant(PlantKind::canopy, 140, 100, 20, 20, 10);
  std::vector<Building> const house{zone_block(100, 100, 10, 10, 10)};
  auto const both = planted({wood}, house, 270, settings);
  auto const wake = planted({}, house, 270, settings);
  auto const alone = planted({wood});
  PointState const state = zone_at(both, 135, 100, 5);
  EXPECT_EQ(state.flag, CellFlag::vegetation);
  EXPECT_NEAR(state.along, zone_at(wake, 135, 100, 5).along * zone_at(alone, 135, 100, 5).along / 4, 1e-12);
}

TEST(VegetationZone, OffIsOff) {
  karman::wind::Parameterisations settings = no_zones();
  settings.vegetation = false;
  EXPECT_TRUE(planted({tree(100, 100)}, {}, 270, settings).vegetation.plants.empty());
}

TEST(VegetationZone, HeightsCountFromItsGround) {
  Plant raised = tree(100, 100);
  raised.shape.base += 12;
  raised.shape.ground = 12;
  auto const flat = planted({tree(100, 100)});
  auto const hill = planted({raised});
  for (double x : {100.0, 110.0}) {
    for (double z : {2.0, 5.0, 12.0}) EXPECT_EQ(zone_at(flat, x, 100, z).along, zone_at(hill, x, 100, z + 12).along);
  }
}

}  // namespace wind_vegetation_test
