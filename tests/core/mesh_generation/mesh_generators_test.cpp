// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/mesh/mesh_invariants.hpp"
#include <karman/mesh/mesh_generators.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <stdexcept>

namespace mesh_generators_test {

using namespace karman;
using namespace karman::test;

constexpr double pi = std::numbers::pi;
constexpr double eps = std::numeric_limits<double>::epsilon();

/// A sum of n areas or lengths of a whole of this size.
double round_off(double whole, std::size_t n) { return 4 * eps * whole * std::sqrt(static_cast<double>(n)) + 4 * eps; }

TEST(Rectangle, FillsItsAreaInEveryPattern) {
  for (auto const pattern :
       {DiagonalPattern::right, DiagonalPattern::left, DiagonalPattern::alternating, DiagonalPattern::crossed}) {
    for (double const size : {3.0, 1.0, 0.35, 0.125}) {
      MeshData const mesh = mesh_rectangle({.low = {-1, 2}, .high = {1.5, 3}, .size = size, .diagonals = pattern});
      expect_mesh(mesh, 0);
      auto const nx = static_cast<std::size_t>(std::ceil(2.5 / size));
      auto const ny = static_cast<std::size_t>(std::ceil(1 / size));
      bool const crossed = pattern == DiagonalPattern::crossed;
      EXPECT_EQ(mesh.nodes.size(), (nx + 1) * (ny + 1) + (crossed ? nx * ny : 0));
      EXPECT_EQ(mesh.triangles.size(), nx * ny * (crossed ? 4 : 2));
      EXPECT_NEAR(area(mesh), 2.5, round_off(2.5, mesh.triangles.size()));
      EXPECT_NEAR(boundary_length(mesh, 1), 2.5, round_off(2.5, nx));
      EXPECT_NEAR(boundary_length(mesh, 2), 1, round_off(1, ny));
      EXPECT_NEAR(boundary_length(mesh, 3), 2.5, round_off(2.5, nx));
      EXPECT_NEAR(boundary_length(mesh, 4), 1, round_off(1, ny));
      // The corner farthest from the first is exact, and the sides are named correctly.
      EXPECT_EQ(mesh.nodes[(nx + 1) * (ny + 1) - 1], (Point{1.5, 3}));
      for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
        for (int const n : mesh.edges[e]) {
          std::string const side = mesh.boundary_names.at(mesh.edge_labels[e]);
          Point const p = node(mesh, n);
          EXPECT_TRUE(side == "south"   ? p[1] == 2
                      : side == "north" ? p[1] == 3
                      : side == "west"  ? p[0] == -1
                                        : p[0] == 1.5);
        }
      }
    }
  }
}

TEST(Rectangle, CutsCellsAsItsPatternSays) {
  // Triangles around a node.
  auto const valences = [](DiagonalPattern pattern) {
    MeshData const mesh = mesh_rectangle({.low = {0, 0}, .high = {4, 4}, .size = 1, .diagonals = pattern});
    std::vector<int> around(mesh.nodes.size(), 0);
    for (auto const& t : mesh.triangles) {
      for (int n : t) ++around[static_cast<std::size_t>(n)];
    }
    return around;
  };
  auto const right = valences(DiagonalPattern::right);
  EXPECT_EQ(right[0], 2);
  EXPECT_EQ(right[4], 1);
  EXPECT_EQ(right[6], 6);
  auto const left = valences(DiagonalPattern::left);
  EXPECT_EQ(left[0], 1);
  EXPECT_EQ(left[4], 2);
  auto const alternating = valences(DiagonalPattern::alternating);
  EXPECT_EQ(alternating[0], 2);
  EXPECT_EQ(alternating[4], 2);
  EXPECT_EQ(alternating[6], 8);
  EXPECT_EQ(alternating[7], 4);
  auto const crossed = valences(DiagonalPattern::crossed);
  EXPECT_EQ(crossed[6], 8);
  EXPECT_EQ(crossed[25], 4);
}

TEST(Rectangle, TakesGradedCoordinates) {
  MeshData const mesh = mesh_rectangle({0, 1, 3, 7}, {-1, 0, 0.5}, DiagonalPattern::right);
  expect_mesh(mesh, 0);
  EXPECT_EQ(mesh.nodes.size(), 12u);
  EXPECT_EQ(mesh.nodes[6], (Point{3, 0}));
  EXPECT_DOUBLE_EQ(area(mesh), 10.5);
}

TEST(GradedCoordinates, GrowGeometricallyBetweenExactEnds) {
  for (auto const& [first, last] : {std::array{0.1, 0.1}, {0.01, 0.3}, {0.3, 0.01}, {5.0, 7.0}, {0.1, 0.1000001}}) {
    auto const x = graded_coordinates(-1, 2, first, last);
    EXPECT_EQ(x.front(), -1);
    EXPECT_EQ(x.back(), 2);
    std::size_t const n = x.size() - 1;
    double const ratio = n > 1 ? (x[2] - x[1]) / (x[1] - x[0]) : 1;
    for (std::size_t i = 0; i + 2 <= n; ++i) {
      EXPECT_NEAR((x[i + 2] - x[i + 1]) / (x[i + 1] - x[i]), ratio, 64 * eps * 3 / std::min(first, last));
    }
    if (n > 1) {
      EXPECT_LE(x[1] - x[0], first * 1.15) << first;
      EXPECT_GE(x[1] - x[0], first * 0.8) << first;
      EXPECT_LE(x[n] - x[n - 1], last * 1.15) << last;
      EXPECT_GE(x[n] - x[n - 1], last * 0.8) << last;
    }
  }
}

TEST(Channel, NamesItsEnds) {
  MeshData const mesh = mesh_channel({.length = 8, .width = 2, .size = 0.5});
  expect_mesh(mesh, 0);
  EXPECT_EQ(mesh.boundary_names.at(2), "inflow");
  EXPECT_DOUBLE_EQ(boundary_length(mesh, 1), 16);
  EXPECT_DOUBLE_EQ(boundary_length(mesh, 2), 2);
  EXPECT_DOUBLE_EQ(boundary_length(mesh, 3), 2);
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    if (mesh.edge_labels[e] == 2) {
      EXPECT_EQ(node(mesh, mesh.edges[e][0])[0], 0);
    }
  }
}

/// Edges and angles of a mesh of rings of this size.
void expect_good(MeshData const& mesh, double least_size, double greatest_size) {
  auto const all = angles(mesh);
  EXPECT_GT(all.front(), 30);
  EXPECT_LT(all.back(), 120);
  auto const lengths = edge_lengths(mesh);
  EXPECT_GT(lengths[0], 0.7 * least_size);
  EXPECT_LT(lengths[1], 1.45 * greatest_size);
}

TEST(Disc, IsAPolygonOfSixRNodes) {
  for (double const size : {2.0, 1.0, 0.3, 0.1, 0.031}) {
    MeshData const mesh = mesh_disc({.radius = 1.5, .size = size, .center = {10, -20}});
    expect_mesh(mesh, 0);
    expect_good(mesh, std::min(size, 1.5) * 0.9, std::min(size, 1.5));
    auto const n = mesh.edges.size();
    EXPECT_EQ(n, 6 * static_cast<std::size_t>(std::ceil(1.5 / size)));
    // A regular polygon in the circle.
    double const exact = 0.5 * static_cast<double>(n) * 1.5 * 1.5 * std::sin(2 * pi / static_cast<double>(n));
    EXPECT_NEAR(area(mesh), exact, round_off(400, mesh.triangles.size()));
    for (auto const& e : mesh.edges) {
      EXPECT_NEAR(std::hypot(node(mesh, e[0])[0] - 10, node(mesh, e[0])[1] + 20), 1.5, 20 * 4 * eps);
    }
  }
}

TEST(Annulus, GradesFromOneCircleToTheOther) {
  for (auto const& [inner, outer] : {std::array{0.1, 0.1}, {0.02, 0.2}, {0.1, 0.03}, {0.3, 0.3}, {0.03, 0.03}}) {
    MeshData const mesh =
        mesh_annulus({.inner_radius = 0.5, .outer_radius = 2, .inner_size = inner, .outer_size = outer});
    expect_mesh(mesh, 1);
    expect_good(mesh, std::min(inner, outer), std::max(inner, outer));
    // The boundaries are polygons of edges of the sizes wanted there.
    double const inside = boundary_length(mesh, 1), outside = boundary_length(mesh, 2);
    EXPECT_NEAR(inside, pi, pi * 0.25 * inner * inner / 6 * 1.5 * 4);
    EXPECT_NEAR(outside, 4 * pi, 4 * pi * outer * outer / 4 / 6 * 1.5);
  }
}

TEST(Island, HasARingAtTheEdgeOfItsShelf) {
  for (double const size : {2000.0, 1000.0, 400.0}) {
    MeshData const mesh = mesh_island({.shore_size = size, .sea_size = 3 * size});
    expect_mesh(mesh, 1);
    expect_good(mesh, size, 3 * size);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      for (int const n : mesh.triangles[t]) {
        double const r = std::hypot(node(mesh, n)[0], node(mesh, n)[1]);
        if (mesh.regions[t] == 1) {
          EXPECT_LE(r, 30'000 * (1 + 4 * eps));
        } else {
          EXPECT_GE(r, 30'000 * (1 - 4 * eps));
        }
      }
    }
    EXPECT_EQ(mesh.boundary_names.at(1), "shore");
    EXPECT_NEAR(boundary_length(mesh, 1), 2 * pi * 10'000, 2 * pi * 10'000 * 0.01);
    EXPECT_NEAR(boundary_length(mesh, 2), 2 * pi * 60'000, 2 * pi * 60'000 * 0.01);
  }
}

TEST(Harbour, OpensIntoAHalfDisc) {
  for (double const size : {0.0302, 0.01, 0.005, 0.0021}) {
    HarbourMesh const shape{.sea_radius = 0.4, .mouth_size = size, .back_size = size, .sea_size = 4 * size};
    MeshData const mesh = mesh_harbour(shape);
    expect_mesh(mesh, 0);
    expect_good(mesh, size * 0.75, 4 * size);
    EXPECT_NEAR(boundary_length(mesh, 3), 2 * shape.length, 1e-12);
    EXPECT_NEAR(boundary_length(mesh, 4), shape.width, 1e-12);
    EXPECT_NEAR(boundary_length(mesh, 2), 2 * (shape.sea_radius - shape.width / 2), 1e-12);
    double const exact = pi * 0.4;
    EXPECT_LT(boundary_length(mesh, 1), exact);
    EXPECT_GT(boundary_length(mesh, 1), exact * (1 - 0.2 * 16 * size * size / 0.16));
    for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
      for (int const n : mesh.edges[e]) {
        Point const p = node(mesh, n);
        switch (mesh.edge_labels[e]) {
          case 1: EXPECT_NEAR(std::hypot(p[0], p[1]), 0.4, 4 * eps); break;
          case 2: EXPECT_TRUE(p[0] == 0 && std::abs(p[1]) >= 0.0302 && std::abs(p[1]) <= 0.4); break;
          case 3: EXPECT_TRUE(p[0] <= 0 && std::abs(p[1]) == 0.0302); break;
          default: EXPECT_EQ(p[0], -0.3111);
        }
      }
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      for (int const n : mesh.triangles[t])
        EXPECT_TRUE(mesh.regions[t] == 1 ? node(mesh, n)[0] <= 0 : node(mesh, n)[0] >= 0);
    }
  }
}

TEST(Generators, GiveTheSameBitsAgain) {
  MeshData const a = mesh_island({});
  MeshData const b = mesh_island({});
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.triangles, b.triangles);
}

TEST(Generators, RefuseWhatCannotBeMeshed) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const inf = std::numeric_limits<double>::infinity();
  for (double const bad : {0.0, -1.0, nan, inf}) {
    EXPECT_THROW(mesh_rectangle({.low = {0, 0}, .high = {bad, 1}}), std::invalid_argument);
    EXPECT_THROW(mesh_rectangle({.size = bad}), std::invalid_argument);
    EXPECT_THROW(mesh_channel({.width = bad}), std::invalid_argument);
    EXPECT_THROW(mesh_disc({.radius = bad}), std::invalid_argument);
    EXPECT_THROW(mesh_disc({.size = bad}), std::invalid_argument);
    EXPECT_THROW(mesh_annulus({.inner_radius = bad}), std::invalid_argument);
    EXPECT_THROW(mesh_annulus({.outer_size = bad}), std::invalid_argument);
    EXPECT_THROW(mesh_island({.shore_size = bad}), std::invalid_argument);
    EXPECT_THROW(mesh_harbour({.length = bad}), std::invalid_argument);
    EXPECT_THROW(mesh_harbour({.mouth_size = bad}), std::invalid_argument);
    EXPECT_THROW(graded_coordinates(0, 1, bad, 0.1), std::invalid_argument);
  }
  EXPECT_THROW(mesh_rectangle({.size = 1e-5}), std::invalid_argument) << "more than 2^31 - 1 nodes";
  EXPECT_THROW(mesh_rectangle({.size = 1e-300}), std::invalid_argument);
  // Thrown before the 16 GB of their coordinates are allocated. 2^31 - 2 triangles are allowed, but not with 2^31
  // nodes.
  EXPECT_THROW(mesh_rectangle({.size = 1e-9}), std::invalid_argument);
  EXPECT_THROW(mesh_channel({.length = 0x1p30 - 1, .width = 1, .size = 1}), std::invalid_argument);
  EXPECT_THROW(mesh_disc({.size = 1e-5}), std::invalid_argument);
  EXPECT_THROW(mesh_disc({.size = 1e-300}), std::invalid_argument);
  EXPECT_THROW(mesh_annulus({.inner_size = 1e-11, .outer_size = 1e-11}), std::invalid_argument);
  EXPECT_THROW(mesh_annulus({.inner_radius = 2}), std::invalid_argument);
  EXPECT_THROW(mesh_island({.shelf_radius = 5'000}), std::invalid_argument);
  EXPECT_THROW(mesh_harbour({.sea_radius = 0.03}), std::invalid_argument);
  EXPECT_THROW(mesh_harbour({.mouth_size = 1e-7, .back_size = 1e-7, .sea_size = 1e-7}), std::invalid_argument);
  EXPECT_THROW(mesh_harbour({.sea_size = 0.001}), std::invalid_argument);
  EXPECT_THROW(graded_coordinates(0, 1, 1e-12, 1e-12), std::invalid_argument);
  EXPECT_THROW(graded_coordinates(1, 1, 0.1, 0.1), std::invalid_argument);
  EXPECT_THROW(mesh_rectangle({0, 0}, {0, 1}), std::invalid_argument);
  EXPECT_THROW(mesh_rectangle({0, 1}, {0}), std::invalid_argument);
  EXPECT_THROW(mesh_rectangle({0, nan}, {0, 1}), std::invalid_argument);
}

}  // namespace mesh_generators_test
