// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as any number of processes; each also solves the whole problem alone.
#include "backends.hpp"
#include "distributed_cases.hpp"
#include "refused_calls.hpp"
#include <karman/solvers/grid/adi.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace distributed_adi_test {

using namespace karman;
using karman::test::DistributedCase;
using karman::test::HostField;
using karman::test::world;

template <class Case>
class DistributedAdiOn : public ::testing::Test {};
TYPED_TEST_SUITE(DistributedAdiOn, karman::test::AllBackends, karman::test::BackendNames);

template <class T>
struct Values {
  HostField<T> iterate, solution, heat, heat_without_source;
  SolveReport report;
  std::array<double, 2> bounds{};
  std::vector<double> parameters;
  bool singular = false;
};

template <class T, class Exec>
Values<T> values(Exec const& space, DistributedCase const& p, Box const& cells, Communicator const& communicator) {
  SevenPoint<Exec, T> a(space, p.problem<T>(space, cells, communicator), {.communicator = communicator});
  p.set_boundary_values<T>(space, a, cells);
  Adi<Exec, T> adi(space, a);
  SevenPointShape shape(a.problem());
  shape.grid = p.grid;
  auto const boxes = BoxDecomposition::gathered(communicator, a.grid());
  EXPECT_GE((Adi<Exec, T>::workspace_bytes(space, shape, boxes)), adi.workspace_bytes()) << p.text();
  auto const x = p.cut<T>(space, p.first, cells), rhs = p.cut<T>(space, p.rhs, cells);
  Values<T> v;
  v.bounds = adi.eigenvalue_bounds();
  v.parameters = adi.parameters();
  v.singular = a.singular();
  for (double const r : v.parameters) adi.iterate(space, x, rhs, r);
  v.iterate = test::to_host(space, x);
  auto const y = p.cut<T>(space, p.first, cells);
  v.report = adi.solve(space, y, rhs, {.tolerance = 0, .max_iterations = 5, .check_every = 2});
  v.solution = test::to_host(space, y);
  HeatAdi<Exec, T> heat(space, a);
  std::int64_t const announced = HeatAdi<Exec, T>::workspace_bytes(space, shape, boxes);
  EXPECT_GE(announced, heat.workspace_bytes()) << p.text();
  if (communicator.size() == 1) {
    EXPECT_EQ(announced, heat.workspace_bytes()) << p.text();
    EXPECT_EQ((HeatAdi<Exec, T>::workspace_bytes(space, shape)), announced) << p.text();
  }
  auto const u = p.cut<T>(space, p.first, cells);
  for (int step = 0; step < 3; ++step) heat.step(space, u, rhs, 0.25);
  v.heat = test::to_host(space, u);
  heat.step(space, u, {}, 0.125);
  v.heat_without_source = test::to_host(space, u);
  return v;
}

template <class Exec, class T>
void compare(unsigned seed) {
  Exec const space;
  Communicator const all = world();
  DistributedCase p(all, seed, 1);
  p.make_symmetric();
  auto const part = values<T>(space, p, p.box, all);
  auto const whole = values<T>(space, p, p.whole(), Communicator());
  std::string const text = p.text();
  EXPECT_EQ(part.bounds, whole.bounds) << text;
  EXPECT_EQ(part.parameters, whole.parameters) << text;
  EXPECT_TRUE(test::same_bits(part.iterate, whole.iterate, p.box)) << text;
  EXPECT_TRUE(test::same_bits(part.heat, whole.heat, p.box)) << text;
  EXPECT_TRUE(test::same_bits(part.heat_without_source, whole.heat_without_source, p.box)) << text;
  ASSERT_EQ(part.singular, whole.singular) << text;
  // The mean of b is a sum whose order depends on the processes.
  if (part.singular) return;
  EXPECT_TRUE(test::same_bits(part.solution, whole.solution, p.box)) << text;
  test::expect_same_history(part.report, whole.report, text);
}

TYPED_TEST(DistributedAdiOn, GivesTheBitsOfOneProcess) {
  using Exec = typename TypeParam::execution_space;
  karman::test::for_seeds<Exec>(0, 60, compare<Exec, typename TypeParam::real>);
}

/// A singular problem: b loses its mean over all processes, and so does the solution.
template <class Exec, class T>
void solve_singular(std::array<int, 2> const& parts) {
  Exec const space;
  Communicator const all = world();
  UniformGrid const whole({24, 20, 6}, {1, 1, 1});
  UniformGrid const grid = test::own_part(whole, {.parts = parts, .multiple = 1});
  SevenPoint<Exec, T> const a(space, {grid, Boundaries::all(Boundary::neumann)}, {.communicator = all});
  Adi<Exec, T> adi(space, a);
  Box const own = grid.own_box();
  HostField<T> field(grid.extents(Location::cell));
  auto const x = test::to_device(space, field);
  field.fill([&](int k, int j, int i) { return T((i + own.begin[0]) % 5 + (j + own.begin[1]) % 3 - k % 2); });
  double const tolerance = sizeof(T) == 4 ? 1e-4 : 1e-10;
  SolveReport const report = adi.solve(space, x, test::to_device(space, field), {.tolerance = tolerance});
  EXPECT_TRUE(report.converged) << summary(report);
  EXPECT_LE(report.residual, tolerance);
  double sum = 0, size = 0;
  for (T const value : test::to_host(space, x).values) {
    sum += double(value);
    size += std::abs(double(value));
  }
  // The mean is a sum of n terms in double; taking it out rounds every value once.
  double const n = static_cast<double>(whole.cell_count());
  double const rounding = n * std::numeric_limits<double>::epsilon() + std::numeric_limits<T>::epsilon();
  EXPECT_NEAR(all.sum(sum), 0, rounding * all.sum(size));
  EXPECT_GT(all.sum(size), 1);
}

TYPED_TEST(DistributedAdiOn, SolvesSingularProblems) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  solve_singular<Exec, T>({1, world().size()});
  solve_singular<Exec, T>({world().size(), 1});
}

TYPED_TEST(DistributedAdiOn, RefusesInAllProcesses) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  Communicator const all = world();
  UniformGrid const grid = test::own_part(UniformGrid({16, 32, 4}, {1, 1, 1}));
  SevenPoint<Exec, T> const a(space, {grid, {}}, {.communicator = all});
  Adi<Exec, T> adi(space, a);
  HeatAdi<Exec, T> heat(space, a);
  // Faults of the last process alone.
  bool const last = all.rank() == all.size() - 1;
  HostField<T> const field(grid.extents(Location::cell));
  auto const x = test::to_device(space, field), rhs = test::to_device(space, field);
  auto const other = test::to_device(space, HostField<T>({4, 1, 15}));
  test::expect_refused("parameter must be positive", [&] { adi.iterate(space, x, rhs, last ? -1 : 1); });
  test::expect_refused("rhs must have shape", [&] { adi.iterate(space, x, last ? other : rhs, 1); });
  test::expect_refused("x must have shape", [&] { adi.solve(space, last ? other : x, rhs); });
  test::expect_refused("dt must be positive", [&] { heat.step(space, x, rhs, last ? 0 : 1); });
  test::expect_refused("u must have shape", [&] { heat.step(space, last ? other : x, rhs, 1); });
}

}  // namespace distributed_adi_test
