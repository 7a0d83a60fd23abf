// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shipped cases of karman waves, run in full, against known results.
#include "apps/common/run_command.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace waves_cases_test {

using namespace karman::test;
using karman::Hdf5File;

class WavesCases : public ::testing::Test {
 protected:
  /// Runs a shipped case and returns its output; energy must be kept to 1 %.
  Hdf5File run(std::string const& name) {
    place_.write(name + ".json", place_.karman({"waves", "--example", name}).out);
    Outcome const outcome = place_.karman({"waves", name + ".json", "--output", name});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(outcome.err.empty()) << outcome.err;
    Hdf5File file = Hdf5File::open(place_.path(name + "/waves.h5"));
    auto const summary = file.read_table("/summary");
    for (double imbalance : summary.column("imbalance")) EXPECT_LT(std::abs(imbalance), 0.01);
    for (double converged : summary.column("converged")) EXPECT_EQ(converged, 1);
    return file;
  }

  Workplace place_;
};

TEST_F(WavesCases, ObliqueWavesShoalAndTurnBySnellsLaw) {
  Hdf5File const file = run("snell");
  auto const height = file.read_table("/gauges/readings").column("height");
  // K_s K_r = 1.21075 * 0.949669. Reflection by the slope of 1:50, and linear elements, change it by less than one
  // percent.
  EXPECT_NEAR(height[1] / height[0], 1.21075 * 0.949669, 0.01 * 1.15);
  auto const nodes = file.read_vector<double>("/mesh/nodes");
  auto const direction = file.read_vector<double>("/components/0000/direction");
  double sum = 0;
  int count = 0;
  for (std::size_t n = 0; n < direction.size(); ++n) {
    double const x = nodes[2 * n], y = nodes[2 * n + 1];
    if (x < 1100 || x > 1200 || y < 100 || y > 300) continue;
    sum += direction[n];
    ++count;
  }
  ASSERT_GT(count, 100);
  EXPECT_NEAR(sum / count, 16.208, 0.5);
}

TEST_F(WavesCases, TheShoalFocusesAsMeasured) {
  Hdf5File const file = run("berkhoff_shoal");
  auto const& amplification = file.read_table("/sections/heights").column("amplification");
  EXPECT_NEAR(*std::max_element(amplification.begin(), amplification.end()), 2.2, 0.05 * 2.2);
}

TEST_F(WavesCases, ALongHarbourResonatesWhereItShould) {
  Hdf5File const file = run("rectangular_harbour");
  auto const readings = file.read_table("/gauges/readings");
  double best = 0, period = 0;
  for (std::size_t n = 0; n < readings.column("gauge").size(); ++n) {
    if (readings.column("gauge")[n] != 0 || readings.column("amplification")[n] <= best) continue;
    best = readings.column("amplification")[n];
    period = readings.column("period")[n];
  }
  // Matching of two modes at the mouth: 7.85 times the standing wave of 2 A at k L = 1.30. The periods are 2 % apart.
  EXPECT_NEAR(best / 2, 7.85, 0.03 * 7.85);
  double const omega = 2 * std::numbers::pi / period;
  double k = omega;
  for (int n = 0; n < 200; ++n) k = omega * omega / (9.81 * std::tanh(0.2572 * k));
  EXPECT_NEAR(k * 0.3111, 1.30, 0.03 * 1.30);
}

TEST_F(WavesCases, TheHarbourHasItsFortyThousandNodesAndConverges) {
  Hdf5File const file = run("harbour");
  EXPECT_NEAR(static_cast<double>(file.read_vector<double>("/depth").size()), 40000, 2000);
  auto const summary = file.read_table("/summary");
  EXPECT_GT(summary.column("absorbed")[0], 0.5 * summary.column("incident")[0]);
  auto const height = file.read_table("/gauges/readings").column("height");
  EXPECT_LT(height[4], 0.2 * height[1]) << "the east basin lies in the lee of the breakwaters";
}

TEST_F(WavesCases, LongWavesAroundAnIslandAreThoseOfTheory) {
  Hdf5File const file = run("homma_island");
  auto const readings = file.read_table("/gauges/readings");
  // Long-wave theory, in the lee of the island, beside and in front of it, 410 and 480 s. The gauges are 100 m off the
  // shore. Over 4000 m such waves are 1.6 and 1.1 % shorter than long ones.
  double const theory[6] = {3.208, 3.712, 3.573, 2.369, 2.699, 3.488};
  for (std::size_t n = 0; n < 6; ++n)
    EXPECT_NEAR(readings.column("amplification")[3 + n], theory[n], 0.05 * theory[n]) << n;
}

}  // namespace waves_cases_test
