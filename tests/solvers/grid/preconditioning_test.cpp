// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every method on a grid that is a LinearOperator preconditions the Krylov methods.
#include "backends.hpp"
#include "fields.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/relaxation.hpp>
#include <karman/solvers/sparse/krylov.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace preconditioning_test {

using namespace karman;
using karman::test::HostField;
using karman::test::to_device;
using karman::test::to_host;

/// Values of no pattern in [-1, 1].
template <class T>
HostField<T> noise(UniformGrid const& grid, unsigned seed) {
  std::uint32_t state = 2654435769u * (seed + 1);
  return HostField<T>(grid.extents(Location::cell)).fill([&](int, int, int) {
    state = state * 1664525u + 1013904223u;
    return static_cast<T>(static_cast<int>(state >> 12) % 2049 - 1024) / T(1024);
  });
}

template <class Exec, class T>
struct Named {
  std::string name;
  std::unique_ptr<LinearOperator<Exec, T>> map;
};

/// All methods that apply to a problem.
template <class Exec, class T>
std::vector<Named<Exec, T>> preconditioners(Exec const& space, SevenPointProblem<Exec, T> const& problem,
                                            SevenPoint<Exec, T> const& a) {
  MultigridSetup const symmetric{.symmetric = true, .single_precision_cycles = false};
  std::vector<Named<Exec, T>> all;
  if (!problem.has_walls()) all.push_back({"direct", std::make_unique<FastPoisson<Exec, T>>(space, problem)});
  all.push_back({"multigrid", std::make_unique<Multigrid<Exec, T>>(space, problem, symmetric)});
  all.push_back({"Jacobi", std::make_unique<Jacobi<Exec, T>>(space, a, 0.8)});
  all.push_back({"Gauss-Seidel", std::make_unique<GaussSeidel<Exec, T>>(space, a)});
  all.push_back({"SSOR", std::make_unique<GaussSeidel<Exec, T>>(space, a, 1.4)});
  return all;
}

/// Thin layers at the ground, where the diagonal varies.
UniformGrid thin_layers() { return UniformGrid::with_layers({13, 12}, {1, 1.5}, {0.1, 0.15, 0.3, 0.6, 1, 1.5, 2, 2}); }

template <class Parameter>
class PreconditioningOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;

  struct Problem {
    std::string name;
    SevenPointProblem<Exec, T> equation;
  };

  std::vector<Problem> problems() const {
    Boundaries above_ground = Boundaries::all(Boundary::dirichlet);
    above_ground.bottom = Boundary::neumann;
    Boundaries channel = above_ground;
    channel.east = channel.west = Boundary::periodic;
    channel.north = Boundary::neumann;
    UniformGrid const grid = thin_layers();
    HostField<std::uint8_t> solid(grid.extents(Location::cell));
    for (int k = 0; k < 5; ++k)
      for (int j = 3; j < 7; ++j)
        for (int i = 4; i < 8; ++i) solid(k, j, i) = 1;
    auto const walls = to_device(space, solid);
    return {{"layers", {grid, above_ground}},
            {"channel", {grid, channel, {1, 0.5, 2}}},
            {"box", {space, grid, above_ground, ConstField<Exec, std::uint8_t>(walls)}},
            {"row", {UniformGrid({40, 1, 1}, {0.5, 1, 1}), Boundaries::all(Boundary::fixed)}},
            {"plane", {UniformGrid({15, 14, 1}, {1, 0.8, 1}), Boundaries::planar(Boundary::dirichlet)}}};
  }
};
TYPED_TEST_SUITE(PreconditioningOn, karman::test::AllBackends, karman::test::BackendNames);

template <class Parameter>
class PreconditioningInDoubleOn : public PreconditioningOn<Parameter> {};
TYPED_TEST_SUITE(PreconditioningInDoubleOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

// First, because Kokkos keeps memory that it once allocated.
TYPED_TEST(PreconditioningOn, AppliesAllocateNothing) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Kind = karman::test::RecordedEvent::Kind;
  SevenPointProblem<Exec, T> const problem(thin_layers(), Boundaries::all(Boundary::dirichlet));
  SevenPoint<Exec, T> const a(this->space, problem);
  auto const r = to_device(this->space, noise<T>(problem.grid, 5));
  auto const z = to_device(this->space, HostField<T>(a.extents()));
  for (auto const& [name, map] : preconditioners<Exec, T>(this->space, problem, a)) {
    int kernels = 0;
    for (auto const& event : karman::test::record([&, &m = *map] {
           m.apply(this->space, ConstField<Exec, T>(r), z);
           this->space.fence();
         })) {
      EXPECT_NE(event.kind, Kind::allocation) << name << ": " << event.label;
      if (event.kind != Kind::kernel) continue;
      ++kernels;
      EXPECT_TRUE(karman::test::is_ours(event.label)) << name << ": " << event.label;
    }
    EXPECT_GT(kernels, 0) << name;
  }
}

/// Sum of thickness * a * b.
template <class T>
double weighted(UniformGrid const& grid, HostField<T> const& a, HostField<T> const& b) {
  double sum = 0;
  for (int k = 0; k < grid.nz(); ++k)
    for (int j = 0; j < grid.ny(); ++j)
      for (int i = 0; i < grid.nx(); ++i) sum += grid.dz(k) * double(a(k, j, i)) * double(b(k, j, i));
  return sum;
}

TYPED_TEST(PreconditioningOn, AppliesAreLinearAndSymmetric) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& problem : this->problems()) {
    UniformGrid const& grid = problem.equation.grid;
    SevenPoint<Exec, T> const a(this->space, problem.equation);
    auto const u = noise<T>(grid, 1), v = noise<T>(grid, 2);
    HostField<T> both(grid.extents(Location::cell));
    both.fill([&](int k, int j, int i) { return T(2) * u(k, j, i) - T(0.5) * v(k, j, i); });
    for (auto const& [name, map] : preconditioners<Exec, T>(this->space, problem.equation, a)) {
      SCOPED_TRACE(problem.name + ", " + name);
      ASSERT_EQ(map->extents(), grid.extents(Location::cell));
      auto const image = [&, &m = *map](HostField<T> const& of) {
        auto const result = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
        m.apply(this->space, ConstField<Exec, T>(to_device(this->space, of)), result);
        return to_host(this->space, result);
      };
      auto const mu = image(u), mv = image(v), mboth = image(both);
      // Every value of an image is a sum over the cells around it; rounding is that of as many terms as the longest
      // way through the grid, relative to the largest value.
      double const rounding = 200 * double(std::numeric_limits<T>::epsilon());
      double size = 0, error = 0;
      for (std::size_t n = 0; n < mu.values.size(); ++n) {
        size = std::max(size, std::abs(2 * double(mu.values[n])) + std::abs(0.5 * double(mv.values[n])));
        error =
            std::max(error, std::abs(double(mboth.values[n]) - 2 * double(mu.values[n]) + 0.5 * double(mv.values[n])));
      }
      EXPECT_GT(size, 0);
      EXPECT_LE(error, rounding * size);
      double const norms = std::sqrt(weighted(grid, u, u) * weighted(grid, mv, mv)) +
                           std::sqrt(weighted(grid, v, v) * weighted(grid, mu, mu));
      EXPECT_NEAR(weighted(grid, u, mv), weighted(grid, mu, v), rounding * norms);
      EXPECT_LT(weighted(grid, u, mu), 0) << "definite, with the sign of A";
    }
  }
}

/// Whatever the values on the sides are: an apply() takes them as zero.
TYPED_TEST(PreconditioningOn, BoundaryValuesDoNotEnter) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  SevenPointProblem<Exec, T> const problem(thin_layers(), Boundaries::all(Boundary::dirichlet));
  SevenPoint<Exec, T> a(this->space, problem);
  auto const r = to_device(this->space, noise<T>(problem.grid, 5));
  auto const with = to_device(this->space, HostField<T>(a.extents())),
             without = to_device(this->space, HostField<T>(a.extents()));
  GaussSeidel<Exec, T> const sweeps(this->space, a);
  sweeps.apply(this->space, ConstField<Exec, T>(r), without);
  a.set_boundary_values(this->space, Side::top,
                        karman::test::make_plane<T>(this->space, 12, 13, [](int, int) { return 7.0; }));
  sweeps.apply(this->space, ConstField<Exec, T>(r), with);
  EXPECT_EQ(to_host(this->space, with).values, to_host(this->space, without).values);
}

TYPED_TEST(PreconditioningInDoubleOn, ConjugateGradientsConvergeInFewerIterations) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& problem : this->problems()) {
    UniformGrid const& grid = problem.equation.grid;
    SevenPoint<Exec, T> const a(this->space, problem.equation);
    ConjugateGradients<Exec, T> cg(this->space, a.extents());
    auto const rhs = to_device(this->space, noise<T>(grid, 3));
    KrylovOptions options{.tolerance = 1e-11, .max_iterations = 2000};
    auto const zero = [&] { return to_device(this->space, HostField<T>(a.extents())); };
    auto const plain = zero();
    auto const alone = cg.solve(this->space, a, plain, rhs, options);
    ASSERT_TRUE(alone.converged) << problem.name << ": " << summary(alone);
    auto const expected = to_host(this->space, plain);
    double largest = 0;
    for (double const value : expected.values) largest = std::max(largest, std::abs(value));
    for (auto const& [name, map] : preconditioners<Exec, T>(this->space, problem.equation, a)) {
      SCOPED_TRACE(problem.name + ", " + name);
      options.flexible = false;  // each map is symmetric
      auto const x = zero();
      auto const report = cg.solve(this->space, a, *map, x, rhs, options);
      EXPECT_TRUE(report.converged) << summary(report);
      // One diagonal for all cells, or nearly so, changes nothing.
      bool const same_diagonal = name == "Jacobi" && grid.uniform_in_z();
      if (same_diagonal) {
        EXPECT_LE(report.iterations, alone.iterations + 2);
      } else {
        EXPECT_LT(report.iterations, alone.iterations);
      }
      EXPECT_LE(report.iterations, name == "direct" ? 2 : options.max_iterations);
      auto const found = to_host(this->space, x);
      // The condition number of these problems is below 1e4, the residuals are below 1e-11 of the right-hand side.
      for (std::size_t n = 0; n < found.values.size(); ++n) {
        ASSERT_NEAR(found.values[n], expected.values[n], 2e-7 * largest) << n;
      }
    }
  }
}

TYPED_TEST(PreconditioningInDoubleOn, GeneralMethodsConvergeInFewerIterations) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& problem : this->problems()) {
    UniformGrid const& grid = problem.equation.grid;
    int const n = static_cast<int>(grid.cell_count());
    SevenPoint<Exec, T> const a(this->space, problem.equation);
    // Cells without an equation have no right-hand side.
    auto const rhs = to_device(this->space, noise<T>(grid, 4));
    a.right_hand_side(this->space, ConstField<Exec, T>(rhs), rhs, DeviceNumber<Exec>("karman::test::largest"));
    ConstVector<Exec, T> const b(rhs.data(), rhs.size());
    // With layers of different thickness A is not symmetric in the inner product of vectors: no work for COCG.
    for (KrylovMethod const method : {KrylovMethod::gmres, KrylovMethod::cocg}) {
      if (method == KrylovMethod::cocg && !grid.uniform_in_z()) continue;
      GeneralKrylov<Exec, T> solver(this->space, n, {method, 100});
      GeneralKrylovOptions const options{.tolerance = 1e-10, .max_iterations = 3000};
      Vector<Exec, T> const plain("karman::test::x", std::size_t(n));
      auto const alone = solver.solve(this->space, a, plain, b, options);
      ASSERT_TRUE(alone.converged) << problem.name << ": " << summary(alone);
      HostField<T> const zero(a.extents());
      auto const expected = to_host(this->space, Field<Exec, T>(plain.data(), zero.nz, zero.ny, zero.nx));
      double largest = 0;
      for (double const value : expected.values) largest = std::max(largest, std::abs(value));
      for (auto const& [name, map] : preconditioners<Exec, T>(this->space, problem.equation, a)) {
        SCOPED_TRACE(problem.name + ", " + name + ", " + std::string(karman::name(method)));
        Vector<Exec, T> const x("karman::test::x", std::size_t(n));
        auto const report = solver.solve(this->space, a, *map, x, b, options);
        EXPECT_TRUE(report.converged) << summary(report);
        if (name == "Jacobi" && grid.uniform_in_z()) {
          EXPECT_LE(report.iterations, alone.iterations + 2);
        } else {
          EXPECT_LT(report.iterations, alone.iterations);
        }
        auto const found = to_host(this->space, Field<Exec, T>(x.data(), zero.nz, zero.ny, zero.nx));
        for (std::size_t cell = 0; cell < found.values.size(); ++cell) {
          ASSERT_NEAR(found.values[cell], expected.values[cell], 2e-6 * largest) << cell;
        }
      }
    }
  }
}

TYPED_TEST(PreconditioningOn, RefusesWrongFields) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({5, 4, 3}, {1, 1, 1}), other({5, 4, 2}, {1, 1, 1});
  SevenPoint<Exec, T> const a(this->space, {grid, Boundaries::all(Boundary::dirichlet)});
  GaussSeidel<Exec, T> const sweeps(this->space, a);
  Jacobi<Exec, T> const sweep(this->space, a);
  auto const fit = to_device(this->space, noise<T>(grid, 1)), small = to_device(this->space, noise<T>(other, 1));
  ConstField<Exec, T> const residual = fit;
  EXPECT_THROW(sweeps.apply(this->space, residual, small), std::invalid_argument);
  EXPECT_THROW(sweep.apply(this->space, ConstField<Exec, T>(small), fit), std::invalid_argument);
  EXPECT_THROW(sweeps.apply(this->space, residual, fit), std::invalid_argument) << "not in place";
  EXPECT_NO_THROW(sweep.apply(this->space, residual, fit));
  EXPECT_THROW((Jacobi<Exec, T>(this->space, a, 2)), std::invalid_argument);
  EXPECT_THROW((GaussSeidel<Exec, T>(this->space, a, 0)), std::invalid_argument);
}

}  // namespace preconditioning_test
