// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/repeat_kernels.hpp"
#include "common/host_share.hpp"
#include "common/vector_pass.hpp"
#include "runge_kutta_tables.hpp"
#include "stage_passes.hpp"
#include "step_clock.hpp"
#include "step_rules.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/time/time_integrators.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>

namespace karman {

namespace {

using detail::ClockAction;
using detail::ClockNumbers;

std::span<detail::RungeKuttaStage const> stages_of(TimeMethod method) {
  switch (method) {
    case TimeMethod::euler: return detail::euler_stages;
    case TimeMethod::minimal_storage_rk4: return detail::minimal_storage_rk4_stages;
    case TimeMethod::ssp_rk3: return detail::ssp_rk3_stages;
    case TimeMethod::low_storage_rk54:
    case TimeMethod::adams_bashforth4: break;
  }
  return {};
}

Kokkos::Array<double, ClockNumbers::most_stages> stage_times_of(TimeMethod method) {
  Kokkos::Array<double, ClockNumbers::most_stages> times{};
  std::size_t stage = 0;
  auto const stages = stages_of(method);
  for (auto const& one : stages) times[stage++] = one.time;
  if (!stages.empty()) return times;
  for (auto const& one : detail::low_storage_rk54_stages) times[stage++] = one.time;  // adams_bashforth4 starts with it
  return times;
}

int vectors_of(TimeIntegratorSetup const& setup) {
  int const work = setup.method == TimeMethod::euler ? 1 : setup.method == TimeMethod::adams_bashforth4 ? 4 : 2;
  return work + (setup.local_steps ? 2 : 0);
}

template <class Exec>
constexpr detail::VectorShares shares = detail::VectorTable<Exec>::short_vectors;

void require_setup(std::int64_t n, TimeIntegratorSetup const& setup) {
  require(n >= 0, "TimeIntegrator: n must not be negative, it is " + std::to_string(n));
  require(!setup.local_steps || setup.method != TimeMethod::adams_bashforth4,
          "TimeIntegratorSetup: adams_bashforth4 has no local steps; take a Runge-Kutta method");
}

void require_rules(StepControl const& c, bool local) {
  detail::require_control(c);
  require(!local || c.cfl > 0, "StepControl: local steps need a cfl above 0");
  require(!local || c.dt_first == 0, "StepControl: local steps have no dt_first");
}

}  // namespace

std::string_view name(TimeMethod method) {
  switch (method) {
    case TimeMethod::euler: return "euler";
    case TimeMethod::minimal_storage_rk4: return "minimal_storage_rk4";
    case TimeMethod::ssp_rk3: return "ssp_rk3";
    case TimeMethod::low_storage_rk54: return "low_storage_rk54";
    case TimeMethod::adams_bashforth4: return "adams_bashforth4";
  }
  return "unknown";
}

int evaluations(TimeMethod method) {
  if (method == TimeMethod::adams_bashforth4) return 1;
  auto const stages = stages_of(method);
  return static_cast<int>(stages.empty() ? detail::low_storage_rk54_stages.size() : stages.size());
}

template <ExecutionSpace Exec, Real T>
struct TimeIntegrator<Exec, T>::State {
  using N = ClockNumbers;
  using Const = ConstVector<Exec, T>;
  using Steps = GlobalOrLocal<Exec, T>;
  using Derivative = TimeDerivative<Exec, T>;
  static constexpr int derivatives = 4;  ///< of adams_bashforth4

  std::int64_t n;
  TimeIntegratorSetup setup;
  std::array<Vector<Exec, T>, derivatives> work;
  Vector<Exec, T> local_rate, local_dt;
  Kokkos::View<double*, typename Exec::memory_space> numbers, partials;
  Kokkos::View<int, typename Exec::memory_space> arrivals;
  Kokkos::View<double*, Kokkos::HostSpace> on_host;

  StepControl control;
  detail::RepeatedKernels<Exec> repeated;  ///< the steps
  bool started = false;
  int known = 0;               ///< derivatives of earlier steps that adams_bashforth4 has
  std::size_t newest = 0;      ///< place of the last one in `work`
  bool checked = false;        ///< no step since the last check
  double idle_steps_seen = 0;  ///< at the last check

  State(Exec const& space, std::int64_t n_, TimeIntegratorSetup const& setup_) : n(n_), setup(setup_) {
    auto const vector = [&](char const* label) {
      return Vector<Exec, T>(Kokkos::view_alloc(space, std::string(label)), static_cast<std::size_t>(n));
    };
    int const vectors = vectors_of({setup.method, false});
    for (int v = 0; v < vectors; ++v) work[static_cast<std::size_t>(v)] = vector("karman::time::work");
    if (setup.local_steps) {
      local_rate = vector("karman::time::local_rate");
      local_dt = vector("karman::time::local_dt");
    }
    auto const doubles = [&](char const* label, int count) {
      return Kokkos::View<double*, typename Exec::memory_space>(Kokkos::view_alloc(space, std::string(label)),
                                                                static_cast<std::size_t>(count));
    };
    numbers = doubles("karman::time::numbers", N::count);
    partials = doubles("karman::time::partials", shares<Exec>.teams(n));
    arrivals = Kokkos::View<int, typename Exec::memory_space>(
        Kokkos::view_alloc(space, std::string("karman::time::arrivals")));
    on_host = Kokkos::View<double*, Kokkos::HostSpace>(Kokkos::view_alloc(std::string("karman::time::numbers_on_host")),
                                                       static_cast<std::size_t>(N::count));
  }

  static std::int64_t bytes(std::int64_t n, TimeIntegratorSetup const& setup) {
    constexpr std::int64_t real = sizeof(T), number = sizeof(double), count = sizeof(int);
    return vectors_of(setup) * n * real + (N::count + shares<Exec>.teams(n)) * number + count +
           detail::host_share<Exec>(N::count * number);
  }

  template <class V>
  void check(V const& vector, char const* what) const {
    require(static_cast<std::int64_t>(vector.extent(0)) == n, std::string("TimeIntegrator: ") + what + " must have " +
                                                                  std::to_string(n) + " values, it has " +
                                                                  std::to_string(vector.extent(0)));
  }
  void check(Derivative const& derivative) const {
    require(derivative.size() == n, "TimeIntegrator: the derivative must have " + std::to_string(n) +
                                        " values, it has " + std::to_string(derivative.size()));
  }
  void check_started() const { require(started, "TimeIntegrator: a run must begin with start()"); }

  double* number(int place) const { return numbers.data() + place; }
  /// Time of a stage; that after the last one is `next`.
  DeviceNumber<Exec> moment(std::size_t stage) const {
    return DeviceNumber<Exec>(number(N::moments + static_cast<int>(stage)));
  }
  DeviceNumber<Exec> next() const { return DeviceNumber<Exec>(number(N::next)); }
  Steps dt() const {
    Steps steps;
    if (setup.local_steps) steps.local = local_dt;
    else steps.global = DeviceNumber<Exec>(number(N::dt));
    return steps;
  }
  Steps rate(bool wanted) const {
    Steps rates;
    if (!wanted || control.cfl == 0) return rates;
    if (setup.local_steps) rates.local = local_rate;
    else rates.global = DeviceNumber<Exec>(number(N::rate));
    return rates;
  }

  template <class Body>
  void pass(Exec const& space, char const* label, Body const& body, int place = 0) const {
    detail::TeamResults<(Body::results > 0 ? Body::results : 1)> out{};
    if constexpr (Body::results > 0) {
      out = {{Body::kind(0)}, {number(place)}, partials.data(), arrivals.data()};
    }
    detail::vector_pass(space, label, body, n, {nullptr, 1}, out, shares<Exec>);
  }

  detail::StepClock clock(ClockAction action, double given = 0) const {
    bool const adams = setup.method == TimeMethod::adams_bashforth4 && known >= 2;
    return {number(0), control, stage_times_of(setup.method), adams ? known + 1 : 0, setup.local_steps, action, given};
  }
  void run_clock(Exec const& space, char const* label, ClockAction action, double given = 0) const {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec>(space, 0, 1), clock(action, given));
  }

  /// Chooses dt from the rates that the derivative has written.
  void choose(Exec const& space, bool first) const {
    ClockAction const action = first ? ClockAction::choose : ClockAction::finish;
    if (!setup.local_steps) {
      run_clock(space, first ? "karman::time::first_step" : "karman::time::finish_step", action);
      return;
    }
    pass(space, "karman::time::largest_rate", detail::LargestRate<T>{{{local_rate.data()}, {nullptr}}, clock(action)},
         N::rate);
    pass(
        space, "karman::time::local_steps",
        detail::LocalSteps<T>{{{local_rate.data(), local_dt.data()}, {local_dt.data()}}, control, number(0), first, 0});
  }

  /// to = base_weight base + from_weight from + factor dt k, dt as the stage has it or 1 where that is empty.
  void combine(Exec const& space, TimeStage<Exec, T> const& s, T const* k) const {
    double const* const dt = s.dt.empty() || s.dt.is_local() ? nullptr : s.dt.global.data();
    T const* const base = s.base.data();
    T const* const from = s.from.data();
    T const* const each = s.dt.local.data();
    T* const to = s.to.data();
    auto const run = [&](auto body) { pass(space, "karman::time::stage", body); };
    auto const a = static_cast<T>(s.base_weight), b = static_cast<T>(s.from_weight);
    if (s.from_weight != 0 && each != nullptr) {
      run(detail::StagePass<T, true, true>{{{base, k, from, each}, {to}}, a, b, s.factor, dt, T(0)});
    } else if (s.from_weight != 0) {
      run(detail::StagePass<T, true, false>{{{base, k, from}, {to}}, a, b, s.factor, dt, T(0)});
    } else if (each != nullptr) {
      run(detail::StagePass<T, false, true>{{{base, k, each}, {to}}, a, b, s.factor, dt, T(0)});
    } else {
      run(detail::StagePass<T, false, false>{{{base, k}, {to}}, a, b, s.factor, dt, T(0)});
    }
  }

  void runge_kutta(Exec const& space, Derivative& r, Vector<Exec, T> const& u) const {
    auto const stages = stages_of(setup.method);
    Vector<Exec, T> from = u;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      bool const last = i + 1 == stages.size();
      double share = 1;
      for (std::size_t later = i + 1; later < stages.size(); ++later) share *= stages[later].from;
      bool const in_first = from.data() == work[0].data();
      auto const& other = in_first ? work[1] : work[0];
      Vector<Exec, T> const to = last ? u : other;
      TimeStage<Exec, T> const stage{Const(u),         Const(from), to,   stages[i].base, stages[i].from,
                                     stages[i].factor, moment(i),   dt(), rate(last),     share};
      // With one stage `to` is `from`, which no fused kernel can do.
      if (stages.size() == 1 || !r.advance(space, stage)) {
        r.evaluate(space, stage.from, stage.time, other, stage.rate);
        combine(space, stage, other.data());
      }
      r.constrain(space, to, last ? next() : moment(i + 1));
      from = to;
    }
  }

  /// The derivative at u goes to `first` where that is given, and otherwise to k.
  void low_storage(Exec const& space, Derivative& r, Vector<Exec, T> const& u, Vector<Exec, T> const& d,
                   Vector<Exec, T> const& k, Vector<Exec, T> const* first) const {
    auto const& stages = detail::low_storage_rk54_stages;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      bool const last = i + 1 == stages.size();
      TimeStage<Exec, T> const stage{Const(d), Const(u), d, stages[i].keep, 0, 1, moment(i), dt(), rate(last)};
      bool const kept = i == 0 && first != nullptr;
      if (!kept && r.advance(space, stage)) {
        TimeStage<Exec, T> add{};
        add.base = u;
        add.to = u;
        add.factor = stages[i].add;
        combine(space, add, d.data());
      } else {
        auto const& result = kept ? *first : k;
        r.evaluate(space, stage.from, stage.time, result, stage.rate);
        add_low_storage(space, u, d, result, i);
      }
      r.constrain(space, u, last ? next() : moment(i + 1));
    }
  }

  void add_low_storage(Exec const& space, Vector<Exec, T> const& u, Vector<Exec, T> const& d, Vector<Exec, T> const& k,
                       std::size_t stage) const {
    auto const keep = static_cast<T>(detail::low_storage_rk54_stages[stage].keep);
    auto const add = static_cast<T>(detail::low_storage_rk54_stages[stage].add);
    double const* const dt = number(N::dt);
    T const* const each = local_dt.data();
    auto const run = [&](auto body) { pass(space, "karman::time::low_storage_stage", body); };
    if (stage == 0 && setup.local_steps) {
      run(detail::LowStoragePass<T, true, true>{
          {{u.data(), k.data(), each}, {d.data(), u.data()}}, keep, add, nullptr, T(0)});
    } else if (stage == 0) {
      run(detail::LowStoragePass<T, true, false>{{{u.data(), k.data()}, {d.data(), u.data()}}, keep, add, dt, T(0)});
    } else if (setup.local_steps) {
      run(detail::LowStoragePass<T, false, true>{
          {{u.data(), k.data(), d.data(), each}, {d.data(), u.data()}}, keep, add, nullptr, T(0)});
    } else {
      run(detail::LowStoragePass<T, false, false>{
          {{u.data(), k.data(), d.data()}, {d.data(), u.data()}}, keep, add, dt, T(0)});
    }
  }

  void adams_bashforth(Exec const& space, Derivative& r, Vector<Exec, T> const& u) {
    std::size_t const place = known == 0 ? 0 : (newest + 1) % derivatives;
    if (known < 2) {
      low_storage(space, r, u, work[2], work[3], &work[place]);
    } else {
      r.evaluate(space, Const(u), moment(0), work[place], rate(true));
      T const* k[derivatives];
      for (std::size_t j = 0; j < derivatives; ++j) k[j] = work[(place + derivatives - j) % derivatives].data();
      double const* const weights = number(N::weights);
      if (known == 2) {
        pass(space, "karman::time::adams_bashforth",
             detail::AdamsPass<T, 3>{{{u.data(), k[0], k[1], k[2]}, {u.data()}}, weights, {}});
      } else {
        pass(space, "karman::time::adams_bashforth",
             detail::AdamsPass<T, 4>{{{u.data(), k[0], k[1], k[2], k[3]}, {u.data()}}, weights, {}});
      }
      r.constrain(space, u, next());
    }
    newest = place;
    known = std::min(known + 1, derivatives - 1);
  }

  void step(Exec const& space, Derivative& r, Vector<Exec, T> const& u) {
    r.begin_step(space, Const(u), moment(0), dt());
    switch (setup.method) {
      case TimeMethod::adams_bashforth4: adams_bashforth(space, r, u); break;
      case TimeMethod::low_storage_rk54: low_storage(space, r, u, work[0], work[1], nullptr); break;
      default: runge_kutta(space, r, u);
    }
    choose(space, false);
  }

  /// Number of steps to the end time if each is as long as the rules allow; at most `most`.
  int steps_to(double end, TimeReport const& report, int most) const {
    double time = report.time, dt = report.dt;
    int steps = 0;
    // The last step may be longer by rounding of the time.
    while (steps < most && end - time > 1e-6 * dt) {
      time += dt;
      dt *= control.growth;
      if (control.dt_max > 0) dt = std::min(dt, control.dt_max);
      ++steps;
    }
    return std::max(steps, 1);
  }
};

template <ExecutionSpace Exec, Real T>
TimeIntegrator<Exec, T>::TimeIntegrator(Exec const& space, std::int64_t n, TimeIntegratorSetup const& setup) {
  Region const region("karman::time::plan");
  require_setup(n, setup);
  state_ = {"TimeIntegrator", std::make_unique<State>(space, n, setup)};
  compat::fence(space, "karman::time::plan");
}

template <ExecutionSpace Exec, Real T>
void TimeIntegrator<Exec, T>::start(Exec const& space, TimeDerivative<Exec, T>& derivative, Vector<Exec, T> const& u,
                                    double time, StepControl const& control) {
  Region const region("karman::time::start");
  State& s = *state_;
  s.check(derivative);
  s.check(u, "u");
  require(std::isfinite(time), "TimeIntegrator: the time of start() must be finite");
  require_rules(control, s.setup.local_steps);
  s.control = control;
  s.known = 0;
  s.checked = true;
  s.idle_steps_seen = 0;
  s.started = true;
  s.run_clock(space, "karman::time::reset", ClockAction::reset, time);
  derivative.constrain(space, u, s.moment(0));
  if (control.cfl > 0 && control.dt_first == 0) {
    derivative.rates(space, ConstVector<Exec, T>(u), s.moment(0), s.work[0], s.rate(true));
  }
  s.choose(space, true);
}

template <ExecutionSpace Exec, Real T>
std::vector<ConstVector<Exec, T>> TimeIntegrator<Exec, T>::former() const {
  State const& s = *state_;
  std::vector<ConstVector<Exec, T>> result;
  for (int j = 0; j < s.known; ++j) {
    result.push_back(s.work[(s.newest + State::derivatives - static_cast<std::size_t>(j)) % State::derivatives]);
  }
  return result;
}

template <ExecutionSpace Exec, Real T>
void TimeIntegrator<Exec, T>::resume(Exec const& space, TimeDerivative<Exec, T>& derivative, Vector<Exec, T> const& u,
                                     double time, StepControl const& control,
                                     std::vector<ConstVector<Exec, T>> const& former,
                                     std::array<double, 3> const& earlier_dt) {
  using N = ClockNumbers;
  State& s = *state_;
  std::size_t const count = former.size();
  require(count == 0 || s.setup.method == TimeMethod::adams_bashforth4,
          "TimeIntegrator: only adams_bashforth4 continues with former derivatives");
  require(count < State::derivatives, "TimeIntegrator: at most three former derivatives");
  for (std::size_t j = 0; j < count; ++j) {
    s.check(former[j], "a former derivative");
    require(std::isfinite(earlier_dt[j]) && earlier_dt[j] > 0, "TimeIntegrator: earlier steps must be positive");
  }
  start(space, derivative, u, time, control);
  if (count == 0) return;
  for (std::size_t j = 0; j < count; ++j) Kokkos::deep_copy(space, s.work[count - 1 - j], former[j]);
  s.newest = count - 1;
  s.known = static_cast<int>(count);
  auto numbers = host_copy(space, s.numbers);
  std::copy(earlier_dt.begin(), earlier_dt.end(), numbers.begin() + N::earlier);
  copy_to_device(space, numbers, s.numbers);
  // Weights for the next step.
  s.run_clock(space, "karman::time::resume", ClockAction::set_end, HUGE_VAL);
  compat::fence(space, "karman::time::resume");
}

template <ExecutionSpace Exec, Real T>
void TimeIntegrator<Exec, T>::set_end(Exec const& space, double end) {
  State& s = *state_;
  s.check_started();
  require(!s.setup.local_steps, "TimeIntegrator: local steps have no end time");
  require(!std::isnan(end), "TimeIntegrator: the end time must be a number");
  // Steps at the end time may have replaced derivatives of earlier times.
  if (!s.checked) s.known = 0;
  s.run_clock(space, "karman::time::set_end", ClockAction::set_end, end);
}

template <ExecutionSpace Exec, Real T>
void TimeIntegrator<Exec, T>::step(Exec const& space, TimeDerivative<Exec, T>& derivative, Vector<Exec, T> const& u,
                                   int count) {
  Region const region("karman::time::step");
  State& s = *state_;
  s.check_started();
  s.check(derivative);
  s.check(u, "u");
  require(count >= 0, "TimeIntegrator: the number of steps must not be negative, it is " + std::to_string(count));
  if (count == 0) return;
  s.checked = false;
  auto const step = [&] { s.step(space, derivative, u); };
  // The vectors of adams_bashforth4 take turns.
  if (derivative.repeats() && s.setup.method != TimeMethod::adams_bashforth4) {
    s.repeated.run(space, count, step);
  } else {
    for (int n = 0; n < count; ++n) step();
  }
}

template <ExecutionSpace Exec, Real T>
TimeReport TimeIntegrator<Exec, T>::diagnostics(Exec const& space, Vector<Exec, T> const& u) {
  Region const region("karman::time::diagnostics");
  using N = ClockNumbers;
  State& s = *state_;
  s.check_started();
  s.check(u, "u");
  s.pass(space, "karman::time::diagnostics", detail::NotFinite<T>{{{u.data()}, {nullptr}}}, N::not_finite);
  Kokkos::deep_copy(space, s.on_host, s.numbers);
  compat::fence(space, "karman::time::diagnostics");
  auto const& n = s.on_host;
  if (n(N::idle_steps) != s.idle_steps_seen) s.known = 0;
  s.idle_steps_seen = n(N::idle_steps);
  s.checked = true;
  TimeReport report;
  report.steps = static_cast<std::int64_t>(n(N::steps));
  report.time = n(N::moments);
  report.dt = n(N::wanted);
  report.rate = n(N::last_rate);
  for (int j = 0; j < 3; ++j) report.earlier_dt[static_cast<std::size_t>(j)] = n(N::earlier + j);
  report.finished = n(N::moments) >= n(N::end);
  report.breakdown = detail::breakdown_of(n(N::trouble));
  if (n(N::not_finite) != 0) report.breakdown = "a value is not a number";
  return report;
}

template <ExecutionSpace Exec, Real T>
TimeReport TimeIntegrator<Exec, T>::run_to(Exec const& space, TimeDerivative<Exec, T>& derivative,
                                           Vector<Exec, T> const& u, double end, int check_every) {
  Region const region("karman::time::run");
  State& s = *state_;
  require(check_every >= 1, "TimeIntegrator: check_every must be at least 1, it is " + std::to_string(check_every));
  s.check(derivative);
  set_end(space, end);
  TimeReport report = diagnostics(space, u);
  while (!report.finished && report.breakdown.empty()) {
    step(space, derivative, u, s.steps_to(end, report, check_every));
    report = diagnostics(space, u);
  }
  return report;
}

template <ExecutionSpace Exec, Real T>
void TimeIntegrator<Exec, T>::restart() {
  state_->known = 0;
}

template <ExecutionSpace Exec, Real T>
DeviceNumber<Exec> TimeIntegrator<Exec, T>::time() const {
  return state_->moment(0);
}

template <ExecutionSpace Exec, Real T>
GlobalOrLocal<Exec, T> TimeIntegrator<Exec, T>::dt() const {
  return state_->dt();
}

template <ExecutionSpace Exec, Real T>
std::int64_t TimeIntegrator<Exec, T>::workspace_bytes() const {
  return State::bytes(state_->n, state_->setup);
}

template <ExecutionSpace Exec, Real T>
std::int64_t TimeIntegrator<Exec, T>::workspace_bytes(std::int64_t n, TimeIntegratorSetup const& setup) {
  require_setup(n, setup);
  return State::bytes(n, setup);
}

#define KARMAN_INSTANTIATE(Exec)              \
  template class TimeIntegrator<Exec, float>; \
  template class TimeIntegrator<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
