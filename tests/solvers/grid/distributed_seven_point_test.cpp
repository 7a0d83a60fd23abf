// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as any number of processes; each also applies the whole operator alone.
#include "backends.hpp"
#include "distributed_cases.hpp"
#include "refused_calls.hpp"
#include <karman/core/compat.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace distributed_seven_point_test {

using namespace karman;
using karman::test::DistributedCase;
using karman::test::HostField;
using karman::test::world;

template <class Case>
class DistributedSevenPointOn : public ::testing::Test {};
TYPED_TEST_SUITE(DistributedSevenPointOn, karman::test::AllBackends, karman::test::BackendNames);

template <class Exec>
double fetched(Exec const& space, DeviceNumber<Exec> const& number) {
  auto const copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), number);
  compat::fence(space, "karman::test::fetched");
  return copy();
}

/// All that an operator computes of a case.
template <class T>
struct Values {
  HostField<T> a_x{{1, 1, 1}}, product_field{{1, 1, 1}}, residual{{1, 1, 1}}, b{{1, 1, 1}}, without_mean{{1, 1, 1}};
  double product = 0, largest_residual = 0, largest_b = 0, returned = 0, mean = 0;
  bool singular = false;
  std::array<double, 6> openings{};
};

template <class T, class Exec>
Values<T> values(Exec const& space, DistributedCase const& p, Box const& cells, Communicator const& communicator) {
  SevenPoint<Exec, T> a(space, p.problem<T>(space, cells, communicator), {.communicator = communicator});
  p.set_boundary_values<T>(space, a, cells);
  auto const x = p.cut<T>(space, p.first, cells);
  auto const rhs = p.cut<T>(space, p.rhs, cells);
  auto const result = p.cut<T>(space, p.rhs, cells);
  DeviceNumber<Exec> const number("karman::test::number");
  Values<T> v;
  a.apply(space, x, result);
  v.a_x = test::to_host(space, result);
  a.apply_dot(space, x, result, number);
  v.product_field = test::to_host(space, result);
  v.product = communicator.sum(fetched(space, number));
  a.residual(space, x, rhs, result, number);
  v.residual = test::to_host(space, result);
  v.largest_residual = communicator.largest(fetched(space, number));
  v.returned = a.largest_residual(space, x, rhs, result);
  a.right_hand_side(space, rhs, result, number);
  v.b = test::to_host(space, result);
  v.largest_b = communicator.largest(fetched(space, number));
  v.singular = a.singular();
  for (std::size_t side = 0; side < 6; ++side) v.openings[side] = a.opening(static_cast<Side>(side));
  if (v.singular) {
    a.remove_mean(space, x, number);
    v.without_mean = test::to_host(space, x);
    v.mean = fetched(space, number);
  }
  return v;
}

template <class Exec, class T>
void compare(unsigned seed) {
  Exec const space;
  Communicator const all = world();
  DistributedCase const p(all, seed, 1);
  auto const part = values<T>(space, p, p.box, all);
  auto const whole = values<T>(space, p, p.whole(), Communicator());
  std::string const text = p.text();
  EXPECT_TRUE(test::same_bits(part.a_x, whole.a_x, p.box)) << text;
  EXPECT_TRUE(test::same_bits(part.product_field, whole.product_field, p.box)) << text;
  EXPECT_TRUE(test::same_bits(part.residual, whole.residual, p.box)) << text;
  EXPECT_TRUE(test::same_bits(part.b, whole.b, p.box)) << text;
  EXPECT_EQ(part.largest_residual, whole.largest_residual) << text;
  EXPECT_EQ(part.returned, whole.returned) << text;
  EXPECT_EQ(part.largest_b, whole.largest_b) << text;
  EXPECT_EQ(part.openings, whole.openings) << text;
  ASSERT_EQ(part.singular, whole.singular) << text;
  // Sums of n terms in double, in another order: n epsilon of the sum of the magnitudes. |x| is at most 1, and |A x| at
  // most twice the own weight times that.
  double const n = static_cast<double>(p.grid.global_cell_count());
  double const own = 4 * 2 * (1 / (0.5 * 0.5) + 1 / (0.25 * 0.25) + 0.5);
  double const epsilon = std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(part.product, whole.product, n * epsilon * n * 2 * own) << text;
  if (!part.singular) return;
  EXPECT_NEAR(part.mean, whole.mean, n * epsilon) << text;
  double const rounding = n * epsilon + 2 * std::numeric_limits<T>::epsilon();
  EXPECT_LE(test::largest_difference(part.without_mean, whole.without_mean, p.box), rounding) << text;
}

TYPED_TEST(DistributedSevenPointOn, GivesTheBitsOfOneProcess) {
  using Exec = typename TypeParam::execution_space;
  karman::test::for_seeds<Exec>(0, 80, compare<Exec, typename TypeParam::real>);
}

/// Layers of different thickness, whose sums have weights, with all sides closed or periodic.
template <class Exec, class T>
void weighted_mean(std::array<int, 2> const& parts, bool periodic) {
  Exec const space;
  Communicator const all = world();
  UniformGrid const whole = UniformGrid::with_layers({13, 11}, {1, 0.5}, {0.25, 0.5, 1});
  UniformGrid const grid = test::own_part(whole, {.parts = parts, .multiple = 1});
  Boundaries const sides = Boundaries::all(periodic ? Boundary::periodic : Boundary::neumann);
  SevenPoint<Exec, T> const a(space, {grid, sides}, {.communicator = all});
  ASSERT_TRUE(a.singular());
  double const shares[] = {1, 2, 4};
  Box const own = grid.own_box();
  HostField<T> x(grid.extents(Location::cell));
  x.fill([&](int k, int j, int i) { return T((k + 1) * (i + own.begin[0]) + 3 * (j + own.begin[1])); });
  // Means of i and j are 6 and 5; of k + 1, weighted, (1 + 2 * 2 + 4 * 3) / 7.
  double const expected = 6 * (shares[0] + 2 * shares[1] + 3 * shares[2]) / 7 + 3 * 5;
  DeviceNumber<Exec> const mean("karman::test::mean");
  auto const field = test::to_device(space, x);
  a.remove_mean(space, field, mean);
  EXPECT_NEAR(fetched(space, mean), expected, 64 * std::numeric_limits<double>::epsilon() * expected);
  auto const result = test::to_device(space, x);
  auto const ones = test::to_device(space, x.fill([](int, int, int) { return T(1); }));
  a.apply(space, ones, result);
  EXPECT_EQ(test::largest(test::to_host(space, result)), 0);
}

TYPED_TEST(DistributedSevenPointOn, SubtractsTheMeanOfAllCells) {
  int const size = world().size();
  for (bool const periodic : {false, true}) {
    weighted_mean<typename TypeParam::execution_space, typename TypeParam::real>({1, size}, periodic);
    weighted_mean<typename TypeParam::execution_space, typename TypeParam::real>({size, 1}, periodic);
  }
}

template <class Exec, class T>
void expect_refused(SevenPointProblem<Exec, T> const& problem, Communicator const& communicator,
                    std::string const& part) {
  karman::test::expect_refused(part,
                               [&] { SevenPoint<Exec, T> const a(Exec(), problem, {.communicator = communicator}); });
}

TYPED_TEST(DistributedSevenPointOn, RefusesInAllProcesses) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  Communicator const all = world();
  UniformGrid const whole({8, 16, 4}, {1, 1, 1});
  expect_refused<Exec, T>({whole.part({{0, 0, 0}, {8, 7, 4}}), {}}, Communicator(), "part of a larger one");
  if (all.size() == 1) return;
  expect_refused<Exec, T>({whole, {}}, all, "must divide the x and y");
  UniformGrid const grid = test::own_part(whole);
  // Faults of one process alone.
  bool const last = all.rank() == all.size() - 1;
  SevenPointProblem<Exec, T> heavy(grid, {});
  if (last) heavy.weights[0] = -1;
  expect_refused(heavy, all, "weights must be positive");
  SevenPointProblem<Exec, T> mixed(grid, {});
  if (last) mixed.walls = Field<Exec, WallCode>("karman::test::codes", 4, grid.ny(), 8);
  expect_refused(mixed, all, "coefficients of the same form");
  Boundaries const closed = Boundaries::all(Boundary::neumann);
  SevenPointProblem<Exec, T> open(space, grid, closed, {}, {1, 1, 1}, all);
  if (last) {
    Field<Exec, WallCode> const codes("karman::test::codes", 4, grid.ny(), 8);
    Kokkos::deep_copy(space, codes, WallCode(0x0aaa));
    open.walls = codes;
  }
  expect_refused(open, all, "face coefficients must be at most 0");
}

}  // namespace distributed_seven_point_test
