// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "fields.hpp"
#include "poisson_cases.hpp"
#include <karman/solvers/grid/adi.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace adi_test {

using namespace karman;
using karman::test::cube_case;
using karman::test::HostField;
using karman::test::PoissonCase;
using karman::test::rms_error;
using karman::test::to_device;
using karman::test::to_host;
using std::numbers::pi;

template <class Parameter>
class AdiOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;

  Field<Exec, T> zero(UniformGrid const& grid) const {
    return to_device(space, HostField<T>(grid.extents(Location::cell)));
  }
};
TYPED_TEST_SUITE(AdiOn, karman::test::AllBackends, karman::test::BackendNames);

template <class Parameter>
class AdiInDoubleOn : public AdiOn<Parameter> {};
TYPED_TEST_SUITE(AdiInDoubleOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

/// The largest |product of (r - x) / (r + x)| for x in [a, b].
double left_of_error(std::vector<double> const& parameters, double a, double b) {
  double largest = 0;
  int const last = a < b ? 2000 : 0;
  for (int n = 0; n <= last; ++n) {
    double const x = a * std::pow(b / a, n / 2000.0);
    double product = 1;
    for (double r : parameters) product *= (r - x) / (r + x);
    largest = std::max(largest, std::abs(product));
  }
  return largest;
}

TEST(WachspressParameters, AreTheBestForTheirInterval) {
  for (double ratio : {1.0, 1.5, 10.0, 1e3, 1e6}) {
    double const a = 0.3, b = ratio * a;
    EXPECT_NEAR(wachspress_parameters(a, b, 1)[0], std::sqrt(a * b), 1e-12 * b);
    for (int count : {2, 3, 4, 7, 12}) {
      auto const r = wachspress_parameters(a, b, count);
      ASSERT_EQ(int(r.size()), count);
      for (int j = 0; j < count; ++j) {
        EXPECT_NEAR(r[std::size_t(j)] * r[std::size_t(count - 1 - j)], a * b, 1e-9 * a * b);
        if (j > 0 && ratio > 1) {
          EXPECT_LT(r[std::size_t(j)], r[std::size_t(j) - 1]);
        }
      }
      // The largest remainder occurs at both ends of the interval, and is as small as in theory.
      double const largest = left_of_error(r, a, b);
      EXPECT_NEAR(left_of_error(r, a, a), largest, 1e-6);
      EXPECT_NEAR(left_of_error(r, b, b), largest, 1e-6);
      EXPECT_LE(largest, 2.0001 * std::exp(-0.5 * count * pi * pi / std::log(4 * ratio)) + 1e-12);
      // No other choice is better: here a geometric one, and the parameters of a different count's neighbours.
      std::vector<double> geometric;
      for (int j = 0; j < count; ++j) geometric.push_back(b * std::pow(a / b, (j + 0.5) / count));
      EXPECT_LE(largest, left_of_error(geometric, a, b) + 1e-12);
    }
  }
  EXPECT_THROW(wachspress_parameters(0, 1, 2), std::invalid_argument);
  EXPECT_THROW(wachspress_parameters(2, 1, 2), std::invalid_argument);
  EXPECT_THROW(wachspress_parameters(1, 2, 0), std::invalid_argument);
}

/// The defining property at any ratio: the remainder takes its largest value at both ends, and exceeds it nowhere.
/// Below 1e-10 the parameters follow from an asymptotic form.
TEST(WachspressParameters, LevelTheRemainderAtAnyRatio) {
  auto const middle = wachspress_parameters(0.19537292713921031, 1, 3);
  EXPECT_NEAR(middle[1], std::sqrt(0.19537292713921031), 1e-15);
  std::mt19937_64 random(20261122);
  std::uniform_real_distribution<double> share(0, 1);
  std::vector<std::array<double, 2>> intervals{
      {1, 1}, {1 - 1e-16, 1}, {1e-10, 1}, {1e-300, 1e300}, {std::numeric_limits<double>::min(), 1}, {1, 1e307}};
  for (double decades : {0.3, 3.0, 12.0, 300.0}) {
    for (int n = 0; n < 1000; ++n) intervals.push_back({std::pow(10.0, -decades * share(random)), 1});
  }
  int next = 0;
  for (auto const& [a, b] : intervals) {
    int const count = 1 + next++ % 16;
    auto const r = wachspress_parameters(a, b, count);
    ASSERT_EQ(int(r.size()), count);
    double const ends = left_of_error(r, a, a);
    double most = 0;
    for (int n = 0; n <= 100; ++n) {
      double const x = std::exp(std::log(a) + (std::log(b) - std::log(a)) * n / 100);
      most = std::max(most, left_of_error(r, x, x));
    }
    EXPECT_NEAR(left_of_error(r, b, b), ends, 1e-7) << "ratio " << a / b << ", " << count << " parameters";
    EXPECT_LE(most, ends + 1e-7) << "ratio " << a / b << ", " << count << " parameters";
    EXPECT_TRUE(std::is_sorted(r.rbegin(), r.rend()));
    EXPECT_LE(r.front(), b);
    EXPECT_GE(r.back(), a);
  }
}

template <class Fixture>
SolveReport solve_case(Fixture& fixture, PoissonCase const& problem, AdiOptions const& options, double& error) {
  using Exec = typename Fixture::Exec;
  using T = typename Fixture::T;
  SevenPoint<Exec, T> a(fixture.space, {problem.grid, problem.sides});
  problem.template set_boundary_values<T>(fixture.space, a);
  Adi<Exec, T> adi(fixture.space, a);
  auto const lambda = fixture.zero(problem.grid);
  auto const report =
      adi.solve(fixture.space, lambda, to_device(fixture.space, problem.template rhs_field<T>()), options);
  error = rms_error(to_host(fixture.space, lambda), problem.template exact_field<T>());
  return report;
}

TYPED_TEST(AdiInDoubleOn, IsOfSecondOrderWithEveryKindOfSide) {
  for (int dimensions : {1, 2, 3}) {
    std::vector<int> const cells = dimensions == 3 ? std::vector{8, 12, 16, 24} : std::vector{16, 24, 32, 48};
    for (auto const& [name, sides] : karman::test::sides_in(dimensions)) {
      std::vector<double> errors;
      for (int n : cells) {
        double error = 0;
        auto const report = solve_case(*this, cube_case(dimensions, n, sides), {.tolerance = 1e-9}, error);
        EXPECT_TRUE(report.converged) << name << ' ' << n << ": " << summary(report);
        EXPECT_LE(report.iterations, dimensions == 1 ? 4 : dimensions == 2 ? 40 : 120) << name << ' ' << n;
        errors.push_back(error);
      }
      EXPECT_NEAR(karman::test::last_order(cells, errors), 2.0, 0.05) << name << " in " << dimensions;
    }
  }
}

TYPED_TEST(AdiOn, IsADirectSolveInOneDimension) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (int axis = 0; axis < 3; ++axis) {
    std::array<int, 3> cells{1, 1, 1};
    cells[std::size_t(axis)] = 37;
    UniformGrid const grid(cells, {1, 1, 1});
    Boundaries sides = Boundaries::all(Boundary::neumann);
    (axis == 0 ? sides.east : axis == 1 ? sides.north : sides.top) = Boundary::dirichlet;
    SevenPoint<Exec, T> a(this->space, {grid, sides});
    Adi<Exec, T> adi(this->space, a);
    HostField<T> rhs(grid.extents(Location::cell));
    for (std::size_t n = 0; n < 37; ++n) rhs.values[n] = T(1 + int(n) % 3);
    auto const lambda = this->zero(grid);
    auto const report = adi.solve(this->space, lambda, to_device(this->space, rhs),
                                  {.tolerance = 1e4 * std::numeric_limits<T>::epsilon()});
    EXPECT_TRUE(report.converged) << summary(report);
    EXPECT_EQ(report.iterations, 1) << "axis " << axis;
    EXPECT_EQ(adi.parameters(), std::vector<double>{0});
  }
}

/// x of the tridiagonal system with constant off-diagonal -c, in long double.
std::vector<long double> thomas(std::vector<long double> const& diagonal, long double c, std::vector<long double> b) {
  std::vector<long double> u(b.size());
  for (std::size_t k = 0; k < b.size(); ++k) {
    long double const pivot = diagonal[k] - (k > 0 ? c * u[k - 1] : 0);
    u[k] = c / pivot;
    b[k] = (b[k] + (k > 0 ? c * b[k - 1] : 0)) / pivot;
  }
  for (std::size_t k = b.size() - 1; k-- > 0;) b[k] += u[k] * b[k + 1];
  return b;
}

TYPED_TEST(AdiOn, IteratesAsPeacemanAndRachford) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  // The two half steps of the textbook, with Boundary::fixed and value zero beyond all sides: (r - Ax) u* = (r + Ay) u
  // - b, (r - Ay) u' = (r + Ax) u* - b.
  int const nx = 9, ny = 7;
  double const dx = 0.5, dy = 1, r = 0.8;
  UniformGrid const grid({nx, ny, 1}, {dx, dy, 1});
  HostField<T> start(grid.extents(Location::cell)), rhs(grid.extents(Location::cell));
  start.fill([](int, int j, int i) { return 0.125 * (i % 4) - 0.25 * (j % 3); });
  rhs.fill([](int, int j, int i) { return 0.5 * (j % 2) + 0.0625 * i; });
  long double const cx = 1 / (dx * dx), cy = 1 / (dy * dy);
  using Rows = std::vector<std::vector<long double>>;
  Rows u(ny, std::vector<long double>(nx)), half = u;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) u[j][i] = start(0, j, i);
  auto const at = [&](Rows const& f, int j, int i) { return j < 0 || j >= ny || i < 0 || i >= nx ? 0.0L : f[j][i]; };
  for (int j = 0; j < ny; ++j) {
    std::vector<long double> b(nx);
    for (int i = 0; i < nx; ++i) {
      b[i] = r * u[j][i] + cy * (at(u, j + 1, i) - 2 * u[j][i] + at(u, j - 1, i)) - rhs(0, j, i);
    }
    half[j] = thomas(std::vector<long double>(nx, r + 2 * cx), cx, b);
  }
  Rows expected = u;
  for (int i = 0; i < nx; ++i) {
    std::vector<long double> b(ny);
    for (int j = 0; j < ny; ++j) {
      b[j] = r * half[j][i] + cx * (at(half, j, i + 1) - 2 * half[j][i] + at(half, j, i - 1)) - rhs(0, j, i);
    }
    auto const column = thomas(std::vector<long double>(ny, r + 2 * cy), cy, b);
    for (int j = 0; j < ny; ++j) expected[j][i] = column[std::size_t(j)];
  }
  SevenPoint<Exec, T> a(this->space, {grid, Boundaries::planar(Boundary::fixed)});
  Adi<Exec, T> adi(this->space, a);
  auto const lambda = to_device(this->space, start);
  adi.iterate(this->space, lambda, to_device(this->space, rhs), r);
  auto const result = to_host(this->space, lambda);
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      EXPECT_NEAR(double(result(0, j, i)), double(expected[j][i]), 100 * std::numeric_limits<T>::epsilon());
    }
}

TYPED_TEST(AdiInDoubleOn, AgreesWithConjugateGradientsAmongWalls) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const grid = UniformGrid::with_layers({14, 15}, {1, 1.5}, {0.5, 0.75, 1, 1.5, 2, 2, 2});
  Boundaries sides = Boundaries::all(Boundary::dirichlet);
  sides.bottom = Boundary::neumann;
  sides.east = sides.west = Boundary::periodic;
  HostField<std::uint8_t> solid(grid.extents(Location::cell));
  solid.fill([](int k, int j, int i) { return k < 4 && j % 5 < 2 && i % 6 < 3; });
  HostField<T> rhs(grid.extents(Location::cell)), guess(grid.extents(Location::cell));
  rhs.fill([](int k, int j, int i) { return std::sin(0.9 * i + 0.4 * j * j) * std::cos(0.7 * k); });
  guess.fill([&](int k, int j, int i) { return solid(k, j, i) != 0 ? 3.25 : 0.0; });
  auto const codes =
      make_wall_codes<Exec>(this->space, grid, sides, ConstField<Exec, std::uint8_t>(to_device(this->space, solid)));
  SevenPoint<Exec, T> a(this->space, {grid, sides, codes, {1, 1, 0.5}});
  ConjugateGradients<Exec, T> cg(this->space, a.extents(), false);
  auto const by_cg = to_device(this->space, guess), by_adi = to_device(this->space, guess);
  EXPECT_TRUE(cg.solve(this->space, a, by_cg, to_device(this->space, rhs), {.tolerance = 1e-11}).converged);
  Adi<Exec, T> adi(this->space, a);
  auto const report = adi.solve(this->space, by_adi, to_device(this->space, rhs), {.tolerance = 1e-10});
  EXPECT_TRUE(report.converged) << summary(report);
  auto const one = to_host(this->space, by_cg), other = to_host(this->space, by_adi);
  for (std::size_t n = 0; n < one.values.size(); ++n) {
    EXPECT_NEAR(one.values[n], other.values[n], 1e-8);
    if (solid.values[n] != 0) {
      EXPECT_EQ(other.values[n], 3.25);
    }
  }
}

/// A x for a rough x among walls of the given share: a compatible right-hand side for every piece of the domain.
template <class Exec, class T>
struct WalledProblem {
  SevenPoint<Exec, T> a;
  Field<Exec, T> rhs;

  static SevenPoint<Exec, T> among_walls(Exec const& space, UniformGrid const& grid, Boundaries const& sides,
                                         HostField<std::uint8_t> const& solid) {
    return SevenPoint<Exec, T>(space, {space, grid, sides, to_device(space, solid)});
  }

  WalledProblem(Exec const& space, UniformGrid const& grid, Boundaries const& sides,
                HostField<std::uint8_t> const& solid)
      : a(among_walls(space, grid, sides, solid)), rhs(to_device(space, HostField<T>(grid.extents(Location::cell)))) {
    HostField<T> rough(grid.extents(Location::cell));
    std::mt19937 random(7);
    for (T& value : rough.values) value = T(std::uniform_real_distribution<double>(-1, 1)(random));
    a.apply(space, to_device(space, rough), rhs);
  }
};

TYPED_TEST(AdiOn, SolvesSegmentsThatWallsCloseOff) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  double const tolerance = 1e4 * std::numeric_limits<T>::epsilon();
  for (int axis = 0; axis < 3; ++axis) {
    for (bool periodic : {false, true}) {
      std::array<int, 3> cells{1, 1, 1};
      cells[std::size_t(axis)] = 23;
      UniformGrid const grid(cells, {1, 1, 1});
      Boundaries sides = Boundaries::all(Boundary::neumann);
      (axis == 0   ? sides.east
       : axis == 1 ? sides.north
                   : sides.top) = periodic ? Boundary::periodic : Boundary::dirichlet;
      if (periodic) (axis == 0 ? sides.west : axis == 1 ? sides.south : sides.bottom) = Boundary::periodic;
      HostField<std::uint8_t> solid(grid.extents(Location::cell));
      for (std::size_t n : {0u, 7u, 9u, 17u}) solid.values[n] = 1;
      WalledProblem<Exec, T> const problem(this->space, grid, sides, solid);
      Adi<Exec, T> adi(this->space, problem.a);
      auto const lambda = this->zero(grid);
      auto const report = adi.solve(this->space, lambda, problem.rhs, {.tolerance = tolerance, .max_iterations = 20});
      EXPECT_TRUE(report.converged) << "axis " << axis << ": " << summary(report);
      // Problems without a solution are reported.
      HostField<T> unbalanced(grid.extents(Location::cell));
      for (std::size_t n = 0; n < 23; ++n) unbalanced.values[n] = T(int(n));
      auto const impossible = adi.solve(this->space, lambda, to_device(this->space, unbalanced),
                                        {.tolerance = tolerance, .max_iterations = 20});
      EXPECT_FALSE(impossible.converged) << "axis " << axis;
      for (T value : to_host(this->space, lambda).values) EXPECT_TRUE(std::isfinite(double(value)));
    }
  }
}

TYPED_TEST(AdiOn, ConvergesAmongScatteredWalls) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  std::mt19937 random(20261122);
  for (int n = 0; n < 12; ++n) {
    bool const deep = n % 3 == 2;
    int const size = deep ? 9 : 20;
    UniformGrid const grid({size, size + 1, deep ? size - 1 : 1}, {1, 1, 1});
    Boundaries const sides = deep ? Boundaries::all(Boundary::dirichlet) : Boundaries::planar(Boundary::dirichlet);
    HostField<std::uint8_t> solid(grid.extents(Location::cell));
    for (auto& cell : solid.values) cell = std::uniform_real_distribution<double>(0, 1)(random) < 0.3;
    WalledProblem<Exec, T> const problem(this->space, grid, sides, solid);
    Adi<Exec, T> adi(this->space, problem.a);
    auto const lambda = this->zero(grid);
    auto const report = adi.solve(this->space, lambda, problem.rhs, {.tolerance = 1e-4, .max_iterations = 2000});
    EXPECT_TRUE(report.converged) << "problem " << n << ": " << summary(report);
  }
}

TYPED_TEST(AdiOn, SolvesSingularProblemsForWhatCanBeSolved) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& cells : std::vector<std::array<int, 3>>{{20, 1, 1}, {12, 9, 1}, {8, 7, 6}}) {
    UniformGrid const grid(cells, {1, 1, 1});
    SevenPoint<Exec, T> a(this->space, {grid, Boundaries::all(Boundary::neumann)});
    Adi<Exec, T> adi(this->space, a);
    HostField<T> rhs(grid.extents(Location::cell));
    rhs.fill([](int k, int j, int i) { return 0.25 + std::sin(0.5 * i) + std::cos(0.4 * j) - 0.1 * k; });
    double sum = 0;
    double largest = 0;
    for (T value : rhs.values) {
      sum += double(value) / double(grid.cell_count());
      largest = std::max(largest, std::abs(double(value)));
    }
    auto const lambda = to_device(this->space, HostField<T>(grid.extents(Location::cell), T(3)));
    auto const report = adi.solve(this->space, lambda, to_device(this->space, rhs), {.tolerance = 1e-4});
    EXPECT_TRUE(report.converged) << summary(report);
    EXPECT_NEAR(report.imbalance, std::abs(sum) / largest, 1e-6);
    double mean = 0;
    for (T value : to_host(this->space, lambda).values) mean += double(value) / double(grid.cell_count());
    EXPECT_NEAR(mean, 0, 1e-4);
  }
}

TYPED_TEST(AdiOn, HeatDampsAWaveAsTheSchemeDoes) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  // An eigenvector of all axes with eigenvalues -x: one step multiplies it by 1 - dt sum(x) / product(1 + dt x / 2).
  for (int dimensions : {1, 2, 3}) {
    std::array<int, 3> const cells{10, dimensions > 1 ? 7 : 1, dimensions > 2 ? 5 : 1};
    UniformGrid const grid(cells, {0.1, 0.2, 0.25});
    Boundaries sides = Boundaries::all(Boundary::neumann);
    sides.east = sides.west = Boundary::dirichlet;
    if (dimensions > 1) sides.north = sides.south = Boundary::periodic;
    double const dt = 0.03;
    auto const eigenvalue = [](double angle, double h) { return 2 * (1 - std::cos(angle)) / (h * h); };
    double const x = eigenvalue(pi / 10, 0.1), y = dimensions > 1 ? eigenvalue(2 * pi / 7, 0.2) : 0,
                 z = dimensions > 2 ? eigenvalue(pi / 5, 0.25) : 0;
    HostField<T> wave(grid.extents(Location::cell));
    wave.fill([&](int k, int j, int i) {
      return std::sin(pi * (i + 0.5) / 10) * (dimensions > 1 ? std::cos(2 * pi * j / 7) : 1) *
             (dimensions > 2 ? std::cos(pi * (k + 0.5) / 5) : 1);
    });
    SevenPoint<Exec, T> a(this->space, {grid, sides});
    HeatAdi<Exec, T> heat(this->space, a);
    auto const u = to_device(this->space, wave);
    for (int n = 0; n < 3; ++n) heat.step(this->space, u, {}, dt);
    double const factor = std::pow(1 - dt * (x + y + z) / ((1 + dt * x / 2) * (1 + dt * y / 2) * (1 + dt * z / 2)), 3);
    auto const result = to_host(this->space, u);
    for (std::size_t n = 0; n < result.values.size(); ++n) {
      EXPECT_NEAR(double(result.values[n]), factor * double(wave.values[n]), 60 * std::numeric_limits<T>::epsilon());
    }
  }
}

TYPED_TEST(AdiInDoubleOn, HeatIsOfSecondOrderInSpaceAndTime) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  // u = (2 - sin t) w(x, y, z), w the wave of a case. Nonzero boundary values would change in time, so only sides
  // without them are used.
  for (int dimensions : {1, 2, 3}) {
    std::vector<int> const cells = dimensions == 3 ? std::vector{8, 16, 24} : std::vector{12, 24, 36};
    for (Boundary kind : {Boundary::neumann, Boundary::periodic}) {
      std::vector<double> errors;
      for (int n : cells) {
        auto const problem = cube_case(dimensions, n, Boundaries::all(kind));
        SevenPoint<Exec, T> a(this->space, {problem.grid, problem.sides});
        HeatAdi<Exec, T> heat(this->space, a);
        auto const amplitude = [](double t) { return 2 - std::sin(t); };
        auto const w = problem.template exact_field<T>();
        auto const laplacian = problem.template rhs_field<T>();
        HostField<T> start = w, source = w, exact = w;
        for (T& value : start.values) value *= amplitude(0);
        auto const u = to_device(this->space, start);
        int const steps = 2 * n;
        double const dt = 0.8 / steps;
        for (int s = 0; s < steps; ++s) {
          double const t = (s + 0.5) * dt;
          for (std::size_t c = 0; c < w.values.size(); ++c) {
            source.values[c] = -std::cos(t) * w.values[c] - amplitude(t) * laplacian.values[c];
          }
          heat.step(this->space, u, to_device(this->space, source), dt);
        }
        for (T& value : exact.values) value *= amplitude(0.8);
        errors.push_back(rms_error(to_host(this->space, u), exact));
      }
      EXPECT_NEAR(karman::test::last_order(cells, errors), 2.0, 0.05) << dimensions << " dimensions";
    }
  }
}

TYPED_TEST(AdiOn, HeatConservesWhatCannotLeave) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const grid = UniformGrid::with_layers({12, 9}, {1, 2}, {0.5, 0.75, 1, 1.5});
  HostField<std::uint8_t> solid(grid.extents(Location::cell));
  solid.fill([](int k, int j, int i) { return k < 2 && j % 4 == 1 && i % 5 < 2; });
  Boundaries sides = Boundaries::all(Boundary::neumann);
  sides.east = sides.west = Boundary::periodic;
  auto const codes =
      make_wall_codes<Exec>(this->space, grid, sides, ConstField<Exec, std::uint8_t>(to_device(this->space, solid)));
  SevenPoint<Exec, T> a(this->space, {grid, sides, codes});
  HeatAdi<Exec, T> heat(this->space, a);
  HostField<T> start(grid.extents(Location::cell));
  start.fill([](int k, int j, int i) { return (i + 2 * j + 3 * k) % 7; });
  auto const u = to_device(this->space, start);
  for (int n = 0; n < 10; ++n) heat.step(this->space, u, {}, 0.7);
  auto const end = to_host(this->space, u);
  double before = 0, after = 0, change = 0;
  for (int k = 0; k < end.nz; ++k)
    for (int j = 0; j < end.ny; ++j)
      for (int i = 0; i < end.nx; ++i) {
        if (solid(k, j, i) != 0) {
          EXPECT_EQ(end(k, j, i), start(k, j, i));
        }
        before += grid.dz(k) * double(start(k, j, i));
        after += grid.dz(k) * double(end(k, j, i));
        change = std::max(change, std::abs(double(end(k, j, i)) - double(start(k, j, i))));
      }
  EXPECT_NEAR(after, before, 100 * std::numeric_limits<T>::epsilon() * before);
  EXPECT_GT(change, 1);
}

TYPED_TEST(AdiOn, RefusesWrongArguments) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({4, 5, 6}, {1, 1, 1});
  SevenPoint<Exec, T> a(this->space, {grid, Boundaries::all(Boundary::dirichlet)});
  Adi<Exec, T> adi(this->space, a);
  HeatAdi<Exec, T> heat(this->space, a);
  auto const field = this->zero(grid), rhs = this->zero(grid), wrong = this->zero(UniformGrid({4, 5, 5}, {1, 1, 1}));
  EXPECT_THROW(adi.solve(this->space, wrong, rhs), std::invalid_argument);
  EXPECT_THROW(adi.solve(this->space, field, wrong), std::invalid_argument);
  EXPECT_THROW(adi.solve(this->space, field, rhs, {.parameters = {1, 0}}), std::invalid_argument);
  EXPECT_THROW(adi.solve(this->space, field, rhs, {.tolerance = -1}), std::invalid_argument);
  EXPECT_THROW(adi.iterate(this->space, field, rhs, -1), std::invalid_argument);
  EXPECT_TRUE(adi.solve(this->space, field, rhs).converged);
  EXPECT_THROW(heat.step(this->space, field, {}, 0), std::invalid_argument);
  EXPECT_THROW(heat.step(this->space, wrong, {}, 1), std::invalid_argument);
  EXPECT_THROW(heat.step(this->space, field, wrong, 1), std::invalid_argument);
  auto const bounds = adi.eigenvalue_bounds();
  EXPECT_NEAR(bounds[1], 4, 1e-6);
  EXPECT_NEAR(bounds[0], 2 * (1 - std::cos(pi / 6)), 1e-6);
}

}  // namespace adi_test
