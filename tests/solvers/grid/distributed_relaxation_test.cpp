// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as any number of processes; each also solves the whole problem alone.
#include "backends.hpp"
#include "distributed_cases.hpp"
#include "refused_calls.hpp"
#include <karman/solvers/grid/relaxation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
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
  std::string const text = "seed " + std::to_string(seed) + ", " + p.text();
  ASSERT_EQ(part.singular, whole.singular) << text;
  ASSERT_EQ(part.report.history.size(), whole.report.history.size()) << text;
  if (!whole.singular) {
    EXPECT_TRUE(test::same_bits(part.x, whole.x, p.box)) << text;
    for (std::size_t n = 0; n < part.report.history.size(); ++n) {
      EXPECT_EQ(part.report.history[n].residual, whole.report.history[n].residual) << text;
    }
    return;
  }
  // The mean of b is a sum whose order depends on the processes. A sweep adds b over the own weight, at least 1/4 of
  // the smallest weight of a face, 0.5, to x. So one rounding of b changes 13 iterates by 13 * 8 such roundings at
  // most.
  double const change = 13 * 8 * 4 * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (int k = 0; k < part.x.nz; ++k) {
    for (int j = 0; j < part.x.ny; ++j) {
      for (int i = 0; i < part.x.nx; ++i) {
        ASSERT_NEAR(part.x(k, j, i), whole.x(k, j + p.box.begin[1], i + p.box.begin[0]), change) << text;
      }
    }
  }
}

TYPED_TEST(DistributedRelaxationOn, JacobiGivesTheBitsOfOneProcess) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    compare<typename TypeParam::execution_space, typename TypeParam::real>(seed);
    if (world().sum(static_cast<int>(this->HasFailure())) > 0) return;
  }
}

/// Part of this process of a small box.
UniformGrid small_part(Communicator const& all) {
  UniformGrid const whole({16, 32, 4}, {1, 1, 1});
  return BoxDecomposition(whole.global_cells(), all.size()).part(whole, all.rank());
}

/// A monitor of one process stops all at the same check.
template <class Exec, class T>
void stop_together() {
  Exec const space;
  Communicator const all = world();
  UniformGrid const grid = small_part(all);
  Jacobi<Exec, T> jacobi(space, SevenPoint<Exec, T>(space, {grid, {}}, {.communicator = all}));
  HostField<T> field(grid.extents(Location::cell));
  auto const x = test::to_device(space, field);
  auto const ones = test::to_device(space, field.fill([](int, int, int) { return T(1); }));
  RelaxationOptions options{.tolerance = 0, .check_every = 1};
  if (all.rank() == all.size() - 1) options.monitor = [](ResidualSample const& sample) { return sample.iteration < 7; };
  auto const report = jacobi.solve(space, x, ones, options);
  EXPECT_TRUE(report.stopped);
  EXPECT_EQ(report.iterations, 7);
}

TYPED_TEST(DistributedRelaxationOn, StopsWhereOneMonitorStops) {
  stop_together<typename TypeParam::execution_space, typename TypeParam::real>();
}

TYPED_TEST(DistributedRelaxationOn, RefusesInAllProcesses) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  Communicator const all = world();
  if (all.size() == 1) return;
  UniformGrid const grid = small_part(all);
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
