// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multigrid where walls cut grids of very different couplings into pieces.
#include "backends.hpp"
#include "fields.hpp"
#include "multigrid_cases.hpp"
#include <karman/solvers/grid/multigrid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace multigrid_aggregates_test {

using namespace karman;
using karman::test::HostField;
using karman::test::MultigridCase;
using karman::test::over_ground;
using karman::test::product;
using karman::test::random_boxes;
using karman::test::random_field;
using karman::test::scattered_cells;
using karman::test::to_device;

template <class Parameter>
class MultigridAggregatesOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;
};
TYPED_TEST_SUITE(MultigridAggregatesOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

Boundaries half_open() {
  Boundaries sides = Boundaries::all(Boundary::neumann);
  sides.west = sides.south = Boundary::dirichlet;
  return sides;
}

/// Cycles to 1e-8 of a box with scattered walls; the solution is checked.
template <class Exec>
int cycles(Exec const& space, std::array<int, 3> const& cells, std::array<double, 3> const& spacing,
           Boundaries const& sides, double share, unsigned seed, MultigridSetup const& setup = {}) {
  UniformGrid const grid(cells, spacing);
  MultigridCase<Exec, double> problem(space, grid, sides, setup, scattered_cells(grid, share, seed));
  problem.balance();
  Multigrid<Exec, double> multigrid(space, problem.equation, problem.setup);
  auto const report = problem.solve(space, multigrid, {.tolerance = 1e-8});
  EXPECT_TRUE(report.converged) << cells[0] << 'x' << cells[1] << 'x' << cells[2] << ' ' << share << ' '
                                << summary(report);
  return report.iterations;
}

TYPED_TEST(MultigridAggregatesOn, SlenderBoxesWithWallsConverge) {
  for (double const share : {0.1, 0.2, 0.4}) {
    for (auto const& sides : {Boundaries::all(Boundary::dirichlet), half_open()}) {
      EXPECT_LE(cycles(this->space, {1024, 3, 5}, {1, 100, 1}, sides, share, 3), 30) << share;
    }
  }
}

TYPED_TEST(MultigridAggregatesOn, OrderOfTheAxesDoesNotMatter) {
  std::array axes{0, 1, 2};
  do {
    std::array<int, 3> const shape{200, 6, 9};
    std::array<double, 3> const spacing{1, 30, 0.5};
    std::array<int, 3> cells{};
    std::array<double, 3> size{};
    for (std::size_t a = 0; a < 3; ++a) {
      cells[a] = shape[static_cast<std::size_t>(axes[a])];
      size[a] = spacing[static_cast<std::size_t>(axes[a])];
    }
    EXPECT_LE(cycles(this->space, cells, size, half_open(), 0.25, 5), 30) << axes[0] << axes[1] << axes[2];
  } while (std::next_permutation(axes.begin(), axes.end()));
}

TYPED_TEST(MultigridAggregatesOn, CyclesHardlyGrowWithTheGrid) {
  std::array<double, 3> const spacing{1, 30, 1};
  int const small = cycles(this->space, {256, 3, 5}, spacing, half_open(), 0.2, 2);
  EXPECT_LE(cycles(this->space, {1024, 3, 5}, spacing, half_open(), 0.2, 2), 1.5 * small + 3);
  EXPECT_LE(cycles(this->space, {1024, 6, 10}, spacing, half_open(), 0.2, 2), 2 * small + 3);
  // Close to the share of walls at which a plane falls apart.
  int const plane = cycles(this->space, {48, 48, 1}, {1, 1, 1}, Boundaries::planar(Boundary::dirichlet), 0.35, 2);
  EXPECT_LE(cycles(this->space, {96, 96, 1}, {1, 1, 1}, Boundaries::planar(Boundary::dirichlet), 0.35, 2),
            1.5 * plane + 3);
}

TYPED_TEST(MultigridAggregatesOn, AreTakenWhereTheyPay) {
  using Exec = typename TestFixture::Exec;
  auto const chosen = [&](std::array<int, 3> const& cells, std::array<double, 3> const& spacing,
                          HostField<std::uint8_t> const& solid) {
    UniformGrid const grid(cells, spacing);
    MultigridCase<Exec, double> const problem(this->space, grid, over_ground(), {}, solid);
    return Multigrid<Exec, double>(this->space, problem.equation, problem.setup).coarsening();
  };
  UniformGrid const cube({32, 32, 32}, {1, 1, 1}), slender({256, 3, 5}, {1, 1, 1});
  EXPECT_EQ(chosen({32, 32, 32}, {1, 1, 1}, {}), MultigridCoarsening::pairs);
  EXPECT_EQ(chosen({256, 3, 5}, {1, 100, 1}, {}), MultigridCoarsening::pairs);
  EXPECT_EQ(chosen({32, 32, 32}, {1, 1, 1}, random_boxes(cube, 0.115)), MultigridCoarsening::pairs);
  EXPECT_EQ(chosen({32, 32, 32}, {1, 1, 0.5}, random_boxes(cube, 0.2)), MultigridCoarsening::pairs);
  EXPECT_EQ(chosen({256, 3, 5}, {1, 100, 1}, scattered_cells(slender, 0.2, 1)), MultigridCoarsening::aggregates);
  EXPECT_EQ(chosen({32, 32, 32}, {1, 1, 0.1}, scattered_cells(cube, 0.2, 1)), MultigridCoarsening::aggregates);
}

/// Coefficients from 1e-3 to 1e3, drawn per cell, harmonic means on the faces.
TYPED_TEST(MultigridAggregatesOn, RandomCoefficientsConverge) {
  using Exec = typename TestFixture::Exec;
  UniformGrid const grid({40, 8, 12}, {1, 3, 0.5});
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> exponent(-3, 3);
  HostField<double> inside(grid.extents(Location::cell));
  for (double& value : inside.values) value = std::pow(10.0, exponent(generator));
  std::array<std::array<int, 3>, 6> const step{{{0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}}};
  MultigridCase<Exec, double> problem(this->space, grid, Boundaries::all(Boundary::dirichlet));
  for (std::size_t f = 0; f < 6; ++f) {
    problem.reference.face[f].fill([&](int k, int j, int i) {
      int const kk = k + step[f][0], jj = j + step[f][1], ii = i + step[f][2];
      double const here = inside(k, j, i);
      bool const outside = std::min({kk, jj, ii}) < 0 || kk >= grid.nz() || jj >= grid.ny() || ii >= grid.nx();
      return outside ? 2 * here : 2 * here * inside(kk, jj, ii) / (here + inside(kk, jj, ii));
    });
  }
  auto const& face = problem.reference.face;
  FaceCoefficients<Exec, double> const coefficients{to_device(this->space, face[0]), to_device(this->space, face[1]),
                                                    to_device(this->space, face[2]), to_device(this->space, face[3]),
                                                    to_device(this->space, face[4]), to_device(this->space, face[5])};
  Multigrid<Exec, double> multigrid(this->space, {grid, problem.equation.sides, coefficients},
                                    {.coarsening = MultigridCoarsening::aggregates});
  auto const report = problem.solve(this->space, multigrid, {.tolerance = 1e-8});
  EXPECT_TRUE(report.converged) << summary(report);
  EXPECT_LE(report.iterations, 25);
  EXPECT_LE(problem.relative_residual(false), 1.001e-8);
}

TYPED_TEST(MultigridAggregatesOn, SymmetricCyclesAreSymmetric) {
  using Exec = typename TestFixture::Exec;
  UniformGrid const grid = UniformGrid::with_layers({60, 7}, {1, 20}, {1, 0.5, 0.7, 1, 2});
  MultigridCase<Exec, double> problem(
      this->space, grid, half_open(),
      {.symmetric = true, .single_precision_cycles = false, .coarsening = MultigridCoarsening::aggregates},
      scattered_cells(grid, 0.2, 3));
  Multigrid<Exec, double> multigrid(this->space, problem.equation, problem.setup);
  auto const x = random_field<double>(grid, 2), y = random_field<double>(grid, 3);
  auto const mx = to_device(this->space, x), my = to_device(this->space, y);
  multigrid.apply(this->space, mx, mx);
  multigrid.apply(this->space, my, my);
  double const size = std::sqrt(std::abs(product(this->space, grid, mx, x) * product(this->space, grid, my, y)));
  EXPECT_NEAR(product(this->space, grid, mx, y), product(this->space, grid, my, x),
              500 * std::numeric_limits<double>::epsilon() * size);
  EXPECT_LT(product(this->space, grid, mx, x), 0);
}

TYPED_TEST(MultigridAggregatesOn, SameBitsEveryTime) {
  using Exec = typename TestFixture::Exec;
  UniformGrid const grid({128, 3, 5}, {1, 100, 1});
  MultigridCase<Exec, double> problem(this->space, grid, half_open(), {}, scattered_cells(grid, 0.2, 1));
  problem.balance();
  problem.solve(this->space, {.tolerance = 1e-8});
  auto const first = problem.reference.lambda.values;
  problem.solve(this->space, {.tolerance = 1e-8});
  EXPECT_EQ(first, problem.reference.lambda.values);
}

}  // namespace multigrid_aggregates_test
