// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "fields.hpp"
#include "poisson_cases.hpp"
#include "serial_sor.hpp"
#include <karman/solvers/grid/relaxation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace relaxation_test {

using namespace karman;
using karman::test::cube_case;
using karman::test::HostField;
using karman::test::PoissonCase;
using karman::test::rms_error;
using karman::test::SerialSor;
using karman::test::to_device;
using karman::test::to_host;
using std::numbers::pi;

template <class Parameter>
class RelaxationOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;

  Field<Exec, T> device(HostField<double> const& field) const {
    HostField<T> result({field.nz, field.ny, field.nx});
    for (std::size_t n = 0; n < field.values.size(); ++n) result.values[n] = static_cast<T>(field.values[n]);
    return to_device(space, result);
  }
  Field<Exec, T> zero(UniformGrid const& grid) const {
    return to_device(space, HostField<T>(grid.extents(Location::cell)));
  }
};
TYPED_TEST_SUITE(RelaxationOn, karman::test::AllBackends, karman::test::BackendNames);

template <class Parameter>
class RelaxationInDoubleOn : public RelaxationOn<Parameter> {};
TYPED_TEST_SUITE(RelaxationInDoubleOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

/// Random values and faces that a code can hold.
SerialSor random_problem(UniformGrid const& grid, std::array<bool, 3> const& periodic) {
  std::mt19937 random(17u + unsigned(grid.cell_count()));
  auto const value = [&](int, int, int) { return (int(random() % 2049) - 1024) / 1024.0; };
  auto const extents = grid.extents(Location::cell);
  SerialSor problem{grid, {1, 1.5, 0.5}, {}, {}, HostField<double>(extents), HostField<double>(extents), periodic};
  problem.lambda.fill(value);
  problem.rhs.fill(value);
  for (std::size_t n = 0; n < 6; ++n) {
    problem.face[n] = HostField<double>(extents);
    // A planar grid has no top and bottom.
    problem.face[n].fill([&](int, int, int) {
      return grid.nz() == 1 && n >= 4 ? 0.0 : std::array{0.0, 0.5, 1.0, 1.0, 1.0}[random() % 5];
    });
  }
  return problem;
}

template <class Method, class Fixture, class Iterate>
void compare_with_reference(Fixture& fixture, Iterate const& iterate_reference) {
  using Exec = typename Fixture::Exec;
  using T = typename Fixture::T;
  for (auto const& cells : std::vector<std::array<int, 3>>{
           {1, 1, 1}, {9, 1, 1}, {5, 7, 1}, {32, 6, 1}, {3, 3, 3}, {7, 4, 9}, {20, 3, 2}, {33, 5, 4}}) {
    UniformGrid const grid(cells, {1, 0.5, 2});
    for (auto const& periodic : std::vector<std::array<bool, 3>>{{}, {true, false, false}, {true, true, true}}) {
      SerialSor reference = random_problem(grid, periodic);
      FaceCoefficients<Exec, T> const c(fixture.device(reference.face[0]), fixture.device(reference.face[1]),
                                        fixture.device(reference.face[2]), fixture.device(reference.face[3]),
                                        fixture.device(reference.face[4]), fixture.device(reference.face[5]));
      auto const kind = [&](int axis) { return periodic[axis] ? Boundary::periodic : Boundary::dirichlet; };
      Boundaries const sides{kind(0), kind(0), kind(1), kind(1), kind(2), kind(2)};
      auto const& weights = reference.weights;
      for (bool packed : {true, false}) {
        SevenPoint<Exec, T> const a =
            packed ? SevenPoint<Exec, T>(fixture.space, {grid, sides, pack(fixture.space, grid, c), weights})
                   : SevenPoint<Exec, T>(fixture.space, {grid, sides, c, weights});
        Method method(fixture.space, a);
        for (int count : {1, 2, 5}) {
          SerialSor expected = reference;
          iterate_reference(expected, count);
          auto const lambda = fixture.device(reference.lambda);
          method.iterate(fixture.space, lambda, fixture.device(reference.rhs), count, 0.875);
          auto const result = to_host(fixture.space, lambda);
          double largest = 1;
          double error = 0;
          for (std::size_t n = 0; n < result.values.size(); ++n) {
            largest = std::max(largest, std::abs(expected.lambda.values[n]));
            error = std::max(error, std::abs(expected.lambda.values[n] - double(result.values[n])));
          }
          // Some fifteen operations per cell and sweep, on values that are not amplified.
          EXPECT_LE(error, 64 * count * double(std::numeric_limits<T>::epsilon()) * largest)
              << cells[0] << " x " << cells[1] << " x " << cells[2] << ", packed " << packed << ", sweeps " << count;
        }
      }
    }
  }
}

TYPED_TEST(RelaxationOn, JacobiSweepsAsTheReference) {
  using Method = Jacobi<typename TestFixture::Exec, typename TestFixture::T>;
  compare_with_reference<Method>(*this, [](SerialSor& s, int count) { s.iterate_at_once(count, 0.875); });
}

TYPED_TEST(RelaxationOn, GaussSeidelSweepsInTheOrderOfTheReference) {
  using Method = GaussSeidel<typename TestFixture::Exec, typename TestFixture::T>;
  compare_with_reference<Method>(*this, [](SerialSor& s, int count) { s.iterate_in_order(count, 0.875); });
}

template <class Method, class Fixture>
SolveReport solve_case(Fixture& fixture, PoissonCase const& problem, RelaxationOptions const& options,
                       double* error = nullptr) {
  using Exec = typename Fixture::Exec;
  using T = typename Fixture::T;
  SevenPoint<Exec, T> a(fixture.space, {problem.grid, problem.sides});
  problem.template set_boundary_values<T>(fixture.space, a);
  Method method(fixture.space, a);
  auto const lambda = fixture.zero(problem.grid);
  auto const report =
      method.solve(fixture.space, lambda, to_device(fixture.space, problem.template rhs_field<T>()), options);
  if (error != nullptr) *error = rms_error(to_host(fixture.space, lambda), problem.template exact_field<T>());
  return report;
}

TYPED_TEST(RelaxationInDoubleOn, BothAreOfSecondOrderWithEveryKindOfSide) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (int dimensions : {1, 2, 3}) {
    std::vector<int> const cells = dimensions == 3 ? std::vector{8, 12, 16, 20} : std::vector{12, 16, 24, 32};
    for (auto const& [name, sides] : karman::test::sides_in(dimensions)) {
      std::vector<int> intervals;  // with ghost centres one more than cells
      std::vector<double> by_jacobi, by_gauss_seidel;
      for (int n : cells) {
        double error = 0;
        auto const problem = cube_case(dimensions, n, sides);
        intervals.push_back(int(std::lround(1 / problem.grid.dx())));
        // Values on the sides enter b with 1 / h^2: the error of the iteration has to stay small next to that of h^2.
        RelaxationOptions options{.omega = 0.9, .tolerance = 1e-10, .check_every = 50};
        EXPECT_TRUE((solve_case<Jacobi<Exec, T>>(*this, problem, options, &error).converged)) << name;
        // The mean over the cells times their volume is the norm over the cube, whose sides contain the ghost centres.
        double const norm = std::pow(n * problem.grid.dx(), 0.5 * dimensions);
        by_jacobi.push_back(norm * error);
        options.omega = 1.2;
        EXPECT_TRUE((solve_case<GaussSeidel<Exec, T>>(*this, problem, options, &error).converged)) << name;
        by_gauss_seidel.push_back(norm * error);
      }
      EXPECT_NEAR(karman::test::last_order(intervals, by_jacobi), 2.0, 0.05) << name << " in " << dimensions;
      EXPECT_NEAR(karman::test::last_order(intervals, by_gauss_seidel), 2.0, 0.05) << name << " in " << dimensions;
    }
  }
}

TYPED_TEST(RelaxationInDoubleOn, ConvergeAtTheRateOfTheory) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  // Spectral radius of Jacobi with n cells per edge and ghost centres: cos(pi / (n + 1)); of Gauss-Seidel its square.
  int const n = 20;
  UniformGrid const grid({n, n, 1}, {1, 1, 1});
  SevenPoint<Exec, T> a(this->space, {grid, Boundaries::planar(Boundary::fixed)});
  HostField<T> rough(grid.extents(Location::cell));
  rough.fill([](int, int j, int i) { return 1 + std::sin(i + 2.0 * j); });
  auto const rate = [&](auto& method) {
    auto const lambda = to_device(this->space, rough);
    auto const report = method.solve(this->space, lambda, this->zero(grid),
                                     {.tolerance = 0, .max_iterations = 601, .check_every = 200});
    auto const& history = report.history;
    return std::pow(history[3].residual / history[2].residual, 1.0 / 200);
  };
  Jacobi<Exec, T> jacobi(this->space, a);
  GaussSeidel<Exec, T> gauss_seidel(this->space, a);
  double const radius = std::cos(pi / (n + 1));
  EXPECT_NEAR(rate(jacobi), radius, 1e-4);
  EXPECT_NEAR(rate(gauss_seidel), radius * radius, 1e-4);
}

TYPED_TEST(RelaxationOn, SolvesSingularProblemsForWhatCanBeSolved) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({8, 6, 1}, {1, 1, 1});
  SevenPoint<Exec, T> a(this->space, {grid, Boundaries::all(Boundary::neumann)});
  HostField<T> rhs(grid.extents(Location::cell));
  rhs.fill([](int, int j, int i) { return i == 2 && j == 1 ? 2.0 : 0.5; });
  auto const check = [&](auto& method) {
    auto const lambda = to_device(this->space, HostField<T>(grid.extents(Location::cell), T(3)));
    auto const report =
        method.solve(this->space, lambda, to_device(this->space, rhs), {.omega = 0.9, .tolerance = 1e-5});
    EXPECT_TRUE(report.converged) << summary(report);
    EXPECT_NEAR(report.imbalance, (2.0 + 47 * 0.5) / 48 / 2, 1e-6);
    double mean = 0;
    for (T value : to_host(this->space, lambda).values) mean += double(value) / 48;
    EXPECT_NEAR(mean, 0, 1e-5);
  };
  Jacobi<Exec, T> jacobi(this->space, a);
  GaussSeidel<Exec, T> gauss_seidel(this->space, a);
  check(jacobi);
  check(gauss_seidel);
}

TYPED_TEST(RelaxationOn, RefusesWrongArguments) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({4, 5, 6}, {1, 1, 1});
  SevenPoint<Exec, T> a(this->space, {grid, Boundaries::all(Boundary::dirichlet)});
  auto const field = this->zero(grid), rhs = this->zero(grid), wrong = this->zero(UniformGrid({4, 5, 5}, {1, 1, 1}));
  auto const check = [&](auto& method) {
    EXPECT_THROW(method.solve(this->space, wrong, rhs), std::invalid_argument);
    EXPECT_THROW(method.solve(this->space, field, wrong), std::invalid_argument);
    EXPECT_THROW(method.solve(this->space, field, rhs, {.omega = 0}), std::invalid_argument);
    EXPECT_THROW(method.solve(this->space, field, rhs, {.omega = 2}), std::invalid_argument);
    EXPECT_THROW(method.solve(this->space, field, rhs, {.tolerance = -1}), std::invalid_argument);
    EXPECT_THROW(method.solve(this->space, field, rhs, {.check_every = 0}), std::invalid_argument);
    EXPECT_THROW(method.iterate(this->space, field, rhs, -1), std::invalid_argument);
    EXPECT_TRUE(method.solve(this->space, field, rhs).converged);
  };
  Jacobi<Exec, T> jacobi(this->space, a);
  GaussSeidel<Exec, T> gauss_seidel(this->space, a);
  check(jacobi);
  check(gauss_seidel);
}

}  // namespace relaxation_test
