// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "fields.hpp"
#include "serial_sor.hpp"
#include "solvers/common/bits_on_threads.hpp"
#include <karman/solvers/grid/seven_point.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace seven_point_test {

using namespace karman;
using karman::test::HostField;
using karman::test::in_precision;
using karman::test::make_plane;
using karman::test::SerialSor;
using karman::test::to_device;
using karman::test::to_host;

template <class Parameter>
class SevenPointOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;

  Field<Exec, T> device(HostField<double> const& field) const { return to_device(space, in_precision<T>(field)); }
  Field<Exec, T> empty(UniformGrid const& grid) const {
    return to_device(space, HostField<T>(grid.extents(Location::cell)));
  }
  DeviceNumber<Exec> number() const { return DeviceNumber<Exec>(Kokkos::view_alloc(space, "karman::test::number")); }
  double value(DeviceNumber<Exec> const& number) const {
    auto const host = Kokkos::create_mirror_view(number);
    Kokkos::deep_copy(space, host, number);
    space.fence();
    return host();
  }
};
TYPED_TEST_SUITE(SevenPointOn, karman::test::AllBackends, karman::test::BackendNames);

enum class Storage { box, codes, arrays, arrays_with_weights };

/// Values beyond the sides that are exact in float.
double beyond(int side, int slow, int fast) { return 0.25 * side - 0.125 * (slow % 5) + 0.0625 * (fast % 7) + 0.5; }

/// Random values in [-1, 1], exact in float, and coefficients of the kind that the storage holds.
SerialSor random_problem(UniformGrid const& grid, Boundaries const& sides, Storage storage, unsigned seed) {
  std::mt19937 random(seed);
  auto const value = [&](int, int, int) { return (int(random() % 2049) - 1024) / 1024.0; };
  auto const extents = grid.extents(Location::cell);
  SerialSor problem{
      grid, {1, 1.5, 0.5}, {}, {}, HostField<double>(extents), HostField<double>(extents), sides.periodic(), beyond};
  problem.lambda.fill(value);
  problem.rhs.fill(value);
  std::array<int, 3> const cells{grid.nx(), grid.ny(), grid.nz()};
  for (std::size_t n = 0; n < 6; ++n) {
    problem.face[n] = HostField<double>(extents);
    problem.face[n].fill([&](int k, int j, int i) {
      std::array const at{i, j, k};
      Boundary const kind = sides[static_cast<Side>(n)];
      std::size_t const axis = n / 2;
      bool const edge = at[axis] == (n % 2 == 0 ? cells[axis] - 1 : 0);
      double const open = edge && kind == Boundary::dirichlet ? 2.0 : 1.0;
      if ((edge && kind == Boundary::neumann) || (cells[axis] == 1 && kind == Boundary::periodic)) return 0.0;
      if (storage == Storage::box) return open;
      if (storage == Storage::codes) return random() % 5 == 0 ? 0.0 : random() % 5 == 0 ? 0.5 : open;
      return random() % 7 == 0 ? 0.0 : open * double(1 + random() % 15) / 16.0;
    });
  }
  if (storage == Storage::arrays_with_weights) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      problem.half_weight[axis] = HostField<double>(extents);
      // A missing axis must not contribute: the reference has zero, the operator is given nonsense.
      Boundary const kind = sides[static_cast<Side>(2 * axis)];
      bool const absent = cells[axis] == 1 && (kind == Boundary::neumann || kind == Boundary::periodic);
      problem.half_weight[axis].fill([&](int, int, int) { return absent ? 0.0 : 1.0 + double(random() % 8) / 8.0; });
    }
  }
  if (storage != Storage::box) {
    for (int k = 0; k < grid.nz(); ++k)
      for (int j = 0; j < grid.ny(); ++j)
        for (int i = 0; i < grid.nx(); ++i)
          if (random() % 7 == 0)
            for (auto& face : problem.face) face(k, j, i) = 0;
  }
  return problem;
}

template <class Fixture>
auto make_operator(Fixture& fixture, SerialSor const& problem, Boundaries const& sides, Storage storage) {
  using Exec = typename Fixture::Exec;
  using T = typename Fixture::T;
  if (storage == Storage::box) return SevenPoint<Exec, T>(fixture.space, {problem.grid, sides, problem.weights});
  auto const& face = problem.face;
  auto const field = [&](HostField<double> const& f) { return fixture.device(f); };
  FaceCoefficients<Exec, T> c(field(face[0]), field(face[1]), field(face[2]), field(face[3]), field(face[4]),
                              field(face[5]));
  if (storage == Storage::arrays_with_weights) {
    auto const nonsense = [&](HostField<double> weight) {
      for (double& value : weight.values) {
        if (value == 0) value = 77;
      }
      return field(weight);
    };
    c.own_x = nonsense(problem.half_weight[0]);
    c.own_y = nonsense(problem.half_weight[1]);
    c.own_z = nonsense(problem.half_weight[2]);
  }
  if (storage == Storage::codes) {
    return SevenPoint<Exec, T>(fixture.space,
                               {problem.grid, sides, pack(fixture.space, problem.grid, c), problem.weights});
  }
  return SevenPoint<Exec, T>(fixture.space, {problem.grid, sides, c, problem.weights});
}

template <class Fixture, class Operator>
void set_values_beyond(Fixture& fixture, Operator& a, UniformGrid const& grid, Boundaries const& sides) {
  for (int side = 0; side < 6; ++side) {
    if (sides[static_cast<Side>(side)] == Boundary::periodic) continue;
    int const slow = side < 4 ? grid.nz() : grid.ny(), fast = side < 2 ? grid.ny() : grid.nx();
    a.set_boundary_values(
        fixture.space, static_cast<Side>(side),
        make_plane<typename Fixture::T>(fixture.space, slow, fast, [&](int s, int f) { return beyond(side, s, f); }));
  }
}

/// Largest difference from a function of the cell.
template <class T, class Function>
double largest_difference(HostField<T> const& field, Function const& function) {
  double largest = 0;
  for (int k = 0; k < field.nz; ++k)
    for (int j = 0; j < field.ny; ++j)
      for (int i = 0; i < field.nx; ++i)
        largest = std::max(largest, std::abs(double(field(k, j, i)) - function(k, j, i)));
  return largest;
}

template <class Fixture>
void compare_with_reference(Fixture& fixture, UniformGrid const& grid, Boundaries const& sides, Storage storage) {
  SCOPED_TRACE(::testing::Message() << grid.nx() << " x " << grid.ny() << " x " << grid.nz() << ", storage "
                                    << int(storage) << ", east " << int(sides.east) << ", top " << int(sides.top));
  SerialSor problem = random_problem(grid, sides, storage, 3u + unsigned(grid.cell_count()));
  auto a = make_operator(fixture, problem, sides, storage);
  set_values_beyond(fixture, a, grid, sides);
  auto const& space = fixture.space;
  auto const lambda = fixture.device(problem.lambda), rhs = fixture.device(problem.rhs), result = fixture.empty(grid);
  auto const number = fixture.number();
  // Some fifteen operations per cell on values that add up to four times the largest own weight.
  double own = 0;
  for (int k = 0; k < grid.nz(); ++k)
    for (int j = 0; j < grid.ny(); ++j)
      for (int i = 0; i < grid.nx(); ++i) own = std::max(own, problem.equation(k, j, i).own);
  double const bound = 16 * std::numeric_limits<typename Fixture::T>::epsilon() * (1 + 4 * own);

  a.residual(space, lambda, rhs, result, number);
  auto const residual = [&](int k, int j, int i) { return -problem.equation(k, j, i).residual; };
  EXPECT_LE(largest_difference(to_host(space, result), residual), bound);
  EXPECT_NEAR(fixture.value(number), problem.residual(), bound);
  EXPECT_EQ(a.largest_residual(space, lambda, rhs, result), fixture.value(number));

  SerialSor at_zero = problem;
  at_zero.lambda.fill([](int, int, int) { return 0; });
  a.right_hand_side(space, rhs, result, number);
  EXPECT_LE(largest_difference(to_host(space, result),
                               [&](int k, int j, int i) { return -at_zero.equation(k, j, i).residual; }),
            bound);
  EXPECT_NEAR(fixture.value(number), at_zero.residual(), bound);

  SerialSor linear = problem;
  linear.beyond = {};
  linear.rhs.fill([](int, int, int) { return 0; });
  auto const applied = [&](int k, int j, int i) { return linear.equation(k, j, i).residual; };
  a.apply(space, lambda, result);
  auto const product = to_host(space, result);
  EXPECT_LE(largest_difference(product, applied), bound);
  double dot = 0;
  double magnitude = 0;
  double const mean_dz = (grid.z_face(grid.nz()) - grid.z_face(0)) / grid.nz();
  largest_difference(product, [&](int k, int j, int i) {
    double const term = grid.dz(k) / mean_dz * problem.lambda(k, j, i) * double(product(k, j, i));
    dot += term;
    magnitude += std::abs(term);
    return 0.0;
  });
  a.apply_dot(space, lambda, result, number);
  EXPECT_EQ(to_host(space, result).values, product.values);
  EXPECT_NEAR(fixture.value(number), dot, 1e-13 * magnitude);
}

Boundaries mixed() {
  return {Boundary::fixed, Boundary::dirichlet, Boundary::neumann,
          Boundary::fixed, Boundary::dirichlet, Boundary::neumann};
}

/// Kinds of sides for a grid: all Dirichlet, all kinds mixed, periodic in some axes. Axes of one cell are closed.
std::vector<Boundaries> kinds_for(UniformGrid const& grid) {
  Boundaries some = mixed();
  some.north = some.south = Boundary::periodic;
  Boundaries others = mixed();
  others.east = others.west = others.top = others.bottom = Boundary::periodic;
  std::vector<Boundaries> kinds{Boundaries::all(Boundary::dirichlet), mixed(), some, others,
                                Boundaries::all(Boundary::periodic)};
  for (auto& kind : kinds) {
    if (grid.ny() == 1 && kind.north != Boundary::periodic) kind.north = kind.south = Boundary::neumann;
    if (grid.nz() == 1 && kind.top != Boundary::periodic) kind.top = kind.bottom = Boundary::neumann;
  }
  return kinds;
}

TYPED_TEST(SevenPointOn, AppliesAsTheReference) {
  for (auto const& cells : std::vector<std::array<int, 3>>{{1, 1, 1},
                                                           {7, 1, 1},
                                                           {64, 1, 1},
                                                           {2, 3, 1},
                                                           {33, 18, 1},
                                                           {32, 9, 1},
                                                           {1, 5, 4},
                                                           {3, 3, 3},
                                                           {36, 17, 5},
                                                           {65, 4, 34}}) {
    UniformGrid const grid(cells, {1, 0.5, 2});
    for (auto const& sides : kinds_for(grid)) {
      for (auto storage : {Storage::box, Storage::codes, Storage::arrays, Storage::arrays_with_weights}) {
        compare_with_reference(*this, grid, sides, storage);
      }
    }
  }
}

TYPED_TEST(SevenPointOn, AppliesAsTheReferenceOnStretchedLayers) {
  auto const grid = UniformGrid::with_layers({17, 6}, {1, 2}, {0.5, 0.75, 1, 1.5, 2});
  for (auto const& sides : kinds_for(grid)) {
    for (auto storage : {Storage::box, Storage::codes, Storage::arrays_with_weights}) {
      compare_with_reference(*this, grid, sides, storage);
    }
  }
}

/// Random boxes, about 12 % of the cells.
HostField<std::uint8_t> boxes(UniformGrid const& grid) {
  std::mt19937 random(5);
  HostField<std::uint8_t> solid(grid.extents(Location::cell));
  for (int n = 0; n < 6; ++n) {
    int const i0 = int(random() % unsigned(grid.nx())), j0 = int(random() % unsigned(grid.ny()));
    for (int k = 0; k < grid.nz() / 2; ++k)
      for (int j = j0; j < std::min(j0 + 3, grid.ny()); ++j)
        for (int i = i0; i < std::min(i0 + 3, grid.nx()); ++i) solid(k, j, i) = 1;
  }
  return solid;
}

/// <x, y> weighted with the layers, on the host.
template <class T>
double inner_product(UniformGrid const& grid, HostField<T> const& x, HostField<T> const& y) {
  double sum = 0;
  for (int k = 0; k < x.nz; ++k)
    for (int j = 0; j < x.ny; ++j)
      for (int i = 0; i < x.nx; ++i) sum += grid.dz(k) * double(x(k, j, i)) * double(y(k, j, i));
  return sum;
}

TYPED_TEST(SevenPointOn, IsSelfAdjointAndNegative) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const grid = UniformGrid::with_layers({15, 14}, {1, 2}, {0.5, 0.75, 1, 1.5, 2, 2, 2});
  std::mt19937 random(9);
  auto const value = [&](int, int, int) { return (int(random() % 2049) - 1024) / 1024.0; };
  HostField<T> x(grid.extents(Location::cell)), y(grid.extents(Location::cell));
  x.fill(value);
  y.fill(value);
  auto const dx = to_device(this->space, x), dy = to_device(this->space, y), result = this->empty(grid);
  for (auto const& sides : kinds_for(grid)) {
    auto const codes = make_wall_codes<Exec>(this->space, grid, sides,
                                             ConstField<Exec, std::uint8_t>(to_device(this->space, boxes(grid))));
    SevenPoint<Exec, T> a(this->space, {grid, sides, codes, {1, 1, 0.3}});
    a.apply(this->space, dx, result);
    auto const ax = to_host(this->space, result);
    a.apply(this->space, dy, result);
    auto const ay = to_host(this->space, result);
    double const size = std::sqrt(inner_product(grid, ax, ax) * inner_product(grid, y, y));
    EXPECT_NEAR(inner_product(grid, ax, y), inner_product(grid, x, ay), 16 * std::numeric_limits<T>::epsilon() * size);
    EXPECT_LT(inner_product(grid, ax, x), 0);
  }
}

TYPED_TEST(SevenPointOn, HasTheRightNullSpace) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const grid = UniformGrid::with_layers({12, 9}, {1, 2}, {0.5, 0.75, 1, 1.5});
  auto const solid = boxes(grid);
  auto const number = this->number();
  HostField<T> field(grid.extents(Location::cell));
  field.fill([](int k, int j, int i) { return 3 + 0.25 * k - 0.5 * (j % 3) + 0.125 * i; });
  Boundaries around = Boundaries::all(Boundary::neumann);
  around.east = around.west = Boundary::periodic;
  for (auto const& sides : {Boundaries::all(Boundary::neumann), around, Boundaries::all(Boundary::periodic)}) {
    auto const codes =
        make_wall_codes<Exec>(this->space, grid, sides, ConstField<Exec, std::uint8_t>(to_device(this->space, solid)));
    SevenPoint<Exec, T> a(this->space, {grid, sides, codes});
    ASSERT_TRUE(a.singular());
    auto const ones = to_device(this->space, HostField<T>(grid.extents(Location::cell), T(7)));
    auto const result = to_device(this->space, HostField<T>(grid.extents(Location::cell), T(1)));
    a.apply(this->space, ones, result);
    for (T value : to_host(this->space, result).values) EXPECT_EQ(value, T(0));

    auto const changed = to_device(this->space, field);
    a.remove_mean(this->space, changed, number);
    double sum = 0, volume = 0, left = 0;
    auto const after = to_host(this->space, changed);
    for (int k = 0; k < grid.nz(); ++k)
      for (int j = 0; j < grid.ny(); ++j)
        for (int i = 0; i < grid.nx(); ++i) {
          if (solid(k, j, i) != 0) {
            EXPECT_EQ(after(k, j, i), field(k, j, i));
            continue;
          }
          sum += grid.dz(k) * double(field(k, j, i));
          left += grid.dz(k) * double(after(k, j, i));
          volume += grid.dz(k);
        }
    EXPECT_NEAR(this->value(number), sum / volume, 1e-13 * sum / volume);
    EXPECT_NEAR(left / volume, 0, 4 * std::numeric_limits<T>::epsilon() * sum / volume);
  }
  EXPECT_FALSE((SevenPoint<Exec, T>(this->space, {grid, mixed()}).singular()));
  EXPECT_TRUE((SevenPoint<Exec, T>(this->space, {grid, around}).singular()));
  // An own weight ties the cell to zero, whatever the sides are.
  auto const shut = Boundaries::all(Boundary::neumann);
  auto closed = unpack<Exec, T>(this->space, grid, make_wall_codes<Exec>(this->space, grid, shut));
  EXPECT_TRUE((SevenPoint<Exec, T>(this->space, {grid, shut, closed}).singular()));
  closed.own_x = closed.own_y = closed.own_z = to_device(this->space, HostField<T>(grid.extents(Location::cell), T(1)));
  EXPECT_FALSE((SevenPoint<Exec, T>(this->space, {grid, shut, closed}).singular()));
}

TYPED_TEST(SevenPointOn, ReportsItsParts) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Boundaries sides = Boundaries::planar(Boundary::dirichlet);
  sides.east = Boundary::fixed;
  sides.north = sides.south = Boundary::periodic;
  UniformGrid const grid({8, 1, 1}, {1, 1, 1});
  SevenPoint<Exec, T> a(this->space, {grid, sides});
  EXPECT_EQ(a.opening(Side::east), 2);
  EXPECT_EQ(a.opening(Side::west), 4);
  EXPECT_EQ(a.opening(Side::top), 0);
  EXPECT_FALSE(a.axis_is_absent(0));
  EXPECT_TRUE(a.axis_is_absent(1));
  EXPECT_TRUE(a.axis_is_absent(2));
  EXPECT_EQ(a.extents(), (std::array{1, 1, 8}));
  EXPECT_TRUE(a.problem().sides.periodic()[1]);
  EXPECT_GT(a.workspace_bytes(), 0);
}

TYPED_TEST(SevenPointOn, RefusesWrongArguments) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({4, 5, 6}, {1, 1, 1});
  Boundaries sides = Boundaries::all(Boundary::dirichlet);
  SevenPoint<Exec, T> a(this->space, {grid, sides});
  auto const field = this->empty(grid), other = this->empty(grid);
  auto const wrong = to_device(this->space, HostField<T>({5, 5, 4}));
  EXPECT_THROW(a.apply(this->space, wrong, field), std::invalid_argument);
  EXPECT_THROW(a.apply(this->space, field, wrong), std::invalid_argument);
  EXPECT_THROW(a.apply(this->space, field, field), std::invalid_argument);
  EXPECT_THROW(a.residual(this->space, field, wrong, other), std::invalid_argument);
  EXPECT_THROW(a.residual(this->space, field, other, field), std::invalid_argument);
  EXPECT_NO_THROW(a.residual(this->space, field, other, other));
  EXPECT_THROW(a.remove_mean(this->space, field, this->number()), std::invalid_argument);
  EXPECT_THROW(
      a.set_boundary_values(this->space, Side::top, make_plane<T>(this->space, 4, 5, [](int, int) { return 0; })),
      std::invalid_argument);
  EXPECT_THROW((SevenPoint<Exec, T>(this->space, {grid, sides, std::array{1.0, -1.0, 1.0}})), std::invalid_argument);
  auto const codes = make_wall_codes<Exec>(this->space, grid, sides);
  EXPECT_THROW((SevenPoint<Exec, T>(this->space, {UniformGrid({4, 4, 4}, {1, 1, 1}), sides, codes})),
               std::invalid_argument);
  SevenPointProblem<Exec, T> both(grid, sides, codes);
  both.coefficients = unpack<Exec, T>(this->space, grid, codes);
  EXPECT_THROW((SevenPoint<Exec, T>(this->space, both)), std::invalid_argument);
  sides.top = Boundary::periodic;
  EXPECT_THROW((SevenPoint<Exec, T>(this->space, {grid, sides})), std::invalid_argument);
}

template <class Exec>
double product_of(Exec const& space) {
  UniformGrid const grid({67, 33, 21}, {1, 1, 1});
  HostField<float> field(grid.extents(Location::cell));
  field.fill([](int k, int j, int i) { return std::sin(0.1 * k + 0.7 * j + 1.3 * i); });
  SevenPoint<Exec, float> a(space, {grid, mixed()});
  auto const x = to_device(space, field), result = to_device(space, field);
  DeviceNumber<Exec> const number(Kokkos::view_alloc(space, "karman::test::number"));
  a.apply_dot(space, x, result, number);
  space.fence();
  return number();
}

TEST(SevenPoint, GivesTheSameBitsForAnyNumberOfThreads) {
  Kokkos::DefaultHostExecutionSpace const host;
  double const product = product_of(host);
  EXPECT_EQ(product_of(host), product);
#if defined(KOKKOS_ENABLE_SERIAL)
  EXPECT_EQ(product_of(Kokkos::Serial()), product);
#endif
  karman::test::expect_bits_on_any_threads(karman::test::bits_of(std::vector{product}));
}

}  // namespace seven_point_test
