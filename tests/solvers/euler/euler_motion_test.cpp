// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Euler right-hand side on moving meshes: against plain loops, uniform flow, conservation, order, pistons.
#include "backends.hpp"
#include "core/mesh/sample_meshes.hpp"
#include "euler_moving.hpp"
#include "solvers/common/allocated_bytes.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/solvers/euler/euler_derivative.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <set>
#include <string>
#include <utility>

namespace euler_motion_test {

using namespace karman;
using namespace karman::test;

constexpr double gamma_of_air = 1.4;

std::vector<EulerRhsSetup> every_setup() {
  std::vector<EulerRhsSetup> setups;
  for (auto const strategy :
       {EulerStrategy::atomic, EulerStrategy::colored, EulerStrategy::blocks, EulerStrategy::expanded}) {
    for (auto const order : {EulerOrder::as_given, EulerOrder::along_curve}) {
      setups.push_back({.strategy = strategy, .order = order, .moving = true});
    }
  }
  setups.push_back({.strategy = EulerStrategy::blocks, .block_triangles = 7, .moving = true});
  return setups;
}

Places sum(Places a, Places const& b, double factor = 1) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t axis = 0; axis < 2; ++axis) a[i][axis] += factor * b[i][axis];
  }
  return a;
}

template <class Parameter>
class EulerMotionOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();
};
TYPED_TEST_SUITE(EulerMotionOn, karman::test::AllBackends, karman::test::BackendNames);

/// A square with walls and an inflow, or with two periodic sides, and its nodes in motion.
struct MovingCase {
  std::string title;
  MeshData mesh;
  std::vector<int> group;
  Places velocity;
  Field4 u;
  std::map<int, EulerBoundary> conditions;
  std::map<int, State4> inflow;
  std::set<int> walls;

  ReferenceResult reference(MeshData const& at, Field4 const* projection, double dt) const {
    return euler_reference(at, u, projection, gamma_of_air, 1, dt, group, inflow, walls, velocity);
  }
};

std::vector<MovingCase> moving_cases() {
  EulerState const wind{1.2, {0.4, -0.3}, 0.9};
  auto const given = conservative_state(gamma_of_air, wind);
  std::vector<MovingCase> cases;
  auto const mesh = square(9);
  auto bounded = everywhere(mesh, {EulerBoundaryKind::wall});
  bounded[2] = {EulerBoundaryKind::outflow};
  bounded[4] = {EulerBoundaryKind::inflow, wind};
  cases.push_back({"bounded",
                   mesh,
                   {},
                   random_vectors(mesh.nodes.size(), 0.8, 3),
                   random_gas(mesh, gamma_of_air),
                   bounded,
                   {{4, given}},
                   {1, 3}});
  // Corners where the edge of the higher label comes first.
  cases.push_back(cases.front());
  cases.back().title = "edges in another order";
  std::reverse(cases.back().mesh.edges.begin(), cases.back().mesh.edges.end());
  std::reverse(cases.back().mesh.edge_labels.begin(), cases.back().mesh.edge_labels.end());
  auto const around = periodic_groups(mesh, {{1, 3}, {2, 4}});
  cases.push_back({"periodic",
                   mesh,
                   around,
                   random_vectors(mesh.nodes.size(), 0.8, 4, around),
                   random_gas(mesh, gamma_of_air, around),
                   {},
                   {},
                   {}});
  auto const strip = periodic_groups(mesh, {{1, 3}});
  cases.push_back({"strip",
                   mesh,
                   strip,
                   random_vectors(mesh.nodes.size(), 0.8, 5, strip),
                   random_gas(mesh, gamma_of_air, strip),
                   everywhere(mesh, {EulerBoundaryKind::wall}),
                   {},
                   {2, 4}});
  return cases;
}

TYPED_TEST(EulerMotionOn, MovingNodesEqualPlainLoops) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const none = device_number(this->space, 0);
  for (auto const& moving : moving_cases()) {
    auto const galerkin = moving.reference(moving.mesh, nullptr, 0).rate_of_change;
    for (double const dt : {0.0, 0.01}) {
      auto const expected = moving.reference(moving.mesh, &galerkin, dt);
      for (auto const& setup : every_setup()) {
        SCOPED_TRACE(moving.title + ", " + described(setup));
        EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, moving.mesh), setup, moving.group);
        rhs.set_boundary(this->space, moving.conditions);
        rhs.set_motion(this->space, places_on(this->space, moving.mesh.nodes), places_on(this->space, moving.velocity),
                       none);
        auto const rate = device_number(this->space, -1);
        auto const u = to_device<Exec, T>(this->space, moving.u);
        EulerField<Exec, T> const result("karman::test::result", u.extent(0));
        rhs.project(this->space, u);
        rhs.evaluate(this->space, u, dt > 0 ? device_number(this->space, dt) : DeviceNumber<Exec>(), result, rate);
        // Rounding of some hundred operations.
        EXPECT_LE(relative_difference(to_host(this->space, result), expected.rate_of_change), 1000 * this->epsilon);
        EXPECT_NEAR(to_host(this->space, rate), expected.largest_rate, 100 * this->epsilon * expected.largest_rate);
      }
    }
  }
}

TYPED_TEST(EulerMotionOn, StagesEqualTheirParts) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  double const dt = 0.02, factor = 1.0 / 3;
  for (auto const& moving : moving_cases()) {
    auto const half = at_places(moving.mesh, sum(moving.mesh.nodes, moving.velocity, dt / 2));
    auto const first = moving.reference(moving.mesh, nullptr, 0), galerkin = moving.reference(half, nullptr, 0);
    // project() divides by the masses at the start.
    Field4 projection = galerkin.rate_of_change;
    auto const owner = [&](std::size_t i) { return moving.group.empty() ? i : std::size_t(moving.group[i]); };
    for (std::size_t i = 0; i < projection.size(); ++i) {
      for (double& value : projection[i]) value *= galerkin.mass[owner(i)] / first.mass[owner(i)];
    }
    auto const change = moving.reference(half, &projection, dt);
    auto const base = random_gas(square(9), gamma_of_air, moving.group);
    Field4 expected = base;
    for (std::size_t i = 0; i < base.size(); ++i) {
      double const mass = first.mass[owner(i)];
      for (std::size_t c = 0; c < 4; ++c) {
        expected[i][c] = (mass * base[i][c] + factor * dt * change.sum[owner(i)][c]) /
                         (mass + factor * dt * change.mass_rate[owner(i)]);
      }
    }
    for (auto const& setup : every_setup()) {
      SCOPED_TRACE(moving.title + ", " + described(setup));
      EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, moving.mesh), setup, moving.group);
      rhs.set_boundary(this->space, moving.conditions);
      auto const step = device_number(this->space, dt);
      rhs.set_motion(this->space, places_on(this->space, moving.mesh.nodes), places_on(this->space, moving.velocity),
                     step);
      auto const u = to_device<Exec, T>(this->space, moving.u), start = to_device<Exec, T>(this->space, base);
      EulerField<Exec, T> const to("karman::test::to", u.extent(0));
      rhs.project(this->space, u);
      rhs.advance(this->space, start, u, factor, step, to);
      EXPECT_LE(relative_difference(to_host(this->space, to), expected), 300 * this->epsilon);
      rhs.advance(this->space, start, u, factor, step, start);
      EXPECT_LE(relative_difference(to_host(this->space, start), expected), 300 * this->epsilon) << "in place";
    }
  }
}

/// A conservative state, or its rate of change, in a frame of this velocity.
State4 in_frame(State4 const& u, std::array<double, 2> const& w) {
  return {u[0], u[1] - w[0] * u[0], u[2] - w[1] * u[0],
          u[3] - w[0] * u[1] - w[1] * u[2] + 0.5 * (w[0] * w[0] + w[1] * w[1]) * u[0]};
}

/// A mesh that moves as a whole is one at rest in its own frame. Not with inlet: its total conditions belong to a
/// frame.
TYPED_TEST(EulerMotionOn, RigidMotionsAreMovingFrames) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  std::array<double, 2> const w{0.6, -0.4};
  auto const mesh = shuffled(square(12));
  auto const u = random_gas(mesh, gamma_of_air);
  Field4 seen;
  for (auto const& state : u) seen.push_back(in_frame(state, w));
  auto const none = device_number(this->space, 0);
  for (auto const kind : {EulerBoundaryKind::wall, EulerBoundaryKind::far_field, EulerBoundaryKind::inflow,
                          EulerBoundaryKind::outflow, EulerBoundaryKind::outlet}) {
    for (auto const& setup : every_setup()) {
      SCOPED_TRACE(std::string(name(kind)) + ", " + described(setup));
      auto const rate_of = [&](Field4 const& from, std::array<double, 2> const& velocity, bool moving) {
        EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
        rhs.set_boundary(this->space, everywhere(mesh, {kind, {0.8, velocity, 1.1}}));
        if (moving) {
          rhs.set_motion(this->space, places_on(this->space, mesh.nodes),
                         places_on(this->space, Places(mesh.nodes.size(), w)), none);
        }
        auto const field = to_device<Exec, T>(this->space, from);
        EulerField<Exec, T> const result("karman::test::result", field.extent(0));
        rhs.project(this->space, field);
        rhs.evaluate(this->space, field, {}, result);
        return to_host(this->space, result);
      };
      auto found = rate_of(u, {0.2, 0.3}, true);
      for (auto& state : found) state = in_frame(state, w);
      EXPECT_LE(relative_difference(found, rate_of(seen, {0.2 - w[0], 0.3 - w[1]}, false)), 1000 * this->epsilon);
    }
  }
}

/// At rest at other points, also after a motion, the plan equals one of a mesh with these nodes.
TYPED_TEST(EulerMotionOn, NodesRestAtOtherPoints) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& moving : moving_cases()) {
    auto const shifts = random_vectors(moving.mesh.nodes.size(), 0.02, 8, moving.group);
    auto const shifted = at_places(moving.mesh, sum(moving.mesh.nodes, shifts));
    auto const galerkin =
        euler_reference(shifted, moving.u, nullptr, gamma_of_air, 1, 0, moving.group, moving.inflow, moving.walls)
            .rate_of_change;
    auto const expected =
        euler_reference(shifted, moving.u, &galerkin, gamma_of_air, 1, 0, moving.group, moving.inflow, moving.walls)
            .rate_of_change;
    for (auto const& setup : every_setup()) {
      SCOPED_TRACE(moving.title + ", " + described(setup));
      EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, moving.mesh), setup, moving.group);
      rhs.set_boundary(this->space, moving.conditions);
      auto const u = to_device<Exec, T>(this->space, moving.u);
      EulerField<Exec, T> const result("karman::test::result", u.extent(0));
      rhs.set_motion(this->space, places_on(this->space, moving.mesh.nodes), places_on(this->space, moving.velocity),
                     device_number(this->space, 0.01));
      rhs.set_points(this->space, places_on(this->space, shifted.nodes));
      rhs.project(this->space, u);
      rhs.evaluate(this->space, u, {}, result);
      EXPECT_LE(relative_difference(to_host(this->space, result), expected), 1000 * this->epsilon);
    }
  }
}

/// Largest |u - state|, relative to the variable; the momenta relative to the larger one.
double departure(Field4 const& u, State4 const& state) {
  double worst = 0;
  for (auto const& node : u) {
    for (std::size_t c = 0; c < 4; ++c) {
      double const size = c == 1 || c == 2 ? std::hypot(state[1], state[2]) : state[c];
      double const here = std::abs(node[c] - state[c]) / size;
      worst = here <= worst ? worst : here;
    }
  }
  return worst;
}

TYPED_TEST(EulerMotionOn, UniformFlowStaysUniform) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  EulerState const wind{1.3, {0.7, -0.2}, 0.8};
  auto const state = conservative_state(gamma_of_air, wind);
  int const steps = 20;
  double const step = 0.004;
  struct Case {
    MeshData mesh;
    std::vector<int> group;
    EulerBoundaryKind kind;
    double size;
  };
  std::vector<Case> cases;
  for (auto const kind : {EulerBoundaryKind::far_field, EulerBoundaryKind::inflow, EulerBoundaryKind::outflow,
                          EulerBoundaryKind::outlet, EulerBoundaryKind::wall}) {
    cases.push_back({shuffled(mesh_disc({.size = 0.15})), {}, kind, 0.03});
  }
  auto const box = square(10);
  cases.push_back({box, periodic_groups(box, {{1, 3}, {2, 4}}), EulerBoundaryKind::wall, 0.03});
  cases.push_back({box, periodic_groups(box, {{1, 3}}), EulerBoundaryKind::far_field, 0.03});
  for (auto const& one : cases) {
    bool const walled = one.kind == EulerBoundaryKind::wall;
    std::set<int> boundary;
    for (auto const& edge : one.mesh.edges) boundary.insert(edge.begin(), edge.end());
    for (auto const& setup : every_setup()) {
      SCOPED_TRACE(std::string(name(one.kind)) + (one.group.empty() ? ", " : ", groups, ") + described(setup));
      EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, one.mesh), setup, one.group);
      rhs.set_boundary(this->space, everywhere(one.mesh, {one.kind, wind}));
      // Every node runs about its first place; a wall follows the wind.
      unsigned seed = 0;
      PathOfNodes const path = [&](double time) {
        auto shifts = random_vectors(one.mesh.nodes.size(), one.size, ++seed, one.group);
        for (std::size_t i = 0; walled && i < shifts.size(); ++i) {
          bool const in_wall = one.group.empty() && boundary.contains(int(i));
          for (std::size_t axis = 0; axis < 2; ++axis) {
            shifts[i][axis] = (in_wall ? 0 : shifts[i][axis]) + time * wind.velocity[axis];
          }
        }
        return sum(one.mesh.nodes, shifts);
      };
      auto const moved =
          march_moving(this->space, rhs, path, Field4(one.mesh.nodes.size(), state), steps * step, 0, step);
      EXPECT_EQ(moved.steps, steps);
      // Rounding of fluxes through sides that run up to fifteen times as fast as the wind, over four stages a step.
      EXPECT_LE(departure(moved.u, state), 10 * steps * this->epsilon);
    }
  }
}

TYPED_TEST(EulerMotionOn, PeriodicDomainsConserve) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(12);
  auto const group = periodic_groups(mesh, {{1, 3}, {2, 4}});
  auto const start = random_gas(mesh, gamma_of_air, group);
  auto const before = total(mesh, start);
  int const steps = 10;
  double const step = 0.002;
  for (auto const& setup : every_setup()) {
    SCOPED_TRACE(described(setup));
    EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup, group);
    unsigned seed = 0;
    PathOfNodes const path = [&](double time) {
      return sum(mesh.nodes, random_vectors(mesh.nodes.size(), time > 0 ? 0.02 : 0, ++seed, group));
    };
    auto const moved = march_moving(this->space, rhs, path, start, steps * step, 0, step);
    EXPECT_GE(relative_difference(moved.u, start), 0.1);
    auto const after = total(at_places(mesh, moved.places), moved.u);
    // Values of a few units; each step rounds them once.
    for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(after[c], before[c], 2 * steps * this->epsilon) << c;
  }
}

/// Moving walls: mass stays, and one stage changes the energy by the work of the pressure.
TYPED_TEST(EulerMotionOn, WallsDoWork) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = shuffled(mesh_disc({.size = 0.2}));
  auto const u = random_gas(mesh, gamma_of_air);
  auto const velocity = random_vectors(mesh.nodes.size(), 1, 7);
  double const dt = 0.01;
  auto const half = at_places(mesh, sum(mesh.nodes, velocity, dt / 2));
  auto const end = at_places(mesh, sum(mesh.nodes, velocity, dt));
  double work = 0, force[2] = {0, 0};
  for (auto const& [first, second] : mesh.edges) {
    auto const &p = half.nodes[std::size_t(first)], &q = half.nodes[std::size_t(second)];
    double const nx = 0.5 * (q[1] - p[1]), ny = -0.5 * (q[0] - p[0]);
    for (int const node : {first, second}) {
      double const pressure = pressure_of(u[std::size_t(node)]);
      auto const& w = velocity[std::size_t(node)];
      work += pressure * (w[0] * nx + w[1] * ny);
      force[0] += pressure * nx;
      force[1] += pressure * ny;
    }
  }
  ASSERT_GT(std::abs(work), 0.01);
  auto const before = total(mesh, u);
  for (auto const& setup : every_setup()) {
    SCOPED_TRACE(described(setup));
    EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
    rhs.set_boundary(this->space, everywhere(mesh, {EulerBoundaryKind::wall}));
    auto const step = device_number(this->space, dt);
    rhs.set_motion(this->space, places_on(this->space, mesh.nodes), places_on(this->space, velocity), step);
    auto const from = to_device<Exec, T>(this->space, u);
    EulerField<Exec, T> const to("karman::test::to", u.size());
    rhs.project(this->space, from);
    rhs.advance(this->space, from, from, 1, step, to);
    auto const after = total(end, to_host(this->space, to));
    // Sums of some hundred terms, the largest total that of the energy.
    double const allowed = 10 * this->epsilon * before[3];
    EXPECT_NEAR(after[0], before[0], allowed) << "mass";
    EXPECT_NEAR(after[1], before[1] - dt * force[0], allowed) << "momentum in x";
    EXPECT_NEAR(after[2], before[2] - dt * force[1], allowed) << "momentum in y";
    EXPECT_NEAR(after[3], before[3] - dt * work, allowed) << "energy";
  }
}

TYPED_TEST(EulerMotionOn, RepeatedRunsHaveTheSameBits) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = shuffled(square(30));
  auto const start = random_gas(mesh, gamma_of_air);
  for (auto const& setup : every_setup()) {
    if (setup.strategy == EulerStrategy::atomic) continue;
    SCOPED_TRACE(described(setup));
    Field4 results[2];
    for (auto& result : results) {
      EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
      rhs.set_boundary(this->space, everywhere(mesh, {EulerBoundaryKind::wall}));
      unsigned seed = 0;
      PathOfNodes const path = [&](double) {
        return sum(mesh.nodes, random_vectors(mesh.nodes.size(), 0.002, ++seed));
      };
      result = march_moving(this->space, rhs, path, start, 0.003, 0, 0.001).u;
    }
    EXPECT_EQ(results[0], results[1]);
  }
}

TYPED_TEST(EulerMotionOn, InvertedTrianglesGiveAnInfiniteRate) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(6);
  auto places = mesh.nodes;
  places[24] = places[26];
  places[24][0] += 0.01;
  for (auto const& setup : every_setup()) {
    SCOPED_TRACE(described(setup));
    EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
    rhs.set_boundary(this->space, everywhere(mesh, {EulerBoundaryKind::wall}));
    rhs.set_points(this->space, places_on(this->space, places));
    auto const u = to_device<Exec, T>(this->space, random_gas(mesh, gamma_of_air));
    EulerField<Exec, T> const result("karman::test::result", u.extent(0));
    auto const rate = device_number(this->space, 0);
    rhs.evaluate(this->space, u, {}, result, rate);
    EXPECT_EQ(to_host(this->space, rate), std::numeric_limits<double>::infinity());
  }
}

TYPED_TEST(EulerMotionOn, StepsLaunchKernelsAndDoNothingElse) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(20);
  auto const places = places_on(this->space, mesh.nodes);
  auto const velocity = places_on(this->space, random_vectors(mesh.nodes.size(), 0.1, 2));
  for (auto const& space : instances(this->space)) {
    for (auto const& setup : every_setup()) {
      SCOPED_TRACE(described(setup));
      EulerRhs<Exec, T> rhs(space, make_triangle_mesh(space, mesh), setup);
      rhs.set_boundary(space, everywhere(mesh, {EulerBoundaryKind::wall}));
      auto const u = to_device<Exec, T>(space, random_gas(mesh, gamma_of_air));
      EulerField<Exec, T> const to("karman::test::to", u.extent(0));
      auto const dt = device_number(space, 0.001), rate = device_number(space, 0);
      auto const run = [&] {
        rhs.set_motion(space, places, velocity, dt);
        rhs.project(space, u);
        rhs.advance(space, u, u, 0.5, dt, to, rate);
        rhs.set_points(space, places);
      };
      run();  // Kokkos makes scratch memory for the first teams
      expect_kernels_only(space, record(run), 6);
      space.fence();
    }
  }
}

TYPED_TEST(EulerMotionOn, AnnouncesItsMemory) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const data = square(30);
  auto const mesh = make_triangle_mesh(this->space, data);
  for (auto const& group : {std::vector<int>{}, periodic_groups(data, {{1, 3}})}) {
    for (auto const& setup : every_setup()) {
      SCOPED_TRACE(described(setup));
      std::unique_ptr<EulerRhs<Exec, T>> rhs;
      auto const found = allocated_bytes<Exec>([&] {
        rhs = std::make_unique<EulerRhs<Exec, T>>(this->space, mesh, setup, group);
        rhs->set_boundary(this->space, everywhere(data, {EulerBoundaryKind::wall}));
      });
      std::int64_t const beyond = found.beyond(rhs->workspace_bytes());
      EXPECT_GE(beyond, 0);
      EXPECT_LE(beyond, 7 * found.views);
    }
  }
}

TYPED_TEST(EulerMotionOn, WrongInputIsRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const data = square(3);
  auto const mesh = make_triangle_mesh(this->space, data);
  auto const places = places_on(this->space, data.nodes);
  auto const few = places_on(this->space, Places(9));
  auto const dt = device_number(this->space, 0.1);
  EulerRhs<Exec, T> at_rest(this->space, mesh), rhs(this->space, mesh, {.moving = true});
  EXPECT_FALSE(at_rest.may_move());
  EXPECT_TRUE(rhs.may_move());
  EXPECT_THROW(at_rest.set_motion(this->space, places, places, dt), std::invalid_argument);
  EXPECT_THROW(at_rest.set_points(this->space, places), std::invalid_argument);
  EXPECT_THROW(rhs.set_motion(this->space, few, places, dt), std::invalid_argument);
  EXPECT_THROW(rhs.set_motion(this->space, places, few, dt), std::invalid_argument);
  EXPECT_THROW(rhs.set_motion(this->space, places, {}, dt), std::invalid_argument);
  EXPECT_THROW(rhs.set_motion(this->space, places, places, {}), std::invalid_argument);
  EXPECT_THROW(rhs.set_points(this->space, few), std::invalid_argument);
  EXPECT_THROW(rhs.set_points(this->space, rhs.points()), std::invalid_argument);
}

template <class Parameter>
class EulerMovingFlowOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;
};
TYPED_TEST_SUITE(EulerMovingFlowOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

/// A wave of density carried by a uniform flow, on a mesh that swings by a tenth of its side.
template <class Exec>
double wave_error(Exec const& space, int n) {
  auto const mesh =
      mesh_rectangle({.low = {-1, -1}, .high = {1, 1}, .size = 2.0 / n, .diagonals = DiagonalPattern::right});
  using std::numbers::pi;
  auto const density = [](double x, double y) { return 1 + 0.2 * std::sin(pi * (x + y)); };
  Field4 start;
  for (auto const& [x, y] : mesh.nodes) start.push_back(air(density(x, y), 0.7, 0.3, 1));
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh), {.moving = true},
                             periodic_groups(mesh, {{1, 3}, {2, 4}}));
  PathOfNodes const path = [&](double time) {
    auto places = mesh.nodes;
    for (auto& [x, y] : places) {
      double const swing = 0.1 * std::sin(2 * pi * time) * std::sin(pi * x) * std::sin(pi * y);
      x += swing;
      y -= swing;
    }
    return places;
  };
  // An end of the swing: the mesh is not that of the start.
  auto const end = march_moving(space, rhs, path, start, 1.75, 0.6, 0.01 / n);
  double error = 0;
  for (std::size_t i = 0; i < end.u.size(); ++i) {
    auto const [x, y] = end.places[i];
    error += std::abs(end.u[i][0] - density(x - 0.7 * 1.75, y - 0.3 * 1.75));
  }
  return error / static_cast<double>(end.u.size());
}

TYPED_TEST(EulerMovingFlowOn, SmoothFlowIsOfSecondOrder) {
  double const coarse = wave_error(this->space, 24), fine = wave_error(this->space, 48);
  EXPECT_GE(std::log2(coarse / fine), 1.9) << coarse << ", " << fine;
  EXPECT_LE(fine, 0.01);
}

/// A density wave that the mesh follows stays unchanged except for sound.
TYPED_TEST(EulerMovingFlowOn, NodesThatFollowTheGasCarryItsDensity) {
  using Exec = typename TestFixture::Exec;
  int const n = 24;
  auto const mesh = square(n);
  Field4 start;
  for (auto const& [x, y] : mesh.nodes) {
    start.push_back(air(1 + 0.2 * std::sin(2 * std::numbers::pi * (x + y)), 0.7, 0.3, 1));
  }
  EulerRhs<Exec, double> rhs(this->space, make_triangle_mesh(this->space, mesh), {.moving = true},
                             periodic_groups(mesh, {{1, 3}, {2, 4}}));
  PathOfNodes const path = [&](double time) {
    auto places = mesh.nodes;
    for (auto& [x, y] : places) {
      x += 0.7 * time;
      y += 0.3 * time;
    }
    return places;
  };
  auto const moved = march_moving(this->space, rhs, path, start, 1, 0.6, 0.001);
  double at_rest = 0, worst = 0;
  EulerRhs<Exec, double> fixed(this->space, make_triangle_mesh(this->space, mesh), {},
                               periodic_groups(mesh, {{1, 3}, {2, 4}}));
  auto const still = march(this->space, fixed, start, 1, 0.6);
  for (std::size_t i = 0; i < start.size(); ++i) {
    worst = std::max(worst, std::abs(moved.u[i][0] - start[i][0]));
    at_rest = std::max(at_rest, std::abs(still[i][0] - start[i][0]));
  }
  EXPECT_LE(worst, 0.5 * at_rest) << worst << ", " << at_rest;
}

/// Deviations from a state between two places of a tube.
struct Section {
  double density = 0, velocity = 0, pressure = 0;  ///< largest ones, relative; velocities to the given one
  int nodes = 0;
};

Section section(Moved const& moved, double low, double high, double density, double velocity, double pressure) {
  Section s;
  for (std::size_t i = 0; i < moved.u.size(); ++i) {
    if (moved.places[i][0] < low || moved.places[i][0] > high) continue;
    auto const& u = moved.u[i];
    ++s.nodes;
    s.density = std::max(s.density, std::abs(u[0] / density - 1));
    s.velocity = std::max(s.velocity, std::abs(u[1] / u[0] / velocity - 1));
    s.pressure = std::max(s.pressure, std::abs(pressure_of(u) / pressure - 1));
  }
  return s;
}

template <class Exec>
Moved move_piston(Exec const& space, Piston const& piston, double end) {
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, piston.mesh), {.moving = true}, piston.group);
  rhs.set_boundary(space, {{2, {}}, {4, {}}});
  PathOfNodes const path = [&](double time) { return piston.places(time); };
  return march_moving(space, rhs, path, piston.start(), end, 0.6, 1e-4);
}

/// Pistons at half the speed of sound and at twice that speed drive a shock into gas at rest.
TYPED_TEST(EulerMovingFlowOn, PistonDrivesTheShockOfTheRelations) {
  int const n = 200;
  for (auto const& [speed, end] : {std::pair{0.5, 0.5}, {2.0, 0.2}}) {
    SCOPED_TRACE(speed);
    auto const moved = move_piston(this->space, Piston(speed, n), end);
    // Normal shock relations: Mach number of a shock behind which the gas has the speed of the piston.
    double const half = 0.6 * speed, mach = half + std::sqrt(1 + half * half);
    double const density = 2.4 * mach * mach / (0.4 * mach * mach + 2);
    double const pressure = (2.8 * mach * mach - 0.4) / 2.4 / 1.4;
    double const front = mach * end, face = speed * end;
    // Waves of a few triangles follow the front. The start leaves an error of the density at the piston.
    double const between = front - face;
    auto const behind = section(moved, face, front - 0.35 * between, density, speed, pressure);
    EXPECT_GT(behind.nodes, 100);
    EXPECT_LE(behind.pressure, 0.01);
    EXPECT_LE(behind.velocity, 0.01);
    EXPECT_LE(section(moved, face + 0.1 * between, front - 0.35 * between, density, speed, pressure).density, 0.01);
    for (std::size_t i = 0; i < moved.u.size(); ++i) {
      double const p = pressure_of(moved.u[i]), x = moved.places[i][0];
      if (x > front + 4.0 / n) {
        EXPECT_NEAR(p, 1 / 1.4, 0.01) << "ahead of the front";
      } else if (x < front - 2.0 / n) {
        EXPECT_GT(p, 0.5 * (pressure + 1 / 1.4)) << "behind the front";
      }
    }
  }
}

/// Mean error of the density in the expansion fan of a piston that is withdrawn at half the speed of sound.
template <class Exec>
double fan_error(Exec const& space, int n, double& at_piston) {
  Piston const piston(-0.5, n);
  double const end = 0.5;
  auto const moved = move_piston(space, piston, end);
  double error = 0;
  for (std::size_t i = 0; i < moved.u.size(); ++i) {
    // x / t = v + c, c = 1 + 0.2 v, until v is that of the piston.
    double const v = std::min(0.0, std::max(piston.speed, (moved.places[i][0] / end - 1) / 1.2));
    error += std::abs(moved.u[i][0] - std::pow(1 + 0.2 * v, 5));
  }
  auto const next = section(moved, -0.25, 0, std::pow(0.9, 5), piston.speed, std::pow(0.9, 7) / 1.4);
  at_piston = std::max(next.pressure, next.velocity);
  return error / static_cast<double>(moved.u.size());
}

TYPED_TEST(EulerMovingFlowOn, WithdrawnPistonLeavesAnExpansionFan) {
  double at_piston = 1, unused = 1;
  double const coarse = fan_error(this->space, 100, unused), fine = fan_error(this->space, 200, at_piston);
  EXPECT_LE(at_piston, 0.01);
  EXPECT_LE(fine, 0.0035);
  EXPECT_GE(std::log2(coarse / fine), 0.7) << coarse << ", " << fine;
}

/// Places of a Piston at a time in device memory.
template <class Exec>
struct PistonPlaces {
  typename NodeMotion<Exec>::ConstPoints first, points;
  typename NodeMotion<Exec>::Points velocity;
  DeviceNumber<Exec> time, dt;
  double speed;

  KOKKOS_FUNCTION void operator()(int node) const {
    double const x = first(node, 0) + (1 - first(node, 0)) * speed * (time() + dt());
    velocity(node, 0) = dt() > 0 ? (x - points(node, 0)) / dt() : 0;
    velocity(node, 1) = 0;
  }
};

template <class Exec>
class PistonMotion final : public NodeMotion<Exec> {
 public:
  PistonMotion(Exec const& space, Piston const& piston)
      : first_(places_on(space, piston.mesh.nodes)), speed_(piston.speed) {}

  void choose(Exec const& space, DeviceNumber<Exec> const& time, DeviceNumber<Exec> const& dt,
              typename NodeMotion<Exec>::ConstPoints const& points,
              typename NodeMotion<Exec>::Points const& velocity) override {
    Kokkos::parallel_for("karman::test::piston", Kokkos::RangePolicy<Exec>(space, 0, points.extent(0)),
                         PistonPlaces<Exec>{first_, points, velocity, time, dt, speed_});
  }

 private:
  DevicePlaces<Exec> first_;
  double speed_;
};

TYPED_TEST(EulerMovingFlowOn, TimeIntegratorMovesTheMesh) {
  using Exec = typename TestFixture::Exec;
  Piston const piston(0.5, 50);
  EulerRhs<Exec, double> rhs(this->space, make_triangle_mesh(this->space, piston.mesh), {.moving = true}, piston.group);
  rhs.set_boundary(this->space, {{2, {}}, {4, {}}});
  auto const marched =
      march_moving(this->space, rhs, [&](double time) { return piston.places(time); }, piston.start(), 0.5, 0.5, 1e-3);
  rhs.set_points(this->space, places_on(this->space, piston.mesh.nodes));
  PistonMotion<Exec> motion(this->space, piston);
  EulerDerivative<Exec, double> derivative(this->space, rhs, motion);
  auto const u = karman::test::to_device<Exec, double>(this->space, piston.start());
  Vector<Exec, double> const unknowns(u.data(), u.size());
  TimeIntegrator<Exec, double> integrator(this->space, derivative.size());
  integrator.start(this->space, derivative, unknowns, 0, {.cfl = 0.5, .growth = 1e9, .dt_first = 1e-3});
  auto const report = integrator.run_to(this->space, derivative, unknowns, 0.5);
  EXPECT_TRUE(report.finished) << report.breakdown;
  // The steps are the same except for the last two.
  auto const end = karman::test::to_host(this->space, u);
  for (std::size_t i = 0; i < end.size(); ++i) {
    EXPECT_NEAR(end[i][0], marched.u[i][0], 1e-3);
    EXPECT_NEAR(end[i][3], marched.u[i][3], 1e-3);
  }
  auto const places = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), derivative.points());
  auto const expected = piston.places(0.5);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(places(i, 0), expected[i][0], 1e-13);
  EXPECT_NEAR(total(at_places(piston.mesh, expected), end)[0], 4.0 / 50, 1e-14);
}

/// A derivative takes other points, without an allocation, and marches as a new one there.
TYPED_TEST(EulerMovingFlowOn, DerivativesBeginAnewAtOtherPoints) {
  using Exec = typename TestFixture::Exec;
  Piston const piston(0.5, 20);
  auto const mesh = make_triangle_mesh(this->space, piston.mesh);
  PistonMotion<Exec> motion(this->space, piston);
  auto const later = places_on(this->space, piston.places(0.25));
  auto const run = [&](EulerDerivative<Exec, double>& derivative) {
    auto const u = karman::test::to_device<Exec, double>(this->space, piston.start());
    Vector<Exec, double> const unknowns(u.data(), u.size());
    TimeIntegrator<Exec, double> integrator(this->space, derivative.size());
    integrator.start(this->space, derivative, unknowns, 0.25, {.dt_max = 1e-3});
    integrator.run_to(this->space, derivative, unknowns, 0.3);
    return karman::test::to_host(this->space, u);
  };
  EulerRhs<Exec, double> rhs(this->space, mesh, {.moving = true}, piston.group);
  rhs.set_boundary(this->space, {{2, {}}, {4, {}}});
  rhs.set_points(this->space, later);
  EulerDerivative<Exec, double> fresh(this->space, rhs, motion);
  auto const expected = run(fresh);
  rhs.set_points(this->space, places_on(this->space, piston.mesh.nodes));
  EulerDerivative<Exec, double> derivative(this->space, rhs, motion);
  EXPECT_NE(run(derivative), expected) << "begins at the first points";
  auto const anew = [&] { derivative.set_points(this->space, later); };
  for (auto const& event : record(anew)) EXPECT_NE(event.kind, RecordedEvent::Kind::allocation) << event.label;
  EXPECT_EQ(run(derivative), expected);
  EulerDerivative<Exec, double> at_rest(this->space, rhs);
  EXPECT_THROW(at_rest.set_points(this->space, later), std::invalid_argument);
  EXPECT_THROW(derivative.set_points(this->space, places_on(this->space, Places(3))), std::invalid_argument);
}

TYPED_TEST(EulerMovingFlowOn, OtherMethodsRefuseAMotion) {
  using Exec = typename TestFixture::Exec;
  Piston const piston(0.5, 10);
  auto const mesh = make_triangle_mesh(this->space, piston.mesh);
  PistonMotion<Exec> motion(this->space, piston);
  EulerRhs<Exec, double> at_rest(this->space, mesh);
  EXPECT_THROW((EulerDerivative<Exec, double>(this->space, at_rest, motion)), std::invalid_argument);
  EulerRhs<Exec, double> rhs(this->space, mesh, {.moving = true}, piston.group);
  rhs.set_boundary(this->space, {{2, {}}, {4, {}}});
  for (auto const method :
       {TimeMethod::euler, TimeMethod::ssp_rk3, TimeMethod::low_storage_rk54, TimeMethod::adams_bashforth4}) {
    SCOPED_TRACE(name(method));
    EulerDerivative<Exec, double> derivative(this->space, rhs, motion);
    auto const u = karman::test::to_device<Exec, double>(this->space, piston.start());
    Vector<Exec, double> const unknowns(u.data(), u.size());
    TimeIntegrator<Exec, double> integrator(this->space, derivative.size(), {.method = method});
    integrator.start(this->space, derivative, unknowns, 0, {});
    EXPECT_THROW(integrator.step(this->space, derivative, unknowns), std::invalid_argument);
    this->space.fence();
    rhs.set_points(this->space, places_on(this->space, piston.mesh.nodes));
  }
}

}  // namespace euler_motion_test
