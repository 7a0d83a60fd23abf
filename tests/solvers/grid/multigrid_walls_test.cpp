// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multigrid with buildings, with coefficient arrays and with own weights.
#include "backends.hpp"
#include "fields.hpp"
#include "multigrid_cases.hpp"
#include <karman/solvers/grid/multigrid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace multigrid_walls_test {

using namespace karman;
using karman::test::HostField;
using karman::test::MultigridCase;
using karman::test::over_ground;
using karman::test::random_boxes;
using karman::test::random_field;
using karman::test::to_device;
using karman::test::to_host;

template <class Parameter>
class MultigridWallsOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;
};
TYPED_TEST_SUITE(MultigridWallsOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

UniformGrid cube(int n) { return UniformGrid({n, n, n}, {1, 1, 1}); }

TYPED_TEST(MultigridWallsOn, BuildingsConvergeInAboutTenIterations) {
  using Exec = typename TestFixture::Exec;
  auto const grid = cube(32);
  for (bool const symmetric : {false, true}) {
    MultigridCase<Exec, double> problem(this->space, grid, over_ground(), {.symmetric = symmetric},
                                        random_boxes(grid, 0.115));
    auto const report = problem.solve(this->space, {.tolerance = 1e-6});
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 12);
    EXPECT_LE(problem.relative_residual(false), 1.001e-6);
  }
}

TYPED_TEST(MultigridWallsOn, SolidCellsKeepTheirValue) {
  using Exec = typename TestFixture::Exec;
  UniformGrid const grid({19, 18, 17}, {1, 1, 1});
  auto const solid = random_boxes(grid, 0.15);
  MultigridCase<Exec, double> problem(this->space, grid, over_ground(), {}, solid);
  auto const guess = random_field<double>(grid, 5);
  auto const lambda = to_device(this->space, guess);
  Multigrid<Exec, double> multigrid(this->space, problem.equation);
  EXPECT_TRUE(multigrid.solve(this->space, lambda, to_device(this->space, problem.rhs), {.tolerance = 1e-8}).converged);
  auto const found = to_host(this->space, lambda);
  for (std::size_t n = 0; n < solid.values.size(); ++n) {
    if (solid.values[n] != 0) {
      ASSERT_EQ(found.values[n], guess.values[n]);
    }
  }
  problem.keep(found);
  EXPECT_LE(problem.relative_residual(false), 1.001e-8);
}

/// Solves from x = 0 and from x that may not be read, which must give the same bits. `raised`: with boundary values.
template <class Exec>
void expect_same_from_zero(Exec const& space, MultigridCase<Exec, double>& problem, MultigridSetup const& setup,
                           bool raised) {
  UniformGrid const& grid = problem.grid;
  auto const solve_from = [&](double value, bool zero_guess) {
    Multigrid<Exec, double> multigrid(space, problem.equation, setup);
    if (raised) {
      auto const height = [](int, int) { return 2.5; };
      multigrid.set_boundary_values(space, Side::top,
                                    karman::test::make_plane<double>(space, grid.ny(), grid.nx(), height));
    }
    HostField<double> guess(grid.extents(Location::cell));
    for (double& x : guess.values) x = value;
    auto const x = to_device(space, guess);
    auto const report = multigrid.solve(space, x, to_device(space, problem.rhs), {.zero_guess = zero_guess});
    EXPECT_TRUE(report.converged) << summary(report);
    EXPECT_GT(report.iterations, 2);
    return std::pair{to_host(space, x).values, report.history.front().residual};
  };
  EXPECT_EQ(solve_from(0, false), solve_from(std::numeric_limits<double>::quiet_NaN(), true));
}

TYPED_TEST(MultigridWallsOn, AGuessOfZeroIsNotRead) {
  using Exec = typename TestFixture::Exec;
  UniformGrid const grid({19, 18, 17}, {1, 1, 1});
  for (bool const single : {false, true}) {
    MultigridSetup const setup{.single_precision_cycles = single};
    for (bool const raised : {false, true}) {
      // The random right-hand side is not zero in solid cells.
      MultigridCase<Exec, double> walls(this->space, grid, over_ground(), setup, random_boxes(grid, 0.15));
      expect_same_from_zero(this->space, walls, setup, raised);
      MultigridCase<Exec, double> open(this->space, grid, over_ground(), setup);
      expect_same_from_zero(this->space, open, setup, raised);
    }
    MultigridCase<Exec, double> singular(this->space, grid, Boundaries::all(Boundary::neumann), setup);
    expect_same_from_zero(this->space, singular, setup, false);
  }
  MultigridCase<Exec, double> layer(this->space, UniformGrid({23, 31, 1}, {1, 1, 1}),
                                    Boundaries::planar(Boundary::dirichlet));
  expect_same_from_zero(this->space, layer, {}, false);
}

TYPED_TEST(MultigridWallsOn, ArraysGiveTheSolutionOfCodes) {
  using Exec = typename TestFixture::Exec;
  UniformGrid const grid({21, 16, 18}, {1, 1, 1});
  for (double const share : {0.0, 0.1}) {
    MultigridCase<Exec, double> problem(this->space, grid, over_ground(), {}, random_boxes(grid, share));
    auto const coefficients = unpack<Exec, double>(this->space, grid, problem.equation.walls);
    Multigrid<Exec, double> multigrid(this->space, {grid, problem.equation.sides, coefficients});
    auto const report = problem.solve(this->space, multigrid, {.tolerance = 1e-9});
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, share > 0 ? 18 : 6);
    EXPECT_LE(problem.relative_residual(false), 1.001e-9);
  }
}

/// Conductivity 1000 in a ball and 1 outside, harmonic means on the faces.
template <class Exec>
FaceCoefficients<Exec, double> ball(Exec const& space, UniformGrid const& grid) {
  int const n = grid.nx();
  auto const of = [&](int k, int j, int i) {
    double const r = std::hypot(k + 0.5 - 0.5 * n, j + 0.5 - 0.5 * n, i + 0.5 - 0.4 * n);
    return r < 0.3 * n ? 1000.0 : 1.0;
  };
  std::array<std::array<int, 3>, 6> const step{{{0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}}};
  std::array<Field<Exec, double>, 6> face;
  for (std::size_t f = 0; f < 6; ++f) {
    HostField<double> values(grid.extents(Location::cell));
    values.fill([&](int k, int j, int i) {
      int const kk = k + step[f][0], jj = j + step[f][1], ii = i + step[f][2];
      double const here = of(k, j, i);
      if (std::min({kk, jj, ii}) < 0 || std::max({kk, jj, ii}) >= n) return 2 * here;
      double const there = of(kk, jj, ii);
      return 2 * here * there / (here + there);
    });
    face[f] = to_device(space, values);
  }
  return {face[0], face[1], face[2], face[3], face[4], face[5]};
}

TYPED_TEST(MultigridWallsOn, CoefficientsMayJump) {
  using Exec = typename TestFixture::Exec;
  auto const grid = cube(32);
  auto const coefficients = ball(this->space, grid);
  MultigridCase<Exec, double> problem(this->space, grid, Boundaries::all(Boundary::dirichlet));
  problem.reference.face = {to_host(this->space, coefficients.east),  to_host(this->space, coefficients.west),
                            to_host(this->space, coefficients.north), to_host(this->space, coefficients.south),
                            to_host(this->space, coefficients.top),   to_host(this->space, coefficients.bottom)};
  Multigrid<Exec, double> multigrid(this->space, {grid, problem.equation.sides, coefficients});
  auto const report = problem.solve(this->space, multigrid, {.tolerance = 1e-8});
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 16);
  EXPECT_LE(problem.relative_residual(false), 1.001e-8);
}

/// Own weights larger than the faces, as between two walls: a sink in every third cell.
TYPED_TEST(MultigridWallsOn, OwnWeightsCount) {
  using Exec = typename TestFixture::Exec;
  UniformGrid const grid({14, 13, 12}, {1, 1, 1});
  MultigridCase<Exec, double> problem(this->space, grid, Boundaries::all(Boundary::neumann));
  auto coefficients = unpack<Exec, double>(this->space, grid, problem.equation.walls);
  auto const& face = problem.reference.face;
  auto const weight = [&](std::size_t a, double more) {
    HostField<double> values(grid.extents(Location::cell));
    values.fill([&](int k, int j, int i) {
      return 0.5 * (face[2 * a](k, j, i) + face[2 * a + 1](k, j, i)) + ((k + j + i) % 3 == 0 ? more : 0.0);
    });
    return values;
  };
  problem.reference.half_weight = {weight(0, 0.5), weight(1, 0), weight(2, 0.25)};
  coefficients.own_x = to_device(this->space, problem.reference.half_weight[0]);
  coefficients.own_y = to_device(this->space, problem.reference.half_weight[1]);
  coefficients.own_z = to_device(this->space, problem.reference.half_weight[2]);
  Multigrid<Exec, double> multigrid(this->space, {grid, problem.equation.sides, coefficients});
  EXPECT_FALSE(multigrid.singular());
  auto const report = problem.solve(this->space, multigrid, {.tolerance = 1e-9});
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 12);
  EXPECT_LE(problem.relative_residual(false), 1.001e-9);
}

TYPED_TEST(MultigridWallsOn, NegativeOrInfiniteCoefficientsThrow) {
  using Exec = typename TestFixture::Exec;
  auto const grid = cube(4);
  for (double const bad : {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    auto const walls = make_wall_codes(this->space, grid, over_ground());
    auto coefficients = unpack<Exec, double>(this->space, grid, walls);
    HostField<double> e = to_host(this->space, coefficients.east);
    e(1, 2, 1) = bad;
    coefficients.east = to_device(this->space, e);
    EXPECT_THROW((Multigrid<Exec, double>(this->space, {grid, over_ground(), coefficients})), std::invalid_argument)
        << bad;
  }
}

}  // namespace multigrid_walls_test
