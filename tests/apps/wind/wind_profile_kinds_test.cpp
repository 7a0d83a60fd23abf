// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canopy, measured and stratified profiles: values by hand, continuity, limits, refusals.
#include "wind/case/wind/profile.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/io/config.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace wind_profile_kinds_test {

using karman::Case;
using karman::CaseError;
using namespace karman::wind;

Profile log_profile(double obukhov_length = 0) {
  Profile profile;
  profile.speed = 5;
  profile.height = 10;
  profile.roughness = 0.1;
  profile.obukhov_length = obukhov_length;
  return profile;
}

Profile canopy_profile(double attenuation, double obukhov_length = 0) {
  Profile profile;
  profile.kind = Profile::Kind::canopy;
  profile.speed = 6;
  profile.height = 30;
  profile.roughness = 0.5;
  profile.canopy_height = 12;
  profile.attenuation = attenuation;
  profile.obukhov_length = obukhov_length;
  return profile;
}

Profile measured_profile() {
  Profile profile;
  profile.kind = Profile::Kind::measured;
  profile.heights = {2, 10, 50};
  profile.speeds = {3, 5, 4};
  profile.roughness = 0.1;
  return profile;
}

/// Slope by differences to one side, of the second order.
double slope(Profile const& profile, double z, double step) {
  return (-3 * profile.speed_at(z) + 4 * profile.speed_at(z + step) - profile.speed_at(z + 2 * step)) / (2 * step);
}

TEST(StabilityCorrection, HasTheKnownValues) {
  EXPECT_EQ(stability_correction(0), 0);
  EXPECT_DOUBLE_EQ(stability_correction(0.5), 2.35);
  EXPECT_DOUBLE_EQ(stability_correction(1), 4.7);
  EXPECT_DOUBLE_EQ(stability_correction(std::numbers::e), 9.4);
  // zeta = -1 makes X = 2 with -15 zeta = 15: psi = -2 ln 1.5 - ln 2.5 + 2 atan 2 - pi / 2.
  EXPECT_NEAR(stability_correction(-1), -0.810930216216329 - 0.916290731874155 + 2.214297435588181 - 1.570796326794897,
              1e-14);
  EXPECT_DOUBLE_EQ(dimensionless_shear(-1), 0.5);
  EXPECT_DOUBLE_EQ(dimensionless_shear(0.5), 3.35);
  EXPECT_DOUBLE_EQ(dimensionless_shear(7), 5.7);
}

TEST(StabilityCorrection, HasTheSlopeOfTheShear) {
  // phi = 1 + zeta dpsi/dzeta, by central differences with an error of step^2 psi''' / 6.
  for (double zeta : {-20.0, -2.0, -0.3, -0.01, 0.01, 0.4, 0.9, 1.5, 8.0}) {
    double const step = 1e-5 * std::abs(zeta);
    double const change = (stability_correction(zeta + step) - stability_correction(zeta - step)) / (2 * step);
    EXPECT_NEAR(1 + zeta * change, dimensionless_shear(zeta), 1e-8) << zeta;
  }
  // Continuous at both joints, in value and slope.
  for (double joint : {0.0, 1.0}) {
    EXPECT_NEAR(stability_correction(joint - 1e-9), stability_correction(joint + 1e-9), 2e-8);
    EXPECT_NEAR(dimensionless_shear(joint - 1e-9), dimensionless_shear(joint + 1e-9), 2e-8);
  }
}

TEST(Profile, KeepsTheSpeedAtTheReferenceHeightInAnyAir) {
  for (double length : {-1e6, -200.0, -20.0, -1.0, 0.0, 1.0, 20.0, 200.0, 1e6}) {
    EXPECT_DOUBLE_EQ(log_profile(length).speed_at(10), 5) << length;
    EXPECT_EQ(log_profile(length).speed_at(0), 0) << length;
    EXPECT_DOUBLE_EQ(canopy_profile(2, length).speed_at(30), 6) << length;
  }
  Profile low_reference = canopy_profile(2);
  low_reference.height = 4;
  EXPECT_DOUBLE_EQ(low_reference.speed_at(4), 6);
}

TEST(Profile, StableAirHasMoreShearAndUnstableAirLess) {
  double const neutral = log_profile().speed_at(50) - log_profile().speed_at(2);
  double const stable = log_profile(100).speed_at(50) - log_profile(100).speed_at(2);
  double const unstable = log_profile(-100).speed_at(50) - log_profile(-100).speed_at(2);
  EXPECT_GT(stable, 1.2 * neutral);
  EXPECT_LT(unstable, 0.95 * neutral);
}

TEST(Profile, StableValueByHand) {
  // F(x) = ln(x / z0) + 4.7 (x - z0) / L with x = z + z0.
  double const at_20 = std::log(201.0) + 4.7 * 20 / 100;
  double const at_10 = std::log(101.0) + 4.7 * 10 / 100;
  EXPECT_NEAR(log_profile(100).speed_at(20), 5 * at_20 / at_10, 1e-14);
}

TEST(Profile, IncreasesWithHeightInAnyAir) {
  for (double length : {-1e6, -30.0, -1.0, 1.0, 30.0, 1e6}) {
    for (double roughness : {1e-6, 0.1, 100.0}) {
      Profile profile = log_profile(length);
      profile.roughness = roughness;
      double before = 0;
      for (double z = 0.01; z < 3000; z *= 1.3) {
        double const speed = profile.speed_at(z);
        EXPECT_GT(speed, before) << length << ' ' << roughness << ' ' << z;
        before = speed;
      }
    }
  }
}

TEST(Profile, NearlyNeutralAirApproachesTheNeutralProfile) {
  // The correction is at most 4.7 z / L.
  for (double z : {1.0, 7.0, 60.0}) {
    for (double length : {-1e6, 1e6}) {
      EXPECT_NEAR(log_profile(length).speed_at(z), log_profile().speed_at(z), 5 * 4.7 * 60e-6) << z;
      EXPECT_NEAR(canopy_profile(2, length).speed_at(z), canopy_profile(2).speed_at(z), 6 * 4.7 * 60e-6) << z;
    }
  }
}

TEST(CanopyProfile, DisplacementSolvesTheNeutralCondition) {
  // a U_H kappa / u* = H / (H - d) with U_H kappa / u* = ln((H - d) / z0).
  for (double attenuation : {0.4, 1.0, 2.0, 5.0}) {
    Profile const profile = canopy_profile(attenuation);
    double const d = canopy_displacement(profile);
    EXPECT_GE(d, 0);
    EXPECT_LT(d, 12 - 0.5);
    EXPECT_NEAR(attenuation * std::log((12 - d) / 0.5) * (12 - d), 12, 1e-11) << attenuation;
  }
  EXPECT_GT(canopy_displacement(canopy_profile(5)), canopy_displacement(canopy_profile(1)));
}

TEST(CanopyProfile, TheLeastAttenuationHasNoDisplacement) {
  for (double length : {0.0, 50.0, -50.0}) {
    Profile profile = canopy_profile(1, length);
    profile.attenuation = least_attenuation(profile);
    // The error of d is that of the attenuation over its derivative, which is above 1 / H here.
    EXPECT_NEAR(canopy_displacement(profile), 0, 1e-12) << length;
  }
  EXPECT_NEAR(least_attenuation(canopy_profile(1)), 1 / std::log(24.0), 1e-15);
}

TEST(CanopyProfile, SpeedAndSlopeAreContinuousAtItsTop) {
  for (double length : {0.0, 3.0, 40.0, -40.0, -3.0}) {
    for (double attenuation : {1.5, 3.0}) {
      Profile const profile = canopy_profile(attenuation, length);
      ASSERT_LE(least_attenuation(profile), attenuation);
      double const below = profile.speed_at(12 * (1 - 1e-13));
      EXPECT_NEAR(below, profile.speed_at(12), 1e-11) << length;
      // One-sided differences with a step of 1 mm: an error of h^2 U''' / 3, which is below 1e-5 of the slope here, and
      // round-off of 1e-12.
      double const slope_above = slope(profile, 12, 1e-3);
      EXPECT_NEAR(slope(profile, 12, -1e-3), slope_above, 2e-5 * slope_above) << length;
    }
  }
}

TEST(CanopyProfile, FollowsItsFormulas) {
  Profile const profile = canopy_profile(2);
  double const d = canopy_displacement(profile);
  auto const shape = [&](double z) { return std::log((z - d) / 0.5); };
  EXPECT_NEAR(profile.speed_at(60), 6 * shape(60) / shape(30), 1e-14);
  EXPECT_NEAR(profile.speed_at(6), 6 * shape(12) * std::exp(-1) / shape(30), 1e-14);
  EXPECT_NEAR(profile.speed_at(0), 6 * shape(12) * std::exp(-2) / shape(30), 1e-14);
}

TEST(MeasuredProfile, ReturnsItsPointsAndIsLogarithmicBetweenThem) {
  Profile const profile = measured_profile();
  EXPECT_DOUBLE_EQ(profile.speed_at(2), 3);
  EXPECT_DOUBLE_EQ(profile.speed_at(10), 5);
  EXPECT_DOUBLE_EQ(profile.speed_at(50), 4);
  EXPECT_EQ(profile.speed_at(0), 0);
  EXPECT_EQ(profile.speed_at(200), 4);
  EXPECT_NEAR(profile.speed_at(1), 3 * std::log(11.0) / std::log(21.0), 1e-15);
  // Halfway in ln(z + z0): sqrt(2.1 * 10.1) - 0.1.
  EXPECT_NEAR(profile.speed_at(std::sqrt(2.1 * 10.1) - 0.1), 4, 1e-14);
}

TEST(MeasuredProfile, OfALogarithmicWindIsThatWind) {
  Profile profile = measured_profile();
  profile.heights = {3, 4, 17, 90};
  profile.speeds.clear();
  for (double z : profile.heights) profile.speeds.push_back(log_profile().speed_at(z));
  for (double z : {0.0, 0.5, 3.0, 3.5, 10.0, 60.0, 90.0})
    EXPECT_NEAR(profile.speed_at(z), log_profile().speed_at(z), 1e-14) << z;
}

TEST(MeasuredProfile, TurnsTheShortWayRound) {
  Profile profile = measured_profile();
  profile.direction = 270;
  profile.turning = {0, 90, 90};
  auto const [x, y] = profile.heading_at(10);
  EXPECT_EQ(x, 0);  // from the north: 90 degrees clockwise from west
  EXPECT_EQ(y, -1);
  EXPECT_EQ(profile.heading_at(1), profile.heading());
  EXPECT_EQ(profile.heading_at(80), (std::array<double, 2>{0, -1}));
  auto const [u, v] = profile.velocity(10);
  EXPECT_EQ(u, 0);
  EXPECT_DOUBLE_EQ(v, -5);
  // 350 to 10 degrees: by way of north, 20 degrees in all.
  profile.direction = 0;
  profile.turning = {350, 10, 10};
  double const middle = std::sqrt(2.1 * 10.1) - 0.1;
  auto const [middle_x, middle_y] = profile.heading_at(middle);
  EXPECT_NEAR(middle_x, 0, 1e-14);
  EXPECT_NEAR(middle_y, -1, 1e-14);
}

std::string refusal(std::string const& profile, std::vector<std::string> more = {}) {
  more.push_back("/wind/profile=" + profile);
  std::string const text = R"({
    "domain": {"cells": [40, 30], "spacing": [1, 1], "layers": {"kind": "uniform", "count": 20, "thickness": 1}},
    "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270}})";
  try {
    read_wind_case(Case::parse(text, "case.json", schema(), more));
  } catch (CaseError const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MeasuredProfile, RefusesListsThatMakeNoProfile) {
  auto const measured = [](std::string const& heights, std::string const& speeds, std::string const& turning) {
    return R"({"kind": "measured", "roughness": 0.1, "heights": )" + heights + R"(, "speeds": )" + speeds +
           R"(, "turning": )" + turning + "}";
  };
  EXPECT_EQ(refusal(measured("[2, 10]", "[3, 4]", "[]")), "accepted");
  EXPECT_EQ(refusal(measured("[2]", "[3]", "[170]")), "accepted");
  struct Wrong {
    std::string heights, speeds, turning, pointer, words;
  };
  for (Wrong const& wrong : {
           Wrong{"[10, 2]", "[3, 4]", "[]", "/wind/profile/heights/1", "increasing heights, found 2 m after 10 m"},
           Wrong{"[2, 2]", "[3, 4]", "[]", "/wind/profile/heights/1", "increasing heights"},
           Wrong{"[2, 10]", "[3]", "[]", "/wind/profile/speeds", "2 in all, found 1"},
           Wrong{"[2, 10]", "[3, 4]", "[0]", "/wind/profile/turning", "2 in all, found 1"},
           Wrong{"[2, 10]", "[3, 4]", "[-90, 90]", "/wind/profile/turning/1", "less than half a turn"},
           Wrong{"[]", "[]", "[]", "/wind/profile/heights", ""},
           Wrong{"[0, 10]", "[3, 4]", "[]", "/wind/profile/heights/0", "> 0"},
           Wrong{"[2, 10]", "[3, -4]", "[]", "/wind/profile/speeds/1", "from 0 to 150"},
       }) {
    std::string const message = refusal(measured(wrong.heights, wrong.speeds, wrong.turning));
    EXPECT_NE(message.find(wrong.pointer), std::string::npos) << message;
    EXPECT_NE(message.find(wrong.words), std::string::npos) << message;
  }
}

TEST(CanopyProfile, RefusesACanopyWithoutADisplacementHeight) {
  auto const canopy = [](std::string const& rest) {
    return R"({"kind": "canopy", "speed": 5, "height": 20, "canopy_height": 10, )" + rest + "}";
  };
  EXPECT_EQ(refusal(canopy(R"("roughness": 0.5, "attenuation": 0.34)")), "accepted");
  std::string const weak = refusal(canopy(R"("roughness": 0.5, "attenuation": 0.33)"));
  EXPECT_NE(weak.find("/wind/profile/attenuation"), std::string::npos) << weak;
  EXPECT_NE(weak.find("at least 0.3338"), std::string::npos) << weak;  // 1 / ln 20
  std::string const rough = refusal(canopy(R"("roughness": 10, "attenuation": 2)"));
  EXPECT_NE(rough.find("/wind/profile/roughness"), std::string::npos) << rough;
}

TEST(Profile, RefusesAnObukhovLengthBelowAMetre) {
  EXPECT_EQ(refusal(R"({"kind": "log", "speed": 5, "height": 10, "roughness": 0.1, "obukhov_length": -1})"),
            "accepted");
  for (char const* length : {"0.5", "-0.5"}) {
    std::string const message =
        refusal(R"({"kind": "log", "speed": 5, "height": 10, "roughness": 0.1, "obukhov_length": )" +
                std::string(length) + "}");
    EXPECT_NE(message.find("/wind/profile/obukhov_length"), std::string::npos) << message;
  }
}

TEST(MeasuredProfile, TurningFollowsTheConvention) {
  auto const read = [](std::string const& convention, std::string const& direction) {
    std::string const text = R"({
      "domain": {"cells": [40, 30], "spacing": [1, 1], "layers": {"kind": "uniform", "count": 20, "thickness": 1}},
      "wind": {"profile": {"kind": "measured", "heights": [2, 10], "speeds": [3, 4], "turning": [0, 30], "roughness": 0.1},
               "convention": ")" +
                             convention + R"(", "direction": )" + direction + "}}";
    return read_wind_case(Case::parse(text, "case.json", schema()));
  };
  // Nautical: 270 turns to 300, a wind toward -30 degrees. Travel: 0 turns to +30 degrees.
  auto const nautical = read("nautical", "270").profile.heading_at(10);
  auto const travel = read("travel", "0").profile.heading_at(10);
  EXPECT_NEAR(nautical[1], -0.5, 1e-15);
  EXPECT_NEAR(travel[1], 0.5, 1e-15);
  EXPECT_EQ(read("nautical", "270").wind_text.rfind("wind of 3 m/s at 2 m, direction 270", 0), 0u);
}

}  // namespace wind_profile_kinds_test
