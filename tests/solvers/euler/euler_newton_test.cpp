// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steady flows by Newton's method: against the explicit march, restarts, rejected steps, periodic sides.
#include "backends.hpp"
#include "euler_march.hpp"
#include "solvers/common/allocated_bytes.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/mesh/flow_mesh_generators.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/periodic_nodes.hpp>
#include <karman/solvers/euler/euler_derivative.hpp>
#include <karman/solvers/euler/euler_newton.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace euler_newton_test {

using namespace karman;
using namespace karman::test;

constexpr EulerRhsSetup steady{.local_steps = true, .step_limits_tau = false};

/// A flow, with its mesh and its conditions.
struct FlowCase {
  std::string title;
  MeshData mesh;
  EulerState flow;  ///< at the start
  std::map<int, EulerBoundary> conditions;
  double march_cfl;
};

/// Mach 2 over a corner of 10 degrees: a shock.
FlowCase wedge() {
  EulerState const wind{1.4, {2, 0}, 1};
  return {"wedge",
          mesh_wedge({.length = 1, .height = 0.6, .corner = 0.3, .angle = 10, .size = 0.05}),
          wind,
          {{1, {EulerBoundaryKind::inflow, wind}},
           {2, {EulerBoundaryKind::outflow}},
           {3, {}},
           {4, {EulerBoundaryKind::far_field, wind}}},
          1};
}

/// A channel with a smooth bump at the bottom, at about Mach 0.4: inlet with given total conditions, outlet with given
/// pressure.
FlowCase bump() {
  auto mesh = mesh_rectangle({.low = {-1, 0}, .high = {2, 1}, .size = 0.1});
  for (auto& [x, y] : mesh.nodes) y += 0.1 * std::exp(-8 * x * x) * (1 - y);
  double const mach = 0.4, gamma = 1.4;
  double const ratio = 1 + (gamma - 1) / 2 * mach * mach;
  EulerState total{1.4 * std::pow(ratio, 1 / (gamma - 1)), {1, 0}, std::pow(ratio, gamma / (gamma - 1))};
  EulerState const outside{1.4, {0, 0}, 1};
  return {"bump",
          mesh,
          {1.4, {mach, 0}, 1},
          {{1, {}}, {2, {EulerBoundaryKind::outlet, outside}}, {3, {}}, {4, {EulerBoundaryKind::inlet, total}}},
          1};
}

template <class Exec, class T>
struct Steady {
  FlowCase of;
  TriangleMesh<Exec> mesh;
  EulerRhs<Exec, T> rhs;
  EulerNewtonSetup setup;

  Steady(Exec const& space, FlowCase const& flow_case)
      : of(flow_case), mesh(make_triangle_mesh(space, of.mesh)), rhs(space, mesh, steady), setup{.reference = of.flow} {
    rhs.set_boundary(space, of.conditions);
  }

  EulerField<Exec, T> start(Exec const& space) const {
    return to_device<Exec, T>(space, Field4(of.mesh.nodes.size(), conservative_state(1.4, of.flow)));
  }
};

/// Steps until the residual has dropped to a share of its largest value.
struct March {
  int steps = 0, linear_iterations = 0, rejections = 0;
  double drop = 1;
  std::string stall = {};
};

template <class Exec, class T>
March run(Exec const& space, EulerNewton<Exec, T>& newton, EulerField<Exec, T> const& u, double goal, int most) {
  March result;
  double largest = 0;
  while (result.steps < most && result.drop > goal && result.stall.empty()) {
    auto const step = newton.step(space, u);
    largest = std::max({largest, step.residual, step.next_residual});
    result.drop = step.next_residual / largest;
    result.stall = step.stall;
    result.linear_iterations += step.linear_iterations;
    result.rejections += step.rejections;
    ++result.steps;
  }
  return result;
}

template <class Parameter>
class EulerNewtonOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
  static constexpr bool is_double = sizeof(T) == 8;
};
TYPED_TEST_SUITE(EulerNewtonOn, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(EulerNewtonOn, ConvergesToTheFlowOfTheExplicitMarch) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& flow_case : {wedge(), bump()}) {
    SCOPED_TRACE(flow_case.title);
    Steady<Exec, T> flow(this->space, flow_case);
    // A float has seven digits.
    double const goal = this->is_double ? 1e-10 : 1e-4;
    for (auto const preconditioner :
         {EulerPreconditioner::block_ilu, EulerPreconditioner::block_gauss_seidel, EulerPreconditioner::block_amg}) {
      flow.setup.preconditioner = preconditioner;
      SCOPED_TRACE(name(preconditioner));
      EulerNewton<Exec, T> newton(this->space, flow.rhs, flow.setup);
      auto const u = flow.start(this->space);
      auto const found = run(this->space, newton, u, goal, 60);
      EXPECT_LE(found.drop, goal) << found.stall;
      EXPECT_LE(found.steps, 40);
      if (!this->is_double || preconditioner != EulerPreconditioner::block_ilu) continue;
      // The march ends where Newton's method does.
      auto const v = flow.start(this->space);
      EulerDerivative<Exec, T> derivative(this->space, flow.rhs);
      TimeIntegrator<Exec, T> integrator(this->space, derivative.size(), {.local_steps = true});
      Vector<Exec, T> const unknowns(v.data(), v.size());
      integrator.start(this->space, derivative, unknowns, 0, {.cfl = flow_case.march_cfl, .local_ratio = 1000});
      double const first = newton.residual(this->space, v);
      int steps = 0;
      for (; steps < 20'000 && newton.residual(this->space, v) > 1e-11 * first; steps += 100) {
        for (int n = 0; n < 100; ++n) integrator.step(this->space, derivative, unknowns);
      }
      EXPECT_LT(steps, 20'000);
      EXPECT_LE(difference(to_host(this->space, u), to_host(this->space, v)), 1e-8);
    }
  }
}

TYPED_TEST(EulerNewtonOn, ContinuesWithTheSameBits) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Steady<Exec, T> flow(this->space, wedge());
  EulerNewton<Exec, T> whole(this->space, flow.rhs, flow.setup), first(this->space, flow.rhs, flow.setup),
      second(this->space, flow.rhs, flow.setup);
  auto const u = flow.start(this->space), v = flow.start(this->space);
  EulerNewtonOptions const options{.switch_at = 0.05};
  whole.start(options);
  first.start(options);
  run(this->space, whole, u, 0, 12);
  // Before the products change to differences and after it.
  run(this->space, first, v, 0, 3);
  EXPECT_FALSE(first.state().exact);
  second.start(options, first.state());
  run(this->space, second, v, 0, 6);
  EXPECT_TRUE(second.state().exact);
  first.start(options, second.state());
  run(this->space, first, v, 0, 3);
  EXPECT_EQ(to_host(this->space, u), to_host(this->space, v));
  EXPECT_EQ(whole.state().cfl, first.state().cfl);
}

TYPED_TEST(EulerNewtonOn, StallsAtRoundOff) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Steady<Exec, T> flow(this->space, wedge());
  EulerNewton<Exec, T> newton(this->space, flow.rhs, flow.setup);
  auto const u = flow.start(this->space);
  newton.start({.patience = 5});
  // The residual can drop to round-off, not to zero.
  auto const found = run(this->space, newton, u, 0, 200);
  EXPECT_FALSE(found.stall.empty());
  EXPECT_LE(found.drop, this->is_double ? 1e-12 : 1e-4);
  auto const before = to_host(this->space, u);
  auto const step = newton.step(this->space, u);
  EXPECT_EQ(step.length, 0);
  // At round-off some short step may still seem to help.
  EXPECT_TRUE(step.stall == "the residual no longer falls" || step.stall == "no step reduces the residual")
      << step.stall;
  EXPECT_EQ(to_host(this->space, u), before);
}

TYPED_TEST(EulerNewtonOn, UnsolvedSystemsShortenTheSteps) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Steady<Exec, T> flow(this->space, bump());
  EulerNewton<Exec, T> newton(this->space, flow.rhs, flow.setup);
  auto const u = flow.start(this->space);
  ASSERT_LE(run(this->space, newton, u, 1e-2, 60).drop, 1e-2);
  // One iteration solves short steps alone.
  auto state = newton.state();
  state.cfl = 1e6;
  state.exact = true;
  newton.start({.linear_iterations = 1}, state);
  for (int n = 0; n < 5; ++n) {
    auto const step = newton.step(this->space, u);
    ASSERT_GT(step.length, 0) << step.stall;
    EXPECT_LE(newton.state().cfl, step.cfl / 2);
  }
}

TYPED_TEST(EulerNewtonOn, RejectedStepsCutTheCflNumber) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Steady<Exec, T> flow(this->space, wedge());
  EulerNewton<Exec, T> newton(this->space, flow.rhs, flow.setup);
  auto const u = flow.start(this->space);
  // Differences in a uniform flow, where the residual has kinks, a rough solution and no shorter steps.
  newton.start({.cfl = 1e8, .cfl_max = 1e8, .switch_at = 1, .linear_iterations = 1, .halvings = 0, .rejections = 1});
  auto const before = to_host(this->space, u);
  auto const step = newton.step(this->space, u);
  EXPECT_EQ(step.stall, "no step reduces the residual");
  EXPECT_EQ(step.rejections, 2);
  EXPECT_EQ(step.length, 0);
  EXPECT_EQ(to_host(this->space, u), before);
  EXPECT_NEAR(step.cfl, 5e7, 1e-3) << "by half with products by differences";
  EXPECT_EQ(newton.state().cfl, 1e8) << "as before";
  // Steps with products of the first-order part converge from there.
  newton.start({});
  double const goal = this->is_double ? 1e-10 : 1e-4;
  EXPECT_LE(run(this->space, newton, u, goal, 60).drop, goal);
}

/// Differences of the residual in two directions add up where the flow is almost uniform. The directions are far
/// steeper than the flow. GMRES relies on such sums.
TYPED_TEST(EulerNewtonOn, DifferencesAreLinearInAlmostUniformFlow) {
  using Exec = typename TestFixture::Exec;
  if constexpr (TestFixture::is_double) {
    auto const given = wedge();
    auto const mesh = make_triangle_mesh(this->space, given.mesh);
    EulerRhs<Exec, double> rhs(this->space, mesh, steady);
    EulerBoundary const far{EulerBoundaryKind::far_field, given.flow};
    rhs.set_boundary(this->space, {{1, far}, {2, far}, {3, far}, {4, far}});
    Field4 const flow(given.mesh.nodes.size(), conservative_state(1.4, given.flow));
    auto const at = [&](std::array<double, 3> const& amount) {
      Field4 moved = flow;
      for (std::size_t i = 0; i < moved.size(); ++i) {
        auto const [x, y] = given.mesh.nodes[i];
        double const waves[3] = {std::sin(7 * x + 2 * y), std::cos(5 * x - 9 * y), std::sin(3 * x * y + 11 * y)};
        for (std::size_t c = 0; c < 4; ++c) {
          for (std::size_t n = 0; n < 3; ++n) moved[i][c] += amount[n] * waves[(n + c) % 3];
        }
      }
      auto const u = to_device<Exec, double>(this->space, moved);
      EulerField<Exec, double> const rate("karman::test::rate", moved.size());
      rhs.project(this->space, u);
      rhs.evaluate(this->space, u, {}, rate);
      return to_host(this->space, rate);
    };
    double const faint = 1e-11, e = 1e-7;
    auto const here = at({0, 0, faint}), one = at({e, 0, faint}), other = at({0, e, faint}), both = at({e, e, faint});
    double largest = 0, rest = 0;
    for (std::size_t i = 0; i < flow.size(); ++i) {
      for (std::size_t c = 0; c < 4; ++c) {
        largest = std::max(largest, std::abs(both[i][c] - here[i][c]));
        rest = std::max(rest, std::abs(both[i][c] - one[i][c] - other[i][c] + here[i][c]));
      }
    }
    // Jumps of 1e-7 between nodes change tau by 1e-7 / 1e-4 of itself. With a sum along the density everywhere the rest
    // is 0.03 of the difference.
    EXPECT_LE(rest, 0.01 * largest);
  }
}

/// Without the other rules: long steps that leave most of the residual end the products with the first-order part.
TYPED_TEST(EulerNewtonOn, SlowLongStepsChangeToDifferences) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Steady<Exec, T> flow(this->space, wedge());
  EulerNewton<Exec, T> newton(this->space, flow.rhs, flow.setup);
  auto const u = flow.start(this->space);
  newton.start({.switch_at = 0, .switch_after = 1000});
  int first_order = 0;
  while (!newton.state().exact && first_order < 30) {
    newton.step(this->space, u);
    ++first_order;
  }
  EXPECT_GT(newton.state().cfl, 1000);
  EXPECT_LT(first_order, 25);
  // Of the residual after these steps.
  double const goal = this->is_double ? 1e-10 : 1e-3;
  EXPECT_LE(run(this->space, newton, u, goal, 30).drop, goal);
}

/// A start nearer than `largest` has the CFL number of a march that came so far.
TYPED_TEST(EulerNewtonOn, NearStartsBeginWithLongSteps) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Steady<Exec, T> flow(this->space, wedge());
  EulerNewton<Exec, T> newton(this->space, flow.rhs, flow.setup);
  auto const u = flow.start(this->space);
  double const here = newton.residual(this->space, u);
  newton.start({.cfl = 2}, {.largest = 4 * here});
  auto const step = newton.step(this->space, u);
  EXPECT_EQ(step.rejections, 0);
  EXPECT_NEAR(step.cfl, 8, 1e-3);
}

TYPED_TEST(EulerNewtonOn, FlowsWithPeriodicSidesConverge) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto mesh = mesh_rectangle({.low = {0, 0}, .high = {2, 0.5}, .size = 0.1});
  auto const group = periodic_groups(mesh, {{1, 3}});
  EulerState const flow{1.4, {0.3, 0.1}, 1}, outside{1.4, {0, 0}, 0.98};
  EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), steady, group);
  rhs.set_boundary(this->space, {{2, {EulerBoundaryKind::outlet, outside}}, {4, {EulerBoundaryKind::far_field, flow}}});
  Field4 start;
  for (auto const& [x, y] : mesh.nodes) {
    // Equal at both sides.
    double const wave = 0.02 * std::sin(4 * M_PI * y) * x;
    start.push_back(air(1.4 + wave, 0.3, 0.1, 1));
  }
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = start[std::size_t(group[i])];
  double const goal = this->is_double ? 1e-9 : 1e-4;
  for (auto const preconditioner : {EulerPreconditioner::block_ilu, EulerPreconditioner::block_amg}) {
    SCOPED_TRACE(name(preconditioner));
    EulerNewton<Exec, T> newton(this->space, rhs, {.preconditioner = preconditioner, .reference = flow}, group);
    auto const u = to_device<Exec, T>(this->space, start);
    auto const found = run(this->space, newton, u, goal, 60);
    EXPECT_LE(found.drop, goal) << found.stall;
    auto const end = to_host(this->space, u);
    for (std::size_t i = 0; i < end.size(); ++i) {
      for (std::size_t c = 0; c < 4; ++c) {
        EXPECT_NEAR(end[i][c], end[std::size_t(group[i])][c], 100 * std::numeric_limits<T>::epsilon());
      }
    }
  }
}

TYPED_TEST(EulerNewtonOn, AnnouncesItsMemoryAndAllocatesNothingInSteps) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Steady<Exec, T> flow(this->space, wedge());
  for (auto const preconditioner : {EulerPreconditioner::block_ilu, EulerPreconditioner::block_amg}) {
    flow.setup.preconditioner = preconditioner;
    std::unique_ptr<EulerNewton<Exec, T>> newton;
    auto const found = allocated_bytes<Exec>(
        [&] { newton = std::make_unique<EulerNewton<Exec, T>>(this->space, flow.rhs, flow.setup); });
    EXPECT_GE(found.beyond(newton->workspace_bytes()), 0);
    auto const u = flow.start(this->space);
    newton->step(this->space, u);  // Kokkos makes scratch memory for the first teams
    for (auto const& event : record([&] { newton->step(this->space, u); })) {
      EXPECT_NE(int(event.kind), int(RecordedEvent::Kind::allocation)) << event.label;
    }
  }
}

TYPED_TEST(EulerNewtonOn, WrongInputIsRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Newton = EulerNewton<Exec, T>;
  Steady<Exec, T> flow(this->space, wedge());
  EXPECT_THROW(Newton(this->space, flow.rhs, {.restart = 0}), std::invalid_argument);
  EXPECT_THROW(Newton(this->space, flow.rhs, {.reference = {0, {0, 0}, 1}}), std::invalid_argument);
  EXPECT_THROW(Newton(this->space, flow.rhs, {.reference = {1, {0, 0}, -1}}), std::invalid_argument);
  EXPECT_THROW(Newton(this->space, flow.rhs, {}, {0, 1}), std::invalid_argument) << "too few groups";
  EulerRhs<Exec, T> without(this->space, flow.mesh, {.step_limits_tau = false}),
      limited(this->space, flow.mesh, {.local_steps = true});
  for (auto* rhs : {&without, &limited}) {
    rhs->set_boundary(this->space, flow.of.conditions);
    EXPECT_THROW(Newton(this->space, *rhs), std::invalid_argument);
  }
  Newton newton(this->space, flow.rhs, flow.setup);
  for (auto const& options : std::vector<EulerNewtonOptions>{{.cfl = 0},
                                                             {.cfl = 10, .cfl_max = 9},
                                                             {.growth = 0.9},
                                                             {.switch_at = 2},
                                                             {.switch_after = 0},
                                                             {.rise = 0.5},
                                                             {.linear_tolerance = 1},
                                                             {.linear_iterations = 0},
                                                             {.largest_fall = 1},
                                                             {.halvings = -1},
                                                             {.rejections = -1},
                                                             {.patience = 0}}) {
    EXPECT_THROW(newton.start(options), std::invalid_argument);
  }
  EulerField<Exec, T> const few("karman::test::few", 3);
  EXPECT_THROW(newton.step(this->space, few), std::invalid_argument);
  EXPECT_THROW(newton.residual(this->space, few), std::invalid_argument);
}

}  // namespace euler_newton_test
