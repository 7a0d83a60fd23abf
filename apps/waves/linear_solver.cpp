// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linear_solver.hpp"

#include <karman/solvers/direct_solver.hpp>
#include <karman/solvers/general_krylov.hpp>
#include <karman/solvers/sparse_operator.hpp>
#include <karman/solvers/sparse_preconditioners.hpp>

#include <optional>

namespace karman::waves {
namespace {

/// More unknowns than this make factors of some 10 GB: the automatic choice is then an iteration.
constexpr int direct_limit = 1'000'000;
/// Iterations with old factors that cost as much as new ones.
constexpr int patience_with_factors = 12;

KrylovMethod krylov_method(LinearMethod method) {
  if (method == LinearMethod::bicgstab) return KrylovMethod::bicgstab;
  return method == LinearMethod::gmres ? KrylovMethod::gmres : KrylovMethod::cocg;
}

bool has_direct() { return !direct_libraries().empty(); }

LinearMethod resolved(LinearMethod method, int unknowns) {
  if (method != LinearMethod::automatic) return method;
  return has_direct() && unknowns <= direct_limit ? LinearMethod::direct : LinearMethod::cocg;
}

}  // namespace

template <ExecutionSpace Exec, class Real>
struct LinearSolver<Exec, Real>::State {
  State(Exec const& space, Matrix const& matrix_, LinearSettings const& settings_)
      : matrix(matrix_), settings(settings_), method(resolved(settings_.method, matrix_.rows())), map(matrix_) {
    if (method == LinearMethod::direct) return;
    krylov.emplace(space, matrix.rows(), KrylovSetup{krylov_method(method), settings.restart});
    if (settings.preconditioning != Preconditioning::none) jacobi.emplace(space, matrix.graph, matrix.columns);
  }

  /// Factors that belong to an earlier matrix may still do as a preconditioner.
  LinearOutcome direct(Exec const& space, Values const& rhs, Values const& x) {
    LinearOutcome outcome;
    if (factored) {
      if (!refinement) refinement.emplace(space, matrix.rows(), KrylovSetup{KrylovMethod::cocg, 1});
      LinearSolveOptions options;
      options.tolerance = settings.tolerance;
      options.max_iterations = patience_with_factors;
      options.check_every = 1;
      SolveReport const report = refinement->solve(space, map, *factors, x, rhs, options);
      outcome.iterations = report.iterations;
      outcome.residual = report.residual;
      outcome.converged = report.converged;
      if (outcome.converged) return outcome;
    }
    if (!factors) {
      factors.emplace();
      factors->analyse(space, matrix);
    }
    FactorReport const made = factors->factor(space, matrix);
    factored = made.ok();
    if (!made.ok()) {
      outcome.trouble = "direct solver: " + std::string(made.breakdown);
      return outcome;
    }
    SolveReport const report = factors->solve(space, x, rhs, settings.tolerance);
    outcome.residual = report.residual;
    outcome.converged = report.converged;
    if (!report.converged)
      outcome.trouble = report.breakdown.empty()
                            ? "direct solver: rounding keeps the residual at " + std::to_string(report.residual)
                            : "direct solver: " + std::string(report.breakdown);
    return outcome;
  }

  LinearOutcome iterative(Exec const& space, Values const& rhs, Values const& x) {
    LinearSolveOptions options;
    options.tolerance = settings.tolerance;
    options.max_iterations = settings.max_iterations;
    SolveReport report;
    if (jacobi) {
      jacobi->factor(space, matrix);
      report = krylov->solve(space, map, *jacobi, x, rhs, options);
    } else {
      report = krylov->solve(space, map, x, rhs, options);
    }
    LinearOutcome outcome{report.iterations, report.residual, report.converged, false, {}};
    if (!report.converged) {
      outcome.trouble = report.breakdown.empty()
                            ? "no convergence in " + std::to_string(report.iterations) + " iterations"
                            : std::string(report.breakdown);
    }
    return outcome;
  }

  Matrix matrix;
  LinearSettings settings;
  LinearMethod method;
  SparseOperator<Exec, Scalar> map;
  std::optional<KrylovSolver<Exec, Scalar>> krylov, refinement;
  std::optional<JacobiPreconditioner<Exec, Scalar>> jacobi;
  std::optional<DirectSolver<Exec, Scalar>> factors;
  bool factored = false;
};

template <ExecutionSpace Exec, class Real>
LinearSolver<Exec, Real>::LinearSolver(Exec const& space, Matrix const& matrix, LinearSettings const& settings)
    : state_(std::make_unique<State>(space, matrix, settings)) {}
template <ExecutionSpace Exec, class Real>
LinearSolver<Exec, Real>::~LinearSolver() = default;

template <ExecutionSpace Exec, class Real>
void LinearSolver<Exec, Real>::forget() {
  state_->factored = false;
}

template <ExecutionSpace Exec, class Real>
LinearOutcome LinearSolver<Exec, Real>::solve(Exec const& space, Values const& rhs, Values const& x) {
  State& s = *state_;
  if (s.method == LinearMethod::direct) return s.direct(space, rhs, x);
  LinearOutcome outcome = s.iterative(space, rhs, x);
  if (outcome.converged || !s.settings.fall_back || !has_direct() || s.matrix.rows() > direct_limit) return outcome;
  LinearOutcome second = s.direct(space, rhs, x);
  second.iterations += outcome.iterations;
  second.fell_back = true;
  second.trouble = second.converged ? outcome.trouble : outcome.trouble + "; " + second.trouble;
  return second;
}

template <ExecutionSpace Exec, class Real>
std::string LinearSolver<Exec, Real>::name() const {
  State const& s = *state_;
  if (s.method == LinearMethod::direct)
    return "direct, " + std::string(karman::name(s.factors ? s.factors->library() : direct_libraries().front())) +
           (s.refinement ? ", its factors kept for COCG" : "");
  std::string text(karman::name(krylov_method(s.method)));
  if (s.method == LinearMethod::gmres) text += "(" + std::to_string(s.settings.restart) + ")";
  return text + (s.jacobi ? ", Jacobi" : "");
}

template <ExecutionSpace Exec, class Real>
std::int64_t LinearSolver<Exec, Real>::bytes() const {
  State const& s = *state_;
  std::int64_t sum = 0;
  if (s.krylov) sum += s.krylov->workspace_bytes();
  if (s.refinement) sum += s.refinement->workspace_bytes();
  if (s.jacobi) sum += static_cast<std::int64_t>(s.matrix.rows()) * (4 + static_cast<std::int64_t>(sizeof(Scalar)));
  return sum;
}

#define KARMAN_INSTANTIATE(Exec)            \
  template class LinearSolver<Exec, float>; \
  template class LinearSolver<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::waves
