// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// GeneralKrylov<Exec, Scalar>: its methods and its calls. Included by the translation units that instantiate it.
#pragma once

#include "bicgstab.hpp"
#include "cocg.hpp"
#include "common/iteration_loop.hpp"
#include "common/process_checks.hpp"
#include "gmres.hpp"
#include "sparse/products/sparse_checks.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/sparse/krylov.hpp>

#include <cmath>
#include <string>
#include <type_traits>
#include <variant>

namespace karman {

namespace detail {

/// One solve, in the form that run_iterations() requires.
template <class Method, class Exec, class Scalar>
class KrylovRun {
 public:
  static constexpr bool carries = true;
  static constexpr double gain = 0.999;
  static constexpr std::string_view used_up = "a full cycle of GMRES did not reduce the residual";

  KrylovRun(Method& method, KrylovSystem<Exec, Scalar> const& system)
      : method_(method), work_(method.work()), system_(system) {}

  /// |v|; stores |v|^2 in device memory too.
  double norm(Scalar const* v) const {
    work_.pass(system_.space, "karman::krylov::norm", SquaredNorm<Scalar>{{v}, {nullptr}}, method_.norm_place());
    return root(v);
  }

  /// Computes r = b - A x, and stores |r|^2 in device memory too.
  double exact_residual() {
    method_.conclude(system_);
    if (unit_ != 1) scale(system_.x, unit_);
    unit_ = 1;
    return residual();
  }
  double residual() const {
    work_.apply(system_.space, system_.a, system_.x, method_.product());
    work_.pass(system_.space, "karman::krylov::residual",
               Residual<Scalar>{{system_.rhs, method_.product()}, {method_.residual()}}, method_.norm_place());
    return root(method_.residual());
  }

  void start(double residual) {
    at_start_ = residual;
    unit_ = residual_unit(residual);
    if (unit_ != 1) {
      scale(system_.x, 1 / unit_);
      scale(method_.residual(), 1 / unit_);
      norm(method_.residual());
    }
    method_.start(system_);
  }
  int room() const { return method_.room(); }
  void advance(int, int count) { method_.advance(system_, count); }
  IterationCheck check() {
    KrylovCheck const check = method_.check(system_);
    // A recursion that has reached zero has no breakdown: it is exhausted.
    bool const exhausted = !check.reason.empty() && unit_ * check.residual <= 1e-25 * at_start_;
    return {unit_ * check.residual, exhausted ? std::string_view{} : check.reason, exhausted, false};
  }

 private:
  void scale(Scalar* v, double factor) const {
    work_.pass(system_.space, "karman::krylov::scale",
               ScaledInPlace<Scalar>{{v}, {v}, static_cast<RealPart<Scalar>>(factor)});
  }

  double fetched_norm() const { return work_.fetch(system_.space, method_.norm_place(), 1)(method_.norm_place()); }

  /// Root of the sum of the last pass, which is the sum of squares of v. Computed again in another unit where squares
  /// exceed the range of double.
  double root(Scalar const* v) const {
    double const square = fetched_norm();
    constexpr double least = 1e-200, most = 1e200;
    if (square >= least && square <= most) return std::sqrt(square);
    work_.pass(system_.space, "karman::krylov::largest", LargestNumber<Scalar>{{v}, {nullptr}}, method_.norm_place());
    double const largest = fetched_norm();
    if (!(largest > 0) || !std::isfinite(largest)) return largest;
    double const unit = residual_unit(largest);
    work_.pass(system_.space, "karman::krylov::norm", SquaredNorm<Scalar>{{v}, {nullptr}, 1 / unit},
               method_.norm_place());
    return unit * std::sqrt(fetched_norm());
  }

  Method& method_;
  KrylovWork<Exec, Scalar> const& work_;
  KrylovSystem<Exec, Scalar> const& system_;
  double unit_ = 1;  ///< unit of x and of all other vectors while the recursion runs
  double at_start_ = 0;
};

template <class Method, class Exec, class Scalar>
SolveReport run_krylov(Method& method, KrylovSystem<Exec, Scalar> const& system, GeneralKrylovOptions const& options) {
  KrylovRun<Method, Exec, Scalar> one(method, system);
  double const norm = one.norm(system.rhs);
  SolveReport report = run_iterations(one, options, norm, one.residual());
  compat::fence(system.space, "karman::krylov::solve");
  return report;
}

}  // namespace detail

template <ExecutionSpace Exec, SparseScalar Scalar>
struct GeneralKrylov<Exec, Scalar>::State {
  using Rounded = std::conditional_t<detail::IsComplex<Scalar>::value, Kokkos::complex<float>, float>;
  using Gmres = detail::Gmres<Exec, Scalar, Scalar>;
  using RoundedGmres = detail::Gmres<Exec, Scalar, Rounded>;
  using Method = std::variant<detail::Cocg<Exec, Scalar>, detail::Bicgstab<Exec, Scalar>, Gmres, RoundedGmres>;

  int n;
  GeneralKrylovSetup setup;
  Method method;

  State(Exec const& space, int n_, GeneralKrylovSetup const& setup_)
      : n(n_), setup(setup_), method(make(space, n_, setup_)) {
    // Kokkos allocates workspace at the first team kernel: here, not in solve().
    std::visit(
        [&](auto const& m) {
          m.work().pass(space, "karman::krylov::norm", detail::SquaredNorm<Scalar>{{m.residual()}, {nullptr}},
                        m.norm_place());
        },
        method);
    compat::fence(space, "karman::krylov::plan");
  }

  static void check(int n, GeneralKrylovSetup const& setup) {
    require(n >= 0, "GeneralKrylov: the number of unknowns must not be negative");
    require(setup.method != KrylovMethod::gmres || (setup.restart >= 1 && setup.restart <= 1000),
            "GeneralKrylovSetup: restart must lie in 1 ... 1000");
  }

  static Method make(Exec const& space, int n, GeneralKrylovSetup const& setup) {
    check(n, setup);
    if (setup.method == KrylovMethod::cocg) return Method(std::in_place_index<0>, space, n);
    if (setup.method == KrylovMethod::bicgstab) return Method(std::in_place_index<1>, space, n);
    if (setup.rounded_basis) return Method(std::in_place_index<3>, space, n, setup.restart);
    return Method(std::in_place_index<2>, space, n, setup.restart);
  }

  bool fits(LinearOperator<Exec, Scalar> const& map) const {
    auto const [nz, ny, nx] = map.extents();
    return std::int64_t(nz) * ny * nx == n;
  }

  SolveReport solve(Exec const& space, LinearOperator<Exec, Scalar> const& a, LinearOperator<Exec, Scalar> const* map,
                    Preconditioner<Exec, Scalar> const* preconditioner, Vector<Exec, Scalar> const& x,
                    ConstVector<Exec, Scalar> const& rhs, GeneralKrylovOptions const& options) {
    Region const region("karman::krylov::solve");
    detail::require_iteration_options(options, "GeneralKrylovOptions");
    require(options.stagnation_after >= 0, "GeneralKrylovOptions: stagnation_after must not be negative");
    detail::require_length(x, n, "GeneralKrylov", "x");
    detail::require_length(rhs, n, "GeneralKrylov", "rhs");
    detail::require_one_process(a, "GeneralKrylov", "ConjugateGradients");
    require(fits(a), "GeneralKrylov: the operator has other extents than the plan");
    require((map == nullptr || fits(*map)) && (preconditioner == nullptr || fits(*preconditioner)),
            "GeneralKrylov: the preconditioner has other extents than the plan");
    Scalar const* const diagonal = preconditioner == nullptr ? nullptr : preconditioner->inverse_diagonal().data();
    detail::KrylovSystem<Exec, Scalar> const system{space, n, a, map, preconditioner, diagonal, x.data(), rhs.data()};
    return std::visit([&](auto& m) { return detail::run_krylov(m, system, options); }, method);
  }
};

template <ExecutionSpace Exec, SparseScalar Scalar>
GeneralKrylov<Exec, Scalar>::GeneralKrylov(Exec const& space, int n, GeneralKrylovSetup const& setup)
    : state_("GeneralKrylov", std::make_unique<State>(space, n, setup)) {}

template <ExecutionSpace Exec, SparseScalar Scalar>
SolveReport GeneralKrylov<Exec, Scalar>::solve(Exec const& space, LinearOperator<Exec, Scalar> const& a,
                                               Vector<Exec, Scalar> const& x, ConstVector<Exec, Scalar> const& rhs,
                                               GeneralKrylovOptions const& options) {
  return state_->solve(space, a, nullptr, nullptr, x, rhs, options);
}

template <ExecutionSpace Exec, SparseScalar Scalar>
SolveReport GeneralKrylov<Exec, Scalar>::solve(Exec const& space, LinearOperator<Exec, Scalar> const& a,
                                               LinearOperator<Exec, Scalar> const& preconditioner,
                                               Vector<Exec, Scalar> const& x, ConstVector<Exec, Scalar> const& rhs,
                                               GeneralKrylovOptions const& options) {
  // A sparse preconditioner passed by its base keeps its vector passes.
  auto const* const sparse = dynamic_cast<Preconditioner<Exec, Scalar> const*>(&preconditioner);
  return state_->solve(space, a, sparse == nullptr ? &preconditioner : nullptr, sparse, x, rhs, options);
}

template <ExecutionSpace Exec, SparseScalar Scalar>
SolveReport GeneralKrylov<Exec, Scalar>::solve(Exec const& space, LinearOperator<Exec, Scalar> const& a,
                                               Preconditioner<Exec, Scalar> const& preconditioner,
                                               Vector<Exec, Scalar> const& x, ConstVector<Exec, Scalar> const& rhs,
                                               GeneralKrylovOptions const& options) {
  return state_->solve(space, a, nullptr, &preconditioner, x, rhs, options);
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t GeneralKrylov<Exec, Scalar>::workspace_bytes() const {
  return workspace_bytes(state_->n, state_->setup);
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t GeneralKrylov<Exec, Scalar>::workspace_bytes(int n, GeneralKrylovSetup const& setup) {
  State::check(n, setup);
  if (setup.method == KrylovMethod::cocg) return detail::Cocg<Exec, Scalar>::bytes(n);
  if (setup.method == KrylovMethod::bicgstab) return detail::Bicgstab<Exec, Scalar>::bytes(n);
  if (setup.rounded_basis) return State::RoundedGmres::bytes(n, setup.restart);
  return State::Gmres::bytes(n, setup.restart);
}

}  // namespace karman
