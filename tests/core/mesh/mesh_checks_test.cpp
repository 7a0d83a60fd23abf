// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sample_meshes.hpp"
#include <karman/mesh/mesh_checks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace mesh_checks_test {

using namespace karman;
using karman::test::closed;
using karman::test::fan;
using karman::test::mesh_of;
using karman::test::one_triangle;
using karman::test::sample_meshes;
using karman::test::squares;
using karman::test::two_triangles;
using std::numbers::pi;

using Faults = std::vector<MeshFault>;
using Point = std::array<double, 2>;

Faults faults(MeshReport const& report) {
  Faults found;
  for (auto const& problem : report.problems) found.push_back(problem.fault);
  return found;
}

/// A mesh with this one problem.
void expect_problem(MeshData const& mesh, MeshFault fault, std::size_t count, std::size_t first,
                    std::string const& message) {
  auto const report = check_mesh(mesh);
  ASSERT_EQ(faults(report), Faults{fault}) << report.text();
  EXPECT_FALSE(report.good());
  EXPECT_EQ(report.problems[0].count, count);
  EXPECT_EQ(report.problems[0].first, first);
  EXPECT_EQ(report.problems[0].message, message);
  EXPECT_EQ(report.text(), message);
}

TEST(CheckMesh, GoodMeshes) {
  for (auto const& [name, mesh] : sample_meshes()) {
    auto const report = check_mesh(mesh);
    EXPECT_TRUE(report.good()) << name << ": " << report.text();
    EXPECT_EQ(report.unlisted_edges, 0u);
  }
}

TEST(CheckMesh, Labels) {
  auto mesh = two_triangles();
  mesh.regions.pop_back();
  expect_problem(mesh, MeshFault::label_count, 1, 0, "1 region labels for 2 triangles");
  mesh = two_triangles();
  mesh.edge_labels.push_back(3);
  expect_problem(mesh, MeshFault::label_count, 1, 0, "5 labels for 4 boundary edges");
}

TEST(CheckMesh, NodesOutOfRange) {
  auto mesh = two_triangles();
  mesh.triangles[1][2] = 4;
  expect_problem(mesh, MeshFault::node_out_of_range, 1, 1,
                 "1 triangle or boundary edge names a missing node: triangle 1 (nodes 0, 2, 4), but there "
                 "are 4 nodes");
  mesh = two_triangles();
  mesh.edges[2][0] = -1;
  mesh.edges[3][0] = std::numeric_limits<int>::max();
  auto const report = check_mesh(mesh);
  ASSERT_EQ(faults(report), Faults{MeshFault::node_out_of_range});
  EXPECT_EQ(report.problems[0].count, 2u);
  EXPECT_EQ(report.problems[0].first, 2u);
}

TEST(CheckMesh, Coordinates) {
  for (double const bad : {std::nan(""), std::numeric_limits<double>::infinity(), -2e100}) {
    auto mesh = squares(3, 3);
    mesh.nodes[5][1] = bad;
    auto const report = check_mesh(mesh);
    ASSERT_EQ(faults(report), Faults{MeshFault::bad_coordinate});
    EXPECT_EQ(report.problems[0].first, 5u);
  }
}

TEST(CheckMesh, TrianglesWithoutArea) {
  auto mesh = one_triangle();
  mesh.nodes[2] = {3, 0};
  auto const on_a_line = check_mesh(mesh);
  EXPECT_EQ(faults(on_a_line)[0], MeshFault::no_area);
  EXPECT_EQ(on_a_line.problems[0].message, "1 triangle has no area: triangle 0 (nodes 0, 1, 2)");
  // a sliver of 1e-12 is a triangle, one of 1e-17 has no area up to rounding
  for (double const height : {1e-12, 1e-17}) {
    mesh = mesh_of({{0, 0}, {1, 1}, {0.5, 0.5 + height}}, {{0, 1, 2}});
    auto const found = faults(check_mesh(mesh));
    EXPECT_EQ(std::count(found.begin(), found.end(), MeshFault::no_area), height < 1e-15);
  }
  mesh = one_triangle();
  mesh.triangles[0] = {1, 1, 2};
  auto const twice = faults(check_mesh(mesh));
  EXPECT_EQ(std::count(twice.begin(), twice.end(), MeshFault::no_area), 1);
}

TEST(CheckMesh, Clockwise) {
  auto mesh = squares(3, 3);
  for (std::size_t const t : {7u, 12u}) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
  expect_problem(mesh, MeshFault::clockwise, 2, 7,
                 "2 triangles run clockwise; the first is triangle 7 (nodes 9, 4, 8)");
}

TEST(CheckMesh, Duplicates) {
  auto mesh = squares(2, 2);
  auto const [a, b, c] = mesh.triangles[3];
  mesh.triangles.push_back({b, c, a});
  mesh.regions.push_back(1);
  auto const report = check_mesh(mesh);
  auto const& problem = report.problems[0];
  EXPECT_EQ(problem.fault, MeshFault::duplicate_triangle);
  EXPECT_EQ(problem.first, 8u);
  EXPECT_EQ(problem.message, "1 triangle has the nodes of another: triangle 8 (nodes 5, 4, 1), as triangle 3");
}

TEST(CheckMesh, UnusedNodes) {
  auto mesh = two_triangles();
  mesh.nodes.push_back({7, 8});
  mesh.nodes.push_back({8, 8});
  expect_problem(mesh, MeshFault::unused_node, 2, 4, "2 nodes belong to no triangle; the first is node 4 at (7, 8)");
}

TEST(CheckMesh, EdgesOfThreeTriangles) {
  auto mesh = mesh_of({{0, 0}, {1, 0}, {0, 1}, {0, -1}, {0.5, 2}}, {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}});
  expect_problem(mesh, MeshFault::crowded_edge, 1, 0,
                 "1 edge belongs to more than two triangles: the one from node 0 to 1, of triangles 0 and 1");
}

TEST(CheckMesh, OverlappingTriangles) {
  auto mesh = mesh_of({{0, 0}, {1, 0}, {0, 1}, {1, 1}}, {{0, 1, 2}, {0, 1, 3}});
  auto const report = check_mesh(mesh);
  ASSERT_FALSE(report.good());
  EXPECT_EQ(report.problems[0].fault, MeshFault::opposed_edge);
  EXPECT_EQ(report.problems[0].message,
            "1 edge has two triangles on the same side: the one from node 0 to 1, of triangles 0 and 1");
}

TEST(CheckMesh, HangingNodes) {
  for (double const angle : {0.0, 0.3, pi / 2, 2.0}) {
    auto mesh =
        mesh_of({{0, 0}, {1, 0}, {0.5, 1}, {0.25, 0}, {0, -1}, {1, -1}}, {{0, 1, 2}, {0, 4, 3}, {3, 5, 1}, {3, 4, 5}});
    for (auto& [x, y] : mesh.nodes) {
      double const turned = x * std::cos(angle) - y * std::sin(angle);
      y = x * std::sin(angle) + y * std::cos(angle);
      x = turned;
    }
    auto const report = check_mesh(mesh);
    ASSERT_EQ(faults(report), Faults{MeshFault::hanging_node}) << report.text();
    EXPECT_EQ(report.problems[0].first, 3u);
    EXPECT_EQ(report.problems[0].message.rfind("1 node lies inside an edge of a triangle: node 3 at (", 0), 0u);
    EXPECT_NE(report.problems[0].message.find("inside the edge from node 0 to 1"), std::string::npos);
  }
}

/// The nodes inside edges, by tests of all pairs.
std::size_t hanging_by_hand(MeshData const& mesh) {
  std::size_t count = 0;
  for (auto const& node : mesh.nodes) {
    bool inside = false;
    for (auto const& t : mesh.triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        auto const &p = mesh.nodes[std::size_t(t[k])], &q = mesh.nodes[std::size_t(t[(k + 1) % 3])];
        double const dx = q[0] - p[0], dy = q[1] - p[1], x = node[0] - p[0], y = node[1] - p[1];
        double const length = std::hypot(dx, dy), along = (x * dx + y * dy) / length,
                     across = (x * dy - y * dx) / length;
        inside = inside || (std::abs(across) <= 1e-9 * length && std::min(along, length - along) > 1e-9 * length);
      }
    }
    count += inside;
  }
  return count;
}

TEST(CheckMesh, FindsEveryHangingNode) {
  // Triangles of all sizes across each other, their tips on sides of others or beside them.
  std::mt19937 random(5);
  auto const part = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
  MeshData mesh;
  for (int t = 0; t < 600; ++t) {
    Point const p{part(), part()};
    double const size = std::pow(10, -3 * part());
    std::array<Point, 3> corners{p, Point{p[0] + size, p[1] + size * part()}, Point{p[0], p[1] + size}};
    if (t > 0 && t % 3 > 0) {
      auto const& other = mesh.triangles[random() % mesh.triangles.size()];
      Point const &a = mesh.nodes[std::size_t(other[0])], &b = mesh.nodes[std::size_t(other[1])];
      double const share = part(), aside = t % 3 == 1 ? 0 : 1e-6;
      corners[0] = {a[0] + share * (b[0] - a[0]) - aside, a[1] + share * (b[1] - a[1]) + aside};
      corners[1] = {corners[0][0] + size, corners[0][1] + size * part()};
      corners[2] = {corners[0][0], corners[0][1] + size};
    }
    int const first = int(mesh.nodes.size());
    for (Point const& corner : corners) mesh.nodes.push_back(corner);
    mesh.triangles.push_back({first, first + 1, first + 2});
    mesh.regions.push_back(1);
  }
  auto const report = check_mesh(mesh);
  ASSERT_EQ(faults(report), Faults{MeshFault::hanging_node}) << report.text();
  EXPECT_EQ(report.problems[0].count, hanging_by_hand(mesh));
  EXPECT_GE(report.problems[0].count, 200u) << "those that were put on a side";
}

TEST(CheckMesh, TakesNoSquareOfLongEdges) {
  // Needles side by side along a diagonal: every edge spans all the others along x and along y.
  MeshData mesh;
  constexpr int needles = 40'000;
  for (int t = 0; t < needles; ++t) {
    double const place = double(t) / needles, width = 0.1 / needles;
    for (Point const& p : {Point{place, -place}, Point{place + width, -place - width}, Point{place + 9, 9 - place}}) {
      mesh.nodes.push_back(p);
    }
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    mesh.regions.push_back(1);
  }
  EXPECT_TRUE(check_mesh(mesh).good()) << check_mesh(mesh).text();
}

TEST(CheckMesh, ListedEdges) {
  auto mesh = squares(2, 2);
  mesh.edges[1] = {mesh.edges[1][1], mesh.edges[1][0]};
  auto const backwards = check_mesh(mesh);
  EXPECT_EQ(faults(backwards), Faults{MeshFault::edge_backwards});
  EXPECT_EQ(backwards.problems[0].first, 1u);

  mesh = squares(2, 2);
  mesh.edges[3] = {4, 0};  // a diagonal
  expect_problem(mesh, MeshFault::edge_inside, 1, 3,
                 "1 boundary edge lies between two triangles: edge 3 (nodes 4 to 0)");
  EXPECT_EQ(check_mesh(mesh).unlisted_edges, 1u);

  mesh = squares(2, 2);
  mesh.edges[3] = {0, 8};
  expect_problem(mesh, MeshFault::edge_of_no_triangle, 1, 3,
                 "1 boundary edge is not a side of any triangle: edge 3 (nodes 0 to 8)");

  mesh = squares(2, 2);
  mesh.edges[3] = mesh.edges[0];
  auto const twice = check_mesh(mesh);
  EXPECT_EQ(faults(twice), Faults{MeshFault::duplicate_edge});
  EXPECT_EQ(twice.problems[0].first, 3u);
}

TEST(CheckMesh, SeveralProblemsAtOnce) {
  auto mesh = squares(4, 4);
  std::swap(mesh.triangles[2][0], mesh.triangles[2][1]);
  mesh.nodes.push_back({50, 50});
  mesh.regions.push_back(1);
  auto const report = check_mesh(mesh);
  EXPECT_EQ(faults(report), (Faults{MeshFault::label_count, MeshFault::clockwise, MeshFault::unused_node}));
  std::string const text = report.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

TEST(CompleteBoundary, ListsAndTurnsEdges) {
  for (auto const& [name, whole] : sample_meshes()) {
    SCOPED_TRACE(name);
    auto mesh = whole;
    // every third edge is missing, every fifth backwards
    mesh.edges.clear();
    mesh.edge_labels.clear();
    std::size_t missing = 0;
    for (std::size_t e = 0; e < whole.edges.size(); ++e) {
      if (e % 3 == 2 && ++missing) continue;
      auto const [a, b] = whole.edges[e];
      mesh.edges.push_back(e % 5 == 4 ? std::array{b, a} : std::array{a, b});
      mesh.edge_labels.push_back(int(e));
    }
    EXPECT_EQ(check_mesh(mesh).unlisted_edges, missing);
    complete_boundary(mesh, -7);
    EXPECT_TRUE(check_mesh(mesh).good()) << check_mesh(mesh).text();
    EXPECT_EQ(check_mesh(mesh).unlisted_edges, 0u);
    ASSERT_EQ(mesh.edges.size(), whole.edges.size());
    ASSERT_EQ(mesh.edge_labels.size(), whole.edges.size());
    for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
      int const label = mesh.edge_labels[e];
      if (e < mesh.edges.size() - missing) {
        EXPECT_EQ(mesh.edges[e], whole.edges[std::size_t(label)]);
      } else {
        EXPECT_EQ(label, -7);
      }
    }
  }
}

TEST(CompleteBoundary, LeavesEdgesInside) {
  auto mesh = squares(2, 2);
  mesh.edges = {{0, 4}};
  mesh.edge_labels = {9};
  complete_boundary(mesh, 1);
  EXPECT_EQ(mesh.edges.size(), 9u);
  EXPECT_EQ(mesh.edges[0], (std::array{0, 4}));
  mesh.triangles[0][0] = 100;
  EXPECT_THROW(complete_boundary(mesh, 1), std::invalid_argument);
}

void expect_spread(MeshSpread const& spread, double least, double mean, double most) {
  // sums and quotients of some ten terms, each within half an eps
  constexpr double tolerance = 32 * std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(spread.least, least, tolerance * least);
  EXPECT_NEAR(spread.mean, mean, tolerance * mean);
  EXPECT_NEAR(spread.most, most, tolerance * most);
}

TEST(MeshQuality, OfKnownTriangles) {
  double const root = std::sqrt(3.0);
  auto const equilateral = mesh_quality(mesh_of({{0, 0}, {2, 0}, {1, root}}, {{0, 1, 2}}));
  EXPECT_DOUBLE_EQ(equilateral.area, root);
  EXPECT_DOUBLE_EQ(equilateral.boundary_length, 6);
  expect_spread(equilateral.smallest_angle, pi / 3, pi / 3, pi / 3);
  expect_spread(equilateral.largest_angle, pi / 3, pi / 3, pi / 3);
  expect_spread(equilateral.edge_ratio, 1, 1, 1);
  expect_spread(equilateral.radius_ratio, 1, 1, 1);

  // 3, 4, 5: inscribed radius 1, circumscribed 5/2
  auto const right = mesh_quality(mesh_of({{0, 0}, {4, 0}, {0, 3}}, {{0, 1, 2}}));
  expect_spread(right.triangle_area, 6, 6, 6);
  expect_spread(right.edge_length, 3, 4, 5);
  expect_spread(right.smallest_angle, std::atan2(3.0, 4.0), std::atan2(3.0, 4.0), std::atan2(3.0, 4.0));
  expect_spread(right.largest_angle, pi / 2, pi / 2, pi / 2);
  expect_spread(right.edge_ratio, 5.0 / 3, 5.0 / 3, 5.0 / 3);
  expect_spread(right.radius_ratio, 0.8, 0.8, 0.8);
}

TEST(MeshQuality, OfAnySize) {
  // Powers of two change no digits; squares of areas would be beyond the range of numbers.
  auto const unit = mesh_quality(squares(3, 2));
  for (double const size : {0x1p-300, 0x1p300}) {
    auto mesh = squares(3, 2);
    for (auto& [x, y] : mesh.nodes) {
      x *= size;
      y *= size;
    }
    EXPECT_TRUE(check_mesh(mesh).good()) << check_mesh(mesh).text();
    auto const scaled = mesh_quality(mesh);
    EXPECT_EQ(scaled.area, unit.area * size * size);
    EXPECT_EQ(scaled.radius_ratio.least, unit.radius_ratio.least);
    EXPECT_EQ(scaled.radius_ratio.most, unit.radius_ratio.most);
    EXPECT_EQ(scaled.smallest_angle.mean, unit.smallest_angle.mean);
  }
}

TEST(MeshQuality, OfSquares) {
  auto const quality = mesh_quality(squares(6, 4));
  EXPECT_DOUBLE_EQ(quality.area, 24);
  EXPECT_DOUBLE_EQ(quality.boundary_length, 20);
  expect_spread(quality.triangle_area, 0.5, 0.5, 0.5);
  // 6 * 5 + 7 * 4 sides and 24 diagonals
  expect_spread(quality.edge_length, 1, (58 + 24 * std::sqrt(2.0)) / 82, std::sqrt(2.0));
  expect_spread(quality.smallest_angle, pi / 4, pi / 4, pi / 4);
}

TEST(MeshQuality, OfNothing) {
  auto const quality = mesh_quality({});
  EXPECT_EQ(quality.area, 0);
  EXPECT_EQ(quality.radius_ratio.least, 0);
  EXPECT_EQ(quality.radius_ratio.most, 0);
  auto mesh = one_triangle();
  mesh.triangles[0][0] = -1;
  EXPECT_THROW(mesh_quality(mesh), std::invalid_argument);
}

}  // namespace mesh_checks_test
