// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as any number of processes; each also solves the whole problem alone.
#include "backends.hpp"
#include "distributed_cases.hpp"
#include "refused_calls.hpp"
#include <karman/solvers/grid/red_black_sor.hpp>

#include <gtest/gtest.h>

#include <string>

namespace distributed_sor_test {

using namespace karman;
using karman::test::DistributedCase;
using karman::test::HostField;
using karman::test::world;

template <class Case>
class DistributedSorOn : public ::testing::Test {};
TYPED_TEST_SUITE(DistributedSorOn, karman::test::AllBackends, karman::test::BackendNames);

template <class T>
struct Solution {
  HostField<T> x{{1, 1, 1}};
  SolveReport report;
  double omega = 0;
};

template <class T, class Exec>
Solution<T> solve(Exec const& space, DistributedCase const& p, Box const& cells, Communicator const& communicator,
                  SorStorage storage) {
  RedBlackSor<Exec, T> sor(space, p.problem<T>(space, cells, communicator), {storage, communicator});
  p.set_boundary_values<T>(space, sor, cells);
  auto const x = p.cut<T>(space, p.first, cells);
  auto const rhs = p.cut<T>(space, p.rhs, cells);
  Solution<T> result;
  result.omega = sor.optimal_omega();
  result.report = sor.solve(space, x, rhs, {.omega = 1.5, .tolerance = 0, .max_iterations = 13, .check_every = 5});
  result.x = test::to_host(space, x);
  return result;
}

template <class Exec, class T>
void compare(unsigned seed) {
  Exec const space;
  Communicator const all = world();
  DistributedCase const p(all, seed, 2);
  auto const storage = static_cast<SorStorage>(seed % 4);
  if (p.form == DistributedCase::Form::arrays && storage == SorStorage::packed) return;  // codes hold no quarters
  auto const part = solve<T>(space, p, p.box, all, storage);
  auto const whole = solve<T>(space, p, p.whole(), Communicator(), storage);
  std::string const text = "storage " + std::string(name(storage)) + ", " + p.text();
  EXPECT_TRUE(test::same_bits(part.x, whole.x, p.box)) << text;
  EXPECT_EQ(part.omega, whole.omega) << text;
  test::expect_same_history(part.report, whole.report, text);
}

TYPED_TEST(DistributedSorOn, GivesTheBitsOfOneProcess) {
  using Exec = typename TypeParam::execution_space;
  karman::test::for_seeds<Exec>(0, 60, compare<Exec, typename TypeParam::real>);
}

TYPED_TEST(DistributedSorOn, StopsWhereOneMonitorStops) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  UniformGrid const grid = test::own_part(UniformGrid({16, 32, 4}, {1, 1, 1}));
  RedBlackSor<Exec, T> sor(space, {grid, {}}, {.communicator = world()});
  test::expect_stop_together<T>(space, grid, 7, [&](auto const& x, auto const& rhs, auto const& monitor) {
    return sor.solve(space, x, rhs, {.tolerance = 0, .check_every = 1, .monitor = monitor});
  });
}

template <class Exec, class T>
void expect_refused(UniformGrid const& grid, Boundaries const& sides, Communicator const& communicator,
                    std::string const& part) {
  karman::test::expect_refused(
      part, [&] { RedBlackSor<Exec, T> const sor(Exec(), {grid, sides}, {.communicator = communicator}); });
}

TYPED_TEST(DistributedSorOn, RefusesInAllProcesses) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Communicator const all = world();
  if (all.size() == 1) {
    expect_refused<Exec, T>(UniformGrid({4, 4, 4}, {1, 1, 1}).part({{0, 0, 0}, {4, 2, 4}}), {}, all,
                            "part of a larger one");
    return;
  }
  auto const part = [&](std::array<int, 3> cells, int multiple) {
    return test::own_part(UniformGrid(cells, {1, 1, 1}), {.parts = {1, 0}, .multiple = multiple});
  };
  expect_refused<Exec, T>(part({4, all.size() * 3, 4}, 3), {}, all, "parts begin at even cells");
  expect_refused<Exec, T>(part({4, all.size() * 2 + 1, 4}, 2), Boundaries::all(Boundary::periodic), all,
                          "do not cut it");
  expect_refused<Exec, T>(UniformGrid({8, 8, 8}, {1, 1, 1}), {}, all, "must divide the x and y");
  // Faults of one process alone.
  bool const last = all.rank() == all.size() - 1;
  UniformGrid const grid = part({4, all.size() * 2, 4}, 2);
  Exec const space;
  RedBlackSor<Exec, T> sor(space, {grid, {}}, {.communicator = all});
  auto const x = test::to_device(space, HostField<T>(grid.extents(Location::cell)));
  auto const other = last ? test::to_device(space, HostField<T>({4, 1, 5})) : x;
  test::expect_refused("x must have shape", [&] { sor.solve(space, other, x); });
  test::expect_refused("rhs must have shape", [&] { sor.load(space, x, other); });
  test::expect_refused("omega must lie in", [&] { sor.solve(space, x, x, {.omega = last ? 2 : 1.5}); });
  SevenPointProblem<Exec, T> problem(grid, {});
  if (last) problem.weights[0] = -1;
  try {
    RedBlackSor<Exec, T> const sor(space, problem, {.communicator = all});
    ADD_FAILURE() << "accepted";
  } catch (std::invalid_argument const& error) {
    EXPECT_NE(std::string(error.what()).find("weights must be positive"), std::string::npos) << error.what();
    if (all.is_first()) {
      EXPECT_NE(std::string(error.what()).find("process " + std::to_string(all.size() - 1)), std::string::npos);
    }
  }
}

}  // namespace distributed_sor_test
