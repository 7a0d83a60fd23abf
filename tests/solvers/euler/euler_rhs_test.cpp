// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Right-hand side of the Euler equations against plain loops, and its conservation.
#include "backends.hpp"
#include "core/mesh/sample_meshes.hpp"
#include "euler_reference.hpp"
#include "solvers/common/allocated_bytes.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/periodic_nodes.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace euler_rhs_test {

using namespace karman;
using namespace karman::test;

constexpr double gamma_of_air = 1.4;

std::vector<EulerRhsSetup> every_setup() {
  std::vector<EulerRhsSetup> setups;
  for (auto const strategy :
       {EulerStrategy::atomic, EulerStrategy::colored, EulerStrategy::blocks, EulerStrategy::expanded}) {
    for (auto const order : {EulerOrder::as_given, EulerOrder::along_curve}) {
      setups.push_back({.strategy = strategy, .order = order});
    }
  }
  // Blocks of every shape: one triangle, less than a vector, no multiple of one.
  for (int const triangles : {1, 7, 100}) {
    setups.push_back({.strategy = EulerStrategy::blocks, .block_triangles = triangles});
  }
  return setups;
}

/// Set-ups of both schemes.
std::vector<EulerRhsSetup> every_scheme() {
  auto setups = every_setup();
  for (auto const order : {EulerOrder::as_given, EulerOrder::along_curve}) {
    setups.push_back({.scheme = EulerScheme::muscl, .order = order});
  }
  return setups;
}

/// Least height of the triangles.
double triangle_height(MeshData const& mesh) {
  double least = std::numeric_limits<double>::infinity();
  for (auto const& [i, j, k] : mesh.triangles) {
    auto const &a = mesh.nodes[std::size_t(i)], &b = mesh.nodes[std::size_t(j)], &c = mesh.nodes[std::size_t(k)];
    double const twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    double const longest = std::max({std::hypot(b[0] - a[0], b[1] - a[1]), std::hypot(c[0] - b[0], c[1] - b[1]),
                                     std::hypot(a[0] - c[0], a[1] - c[1])});
    least = std::min(least, twice / longest);
  }
  return least;
}

template <class Parameter>
class EulerRhsOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();

  /// du/dt of u, with the projection.
  Field4 evaluate(EulerRhs<Exec, T>& rhs, Field4 const& u, double dt = 0, DeviceNumber<Exec> const& rate = {}) {
    auto const field = to_device<Exec, T>(space, u);
    EulerField<Exec, T> const result("karman::test::result", u.size());
    rhs.project(space, field);
    rhs.evaluate(space, field, dt > 0 ? device_number(space, dt) : DeviceNumber<Exec>(), result, rate);
    return to_host(space, result);
  }
};
TYPED_TEST_SUITE(EulerRhsOn, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(EulerRhsOn, EveryStrategyEqualsPlainLoops) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto samples = sample_meshes();
  // As many nodes as a block can have: each of its triangles has its own.
  MeshData apart;
  for (int n = 0; n < 700; ++n) apart = n == 0 ? one_triangle() : beside(apart, one_triangle());
  samples.push_back({"700 triangles apart", apart});
  for (auto const& [title, mesh] : samples) {
    auto const u = random_gas(mesh, gamma_of_air);
    std::map<int, EulerBoundary> const open = everywhere(mesh, {EulerBoundaryKind::outflow});
    auto const galerkin = euler_reference(mesh, u, nullptr, gamma_of_air, 1, 0).rate_of_change;
    for (double const dt : {0.0, 0.01}) {
      auto const expected = euler_reference(mesh, u, &galerkin, gamma_of_air, 1, dt);
      for (auto const& setup : every_setup()) {
        SCOPED_TRACE(title + ", " + described(setup) + ", dt " + std::to_string(dt));
        EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
        rhs.set_boundary(this->space, open);
        auto const rate = device_number(this->space, -1);
        auto const found = this->evaluate(rhs, u, dt, rate);
        // Rounding of some hundred operations, in sums of as many triangles as there are around a node. The samples
        // have heights down to a hundredth of their edges.
        double const allowed = 3000 * this->epsilon;
        EXPECT_LE(relative_difference(found, expected.rate_of_change), allowed);
        if (!mesh.triangles.empty()) {
          EXPECT_NEAR(to_host(this->space, rate), expected.largest_rate, allowed * expected.largest_rate);
        }
      }
    }
  }
}

TYPED_TEST(EulerRhsOn, CentralSchemeEqualsPlainLoops) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = shuffled(square(9));
  auto const u = random_gas(mesh, gamma_of_air);
  auto const expected = euler_reference(mesh, u, nullptr, gamma_of_air, 1, 0);
  for (auto setup : every_setup()) {
    SCOPED_TRACE(described(setup));
    setup.stabilization = false;
    EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
    rhs.set_boundary(this->space, everywhere(mesh, {EulerBoundaryKind::outflow}));
    EXPECT_LE(relative_difference(this->evaluate(rhs, u), expected.rate_of_change), 300 * this->epsilon);
  }
}

TYPED_TEST(EulerRhsOn, BoundariesAndPeriodicSidesEqualPlainLoops) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  EulerState const wind{1.2, {0.4, -0.3}, 0.9};
  auto const given = conservative_state(gamma_of_air, wind);
  auto const mesh = square(8);
  std::map<int, EulerBoundary> conditions = everywhere(mesh, {EulerBoundaryKind::wall});
  conditions[4] = {EulerBoundaryKind::inflow, wind};
  auto const u = random_gas(mesh, gamma_of_air);
  auto const reference = [&](Field4 const* projection) {
    return euler_reference(mesh, u, projection, gamma_of_air, 1, 0, {}, {{4, given}}, {1, 2, 3}).rate_of_change;
  };
  auto const galerkin = reference(nullptr);
  auto const expected = reference(&galerkin);
  auto const group = periodic_groups(mesh, {{1, 3}, {2, 4}});
  auto const v = random_gas(mesh, gamma_of_air, group);
  auto const periodic_galerkin = euler_reference(mesh, v, nullptr, gamma_of_air, 1, 0, group).rate_of_change;
  auto const periodic = euler_reference(mesh, v, &periodic_galerkin, gamma_of_air, 1, 0, group);
  for (auto const& setup : every_setup()) {
    SCOPED_TRACE(described(setup));
    auto const device_mesh = make_triangle_mesh(this->space, mesh);
    EulerRhs<Exec, T> bounded(this->space, device_mesh, setup);
    bounded.set_boundary(this->space, conditions);
    EXPECT_LE(relative_difference(this->evaluate(bounded, u), expected), 1000 * this->epsilon);
    EulerRhs<Exec, T> closed_up(this->space, device_mesh, setup, group);
    EXPECT_LE(relative_difference(this->evaluate(closed_up, v), periodic.rate_of_change), 1000 * this->epsilon);
  }
}

/// Both ends of each end wall of a periodic strip of one cell belong to one group; the walls stay.
TYPED_TEST(EulerRhsOn, WallsAcrossANarrowPeriodicStripStay) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (double const height : {0.2, 0.4}) {
    auto const mesh = mesh_rectangle({.low = {0, 0}, .high = {1, height}, .size = 0.2});
    auto const group = periodic_groups(mesh, {{1, 3}});
    auto const u = random_gas(mesh, gamma_of_air, group);
    auto const reference = [&](Field4 const* projection) {
      return euler_reference(mesh, u, projection, gamma_of_air, 1, 0, group, {}, {2, 4}).rate_of_change;
    };
    auto const galerkin = reference(nullptr);
    auto const expected = reference(&galerkin);
    for (auto const& setup : every_setup()) {
      SCOPED_TRACE(described(setup));
      EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup, group);
      rhs.set_boundary(this->space, {{2, {}}, {4, {}}});
      EXPECT_LE(relative_difference(this->evaluate(rhs, u), expected), 1000 * this->epsilon);
    }
  }
}

/// Primitive states at the ends of the edges with a label, no two alike.
template <class Exec, class T>
Kokkos::View<T* [4], Kokkos::LayoutLeft, typename Exec::memory_space> varied_states(Exec const& space, int ends) {
  Kokkos::View<T* [4], Kokkos::LayoutLeft, typename Exec::memory_space> states("karman::test::states", ends);
  auto const host = Kokkos::create_mirror_view(states);
  for (int n = 0; n < ends; ++n) {
    host(n, 0) = T(1 + 0.03 * n);
    host(n, 1) = T(0.4 - 0.01 * n);
    host(n, 2) = T(0.02 * n - 0.3);
    host(n, 3) = T(0.9 + 0.005 * n);
  }
  Kokkos::deep_copy(space, states, host);
  space.fence();
  return states;
}

TYPED_TEST(EulerRhsOn, StatesAtTheEndsOfEdgesEqualPlainLoops) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(8);
  auto const device_mesh = make_triangle_mesh(this->space, mesh);
  std::map<int, EulerBoundary> conditions = everywhere(mesh, {EulerBoundaryKind::wall});
  conditions[4] = {EulerBoundaryKind::inflow, {1.2, {0.4, -0.3}, 0.9}};
  auto const given = conservative_state(gamma_of_air, conditions[4].state);
  for (auto const& group : {std::vector<int>(), periodic_groups(mesh, {{1, 3}})}) {
    auto const u = random_gas(mesh, gamma_of_air, group);
    std::set<int> const walls = group.empty() ? std::set<int>{1, 2, 3} : std::set<int>{2};
    for (auto const& setup : every_setup()) {
      SCOPED_TRACE(described(setup) + (group.empty() ? "" : ", periodic"));
      EulerRhs<Exec, T> rhs(this->space, device_mesh, setup, group);
      rhs.set_boundary(this->space, conditions);
      auto const before = this->evaluate(rhs, u);
      auto const& places = rhs.boundary_ends(4);
      ASSERT_EQ(places.size(), 16u);
      auto const states = varied_states<Exec, T>(this->space, 16);
      std::map<std::pair<int, int>, State4> ends;
      for (int n = 0; n < 16; ++n) {
        auto const [edge, node] = places[std::size_t(n)];
        EXPECT_EQ(mesh.edge_labels[std::size_t(edge)], 4);
        EXPECT_EQ(mesh.edges[std::size_t(edge)][std::size_t(n % 2)], node);
        EXPECT_GE(edge, places[std::size_t(n > 0 ? n - 1 : 0)].edge);
        ends[{edge, node}] =
            conservative_state(gamma_of_air, {1 + 0.03 * n, {0.4 - 0.01 * n, 0.02 * n - 0.3}, 0.9 + 0.005 * n});
      }
      rhs.set_edge_states(this->space, 4, states);
      auto const reference = [&](Field4 const* projection) {
        return euler_reference(mesh, u, projection, gamma_of_air, 1, 0, group, {{4, given}}, walls, {}, ends)
            .rate_of_change;
      };
      auto const galerkin = reference(nullptr);
      EXPECT_LE(relative_difference(this->evaluate(rhs, u), reference(&galerkin)), 1000 * this->epsilon);
      // Values may change without a call.
      auto const host = Kokkos::create_mirror_view(states);
      for (std::size_t n = 0; n < 16; ++n) {
        host(n, 0) = T(1.2);
        host(n, 1) = T(0.4);
        host(n, 2) = T(-0.3);
        host(n, 3) = T(0.9);
      }
      Kokkos::deep_copy(this->space, states, host);
      EXPECT_LE(relative_difference(this->evaluate(rhs, u), before), 100 * this->epsilon);
      rhs.set_edge_states(this->space, 4, states);
      rhs.set_edge_states(this->space, 4, {});
      bool const reproducible = setup.strategy != EulerStrategy::atomic;
      EXPECT_LE(relative_difference(this->evaluate(rhs, u), before), reproducible ? 0 : 100 * this->epsilon);
    }
  }
}

/// One state at all ends gives the flux of that state, for every kind.
TYPED_TEST(EulerRhsOn, EveryKindTakesStatesAtTheEndsOfEdges) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(6);
  auto const device_mesh = make_triangle_mesh(this->space, mesh);
  auto const u = random_gas(mesh, gamma_of_air);
  for (auto const kind :
       {EulerBoundaryKind::far_field, EulerBoundaryKind::inflow, EulerBoundaryKind::inlet, EulerBoundaryKind::outlet}) {
    SCOPED_TRACE(name(kind));
    auto conditions = everywhere(mesh, {EulerBoundaryKind::wall});
    // Total conditions above the conditions of the flow, for the inlet.
    conditions[4] = {kind, {2, {0.6, 0.1}, 2.5}};
    EulerRhs<Exec, T> rhs(this->space, device_mesh);
    rhs.set_boundary(this->space, conditions);
    auto const expected = this->evaluate(rhs, u);
    conditions[4] = {kind, {1, {1, 0}, 1}};
    rhs.set_boundary(this->space, conditions);
    EXPECT_GT(relative_difference(this->evaluate(rhs, u), expected), 0.01);
    Kokkos::View<T* [4], Kokkos::LayoutLeft, typename Exec::memory_space> const states("karman::test::states", 12);
    auto const host = Kokkos::create_mirror_view(states);
    for (std::size_t n = 0; n < 12; ++n) {
      host(n, 0) = T(2);
      host(n, 1) = T(0.6);
      host(n, 2) = T(0.1);
      host(n, 3) = T(2.5);
    }
    Kokkos::deep_copy(this->space, states, host);
    rhs.set_edge_states(this->space, 4, states);
    EXPECT_LE(relative_difference(this->evaluate(rhs, u), expected), 100 * this->epsilon);
    // New conditions remove the states.
    rhs.set_boundary(this->space, conditions);
    EXPECT_GT(relative_difference(this->evaluate(rhs, u), expected), 0.01);
  }
}

TYPED_TEST(EulerRhsOn, WrongEdgeStatesAreRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const data = square(3);
  EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, data));
  auto const states = varied_states<Exec, T>(this->space, 6);
  EXPECT_THROW(rhs.set_edge_states(this->space, 4, states), std::invalid_argument) << "before set_boundary()";
  auto conditions = everywhere(data, {EulerBoundaryKind::wall});
  conditions[3] = {EulerBoundaryKind::outflow};
  conditions[4] = {EulerBoundaryKind::far_field};
  rhs.set_boundary(this->space, conditions);
  EXPECT_THROW(rhs.set_edge_states(this->space, 1, states), std::invalid_argument) << "wall";
  EXPECT_THROW(rhs.set_edge_states(this->space, 3, states), std::invalid_argument) << "outflow";
  EXPECT_THROW(rhs.set_edge_states(this->space, 9, states), std::invalid_argument) << "no such label";
  EXPECT_THROW(rhs.set_edge_states(this->space, 4, varied_states<Exec, T>(this->space, 5)), std::invalid_argument);
  EXPECT_TRUE(rhs.boundary_ends(9).empty());
  EXPECT_EQ(rhs.boundary_ends(4).size(), 6u);
}

TYPED_TEST(EulerRhsOn, UniformFlowStaysUniform) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  EulerState const wind{1.3, {0.7, -0.2}, 0.8};
  auto const state = conservative_state(gamma_of_air, wind);
  for (auto const& mesh : {shuffled(mesh_disc({.size = 0.15})), shuffled(mesh_annulus({}))}) {
    for (auto const kind : {EulerBoundaryKind::far_field, EulerBoundaryKind::inflow, EulerBoundaryKind::outflow,
                            EulerBoundaryKind::outlet}) {
      for (auto const& setup : every_scheme()) {
        SCOPED_TRACE(std::string(name(kind)) + ", " + described(setup));
        EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
        rhs.set_boundary(this->space, everywhere(mesh, {kind, wind}));
        auto const rate = device_number(this->space, 0);
        auto const change = this->evaluate(rhs, Field4(mesh.nodes.size(), state), 0, rate);
        double largest = 0;
        for (auto const& node : change) {
          for (double const value : node) largest = std::max(largest, std::abs(value));
        }
        // Fluxes of a few units through sides of the triangles, over their areas: the rate of the fastest wave.
        EXPECT_LE(largest, 20 * this->epsilon * to_host(this->space, rate));
      }
    }
  }
}

/// Sum over the nodes (one per group) of mass times du/dt.
Field4::value_type total(MeshData const& mesh, Field4 const& change, std::vector<int> const& group) {
  State4 sum{};
  for (auto const& t : mesh.triangles) {
    auto const &p = mesh.nodes[std::size_t(t[0])], &q = mesh.nodes[std::size_t(t[1])],
               &r = mesh.nodes[std::size_t(t[2])];
    double const sixth = ((q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1])) / 6;
    for (int const node : t) {
      auto const& value = change[std::size_t(group.empty() ? node : group[std::size_t(node)])];
      for (std::size_t c = 0; c < 4; ++c) sum[c] += sixth * value[c];
    }
  }
  return sum;
}

TYPED_TEST(EulerRhsOn, ClosedDomainsConserve) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(12);
  auto const group = periodic_groups(mesh, {{1, 3}, {2, 4}});
  auto const u = random_gas(mesh, gamma_of_air, group);
  for (auto const& setup : every_scheme()) {
    SCOPED_TRACE(described(setup));
    auto const device_mesh = make_triangle_mesh(this->space, mesh);
    auto const rate = device_number(this->space, 0);
    EulerRhs<Exec, T> periodic(this->space, device_mesh, setup, group);
    auto const around = total(mesh, this->evaluate(periodic, u, 0, rate), group);
    // Values of some units change at the rate of the waves; the area is 1.
    double const allowed = 20 * this->epsilon * to_host(this->space, rate);
    for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(around[c], 0, allowed) << c;
    EulerRhs<Exec, T> room(this->space, device_mesh, setup);
    room.set_boundary(this->space, everywhere(mesh, {EulerBoundaryKind::wall}));
    auto const inside = total(mesh, this->evaluate(room, u), {});
    EXPECT_NEAR(inside[0], 0, allowed) << "mass";
    EXPECT_NEAR(inside[3], 0, allowed) << "energy";
  }
}

TYPED_TEST(EulerRhsOn, StagesEqualTheirParts) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = shuffled(square(10));
  auto const u = random_gas(mesh, gamma_of_air), base = random_gas(square(10), gamma_of_air);
  double const dt = 0.003, factor = 1.0 / 3;
  for (auto const& setup : every_scheme()) {
    SCOPED_TRACE(described(setup));
    EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
    rhs.set_boundary(this->space, everywhere(mesh, {EulerBoundaryKind::wall}));
    auto const change = this->evaluate(rhs, u, dt);
    auto const from = to_device<Exec, T>(this->space, u), start = to_device<Exec, T>(this->space, base);
    EulerField<Exec, T> const to("karman::test::to", u.size());
    rhs.advance(this->space, start, from, factor, device_number(this->space, dt), to);
    Field4 expected = base;
    for (std::size_t i = 0; i < u.size(); ++i) {
      for (std::size_t c = 0; c < 4; ++c) expected[i][c] += factor * dt * change[i][c];
    }
    EXPECT_LE(relative_difference(to_host(this->space, to), expected), 10 * this->epsilon);
    // In place of the former values.
    rhs.advance(this->space, start, from, factor, device_number(this->space, dt), start);
    EXPECT_LE(relative_difference(to_host(this->space, start), expected), 10 * this->epsilon);
  }
}

TYPED_TEST(EulerRhsOn, RepeatedRunsHaveTheSameBits) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = shuffled(square(40));
  auto const u = random_gas(mesh, gamma_of_air);
  for (auto const& setup : every_scheme()) {
    if (setup.strategy == EulerStrategy::atomic) continue;
    SCOPED_TRACE(described(setup));
    EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
    rhs.set_boundary(this->space, everywhere(mesh, {EulerBoundaryKind::wall}));
    auto const first = this->evaluate(rhs, u);
    for (int n = 0; n < 3; ++n) EXPECT_EQ(this->evaluate(rhs, u), first);
  }
}

TYPED_TEST(EulerRhsOn, OrdersScatteredMeshesAlone) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const ordered = square(40), scattered = shuffled(ordered);
  for (auto const& mesh : {ordered, scattered}) {
    auto const u = random_gas(mesh, gamma_of_air);
    auto const with = [&](EulerOrder order) {
      EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), {.order = order});
      rhs.set_boundary(this->space, everywhere(mesh, {EulerBoundaryKind::wall}));
      return std::pair(this->evaluate(rhs, u), rhs.workspace_bytes());
    };
    auto const expected = with(mesh.nodes == ordered.nodes ? EulerOrder::as_given : EulerOrder::along_curve);
    EXPECT_EQ(with(EulerOrder::automatic), expected);
    EXPECT_NE(with(EulerOrder::as_given).second, with(EulerOrder::along_curve).second);
  }
}

TYPED_TEST(EulerRhsOn, GeometryKeepsTheOrderOfTheMesh) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = shuffled(mesh_disc({.size = 0.2}));
  auto const device_mesh = make_triangle_mesh(this->space, mesh);
  EulerRhs<Exec, T> const given(this->space, device_mesh, {.order = EulerOrder::as_given});
  EulerRhs<Exec, T> const curve(this->space, device_mesh, {.order = EulerOrder::along_curve});
  auto const host = [](auto const& view) { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view); };
  auto const expected = host(given.inverse_mass()), found = host(curve.inverse_mass());
  auto const points = host(curve.points());
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    EXPECT_NEAR(found(i), expected(i), 10 * this->epsilon * expected(i));
    EXPECT_EQ(points(i, 0), mesh.nodes[i][0]);
    EXPECT_EQ(points(i, 1), mesh.nodes[i][1]);
  }
  for (int const label : mesh.edge_labels) {
    auto const &a = given.boundary_ends(label), &b = curve.boundary_ends(label);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t n = 0; n < a.size(); ++n) {
      EXPECT_EQ(a[n].edge, b[n].edge);
      EXPECT_EQ(a[n].node, b[n].node);
    }
  }
}

TYPED_TEST(EulerRhsOn, NoGasGivesAnInfiniteRate) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(6);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (auto const& bad :
       {State4{-9, 0, 0, 1}, State4{1, 0, 0, -9}, State4{nan, 0, 0, 1}, State4{1, 0, 0, nan}, State4{1, nan, 0, 1}}) {
    auto u = random_gas(mesh, gamma_of_air);
    u[24] = bad;
    for (auto const& setup : every_scheme()) {
      SCOPED_TRACE(described(setup));
      EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
      rhs.set_boundary(this->space, everywhere(mesh, {EulerBoundaryKind::wall}));
      auto const rate = device_number(this->space, 0);
      this->evaluate(rhs, u, 0, rate);
      EXPECT_EQ(to_host(this->space, rate), std::numeric_limits<double>::infinity());
    }
  }
}

/// Waves through open sides need a smaller step at thin triangles than those in the triangles.
TYPED_TEST(EulerRhsOn, OpenSidesOfThinTrianglesLimitTheRate) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto mesh = mesh_rectangle({{0, 0}, {1, 1}, 0.125, DiagonalPattern::right});
  constexpr double thin = 0.01;
  for (auto& node : mesh.nodes) node[1] *= thin;
  std::vector<double> mass(mesh.nodes.size(), 0), length(mesh.nodes.size(), 0);
  double const third = 0.125 * 0.125 * thin / 6, sound = std::sqrt(gamma_of_air), height = triangle_height(mesh);
  for (auto const& triangle : mesh.triangles) {
    for (int const node : triangle) mass[std::size_t(node)] += third;
  }
  for (auto const& edge : mesh.edges) {
    auto const &a = mesh.nodes[std::size_t(edge[0])], &b = mesh.nodes[std::size_t(edge[1])];
    for (int const node : edge) length[std::size_t(node)] += 0.5 * std::hypot(b[0] - a[0], b[1] - a[1]);
  }
  double open = 0;
  for (std::size_t n = 0; n < mass.size(); ++n) open = std::max(open, 0.4 * sound * length[n] / mass[n]);
  ASSERT_GT(open, 1.1 * sound / height);
  EulerState const rest{1, {0, 0}, 1};
  Field4 const u(mesh.nodes.size(), State4{1, 0, 0, 2.5});
  for (auto const& setup : every_setup()) {
    SCOPED_TRACE(described(setup));
    EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
    auto const rate_with = [&](EulerBoundary const& boundary) {
      rhs.set_boundary(this->space, everywhere(mesh, boundary));
      auto const rate = device_number(this->space, 0);
      this->evaluate(rhs, u, 0, rate);
      return to_host(this->space, rate);
    };
    double const allowed = 100 * this->epsilon;
    EXPECT_NEAR(rate_with({EulerBoundaryKind::far_field, rest}) / open, 1, allowed);
    for (auto const closed : {EulerBoundaryKind::wall, EulerBoundaryKind::outflow})
      EXPECT_NEAR(rate_with({closed}) / (sound / height), 1, allowed);
  }
}

TYPED_TEST(EulerRhsOn, ResidualsLaunchKernelsAndDoNothingElse) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(20);
  auto const u = random_gas(mesh, gamma_of_air);
  for (auto const& space : instances(this->space)) {
    for (auto const& setup : every_scheme()) {
      SCOPED_TRACE(described(setup));
      EulerRhs<Exec, T> rhs(space, make_triangle_mesh(space, mesh), setup);
      rhs.set_boundary(space, everywhere(mesh, {EulerBoundaryKind::wall}));
      auto const from = to_device<Exec, T>(space, u);
      EulerField<Exec, T> const to("karman::test::to", u.size());
      auto const dt = device_number(space, 0.01), rate = device_number(space, 0);
      auto const run = [&] {
        rhs.project(space, from);
        rhs.evaluate(space, from, dt, to, rate);
        rhs.advance(space, from, from, 0.5, dt, to, rate);
      };
      run();  // Kokkos makes scratch memory for the first teams
      expect_kernels_only(space, record(run), 6);
      space.fence();
    }
  }
}

TYPED_TEST(EulerRhsOn, AnnouncesItsMemory) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const data = square(30);
  auto const mesh = make_triangle_mesh(this->space, data);
  for (auto const& setup : every_scheme()) {
    SCOPED_TRACE(described(setup));
    std::unique_ptr<EulerRhs<Exec, T>> rhs;
    auto const found = allocated_bytes<Exec>([&] {
      rhs = std::make_unique<EulerRhs<Exec, T>>(this->space, mesh, setup);
      rhs->set_boundary(this->space, everywhere(data, {EulerBoundaryKind::wall}));
    });
    std::int64_t const beyond = found.beyond(rhs->workspace_bytes());
    EXPECT_GE(beyond, 0);
    EXPECT_LE(beyond, 7 * found.views);
  }
}

TYPED_TEST(EulerRhsOn, WrongInputIsRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = make_triangle_mesh(this->space, square(3));
  auto const make = [&](EulerRhsSetup const& setup, std::vector<int> const& group = {}) {
    EulerRhs<Exec, T>(this->space, mesh, setup, group);
  };
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (auto const& setup : {EulerRhsSetup{.gamma = 1}, EulerRhsSetup{.gamma = nan},
                            EulerRhsSetup{.shock_capturing = -1}, EulerRhsSetup{.block_triangles = -1}}) {
    EXPECT_THROW(make(setup), std::invalid_argument);
  }
  EXPECT_THROW(make({}, {0, 1, 2}), std::invalid_argument) << "too few";
  EXPECT_THROW(make({}, std::vector<int>(16, 15)), std::invalid_argument) << "not the lowest";
  EulerRhs<Exec, T> rhs(this->space, mesh);
  EulerField<Exec, T> const u("karman::test::u", 16), to("karman::test::to", 16), small("karman::test::small", 9);
  EXPECT_THROW(rhs.evaluate(this->space, u, {}, to), std::invalid_argument) << "no boundary";
  std::map<int, EulerBoundary> conditions{{1, {}}, {2, {}}, {3, {}}};
  try {
    rhs.set_boundary(this->space, conditions);
    FAIL() << "label 4 has no condition";
  } catch (std::invalid_argument const& error) {
    EXPECT_NE(std::string(error.what()).find("label 4 has no condition"), std::string::npos) << error.what();
  }
  conditions[4] = {EulerBoundaryKind::inflow, {-1, {0, 0}, 1}};
  EXPECT_THROW(rhs.set_boundary(this->space, conditions), std::invalid_argument);
  conditions[4] = {EulerBoundaryKind::inlet, {1, {0, 0}, 1}};
  EXPECT_THROW(rhs.set_boundary(this->space, conditions), std::invalid_argument);
  conditions[4] = {};
  rhs.set_boundary(this->space, conditions);
  EXPECT_THROW(rhs.evaluate(this->space, small, {}, to), std::invalid_argument);
  EXPECT_THROW(rhs.evaluate(this->space, u, {}, small), std::invalid_argument);
  EXPECT_THROW(rhs.evaluate(this->space, u, {}, u), std::invalid_argument);
  EXPECT_THROW(rhs.advance(this->space, u, u, 1, {}, to), std::invalid_argument);
}

}  // namespace euler_rhs_test
