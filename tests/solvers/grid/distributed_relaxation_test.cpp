// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as any number of processes; each also solves the whole problem alone.
#include "backends.hpp"
#include "distributed_cases.hpp"
#include "refused_calls.hpp"
#include <karman/solvers/grid/relaxation.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace distributed_relaxation_test {

using namespace karman;
using karman::test::DistributedCase;
using karman::test::expect_refused;
using karman::test::HostField;
using karman::test::world;

template <class Case>
class DistributedRelaxationOn : public ::testing::Test {};
TYPED_TEST_SUITE(DistributedRelaxationOn, karman::test::AllBackends, karman::test::BackendNames);

template <class T>
struct Solution {
  HostField<T> x{{1, 1, 1}};
  SolveReport report;
  bool singular = false;
};

template <class T, class Exec>
Solution<T> solve(Exec const& space, DistributedCase const& p, Box const& cells, Communicator const& communicator) {
  SevenPoint<Exec, T> a(space, p.problem<T>(space, cells, communicator), {.communicator = communicator});
  p.set_boundary_values<T>(space, a, cells);
  Jacobi<Exec, T> jacobi(space, a);
  auto const x = p.cut<T>(space, p.first, cells);
  auto const rhs = p.cut<T>(space, p.rhs, cells);
  Solution<T> result;
  result.singular = a.singular();
  result.report = jacobi.solve(space, x, rhs, {.omega = 0.75, .tolerance = 0, .max_iterations = 13, .check_every = 5});
  result.x = test::to_host(space, x);
  return result;
}

/// Cells whose values differ in bits, or, in singular problems, by more than rounding.
template <class Exec, class T>
void compare(unsigned seed) {
  Exec const space;
  Communicator const all = world();
  DistributedCase const p(all, seed, 1);
  auto const part = solve<T>(space, p, p.box, all);
  auto const whole = solve<T>(space, p, p.whole(), Communicator());
  std::string const text = p.text();
  ASSERT_EQ(part.singular, whole.singular) << text;
  if (!whole.singular) {
    EXPECT_TRUE(test::same_bits(part.x, whole.x, p.box)) << text;
    test::expect_same_history(part.report, whole.report, text);
    return;
  }
  EXPECT_EQ(part.report.history.size(), whole.report.history.size()) << text;
  // The mean of b is a sum whose order depends on the processes. A sweep adds b over the own weight, at least 1/4 of
  // the smallest weight of a face, 0.5, to x. So one rounding of b changes 13 iterates by 13 * 8 such roundings at
  // most.
  double const change = 13 * 8 * 4 * static_cast<double>(std::numeric_limits<T>::epsilon());
  EXPECT_LE(test::largest_difference(part.x, whole.x, p.box), change) << text;
}

TYPED_TEST(DistributedRelaxationOn, JacobiGivesTheBitsOfOneProcess) {
  using Exec = typename TypeParam::execution_space;
  karman::test::for_seeds<Exec>(0, 60, compare<Exec, typename TypeParam::real>);
}

TYPED_TEST(DistributedRelaxationOn, StopsWhereOneMonitorStops) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  UniformGrid const grid = test::own_part(UniformGrid({16, 32, 4}, {1, 1, 1}));
  Jacobi<Exec, T> jacobi(space, SevenPoint<Exec, T>(space, {grid, {}}, {.communicator = world()}));
  test::expect_stop_together<T>(space, grid, 7, [&](auto const& x, auto const& rhs, auto const& monitor) {
    return jacobi.solve(space, x, rhs, {.tolerance = 0, .check_every = 1, .monitor = monitor});
  });
}

TYPED_TEST(DistributedRelaxationOn, RefusesInAllProcesses) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  Communicator const all = world();
  if (all.size() == 1) return;
  UniformGrid const grid = test::own_part(UniformGrid({16, 32, 4}, {1, 1, 1}));
  SevenPoint<Exec, T> const a(space, {grid, {}}, {.communicator = all});
  expect_refused("GaussSeidel: needs an operator on 1 process", [&] { GaussSeidel<Exec, T> const method(space, a); });
  // Faults of one process alone.
  bool const last = all.rank() == all.size() - 1;
  expect_refused("omega must lie in", [&] { Jacobi<Exec, T> const method(space, a, last ? 3 : 1); });
  Jacobi<Exec, T> jacobi(space, a);
  HostField<T> const field(grid.extents(Location::cell));
  auto const x = test::to_device(space, field);
  auto const rhs = last ? test::to_device(space, HostField<T>({4, 1, 16})) : test::to_device(space, field);
  expect_refused("rhs must have shape", [&] { jacobi.solve(space, x, rhs); });
}

}  // namespace distributed_relaxation_test
