// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A comparison survives a failing method, and no method decides on its own convergence.
#include "common/run_support.hpp"
#include "poisson/run/contest.hpp"
#include "poisson_problems.hpp"
#include <karman/core/error.hpp>
#include <karman/io/progress.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
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

poisson::SolveResult judged(Problem const& problem, double value, bool claims) {
  FixedSolver solver(static_cast<std::size_t>(problem.system.grid.cell_count()), value, claims);
  poisson::SolveResult result;
  result.method = Method::jacobi;
  result.outcome = solver.solve({}, {});
  poisson::judge(problem.system, problem.poisson_case.solver, solver, result);
  return result;
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

TEST(ReasonOf, LeavesOutThePlaceInTheSource) {
  EXPECT_EQ(app::reason_of(std::runtime_error("/a/b c/x.cpp:12: Adi: no")), "/a/b c/x.cpp:12: Adi: no");
  EXPECT_EQ(app::reason_of(std::runtime_error("/a/b/x.cpp:12: Adi: no")), "Adi: no");
  EXPECT_EQ(app::reason_of(std::runtime_error("Adi: 12: no\nmore")), "Adi: 12: no");
  EXPECT_EQ(app::reason_of(std::runtime_error("12: no")), "12: no");
  EXPECT_EQ(app::reason_of(std::runtime_error("")), "");
}

}  // namespace poisson_compare_test
