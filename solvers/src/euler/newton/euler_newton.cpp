// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "newton_system.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/euler/euler_newton.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace karman {

namespace {

void require_options(EulerNewtonOptions const& o) {
  require(std::isfinite(o.cfl) && o.cfl > 0, "EulerNewton: cfl must be positive, it is " + std::to_string(o.cfl));
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

}  // namespace

template <ExecutionSpace Exec, Real T>
struct EulerNewton<Exec, T>::State {
  detail::NewtonSystem<Exec, T> system;
  EulerNewtonOptions options = {};
  EulerNewtonState now = {};

  State(Exec const& space, EulerRhs<Exec, T>& of, EulerNewtonSetup const& setup, std::vector<int> const& groups)
      : system(space, "EulerNewton", of, setup, groups) {}

  double residual(Exec const& space, ConstEulerField<Exec, T> const& u) {
    system.evaluate(space, u, system.rate);
    return system.norms(space, system.rate, u, u).steady;
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
    bool const is_first = !(now.least > 0);
    // A flow that is nearer to a steady one than another: with the steps that its march would have by now.
    if (is_first && report.residual < now.largest)
      now.cfl = std::min(now.cfl * now.largest / report.residual, options.cfl_max);
    if (is_first || report.residual <= fall * now.least) {
      now.least = report.residual;
      now.idle = 0;
    } else if (++now.idle > (now.exact ? 1 : first_patience) * options.patience) {
      report.stall = "the residual no longer falls";
      return report;
    }
    now.largest = std::max(now.largest, report.residual);
    // Long steps that do not improve the flow, or steps that no longer do: its residual has few terms of the
    // first-order part.
    bool const idle = now.idle >= options.switch_after &&
                      (now.cfl >= long_steps * options.cfl || now.least <= early_switch * now.largest);
    if (!now.exact && (report.residual <= options.switch_at * now.largest || idle)) {
      now.exact = true;
      now.idle = 0;
    }
    detail::NewtonLimits const limits{options.linear_tolerance, options.linear_iterations, options.largest_fall,
                                      options.halvings};
    double const cfl = now.cfl;
    for (;;) {
      report.cfl = now.cfl;
      system.rhs.local_rates(space, u, system.inverse_dt);
      Kokkos::parallel_for("karman::euler::inverse_steps", system.nodes(space),
                           detail::InverseSteps<Exec, T>{system.inverse_dt, now.cfl, system.inverse_dt});
      auto const factored = system.factor(space, u);
      double share = 0;
      bool unsolved = false;
      if (factored.ok()) {
        auto const solved = system.solve(space, u, u, now.exact, limits);
        report.linear_iterations += solved.iterations;
        report.evaluations += system.product.take_count();
        unsolved = solved.residual > unsolved_share;
        auto const trial = system.search(space, u, u, report.residual, now.exact ? 0 : options.rise, limits);
        report.evaluations += trial.evaluations;
        share = trial.share;
        if (share > 0) report.next_residual = trial.steady;
      }
      if (share > 0) {
        report.length = share;
        double const ratio = report.residual / report.next_residual;
        // A whole step was safe: longer ones may be, too, where the residual hardly falls.
        // Near the steady flow short steps follow waves that grow again: there rejections alone shorten them.
        double const held = now.exact ? 1 : least_ratio;
        double const least = share == 1 && (now.exact || ratio >= 1) ? std::min(options.growth, whole_ratio) : held;
        // A small share of a long step is worth less than a whole shorter step. So is a step of which GMRES has found
        // little: the systems of shorter steps are easier.
        double const most = unsolved ? least_ratio : share < small_share ? held : options.growth;
        // Long steps that hardly improve the flow: products with the first-order part alone leave its error.
        if (!now.exact && now.cfl >= long_steps * options.cfl && ratio < slow_ratio) {
          now.exact = true;
          now.idle = 0;
        }
        now.cfl = std::min(now.cfl * std::clamp(ratio, std::min(least, most), most), options.cfl_max);
        compat::fence(space, "karman::euler::newton_step");
        return report;
      }
      now.cfl *= now.exact && report.rejections < gentle_cuts ? gentle_cut : cut;
      if (++report.rejections > options.rejections) {
        report.stall = "no step reduces the residual";
        now.cfl = cfl;
        return report;
      }
    }
  }

  /// Share of the residual of a linear system. GMRES that leaves more has not solved it.
  static constexpr double unsolved_share = 0.8;
  /// Least ratios of the CFL number: after an accepted step, a whole step, a rejected one. Shares below the last one
  /// reduce it.
  static constexpr double least_ratio = 0.5, whole_ratio = 1.5, cut = 0.1, small_share = 0.2;
  /// Steps are long from this ratio of the CFL number to that of the options on. They are slow below this ratio of two
  /// residuals.
  static constexpr double long_steps = 100, slow_ratio = 1.25;
  /// Times the patience before products change to differences: a shock that crosses the mesh keeps the residual up.
  static constexpr int first_patience = 3;
  /// Share of the largest residual after which idle steps are reason enough for products by differences.
  static constexpr double early_switch = 0.05;
  /// The first cuts of the CFL number by a step with such products.
  static constexpr int gentle_cuts = 4;
  static constexpr double gentle_cut = 0.5;
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
  state_->system.check(u);
  return state_->step(space, u);
}

template <ExecutionSpace Exec, Real T>
double EulerNewton<Exec, T>::residual(Exec const& space, ConstEulerField<Exec, T> const& u) {
  Region const region("karman::euler::newton_residual");
  state_->system.check(u);
  return state_->residual(space, u);
}

template <ExecutionSpace Exec, Real T>
EulerNewtonState EulerNewton<Exec, T>::state() const {
  return state_->now;
}

template <ExecutionSpace Exec, Real T>
std::int64_t EulerNewton<Exec, T>::workspace_bytes() const {
  return state_->system.bytes();
}

std::string_view name(EulerPreconditioner preconditioner) {
  switch (preconditioner) {
    case EulerPreconditioner::block_amg: return "block_amg";
    case EulerPreconditioner::block_gauss_seidel: return "block_gauss_seidel";
    default: return "block_ilu";
  }
}

#define KARMAN_INSTANTIATE(Exec)           \
  template class EulerNewton<Exec, float>; \
  template class EulerNewton<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
