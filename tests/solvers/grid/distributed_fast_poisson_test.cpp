// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as any number of processes; each also solves the whole problem alone.
#include "backends.hpp"
#include "distributed_cases.hpp"
#include "poisson_reference.hpp"
#include "refused_calls.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace distributed_fast_poisson_test {

using namespace karman;
using karman::test::DistributedCase;
using karman::test::HostField;
using karman::test::largest;
using karman::test::largest_difference;
using karman::test::world;

template <class Case>
class DistributedFastPoissonOn : public ::testing::Test {};
TYPED_TEST_SUITE(DistributedFastPoissonOn, karman::test::AllBackends, karman::test::BackendNames);

/// All that a solve gives.
template <class T>
struct Solution {
  HostField<T> x, correction;
  SolveReport report;
  double imbalance = 0;
  bool singular = false;
};

template <class T, class Exec>
Solution<T> solution(Exec const& space, DistributedCase const& p, Box const& cells, Communicator const& communicator,
                     int slabs = 0) {
  FastPoissonSetup const setup{.communicator = communicator, .slabs = slabs};
  FastPoisson<Exec, T> solver(space, p.problem<T>(space, cells, communicator), setup);
  EXPECT_LE(solver.slabs(), std::max(1, slabs)) << p.text();
  p.set_boundary_values<T>(space, solver, cells);
  // Announced before: with one process the bytes themselves, otherwise no less.
  std::int64_t const announced = FastPoisson<Exec, T>::workspace_bytes({p.grid.part(cells), p.sides}, setup);
  EXPECT_GE(announced, solver.workspace_bytes()) << p.text();
  if (communicator.size() == 1) {
    EXPECT_EQ(announced, solver.workspace_bytes()) << p.text();
  }
  auto const boxes = BoxDecomposition::gathered(communicator, p.grid.part(cells));
  EXPECT_EQ((FastPoisson<Exec, T>::workspace_bytes({p.grid, p.sides}, boxes, setup.planning, slabs)),
            communicator.largest(announced))
      << p.text();
  auto const x = p.cut<T>(space, p.first, cells), rhs = p.cut<T>(space, p.rhs, cells);
  Solution<T> result;
  result.report = solver.solve(space, x, rhs);
  result.x = test::to_host(space, x);
  result.imbalance = solver.imbalance(space);
  result.singular = solver.singular();
  EXPECT_EQ(test::to_host(space, rhs).values, test::to_host(space, p.cut<T>(space, p.rhs, cells)).values);
  // In place, too.
  solver.solve(space, rhs, rhs, {.check = false});
  EXPECT_EQ(test::to_host(space, rhs).values, result.x.values);
  auto const correction = p.cut<T>(space, p.rhs, cells);
  solver.apply(space, correction, correction);
  result.correction = test::to_host(space, correction);
  EXPECT_EQ(solver.communicator().size(), communicator.size());
  return result;
}

/// Largest row sum of the inverse: for a matrix with this pattern of signs its solution for a constant. Of a singular
/// problem a bound by the lengths.
template <class T, class Exec>
double inverse_norm(Exec const& space, DistributedCase const& p) {
  FastPoisson<Exec, T> const alone(space, p.problem<T>(space, p.whole(), {}));
  if (!alone.singular()) {
    auto const ones = test::to_device(space, HostField<T>(p.extents(), T(-1)));
    alone.apply(space, ones, ones);
    return largest(test::to_host(space, ones));
  }
  auto const& n = p.grid.global_cells();
  double const length = std::max({n[0] * p.grid.dx(), n[1] * p.grid.dy(), p.grid.z_face(p.grid.nz()) / std::sqrt(0.5)});
  return length * length;
}

/// Largest residual of a solution of the whole problem, by SevenPoint, and largest |b|.
template <class T, class Exec>
std::array<double, 2> measured(Exec const& space, DistributedCase const& p, HostField<T> const& x) {
  SevenPoint<Exec, T> a(space, p.problem<T>(space, p.whole(), {}));
  p.set_boundary_values<T>(space, a, p.whole());
  auto const rhs = p.cut<T>(space, p.rhs, p.whole());
  auto const scratch = p.cut<T>(space, p.rhs, p.whole());
  DeviceNumber<Exec> const largest_b("karman::test::number");
  a.right_hand_side(space, rhs, scratch, largest_b);
  double const b = host_copy(space, largest_b).front();
  return {a.largest_residual(space, test::to_device(space, x), rhs, scratch), b};
}

template <class Exec, class T>
void compare(unsigned seed) {
  Exec const space;
  Communicator const all = world();
  DistributedCase p(all, seed, 1);
  p.form = DistributedCase::Form::sides;
  auto const part = solution<T>(space, p, p.box, all, static_cast<int>(seed % 6));
  auto const whole = solution<T>(space, p, p.whole(), Communicator());
  std::string const text = p.text();
  ASSERT_EQ(part.singular, whole.singular) << text;
  EXPECT_EQ(part.report.iterations, 1) << text;
  EXPECT_EQ(part.report.converged, whole.report.converged) << text;

  // Each solution has a residual of 32 eps (max |b| + own weight max |x|) at most, besides the imbalance of a singular
  // problem, which is the same; the difference is at most the inverse times their sum. |b| is at most 1 and the weights
  // of the sides.
  double const eps = std::numeric_limits<T>::epsilon();
  double const own = 2 * (1 / (0.5 * 0.5) + 1 / (0.25 * 0.25) + 0.5) * 2;
  double const inverse = inverse_norm<T>(space, p);
  double const backward = 64 * eps * (1 + own + own * largest(whole.x));
  EXPECT_LE(largest_difference(part.x, whole.x, p.box), inverse * backward) << text;
  EXPECT_LE(largest_difference(part.correction, whole.correction, p.box),
            inverse * 64 * eps * (1 + own * largest(whole.correction)))
      << text;
  EXPECT_NEAR(part.imbalance, whole.imbalance, backward) << text;
  auto const [residual, b] = measured<T>(space, p, p.joined(all, part.x));
  EXPECT_NEAR(part.report.residual, residual / b, backward / b) << text;
}

TYPED_TEST(DistributedFastPoissonOn, SolvesRandomProblemsInRandomParts) {
  using Exec = typename TypeParam::execution_space;
  karman::test::for_seeds<Exec>(0, 30, compare<Exec, typename TypeParam::real>);
}

/// Solution of a part of a box with pairs of sides.
template <class Exec, class T>
HostField<T> solved(Exec const& space, UniformGrid const& grid, Boundaries const& sides,
                    Communicator const& communicator, int slabs = 0) {
  FastPoisson<Exec, T> solver(space, {grid, sides}, {.communicator = communicator, .slabs = slabs});
  if (communicator.size() > 1 && slabs > 0) {
    EXPECT_EQ(solver.slabs(), slabs);
  }
  auto const x = [&](int k, int j, int i) {
    unsigned const cell = unsigned(i + grid.own_box().begin[0]) * 2654435761u +
                          unsigned(j + grid.own_box().begin[1]) * 40503u + unsigned(k) * 977u;
    return T((cell >> 8) % 2048) / 1024 - 1;
  };
  auto const rhs = test::to_device(space, HostField<T>(grid.extents(Location::cell)).fill(x));
  auto const solution = test::to_device(space, HostField<T>(grid.extents(Location::cell), T(77)));
  solver.solve(space, solution, rhs);
  return test::to_host(space, solution);
}

/// Large enough that every slab of every part is transformed line by line, with the same operations for every line.
template <class Exec, class T>
void expect_bits_of_one_process(std::array<int, 2> const& parts, int slabs) {
  Exec const space;
  Communicator const all = world();
  int const more = std::max(1, all.size() / 4);  // parts of fewer lines than a vector holds use other operations
  auto const layers = static_cast<std::size_t>(40 * slabs - slabs / 2);  // slabs of two sizes
  auto const whole = UniformGrid::with_layers({48 * more, 40 * more}, {0.5, 0.25}, std::vector<double>(layers, 0.75));
  UniformGrid const grid = test::own_part(whole, {.parts = parts});
  auto const pairs = karman::test::all_side_pairs();
  for (std::size_t x = 0; x < pairs.size(); ++x) {
    for (std::size_t y = 0; y < pairs.size(); ++y) {
      // Every combination of transforms by one Fourier transform, and every pair with some others.
      bool const both = pairs[x].first == pairs[x].second && pairs[y].first == pairs[y].second;
      if (!both && (x + 3 * y) % pairs.size() > 0) continue;
      if (slabs > 1 && (x + y) % 3 > 0) continue;  // they cost more
      std::vector<karman::test::SidePair> columns{pairs[(3 * x + y) % pairs.size()]};
      if (both && slabs == 1) columns.push_back(pairs.back());
      for (auto const& z : columns) {
        Boundaries const sides = karman::test::boundaries(pairs[x], pairs[y], z);
        auto const part = solved<Exec, T>(space, grid, sides, all, slabs);
        auto const alone = solved<Exec, T>(space, whole, sides, {});
        EXPECT_TRUE(test::same_bits(part, alone, grid.own_box()))
            << "pairs " << x << ' ' << y << " and " << (z == pairs.back() ? "periodic z" : "another");
      }
    }
  }
}

TYPED_TEST(DistributedFastPoissonOn, BitsOfOneProcess) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
#ifdef KARMAN_TEST_KOKKOS_FFT
  GTEST_SKIP() << "kokkos-fft transforms planes as a whole";
#endif
  if constexpr (!runs_on_host<Exec>) GTEST_SKIP() << "cuFFT chooses by the number of lines";
  for (int const slabs : {1, 2}) {
    expect_bits_of_one_process<Exec, T>({1, world().size()}, slabs);
    expect_bits_of_one_process<Exec, T>({world().size(), 1}, slabs);
  }
}

/// Slabs of a plan where so many are wanted.
template <class Exec, class T>
int slabs_of(std::array<int, 3> const& cells, int wanted, std::array<int, 2> const& parts) {
  UniformGrid const whole(cells, {1, 1, 1});
  FastPoisson<Exec, T> const solver(Exec(), {test::own_part(whole, {.parts = parts}), {}},
                                    {.communicator = world(), .slabs = wanted});
  return solver.slabs();
}

TYPED_TEST(DistributedFastPoissonOn, CountsSlabs) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  int const n = world().size();
  bool const many = n > 1;
  EXPECT_EQ((slabs_of<Exec, T>({8, 4 * n, 6}, 0, {1, n})), 1);  // small
  EXPECT_EQ((slabs_of<Exec, T>({8, 4 * n, 6}, 4, {1, n})), many ? 4 : 1);
  EXPECT_EQ((slabs_of<Exec, T>({4 * n, 8, 6}, 4, {n, 1})), many ? 4 : 1);
  EXPECT_EQ((slabs_of<Exec, T>({8, 4 * n, 6}, 9, {1, n})), many ? 6 : 1);  // as many as layers
  EXPECT_EQ((slabs_of<Exec, T>({4 * n, 1, 6}, 4, {n, 1})), 1);             // lines of x with layers cut
}

/// Iterations of conjugate gradients among walls, with the box without walls as preconditioner.
template <class Exec, class T>
SolveReport preconditioned(Exec const& space, UniformGrid const& grid, Communicator const& communicator) {
  Boundaries const sides = Boundaries::all(Boundary::dirichlet);
  Box const own = grid.own_box();
  HostField<std::uint8_t> solid(grid.extents(Location::cell));
  solid.fill([&](int k, int j, int i) {
    int const x = i + own.begin[0], y = j + own.begin[1];
    return k < 5 && x > 6 && x < 14 && y > 4 && y < 15 ? 1 : 0;
  });
  SevenPointProblem<Exec, T> const problem(space, grid, sides, test::to_device(space, solid), {1, 1, 1}, communicator);
  SevenPoint<Exec, T> const a(space, problem, {.communicator = communicator});
  FastPoisson<Exec, T> const box(space, {grid, sides}, {.communicator = communicator});
  ConjugateGradients<Exec, T> cg(space, a.extents(), {.communicator = communicator});
  auto const x = test::to_device(space, HostField<T>(grid.extents(Location::cell)));
  auto const rhs = test::to_device(space, HostField<T>(grid.extents(Location::cell), T(1)));
  return cg.solve(space, a, box, x, rhs, {.tolerance = sizeof(T) == 4 ? 1e-4 : 1e-9});
}

TYPED_TEST(DistributedFastPoissonOn, PreconditionsConjugateGradients) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  Communicator const all = world();
  UniformGrid const whole({24, 20, 10}, {1, 1, 1});
  SolveReport const alone = preconditioned<Exec, T>(space, whole, {});
  EXPECT_TRUE(alone.converged) << summary(alone);
  for (bool const along_x : {false, true}) {
    std::array<int, 2> const parts{along_x ? all.size() : 1, along_x ? 1 : all.size()};
    SolveReport const report = preconditioned<Exec, T>(space, test::own_part(whole, {.parts = parts}), all);
    EXPECT_TRUE(report.converged) << summary(report);
    EXPECT_NEAR(report.iterations, alone.iterations, 1);
    EXPECT_LT(report.iterations, 40);
  }
}

TYPED_TEST(DistributedFastPoissonOn, RefusesInAllProcesses) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  Communicator const all = world();
  UniformGrid const whole({8, 16, 4}, {1, 1, 1});
  auto const refused = [&](SevenPointProblem<Exec, T> const& problem, Communicator const& communicator,
                           std::string const& words) {
    karman::test::expect_refused(
        words, [&] { FastPoisson<Exec, T> const solver(space, problem, {.communicator = communicator}); });
  };
  refused({whole.part({{0, 0, 0}, {8, 7, 4}}), {}}, Communicator(), "part of a larger one");
  if (all.size() == 1) return;
  refused({whole, {}}, all, "must divide the x and y");
  karman::test::expect_refused("slabs must not be negative, found -1", [&] {
    FastPoisson<Exec, T> const solver(space, {test::own_part(whole), {}},
                                      {.communicator = all, .slabs = all.rank() == 0 ? -1 : 0});
  });
  karman::test::expect_refused("as many slabs", [&] {
    FastPoisson<Exec, T> const solver(space, {test::own_part(whole), {}},
                                      {.communicator = all, .slabs = all.rank() == 0 ? 2 : 3});
  });
  // Faults of the last process alone.
  bool const last = all.rank() == all.size() - 1;
  UniformGrid const grid = test::own_part(whole);
  SevenPointProblem<Exec, T> heavy(grid, {});
  if (last) heavy.weights[0] = -1;
  refused(heavy, all, "weights must be positive");
  SevenPointProblem<Exec, T> walled(grid, {});
  if (last) walled.walls = Field<Exec, WallCode>("karman::test::codes", 4, grid.ny(), 8);
  refused(walled, all, "no walls");
  FastPoisson<Exec, T> solver(space, {grid, Boundaries::all(Boundary::dirichlet)}, {.communicator = all});
  Field<Exec, T> const x("karman::test::x", 4, grid.ny(), 8), rhs("karman::test::rhs", 4, grid.ny(), 8);
  Field<Exec, T> const wide("karman::test::x", 4, grid.ny(), 9);
  karman::test::expect_refused("x must have shape", [&] { solver.solve(space, last ? wide : x, rhs); });
  karman::test::expect_refused("set check = false", [&] { solver.solve(space, x, x); });
  karman::test::expect_refused("residual must have shape", [&] { solver.apply(space, last ? wide : x, x); });
}

}  // namespace distributed_fast_poisson_test
