// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/mesh/mesh_checks.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/mesh_refinement.hpp>
#include <karman/mesh/polygon_mesh.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

namespace mesh_refinement_test {

using namespace karman;

/// A square with a square hole and three labels.
MeshData ring() {
  Polygon polygon;
  polygon.outer.add(0, 0, 1);
  polygon.outer.add(3, 0, 2);
  polygon.outer.add(3, 3, 1);
  polygon.outer.add(0, 3, 1);
  PolygonRing hole;
  hole.add(1, 1, 7);
  hole.add(2, 1, 7);
  hole.add(2, 2, 7);
  hole.add(1, 2, 7);
  polygon.holes.push_back(hole);
  polygon.boundary_names = {{1, "wall"}, {2, "sea"}, {7, "pier"}};
  PolygonMeshOptions options;
  options.size = 0.3;
  MeshData mesh = mesh_polygon(polygon, options);
  // A region per half.
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    mesh.regions[t] = mesh.nodes[static_cast<std::size_t>(mesh.triangles[t][0])][0] < 1.5 ? 1 : 2;
  return mesh;
}

double area_of(MeshData const& mesh, std::size_t t) {
  auto const& [a, b, c] = mesh.triangles[t];
  auto const &p = mesh.nodes[std::size_t(a)], &q = mesh.nodes[std::size_t(b)], &r = mesh.nodes[std::size_t(c)];
  return 0.5 * ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
}

std::map<int, double> lengths_by_label(MeshData const& mesh) {
  std::map<int, double> lengths;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    auto const &a = mesh.nodes[std::size_t(mesh.edges[e][0])], &b = mesh.nodes[std::size_t(mesh.edges[e][1])];
    lengths[mesh.edge_labels[e]] += std::hypot(b[0] - a[0], b[1] - a[1]);
  }
  return lengths;
}

TEST(MeshRefinement, KeepsTheDomainItsLabelsAndItsShape) {
  MeshData coarse = ring();
  for (int step = 0; step < 2; ++step) {
    RefinedMesh const refined = refine_mesh(coarse);
    MeshData const& fine = refined.mesh;
    ASSERT_TRUE(check_mesh(fine).good()) << check_mesh(fine).text();
    EXPECT_EQ(check_mesh(fine).unlisted_edges, 0u);
    ASSERT_EQ(fine.triangles.size(), 4 * coarse.triangles.size());
    ASSERT_EQ(fine.edges.size(), 2 * coarse.edges.size());
    EXPECT_EQ(fine.boundary_names, coarse.boundary_names);
    EXPECT_EQ(fine.region_names, coarse.region_names);
    for (std::size_t t = 0; t < fine.triangles.size(); ++t) {
      EXPECT_NEAR(area_of(fine, t), 0.25 * area_of(coarse, t / 4), 1e-14);
      EXPECT_EQ(fine.regions[t], coarse.regions[t / 4]);
    }
    for (auto const& [label, length] : lengths_by_label(coarse))
      EXPECT_NEAR(lengths_by_label(fine).at(label), length, 1e-12) << label;
    // Angles stay the same, and a ring has the Euler characteristic 0.
    EXPECT_NEAR(mesh_quality(fine).smallest_angle.least, mesh_quality(coarse).smallest_angle.least, 1e-9);
    auto const sides = (3 * fine.triangles.size() + fine.edges.size()) / 2;
    EXPECT_EQ(fine.nodes.size() + fine.triangles.size(), sides);
    coarse = fine;
  }
}

TEST(MeshRefinement, HalvesEdgesInAKnownOrder) {
  MeshData square;
  square.nodes = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  square.triangles = {{0, 1, 2}, {0, 2, 3}};
  square.regions = {4, 5};
  square.edges = {{2, 3}, {0, 1}};
  square.edge_labels = {8, 9};
  RefinedMesh const refined = refine_mesh(square);
  using Pairs = std::vector<std::array<int, 2>>;
  EXPECT_EQ(refined.parents, (Pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}}));
  EXPECT_EQ(refined.mesh.nodes[5], (std::array<double, 2>{1, 1}));
  using Triples = std::vector<std::array<int, 3>>;
  EXPECT_EQ(refined.mesh.triangles,
            (Triples{{0, 4, 5}, {4, 1, 7}, {5, 7, 2}, {4, 7, 5}, {0, 5, 6}, {5, 2, 8}, {6, 8, 3}, {5, 8, 6}}));
  EXPECT_EQ(refined.mesh.edges, (Pairs{{2, 8}, {8, 3}, {0, 4}, {4, 1}}));
  EXPECT_EQ(refined.mesh.edge_labels, (std::vector<int>{8, 8, 9, 9}));
  EXPECT_EQ(refined_values({1, 3, 5, 9}, refined.parents), (std::vector<double>{1, 3, 5, 9, 2, 3, 5, 4, 7}));
}

TEST(MeshRefinement, TakesUnusedNodesAndNoTriangles) {
  EXPECT_TRUE(refine_mesh({}).mesh.nodes.empty());
  MeshData one;
  one.nodes = {{0, 0}, {5, 5}, {1, 0}, {0, 1}};
  one.triangles = {{0, 2, 3}};
  one.regions = {1};
  RefinedMesh const refined = refine_mesh(one);
  EXPECT_EQ(refined.mesh.nodes.size(), 7u);
  EXPECT_EQ(refined.mesh.triangles.size(), 4u);
}

TEST(MeshRefinement, RefusesWhatIsNoMesh) {
  MeshData wrong;
  wrong.nodes = {{0, 0}, {1, 0}, {0, 1}};
  wrong.regions = {1};
  for (auto const& triangle : {std::array<int, 3>{0, 1, 3}, std::array<int, 3>{-1, 1, 2}}) {
    wrong.triangles = {triangle};
    EXPECT_THROW(refine_mesh(wrong), std::invalid_argument);
  }
  wrong.nodes.push_back({1, 1});
  wrong.triangles = {{0, 1, 2}};
  wrong.edge_labels = {1};
  for (auto const& edge : {std::array<int, 2>{0, 3}, std::array<int, 2>{-1, 2}, std::array<int, 2>{1, 4}}) {
    wrong.edges = {edge};
    EXPECT_THROW(refine_mesh(wrong), std::invalid_argument);
  }
  EXPECT_THROW(refined_values({1, 2}, {{0, 2}}), std::invalid_argument);
  EXPECT_THROW(refined_values({1, 2}, {{-1, 1}}), std::invalid_argument);
}

}  // namespace mesh_refinement_test
