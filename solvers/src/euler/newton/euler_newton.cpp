// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "newton_kernels.hpp"
#include "residual_product.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/profiling.hpp>
#include <karman/core/reductions.hpp>
#include <karman/mesh/periodic_nodes.hpp>
#include <karman/solvers/euler/euler_jacobian.hpp>
#include <karman/solvers/euler/euler_newton.hpp>
#include <karman/solvers/sparse/block_csr.hpp>
#include <karman/solvers/sparse/block_operator.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>
#include <karman/solvers/sparse/krylov.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace karman {

namespace {

template <class Exec>
using Range = Kokkos::RangePolicy<Exec>;

void require_positive(double value, char const* what) {
  require(std::isfinite(value) && value > 0,
          "EulerNewton: " + std::string(what) + " must be positive, it is " + std::to_string(value));
}

void require_options(EulerNewtonOptions const& o) {
  require_positive(o.cfl, "cfl");
  require(std::isfinite(o.cfl_max) && o.cfl_max >= o.cfl, "EulerNewton: cfl_max must be at least cfl");
  require(std::isfinite(o.growth) && o.growth >= 1, "EulerNewton: growth must be at least 1");
  require(o.switch_at >= 0 && o.switch_at <= 1, "EulerNewton: switch_at must lie between 0 and 1");
  require(o.switch_after >= 1, "EulerNewton: switch_after must be at least 1");
  require(std::isfinite(o.rise) && o.rise >= 1, "EulerNewton: rise must be at least 1");
  require(o.linear_tolerance > 0 && o.linear_tolerance < 1, "EulerNewton: linear_tolerance must lie between 0 and 1");
  require(o.largest_fall > 0 && o.largest_fall < 1, "EulerNewton: largest_fall must lie between 0 and 1");
  require(o.linear_iterations >= 1, "EulerNewton: linear_iterations must be at least 1");
  require(o.halvings >= 0 && o.rejections >= 0, "EulerNewton: halvings and rejections must not be negative");
  require(o.patience >= 1, "EulerNewton: patience must be at least 1");
}

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
    Range<Exec> const nodes(space, 0, static_cast<int>(group_.extent(0)));
    Kokkos::parallel_for("karman::euler::mask_members", nodes, detail::MaskMembers<Exec, T>{group_, x, work_});
    of_.apply(space, work_, result);
    Kokkos::parallel_for("karman::euler::spread_members", nodes, detail::SpreadMembers<Exec, T>{group_, result});
  }

 private:
  VectorOperator<Exec, T> const& of_;
  Group group_;
  Vector<Exec, T> work_;
};

}  // namespace

template <ExecutionSpace Exec, Real T>
struct EulerNewton<Exec, T>::State {
  using Memory = typename Exec::memory_space;
  using Matrix = BlockCsrMatrix<Exec, T, 4>;

  EulerRhs<Exec, T>& rhs;
  EulerNewtonSetup setup;
  EulerNewtonOptions options = {};
  EulerNewtonState now = {};
  Reducer<Exec> reducer;
  Kokkos::View<int const*, Memory> group = Kokkos::View<int const*, Memory>();
  EulerField<Exec, T> rate, trial, displaced;
  Vector<Exec, T> inverse_dt, b, x, work;
  DeviceNumber<Exec> largest;
  detail::NewtonScales<Exec, T> scales;
  EulerJacobian<Exec, T> jacobian;
  Matrix matrix;
  std::unique_ptr<BlockPreconditioner<Exec, T, 4>> preconditioner;
  GeneralKrylov<Exec, T> krylov;
  detail::ResidualProduct<Exec, T> product;
  GroupPreconditioner<Exec, T> grouped;

  State(Exec const& space, EulerRhs<Exec, T>& of, EulerNewtonSetup const& wanted, std::vector<int> const& groups)
      : rhs(checked(of)),
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
        jacobian(space, rhs),
        matrix(make_block_csr_matrix<T, 4>(space, jacobian.graph())),
        preconditioner(make_preconditioner(space)),
        krylov(space, 4 * rhs.nodes(), {.method = KrylovMethod::gmres, .restart = setup.restart}),
        product(rhs, reducer, {scales, rate, trial, displaced, inverse_dt, largest}, difference),
        grouped(*preconditioner, group, work) {
    compat::fence(space, "karman::euler::newton");
  }

  /// Step of the differences over the reference values: about the root of the precision.
  static constexpr double difference = sizeof(T) == 8 ? 1e-7 : 5e-4;

  static EulerRhs<Exec, T>& checked(EulerRhs<Exec, T>& of) {
    require(of.setup().local_steps, "EulerNewton: the right-hand side needs EulerRhsSetup::local_steps");
    require(!of.setup().step_limits_tau, "EulerNewton: the right-hand side must have step_limits_tau off");
    return of;
  }
  static EulerNewtonSetup const& checked(EulerNewtonSetup const& s) {
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
  Range<Exec> nodes(Exec const& space) const { return Range<Exec>(space, 0, rhs.nodes()); }

  detail::NewtonScales<Exec, T> make_scales(Exec const& space, std::vector<int> const& groups) {
    auto const n = static_cast<std::size_t>(rhs.nodes());
    require(groups.empty() || groups.size() == n,
            "EulerNewton: " + std::to_string(groups.size()) + " periodic groups for " + std::to_string(n) + " nodes");
    Kokkos::View<float const*, Memory> share = Kokkos::View<float const*, Memory>();
    if (!groups.empty()) {
      share = device_copy(space, group_shares(groups), "karman::euler::newton_share");
      group = device_copy(space, groups, "karman::euler::newton_group");
    }
    detail::RootOfShare<Exec, T> root{rhs.inverse_mass(), share, 1, numbers(space, 1, "karman::euler::newton_root")};
    root.area = reducer.reduce(space, rhs.nodes(), detail::MassOfNode<Exec, T>{root}, SumOf<double>());
    Kokkos::parallel_for("karman::euler::root_of_share", nodes(space), root);
    compat::fence(space, "karman::euler::newton_scales");
    double const rho = setup.reference.density;
    double const sound = std::sqrt(rhs.setup().gamma * setup.reference.pressure / rho);
    auto const of = [](double value) { return static_cast<T>(value); };
    return {root.root, {of(rho), of(rho * sound), of(rho * sound), of(rho * sound * sound)}};
  }

  std::unique_ptr<BlockPreconditioner<Exec, T, 4>> make_preconditioner(Exec const& space) const {
    if (setup.preconditioner == EulerPreconditioner::block_ilu)
      return std::make_unique<BlockIlu<Exec, T, 4>>(space, matrix.graph);
    return std::make_unique<BlockGaussSeidel<Exec, T, 4>>(space, matrix.graph);
  }

  void check(ConstEulerField<Exec, T> const& u) const {
    require(
        static_cast<std::int64_t>(u.extent(0)) == rhs.nodes(),
        "EulerNewton: u has " + std::to_string(u.extent(0)) + " nodes; the mesh has " + std::to_string(rhs.nodes()));
  }

  void evaluate(Exec const& space, ConstEulerField<Exec, T> const& u, EulerField<Exec, T> const& result) const {
    rhs.project(space, u);
    rhs.evaluate(space, u, {}, result);
  }

  /// Roots of the norms.
  detail::NewtonNorms norms(Exec const& space, EulerField<Exec, T> const& of, double share) {
    auto const sums =
        reducer.reduce(space, rhs.nodes(),
                       detail::NormsOfNode<Exec, T>{scales, of, inverse_dt, share > 0 ? x : Vector<Exec, T>(), share},
                       detail::JoinNewtonNorms());
    return {std::sqrt(sums.steady), std::sqrt(sums.unsteady)};
  }

  double residual(Exec const& space, ConstEulerField<Exec, T> const& u) {
    evaluate(space, u, rate);
    return norms(space, rate, 0).steady;
  }

  /// Jacobian and factors at a flow, with the time steps of the present cfl.
  FactorReport factor(Exec const& space, ConstEulerField<Exec, T> const& u) {
    jacobian.assemble(space, u, inverse_dt, matrix);
    Kokkos::parallel_for("karman::euler::scale_blocks", nodes(space),
                         detail::ScaleUnknowns<Exec, T, Matrix>{scales, matrix});
    return preconditioner->factor(space, matrix);
  }

  /// Solves for the step x. The linear residual has the norm of the residual.
  SolveReport solve(Exec const& space, ConstEulerField<Exec, T> const& u) {
    Kokkos::parallel_for("karman::euler::newton_rhs", nodes(space), detail::FieldToVector<Exec, T>{scales, rate, b});
    // The rows of the matrix for the other members of a group are differences of unknowns.
    if (!now.exact && group.extent(0) != 0)
      Kokkos::parallel_for("karman::euler::mask_members", nodes(space), detail::MaskMembers<Exec, T>{group, b, b});
    Kokkos::deep_copy(space, x, T(0));
    product.at(u);
    constexpr int check_every = 5;
    auto const& with = static_cast<LinearOperator<Exec, T> const&>(grouped);
    BlockSparseOperator<Exec, T, 4> const first_order(matrix);
    auto const& a = now.exact ? static_cast<LinearOperator<Exec, T> const&>(product)
                              : static_cast<LinearOperator<Exec, T> const&>(first_order);
    return krylov.solve(space, a, with, x, b,
                        {.tolerance = options.linear_tolerance,
                         .max_iterations = options.linear_iterations,
                         .check_every = check_every});
  }

  /// Adds the largest share of x that reduces the residual of the implicit step; returns it, 0 where none does.
  double search(Exec const& space, EulerField<Exec, T> const& u, EulerNewtonStep& report) {
    double share = reducer.reduce(space, rhs.nodes(), detail::SafeShare<Exec, T>{scales, u, x, options.largest_fall},
                                  MinOf<double>());
    for (int n = 0; n <= options.halvings && share > 0; ++n, share /= 2) {
      Kokkos::parallel_for("karman::euler::add_share", nodes(space),
                           detail::Displace<Exec, T, detail::StepShare>{scales, u, x, {share}, trial});
      evaluate(space, trial, displaced);
      ++report.evaluations;
      auto const found = norms(space, displaced, share);
      // Sufficient decrease, as in Armijo's rule.
      constexpr double decrease = 1e-4;
      double const most = now.exact ? 1 - decrease * share : options.rise;
      if (std::isfinite(found.steady) && found.unsteady <= most * report.residual) {
        Kokkos::deep_copy(space, u, trial);
        report.next_residual = found.steady;
        return share;
      }
    }
    return 0;
  }

  EulerNewtonStep step(Exec const& space, EulerField<Exec, T> const& u) {
    EulerNewtonStep report;
    report.residual = report.next_residual = residual(space, u);
    ++report.evaluations;
    if (!std::isfinite(report.residual)) {
      report.stall = "the residual is not a number";
      return report;
    }
    if (report.residual == 0) {
      report.stall = "the residual is zero";
      return report;
    }
    constexpr double fall = 0.9;
    if (!(now.least > 0) || report.residual <= fall * now.least) {
      now.least = report.residual;
      now.idle = 0;
    } else if (++now.idle > options.patience) {
      report.stall = "the residual no longer falls";
      return report;
    }
    now.largest = std::max(now.largest, report.residual);
    // Long steps that do not improve the flow: its residual has few terms of the first-order part.
    bool const idle = now.idle >= options.switch_after && now.cfl >= long_steps * options.cfl;
    if (!now.exact && (report.residual <= options.switch_at * now.largest || idle)) {
      now.exact = true;
      now.idle = 0;
    }
    double const cfl = now.cfl;
    for (;;) {
      report.cfl = now.cfl;
      rhs.local_rates(space, u, inverse_dt);
      Kokkos::parallel_for("karman::euler::inverse_steps", nodes(space),
                           detail::InverseSteps<Exec, T>{inverse_dt, now.cfl, inverse_dt});
      auto const factored = factor(space, u);
      double share = 0;
      if (factored.ok()) {
        auto const solved = solve(space, u);
        report.linear_iterations += solved.iterations;
        report.evaluations += product.take_count();
        share = search(space, u, report);
      }
      if (share > 0) {
        report.length = share;
        double const ratio = report.residual / report.next_residual;
        // A whole step was safe: longer ones may be, too, where the residual hardly falls.
        double const least =
            share == 1 && (now.exact || ratio >= 1) ? std::min(options.growth, whole_ratio) : least_ratio;
        // A small share of a long step is worth less than a whole shorter step.
        double const most = share < small_share ? least_ratio : options.growth;
        now.cfl = std::min(now.cfl * std::clamp(ratio, std::min(least, most), most), options.cfl_max);
        compat::fence(space, "karman::euler::newton_step");
        return report;
      }
      now.cfl *= cut;
      if (++report.rejections > options.rejections) {
        report.stall = "no step reduces the residual";
        now.cfl = cfl;
        return report;
      }
    }
  }

  /// Least ratios of the CFL number: after an accepted step, a whole step, a rejected one. Shares below the last one
  /// reduce it.
  static constexpr double least_ratio = 0.5, whole_ratio = 1.5, cut = 0.1, small_share = 0.2;
  /// Ratio of the CFL number to that of the options from which steps are long.
  static constexpr double long_steps = 100;
};

template <ExecutionSpace Exec, Real T>
EulerNewton<Exec, T>::EulerNewton(Exec const& space, EulerRhs<Exec, T>& rhs, EulerNewtonSetup const& setup,
                                  std::vector<int> const& group) {
  Region const region("karman::euler::plan_newton");
  state_ = {"EulerNewton", std::make_unique<State>(space, rhs, setup, group)};
  start();
}

template <ExecutionSpace Exec, Real T>
void EulerNewton<Exec, T>::start(EulerNewtonOptions const& options, EulerNewtonState const& from) {
  require_options(options);
  state_->options = options;
  require(from.idle >= 0 && from.largest >= 0 && from.least >= 0, "EulerNewton: a state has values below 0");
  state_->now = from;
  state_->now.cfl = from.cfl > 0 ? std::min(from.cfl, options.cfl_max) : options.cfl;
}

template <ExecutionSpace Exec, Real T>
EulerNewtonStep EulerNewton<Exec, T>::step(Exec const& space, EulerField<Exec, T> const& u) {
  Region const region("karman::euler::newton_step");
  state_->check(u);
  return state_->step(space, u);
}

template <ExecutionSpace Exec, Real T>
double EulerNewton<Exec, T>::residual(Exec const& space, ConstEulerField<Exec, T> const& u) {
  Region const region("karman::euler::newton_residual");
  state_->check(u);
  return state_->residual(space, u);
}

template <ExecutionSpace Exec, Real T>
EulerNewtonState EulerNewton<Exec, T>::state() const {
  return state_->now;
}

template <ExecutionSpace Exec, Real T>
std::int64_t EulerNewton<Exec, T>::workspace_bytes() const {
  State const& s = *state_;
  auto const of = [](auto const& view) {
    return static_cast<std::int64_t>(view.span() * sizeof(typename std::decay_t<decltype(view)>::value_type));
  };
  return of(s.group) + of(s.rate) + of(s.trial) + of(s.displaced) + of(s.inverse_dt) + of(s.b) + of(s.x) + of(s.work) +
         of(s.scales.root) + of(s.matrix.values) + s.jacobian.workspace_bytes() + s.preconditioner->workspace_bytes() +
         s.krylov.workspace_bytes();
}

std::string_view name(EulerPreconditioner preconditioner) {
  return preconditioner == EulerPreconditioner::block_ilu ? "block_ilu" : "block_gauss_seidel";
}

#define KARMAN_INSTANTIATE(Exec)           \
  template class EulerNewton<Exec, float>; \
  template class EulerNewton<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
