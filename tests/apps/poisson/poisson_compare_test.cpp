// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A comparison survives a failing method, and no method decides on its own convergence.
#include "common/case/texts.hpp"
#include "poisson/model/first_guess.hpp"
#include "poisson/model/plane_error.hpp"
#include "poisson/run/comparison_run.hpp"
#include "poisson_problems.hpp"
#include <karman/core/error.hpp>
#include <karman/io/progress.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace poisson_compare_test {

using namespace karman;
using karman::test::Problem;
using nlohmann::json;
using poisson::ComparisonRow;
using poisson::Fate;
using poisson::Method;

json plate() {
  return {{"problem", "poisson"},
          {"domain", {{"cells", {12, 10}}, {"size", {1, 1}}}},
          {"right_hand_side", 1},
          {"solver", {{"tolerance", 1e-8}, {"max_iterations", 500}}}};
}

/// Returns preset results.
class FixedSolver final : public poisson::PoissonSolver {
 public:
  FixedSolver(std::size_t cells, double value, bool converged) : values_(cells, value), converged_(converged) {}
  FixedSolver(std::vector<double> values, bool converged) : values_(std::move(values)), converged_(converged) {}
  void set_guess(ConstArray const&) override {}
  void clear_guess() override {}
  poisson::SolveOutcome solve(poisson::SolveRequest const&, poisson::Monitor const&) override {
    poisson::SolveOutcome outcome;
    outcome.iterations = 3;
    outcome.residual = 1e-12;
    outcome.converged = converged_;
    return outcome;
  }
  void copy_solution(MutableArray const& values) override {
    std::copy(values_.begin(), values_.end(), static_cast<double*>(values.data));
  }
  std::int64_t memory_bytes() const override { return 0; }

 private:
  std::vector<double> values_;
  bool converged_;
};

poisson::Comparison compare(Problem const& problem, poisson::MakeSolver const& make) {
  app::RunOptions options;
  options.compare_budget = 5;
  options.backend = enabled_backends().back();
  Progress progress({.mode = ProgressMode::off});
  return poisson::Contest(options, problem.poisson_case, problem.system, make).run(progress);
}

/// SOR throws, ADI runs out of memory, Jacobi reports success with a wrong result; the others solve.
std::unique_ptr<poisson::PoissonSolver> sometimes(Backend backend, Method method,
                                                  poisson::SolverSettings const& settings,
                                                  poisson::LinearSystem const& system) {
  if (method == Method::sor) require(false, "SevenPoint: the coefficient of a face is 2; it must be at most 1");
  if (method == Method::adi) throw std::bad_alloc();
  if (method == Method::jacobi)
    return std::make_unique<FixedSolver>(static_cast<std::size_t>(system.grid.cell_count()), 0.3, true);
  return poisson::make_poisson_solver(backend, method, settings, system);
}

TEST(Compare, AMethodThatFailsIsARowWithItsReason) {
  Problem const problem(plate());
  poisson::Comparison const comparison = compare(problem, sometimes);
  int done = 0;
  for (ComparisonRow const& row : comparison.rows) {
    if (row.method == Method::sor) {
      EXPECT_EQ(row.fate, Fate::failed);
      EXPECT_EQ(row.reason, "SevenPoint: the coefficient of a face is 2; it must be at most 1");
    } else if (row.method == Method::adi) {
      EXPECT_EQ(row.fate, Fate::failed);
      EXPECT_FALSE(row.reason.empty());
    } else if (row.method == Method::jacobi) {
      EXPECT_EQ(row.fate, Fate::not_converged);
      EXPECT_NE(row.reason.find("in double precision"), std::string::npos) << row.reason;
    } else if (row.method != Method::tridiagonal) {
      EXPECT_EQ(row.fate, Fate::done) << name(row.method);
      ++done;
    }
  }
  EXPECT_EQ(done, 7);
  std::string const table = poisson::table(comparison);
  EXPECT_NE(table.find("failed: SevenPoint: the coefficient of a face is 2"), std::string::npos) << table;
  EXPECT_NE(poisson::verdict(comparison).find("Use "), std::string::npos);
}

/// Solves once; a repeated solve takes longer than any budget, is cut off, and leaves zeros.
class SlowRepeat final : public poisson::PoissonSolver {
 public:
  explicit SlowRepeat(std::unique_ptr<poisson::PoissonSolver> solver) : solver_(std::move(solver)) {}
  void set_guess(ConstArray const& values) override { solver_->set_guess(values); }
  void clear_guess() override { solver_->clear_guess(); }
  poisson::SolveOutcome solve(poisson::SolveRequest const& request, poisson::Monitor const& monitor) override {
    if (++solves_ <= 2) return solver_->solve(request, monitor);
    poisson::SolveOutcome outcome;
    outcome.stopped = monitor && !monitor({1, 1.0, 1e9});
    return outcome;
  }
  void copy_solution(MutableArray const& values) override { solver_->copy_solution(values); }
  std::int64_t memory_bytes() const override { return solver_->memory_bytes(); }

 private:
  std::unique_ptr<poisson::PoissonSolver> solver_;
  int solves_ = 0;
};

std::unique_ptr<poisson::PoissonSolver> slow_repeat(Backend backend, Method method,
                                                    poisson::SolverSettings const& settings,
                                                    poisson::LinearSystem const& system) {
  return std::make_unique<SlowRepeat>(poisson::make_poisson_solver(backend, method, settings, system));
}

TEST(Compare, ARepeatThatIsCutOffChangesNoResult) {
  for (ComparisonRow const& row : compare(Problem(plate()), slow_repeat).rows) {
    if (row.method == Method::tridiagonal) continue;
    EXPECT_EQ(row.fate, Fate::done) << name(row.method) << ": " << row.reason;
    EXPECT_LT(row.residual, 1e-8) << name(row.method);
    EXPECT_LT(row.seconds, 1e8) << name(row.method);
  }
}

poisson::SolveResult judged(Problem const& problem, std::vector<double> const& values, bool claims,
                            Method method = Method::jacobi) {
  FixedSolver solver(values, claims);
  poisson::SolveResult result;
  result.method = method;
  result.outcome = solver.solve({}, {});
  poisson::judge(problem.system, problem.poisson_case.solver, solver, result);
  return result;
}

poisson::SolveResult judged(Problem const& problem, double value, bool claims) {
  return judged(problem, std::vector<double>(static_cast<std::size_t>(problem.system.grid.cell_count()), value),
                claims);
}

TEST(Judge, TheResidualOfTheResultDecides) {
  json flat = plate();
  flat["exact"] = 0.5;
  flat["right_hand_side"] = 0;
  for (char const* side : {"east", "west", "north", "south"})
    flat["sides"][side] = {{"kind", "dirichlet"}, {"value", 0.5}};
  Problem const problem(flat);
  EXPECT_TRUE(judged(problem, 0.5, true).outcome.converged);
  EXPECT_TRUE(judged(problem, 0.5, false).outcome.converged) << "it is the solution, whatever the method has found";
  poisson::SolveResult const wrong = judged(problem, 0.499, true);
  EXPECT_FALSE(wrong.outcome.converged);
  EXPECT_GT(wrong.outcome.residual, 1e-4);
  EXPECT_NE(wrong.outcome.breakdown.find("1.00e-12"), std::string::npos) << wrong.outcome.breakdown;
}

poisson::SolveResult solved_by(Problem const& problem, Method method) {
  auto const& settings = problem.poisson_case.solver;
  auto const solver = poisson::make_poisson_solver(enabled_backends().back(), method, settings, problem.system);
  poisson::SolveResult result;
  result.method = method;
  result.outcome = solver->solve({.tolerance = settings.tolerance,
                                  .max_iterations = settings.max_iterations,
                                  .check_every = poisson::usual_check_every(method)},
                                 {});
  poisson::judge(problem.system, settings, *solver, result);
  return result;
}

/// Of a direct method too, although its round-off is less.
TEST(Judge, AResidualBelowTheToleranceHasConverged) {
  json wire = {{"problem", "poisson"},
               {"domain", {{"cells", {200}}, {"size", {1}}}},
               {"sides", {{"west", {{"kind", "dirichlet"}, {"value", 1}}}}},
               {"right_hand_side", "sin(3 * x)"},
               {"solver", {{"tolerance", 1e-10}}}};
  poisson::SolveResult const solved = solved_by(Problem(wire), Method::tridiagonal);
  ASSERT_TRUE(solved.outcome.converged);
  auto values = solved.p;
  for (double& value : values) value *= 1 + 2e-11;
  poisson::SolveResult const near = judged(Problem(wire), values, true, Method::tridiagonal);
  EXPECT_GT(near.largest_residual, 8 * near.round_off);  // 64 roundings
  EXPECT_LT(near.largest_residual, 1e-10);
  EXPECT_TRUE(near.outcome.converged);
  wire["solver"]["tolerance"] = 1e-11;
  EXPECT_FALSE(judged(Problem(wire), values, true, Method::tridiagonal).outcome.converged);
}

/// Jumps of the coefficient by a factor, on a square of 64 x 64 cells.
json inclusion(char const* coefficient) {
  return {{"problem", "poisson"},
          {"domain", {{"cells", {64, 64}}, {"size", {1, 1}}}},
          {"right_hand_side", "sin(3*x)*cos(5*y)"},
          {"coefficient", coefficient},
          {"outputs", {{"fields", {"p"}}}}};
}

double largest_of(std::vector<double> const& values) {
  double largest = 0;
  for (double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

double largest_difference(std::vector<double> a, std::vector<double> const& b) {
  for (std::size_t n = 0; n < a.size(); ++n) a[n] -= b[n];
  return largest_of(a);
}

TEST(Judge, AResidualOfRoundOffHasConvergedWithARemark) {
  json const stiff = inclusion("1+1e6*(x>0.3)*(x<0.7)*(y>0.3)*(y<0.7)");
  Problem const problem(stiff);
  std::vector<double> first;
  for (Method method : {Method::mg_pcg, Method::multigrid, Method::cg}) {
    poisson::SolveResult const result = solved_by(problem, method);
    EXPECT_TRUE(result.outcome.converged) << name(method) << ": " << result.outcome.breakdown;
    EXPECT_TRUE(result.outcome.breakdown.empty()) << result.outcome.breakdown;
    EXPECT_GT(result.largest_residual, 1e-10) << name(method);
    EXPECT_LE(result.largest_residual, result.round_off) << name(method);
    EXPECT_NE(result.remark.find("round-off of double precision"), std::string::npos) << result.remark;
    if (first.empty()) first = result.p;
    EXPECT_LT(largest_difference(result.p, first), 1e-6 * largest_of(first)) << name(method);
  }
  // A tolerance above the round-off counts, and is met without a remark.
  json tolerant = stiff;
  tolerant["solver"] = {{"tolerance", 1e-6}};
  EXPECT_TRUE(solved_by(Problem(tolerant), Method::mg_pcg).remark.empty());
  tolerant["solver"]["max_iterations"] = 2;
  EXPECT_FALSE(solved_by(Problem(tolerant), Method::mg_pcg).outcome.converged);
}

/// An estimate beyond 1 excuses no solution.
TEST(Judge, NoRoundOffMakesAWrongSolutionGood) {
  Problem const problem(inclusion("1+1e16*(x>0.3)*(x<0.7)*(y>0.3)*(y<0.7)"));
  for (double value : {0.0, 1.0}) {
    for (bool claims : {false, true}) {
      poisson::SolveResult const wrong = judged(problem, value, claims);
      EXPECT_FALSE(wrong.outcome.converged) << value << ' ' << claims;
      EXPECT_TRUE(wrong.remark.empty()) << wrong.remark;
    }
  }
  EXPECT_GT(judged(problem, 1.0, false).round_off, 1);
  // Of a direct method neither.
  std::vector<double> const ones(static_cast<std::size_t>(problem.system.grid.cell_count()), 1.0);
  poisson::SolveResult const direct = judged(problem, ones, true, Method::direct);
  EXPECT_FALSE(direct.outcome.converged);
  EXPECT_NE(direct.outcome.breakdown.find("too large for double precision"), std::string::npos);
}

/// Three cells of a bar, of which the middle one conducts 10^8 times as well. The flux through each face follows from
/// the right-hand sides to its west, and the temperatures from the fluxes.
/// A box of these lengths, periodic along all axes, with waves as solution.
json periodic_box(std::vector<double> const& size, json const& solver) {
  json box = {{"problem", "poisson"},
              {"domain", {{"cells", std::vector<int>(size.size(), 16)}, {"size", size}}},
              {"right_hand_side", {{"kind", "named"}, {"name", "waves"}}},
              {"solver", solver}};
  std::vector<char const*> const sides{"west", "east", "south", "north", "bottom", "top"};
  for (std::size_t n = 0; n < 2 * size.size(); ++n) box["sides"][sides[n]] = {{"kind", "periodic"}};
  return box;
}

/// Along an axis of 1e9 beside axes of 1, round-off of the right-hand side allows any function of that axis.
TEST(Judge, AnErrorThatTheResidualHidesIsFound) {
  for (std::vector<double> const& size :
       {std::vector{1e9, 1.0, 1.0}, std::vector{1.0, 1e9, 1.0}, std::vector{1.0, 1.0, 1e9}, std::vector{1.0, 1e9}}) {
    Problem const flat(periodic_box(size, json::object()));
    for (Method method : {Method::direct, Method::mg_pcg}) {
      poisson::SolveResult const result = solved_by(flat, method);
      EXPECT_LT(result.largest_residual, 1e-10) << name(method);
      EXPECT_FALSE(result.outcome.converged) << name(method);
      EXPECT_NE(result.outcome.breakdown.find("/domain/size"), std::string::npos) << result.outcome.breakdown;
    }
  }
  // The same lengths in other units, and lengths that double precision still distinguishes.
  for (std::vector<double> const& size : {std::vector{1e9, 1e9, 1e9}, std::vector{1e-9, 1e-9}, std::vector{1e5, 1.0}}) {
    for (Method method : {Method::direct, Method::mg_pcg})
      EXPECT_TRUE(solved_by(Problem(periodic_box(size, json::object())), method).outcome.converged) << name(method);
  }
}

/// By functions of one axis, whose error the sums over planes give exactly: with and without a side that fixes p.
TEST(Judge, AnErrorOverPlanesIsMeasured) {
  json open = plate();
  open["right_hand_side"] = "1 + x";
  for (char const* side : {"south", "north"}) open["sides"][side] = {{"kind", "neumann"}};
  json closed = open;
  closed["right_hand_side"] = "x - 0.5";
  for (char const* side : {"west", "east"}) closed["sides"][side] = {{"kind", "neumann"}};
  json round = open;
  round["right_hand_side"] = "sin(2 * pi * x)";
  for (char const* side : {"west", "east"}) round["sides"][side] = {{"kind", "periodic"}};
  for (json const& sample : {open, closed, round}) {
    Problem const problem(sample);
    poisson::SolveResult const solved = solved_by(problem, Method::direct);
    EXPECT_LT(poisson::plane_error(problem.system, solved.p), 1e-12);
    std::vector<double> wrong = solved.p;
    double const largest = largest_of(solved.p);
    std::size_t const nx = 12;
    for (std::size_t n = 0; n < wrong.size(); ++n) wrong[n] += 0.25 * largest * std::cos(0.7 * double(n % nx));
    double mean = 0, error = 0, most = 0;
    if (problem.system.singular) {
      for (double const value : wrong) mean += value / double(wrong.size());
    }
    for (std::size_t n = 0; n < wrong.size(); ++n) {
      most = std::max(most, std::abs(wrong[n] - mean));
      error = std::max(error, std::abs(wrong[n] - mean - solved.p[n]));
    }
    EXPECT_NEAR(poisson::plane_error(problem.system, wrong), error / most, 1e-10) << sample.dump();
  }
}

TEST(DoubleCycles, TakeOverWhereFloatOnesStall) {
  json bar = {{"problem", "poisson"},
              {"domain", {{"cells", {3}}, {"size", {1}}}},
              {"sides", {{"west", {{"kind", "neumann"}, {"flux", 0}}}}},
              {"right_hand_side", "sin(3*x)+0.4"},
              {"coefficient", "1+1e8*(x>0.3)*(x<0.7)"}};
  Problem const problem(bar);
  double const h = 1.0 / 3;
  std::vector<double> exact(3);
  double flux = 0, beyond = 0;
  std::vector<double> fluxes;
  for (double f : problem.system.f) fluxes.push_back(flux += f * h);
  for (std::size_t n = 3; n-- > 0;) {
    // The side is half a cell away.
    exact[n] = beyond - fluxes[n] * (n == 2 ? h / 2 : h) / problem.system.face_x[n + 1];
    beyond = exact[n];
  }
  for (Method method : {Method::mg_pcg, Method::multigrid}) {
    auto const solver =
        poisson::make_poisson_solver(enabled_backends().back(), method, problem.poisson_case.solver, problem.system);
    EXPECT_FALSE(solver->double_cycles());
    poisson::SolveRequest request;
    request.tolerance = problem.poisson_case.solver.tolerance;
    poisson::SolveResult result;
    result.method = method;
    std::vector<int> iterations;
    result.outcome = solver->solve(request, [&](poisson::SolveSample const& sample) {
      iterations.push_back(sample.iteration);
      return true;
    });
    poisson::judge(problem.system, problem.poisson_case.solver, *solver, result);
    EXPECT_TRUE(solver->double_cycles()) << name(method);
    EXPECT_TRUE(result.outcome.converged) << name(method) << ": " << result.outcome.breakdown;
    EXPECT_LT(result.outcome.iterations, 200) << name(method);
    EXPECT_LT(largest_difference(result.p, exact), 1e-7 * largest_of(exact)) << name(method);
    for (std::size_t n = 1; n < iterations.size(); ++n) EXPECT_EQ(iterations[n], iterations[n - 1] + 1) << name(method);
  }
  // Asked for, there is nothing to replace, or nothing may be.
  bar["solver"] = {{"method", "mg_pcg"}, {"cycle_precision", "f64"}};
  Problem const wide(bar);
  poisson::SolveResult const converged = solved_by(wide, Method::mg_pcg);
  EXPECT_TRUE(converged.outcome.converged);
  EXPECT_LT(converged.outcome.iterations, 20);
  auto const settings = wide.poisson_case.solver;
  EXPECT_EQ(
      poisson::make_poisson_solver(enabled_backends().back(), Method::mg_pcg, settings, wide.system)->memory_bytes(),
      poisson::plan_bytes(enabled_backends().back(), Method::mg_pcg, settings, shape_of(wide.system, Method::mg_pcg)));
  bar["solver"]["cycle_precision"] = "f32";
  EXPECT_FALSE(solved_by(Problem(bar), Method::mg_pcg).outcome.converged);
}

TEST(DoubleCycles, AreAPartOfCheckpoints) {
  Problem const problem(plate());
  auto const file = std::filesystem::temp_directory_path() / ("karman_double_cycles_" + std::to_string(getpid()));
  for (bool double_cycles : {false, true}) {
    poisson::SolveState state;
    state.values = app::HostField(ScalarType::float64, ArrayExtents(problem.system.grid.extents(Location::cell)));
    state.iterations = 40;
    state.double_cycles = double_cycles;
    poisson::write_poisson_checkpoint(file, problem.poisson_case, problem.system, state);
    auto const guess = poisson::read_first_guess(file, problem.input, problem.poisson_case, problem.system);
    EXPECT_EQ(guess.state.double_cycles, double_cycles);
  }
  for (char const* end : {"", ".previous"}) std::filesystem::remove(file.string() + end);
}

TEST(ReasonOf, LeavesOutThePlaceInTheSource) {
  EXPECT_EQ(app::reason_of(std::runtime_error("/a/b c/x.cpp:12: Adi: no")), "/a/b c/x.cpp:12: Adi: no");
  EXPECT_EQ(app::reason_of(std::runtime_error("/a/b/x.cpp:12: Adi: no")), "Adi: no");
  EXPECT_EQ(app::reason_of(std::runtime_error("Adi: 12: no\nmore")), "Adi: 12: no");
  EXPECT_EQ(app::reason_of(std::runtime_error("12: no")), "12: no");
  EXPECT_EQ(app::reason_of(std::runtime_error("")), "");
}

}  // namespace poisson_compare_test
