// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dispersion relation: numbers, limits, derivative; on the device as on the host.
#include "waves_support.hpp"

namespace waves_dispersion_test {

using namespace karman;
using namespace karman::waves;
using namespace karman::waves::test;

TEST(WaveDispersion, GivesTheNumbersOfTheTable) {
  // Periods (s), depths (m) and wave numbers (1/m), rounded to the digits given.
  double const table[][4] = {
      {1, .45, 4.21048, 5e-6}, {1.4, .3, 2.9168, 5e-5}, {10, 20, .0518257, 5e-8}, {2, .5, 1.54895, 5e-6}};
  for (auto const& row : table)
    EXPECT_NEAR(dispersion(angular_frequency(row[0]), row[1]).wave_number, row[2], row[3]) << "T = " << row[0];
}

TEST(WaveDispersion, SatisfiesItsRelationFromShallowToDeep) {
  // omega^2 h / g over 30 decades: the relation's condition number is between 1 and 2, a few units of rounding remain.
  for (double e = -20; e <= 10; e += 0.07) {
    double const y = std::pow(10, e), x = solve_x_tanh_x(y);
    ASSERT_NEAR(x * std::tanh(x) / y, 1, 1e-15 * 4) << "y = " << y;
  }
  EXPECT_EQ(solve_x_tanh_x(0), 0);
}

TEST(WaveDispersion, HasTheLimitsOfLongAndShortWaves) {
  // Long: C = C_g = sqrt(gh), to (kh)^2 / 6 and (kh)^2 / 2. Short: C = g / omega, C_g = C / 2.
  Dispersion const tide = dispersion(angular_frequency(3600), 10);
  double const kh = tide.wave_number * 10, speed = std::sqrt(gravity * 10);
  EXPECT_NEAR(tide.celerity / speed, 1, kh * kh / 6 * 1.01);
  EXPECT_NEAR(tide.group_celerity / speed, 1, kh * kh / 2 * 1.01);
  Dispersion const wind = dispersion(angular_frequency(2), 5000);
  EXPECT_DOUBLE_EQ(wind.celerity, gravity / angular_frequency(2));
  EXPECT_DOUBLE_EQ(wind.group_celerity, wind.celerity / 2);
}

TEST(WaveDispersion, TheGroupTravelsWithTheDerivative) {
  for (double const h : {0.2, 1.0, 7.0, 60.0}) {
    double const omega = 1.3, d = 1e-5;
    double const slope = 2 * d / (dispersion(omega + d, h).wave_number - dispersion(omega - d, h).wave_number);
    // Central difference: d^2 and rounding of k over d.
    EXPECT_NEAR(dispersion(omega, h).group_celerity / slope, 1, 1e-9) << h;
  }
}

TEST(WaveDispersion, SteepWavesAreLonger) {
  double const omega = angular_frequency(1);
  for (double const h : {0.01, 0.1, 0.45, 3.0, 200.0}) {
    double const linear = dispersion(omega, h).wave_number;
    EXPECT_EQ(dispersion(omega, h, 0).wave_number, linear);
    for (double const a : {1e-7, 1e-4, 5e-3}) {
      double const k = dispersion(omega, h, a).wave_number;
      EXPECT_LT(k, linear);
      EXPECT_NEAR(steep_wave_relation(k * h, a / h) * gravity / (h * omega * omega), 1, 1e-11) << h << ' ' << a;
    }
  }
  // Deep: Stokes, omega^2 = g k (1 + (ka)^2). Shallow: C^2 = g (h + a) to (kh)^2 / 3.
  double const deep = dispersion(omega, 200, 0.05).wave_number;
  EXPECT_NEAR(gravity * deep * (1 + deep * deep * 0.05 * 0.05) / (omega * omega), 1, 1e-11);
  Dispersion const shallow = dispersion(angular_frequency(100), 0.1, 0.02);
  EXPECT_NEAR(shallow.celerity * shallow.celerity / (gravity * 0.12), 1, 1e-3);
}

TEST(WaveDispersion, IsTheSameOnEveryBackend) {
  WaveProblem problem = flume(3, 1, 0.25, 1);
  for (std::size_t n = 0; n < problem.depth.size(); ++n) problem.depth[n] = 0.05 * std::pow(1.2, double(n % 40));
  for (Backend const backend : enabled_backends()) {
    WaveState const state = make_wave_model(backend, problem)->solve(1.7, {{0.01, 0, 0}});
    for (std::size_t n = 0; n < problem.depth.size(); ++n) {
      // Libraries of the device round tanh and sinh differently.
      Dispersion const exact = dispersion(angular_frequency(1.7), problem.depth[n]);
      ASSERT_NEAR(state.wave_number[n] / exact.wave_number, 1, 1e-14) << name(backend);
      ASSERT_NEAR(state.celerity[n] / exact.celerity, 1, 1e-14) << name(backend);
      ASSERT_NEAR(state.group_celerity[n] / exact.group_celerity, 1, 1e-13) << name(backend);
    }
  }
}

}  // namespace waves_dispersion_test
