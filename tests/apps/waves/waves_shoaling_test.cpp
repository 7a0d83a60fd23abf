// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waves over a bed that varies in one direction, against the resulting ordinary differential equation.
#include "waves/model/extended_terms.hpp"
#include "waves_support.hpp"

namespace waves_shoaling_test {

using namespace karman;
using namespace karman::waves;
using namespace karman::waves::test;

/// A ramp from `deep` to `shallow` over 0 <= x <= length, smooth at both ends, even beyond.
struct Ramp {
  double deep = 20, shallow = 5, length = 600;
  double middle() const { return 0.5 * (deep + shallow); }
  double half() const { return 0.5 * (deep - shallow); }
  double depth(double x) const {
    if (x <= 0) return deep;
    return x >= length ? shallow : middle() + half() * std::cos(pi * x / length);
  }
  double slope(double x) const { return x <= 0 || x >= length ? 0 : -half() * pi / length * std::sin(pi * x / length); }
  double bend(double x) const {
    return x <= 0 || x >= length ? 0 : -half() * pi * pi / (length * length) * std::cos(pi * x / length);
  }
};

/// k^2 C C_g + g (u1 h'' + u2 h'^2), u2 from the derivative of u1: the strong form of the equation.
double mass(Ramp const& ramp, double omega, bool extended, double x) {
  double const h = ramp.depth(x);
  Dispersion const d = dispersion(omega, h);
  double const plain = d.wave_number * omega * d.group_celerity;
  if (!extended) return plain;
  auto const u1 = [&](double depth) { return slope_terms(dispersion(omega, depth).wave_number, depth).flux; };
  double const step = 1e-3 * h;
  double const u2 = (u1(h + step) - u1(h - step)) / (2 * step) - slope_terms(d.wave_number, h).slope;
  return plain + gravity * (u1(h) * ramp.bend(x) + u2 * ramp.slope(x) * ramp.slope(x));
}

/// eta(x, y) = X(x) e^{i ky y} with (F X')' + (mass - F ky^2) X = 0 for a wave of amplitude 1 at x = from, and only a
/// transmitted wave beyond x = to. The Runge-Kutta method goes back from there; values at equal steps.
struct Profile {
  double from, step;
  std::vector<Number> values;
  double reflected = 0;  ///< amplitude of the reflected wave
  Number operator()(double x) const {
    double const at = (x - from) / step;
    auto const n = static_cast<std::size_t>(std::clamp(at, 0.0, double(values.size()) - 1.001));
    return values[n] + (at - double(n)) * (values[n + 1] - values[n]);
  }
};

Profile profile(Ramp const& ramp, double omega, double ky, bool extended, double from, double to) {
  int const steps = 20000;
  Profile result{from, (to - from) / steps, std::vector<Number>(steps + 1)};
  auto const flux = [&](double x) {
    Dispersion const d = dispersion(omega, ramp.depth(x));
    return d.celerity * d.group_celerity;
  };
  auto const kx = [&](double x) {
    double const k = dispersion(omega, ramp.depth(x)).wave_number;
    return std::sqrt(k * k - ky * ky);
  };
  // The state is X and F X'.
  using State = std::array<Number, 2>;
  auto const rate = [&](double x, State const& s) -> State {
    double const f = flux(x);
    return {s[1] / f, -(mass(ramp, omega, extended, x) - f * ky * ky) * s[0]};
  };
  auto const moved = [](State const& s, State const& r, double h) -> State {
    return {s[0] + h * r[0], s[1] + h * r[1]};
  };
  State s{Number(1), Number(0, 1) * kx(to) * flux(to)};
  result.values[steps] = s[0];
  double const h = -result.step;
  for (int n = steps; n-- > 0;) {
    double const x = from + (n + 1) * result.step;
    State const a = rate(x, s), b = rate(x + h / 2, moved(s, a, h / 2)), c = rate(x + h / 2, moved(s, b, h / 2)),
                d = rate(x + h, moved(s, c, h));
    for (std::size_t i = 0; i < 2; ++i) s[i] += h / 6 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    result.values[static_cast<std::size_t>(n)] = s[0];
  }
  Number const slope = s[1] / (flux(from) * Number(0, 1) * kx(from));
  Number const in = 0.5 * (s[0] + slope), out = 0.5 * (s[0] - slope);
  for (Number& value : result.values) value /= in;
  result.reflected = std::abs(out / in);
  return result;
}

constexpr double period = 10;
double const omega = angular_frequency(period);

WaveProblem ramp_problem(Ramp const& ramp, double from, double to, double width, double size) {
  RectangleMesh shape;
  shape.low = {from, 0};
  shape.high = {to, width};
  shape.size = size;
  WaveProblem problem = even_bed(mesh_rectangle(shape), 1);
  for (std::size_t n = 0; n < problem.depth.size(); ++n) problem.depth[n] = ramp.depth(problem.mesh.nodes[n][0]);
  problem.boundaries[west].kind = BoundaryKind::incident;
  problem.boundaries[east].kind = BoundaryKind::open;
  return problem;
}

TEST(WaveShoaling, OverAGentleRampFollowsSnellAndTheEnergy) {
  Ramp const ramp;
  double const angle = degrees(30), from = -50, to = 650, width = 250;
  Dispersion const deep = dispersion(omega, 20), shallow = dispersion(omega, 5);
  double const bent = std::asin(std::sin(angle) * deep.wave_number / shallow.wave_number);
  double const shoaling = std::sqrt(deep.group_celerity / shallow.group_celerity);
  double const spreading = std::sqrt(std::cos(angle) / std::cos(bent));
  EXPECT_NEAR(bent, degrees(16.208), degrees(5e-4));
  EXPECT_NEAR(shoaling, 1.21075, 5e-6);
  EXPECT_NEAR(spreading, .949669, 5e-7);

  WaveProblem problem = ramp_problem(ramp, from, to, width, 4);
  problem.boundaries[south].kind = problem.boundaries[north].kind = BoundaryKind::incident;
  problem.refraction = {true, 20, 0};
  WaveState const state = solve(problem, period, {{1, angle}});
  double const ky = deep.wave_number * std::sin(angle), kx = deep.wave_number * std::cos(angle);
  Profile const exact = profile(ramp, omega, ky, false, from, to);
  EXPECT_NEAR(std::abs(exact(to)), shoaling * spreading, 0.01 * shoaling * spreading);
  double worst = 0;
  for (std::size_t n = 0; n < problem.depth.size(); ++n) {
    auto const& x = problem.mesh.nodes[n];
    if (x[1] < 60 || x[1] > width - 60) continue;  // the sides let rays without diffraction in
    worst = std::max(worst, std::abs(state.elevation[n] - exact(x[0]) * turned(kx * from + ky * x[1])));
  }
  EXPECT_LT(worst, 0.05);
  std::size_t const end = nearest(problem, 620, width / 2);
  EXPECT_NEAR(state.height[end] / 2, shoaling * spreading, 0.02);
  EXPECT_NEAR(state.direction[end], bent, degrees(1));
  EXPECT_NEAR(state.height[nearest(problem, -20, width / 2)] / 2, 1, 0.02);
}

TEST(WaveShoaling, IsOfSecondOrderWithAndWithoutTheTermsOfTheSlope) {
  // A ramp as short as the waves, where the terms matter.
  Ramp const ramp{20, 5, 40};
  double const from = -60, to = 100;
  for (bool const extended : {false, true}) {
    Profile const exact = profile(ramp, omega, 0, extended, from, to);
    double error[3];
    for (int level = 0; level < 3; ++level) {
      double const size = 5.0 / (1 << level);
      WaveProblem problem = ramp_problem(ramp, from, to, 2 * size, size);
      problem.extended = extended;
      WaveState const state = solve(problem, period, {{1, 0, -dispersion(omega, 20).wave_number * from}});
      error[level] = largest_error(problem, state, [&](Point const& x) { return exact(x[0]); });
      double const back = state.energy.reflected / state.energy.incident;
      EXPECT_NEAR(back, exact.reflected * exact.reflected, 3 * exact.reflected * error[level]);
    }
    EXPECT_NEAR(order(error[0], error[1]), 2, 0.15) << extended;
    EXPECT_NEAR(order(error[1], error[2]), 2, 0.1) << extended;
    EXPECT_LT(error[2], 0.005) << extended;
  }
  // They matter far more than the error of the finest mesh.
  EXPECT_GT(std::abs(profile(ramp, omega, 0, true, from, to)(to) - profile(ramp, omega, 0, false, from, to)(to)), 0.02);
}

TEST(WaveShoaling, SlopeTermsChangeNothingOverAnEvenBed) {
  WaveProblem problem = ramp_problem({10, 10, 100}, 0, 100, 10, 5);
  auto const plain = solve(problem, period, {{1}}).elevation;
  problem.extended = true;
  auto const extended = solve(problem, period, {{1}}).elevation;
  for (std::size_t n = 0; n < plain.size(); ++n) ASSERT_LT(std::abs(plain[n] - extended[n]), 1e-10);
}

TEST(WaveShoaling, HigherWavesAreLongerWhereTheyAreAsked) {
  // Over an even bed the elevation is that of the relation of Kirby and Dalrymple at its own amplitude.
  WaveProblem problem = ramp_problem({5, 5, 100}, 0, 200, 5, 2.5);
  problem.amplitude_dispersion = true;
  problem.picard.tolerance = 1e-7;
  double const a = 0.8;
  WaveState const state = solve(problem, period, {{a}});
  double const k = dispersion(omega, 5, a).wave_number;
  EXPECT_LT(k, 0.97 * dispersion(omega, 5).wave_number);
  EXPECT_LT(largest_error(problem, state, [&](Point const& x) { return a * turned(k * x[0]); }) / a, 0.01);
  EXPECT_NEAR(state.wave_number[nearest(problem, 100, 0)] / k, 1, 2e-3);
}

}  // namespace waves_shoaling_test
