// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "fields.hpp"
#include "poisson_cases.hpp"
#include "solvers/common/bits_on_threads.hpp"
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace conjugate_gradients_test {

using namespace karman;
using karman::test::cube_case;
using karman::test::HostField;
using karman::test::PoissonCase;
using karman::test::rms_error;
using karman::test::to_device;
using karman::test::to_host;

template <class Parameter>
class ConjugateGradientsOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;

  Field<Exec, T> zero(UniformGrid const& grid) const {
    return to_device(space, HostField<T>(grid.extents(Location::cell)));
  }
};
TYPED_TEST_SUITE(ConjugateGradientsOn, karman::test::AllBackends, karman::test::BackendNames);

template <class Parameter>
class ConjugateGradientsInDoubleOn : public ConjugateGradientsOn<Parameter> {};
TYPED_TEST_SUITE(ConjugateGradientsInDoubleOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

/// Error of the solution of a case.
template <class Fixture>
double error_of(Fixture& fixture, PoissonCase const& problem, bool preconditioned) {
  using Exec = typename Fixture::Exec;
  using T = typename Fixture::T;
  SevenPoint<Exec, T> a(fixture.space, {problem.grid, problem.sides});
  problem.template set_boundary_values<T>(fixture.space, a);
  ConjugateGradients<Exec, T> cg(fixture.space, a.extents());
  DiagonalPreconditioner<Exec, T> diagonal(a);
  auto const x = fixture.zero(problem.grid);
  auto const rhs = to_device(fixture.space, problem.template rhs_field<T>());
  KrylovOptions const options{.tolerance = 1e-11, .max_iterations = 2000, .check_every = 5};
  auto const report = preconditioned ? cg.solve(fixture.space, a, diagonal, x, rhs, options)
                                     : cg.solve(fixture.space, a, x, rhs, options);
  EXPECT_TRUE(report.converged) << summary(report);
  EXPECT_LE(report.imbalance, 1e-14);
  return rms_error(to_host(fixture.space, x), problem.template exact_field<T>());
}

TYPED_TEST(ConjugateGradientsInDoubleOn, IsOfSecondOrderWithEveryKindOfSide) {
  for (int dimensions : {1, 2, 3}) {
    std::vector<int> const cells = dimensions == 3 ? std::vector{8, 12, 16, 24} : std::vector{16, 24, 32, 48};
    for (auto const& [name, sides] : karman::test::sides_in(dimensions)) {
      std::vector<double> errors;
      for (int n : cells) errors.push_back(error_of(*this, cube_case(dimensions, n, sides), dimensions == 2));
      EXPECT_NEAR(karman::test::last_order(cells, errors), 2.0, 0.05) << name << " in " << dimensions << " dimensions";
    }
  }
}

/// A problem with random boxes and layers of different thickness, and its operator.
template <class Exec, class T>
struct Buildings {
  UniformGrid grid = UniformGrid::with_layers({19, 18}, {1, 2}, {0.5, 0.75, 1, 1.5, 2, 2, 2, 2.5, 3, 3});
  HostField<std::uint8_t> solid{grid.extents(Location::cell)};
  HostField<T> rhs{grid.extents(Location::cell)};
  SevenPointProblem<Exec, T> equation;

  Buildings(Exec const& space, Boundaries const& sides) : equation(grid, sides, {1, 1, 0.5}) {
    std::mt19937 random(4);
    for (int n = 0; n < 9; ++n) {
      int const i0 = int(random() % 16), j0 = int(random() % 15), height = int(random() % 7);
      for (int k = 0; k < height; ++k)
        for (int j = j0; j < j0 + 3; ++j)
          for (int i = i0; i < i0 + 3; ++i) solid(k, j, i) = 1;
    }
    rhs.fill([&](int k, int j, int i) { return std::sin(0.9 * i + 0.4 * j * j) * std::cos(0.7 * k); });
    equation.walls = make_wall_codes<Exec>(space, grid, sides, ConstField<Exec, std::uint8_t>(to_device(space, solid)));
  }
};

Boundaries open_sides() {
  Boundaries sides = Boundaries::all(Boundary::dirichlet);
  sides.bottom = Boundary::neumann;
  sides.north = sides.south = Boundary::periodic;
  return sides;
}

TYPED_TEST(ConjugateGradientsInDoubleOn, AgreesWithRedBlackSorAmongBuildings) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Buildings<Exec, T> const problem(this->space, open_sides());
  auto const rhs = to_device(this->space, problem.rhs);
  RedBlackSor<Exec, T> sor(this->space, problem.equation);
  auto const expected = this->zero(problem.grid);
  EXPECT_TRUE(sor.solve(this->space, expected, rhs, {.optimal_omega = true, .tolerance = 1e-12}).converged);
  auto const by_sor = to_host(this->space, expected);

  SevenPoint<Exec, T> from_codes(this->space, problem.equation);
  auto const& [grid, sides, weights, walls, none] = problem.equation;
  SevenPoint<Exec, T> from_arrays(this->space, {grid, sides, unpack<Exec, T>(this->space, grid, walls), weights});
  ConjugateGradients<Exec, T> cg(this->space, from_codes.extents());
  int plain_iterations = 0;
  for (auto* a : {&from_codes, &from_arrays}) {
    DiagonalPreconditioner<Exec, T> diagonal(*a);
    for (int kind = 0; kind < 3; ++kind) {
      HostField<T> guess(problem.grid.extents(Location::cell));
      guess.fill([&](int k, int j, int i) { return problem.solid(k, j, i) != 0 ? 3.25 : 0.0; });
      auto const x = to_device(this->space, guess);
      KrylovOptions const options{.tolerance = 1e-12, .flexible = kind == 2};
      auto const report =
          kind == 0 ? cg.solve(this->space, *a, x, rhs, options) : cg.solve(this->space, *a, diagonal, x, rhs, options);
      EXPECT_TRUE(report.converged) << summary(report);
      if (kind == 0) plain_iterations = report.iterations;
      // Thin layers and walls make the diagonal vary: division by it helps.
      if (kind > 0) {
        EXPECT_LT(report.iterations, plain_iterations);
      }
      auto const result = to_host(this->space, x);
      for (int k = 0; k < result.nz; ++k)
        for (int j = 0; j < result.ny; ++j)
          for (int i = 0; i < result.nx; ++i) {
            if (problem.solid(k, j, i) != 0) {
              EXPECT_EQ(result(k, j, i), 3.25);
            } else {
              EXPECT_NEAR(result(k, j, i), by_sor(k, j, i), 1e-9);
            }
          }
    }
  }
}

TYPED_TEST(ConjugateGradientsOn, ReachesWhatThePrecisionAllows) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Buildings<Exec, T> const problem(this->space, open_sides());
  SevenPoint<Exec, T> a(this->space, problem.equation);
  DiagonalPreconditioner<Exec, T> diagonal(a);
  ConjugateGradients<Exec, T> cg(this->space, a.extents());
  auto const rhs = to_device(this->space, problem.rhs);
  auto const x = this->zero(problem.grid);
  double const eps = std::numeric_limits<T>::epsilon();
  auto const report = cg.solve(this->space, a, diagonal, x, rhs, {.tolerance = 200 * eps});
  EXPECT_TRUE(report.converged) << summary(report);
  // The reported residual is that of the returned values.
  auto const scratch = this->zero(problem.grid);
  double largest = 0;
  for (int k = 0; k < problem.grid.nz(); ++k)
    for (int j = 0; j < problem.grid.ny(); ++j)
      for (int i = 0; i < problem.grid.nx(); ++i)
        if (problem.solid(k, j, i) == 0) largest = std::max(largest, std::abs(double(problem.rhs(k, j, i))));
  EXPECT_NEAR(a.largest_residual(this->space, x, rhs, scratch), report.residual * largest, 4 * eps * largest);

  // With an impossible tolerance, it reports failure and stops.
  auto const y = this->zero(problem.grid);
  auto const impossible = cg.solve(this->space, a, diagonal, y, rhs, {.tolerance = 1e-3 * eps, .max_iterations = 5000});
  EXPECT_FALSE(impossible.converged);
  EXPECT_FALSE(impossible.breakdown.empty());
  EXPECT_LT(impossible.iterations, 1000);
  EXPECT_LT(impossible.residual, 200 * eps);
  EXPECT_NE(summary(impossible).find("rounding"), std::string::npos);
}

TYPED_TEST(ConjugateGradientsOn, EndsAfterAsManyIterationsAsThereAreUnknowns) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  // Five unknowns in a row with different coefficients.
  UniformGrid const grid({5, 1, 1}, {1, 1, 1});
  auto const sides = Boundaries::planar(Boundary::dirichlet);
  auto coefficients = unpack<Exec, T>(this->space, grid, make_wall_codes<Exec>(this->space, grid, sides));
  HostField<T> east({1, 1, 5}), west({1, 1, 5});
  std::array const faces{2.0, 0.5, 1.0, 0.25, 0.75, 1.5};
  east.fill([&](int, int, int i) { return faces[std::size_t(i) + 1]; });
  west.fill([&](int, int, int i) { return faces[std::size_t(i)]; });
  coefficients.east = to_device(this->space, east);
  coefficients.west = to_device(this->space, west);
  SevenPoint<Exec, T> a(this->space, {grid, sides, coefficients});
  ConjugateGradients<Exec, T> cg(this->space, a.extents(), false);
  HostField<T> rhs({1, 1, 5});
  rhs.fill([](int, int, int i) { return 1.0 / (i + 1); });
  auto const x = this->zero(grid);
  auto const report = cg.solve(this->space, a, x, to_device(this->space, rhs),
                               {.tolerance = 1e3 * std::numeric_limits<T>::epsilon(), .max_iterations = 5});
  EXPECT_TRUE(report.converged) << summary(report);
}

TYPED_TEST(ConjugateGradientsOn, SolvesSingularProblemsForWhatCanBeSolved) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Buildings<Exec, T> problem(this->space, Boundaries::all(Boundary::neumann));
  SevenPoint<Exec, T> a(this->space, problem.equation);
  ASSERT_TRUE(a.singular());
  ConjugateGradients<Exec, T> cg(this->space, a.extents());
  DiagonalPreconditioner<Exec, T> diagonal(a);
  for (T& value : problem.rhs.values) value += T(0.25);  // no solution meets this
  double sum = 0, volume = 0;
  auto const add = [&](HostField<T> const& field, double& total) {
    for (int k = 0; k < field.nz; ++k)
      for (int j = 0; j < field.ny; ++j)
        for (int i = 0; i < field.nx; ++i)
          if (problem.solid(k, j, i) == 0) total += problem.grid.dz(k) * double(field(k, j, i));
  };
  add(problem.rhs, sum);
  add(HostField<T>(problem.grid.extents(Location::cell), T(1)), volume);
  double largest = 0;
  for (std::size_t n = 0; n < problem.rhs.values.size(); ++n) {
    if (problem.solid.values[n] == 0) largest = std::max(largest, std::abs(double(problem.rhs.values[n])));
  }
  double const tolerance = 1e3 * std::numeric_limits<T>::epsilon();
  for (bool preconditioned : {false, true}) {
    auto const x = to_device(this->space, HostField<T>(problem.grid.extents(Location::cell), T(2)));
    auto const rhs = to_device(this->space, problem.rhs);
    KrylovOptions const options{.tolerance = tolerance};
    auto const report = preconditioned ? cg.solve(this->space, a, diagonal, x, rhs, options)
                                       : cg.solve(this->space, a, x, rhs, options);
    EXPECT_TRUE(report.converged) << summary(report);
    EXPECT_GT(sum / volume, 0.2);
    EXPECT_NEAR(report.imbalance, std::abs(sum / volume) / largest, 1e-6);
    double mean = 0;
    add(to_host(this->space, x), mean);
    EXPECT_NEAR(mean / volume, 0, 20 * std::numeric_limits<T>::epsilon());
    // The remaining residual is the mean of the right-hand side, in every cell.
    HostField<T> compatible = problem.rhs;
    for (std::size_t n = 0; n < compatible.values.size(); ++n) compatible.values[n] -= T(sum / volume);
    EXPECT_LE(a.largest_residual(this->space, x, to_device(this->space, compatible), this->zero(problem.grid)),
              2 * tolerance * largest);
  }
}

// Rounding leaves the residual a part along the constants, which no step can reduce.
TYPED_TEST(ConjugateGradientsOn, RestsAtTheSolutionOfATinySingularProblem) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  double const eps = std::numeric_limits<T>::epsilon();
  double const tolerance = 100 * eps;
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int const cells : {2, 3, 4, 5, 9}) {
    for (Boundary const side : {Boundary::periodic, Boundary::neumann}) {
      UniformGrid const grid({1, cells, 1}, {1, 1, 1});
      SevenPoint<Exec, T> a(this->space, {grid, Boundaries::all(side)});
      DiagonalPreconditioner<Exec, T> diagonal(a);
      ConjugateGradients<Exec, T> cg(this->space, a.extents());
      for (int const check_every : {1, 4, 7, 10, 40}) {
        HostField<T> b(grid.extents(Location::cell)), guess = b;
        for (T& value : b.values) value = static_cast<T>(uniform(generator));
        for (T& value : guess.values) value = static_cast<T>(uniform(generator));
        double mean = 0, largest = 0;
        for (T const value : b.values) mean += double(value) / cells;
        for (T const value : b.values) largest = std::max(largest, std::abs(double(value)));
        HostField<T> balanced = b;
        for (T& value : balanced.values) value -= static_cast<T>(mean);
        KrylovOptions const options{.tolerance = tolerance, .max_iterations = 200, .check_every = check_every};
        for (bool const preconditioned : {false, true}) {
          auto const x = to_device(this->space, guess);
          auto const rhs = to_device(this->space, b);
          auto const report = preconditioned ? cg.solve(this->space, a, diagonal, x, rhs, options)
                                             : cg.solve(this->space, a, x, rhs, options);
          EXPECT_TRUE(report.converged) << cells << " cells, " << check_every << ": " << summary(report);
          EXPECT_LE(a.largest_residual(this->space, x, to_device(this->space, balanced), this->zero(grid)),
                    (tolerance + 20 * eps) * largest);
        }
      }
    }
  }
}

// The quotients of the flexible form, computed from rounded numbers, grow without limit.
TYPED_TEST(ConjugateGradientsOn, FlexibleFormRestsAtTheSolutionOfAFewCells) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(0.2, 2);
  for (int const cells : {2, 3, 5}) {
    UniformGrid const grid({cells, 1, 1}, {1, 1, 1});
    auto const sides = Boundaries::planar(Boundary::dirichlet);
    auto coefficients = unpack<Exec, T>(this->space, grid, make_wall_codes<Exec>(this->space, grid, sides));
    for (int draw = 0; draw < 20; ++draw) {
      std::vector<double> faces(std::size_t(cells) + 1);
      for (double& face : faces) face = uniform(generator);
      HostField<T> east({1, 1, cells}), west({1, 1, cells}), rhs({1, 1, cells});
      east.fill([&](int, int, int i) { return faces[std::size_t(i) + 1]; });
      west.fill([&](int, int, int i) { return faces[std::size_t(i)]; });
      rhs.fill([&](int, int, int) { return uniform(generator); });
      coefficients.east = to_device(this->space, east);
      coefficients.west = to_device(this->space, west);
      SevenPoint<Exec, T> a(this->space, {grid, sides, coefficients});
      DiagonalPreconditioner<Exec, T> diagonal(a);
      auto const x = this->zero(grid);
      auto const report = ConjugateGradients<Exec, T>(this->space, a.extents())
                              .solve(this->space, a, diagonal, x, to_device(this->space, rhs),
                                     {.tolerance = 1e3 * std::numeric_limits<T>::epsilon(),
                                      .max_iterations = 400,
                                      .check_every = 100,
                                      .flexible = true});
      EXPECT_TRUE(report.converged) << cells << " cells: " << summary(report);
      EXPECT_EQ(report.iterations, 100);
    }
  }
}

/// A diagonal matrix with another sign in one layer: symmetric, not definite.
template <class Exec, class T>
class Flipped final : public SelfAdjointOperator<Exec, T> {
 public:
  using typename SelfAdjointOperator<Exec, T>::LayerWeight;
  explicit Flipped(SevenPoint<Exec, T> const& a) : a_(a) {}
  std::array<int, 3> extents() const override { return a_.extents(); }
  LayerWeight layer_weight() const override { return {}; }
  bool singular() const override { return false; }
  void remove_mean(Exec const&, Field<Exec, T> const&, DeviceNumber<Exec> const&) const override {}
  void apply(Exec const& space, ConstField<Exec, T> const& x, Field<Exec, T> const& result) const override {
    apply_dot(space, x, result, DeviceNumber<Exec>("karman::test::product"));
  }
  void apply_dot(Exec const& space, ConstField<Exec, T> const& x, Field<Exec, T> const& result,
                 DeviceNumber<Exec> const& product) const override {
    auto const host = to_host(space, Field<Exec, T>(const_cast<T*>(x.data()), x.extent(0), x.extent(1), x.extent(2)));
    HostField<T> image = host;
    double sum = 0;
    image.fill([&](int k, int j, int i) {
      T const value = host(k, j, i) * T(k == 1 ? -3 - 0.2 * j : 2 + 0.3 * i);
      sum += double(value) * double(host(k, j, i));
      return value;
    });
    Kokkos::deep_copy(space, result, to_device(space, image));
    Kokkos::deep_copy(space, product, sum);
  }
  void residual(Exec const& space, ConstField<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                Field<Exec, T> const& result, DeviceNumber<Exec> const& largest) const override {
    apply(space, x, result);
    auto const b = to_host(space, Field<Exec, T>(const_cast<T*>(rhs.data()), x.extent(0), x.extent(1), x.extent(2)));
    auto image = to_host(space, result);
    double most = 0;
    for (std::size_t n = 0; n < b.values.size(); ++n) {
      image.values[n] = b.values[n] - image.values[n];
      most = std::max(most, std::abs(double(image.values[n])));
    }
    Kokkos::deep_copy(space, result, to_device(space, image));
    Kokkos::deep_copy(space, largest, most);
  }
  void right_hand_side(Exec const& space, ConstField<Exec, T> const& rhs, Field<Exec, T> const& result,
                       DeviceNumber<Exec> const& largest) const override {
    Kokkos::deep_copy(space, result, rhs);
    Kokkos::deep_copy(space, largest, 1.0);
  }

 private:
  SevenPoint<Exec, T> a_;
};

/// Multiplies the first layer by -1: symmetric, not definite.
template <class Exec, class T>
class BadPreconditioner final : public LinearOperator<Exec, T> {
 public:
  explicit BadPreconditioner(std::array<int, 3> const& extents) : extents_(extents) {}
  std::array<int, 3> extents() const override { return extents_; }
  void apply(Exec const& space, ConstField<Exec, T> const& x, Field<Exec, T> const& result) const override {
    auto image = to_host(space, Field<Exec, T>(const_cast<T*>(x.data()), x.extent(0), x.extent(1), x.extent(2)));
    for (int j = 0; j < image.ny; ++j)
      for (int i = 0; i < image.nx; ++i) image(0, j, i) *= T(-1);
    Kokkos::deep_copy(space, result, to_device(space, image));
  }

 private:
  std::array<int, 3> extents_;
};

TYPED_TEST(ConjugateGradientsOn, ReportsUnsolvableProblems) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({6, 5, 4}, {1, 1, 1});
  SevenPoint<Exec, T> a(this->space, {grid, Boundaries::all(Boundary::dirichlet)});
  ConjugateGradients<Exec, T> cg(this->space, a.extents());
  HostField<T> rhs(grid.extents(Location::cell));
  rhs.fill([](int k, int j, int i) { return k == 1 ? 2 + 0.1 * i : 1 + 0.2 * j; });
  auto const b = to_device(this->space, rhs);

  Flipped<Exec, T> indefinite(a);
  auto report = cg.solve(this->space, indefinite, this->zero(grid), b, {.tolerance = 1e-6});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.breakdown, "the operator is not definite");
  EXPECT_LT(report.iterations, 10);

  BadPreconditioner<Exec, T> bad(a.extents());
  rhs.fill([](int k, int j, int i) { return k == 0 ? 1.2 + 0.1 * i : k == 1 ? 1 - 0.2 * j : 0.5; });
  report = cg.solve(this->space, a, bad, this->zero(grid), to_device(this->space, rhs), {.tolerance = 1e-6});
  EXPECT_FALSE(report.converged);
  EXPECT_FALSE(report.breakdown.empty());

  rhs(2, 2, 3) = std::numeric_limits<T>::quiet_NaN();
  report = cg.solve(this->space, a, this->zero(grid), to_device(this->space, rhs));
  EXPECT_FALSE(report.converged);
  EXPECT_FALSE(std::isfinite(report.residual));
  EXPECT_EQ(report.breakdown, "a value is not a number");
  EXPECT_EQ(report.iterations, 0);

  // The plan remains usable.
  auto const x = this->zero(grid);
  EXPECT_TRUE(cg.solve(this->space, a, x, b, {.tolerance = 1e-5}).converged);
}

TYPED_TEST(ConjugateGradientsOn, ReportsHistoryAndObeysTheMonitor) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({20, 20, 20}, {1, 1, 1});
  SevenPoint<Exec, T> a(this->space, {grid, Boundaries::all(Boundary::fixed)});
  ConjugateGradients<Exec, T> cg(this->space, a.extents(), false);
  HostField<T> source(grid.extents(Location::cell));
  source(3, 4, 5) = 1;
  auto const rhs = to_device(this->space, source);
  auto const report =
      cg.solve(this->space, a, this->zero(grid), rhs, {.tolerance = 0, .max_iterations = 20, .check_every = 7});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 20);
  ASSERT_EQ(report.history.size(), 4u);
  EXPECT_EQ(report.history[2].iteration, 14);
  EXPECT_EQ(report.history.back().residual, report.residual);
  auto const stopped =
      cg.solve(this->space, a, this->zero(grid), rhs,
               {.tolerance = 0, .first_iteration = 100, .monitor = [](auto const& s) { return s.iteration < 104; }});
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.iterations, 104);
  auto const nothing = cg.solve(this->space, a, this->zero(grid), this->zero(grid));
  EXPECT_TRUE(nothing.converged);
  EXPECT_EQ(nothing.iterations, 0);
}

TYPED_TEST(ConjugateGradientsOn, RefusesWrongArguments) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({4, 5, 6}, {1, 1, 1});
  SevenPoint<Exec, T> a(this->space, {grid, Boundaries::all(Boundary::dirichlet)});
  DiagonalPreconditioner<Exec, T> diagonal(a);
  ConjugateGradients<Exec, T> cg(this->space, a.extents(), false), other(this->space, {6, 5, 5});
  auto const field = this->zero(grid), wrong = this->zero(UniformGrid({4, 5, 5}, {1, 1, 1}));
  EXPECT_THROW(cg.solve(this->space, a, wrong, field), std::invalid_argument);
  EXPECT_THROW(cg.solve(this->space, a, field, wrong), std::invalid_argument);
  EXPECT_THROW(cg.solve(this->space, a, diagonal, field, field), std::invalid_argument);
  EXPECT_THROW(other.solve(this->space, a, field, field), std::invalid_argument);
  EXPECT_THROW(cg.solve(this->space, a, field, field, {.tolerance = -1}), std::invalid_argument);
  EXPECT_THROW(cg.solve(this->space, a, field, field, {.max_iterations = -1}), std::invalid_argument);
  EXPECT_THROW(cg.solve(this->space, a, field, field, {.check_every = 0}), std::invalid_argument);
  EXPECT_THROW(cg.solve(this->space, a, field, field, {.restart_every = -1}), std::invalid_argument);
  EXPECT_THROW((ConjugateGradients<Exec, T>(this->space, {4, 0, 1})), std::invalid_argument);
}

template <class Exec>
HostField<double> solution_on(Exec const& space) {
  Buildings<Exec, double> const problem(space, open_sides());
  SevenPoint<Exec, double> a(space, problem.equation);
  DiagonalPreconditioner<Exec, double> diagonal(a);
  ConjugateGradients<Exec, double> cg(space, a.extents());
  auto const x = to_device(space, HostField<double>(problem.grid.extents(Location::cell)));
  cg.solve(space, a, diagonal, x, to_device(space, problem.rhs), {.tolerance = 1e-9});
  return to_host(space, x);
}

TEST(ConjugateGradients, GiveTheSameBitsForAnyNumberOfThreads) {
  auto const many = solution_on(Kokkos::DefaultHostExecutionSpace());
#if defined(KOKKOS_ENABLE_SERIAL)
  EXPECT_EQ(solution_on(Kokkos::Serial()).values, many.values);
#endif
  karman::test::expect_bits_on_any_threads(karman::test::bits_of(many.values));
}

}  // namespace conjugate_gradients_test
