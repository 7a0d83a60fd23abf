// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace karman::test {

using Point = std::array<double, 2>;

inline Point const& node(MeshData const& mesh, int number) { return mesh.nodes.at(static_cast<std::size_t>(number)); }

inline double area(Point const& a, Point const& b, Point const& c) {
  return 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

inline double length(MeshData const& mesh, int a, int b) {
  return std::hypot(node(mesh, b)[0] - node(mesh, a)[0], node(mesh, b)[1] - node(mesh, a)[1]);
}

inline double area(MeshData const& mesh) {
  double sum = 0;
  for (auto const& t : mesh.triangles) sum += area(node(mesh, t[0]), node(mesh, t[1]), node(mesh, t[2]));
  return sum;
}

/// Length of the edges with that label.
inline double boundary_length(MeshData const& mesh, int label) {
  double sum = 0;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    if (mesh.edge_labels[e] == label) sum += length(mesh, mesh.edges[e][0], mesh.edges[e][1]);
  }
  return sum;
}

/// All angles in degrees, three per triangle, ascending.
inline std::vector<double> angles(MeshData const& mesh) {
  std::vector<double> found;
  for (auto const& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      Point const& a = node(mesh, t[i]);
      Point const& b = node(mesh, t[(i + 1) % 3]);
      Point const& c = node(mesh, t[(i + 2) % 3]);
      double const cross = 2 * area(a, b, c);
      double const dot = (b[0] - a[0]) * (c[0] - a[0]) + (b[1] - a[1]) * (c[1] - a[1]);
      found.push_back(std::atan2(cross, dot) * 180 / std::numbers::pi);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Least and greatest length of an edge of a triangle.
inline std::array<double, 2> edge_lengths(MeshData const& mesh) {
  std::array<double, 2> range{1e300, 0};
  for (auto const& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      double const l = length(mesh, t[i], t[(i + 1) % 3]);
      range = {std::min(range[0], l), std::max(range[1], l)};
    }
  }
  return range;
}

/// Checks the guarantees of MeshData by counting. Triangles have positive areas, and every node is used. An inner edge
/// is in two triangles, in both directions. Any other edge is in one triangle, and listed once on the boundary in that
/// triangle's direction with one label. A connected mesh has `holes` holes by Euler's formula.
inline void expect_mesh(MeshData const& mesh, int holes) {
  int const nodes = static_cast<int>(mesh.nodes.size());
  ASSERT_EQ(mesh.regions.size(), mesh.triangles.size());
  ASSERT_EQ(mesh.edge_labels.size(), mesh.edges.size());
  std::vector<int> used(mesh.nodes.size(), 0);
  std::map<std::pair<int, int>, int> directed;
  for (auto const& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      ASSERT_TRUE(t[i] >= 0 && t[i] < nodes);
      used[static_cast<std::size_t>(t[i])] = 1;
      ++directed[{t[i], t[(i + 1) % 3]}];
    }
    ASSERT_GT(area(node(mesh, t[0]), node(mesh, t[1]), node(mesh, t[2])), 0) << t[0] << ' ' << t[1] << ' ' << t[2];
  }
  EXPECT_EQ(std::count(used.begin(), used.end(), 0), 0) << "nodes without a triangle";
  std::map<std::pair<int, int>, int> listed;
  for (auto const& e : mesh.edges) ++listed[{e[0], e[1]}];
  std::size_t boundary = 0;
  for (auto const& [edge, count] : directed) {
    ASSERT_EQ(count, 1) << "two triangles on the same side of an edge";
    bool const inside = directed.count({edge.second, edge.first}) > 0;
    boundary += inside ? 0 : 1;
    ASSERT_EQ(listed.count(edge), inside ? 0u : 1u) << edge.first << ' ' << edge.second;
  }
  EXPECT_EQ(mesh.edges.size(), boundary) << "listed once each, and none that is not on the boundary";
  auto const edges = static_cast<long>(directed.size() + boundary) / 2;
  EXPECT_EQ(static_cast<long>(nodes) - edges + static_cast<long>(mesh.triangles.size()), 1 - holes);
  for (int label : mesh.edge_labels) EXPECT_EQ(mesh.boundary_names.count(label), 1u) << label;
  for (int label : mesh.regions) ASSERT_EQ(mesh.region_names.count(label), 1u) << label;
}

}  // namespace karman::test
