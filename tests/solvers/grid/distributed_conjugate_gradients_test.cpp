// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as any number of processes; each also solves the whole problem alone.
#include "backends.hpp"
#include "distributed_cases.hpp"
#include "refused_calls.hpp"
#include <karman/core/detail/process_group.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/relaxation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

namespace distributed_conjugate_gradients_test {

using namespace karman;
using karman::test::DistributedCase;
using karman::test::expect_refused;
using karman::test::HostField;
using karman::test::solvable_rhs;
using karman::test::world;

template <class Case>
class DistributedCgOn : public ::testing::Test {};
TYPED_TEST_SUITE(DistributedCgOn, karman::test::AllBackends, karman::test::BackendNames);

enum class Map { none, diagonal, jacobi };

template <class T>
struct Solution {
  HostField<T> x{{1, 1, 1}};
  SolveReport report;
};

template <class T, class Exec>
Solution<T> solve(Exec const& space, DistributedCase const& p, HostField<T> const& rhs, Box const& cells,
                  Communicator const& communicator, Map map, KrylovOptions const& options) {
  SevenPoint<Exec, T> a(space, p.problem<T>(space, cells, communicator), {.communicator = communicator});
  p.set_boundary_values<T>(space, a, cells);
  ConjugateGradients<Exec, T> cg(space, a.extents(), {.communicator = communicator});
  auto const x = p.cut<T>(space, p.first, cells);
  auto const b = p.cut<T>(space, rhs, cells);
  Solution<T> result;
  switch (map) {
    case Map::none: result.report = cg.solve(space, a, x, b, options); break;
    case Map::diagonal: result.report = cg.solve(space, a, DiagonalPreconditioner<Exec, T>(a), x, b, options); break;
    case Map::jacobi: result.report = cg.solve(space, a, Jacobi<Exec, T>(space, a, 0.75), x, b, options); break;
  }
  result.x = test::to_host(space, x);
  return result;
}

template <class Exec, class T>
void compare(unsigned seed) {
  Exec const space;
  Communicator const all = world();
  DistributedCase p(all, seed, 1);
  p.make_symmetric();
  auto const rhs = solvable_rhs<T>(space, p);
  Map const map = static_cast<Map>(seed % 3);
  double const tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-9;
  KrylovOptions const options{.tolerance = tolerance, .flexible = seed % 2 == 0};
  auto const part = solve<T>(space, p, rhs, p.box, all, map, options);
  auto const whole = solve<T>(space, p, rhs, p.whole(), Communicator(), map, options);
  std::string const text = p.text();
  EXPECT_TRUE(whole.report.converged) << text << whole.report.breakdown;
  EXPECT_TRUE(part.report.converged) << text << part.report.breakdown;
  // The sums differ in the last bits. That has no effect on the first residuals beyond some roundings; later,
  // directions lose orthogonality, and the two solves drift apart. They may end more than one iteration apart, because
  // residuals of this method do not fall evenly. Where the shorter one ended, the longer one was within twice the
  // tolerance.
  auto const& shorter = part.report.iterations < whole.report.iterations ? part.report : whole.report;
  auto const& longer = part.report.iterations < whole.report.iterations ? whole.report : part.report;
  if (longer.iterations > shorter.iterations + 1) {
    double const then = longer.history[static_cast<std::size_t>(shorter.iterations)].residual;
    EXPECT_LE(then, 2 * tolerance) << text << ", " << shorter.iterations << " and " << longer.iterations;
  }
  double const first_residual = whole.report.history.front().residual;
  double const roundings = 4096 * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (std::size_t n = 0; n < 10 && n + 1 < std::min(whole.report.history.size(), part.report.history.size()); ++n) {
    EXPECT_NEAR(part.report.history[n].residual, whole.report.history[n].residual, roundings * first_residual) << text;
  }

  auto const joined = test::joined_residual(space, p, rhs, part.x);
  // The mean that a singular problem removes, from b and from x, is rounding here.
  double const rounding = joined.singular ? 0.5 * tolerance : 0;
  EXPECT_LE(joined.residual, (tolerance + rounding) * joined.scale) << text;

  // The same in all processes, and in a second run.
  auto const again = solve<T>(space, p, rhs, p.box, all, map, options);
  EXPECT_TRUE(test::same_bits(again.x, part.x, {{0, 0, 0}, {part.x.nx, part.x.ny, part.x.nz}})) << text;
  for (double const residual : all.all_gather(part.report.residual)) EXPECT_EQ(residual, again.report.residual) << text;
  for (int const count : all.all_gather(part.report.iterations)) EXPECT_EQ(count, again.report.iterations) << text;
}

TYPED_TEST(DistributedCgOn, SolvesAsOneProcess) {
  using Exec = typename TypeParam::execution_space;
  karman::test::for_seeds<Exec>(0, 60, compare<Exec, typename TypeParam::real>);
}

/// Counts the collective messages of a group.
class CountedGroup final : public detail::ProcessGroup {
 public:
  CountedGroup(Communicator const& communicator, std::shared_ptr<int> const& gathers)
      : communicator_(communicator), gathers_(gathers) {}
  int rank() const override { return group().rank(); }
  int size() const override { return group().size(); }
  std::string description() const override { return group().description(); }
  void all_gather(std::span<std::byte const> mine, std::span<std::size_t const> sizes,
                  std::span<std::byte> all) const override {
    ++*gathers_;
    group().all_gather(mine, sizes, all);
  }
  void broadcast(std::span<std::byte> bytes, int root) const override { group().broadcast(bytes, root); }
  std::shared_ptr<detail::ProcessGroup const> split(int color) const override { return group().split(color); }
  detail::DeviceTransport device_transport() const override { return group().device_transport(); }
  std::unique_ptr<detail::Channel> host_channel(std::vector<detail::Message> const& messages) const override {
    return group().host_channel(messages);
  }
  std::unique_ptr<detail::Channel> device_channel(std::vector<detail::Message> const& messages,
                                                  detail::DeviceTransport transport) const override {
    return group().device_channel(messages, transport);
  }

 private:
  detail::ProcessGroup const& group() const { return communicator_.group(); }
  Communicator communicator_;
  std::shared_ptr<int> gathers_;
};

/// Part of this process of a small box.
UniformGrid small_part() { return test::own_part(UniformGrid({16, 32, 4}, {1, 1, 1})); }

template <class Exec, class T>
void gathers_twice(bool preconditioned) {
  Exec const space;
  auto const gathers = std::make_shared<int>(0);
  Communicator const all(std::make_shared<CountedGroup>(world(), gathers));
  UniformGrid const grid = small_part();
  SevenPoint<Exec, T> const a(space, {grid, {}}, {.communicator = all});
  DiagonalPreconditioner<Exec, T> const map(a);
  ConjugateGradients<Exec, T> cg(space, a.extents(), {.communicator = all});
  auto const count = [&](int iterations) {
    HostField<T> field(grid.extents(Location::cell));
    auto const x = test::to_device(space, field);
    auto const rhs = test::to_device(space, field.fill([](int k, int j, int i) { return T(1 + k + 2 * j - 3 * i); }));
    *gathers = 0;
    KrylovOptions const options{.tolerance = 0, .max_iterations = iterations};
    auto const report = preconditioned ? cg.solve(space, a, map, x, rhs, options) : cg.solve(space, a, x, rhs, options);
    EXPECT_EQ(report.iterations, iterations);
    return *gathers;
  };
  int const more = count(15) - count(5);
  EXPECT_EQ(more, all.size() == 1 ? 0 : 2 * 10);
  if (all.size() == 1) {
    EXPECT_EQ(count(5), 0);
  }
}

TYPED_TEST(DistributedCgOn, GathersTwicePerIteration) {
  for (bool const preconditioned : {false, true}) {
    gathers_twice<typename TypeParam::execution_space, typename TypeParam::real>(preconditioned);
  }
}

TYPED_TEST(DistributedCgOn, StopsWhereOneMonitorStops) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  UniformGrid const grid = small_part();
  SevenPoint<Exec, T> const a(space, {grid, {}}, {.communicator = world()});
  ConjugateGradients<Exec, T> cg(space, a.extents(), {.preconditioned = false, .communicator = world()});
  test::expect_stop_together<T>(space, grid, 7, [&](auto const& x, auto const& rhs, auto const& monitor) {
    return cg.solve(space, a, x, rhs, {.tolerance = 0, .monitor = monitor});
  });
}

/// A preconditioner on one process.
template <class Exec, class T>
class Copy final : public LinearOperator<Exec, T> {
 public:
  explicit Copy(std::array<int, 3> const& extents) : extents_(extents) {}
  std::array<int, 3> extents() const override { return extents_; }
  void apply(Exec const& space, ConstField<Exec, T> const& x, Field<Exec, T> const& result) const override {
    Kokkos::deep_copy(space, result, x);
  }

 private:
  std::array<int, 3> extents_;
};

TYPED_TEST(DistributedCgOn, RefusesInAllProcesses) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  Communicator const all = world();
  if (all.size() == 1) return;
  UniformGrid const grid = small_part();
  SevenPoint<Exec, T> const a(space, {grid, {}}, {.communicator = all});
  HostField<T> const field(grid.extents(Location::cell));
  auto const x = test::to_device(space, field);
  auto const rhs = test::to_device(space, field);
  ConjugateGradients<Exec, T> cg(space, a.extents(), {.communicator = all});
  expect_refused("the preconditioner works on 1 process,",
                 [&] { cg.solve(space, a, Copy<Exec, T>(a.extents()), x, rhs); });
  ConjugateGradients<Exec, T> alone(space, a.extents());
  expect_refused("the operator works on " + std::to_string(all.size()), [&] { alone.solve(space, a, x, rhs); });
  // Faults of one process alone.
  bool const last = all.rank() == all.size() - 1;
  auto const flat = last ? test::to_device(space, HostField<T>({4, 1, 16})) : rhs;
  expect_refused("rhs must have shape", [&] { cg.solve(space, a, x, flat); });
  expect_refused("tolerance must be finite", [&] { cg.solve(space, a, x, rhs, {.tolerance = last ? -1.0 : 0.1}); });
  expect_refused("every extent must be at least 0",
                 [&] { ConjugateGradients<Exec, T> const bad(space, {4, last ? -1 : 2, 2}, {.communicator = all}); });
}

}  // namespace distributed_conjugate_gradients_test
