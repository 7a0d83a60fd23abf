// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "conformance_grid.hpp"
#include <karman/solvers/grid/adi.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>
#include <karman/solvers/grid/relaxation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace conformance_test {

using namespace karman;
using namespace karman::test;

constexpr std::array box{12, 9, 8};
constexpr std::array sheet{12, 9, 1};

template <class Exec, class T>
RedBlackSor<Exec, T> sor_for(Exec const& space, GridProblem<Exec, T> const& problem) {
  RedBlackSor<Exec, T> sor(space, problem.equation());
  problem.set_boundary_values(space, sor);
  return sor;
}

template <class Exec, class T>
ConformingSolver red_black(Exec const& space, bool planar) {
  auto solver = on_grid<Exec, T>(space, planar ? "RedBlackSor in the plane" : "RedBlackSor", planar ? sheet : box,
                                 [=](GridProblem<Exec, T> const& problem, ConformanceOptions const& options) {
                                   auto sor = sor_for(space, problem);
                                   auto const o = options.as<SorOptions>({.omega = 1.5});
                                   if (!planar) return sor.solve(space, problem.x, ConstField<Exec, T>(problem.rhs), o);
                                   Plane<Exec, T> const x(problem.x.data(), problem.x.extent(1), problem.x.extent(2));
                                   return sor.solve(
                                       space, x, ConstPlane<Exec, T>(problem.rhs.data(), x.extent(0), x.extent(1)), o);
                                 });
  solver.takes_mean_out = false;
  return solver;
}

template <class Exec, class T, class Plan, class Options>
ConformingSolver on_operator(Exec const& space, std::string const& name, Options const& plain) {
  return on_grid<Exec, T>(space, name, box,
                          [=](GridProblem<Exec, T> const& problem, ConformanceOptions const& options) {
                            Plan plan(space, problem.operator_on(space));
                            return plan.solve(space, problem.x, ConstField<Exec, T>(problem.rhs), options.as(plain));
                          });
}

enum class Preconditioned { no, fixed, flexible };

template <class Exec, class T>
ConformingSolver conjugate_gradients(Exec const& space, std::string const& name, Preconditioned how) {
  return on_grid<Exec, T>(space, name, box,
                          [=](GridProblem<Exec, T> const& problem, ConformanceOptions const& options) {
                            auto a = problem.operator_on(space);
                            ConjugateGradients<Exec, T> cg(space, a.extents());
                            DiagonalPreconditioner<Exec, T> diagonal(a);
                            ConstField<Exec, T> const rhs = problem.rhs;
                            auto const o = options.as<KrylovOptions>({.flexible = how == Preconditioned::flexible});
                            if (how == Preconditioned::no) return cg.solve(space, a, problem.x, rhs, o);
                            return cg.solve(space, a, diagonal, problem.x, rhs, o);
                          });
}

template <class Exec, class T>
ConformingSolver multigrid(Exec const& space, MultigridCycle cycle, bool conjugate, bool float_cycles) {
  std::string const what = std::string("Multigrid ") + std::string(name(cycle)) +
                           (conjugate ? " in conjugate gradients" : "") + (float_cycles ? ", float cycles" : "");
  auto solver =
      on_grid<Exec, T>(space, what, box, [=](GridProblem<Exec, T> const& problem, ConformanceOptions const& options) {
        MultigridSetup setup;
        setup.cycle = cycle;
        setup.single_precision_cycles = float_cycles;
        Multigrid<Exec, T> plan(space, problem.equation(), setup);
        problem.set_boundary_values(space, plan);
        return plan.solve(space, problem.x, ConstField<Exec, T>(problem.rhs),
                          options.as<MultigridOptions>({.conjugate_gradients = conjugate}));
      });
  // The inner products of double cycles are not scaled.
  solver.takes_any_size = !conjugate || float_cycles || std::is_same_v<T, float>;
  return solver;
}

template <class Exec, class T>
ConformingSolver fast_poisson(Exec const& space) {
  auto solver =
      on_grid<Exec, T>(space, "FastPoisson", box, [=](GridProblem<Exec, T> const& problem, ConformanceOptions const&) {
        FastPoisson<Exec, T> plan(space, problem.equation());
        problem.set_boundary_values(space, plan);
        return plan.solve(space, problem.x, ConstField<Exec, T>(problem.rhs));
      });
  solver.iterative = false;
  solver.inputs = {"rhs", "boundary values"};
  return solver;
}

template <class Parameter>
class GridSolvers : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(GridSolvers, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(GridSolvers, Stationary) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  expect_conformance({
      red_black<Exec, T>(this->space, false),
      red_black<Exec, T>(this->space, true),
      on_operator<Exec, T, Jacobi<Exec, T>>(this->space, "Jacobi", RelaxationOptions{.omega = 0.9}),
      on_operator<Exec, T, GaussSeidel<Exec, T>>(this->space, "GaussSeidel", RelaxationOptions{}),
      on_operator<Exec, T, Adi<Exec, T>>(this->space, "Adi", AdiOptions{}),
  });
}

TYPED_TEST(GridSolvers, ConjugateGradients) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  expect_conformance({
      conjugate_gradients<Exec, T>(this->space, "ConjugateGradients", Preconditioned::no),
      conjugate_gradients<Exec, T>(this->space, "ConjugateGradients with M", Preconditioned::fixed),
      conjugate_gradients<Exec, T>(this->space, "ConjugateGradients, flexible", Preconditioned::flexible),
  });
}

TYPED_TEST(GridSolvers, Multigrid) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  std::vector<ConformingSolver> solvers;
  for (auto const cycle : {MultigridCycle::v, MultigridCycle::w, MultigridCycle::f}) {
    for (bool const conjugate : {false, true}) {
      solvers.push_back(multigrid<Exec, T>(this->space, cycle, conjugate, true));
      if (std::is_same_v<T, double> && cycle == MultigridCycle::v) {
        solvers.push_back(multigrid<Exec, T>(this->space, cycle, conjugate, false));
      }
    }
  }
  expect_conformance(solvers);
}

TYPED_TEST(GridSolvers, Direct) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  expect_conformance({fast_poisson<Exec, T>(this->space)});
}

/// Parameters are counted from the first iteration of all.
TYPED_TEST(GridSolvers, AdiGoesOnInItsCycleAnywhere) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const adi = on_operator<Exec, T, Adi<Exec, T>>(this->space, "Adi", AdiOptions{.parameters = {7, 3, 1}});
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
