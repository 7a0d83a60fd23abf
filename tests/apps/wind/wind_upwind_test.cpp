// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants of the zones in front of and behind a building, by hand.
#include "zone_cases.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace wind_upwind_test {

using namespace karman::test;
using karman::wind::CellFlag;
using karman::wind::Parameterisations;
using karman::wind::PointState;
using karman::wind::UpwindInner;
using karman::wind::UpwindModel;

Parameterisations upwind(UpwindModel model, UpwindInner inner = UpwindInner::vortex) {
  Parameterisations settings = no_zones();
  settings.upwind_cavity = true;
  settings.upwind_model = model;
  settings.upwind_inner = inner;
  return settings;
}

constexpr double ground = 1e-9;

TEST(UpwindZone, MvpAlongTheMiddleOfACube) {
  // Faces at x = 95; L_f = 1.5 * 10 / 1.8, the inner zone 0.4 L_f.
  auto const plan = plan_zones(zone_case({zone_block(100, 100, 10, 10, 10)}, upwind(UpwindModel::mvp)));
  double const length = 15 / 1.8;
  auto const at = [&](double distance, double z = ground) { return zone_at(plan, 95 - distance, 100, z); };
  EXPECT_EQ(at(1.001 * length).flag, CellFlag::air);
  EXPECT_EQ(at(0.999 * length).flag, CellFlag::upwind_cavity);
  EXPECT_NEAR(at(0.7 * length).along, 0.4 * 4, 1e-12);
  EXPECT_EQ(at(0.7 * length).vertical, 0);
  // The middle of the vortex: -U 0.55 * 0.6, and 0.05 U upward.
  PointState const middle = at(0.2 * length);
  EXPECT_NEAR(middle.along, -4 * 0.55 * 0.6, 1e-9);
  EXPECT_NEAR(middle.vertical, 4 * 0.05, 1e-9);
  EXPECT_EQ(middle.across, 0);
  // Downward at the wall, upward at its far end: the flow through the wall vanishes.
  EXPECT_NEAR(at(1e-9).along, 0, 1e-8);
  EXPECT_NEAR(at(1e-9).vertical, -4 * 0.05, 1e-8);
  EXPECT_NEAR(at(0.3999 * length).vertical, 4 * 0.15, 1e-4);
  // At a quarter of the height the cosine vanishes: forward by 0.05 * 0.6.
  double const reach = std::sqrt(1 - std::pow(2.5 / 6, 2));
  ASSERT_GT(reach, 0.5);
  EXPECT_NEAR(at(0.2 * length, 2.5).along, 4 * 0.05 * 0.6, 1e-12);
  EXPECT_EQ(at(0.1, 6.1).flag, CellFlag::air);
}

TEST(UpwindZone, InnerZoneCanBeStill) {
  auto const plan =
      plan_zones(zone_case({zone_block(100, 100, 10, 10, 10)}, upwind(UpwindModel::mvp, UpwindInner::still)));
  PointState const inner = zone_at(plan, 93.5, 100, 1);
  EXPECT_EQ(inner.flag, CellFlag::upwind_cavity);
  EXPECT_EQ(inner.along, 0);
  EXPECT_EQ(inner.vertical, 0);
  EXPECT_NEAR(zone_at(plan, 90, 100, ground).along, 1.6, 1e-12);
  EXPECT_FALSE(plan.settings.vertical);
}

TEST(UpwindZone, HmvpOfATower) {
  // H = 30, W = 10: L_f = 15 / (1 + 8 / 30); the inner zone is 6 m high, the zone 18 m.
  auto const plan = plan_zones(zone_case({zone_block(100, 100, 10, 10, 30)}, upwind(UpwindModel::hmvp)));
  double const length = 15 / (1 + 8.0 / 30);
  auto const at = [&](double distance, double z = ground) { return zone_at(plan, 95 - distance, 100, z); };
  // The factor falls from 1 at the edge to 0.4 at the inner zone.
  EXPECT_NEAR(at((1 - 1e-9) * length).along, 4, 1e-7);
  EXPECT_NEAR(at(0.7 * length).along, 0.7 * 4, 1e-9);
  EXPECT_NEAR(at((0.4 + 1e-9) * length).along, 0.4 * 4, 1e-7);
  EXPECT_LT(at(0.2 * length).along, 0);
  // Above the inner zone the same between the edge and the wall.
  double const reach = length * std::sqrt(1 - std::pow(9.0 / 18, 2));
  EXPECT_NEAR(at(0.5 * reach, 9).along, 0.7 * 4, 1e-9);
  EXPECT_NEAR(at(1e-9, 9).along, 0.4 * 4, 1e-7);
  EXPECT_EQ(at(0.1, 18.1).flag, CellFlag::air);
}

TEST(UpwindZone, ObliqueFaceKeepsTheTangentialWind) {
  double const angle = 8 * std::acos(-1.0) / 180;
  auto const plan = plan_zones(zone_case({zone_block(100, 100, 10, 10, 10, 8)}, upwind(UpwindModel::mvp)));
  // Next to the middle of the wall.
  double const x = 100 - 5 * std::cos(angle);
  double const y = 100 - 5 * std::sin(angle);
  PointState const state = zone_at(plan, x - 1e-7, y, ground);
  ASSERT_EQ(state.flag, CellFlag::upwind_cavity);
  EXPECT_NEAR(state.along * std::cos(angle) + state.across * std::sin(angle), 0, 1e-6);
  EXPECT_NEAR(-state.along * std::sin(angle) + state.across * std::cos(angle), -4 * std::sin(angle), 1e-6);
}

TEST(UpwindZone, ConstantsComeFromTheCase) {
  Parameterisations settings = upwind(UpwindModel::roeckle);
  settings.upwind_length = 1;
  settings.upwind_angle = 20;
  auto const plan = plan_zones(zone_case({zone_block(100, 100, 10, 10, 10, 19)}, settings));
  ASSERT_EQ(plan.faces.size(), 1u);
  double const width = 10 * std::cos(19 * std::acos(-1.0) / 180);
  EXPECT_NEAR(plan.faces[0].cavity_length, width / (1 + 0.8 * width / 10), 1e-12);
  settings.upwind_angle = 18;
  EXPECT_TRUE(plan_zones(zone_case({zone_block(100, 100, 10, 10, 10, 19)}, settings)).faces.empty());
}

TEST(UpwindZone, OverlapDoesNotDependOnTheOrder) {
  // Footprints that overlap, so that several zones share their points as zones of one polygon's faces may.
  karman::wind::Building const a = zone_block(100, 92, 10, 10, 10);
  karman::wind::Building const b = zone_block(102, 108, 10, 10, 10);
  karman::wind::Building const c = zone_block(104, 100, 10, 30, 10);
  for (UpwindModel model : {UpwindModel::roeckle, UpwindModel::mvp, UpwindModel::hmvp}) {
    auto const one = plan_zones(zone_case({a, b, c}, upwind(model)));
    auto const other = plan_zones(zone_case({c, b, a}, upwind(model)));
    int inside = 0;
    for (double x = 85; x < 99; x += 0.5) {
      for (double y = 85; y < 115; y += 0.5) {
        PointState const first = zone_at(one, x, y, 1);
        PointState const second = zone_at(other, x, y, 1);
        EXPECT_EQ(first.flag, second.flag);
        EXPECT_EQ(first.along, second.along) << x << ' ' << y;
        EXPECT_EQ(first.vertical, second.vertical);
        if (first.flag != CellFlag::air) ++inside;
      }
    }
    EXPECT_GT(inside, 200);
  }
}

TEST(WakeZone, DecayAndOffset) {
  Parameterisations settings = no_zones();
  settings.wake = true;
  settings.cavity_decay = 1.1;
  settings.wake_offset = 0.1;
  auto const plan = plan_zones(zone_case({zone_block(100, 100, 10, 10, 10)}, settings));
  double const length = 10 * 1.8 / 1.24;
  EXPECT_NEAR(zone_at(plan, 105 + 0.5 * length, 100, ground).along, -4 * std::pow(1 - 0.5 / 1.1, 2), 1e-9);
  EXPECT_NEAR(zone_at(plan, 105 + 2 * length, 100, ground).along, 4 * (1 - std::pow(1 / 2.1, 1.5)), 1e-9);
}

TEST(WakeZone, HighRiseLengths) {
  using karman::wind::cavity_length;
  using karman::wind::high_rise_cavity_length;
  // L = W = H / 3: 2.34 / 3 * 3^-1.37 / (0.62 - 0.27), against 0.7724 for the usual length.
  EXPECT_NEAR(high_rise_cavity_length(10, 10, 30), 30 * 0.4947324981445597, 1e-12);
  // H / L < 2, and beyond the pole at W / H = 0.145 as well as close to it.
  EXPECT_EQ(high_rise_cavity_length(10.1, 10, 20), cavity_length(10.1, 10, 20));
  EXPECT_EQ(high_rise_cavity_length(4, 2, 20), cavity_length(4, 2, 20));
  EXPECT_EQ(high_rise_cavity_length(4, 2.92, 20), cavity_length(4, 2.92, 20));
  // Shorter, never longer, and never negative.
  for (double length = 0.5; length <= 10; length += 0.5) {
    for (double width = 0.5; width <= 100; width *= 1.2) {
      double const high = high_rise_cavity_length(length, width, 20);
      EXPECT_GT(high, 0);
      EXPECT_LE(high, cavity_length(length, width, 20));
    }
  }
  Parameterisations settings = no_zones();
  settings.wake = settings.high_rise = true;
  EXPECT_EQ(plan_zones(zone_case({zone_block(100, 100, 10, 10, 30)}, settings)).zones[0].cavity_length,
            high_rise_cavity_length(10, 10, 30));
}

}  // namespace wind_upwind_test
