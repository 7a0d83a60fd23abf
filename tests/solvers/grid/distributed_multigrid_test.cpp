// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as any number of processes; each also solves the whole problem alone.
#include "backends.hpp"
#include "distributed_cases.hpp"
#include "refused_calls.hpp"
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace distributed_multigrid_test {

using namespace karman;
using karman::test::DistributedCase;
using karman::test::expect_refused;
using karman::test::HostField;
using karman::test::solvable_rhs;
using karman::test::world;

template <class Case>
class DistributedMultigridOn : public ::testing::Test {};
TYPED_TEST_SUITE(DistributedMultigridOn, karman::test::AllBackends, karman::test::BackendNames);

/// Parts begin at multiples of 1, 2, 4 or 8 cells, so that none to three of the grids are in parts.
int multiple_of(unsigned seed) { return 1 << seed % 4; }

MultigridSetup setup_of(DistributedCase const& p, unsigned seed) {
  MultigridSetup setup;
  setup.cycle = static_cast<MultigridCycle>(seed / 4 % 3);
  bool const line = seed / 12 % 3 == 2 && !p.sides.periodic()[2];
  setup.smoother = line ? MultigridSmoother::line : MultigridSmoother::red_black;
  setup.symmetric = seed / 2 % 3 == 0;
  setup.single_precision_cycles = seed / 3 % 2 == 0;
  setup.coarsening = MultigridCoarsening::pairs;
  // Most cases have all grids in parts that the edges allow; 0 gathers grids as small as these at once.
  setup.gathered_cells = seed % 3 == 0 ? 32 : seed % 7 == 0 ? 0 : 1;
  // Most cases gather more than one or two parts in stages.
  setup.gathered_parts = seed % 5 == 4 ? 64 : 1 + static_cast<int>(seed % 5) / 2;
  return setup;
}

/// Unit roundoff of the cycles.
template <class T>
double rounding_of(MultigridSetup const& setup) {
  bool const single = std::is_same_v<T, float> || setup.single_precision_cycles;
  return single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

/// The problem of a case; arrays of every second one with own weights that are larger than the consistent ones.
template <class T, class Exec>
SevenPointProblem<Exec, T> problem_of(Exec const& space, DistributedCase const& p, unsigned seed, Box const& cells,
                                      Communicator const& communicator) {
  auto problem = p.problem<T>(space, cells, communicator);
  if (p.form != DistributedCase::Form::arrays || seed % 2 == 0) return problem;
  auto const own = [&](std::size_t axis) {
    HostField<double> weight(p.extents());
    weight.fill([&](int k, int j, int i) {
      return 0.5 * (p.face[2 * axis](k, j, i) + p.face[2 * axis + 1](k, j, i)) + (i + j + k) % 3 / 16.0;
    });
    return p.cut<T>(space, weight, cells);
  };
  problem.coefficients.own_x = own(0);
  problem.coefficients.own_y = own(1);
  problem.coefficients.own_z = own(2);
  return problem;
}

/// One cycle for the right-hand side, and the grids.
template <class T>
struct Cycle {
  HostField<T> x{{1, 1, 1}};
  std::vector<std::array<int, 3>> levels;
  std::vector<int> parts;  ///< of each level
  int in_parts = 0;
};

template <class T, class Exec>
Cycle<T> cycle(Exec const& space, DistributedCase const& p, unsigned seed, HostField<T> const& rhs, Box const& cells,
               MultigridSetup const& setup) {
  Multigrid<Exec, T> const multigrid(space, problem_of<T>(space, p, seed, cells, setup.communicator), setup);
  auto const x = p.cut<T>(space, rhs, cells);
  multigrid.apply(space, x, x);
  return {test::to_host(space, x), multigrid.levels(), multigrid.parts(), multigrid.levels_in_parts()};
}

/// Numbers of grids in parts of one process each, and in parts of groups of processes.
struct GridsInParts {
  int of_processes = 0, of_groups = 0;
};

template <class Exec, class T>
GridsInParts compare_cycles(unsigned seed) {
  Exec const space;
  DistributedCase p(world(), seed, multiple_of(seed));
  p.make_symmetric();
  auto const rhs = solvable_rhs<T>(space, p);
  MultigridSetup setup = setup_of(p, seed);
  auto const whole = cycle<T>(space, p, seed, rhs, p.whole(), setup);
  setup.communicator = world();
  auto const part = cycle<T>(space, p, seed, rhs, p.box, setup);
  std::string const text = p.text();
  EXPECT_EQ(part.levels, whole.levels) << text;
  EXPECT_EQ(whole.in_parts, 0) << text;
  EXPECT_EQ(part.parts.size(), part.levels.size()) << text;
  // The same operations on every cell; sums of some terms may be rounded in another way. Errors of a few hundred
  // sweeps at most add up.
  EXPECT_LE(test::largest_difference(part.x, whole.x, p.box), 256 * rounding_of<T>(setup) * test::largest(whole.x))
      << text;
  GridsInParts result{part.in_parts, 0};
  for (int const parts : part.parts) result.of_groups += parts > 1 && parts < world().size() ? 1 : 0;
  return result;
}

TYPED_TEST(DistributedMultigridOn, MakesTheCycleOfOneProcess) {
  using Exec = typename TypeParam::execution_space;
  std::array<int, 16> cases{};  // by grids in parts of one process each
  int staged = 0;               // with grids in parts of groups
  bool const all_passed = test::for_seeds<Exec>(0, 72, [&](unsigned seed) {
    auto const found = compare_cycles<Exec, typename TypeParam::real>(seed);
    ++cases.at(static_cast<std::size_t>(found.of_processes));
    staged += found.of_groups > 0 ? 1 : 0;
  });
  if (!all_passed || !test::takes_all_cases<Exec>()) return;
  // The cases are of every kind.
  for (std::size_t in_parts = 0; world().size() > 1 && in_parts < 4; ++in_parts) {
    EXPECT_GT(cases[in_parts], 2) << in_parts << " grids in parts";
  }
  // Two and three parts are joined at once.
  EXPECT_EQ(staged > 8, world().size() % 4 == 0) << staged << " cases with grids in parts of groups";
}

template <class T>
struct Solution {
  HostField<T> x{{1, 1, 1}};
  SolveReport report;
  bool aggregates_below_parts = false;
};

template <class T>
void expect_same(Solution<T> const& again, Solution<T> const& first, std::string const& text) {
  EXPECT_TRUE(test::same_bits(again.x, first.x, {{0, 0, 0}, {first.x.nx, first.x.ny, first.x.nz}})) << text;
  EXPECT_EQ(again.report.residual, first.report.residual) << text;
  EXPECT_EQ(again.report.iterations, first.report.iterations) << text;
}

template <class T, class Exec>
Solution<T> solve(Exec const& space, DistributedCase const& p, HostField<T> const& rhs, Box const& cells,
                  MultigridSetup const& setup, MultigridOptions const& options) {
  Multigrid<Exec, T> multigrid(space, p.problem<T>(space, cells, setup.communicator), setup);
  p.set_boundary_values<T>(space, multigrid, cells);
  auto const run = [&] {
    auto const x = p.cut<T>(space, p.first, cells);
    Solution<T> result;
    result.report = multigrid.solve(space, x, p.cut<T>(space, rhs, cells), options);
    result.x = test::to_host(space, x);
    return result;
  };
  auto result = run();
  // Of one process, other tests prove it.
  if (setup.communicator.size() > 1) expect_same(run(), result, p.text());
  result.aggregates_below_parts =
      multigrid.levels_in_parts() > 0 && multigrid.coarsening() == MultigridCoarsening::aggregates;
  return result;
}

/// Returns true where aggregates are used below grids in parts.
template <class Exec, class T>
bool compare_solves(unsigned seed, MultigridCoarsening coarsening) {
  Exec const space;
  Communicator const all = world();
  DistributedCase p(all, seed, multiple_of(seed));
  p.make_symmetric();
  auto const rhs = solvable_rhs<T>(space, p);
  MultigridSetup setup = setup_of(p, seed);
  setup.coarsening = coarsening;
  double const tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-9;
  MultigridOptions const options{
      .tolerance = tolerance, .conjugate_gradients = seed % 5 != 0, .zero_guess = seed % 7 == 0};
  auto const whole = solve<T>(space, p, rhs, p.whole(), setup, options);
  setup.communicator = all;
  auto const part = solve<T>(space, p, rhs, p.box, setup, options);
  std::string const text = p.text();
  EXPECT_EQ(part.report.converged, whole.report.converged) << text << part.report.breakdown;
  if (coarsening == MultigridCoarsening::pairs) {
    EXPECT_LE(std::abs(part.report.iterations - whole.report.iterations), 1) << text;
  }
  if (part.report.converged) {
    auto const joined = test::joined_residual(space, p, rhs, part.x);
    // The mean that a singular problem removes, from b and from x, and the order of the operations are rounding here.
    EXPECT_LE(joined.residual, 1.5 * tolerance * joined.scale) << text;
  }

  // The same in all processes.
  for (double const residual : all.all_gather(part.report.residual)) EXPECT_EQ(residual, part.report.residual) << text;
  for (int const count : all.all_gather(part.report.iterations)) EXPECT_EQ(count, part.report.iterations) << text;
  return part.aggregates_below_parts;
}

TYPED_TEST(DistributedMultigridOn, SolvesAsOneProcess) {
  using Exec = typename TypeParam::execution_space;
  test::for_seeds<Exec>(
      0, 36, [](unsigned seed) { compare_solves<Exec, typename TypeParam::real>(seed, MultigridCoarsening::pairs); });
}

/// Walls that one process takes apart by aggregates: grids in parts take pairs, and the solution is the same.
TYPED_TEST(DistributedMultigridOn, SolvesAmongWallsWithAggregates) {
  using Exec = typename TypeParam::execution_space;
  int below_parts = 0;
  bool const all_passed = test::for_seeds<Exec>(100, 124, [&](unsigned seed) {
    auto const coarsening = seed % 3 == 0 ? MultigridCoarsening::automatic : MultigridCoarsening::aggregates;
    below_parts += compare_solves<Exec, typename TypeParam::real>(seed, coarsening);
  });
  if (!all_passed || !test::takes_all_cases<Exec>()) return;
  EXPECT_EQ(below_parts > 4, world().size() > 1) << below_parts;
}

template <class T, class Exec>
SolveReport solve_by_krylov(Exec const& space, DistributedCase const& p, HostField<T> const& rhs, Box const& cells,
                            MultigridSetup const& setup) {
  Communicator const& all = setup.communicator;
  auto const problem = p.problem<T>(space, cells, all);
  SevenPoint<Exec, T> a(space, problem, {.communicator = all});
  p.set_boundary_values<T>(space, a, cells);
  Multigrid<Exec, T> const map(space, problem, setup);
  ConjugateGradients<Exec, T> cg(space, a.extents(), {.communicator = all});
  auto const x = p.cut<T>(space, p.first, cells);
  double const tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-9;
  return cg.solve(space, a, map, x, p.cut<T>(space, rhs, cells),
                  {.tolerance = tolerance, .max_iterations = 100, .flexible = !setup.symmetric});
}

/// A cycle as the preconditioner of another method.
TYPED_TEST(DistributedMultigridOn, PreconditionsConjugateGradients) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  int converged = 0;
  bool const all_passed = test::for_seeds<Exec>(200, 230, [&](unsigned seed) {
    DistributedCase p(world(), seed, multiple_of(seed));
    p.make_symmetric();
    auto const rhs = solvable_rhs<T>(space, p);
    MultigridSetup setup = setup_of(p, seed);
    // Rounding of a shorter precision makes a map that plain conjugate gradients do not take.
    if (setup.symmetric) setup.single_precision_cycles = false;
    auto const whole = solve_by_krylov<T>(space, p, rhs, p.whole(), setup);
    setup.communicator = world();
    auto const part = solve_by_krylov<T>(space, p, rhs, p.box, setup);
    std::string const text = p.text();
    EXPECT_EQ(part.converged, whole.converged) << text << part.breakdown << whole.breakdown;
    EXPECT_LE(std::abs(part.iterations - whole.iterations), 1) << text;
    converged += part.converged ? 1 : 0;
  });
  if (!all_passed || !test::takes_all_cases<Exec>()) return;
  EXPECT_GE(converged, 20);
}

/// Part of this process of n^3 cells of the unit cube.
UniformGrid part_of_cube(int n) { return test::own_part(UniformGrid({n, n, n}, {1.0 / n, 1.0 / n, 1.0 / n})); }

/// Largest error of the solution of div grad u = -3 pi^2 u, u = sin(pi x) sin(pi y) sin(pi z), zero on the sides.
template <class Exec, class T>
double error_of_sines(int n) {
  Exec const space;
  UniformGrid const grid = part_of_cube(n);
  auto const sine = [&](int k, int j, int i) {
    double const pi = std::numbers::pi;
    return std::sin(pi * grid.x_center(i)) * std::sin(pi * grid.y_center(j)) * std::sin(pi * grid.z_center(k));
  };
  HostField<T> field(grid.extents(Location::cell));
  auto const x = test::to_device(space, field);
  field.fill(
      [&](int k, int j, int i) { return static_cast<T>(-3 * std::numbers::pi * std::numbers::pi * sine(k, j, i)); });
  Multigrid<Exec, T> multigrid(space, {grid, Boundaries::all(Boundary::dirichlet)},
                               {.communicator = world(), .gathered_cells = 32});
  EXPECT_EQ(multigrid.levels_in_parts() > 0, world().size() > 1);
  auto const report = multigrid.solve(space, x, test::to_device(space, field), {.tolerance = 2e-5, .zero_guess = true});
  EXPECT_TRUE(report.converged);
  auto const solution = test::to_host(space, x);
  double error = 0;
  for (int k = 0; k < solution.nz; ++k) {
    for (int j = 0; j < solution.ny; ++j) {
      for (int i = 0; i < solution.nx; ++i) error = std::max(error, std::fabs(solution(k, j, i) - sine(k, j, i)));
    }
  }
  return world().largest(error);
}

TYPED_TEST(DistributedMultigridOn, IsOfSecondOrder) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  // The error is (pi h)^2 / 12 of the solution, to fourth order in h. The tolerance adds 2e-5, one part in 160.
  double const coarse = error_of_sines<Exec, T>(8), fine = error_of_sines<Exec, T>(16);
  double const expected = std::pow(std::numbers::pi / 16, 2) / 12;
  EXPECT_NEAR(fine, expected, 0.05 * expected);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

/// As many cells per process whatever their number: no process keeps the whole finest grid.
TYPED_TEST(DistributedMultigridOn, KeepsItsPartOfTheMemory) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  Communicator const all = world();
  UniformGrid const whole({64, 32 * all.size(), 32}, {1, 1, 1});
  UniformGrid const grid = test::own_part(whole);
  Boundaries const sides = Boundaries::all(Boundary::dirichlet);
  Multigrid<Exec, T> const part(space, {grid, sides}, {.communicator = all, .gathered_cells = 128});
  Multigrid<Exec, T> const alone(space, {UniformGrid({64, 32, 32}, {1, 1, 1}), sides});
  // More: the gathered grids of at most 128 cells per process, and the values of two faces of every grid in parts.
  EXPECT_LE(part.workspace_bytes(), 1.3 * static_cast<double>(alone.workspace_bytes()));
  std::int64_t const announced = Multigrid<Exec, T>::workspace_bytes(
      space, {whole, sides}, BoxDecomposition(whole.global_cells(), all.size()), {.gathered_cells = 128});
  EXPECT_EQ(announced, all.largest(part.workspace_bytes()));
}

/// Part of a street of houses: every second block of 4 x 4 columns is solid, to a height that differs.
HostField<std::uint8_t> houses(UniformGrid const& grid) {
  HostField<std::uint8_t> solid(grid.extents(Location::cell));
  Box const box = grid.own_box();
  return solid.fill([&](int k, int j, int i) {
    int const x = (i + box.begin[0]) / 4, y = (j + box.begin[1]) / 4;
    return x % 2 == 1 && y % 2 == 1 && k < 3 + (x * 5 + y * 3) % 7 ? 1 : 0;
  });
}

/// Boxes of `whole` for all processes: two columns of them, where their number is even.
BoxDecomposition two_columns(UniformGrid const& whole) {
  int const processes = world().size(), x = processes % 2 == 0 ? 2 : 1;
  return BoxDecomposition(whole.global_cells(), processes, {.parts = {x, processes / x}, .multiple = 4});
}

/// Parts of a grid after all that are joined, two at a time while there are more than two.
int parts_left(std::int64_t cells, int parts, std::int64_t gathered_cells) {
  while (parts > 1 && (cells <= gathered_cells * parts || cells <= 64)) {
    parts = parts > 2 && parts % 2 == 0 ? parts / 2 : 1;
  }
  return parts;
}

/// Solves among houses by groups of two, and compares with one process that solves all.
template <class Exec, class T>
void solve_in_stages(bool symmetric) {
  Exec const space;
  Communicator const all = world();
  UniformGrid const whole({32, 32, 16}, {1, 1, 1});
  BoxDecomposition const boxes = two_columns(whole);
  UniformGrid const grid = boxes.part(whole, all.rank());
  Boundaries sides = Boundaries::all(Boundary::dirichlet);
  sides.bottom = Boundary::neumann;
  double const tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-9;
  auto const solve = [&](UniformGrid const& cells, MultigridSetup const& setup, auto const& check) {
    SevenPointProblem<Exec, T> const problem(space, cells, sides, test::to_device(space, houses(cells)), {1, 1, 1},
                                             setup.communicator);
    Multigrid<Exec, T> multigrid(space, problem, setup);
    check(multigrid);
    HostField<T> field(cells.extents(Location::cell));
    auto const x = test::to_device(space, field);
    Box const box = cells.own_box();
    field.fill([&](int k, int j, int i) {
      int const n = 7 * k + 5 * (j + box.begin[1]) + 3 * (i + box.begin[0]);
      return static_cast<T>(n % 11 - 5);
    });
    auto const report = multigrid.solve(space, x, test::to_device(space, field), {.tolerance = tolerance});
    EXPECT_TRUE(report.converged);
    return std::pair{report.iterations, test::to_host(space, x)};
  };
  MultigridSetup setup{
      .symmetric = symmetric, .coarsening = MultigridCoarsening::pairs, .gathered_cells = 600, .gathered_parts = 2};
  auto const alone = solve(whole, setup, [](auto const&) {});
  setup.communicator = all;
  auto const part = solve(grid, setup, [&](Multigrid<Exec, T> const& multigrid) {
    auto const levels = multigrid.levels();
    std::vector<int> expected;
    int left = all.size();
    for (auto const& cells : levels) {
      left = parts_left(std::int64_t(cells[0]) * cells[1] * cells[2], left, setup.gathered_cells);
      expected.push_back(left);
    }
    EXPECT_EQ(multigrid.parts(), expected);
    std::int64_t const announced =
        Multigrid<Exec, T>::workspace_bytes(space, {whole, sides, CoefficientForm::walls}, boxes, setup);
    EXPECT_EQ(announced, all.largest(multigrid.workspace_bytes()));
  });
  EXPECT_LE(std::abs(part.first - alone.first), 1);
  double const largest = test::largest(alone.second);
  double const difference = test::largest_difference(part.second, alone.second, grid.own_box());
  // Both residuals are within the tolerance of max |b| = 5, and max |A^-1 r| <= max |r| H^2 / 2 with H = 16 cells.
  EXPECT_LE(difference, 2 * tolerance * 5 * 128 + 64 * std::numeric_limits<T>::epsilon() * largest);
}

TYPED_TEST(DistributedMultigridOn, GathersInStages) {
  for (bool const symmetric : {false, true}) {
    solve_in_stages<typename TypeParam::execution_space, typename TypeParam::real>(symmetric);
  }
}

/// Cycles among flat houses that call for aggregates, by the processes of a setup.
template <class Exec, class T>
int cycles_among_houses(MultigridSetup const& setup) {
  Exec const space;
  Communicator const& all = setup.communicator;
  UniformGrid const whole({64, 64, 16}, {1, 1, 1.0 / 12});
  UniformGrid const grid = BoxDecomposition(whole.global_cells(), all.size(), {.multiple = 8}).part(whole, all.rank());
  Boundaries sides = Boundaries::all(Boundary::dirichlet);
  sides.bottom = sides.top = Boundary::neumann;
  SevenPointProblem<Exec, T> const problem(space, grid, sides, test::to_device(space, houses(grid)), {1, 1, 1}, all);
  Multigrid<Exec, T> multigrid(space, problem, setup);
  EXPECT_EQ(multigrid.coarsening(), MultigridCoarsening::aggregates);
  EXPECT_EQ(multigrid.levels_in_parts() > 2, all.size() > 1);
  HostField<T> field(grid.extents(Location::cell));
  auto const x = test::to_device(space, field);
  Box const box = grid.own_box();
  field.fill([&](int k, int j, int i) {
    return static_cast<T>((7 * k + 5 * (j + box.begin[1]) + 3 * (i + box.begin[0])) % 11 - 5);
  });
  double const tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-8;
  auto const report = multigrid.solve(space, x, test::to_device(space, field), {.tolerance = tolerance});
  EXPECT_TRUE(report.converged);
  return report.iterations;
}

/// Pairs in parts take about the cycles that aggregates take in one process; see docs/multigrid.md.
TYPED_TEST(DistributedMultigridOn, NeedsFewMoreCyclesAmongHouses) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  MultigridSetup setup{.coarsening = MultigridCoarsening::aggregates, .gathered_cells = 512};
  int const alone = cycles_among_houses<Exec, T>(setup);
  setup.communicator = world();
  int const in_parts = cycles_among_houses<Exec, T>(setup);
  EXPECT_LE(in_parts, alone + 2);
}

/// 128 processes with 16 x 32 x 32 cells each. At once they gather 2^18 cells; in stages groups of eight join 2^14, and
/// then all gather 2^15.
TYPED_TEST(DistributedMultigridOn, NeedsLessMemoryInStages) {
  using Exec = typename TypeParam::execution_space;
  using Plan = Multigrid<Exec, typename TypeParam::real>;
  Exec const space;
  SevenPointShape const shape(UniformGrid({256, 256, 32}, {1, 1, 1}), Boundaries::all(Boundary::dirichlet));
  BoxDecomposition const boxes(shape.grid.global_cells(), 128, {.parts = {16, 8}, .multiple = 8});
  auto const bytes = [&](int gathered_parts) {
    MultigridSetup const setup{.gathered_cells = 16 * 16 * 16, .gathered_parts = gathered_parts};
    return Plan::workspace_bytes(space, shape, boxes, setup);
  };
  EXPECT_EQ(bytes(64), bytes(MultigridSetup().gathered_parts));
  // The difference has x and a right-hand side in float at least.
  constexpr std::int64_t fewer_cells = (1 << 18) - (1 << 14) - (1 << 15);
  EXPECT_GT(bytes(128) - bytes(64), 2 * static_cast<std::int64_t>(sizeof(float)) * fewer_cells);
}

TYPED_TEST(DistributedMultigridOn, StopsWhereOneMonitorStops) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  UniformGrid const grid = part_of_cube(16);
  Multigrid<Exec, T> multigrid(space, {grid, Boundaries::all(Boundary::dirichlet)},
                               {.communicator = world(), .gathered_cells = 64});
  test::expect_stop_together<T>(space, grid, 2, [&](auto const& x, auto const& rhs, auto const& monitor) {
    return multigrid.solve(space, x, rhs, {.tolerance = 0, .monitor = monitor});
  });
}

TYPED_TEST(DistributedMultigridOn, RefusesInAllProcesses) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  Communicator const all = world();
  auto const make = [&](SevenPointProblem<Exec, T> const& problem, MultigridSetup setup, bool together = true) {
    if (together) setup.communicator = all;
    Multigrid<Exec, T> const multigrid(space, problem, setup);
  };
  UniformGrid const whole({8, 16, 4}, {1, 1, 1});
  expect_refused("part of a larger one", [&] { make({whole.part({{0, 0, 0}, {8, 7, 4}}), {}}, {}, false); });
  if (all.size() == 1) return;
  UniformGrid const grid = test::own_part(whole);
  // Faults of one process alone.
  bool const last = all.rank() == all.size() - 1;
  expect_refused("gathered_cells must not be negative", [&] { make({grid, {}}, {.gathered_cells = last ? -1 : 0}); });
  expect_refused("gathered_parts must be at least 1", [&] { make({grid, {}}, {.gathered_parts = last ? 0 : 1}); });
  SevenPointProblem<Exec, T> mixed(grid, {});
  if (last) mixed.walls = Field<Exec, WallCode>("karman::test::codes", 4, grid.ny(), 8);
  expect_refused("coefficients of the same form", [&] { make(mixed, {}); });
  Boundaries const closed = Boundaries::all(Boundary::neumann);
  SevenPointProblem<Exec, T> open(space, grid, closed, {}, {1, 1, 1}, all);
  if (last) {
    Field<Exec, WallCode> const codes("karman::test::codes", 4, grid.ny(), 8);
    Kokkos::deep_copy(space, codes, WallCode(0x0aaa));
    open.walls = codes;
  }
  expect_refused("face coefficients must be at most 0", [&] { make(open, {}); });
  Multigrid<Exec, T> multigrid(space, {grid, Boundaries::all(Boundary::dirichlet)}, {.communicator = all});
  auto const x = test::to_device(space, HostField<T>(grid.extents(Location::cell)));
  auto const flat = last ? test::to_device(space, HostField<T>({4, 1, 16})) : x;
  expect_refused("rhs must have shape", [&] { multigrid.solve(space, x, flat); });
  expect_refused("tolerance must be finite", [&] { multigrid.solve(space, x, x, {.tolerance = last ? -1.0 : 0.1}); });
}

}  // namespace distributed_multigrid_test
