// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Harbours: resonance of a rectangular one against matched modes, absorbing walls, a scan over periods.
#include "waves_support.hpp"

namespace waves_harbour_test {

using namespace karman;
using namespace karman::waves;
using namespace karman::waves::test;

constexpr double length = .3111, half_width = .0302;

/// |elevation| at the back over twice the incident amplitude, long waves straight onto the coast, as J. W. Miles and
/// W. Munk (1961) and after them textbooks have it: the plane mode in the harbour and its mean at the mouth.
double plane_mode(double kl) {
  double const ka = kl / length * half_width;
  Number const impedance(2 * ka / pi * (1.5 - std::numbers::egamma - std::log(ka)), ka);
  return 1 / std::abs(std::cos(kl) - impedance * std::sin(kl));
}

/// The same with the modes cos(m pi (y + a) / 2a), m = 0, 2, 4, in the harbour. They are matched to the field of
/// sources (i/2) H_0(k |y - y'|) along the mouth by mean elevation and slope.
double matched_modes(double kl) {
  constexpr int modes = 3, points = 300;
  double const k = kl / length, step = 2 * half_width / points;
  auto const mode = [&](int m, int p) { return std::cos(2 * m * pi * (p + 0.5) / points); };
  Number source[modes][modes] = {};
  for (int distance = 0; distance < points; ++distance) {
    // A cell on itself: the mean of the logarithm over it.
    double const r = distance * step;
    Number const h = distance == 0 ? Number(1, 2 / pi * (std::log(k * step / 2) + std::numbers::egamma - 1.5))
                                   : Number(std::cyl_bessel_j(0, k * r), std::cyl_neumann(0, k * r));
    for (int p = 0; p + distance < points; ++p)
      for (int m = 0; m < modes; ++m)
        for (int n = 0; n < modes; ++n)
          source[m][n] += Number(0, 0.5) * h * step / double(points) *
                          (distance == 0 ? mode(m, p) * mode(n, p)
                                         : mode(m, p) * mode(n, p + distance) + mode(m, p + distance) * mode(n, p));
  }
  // eta_m = c_m cosh(b_m (x + length)) / cosh(b_m length); slope outwards s_m = c_m b_m tanh(b_m length), mode by mode;
  // elevation at the mouth: c_m norm_m = 2 [m = 0] - sum_n source_mn s_n.
  Number a[modes][modes + 1];
  for (int m = 0; m < modes; ++m) {
    for (int n = 0; n < modes; ++n) {
      Number const b = std::sqrt(Number(std::pow(2 * n * pi / (2 * half_width), 2) - k * k));
      a[m][n] = source[m][n] * b * std::tanh(b * length) + (m == n ? (m == 0 ? 1.0 : 0.5) : 0.0);
    }
    a[m][modes] = m == 0 ? 2 : 0;
  }
  for (int p = 0; p < modes; ++p)
    for (int m = 0; m < modes; ++m) {
      if (m == p) continue;
      Number const factor = a[m][p] / a[p][p];
      for (int n = p; n <= modes; ++n) a[m][n] -= factor * a[p][n];
    }
  // The higher modes do not reach the back: 1 / cosh(b_1 length) = e^{-32}.
  return std::abs(a[0][modes] / a[0][0] / std::cos(kl)) / 2;
}

/// The harbour in a straight coast; amplitudes at its back over twice the incident one.
class RectangularHarbour {
 public:
  explicit RectangularHarbour(double refinement) {
    HarbourMesh shape;
    shape.length = length;
    shape.width = 2 * half_width;
    shape.mouth_size *= refinement;
    shape.back_size *= refinement;
    shape.sea_size *= refinement;
    problem_ = even_bed(mesh_harbour(shape), depth);
    problem_.boundaries[1].kind = BoundaryKind::incident;
    problem_.boundaries[1].radius = shape.sea_radius;
    model_ = make_wave_model(fastest(), problem_);
  }
  double operator()(double kl) {
    double const k = kl / length, omega = std::sqrt(gravity * k * std::tanh(k * depth));
    // Incident waves and their reflection by the coast.
    WaveState const state = model_->solve(2 * pi / omega, {{1, pi}, {1, 0}});
    double sum = 0;
    int count = 0;
    for (std::size_t n = 0; n < problem_.depth.size(); ++n) {
      if (problem_.mesh.nodes[n][0] > -length * (1 - 1e-9)) continue;
      sum += std::abs(state.elevation[n]);
      ++count;
    }
    return sum / count / 2;
  }

 private:
  static constexpr double depth = 1e-4;  // long waves
  WaveProblem problem_;
  std::unique_ptr<WaveModel> model_;
};

TEST(WaveHarbour, TheModesHaveTheNumbersOfTheTable) {
  EXPECT_NEAR(plane_mode(1.319), 8.01, 5e-3);
  EXPECT_NEAR(plane_mode(4.19), 2.75, 5e-3);
  EXPECT_NEAR(matched_modes(1.30), 7.85, 0.05);
  EXPECT_NEAR(matched_modes(1.0), 2.62, 0.01);
}

TEST(WaveHarbour, ResonatesAsTheModesDo) {
  RectangularHarbour harbour(1);
  double first = 0, second = 0, first_at = 0, second_at = 0;
  for (double const kl : {0.3, 1.0, 1.28, 1.30, 1.31, 1.32, 1.33, 1.34, 1.36, 2.5, 4.1, 4.19, 4.21, 4.23, 4.25, 4.4}) {
    double const amplitude = harbour(kl);
    EXPECT_NEAR(amplitude / matched_modes(kl), 1, 0.02) << kl;
    if (kl < 2 && amplitude > first) first = amplitude, first_at = kl;
    if (kl > 4 && amplitude > second) second = amplitude, second_at = kl;
  }
  EXPECT_NEAR(first / 8.01, 1, 0.01);
  EXPECT_NEAR(first_at, 1.319, 0.015);
  EXPECT_NEAR(second / 2.75, 1, 0.025);
  EXPECT_NEAR(second_at, 4.19, 0.05);
}

/// A basin of 10 m x 8 m, 0.3 m deep, waves of 1.4 s and 0.04 m through a mouth of 3 m. From the mouth onwards the
/// walls reflect 0.23, 1, 1, 0.05, 0.05, 0.23. Sizes follow a model test at Delft; the order of the walls is our
/// reading.
WaveProblem delft(double size) {
  RectangleMesh shape;
  shape.high = {10, 8};
  shape.size = size;
  WaveProblem problem = even_bed(mesh_rectangle(shape), 0.3);
  problem.boundaries.clear();
  double const reflection[] = {0, 0.23, 1, 1, 0.05, 0.05, 0.23};
  for (std::size_t e = 0; e < problem.mesh.edges.size(); ++e) {
    auto const& a = problem.mesh.nodes[static_cast<std::size_t>(problem.mesh.edges[e][0])];
    auto const& b = problem.mesh.nodes[static_cast<std::size_t>(problem.mesh.edges[e][1])];
    double const x = 0.5 * (a[0] + b[0]), y = 0.5 * (a[1] + b[1]);
    int label = 0;
    if (x < 1e-9) label = y < 2.5 ? 1 : (y < 5.5 ? 0 : 6);
    else if (y < 1e-9) label = 2;
    else if (x > 10 - 1e-9) label = y < 4 ? 3 : 4;
    else label = 5;
    problem.mesh.edge_labels[e] = label;
    problem.boundaries[label].kind = label == 0 ? BoundaryKind::incident : BoundaryKind::reflecting;
    problem.boundaries[label].reflection = reflection[label];
  }
  return problem;
}

/// Absorption by the walls with x below `limit`, from the elevation along them: rho g / (2 omega) C C_g Re(gamma) (k
/// |eta|^2 - |eta_s|^2 / 2k).
double taken_by_walls(WaveProblem const& problem, WaveState const& state, double limit) {
  double sum = 0;
  for (std::size_t e = 0; e < problem.mesh.edges.size(); ++e) {
    WaveBoundary const& wall = problem.boundaries.at(problem.mesh.edge_labels[e]);
    auto const m = static_cast<std::size_t>(problem.mesh.edges[e][0]),
               n = static_cast<std::size_t>(problem.mesh.edges[e][1]);
    auto const &a = problem.mesh.nodes[m], &b = problem.mesh.nodes[n];
    if (wall.kind != BoundaryKind::reflecting || 0.5 * (a[0] + b[0]) > limit) continue;
    double const size = std::hypot(b[0] - a[0], b[1] - a[1]), k = state.wave_number[n];
    double const share = (1 - wall.reflection) / (1 + wall.reflection);
    double const square = 0.5 * (std::norm(state.elevation[m]) + std::norm(state.elevation[n]));
    double const slope = std::norm(state.elevation[n] - state.elevation[m]) / (size * size);
    sum += size * share * state.celerity[n] * state.group_celerity[n] * (k * square - slope / (2 * k));
  }
  return 0.5 * water_density * gravity / angular_frequency(state.period) * sum;
}

TEST(WaveHarbour, AbsorptionInABasinEqualsTheInflowThroughItsMouth) {
  std::vector<double> mean;
  for (double const size : {0.2, 0.1, 0.05}) {
    WaveProblem const problem = delft(size);
    WaveState const state = solve(problem, 1.4, {{0.02}});
    EXPECT_NEAR(state.wave_number[0], 2.9168, 5e-5);
    EnergyBalance const& e = state.energy;
    EXPECT_LT(std::fabs(e.imbalance), 1e-8);
    EXPECT_GT(e.absorbed, 0.5 * e.incident);
    EXPECT_LT(e.absorbed, e.incident);
    // Two checks that are independent of the balance. One is the flux of the field through a section across the basin
    // plus the absorption of the walls before it. The other is the absorption of all walls.
    double through = 0, height = 0;
    for (std::size_t n = 0; n < problem.depth.size(); ++n) {
      auto const& x = problem.mesh.nodes[n];
      height += state.height[n] / double(problem.depth.size());
      if (std::fabs(x[0] - 2) > 1e-6) continue;
      through += state.flux_x[n] * size * (x[1] < 1e-9 || x[1] > 8 - 1e-9 ? 0.5 : 1);
    }
    mean.push_back(height);
    double const in = e.incident - e.reflected;
    EXPECT_NEAR(taken_by_walls(problem, state, 100) / in, 1, size * size) << size;
    EXPECT_NEAR((through + taken_by_walls(problem, state, 2)) / in, 1, 0.005) << size;
  }
  // Heights converge.
  EXPECT_LT(std::fabs(mean[2] - mean[1]), 0.5 * std::fabs(mean[1] - mean[0]));
  EXPECT_LT(std::fabs(mean[2] - mean[1]), 0.01 * mean[2]);
}

TEST(WaveHarbour, AScanOverPeriodsFindsTheNodesOfAClosedFlume) {
  double const end = 2000, depth = 15;
  WaveProblem const problem = flume(end, 50, 25, depth);
  auto const model = make_wave_model(fastest(), problem);
  std::size_t const gauge = nearest(problem, 1200, 25), wall = nearest(problem, end, 25);
  int scanned = 0;
  for (double period = 50; period <= 500; period += 5) {
    WaveState const state = model->solve(period, {{0.3}});
    ASSERT_TRUE(state.report.converged);
    double const k = dispersion(angular_frequency(period), depth).wave_number;
    // Waves with a relative error of wavelength of 1/24 (k 25 m)^2 or less over 4 km, k = 0.0105 at most, half lumped.
    double const tolerance = 0.3 * (0.01 + std::pow(k * 25, 2) / 3);
    EXPECT_NEAR(0.5 * state.height[gauge], 0.6 * std::fabs(std::cos(k * (end - 1200))), tolerance) << period;
    EXPECT_NEAR(0.5 * state.height[wall], 0.6, tolerance) << period;
    ++scanned;
  }
  EXPECT_EQ(scanned, 91);
}

}  // namespace waves_harbour_test
