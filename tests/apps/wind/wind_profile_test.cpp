// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind/case/wind/angles.hpp"
#include "wind/case/wind/profile.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace wind_profile_test {

using karman::wind::direction_cosines;
using karman::wind::Profile;

TEST(Angles, AreExactAtRightAngles) {
  using Pair = std::array<double, 2>;
  for (int turn : {-720, -360, 0, 360, 1080}) {
    EXPECT_EQ(direction_cosines(turn), (Pair{1, 0}));
    EXPECT_EQ(direction_cosines(turn + 90), (Pair{0, 1}));
    EXPECT_EQ(direction_cosines(turn + 180), (Pair{-1, 0}));
    EXPECT_EQ(direction_cosines(turn + 270), (Pair{0, -1}));
  }
}

TEST(Angles, AgreeWithTheTrigonometricFunctions) {
  for (double degrees = -400; degrees < 400; degrees += 3.7) {
    auto const [c, s] = direction_cosines(degrees);
    EXPECT_NEAR(c, std::cos(degrees * M_PI / 180), 1e-14);
    EXPECT_NEAR(s, std::sin(degrees * M_PI / 180), 1e-14);
  }
}

TEST(Profile, BlowsFromTheCompassDirection) {
  using Pair = std::array<double, 2>;
  auto const heading = [](double direction) {
    Profile profile;
    profile.direction = direction;
    return profile.heading();
  };
  EXPECT_EQ(heading(270), (Pair{1, 0}));  // west wind
  EXPECT_EQ(heading(90), (Pair{-1, 0}));  // east wind
  EXPECT_EQ(heading(0), (Pair{0, -1}));   // north wind
  EXPECT_EQ(heading(360), (Pair{0, -1}));
  EXPECT_EQ(heading(180), (Pair{0, 1}));  // south wind
  auto const [x, y] = heading(225);       // from the south-west
  EXPECT_NEAR(x, std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(y, std::sqrt(0.5), 1e-15);
}

TEST(Profile, LogarithmicLaw) {
  Profile profile;
  profile.kind = Profile::Kind::log;
  profile.speed = 5;
  profile.height = 10;
  profile.roughness = 0.1;
  EXPECT_DOUBLE_EQ(profile.speed_at(10), 5);
  EXPECT_EQ(profile.speed_at(0), 0);
  // ln(31 / 1 ...) by hand: z = 3 gives ln(31) / ln(101) of the reference.
  EXPECT_NEAR(profile.speed_at(3), 5 * 3.4339872044851463 / 4.61512051684126, 1e-13);
}

TEST(Profile, PowerLaw) {
  Profile profile;
  profile.kind = Profile::Kind::power;
  profile.speed = 3;
  profile.height = 30;
  profile.exponent = 0.5;
  EXPECT_DOUBLE_EQ(profile.speed_at(30), 3);
  EXPECT_DOUBLE_EQ(profile.speed_at(7.5), 1.5);
  profile.exponent = 0;
  EXPECT_EQ(profile.speed_at(1), 3);
}

}  // namespace wind_profile_test
