// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Displacements inside of meshes whose boundary moves, their quality, and motions of rigid bodies.
#include "backends.hpp"
#include "core/mesh/sample_meshes.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/mesh/flow_mesh_generators.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/periodic_nodes.hpp>
#include <karman/mesh/polygon_mesh.hpp>
#include <karman/solvers/mesh_motion/mesh_motion.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mesh_motion_test {

using namespace karman;
using namespace karman::test;

using Places = std::vector<std::array<double, 2>>;

template <class Exec>
NodeVectors<Exec> to_device(Exec const& space, Places const& places) {
  return device_copy(space, places, "karman::test::places");
}

template <class Exec>
Places to_host(Exec const& space, ConstNodeVectors<Exec> const& view) {
  return host_copy<std::array<double, 2>>(space, view);
}

std::set<int> rim_of(MeshData const& mesh, int label = 0) {
  std::set<int> rim;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    if (label == 0 || mesh.edge_labels[e] == label) rim.insert(mesh.edges[e].begin(), mesh.edges[e].end());
  }
  return rim;
}

/// Displacements of the nodes of one boundary that turns about the origin; 0 elsewhere.
Places turned(MeshData const& mesh, int label, double angle) {
  Places given(mesh.nodes.size(), {0, 0});
  for (int const node : rim_of(mesh, label)) {
    auto const [x, y] = mesh.nodes[std::size_t(node)];
    given[std::size_t(node)] = {x * std::cos(angle) - y * std::sin(angle) - x,
                                x * std::sin(angle) + y * std::cos(angle) - y};
  }
  return given;
}

template <class Parameter>
class MeshMotionOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;
};
TYPED_TEST_SUITE(MeshMotionOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

constexpr MotionWeight every_weight[] = {MotionWeight::area, MotionWeight::inverse_area, MotionWeight::quality};

/// Stiffness of a triangle, from the gradients of its shape functions.
double entry(MeshData const& mesh, std::array<int, 3> const& t, int i, int j, MotionWeight weight) {
  std::array<double, 2> p[3];
  for (std::size_t m = 0; m < 3; ++m) p[m] = mesh.nodes[std::size_t(t[m])];
  double const area = ((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1])) / 2;
  double squares = 0;
  std::array<double, 2> gradient[3];
  for (std::size_t m = 0; m < 3; ++m) {
    auto const &q = p[(m + 1) % 3], &r = p[(m + 2) % 3];
    gradient[m] = {(q[1] - r[1]) / (2 * area), (r[0] - q[0]) / (2 * area)};
    squares += (q[0] - r[0]) * (q[0] - r[0]) + (q[1] - r[1]) * (q[1] - r[1]);
  }
  double const mu = 4 * std::sqrt(3.0) * area / squares;
  double const kappa = weight == MotionWeight::area           ? 1
                       : weight == MotionWeight::inverse_area ? 1 / area
                                                              : 1 / (area * mu * mu);
  return area * kappa * (gradient[i][0] * gradient[j][0] + gradient[i][1] * gradient[j][1]);
}

TYPED_TEST(MeshMotionOn, MatrixIsTheWeightedLaplacian) {
  auto const mesh = shuffled(mesh_disc({.size = 0.2}));
  for (auto const weight : every_weight) {
    SCOPED_TRACE(name(weight));
    MeshMotion<typename TestFixture::Exec> motion(this->space, make_triangle_mesh(this->space, mesh), {weight});
    std::map<std::array<int, 2>, double> expected;
    for (auto const& t : mesh.triangles) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) expected[{t[std::size_t(i)], t[std::size_t(j)]}] += entry(mesh, t, i, j, weight);
      }
    }
    auto const matrix = motion.matrix();
    auto const offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix.graph.offsets);
    auto const columns = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix.graph.entries);
    auto const values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix.values);
    ASSERT_EQ(matrix.rows(), int(mesh.nodes.size()));
    std::map<std::array<int, 2>, double> found;
    double largest = 0;
    for (int i = 0; i < matrix.rows(); ++i) {
      double row = 0;
      for (int n = offsets(i); n < offsets(i + 1); ++n) {
        found[{i, columns(n)}] = values(n);
        row += values(n);
        largest = std::max(largest, std::abs(values(n)));
      }
      EXPECT_NEAR(row, 0, 1e-14 * largest) << "row " << i;
    }
    ASSERT_EQ(found.size(), expected.size());
    for (auto const& [place, value] : found) {
      EXPECT_NEAR(value, expected[place], 1e-13 * largest);
      EXPECT_NEAR(value, (found[{place[1], place[0]}]), 1e-14 * largest);
    }
  }
}

TYPED_TEST(MeshMotionOn, ConstantStiffnessReproducesLinearDisplacements) {
  auto const mesh = shuffled(mesh_disc({.size = 0.1}));
  Places linear;
  for (auto const& [x, y] : mesh.nodes) linear.push_back({0.3 + 0.2 * x - 0.1 * y, -0.1 + 0.15 * x + 0.25 * y});
  auto given = Places(mesh.nodes.size(), {1e9, 1e9});  // inner nodes are not read
  for (int const node : rim_of(mesh)) given[std::size_t(node)] = linear[std::size_t(node)];
  for (auto const weight : every_weight) {
    SCOPED_TRACE(name(weight));
    MeshMotion<typename TestFixture::Exec> motion(this->space, make_triangle_mesh(this->space, mesh), {weight});
    auto const report = motion.solve(this->space, to_device(this->space, given), {.tolerance = 1e-12});
    EXPECT_TRUE(report.converged());
    auto const points = to_host(this->space, motion.points());
    double worst = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        worst = std::max(worst, std::abs(points[i][axis] - mesh.nodes[i][axis] - linear[i][axis]));
      }
    }
    if (weight == MotionWeight::area) {
      EXPECT_LE(worst, 1e-10);  // the tolerance times the condition number, some hundreds
    } else {
      EXPECT_GE(worst, 1e-4);
      EXPECT_LE(worst, 0.1);
    }
    for (int const node : rim_of(mesh)) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        double const expected = mesh.nodes[std::size_t(node)][axis] + given[std::size_t(node)][axis];
        EXPECT_EQ(points[std::size_t(node)][axis], expected);
      }
    }
  }
}

/// The inner circle of a ring turns step by step.
TYPED_TEST(MeshMotionOn, TurningRingStaysValid) {
  auto const mesh = mesh_annulus({.inner_size = 0.04, .outer_size = 0.08});
  for (auto const weight : every_weight) {
    MeshMotion<typename TestFixture::Exec> motion(this->space, make_triangle_mesh(this->space, mesh), {weight});
    for (int step = 1; step <= 6; ++step) {
      SCOPED_TRACE(std::string(name(weight)) + ", step " + std::to_string(step));
      auto const given = turned(mesh, 1, step * std::numbers::pi / 36);
      ASSERT_TRUE(motion.solve(this->space, to_device(this->space, given)).converged());
      auto const state = motion.state(this->space, motion.points());
      EXPECT_TRUE(state.valid());
      EXPECT_GT(state.least_quality, 0.4);
    }
  }
}

/// An airfoil pitches; iterations on meshes of 1, 4 and 16 times as many triangles.
TYPED_TEST(MeshMotionOn, IterationsGrowWithTheNumberOfLayers) {
  for (auto const weight : every_weight) {
    int before = 0;
    for (int const finer : {1, 2, 4}) {
      auto const mesh = mesh_airfoil({.points = 48 * finer, .far_radius = 20, .growth = 1 + 0.2 / finer});
      MeshMotion<typename TestFixture::Exec> motion(this->space, make_triangle_mesh(this->space, mesh), {weight});
      int iterations[2];
      for (int step = 0; step < 2; ++step) {
        auto const given = turned(mesh, 1, 0.05 * (step + 1));
        auto const report = motion.solve(this->space, to_device(this->space, given), {.check_every = 1});
        ASSERT_TRUE(report.converged());
        iterations[step] = report.iterations();
      }
      auto const state = motion.state(this->space, motion.points());
      std::printf("[          ] %s: %zu triangles, %d and %d iterations, least quality %.3f, inverted %d\n",
                  std::string(name(weight)).c_str(), mesh.triangles.size(), iterations[0], iterations[1],
                  state.least_quality, int(state.inverted));
      // The plain Laplacian inverts triangles at the trailing edge.
      if (weight != MotionWeight::area) {
        EXPECT_GT(state.least_quality, 0.5);
      }
      // Half the size, twice the layers, twice the iterations.
      if (before > 0) {
        EXPECT_LE(iterations[0], 2.5 * before);
      }
      before = iterations[0];
      EXPECT_LE(iterations[1], 1.2 * iterations[0]);
    }
  }
}

/// Multigrid and the diagonal give one displacement; the iterations of multigrid hardly grow.
TYPED_TEST(MeshMotionOn, MultigridTakesFewIterations) {
  for (double const size : {0.05, 0.025}) {
    auto const mesh = shuffled(mesh_disc({.size = size}));
    auto given = Places(mesh.nodes.size(), {0, 0});
    for (int const node : rim_of(mesh)) {
      double const x = mesh.nodes[std::size_t(node)][0];
      given[std::size_t(node)] = {0.1 * x * x, -0.1 * x};
    }
    std::map<int, Places> found;
    std::map<int, int> iterations;
    for (int const from : {0, 1'000'000}) {
      MeshMotionSetup const setup{.multigrid_from = from};
      MeshMotion<typename TestFixture::Exec> motion(this->space, make_triangle_mesh(this->space, mesh), setup);
      auto const report =
          motion.solve(this->space, to_device(this->space, given), {.tolerance = 1e-11, .check_every = 1});
      EXPECT_TRUE(report.converged());
      iterations[from] = report.iterations();
      found[from] = to_host(this->space, motion.points());
    }
    EXPECT_LE(iterations[0], 60) << "size " << size;
    EXPECT_LT(2 * iterations[0], iterations[1'000'000]) << "size " << size;
    double worst = 0;
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
      for (std::size_t axis = 0; axis < 2; ++axis)
        worst = std::max(worst, std::abs(found[0][i][axis] - found[1'000'000][i][axis]));
    }
    EXPECT_LE(worst, 1e-8) << "size " << size;
  }
}

TYPED_TEST(MeshMotionOn, StartsFromTheLastDisplacement) {
  auto const mesh = mesh_annulus({.inner_size = 0.05, .outer_size = 0.05});
  MeshMotion<typename TestFixture::Exec> motion(this->space, make_triangle_mesh(this->space, mesh));
  auto const given = to_device(this->space, turned(mesh, 1, 0.2));
  auto const first = motion.solve(this->space, given);
  EXPECT_GT(first.iterations(), 20);
  EXPECT_LE(motion.solve(this->space, given).iterations(), 2);
  auto const none = motion.solve(this->space, to_device(this->space, Places(mesh.nodes.size(), {0, 0})));
  EXPECT_TRUE(none.converged());
  auto const back = to_host(this->space, motion.points());
  for (std::size_t i = 0; i < back.size(); ++i) {
    EXPECT_NEAR(back[i][0], mesh.nodes[i][0], 1e-6);
    EXPECT_NEAR(back[i][1], mesh.nodes[i][1], 1e-6);
  }
}

/// Steps of ten degrees with a new reference each time equal a plan of the deformed mesh.
TYPED_TEST(MeshMotionOn, TakesANewReference) {
  auto const mesh = mesh_annulus({.inner_size = 0.1, .outer_size = 0.1});
  auto const given = turned(mesh, 1, 0.2);
  MeshMotion<typename TestFixture::Exec> motion(this->space, make_triangle_mesh(this->space, mesh));
  motion.solve(this->space, to_device(this->space, given), {.tolerance = 1e-12});
  auto deformed = mesh;
  deformed.nodes = to_host(this->space, motion.points());
  motion.set_reference(this->space, motion.points());
  EXPECT_EQ(to_host(this->space, motion.reference()), deformed.nodes);
  EXPECT_EQ(to_host(this->space, motion.points()), deformed.nodes);
  MeshMotion<typename TestFixture::Exec> other(this->space, make_triangle_mesh(this->space, deformed));
  auto const next = to_device(this->space, turned(deformed, 1, 0.2));
  motion.solve(this->space, next, {.tolerance = 1e-12});
  other.solve(this->space, next, {.tolerance = 1e-12});
  auto const a = to_host(this->space, motion.points()), b = to_host(this->space, other.points());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i][0], b[i][0], 1e-9);
    EXPECT_NEAR(a[i][1], b[i][1], 1e-9);
  }
}

/// Only marked nodes are given: the others of the boundary move freely.
TYPED_TEST(MeshMotionOn, OtherNodesAreFree) {
  using Exec = typename TestFixture::Exec;
  auto const data = mesh_annulus({.inner_size = 0.1, .outer_size = 0.1});
  auto const mesh = make_triangle_mesh(this->space, data);
  MeshMotion<Exec> motion(this->space, mesh, {MotionWeight::area}, nodes_with_labels(this->space, mesh, {1}));
  Places const given(data.nodes.size(), {0.25, -0.5});
  EXPECT_TRUE(motion.solve(this->space, to_device(this->space, given), {.tolerance = 1e-12}).converged());
  auto const points = to_host(this->space, motion.points());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(points[i][0], data.nodes[i][0] + 0.25, 1e-9);
    EXPECT_NEAR(points[i][1], data.nodes[i][1] - 0.5, 1e-9);
  }
}

TYPED_TEST(MeshMotionOn, StateFindsInvertedTriangles) {
  auto const data = shuffled(mesh_disc({.size = 0.1}));
  MeshMotion<typename TestFixture::Exec> motion(this->space, make_triangle_mesh(this->space, data));
  auto places = data.nodes;
  auto const expected = [&] {
    MeshState state;
    for (auto const& t : data.triangles) {
      std::array<double, 2> p[3];
      for (std::size_t m = 0; m < 3; ++m) p[m] = places[std::size_t(t[m])];
      double const area = ((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1])) / 2;
      double squares = 0;
      for (std::size_t m = 0; m < 3; ++m) {
        squares += std::pow(p[m][0] - p[(m + 1) % 3][0], 2) + std::pow(p[m][1] - p[(m + 1) % 3][1], 2);
      }
      state.least_quality = std::min(state.least_quality, 4 * std::sqrt(3.0) * area / squares);
      state.least_area = std::min(state.least_area, area);
      if (!(area > 0)) ++state.inverted;
    }
    return state;
  };
  for (double const shift : {0.0, 0.02, 0.4}) {
    std::set<int> const rim = rim_of(data);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!rim.contains(int(i))) places[i] = {data.nodes[i][0] + shift, data.nodes[i][1]};
    }
    auto const found = motion.state(this->space, to_device(this->space, places)), wanted = expected();
    EXPECT_EQ(found.inverted, wanted.inverted);
    EXPECT_EQ(found.valid(), wanted.inverted == 0);
    EXPECT_NEAR(found.least_area, wanted.least_area, 1e-14);
    EXPECT_NEAR(found.least_quality, wanted.least_quality, 1e-13);
    if (shift == 0.4) {
      EXPECT_GT(found.inverted, 0);
    }
  }
  places[7][0] = std::numeric_limits<double>::quiet_NaN();
  auto const found = motion.state(this->space, to_device(this->space, places));
  EXPECT_FALSE(found.valid());
  EXPECT_TRUE(std::isnan(found.least_area));
}

TYPED_TEST(MeshMotionOn, SolvesAllocateNothing) {
  using Kind = RecordedEvent::Kind;
  auto const mesh = mesh_annulus({.inner_size = 0.1, .outer_size = 0.1});
  auto const given = to_device(this->space, turned(mesh, 1, 0.1));
  for (auto const& space : instances(this->space)) {
    MeshMotion<typename TestFixture::Exec> motion(space, make_triangle_mesh(space, mesh));
    motion.solve(space, given);
    auto const run = [&] {
      motion.solve(space, given);
      motion.state(space, motion.points());
      motion.set_reference(space, motion.points());
      motion.solve(space, given);
    };
    int kernels = 0;
    for (auto const& event : record(run)) {
      EXPECT_NE(event.kind, Kind::allocation) << event.label;
      if (event.kind != Kind::kernel) continue;
      ++kernels;
      EXPECT_TRUE(is_ours(event.label)) << event.label;
      EXPECT_EQ(event.device, Kokkos::Tools::Experimental::device_id(space)) << event.label;
    }
    EXPECT_GE(kernels, 20);
    space.fence();
  }
}

TYPED_TEST(MeshMotionOn, WrongInputIsRefused) {
  using Exec = typename TestFixture::Exec;
  auto const data = mesh_annulus({.inner_size = 0.2, .outer_size = 0.2});
  auto const mesh = make_triangle_mesh(this->space, data);
  auto const few = to_device(this->space, Places(3));
  auto const places = to_device(this->space, data.nodes);
  EXPECT_THROW(MeshMotion<Exec>(this->space, mesh, {}, FixedNodes<Exec>("karman::test::marks", 3)),
               std::invalid_argument);
  MeshMotion<Exec> motion(this->space, mesh);
  EXPECT_THROW(motion.solve(this->space, few), std::invalid_argument);
  EXPECT_THROW(motion.solve(this->space, places, {.tolerance = -1}), std::invalid_argument);
  EXPECT_THROW(motion.state(this->space, few), std::invalid_argument);
  EXPECT_THROW(motion.set_reference(this->space, few), std::invalid_argument);
  EXPECT_THROW(RigidBodyMotion<Exec>(this->space, mesh, {99}), std::invalid_argument);
  RigidBodyMotion<Exec> const body(this->space, mesh, {1});
  typename RigidBodyMotion<Exec>::Pose const pose("karman::test::pose");
  EXPECT_THROW(body.place(this->space, pose, few), std::invalid_argument);
  EXPECT_THROW(body.velocities(this->space, pose, DeviceNumber<Exec>("karman::test::dt"), few, places),
               std::invalid_argument);
  EXPECT_THROW(body.velocities(this->space, pose, {}, places, places), std::invalid_argument);
}

template <class Exec>
typename RigidBodyMotion<Exec>::Pose pose_on(Exec const& space, RigidPose const& value) {
  typename RigidBodyMotion<Exec>::Pose const pose("karman::test::pose");
  auto const host = Kokkos::create_mirror_view(Kokkos::HostSpace(), pose);
  host() = value;
  Kokkos::deep_copy(space, pose, host);
  space.fence();
  return pose;
}

TYPED_TEST(MeshMotionOn, RigidBodyPitchesAndPlunges) {
  using Exec = typename TestFixture::Exec;
  auto const data = mesh_annulus({.inner_radius = 0.25, .inner_size = 0.03, .outer_size = 0.1});
  auto const mesh = make_triangle_mesh(this->space, data);
  RigidBodyMotion<Exec> const body(this->space, mesh, {1}, {.pivot = {0.1, 0.05}});
  MeshMotion<Exec> watch(this->space, mesh);
  NodeVectors<Exec> const points("karman::test::points", data.nodes.size());
  for (auto const& pose : {RigidPose{0, 0, 0}, RigidPose{0.5, 0, 0}, RigidPose{-0.5, 0.05, 0.1}}) {
    body.place(this->space, pose_on(this->space, pose), points);
    auto const places = to_host(this->space, ConstNodeVectors<Exec>(points));
    for (int const node : rim_of(data, 1)) {
      double const x = data.nodes[std::size_t(node)][0] - 0.1, y = data.nodes[std::size_t(node)][1] - 0.05;
      double const c = std::cos(pose.angle), s = std::sin(pose.angle);
      EXPECT_NEAR(places[std::size_t(node)][0], 0.1 + c * x - s * y + pose.shift_x, 1e-14);
      EXPECT_NEAR(places[std::size_t(node)][1], 0.05 + s * x + c * y + pose.shift_y, 1e-14);
    }
    for (int const node : rim_of(data, 2)) {
      EXPECT_NEAR(places[std::size_t(node)][0], data.nodes[std::size_t(node)][0], 1e-15);
      EXPECT_NEAR(places[std::size_t(node)][1], data.nodes[std::size_t(node)][1], 1e-15);
    }
    auto const state = watch.state(this->space, points);
    EXPECT_TRUE(state.valid());
    EXPECT_GT(state.least_quality, 0.3);
  }
  // Velocities that lead from the last pose to the first.
  NodeVectors<Exec> const velocity("karman::test::velocity", data.nodes.size());
  DeviceNumber<Exec> const dt("karman::test::dt");
  body.velocities(this->space, pose_on(this->space, {}), dt, points, velocity);
  for (auto const& w : to_host(this->space, ConstNodeVectors<Exec>(velocity))) EXPECT_EQ(w[0], 0);
  Kokkos::deep_copy(this->space, dt, 0.1);
  body.velocities(this->space, pose_on(this->space, {}), dt, points, velocity);
  auto const from = to_host(this->space, ConstNodeVectors<Exec>(points));
  auto const w = to_host(this->space, ConstNodeVectors<Exec>(velocity));
  for (std::size_t i = 0; i < w.size(); ++i) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      EXPECT_NEAR(from[i][axis] + 0.1 * w[i][axis], data.nodes[i][axis], 1e-14);
    }
  }
}

/// A unit square with sides 1 (south) to 4 (west) and a round hole of label 5.
MeshData square_with_hole() {
  Polygon polygon;
  polygon.outer = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {1, 2, 3, 4}};
  PolygonRing hole;
  hole.add_arc({0.5, 0.5}, 0.15, 0, -2 * std::numbers::pi, 0.05, 5);
  polygon.holes.push_back(hole);
  return mesh_polygon(polygon, {.size = 0.08});
}

TYPED_TEST(MeshMotionOn, PeriodicSidesShareTheirDisplacement) {
  auto const mesh = square_with_hole();
  auto const group = periodic_groups(mesh, {{1, 3}, {2, 4}});
  Places given(mesh.nodes.size(), {1e9, 1e9});  // other nodes are not read
  for (int const node : rim_of(mesh, 5)) {
    auto const [x, y] = mesh.nodes[std::size_t(node)];
    given[std::size_t(node)] = {0.03 * std::sin(9 * x), 0.04 * std::cos(7 * y)};
  }
  for (auto const weight : every_weight) {
    SCOPED_TRACE(name(weight));
    MeshMotion<typename TestFixture::Exec> motion(this->space, make_triangle_mesh(this->space, mesh), {weight}, {},
                                                  group);
    ASSERT_TRUE(motion.solve(this->space, to_device(this->space, given), {.tolerance = 1e-12}).converged());
    auto const points = to_host(this->space, motion.points());
    Places d = points;
    for (std::size_t i = 0; i < d.size(); ++i) {
      for (std::size_t axis = 0; axis < 2; ++axis) d[i][axis] -= mesh.nodes[i][axis];
    }
    // Equilibrium of each group, by plain loops.
    Places sum(d.size(), {0, 0});
    double largest = 0;
    for (auto const& t : mesh.triangles) {
      for (int i = 0; i < 3; ++i) {
        auto const to = std::size_t(group[std::size_t(t[std::size_t(i)])]);
        for (int j = 0; j < 3; ++j) {
          double const a = entry(mesh, t, i, j, weight);
          largest = std::max(largest, std::abs(a));
          for (std::size_t axis = 0; axis < 2; ++axis) sum[to][axis] += a * d[std::size_t(t[std::size_t(j)])][axis];
        }
      }
    }
    auto const body = rim_of(mesh, 5);
    double moved = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      auto const lowest = std::size_t(group[i]);
      for (std::size_t axis = 0; axis < 2; ++axis) {
        // Places are rounded once.
        EXPECT_NEAR(d[i][axis], d[lowest][axis], 4e-16);
        if (body.contains(int(i))) EXPECT_EQ(points[i][axis], mesh.nodes[i][axis] + given[i][axis]);
        else EXPECT_NEAR(sum[lowest][axis], 0, 1e-9 * 0.05 * largest);
      }
      if (lowest != i) moved = std::max(moved, std::hypot(d[i][0], d[i][1]));
    }
    EXPECT_GT(moved, 1e-4) << "the sides move";
  }
}

TYPED_TEST(MeshMotionOn, BodiesAmongPeriodicSidesStayRigid) {
  using Exec = typename TestFixture::Exec;
  auto const data = square_with_hole();
  auto const mesh = make_triangle_mesh(this->space, data);
  struct Sides {
    std::vector<std::array<int, 2>> pairs;
    std::vector<int> fixed;
  };
  for (auto const& [pairs, fixed] : {Sides{{{1, 3}}, {2, 4}}, Sides{{{1, 3}, {2, 4}}, {}}}) {
    auto const group = periodic_groups(data, pairs);
    RigidBodyMotion<Exec> const body(this->space, mesh, {5}, {.pivot = {0.5, 0.5}}, group);
    NodeVectors<Exec> const points("karman::test::points", data.nodes.size()),
        velocity = NodeVectors<Exec>("karman::test::velocity", data.nodes.size());
    RigidPose const pose{0.4, 0.05, -0.08};
    body.place(this->space, pose_on(this->space, pose), points);
    auto const places = to_host(this->space, ConstNodeVectors<Exec>(points));
    for (int const node : rim_of(data, 5)) {
      double const x = data.nodes[std::size_t(node)][0] - 0.5, y = data.nodes[std::size_t(node)][1] - 0.5;
      double const c = std::cos(pose.angle), s = std::sin(pose.angle);
      EXPECT_NEAR(places[std::size_t(node)][0], 0.5 + c * x - s * y + pose.shift_x, 1e-15);
      EXPECT_NEAR(places[std::size_t(node)][1], 0.5 + s * x + c * y + pose.shift_y, 1e-15);
    }
    for (int const label : fixed) {
      for (int const node : rim_of(data, label)) EXPECT_EQ(places[std::size_t(node)], data.nodes[std::size_t(node)]);
    }
    double moved = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      auto const lowest = std::size_t(group[i]);
      if (lowest == i) continue;
      for (std::size_t axis = 0; axis < 2; ++axis) {
        double const own = places[i][axis] - data.nodes[i][axis];
        EXPECT_NEAR(own, places[lowest][axis] - data.nodes[lowest][axis], 4e-16);
        moved = std::max(moved, std::abs(own));
      }
    }
    EXPECT_GT(moved, 0.005) << "the sides move";
    MeshMotion<Exec> watch(this->space, mesh);
    EXPECT_GT(watch.state(this->space, points).least_quality, 0.3);
    auto const dt = DeviceNumber<Exec>("karman::test::dt");
    Kokkos::deep_copy(this->space, dt, 0.3);
    body.velocities(this->space, pose_on(this->space, {-0.1, 0.02, 0.01}), dt, points, velocity);
    auto const w = to_host(this->space, ConstNodeVectors<Exec>(velocity));
    for (std::size_t i = 0; i < w.size(); ++i) EXPECT_EQ(w[i], w[std::size_t(group[i])]) << "to the bit";
  }
}

TYPED_TEST(MeshMotionOn, BodiesAtPeriodicSidesOnlyShift) {
  using Exec = typename TestFixture::Exec;
  auto const data = mesh_rectangle({.low = {0, 0}, .high = {1, 0.5}, .size = 0.1});
  auto const mesh = make_triangle_mesh(this->space, data);
  auto const group = periodic_groups(data, {{1, 3}});
  EXPECT_THROW(RigidBodyMotion<Exec>(this->space, mesh, {4}, {}, group), std::invalid_argument);
  EXPECT_THROW(RigidBodyMotion<Exec>(this->space, mesh, {4}, {.turns = false}, {0, 1}), std::invalid_argument);
  auto wrong = group;
  wrong[0] = 3;
  EXPECT_THROW(MeshMotion<Exec>(this->space, mesh, {}, {}, wrong), std::invalid_argument);
  RigidBodyMotion<Exec> const piston(this->space, mesh, {4}, {.weight = MotionWeight::area, .turns = false}, group);
  NodeVectors<Exec> const points("karman::test::points", data.nodes.size());
  piston.place(this->space, pose_on(this->space, {7, 0.2, 0.1}), points);
  auto const places = to_host(this->space, ConstNodeVectors<Exec>(points));
  for (std::size_t i = 0; i < places.size(); ++i) {
    // Linear between the piston and the wall at x = 1; the angle is ignored.
    auto const [x, y] = data.nodes[i];
    EXPECT_NEAR(places[i][0], x + 0.2 * (1 - x), 1e-9);
    EXPECT_NEAR(places[i][1], y + 0.1 * (1 - x), 1e-9);
  }
}

}  // namespace mesh_motion_test
