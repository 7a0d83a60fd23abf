// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/mesh/mesh_invariants.hpp"
#include "mesh_generation/mesh_predicates.hpp"
#include <karman/mesh/polygon_mesh.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

namespace polygon_mesh_test {

using namespace karman;
using namespace karman::test;

constexpr double pi = std::numbers::pi;
constexpr double eps = std::numeric_limits<double>::epsilon();

PolygonRing rectangle(double x0, double y0, double x1, double y1, int label = 1) {
  PolygonRing ring;
  ring.add(x0, y0, label);
  ring.add(x1, y0, label);
  ring.add(x1, y1, label);
  ring.add(x0, y1, label);
  return ring;
}

PolygonRing reversed(PolygonRing const& ring) {
  PolygonRing other;
  std::size_t const n = ring.points.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t const p = (n - i) % n, segment = (n - 1 - i) % n;
    other.add(ring.points[p][0], ring.points[p][1], ring.labels[segment]);
  }
  return other;
}

double ring_area(PolygonRing const& ring) {
  double sum = 0;
  for (std::size_t i = 0; i < ring.points.size(); ++i) {
    sum += area({0, 0}, ring.points[i], ring.points[(i + 1) % ring.points.size()]);
  }
  return std::abs(sum);
}

double polygon_area(Polygon const& polygon) {
  double sum = ring_area(polygon.outer);
  for (PolygonRing const& hole : polygon.holes) sum -= ring_area(hole);
  return sum;
}

double ring_length(PolygonRing const& ring, int label) {
  double sum = 0;
  for (std::size_t i = 0; i < ring.points.size(); ++i) {
    Point const &a = ring.points[i], &b = ring.points[(i + 1) % ring.points.size()];
    if (ring.labels[i] == label) sum += std::hypot(b[0] - a[0], b[1] - a[1]);
  }
  return sum;
}

/// Constrained Delaunay triangulation: no circle of a triangle contains the opposite node of a neighbour.
void expect_delaunay(MeshData const& mesh) {
  std::map<std::pair<int, int>, int> opposite;
  for (auto const& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) opposite[{t[i], t[(i + 1) % 3]}] = t[(i + 2) % 3];
  }
  int inside = 0;
  for (auto const& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      auto const other = opposite.find({t[(i + 1) % 3], t[i]});
      if (other == opposite.end()) continue;
      if (detail::in_circle(node(mesh, t[0]), node(mesh, t[1]), node(mesh, t[2]), node(mesh, other->second)) > 0) {
        ++inside;
      }
    }
  }
  EXPECT_EQ(inside, 0);
}

/// Checks the properties of every polygon mesh. Halving pieces rounds: the area may change by an eps of the extent per
/// piece.
MeshData expect_polygon_mesh(Polygon polygon, PolygonMeshOptions const& options) {
  auto const name = [&](PolygonRing const& ring) {
    for (int label : ring.labels) polygon.boundary_names.emplace(label, "label " + std::to_string(label));
  };
  name(polygon.outer);
  for (PolygonRing const& hole : polygon.holes) name(hole);
  MeshData const mesh = mesh_polygon(polygon, options);
  expect_mesh(mesh, static_cast<int>(polygon.holes.size()));
  expect_delaunay(mesh);
  double extent = 0;
  for (Point const& p : polygon.outer.points) extent = std::max({extent, std::abs(p[0]), std::abs(p[1])});
  double const edges = static_cast<double>(mesh.edges.size());
  EXPECT_NEAR(area(mesh), polygon_area(polygon), 8 * eps * extent * extent * (edges + 8));
  for (auto const& [label, text] : polygon.boundary_names) {
    double exact = ring_length(polygon.outer, label);
    for (PolygonRing const& hole : polygon.holes) exact += ring_length(hole, label);
    EXPECT_NEAR(boundary_length(mesh, label), exact, 8 * eps * extent * (edges + 8)) << text;
  }
  return mesh;
}

double mean_edge(MeshData const& mesh) {
  double sum = 0;
  for (auto const& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) sum += length(mesh, t[i], t[(i + 1) % 3]);
  }
  return sum / static_cast<double>(3 * mesh.triangles.size());
}

TEST(PolygonMesh, FillsASquareWithTrianglesOfTheSize) {
  for (double const size : {2.0, 0.5, 0.21, 0.05, 0.01}) {
    MeshData const mesh = expect_polygon_mesh({rectangle(0, 0, 1, 1), {}, {}}, {.size = size});
    auto const all = angles(mesh);
    EXPECT_GE(all.front(), 28);
    EXPECT_LE(all.back(), 120);
    double const wanted = std::min(size, 1.0);
    auto const edges = edge_lengths(mesh);
    EXPECT_GT(edges[0], 0.5 * wanted);
    EXPECT_LT(edges[1], 1.55 * wanted);
    EXPECT_NEAR(mean_edge(mesh), wanted, 0.15 * wanted);
  }
}

TEST(PolygonMesh, FollowsASizeFunction) {
  auto const size = [](double x, double y) { return 0.01 + 0.2 * std::hypot(x - 0.3, y - 0.3); };
  MeshData const mesh = expect_polygon_mesh({rectangle(0, 0, 1, 1), {}, {}}, {.size_at = size});
  EXPECT_GE(angles(mesh).front(), 27);
  double sum = 0;
  for (auto const& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      Point const &a = node(mesh, t[i]), &b = node(mesh, t[(i + 1) % 3]);
      double const ratio = length(mesh, t[i], t[(i + 1) % 3]) / size(0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]));
      EXPECT_GT(ratio, 0.4);
      EXPECT_LT(ratio, 1.8);
      sum += ratio;
    }
  }
  EXPECT_NEAR(sum / static_cast<double>(3 * mesh.triangles.size()), 1, 0.15);
}

/// A basin behind two breakwaters on a coast with half a disc of sea: about 40 000 nodes.
Polygon harbour() {
  Polygon p;
  p.outer.add_arc({0, 0}, 1000, -pi / 2, pi / 2, 6, 1);
  p.outer.add(0, 1000, 2);
  p.outer.add(0, 300, 3);
  p.outer.add(-400, 300, 3);
  p.outer.add(-400, -50, 4);
  p.outer.add(-250, -300, 3);
  p.outer.add(0, -300, 2);
  PolygonRing breakwater;
  breakwater.add(50, -250, 5);
  breakwater.add(150, -240, 5);
  breakwater.add(200, 100, 5);
  breakwater.add(190, 101, 5);
  breakwater.add(140, -230, 5);
  breakwater.add(50, -240, 5);
  PolygonRing tower;
  tower.add_arc({100, 260}, 20, 0, 2 * pi, 5, 6);
  p.holes = {breakwater, tower};
  return p;
}

TEST(PolygonMesh, MeshesAHarbourOfFortyThousandNodes) {
  MeshData const mesh = expect_polygon_mesh(harbour(), {.size = 7.6});
  EXPECT_NEAR(static_cast<double>(mesh.nodes.size()), 40'000, 4'000);
  auto const all = angles(mesh);
  EXPECT_GE(all.front(), 25);
  EXPECT_LE(all.back(), 130);
  auto const poor = std::lower_bound(all.begin(), all.end(), 30) - all.begin();
  EXPECT_LT(static_cast<double>(poor), 0.002 * static_cast<double>(all.size()));
}

TEST(PolygonMesh, TurnsRingsAsNeeded) {
  Polygon p = harbour();
  MeshData const a = mesh_polygon(p, {.size = 40});
  Polygon q = p;
  q.outer = reversed(p.outer);
  q.holes[0] = reversed(p.holes[0]);
  MeshData const b = expect_polygon_mesh(q, {.size = 40});
  EXPECT_NEAR(static_cast<double>(a.nodes.size()), static_cast<double>(b.nodes.size()),
              0.05 * static_cast<double>(a.nodes.size()));
}

TEST(PolygonMesh, GivesTheSameBitsAgain) {
  MeshData const a = mesh_polygon(harbour(), {.size = 25});
  MeshData const b = mesh_polygon(harbour(), {.size = 25});
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_EQ(a.edges, b.edges);
}

TEST(PolygonMesh, KeepsCornersOfAnyAngle) {
  for (double const degrees : {70.0, 45.0, 20.0, 5.0, 1.0, 0.1}) {
    PolygonRing wedge;
    wedge.add(0, 0, 1);
    wedge.add(10, 0, 2);
    wedge.add(10 * std::cos(degrees * pi / 180), 10 * std::sin(degrees * pi / 180), 3);
    MeshData const mesh = expect_polygon_mesh({wedge, {}, {}}, {.size = 1});
    EXPECT_NEAR(angles(mesh).front(), std::min(28.0, degrees), 8) << degrees;
    EXPECT_LT(mesh.nodes.size(), 4000u) << degrees;
  }
}

TEST(PolygonMesh, KeepsDetailFinerThanTheSize) {
  PolygonRing saw = rectangle(0, 0, 10, 10);
  saw.points.insert(saw.points.begin() + 1, {{5, 0}, {5.01, 0.013}, {5.02, 0}});
  saw.labels.assign(saw.points.size(), 1);
  MeshData const mesh = expect_polygon_mesh({saw, {rectangle(5, 5, 5.001, 5.002, 2)}, {}}, {.size = 1});
  for (Point const& p : saw.points) EXPECT_EQ(std::count(mesh.nodes.begin(), mesh.nodes.end(), p), 1);
  EXPECT_GE(angles(mesh).front(), 25);
  EXPECT_LT(mesh.nodes.size(), 3000u);
}

/// A ring about a point whose radius goes up and down at random.
PolygonRing star(std::mt19937& random, Point center, double least, double greatest, int corners) {
  std::uniform_real_distribution<double> radius(least, greatest);
  PolygonRing ring;
  for (int i = 0; i < corners; ++i) {
    double const angle = 2 * pi * i / corners, r = radius(random);
    ring.add(center[0] + r * std::cos(angle), center[1] + r * std::sin(angle), 1 + i % 3);
  }
  return ring;
}

TEST(PolygonMesh, MeshesRandomStarsInStars) {
  std::mt19937 random(11);
  for (int corners : {3, 4, 5, 8, 13, 40, 150}) {
    for (int repeat = 0; repeat < 6; ++repeat) {
      Polygon p;
      p.outer = star(random, {3, -2}, 1.0, 2.5, corners);
      p.holes = {star(random, {3, -2}, 0.05, 0.4, corners)};
      if (repeat % 2 == 1) p.holes[0] = reversed(p.holes[0]);
      double const size = repeat < 3 ? 0.1 : 0.7;
      if (corners == 3) p.holes.clear();  // such a star may be thinner than its hole
      MeshData const mesh = expect_polygon_mesh(p, {.size = size});
      EXPECT_GT(angles(mesh).front(), 0.2) << corners << ' ' << repeat;
    }
  }
}

TEST(PolygonMesh, RefinesNarrowGaps) {
  for (double const gap : {0.1, 0.01, 0.002}) {
    MeshData const mesh =
        expect_polygon_mesh({rectangle(0, 0, 2, 2), {rectangle(0.5, gap, 1.5, 1, 2)}, {}}, {.size = 0.5});
    EXPECT_GE(angles(mesh).front(), 28);
    EXPECT_LT(static_cast<double>(mesh.nodes.size()), 300 + 30 / gap);
  }
}

/// Of the domain at a corner of a ring, in degrees.
double corner(PolygonRing const& ring, std::size_t i, bool hole) {
  std::size_t const n = ring.points.size();
  Point const &a = ring.points[(i + n - 1) % n], &b = ring.points[i], &c = ring.points[(i + 1) % n];
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) sum += area({0, 0}, ring.points[k], ring.points[(k + 1) % n]);
  double const side = (sum > 0) != hole ? 1 : -1;
  double const dot = (c[0] - b[0]) * (a[0] - b[0]) + (c[1] - b[1]) * (a[1] - b[1]);
  double const angle = std::atan2(side * 2 * area(b, c, a), dot) * 180 / pi;
  return angle < 0 ? angle + 360 : angle;
}

TEST(PolygonMesh, MeshesOrRefusesRandomRings) {
  // Holes anywhere: many cross, touch or lie outside, and are refused. The others are meshed, with good angles where
  // corners allow it. Segments across few large triangles, points on a grid.
  std::mt19937 random(7);
  auto const uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int meshed = 0, good = 0;
  for (int i = 0; i < 250; ++i) {
    int const kind = i % 3;
    auto const ring = [&](Point center, double least, double greatest) {
      int const corners = 3 + static_cast<int>(uniform(0, 12));
      PolygonRing r;
      for (int k = 0; k < corners; ++k) {
        double const angle = 2 * pi * (k + (kind == 0 ? 0 : uniform(-0.4, 0.4))) / corners,
                     radius = uniform(least, greatest);
        Point p{center[0] + radius * std::cos(angle), center[1] + radius * std::sin(angle)};
        if (kind == 2) p = {std::round(8 * p[0]) / 8, std::round(8 * p[1]) / 8};
        r.add(p[0], p[1], 1 + k % 2);
      }
      return r;
    };
    Polygon p{ring({0, 0}, i % 2 == 0 ? 0.95 : 0.3, 1), {}, {}};
    for (int h = i % 4; h > 0; --h) p.holes.push_back(ring({uniform(-0.5, 0.5), uniform(-0.5, 0.5)}, 0.01, 0.25));
    PolygonMeshOptions const options{.size = std::pow(10, uniform(-1.3, 0.3)), .most_nodes = 100'000};
    try {
      mesh_polygon(p, options);
    } catch (std::invalid_argument const& error) {
      std::string const text = error.what();
      EXPECT_TRUE(text.find("crosses") != text.npos || text.find("touches") != text.npos ||
                  text.find("lies") != text.npos || text.find("coincide") != text.npos)
          << text;
      continue;
    }
    ++meshed;
    MeshData const mesh = expect_polygon_mesh(p, options);
    double sharpest = 360;
    for (std::size_t k = 0; k < p.outer.points.size(); ++k) sharpest = std::min(sharpest, corner(p.outer, k, false));
    for (PolygonRing const& hole : p.holes) {
      for (std::size_t k = 0; k < hole.points.size(); ++k) sharpest = std::min(sharpest, corner(hole, k, true));
    }
    if (sharpest < 60) continue;
    ++good;
    EXPECT_GE(angles(mesh).front(), 28 - 1e-9);
  }
  EXPECT_GT(meshed, 80);
  EXPECT_GT(good, 40);
}

TEST(PolygonMesh, TakesPointsOnAGridAndOnLines) {
  // Many points on common circles and lines, so that every decision of a triangulation is a tie.
  PolygonRing comb;
  for (int i = 0; i < 10; ++i) {
    comb.add(2 * i, 0, 1);
    comb.add(2 * i + 1, 0, 1);
    comb.add(2 * i + 1, 4, 1);
    comb.add(2 * i + 2, 4, 1);
  }
  comb.add(20, -3, 1);
  comb.add(0, -3, 1);
  Polygon p{comb, {}, {}};
  for (int i = 0; i < 9; ++i) p.holes.push_back(rectangle(2 * i + 1, -2, 2 * i + 2, -1, 2));
  for (double const size : {1.0, 0.5, 10.0}) {
    MeshData const mesh = expect_polygon_mesh(p, {.size = size});
    EXPECT_GE(angles(mesh).front(), 27);
  }
}

TEST(PolygonMesh, HoldsWhateverTheScaleAndPlace) {
  for (double const scale : {1e-40, 1e-3, 1.0, 1e7, 1e40}) {
    MeshData const mesh = expect_polygon_mesh({rectangle(0, 0, scale, scale), {}, {}}, {.size = 0.1 * scale});
    EXPECT_GE(angles(mesh).front(), 28);
  }
  // Metres in national coordinates, where an eps is a nanometre.
  MeshData const mesh = expect_polygon_mesh({rectangle(5e5, 5e6, 5e5 + 10, 5e6 + 10), {}, {}}, {.size = 0.5});
  EXPECT_GE(angles(mesh).front(), 28);
}

std::string message_of(Polygon const& polygon, PolygonMeshOptions const& options = {}) {
  try {
    mesh_polygon(polygon, options);
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return "no error";
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

#define EXPECT_SAYS(text, part) EXPECT_TRUE(contains(text, part)) << text

/// A bay under a parabola, drawn in fine steps, with a pile in it.
Polygon fine_bay(int steps) {
  Polygon bay;
  for (int i = 0; i < steps; ++i) {
    double const x = 2.0 * i / steps - 1;
    bay.outer.add(x, x * x, 1);
  }
  bay.outer.add(1, 3, 2);
  bay.outer.add(-1, 3, 2);
  bay.holes.push_back(rectangle(0, 2, 0.1, 2.1));
  return bay;
}

TEST(PolygonMesh, NumbersLongRingsAlongThem) {
  // So many points that they are inserted in another order.
  Polygon const bay = fine_bay(5000);
  MeshData const mesh = expect_polygon_mesh(bay, {.size = 0.3, .smoothing = 1});
  for (std::size_t i = 0; i < 5000; ++i) ASSERT_EQ(mesh.nodes[i], bay.outer.points[i]) << i;
  std::vector<int> turns;  // where an edge does not start at the end of the previous one
  for (std::size_t e = 1; e < mesh.edges.size(); ++e) {
    if (mesh.edges[e][0] != mesh.edges[e - 1][1]) turns.push_back(static_cast<int>(e));
  }
  EXPECT_EQ(turns.size(), 1u) << "from one ring to the other";
  // Faults are named by the rings, whatever the order.
  Polygon touching = bay;
  touching.holes[0].points[0] = bay.outer.points[4321];
  EXPECT_SAYS(message_of(touching), "holes[0], segment 0: touches outer ring, segment 43");
  Polygon crossing = bay;
  crossing.holes[0].points[0] = {0.0001, -1};
  EXPECT_SAYS(message_of(crossing), ": crosses outer ring, segment ");
}

TEST(PolygonMesh, NamesWhatIsWrongWithRings) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  PolygonRing const square = rectangle(0, 0, 1, 1);
  EXPECT_SAYS(message_of({}), "outer ring: has 0 points");
  EXPECT_SAYS(message_of({{{{0, 0}, {1, 0}}, {1, 1}}, {}, {}}), "outer ring: has 2 points");
  EXPECT_SAYS(message_of({{square.points, {1}}, {}, {}}), "1 labels for 4 segments");
  EXPECT_SAYS(message_of({{{{0, 0}, {1, nan}, {1, 1}}, {1, 1, 1}}, {}, {}}), "outer ring, point 1");
  EXPECT_SAYS(message_of({{{{0, 0}, {1, 0}, {1e70, 1}}, {1, 1, 1}}, {}, {}}), "outer ring, point 2");
  EXPECT_SAYS(message_of({{{{0, 0}, {1, 0}, {1, 0}, {1, 1}}, {1, 1, 1, 1}}, {}, {}}),
              "outer ring, segment 1: its ends");
  EXPECT_SAYS(message_of({{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}, {1, 1, 1, 1}}, {}, {}}, {.size = 3}),
              "crosses outer ring, segment");
  EXPECT_SAYS(message_of({{{{0, 0}, {1, 0}, {2, 0}}, {1, 1, 1}}, {}, {}}, {.size = 3}), "touches");
  EXPECT_SAYS(message_of({square, {rectangle(0.5, 0.51, 2.03, 0.8)}, {}}), "crosses outer ring, segment 1");
  EXPECT_SAYS(message_of({square, {rectangle(0.5, 0, 0.6, 0.5)}, {}}),
              "holes[0], segment 0: touches outer ring, segment 0");
  EXPECT_SAYS(message_of({square, {rectangle(2, 2, 3, 3)}, {}}), "holes[0]: lies outside the outer ring");
  EXPECT_SAYS(message_of({square, {rectangle(-1, -1, 3, 3)}, {}}), "holes[0]: lies outside the outer ring");
  EXPECT_SAYS(message_of({square, {rectangle(0.2, 0.2, 0.8, 0.8), rectangle(0.4, 0.4, 0.6, 0.6)}, {}}),
              "holes[1]: lies in holes[0]");
  EXPECT_SAYS(message_of({square, {square}, {}}), "holes[0], segment 0: touches outer ring, segment 0");
}

TEST(PolygonMesh, NamesWhatIsWrongWithSizes) {
  Polygon const p{rectangle(0, 0, 1, 1), {}, {}};
  for (double const bad :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_SAYS(message_of(p, {.size = bad}), "size: ");
    auto const inside = [&](double x, double y) { return std::hypot(x - 0.5, y - 0.5) < 0.3 ? bad : 0.1; };
    EXPECT_SAYS(message_of(p, {.size_at = inside}), "must be positive and finite");
  }
  EXPECT_SAYS(message_of(p, {.size = -1e-9}), "size: -1e-09 at (0, 0): must be positive and finite");
  EXPECT_SAYS(message_of(p, {.size = 1e-3, .most_nodes = 10'000}), "more than 10000 nodes");
  EXPECT_SAYS(message_of(p, {.size = 1e-9}), "more than 5000000 nodes");
  // 33 first samples of a side do not meet the small size.
  auto const gap = [](double x, double y) { return y == 0 && x > 0.51 && x < 0.53 ? 1e-12 : 0.1; };
  EXPECT_SAYS(message_of(p, {.size_at = gap}), "more than 5000000 nodes, from (0, 0) to (1, 0)");
  EXPECT_SAYS(message_of(p, {.minimum_angle = 35}), "minimum_angle");
  EXPECT_SAYS(message_of(p, {.smoothing = -1}), "smoothing");
  EXPECT_SAYS(message_of(p, {.most_nodes = 0}), "most_nodes");
}

TEST(PolygonRing, DrawsArcs) {
  PolygonRing ring;
  ring.add_arc({1, 2}, 2, 0, pi, pi / 2, 7);
  ASSERT_EQ(ring.points.size(), 4u);
  EXPECT_NEAR(ring.points[2][0], 1, 4 * eps);
  EXPECT_NEAR(ring.points[2][1], 4, 8 * eps);
  EXPECT_EQ(ring.labels, (std::vector<int>(4, 7)));
  EXPECT_THROW(ring.add_arc({0, 0}, -1, 0, 1, 0.1, 1), std::invalid_argument);
  EXPECT_THROW(ring.add_arc({0, 0}, 1, 0, 1, 0, 1), std::invalid_argument);
  EXPECT_THROW(ring.add_arc({0, 0}, 1, 0, 1e300, 1e-3, 1), std::invalid_argument);
}

}  // namespace polygon_mesh_test
