// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statistics of a wind rose and classes of comfort, by hand.
#include "wind/output/comfort.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace wind_comfort_test {

using namespace karman::wind;

TEST(WindRose, TimeAboveASpeedByHand) {
  // At the scale itself a Weibull distribution leaves 1/e, whatever its shape.
  std::vector<Sector> const one{{270, 1, 5, 2}};
  std::vector<float> const same{1};
  EXPECT_NEAR(exceedance(one, same, 5), std::exp(-1.0), 1e-15);
  EXPECT_NEAR(exceedance(one, same, 10), std::exp(-4.0), 1e-15);
  EXPECT_EQ(exceedance(one, same, 0), 1);
  // A sheltered place sees the distribution with a smaller scale, a place without wind never sees any.
  EXPECT_NEAR(exceedance(one, std::vector<float>{0.5f}, 5), std::exp(-4.0), 1e-15);
  EXPECT_EQ(exceedance(one, std::vector<float>{0}, 5), 0);
  // Sectors add up with their frequencies; the rest of the year is calm.
  std::vector<Sector> const two{{0, 0.3, 4, 1.5}, {90, 0.5, 8, 2.5}};
  std::vector<float> const ratios{0.75f, 1.25f};
  EXPECT_NEAR(exceedance(two, ratios, 6), 0.3 * std::exp(-std::pow(2.0, 1.5)) + 0.5 * std::exp(-std::pow(0.6, 2.5)),
              1e-15);
  EXPECT_NEAR(exceedance(two, ratios, 0), 0.8, 1e-15);
}

/// Time above `threshold` of a great number of drawn speeds.
TEST(WindRose, TimeAboveASpeedIsThatOfDrawnSpeeds) {
  std::vector<Sector> const sectors{{0, 0.25, 4, 1.6}, {120, 0.35, 6, 2.1}, {240, 0.3, 7.5, 1.9}};
  std::vector<float> const ratios{0.9f, 0.6f, 1.2f};
  std::mt19937 random(11);
  std::discrete_distribution<std::size_t> sector({0.25, 0.35, 0.3, 0.1});
  constexpr int draws = 400000;
  int above = 0;
  for (int n = 0; n < draws; ++n) {
    std::size_t const s = sector(random);
    if (s == sectors.size()) continue;
    std::weibull_distribution<double> speed(sectors[s].shape, sectors[s].scale);
    if (ratios[s] * speed(random) > 5) ++above;
  }
  double const expected = exceedance(sectors, ratios, 5);
  // Five standard deviations of the count.
  EXPECT_NEAR(above / double(draws), expected, 5 * std::sqrt(expected * (1 - expected) / draws));
}

/// A wind whose speed is exceeded for the fraction `time` of the year at `speed`.
Comfort with(double speed, double time) {
  // exp(-(speed / scale)^shape) = time, with a steep distribution.
  double const shape = 8;
  double const scale = speed / std::pow(-std::log(time), 1 / shape);
  return comfort_of(std::vector<Sector>{{0, 1, scale, shape}}, std::vector<float>{1});
}

TEST(Comfort, LawsonTakesTheCalmestActivityThatFits) {
  struct Limit {
    double speed;
    LawsonClass below, above;
  };
  for (Limit const& limit :
       {Limit{4, LawsonClass::sitting, LawsonClass::standing}, Limit{6, LawsonClass::standing, LawsonClass::strolling},
        Limit{8, LawsonClass::strolling, LawsonClass::business_walking},
        Limit{10, LawsonClass::business_walking, LawsonClass::uncomfortable}}) {
    EXPECT_EQ(with(limit.speed, 0.049).lawson, limit.below) << limit.speed;
    EXPECT_EQ(with(limit.speed, 0.051).lawson, limit.above) << limit.speed;
  }
}

TEST(Comfort, NenCountsTheTimeAboveFive) {
  std::array const limits{0.025, 0.05, 0.1, 0.2};
  for (std::size_t n = 0; n < limits.size(); ++n) {
    EXPECT_EQ(static_cast<std::size_t>(with(5, 0.99 * limits[n]).nen), n);
    EXPECT_EQ(static_cast<std::size_t>(with(5, 1.01 * limits[n]).nen), n + 1);
  }
}

TEST(Comfort, DangerCountsTheTimeAboveFifteen) {
  EXPECT_EQ(with(15, 0.00049).danger, NenDanger::none);
  EXPECT_EQ(with(15, 0.00051).danger, NenDanger::limited);
  EXPECT_EQ(with(15, 0.0029).danger, NenDanger::limited);
  EXPECT_EQ(with(15, 0.0031).danger, NenDanger::dangerous);
}

TEST(Comfort, TimesFallWithTheSpeed) {
  Comfort const comfort =
      comfort_of(std::vector<Sector>{{0, 0.4, 5, 2}, {90, 0.5, 7, 1.8}}, std::vector<float>{1, 1.3f});
  for (std::size_t n = 1; n < comfort_speeds.size(); ++n) EXPECT_LT(comfort.exceedance[n], comfort.exceedance[n - 1]);
  EXPECT_NEAR(comfort.exceedance[1],
              exceedance(std::vector<Sector>{{0, 0.4, 5, 2}, {90, 0.5, 7, 1.8}}, std::vector<float>{1, 1.3f}, 5), 1e-7);
}

}  // namespace wind_comfort_test
