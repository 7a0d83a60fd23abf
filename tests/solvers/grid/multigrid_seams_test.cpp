// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multigrid on singular grids, around odd periodic axes, and where a cycle is exact.
#include "backends.hpp"
#include "fields.hpp"
#include "multigrid_cases.hpp"
#include <karman/solvers/grid/multigrid.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace multigrid_seams_test {

using namespace karman;
using karman::test::MultigridCase;
using karman::test::product;
using karman::test::random_field;
using karman::test::scattered_cells;
using karman::test::to_device;

template <class Parameter>
class MultigridSeamsOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
  double const eps = std::numeric_limits<T>::epsilon();
};
TYPED_TEST_SUITE(MultigridSeamsOn, karman::test::AllBackends, karman::test::BackendNames);

template <class Parameter>
class MultigridSeamsInDouble : public MultigridSeamsOn<Parameter> {};
TYPED_TEST_SUITE(MultigridSeamsInDouble, karman::test::AllBackendsDouble, karman::test::BackendNames);

std::string text(std::array<int, 3> const& cells) {
  return std::to_string(cells[0]) + 'x' + std::to_string(cells[1]) + 'x' + std::to_string(cells[2]);
}

/// Beyond a periodic seam nothing is left of the last solve when b, with the boundary values, is measured.
TYPED_TEST(MultigridSeamsOn, SolvesTwiceAlikeWithBoundaryValues) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Boundaries sides = Boundaries::all(Boundary::dirichlet);
  sides.east = sides.west = Boundary::periodic;
  Multigrid<Exec, T> multigrid(this->space, {UniformGrid({9, 8, 6}, {1, 1, 1}), sides});
  test::HostField<T> const top = test::HostField<T>({1, 8, 9}).fill([](int, int, int) { return T(3); });
  auto const values = to_device(this->space, top);
  multigrid.set_boundary_values(this->space, Side::top, ConstPlane<Exec, T>(values.data(), 8, 9));
  auto const rhs = to_device(this->space, test::HostField<T>({6, 8, 9}));
  auto const solve = [&] {
    auto const x = to_device(this->space, test::HostField<T>({6, 8, 9}));
    return multigrid.solve(this->space, x, rhs, {.tolerance = 1e-4});
  };
  auto const first = solve(), second = solve();
  EXPECT_TRUE(first.converged);
  EXPECT_EQ(first.history.front().residual, 1);
  EXPECT_EQ(second.history.front().residual, 1);
  EXPECT_EQ(second.residual, first.residual);
}

/// The spacings are no powers of two, so that the sums of the coefficients are rounded.
TYPED_TEST(MultigridSeamsOn, NeumannSquaresOfAnySizeConverge) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  double const tolerance = std::max(1e-9, 500 * this->eps);
  for (int const n : {13, 49, 97, 98, 115}) {
    UniformGrid const grid({n, n, 1}, {1.0 / n, 1.0 / n, 1});
    MultigridCase<Exec, T> problem(this->space, grid, Boundaries::planar(Boundary::neumann));
    Multigrid<Exec, T> multigrid(this->space, problem.equation, problem.setup);
    EXPECT_TRUE(multigrid.singular());
    auto const report = problem.solve(this->space, multigrid, {.tolerance = tolerance});
    EXPECT_TRUE(report.converged) << n << ' ' << summary(report);
    EXPECT_LE(report.iterations, 12) << n;
    // Float sums of the reference: a few eps of the largest term, l / h^2.
    EXPECT_LE(problem.relative_residual(true), tolerance + 500 * this->eps) << n;
  }
}

TYPED_TEST(MultigridSeamsInDouble, OddPeriodicAxesConvergeWithWalls) {
  using Exec = typename TestFixture::Exec;
  std::vector<std::array<int, 3>> const shapes{{17, 16, 16}, {17, 15, 13}};
  for (auto const& cells : shapes) {
    for (int const odd_axes : {1, 3, 7}) {
      for (unsigned seed = 1; seed <= 3; ++seed) {
        std::array<double, 3> spacing{1, 1, 1};
        Boundaries sides = Boundaries::all(Boundary::fixed);
        spacing[0] = 0.1;
        sides.east = sides.west = Boundary::periodic;
        if ((odd_axes & 2) != 0) sides.north = sides.south = Boundary::periodic;
        if ((odd_axes & 4) != 0) sides.top = sides.bottom = Boundary::periodic;
        UniformGrid const grid(cells, spacing);
        MultigridCase<Exec, double> problem(this->space, grid, sides, {.coarsening = MultigridCoarsening::pairs},
                                            scattered_cells(grid, 0.2, seed));
        problem.balance();
        auto const report = problem.solve(this->space, {.tolerance = 1e-8});
        EXPECT_TRUE(report.converged) << text(cells) << ' ' << odd_axes << ' ' << seed << ' ' << summary(report);
        EXPECT_LE(report.iterations, 40) << text(cells) << ' ' << odd_axes << ' ' << seed;
      }
    }
  }
}

/// A sweep over a seam equals one inside: cycles alone converge as fast with an odd extent as with an even one.
TYPED_TEST(MultigridSeamsInDouble, OddPeriodicExtentsCostNoCycles) {
  using Exec = typename TestFixture::Exec;
  for (auto const smoother : {MultigridSmoother::red_black, MultigridSmoother::line}) {
    auto const cycles = [&](int n) {
      Boundaries sides = Boundaries::all(Boundary::periodic);
      sides.top = sides.bottom = Boundary::fixed;
      UniformGrid const grid({n, n, 16}, {1, 1, 1});
      MultigridCase<Exec, double> problem(this->space, grid, sides, {.smoother = smoother});
      auto const report = problem.solve(this->space, {.tolerance = 1e-8, .conjugate_gradients = false});
      EXPECT_TRUE(report.converged) << n << ' ' << summary(report);
      EXPECT_LE(problem.relative_residual(false), 1.001e-8);
      return report.iterations;
    };
    EXPECT_LE(cycles(33), cycles(32) + 3) << name(smoother);
  }
}

TYPED_TEST(MultigridSeamsInDouble, SymmetricCyclesStaySymmetricAroundOddAxes) {
  using Exec = typename TestFixture::Exec;
  UniformGrid const grid({17, 9, 11}, {1, 1, 1});
  for (auto const smoother : {MultigridSmoother::red_black, MultigridSmoother::line}) {
    Boundaries sides = Boundaries::all(Boundary::periodic);
    if (smoother == MultigridSmoother::line) sides.top = sides.bottom = Boundary::neumann;
    MultigridCase<Exec, double> problem(this->space, grid, sides,
                                        {.smoother = smoother, .symmetric = true, .single_precision_cycles = false},
                                        scattered_cells(grid, 0.1, 4));
    Multigrid<Exec, double> multigrid(this->space, problem.equation, problem.setup);
    auto const x = random_field<double>(grid, 2), y = random_field<double>(grid, 3);
    auto const mx = to_device(this->space, x), my = to_device(this->space, y);
    multigrid.apply(this->space, mx, mx);
    multigrid.apply(this->space, my, my);
    double const size = std::sqrt(std::abs(product(this->space, grid, mx, x) * product(this->space, grid, my, y)));
    EXPECT_NEAR(product(this->space, grid, mx, y), product(this->space, grid, my, x), 500 * this->eps * size)
        << name(smoother);
  }
}

/// Cells that walls close off have a right-hand side with a mean: no x solves that.
TYPED_TEST(MultigridSeamsInDouble, PocketsWithoutASolutionAreNeverClaimed) {
  using Exec = typename TestFixture::Exec;
  UniformGrid const grid({24, 20, 18}, {1, 1, 1});
  for (auto const coarsening : {MultigridCoarsening::pairs, MultigridCoarsening::aggregates}) {
    MultigridCase<Exec, double> problem(this->space, grid, Boundaries::all(Boundary::dirichlet),
                                        {.coarsening = coarsening}, scattered_cells(grid, 0.4, 2));
    auto const report = problem.solve(this->space, {.tolerance = 1e-8});
    EXPECT_FALSE(report.converged) << name(coarsening);
    EXPECT_FALSE(report.breakdown.empty()) << name(coarsening);
    problem.balance();
    EXPECT_TRUE(problem.solve(this->space, {.tolerance = 1e-8}).converged) << name(coarsening);
  }
}

TYPED_TEST(MultigridSeamsOn, ExactCyclesEndTheSolve) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  std::vector<std::array<int, 3>> const shapes{{1, 35, 1}, {2, 2, 2}, {1, 183, 1}, {4, 4, 4}};
  for (auto const& cells : shapes) {
    for (auto const side : {Boundary::fixed, Boundary::dirichlet, Boundary::neumann, Boundary::periodic}) {
      Boundaries sides = Boundaries::all(Boundary::neumann);
      if (cells[0] > 1) sides.east = sides.west = side;
      if (cells[1] > 1) sides.north = sides.south = side;
      if (cells[2] > 1) sides.top = sides.bottom = side;
      UniformGrid const grid(cells, {1, 1, 1});
      std::string const what = text(cells) + " side " + std::to_string(static_cast<int>(side));
      MultigridCase<Exec, T> problem(this->space, grid, sides);
      Multigrid<Exec, T> multigrid(this->space, problem.equation, problem.setup);
      // Rounding of l, of a size of n^2 for a right-hand side of 1.
      double const size = static_cast<double>(cells[1]) * cells[1];
      double const reachable = 8 * size * this->eps;
      auto const good = problem.solve(this->space, multigrid, {.tolerance = reachable});
      EXPECT_TRUE(good.converged) << what << ' ' << summary(good);
      EXPECT_LE(good.iterations, cells[1] > 64 ? 12 : 6) << what;
      // With nothing left to gain, the solve remains bounded.
      auto const on_and_on = problem.solve(this->space, multigrid, {.tolerance = 0});
      EXPECT_LE(on_and_on.residual, reachable) << what;
      bool const reported = on_and_on.converged || !on_and_on.breakdown.empty();
      EXPECT_TRUE(reported || cells[1] > 64) << what << ' ' << summary(on_and_on);
      EXPECT_LE(problem.relative_residual(multigrid.singular()), 2 * reachable) << what;
    }
  }
}

}  // namespace multigrid_seams_test
