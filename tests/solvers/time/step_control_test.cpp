// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time steps that the device chooses: rates, limits, end times, breakdown, and steps of each number's own.
#include "backends.hpp"
#include "time_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace step_control_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class StepControlOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;

  Vector<Exec, T> ones(std::size_t n) const { return device_vector<Exec, T>(space, std::vector<double>(n, 1.0)); }
};
TYPED_TEST_SUITE(StepControlOn, karman::test::AllBackends, karman::test::BackendNames);

/// The rules of StepControl on the host, for one evaluation per step at its start.
std::vector<double> serial_lengths(Ramp const& ramp, StepControl const& control, int steps) {
  std::vector<double> lengths;
  double time = 0, before = 0, rate = ramp.rate(0, 0);
  for (int step = 0; step < steps; ++step) {
    double dt = control.cfl / rate;
    if (control.dt_max > 0) dt = std::min(dt, control.dt_max);
    if (before > 0 && std::abs(dt - before) <= control.hold * before) dt = before;
    if (before > 0) dt = std::min(dt, control.growth * before);
    lengths.push_back(dt);
    rate = ramp.rate(0, time);
    before = dt;
    time += dt;
  }
  return lengths;
}

TYPED_TEST(StepControlOn, FollowsARateThatChanges) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  struct Case {
    Ramp ramp;
    StepControl control;
  };
  std::vector<Case> const cases{{{1, 10, 0.45}, {.cfl = 0.1}},
                                {{10, 1, 0.05}, {.cfl = 0.1, .growth = 1.25}},
                                {{10, 1, 0.05}, {.cfl = 0.1, .dt_max = 0.03, .growth = 3}},
                                {{10, 9.5, 0.05}, {.cfl = 0.1, .hold = 0.06}},
                                {{10, 9, 0.05}, {.cfl = 0.1, .growth = 2, .hold = 0.06}}};
  for (auto const& one : cases) {
    FunctionDerivative<Exec, T, Ramp> r(3, one.ramp);
    auto const u = this->ones(3);
    TimeIntegrator<Exec, T> integrator(this->space, 3, {.method = TimeMethod::euler});
    integrator.start(this->space, r, u, 0, one.control);
    double time = 0;
    for (double const expected : serial_lengths(one.ramp, one.control, 40)) {
      EXPECT_DOUBLE_EQ(host_number(this->space, integrator.dt().global), expected);
      EXPECT_DOUBLE_EQ(host_number(this->space, integrator.time()), time);
      integrator.step(this->space, r, u);
      time += expected;
    }
    EXPECT_EQ(integrator.diagnostics(this->space, u).rate, one.ramp.after);
    EXPECT_EQ(r.evaluations, 41);
    // u' = 1 adds up the steps, with the rounding of 40 sums of at most 6.
    EXPECT_NEAR(host_vector(this->space, u)[2] - 1, time, 40 * 6 * std::numeric_limits<T>::epsilon());
  }
}

/// The rate of a method with stages comes from the last of them.
TYPED_TEST(StepControlOn, TakesTheRateOfTheLastStage) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  struct Case {
    TimeMethod method;
    double last;
  };
  for (auto const& [method, last] :
       {Case{TimeMethod::minimal_storage_rk4, 0.5}, Case{TimeMethod::ssp_rk3, 0.5},
        Case{TimeMethod::low_storage_rk54, 0.958}, Case{TimeMethod::adams_bashforth4, 0.958}}) {
    for (bool const fused : {false, true}) {
      for (double const side : {-0.01, 0.01}) {
        // The rate doubles just before or just after the last stage of the first step, which has the length 0.1.
        FunctionDerivative<Exec, T, Ramp> r(3, {1, 2, 0.1 * (last + side)}, fused);
        auto const u = this->ones(3);
        TimeIntegrator<Exec, T> integrator(this->space, 3, {.method = method});
        integrator.start(this->space, r, u, 0, {.cfl = 0.1});
        integrator.step(this->space, r, u);
        EXPECT_DOUBLE_EQ(integrator.diagnostics(this->space, u).dt, side < 0 ? 0.05 : 0.1) << name(method);
      }
    }
  }
}

/// Lengths of the steps, as begin_step() sees them.
template <class Exec, class T>
class Lengths : public FunctionDerivative<Exec, T, Decay> {
 public:
  using FunctionDerivative<Exec, T, Decay>::FunctionDerivative;
  void begin_step(Exec const& space, ConstVector<Exec, T> const&, DeviceNumber<Exec> const&,
                  GlobalOrLocal<Exec, T> const& dt) override {
    lengths.push_back(host_number(space, dt.global));
  }
  std::vector<double> lengths;
};

TYPED_TEST(StepControlOn, EndsExactlyWithoutATinyStep) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (double const end : {0.35, 0.3, 1.0 / 3, 0.1, 0.05, 1.0, 0.301, 7.0}) {
    Lengths<Exec, T> r(2, {1});
    auto const u = this->ones(2);
    TimeIntegrator<Exec, T> integrator(this->space, 2);
    integrator.start(this->space, r, u, 0, fixed_steps(0.1));
    auto const report = integrator.run_to(this->space, r, u, end);
    EXPECT_EQ(report.time, end);
    EXPECT_TRUE(report.finished);
    EXPECT_EQ(report.breakdown, "");
    EXPECT_EQ(report.dt, 0.1);
    auto const expected = static_cast<std::size_t>(std::ceil(end / 0.1 - 1e-6));
    ASSERT_EQ(r.lengths.size(), expected) << end;  // no step without length
    EXPECT_EQ(report.steps, static_cast<std::int64_t>(expected));
    for (double const length : r.lengths) {
      EXPECT_LE(length, 0.1 * (1 + 1e-9));
      if (expected > 1) {
        EXPECT_GE(length, 0.05) << end;
      }
    }
  }
}

/// The host never makes steps beyond the end, however often it checks, and checks do not change the bits.
TYPED_TEST(StepControlOn, LooksDoNotMatter) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  std::vector<double> first;
  for (int const check_every : {1, 7, 1000}) {
    FunctionDerivative<Exec, T, Ramp> r(3, {100, 1, 0.3});
    auto const u = this->ones(3);
    TimeIntegrator<Exec, T> integrator(this->space, 3, {.method = TimeMethod::ssp_rk3});
    integrator.start(this->space, r, u, 0, {.cfl = 0.5});
    auto const report = integrator.run_to(this->space, r, u, 4, check_every);
    EXPECT_TRUE(report.finished);
    EXPECT_EQ(r.evaluations, 1 + 3 * report.steps);
    EXPECT_GT(report.steps, 60);
    if (first.empty()) first = host_vector(this->space, u);
    EXPECT_EQ(host_vector(this->space, u), first);
  }
}

TYPED_TEST(StepControlOn, StepsBeyondTheEndKeepTheBits) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const method : all_methods) {
    FunctionDerivative<Exec, T, Decay> r(20, {1});
    auto const u = this->ones(20);
    TimeIntegrator<Exec, T> integrator(this->space, 20, {.method = method});
    integrator.start(this->space, r, u, 0, fixed_steps(0.1));
    auto const report = integrator.run_to(this->space, r, u, 0.75);
    auto const at_end = host_vector(this->space, u);
    for (int step = 0; step < 3; ++step) integrator.step(this->space, r, u);
    auto const after = integrator.diagnostics(this->space, u);
    EXPECT_EQ(host_vector(this->space, u), at_end) << name(method);
    EXPECT_EQ(after.steps, report.steps);
    EXPECT_EQ(after.time, 0.75);
    // The run continues from there. Error of euler, 1.45 h / 2 / e^1.45; rounding of the others in float.
    integrator.run_to(this->space, r, u, 1.45);
    EXPECT_NEAR(host_vector(this->space, u)[7], std::exp(-1.45), method == TimeMethod::euler ? 0.02 : 5e-5)
        << name(method);
  }
}

/// Three steps without length replace all derivatives that Adams-Bashforth had. It restarts, seen by a check or not,
/// and after restart().
TYPED_TEST(StepControlOn, AdamsBashforthStartsAnew) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (int const way : {0, 1, 2, 3}) {
    FunctionDerivative<Exec, T, Decay> r(2, {1});
    auto const u = this->ones(2);
    TimeIntegrator<Exec, T> integrator(this->space, 2, {.method = TimeMethod::adams_bashforth4});
    integrator.start(this->space, r, u, 0, fixed_steps(0.125));
    integrator.run_to(this->space, r, u, 1);
    EXPECT_EQ(r.evaluations, 2 * 5 + 6);
    if (way == 1 || way == 2) {
      for (int step = 0; step < 3; ++step) integrator.step(this->space, r, u);
    }
    if (way == 2) integrator.diagnostics(this->space, u);
    if (way == 3) integrator.restart();
    r.evaluations = 0;
    auto const report = integrator.run_to(this->space, r, u, 2);
    EXPECT_EQ(report.steps, 16);
    EXPECT_EQ(r.evaluations, way == 0 ? 8 : 2 * 5 + 6) << way;
    // 251 / 720 h^4 t e^-t is 2.3e-5, and some of the start. Wrong derivatives give 1e-3 and more.
    EXPECT_NEAR(host_vector(this->space, u)[1], std::exp(-2.0), 6e-5) << way;
  }
}

/// The same in a loop of the caller, without a check between two ends.
TYPED_TEST(StepControlOn, AdamsBashforthStartsAnewAtANewEnd) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  FunctionDerivative<Exec, T, Decay> r(2, {1});
  auto const u = this->ones(2);
  TimeIntegrator<Exec, T> integrator(this->space, 2, {.method = TimeMethod::adams_bashforth4});
  integrator.start(this->space, r, u, 0, fixed_steps(0.125));
  for (double const end : {1.0, 2.0}) {
    integrator.set_end(this->space, end);
    for (int step = 0; step < 12; ++step) integrator.step(this->space, r, u);
    EXPECT_EQ(host_number(this->space, integrator.time()), end);
  }
  EXPECT_EQ(r.evaluations, 2 * (2 * 5 + 10));
  EXPECT_NEAR(host_vector(this->space, u)[1], std::exp(-2.0), 6e-5);
}

struct BadRate {
  double value;
  template <class T>
  KOKKOS_FUNCTION double operator()(T const*, std::int64_t, double) const {
    return 1;
  }
  KOKKOS_FUNCTION double rate(std::int64_t, double time) const { return time < 0.25 ? 1 : value; }
};

TYPED_TEST(StepControlOn, ReportsRatesThatAreNotFinite) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (double const value : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -1.0}) {
    for (bool const local : {false, true}) {
      FunctionDerivative<Exec, T, BadRate> r(3, {value});
      auto const u = this->ones(3);
      TimeIntegrator<Exec, T> integrator(this->space, 3, {.method = TimeMethod::euler, .local_steps = local});
      if (local) {
        integrator.start(this->space, r, u, 1, {.cfl = 0.1});
        integrator.step(this->space, r, u);
        auto const report = integrator.diagnostics(this->space, u);
        EXPECT_EQ(report.breakdown, "the rate is not a finite number") << value;
        EXPECT_EQ(host_vector(this->space, u), std::vector<double>(3, 1.0));
      } else {
        integrator.start(this->space, r, u, 0, {.cfl = 0.1});
        auto const report = integrator.run_to(this->space, r, u, 1, 10);
        EXPECT_EQ(report.breakdown, "the rate is not a finite number") << value;
        EXPECT_FALSE(report.finished);
        // Steps begin at 0, 0.1, 0.2 and 0.3; that rate is the bad one, and no step follows.
        EXPECT_EQ(report.steps, 4);
        EXPECT_NEAR(report.time, 0.4, 1e-15);
        EXPECT_NEAR(host_vector(this->space, u)[0], 1.4, 1e-6);
      }
    }
  }
}

TYPED_TEST(StepControlOn, ReportsStepsThatAreTooSmall) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const outcome = [&](double rate, double time, StepControl const& control, double end) {
    FunctionDerivative<Exec, T, Ramp> r(3, {rate, rate, 0});
    auto const u = this->ones(3);
    TimeIntegrator<Exec, T> integrator(this->space, 3);
    integrator.start(this->space, r, u, time, control);
    auto const report = integrator.run_to(this->space, r, u, end);
    if (!report.breakdown.empty()) {
      EXPECT_EQ(report.steps, 0);
      EXPECT_EQ(host_vector(this->space, u), std::vector<double>(3, 1.0));
    }
    return report.breakdown;
  };
  EXPECT_EQ(outcome(1000, 0, {.cfl = 0.5, .dt_min = 0.001}, 1), "the time step is too small");
  EXPECT_EQ(outcome(100, 0, {.cfl = 0.5, .dt_min = 0.001}, 1), "");
  // 1e16 + 0.5 is 1e16.
  EXPECT_EQ(outcome(1, 1e16, {.cfl = 0.5}, 1e17), "the time step is too small");
  EXPECT_EQ(outcome(1e-320, 0, {.cfl = 1e10}, HUGE_VAL), "nothing limits the time step");
  EXPECT_EQ(outcome(0, 0, {.cfl = 0.5}, HUGE_VAL), "nothing limits the time step");
  EXPECT_EQ(outcome(0, 0, {.cfl = 0.5}, 3), "");
  EXPECT_EQ(outcome(0, 0, {.cfl = 0.5, .dt_max = 0.1}, 3), "");
}

TYPED_TEST(StepControlOn, ReportsValuesThatAreNotNumbers) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  // u' = -u^2 from -1 on is infinite at t = 1. All other numbers stay finite.
  std::vector<double> u0(3000, 0.5);
  u0[2777] = -1;
  FunctionDerivative<Exec, T, Riccati> r(3000, {});
  auto const u = device_vector<Exec, T>(this->space, u0);
  TimeIntegrator<Exec, T> integrator(this->space, 3000);
  integrator.start(this->space, r, u, 0, fixed_steps(0.05));
  EXPECT_EQ(integrator.run_to(this->space, r, u, 0.9).breakdown, "");
  auto const report = integrator.run_to(this->space, r, u, 50, 10);
  EXPECT_EQ(report.breakdown, "a value is not a number");
  EXPECT_LT(report.time, 10);
}

/// Factor of one step of u' = lambda u with z = lambda dt.
double amplified(TimeMethod method, double z) {
  switch (method) {
    case TimeMethod::euler: return 1 + z;
    case TimeMethod::ssp_rk3: return 1 + z + z * z / 2 + z * z * z / 6;
    case TimeMethod::minimal_storage_rk4: return 1 + z + z * z / 2 + z * z * z / 6 + z * z * z * z / 24;
    default: return std::exp(z);  // up to z^5 / 200
  }
}

TYPED_TEST(StepControlOn, LocalStepsAdvanceEachNumberByItsOwn) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  std::int64_t const n = 40;
  StepControl const control{.cfl = 0.4, .local_ratio = 5};
  for (auto const method : all_methods) {
    if (method == TimeMethod::adams_bashforth4) continue;
    for (bool const fused : {false, true}) {
      FunctionDerivative<Exec, T, GradedDecay> r(n, {}, fused);
      auto const u = this->ones(std::size_t(n));
      TimeIntegrator<Exec, T> integrator(this->space, n, {.method = method, .local_steps = true});
      integrator.start(this->space, r, u, 2, control);
      for (int step = 0; step < 3; ++step) integrator.step(this->space, r, u);
      auto const found = host_vector(this->space, u);
      auto const steps = host_vector(this->space, integrator.dt().local);
      EXPECT_EQ(integrator.dt().global.data(), nullptr);
      // Three steps of 5 stages with about 5 roundings; the factor of low_storage_rk54 is less exact.
      double const tolerance = method == TimeMethod::low_storage_rk54 ? 3e-4 : 100 * std::numeric_limits<T>::epsilon();
      for (std::int64_t i = 0; i < n; ++i) {
        double const dt = std::min(0.4 / double(1 + i), 5 * 0.4 / double(n));
        EXPECT_NEAR(steps[std::size_t(i)], dt, std::numeric_limits<T>::epsilon() * dt);
        EXPECT_NEAR(found[std::size_t(i)], std::pow(amplified(method, -dt * double(1 + i)), 3), tolerance)
            << name(method) << ", " << i;
      }
      auto const report = integrator.diagnostics(this->space, u);
      EXPECT_EQ(report.steps, 3);
      EXPECT_EQ(report.time, 2);
      EXPECT_EQ(report.breakdown, "");
      EXPECT_EQ(report.rate, double(n));
    }
  }
}

/// Some numbers without a rate of their own.
struct SparseRates {
  double largest;
  template <class T>
  KOKKOS_FUNCTION double operator()(T const*, std::int64_t, double) const {
    return 1;
  }
  KOKKOS_FUNCTION double rate(std::int64_t i, double) const { return i % 2 == 0 ? largest : 0; }
};

TYPED_TEST(StepControlOn, LocalStepsGrowByTheirLimitAndAreFiniteWithoutARate) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  FunctionDerivative<Exec, T, SparseRates> fast(2, {100}), slow(2, {1});
  auto const u = this->ones(2);
  TimeIntegrator<Exec, T> integrator(this->space, 2, {.method = TimeMethod::euler, .local_steps = true});
  integrator.start(this->space, fast, u, 0, {.cfl = 1, .dt_max = 0.3, .growth = 1.5, .local_ratio = 20});
  double even = 0.01, odd = 0.2;  // 1 / 100, 20 times that
  for (int step = 0; step < 12; ++step) {
    auto const dt = host_vector(this->space, integrator.dt().local);
    // As many roundings as steps.
    EXPECT_NEAR(dt[0], even, 12 * std::numeric_limits<T>::epsilon());
    EXPECT_NEAR(dt[1], odd, 12 * std::numeric_limits<T>::epsilon());
    integrator.step(this->space, slow, u);
    even = std::min(1.5 * even, 0.3);
    odd = std::min(1.5 * odd, 0.3);
  }
  EXPECT_EQ(even, 0.3);
}

}  // namespace step_control_test
