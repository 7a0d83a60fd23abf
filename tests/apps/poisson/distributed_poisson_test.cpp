// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Poisson's equation and problems in time on parts of a grid. Runs as any number of processes; each also solves the
// whole problem alone.
#include "chosen_cases.hpp"
#include "poisson/model/step_check.hpp"
#include "poisson/model/time_model.hpp"
#include "poisson/output/frames.hpp"
#include "poisson/run/comparison_run.hpp"
#include "poisson_problems.hpp"
#include "world.hpp"
#include <karman/core/error.hpp>
#include <karman/io/progress.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace distributed_poisson_test {

using namespace karman;
using namespace karman::test;
using nlohmann::json;
using poisson::LinearSystem;
using poisson::Method;
using poisson::SolveResult;

template <class>
class DistributedPoisson : public ::testing::Test {};
TYPED_TEST_SUITE(DistributedPoisson, AllBackendsDouble, BackendNames);

/// Every kind of side; south and north are periodic.
json box(std::vector<int> const& cells, json const& coefficient) {
  std::vector<double> const size(cells.size(), 1);
  json const periodic = {{"kind", "periodic"}};
  json sides = {{"west", {{"kind", "dirichlet"}, {"value", "y"}}},
                {"east", {{"kind", "neumann"}, {"flux", 0.5}}},
                {"south", periodic},
                {"north", periodic}};
  if (cells.size() == 3) sides["bottom"] = {{"kind", "dirichlet"}, {"value", "x"}};
  return {{"problem", "poisson"},
          {"domain", {{"cells", cells}, {"size", size}}},
          {"sides", sides},
          {"right_hand_side", "1 + x - y"},
          {"coefficient", coefficient},
          {"solver", {{"tolerance", 1e-12}, {"max_iterations", 3000}}}};
}

json with_walls(json input) {
  std::size_t const dimensions = input["domain"]["cells"].size();
  std::vector<double> const low(dimensions, 0.3), high(dimensions, 0.62);
  input["solid"] = {{{"kind", "box"}, {"low", low}, {"high", high}},
                    {{"kind", "random_boxes"}, {"fraction", 0.15}, {"size", {0.05, 0.2}}, {"seed", 3}}};
  return input;
}

/// Four and eight processes cut x where y has few cells.
std::vector<json> problems() {
  std::vector<json> result;
  for (auto const& cells : {std::vector{21, 26, 7}, {40, 6, 10}, {33, 44}}) {
    for (json const& coefficient : {json(2), json("1.5 + 0.3 * sin(5 * x) * cos(7 * y)")}) {
      result.push_back(box(cells, coefficient));
      result.push_back(with_walls(box(cells, coefficient)));
    }
  }
  return result;
}

/// A problem of which this process has its part.
struct Part {
  explicit Part(json const& problem)
      : input(Case::parse(problem.dump(), "test", poisson::schema())),
        poisson_case(poisson::read_poisson_case(input)),
        system(poisson::make_linear_system(input, poisson_case, world())) {}

  Case input;
  poisson::PoissonCase poisson_case;
  LinearSystem system;
};

template <class Exec, class Given>
SolveResult solve_by(Given const& given, Method method) {
  auto const& settings = given.poisson_case.solver;
  SolveResult result;
  result.method = method;
  auto const solver = poisson::make_poisson_solver(backend_of<Exec>(), method, settings, given.system);
  poisson::SolveRequest request;
  request.tolerance = settings.tolerance;
  request.max_iterations = settings.max_iterations;
  result.outcome = solver->solve(request, {});
  result.memory_bytes = solver->memory_bytes();
  poisson::judge(given.system, settings, *solver, result);
  return result;
}

/// Largest difference of the own cells to a solution of all cells, over the largest value of the latter.
double difference(LinearSystem const& system, poisson::CellValues const& own, poisson::CellValues const& all) {
  auto const [nx, ny, nz] = system.grid.global_cells();
  Box const& cells = system.grid.own_box();
  double largest = 0, most = 0;
  for (double value : all) largest = std::max(largest, std::abs(value));
  std::size_t n = 0;
  for (int k = cells.begin[2]; k < cells.end[2]; ++k)
    for (int j = cells.begin[1]; j < cells.end[1]; ++j)
      for (int i = cells.begin[0]; i < cells.end[0]; ++i, ++n) {
        auto const at = (static_cast<std::size_t>(k) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(j)) *
                            static_cast<std::size_t>(nx) +
                        static_cast<std::size_t>(i);
        most = std::max(most, std::abs(own[n] - all[at]));
      }
  return world().largest(most) / largest;
}

std::string text(json const& problem, Method method) {
  return std::string(name(method)) + " of " + problem["domain"]["cells"].dump() +
         (problem.contains("solid") ? " with walls" : "") + ", a = " + problem["coefficient"].dump();
}

TYPED_TEST(DistributedPoisson, EveryMethodHasTheSolutionOfOneProcess) {
  // Every third one has all forms and shapes.
  for (json const& problem : chosen_cases<typename TypeParam::execution_space>(problems(), 3)) {
    Problem const whole(problem);
    Part const part(problem);
    // By the choice of auto.
    SolveResult const expected = solve_by<typename TypeParam::execution_space>(whole, automatic_method(whole.system));
    ASSERT_TRUE(expected.outcome.converged);
    EXPECT_EQ(automatic_method(part.system), automatic_method(whole.system));
    for (Method const method : {Method::adi, Method::cg, Method::direct, Method::multigrid, Method::mg_pcg}) {
      if (!why_not(method, whole.system).empty()) continue;
      ASSERT_EQ(why_not(method, part.system), "");
      SolveResult const found = solve_by<typename TypeParam::execution_space>(part, method);
      EXPECT_TRUE(found.outcome.converged) << text(problem, method) << ": " << found.largest_residual;
      EXPECT_LE(found.largest_residual, 1e-11) << text(problem, method);
      EXPECT_LT(difference(part.system, found.p, expected.p), 1e-8) << text(problem, method);
    }
  }
}

/// Linear functions solve the equations of the cells: all errors come from the solver.
TYPED_TEST(DistributedPoisson, LinearFunctionsAreExact) {
  json const problem = {{"problem", "poisson"},
                        {"domain", {{"cells", {18, 25, 9}}, {"size", {0.9, 1.25, 0.9}}}},
                        {"sides",
                         {{"west", {{"kind", "dirichlet"}, {"value", "2 - 3 * y + z"}}},
                          {"east", {{"kind", "dirichlet"}, {"value", "2.9 - 3 * y + z"}}},
                          {"south", {{"kind", "neumann"}, {"flux", "3"}}},
                          {"north", {{"kind", "neumann"}, {"flux", "-3"}}},
                          {"bottom", {{"kind", "neumann"}, {"flux", "-1"}}},
                          {"top", {{"kind", "dirichlet"}, {"value", "2.9 + x - 3 * y"}}}}},
                        {"right_hand_side", 0},
                        {"exact", "2 + x - 3 * y + z"},
                        {"solver", {{"tolerance", 1e-12}, {"max_iterations", 3000}}}};
  Part const part(problem);
  for (Method const method : {Method::adi, Method::cg, Method::direct, Method::multigrid, Method::mg_pcg}) {
    SolveResult const found = solve_by<typename TypeParam::execution_space>(part, method);
    EXPECT_TRUE(found.outcome.converged) << name(method);
    ASSERT_TRUE(found.error) << name(method);
    EXPECT_LT(found.error->largest, 1e-10) << name(method);
  }
}

/// A dry run announces no less than any process takes, and not much more than the largest takes.
TYPED_TEST(DistributedPoisson, AnnouncesTheMemoryOfEveryMethod) {
  std::vector<json> trials = problems();
  // Grids in parts below the finest one.
  trials.push_back(box({64, 64, 40}, 2));
  trials.push_back(box({384, 256}, 2));
  trials.push_back(with_walls(box({64, 64, 40}, "1.5 + 0.3 * sin(5 * x)")));
  for (json const& problem : chosen_cases<typename TypeParam::execution_space>(trials, 7)) {
    for (char const* precision : {"f64", "f32"}) {
      if (precision[1] == '3' && problem["coefficient"] != 2) continue;
      json input = problem;
      input["solver"]["precision"] = precision;
      input["solver"].erase("tolerance");
      Part const part(input);
      auto const& settings = part.poisson_case.solver;
      for (Method const method : poisson::all_methods) {
        if (!why_not(method, part.system).empty()) continue;
        auto const solver = poisson::make_poisson_solver(backend_of<typename TypeParam::execution_space>(), method,
                                                         settings, part.system);
        std::int64_t const taken = world().largest(solver->memory_bytes());
        std::int64_t const announced = poisson::plan_bytes(backend_of<typename TypeParam::execution_space>(), method,
                                                           settings, shape_of(part.system, method));
        // Aggregates are an estimate, which of some thousands of cells is too low.
        bool const estimated = part.system.has_solid() && (method == Method::multigrid || method == Method::mg_pcg);
        EXPECT_GE(double(announced), (estimated ? 0.7 : 1) * double(taken)) << text(input, method) << ", " << precision;
        // Planes and messages of small parts, and lists of blocks.
        constexpr double small = 60000;
        EXPECT_LE(double(announced), 1.7 * double(taken) + small) << text(input, method) << ", " << precision;
        if (world().size() == 1 && !estimated) {
          EXPECT_EQ(announced, solver->memory_bytes()) << text(input, method);
        }
      }
    }
  }
}

using poisson::ComparisonRow;
using poisson::Fate;

template <class Exec, class Given>
std::vector<ComparisonRow> compared(Given const& given, double budget,
                                    poisson::MakeSolver const& make = poisson::make_poisson_solver) {
  app::RunOptions options;
  options.compare_budget = budget;
  options.backend = backend_of<Exec>();
  Progress progress({.mode = ProgressMode::off});
  return poisson::Contest(options, given.poisson_case, given.system, make).run(progress).rows;
}

/// The rows have one fate and one iteration in all processes.
void expect_one_answer(std::vector<ComparisonRow> const& rows) {
  for (ComparisonRow const& row : rows) {
    for (double const value : {double(row.fate), double(row.iterations), double(row.solves), row.residual, row.seconds,
                               double(row.memory_bytes), row.largest_error.value_or(0)})
      EXPECT_EQ(world().largest(value), value) << name(row.method);
  }
}

TYPED_TEST(DistributedPoisson, ComparesEveryMethod) {
  using Exec = typename TypeParam::execution_space;
  constexpr double tolerance = 1e-8;
  std::vector<json> const trials{box({9, 14, 5}, 2), with_walls(box({17, 22}, "1.5 + 0.3 * sin(5 * x) * cos(7 * y)"))};
  for (json problem : chosen_cases<Exec>(trials, 2)) {
    problem["exact"] = "1 + x";
    // How often a comparison checks by itself depends on time.
    problem["solver"] = {{"tolerance", tolerance}, {"omega", 1.5}, {"check_every", 1}};
    SCOPED_TRACE(problem.dump());
    Problem const whole(problem);
    Part const part(problem);
    auto const expected = compared<Exec>(whole, 60), found = compared<Exec>(part, 60);
    expect_one_answer(found);
    ASSERT_EQ(found.size(), poisson::all_methods.size());
    for (std::size_t n = 0; n < found.size(); ++n) {
      ComparisonRow const &row = found[n], &of_one = expected[n];
      SCOPED_TRACE(name(row.method));
      if (row.method == Method::gauss_seidel && world().size() > 1) {
        EXPECT_EQ(row.fate, Fate::not_applicable);
        EXPECT_EQ(row.reason,
                  "gauss_seidel runs as one process; as several run jacobi, red_black_gs, sor, sor_optimal, adi, "
                  "direct, multigrid, cg, mg_pcg");
        continue;
      }
      EXPECT_EQ(row.fate, of_one.fate) << row.reason;
      if (row.fate != Fate::done) continue;
      EXPECT_LE(row.residual, tolerance);
      ASSERT_TRUE(row.largest_error);
      EXPECT_NEAR(*row.largest_error, *of_one.largest_error, 1e-5 * *of_one.largest_error);
      bool const same_bits = row.method == Method::jacobi || has_two_colors(row.method);
      if (same_bits) {
        EXPECT_EQ(row.iterations, of_one.iterations);
        EXPECT_EQ(row.residual, of_one.residual);
        EXPECT_EQ(*row.largest_error, *of_one.largest_error);
      }
      EXPECT_GE(row.memory_bytes, world().size() == 1 ? of_one.memory_bytes : of_one.memory_bytes / 2);
    }
  }
}

/// Two colors need pairs of cells along an axis that is periodic and cut.
TYPED_TEST(DistributedPoisson, ComparesWhatItsPartsAllow) {
  json problem = box({10, 33}, 2);
  problem["solver"]["tolerance"] = 1e-6;
  Part const part(problem);
  auto const rows = compared<typename TypeParam::execution_space>(part, 60);
  expect_one_answer(rows);
  for (ComparisonRow const& row : rows) {
    bool const refused = world().size() > 1 && has_two_colors(row.method);
    EXPECT_EQ(row.reason.find(" needs an even number of cells along a periodic axis that is cut; y has 33") !=
                  std::string::npos,
              refused)
        << name(row.method) << ": " << row.reason;
    if (refused) {
      EXPECT_EQ(row.fate, Fate::not_applicable);
    }
  }
}

TYPED_TEST(DistributedPoisson, ComparesWithOneAnswerWhereTimeIsOver) {
  Part const part(with_walls(box({40, 26, 10}, "1.5 + 0.3 * sin(5 * x) * cos(7 * y)")));
  for (double const budget : {1e-6, 2e-3}) {
    auto const rows = compared<typename TypeParam::execution_space>(part, budget);
    expect_one_answer(rows);
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](auto const& row) { return row.fate == Fate::cut_off; }));
  }
  // Wrong arguments are thrown in all processes. Memory that one lacks ends all.
  auto const failing = [](Backend backend, Method method, auto const& settings, auto const& system) {
    if (method == Method::sor) system.communicator.check_in_all([&] { require(!world().is_first(), "no sor"); });
    if (method == Method::adi && world().size() > 1) throw std::bad_alloc();
    return poisson::make_poisson_solver(backend, method, settings, system);
  };
  if (world().size() > 1) {
    EXPECT_THROW(compared<typename TypeParam::execution_space>(part, 1e-6, failing), std::bad_alloc);
  } else {
    auto const rows = compared<typename TypeParam::execution_space>(part, 1e-6, failing);
    auto const sor = std::find_if(rows.begin(), rows.end(), [](auto const& row) { return row.method == Method::sor; });
    EXPECT_EQ(sor->fate, Fate::failed);
    EXPECT_EQ(sor->reason, "no sor");
  }
}

/// Heat with values and fluxes, and without any side that fixes it, in both precisions.
std::vector<json> heat_problems() {
  std::vector<json> const all_sides{{{"west", {{"kind", "dirichlet"}, {"value", "y"}}},
                                     {"east", {{"kind", "neumann"}, {"flux", 0.5}}},
                                     {"south", {{"kind", "neumann"}, {"flux", "-0.2 * x"}}},
                                     {"north", {{"kind", "dirichlet"}, {"value", 2}}}},
                                    {{"west", {{"kind", "neumann"}, {"flux", 0}}},
                                     {"east", {{"kind", "neumann"}, {"flux", "0.1 + y"}}},
                                     {"south", {{"kind", "neumann"}, {"flux", -0.3}}},
                                     {"north", {{"kind", "neumann"}, {"flux", "x"}}}}};
  std::vector<json> result;
  for (auto const& cells : {std::vector{21, 26}, {40, 6}, {9, 41}}) {
    for (json const& sides : all_sides) {
      for (char const* precision : {"f64", "f32"}) {
        result.push_back({{"problem", "heat"},
                          {"domain", {{"cells", cells}, {"size", {1, 1.5}}}},
                          {"sides", sides},
                          {"diffusivity", 0.3},
                          {"initial", "sin(3 * x) * cos(2 * y) + x"},
                          {"exact", "x + t"},
                          {"precision", precision},
                          {"time", {{"step", 0.02}, {"steps", 5}}}});
      }
    }
  }
  return result;
}

/// Columns with terms in time, shared and varying coefficients, both schemes.
std::vector<json> column_problems() {
  std::vector<json> result;
  for (char const* diffusivity : {"0.5 + 0.1 * z", "0.5 + 0.1 * x * y + 0.02 * z"}) {
    for (char const* scheme : {"implicit_euler", "crank_nicolson"}) {
      for (char const* end : {"flux", "value"}) {
        json const given = "cos(t) * (1 + x - y)";
        result.push_back({{"problem", "column_diffusion"},
                          {"columns", {13, 10}},
                          {"size", {3, 2}},
                          {"layers", {{"kind", "stretched"}, {"count", 7}, {"thickness", 0.2}, {"ratio", 1.2}}},
                          {"diffusivity", diffusivity},
                          {"initial", "1 + x * z"},
                          {"exact", "z + t"},
                          {"ground", {{"kind", end}, {end, given}}},
                          {"top", {{"kind", "flux"}, {"flux", "0.1 * y"}}},
                          {"time", {{"step", 0.05}, {"steps", 5}, {"scheme", scheme}}}});
      }
    }
  }
  return result;
}

/// A problem in time of which this process has its part, or of which it has all cells.
template <class TimeCaseType>
struct InTime {
  explicit InTime(json const& problem, Communicator const& communicator = {})
      : input(Case::parse(problem.dump(), "test", poisson::schema())), time_case(read()) {
    if (communicator.size() > 1) {
      time_case.communicator = communicator;
      time_case.grid = BoxDecomposition(time_case.whole.global_cells(), communicator.size())
                           .part(time_case.whole, communicator.rank());
    }
    if constexpr (heat) steady = poisson::make_linear_system(input, time_case.steady, communicator);
  }

  static constexpr bool heat = std::is_same_v<TimeCaseType, poisson::HeatCase>;

  TimeCaseType read() const {
    if constexpr (heat) return poisson::read_heat_case(input);
    else return poisson::read_column_case(input);
  }

  std::unique_ptr<poisson::TimeModel> model(Backend backend) const {
    if constexpr (heat) return poisson::make_heat_model(backend, time_case, steady);
    else return poisson::make_column_model(backend, input, time_case);
  }

  std::int64_t announced(Backend backend, int processes) const {
    if constexpr (heat) return poisson::heat_model_bytes(backend, time_case, processes);
    else return poisson::column_model_bytes(backend, time_case, processes);
  }

  std::unique_ptr<poisson::StepCheck> check() const {
    if constexpr (heat) return std::make_unique<poisson::HeatStepCheck>(time_case, steady);
    else return std::make_unique<poisson::ColumnStepCheck>(input, time_case);
  }

  Case input;
  TimeCaseType time_case;
  LinearSystem steady;
};

/// States before and after the last step, and figures of it.
struct Marched {
  poisson::CellValues before, after;
  double inflow = 0, excess = 0;
  poisson::FrameFacts facts;
  std::int64_t bytes = 0;
};

template <class Given>
Marched marched(Given const& given, Backend backend) {
  poisson::TimeCase const& time_case = given.time_case;
  auto const initial = app::cell_values(given.input, time_case.initial, time_case.grid);
  app::HostField field(time_case.precision, ArrayExtents(time_case.grid.extents(Location::cell)), initial);
  auto const model = given.model(backend);
  model->set(std::as_const(field).array());
  Marched result;
  for (int step = 0; step < time_case.steps; ++step) {
    model->copy(field.array());
    result.before = field.in_double();
    model->advance(step * time_case.step);
    result.inflow += model->inflow() * time_case.step;
  }
  model->copy(field.array());
  result.after = field.in_double();
  double const last = (time_case.steps - 1) * time_case.step;
  result.excess = given.check()->excess(last, result.before, result.after);
  auto const exact =
      app::cell_values(given.input, *time_case.exact, time_case.grid, false, time_case.steps * time_case.step);
  result.facts = facts_of(time_case, time_case.steps, result.after, exact, content(time_case, initial), result.inflow);
  result.bytes = model->memory_bytes();
  return result;
}

/// The own cells of a field of all.
poisson::CellValues own_cells(UniformGrid const& part, poisson::CellValues const& all) {
  auto const [nx, ny, nz] = part.global_cells();
  Box const& cells = part.own_box();
  poisson::CellValues own;
  for (int k = cells.begin[2]; k < cells.end[2]; ++k)
    for (int j = cells.begin[1]; j < cells.end[1]; ++j)
      for (int i = cells.begin[0]; i < cells.end[0]; ++i)
        own.push_back(all[(static_cast<std::size_t>(k) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(j)) *
                              static_cast<std::size_t>(nx) +
                          static_cast<std::size_t>(i)]);
  return own;
}

/// Compares parts with one process: fields, figures, the check of a step. Memory is announced.
template <class TimeCaseType>
void expect_the_march_of_one_process(json const& problem, Backend backend) {
  SCOPED_TRACE(problem.dump());
  InTime<TimeCaseType> const whole(problem), part(problem, world());
  Marched const expected = marched(whole, backend), found = marched(part, backend);
  bool const single = whole.time_case.precision == app::Precision::f32;
  double const epsilon =
      single ? double(std::numeric_limits<float>::epsilon()) : std::numeric_limits<double>::epsilon();
  auto const own = own_cells(part.time_case.grid, expected.after);
  double const scale = std::max(std::abs(expected.facts.least), std::abs(expected.facts.most));
  ASSERT_EQ(found.after.size(), own.size());
  for (std::size_t n = 0; n < own.size(); ++n) ASSERT_EQ(found.after[n], own[n]) << n;
  EXPECT_EQ(found.facts.least, expected.facts.least);
  EXPECT_EQ(found.facts.most, expected.facts.most);
  EXPECT_EQ(found.facts.largest_error, expected.facts.largest_error);
  EXPECT_EQ(found.excess, expected.excess);
  EXPECT_LE(found.excess, 1);
  EXPECT_GT(found.excess, 0);
  double const rounding = double(part.time_case.whole.cell_count()) * epsilon;
  EXPECT_NEAR(found.facts.mean, expected.facts.mean, rounding * scale);
  EXPECT_EQ(std::isnan(found.inflow), std::isnan(expected.inflow));
  if (!std::isnan(expected.inflow)) {
    EXPECT_NEAR(found.inflow, expected.inflow, rounding * (std::abs(expected.inflow) + 1));
    EXPECT_NEAR(found.facts.balance_error, expected.facts.balance_error, rounding);
    EXPECT_LT(std::abs(found.facts.balance_error), 8 * rounding);
  }
  // A wrong value in any process is found by all of them, also beside a cut.
  for (double const wrong : {1.0, std::numeric_limits<double>::quiet_NaN()}) {
    for (int rank = 0; rank < world().size(); ++rank) {
      auto after = found.after;
      if (rank == world().rank()) after.back() += wrong;
      double const excess = part.check()->excess((part.time_case.steps - 1) * part.time_case.step, found.before, after);
      EXPECT_GT(excess, 100) << rank;
      EXPECT_EQ(world().largest(excess), excess);
    }
  }
  std::int64_t const taken = world().largest(found.bytes);
  std::int64_t const announced = part.announced(backend, world().size());
  EXPECT_GE(announced, taken);
  // Messages of small parts.
  constexpr double small = 30000;
  EXPECT_LE(double(announced), 1.7 * double(taken) + small);
}

TYPED_TEST(DistributedPoisson, HeatIsThatOfOneProcess) {
  for (json const& problem : heat_problems())
    expect_the_march_of_one_process<poisson::HeatCase>(problem, backend_of<typename TypeParam::execution_space>());
}

TYPED_TEST(DistributedPoisson, ColumnsAreThoseOfOneProcess) {
  for (json const& problem : column_problems())
    expect_the_march_of_one_process<poisson::ColumnCase>(problem, backend_of<typename TypeParam::execution_space>());
}

}  // namespace distributed_poisson_test
