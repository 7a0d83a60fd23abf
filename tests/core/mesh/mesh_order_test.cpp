// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sample_meshes.hpp"
#include <karman/mesh/coloring.hpp>
#include <karman/mesh/mesh_checks.hpp>
#include <karman/mesh/mesh_order.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

namespace mesh_order_test {

using namespace karman;
using karman::test::beside;
using karman::test::fan;
using karman::test::sample_meshes;
using karman::test::shuffled;
using karman::test::squares;

std::vector<int> sorted(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<int> counting(std::size_t n) {
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// The corners of every triangle, as places in the plane and not as numbers, in any order; with its region.
std::multiset<std::array<double, 7>> shape(MeshData const& mesh) {
  std::multiset<std::array<double, 7>> triangles;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<double, 7> item{};
    for (std::size_t k = 0; k < 3; ++k) {
      item[2 * k] = mesh.nodes[std::size_t(mesh.triangles[t][k])][0];
      item[2 * k + 1] = mesh.nodes[std::size_t(mesh.triangles[t][k])][1];
    }
    item[6] = mesh.regions[t];
    triangles.insert(item);
  }
  return triangles;
}

TEST(MeshOrder, RenumberedIsTheSameMesh) {
  for (auto [name, mesh] : sample_meshes()) {
    SCOPED_TRACE(name);
    for (std::size_t t = 0; t < mesh.regions.size(); ++t) mesh.regions[t] = int(t % 5);
    std::vector<int> color(mesh.triangles.size());
    for (std::size_t t = 0; t < color.size(); ++t) color[t] = int(t * 7 % 4);
    for (auto const& order : {reverse_cuthill_mckee(mesh), hilbert_curve(mesh), by_color(color)}) {
      EXPECT_TRUE(order.nodes.empty() || sorted(order.nodes) == counting(mesh.nodes.size()));
      EXPECT_EQ(sorted(order.triangles), counting(mesh.triangles.size()));
      auto const other = renumbered(mesh, order);
      EXPECT_TRUE(check_mesh(other).good()) << check_mesh(other).text();
      EXPECT_EQ(shape(other), shape(mesh));
      ASSERT_EQ(other.edges.size(), mesh.edges.size());
      for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
        for (std::size_t k = 0; k < 2; ++k) {
          EXPECT_EQ(other.nodes[std::size_t(other.edges[e][k])], mesh.nodes[std::size_t(mesh.edges[e][k])]);
        }
      }
    }
  }
}

/// n by 2 n squares. The bandwidth of a rectangle is at least its shorter side. Levels of a breadth-first search have n
/// + 1 to 2 n + 1 nodes, and two neighbouring levels bound the bandwidth.
TEST(MeshOrder, ReverseCuthillMcKeeNarrowsTheBand) {
  for (int const n : {4, 15, 40}) {
    auto const mesh = shuffled(squares(n, 2 * n));
    EXPECT_GT(bandwidth(mesh), n * n);
    int const narrow = bandwidth(renumbered(mesh, reverse_cuthill_mckee(mesh)));
    EXPECT_GE(narrow, n);
    EXPECT_LE(narrow, 2 * (2 * n + 1));
  }
  EXPECT_EQ(bandwidth(squares(6, 3)), 8);
  EXPECT_EQ(bandwidth({}), 0);
  // a strip of one row of squares: two nodes per level, or one
  auto const strip = shuffled(squares(50, 1));
  EXPECT_LE(bandwidth(renumbered(strip, reverse_cuthill_mckee(strip))), 3);
}

/// The numbers of disconnected parts do not mix.
TEST(MeshOrder, PartsStayTogether) {
  auto const mesh = shuffled(beside(squares(7, 7), squares(9, 3)));
  auto const order = reverse_cuthill_mckee(mesh);
  std::set<int> left;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    if (mesh.nodes[n][0] < 500) left.insert(order.nodes[n]);
  }
  EXPECT_EQ(*left.rbegin() - *left.begin() + 1, int(left.size()));
}

/// The triangles of a run of 4^k along the curve fill about the area of a square with as many.
TEST(MeshOrder, TheHilbertCurveKeepsNeighborsTogether) {
  auto const mesh = shuffled(squares(64, 64));
  auto const near = renumbered(mesh, hilbert_curve(mesh));
  for (std::size_t const run : {32u, 128u, 512u}) {
    auto const mean_nodes = [&](MeshData const& m) {
      std::size_t nodes = 0;
      for (std::size_t first = 0; first < m.triangles.size(); first += run) {
        std::set<int> distinct;
        for (std::size_t t = first; t < first + run; ++t) distinct.insert(m.triangles[t].begin(), m.triangles[t].end());
        nodes += distinct.size();
      }
      return double(nodes) / (double(m.triangles.size()) / double(run));
    };
    // (sqrt(run / 2) + 1)^2 nodes in a square
    EXPECT_EQ(mean_nodes(near), std::pow(std::sqrt(double(run) / 2) + 1, 2));
    EXPECT_GT(mean_nodes(mesh), 1.9 * double(run));
  }
}

TEST(MeshOrder, ByColor) {
  auto const order = by_color({2, 0, 1, 0, 2, 1});
  EXPECT_TRUE(order.nodes.empty());
  EXPECT_EQ(order.triangles, (std::vector<int>{4, 0, 2, 1, 5, 3}));
}

TEST(MeshOrder, WrongOrdersAreRefused) {
  auto const mesh = squares(1, 1);
  EXPECT_THROW(renumbered(mesh, {{0, 1, 2}, {}}), std::invalid_argument);
  EXPECT_THROW(renumbered(mesh, {{0, 1, 2, 2}, {}}), std::invalid_argument);
  EXPECT_THROW(renumbered(mesh, {{}, {0, 2}}), std::invalid_argument);
  EXPECT_THROW(renumbered(mesh, {{}, {-1, 0}}), std::invalid_argument);
  EXPECT_EQ(renumbered(mesh, {}).triangles, mesh.triangles);
  auto wrong = mesh;
  wrong.triangles[0][0] = 4;
  EXPECT_THROW(reverse_cuthill_mckee(wrong), std::invalid_argument);
  EXPECT_THROW(hilbert_curve(wrong), std::invalid_argument);
}

}  // namespace mesh_order_test
