// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The algebraic multigrid of Ginkgo on the problem of amg_source.hpp, in a separate program: without Kokkos and MPI.
//
//   karman-perf-ginkgo setup|solve CELLS SHUFFLED HEIGHT omp|cuda TOLERANCE [NAME=VALUE...]
//
// Names: the threads of omp, and further settings, to compare them. With a Ginkgo for CUDA the same program is also
// karman-perf-ginkgo-cuda. Answers: amg_program.hpp.
#include "amg_matrix.hpp"
#include "amg_program.hpp"

#include <ginkgo/ginkgo.hpp>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace {

using namespace karman::perf;

using Executor = std::shared_ptr<gko::Executor>;
using Vector = gko::matrix::Dense<double>;
using Matrix = gko::matrix::Csr<double, int>;

/// Sweeps of Jacobi each way, and their relaxation. The most levels, and the rows below which none is made. Aggregates
/// that are equal in every run. A smoother of IC(0) instead of Jacobi. Memory of the device from the pool of CUDA.
using Settings = std::map<std::string, double>;
Settings const defaults{{"threads", 0}, {"sweeps", 1},        {"relaxation", 0.9}, {"levels", 30},
                        {"rows", 2048}, {"deterministic", 0}, {"ic", 0},           {"pool", 0}};

Settings settings_of(std::vector<std::string> const& words) {
  Settings result = defaults;
  for (std::string const& word : words) {
    auto const end = word.find('=');
    auto const found = result.find(word.substr(0, end));
    if (end == std::string::npos || found == result.end()) throw std::runtime_error("no setting " + word);
    found->second = number_of<double>(found->first, word.substr(end + 1));
    if (!(found->second >= 0)) throw std::runtime_error("a setting must not be negative: " + word);
  }
  return result;
}

Executor executor_of(std::string const& name, Settings const& settings) {
#if defined(_OPENMP)
  if (settings.at("threads") > 0) omp_set_num_threads(int(settings.at("threads")));
#endif
  Executor const host = gko::OmpExecutor::create();
  if (name == "omp") return host;
  if (name == "cuda" && settings.at("pool") != 0)
    return gko::CudaExecutor::create(0, host, std::make_shared<gko::CudaAsyncAllocator>(nullptr));
  if (name == "cuda") return gko::CudaExecutor::create(0, host);
  throw std::runtime_error("the executor must be omp or cuda, not " + name);
}

class Problem {
 public:
  Problem(AmgGrid const& grid, Executor const& executor)
      : executor_(executor),
        own_(grid),
        matrix_(Matrix::create(executor, gko::dim<2>(own_.source.size()), values(own_.values), values(own_.columns),
                               values(own_.row_begins))),
        b_(Vector::create(executor, column(), values(own_.source), 1)),
        x_(Vector::create(executor, column())) {
    set_first_guess();
  }

  Executor const& executor() const { return executor_; }
  std::shared_ptr<Matrix> const& matrix() const { return matrix_; }
  void set_first_guess() const { x_->fill(0); }
  void solve(gko::LinOp const& solver) const { solver.apply(b_, x_); }
  double relative_residual() const {
    auto const result = gko::clone(executor_->get_master(), x_);
    return own_.relative_residual({result->get_const_values(), result->get_const_values() + own_.rows()});
  }
  double seconds_now() const {
    executor_->synchronize();
    return clock_seconds();
  }

 private:
  gko::dim<2> column() const { return {own_.source.size(), 1}; }
  template <class T>
  gko::array<T> values(std::vector<T> const& from) const {
    return {executor_, from.begin(), from.end()};
  }

  Executor executor_;
  AmgMatrix own_;
  std::shared_ptr<Matrix> matrix_;
  std::unique_ptr<Vector> b_, x_;
};

/// Conjugate gradients, one V-cycle on aggregates by parallel matching (Pgm), a direct solver on the coarsest level.
class Solver {
 public:
  Solver(Problem const& problem, Settings const& settings) : problem_(problem) {
    auto const& on = problem.executor();
    auto const smoother = [&](auto const& inner) {
      return gko::share(
          gko::solver::build_smoother(inner, gko::size_type(settings.at("sweeps")), settings.at("relaxation")));
    };
    auto const pre_smoother =
        settings.at("ic") != 0
            ? smoother(gko::share(gko::preconditioner::Ic<gko::solver::LowerTrs<double, int>, int>::build()
                                      .with_factorization(gko::factorization::Ic<double, int>::build())
                                      .on(on)))
            : smoother(gko::share(gko::preconditioner::Jacobi<double, int>::build().with_max_block_size(1U).on(on)));
    auto const multigrid = gko::share(gko::solver::Multigrid::build()
                                          .with_mg_level(gko::multigrid::Pgm<double, int>::build().with_deterministic(
                                              settings.at("deterministic") != 0))
                                          .with_pre_smoother(pre_smoother)
                                          .with_max_levels(gko::size_type(settings.at("levels")))
                                          .with_min_coarse_rows(gko::size_type(settings.at("rows")))
                                          .with_criteria(gko::stop::Iteration::build().with_max_iters(1U))
                                          .on(on));
    solver_ = gko::solver::Cg<double>::build()
                  .with_preconditioner(multigrid)
                  .with_criteria(criteria(1))
                  .on(on)
                  ->generate(problem.matrix());
    solver_->add_logger(log_);
  }

  void solve(double tolerance) {
    if (tolerance != tolerance_) solver_->set_stop_criterion_factory(criteria(tolerance));
    tolerance_ = tolerance;
    problem_.solve(*solver_);
    if (!log_->has_converged()) throw std::runtime_error("Ginkgo did not converge");
  }
  int iterations() const { return int(log_->get_num_iterations()); }

 private:
  std::shared_ptr<gko::stop::CriterionFactory const> criteria(double tolerance) const {
    auto const& on = problem_.executor();
    return gko::stop::combine(std::vector<std::shared_ptr<gko::stop::CriterionFactory const>>{
        gko::stop::Iteration::build().with_max_iters(2000U).on(on), gko::stop::ResidualNorm<double>::build()
                                                                        .with_baseline(gko::stop::mode::rhs_norm)
                                                                        .with_reduction_factor(tolerance)
                                                                        .on(on)});
  }

  Problem const& problem_;
  std::shared_ptr<gko::log::Convergence<double>> log_ = gko::log::Convergence<double>::create();
  std::unique_ptr<gko::solver::Cg<double>> solver_;
  double tolerance_ = 1;
};

}  // namespace

int main(int argc, char** argv) {
  std::string const program = "karman-perf-ginkgo";
  return exit_code(program, [&] {
    AmgTask const task = amg_task(program, "omp|cuda", "[NAME=VALUE...]", defaults.size(), argc, argv);
    Settings const settings = settings_of(task.settings);
    Problem const problem(task.grid, executor_of(task.variant, settings));
    run_solver(problem, [&] { return Solver(problem, settings); }, task.run());
  });
}
