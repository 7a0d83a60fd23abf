// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "implicit_kernels.hpp"
#include "newton_system.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/euler/euler_implicit.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace karman {

namespace {

void require_options(EulerImplicitOptions const& o) {
  auto const positive = [](double value, char const* what) {
    require(std::isfinite(value) && value > 0,
            "EulerImplicit: " + std::string(what) + " must be positive, it is " + std::to_string(value));
  };
  positive(o.dt, "dt");
  require(std::isfinite(o.tolerance) && o.tolerance >= 0, "EulerImplicit: tolerance must not be negative");
  require(o.dt_max > 0, "EulerImplicit: dt_max must be positive");
  require(o.dt_min >= 0 && o.dt_min <= o.dt_max, "EulerImplicit: dt_min must lie between 0 and dt_max");
  // From 1 + sqrt(2) on backward differences of variable steps are unstable.
  require(o.growth >= 1 && o.growth <= 2.4, "EulerImplicit: growth must lie between 1 and 2.4");
  require(o.newton_tolerance > 0 && o.newton_tolerance < 1, "EulerImplicit: newton_tolerance must lie between 0 and 1");
  require(o.newton_iterations >= 1, "EulerImplicit: newton_iterations must be at least 1");
  require(o.linear_tolerance > 0 && o.linear_tolerance < 1, "EulerImplicit: linear_tolerance must lie between 0 and 1");
  require(o.linear_iterations >= 1, "EulerImplicit: linear_iterations must be at least 1");
  require(o.largest_fall > 0 && o.largest_fall < 1, "EulerImplicit: largest_fall must lie between 0 and 1");
  require(o.halvings >= 0 && o.rejections >= 0, "EulerImplicit: halvings and rejections must not be negative");
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct EulerImplicit<Exec, T>::State {
  using Field = EulerField<Exec, T>;

  detail::NewtonSystem<Exec, T> system;
  EulerImplicitMethod method;
  EulerImplicitOptions options = {};
  EulerImplicitState now = {};
  double end = std::numeric_limits<double>::infinity();
  bool started = false;
  Field base, kept, first, second;  ///< B; flow before the step; derivatives of two stages
  Field former[2];                  ///< flows before the last steps, the last first
  int held = 0;                     ///< of them

  State(Exec const& space, EulerRhs<Exec, T>& of, EulerImplicitMethod by, EulerNewtonSetup const& setup,
        std::vector<int> const& groups)
      : system(space, "EulerImplicit", of, setup, groups, {.keeps_normals = true}),
        method(by),
        base(system.field(space, "karman::euler::implicit_base")),
        kept(system.field(space, "karman::euler::implicit_kept")),
        first(system.field(space, "karman::euler::implicit_first")),
        second(system.field(space, "karman::euler::implicit_second")) {
    if (method != EulerImplicitMethod::bdf2) return;
    for (auto& field : former) field = system.field(space, "karman::euler::implicit_former");
  }

  /// Former flows that a step of bdf2 needs: its estimate of the error takes one more.
  int needed() const { return options.tolerance > 0 ? 2 : 1; }

  struct Term {
    double weight;
    Field field;
  };
  void sum(Exec const& space, std::initializer_list<Term> terms, Field const& to) const {
    detail::SumOfFields<Exec, T> kernel;
    kernel.count = 0;
    kernel.to = to;
    for (Term const& term : terms) {
      kernel.of[kernel.count] = term.field;
      kernel.weight[kernel.count++] = term.weight;
    }
    Kokkos::parallel_for("karman::euler::sum_of_fields", system.nodes(space), kernel);
  }

  /// Jacobian and factors at u for a step of 1/g; finds the round-off of residuals. Whether it succeeded.
  bool prepare(Exec const& space, Field const& u, double g) {
    system.rhs.local_rates(space, u, system.inverse_dt);
    double const size =
        system.reducer.reduce(space, system.rhs.nodes(),
                              detail::SizeOfNode<Exec, T>{system.scales, u, system.inverse_dt, g}, SumOf<double>());
    // Each flux has a few operations, each node about six triangles, and tau may amplify their sum.
    constexpr double roundings = 16;
    round_off = roundings * double(std::numeric_limits<T>::epsilon()) * std::sqrt(size);
    Kokkos::parallel_for("karman::euler::same_steps", system.nodes(space),
                         detail::SameSteps<Exec, T>{static_cast<T>(g), system.inverse_dt});
    return std::isfinite(size) && system.factor(space, u).ok();
  }

  /// Solves g (u - base) = r(u), from u. Whether it succeeded.
  bool solve(Exec const& space, Field const& u, EulerImplicitStep& report) {
    detail::NewtonLimits const limits{options.linear_tolerance, options.linear_iterations, options.largest_fall,
                                      options.halvings};
    system.evaluate(space, u, system.rate);
    ++report.evaluations;
    double residual = system.norms(space, system.rate, u, base).unsteady;
    double const goal = std::max(options.newton_tolerance * residual, round_off);
    // Products by differences, or the first-order part of the scheme alone.
    bool exact = true;
    for (int n = 0; !(residual <= goal); ++n) {
      if (n == options.newton_iterations || !std::isfinite(residual)) return false;
      ++report.newton_iterations;
      auto const attempt = [&] {
        report.linear_iterations += system.solve(space, u, base, exact, limits).iterations;
        report.evaluations += system.product.take_count();
        auto const trial = system.search(space, u, base, residual, 0, limits);
        report.evaluations += trial.evaluations;
        return trial;
      };
      auto trial = attempt();
      if (trial.share == 0) {
        exact = !exact;
        trial = attempt();
      }
      // Estimates of the round-off may be too small.
      if (trial.share == 0) return residual <= few * round_off;
      // Residuals have kinks in a uniform flow. Where one kind of steps is slow, the other may be better.
      constexpr double slow = 0.5;
      if (trial.unsteady > slow * residual) exact = !exact;
      residual = trial.unsteady;
      Kokkos::deep_copy(space, system.rate, system.displaced);
    }
    return true;
  }

  bool bdf2(Exec const& space, Field const& u, double h, AtTime const& at, EulerImplicitStep& report) {
    double const h1 = now.earlier_dt[0], h2 = now.earlier_dt[1];
    double const change = h * h / (h1 * (2 * h + h1));
    sum(space, {{1, kept}, {change, kept}, {-change, former[0]}}, base);
    if (at) at(now.time + h);
    if (!prepare(space, u, 1 / h + 1 / (h + h1)) || !solve(space, u, report)) return false;
    if (options.tolerance == 0) return true;
    // Third divided difference times the coefficient of the error.
    double const c = h * h * (h + h1) * (h + h1) / (2 * h + h1);
    sum(space,
        {{c / (h * (h + h1) * (h + h1 + h2)), u},
         {-c / (h * h1 * (h1 + h2)), kept},
         {c / ((h + h1) * h1 * h2), former[0]},
         {-c / ((h + h1 + h2) * (h1 + h2) * h2), former[1]}},
        first);
    report.error = system.norms(space, first, u, u).steady;
    return true;
  }

  bool tr_bdf2(Exec const& space, Field const& u, double h, AtTime const& at, EulerImplicitStep& report) {
    double const root = std::sqrt(2.0), d = 1 - 1 / root, w = root / 4, g = 1 / (d * h);
    if (at) at(now.time);
    system.evaluate(space, kept, first);
    ++report.evaluations;
    sum(space, {{1, kept}, {d * h, first}}, base);
    if (at) at(now.time + 2 * d * h);
    if (!prepare(space, u, g) || !solve(space, u, report)) return false;
    sum(space, {{g, u}, {-g, base}}, second);
    sum(space, {{1, kept}, {w * h, first}, {w * h, second}}, base);
    if (at) at(now.time + h);
    if (!solve(space, u, report)) return false;
    if (options.tolerance == 0) return true;
    // The weights less the embedded ones of order 3; h d times the third derivative is u - base.
    double const e1 = w - (1 - w) / 3, e2 = w - (3 * w + 1) / 3, e3 = 2.0 / 3;
    sum(space, {{e3, u}, {-e3, base}, {e1 * h, first}, {e2 * h, second}}, first);
    Kokkos::parallel_for("karman::euler::newton_rhs", system.nodes(space),
                         detail::StepResidual<Exec, T>{system.scales, first, u, u, system.inverse_dt, system.b});
    system.grouped.apply(space, system.b, system.x);
    report.error = g * std::sqrt(system.reducer.reduce(space, system.rhs.nodes(),
                                                       detail::SquareOfNode<Exec, T>{system.x}, SumOf<double>()));
    return true;
  }

  EulerImplicitStep step(Exec const& space, Field const& u, AtTime const& at) {
    EulerImplicitStep report;
    report.time = now.time;
    double const left = end - now.time;
    if (!(left > 0)) return report;
    Kokkos::deep_copy(space, kept, u);
    double wanted = now.dt, h = 0;
    for (;;) {
      // The last two steps share the rest.
      h = wanted >= left ? left : 2 * wanted > left ? left / 2 : wanted;
      if (wanted < options.dt_min || now.time + h == now.time) {
        now.dt = wanted;
        report.stall = "the time step is too small";
        return report;
      }
      bool const steps = method == EulerImplicitMethod::bdf2 && held >= needed();
      bool const solved = steps ? bdf2(space, u, h, at, report) : tr_bdf2(space, u, h, at, report);
      if (solved && (options.tolerance == 0 || report.error <= options.tolerance)) break;
      Kokkos::deep_copy(space, u, kept);
      if (++report.rejections > options.rejections) {
        report.stall = solved ? "no step has a small enough error" : "Newton's method solves no step";
        compat::fence(space, "karman::euler::implicit_step");
        return report;
      }
      wanted = h * (solved ? std::clamp(ratio(report.error), least_ratio, cut) : cut);
    }
    report.dt = h;
    report.time = now.time = h == left ? end : now.time + h;
    if (method == EulerImplicitMethod::bdf2) {
      std::swap(former[0], former[1]);
      std::swap(former[0], kept);
      held = std::min(held + 1, needed());
      now.earlier_dt = {h, held > 1 ? now.earlier_dt[0] : 0};
    }
    double const longest = options.growth * wanted;
    double next = options.tolerance == 0 ? std::min(options.dt, longest)
                                         : std::clamp(h * ratio(report.error), least_ratio * h, longest);
    // After a rejection a longer step would be rejected, too.
    if (report.rejections > 0) next = std::min(next, wanted);
    now.dt = std::min(next, options.dt_max);
    compat::fence(space, "karman::euler::implicit_step");
    return report;
  }

  /// Ratio of the next step to the present one, with a margin.
  double ratio(double error) const {
    constexpr double margin = 0.9;
    return std::isfinite(error) ? margin * std::cbrt(options.tolerance / error) : 0;
  }

  double round_off = 0;  ///< of a residual, after prepare()
  /// Ratio of steps after a rejection: largest and least.
  static constexpr double cut = 0.5, least_ratio = 0.2;
  static constexpr double few = 16;
};

template <ExecutionSpace Exec, Real T>
EulerImplicit<Exec, T>::EulerImplicit(Exec const& space, EulerRhs<Exec, T>& rhs, EulerImplicitMethod method,
                                      EulerNewtonSetup const& setup, std::vector<int> const& group) {
  Region const region("karman::euler::plan_implicit");
  state_ = {"EulerImplicit", std::make_unique<State>(space, rhs, method, setup, group)};
}

template <ExecutionSpace Exec, Real T>
void EulerImplicit<Exec, T>::start(Exec const& space, EulerImplicitOptions const& options,
                                   EulerImplicitState const& from, std::vector<ConstVector<Exec, T>> const& former) {
  require_options(options);
  State& s = *state_;
  require(std::isfinite(from.time) && std::isfinite(from.dt) && from.dt >= 0,
          "EulerImplicit: a state has a time that is not finite, or a step below 0");
  require(former.size() <= (s.method == EulerImplicitMethod::bdf2 ? std::size_t{2} : std::size_t{0}),
          "EulerImplicit: " + std::to_string(former.size()) + " former flows; bdf2 has at most 2, tr_bdf2 none");
  for (std::size_t n = 0; n < former.size(); ++n) {
    require(former[n].extent(0) == s.kept.size(), "EulerImplicit: a former flow has " +
                                                      std::to_string(former[n].extent(0)) + " numbers; the flow has " +
                                                      std::to_string(s.kept.size()));
    require(from.earlier_dt[n] > 0, "EulerImplicit: a former flow needs a step in earlier_dt");
    Kokkos::deep_copy(space, Vector<Exec, T>(s.former[n].data(), s.former[n].size()), former[n]);
  }
  s.options = options;
  s.now = from;
  s.now.dt = std::min(from.dt > 0 ? from.dt : options.dt, options.dt_max);
  s.held = static_cast<int>(former.size());
  s.end = std::numeric_limits<double>::infinity();
  s.started = true;
}

template <ExecutionSpace Exec, Real T>
void EulerImplicit<Exec, T>::set_end(double end) {
  require(!std::isnan(end), "EulerImplicit: the end time is not a number");
  state_->end = end;
}

template <ExecutionSpace Exec, Real T>
EulerImplicitStep EulerImplicit<Exec, T>::step(Exec const& space, EulerField<Exec, T> const& u, AtTime const& at) {
  Region const region("karman::euler::implicit_step");
  require(state_->started, "EulerImplicit: call start() first");
  state_->system.check(u);
  return state_->step(space, u, at);
}

template <ExecutionSpace Exec, Real T>
EulerImplicitState EulerImplicit<Exec, T>::state() const {
  return state_->now;
}

template <ExecutionSpace Exec, Real T>
std::vector<ConstVector<Exec, T>> EulerImplicit<Exec, T>::former() const {
  std::vector<ConstVector<Exec, T>> result;
  for (int n = 0; n < state_->held; ++n) result.emplace_back(state_->former[n].data(), state_->former[n].size());
  return result;
}

template <ExecutionSpace Exec, Real T>
std::int64_t EulerImplicit<Exec, T>::workspace_bytes() const {
  State const& s = *state_;
  auto const of = [](auto const& field) { return static_cast<std::int64_t>(field.span() * sizeof(T)); };
  return s.system.bytes() + of(s.base) + of(s.kept) + of(s.first) + of(s.second) + of(s.former[0]) + of(s.former[1]);
}

std::string_view name(EulerImplicitMethod method) { return method == EulerImplicitMethod::bdf2 ? "bdf2" : "tr_bdf2"; }

#define KARMAN_INSTANTIATE(Exec)             \
  template class EulerImplicit<Exec, float>; \
  template class EulerImplicit<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
