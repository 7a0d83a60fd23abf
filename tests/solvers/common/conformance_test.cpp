// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "conformance_grid_solvers.hpp"
#include <karman/solvers/grid/adi.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace conformance_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class GridSolvers : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
  GridSuite<Exec, T> suite{space};
};
TYPED_TEST_SUITE(GridSolvers, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(GridSolvers, Stationary) { expect_conformance(this->suite.stationary()); }

TYPED_TEST(GridSolvers, ConjugateGradients) { expect_conformance(this->suite.krylov()); }

TYPED_TEST(GridSolvers, Multigrid) { expect_conformance(this->suite.multigrid()); }

TYPED_TEST(GridSolvers, Direct) { expect_conformance(this->suite.direct()); }

/// Parameters are counted from the first iteration of all.
TYPED_TEST(GridSolvers, AdiGoesOnInItsCycleAnywhere) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const adi = this->suite.template on_operator<Adi<Exec, T>>("Adi", AdiOptions{.parameters = {7, 3, 1}});
  auto const whole = adi.solve({}, adi.zero(), {.max_iterations = 7, .check_every = 1});
  auto const half = adi.solve({}, adi.zero(), {.max_iterations = 5, .check_every = 1});
  EXPECT_EQ(adi.solve({}, half.x, {.max_iterations = 7, .check_every = 1, .first_iteration = 5}).x, whole.x);
}

/// However rarely it checks, conjugate gradients keep the solution that they have reached.
TYPED_TEST(GridSolvers, ConjugateGradientsStayAtTheSolution) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (std::array<int, 3> const& cells : {std::array{183, 1, 1}, std::array{1, 183, 1}, std::array{1, 1, 5}}) {
    UniformGrid const grid(cells, {1, 1, 1});
    SevenPoint<Exec, T> a(this->space, {grid, Boundaries::all(Boundary::dirichlet)});
    DiagonalPreconditioner<Exec, T> diagonal(a);
    ConjugateGradients<Exec, T> cg(this->space, a.extents());
    HostField<T> rhs(grid.extents(Location::cell));
    rhs.fill([](int k, int j, int i) { return std::sin(0.9 * i + 0.4 * j + k); });
    auto const b = to_device(this->space, rhs);
    for (int kind = 0; kind < 3; ++kind) {
      for (int const check_every : {1, 2, 100, 5000}) {
        SCOPED_TRACE(std::to_string(cells[1]) + ", kind " + std::to_string(kind) + ", " + std::to_string(check_every));
        auto const x = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
        double most = 0;
        KrylovOptions options{.tolerance = 0, .max_iterations = 5000, .check_every = check_every};
        options.flexible = kind == 2;
        options.monitor = [&](ResidualSample const& sample) {
          most = std::max(most, sample.residual);
          return true;
        };
        auto const report =
            kind == 0 ? cg.solve(this->space, a, x, b, options) : cg.solve(this->space, a, diagonal, x, b, options);
        // The condition number is 4 / (pi / 183)^2 = 14,000 at most.
        EXPECT_LE(report.residual, 14'000 * std::numeric_limits<T>::epsilon()) << summary(report);
        EXPECT_LE(most, 300) << summary(report);
      }
    }
  }
}

}  // namespace conformance_test
