// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The direct solver against the equation written out, against eigenfunctions, and against smooth solutions.
#include "backends.hpp"
#include "fields.hpp"
#include "poisson_reference.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/solvers/grid/fast_poisson.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace fast_poisson_test {

using namespace karman;
using karman::test::all_side_pairs;
using karman::test::boundaries;
using karman::test::HostField;
using karman::test::make_plane;
using karman::test::SerialPoisson;
using karman::test::SidePair;
using karman::test::SideValues;
using karman::test::to_device;
using karman::test::to_host;

constexpr double pi = std::numbers::pi;

template <class Parameter>
class FastPoissonOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(FastPoissonOn, karman::test::AllBackends, karman::test::BackendNames);

/// Values without pattern in [-1, 1).
double noise(int k, int j, int i) {
  unsigned state = 2654435761u * unsigned(k + 1) + 40503u * unsigned(j + 7) + 977u * unsigned(i + 13);
  for (int n = 0; n < 3; ++n) state = (state ^ (state >> 13)) * 1664525u + 1013904223u;
  return double(state >> 8) / (1 << 23) - 1.0;
}

double side_value(Side side, int slow, int fast) { return 0.3 * noise(slow, fast, 50 + static_cast<int>(side)); }

template <class T>
double largest(HostField<T> const& field) {
  double result = 0;
  for (T value : field.values) {
    if (!(std::abs(double(value)) <= result)) result = std::abs(double(value));
  }
  return result;
}

template <class T>
double largest_difference(HostField<T> const& a, HostField<T> const& b) {
  double result = 0;
  for (std::size_t n = 0; n < a.values.size(); ++n) {
    double const difference = std::abs(double(a.values[n]) - double(b.values[n]));
    if (!(difference <= result)) result = difference;
  }
  return result;
}

/// Mean weighted with the thickness of the layers.
template <class T>
double mean_of(UniformGrid const& grid, HostField<T> const& field) {
  double sum = 0, weight = 0;
  for (int k = 0; k < field.nz; ++k)
    for (int j = 0; j < field.ny; ++j)
      for (int i = 0; i < field.nx; ++i) {
        sum += grid.dz(k) * field(k, j, i);
        weight += grid.dz(k);
      }
  return sum / weight;
}

/// Sets side_value() on every side that takes values.
template <class Exec, class T>
void set_sides(Exec const& space, FastPoisson<Exec, T>& solver, SerialPoisson const& problem) {
  UniformGrid const& grid = problem.grid;
  for (int n = 0; n < 6; ++n) {
    auto const side = static_cast<Side>(n);
    if (!problem.present(n / 2) || problem.sides[side] == Boundary::periodic) continue;
    int const slow = n / 2 == 2 ? grid.ny() : grid.nz();
    int const fast = n / 2 == 0 ? grid.ny() : grid.nx();
    solver.set_boundary_values(space, side,
                               make_plane<T>(space, slow, fast, [&](int a, int b) { return side_value(side, a, b); }));
  }
}

/// Takes a random x, computes its right-hand side, and expects x as the solution.
template <class Exec, class T>
void expect_inverse(Exec const& space, SerialPoisson const& problem) {
  auto const extents = problem.grid.extents(Location::cell);
  HostField<T> lambda(extents), rhs(extents);
  lambda.fill(noise);
  rhs.fill([&](int k, int j, int i) { return problem(lambda, side_value, k, j, i); });
  FastPoisson<Exec, T> solver(space, {problem.grid, problem.sides, problem.weights});
  set_sides(space, solver, problem);
  auto const right = to_device(space, rhs);
  auto const left = to_device(space, HostField<T>(extents, T(77)));
  SolveReport const report = solver.solve(space, left, right);
  auto const found = to_host(space, left);
  EXPECT_EQ(largest_difference(to_host(space, right), rhs), 0) << "the right-hand side is kept";

  // The residual by the equation itself.
  HostField<double> residual(extents);
  residual.fill([&](int k, int j, int i) { return double(rhs(k, j, i)) - problem(found, side_value, k, j, i); });
  double const eps = std::numeric_limits<T>::epsilon();
  double const backward = 32 * eps * (largest(rhs) + problem.own_weight() * (largest(lambda) + 1));
  EXPECT_LE(largest(residual), backward);
  EXPECT_TRUE(report.converged) << report.residual;
  EXPECT_EQ(report.iterations, 1);

  // Checks the solution within the bound by the residual: the largest row sum of the inverse. For a matrix with this
  // pattern of signs, that is its solution for a constant.
  double inverse = 0;
  if (solver.singular()) {
    double const mean = mean_of(problem.grid, lambda);
    for (T& value : lambda.values) value = static_cast<T>(value - mean);
    std::array const lengths{problem.grid.nx() * problem.grid.dx() / std::sqrt(problem.weights[0]),
                             problem.grid.ny() * problem.grid.dy() / std::sqrt(problem.weights[1]),
                             problem.grid.z_face(problem.grid.nz()) / std::sqrt(problem.weights[2])};
    inverse = *std::max_element(lengths.begin(), lengths.end());
    inverse *= inverse;
  } else {
    auto const ones = to_device(space, HostField<T>(extents, T(-1)));
    solver.apply(space, ones, ones);
    inverse = largest(to_host(space, ones));
  }
  EXPECT_LE(largest_difference(found, lambda), inverse * backward + 8 * eps);
}

TYPED_TEST(FastPoissonOn, InvertsTheOperatorForEveryPairOfSides) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const pairs = all_side_pairs();
  auto const grid = UniformGrid::with_layers({7, 6}, {0.5, 0.8}, {0.3, 0.5, 0.4, 0.9, 0.7});
  for (std::size_t x = 0; x < pairs.size(); ++x) {
    for (std::size_t y = 0; y < pairs.size(); ++y) {
      auto const& z = pairs[(3 * x + y) % pairs.size()];
      SCOPED_TRACE("sides number " + std::to_string(x) + ", " + std::to_string(y));
      expect_inverse<Exec, T>(this->space, {grid, boundaries(pairs[x], pairs[y], z), {1, 0.7, 1.3}});
    }
  }
}

TYPED_TEST(FastPoissonOn, InvertsTheOperatorForEveryExtent) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const pairs = all_side_pairs();
  for (int n = 1; n <= 20; ++n) {
    auto const& pair = pairs[static_cast<std::size_t>(7 * n) % pairs.size()];
    auto const& other = pairs[static_cast<std::size_t>(3 * n + 1) % pairs.size()];
    SCOPED_TRACE(n);
    expect_inverse<Exec, T>(this->space, {UniformGrid({n, 5, 4}, {1, 1, 1}), boundaries(pair, other, pair)});
    expect_inverse<Exec, T>(this->space, {UniformGrid({5, n, 4}, {1, 1, 1}), boundaries(other, pair, pair)});
    for (auto const& z : pairs) {
      expect_inverse<Exec, T>(this->space, {UniformGrid({3, 4, n}, {1, 1, 1}), boundaries(pair, other, z)});
    }
  }
}

/// Long enough for more than one slab of layers and partial chunks, wide enough for full vectors and rests.
TYPED_TEST(FastPoissonOn, InvertsTheOperatorOnLargerGrids) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const pairs = all_side_pairs();
  for (auto const& pair : pairs) {
    expect_inverse<Exec, T>(this->space, {UniformGrid({45, 12, 70}, {1, 1, 1}), boundaries(pair, pair, pair)});
  }
  // Between periodic sides a device has whole columns in a team: of one chunk more or less, of unequal chunks.
  SidePair const around{Boundary::periodic, Boundary::periodic};
  for (int nz : {63, 64, 65, 100, 257, 513}) {
    std::vector<double> layers;
    for (int k = 0; k < nz; ++k) layers.push_back(1 + 0.5 * (k % 7));
    auto const grid = UniformGrid::with_layers({9, 6}, {2, 3}, layers);
    for (auto const& z : pairs) {
      SCOPED_TRACE(nz);
      expect_inverse<Exec, T>(this->space, {grid, boundaries(around, around, z)});
    }
  }
}

TYPED_TEST(FastPoissonOn, OneAndTwoDimensions) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  SidePair const none{Boundary::neumann, Boundary::neumann};
  for (auto const& pair : all_side_pairs()) {
    for (auto const& other : all_side_pairs()) {
      expect_inverse<Exec, T>(this->space, {UniformGrid({9, 14, 1}, {0.5, 1, 3}), boundaries(pair, other, none)});
    }
    expect_inverse<Exec, T>(this->space, {UniformGrid({33, 1, 1}, {0.5, 2, 3}), boundaries(pair, none, none)});
    expect_inverse<Exec, T>(this->space, {UniformGrid({1, 33, 1}, {0.5, 2, 3}), boundaries(none, pair, none)});
    expect_inverse<Exec, T>(this->space, {UniformGrid({1, 1, 33}, {0.5, 2, 3}), boundaries(none, none, pair)});
    expect_inverse<Exec, T>(this->space, {UniformGrid({8, 1, 9}, {0.5, 2, 3}), boundaries(pair, none, pair)});
    expect_inverse<Exec, T>(this->space, {UniformGrid({2, 2, 2}, {0.5, 2, 3}), boundaries(pair, pair, pair)});
    expect_inverse<Exec, T>(this->space, {UniformGrid({1, 1, 1}, {0.5, 2, 3}), boundaries(pair, pair, pair)});
  }
}

/// The mode of an axis of n cells: with h the distance from a side to the nearest centre in cells, 1/2 on the face and
/// 1 at the ghost centre.
double mode_value(SidePair const& pair, int m, int n, int size) {
  double const before = pair.first == Boundary::fixed ? 1 : 0.5;
  double const after = pair.second == Boundary::fixed ? 1 : 0.5;
  double const length = size - 1 + before + after;
  bool const open_low = pair.first == Boundary::neumann, open_high = pair.second == Boundary::neumann;
  if (pair.first == Boundary::periodic) return std::cos(2 * pi * m * n / size) + std::sin(2 * pi * m * n / size);
  double const waves = open_low == open_high ? m : m + 0.5;
  double const angle = pi * waves * (n + before) / length;
  return open_low ? std::cos(angle) : std::sin(angle);
}

double mode_eigenvalue(SidePair const& pair, int m, int size, double spacing) {
  double const length =
      size - 1 + (pair.first == Boundary::fixed ? 1 : 0.5) + (pair.second == Boundary::fixed ? 1 : 0.5);
  double const waves = (pair.first == Boundary::neumann) == (pair.second == Boundary::neumann) ? m : m + 0.5;
  double const angle = pair.first == Boundary::periodic ? 2 * pi * m / size : pi * waves / length;
  double const sine = std::sin(angle / 2);  // 1 - cos(angle) would lose digits of small angles
  return 4 * sine * sine / (spacing * spacing);
}

/// A product of modes is the solution for itself times its eigenvalue.
TYPED_TEST(FastPoissonOn, Eigenfunctions) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({24, 15, 16}, {0.5, 0.25, 0.75});
  std::array<int, 3> const modes{5, 3, 2};
  for (auto const& x : all_side_pairs()) {
    for (auto const& z : all_side_pairs()) {
      SidePair const y{z.second, z.first};
      double const eigenvalue = -(mode_eigenvalue(x, modes[0], 24, 0.5) + mode_eigenvalue(y, modes[1], 15, 0.25) +
                                  mode_eigenvalue(z, modes[2], 16, 0.75));
      HostField<T> expected(grid.extents(Location::cell));
      expected.fill([&](int k, int j, int i) {
        return mode_value(x, modes[0], i, 24) * mode_value(y, modes[1], j, 15) * mode_value(z, modes[2], k, 16);
      });
      HostField<T> rhs = expected;
      for (T& value : rhs.values) value = static_cast<T>(value * eigenvalue);
      auto const right = to_device(this->space, rhs);
      auto const left = to_device(this->space, rhs);
      FastPoisson<Exec, T> solver(this->space, {grid, boundaries(x, y, z)});
      EXPECT_TRUE(solver.solve(this->space, left, right).converged);
      // The inverse may enlarge errors by the ratio of this mode's eigenvalue to the smallest one, below 40 here.
      EXPECT_LE(largest_difference(to_host(this->space, left), expected),
                40 * 16 * std::numeric_limits<T>::epsilon() * largest(expected));
    }
  }
}

/// Modes whose eigenvalue is negligible beside the couplings of the columns: long cells under thin layers. Added to the
/// diagonal in f32, it left a zero pivot.
TYPED_TEST(FastPoissonOn, EigenvaluesFarBelowTheCouplings) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  SidePair const closed_side{Boundary::neumann, Boundary::neumann}, around{Boundary::periodic, Boundary::periodic};
  double const thin = 1e-3 * std::sqrt(std::numeric_limits<T>::epsilon());
  for (auto const& [x, z] :
       {std::pair{closed_side, closed_side}, {closed_side, around}, {around, closed_side}, {around, around}}) {
    for (int nz : {2, 3, 16, 33, 100}) {
      UniformGrid const grid({88, 1, nz}, {1, 1, thin});
      HostField<T> expected(grid.extents(Location::cell)), rhs(grid.extents(Location::cell));
      double const eigenvalue = mode_eigenvalue(x, 1, 88, 1);
      expected.fill([&](int, int, int i) { return mode_value(x, 1, i, 88); });
      rhs.fill([&](int, int, int i) { return -eigenvalue * mode_value(x, 1, i, 88); });
      FastPoisson<Exec, T> solver(this->space, {grid, boundaries(x, x, z)});
      auto const left = to_device(this->space, rhs);
      solver.apply(this->space, to_device(this->space, rhs), left);
      EXPECT_LE(largest_difference(to_host(this->space, left), expected), 64 * std::numeric_limits<T>::epsilon() * nz)
          << nz << " layers, x " << (x.first == Boundary::periodic ? "periodic" : "closed") << ", z "
          << (z.first == Boundary::periodic ? "periodic" : "closed");
    }
  }
}

/// Largest error on a square or cube with n cells per side and boundary values of p.
template <class Exec>
double smooth_error(Exec const& space, int n, bool planar, Boundary kind) {
  // Zero slope at 0 and 1 for Neumann sides, period 1 for periodic ones, values at will for the others.
  auto const f = [&](double s) {
    if (kind == Boundary::neumann) return std::cos(pi * s);
    if (kind == Boundary::periodic) return std::sin(2 * pi * s);
    return std::exp(s) + std::sin(3 * s);
  };
  auto const second = [&](double s) {
    if (kind == Boundary::neumann) return -pi * pi * std::cos(pi * s);
    if (kind == Boundary::periodic) return -4 * pi * pi * std::sin(2 * pi * s);
    return std::exp(s) - 9 * std::sin(3 * s);
  };
  bool const fixed = kind == Boundary::fixed;
  // Ghost centres on 0 and 1: n cells between them.
  double const h = 1.0 / (fixed ? n + 1 : n);
  auto const at = [&](int m) { return (m + (fixed ? 1 : 0.5)) * h; };
  UniformGrid const grid({n, n, planar ? 1 : n}, {h, h, h});
  auto const sides = planar ? boundaries({kind, kind}, {kind, kind}, {Boundary::neumann, Boundary::neumann})
                            : boundaries({kind, kind}, {kind, kind}, {kind, kind});
  auto const z = [&](int k) { return planar ? 1.0 : f(at(k)); };
  HostField<double> rhs(grid.extents(Location::cell));
  rhs.fill([&](int k, int j, int i) {
    double const plane = (second(at(i)) * f(at(j)) + f(at(i)) * second(at(j))) * z(k);
    return plane + (planar ? 0 : f(at(i)) * f(at(j)) * second(at(k)));
  });
  FastPoisson<Exec, double> solver(space, {grid, sides});
  if (kind == Boundary::dirichlet || fixed) {
    for (int number = 0; number < (planar ? 4 : 6); ++number) {
      double const here = f(number % 2 == 0 ? 1 : 0);
      int const slow = number / 2 == 2 ? grid.ny() : grid.nz();
      auto const value = [&](int a, int b) { return here * (number / 2 == 2 ? f(at(a)) : z(a)) * f(at(b)); };
      solver.set_boundary_values(space, static_cast<Side>(number), make_plane<double>(space, slow, n, value));
    }
  }
  auto const lambda = to_device(space, rhs);
  solver.solve(space, lambda, to_device(space, rhs));
  HostField<double> expected(grid.extents(Location::cell));
  expected.fill([&](int k, int j, int i) { return f(at(i)) * f(at(j)) * z(k); });
  return largest_difference(to_host(space, lambda), expected);
}

template <class Parameter>
class FastPoissonOrderOn : public FastPoissonOn<Parameter> {};
TYPED_TEST_SUITE(FastPoissonOrderOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

TYPED_TEST(FastPoissonOrderOn, SecondOrderInTwoAndThreeDimensions) {
  for (Boundary kind : {Boundary::dirichlet, Boundary::fixed, Boundary::neumann, Boundary::periodic}) {
    for (bool planar : {true, false}) {
      int const coarse = planar ? 32 : 12;
      double before = smooth_error(this->space, coarse, planar, kind);
      for (int n : {2 * coarse, 4 * coarse}) {
        double const error = smooth_error(this->space, n, planar, kind);
        bool const finest = n == 4 * coarse;
        double const cells = kind == Boundary::fixed ? double(n + 1) / (n / 2 + 1) : 2;
        double const order = std::log(before / error) / std::log(cells);
        EXPECT_NEAR(order, 2, finest ? 0.05 : 0.2) << "kind " << int(kind) << (planar ? " plane" : " box") << n;
        before = error;
      }
    }
  }
}

/// Where the right-hand side has a mean, no solution exists: its mean is reported and subtracted.
TYPED_TEST(FastPoissonOn, SingularProblemsReportWhatCannotBeSolved) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  SidePair const neumann{Boundary::neumann, Boundary::neumann}, periodic{Boundary::periodic, Boundary::periodic};
  auto const grid = UniformGrid::with_layers({9, 8}, {1, 1}, {1, 2, 1.5, 1, 0.5});
  for (auto const& x : {neumann, periodic}) {
    for (auto const& y : {neumann, periodic}) {
      for (auto const& z : {neumann, periodic}) {
        FastPoisson<Exec, T> solver(this->space, {grid, boundaries(x, y, z)});
        EXPECT_TRUE(solver.singular());
        HostField<T> rhs(grid.extents(Location::cell));
        rhs.fill(noise);
        double const mean = mean_of(grid, rhs);
        for (T& value : rhs.values) value = static_cast<T>(value + 0.25 - mean);
        auto const lambda = to_device(this->space, rhs);
        auto const report = solver.solve(this->space, lambda, to_device(this->space, rhs));
        double const eps = std::numeric_limits<T>::epsilon();
        EXPECT_FALSE(report.converged);
        EXPECT_NEAR(solver.imbalance(this->space), 0.25, 40 * eps);
        EXPECT_NEAR(report.residual, 0.25 / largest(rhs), 1e3 * eps);
        auto const incompatible = to_host(this->space, lambda);
        EXPECT_NEAR(mean_of(grid, incompatible), 0, 40 * eps * largest(incompatible));

        for (T& value : rhs.values) value = static_cast<T>(value - 0.25);
        EXPECT_TRUE(solver.solve(this->space, lambda, to_device(this->space, rhs)).converged);
        EXPECT_NEAR(solver.imbalance(this->space), 0, 40 * eps);
        EXPECT_LE(largest_difference(to_host(this->space, lambda), incompatible), 1e3 * eps * largest(incompatible));
      }
    }
  }
  FastPoisson<Exec, T> regular(this->space, {grid, {}});
  EXPECT_FALSE(regular.singular());
  EXPECT_EQ(regular.imbalance(this->space), 0);
}

TYPED_TEST(FastPoissonOn, InPlaceAndPlanesGiveTheSameBits) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({20, 13, 1}, {1, 1, 1});
  SerialPoisson const problem{grid,
                              boundaries({Boundary::fixed, Boundary::neumann}, {Boundary::dirichlet, Boundary::fixed},
                                         {Boundary::neumann, Boundary::neumann})};
  FastPoisson<Exec, T> solver(this->space, {grid, problem.sides});
  set_sides(this->space, solver, problem);
  HostField<T> rhs(grid.extents(Location::cell));
  rhs.fill(noise);
  auto const right = to_device(this->space, rhs);
  auto const lambda = to_device(this->space, rhs);
  auto const plane = to_device(this->space, rhs);
  solver.solve(this->space, lambda, right);
  auto const report = solver.solve(this->space, plane, plane, {.check = false});
  EXPECT_TRUE(std::isnan(report.residual));
  EXPECT_FALSE(report.converged);
  EXPECT_LE(largest_difference(to_host(this->space, plane), to_host(this->space, lambda)),
            64 * std::numeric_limits<T>::epsilon() * largest(to_host(this->space, lambda)));
  auto const again = to_device(this->space, rhs);
  Plane<Exec, T> const flat(again.data(), 13, 20);
  EXPECT_TRUE(solver.solve(this->space, flat, ConstPlane<Exec, T>(right.data(), 13, 20)).converged);
  EXPECT_EQ(largest_difference(to_host(this->space, again), to_host(this->space, lambda)), 0);
  EXPECT_THROW(solver.solve(this->space, plane, plane), std::invalid_argument);
}

/// Linear, whatever the boundary values are.
TYPED_TEST(FastPoissonOn, ApplyIgnoresBoundaryValues) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({6, 5, 4}, {1, 1, 1});
  FastPoisson<Exec, T> plain(this->space, {grid, {}}), with_values(this->space, {grid, {}});
  set_sides(this->space, with_values, {grid, {}});
  HostField<T> rhs(grid.extents(Location::cell));
  rhs.fill(noise);
  auto const a = to_device(this->space, rhs), b = to_device(this->space, rhs);
  plain.apply(this->space, to_device(this->space, rhs), a);
  with_values.apply(this->space, to_device(this->space, rhs), b);
  EXPECT_EQ(largest_difference(to_host(this->space, a), to_host(this->space, b)), 0);
  auto const zero = to_device(this->space, HostField<T>(grid.extents(Location::cell), T(0)));
  with_values.apply(this->space, zero, a);
  EXPECT_EQ(largest(to_host(this->space, a)), 0);
  with_values.solve(this->space, a, zero);
  EXPECT_GT(largest(to_host(this->space, a)), 0.01);
}

TYPED_TEST(FastPoissonOn, BadInput) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({6, 5, 4}, {1, 1, 1});
  using Solver = FastPoisson<Exec, T>;
  EXPECT_THROW(Solver(this->space, {grid, {}, std::array{1.0, 0.0, 1.0}}), std::invalid_argument);
  Boundaries lopsided;
  lopsided.east = Boundary::periodic;
  EXPECT_THROW(Solver(this->space, {grid, lopsided}), std::invalid_argument);
  Solver solver(this->space, {grid, Boundaries{Boundary::periodic, Boundary::periodic}});
  auto const plane = make_plane<T>(this->space, 4, 5, [](int, int) { return 1; });
  EXPECT_THROW(solver.set_boundary_values(this->space, Side::east, plane), std::invalid_argument);
  EXPECT_THROW(solver.set_boundary_values(this->space, Side::top, plane), std::invalid_argument);
  auto const wrong = to_device(this->space, HostField<T>({4, 5, 7}, T(0)));
  auto const right = to_device(this->space, HostField<T>({4, 5, 6}, T(0)));
  EXPECT_THROW(solver.solve(this->space, wrong, right), std::invalid_argument);
  EXPECT_THROW(solver.apply(this->space, right, wrong), std::invalid_argument);
  HostField<T> broken({4, 5, 6}, T(1));
  broken(2, 2, 2) = std::numeric_limits<T>::quiet_NaN();
  auto const report = solver.solve(this->space, right, to_device(this->space, broken));
  EXPECT_FALSE(report.converged);
  EXPECT_FALSE(std::isfinite(report.residual));
}

/// Rules for codes that embed the solver: labels, the caller's instance, no allocation.
TYPED_TEST(FastPoissonOn, SolveKeepsTheRulesOfEmbedding) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Kind = karman::test::RecordedEvent::Kind;
  auto const ours = [](std::string const& label) { return label.find("karman::") != std::string::npos; };
  UniformGrid const grid({12, 10, 17}, {1, 1, 1});
  for (auto const& pair : all_side_pairs()) {
    SerialPoisson const problem{grid, boundaries(pair, pair, pair)};
    auto const rhs = to_device(this->space, HostField<T>(grid.extents(Location::cell), T(1)));
    auto const lambda = to_device(this->space, HostField<T>(grid.extents(Location::cell), T(0)));
    std::unique_ptr<FastPoisson<Exec, T>> solver;
    auto const plan = karman::test::record([&] {
      solver = std::make_unique<FastPoisson<Exec, T>>(this->space, SevenPointProblem<Exec, T>(grid, problem.sides));
    });
    set_sides(this->space, *solver, problem);
    auto const use = karman::test::record([&] {
      solver->solve(this->space, lambda, rhs);
      solver->apply(this->space, lambda, lambda);
      solver->imbalance(this->space);
    });
    bool allocated = false;
    int kernels = 0;
    for (auto const& event : plan) {
      allocated = allocated || event.kind == Kind::allocation;
      if (event.kind == Kind::kernel || event.kind == Kind::allocation) {
        EXPECT_TRUE(ours(event.label)) << event.label;
      }
    }
    EXPECT_TRUE(allocated) << "the listener works";
    for (auto const& event : use) {
      EXPECT_NE(event.kind, Kind::allocation) << event.label;
      if (event.kind == Kind::copy) {
        EXPECT_TRUE(ours(event.label) && ours(event.source)) << event.label;
      }
      if (event.kind != Kind::kernel) continue;
      ++kernels;
      EXPECT_TRUE(ours(event.label)) << event.label;
      EXPECT_EQ(event.device, Kokkos::Tools::Experimental::device_id(this->space)) << event.label;
    }
    EXPECT_GT(kernels, 2);
    EXPECT_GT(solver->workspace_bytes(), 0);
  }
}

}  // namespace fast_poisson_test
