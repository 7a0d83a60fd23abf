// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Implicit steps in time: order, conservation, agreement with the explicit march, large steps, restarts.
#include "backends.hpp"
#include "euler_march.hpp"
#include "solvers/common/allocated_bytes.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/mesh/flow_mesh_generators.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/periodic_nodes.hpp>
#include <karman/solvers/euler/euler_implicit.hpp>
#include <karman/solvers/euler/euler_newton.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace euler_implicit_test {

using namespace karman;
using namespace karman::test;

constexpr EulerRhsSetup untied{.shock_capturing = 0, .local_steps = true, .step_limits_tau = false};

/// A smooth wave that crosses a periodic square of side 2.
template <class Exec, class T>
struct Wave {
  MeshData mesh = mesh_rectangle({.low = {0, 0}, .high = {2, 2}, .size = 0.2});
  std::vector<int> group = periodic_groups(mesh, {{1, 3}, {2, 4}});
  EulerRhs<Exec, T> rhs;
  Field4 start;

  explicit Wave(Exec const& space, EulerRhsSetup const& setup = untied)
      : rhs(space, make_triangle_mesh(space, mesh), setup, group) {
    for (auto const& [x, y] : mesh.nodes) {
      double const wave = 0.1 * std::sin(M_PI * x) * std::cos(M_PI * y);
      start.push_back(air(1.4 * (1 + wave), 0.4 + wave, 0.2 - wave, 1 + 1.4 * wave));
    }
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = start[std::size_t(group[i])];
  }

  EulerImplicit<Exec, T> plan(Exec const& space, EulerImplicitMethod method) {
    return {space, rhs, method, {.reference = {1.4, {0, 0}, 1}}, group};
  }

  /// The flow at `end` after steps of `options.dt`.
  Field4 run(Exec const& space, EulerImplicitMethod method, double end, EulerImplicitOptions const& options,
             EulerImplicitStep* total = nullptr) {
    auto implicit = plan(space, method);
    auto const u = to_device<Exec, T>(space, start);
    implicit.start(space, options);
    implicit.set_end(end);
    for (;;) {
      auto const step = implicit.step(space, u);
      EXPECT_EQ(step.stall, "");
      if (step.dt == 0 || !step.stall.empty()) break;
      if (total == nullptr) continue;
      ++total->rejections;
      total->newton_iterations += step.newton_iterations;
      total->linear_iterations += step.linear_iterations;
    }
    EXPECT_EQ(implicit.state().time, end);
    return to_host(space, u);
  }

  State4 totals(Exec const& space, Field4 const& u) const {
    auto const inverse_mass = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rhs.inverse_mass());
    space.fence();
    State4 sum{};
    for (std::size_t i = 0; i < u.size(); ++i) {
      if (group[i] != int(i)) continue;
      for (std::size_t c = 0; c < 4; ++c) sum[c] += u[i][c] / double(inverse_mass(i));
    }
    return sum;
  }
};

/// Subsonic flow around an airfoil with small cells at its ends.
template <class Exec, class T>
struct Airfoil {
  MeshData mesh = mesh_airfoil({.digits = "0012", .points = 32, .far_radius = 6, .growth = 1.2});
  EulerState flow{1.4, {0.5, 0.02}, 1};
  EulerRhs<Exec, T> rhs;

  explicit Airfoil(Exec const& space)
      : rhs(space, make_triangle_mesh(space, mesh), {.local_steps = true, .step_limits_tau = false}) {
    rhs.set_boundary(space, {{1, {}}, {2, {EulerBoundaryKind::far_field, flow}}});
  }

  EulerField<Exec, T> start(Exec const& space) const {
    return to_device<Exec, T>(space, Field4(mesh.nodes.size(), conservative_state(1.4, flow)));
  }
};

constexpr EulerImplicitMethod methods[] = {EulerImplicitMethod::bdf2, EulerImplicitMethod::tr_bdf2};

template <class Parameter>
class EulerImplicitOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
  static constexpr bool is_double = sizeof(T) == 8;
};
TYPED_TEST_SUITE(EulerImplicitOn, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(EulerImplicitOn, IsOfSecondOrderInTime) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  if (!this->is_double) return;  // its round-off hides the order
  Wave<Exec, T> wave(this->space);
  EulerImplicitOptions options{.newton_tolerance = 1e-7, .linear_tolerance = 1e-3};
  auto const at = [&](EulerImplicitMethod method, int steps) {
    options.dt = 0.8 / steps;
    return wave.run(this->space, method, 0.8, options);
  };
  auto const exact = at(EulerImplicitMethod::tr_bdf2, 256);
  // Lengths in turn 4/3 and 2/3 of the mean: backward differences have the weights of the lengths.
  auto const varying = [&](int steps) {
    auto implicit = wave.plan(this->space, EulerImplicitMethod::bdf2);
    auto const u = to_device<Exec, T>(this->space, wave.start);
    EulerImplicitState from;
    std::vector<ConstVector<Exec, T>> former;
    for (int n = 0; n < steps; ++n) {
      options.dt = 0.8 / steps * (n % 2 == 0 ? 4.0 / 3 : 2.0 / 3);
      implicit.start(this->space, options, {from.time, 0, from.earlier_dt}, former);
      EXPECT_EQ(implicit.step(this->space, u).stall, "");
      from = implicit.state();
      former = implicit.former();
    }
    EXPECT_NEAR(from.time, 0.8, 1e-12);
    return to_host(this->space, u);
  };
  for (auto const method : methods) {
    double const coarse = difference(at(method, 32), exact), fine = difference(at(method, 64), exact);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15) << name(method);
    EXPECT_LE(fine, 2e-3) << name(method);
  }
  double const coarse = difference(varying(32), exact), fine = difference(varying(64), exact);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15);
  EXPECT_LE(fine, 2e-3);
}

TYPED_TEST(EulerImplicitOn, AgreesWithTheExplicitMarch) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  // Its residual has no projection, which the march computes once per step.
  Wave<Exec, T> wave(this->space, {.scheme = EulerScheme::muscl, .local_steps = true, .step_limits_tau = false});
  auto const exact = march(this->space, wave.rhs, wave.start, 0.4, 0.25);
  for (auto const method : methods) {
    auto const found = wave.run(this->space, method, 0.4, {.dt = 0.4 / 64});
    EXPECT_LE(difference(found, exact), 5e-4) << name(method);
  }
}

TYPED_TEST(EulerImplicitOn, PeriodicDomainsKeepTheirSums) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Wave<Exec, T> wave(this->space);
  auto const before = wave.totals(this->space, to_host(this->space, to_device<Exec, T>(this->space, wave.start)));
  for (auto const method : methods) {
    double const tolerance = this->is_double ? 1e-10 : 1e-3;
    auto const u = wave.run(this->space, method, 1, {.dt = 0.1, .newton_tolerance = tolerance});
    auto const after = wave.totals(this->space, u);
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_NEAR(after[c], before[c], this->is_double ? 1e-10 : 1e-3) << name(method) << c;
    }
    for (std::size_t i = 0; i < u.size(); ++i) {
      for (std::size_t c = 0; c < 4; ++c)
        EXPECT_NEAR(u[i][c], u[std::size_t(wave.group[i])][c], 100 * std::numeric_limits<T>::epsilon());
    }
  }
}

TYPED_TEST(EulerImplicitOn, UniformFlowStaysUniform) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Wave<Exec, T> wave(this->space);
  wave.start.assign(wave.start.size(), air(1.4, 0.3, -0.2, 1));
  for (auto const method : methods) {
    auto const u = wave.run(this->space, method, 5, {.dt = 1});
    EXPECT_LE(difference(u, wave.start), 100 * double(std::numeric_limits<T>::epsilon())) << name(method);
  }
}

/// Nodes that swing independently: their velocities must fit the changes of the areas.
TYPED_TEST(EulerImplicitOn, UniformFlowStaysUniformOnAMovingMesh) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Wave<Exec, T> wave(this->space, {.local_steps = true, .step_limits_tau = false, .moving = true});
  wave.start.assign(wave.start.size(), air(1.4, 0.3, -0.2, 1));
  using Points = Kokkos::View<double* [2], Kokkos::LayoutRight, typename Exec::memory_space>;
  auto const no_step = device_number(this->space, 0);
  auto const place = [&](double time) {
    Points points("karman::test::points", wave.start.size()), velocity("karman::test::velocity", wave.start.size());
    auto const x = Kokkos::create_mirror_view(points), w = Kokkos::create_mirror_view(velocity);
    for (std::size_t i = 0; i < wave.start.size(); ++i) {
      auto const own = std::size_t(wave.group[i]);
      for (std::size_t axis = 0; axis < 2; ++axis) {
        double const phase = double(own) * double(axis + 1);
        x(i, axis) = wave.mesh.nodes[i][axis] + 0.04 * std::sin(3 * time + phase);
        w(i, axis) = 0.12 * std::cos(3 * time + phase);
      }
    }
    Kokkos::deep_copy(points, x);
    Kokkos::deep_copy(velocity, w);
    wave.rhs.set_motion(this->space, points, velocity, no_step);
    this->space.fence();
  };
  for (auto const method : methods) {
    auto implicit = wave.plan(this->space, method);
    auto const u = to_device<Exec, T>(this->space, wave.start);
    implicit.start(this->space, {.dt = 0.2});
    for (int n = 0; n < 8; ++n) EXPECT_EQ(implicit.step(this->space, u, place).stall, "");
    EXPECT_LE(difference(to_host(this->space, u), wave.start), 200 * double(std::numeric_limits<T>::epsilon()));
  }
}

/// Steps of a CFL number of hundreds lead to the steady flow of Newton's method.
TYPED_TEST(EulerImplicitOn, LargeStepsEndInTheSteadyFlow) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Airfoil<Exec, T> airfoil(this->space);
  EulerNewtonSetup const setup{.reference = airfoil.flow};
  auto const v = airfoil.start(this->space);
  EulerNewton<Exec, T> newton(this->space, airfoil.rhs, setup);
  double const first = newton.residual(this->space, v), goal = this->is_double ? 1e-8 : 1e-4;
  for (int n = 0; n < 60 && newton.residual(this->space, v) > goal * first; ++n) newton.step(this->space, v);
  double const dt = 1;
  auto const rate = device_number(this->space, 0);
  EulerField<Exec, T> const work("karman::test::work", v.extent(0));
  airfoil.rhs.evaluate(this->space, v, {}, work, rate);
  EXPECT_GE(dt * to_host(this->space, rate), 100) << "CFL number";
  for (auto const method : methods) {
    auto const u = airfoil.start(this->space);
    EulerImplicit<Exec, T> implicit(this->space, airfoil.rhs, method, setup);
    implicit.start(this->space, {.dt = dt});
    int rejections = 0;
    for (int n = 0; n < 80; ++n) {
      auto const step = implicit.step(this->space, u);
      ASSERT_EQ(step.stall, "");
      rejections += step.rejections;
    }
    EXPECT_LE(rejections, 10);
    EXPECT_LE(newton.residual(this->space, u), 1e-4 * first) << name(method);
    EXPECT_LE(difference(to_host(this->space, u), to_host(this->space, v)), 1e-3);
  }
}

TYPED_TEST(EulerImplicitOn, ToleranceChoosesTheSteps) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  if (!this->is_double) return;
  Wave<Exec, T> wave(this->space);
  auto const exact = wave.run(this->space, EulerImplicitMethod::tr_bdf2, 0.8, {.dt = 0.8 / 256});
  for (auto const method : methods) {
    double last = 0;
    int last_steps = 0;
    for (double const tolerance : {1e-3, 1e-4, 1e-5}) {
      EulerImplicitStep total;
      // The first step is too long.
      auto const u =
          wave.run(this->space, method, 0.8, {.dt = 0.8, .tolerance = tolerance, .newton_tolerance = 1e-6}, &total);
      double const error = difference(u, exact);
      int const steps = total.rejections;
      // Steps like the cube root, errors like the power 2/3 of the tolerance.
      if (last > 0) {
        EXPECT_LE(error, last / 2) << name(method);
        EXPECT_NEAR(double(steps) / last_steps, std::cbrt(10.0), 0.7) << name(method);
      }
      last = error;
      last_steps = steps;
    }
    EXPECT_LE(last, 1e-2);
  }
}

TYPED_TEST(EulerImplicitOn, ContinuesWithTheSameBits) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Wave<Exec, T> wave(this->space);
  for (auto const method : methods) {
    for (double const tolerance : {0.0, 1e-3}) {
      EulerImplicitOptions const options{.dt = 0.05, .tolerance = tolerance};
      auto const whole = wave.run(this->space, method, 0.8, options);
      auto const u = to_device<Exec, T>(this->space, wave.start);
      EulerImplicitState from;
      std::vector<ConstVector<Exec, T>> former;
      std::vector<std::unique_ptr<EulerImplicit<Exec, T>>> plans;
      for (bool ended = false; !ended;) {
        plans.push_back(std::make_unique<EulerImplicit<Exec, T>>(wave.plan(this->space, method)));
        auto& plan = *plans.back();
        plan.start(this->space, options, from, former);
        plan.set_end(0.8);
        for (int n = 0; n < 2; ++n) ended = plan.step(this->space, u).dt == 0;
        from = plan.state();
        former = plan.former();
        EXPECT_EQ(former.empty(), method == EulerImplicitMethod::tr_bdf2);
      }
      EXPECT_EQ(to_host(this->space, u), whole) << name(method) << tolerance;
    }
  }
}

TYPED_TEST(EulerImplicitOn, CallsForStatesOfTheBoundaryAtEachStage) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Wave<Exec, T> wave(this->space);
  auto implicit = wave.plan(this->space, EulerImplicitMethod::bdf2);
  auto const u = to_device<Exec, T>(this->space, wave.start);
  implicit.start(this->space, {.dt = 0.1});
  std::vector<double> times;
  auto const note = [&](double time) { times.push_back(time); };
  implicit.step(this->space, u, note);
  implicit.step(this->space, u, note);
  ASSERT_EQ(times.size(), 4U);
  EXPECT_EQ(times[0], 0);
  EXPECT_NEAR(times[1], 0.1 * (2 - std::sqrt(2.0)), 1e-15);
  EXPECT_EQ(times[2], 0.1);
  EXPECT_EQ(times[3], 0.2);
}

TYPED_TEST(EulerImplicitOn, StepsThatFailAreShortenedAndThenRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Wave<Exec, T> wave(this->space);
  auto implicit = wave.plan(this->space, EulerImplicitMethod::tr_bdf2);
  auto const u = to_device<Exec, T>(this->space, wave.start);
  // One iteration with a rough linear solution is enough for a short step alone.
  implicit.start(
      this->space,
      {.dt = 10, .newton_tolerance = 0.05, .newton_iterations = 1, .linear_iterations = 5, .rejections = 20});
  auto step = implicit.step(this->space, u);
  EXPECT_EQ(step.stall, "");
  EXPECT_GE(step.rejections, 2);
  EXPECT_LT(step.dt, 10);
  EXPECT_EQ(implicit.state().time, step.dt);
  implicit.start(this->space,
                 {.dt = 10, .newton_tolerance = 0.05, .newton_iterations = 1, .linear_iterations = 5, .rejections = 0});
  auto const before = to_host(this->space, u);
  step = implicit.step(this->space, u);
  EXPECT_EQ(step.stall, "Newton's method solves no step");
  EXPECT_EQ(step.dt, 0);
  EXPECT_EQ(to_host(this->space, u), before);
  implicit.start(this->space, {.dt = 1e-3, .dt_min = 1e-2});
  EXPECT_EQ(implicit.step(this->space, u).stall, "the time step is too small");
}

TYPED_TEST(EulerImplicitOn, AnnouncesItsMemoryAndAllocatesNothingInSteps) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Wave<Exec, T> wave(this->space);
  std::unique_ptr<EulerImplicit<Exec, T>> implicit;
  auto const found = allocated_bytes<Exec>(
      [&] { implicit = std::make_unique<EulerImplicit<Exec, T>>(wave.plan(this->space, EulerImplicitMethod::bdf2)); });
  EXPECT_GE(found.beyond(implicit->workspace_bytes()), 0);
  auto const u = to_device<Exec, T>(this->space, wave.start);
  implicit->start(this->space, {.dt = 0.1, .tolerance = 1});
  for (int n = 0; n < 3; ++n) implicit->step(this->space, u);
  for (auto const& event : record([&] { implicit->step(this->space, u); })) {
    EXPECT_NE(int(event.kind), int(RecordedEvent::Kind::allocation)) << event.label;
  }
}

TYPED_TEST(EulerImplicitOn, WrongInputIsRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Wave<Exec, T> wave(this->space), limited(this->space, {.local_steps = true});
  EXPECT_THROW(limited.plan(this->space, EulerImplicitMethod::bdf2), std::invalid_argument);
  auto implicit = wave.plan(this->space, EulerImplicitMethod::bdf2);
  auto const u = to_device<Exec, T>(this->space, wave.start);
  EXPECT_THROW(implicit.step(this->space, u), std::invalid_argument) << "before start()";
  for (auto const& options : std::vector<EulerImplicitOptions>{{.dt = 0},
                                                               {.tolerance = -1},
                                                               {.dt_max = 0},
                                                               {.dt_max = 1, .dt_min = 2},
                                                               {.growth = 2.5},
                                                               {.newton_tolerance = 1},
                                                               {.newton_iterations = 0},
                                                               {.linear_tolerance = 0},
                                                               {.linear_iterations = 0},
                                                               {.largest_fall = 1},
                                                               {.halvings = -1},
                                                               {.rejections = -1}}) {
    EXPECT_THROW(implicit.start(this->space, options), std::invalid_argument);
  }
  Vector<Exec, T> const few("karman::test::few", 3), whole("karman::test::whole", u.size());
  EXPECT_THROW(implicit.start(this->space, {}, {0, 0, {1, 0}}, {few}), std::invalid_argument);
  EXPECT_THROW(implicit.start(this->space, {}, {}, {whole}), std::invalid_argument) << "no step";
  EXPECT_THROW(implicit.start(this->space, {}, {0, 0, {1, 1}}, {whole, whole, whole}), std::invalid_argument);
  EXPECT_THROW(implicit.start(this->space, {}, {NAN}), std::invalid_argument);
  implicit.start(this->space, {});
  EXPECT_THROW(implicit.set_end(NAN), std::invalid_argument);
  EulerField<Exec, T> const small("karman::test::small", 3);
  EXPECT_THROW(implicit.step(this->space, small), std::invalid_argument);
}

}  // namespace euler_implicit_test
