// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Newton-Krylov steps for an implicit step of the Euler equations, shared by all classes that have such steps.
#pragma once

#include "newton_kernels.hpp"
#include "residual_product.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/reductions.hpp>
#include <karman/mesh/periodic_nodes.hpp>
#include <karman/solvers/euler/euler_jacobian.hpp>
#include <karman/solvers/euler/euler_newton_options.hpp>
#include <karman/solvers/sparse/block_amg.hpp>
#include <karman/solvers/sparse/block_csr.hpp>
#include <karman/solvers/sparse/block_operator.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/rounded_block_preconditioner.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace karman::detail {

/// A preconditioner for unknowns of which the members of a periodic group are equal: of the lowest nodes alone.
template <ExecutionSpace Exec, class T>
class GroupPreconditioner final : public VectorOperator<Exec, T> {
 public:
  using Group = Kokkos::View<int const*, typename Exec::memory_space>;

  GroupPreconditioner(VectorOperator<Exec, T> const& of, Group const& group, Vector<Exec, T> const& work)
      : of_(of), group_(group), work_(work) {}

  using VectorOperator<Exec, T>::apply;
  int size() const override { return of_.size(); }
  void apply(Exec const& space, ConstVector<Exec, T> const& x, Vector<Exec, T> const& result) const override {
    if (group_.extent(0) == 0) return of_.apply(space, x, result);
    Kokkos::RangePolicy<Exec> const nodes(space, 0, static_cast<int>(group_.extent(0)));
    Kokkos::parallel_for("karman::euler::mask_members", nodes, MaskMembers<Exec, T>{group_, x, work_});
    of_.apply(space, work_, result);
    Kokkos::parallel_for("karman::euler::spread_members", nodes, SpreadMembers<Exec, T>{group_, result});
  }

 private:
  VectorOperator<Exec, T> const& of_;
  Group group_;
  Vector<Exec, T> work_;
};

/// Limits of the linear solves and of the line search.
struct NewtonLimits {
  double linear_tolerance;
  int linear_iterations;
  double largest_fall;
  int halvings;
};

/// Result of a line search.
struct NewtonTrial {
  double share = 0;                 ///< of the step that was added; 0: none helps
  double steady = 0, unsteady = 0;  ///< norms of r and of the residual of the implicit step after it
  int evaluations = 0;
};

/// The equations 0 = r(U) - inverse_dt (U - base) for a flow U. Implicit Euler, stages of diagonally implicit
/// Runge-Kutta methods and backward differences have this form.
template <ExecutionSpace Exec, class T>
struct NewtonSystem {
  using Memory = typename Exec::memory_space;
  using Matrix = BlockCsrMatrix<Exec, T, 4>;
  using Range = Kokkos::RangePolicy<Exec>;

  std::string who;  ///< class, for messages
  EulerRhs<Exec, T>& rhs;
  EulerNewtonSetup setup;
  Reducer<Exec> reducer;
  Kokkos::View<int const*, Memory> group = Kokkos::View<int const*, Memory>();
  EulerField<Exec, T> rate, trial, displaced;  ///< r(u), and workspace
  Vector<Exec, T> inverse_dt, b, x, work;
  DeviceNumber<Exec> largest;
  NewtonScales<Exec, T> scales;
  EulerJacobian<Exec, T> jacobian;
  Matrix matrix;
  std::unique_ptr<BlockPreconditioner<Exec, T, 4>> preconditioner;
  GeneralKrylov<Exec, T> krylov;
  ResidualProduct<Exec, T> product;
  GroupPreconditioner<Exec, T> grouped;

  NewtonSystem(Exec const& space, std::string name, EulerRhs<Exec, T>& of, EulerNewtonSetup const& wanted,
               std::vector<int> const& groups, EulerJacobianOptions const& of_jacobian = {})
      : who(std::move(name)),
        rhs(checked(of)),
        setup(checked(wanted)),
        reducer(space),
        rate(field(space, "karman::euler::newton_rate")),
        trial(field(space, "karman::euler::newton_trial")),
        displaced(field(space, "karman::euler::newton_displaced")),
        inverse_dt(numbers(space, 1, "karman::euler::inverse_dt")),
        b(numbers(space, 4, "karman::euler::newton_rhs")),
        x(numbers(space, 4, "karman::euler::newton_step")),
        work(numbers(space, groups.empty() ? 0 : 4, "karman::euler::newton_work")),
        largest(Kokkos::view_alloc(space, std::string("karman::euler::largest_change"))),
        scales(make_scales(space, groups)),
        jacobian(space, rhs, near_scheme(of_jacobian)),
        matrix(make_block_csr_matrix<T, 4>(space, jacobian.graph())),
        preconditioner(make_preconditioner(space)),
        krylov(space, 4 * rhs.nodes(),
               {.method = KrylovMethod::gmres, .restart = setup.restart, .rounded_basis = true}),
        product(rhs, reducer, {scales, rate, trial, displaced, inverse_dt, largest}, difference),
        grouped(*preconditioner, group, work) {
    compat::fence(space, "karman::euler::newton");
  }

  /// Step of the differences over the reference values: about the root of the precision.
  static constexpr double difference = sizeof(T) == 8 ? 1e-7 : 5e-4;

  void require_positive(double value, char const* what) const {
    require(std::isfinite(value) && value > 0, who + ": " + what + " must be positive, it is " + std::to_string(value));
  }

  EulerRhs<Exec, T>& checked(EulerRhs<Exec, T>& of) const {
    require(of.setup().local_steps, who + ": the right-hand side needs EulerRhsSetup::local_steps");
    require(!of.setup().step_limits_tau, who + ": the right-hand side must have step_limits_tau off");
    return of;
  }
  EulerNewtonSetup const& checked(EulerNewtonSetup const& s) const {
    require_positive(s.reference.density, "reference.density");
    require_positive(s.reference.pressure, "reference.pressure");
    return s;
  }

  EulerField<Exec, T> field(Exec const& space, char const* label) const {
    return EulerField<Exec, T>(Kokkos::view_alloc(space, std::string(label)), std::size_t(rhs.nodes()));
  }
  Vector<Exec, T> numbers(Exec const& space, int per_node, char const* label) const {
    return Vector<Exec, T>(Kokkos::view_alloc(space, std::string(label)),
                           std::size_t(per_node) * std::size_t(rhs.nodes()));
  }
  Range nodes(Exec const& space) const { return Range(space, 0, rhs.nodes()); }

  NewtonScales<Exec, T> make_scales(Exec const& space, std::vector<int> const& groups) {
    auto const n = static_cast<std::size_t>(rhs.nodes());
    require(groups.empty() || groups.size() == n,
            who + ": " + std::to_string(groups.size()) + " periodic groups for " + std::to_string(n) + " nodes");
    Kokkos::View<float const*, Memory> share = Kokkos::View<float const*, Memory>();
    if (!groups.empty()) {
      share = device_copy(space, group_shares(groups), "karman::euler::newton_share");
      group = device_copy(space, groups, "karman::euler::newton_group");
    }
    RootOfShare<Exec, T> root{rhs.inverse_mass(), share, 1, numbers(space, 1, "karman::euler::newton_root")};
    root.area = reducer.reduce(space, rhs.nodes(), MassOfNode<Exec, T>{root}, SumOf<double>());
    Kokkos::parallel_for("karman::euler::root_of_share", nodes(space), root);
    compat::fence(space, "karman::euler::newton_scales");
    double const rho = setup.reference.density;
    double const sound = std::sqrt(rhs.setup().gamma * setup.reference.pressure / rho);
    auto const of = [](double value) { return static_cast<T>(value); };
    return {root.root, {of(rho), of(rho * sound), of(rho * sound), of(rho * sound * sound)}};
  }

  /// Only the stabilised scheme has the streamline term.
  EulerJacobianOptions near_scheme(EulerJacobianOptions options) const {
    auto const& scheme = rhs.setup();
    options.streamline = scheme.scheme == EulerScheme::supg && scheme.stabilization ? setup.streamline : 0;
    return options;
  }

  template <class Scalar>
  std::unique_ptr<BlockPreconditioner<Exec, Scalar, 4>> preconditioner_in(Exec const& space) const {
    switch (setup.preconditioner) {
      case EulerPreconditioner::block_amg: return std::make_unique<BlockAmg<Exec, Scalar, 4>>(space, matrix.graph);
      case EulerPreconditioner::block_gauss_seidel:
        return std::make_unique<BlockGaussSeidel<Exec, Scalar, 4>>(space, matrix.graph);
      default: return std::make_unique<BlockIlu<Exec, Scalar, 4>>(space, matrix.graph);
    }
  }

  /// In float: its bytes bound most of an iteration.
  std::unique_ptr<BlockPreconditioner<Exec, T, 4>> make_preconditioner(Exec const& space) const {
    auto inner = preconditioner_in<float>(space);
    if constexpr (std::is_same_v<T, float>) return inner;
    else return std::make_unique<RoundedBlockPreconditioner<Exec, 4>>(space, matrix.graph, std::move(inner));
  }

  void check(ConstEulerField<Exec, T> const& u) const {
    require(static_cast<std::int64_t>(u.extent(0)) == rhs.nodes(),
            who + ": u has " + std::to_string(u.extent(0)) + " nodes; the mesh has " + std::to_string(rhs.nodes()));
  }

  void evaluate(Exec const& space, ConstEulerField<Exec, T> const& u, EulerField<Exec, T> const& result) const {
    rhs.project(space, u);
    rhs.evaluate(space, u, {}, result);
  }

  /// Roots of the norms, for r(u) and both flows; the same View twice: u - base is 0.
  NewtonNorms norms(Exec const& space, ConstEulerField<Exec, T> const& r, ConstEulerField<Exec, T> const& u,
                    ConstEulerField<Exec, T> const& base) {
    auto const sums =
        reducer.reduce(space, rhs.nodes(), NormsOfNode<Exec, T>{scales, r, u, base, inverse_dt}, JoinNewtonNorms());
    return {std::sqrt(sums.steady), std::sqrt(sums.unsteady)};
  }

  /// Jacobian and factors at a flow, with inverse_dt.
  FactorReport factor(Exec const& space, ConstEulerField<Exec, T> const& u) {
    jacobian.assemble(space, u, inverse_dt, matrix);
    Kokkos::parallel_for("karman::euler::scale_blocks", nodes(space), ScaleUnknowns<Exec, T, Matrix>{scales, matrix});
    return preconditioner->factor(space, matrix);
  }

  /// Solves for the step x, where `rate` is r(u). The linear residual has the norm of the residual. `exact`: products
  /// are differences of residuals.
  SolveReport solve(Exec const& space, ConstEulerField<Exec, T> const& u, ConstEulerField<Exec, T> const& base,
                    bool exact, NewtonLimits const& limits) {
    Kokkos::parallel_for("karman::euler::newton_rhs", nodes(space),
                         StepResidual<Exec, T>{scales, rate, u, base, inverse_dt, b});
    // The rows of the matrix for the other members of a group are differences of unknowns.
    if (!exact && group.extent(0) != 0)
      Kokkos::parallel_for("karman::euler::mask_members", nodes(space), MaskMembers<Exec, T>{group, b, b});
    Kokkos::deep_copy(space, x, T(0));
    product.at(u);
    constexpr int check_every = 5;
    auto const& with = static_cast<LinearOperator<Exec, T> const&>(grouped);
    BlockSparseOperator<Exec, T, 4> const first_order(matrix);
    auto const& a = exact ? static_cast<LinearOperator<Exec, T> const&>(product)
                          : static_cast<LinearOperator<Exec, T> const&>(first_order);
    return krylov.solve(
        space, a, with, x, b,
        {.tolerance = limits.linear_tolerance, .max_iterations = limits.linear_iterations, .check_every = check_every});
  }

  /// Adds the largest share of x after which the residual of the implicit step is at most `rise` times `before`; a rise
  /// of 0: a sufficient decrease. `displaced` is then r(u). `base` may be u: the flow before the step.
  NewtonTrial search(Exec const& space, EulerField<Exec, T> const& u, ConstEulerField<Exec, T> const& base,
                     double before, double rise, NewtonLimits const& limits) {
    NewtonTrial result;
    double share =
        reducer.reduce(space, rhs.nodes(), SafeShare<Exec, T>{scales, u, x, limits.largest_fall}, MinOf<double>());
    for (int n = 0; n <= limits.halvings && share > 0; ++n, share /= 2) {
      Kokkos::parallel_for("karman::euler::add_share", nodes(space),
                           Displace<Exec, T, StepShare>{scales, u, x, {share}, trial});
      evaluate(space, trial, displaced);
      ++result.evaluations;
      auto const found = norms(space, displaced, trial, base);
      // Sufficient decrease, as in Armijo's rule.
      constexpr double decrease = 1e-4;
      double const most = rise > 0 ? rise : 1 - decrease * share;
      if (std::isfinite(found.steady) && found.unsteady <= most * before) {
        Kokkos::deep_copy(space, u, trial);
        result.share = share;
        result.steady = found.steady;
        result.unsteady = found.unsteady;
        return result;
      }
    }
    return result;
  }

  std::int64_t bytes() const {
    auto const of = [](auto const& view) {
      return static_cast<std::int64_t>(view.span() * sizeof(typename std::decay_t<decltype(view)>::value_type));
    };
    return of(group) + of(rate) + of(trial) + of(displaced) + of(inverse_dt) + of(b) + of(x) + of(work) +
           of(scales.root) + of(matrix.values) + jacobian.workspace_bytes() + preconditioner->workspace_bytes() +
           krylov.workspace_bytes();
  }
};

}  // namespace karman::detail
