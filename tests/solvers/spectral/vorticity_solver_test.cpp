// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vorticity equation against exact flows, plain sums over pairs of modes, and its own conservation laws.
#include "backends.hpp"
#include "solvers/common/allocated_bytes.hpp"
#include "solvers/common/recorded_events.hpp"
#include "vorticity_flows.hpp"
#include "vorticity_reference.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/solvers/spectral/vorticity_solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace vorticity_solver_test {

using namespace karman;
using namespace karman::test;

using M = VorticityMethod;
constexpr std::array every_method{M::low_storage_rk54, M::low_storage_rk3, M::crank_nicolson_rk54,
                                  M::crank_nicolson_rk3, M::etdrk4};
constexpr std::array every_order{SpectralOrder::rows, SpectralOrder::columns, SpectralOrder::fused};
constexpr std::array exact_linear{M::low_storage_rk54, M::low_storage_rk3, M::etdrk4};

template <class Parameter>
class VorticityOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  using Solver = VorticitySolver<Exec, T>;
  Exec space;
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();

  Solver started(VorticitySetup const& setup, Profile const& profile, StepControl const& control) {
    Solver solver(space, setup);
    solver.start(space, at_points<Exec, T>(space, setup, profile), 0, control);
    return solver;
  }

  /// Largest difference from a profile.
  double error(Solver& solver, Profile const& profile) {
    auto const [nx, ny] = solver.setup().points;
    auto const found = vorticity(space, solver);
    double worst = 0;
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        double const expected = profile(solver.setup().lengths[0] * i / nx, solver.setup().lengths[1] * j / ny);
        double const here = std::abs(double(found[std::size_t(j * nx + i)]) - expected);
        worst = here <= worst ? worst : here;
      }
    }
    return worst;
  }
};
TYPED_TEST_SUITE(VorticityOn, karman::test::AllBackends, karman::test::BackendNames);

template <class Parameter>
class VorticityInDouble : public VorticityOn<Parameter> {};
TYPED_TEST_SUITE(VorticityInDouble, karman::test::AllBackendsDouble, karman::test::BackendNames);

TYPED_TEST(VorticityOn, TaylorGreenVorticesDecayExactly) {
  double const nu = 0.05, end = 1;
  for (auto const method : exact_linear) {
    for (auto const& points : {std::array{16, 16}, std::array{15, 20}, std::array{9, 7}}) {
      SCOPED_TRACE(std::string(name(method)) + ", " + std::to_string(points[0]));
      VorticitySetup const setup{.points = points, .terms = {.viscosity = nu}, .method = method};
      auto solver =
          this->started(setup, [](double x, double y) { return 2 * std::cos(x) * std::cos(y); }, fixed_steps(0.1));
      auto const figures = run_to(this->space, solver, end);
      EXPECT_EQ(figures.moment.steps, 10);
      EXPECT_EQ(figures.moment.time, end);
      double const decay = std::exp(-2 * nu * end);
      // Some ten rounded operations per step.
      double const allowed = 200 * this->epsilon;
      EXPECT_NEAR(figures.energy, 0.25 * decay * decay, 0.25 * allowed);
      EXPECT_NEAR(figures.enstrophy, 0.5 * decay * decay, 0.5 * allowed);
      EXPECT_NEAR(figures.viscosity.energy, 2 * nu * figures.enstrophy, allowed);
      EXPECT_LE(this->error(solver, [&](double x, double y) { return 2 * decay * std::cos(x) * std::cos(y); }),
                2 * allowed);
    }
  }
}

TYPED_TEST(VorticityOn, LaminarKolmogorovFlowGrowsExactly) {
  double const nu = 0.02, mu = 0.3, force = 1.5, end = 2;
  int const k = 3;
  auto const forcing = [&](double x, double) { return force * std::cos(k * x); };
  // The part of F is integrated with the order of the method; small steps bring it to round-off.
  VorticitySetup const setup{.points = {16, 12}, .terms = {.viscosity = nu, .friction = mu}};
  typename TestFixture::Solver solver(this->space, setup);
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  solver.set_forcing(this->space, at_points<Exec, T>(this->space, setup, forcing));
  solver.start(this->space, at_points<Exec, T>(this->space, setup, [](double, double) { return 0.0; }), 0,
               fixed_steps(0.01));
  auto const figures = run_to(this->space, solver, end);
  double const rate = nu * k * k + mu, amplitude = force * (1 - std::exp(-rate * end)) / rate;
  EXPECT_LE(this->error(solver, [&](double x, double) { return amplitude * std::cos(k * x); }),
            1e-11 + 2000 * this->epsilon);
  EXPECT_NEAR(figures.forcing.enstrophy, amplitude * force / 2, 1e-10 + 2000 * this->epsilon);
  EXPECT_NEAR(figures.forcing.energy, amplitude * force / 2 / (k * k), 1e-10 + 2000 * this->epsilon);
}

TYPED_TEST(VorticityOn, RossbyWavesTravelExactly) {
  double const beta = 3, end = 0.7;
  std::array<double, 2> const lengths{2 * pi, 3 * pi};
  double const kx = 2, ky = 2 * pi / lengths[1] * 3, speed = beta * kx / (kx * kx + ky * ky);
  for (auto const method : exact_linear) {
    SCOPED_TRACE(name(method));
    VorticitySetup const setup{.points = {18, 24}, .lengths = lengths, .terms = {.beta = beta}, .method = method};
    auto const wave = [&](double time) {
      // exp(i k . x) times exp(i beta kx t / k^2)
      return [=](double x, double y) { return 1.3 * std::cos(kx * x + ky * y + speed * time); };
    };
    auto solver = this->started(setup, wave(0), fixed_steps(0.05));
    run_to(this->space, solver, end);
    EXPECT_LE(this->error(solver, wave(end)), 200 * this->epsilon);
  }
}

TYPED_TEST(VorticityOn, FiguresOfKnownModes) {
  // psi = sin 2 k x cos 2 l y + 2 sin k x cos 3 l y in a box 2 pi x 3 pi
  double const l = 2.0 / 3;
  auto const profile = [&](double x, double y) {
    double const a = 4 + 4 * l * l, b = 1 + 9 * l * l;
    return -a * std::sin(2 * x) * std::cos(2 * l * y) - 2 * b * std::sin(x) * std::cos(3 * l * y);
  };
  VorticityTerms const terms{
      .viscosity = 0.1, .viscosity_order = 2, .friction = 0.2, .hypoviscosity = 0.3, .hypoviscosity_order = 1};
  VorticitySetup const setup{.points = {24, 30}, .lengths = {2 * pi, 3 * pi}, .terms = terms};
  auto solver = this->started(setup, profile, fixed_steps(1));
  auto const figures = solver.figures(this->space);
  double const allowed = 100 * this->epsilon;
  EXPECT_NEAR(figures.energy, 29.0 / 9, 29.0 / 9 * allowed);
  EXPECT_NEAR(figures.enstrophy, 2701.0 / 162, 2701.0 / 162 * allowed);
  EXPECT_NEAR(figures.palinstrophy, 126277.0 / 1458, 126277.0 / 1458 * allowed);
  EXPECT_LE(figures.lowest_energy, allowed);
  // nu k^4 of the enstrophy Z is 2 nu times the sum of k^2 over the palinstrophy, and so on: by both modes.
  double const a = 4 + 4 * l * l, b = 1 + 9 * l * l, ea = a / 8, eb = b / 2;
  EXPECT_NEAR(figures.viscosity.energy, 0.2 * (a * a * ea + b * b * eb), allowed * 20);
  EXPECT_NEAR(figures.viscosity.enstrophy, 0.2 * (a * a * a * ea + b * b * b * eb), allowed * 100);
  EXPECT_NEAR(figures.friction.energy, 0.4 * figures.energy, allowed * 10);
  EXPECT_NEAR(figures.friction.enstrophy, 0.4 * figures.enstrophy, allowed * 10);
  EXPECT_NEAR(figures.hypoviscosity.energy, 0.6 * (ea / a + eb / b), allowed);
  EXPECT_NEAR(figures.hypoviscosity.enstrophy, 0.6 * (ea + eb), allowed);
  auto const calm = this->started(
                            {.points = {8, 8}}, [](double x, double) { return std::cos(x); }, fixed_steps(1))
                        .figures(this->space);
  EXPECT_NEAR(calm.lowest_energy, 0.25, allowed);
}

/// Random modes within a mask, as a real field.
Modes random_modes(VorticitySetup const& setup, int most_x, int most_y, bool ellipse) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  Modes modes;
  double const rx = most_x + 0.99, ry = most_y + 0.99;
  for (int j = -most_y; j <= most_y; ++j) {
    for (int i = -most_x; i <= most_x; ++i) {
      bool const inside = !ellipse || (i / rx) * (i / rx) + (j / ry) * (j / ry) <= 1;
      if ((i == 0 && j == 0) || !inside) continue;
      if (i > 0 || (i == 0 && j > 0)) {
        modes[{i, j}] = {number(random), number(random)};
        modes[{-i, -j}] = std::conj(modes[{i, j}]);
      }
    }
  }
  (void)setup;
  return modes;
}

Profile field_of(VorticitySetup const& setup, Modes const& modes) {
  return [=](double x, double y) {
    double sum = 0;
    for (auto const& [k, value] : modes) {
      double const phase = 2 * pi * (k.first * x / setup.lengths[0] + k.second * y / setup.lengths[1]);
      sum += value.real() * std::cos(phase) - value.imag() * std::sin(phase);
    }
    return sum;
  };
}

/// Row-major spectrum on the host.
template <class Exec, class T>
std::vector<Kokkos::complex<T>> spectrum(Exec const& space, VorticitySolver<Exec, T> const& solver) {
  auto const [nx, ny] = solver.setup().points;
  typename VorticitySolver<Exec, T>::Spectrum const modes("karman::test::modes", static_cast<std::size_t>(ny),
                                                          static_cast<std::size_t>(nx / 2 + 1));
  solver.copy_spectrum(space, modes);
  return host_copy(space, modes);
}

/// Largest difference of a spectrum from the modes of the reference.
template <class Exec, class T>
double difference(Exec const& space, VorticitySolver<Exec, T> const& solver, Modes const& expected) {
  auto const [nx, ny] = solver.setup().points;
  auto const found = spectrum(space, solver);
  int const half = nx / 2 + 1;
  double worst = 0;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < half; ++i) {
      auto const mode = expected.find({i, j <= ny / 2 ? j : j - ny});
      std::complex<double> const value = mode == expected.end() ? 0 : mode->second;
      auto const& w = found[std::size_t(j * half + i)];
      worst = std::fmax(worst, std::abs(std::complex<double>(w.real(), w.imag()) - value));
    }
  }
  return worst;
}

TYPED_TEST(VorticityOn, EveryMethodEqualsSumsOverPairsOfModes) {
  VorticityTerms const terms{.viscosity = 0.002,
                             .viscosity_order = 2,
                             .friction = 0.1,
                             .hypoviscosity = 0.2,
                             .hypoviscosity_order = 2,
                             .beta = 1.5};
  for (auto const& points : {std::array{12, 16}, std::array{11, 9}, std::array{13, 12}, std::array{16, 16}}) {
    for (auto const dealiasing : {Dealiasing::circular, Dealiasing::square}) {
      VorticitySetup setup{.points = points, .lengths = {2 * pi, 5}, .terms = terms, .dealiasing = dealiasing};
      auto const modes =
          random_modes(setup, (points[0] - 1) / 3, (points[1] - 1) / 3, dealiasing == Dealiasing::circular);
      VorticityReference const reference{setup};
      double const time = 0.01;
      auto const expected = reference.advanced(modes, time, 8);
      for (auto const method : every_method) {
        for (auto const order : every_order) {
          if (order == SpectralOrder::fused && points != std::array{16, 16}) continue;
          SCOPED_TRACE(std::string(name(method)) + ", " + std::string(name(dealiasing)) + ", " +
                       std::string(name(order)) + ", " + std::to_string(points[0]));
          setup.method = method;
          setup.order = order;
          auto solver = this->started(setup, field_of(setup, modes), fixed_steps(time / 8));
          // Rounding of the values at the points.
          EXPECT_LE(difference(this->space, solver, modes), 20 * this->epsilon);
          run_to(this->space, solver, time);
          // Both have errors of time steps, of about 1e-9 for orders from 2.
          bool const implicit = method == M::crank_nicolson_rk54 || method == M::crank_nicolson_rk3;
          double const truncation = implicit ? 1e-6 : method == M::low_storage_rk3 ? 1e-7 : 1e-8;
          EXPECT_LE(difference(this->space, solver, expected), truncation + 200 * this->epsilon);
        }
      }
    }
  }
}

/// A flow with every term, after some steps: modes, figures, spectra, histogram and velocity, one after the other.
template <class Exec, class T>
std::vector<double> flow_with_every_term(Exec const& space, VorticitySetup const& setup) {
  VorticitySolver<Exec, T> solver(space, setup);
  solver.set_forcing(space, at_points<Exec, T>(space, setup, [](double x, double y) { return std::cos(4 * x + y); }));
  solver.set_random_forcing(space, {.wavenumber = 6, .width = 2, .energy_rate = 0.5, .seed = 7});
  solver.start(space, at_points<Exec, T>(space, setup, two_modes), 0, {.cfl = 0.4});
  for (int n = 0; n < 8; ++n) solver.step(space);
  std::vector<double> values;
  for (auto const& mode : spectrum(space, solver)) values.insert(values.end(), {mode.real(), mode.imag()});
  auto const figures = solver.figures(space);
  values.insert(values.end(), {figures.moment.time, figures.moment.injected_energy, figures.energy, figures.enstrophy,
                               figures.palinstrophy, figures.lowest_energy, figures.viscosity.enstrophy,
                               figures.hypoviscosity.energy, figures.forcing.energy, figures.rate});
  auto const spectra = solver.spectra(space);
  for (auto const* list : {&spectra.energy, &spectra.enstrophy, &spectra.energy_flux, &spectra.enstrophy_flux}) {
    values.insert(values.end(), list->begin(), list->end());
  }
  // One interval up to 0 and one beyond; few values lie near 0.
  std::vector<std::int64_t> counts(2);
  solver.histogram(space, 100, counts);
  values.push_back(double(counts[0]) / double(counts[0] + counts[1]));
  auto const [nx, ny] = setup.points;
  Plane<Exec, T> const u("karman::test::u", static_cast<std::size_t>(ny), static_cast<std::size_t>(nx)),
      v("karman::test::v", static_cast<std::size_t>(ny), static_cast<std::size_t>(nx));
  solver.copy_velocity(space, u, v);
  for (auto const& part : {host_copy(space, u), host_copy(space, v)})
    values.insert(values.end(), part.begin(), part.end());
  return values;
}

TYPED_TEST(VorticityInDouble, OrdersInMemoryDifferInRoundingAlone) {
  using Exec = typename TestFixture::Exec;
  VorticityTerms const terms{.viscosity = 1e-3, .friction = 0.05, .hypoviscosity = 0.1, .beta = 1};
  auto const compare = [&](std::array<int, 2> const& points, SpectralOrder order, Dealiasing dealiasing, M method) {
    SCOPED_TRACE(std::string(name(method)) + ", " + std::string(name(dealiasing)) + ", " + std::to_string(points[0]));
    VorticitySetup setup{.points = points, .terms = terms, .method = method, .dealiasing = dealiasing};
    setup.order = SpectralOrder::rows;
    auto const rows = flow_with_every_term<Exec, double>(this->space, setup);
    setup.order = order;
    auto const columns = flow_with_every_term<Exec, double>(this->space, setup);
    ASSERT_EQ(rows.size(), columns.size());
    double worst = 0, largest = 0;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      worst = std::fmax(worst, std::abs(rows[n] - columns[n]));
      largest = std::fmax(largest, std::abs(rows[n]));
    }
    // Eight steps of some hundred rounded operations, on the scale of the largest number.
    EXPECT_LE(worst, 1000 * this->epsilon * largest);
  };
  // Odd numbers, whole tiles and parts of them; all columns kept, and two of three. Stages of every radix.
  for (auto const& [points, order] :
       {std::pair{std::array{101, 70}, SpectralOrder::columns}, std::pair{std::array{32, 33}, SpectralOrder::columns},
        std::pair{std::array{16, 128}, SpectralOrder::fused}, std::pair{std::array{192, 24}, SpectralOrder::fused},
        std::pair{std::array{96, 48}, SpectralOrder::fused}}) {
    for (auto const dealiasing :
         {Dealiasing::circular, Dealiasing::square, Dealiasing::exponential, Dealiasing::none}) {
      for (auto const method : {M::low_storage_rk54, M::crank_nicolson_rk3, M::etdrk4})
        compare(points, order, dealiasing, method);
    }
  }
  compare({32, 2048}, SpectralOrder::fused, Dealiasing::circular, M::low_storage_rk54);
  compare({32, 2048}, SpectralOrder::fused, Dealiasing::none, M::etdrk4);
}

TYPED_TEST(VorticityOn, SpectraEqualSumsOverPairsOfModes) {
  VorticitySetup const setup{.points = {16, 18}, .lengths = {2 * pi, 2 * pi}};
  auto const modes = random_modes(setup, 5, 5, true);
  VorticityReference const reference{setup};
  auto const change = reference.advection(modes);
  std::vector<std::array<double, 4>> expected;
  for (auto const& [k, value] : modes) {
    if (change.find(k) == change.end()) continue;
    double const square = k.first * k.first + k.second * k.second;
    auto const shell = static_cast<std::size_t>(std::sqrt(square) + 0.5);
    if (expected.size() <= shell) expected.resize(shell + 1);
    double const z = std::norm(value) / 2, transfer = (std::conj(value) * change.at(k)).real();
    expected[shell][0] += z / square;
    expected[shell][1] += z;
    expected[shell][2] += transfer / square;
    expected[shell][3] += transfer;
  }
  auto solver = this->started(setup, field_of(setup, modes), fixed_steps(0.01));
  auto const found = solver.spectra(this->space);
  ASSERT_EQ(found.wavenumber.size(), expected.size());
  double const size = 1e3 * this->epsilon;
  double energy_flux = 0, enstrophy_flux = 0;
  for (std::size_t n = 0; n < expected.size(); ++n) {
    EXPECT_NEAR(found.wavenumber[n], double(n), 1e-12);
    EXPECT_NEAR(found.energy[n], expected[n][0], size);
    EXPECT_NEAR(found.enstrophy[n], expected[n][1], 10 * size);
    EXPECT_NEAR(found.energy_transfer[n], expected[n][2], 10 * size);
    EXPECT_NEAR(found.enstrophy_transfer[n], expected[n][3], 100 * size);
    EXPECT_NEAR(found.energy_flux[n], energy_flux -= expected[n][2], 10 * size);
    EXPECT_NEAR(found.enstrophy_flux[n], enstrophy_flux -= expected[n][3], 100 * size);
  }
  // The nonlinear term keeps both.
  EXPECT_NEAR(found.energy_flux.back(), 0, 10 * size);
  EXPECT_NEAR(found.enstrophy_flux.back(), 0, 100 * size);
  auto const figures = solver.figures(this->space);
  EXPECT_NEAR(std::accumulate(found.energy.begin(), found.energy.end(), 0.0), figures.energy, size);
  // Spectra leave the flow as it was.
  solver.step(this->space);
  auto other = this->started(setup, field_of(setup, modes), fixed_steps(0.01));
  other.step(this->space);
  EXPECT_EQ(vorticity(this->space, solver), vorticity(this->space, other));
}

TYPED_TEST(VorticityOn, VelocityFollowsFromVorticity) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  VorticitySetup const setup{.points = {20, 12}, .lengths = {4, 2 * pi}};
  double const k = pi / 2;
  // psi = cos(k x) sin(2 y): u = -2 cos(k x) cos(2 y), v = -k sin(k x) sin(2 y)
  auto solver = this->started(
      setup, [&](double x, double y) { return -(k * k + 4) * std::cos(k * x) * std::sin(2 * y) + 7; }, fixed_steps(1));
  Plane<Exec, T> const u("karman::test::u", 12, 20), v("karman::test::v", 12, 20);
  solver.copy_velocity(this->space, u, v);
  auto const along = host_copy(this->space, u), across = host_copy(this->space, v);
  for (int j = 0; j < 12; ++j) {
    for (int i = 0; i < 20; ++i) {
      double const x = 4.0 * i / 20, y = 2 * pi * j / 12;
      EXPECT_NEAR(along[std::size_t(20 * j + i)], -2 * std::cos(k * x) * std::cos(2 * y), 100 * this->epsilon);
      EXPECT_NEAR(across[std::size_t(20 * j + i)], -k * std::sin(k * x) * std::sin(2 * y), 100 * this->epsilon);
    }
  }
  // The rate of a step is the largest |u| / dx + |v| / dy.
  VorticitySetup const box{.points = {16, 16}};
  auto jet = this->started(box, [](double, double y) { return std::sin(y); }, {.cfl = 0.5});
  jet.step(this->space);
  auto const figures = jet.figures(this->space);
  EXPECT_NEAR(figures.rate, 16 / (2 * pi), 100 * this->epsilon);
  EXPECT_NEAR(figures.moment.time, 0.5 / figures.rate, 100 * this->epsilon);
}

TYPED_TEST(VorticityOn, HistogramsCountEveryPoint) {
  VorticitySetup const setup{.points = {30, 32}};
  auto solver = this->started(setup, [](double x, double) { return std::cos(x); }, fixed_steps(1));
  std::vector<std::int64_t> counts(4);
  solver.histogram(this->space, 1, counts);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t(0)), 30 * 32);
  // cos(2 pi i / 30) < -1/2 for i = 11 ... 19; the values at the limits fall to either side.
  EXPECT_NEAR(double(counts[0]), 10 * 32, 1 * 32);
  EXPECT_NEAR(double(counts[1]), 5 * 32, 1 * 32);
  solver.histogram(this->space, 0.1, counts);
  EXPECT_EQ(counts[0] + counts[3], 30 * 32 - counts[1] - counts[2]);
  EXPECT_LE(counts[1] + counts[2], 2 * 32);
}

TYPED_TEST(VorticityInDouble, OrdersOfTheMethods) {
  // Errors against a run with much smaller steps; the flow of two modes, as in the table of the page.
  auto const solve = [&](M method, double nu, int steps) {
    VorticitySetup const setup{.points = {32, 32}, .terms = {.viscosity = nu}, .method = method};
    double const end = 0.25;
    auto solver = this->started(setup, two_modes, fixed_steps(end / steps));
    run_to(this->space, solver, end);
    return vorticity(this->space, solver);
  };
  struct Expected {
    M method;
    double nu, order;
  };
  for (auto const& [method, nu, order] :
       {Expected{M::low_storage_rk54, 0, 4}, Expected{M::low_storage_rk54, 0.02, 4}, Expected{M::low_storage_rk3, 0, 3},
        Expected{M::crank_nicolson_rk54, 0, 4}, Expected{M::crank_nicolson_rk54, 0.2, 2},
        Expected{M::crank_nicolson_rk3, 0, 3}, Expected{M::etdrk4, 0, 4}, Expected{M::etdrk4, 0.02, 4}}) {
    SCOPED_TRACE(std::string(name(method)) + ", nu " + std::to_string(nu));
    auto const exact = solve(M::low_storage_rk54, nu, 800);
    auto const error = [&](int steps) {
      auto const found = solve(method, nu, steps);
      double worst = 0;
      for (std::size_t n = 0; n < found.size(); ++n) worst = std::fmax(worst, std::abs(found[n] - exact[n]));
      return worst;
    };
    double const coarse = error(50), fine = error(100);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << coarse << " " << fine;
  }
}

TYPED_TEST(VorticityInDouble, TruncatedInviscidFlowDriftsByTheTimeStepAlone) {
  // Golden numbers: 64 points, t = 2.
  double const energy_drift[] = {-8.5e-7, -3.2e-8}, enstrophy_drift[] = {-2.0e-5, -7.5e-7};
  for (int n = 0; n < 2; ++n) {
    auto solver = this->started({.points = {64, 64}}, two_modes, fixed_steps(n == 0 ? 0.01 : 0.005));
    auto const figures = run_to(this->space, solver, 2);
    EXPECT_NEAR((figures.energy - 6) / 6 / energy_drift[n], 1, 0.03);
    EXPECT_NEAR((figures.enstrophy - 58) / 58 / enstrophy_drift[n], 1, 0.03);
  }
}

TYPED_TEST(VorticityInDouble, AdaptiveStepsConvergeAsFixedOnesDo) {
  VorticitySetup const setup{.points = {64, 64}, .terms = {.viscosity = 0.01}};
  auto const solve = [&](StepControl const& control) {
    auto solver = this->started(setup, two_modes, control);
    run_to(this->space, solver, 0.5);
    return vorticity(this->space, solver);
  };
  auto const exact = solve(fixed_steps(0.0005));
  auto const error = [&](double cfl) {
    auto const found = solve({.cfl = cfl});
    double worst = 0;
    for (std::size_t n = 0; n < found.size(); ++n) worst = std::fmax(worst, std::abs(found[n] - exact[n]));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(0.8) / error(0.4)), 4, 0.3);
}

TYPED_TEST(VorticityInDouble, BudgetsOfEnergyAndEnstrophyClose) {
  using Exec = typename TestFixture::Exec;
  VorticityTerms const terms{.viscosity = 1e-2, .friction = 0.1, .hypoviscosity = 0.05};
  VorticitySetup const setup{.points = {48, 48}, .terms = terms};
  VorticitySolver<Exec, double> solver(this->space, setup);
  auto const force = [](double x, double y) { return 2 * std::cos(3 * x) + std::sin(x - 2 * y); };
  solver.set_forcing(this->space, at_points<Exec, double>(this->space, setup, force));
  solver.start(this->space, at_points<Exec, double>(this->space, setup, two_modes), 0, fixed_steps(0.002));
  // The trapezoidal rule over the steps.
  auto const gain = [](VorticityFigures const& f) {
    return VorticityRates{
        f.forcing.energy - f.viscosity.energy - f.friction.energy - f.hypoviscosity.energy,
        f.forcing.enstrophy - f.viscosity.enstrophy - f.friction.enstrophy - f.hypoviscosity.enstrophy};
  };
  auto const first = solver.figures(this->space);
  auto last = first;
  VorticityRates total;
  for (int n = 0; n < 200; ++n) {
    solver.step(this->space);
    auto const now = solver.figures(this->space);
    double const dt = now.moment.time - last.moment.time;
    total.energy += dt / 2 * (gain(last).energy + gain(now).energy);
    total.enstrophy += dt / 2 * (gain(last).enstrophy + gain(now).enstrophy);
    last = now;
  }
  EXPECT_NEAR(last.energy - first.energy, total.energy, 1e-4 * std::abs(total.energy));
  EXPECT_NEAR(last.enstrophy - first.enstrophy, total.enstrophy, 1e-4 * std::abs(total.enstrophy));
}

TYPED_TEST(VorticityInDouble, RandomForcingBringsItsEnergy) {
  using Exec = typename TestFixture::Exec;
  for (auto const modes : {RandomModes::ring, RandomModes::single}) {
    SCOPED_TRACE(modes == RandomModes::ring ? "ring" : "single");
    // Friction keeps the flow slow, and with it the scatter of the injected energy small.
    double const mu = 5, nu = 1e-4, energy_rate = 0.2;
    VorticitySetup const setup{.points = {48, 48}, .terms = {.viscosity = nu, .friction = mu}};
    VorticitySolver<Exec, double> solver(this->space, setup);
    solver.set_random_forcing(this->space,
                              {.modes = modes, .wavenumber = 10, .width = 8, .energy_rate = energy_rate, .seed = 11});
    solver.start(this->space, at_points<Exec, double>(this->space, setup, [](double, double) { return 0.0; }), 0,
                 fixed_steps(0.001));
    VorticityFigures last = solver.figures(this->space);
    VorticityRates lost;
    for (int n = 0; n < 4000; ++n) {
      solver.step(this->space);
      auto const now = solver.figures(this->space);
      double const dt = now.moment.time - last.moment.time;
      lost.energy +=
          dt / 2 * (last.viscosity.energy + last.friction.energy + now.viscosity.energy + now.friction.energy);
      lost.enstrophy +=
          dt / 2 *
          (last.viscosity.enstrophy + last.friction.enstrophy + now.viscosity.enstrophy + now.friction.enstrophy);
      last = now;
    }
    double const injected = last.moment.injected_energy;
    EXPECT_NEAR(last.energy, injected - lost.energy, 1e-3 * injected);
    EXPECT_NEAR(last.enstrophy, last.moment.injected_enstrophy - lost.enstrophy, 1e-3 * last.moment.injected_enstrophy);
    // A kick of a mode with energy e brings on average a share of energy_rate, with the variance 2 e times that; about
    // 250 pairs of modes share both. Four standard deviations, with the energy at the end.
    double const expected = energy_rate * last.moment.time;
    EXPECT_NEAR(injected, expected, 4 * std::sqrt(2 * last.energy * expected / 250));
  }
}

TYPED_TEST(VorticityInDouble, RandomForcingAgainstFastFrictionHasItsEnergyAtAnyStep) {
  using Exec = typename TestFixture::Exec;
  double const mu = 50, energy_rate = 0.2;
  for (double const dt : {0.001, 0.02, 0.1}) {
    SCOPED_TRACE(dt);
    VorticitySetup const setup{.points = {48, 48}, .terms = {.friction = mu}};
    VorticitySolver<Exec, double> solver(this->space, setup);
    solver.set_random_forcing(this->space, {.wavenumber = 10, .width = 8, .energy_rate = energy_rate, .seed = 2});
    solver.start(this->space, at_points<Exec, double>(this->space, setup, [](double, double) { return 0.0; }), 0,
                 fixed_steps(dt));
    for (double time = 0; time < 6 / mu; time += dt) solver.step(this->space);
    double energy = 0;
    constexpr int samples = 40;
    for (int n = 0; n < samples; ++n) {
      for (double time = 0; time < 1 / mu; time += dt) solver.step(this->space);
      energy += solver.figures(this->space).energy / samples;
    }
    // About 500 modes of random size; neighbouring samples have a correlation of exp(-2) or less.
    EXPECT_NEAR(energy, energy_rate / (2 * mu), 0.02 * energy_rate / (2 * mu));
  }
}

TYPED_TEST(VorticityOn, RestartsAndManyStepsByOneCallHaveTheSameBits) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Complex = Kokkos::complex<T>;
  auto const check = [&](M method, SpectralOrder order) {
    SCOPED_TRACE(std::string(name(method)) + ", " + std::string(name(order)));
    VorticitySetup const setup{
        .points = {24, 16}, .terms = {.viscosity = 0.01, .beta = 1}, .method = method, .order = order};
    StepControl const control{.cfl = 0.6, .growth = 1.05};
    auto const make = [&] {
      VorticitySolver<Exec, T> solver(this->space, setup);
      solver.set_forcing(this->space,
                         at_points<Exec, T>(this->space, setup, [](double x, double) { return std::cos(4 * x); }));
      solver.set_random_forcing(this->space, {.wavenumber = 4, .energy_rate = 0.5, .seed = 3});
      return solver;
    };
    auto whole = make();
    whole.start(this->space, at_points<Exec, T>(this->space, setup, two_modes), 0, control);
    whole.set_end(this->space, 1.5);
    for (int n = 0; n < 13; ++n) whole.step(this->space);
    auto const moment = whole.figures(this->space).moment;
    Plane<Exec, Complex> const kept("karman::test::kept", 16, 13);
    whole.copy_spectrum(this->space, kept);
    for (int n = 0; n < 22; ++n) whole.step(this->space);
    auto later = make();
    later.restart(this->space, kept, moment, control);
    later.set_end(this->space, 1.5);
    later.step(this->space, 22);
    auto const a = whole.figures(this->space), b = later.figures(this->space);
    EXPECT_EQ(a.moment.steps, b.moment.steps);
    EXPECT_EQ(a.moment.time, b.moment.time);
    EXPECT_EQ(a.moment.dt, b.moment.dt);
    EXPECT_EQ(a.energy, b.energy);
    EXPECT_EQ(a.moment.injected_energy, b.moment.injected_energy);
    EXPECT_EQ(vorticity(this->space, whole), vorticity(this->space, later));
  };
  for (auto const method : every_method) {
    for (auto const order : every_order) check(method, order);
  }
}

/// A flow under random forcing after some steps of adaptive length.
template <class Exec>
std::pair<std::vector<double>, VorticityMoment> forced_flow(Exec const& space, VorticityMethod method,
                                                            SpectralOrder order, int steps) {
  VorticitySetup const setup{
      .points = {48, 32}, .terms = {.viscosity = 2e-3, .friction = 0.05, .beta = 1}, .method = method, .order = order};
  VorticitySolver<Exec, double> solver(space, setup);
  solver.set_random_forcing(space, {.wavenumber = 6, .energy_rate = 0.5, .seed = 5});
  solver.start(space, at_points<Exec, double>(space, setup, two_modes), 0, {.cfl = 0.6, .growth = 1.05});
  for (int n = 0; n < steps; ++n) solver.step(space);
  auto const moment = solver.figures(space).moment;
  return {vorticity(space, solver), moment};
}

TYPED_TEST(VorticityInDouble, HundredStepsAreThoseOfTheHost) {
  for (auto const method : every_method) {
    auto const [expected, host] =
        forced_flow(Kokkos::DefaultHostExecutionSpace(), method, SpectralOrder::automatic, 100);
    double largest = 0;
    for (double const value : expected) largest = std::fmax(largest, std::abs(value));
    EXPECT_GT(largest, 10);
    for (auto const order : every_order) {
      SCOPED_TRACE(std::string(name(method)) + ", " + std::string(name(order)));
      auto const [found, moment] = forced_flow(this->space, method, order, 100);
      EXPECT_EQ(moment.steps, 100);
      EXPECT_NEAR(moment.time, host.time, 1e-12 * host.time);
      EXPECT_NEAR(moment.injected_energy, host.injected_energy, 1e-12 * host.injected_energy);
      double worst = 0;
      for (std::size_t n = 0; n < expected.size(); ++n) worst = std::fmax(worst, std::abs(found[n] - expected[n]));
      EXPECT_LE(worst, 1e-12 * largest);
    }
  }
}

TYPED_TEST(VorticityOn, StepsLaunchKernelsAndDoNothingElse) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const check = [](Exec const& space, M method, SpectralOrder order) {
    SCOPED_TRACE(std::string(name(method)) + ", " + std::string(name(order)));
    VorticitySetup const setup{.points = {32, 32}, .terms = {.viscosity = 0.01}, .method = method, .order = order};
    VorticitySolver<Exec, T> solver(space, setup);
    solver.set_random_forcing(space, {.wavenumber = 4, .energy_rate = 0.5});
    solver.start(space, at_points<Exec, T>(space, setup, two_modes), 0, {.cfl = 0.5});
    solver.step(space);  // Kokkos makes scratch memory for the first reduction
    expect_kernels_only(space, record([&] { solver.step(space); }), 2 * stages(method) + 2);
    space.fence();
  };
  for (auto const& space : instances(this->space)) {
    for (auto const method : every_method) {
      for (auto const order : every_order) check(space, method, order);
    }
  }
}

TYPED_TEST(VorticityOn, AnnouncesItsMemory) {
  using Exec = typename TestFixture::Exec;
  using Solver = typename TestFixture::Solver;
  for (auto const method : {M::low_storage_rk54, M::etdrk4}) {
    for (auto const order : every_order) {
      VorticitySetup const setup{
          .points = {48, order == SpectralOrder::fused ? 32 : 45}, .method = method, .order = order};
      std::unique_ptr<Solver> solver;
      auto const found = allocated_bytes<Exec>([&] { solver = std::make_unique<Solver>(this->space, setup); });
      EXPECT_EQ(solver->workspace_bytes(), Solver::workspace_bytes(setup));
      std::int64_t const beyond = found.beyond(solver->workspace_bytes());
      EXPECT_GE(beyond, 0);
      EXPECT_LE(beyond, 7 * found.views);
    }
  }
}

TYPED_TEST(VorticityOn, StandsStillAtTheEnd) {
  auto solver = this->started({.points = {16, 16}}, two_modes, {.cfl = 0.5});
  auto const figures = run_to(this->space, solver, 0.1);
  EXPECT_EQ(figures.moment.time, 0.1);
  auto const before = vorticity(this->space, solver);
  solver.step(this->space);
  solver.step(this->space);
  auto const after = solver.figures(this->space);
  EXPECT_EQ(after.moment.steps, figures.moment.steps);
  EXPECT_EQ(after.moment.time, 0.1);
  EXPECT_EQ(vorticity(this->space, solver), before);
  EXPECT_GT(run_to(this->space, solver, 0.2).moment.steps, figures.moment.steps);
}

TYPED_TEST(VorticityOn, BreakdownIsReported) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto broken = this->started({.points = {8, 8}}, [&](double x, double) { return x == 0 ? nan : 0; }, {.cfl = 0.5});
  broken.step(this->space);
  EXPECT_FALSE(broken.figures(this->space).breakdown.empty());
  auto fast = this->started({.points = {16, 16}}, two_modes, {.cfl = 0.5, .dt_min = 10});
  fast.step(this->space);
  EXPECT_EQ(fast.figures(this->space).breakdown, "the time step is too small");
  auto calm = this->started({.points = {8, 8}}, [](double, double) { return 0.0; }, {.cfl = 0.5});
  calm.step(this->space);
  EXPECT_EQ(calm.figures(this->space).breakdown, "nothing limits the time step");
}

TYPED_TEST(VorticityOn, WrongInputIsRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Solver = typename TestFixture::Solver;
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (auto const& setup :
       {VorticitySetup{.points = {3, 8}}, VorticitySetup{.lengths = {1, 0}}, VorticitySetup{.terms = {.viscosity = -1}},
        VorticitySetup{.terms = {.viscosity_order = 0}}, VorticitySetup{.terms = {.friction = nan}},
        VorticitySetup{.terms = {.beta = nan}}, VorticitySetup{.points = {16, 20}, .order = SpectralOrder::fused}}) {
    EXPECT_THROW(Solver(this->space, setup), std::invalid_argument);
  }
  VorticitySetup const setup{.points = {16, 12}};
  Solver solver(this->space, setup);
  Plane<Exec, T> const field("karman::test::field", 12, 16), other("karman::test::other", 16, 12);
  EXPECT_THROW(solver.step(this->space), std::invalid_argument);
  EXPECT_THROW(solver.figures(this->space), std::invalid_argument);
  EXPECT_THROW(solver.start(this->space, other, 0, {}), std::invalid_argument);
  EXPECT_THROW(solver.start(this->space, field, nan, {}), std::invalid_argument);
  EXPECT_THROW(solver.start(this->space, field, 0, {.cfl = 0}), std::invalid_argument);
  double const most = largest_cfl(setup);
  try {
    solver.start(this->space, field, 0, {.cfl = most * 1.01});
    FAIL() << "a cfl beyond the stability limit";
  } catch (std::invalid_argument const& error) {
    EXPECT_NE(std::string(error.what()).find("stability limit"), std::string::npos) << error.what();
  }
  EXPECT_THROW(solver.set_forcing(this->space, other), std::invalid_argument);
  EXPECT_THROW(solver.set_random_forcing(this->space, {.wavenumber = 40, .energy_rate = 1}), std::invalid_argument);
  EXPECT_THROW(solver.set_random_forcing(this->space, {.energy_rate = -1}), std::invalid_argument);
  solver.start(this->space, field, 0, {.cfl = most});
  EXPECT_THROW(solver.set_end(this->space, nan), std::invalid_argument);
  EXPECT_THROW(solver.step(this->space, -1), std::invalid_argument);
  EXPECT_THROW(solver.copy_vorticity(this->space, other), std::invalid_argument);
  std::vector<std::int64_t> none;
  EXPECT_THROW(solver.histogram(this->space, 1, none), std::invalid_argument);
}

/// Just below the limit a flow of a single fast jet with noise at the highest wavenumbers stays bounded, well above
/// not.
TYPED_TEST(VorticityInDouble, LargestCflIsTheLimitOfStability) {
  for (auto const method : {M::low_storage_rk54, M::low_storage_rk3, M::etdrk4}) {
    SCOPED_TRACE(name(method));
    VorticitySetup const setup{.points = {32, 32}, .method = method, .dealiasing = Dealiasing::square};
    // A fast uniform current cannot be had; a slow shear carries waves of the highest kept wavenumber.
    auto const jet = [](double x, double y) { return 10 * std::sin(y) + 1e-9 * std::cos(10 * x); };
    double const rate = 10 * 32 / (2 * pi);
    auto const grown = [&](double cfl) {
      auto solver = this->started(setup, jet, fixed_steps(cfl / rate));
      for (int n = 0; n < 3000; ++n) solver.step(this->space);
      auto const found = solver.figures(this->space);
      return !(found.enstrophy < 60);
    };
    EXPECT_FALSE(grown(0.98 * largest_cfl(setup)));
    EXPECT_TRUE(grown(1.6 * largest_cfl(setup)));
  }
}

}  // namespace vorticity_solver_test
