// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multigrid at large sizes: the number of cycles must not grow with the grid.
#include "backends.hpp"
#include "solvers/grid/multigrid_cases.hpp"
#include <karman/solvers/grid/multigrid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace multigrid_test {

using namespace karman;
using karman::test::last_factor;
using karman::test::MultigridCase;
using karman::test::over_ground;
using karman::test::random_boxes;

template <class Parameter>
class MultigridVerification : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;
};
TYPED_TEST_SUITE(MultigridVerification, karman::test::AllBackendsDouble, karman::test::BackendNames);

UniformGrid cube(int n) { return UniformGrid({n, n, n}, {1.0 / n, 1.0 / n, 1.0 / n}); }

/// Value 0 on the sides and the top, no flux through the ground.
TYPED_TEST(MultigridVerification, OpenDomain) {
  using Exec = typename TestFixture::Exec;
  for (int const n : {64, 128}) {
    MultigridCase<Exec, double> problem(this->space, cube(n), over_ground());
    auto const cycles = problem.solve(this->space, {.tolerance = 1e-6, .conjugate_gradients = false});
    EXPECT_TRUE(cycles.converged);
    EXPECT_LE(cycles.iterations, 7) << n;
    EXPECT_LT(last_factor(cycles), 0.12) << n;
    auto const accelerated = problem.solve(this->space, {.tolerance = 1e-8});
    EXPECT_TRUE(accelerated.converged);
    EXPECT_LE(accelerated.iterations, 6) << n;
    EXPECT_LE(problem.relative_residual(false), 1.001e-8) << n;
  }
}

/// The same with boxes on the ground, 12 % of the cells.
TYPED_TEST(MultigridVerification, Buildings) {
  using Exec = typename TestFixture::Exec;
  for (int const n : {64, 128}) {
    auto const solid = random_boxes(cube(n), 0.115);
    auto const count = std::count(solid.values.begin(), solid.values.end(), std::uint8_t(1));
    double const share = static_cast<double>(count) / static_cast<double>(solid.values.size());
    EXPECT_NEAR(share, 0.12, 0.01);
    MultigridCase<Exec, double> problem(this->space, cube(n), over_ground(), {}, solid);
    Multigrid<Exec, double> multigrid(this->space, problem.equation);
    auto const rough = problem.solve(this->space, multigrid, {.tolerance = 1e-6});
    EXPECT_TRUE(rough.converged);
    EXPECT_LE(rough.iterations, 11) << n;
    auto const close = problem.solve(this->space, multigrid, {.tolerance = 1e-10});
    EXPECT_TRUE(close.converged);
    EXPECT_LE(close.iterations, 18) << n;
    EXPECT_LE(problem.relative_residual(false), 1.001e-10) << n;
  }
}

}  // namespace multigrid_test
