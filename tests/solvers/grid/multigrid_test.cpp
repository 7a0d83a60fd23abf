// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multigrid on open boxes: convergence, any extents, every kind of side, and guarantees to callers.
#include "backends.hpp"
#include "fields.hpp"
#include "multigrid_cases.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/multigrid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace multigrid_test {

using namespace karman;
using karman::test::HostField;
using karman::test::last_factor;
using karman::test::MultigridCase;
using karman::test::over_ground;
using karman::test::product;
using karman::test::random_field;
using karman::test::to_device;
using karman::test::to_host;

UniformGrid unit_cells(std::array<int, 3> cells) { return UniformGrid(cells, {1, 1, 1}); }

template <class Parameter>
class MultigridOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
  double const eps = std::numeric_limits<T>::epsilon();
};
TYPED_TEST_SUITE(MultigridOn, karman::test::AllBackends, karman::test::BackendNames);

template <class Parameter>
class MultigridInDouble : public MultigridOn<Parameter> {};
TYPED_TEST_SUITE(MultigridInDouble, karman::test::AllBackendsDouble, karman::test::BackendNames);

// First, because Kokkos keeps memory that it once allocated.
TYPED_TEST(MultigridOn, SolveAllocatesNothing) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Kind = karman::test::RecordedEvent::Kind;
  auto const grid = unit_cells({20, 21, 22});
  using Coarsening = MultigridCoarsening;
  for (auto const& [smoother, coarsening] : {std::pair{MultigridSmoother::red_black, Coarsening::pairs},
                                             std::pair{MultigridSmoother::line, Coarsening::pairs},
                                             std::pair{MultigridSmoother::red_black, Coarsening::aggregates}}) {
    for (bool const symmetric : {false, true}) {
      MultigridCase<Exec, T> problem(this->space, grid, over_ground(),
                                     {.smoother = smoother, .symmetric = symmetric, .coarsening = coarsening});
      auto const rhs = to_device(this->space, problem.rhs);
      auto const lambda = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
      Multigrid<Exec, T> multigrid(this->space, problem.equation, problem.setup);
      auto const events = karman::test::record([&] {
        multigrid.solve(this->space, lambda, rhs, {.tolerance = 1e-4});
        multigrid.apply(this->space, rhs, lambda);
        this->space.fence();
      });
      int kernels = 0;
      for (auto const& event : events) {
        EXPECT_NE(event.kind, Kind::allocation) << event.label;
        if (event.kind == Kind::kernel) {
          ++kernels;
          EXPECT_TRUE(karman::test::is_ours(event.label)) << event.label;
          EXPECT_EQ(event.device, Kokkos::Tools::Experimental::device_id(this->space)) << event.label;
        }
      }
      EXPECT_GT(kernels, 0);
    }
  }
}

TYPED_TEST(MultigridInDouble, OpenDomainConvergesInAFewCycles) {
  using Exec = typename TestFixture::Exec;
  MultigridCase<Exec, double> problem(this->space, unit_cells({32, 32, 32}), over_ground());
  auto const cycles = problem.solve(this->space, {.tolerance = 1e-6, .conjugate_gradients = false});
  EXPECT_TRUE(cycles.converged);
  EXPECT_LE(cycles.iterations, 7);
  EXPECT_LT(last_factor(cycles), 0.14);
  EXPECT_LE(problem.relative_residual(false), 1.001e-6);
  auto const accelerated = problem.solve(this->space, {.tolerance = 1e-10});
  EXPECT_TRUE(accelerated.converged);
  EXPECT_LE(accelerated.iterations, 7);
  EXPECT_LE(problem.relative_residual(false), 1.001e-10);
}

TYPED_TEST(MultigridInDouble, EveryCycleAndSmootherConverges) {
  using Exec = typename TestFixture::Exec;
  for (auto const cycle : {MultigridCycle::v, MultigridCycle::w, MultigridCycle::f}) {
    for (auto const smoother : {MultigridSmoother::red_black, MultigridSmoother::line}) {
      for (bool const single : {false, true}) {
        MultigridCase<Exec, double> problem(this->space, unit_cells({33, 20, 17}), over_ground(),
                                            {.cycle = cycle, .smoother = smoother, .single_precision_cycles = single});
        auto const report = problem.solve(this->space, {.tolerance = 1e-9, .conjugate_gradients = false});
        std::string const what = std::string(name(cycle)) + ' ' + std::string(name(smoother));
        EXPECT_TRUE(report.converged) << what;
        EXPECT_LT(last_factor(report), 0.14) << what;
        EXPECT_LE(problem.relative_residual(false), 1.001e-9) << what;
      }
    }
  }
}

TYPED_TEST(MultigridInDouble, AnyExtentsAndSidesConverge) {
  using Exec = typename TestFixture::Exec;
  std::vector<std::array<int, 3>> const shapes{{17, 13, 11}, {31, 1, 7}, {6, 5, 4}, {1, 9, 33}, {3, 2, 1}, {64, 5, 2}};
  for (auto const& cells : shapes) {
    for (auto const side : {Boundary::fixed, Boundary::dirichlet, Boundary::neumann, Boundary::periodic}) {
      MultigridCase<Exec, double> problem(this->space, unit_cells(cells), Boundaries::all(side));
      Multigrid<Exec, double> multigrid(this->space, problem.equation, problem.setup);
      auto const report = problem.solve(this->space, multigrid, {.tolerance = 1e-10});
      std::string const what = std::to_string(cells[0]) + 'x' + std::to_string(cells[1]) + 'x' +
                               std::to_string(cells[2]) + " side " + std::to_string(static_cast<int>(side));
      bool const singular = side == Boundary::neumann || side == Boundary::periodic;
      EXPECT_EQ(multigrid.singular(), singular) << what;
      EXPECT_TRUE(report.converged) << what << summary(report);
      EXPECT_LE(report.iterations, 12) << what;
      EXPECT_LE(problem.relative_residual(singular), 1.001e-10) << what;
    }
  }
}

TYPED_TEST(MultigridInDouble, OneAndTwoDimensions) {
  using Exec = typename TestFixture::Exec;
  for (auto const& cells : {std::array{200, 1, 1}, std::array{1, 77, 1}, std::array{1, 1, 65}, std::array{63, 40, 1},
                            std::array{1, 40, 63}, std::array{40, 1, 63}}) {
    for (auto const side : {Boundary::fixed, Boundary::dirichlet, Boundary::neumann, Boundary::periodic}) {
      Boundaries sides = Boundaries::all(Boundary::neumann);
      if (cells[0] > 1) sides.east = sides.west = side;
      if (cells[1] > 1) sides.north = sides.south = side;
      if (cells[2] > 1) sides.top = sides.bottom = side;
      MultigridCase<Exec, double> problem(this->space, unit_cells(cells), sides);
      Multigrid<Exec, double> multigrid(this->space, problem.equation, problem.setup);
      auto const report = problem.solve(this->space, multigrid, {.tolerance = 1e-9});
      std::string const what = std::to_string(cells[0]) + 'x' + std::to_string(cells[1]) + 'x' +
                               std::to_string(cells[2]) + " side " + std::to_string(static_cast<int>(side));
      EXPECT_TRUE(report.converged) << what << summary(report);
      // A row of cells of odd number keeps a thin last cell, which coarse grids serve less well.
      bool const row = std::count(cells.begin(), cells.end(), 1) == 2;
      EXPECT_LE(report.iterations, row ? 20 : 12) << what;
      EXPECT_LE(problem.relative_residual(multigrid.singular()), 1.001e-9) << what;
    }
  }
}

TYPED_TEST(MultigridInDouble, StrongAxesAndThinLayersConverge) {
  using Exec = typename TestFixture::Exec;
  for (auto const& spacing : {std::array{1.0, 1.0, 0.1}, std::array{0.1, 1.0, 1.0}, std::array{1.0, 2.0, 4.0}}) {
    MultigridCase<Exec, double> problem(this->space, UniformGrid({24, 24, 24}, spacing), over_ground());
    auto const report = problem.solve(this->space, {.tolerance = 1e-8});
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 10) << spacing[0] << ' ' << spacing[1] << ' ' << spacing[2];
    EXPECT_LE(problem.relative_residual(false), 1.001e-8);
  }
  std::vector<double> layers;
  for (int k = 0; k < 32; ++k) layers.push_back(0.02 * std::pow(1.17, k));
  MultigridCase<Exec, double> problem(this->space, UniformGrid::with_layers({24, 24}, {1, 1}, layers), over_ground());
  Multigrid<Exec, double> multigrid(this->space, problem.equation, problem.setup);
  EXPECT_EQ(multigrid.smoother(), MultigridSmoother::line);
  auto const report = problem.solve(this->space, multigrid, {.tolerance = 1e-8});
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 12);
  EXPECT_LE(problem.relative_residual(false), 1.001e-8);
}

/// sin(pi x) sin(pi y) cos(pi z / 2) is zero on four sides and the top and has no slope at the bottom.
template <class Exec, class T>
double manufactured_error(Exec const& space, std::array<int, 3> const& cells) {
  using std::numbers::pi;
  UniformGrid const grid(cells, {1.0 / cells[0], 1.0 / cells[1], 1.0 / cells[2]});
  Boundaries sides = Boundaries::all(Boundary::dirichlet);
  sides.bottom = Boundary::neumann;
  auto const exact = [&](int k, int j, int i) {
    return std::sin(pi * (i + 0.5) / cells[0]) * std::sin(pi * (j + 0.5) / cells[1]) *
           std::cos(pi / 2 * (k + 0.5) / cells[2]);
  };
  HostField<T> rhs(grid.extents(Location::cell));
  rhs.fill([&](int k, int j, int i) { return -2.25 * pi * pi * exact(k, j, i); });
  auto const lambda = to_device(space, HostField<T>(grid.extents(Location::cell)));
  Multigrid<Exec, T> multigrid(space, {grid, sides});
  EXPECT_TRUE(multigrid.solve(space, lambda, to_device(space, rhs), {.tolerance = 1e-9}).converged);
  auto const found = to_host(space, lambda);
  double largest = 0;
  for (int k = 0; k < cells[2]; ++k)
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i) largest = std::max(largest, std::abs(found(k, j, i) - exact(k, j, i)));
  return largest;
}

TYPED_TEST(MultigridInDouble, ManufacturedSolutionIsOfSecondOrder) {
  using Exec = typename TestFixture::Exec;
  double const coarse = manufactured_error<Exec, double>(this->space, {9, 11, 10});
  double const middle = manufactured_error<Exec, double>(this->space, {18, 22, 20});
  double const fine = manufactured_error<Exec, double>(this->space, {36, 44, 40});
  EXPECT_NEAR(std::log2(coarse / middle), 2, 0.1);
  EXPECT_NEAR(std::log2(middle / fine), 2, 0.05);
}

TYPED_TEST(MultigridOn, BoundaryValuesAreMet) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  int const n = 12;
  auto const grid = unit_cells({n, n, n});
  // Linear in every direction: exact on the grid.
  auto const exact = [](double k, double j, double i) { return 1 + 0.25 * i - 0.5 * j + 0.125 * k; };
  Multigrid<Exec, T> multigrid(this->space, {grid, Boundaries::all(Boundary::dirichlet)});
  double const low = -0.5, high = n - 0.5;
  auto const set = [&](Side side, auto const& value) {
    multigrid.set_boundary_values(this->space, side, karman::test::make_plane<T>(this->space, n, n, value));
  };
  set(Side::east, [&](int k, int j) { return exact(k, j, high); });
  set(Side::west, [&](int k, int j) { return exact(k, j, low); });
  set(Side::north, [&](int k, int i) { return exact(k, high, i); });
  set(Side::south, [&](int k, int i) { return exact(k, low, i); });
  set(Side::top, [&](int j, int i) { return exact(high, j, i); });
  set(Side::bottom, [&](int j, int i) { return exact(low, j, i); });
  auto const zero = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
  auto const lambda = to_device(this->space, random_field<T>(grid, 3));
  auto const report = multigrid.solve(this->space, lambda, zero, {.tolerance = 200 * this->eps});
  EXPECT_TRUE(report.converged) << summary(report);
  auto const found = to_host(this->space, lambda);
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) ASSERT_NEAR(found(k, j, i), exact(k, j, i), 2e4 * this->eps);
}

TYPED_TEST(MultigridInDouble, PlanarBoundaryValuesAreMet) {
  using Exec = typename TestFixture::Exec;
  int const nx = 21, ny = 14;
  UniformGrid const grid({nx, ny, 1}, {1, 1, 1});
  auto const exact = [](double j, double i) { return 2 - 0.5 * i + 0.75 * j; };
  Multigrid<Exec, double> multigrid(this->space, {grid, Boundaries::planar(Boundary::fixed)});
  auto const set = [&](Side side, int fast, auto const& value) {
    multigrid.set_boundary_values(this->space, side, karman::test::make_plane<double>(this->space, 1, fast, value));
  };
  set(Side::east, ny, [&](int, int j) { return exact(j, nx); });
  set(Side::west, ny, [&](int, int j) { return exact(j, -1); });
  set(Side::north, nx, [&](int, int i) { return exact(ny, i); });
  set(Side::south, nx, [&](int, int i) { return exact(-1, i); });
  Plane<Exec, double> const lambda("karman::test::lambda", ny, nx), zero("karman::test::zero", ny, nx);
  EXPECT_TRUE(multigrid.solve(this->space, lambda, ConstPlane<Exec, double>(zero), {.tolerance = 1e-12}).converged);
  auto const found = to_host(this->space, Field<Exec, double>(lambda.data(), 1, ny, nx));
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) ASSERT_NEAR(found(0, j, i), exact(j, i), 1e-10);
}

TYPED_TEST(MultigridInDouble, SingularProblemsHaveMeanZeroAndReportTheImbalance) {
  using Exec = typename TestFixture::Exec;
  MultigridCase<Exec, double> problem(this->space, unit_cells({16, 15, 14}), Boundaries::all(Boundary::neumann));
  double sum = 0, largest = 0;
  for (double& value : problem.rhs.values) sum += value += 0.5;
  double const mean = sum / static_cast<double>(problem.rhs.values.size());
  for (double const value : problem.rhs.values) largest = std::max(largest, std::abs(value));
  auto const report = problem.solve(this->space, {.tolerance = 1e-10});
  EXPECT_TRUE(report.converged);
  EXPECT_NEAR(report.imbalance, mean / largest, 1e-12);
  double total = 0;
  for (double const value : problem.reference.lambda.values) total += value;
  EXPECT_NEAR(total, 0, 1e-9);
  EXPECT_LE(problem.relative_residual(true), 1.001e-10);
}

// Without its mean a constant right-hand side is rounding alone, and gives no scale.
TYPED_TEST(MultigridOn, AConstantRightHandSideOfASingularProblemKeepsItsScale) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  double const tolerance = 100 * this->eps;
  for (Boundary const side : {Boundary::neumann, Boundary::periodic}) {
    for (auto const& grid : {unit_cells({5, 4, 3}), unit_cells({7, 3, 4}), unit_cells({4, 41, 1})}) {
      MultigridCase<Exec, T> problem(this->space, grid, Boundaries::all(side));
      for (T& value : problem.rhs.values) value = T(-0.7);
      Multigrid<Exec, T> multigrid(this->space, problem.equation, problem.setup);
      for (bool const conjugate_gradients : {false, true}) {
        auto const lambda = to_device(this->space, random_field<T>(grid, 5));
        auto const report = multigrid.solve(this->space, lambda, to_device(this->space, problem.rhs),
                                            {.tolerance = tolerance, .conjugate_gradients = conjugate_gradients});
        problem.keep(to_host(this->space, lambda));
        EXPECT_TRUE(report.converged) << summary(report);
        EXPECT_LE(problem.relative_residual(true), tolerance + 20 * this->eps);
        EXPECT_NEAR(report.imbalance, 1, 4 * this->eps);
      }
    }
  }
}

TYPED_TEST(MultigridOn, SymmetricPreconditionerIsSymmetric) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  std::vector<double> layers;
  for (int k = 0; k < 13; ++k) layers.push_back(1 + 0.1 * (k % 3));
  std::vector<UniformGrid> const grids{unit_cells({24, 24, 24}), UniformGrid::with_layers({19, 10}, {1, 1.2}, layers),
                                       UniformGrid({30, 21, 1}, {1, 1, 1})};
  for (auto const& grid : grids) {
    for (auto const side : {Boundary::fixed, Boundary::neumann, Boundary::periodic}) {
      for (auto const smoother : {MultigridSmoother::red_black, MultigridSmoother::line}) {
        if (smoother == MultigridSmoother::line && side == Boundary::periodic) continue;
        auto const sides = grid.nz() == 1 ? Boundaries::planar(side) : Boundaries::all(side);
        MultigridCase<Exec, T> problem(
            this->space, grid, sides,
            {.cycle = MultigridCycle::w, .smoother = smoother, .symmetric = true, .single_precision_cycles = false},
            karman::test::random_boxes(grid, grid.nz() == 1 ? 0.0 : 0.1));
        Multigrid<Exec, T> multigrid(this->space, problem.equation, problem.setup);
        auto const x = random_field<T>(grid, 2);
        auto const y = random_field<T>(grid, 3);
        auto const mx = to_device(this->space, x);
        auto const my = to_device(this->space, y);
        multigrid.apply(this->space, mx, mx);  // in place
        multigrid.apply(this->space, my, my);
        double const xy = product(this->space, grid, mx, y);
        double const yx = product(this->space, grid, my, x);
        double const size = std::sqrt(std::abs(product(this->space, grid, mx, x) * product(this->space, grid, my, y)));
        EXPECT_NEAR(xy, yx, 500 * this->eps * size) << grid.nz() << ' ' << static_cast<int>(side);
        EXPECT_LT(product(this->space, grid, mx, x), 0);
      }
    }
  }
}

// The solution is reached to rounding within the iterations between two checks.
TYPED_TEST(MultigridOn, PreconditionedGradientsRestOnTinySingularGrids) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  double const tolerance = 200 * this->eps;
  for (Boundary const side : {Boundary::neumann, Boundary::periodic}) {
    for (auto const& grid : {unit_cells({2, 4, 1}), unit_cells({5, 2, 1}), unit_cells({3, 2, 2}), unit_cells({1, 4, 1}),
                             unit_cells({1, 5, 1}), unit_cells({4, 1, 22})}) {
      for (bool const flexible : {false, true}) {
        auto const sides = Boundaries::all(side);
        MultigridCase<Exec, T> problem(this->space, grid, sides,
                                       {.symmetric = !flexible, .single_precision_cycles = flexible});
        Multigrid<Exec, T> multigrid(this->space, problem.equation, problem.setup);
        SevenPoint<Exec, T> a(this->space, {grid, sides});
        ConjugateGradients<Exec, T> cg(this->space, a.extents());
        for (int const check_every : {1, 7, 10}) {
          auto const x = to_device(this->space, random_field<T>(grid, 9));
          auto const report = cg.solve(this->space, a, multigrid, x, to_device(this->space, problem.rhs),
                                       {.tolerance = tolerance, .check_every = check_every, .flexible = flexible});
          problem.keep(to_host(this->space, x));
          EXPECT_TRUE(report.converged) << grid.nx() << ' ' << grid.ny() << ' ' << grid.nz() << ' ' << check_every
                                        << ' ' << flexible << ' ' << summary(report);
          EXPECT_LE(problem.relative_residual(true), tolerance + 20 * this->eps);
        }
      }
    }
  }
}

TYPED_TEST(MultigridOn, SameBitsEveryTime) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  MultigridCase<Exec, T> problem(this->space, unit_cells({40, 23, 18}), over_ground());
  Multigrid<Exec, T> multigrid(this->space, problem.equation, problem.setup);
  problem.solve(this->space, multigrid, {.tolerance = 1e-5});
  auto const first = problem.reference.lambda.values;
  Multigrid<Exec, T> moved = std::move(multigrid);
  for (int run = 0; run < 3; ++run) {
    problem.solve(this->space, moved, {.tolerance = 1e-5});
    EXPECT_EQ(first, problem.reference.lambda.values);
  }
}

TYPED_TEST(MultigridOn, FloatFieldsReachWhatFloatCan) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  MultigridCase<Exec, T> problem(this->space, unit_cells({24, 24, 24}), over_ground());
  auto const good = problem.solve(this->space, {.tolerance = 500 * this->eps});
  EXPECT_TRUE(good.converged) << summary(good);
  EXPECT_LE(problem.relative_residual(false), 1000 * this->eps);
  // A tolerance below the rounding ends the solve, not converged and with a reason.
  auto const too_much = problem.solve(this->space, {.tolerance = 1e-3 * this->eps, .max_iterations = 200});
  EXPECT_FALSE(too_much.converged);
  EXPECT_LT(too_much.iterations, 200);
  EXPECT_FALSE(too_much.breakdown.empty());
  EXPECT_LE(too_much.residual, 500 * this->eps);
}

TYPED_TEST(MultigridInDouble, SizesFarFromOneDoNotMatter) {
  using Exec = typename TestFixture::Exec;
  auto const grid = unit_cells({20, 20, 20});
  for (double const size : {1e-200, 1e-60, 1e-4, 1.0, 1e4, 1e60, 1e200}) {
    MultigridCase<Exec, double> problem(this->space, grid, over_ground());
    for (double& value : problem.rhs.values) value *= size;
    for (bool const from_zero : {false, true}) {
      auto const report = problem.solve(this->space, {.tolerance = 1e-9, .zero_guess = from_zero});
      EXPECT_TRUE(report.converged) << size;
      EXPECT_LE(report.iterations, 6) << size;
    }
  }
}

TYPED_TEST(MultigridInDouble, RoundedResidualsMeetEveryTolerance) {
  using Exec = typename TestFixture::Exec;
  MultigridCase<Exec, double> problem(this->space, unit_cells({24, 20, 22}), over_ground());
  // Without them the same number of cycles, within one.
  MultigridCase<Exec, double> exact(this->space, unit_cells({24, 20, 22}), over_ground(),
                                    {.single_precision_cycles = false});
  for (bool const conjugate : {true, false}) {
    for (double const tolerance : {1e-2, 1e-5, 1e-8, 1e-11}) {
      MultigridOptions const options{.tolerance = tolerance, .conjugate_gradients = conjugate};
      auto const report = problem.solve(this->space, options);
      EXPECT_TRUE(report.converged) << tolerance;
      EXPECT_LE(problem.relative_residual(false), 1.001 * tolerance);
      EXPECT_LE(report.iterations, exact.solve(this->space, options).iterations + 1) << tolerance;
    }
  }
}

TYPED_TEST(MultigridOn, NothingToDoIsDoneAtOnce) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const grid = unit_cells({10, 10, 10});
  Multigrid<Exec, T> multigrid(this->space, {grid, over_ground()});
  auto const zero = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
  auto const lambda = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
  auto const report = multigrid.solve(this->space, lambda, zero);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  // From zero, with nothing to do and without a cycle: x is written all the same.
  auto const any = to_device(this->space, random_field<T>(grid, 2));
  for (auto const& rhs : {zero, any}) {
    auto const guess = to_device(this->space, random_field<T>(grid, 1));
    multigrid.solve(this->space, guess, rhs, {.max_iterations = 0, .zero_guess = true});
    EXPECT_EQ(to_host(this->space, guess).values, to_host(this->space, zero).values);
  }
  auto const guess = to_device(this->space, random_field<T>(grid, 1));
  auto const to_zero = multigrid.solve(this->space, guess, zero, {.tolerance = 1e-4});
  EXPECT_TRUE(to_zero.converged);
  EXPECT_GT(to_zero.iterations, 0);
}

TYPED_TEST(MultigridOn, MonitorSeesEveryCycleAndStops) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  MultigridCase<Exec, T> problem(this->space, unit_cells({16, 16, 16}), over_ground());
  std::vector<int> seen;
  MultigridOptions options{.tolerance = 0, .first_iteration = 5};
  options.monitor = [&](ResidualSample const& sample) {
    seen.push_back(sample.iteration);
    return sample.iteration < 7;
  };
  auto const report = problem.solve(this->space, options);
  EXPECT_EQ(seen, (std::vector<int>{5, 6, 7}));
  EXPECT_TRUE(report.stopped);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 7);
}

TYPED_TEST(MultigridOn, NotANumberEndsTheSolve) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  MultigridCase<Exec, T> problem(this->space, unit_cells({9, 9, 9}), over_ground());
  problem.rhs(4, 4, 4) = std::numeric_limits<T>::quiet_NaN();
  auto const report = problem.solve(this->space, {});
  EXPECT_FALSE(report.converged);
  EXPECT_LE(report.iterations, 1);
}

/// Beyond 2^31 cells the memory grows with the cells, and rows beyond an int are refused.
TYPED_TEST(MultigridOn, CountsTheMemoryOfHugeGrids) {
  using Exec = typename TypeParam::execution_space;
  using Plan = Multigrid<Exec, typename TypeParam::real>;
  auto const bytes = [](std::array<int, 3> const& cells) {
    UniformGrid const grid(cells, {1, 1, 1});
    return Plan::workspace_bytes(Exec(), {grid, Boundaries::all(Boundary::dirichlet), CoefficientForm::walls});
  };
  std::int64_t const small = bytes({256, 256, 256});
  std::int64_t const huge = bytes({2048, 2048, 2048});
  EXPECT_LT(huge, 512 * small);
  EXPECT_GT(huge, 440 * small);
  EXPECT_THROW(bytes({2, 65536, 65536}), std::invalid_argument);
}

TYPED_TEST(MultigridInDouble, WrongCallsThrow) {
  using Exec = typename TestFixture::Exec;
  auto const grid = unit_cells({8, 8, 8});
  auto const walls = make_wall_codes(this->space, grid, over_ground());
  using Problem = SevenPointProblem<Exec, double>;
  Problem const box(grid, over_ground());
  auto const make = [&](MultigridSetup const& setup, Problem const& p) {
    Multigrid<Exec, double>(this->space, p, setup);
  };
  EXPECT_THROW(make({}, {grid, over_ground(), walls, {1, 0, 1}}), std::invalid_argument);
  EXPECT_THROW(make({.pre = 0}, box), std::invalid_argument);
  EXPECT_THROW(make({.omega = 2}, box), std::invalid_argument);
  EXPECT_THROW(make({.smoother = MultigridSmoother::line}, {grid, Boundaries::all(Boundary::periodic)}),
               std::invalid_argument);
  EXPECT_THROW(make({}, {unit_cells({8, 8, 9}), over_ground(), walls}), std::invalid_argument);
  Multigrid<Exec, double> multigrid(this->space, box);
  Field<Exec, double> const right("karman::test::right", 8, 8, 8), wrong("karman::test::wrong", 8, 8, 9);
  EXPECT_THROW(multigrid.solve(this->space, wrong, ConstField<Exec, double>(right)), std::invalid_argument);
  EXPECT_THROW(multigrid.solve(this->space, right, ConstField<Exec, double>(wrong)), std::invalid_argument);
  EXPECT_THROW(multigrid.solve(this->space, right, ConstField<Exec, double>(right), {.tolerance = -1}),
               std::invalid_argument);
  EXPECT_THROW(multigrid.solve(this->space, right, ConstField<Exec, double>(right), {.restart_every = -1}),
               std::invalid_argument);
  EXPECT_THROW(multigrid.apply(this->space, right, wrong), std::invalid_argument);
  EXPECT_THROW(multigrid.set_boundary_values(this->space, Side::east, Plane<Exec, double>("karman::test::plane", 8, 7)),
               std::invalid_argument);
}

}  // namespace multigrid_test
