// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waves over an even bed with exact solutions: order of accuracy, walls, open boundaries, derived fields.
#include "waves_support.hpp"

namespace waves_plane_test {

using namespace karman;
using namespace karman::waves;
using namespace karman::waves::test;

constexpr double period = 1, depth = 0.45, amplitude = 0.1;
double const k = dispersion(angular_frequency(period), depth).wave_number;

/// a e^{i(k d.x + phase)}.
Field plane(IncidentWave const& wave) {
  return [wave](Point const& x) {
    return wave.amplitude *
           turned(k * (x[0] * std::cos(wave.direction) + x[1] * std::sin(wave.direction)) + wave.phase);
  };
}

WaveProblem box(double size, DiagonalPattern diagonals, double lumping) {
  RectangleMesh shape;
  shape.high = {2, 1.4};
  shape.size = size;
  shape.diagonals = diagonals;
  WaveProblem problem = even_bed(mesh_rectangle(shape), depth);
  for (auto& [label, boundary] : problem.boundaries) boundary.kind = BoundaryKind::incident;
  problem.lumping = lumping;
  return problem;
}

TEST(PlaneWave, IsOfSecondOrderInTheMesh) {
  for (double const angle : {0.0, 30.0, 65.0, 90.0, 200.0}) {
    for (DiagonalPattern const diagonals : {DiagonalPattern::right, DiagonalPattern::alternating}) {
      for (double const lumping : {0.0, 0.5, 1.0}) {
        IncidentWave const wave{amplitude, degrees(angle), 0.4};
        double error[3];
        for (int level = 0; level < 3; ++level) {
          WaveProblem const problem = box(0.1 / (1 << level), diagonals, lumping);
          error[level] = largest_error(problem, solve(problem, period, {wave}), plane(wave)) / amplitude;
        }
        EXPECT_NEAR(order(error[0], error[1]), 2, 0.15) << angle << ' ' << lumping;
        EXPECT_NEAR(order(error[1], error[2]), 2, 0.1) << angle << ' ' << lumping;
        // 60 edges per wave: 1/24 (2 pi / 60)^2 of its speed over up to 1.6 waves, and the boundaries.
        EXPECT_LT(error[2], 0.01) << angle << ' ' << lumping;
      }
    }
  }
}

TEST(PlaneWave, HalfTheMassLumpedTravelsFiveTimesMoreAccurately) {
  DiscMesh shape;
  shape.radius = 2;
  shape.size = 0.1;
  WaveProblem problem = even_bed(mesh_disc(shape), depth);
  problem.boundaries.begin()->second.kind = BoundaryKind::incident;
  IncidentWave const wave{amplitude, degrees(20)};
  problem.lumping = 0;
  double const plain = largest_error(problem, solve(problem, period, {wave}), plane(wave));
  problem.lumping = 0.5;
  EXPECT_LT(largest_error(problem, solve(problem, period, {wave}), plane(wave)), plain / 4);
}

TEST(PlaneWave, WavesAddUp) {
  WaveProblem const problem = box(0.1, DiagonalPattern::alternating, 0.5);
  IncidentWave const first{0.1, degrees(10), 0.3}, second{0.03, degrees(130), -1};
  auto const model = make_wave_model(fastest(), problem);
  WaveState const a = model->solve(period, {first}), b = model->solve(period, {second});
  WaveState const both = model->solve(period, {first, second}), none = model->solve(period, {});
  for (std::size_t n = 0; n < problem.depth.size(); ++n) {
    ASSERT_LT(std::abs(both.elevation[n] - a.elevation[n] - b.elevation[n]), 1e-9);
    ASSERT_EQ(none.elevation[n], Number(0));
  }
  EXPECT_NEAR(both.energy.incident, a.energy.incident + b.energy.incident, 1e-12 * both.energy.incident);
}

/// In front of a wall at x = length: the wave and its reflection R e^{i beta}.
Field standing(double length, double reflection, double phase) {
  return [=](Point const& x) {
    return amplitude * (turned(k * x[0]) + reflection * turned(phase + k * (2 * length - x[0])));
  };
}

TEST(PlaneWave, WallsReflectTheGivenFraction) {
  double const length = 2.3;
  for (auto const& [reflection, phase] : {std::pair{1.0, 0.0}, {0.5, 0.0}, {0.9, 1.2}, {0.0, 0.0}, {0.3, -2.5}}) {
    double error[2];
    for (int level = 0; level < 2; ++level) {
      WaveProblem problem = flume(length, 0.2, 0.05 / (1 << level), depth);
      problem.boundaries[east].reflection = reflection;
      problem.boundaries[east].phase = phase;
      WaveState const state = solve(problem, period, {{amplitude}});
      error[level] = largest_error(problem, state, standing(length, reflection, phase)) / amplitude;
      // Energy: R^2 is reflected. The interpolation of the waves leaves an error of about (k size)^2 / 6.
      EnergyBalance const& e = state.energy;
      double const tolerance = std::pow(k * 0.05 / (1 << level), 2) / 3;
      double const exact = 0.5 * water_density * gravity * amplitude * amplitude * 0.2 * state.group_celerity[0];
      EXPECT_NEAR(e.incident / exact, 1, tolerance);
      EXPECT_NEAR(e.reflected / exact, reflection * reflection, tolerance);
      EXPECT_NEAR(e.absorbed / exact, 1 - reflection * reflection, tolerance);
      EXPECT_LT(std::fabs(e.imbalance), 1e-8);
    }
    EXPECT_NEAR(order(error[0], error[1]), 2, 0.1) << reflection << ' ' << phase;
    EXPECT_LT(error[1], 0.005);
  }
}

TEST(PlaneWave, AWallAtAKnownAngle) {
  double const length = 2, reflection = 0.6, angle = degrees(40);
  for (bool const known : {true, false}) {
    double error[2];
    for (int level = 0; level < 2; ++level) {
      WaveProblem problem = box(0.05 / (1 << level), DiagonalPattern::alternating, 0.5);
      problem.boundaries[east] = {};
      problem.boundaries[east].reflection = reflection;
      problem.boundaries[east].unknown_angle = !known;
      problem.boundaries[east].angle = angle;
      IncidentWave const in{amplitude, angle};
      IncidentWave const back{reflection * amplitude, pi - angle, 2 * k * length * std::cos(angle)};
      Field const a = plane(in), b = plane(back);
      WaveState const state = solve(problem, period, {in, back});
      error[level] = largest_error(problem, state, [&](Point const& x) { return a(x) + b(x); }) / amplitude;
    }
    if (known) {
      EXPECT_NEAR(order(error[0], error[1]), 2, 0.15);
    } else {
      // The cosine is taken as 1 - sin^2 / 2: 0.793 for 0.766. The wall then reflects a little less.
      auto const coefficient = [&](double cosine) {
        double const share = (1 - reflection) / (1 + reflection);
        return (std::cos(angle) - share * cosine) / (std::cos(angle) + share * cosine);
      };
      double const expected = std::fabs(coefficient(1 - std::pow(std::sin(angle), 2) / 2) - reflection);
      EXPECT_LT(error[1], 3 * expected);
      EXPECT_GT(error[1], 0.3 * expected);
    }
  }
}

TEST(PlaneWave, LeavesThroughAnOpenBoundaryAtAnyAngle) {
  for (double const angle : {0.0, 20.0, 45.0, 60.0}) {
    IncidentWave const wave{amplitude, degrees(angle)};
    WaveProblem problem = box(0.04, DiagonalPattern::alternating, 0.5);
    double const plain = largest_error(problem, solve(problem, period, {wave}), plane(wave)) / amplitude;
    problem.boundaries[east].kind = BoundaryKind::open;
    double const open = largest_error(problem, solve(problem, period, {wave}), plane(wave)) / amplitude;
    // Reflection by the condition, (c - c') / (c + c') for c' = 1 - sin^2 / 2 instead of the cosine c.
    double const c = std::cos(wave.direction), c2 = 1 - std::pow(std::sin(wave.direction), 2) / 2;
    double const back = (c2 - c) / (c2 + c);
    EXPECT_LT(open, 1.5 * plain + 2.5 * back) << angle;
    problem.boundaries[east].unknown_angle = false;  // at a right angle: the condition of first order
    double const first = largest_error(problem, solve(problem, period, {wave}), plane(wave)) / amplitude;
    if (angle >= 45) {
      EXPECT_GT(first, 2.5 * open) << angle;
    }
    problem.boundaries[east].angle = wave.direction;
    EXPECT_LT(largest_error(problem, solve(problem, period, {wave}), plane(wave)) / amplitude, 1.5 * plain + 1e-12);
  }
}

TEST(PlaneWave, HasItsHeightPhaseDirectionFluxAndStress) {
  IncidentWave const wave{amplitude, degrees(-35), 0.7};
  WaveProblem const problem = box(0.025, DiagonalPattern::alternating, 0.5);
  WaveState const s = solve(problem, period, {wave});
  std::size_t const n = nearest(problem, 1, 0.7);
  Number const exact = plane(wave)(problem.mesh.nodes[n]);
  double const energy = 0.5 * water_density * gravity * amplitude * amplitude;
  double const ratio = s.group_celerity[n] / s.celerity[n];
  double const c = std::cos(wave.direction), sn = std::sin(wave.direction);
  double const tolerance = 0.02;  // differences over triangles are wrong by (k size)^2 = 0.011 along their diagonals
  EXPECT_NEAR(s.height[n], 2 * amplitude, tolerance * amplitude);
  EXPECT_NEAR(s.phase[n], std::arg(exact), tolerance);
  EXPECT_NEAR(s.direction[n], wave.direction, tolerance);
  EXPECT_NEAR(std::hypot(s.flux_x[n], s.flux_y[n]) / (energy * s.group_celerity[n]), 1, tolerance);
  double const bed = angular_frequency(period) * amplitude / std::sinh(k * depth);
  EXPECT_NEAR(s.bed_velocity[n] / bed, 1, tolerance);
  EXPECT_NEAR(s.stress_xx[n] / (energy * (ratio * (1 + c * c) - 0.5)), 1, tolerance);
  EXPECT_NEAR(s.stress_yy[n] / (energy * (ratio * (1 + sn * sn) - 0.5)), 1, tolerance);
  EXPECT_NEAR(s.stress_xy[n] / (energy * ratio * c * sn), 1, tolerance);
  EXPECT_NEAR(s.nodes_per_wavelength, 2 * pi / k / (0.025 * std::sqrt(2)), 0.6);
  EXPECT_EQ(s.dissipation[n], 0);
}

TEST(PlaneWave, ASumOfStandingWavesHasTheStressOfMei) {
  // eta = 2 a cos kx: S_xx = rho g a^2 (2 n - 1/2) everywhere, S_yy varies.
  double const length = 2 * pi / k;
  WaveProblem const problem = flume(length, 0.1, 0.0125, depth);
  WaveState const s = solve(problem, period, {{amplitude, 0, -2 * k * length / 2}});
  double const ratio = s.group_celerity[0] / s.celerity[0], scale = water_density * gravity * amplitude * amplitude;
  double const kh = k * depth;
  for (double const x : {0.2, 0.5, 0.8}) {
    std::size_t const n = nearest(problem, x * length, 0.05);
    double const cosine = std::cos(k * (length - problem.mesh.nodes[n][0]));
    double const square = cosine * cosine, slope = 1 - square;
    double const pressure = 2 * ((ratio - 0.5) * square + 0.5 * (kh / std::tanh(kh) - ratio) * (slope - square));
    EXPECT_NEAR(s.stress_xx[n] / scale, 2 * ratio * slope + pressure, 0.02);
    EXPECT_NEAR(s.stress_yy[n] / scale, pressure, 0.02);
    EXPECT_NEAR(s.stress_xy[n] / scale, 0, 0.01);
    EXPECT_NEAR(s.height[n], 4 * amplitude * std::fabs(cosine), 0.005 * amplitude);
  }
}

}  // namespace waves_plane_test
