// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/mesh/coinciding_nodes.hpp>
#include <karman/mesh/mesh_checks.hpp>
#include <karman/mesh/mesh_generators.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace coinciding_nodes_test {

using namespace karman;

/// Two unit squares of 4 x 4 cells side by side, the right one moved by `gap`, its nodes all its own.
MeshData two_blocks(double gap) {
  MeshData mesh = mesh_rectangle({.low = {0, 0}, .high = {1, 1}, .size = 0.25});
  MeshData const right = mesh_rectangle({.low = {1 + gap, 0}, .high = {2 + gap, 1}, .size = 0.25});
  int const nodes = static_cast<int>(mesh.nodes.size());
  mesh.nodes.insert(mesh.nodes.end(), right.nodes.begin(), right.nodes.end());
  for (auto [a, b, c] : right.triangles) mesh.triangles.push_back({a + nodes, b + nodes, c + nodes});
  mesh.regions.resize(mesh.triangles.size(), 2);
  for (std::size_t e = 0; e < right.edges.size(); ++e) {
    mesh.edges.push_back({right.edges[e][0] + nodes, right.edges[e][1] + nodes});
    mesh.edge_labels.push_back(right.edge_labels[e] + 10);
  }
  return mesh;
}

std::size_t count(std::vector<bool> const& flags) {
  return static_cast<std::size_t>(std::count(flags.begin(), flags.end(), true));
}

TEST(CoincidingNodes, SeamsAreFoundToTheTolerance) {
  EXPECT_EQ(count(coinciding_edges(two_blocks(0), 0)), 8u);
  EXPECT_EQ(count(coinciding_edges(two_blocks(1e-7), 0)), 0u);
  EXPECT_EQ(count(coinciding_edges(two_blocks(1e-7), 0.99e-7)), 0u);
  EXPECT_EQ(count(coinciding_edges(two_blocks(1e-7), 1.01e-7)), 8u);
  MeshData const mesh = two_blocks(1e-12);
  std::vector<bool> const seam = coinciding_edges(mesh, coincidence_tolerance(mesh));
  for (std::size_t e = 0; e < mesh.edges.size(); ++e)
    EXPECT_EQ(seam[e], mesh.edge_labels[e] == 2 || mesh.edge_labels[e] == 14) << "east of the left, west of the right";
  EXPECT_EQ(count(coinciding_edges(mesh_rectangle({.size = 0.1}), 1e-9)), 0u);
}

TEST(CoincidingNodes, EdgesThatShareOnlyOnePlaceDoNotCoincide) {
  MeshData mesh = two_blocks(0);
  for (auto& node : mesh.nodes) {
    if (node[0] >= 1 && &node - mesh.nodes.data() >= 25) node[1] += 0.125;  // half a cell up
  }
  EXPECT_EQ(count(coinciding_edges(mesh, 1e-9)), 0u);
}

TEST(CoincidingNodes, MergedBlocksAreOneMesh) {
  for (double const gap : {0.0, 1e-12}) {
    MeshData mesh = two_blocks(gap);
    EXPECT_EQ(merge_nodes(mesh, 2 * gap), 5u);
    EXPECT_EQ(mesh.nodes.size(), 45u);
    EXPECT_EQ(mesh.triangles.size(), 64u);
    EXPECT_EQ(mesh.edges.size(), 24u);
    EXPECT_EQ(std::count(mesh.edge_labels.begin(), mesh.edge_labels.end(), 2), 0);
    EXPECT_EQ(std::count(mesh.edge_labels.begin(), mesh.edge_labels.end(), 14), 0);
    MeshReport const report = check_mesh(mesh);
    EXPECT_TRUE(report.good()) << report.text();
    EXPECT_EQ(report.unlisted_edges, 0u);
    EXPECT_NEAR(mesh_quality(mesh).area, 2, 1e-11);
    MeshData const once = mesh;
    EXPECT_EQ(merge_nodes(mesh, 2 * gap), 0u) << "nothing is left";
    EXPECT_EQ(mesh.nodes, once.nodes);
    EXPECT_EQ(mesh.edges, once.edges);
  }
}

TEST(CoincidingNodes, ALongColumnTakesNoSquareOfItsLength) {
  // A slender strip: every node is a boundary node, in two columns.
  MeshData mesh = mesh_rectangle({.low = {0, 0}, .high = {1, 100000}, .size = 1});
  EXPECT_EQ(merge_nodes(mesh, 1e-9), 0u);
  EXPECT_EQ(count(coinciding_edges(mesh, 1e-9)), 0u);
}

TEST(CoincidingNodes, AnyNumberOfNodesJoinsAtOnePlace) {
  // A fan of triangles, each with nodes of its own, in both columns beside the tolerance's grid.
  for (double const x : {0.0, 1.0, 7.3}) {
    MeshData mesh;
    constexpr int triangles = 300;
    constexpr double turn = 2 * 3.14159265358979323846 / triangles;
    for (int t = 0; t < triangles; ++t) {
      double const shift = 4e-10 * ((t % 3) - 1);
      mesh.nodes.push_back({x + shift, -shift});
      mesh.nodes.push_back({x + std::cos(t * turn), std::sin(t * turn)});
      mesh.nodes.push_back({x + std::cos((t + 1) * turn), std::sin((t + 1) * turn)});
      mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
      mesh.regions.push_back(1);
    }
    complete_boundary(mesh, 1);
    EXPECT_EQ(count(coinciding_edges(mesh, 1e-9)), 2u * triangles);
    EXPECT_EQ(merge_nodes(mesh, 1e-9), 3u * triangles - (triangles + 1u));
    EXPECT_EQ(mesh.edges.size(), std::size_t{triangles});
    EXPECT_TRUE(check_mesh(mesh).good()) << check_mesh(mesh).text();
  }
}

TEST(CoincidingNodes, ATooLargeToleranceIsRefused) {
  MeshData mesh = two_blocks(0);
  MeshData const before = mesh;
  EXPECT_THROW(merge_nodes(mesh, 0.26), std::invalid_argument) << "two nodes of a triangle";
  EXPECT_THROW(merge_nodes(mesh, -1), std::invalid_argument);
  EXPECT_THROW(merge_nodes(mesh, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
  EXPECT_EQ(mesh.nodes, before.nodes);
  EXPECT_EQ(mesh.edges, before.edges);
  mesh.edges[0][0] = 1000;
  EXPECT_THROW(coinciding_edges(mesh, 0), std::invalid_argument);
}

}  // namespace coinciding_nodes_test
