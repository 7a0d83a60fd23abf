// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Friction and breaking over an even bed, against exact decay.
#include "waves/model/friction_and_breaking.hpp"
#include "waves_support.hpp"

namespace waves_damping_test {

using namespace karman;
using namespace karman::waves;
using namespace karman::waves::test;

/// A flume that is open at its far end.
WaveProblem open_flume(double length, double size, double depth) {
  WaveProblem problem = flume(length, 2 * size, size, depth);
  problem.boundaries[east].kind = BoundaryKind::open;
  return problem;
}

/// Height over the incident height along the middle of the flume.
double height_at(WaveProblem const& problem, WaveState const& state, double x) {
  return state.height[nearest(problem, x, 0)];
}

TEST(WaveDamping, LinearFrictionDecaysWithTheExactComplexWaveNumber) {
  double const period = 2, depth = 0.5, length = 6, rate = 0.4, omega = angular_frequency(period);
  Dispersion const d = dispersion(omega, depth);
  double const flux = d.celerity * d.group_celerity;
  Number const kappa = std::sqrt(Number(d.wave_number * d.wave_number, omega * rate / flux));
  double error[2], lost = 0;
  for (int level = 0; level < 2; ++level) {
    WaveProblem problem = open_flume(length, 0.2 / (1 << level), depth);
    problem.dissipation.friction = FrictionLaw::linear;
    problem.dissipation.rate = rate;
    WaveState const state = solve(problem, period, {{0.05}});
    EXPECT_EQ(state.report.history.size(), 1u) << "a linear problem is solved once";
    error[level] =
        largest_error(problem, state, [&](Point const& x) { return 0.05 * std::exp(Number(0, 1) * kappa * x[0]); });
    EXPECT_LT(std::fabs(state.energy.imbalance), 1e-8);
    lost = state.energy.friction / state.energy.incident;
    // Amplitude e^{-W x / 2 C_g} to the second order in W.
    EXPECT_NEAR(height_at(problem, state, length) / 0.1, std::exp(-rate * length / (2 * d.group_celerity)), 0.01);
    EXPECT_NEAR(state.dissipation[0], 0.5 * water_density * gravity * 0.0025 * rate, 0.01 * state.dissipation[0]);
  }
  EXPECT_NEAR(order(error[0], error[1]), 2, 0.1);
  EXPECT_LT(error[1] / 0.05, 0.01);
  EXPECT_NEAR(lost, 1 - std::exp(-rate * length / d.group_celerity), 0.02);
}

TEST(WaveDamping, QuadraticFrictionDecaysAsInTheTable) {
  double const period = 2, depth = 0.5, a0 = 0.05;
  Dispersion const d = dispersion(angular_frequency(period), depth);
  for (double const coefficient : {0.01, 0.4}) {
    WaveProblem problem = open_flume(20, 0.05, depth);
    problem.dissipation.coefficient = coefficient;
    problem.picard.tolerance = 1e-6;
    WaveState const free = solve(problem, period, {{a0}});  // its height ripples by (k size)^2 / 24
    problem.dissipation.friction = FrictionLaw::quadratic;
    WaveState const state = solve(problem, period, {{a0}});
    double const gamma = .043037 * coefficient / 0.01;
    auto const exact = [&](double x) { return 1 / (1 + gamma * a0 * x / (2 * d.group_celerity)); };
    if (coefficient == 0.01) {
      EXPECT_NEAR(exact(20), .98760, 5e-6);
    }
    for (double const x : {5.0, 10.0, 20.0})
      EXPECT_NEAR(height_at(problem, state, x) / height_at(problem, free, x), exact(x),
                  coefficient == 0.01 ? 1e-4 : 4e-3)
          << x;
    EXPECT_LT(std::fabs(state.energy.imbalance), 1e-6);
    EXPECT_GT(state.energy.friction, 0);
    EXPECT_LT(state.report.history.size(), 25u);
    EXPECT_LE(state.report.history.back().change, 1e-6);
  }
}

TEST(WaveDamping, ARoughBedIsACoefficientThatFollowsTheWaves) {
  WaveProblem rough = open_flume(10, 0.2, 0.5), smooth = rough;
  rough.dissipation.friction = FrictionLaw::rough;
  smooth.dissipation.friction = FrictionLaw::quadratic;
  rough.dissipation.roughness = 0.02;
  WaveState const state = solve(rough, 2, {{0.05}});
  std::size_t const n = nearest(rough, 5, 0);
  double const orbit = 0.5 * state.height[n] / std::sinh(state.wave_number[n] * 0.5);
  smooth.dissipation.coefficient = 0.5 * rough_bed_factor(orbit, 0.02);
  EXPECT_NEAR(solve(smooth, 2, {{0.05}}).friction[n] / state.friction[n], 1, 0.01);
}

TEST(WaveDamping, FrictionMayDifferFromPlaceToPlace) {
  // Friction acts in the second half of the flume only.
  double const length = 8, rate = 0.4;
  WaveProblem problem = open_flume(length, 0.1, 0.5);
  problem.dissipation.friction = FrictionLaw::linear;
  for (auto const& x : problem.mesh.nodes) problem.dissipation.friction_at_nodes.push_back(x[0] > 4 ? rate : 0);
  WaveState const state = solve(problem, 2, {{0.05}});
  double const decay = rate / (2 * dispersion(angular_frequency(2), 0.5).group_celerity);
  for (double const x : {2.0, 6.0, 8.0})
    EXPECT_NEAR(height_at(problem, state, x) / 0.1, std::exp(-decay * std::max(0.0, x - 4)), 0.02) << x;
  EXPECT_LT(std::fabs(state.energy.imbalance), 1e-8);
  // Nodal values that are uniform give the bits of the single value, for every law.
  for (FrictionLaw const law : {FrictionLaw::linear, FrictionLaw::quadratic, FrictionLaw::rough}) {
    WaveProblem one = open_flume(length, 0.2, 0.5);
    one.dissipation.friction = law;
    one.dissipation.rate = one.dissipation.coefficient = one.dissipation.roughness = 0.03;
    WaveProblem many = one;
    many.dissipation.rate = many.dissipation.coefficient = many.dissipation.roughness = 0;
    many.dissipation.friction_at_nodes.assign(one.depth.size(), 0.03);
    WaveState const everywhere = solve(one, 2, {{0.05}});
    EXPECT_EQ(everywhere.elevation, solve(many, 2, {{0.05}}).elevation);
    EXPECT_GT(everywhere.energy.friction, 0);
    many.dissipation.friction_at_nodes.assign(one.depth.size(), 0);
    EXPECT_EQ(solve(many, 2, {{0.05}}).energy.friction, 0);
  }
}

TEST(WaveDamping, DallysBreakersDecayTowardsTheStableHeight) {
  // d(H^2 C_g)/dx = -(K/h) (H^2 - Hs^2) C_g: over an even bed H^2 - Hs^2 falls as e^{-K x / h}.
  double const depth = 1, length = 50, h0 = 0.8, decay = 0.03;
  WaveProblem problem = open_flume(length, 0.5, depth);
  problem.dissipation.breaking = BreakingLaw::dally;
  problem.dissipation.dally_decay = decay;
  problem.picard.tolerance = 1e-6;
  WaveState const state = solve(problem, 5, {{h0 / 2}});
  double const stable = 0.4 * depth;
  for (double const x : {10.0, 25.0, 50.0}) {
    double const exact = std::sqrt(stable * stable + (h0 * h0 - stable * stable) * std::exp(-decay * x / depth));
    EXPECT_NEAR(height_at(problem, state, x), exact, 0.01 * exact) << x;
  }
  EXPECT_LT(std::fabs(state.energy.imbalance), 1e-5);
  EXPECT_GT(state.energy.breaking, 0);
  EXPECT_EQ(state.breaking_fraction[nearest(problem, 1, 0)], 1);
}

TEST(WaveDamping, BattjesAndJanssensBreakersDecayAsTheirEquation) {
  double const depth = 1, length = 50, h0 = 0.62, period = 5;
  WaveProblem problem = open_flume(length, 0.5, depth);
  problem.dissipation.breaking = BreakingLaw::battjes_janssen;
  problem.picard.tolerance = 1e-6;
  WaveState const state = solve(problem, period, {{h0 / 2}});
  // d(H^2)/dx = -W(H) H^2 / C_g by the midpoint rule.
  Dispersion const d = dispersion(angular_frequency(period), depth);
  DissipationLaw const law(problem.dissipation);
  auto const rate = [&](double height) {
    return breaking_rate(law, {angular_frequency(period), d.wave_number, d.group_celerity, depth, height / 2}).rate;
  };
  double const step = 0.01;
  double height = h0;
  for (int n = 0; n < static_cast<int>(length / step + 0.5); ++n) {
    double const middle = height * (1 - step / 4 * rate(height) / d.group_celerity);
    height *= 1 - step / 2 * rate(middle) / d.group_celerity;
    if ((n + 1) % 1000 == 0) {
      EXPECT_NEAR(height_at(problem, state, (n + 1) * step), height, 0.01 * height) << (n + 1) * step;
    }
  }
  EXPECT_LT(height, 0.9 * h0);
  EXPECT_LT(std::fabs(state.energy.imbalance), 1e-5);
}

TEST(WaveDamping, BreakersOnABeachKeepBelowTheLargestHeight) {
  WaveProblem problem = open_flume(60, 0.5, 2);
  for (std::size_t n = 0; n < problem.depth.size(); ++n)
    problem.depth[n] = std::max(0.2, 2 - 0.03 * problem.mesh.nodes[n][0]);
  problem.boundaries[east].kind = BoundaryKind::reflecting;
  problem.boundaries[east].reflection = 0.05;
  WaveState const unbroken = solve(problem, 5, {{0.4}});
  problem.dissipation.breaking = BreakingLaw::battjes_janssen;
  WaveState const state = solve(problem, 5, {{0.4}});
  double highest = 0;
  for (std::size_t n = 0; n < problem.depth.size(); ++n) {
    double const limit = largest_height(state.wave_number[n], problem.depth[n], 0.88);
    EXPECT_LT(state.height[n], 1.15 * limit);
    highest = std::max(highest, unbroken.height[n] / limit);
  }
  EXPECT_GT(highest, 2);
  EXPECT_NEAR(state.energy.imbalance, 0, 1e-2);
}

}  // namespace waves_damping_test
