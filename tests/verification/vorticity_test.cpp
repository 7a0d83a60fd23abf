// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Published and golden flows of the vorticity equation.
#include "solvers/spectral/vorticity_flows.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/solvers/spectral/vorticity_solver.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <string>
#include <vector>

namespace vorticity_test {

using namespace karman;
using namespace karman::test;

using Exec = Kokkos::DefaultExecutionSpace;
using Solver = VorticitySolver<Exec, double>;

/// Two modes, nu = 0.01: numbers that 256 and 384 points gave alike.
TEST(Vorticity, TwoModesDecayToTheGoldenNumbers) {
  Exec const space;
  VorticitySetup const setup{.points = {256, 256}, .terms = {.viscosity = 0.01}};
  Solver solver(space, setup);
  solver.start(space, at_points<Exec, double>(space, setup, two_modes), 0, fixed_steps(0.0025));
  auto figures = solver.figures(space);
  EXPECT_NEAR(figures.energy, 6, 1e-12);
  EXPECT_NEAR(figures.enstrophy, 58, 1e-11);
  EXPECT_NEAR(figures.palinstrophy, 564, 1e-10);
  figures = run_to(space, solver, 0.5);
  EXPECT_NEAR(figures.energy, 5.447644787420, 2e-10);
  EXPECT_NEAR(figures.enstrophy, 52.4924032683, 1e-8);
  figures = run_to(space, solver, 1);
  EXPECT_NEAR(figures.energy, 4.95061064427, 2e-10);
  EXPECT_NEAR(figures.enstrophy, 46.868186395, 1e-8);
  EXPECT_NEAR(figures.palinstrophy, 579.32123, 1e-5);
}

/// - du/dy of n values of a periodic function of y, by its Fourier modes.
std::vector<double> minus_derivative(std::vector<double> const& u) {
  auto const n = static_cast<int>(u.size());
  std::vector<double> result(u.size(), 0.0);
  for (int k = 1; k < (n + 1) / 2; ++k) {
    std::complex<double> mode = 0;
    for (int j = 0; j < n; ++j) mode += std::polar(u[std::size_t(j)] / n, -2 * pi * k * j / n);
    for (int j = 0; j < n; ++j) {
      result[std::size_t(j)] -= 2 * (std::complex<double>(0, k) * mode * std::polar(1.0, 2 * pi * k * j / n)).real();
    }
  }
  return result;
}

/// Two shear layers of thickness pi / 15, nu = 0.001: 256 and 384 points differ by 1e-10 of the energy.
TEST(Vorticity, ShearLayersRollUpToTheGoldenNumbers) {
  Exec const space;
  int const n = 256;
  double const rho = pi / 15;
  std::vector<double> u(n);
  for (int j = 0; j < n; ++j) {
    double const y = 2 * pi * j / n;
    u[std::size_t(j)] = j <= n / 2 ? std::tanh((y - pi / 2) / rho) : std::tanh((1.5 * pi - y) / rho);
  }
  auto const shear = minus_derivative(u);
  VorticitySetup const setup{.points = {n, n}, .terms = {.viscosity = 1e-3}};
  Solver solver(space, setup);
  auto const vorticity = [&](double x, double y) {
    return 0.05 * std::cos(x) + shear[static_cast<std::size_t>(std::lround(y * n / (2 * pi)))];
  };
  solver.start(space, at_points<Exec, double>(space, setup, vorticity), 0, {.cfl = 0.7});
  auto figures = solver.figures(space);
  EXPECT_NEAR(figures.energy, 0.433958374, 1e-9);
  EXPECT_NEAR(figures.enstrophy, 1.013836836423, 1e-9);
  figures = run_to(space, solver, 4);
  EXPECT_NEAR(figures.energy, 0.42636169426, 1e-9);
  EXPECT_NEAR(figures.enstrophy, 0.891429965455, 1e-9);
  figures = run_to(space, solver, 8);
  EXPECT_NEAR(figures.energy, 0.41977999802, 1e-9);
  EXPECT_NEAR(figures.enstrophy, 0.742466356579, 1e-9);
  EXPECT_NEAR(figures.palinstrophy, 20.8165072, 1e-6);
}

/// psi = sin 2x cos 2y + 2 sin x cos 3y stays, held by F = u . grad omega - nu laplacian omega.
TEST(Vorticity, ManufacturedForcingHoldsAFlow) {
  Exec const space;
  double const nu = 1e-2;
  VorticitySetup const setup{.points = {128, 128}, .terms = {.viscosity = nu}};
  auto const force = [&](double x, double y) {
    double const s1 = std::sin(x), c1 = std::cos(x), s2 = std::sin(2 * x), c2 = std::cos(2 * x);
    double const p2 = std::sin(2 * y), q2 = std::cos(2 * y), p3 = std::sin(3 * y), q3 = std::cos(3 * y);
    double const u = 2 * s2 * p2 + 6 * s1 * p3, v = 2 * c2 * q2 + 2 * c1 * q3;
    double const wx = -16 * c2 * q2 - 20 * c1 * q3, wy = 16 * s2 * p2 + 60 * s1 * p3;
    double const laplacian = 64 * s2 * q2 + 200 * s1 * q3;
    return u * wx + v * wy - nu * laplacian;
  };
  Solver solver(space, setup);
  solver.set_forcing(space, at_points<Exec, double>(space, setup, force));
  auto const start = at_points<Exec, double>(space, setup, two_modes);
  solver.start(space, start, 0, fixed_steps(0.005));
  run_to(space, solver, 1);
  auto const found = vorticity(space, solver), expected = host_copy(space, start);
  double worst = 0, largest = 0;
  for (std::size_t n = 0; n < found.size(); ++n) {
    worst = std::fmax(worst, std::abs(found[n] - expected[n]));
    largest = std::fmax(largest, std::abs(expected[n]));
  }
  EXPECT_LE(worst, 1e-12 * largest);
}

/// The first zero of the Bessel function J1.
constexpr double first_zero = 3.8317059702075123;

/// Lamb's dipole travels along x at its speed, R = L / 20, without viscosity.
TEST(Vorticity, LambDipoleTravelsAtItsSpeed) {
  Exec const space;
  double const length = 2 * pi, radius = length / 20, speed = 1, k = first_zero / radius;
  VorticitySetup const setup{.points = {256, 256}};
  auto const dipole = [&](double x, double y) {
    double const dx = x - length / 2, dy = y - length / 2, r = std::hypot(dx, dy);
    if (r >= radius || r == 0) return 0.0;
    return 2 * speed * k * std::cyl_bessel_j(1, k * r) / std::cyl_bessel_j(0, k * radius) * -dy / r;
  };
  Solver solver(space, setup);
  solver.start(space, at_points<Exec, double>(space, setup, dipole), 0, {.cfl = 0.5});
  // Centroid of omega^2, as the phase of its lowest mode.
  auto const place = [&] {
    auto const w = vorticity(space, solver);
    std::complex<double> sum = 0;
    for (std::size_t j = 0; j < 256; ++j) {
      for (std::size_t i = 0; i < 256; ++i)
        sum += std::polar(w[256 * j + i] * w[256 * j + i], 2 * pi * double(i) / 256);
    }
    return std::arg(sum) / (2 * pi) * length;
  };
  double const before = place();
  double const time = 0.5;
  auto const figures = run_to(space, solver, time);
  double moved = std::abs(place() - before);
  if (moved > length / 2) moved = length - moved;
  EXPECT_NEAR(moved / time, speed, 0.01 * speed);
  EXPECT_LT(figures.moment.steps, 10000);
}

/// Energy in |k| = 1 alone, a condensate, decays at 2 nu whatever its shape: E(t) is the sum of all parts that came in,
/// each faded since then; with a steady supply (epsilon / 2 nu) (1 - exp(-2 nu t)).
TEST(Vorticity, CondensateFollowsItsLaw) {
  Exec const space;
  double const nu = 0.05, rate = 0.2;
  VorticitySetup const setup{.points = {32, 32}, .terms = {.viscosity = nu}};
  Solver solver(space, setup);
  solver.set_random_forcing(space, {.wavenumber = 1, .width = 0.5, .energy_rate = rate, .seed = 4});
  solver.start(space, at_points<Exec, double>(space, setup, [](double, double) { return 0.0; }), 0,
               {.cfl = 0.5, .dt_max = 0.02});
  double expected = 0;
  auto last = solver.figures(space);
  while (last.moment.time < 60) {
    solver.step(space);
    auto const now = solver.figures(space);
    // Of the energy that the noise brings in during a step, the losses within the step leave this share.
    double const lost = 2 * nu * (now.moment.time - last.moment.time), left = -std::expm1(-lost) / lost;
    expected = expected * std::exp(-lost) + left * (now.moment.injected_energy - last.moment.injected_energy);
    last = now;
  }
  EXPECT_NEAR(last.energy, expected, 1e-9 * expected);
  EXPECT_NEAR(last.lowest_energy, last.energy, 1e-9 * expected);
  // Two pairs of modes share the kicks, each with an energy that scatters as much as its mean.
  EXPECT_NEAR(last.energy, rate / (2 * nu), 3 * rate / (2 * nu) / std::sqrt(2.0));
}

}  // namespace vorticity_test
