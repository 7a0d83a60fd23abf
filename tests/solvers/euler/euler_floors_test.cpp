// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floors of density and pressure: changed values, their record, and a flow that breaks down without them.
#include "backends.hpp"
#include "euler_moving.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/solvers/euler/euler_derivative.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace euler_floors_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class EulerFloorsOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
  MeshData mesh = mesh_rectangle({.size = 0.125});
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();

  /// Expects that the floors report the gain of a total of the flow, more than rounding.
  static void expect_added(double before, double after, double added) {
    // Some thousand stages, each with rounding in the last digit.
    double const rounding = 1000 * epsilon * before;
    EXPECT_GT(added, 10 * rounding);
    EXPECT_NEAR(after - before, added, rounding);
  }
};
TYPED_TEST_SUITE(EulerFloorsOn, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(EulerFloorsOn, RaiseValuesAndReportThem) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, this->mesh));
  Field4 start = random_gas(this->mesh, 1.4);
  start[20] = {-0.5, 0.25, 0, 4};     // thin alone: the energy exceeds that of the floors
  start[33] = {1, 0.5, -0.5, 0.125};  // cold alone
  start[47] = {-1, 3, 0, -2};         // both
  auto const u = to_device<Exec, T>(this->space, start);
  EulerFloorLimiter<Exec, T> floors(this->space, rhs, {.density = 0.25, .pressure = 0.1});
  EXPECT_EQ(floors.report(this->space).node, -1);
  floors.apply(this->space, u);
  auto expected = start;
  expected[20][0] = expected[47][0] = 0.25;
  expected[33][3] = double(T(T(0.1 / (1.4 - 1)) + T(0.25)));
  expected[47][3] = double(T(T(0.1 / (1.4 - 1)) + T(18)));
  auto rounded = to_host(this->space, to_device<Exec, T>(this->space, expected));
  auto const found = to_host(this->space, u);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) {
      // The lowest energy is a sum of two numbers of which one is rounded; all else keeps its bits.
      bool const energy = c == 3 && (i == 33 || i == 47);
      EXPECT_NEAR(found[i][c], rounded[i][c], energy ? 2 * this->epsilon * rounded[i][c] : 0) << i << ", " << c;
    }
  }
  auto const inverse = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rhs.inverse_mass());
  double mass = 0, energy = 0;
  for (std::size_t const i : {20, 33, 47}) {
    mass += (found[i][0] - start[i][0]) / double(inverse(i));
    energy += (found[i][3] - double(T(start[i][3]))) / double(inverse(i));
  }
  auto const report = floors.report(this->space);
  EXPECT_EQ(report.changes, 3);
  EXPECT_EQ(report.nodes, 3);
  EXPECT_EQ(report.node, 20);
  EXPECT_NEAR(report.mass, mass, 1e-14 * mass);
  EXPECT_NEAR(report.energy, energy, 1e-14 * energy);
  // Again: nothing to change.
  floors.apply(this->space, u);
  EXPECT_EQ(to_host(this->space, u), found);
  EXPECT_EQ(floors.report(this->space).changes, 3);
  floors.reset(this->space);
  EXPECT_EQ(floors.report(this->space).changes, 0);
  EXPECT_EQ(floors.report(this->space).mass, 0);
  auto const again = to_device<Exec, T>(this->space, start);
  floors.apply(this->space, again);
  floors.apply(this->space, to_device<Exec, T>(this->space, start));
  EXPECT_EQ(floors.report(this->space).changes, 6);
  EXPECT_EQ(floors.report(this->space).nodes, 3);
}

TYPED_TEST(EulerFloorsOn, NoFloorsChangeNothing) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, this->mesh));
  Field4 start = random_gas(this->mesh, 1.4);
  start[20] = {-0.5, 0, 0, -4};
  auto const u = to_device<Exec, T>(this->space, start);
  auto const before = to_host(this->space, u);
  EulerFloorLimiter<Exec, T> floors(this->space, rhs, {});
  auto const run = [&] { floors.apply(this->space, u); };
  EXPECT_TRUE(record(run).empty());
  EXPECT_EQ(to_host(this->space, u), before);
  EXPECT_EQ(floors.report(this->space).changes, 0);
  EXPECT_EQ(floors.workspace_bytes(), 0);
}

TYPED_TEST(EulerFloorsOn, NotANumberStays) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, this->mesh));
  Field4 start = random_gas(this->mesh, 1.4);
  start[3][0] = start[4][3] = std::numeric_limits<double>::quiet_NaN();
  auto const u = to_device<Exec, T>(this->space, start);
  EulerFloorLimiter<Exec, T> floors(this->space, rhs, {.density = 0.1, .pressure = 0.1});
  floors.apply(this->space, u);
  auto const found = to_host(this->space, u);
  EXPECT_TRUE(std::isnan(found[3][0]));
  EXPECT_TRUE(std::isnan(found[4][3]));
  EXPECT_EQ(floors.report(this->space).changes, 0);
}

TYPED_TEST(EulerFloorsOn, GroupsCountOnce) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const group = periodic_groups(this->mesh, {{1, 3}, {2, 4}});
  EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, this->mesh), {}, group);
  Field4 const start(this->mesh.nodes.size(), State4{0.5, 0, 0, 1});
  EulerFloorLimiter<Exec, T> floors(this->space, rhs, {.density = 1, .pressure = 0.8}, group);
  floors.apply(this->space, to_device<Exec, T>(this->space, start));
  auto const report = floors.report(this->space);
  EXPECT_EQ(report.changes, 64);
  // The unit square, from 0.5 to 1 and from 1 to 2.
  EXPECT_NEAR(report.mass, 0.5, 100 * this->epsilon);
  EXPECT_NEAR(report.energy, 1, 100 * this->epsilon);
}

TYPED_TEST(EulerFloorsOn, WrongInputIsRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Limiter = EulerFloorLimiter<Exec, T>;
  EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, this->mesh));
  double const inf = std::numeric_limits<double>::infinity();
  for (auto const& wrong : {EulerFloors{-1, 0}, EulerFloors{0, -1}, EulerFloors{inf, 0}, EulerFloors{0, NAN}}) {
    EXPECT_THROW(Limiter(this->space, rhs, wrong), std::invalid_argument);
  }
  EXPECT_THROW(Limiter(this->space, rhs, {1, 1}, {0, 1}), std::invalid_argument);
  Limiter floors(this->space, rhs, {1, 1});
  EXPECT_THROW(floors.apply(this->space, EulerField<Exec, T>("karman::test::u", 3)), std::invalid_argument);
}

/// Two streams leave a line at Mach 8 each: a vacuum opens between them.
TYPED_TEST(EulerFloorsOn, CarryAFlowThatOpensAVacuum) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = mesh_rectangle({.low = {0, 0}, .high = {1, 0.08}, .size = 0.02});
  auto const group = periodic_groups(mesh, {{1, 3}, {2, 4}});
  Field4 start;
  for (auto const& [x, y] : mesh.nodes) {
    bool const seam = x < 0.01 || x > 0.99 || std::abs(x - 0.5) < 0.01;
    start.push_back(air(1, seam ? 0 : x < 0.5 ? -8 : 8, 0, 1 / 1.4));
  }
  EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), {}, group);
  auto const run = [&](EulerFloors const& wanted, TimeMethod method) {
    EulerFloorLimiter<Exec, T> floors(this->space, rhs, wanted, group);
    EulerDerivative<Exec, T> derivative(this->space, rhs);
    derivative.set_floors(&floors);
    auto const u = to_device<Exec, T>(this->space, start);
    Vector<Exec, T> const unknowns(u.data(), u.size());
    TimeIntegrator<Exec, T> integrator(this->space, derivative.size(), {.method = method});
    integrator.start(this->space, derivative, unknowns, 0,
                     {.cfl = method == TimeMethod::euler || method == TimeMethod::adams_bashforth4 ? 0.1 : 0.5});
    auto const report = integrator.run_to(this->space, derivative, unknowns, 0.05);
    struct Result {
      bool finished;
      EulerFloorReport floors;
      Field4 u;
    };
    return Result{report.finished, floors.report(this->space), to_host(this->space, u)};
  };
  EXPECT_FALSE(run({}, TimeMethod::minimal_storage_rk4).finished);
  auto const inverse = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rhs.inverse_mass());
  for (auto const method : {TimeMethod::euler, TimeMethod::minimal_storage_rk4, TimeMethod::ssp_rk3,
                            TimeMethod::low_storage_rk54, TimeMethod::adams_bashforth4}) {
    SCOPED_TRACE(name(method));
    auto const limited = run({.density = 0.1, .pressure = 1e-3}, method);
    EXPECT_TRUE(limited.finished);
    EXPECT_GT(limited.floors.changes, 0);
    double before[4] = {}, after[4] = {};
    for (std::size_t i = 0; i < limited.u.size(); ++i) {
      // Energies of 32 are rounded, with pressures of 0.001 inside.
      EXPECT_GE(pressure_of(limited.u[i]), 1e-3 - 100 * this->epsilon);
      EXPECT_GE(limited.u[i][0], double(T(0.1)));
      if (group[i] != int(i)) continue;
      for (std::size_t c = 0; c < 4; ++c) {
        before[c] += start[i][c] / double(inverse(i));
        after[c] += limited.u[i][c] / double(inverse(i));
      }
    }
    this->expect_added(before[0], after[0], limited.floors.mass);
    this->expect_added(before[3], after[3], limited.floors.energy);
  }
}

/// The same streams on a mesh that swings.
TYPED_TEST(EulerFloorsOn, OfAMovingMeshReportWhatTheFlowGains) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = mesh_rectangle({.low = {0, 0}, .high = {1, 0.08}, .size = 0.02});
  auto const group = periodic_groups(mesh, {{1, 3}, {2, 4}});
  Field4 start;
  for (auto const& [x, y] : mesh.nodes) {
    bool const seam = x < 0.01 || x > 0.99 || std::abs(x - 0.5) < 0.01;
    start.push_back(air(1, seam ? 0 : x < 0.5 ? -8 : 8, 0, 1 / 1.4));
  }
  for (auto const order : {EulerOrder::as_given, EulerOrder::along_curve}) {
    SCOPED_TRACE(static_cast<int>(order));
    EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), {.order = order, .moving = true}, group);
    EulerFloorLimiter<Exec, T> floors(this->space, rhs, {.density = 0.1, .pressure = 1e-3}, group);
    SwingMotion<Exec> motion(this->space, mesh, group);
    EulerDerivative<Exec, T> derivative(this->space, rhs, motion);
    derivative.set_floors(&floors);
    auto const u = to_device<Exec, T>(this->space, start);
    Vector<Exec, T> const unknowns(u.data(), u.size());
    TimeIntegrator<Exec, T> integrator(this->space, derivative.size());
    integrator.start(this->space, derivative, unknowns, 0, {.cfl = 0.5});
    EXPECT_TRUE(integrator.run_to(this->space, derivative, unknowns, 0.05).finished);
    auto const places = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), derivative.points());
    auto moved = mesh;
    double largest = 0;
    for (std::size_t i = 0; i < moved.nodes.size(); ++i) {
      moved.nodes[i] = {places(i, 0), places(i, 1)};
      largest = std::max(largest, std::abs(moved.nodes[i][0] - mesh.nodes[i][0]));
    }
    EXPECT_GT(largest, 0.01);
    auto const before = total(mesh, start), after = total(moved, to_host(this->space, u));
    auto const report = floors.report(this->space);
    EXPECT_GT(report.changes, 0);
    this->expect_added(before[0], after[0], report.mass);
    this->expect_added(before[3], after[3], report.energy);
  }
}

}  // namespace euler_floors_test
