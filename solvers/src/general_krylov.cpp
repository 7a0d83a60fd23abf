// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/detail/bicgstab.hpp>
#include <karman/solvers/detail/cocg.hpp>
#include <karman/solvers/detail/gmres.hpp>
#include <karman/solvers/detail/iteration_watch.hpp>
#include <karman/solvers/detail/sparse_checks.hpp>
#include <karman/solvers/general_krylov.hpp>

#include <cmath>
#include <string>
#include <variant>

namespace karman {

std::string_view name(KrylovMethod method) {
  switch (method) {
    case KrylovMethod::cocg: return "COCG";
    case KrylovMethod::bicgstab: return "BiCGStab";
    case KrylovMethod::gmres: return "GMRES";
  }
  return "unknown";
}

namespace {

/// Whether the residual still finds new lows.
class Progress {
 public:
  explicit Progress(int patience) : patience_(patience) {}
  bool stagnates(int iteration, double residual) {
    if (lowest_iteration_ < 0 || residual < lowest_) {
      lowest_ = residual;
      lowest_iteration_ = iteration;
    }
    return patience_ > 0 && iteration - lowest_iteration_ >= patience_;
  }

 private:
  int patience_, lowest_iteration_ = -1;
  double lowest_ = 0;
};

/// r = b - A x and its norm, which stays on the device too.
template <class Method, class Exec, class Scalar>
double exact_residual(Method const& method, detail::KrylovSystem<Exec, Scalar> const& system) {
  auto const& work = method.work();
  system.a.apply(system.space, work.field(static_cast<Scalar const*>(system.x)), work.field(method.product()));
  work.pass(system.space, "karman::krylov::residual",
            detail::Residual<Scalar>{{system.rhs, method.product()}, {method.residual()}}, method.norm_place());
  return std::sqrt(work.fetch(system.space)(method.norm_place()));
}

template <class Method, class Exec, class Scalar>
SolveReport run(Method& method, detail::KrylovSystem<Exec, Scalar> const& system, LinearSolveOptions const& options) {
  auto const& work = method.work();
  work.pass(system.space, "karman::krylov::norm", detail::SquaredNorm<Scalar>{{system.rhs}, {nullptr}},
            method.norm_place());
  double const norm = std::sqrt(work.fetch(system.space)(method.norm_place()));
  double exact = exact_residual(method, system);
  detail::IterationWatch<LinearSolveOptions> watch(options, norm, exact);
  Progress progress(options.stagnation_after);
  progress.stagnates(options.first_iteration, exact);
  watch.look(exact);
  bool is_exact = true;
  while (watch.goes_on()) {
    // From here by the recursion, until that meets the tolerance, breaks down or has used up its memory.
    double const at_start = exact;
    method.start(system);
    std::string_view reason;
    bool met = false;
    for (bool ends = false; watch.goes_on() && !ends;) {
      int const count = std::min(watch.next_count(), method.room());
      method.advance(system, count);
      watch.report.iterations += count;
      detail::KrylovLook const look = method.look(system);
      met = watch.meets_tolerance(look.residual);
      reason = met ? "" : look.reason;
      is_exact = ends = met || !reason.empty() || method.room() == 0;
      if (ends) {
        method.conclude(system);
        exact = exact_residual(method, system);
      }
      double const residual = ends ? exact : look.residual;
      watch.look(residual);
      if (watch.goes_on() && progress.stagnates(watch.report.iterations, residual)) {
        watch.report.breakdown = "the residual has stagnated";
      }
    }
    if (is_exact && watch.goes_on() && !(exact < 0.999 * at_start)) {
      watch.report.breakdown = !reason.empty() ? reason
                               : met           ? "rounding keeps the residual above the tolerance"
                                               : "a whole cycle of GMRES gained nothing";
    }
  }
  if (!is_exact) {
    method.conclude(system);
    watch.correct(exact_residual(method, system));
  }
  compat::fence(system.space, "karman::krylov::solve");
  return watch.report;
}

}  // namespace

template <ExecutionSpace Exec, SparseScalar Scalar>
struct KrylovSolver<Exec, Scalar>::State {
  using Method = std::variant<detail::Cocg<Exec, Scalar>, detail::Bicgstab<Exec, Scalar>, detail::Gmres<Exec, Scalar>>;

  int n;
  Method method;

  State(Exec const& space, int n_, KrylovSetup const& setup) : n(n_), method(make(space, n_, setup)) {
    // Kokkos allocates what team kernels need at the first one: here, not in solve().
    std::visit(
        [&](auto const& m) {
          m.work().pass(space, "karman::krylov::norm", detail::SquaredNorm<Scalar>{{m.residual()}, {nullptr}},
                        m.norm_place());
        },
        method);
    compat::fence(space, "karman::krylov::plan");
  }

  static Method make(Exec const& space, int n, KrylovSetup const& setup) {
    require(n >= 0, "KrylovSolver: the number of unknowns must not be negative");
    if (setup.method == KrylovMethod::cocg) return Method(std::in_place_index<0>, space, n);
    if (setup.method == KrylovMethod::bicgstab) return Method(std::in_place_index<1>, space, n);
    require(setup.restart >= 1 && setup.restart <= 1000, "KrylovSetup: restart must lie in 1 ... 1000");
    return Method(std::in_place_index<2>, space, n, setup.restart);
  }

  SolveReport solve(Exec const& space, LinearOperator<Exec, Scalar>& a, LinearOperator<Exec, Scalar>* preconditioner,
                    Vector<Exec, Scalar> const& x, ConstVector<Exec, Scalar> const& rhs,
                    LinearSolveOptions const& options) {
    Region const region("karman::krylov::solve");
    detail::require_iteration_options(options, "LinearSolveOptions");
    require(options.stagnation_after >= 0, "LinearSolveOptions: stagnation_after must not be negative");
    detail::require_length(x, n, "KrylovSolver", "x");
    detail::require_length(rhs, n, "KrylovSolver", "rhs");
    std::array<int, 3> const extents{1, 1, n};
    require(a.extents() == extents, "KrylovSolver: the operator has other extents than the plan");
    require(preconditioner == nullptr || preconditioner->extents() == extents,
            "KrylovSolver: the preconditioner has other extents than the plan");
    auto const* jacobi = dynamic_cast<JacobiPreconditioner<Exec, Scalar> const*>(preconditioner);
    Scalar const* const diagonal = jacobi == nullptr ? nullptr : jacobi->inverse_diagonal().data();
    detail::KrylovSystem<Exec, Scalar> const system{space, a, preconditioner, diagonal, x.data(), rhs.data()};
    return std::visit([&](auto& m) { return run(m, system, options); }, method);
  }
};

template <ExecutionSpace Exec, SparseScalar Scalar>
KrylovSolver<Exec, Scalar>::KrylovSolver(Exec const& space, int n, KrylovSetup const& setup)
    : state_(std::make_unique<State>(space, n, setup)) {}

template <ExecutionSpace Exec, SparseScalar Scalar>
KrylovSolver<Exec, Scalar>::KrylovSolver(KrylovSolver&&) noexcept = default;
template <ExecutionSpace Exec, SparseScalar Scalar>
KrylovSolver<Exec, Scalar>& KrylovSolver<Exec, Scalar>::operator=(KrylovSolver&&) noexcept = default;
template <ExecutionSpace Exec, SparseScalar Scalar>
KrylovSolver<Exec, Scalar>::~KrylovSolver() = default;

template <ExecutionSpace Exec, SparseScalar Scalar>
SolveReport KrylovSolver<Exec, Scalar>::solve(Exec const& space, LinearOperator<Exec, Scalar>& a,
                                              Vector<Exec, Scalar> const& x, ConstVector<Exec, Scalar> const& rhs,
                                              LinearSolveOptions const& options) {
  return state_->solve(space, a, nullptr, x, rhs, options);
}

template <ExecutionSpace Exec, SparseScalar Scalar>
SolveReport KrylovSolver<Exec, Scalar>::solve(Exec const& space, LinearOperator<Exec, Scalar>& a,
                                              LinearOperator<Exec, Scalar>& preconditioner,
                                              Vector<Exec, Scalar> const& x, ConstVector<Exec, Scalar> const& rhs,
                                              LinearSolveOptions const& options) {
  return state_->solve(space, a, &preconditioner, x, rhs, options);
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t KrylovSolver<Exec, Scalar>::workspace_bytes() const {
  return std::visit([](auto const& m) { return m.work().bytes(); }, state_->method);
}

#define KARMAN_INSTANTIATE(Exec)                             \
  template class KrylovSolver<Exec, float>;                  \
  template class KrylovSolver<Exec, double>;                 \
  template class KrylovSolver<Exec, Kokkos::complex<float>>; \
  template class KrylovSolver<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
