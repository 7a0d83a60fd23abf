// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A circular island on a parabolic shelf (Homma 1950) against its series.
#include "waves_support.hpp"

namespace waves_island_test {

using namespace karman;
using namespace karman::waves;
using namespace karman::waves::test;

constexpr double shore = 10e3, shelf = 30e3, sea_depth = 4000;

/// The elevation on the shore in the direction `angle` from the waves' own, for incident waves of amplitude 1, with
/// C = C_g = sqrt(g h). On the shelf h = sea_depth (r / shelf)^2 has the modes r^{-1 +- s} cos n angle,
/// s^2 = 1 + n^2 - omega^2 shelf^2 / (g sea_depth), beyond it J_n and H_n; no flow through the shore, elevation and
/// slope continuous at the edge of the shelf.
Number on_shore(double period, double angle) {
  double const omega = angular_frequency(period), k = omega / std::sqrt(gravity * sea_depth), x = k * shelf;
  auto const bessel = [&](int n) { return (n < 0 && n % 2 ? -1.0 : 1.0) * std::cyl_bessel_j(std::abs(n), x); };
  auto const hankel = [&](int n) {
    return Number(bessel(n), (n < 0 && n % 2 ? -1.0 : 1.0) * std::cyl_neumann(std::abs(n), x));
  };
  Number sum = 0;
  for (int n = 0; n < 25; ++n) {
    Number const s = std::sqrt(Number(1.0 + n * n - x * x));
    // r / shore to the power of -1 + s and -1 - s, combined so that the slope at the shore is zero.
    Number const rising = std::pow(Number(shelf / shore), s) * (1.0 + s);
    Number const falling = std::pow(Number(shelf / shore), -s) * (s - 1.0);
    Number const value = (rising + falling) * shore / shelf;
    Number const slope = ((s - 1.0) * rising - (s + 1.0) * falling) * shore / (shelf * shelf);
    Number const at_shore = 2.0 * s;
    Number const in = (n == 0 ? 1.0 : 2.0) * std::pow(Number(0, 1), n);
    Number const h = hankel(n), h_slope = 0.5 * k * (hankel(n - 1) - hankel(n + 1));
    double const j = bessel(n), j_slope = 0.5 * k * (bessel(n - 1) - bessel(n + 1));
    // value A - in h c = in j, slope A - in h' c = in j'.
    Number const a = in * (j_slope * h - j * h_slope) / (slope * h - value * h_slope);
    sum += a * at_shore * std::cos(n * angle);
  }
  return sum;
}

TEST(WaveIsland, TheSeriesHasTheNumbersOfTheTable) {
  // Periods in s; |elevation| in the lee, beside, and where the waves come from.
  double const table[][4] = {{240, 3.692, 1.947, 4.717},
                             {410, 3.208, 3.712, 3.573},
                             {480, 2.369, 2.699, 3.488},
                             {720, 1.509, 1.504, 2.567},
                             {1440, 1.151, 1.080, 1.392}};
  for (auto const& row : table)
    for (int n = 0; n < 3; ++n) EXPECT_NEAR(std::abs(on_shore(row[0], n * pi / 2)), row[n + 1], 6e-4) << row[0];
}

/// The island in a sea `scale` times as deep, in which waves take 1 / sqrt(scale) as long over the same distance. For
/// small scales all of them are long waves and the series is exact.
WaveProblem island(double size, double scale) {
  IslandMesh shape;
  shape.shore_size = size;
  shape.sea_size = 3 * size;
  WaveProblem problem = even_bed(mesh_island(shape), 1);
  for (std::size_t n = 0; n < problem.depth.size(); ++n) {
    double const r = std::min(1.0, std::hypot(problem.mesh.nodes[n][0], problem.mesh.nodes[n][1]) / shelf);
    problem.depth[n] = scale * sea_depth * r * r;
  }
  problem.boundaries[2].kind = BoundaryKind::incident;
  problem.boundaries[2].radius = shape.sea_radius;
  return problem;
}

/// Largest difference from the series along the shore, over the largest of the series.
double error_on_shore(WaveProblem const& problem, WaveState const& state, double period) {
  double worst = 0, largest = 0;
  for (std::size_t n = 0; n < problem.depth.size(); ++n) {
    auto const& x = problem.mesh.nodes[n];
    if (std::hypot(x[0], x[1]) > 1.0001 * shore) continue;
    Number const exact = on_shore(period, std::atan2(x[1], x[0]));
    worst = std::max(worst, std::abs(state.elevation[n] - exact));
    largest = std::max(largest, std::abs(exact));
  }
  return worst / largest;
}

TEST(WaveIsland, LongWavesFollowTheSeries) {
  double const scale = 1e-4;
  WaveProblem const coarse = island(1000, scale), fine = island(500, scale);
  auto const on_coarse = make_wave_model(fastest(), coarse), on_fine = make_wave_model(fastest(), fine);
  for (double const period : {240.0, 410.0, 480.0, 720.0, 1440.0}) {
    WaveState const a = on_coarse->solve(period / std::sqrt(scale), {{1}});
    WaveState const b = on_fine->solve(period / std::sqrt(scale), {{1}});
    double const first = error_on_shore(coarse, a, period), second = error_on_shore(fine, b, period);
    EXPECT_LT(second, 0.0105) << period;
    // At the longest period, reflection by the open boundary, kr = 1.3, is as large as the error of the mesh.
    if (period < 700) {
      EXPECT_NEAR(order(first, second), 2, 0.25) << period;
    }
    EXPECT_LT(std::fabs(b.energy.imbalance), 1e-8);
    // Nothing is absorbed: all energy leaves through the same boundary.
    EXPECT_NEAR(b.energy.reflected / b.energy.incident, 1, 1e-8);
  }
}

TEST(WaveIsland, InDeepWaterTheWavesAreSlowerThanLongOnes) {
  WaveProblem const problem = island(500, 1);
  WaveState const state = solve(problem, 1440, {{1}});
  // kh = 0.09 at most: (kh)^2 / 6 of the wave number.
  EXPECT_LT(error_on_shore(problem, state, 1440), 0.01);
  EXPECT_GT(error_on_shore(problem, solve(problem, 240, {{1}}), 240), 0.1);
}

}  // namespace waves_island_test
