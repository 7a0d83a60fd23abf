// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Methods of TimeIntegrator: orders against exact solutions, stages against serial code, limits of stability.
#include "backends.hpp"
#include "refused_calls.hpp"
#include "solvers/common/recorded_events.hpp"
#include "time_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace time_methods_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class TimeOrdersOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;
};
TYPED_TEST_SUITE(TimeOrdersOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

double largest_difference(std::vector<double> const& a, std::vector<double> const& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// Order from errors of `steps` and twice as many. The errors are c h^p (1 + O(h)). With these steps the second term
/// changes the order by less than a tenth. Rounding, 1e-14, is far below the errors.
template <class Exec, class Function>
double measured_order(Exec const& space, TimeMethod method, Function function, std::vector<double> const& u0,
                      std::vector<double> const& exact, double end, int steps) {
  auto const error = [&](int count) {
    return largest_difference(integrated<double>(space, method, function, u0, end, count), exact);
  };
  double const coarse = error(steps), fine = error(2 * steps);
  EXPECT_GT(fine, 1e-13) << name(method);
  return std::log2(coarse / fine);
}

struct Orders {
  TimeMethod method;
  double linear, nonlinear;
};
constexpr Orders known_orders[] = {{TimeMethod::euler, 1, 1},
                                   {TimeMethod::minimal_storage_rk4, 4, 2},
                                   {TimeMethod::ssp_rk3, 3, 3},
                                   {TimeMethod::low_storage_rk54, 4, 4},
                                   {TimeMethod::adams_bashforth4, 4, 4}};

TYPED_TEST(TimeOrdersOn, AreThoseOfTheoryForARotation) {
  double const end = 2;
  for (auto const& known : known_orders) {
    EXPECT_NEAR(measured_order(this->space, known.method, Rotation{1}, {1, 0, 0.5, -2},
                               {std::cos(end), std::sin(end), 0.5 * std::cos(end) + 2 * std::sin(end),
                                0.5 * std::sin(end) - 2 * std::cos(end)},
                               end, 64),
                known.linear, 0.1)
        << name(known.method);
  }
}

TYPED_TEST(TimeOrdersOn, AreThoseOfTheoryForANonlinearEquation) {
  double const end = 2;
  for (auto const& known : known_orders) {
    EXPECT_NEAR(
        measured_order(this->space, known.method, Riccati{}, {1, 0.5}, {1 / (1 + end), 1 / (2 + end)}, end, 128),
        known.nonlinear, 0.1)
        << name(known.method);
  }
}

TYPED_TEST(TimeOrdersOn, AreThoseOfTheoryForAnEquationThatDependsOnTime) {
  double const end = 1.5;  // at 2 two terms of the error of Adams-Bashforth cancel each other almost
  for (auto const& known : known_orders) {
    EXPECT_NEAR(measured_order(this->space, known.method, Driven{}, {1, -3},
                               {std::exp(std::sin(end)), -3 * std::exp(std::sin(end))}, end, 128),
                known.nonlinear, 0.1)
        << name(known.method);
  }
}

/// u' = t^p: stages see their own times. The minimal storage method is then the midpoint rule.
TYPED_TEST(TimeOrdersOn, StagesAreAtTheirTimes) {
  auto const one_step = [&](TimeMethod method, int power) {
    return integrated<double>(this->space, method, Power{power}, {0}, 0.5, 1)[0];
  };
  for (int power = 0; power < 4; ++power) {
    double const exact = std::pow(0.5, power + 1) / (power + 1);
    EXPECT_NEAR(one_step(TimeMethod::minimal_storage_rk4, power), 0.5 * std::pow(0.25, power), 1e-16);
    EXPECT_NEAR(one_step(TimeMethod::low_storage_rk54, power), exact, 1e-15);
    if (power < 3) {
      EXPECT_NEAR(one_step(TimeMethod::ssp_rk3, power), exact, 1e-15);
    }
  }
}

/// Largest |u| after many steps of length 1 with this eigenvalue, from 1.
template <class Exec, class Function>
double amplification(Exec const& space, TimeMethod method, Function function) {
  double largest = 0;
  for (double const value : integrated<double>(space, method, function, {1, 0}, 1500, 1500)) {
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

struct Limits {
  TimeMethod method;
  double imaginary, real;
};
/// Largest dt |eigenvalue| of stable steps on the axes, from the polynomials of stability (AB4: its roots).
constexpr Limits known_limits[] = {{TimeMethod::minimal_storage_rk4, 2.828, 2.785},
                                   {TimeMethod::ssp_rk3, 1.732, 2.512},
                                   {TimeMethod::low_storage_rk54, 3.340, 4.656},
                                   {TimeMethod::adams_bashforth4, 0.430, 0.300}};

TYPED_TEST(TimeOrdersOn, HaveTheirLimitsOfStability) {
  for (auto const& known : known_limits) {
    for (double const inside : {0.98, 1.02}) {
      double const turned = amplification(this->space, known.method, Rotation{inside * known.imaginary});
      double const decayed = amplification(this->space, known.method, Decay{inside * known.real});
      if (inside < 1) {
        EXPECT_LT(turned, 1.5) << name(known.method);
        EXPECT_LT(decayed, 1.5) << name(known.method);
      } else {
        EXPECT_GT(turned, 10) << name(known.method);
        EXPECT_GT(decayed, 10) << name(known.method);
      }
    }
  }
}

/// A step of any length is exact for polynomials of a degree below the order, with Adams-Bashforth from the third step
/// on. Steps jump by factors of 5 and more.
TYPED_TEST(TimeOrdersOn, AdamsBashforthIsExactForCubicsWithJumpsOfTheStep) {
  using Exec = typename TestFixture::Exec;
  FunctionDerivative<Exec, double, Power> r(1, {3});
  auto const u = device_vector<Exec, double>(this->space, {0});
  TimeIntegrator<Exec, double> integrator(this->space, 1, {.method = TimeMethod::adams_bashforth4});
  auto control = fixed_steps(0.1);
  integrator.start(this->space, r, u, 0, control);
  double end = 0;
  // Every end makes one step or two, of lengths that differ. The third step integrates squares only: it is not exact,
  // which the difference to the exact solution shows, and later steps must keep this difference.
  double difference = 0;
  int count = 0;
  for (double const length : {0.1, 0.1, 0.1, 0.1, 0.02, 0.1, 0.07, 0.01, 0.1}) {
    end += length;
    integrator.run_to(this->space, r, u, end);
    double const error = host_vector(this->space, u)[0] - std::pow(end, 4) / 4;
    if (count < 2) {
      EXPECT_NEAR(error, 0, 1e-16);
    } else if (count == 2) {
      difference = error;
      EXPECT_GT(std::abs(error), 1e-6);
    } else {
      EXPECT_NEAR(error, difference, 1e-15) << count;
    }
    ++count;
  }
  EXPECT_EQ(integrator.diagnostics(this->space, u).steps, count);
  // 5 evaluations in each of two steps, then one.
  EXPECT_EQ(r.evaluations, 10 + count - 2);
}

/// Lengths of steps that jump by factors of 3 up and down: errors still fall with the fourth power.
TYPED_TEST(TimeOrdersOn, AdamsBashforthKeepsItsOrderWithJumpsOfTheStep) {
  using Exec = typename TestFixture::Exec;
  auto const error = [&](int blocks) {
    FunctionDerivative<Exec, double, Riccati> r(1, {});
    auto const u = device_vector<Exec, double>(this->space, {1});
    TimeIntegrator<Exec, double> integrator(this->space, 1, {.method = TimeMethod::adams_bashforth4});
    integrator.start(this->space, r, u, 0, fixed_steps(1));
    double const unit = 2.0 / blocks / 8;
    double end = 0;
    for (int block = 0; block < blocks; ++block) {
      for (double const length : {1.0, 3.0, 3.0, 1.0}) {
        end += length * unit;
        integrator.run_to(this->space, r, u, end);
      }
    }
    EXPECT_EQ(integrator.diagnostics(this->space, u).steps, 4 * blocks);
    return std::abs(host_vector(this->space, u)[0] - 1 / (1 + end));
  };
  EXPECT_NEAR(std::log2(error(40) / error(80)), 4, 0.15);  // with 4 (1 + O(h)), as above
}

template <class Parameter>
class TimeMethodsOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(TimeMethodsOn, karman::test::AllBackends, karman::test::BackendNames);

/// Three steps of a Runge-Kutta method on the host, in double.
std::vector<double> serial_steps(TimeMethod method, std::vector<double> u, double dt) {
  auto const r = [](std::vector<double> const& v) {
    std::vector<double> result(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) result[i] = -v[i] * v[i];
    return result;
  };
  auto const mixed = [&](double a, std::vector<double> const& x, double b, std::vector<double> const& y, double f) {
    auto const k = r(y);
    std::vector<double> result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) result[i] = a * x[i] + b * y[i] + f * dt * k[i];
    return result;
  };
  for (int step = 0; step < 3; ++step) {
    if (method == TimeMethod::euler) {
      u = mixed(1, u, 0, u, 1);
    } else if (method == TimeMethod::minimal_storage_rk4) {
      auto const u1 = mixed(1, u, 0, u, 0.25);
      auto const u2 = mixed(1, u, 0, u1, 1.0 / 3);
      auto const u3 = mixed(1, u, 0, u2, 0.5);
      u = mixed(1, u, 0, u3, 1);
    } else {
      auto const u1 = mixed(1, u, 0, u, 1);
      auto const u2 = mixed(0.75, u, 0.25, u1, 0.25);
      u = mixed(1.0 / 3, u, 2.0 / 3, u2, 2.0 / 3);
    }
  }
  return u;
}

/// Against serial code, with and without fused stages, for lengths around packs, lanes and teams. A method that
/// evaluates all stages at the start of the step differs by dt / 2 in relative terms.
TYPED_TEST(TimeMethodsOn, EveryStageIsEvaluatedAtTheOneBeforeIt) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  double const dt = 0.25;
  for (std::size_t const n : {0, 1, 2, 15, 16, 17, 33, 1023, 1025, 5000}) {
    std::vector<double> u0(n);
    for (std::size_t i = 0; i < n; ++i) u0[i] = 0.5 + double(i % 7) / 8;
    for (auto const method : {TimeMethod::euler, TimeMethod::minimal_storage_rk4, TimeMethod::ssp_rk3}) {
      auto const expected = serial_steps(method, u0, dt);
      for (bool const fused : {false, true}) {
        FunctionDerivative<Exec, T, Riccati> r(std::int64_t(n), {}, fused);
        auto const u = device_vector<Exec, T>(this->space, u0);
        TimeIntegrator<Exec, T> integrator(this->space, std::int64_t(n), {.method = method});
        integrator.start(this->space, r, u, 0, fixed_steps(dt));
        for (int step = 0; step < 3; ++step) integrator.step(this->space, r, u);
        auto const found = host_vector(this->space, u);
        // 3 steps of at most 4 stages with about 5 roundings each, of numbers up to 1.25.
        double const tolerance = 100 * std::numeric_limits<T>::epsilon();
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_NEAR(found[i], expected[i], tolerance) << name(method) << ", " << i << " of " << n;
        }
        EXPECT_EQ(r.evaluations + r.fused_stages, 3 * evaluations(method));
        EXPECT_EQ(r.overlaps, 0);
        EXPECT_EQ(r.fused_stages > 0, fused && method != TimeMethod::euler);
      }
    }
  }
}

/// Fused or not, all methods give the same values except for rounding.
TYPED_TEST(TimeMethodsOn, FusedStagesGiveTheSameValues) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const method : all_methods) {
    std::vector<double> found[2];
    for (bool const fused : {false, true}) {
      FunctionDerivative<Exec, T, Driven> r(100, {}, fused);
      auto const u = device_vector<Exec, T>(this->space, std::vector<double>(100, 1.0));
      TimeIntegrator<Exec, T> integrator(this->space, 100, {.method = method});
      integrator.start(this->space, r, u, 0, fixed_steps(0.125));
      integrator.run_to(this->space, r, u, 1);
      found[fused] = host_vector(this->space, u);
      EXPECT_EQ(r.overlaps, 0);
    }
    // 8 steps of at most 5 stages with about 5 roundings each, of numbers up to 2.4.
    EXPECT_LE(largest_difference(found[0], found[1]), 400 * std::numeric_limits<T>::epsilon()) << name(method);
  }
}

/// Times at which a derivative is asked, which must be the times of the stages, and vectors after each stage.
template <class Exec, class T>
class Recorder : public FunctionDerivative<Exec, T, Decay> {
 public:
  using FunctionDerivative<Exec, T, Decay>::FunctionDerivative;
  void begin_step(Exec const& space, ConstVector<Exec, T> const&, DeviceNumber<Exec> const& time,
                  GlobalOrLocal<Exec, T> const& dt) override {
    begins.push_back({host_number(space, time), host_number(space, dt.global)});
  }
  void constrain(Exec const& space, Vector<Exec, T> const& u, DeviceNumber<Exec> const& time) override {
    constraints.push_back({host_number(space, time), host_vector(space, u)[0]});
    Kokkos::deep_copy(space, Kokkos::subview(u, std::size_t(0)), T(7));
  }
  std::vector<std::pair<double, double>> begins, constraints;
};

TYPED_TEST(TimeMethodsOn, ConstrainsEveryStageAtItsTime) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  struct Expected {
    TimeMethod method;
    std::vector<double> times;
  };
  std::vector<Expected> const expected{
      {TimeMethod::euler, {1}},
      {TimeMethod::minimal_storage_rk4, {0.25, 1.0 / 3, 0.5, 1}},
      {TimeMethod::ssp_rk3, {1, 0.5, 1}},
      {TimeMethod::low_storage_rk54, {0.14965902, 0.37040096, 0.62225576, 0.95828213, 1}}};
  for (auto const& [method, times] : expected) {
    Recorder<Exec, T> r(2, Decay{1});
    auto const u = device_vector<Exec, T>(this->space, {1, 1});
    TimeIntegrator<Exec, T> integrator(this->space, 2, {.method = method});
    double const dt = 0.5;
    integrator.start(this->space, r, u, 3, fixed_steps(dt));
    ASSERT_EQ(r.constraints.size(), 1u);
    EXPECT_EQ(r.constraints[0], std::make_pair(3.0, 1.0));
    integrator.step(this->space, r, u);
    ASSERT_EQ(r.begins.size(), 1u);
    EXPECT_EQ(r.begins[0], std::make_pair(3.0, dt));
    ASSERT_EQ(r.constraints.size(), 1 + times.size());
    for (std::size_t stage = 0; stage < times.size(); ++stage) {
      // The times above have eight digits.
      EXPECT_NEAR(r.constraints[stage + 1].first, 3 + dt * times[stage], 1e-8) << name(method);
    }
    EXPECT_EQ(host_vector(this->space, u)[0], 7);
    EXPECT_EQ(host_number(this->space, integrator.time()), 3 + dt);
  }
}

TYPED_TEST(TimeMethodsOn, RunsHaveTheSameBits) {
  using T = typename TestFixture::T;
  std::vector<double> u0(3001);
  for (std::size_t i = 0; i < u0.size(); ++i) u0[i] = 1 + double(i % 13);
  for (auto const method : all_methods) {
    auto const once = integrated<T>(this->space, method, Riccati{}, u0, 1, 20);
    auto const again = integrated<T>(this->space, method, Riccati{}, u0, 1, 20);
    EXPECT_EQ(once, again);
    // Every number is on its own: those at other places of the vector have the same bits.
    for (std::size_t i = 13; i < u0.size(); ++i) ASSERT_EQ(once[i], once[i - 13]) << name(method) << ", " << i;
  }
}

/// Many steps by one call have the bits of single ones, of varying length and beyond an end time; also on another
/// vector and with other kernels than the call before. On a device the host launches the kernels of a few steps alone.
TYPED_TEST(TimeMethodsOn, ManyStepsHaveTheBitsOfSingleOnes) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& space : instances(this->space)) {
    for (auto const method : all_methods) {
      for (bool const local : {false, true}) {
        if (local && method == TimeMethod::adams_bashforth4) continue;
        for (bool const fused : {false, true}) {
          SCOPED_TRACE(std::string(name(method)) + (local ? ", local" : ", global") + (fused ? ", fused" : ""));
          std::vector<double> found[2];
          TimeReport reports[2];
          int evaluations[2];
          for (bool const together : {false, true}) {
            FunctionDerivative<Exec, T, Driven> r(500, {}, fused), other(500, {}, !fused);
            r.repeating = other.repeating = true;
            TimeIntegrator<Exec, T> integrator(space, 500, {.method = method, .local_steps = local});
            auto const u = device_vector<Exec, T>(space, std::vector<double>(500, 1.5));
            integrator.start(space, r, u, 0, {.cfl = 0.3, .dt_max = 0.07, .growth = 1.1});
            if (!local) integrator.set_end(space, 2.5);
            auto const march = [&](auto& derivative, auto const& unknowns, int steps) {
              if (together) integrator.step(space, derivative, unknowns, steps);
              for (int n = 0; !together && n < steps; ++n) integrator.step(space, derivative, unknowns);
            };
            for (int const steps : {0, 3, 30}) march(r, u, steps);
            auto const moved = device_vector<Exec, T>(space, host_vector(space, u));
            march(r, moved, 17);
            march(other, moved, 20);
            reports[together] = integrator.diagnostics(space, moved);
            found[together] = host_vector(space, u);
            for (double const value : host_vector(space, moved)) found[together].push_back(value);
            evaluations[together] = r.evaluations + r.fused_stages;
          }
          EXPECT_EQ(found[0], found[1]);
          EXPECT_EQ(reports[0].steps, reports[1].steps);
          EXPECT_EQ(reports[0].time, reports[1].time);
          EXPECT_EQ(reports[0].dt, reports[1].dt);
          EXPECT_EQ(reports[0].finished, !local);
          if (runs_on_host<Exec> || method == TimeMethod::adams_bashforth4) {
            EXPECT_EQ(evaluations[0], evaluations[1]);
          } else if (!Kokkos::Profiling::profileLibraryLoaded()) {
            EXPECT_LT(evaluations[1], evaluations[0] / 2);
          }
        }
      }
    }
  }
}

/// A run from (u, time, dt) of another, and its former derivatives, has its bits.
TYPED_TEST(TimeMethodsOn, AContinuedRunHasTheBitsOfOne) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const method : all_methods) {
    for (int const before : {1, 2, 5}) {
      SCOPED_TRACE(std::string(name(method)) + ", " + std::to_string(before) + " steps");
      FunctionDerivative<Exec, T, Driven> r(50, {});
      TimeIntegrator<Exec, T> integrator(this->space, 50, {.method = method});
      StepControl control{.cfl = 0.3, .dt_max = 0.07, .dt_first = 0.01};
      auto const u = device_vector<Exec, T>(this->space, std::vector<double>(50, 1.5));
      integrator.start(this->space, r, u, 0, control);
      integrator.set_end(this->space, 1);
      for (int step = 0; step < before; ++step) integrator.step(this->space, r, u);
      auto const report = integrator.diagnostics(this->space, u);
      EXPECT_NEAR(report.dt, 0.01 * std::pow(1.1, before), 1e-16);
      auto const kept = device_vector<Exec, T>(this->space, host_vector(this->space, u));
      std::vector<ConstVector<Exec, T>> former;
      for (auto const& derivative : integrator.former()) {
        Vector<Exec, T> const copy("karman::test::former", 50);
        Kokkos::deep_copy(this->space, copy, derivative);
        former.push_back(copy);
      }
      this->space.fence();
      EXPECT_EQ(former.size(), method == TimeMethod::adams_bashforth4 ? std::min<std::size_t>(before, 3) : 0);
      integrator.run_to(this->space, r, u, 1);

      TimeIntegrator<Exec, T> other(this->space, 50, {.method = method});
      control.dt_first = report.dt;
      other.resume(this->space, r, kept, report.time, control, former, report.earlier_dt);
      other.run_to(this->space, r, kept, 1);
      EXPECT_EQ(host_vector(this->space, u), host_vector(this->space, kept));
    }
  }
}

TYPED_TEST(TimeMethodsOn, WrongInputIsRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Integrator = TimeIntegrator<Exec, T>;
  auto const& space = this->space;
  expect_refused("n must not be negative, it is -1", [&] { Integrator(space, -1); });
  expect_refused("n must not be negative", [&] { Integrator::workspace_bytes(-1); });
  expect_refused("adams_bashforth4 has no local steps",
                 [&] { Integrator(space, 4, {.method = TimeMethod::adams_bashforth4, .local_steps = true}); });

  FunctionDerivative<Exec, T, Decay> r(4, {}), wrong(5, {});
  Vector<Exec, T> const u("karman::test::u", 4), longer("karman::test::u", 5);
  Integrator integrator(space, 4);
  expect_refused("a run must begin with start()", [&] { integrator.step(space, r, u); });
  expect_refused("a run must begin with start()", [&] { integrator.set_end(space, 1); });
  expect_refused("a run must begin with start()", [&] { integrator.diagnostics(space, u); });
  expect_refused("the derivative must have 4 values, it has 5", [&] { integrator.start(space, wrong, u, 0, {}); });
  expect_refused("u must have 4 values, it has 5", [&] { integrator.start(space, r, longer, 0, {}); });
  expect_refused("the time of start() must be finite", [&] { integrator.start(space, r, u, HUGE_VAL, {}); });
  std::vector<ConstVector<Exec, T>> former(1, u);
  expect_refused("only adams_bashforth4 continues",
                 [&] { integrator.resume(space, r, u, 0, {}, former, {0.1, 0.1, 0.1}); });
  Integrator adams(space, 4, {.method = TimeMethod::adams_bashforth4});
  expect_refused("earlier steps must be positive", [&] { adams.resume(space, r, u, 0, {}, former, {}); });
  expect_refused("at most three former derivatives",
                 [&] { adams.resume(space, r, u, 0, {}, std::vector<ConstVector<Exec, T>>(4, u), {0.1, 0.1, 0.1}); });
  former[0] = longer;
  expect_refused("a former derivative must have 4 values, it has 5",
                 [&] { adams.resume(space, r, u, 0, {}, former, {0.1, 0.1, 0.1}); });
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const control = [&](char const* words, StepControl const& rules) {
    expect_refused(words, [&] { integrator.start(space, r, u, 0, rules); });
  };
  control("cfl must be finite and at least 0, it is -1", {.cfl = -1});
  control("cfl must be finite", {.cfl = nan});
  control("dt_max must be", {.dt_max = -1});
  control("dt_min must be", {.dt_min = HUGE_VAL});
  control("growth must be finite and at least 1", {.growth = 0.5});
  control("hold must be", {.hold = nan});
  control("dt_first must be", {.dt_first = -1});
  control("local_ratio must be", {.local_ratio = 0});
  control("nothing limits the time step; set cfl or dt_max", {.cfl = 0});
  integrator.start(space, r, u, 0, {});
  expect_refused("u must have 4 values, it has 5", [&] { integrator.step(space, r, longer); });
  expect_refused("the derivative must have 4 values, it has 5", [&] { integrator.step(space, wrong, u); });
  expect_refused("the number of steps must not be negative, it is -1", [&] { integrator.step(space, r, u, -1); });
  expect_refused("u must have 4 values, it has 5", [&] { integrator.diagnostics(space, longer); });
  expect_refused("the end time must be a number", [&] { integrator.set_end(space, nan); });
  expect_refused("check_every must be at least 1, it is 0", [&] { integrator.run_to(space, r, u, 1, 0); });

  Integrator local(space, 4, {.local_steps = true});
  expect_refused("local steps need a cfl above 0", [&] { local.start(space, r, u, 0, {.cfl = 0, .dt_max = 1}); });
  expect_refused("local steps have no dt_first", [&] { local.start(space, r, u, 0, {.dt_first = 1}); });
  local.start(space, r, u, 0, {});
  expect_refused("local steps have no end time", [&] { local.set_end(space, 1); });
}

}  // namespace time_methods_test
