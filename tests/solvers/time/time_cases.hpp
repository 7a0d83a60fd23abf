// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ordinary differential equations with known solutions, for tests of TimeIntegrator.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/solvers/time/time_integrators.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace karman::test {

inline constexpr TimeMethod all_methods[] = {TimeMethod::euler, TimeMethod::minimal_storage_rk4, TimeMethod::ssp_rk3,
                                             TimeMethod::low_storage_rk54, TimeMethod::adams_bashforth4};

/// Pairs (x, y) with x' = -w y, y' = w x: a rotation.
struct Rotation {
  double w = 1;
  template <class T>
  KOKKOS_FUNCTION double operator()(T const* u, std::int64_t i, double) const {
    return i % 2 == 0 ? -w * static_cast<double>(u[i + 1]) : w * static_cast<double>(u[i - 1]);
  }
  KOKKOS_FUNCTION double rate(std::int64_t, double) const { return w; }
};

/// u' = -w u.
struct Decay {
  double w = 1;
  template <class T>
  KOKKOS_FUNCTION double operator()(T const* u, std::int64_t i, double) const {
    return -w * static_cast<double>(u[i]);
  }
  KOKKOS_FUNCTION double rate(std::int64_t, double) const { return w; }
};

/// u_i' = -(1 + i) u_i, with a rate of its own for each number.
struct GradedDecay {
  template <class T>
  KOKKOS_FUNCTION double operator()(T const* u, std::int64_t i, double) const {
    return -double(1 + i) * static_cast<double>(u[i]);
  }
  KOKKOS_FUNCTION double rate(std::int64_t i, double) const { return double(1 + i); }
};

/// u' = -u^2: u = 1 / (1 / u_0 + t). Not linear.
struct Riccati {
  template <class T>
  KOKKOS_FUNCTION double operator()(T const* u, std::int64_t i, double) const {
    return -static_cast<double>(u[i]) * static_cast<double>(u[i]);
  }
  KOKKOS_FUNCTION double rate(std::int64_t, double) const { return 1; }
};

/// u' = u cos t: u = u_0 exp(sin t). Depends on time.
struct Driven {
  template <class T>
  KOKKOS_FUNCTION double operator()(T const* u, std::int64_t i, double time) const {
    return static_cast<double>(u[i]) * compat::math::cos(time);
  }
  KOKKOS_FUNCTION double rate(std::int64_t, double) const { return 1; }
};

/// u' = t^power.
struct Power {
  int power;
  template <class T>
  KOKKOS_FUNCTION double operator()(T const*, std::int64_t, double time) const {
    double value = 1;
    for (int n = 0; n < power; ++n) value *= time;
    return value;
  }
  KOKKOS_FUNCTION double rate(std::int64_t, double) const { return 1; }
};

/// u' = 1, and a rate that changes in time: `before` until `change`, then `after`.
struct Ramp {
  double before, after, change;
  template <class T>
  KOKKOS_FUNCTION double operator()(T const*, std::int64_t, double) const {
    return 1;
  }
  KOKKOS_FUNCTION double rate(std::int64_t, double time) const { return time < change ? before : after; }
};

/// Largest of the rates, which relies on the 0 before each call. NaN and negative rates replace it.
KOKKOS_INLINE_FUNCTION void join_rate(double& largest, double rate) {
  if (!(rate >= 0 && rate <= largest)) largest = rate;
}

template <class Exec, class T, class Function>
struct EvaluateFunction {
  Function function;
  ConstVector<Exec, T> u;
  DeviceNumber<Exec> time;
  Vector<Exec, T> result;
  GlobalOrLocal<Exec, T> rate;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    double const t = time();
    result(std::size_t(i)) = static_cast<T>(function(u.data(), i, t));
    if (rate.is_local()) rate.local(std::size_t(i)) = static_cast<T>(function.rate(i, t));
    else if (!rate.empty() && i == 0) join_rate(rate.global(), function.rate(i, t));
  }
};

template <class Exec, class T, class Function>
struct AdvanceFunction {
  Function function;
  TimeStage<Exec, T> s;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    double const t = s.time();
    double sum = s.factor * s.dt(i) * function(s.from.data(), i, t);
    if (s.base_weight != 0) sum += s.base_weight * static_cast<double>(s.base(std::size_t(i)));
    if (s.from_weight != 0) sum += s.from_weight * static_cast<double>(s.from(std::size_t(i)));
    s.to(std::size_t(i)) = static_cast<T>(sum);
    if (s.rate.is_local()) s.rate.local(std::size_t(i)) = static_cast<T>(function.rate(i, t));
    else if (!s.rate.empty() && i == 0) join_rate(s.rate.global(), function.rate(i, t));
  }
};

/// r from a function of the vector, the number and the time; `fused` has a kernel of its own for stages.
template <class Exec, class T, class Function>
class FunctionDerivative : public TimeDerivative<Exec, T> {
 public:
  FunctionDerivative(std::int64_t n, Function function, bool fused = false)
      : n_(n), function_(function), fused_(fused) {}

  std::int64_t size() const override { return n_; }
  void evaluate(Exec const& space, ConstVector<Exec, T> const& u, DeviceNumber<Exec> const& time,
                Vector<Exec, T> const& result, GlobalOrLocal<Exec, T> const& rate) override {
    ++evaluations;
    Kokkos::parallel_for("karman::test::derivative", Kokkos::RangePolicy<Exec>(space, 0, n_),
                         EvaluateFunction<Exec, T, Function>{function_, u, time, result, rate});
  }
  bool advance(Exec const& space, TimeStage<Exec, T> const& stage) override {
    if (!fused_) return false;
    ++fused_stages;
    if (stage.to.data() == stage.from.data()) ++overlaps;
    Kokkos::parallel_for("karman::test::fused_stage", Kokkos::RangePolicy<Exec>(space, 0, n_),
                         AdvanceFunction<Exec, T, Function>{function_, stage});
    return true;
  }

  bool repeats() const override { return repeating; }

  int evaluations = 0, fused_stages = 0, overlaps = 0;
  bool repeating = false;

 private:
  std::int64_t n_;
  Function function_;
  bool fused_;
};

template <class Exec, class T>
Vector<Exec, T> device_vector(Exec const& space, std::vector<double> const& values) {
  return device_copy<T>(space, values, "karman::test::vector");
}

template <class Exec, class T>
std::vector<double> host_vector(Exec const& space, Vector<Exec, T> const& vector) {
  return host_copy<double>(space, vector);
}

template <class Exec>
double host_number(Exec const& space, DeviceNumber<Exec> const& number) {
  Kokkos::View<double, Kokkos::HostSpace> const host("karman::test::number");
  Kokkos::deep_copy(space, host, number);
  space.fence();
  return host();
}

/// Steps of equal length.
inline StepControl fixed_steps(double dt) {
  StepControl control;
  control.cfl = 0;
  control.dt_max = dt;
  return control;
}

/// The vector at `end` after `steps` equal steps from time 0.
template <class T, class Exec, class Function>
std::vector<double> integrated(Exec const& space, TimeMethod method, Function function, std::vector<double> const& u0,
                               double end, int steps) {
  auto const n = static_cast<std::int64_t>(u0.size());
  FunctionDerivative<Exec, T, Function> r(n, function);
  auto const u = device_vector<Exec, T>(space, u0);
  TimeIntegrator<Exec, T> integrator(space, n, {.method = method});
  integrator.start(space, r, u, 0, fixed_steps(end / steps));
  integrator.run_to(space, r, u, end);
  return host_vector(space, u);
}

}  // namespace karman::test
