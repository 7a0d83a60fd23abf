// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Red-black SOR around periodic axes, of even and odd extents.
#include "backends.hpp"
#include "fields.hpp"
#include "serial_sor.hpp"
#include <karman/solvers/grid/red_black_sor.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace periodic_sor_test {

using namespace karman;
using karman::test::HostField;
using karman::test::in_precision;
using karman::test::make_plane;
using karman::test::SerialSor;
using karman::test::to_device;
using karman::test::to_host;
using std::numbers::pi;

template <class Parameter>
class PeriodicSorOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(PeriodicSorOn, karman::test::AllBackends, karman::test::BackendNames);

template <class Parameter>
class PeriodicSorInDoubleOn : public PeriodicSorOn<Parameter> {};
TYPED_TEST_SUITE(PeriodicSorInDoubleOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

Boundaries around(std::array<bool, 3> const& periodic, Boundary other) {
  auto const kind = [&](int axis) { return periodic[axis] ? Boundary::periodic : other; };
  return {kind(0), kind(0), kind(1), kind(1), kind(2), kind(2)};
}

/// Values in [-1, 1] and faces that a code can hold, everywhere, also on the seams.
SerialSor random_problem(UniformGrid const& grid, std::array<bool, 3> const& periodic, unsigned seed) {
  std::mt19937 random(seed);
  std::array const allowed{0.0, 0.5, 1.0, 1.0, 1.0};
  auto const value = [&](int, int, int) { return (int(random() % 2049) - 1024) / 1024.0; };
  auto const extents = grid.extents(Location::cell);
  SerialSor problem{grid, {1, 1.5, 0.5}, {}, {}, HostField<double>(extents), HostField<double>(extents), periodic};
  problem.lambda.fill(value);
  problem.rhs.fill(value);
  for (auto& face : problem.face) {
    face = HostField<double>(extents);
    face.fill([&](int, int, int) { return allowed[random() % allowed.size()]; });
  }
  return problem;
}

template <class Fixture>
void compare_with_reference(Fixture& fixture, UniformGrid const& grid, std::array<bool, 3> const& periodic,
                            SorStorage storage) {
  using Exec = typename Fixture::Exec;
  using T = typename Fixture::T;
  SerialSor reference = random_problem(grid, periodic, 11u + unsigned(grid.cell_count()));
  if (grid.nz() == 1) {
    for (int n : {4, 5}) reference.face[n].fill([](int, int, int) { return 0.0; });
  }
  auto const device = [&](HostField<double> const& field) {
    return to_device(fixture.space, in_precision<typename Fixture::T>(field));
  };
  FaceCoefficients<Exec, T> const coefficients{device(reference.face[0]), device(reference.face[1]),
                                               device(reference.face[2]), device(reference.face[3]),
                                               device(reference.face[4]), device(reference.face[5])};
  RedBlackSor<Exec, T> sor(fixture.space,
                           {grid, around(periodic, Boundary::dirichlet), coefficients, reference.weights}, {storage});
  auto const lambda = device(reference.lambda);
  sor.load(fixture.space, lambda, device(reference.rhs));
  double const eps = std::numeric_limits<T>::epsilon();
  EXPECT_NEAR(sor.residual(fixture.space), reference.residual(), 64 * eps * (1 + reference.residual()));
  // b is the right-hand side: a periodic side adds nothing.
  SerialSor at_zero = reference;
  at_zero.lambda.fill([](int, int, int) { return 0.0; });
  EXPECT_NEAR(sor.right_hand_side_norm(fixture.space), at_zero.residual(), 4 * eps);
  int const iterations = 3;
  sor.iterate(fixture.space, iterations, 1.25);
  reference.iterate(iterations, 1.25);
  sor.store(fixture.space, lambda);
  auto const result = to_host(fixture.space, lambda);
  double largest = 0;
  double error = 0;
  for (std::size_t n = 0; n < result.values.size(); ++n) {
    largest = std::max(largest, std::abs(reference.lambda.values[n]));
    error = std::max(error, std::abs(reference.lambda.values[n] - double(result.values[n])));
  }
  EXPECT_LE(error, 64 * iterations * eps * largest)
      << name(storage) << " on " << grid.nx() << " x " << grid.ny() << " x " << grid.nz() << ", periodic "
      << periodic[0] << periodic[1] << periodic[2];
  EXPECT_NEAR(sor.residual(fixture.space), reference.residual(), 64 * iterations * eps * (1 + reference.residual()));
}

TYPED_TEST(PeriodicSorOn, SweepsAsTheReference) {
  for (auto const& cells :
       std::vector<std::array<int, 3>>{{2, 2, 2}, {3, 3, 3}, {4, 5, 6}, {5, 4, 3}, {33, 7, 5}, {64, 9, 2}}) {
    UniformGrid const grid(cells, {1, 0.5, 2});
    for (int axes = 1; axes < 8; ++axes) {
      std::array const periodic{(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0};
      for (auto storage : {SorStorage::packed, SorStorage::folded, SorStorage::coefficients}) {
        compare_with_reference(*this, grid, periodic, storage);
      }
    }
  }
}

TYPED_TEST(PeriodicSorOn, SweepsPlanarProblemsAsTheReference) {
  for (auto const& cells : std::vector<std::array<int, 3>>{{2, 3, 1}, {33, 65, 1}, {66, 4, 1}, {5, 1, 1}}) {
    UniformGrid const grid(cells, {1, 0.5, 1});
    for (int axes = 1; axes < 8; ++axes) {
      std::array const periodic{(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0};
      for (auto storage : {SorStorage::packed, SorStorage::folded, SorStorage::coefficients}) {
        compare_with_reference(*this, grid, periodic, storage);
      }
    }
  }
}

TYPED_TEST(PeriodicSorOn, SweepsStretchedLayersAsTheReference) {
  auto const grid = UniformGrid::with_layers({17, 6}, {1, 2}, {0.5, 0.75, 1, 1.5, 2});
  for (auto storage : {SorStorage::packed, SorStorage::folded}) {
    compare_with_reference(*this, grid, {false, true, true}, storage);
  }
}

TYPED_TEST(PeriodicSorOn, WallCodesSeeSolidCellsAcrossTheSeam) {
  using Exec = typename TestFixture::Exec;
  UniformGrid const grid({4, 3, 2}, {1, 1, 1});
  HostField<std::uint8_t> solid(grid.extents(Location::cell));
  solid(0, 1, 3) = 1;
  auto const codes =
      to_host(this->space, make_wall_codes<Exec>(this->space, grid, Boundaries::all(Boundary::periodic),
                                                 ConstField<Exec, std::uint8_t>(to_device(this->space, solid))));
  EXPECT_EQ(codes(0, 1, 3), 0);
  EXPECT_EQ(codes(0, 1, 0), open_cell_code & ~0x00cu);  // its western face, across the seam
  EXPECT_EQ(codes(0, 1, 2), open_cell_code & ~0x003u);
  EXPECT_EQ(codes(1, 1, 3), open_cell_code & ~0xf00u);  // below and, around the seam of two layers, above
  EXPECT_EQ(codes(0, 0, 0), open_cell_code);
  // An axis of one cell couples it with itself.
  auto const flat = to_host(this->space, make_wall_codes<Exec>(this->space, UniformGrid({4, 1, 1}, {1, 1, 1}),
                                                               Boundaries::all(Boundary::periodic)));
  EXPECT_EQ(flat(0, 0, 3), 0x00a);
}

/// Root mean square error of sin(2 pi x) cos(2 pi y) sin(pi z) on a box that is periodic in x and y with
/// Boundary::dirichlet in z.
template <class Fixture>
double manufactured_error(Fixture& fixture, UniformGrid const& grid, SorStorage storage) {
  using Exec = typename Fixture::Exec;
  using T = typename Fixture::T;
  Boundaries const sides = around({true, true, false}, Boundary::dirichlet);
  auto const extents = grid.extents(Location::cell);
  HostField<T> exact(extents), rhs(extents);
  exact.fill([&](int k, int j, int i) {
    return std::sin(2 * pi * (i + 0.5) / grid.nx()) * std::cos(2 * pi * (j + 0.5) / grid.ny()) *
           std::sin(pi * (k + 0.5) / grid.nz());
  });
  rhs.fill([&](int k, int j, int i) { return -9 * pi * pi * exact(k, j, i); });
  RedBlackSor<Exec, T> sor(fixture.space, {grid, sides}, {storage});
  auto const lambda = to_device(fixture.space, HostField<T>(extents));
  auto const report = sor.solve(fixture.space, lambda, to_device(fixture.space, rhs),
                                {.optimal_omega = true, .tolerance = 1e-10, .max_iterations = 5000});
  EXPECT_TRUE(report.converged) << summary(report);
  auto const result = to_host(fixture.space, lambda);
  double error = 0;
  for (std::size_t n = 0; n < result.values.size(); ++n) {
    error += (result.values[n] - exact.values[n]) * (result.values[n] - exact.values[n]);
  }
  return std::sqrt(error / static_cast<double>(result.values.size()));
}

TYPED_TEST(PeriodicSorInDoubleOn, IsOfSecondOrder) {
  // Odd and even extents in turn.
  std::vector<double> errors;
  std::vector<int> const cells{12, 17, 24, 35};
  for (int n : cells) {
    errors.push_back(
        manufactured_error(*this, UniformGrid({n, n, n}, {1.0 / n, 1.0 / n, 1.0 / n}), SorStorage::packed));
  }
  for (std::size_t n = 1; n < errors.size(); ++n) {
    double const order = std::log(errors[n - 1] / errors[n]) / std::log(double(cells[n]) / cells[n - 1]);
    EXPECT_NEAR(order, 2.0, 0.05) << errors[n - 1] << ' ' << errors[n];
  }
}

TYPED_TEST(PeriodicSorInDoubleOn, OddExtentsConvergeWithTheOptimalFactor) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  // The seams of an odd extent must not cost the convergence of a large omega, nor more than some iterations.
  auto const iterations = [&](int n) {
    UniformGrid const grid({n, n, n}, {1, 1, 1});
    Boundaries sides = Boundaries::all(Boundary::periodic);
    sides.top = sides.bottom = Boundary::fixed;
    RedBlackSor<Exec, T> sor(this->space, {grid, sides});
    HostField<T> source(grid.extents(Location::cell));
    source(n / 2, n / 3, n - 1) = 1;
    auto const lambda = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
    auto const report =
        sor.solve(this->space, lambda, to_device(this->space, source), {.optimal_omega = true, .check_every = 1});
    EXPECT_TRUE(report.converged) << summary(report);
    EXPECT_GT(report.omega, 1.8);
    return report.iterations;
  };
  EXPECT_LE(iterations(33), 1.3 * iterations(32));
}

TYPED_TEST(PeriodicSorInDoubleOn, SolvesTheSingularProblemUpToAConstant) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (int n : {16, 15}) {
    UniformGrid const grid({n, n, 1}, {1, 1, 1});
    Boundaries sides = Boundaries::all(Boundary::periodic);
    RedBlackSor<Exec, T> sor(this->space, {grid, sides});
    auto const wave = [&](int, int j, int i) {
      return std::cos(2 * pi * (i + 2 * j) / n) + std::sin(2 * pi * (2 * i - j) / n);
    };
    HostField<T> rhs(grid.extents(Location::cell));
    rhs.fill(wave);
    auto const lambda = to_device(this->space, HostField<T>(grid.extents(Location::cell), T(5)));
    auto const report = sor.solve(this->space, lambda, to_device(this->space, rhs),
                                  {.optimal_omega = true, .tolerance = 1e-11, .max_iterations = 2000});
    EXPECT_TRUE(report.converged) << n << ": " << summary(report);
    // Both waves have the eigenvalue -(4 - 2 cos(a) - 2 cos(2 a)), a = 2 pi / n.
    double const eigenvalue = -(4 - 2 * std::cos(2 * pi / n) - 2 * std::cos(4 * pi / n));
    auto const result = to_host(this->space, lambda);
    double const constant = result(0, 0, 0) - wave(0, 0, 0) / eigenvalue;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) EXPECT_NEAR(result(0, j, i), wave(0, j, i) / eigenvalue + constant, 1e-8);

    // A right-hand side with a nonzero sum has no solution, and the report claims none.
    rhs.fill([&](int k, int j, int i) { return wave(k, j, i) + 0.1; });
    auto const impossible = sor.solve(this->space, lambda, to_device(this->space, rhs), {.max_iterations = 300});
    EXPECT_FALSE(impossible.converged);
  }
}

TYPED_TEST(PeriodicSorOn, RefusesWhatCannotBePeriodic) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({4, 4, 4}, {1, 1, 1});
  Boundaries sides = Boundaries::all(Boundary::dirichlet);
  sides.east = Boundary::periodic;
  EXPECT_THROW(sides.periodic(), std::invalid_argument);
  EXPECT_THROW(make_wall_codes<Exec>(this->space, grid, sides), std::invalid_argument);
  sides.west = Boundary::periodic;
  EXPECT_EQ(sides.periodic(), (std::array{true, false, false}));
  auto const codes = make_wall_codes<Exec>(this->space, grid, sides);
  RedBlackSor<Exec, T> sor(this->space, {grid, sides, codes});
  auto const plane = make_plane<T>(this->space, 4, 4, [](int, int) { return 1; });
  EXPECT_THROW(sor.set_boundary_values(this->space, Side::west, plane), std::invalid_argument);
  EXPECT_NO_THROW(sor.set_boundary_values(this->space, Side::north, plane));
}

}  // namespace periodic_sor_test
