// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas, solid cells, compatibility: the system before any method.
#include "poisson_problems.hpp"
#include <karman/io/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace poisson_system_test {

using namespace karman;
using namespace karman::test;
using nlohmann::json;
using poisson::Expression;
using poisson::ExpressionError;
using poisson::Method;

TEST(PoissonExpression, Evaluates) {
  poisson::ExpressionConstants const constants{{2, 3, 4}};
  Expression formula("sin(pi * x / lx) + y^2 * (z > 1 ? t : -t)", "xyzt", constants);
  EXPECT_DOUBLE_EQ(formula({1, 3, 2, 0.5}), 1 + 9 * 0.5);
  EXPECT_DOUBLE_EQ(formula({1, 3, 0, 0.5}), 1 - 9 * 0.5);
  EXPECT_TRUE(formula.uses('t'));
  Expression copy = formula;
  EXPECT_DOUBLE_EQ(copy({1, 0, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(Expression("lx + ly + lz + ln(e)", "x", constants)({}), 10);
  EXPECT_FALSE(Expression("lx + 1", "x", constants).uses('x'));
  EXPECT_TRUE(std::isinf(Expression("1 / x", "x", constants)({0})));
}

TEST(PoissonExpression, SaysWhereItIsWrong) {
  poisson::ExpressionConstants const constants;
  auto const position = [&](char const* text) -> std::size_t {
    try {
      Expression(text, "xy", constants);
    } catch (ExpressionError const& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
      return error.position();
    }
    ADD_FAILURE() << text << " was taken";
    return 0;
  };
  EXPECT_EQ(position("x + z"), 5u);
  EXPECT_EQ(position("x = 1"), 3u);
  EXPECT_GT(position("sin(x"), 0u);
  EXPECT_GT(position("2 * * 3"), 0u);
  position("1, 2");
  position("");
}

json box(int n) {
  return {{"problem", "poisson"},
          {"domain", {{"cells", {n, n, n}}, {"size", {1, 1, 1}}}},
          {"right_hand_side", "exp(-((x - 0.4)^2 + (y - 0.5)^2 + (z - 0.3)^2) / 0.01)"},
          {"sides", {{"bottom", {{"kind", "neumann"}}}}}};
}

TEST(PoissonSystem, CutOffCellsAreSolid) {
  json with_room = box(12);
  // A shell with an inside without connection to any side.
  with_room["solid"] = json::array();
  for (auto const& [low, high] : std::vector<std::pair<double, double>>{{0.25, 0.75}})
    with_room["solid"].push_back({{"kind", "box"}, {"low", {low, low, low}}, {"high", {high, high, high}}});
  Problem const filled(with_room);
  std::int64_t const solid = filled.system.grid.cell_count() - filled.system.fluid_cells;
  EXPECT_EQ(solid, 6 * 6 * 6);
  EXPECT_EQ(filled.system.cut_off, 0);
  // Two slabs that close off the middle of a channel with insulated sides.
  json channel = box(12);
  for (char const* name : {"south", "north", "bottom", "top"}) channel["sides"][name] = {{"kind", "neumann"}};
  channel["solid"] = {{{"kind", "box"}, {"low", {0.25, -1, -1}}, {"high", {0.34, 2, 2}}},
                      {{"kind", "box"}, {"low", {0.66, -1, -1}}, {"high", {0.75, 2, 2}}}};
  Problem const cut(channel);
  EXPECT_EQ(cut.system.cut_off, 12 * 12 * 4);
  EXPECT_FALSE(poisson::remarks(cut.system).empty());
}

TEST(PoissonSystem, RandomBoxesAreTheSameEverywhere) {
  json city = box(40);
  city["solid"] = {{{"kind", "random_boxes"}, {"fraction", 0.12}, {"seed", 7}}};
  Problem const one(city), other(city);
  EXPECT_EQ(one.system.solid, other.system.solid);
  double const share = 1 - double(one.system.fluid_cells) / double(one.system.grid.cell_count());
  EXPECT_GE(share, 0.12);
  EXPECT_LE(share, 0.14);
}

TEST(PoissonSystem, AnIncompatibleRightHandSideIsProjectedOrRefused) {
  json closed = box(8);
  for (char const* name : {"west", "east", "south", "north", "top"}) closed["sides"][name] = {{"kind", "neumann"}};
  Problem const projected(closed);
  EXPECT_TRUE(projected.system.singular);
  EXPECT_GT(projected.system.removed_mean, 0);
  double sum = 0;
  for (double value : projected.system.b) sum += value;
  EXPECT_NEAR(sum, 0, 1e-12 * projected.system.largest_b * double(projected.system.b.size()));
  closed["solver"]["compatibility"] = "require";
  EXPECT_THROW(Problem{closed}, CaseError);
  // Inflow through a side may balance a source: -1 inside, 1 through the whole west side.
  closed["right_hand_side"] = 1;
  closed["sides"]["west"]["flux"] = 1;
  EXPECT_NO_THROW(Problem{closed});
}

template <class>
class PoissonCounts : public ::testing::Test {};
TYPED_TEST_SUITE(PoissonCounts, AllBackendsDouble, BackendNames);

TYPED_TEST(PoissonCounts, AreThoseThatAreKnown) {
  using Exec = typename TypeParam::execution_space;
  // An open cube with a constant source, p = 0 on the sides and the top, insulated ground; tolerance 1e-6.
  json open = box(64);
  open["right_hand_side"] = 1;
  open["solver"] = {{"tolerance", 1e-6}, {"check_every", 5}};
  Problem const cube(open);
  EXPECT_LE(solve<Exec>(cube, Method::multigrid).outcome.iterations, 7);
  EXPECT_LE(solve<Exec>(cube, Method::mg_pcg).outcome.iterations, 7);
  // The best of three factors near the optimum took 240 iterations; 1.78, a factor common in the field, took a
  // thousand.
  EXPECT_NEAR(solve<Exec>(cube, Method::sor_optimal).outcome.iterations, 240, 24);
  // Their number depends on the source and the norm (845 for a bell, 1110 for this source, in the maximum norm). The
  // factor per iteration does not. It follows from Young's quadratic with Jacobi's spectral radius for the slowest
  // wave: half a wave between sides, a quarter between a side and the insulated ground.
  double const pi = std::numbers::pi;
  double const jacobi = (2 * std::cos(pi / 64) + std::cos(pi / 128)) / 3;
  double const root = 0.5 * (1.78 * jacobi + std::sqrt(1.78 * 1.78 * jacobi * jacobi - 4 * 0.78));
  auto const history = solve<Exec>(cube, Method::sor).outcome.history;
  auto const first_below = [&](double residual) {
    return std::find_if(history.begin(), history.end(), [&](auto const& s) { return s.residual <= residual; })
        ->iteration;
  };
  double const expected = std::log(1e3) / (-2 * std::log(root));
  EXPECT_NEAR(first_below(1e-6) - first_below(1e-3), expected, 10);
  EXPECT_NEAR(first_below(1e-6), 1000, 150);
  // With buildings the preconditioned solve needs about ten iterations, whatever the size.
  for (int n : {32, 64}) {
    json city = box(n);
    city["solver"] = {{"tolerance", 1e-6}};
    city["solid"] = {{{"kind", "random_boxes"}, {"fraction", 0.12}, {"size", {0.05, 0.25}}, {"seed", 5}}};
    EXPECT_LE(solve<Exec>(Problem(city), Method::mg_pcg).outcome.iterations, 12) << n;
  }
}

/// The dry run announces the memory of the plan.
TEST(PoissonEstimate, BytesOfEveryMethodInEveryDimension) {
  std::vector<std::vector<int>> const grids{{200000}, {400, 320}, {128, 64, 48}};
  for (auto const& cells : grids) {
    for (char const* precision : {"f64", "f32"}) {
      for (json const& coefficient : {json(1), json("1 + 0.1 * x")}) {
        for (bool walls : {false, true}) {
          std::vector<double> const size(cells.size(), 1), low(cells.size(), 0.3), high(cells.size(), 0.5);
          json input = {{"problem", "poisson"},
                        {"domain", {{"cells", cells}, {"size", size}}},
                        {"right_hand_side", 1},
                        {"coefficient", coefficient},
                        {"solver", {{"precision", precision}}}};
          if (walls) input["solid"] = {{{"kind", "box"}, {"low", low}, {"high", high}}};
          Problem const problem(input);
          auto const& settings = problem.poisson_case.solver;
          for (Method method : methods_for(problem)) {
            auto const solver =
                poisson::make_poisson_solver(enabled_backends().back(), method, settings, problem.system);
            auto const announced =
                poisson::plan_bytes(enabled_backends().back(), method, settings, shape_of(problem.poisson_case));
            EXPECT_EQ(announced, solver->memory_bytes())
                << name(method) << ", " << cells.size() << " dimensions, " << precision << ", a = " << coefficient
                << (walls ? ", walls" : "");
            EXPECT_EQ(announced, poisson::plan_bytes(enabled_backends().back(), method, settings,
                                                     shape_of(problem.system, method)));
          }
        }
      }
    }
  }
}

TEST(PoissonEstimate, CountsAggregatesWhereWallsAskForThem) {
  for (json const& coefficient : {json(1), json("1 + 0.1 * x")}) {
    json const input = {
        {"problem", "poisson"},
        {"domain", {{"cells", {200, 150}}, {"size", {1, 1}}}},
        {"right_hand_side", 1},
        {"coefficient", coefficient},
        {"solid", {{{"kind", "random_boxes"}, {"fraction", 0.3}, {"size", {0.005, 0.007}}, {"seed", 3}}}}};
    Problem const problem(input);
    auto const& settings = problem.poisson_case.solver;
    Backend const backend = enabled_backends().back();
    auto const solver = poisson::make_poisson_solver(backend, Method::multigrid, settings, problem.system);
    auto const bytes_of = [&](poisson::SystemShape const& shape) {
      return static_cast<double>(poisson::plan_bytes(backend, Method::multigrid, settings, shape));
    };
    auto const taken = static_cast<double>(solver->memory_bytes());
    double const of_aggregates = bytes_of(shape_of(problem.system, Method::multigrid)) / taken;
    double const of_pairs = bytes_of(shape_of(problem.poisson_case)) / taken;
    EXPECT_NEAR(of_aggregates, 1, 0.1);
    EXPECT_GT(std::abs(of_pairs - 1), 0.1) << "the case takes aggregates";
  }
}

}  // namespace poisson_system_test
