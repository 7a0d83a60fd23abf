// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/mesh/flow_mesh_generators.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/mesh_order.hpp>
#include <karman/mesh/periodic_nodes.hpp>
#include <karman/mesh/polygon_mesh.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace periodic_nodes_test {

using namespace karman;

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int south = 1, east = 2, north = 3, west = 4;

std::array<double, 2> node(MeshData const& mesh, int number) { return mesh.nodes.at(static_cast<std::size_t>(number)); }

/// Each node of b once, with a node of a that lies where the translation says, to the tolerance of `near`.
void expect_pairs(MeshData const& mesh, PeriodicPairs const& found, int a, int b, double near) {
  std::map<int, std::set<int>> nodes;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    for (int const n : mesh.edges[e]) nodes[mesh.edge_labels[e]].insert(n);
  }
  std::set<int> of_a, of_b;
  for (auto const& [n, partner] : found.pairs) {
    of_b.insert(n);
    of_a.insert(partner);
    for (std::size_t d = 0; d < 2; ++d) {
      EXPECT_NEAR(node(mesh, n)[d], node(mesh, partner)[d] + found.translation[d], near);
    }
  }
  EXPECT_EQ(of_a, nodes[a]);
  EXPECT_EQ(of_b, nodes[b]);
  EXPECT_EQ(found.pairs.size(), nodes[b].size());
  EXPECT_TRUE(std::is_sorted(found.pairs.begin(), found.pairs.end()));
}

/// Refused with one line that has all of these texts.
void expect_refused(std::function<void()> const& call, std::vector<std::string> const& texts) {
  try {
    call();
    ADD_FAILURE() << "accepted: " << texts.front();
  } catch (std::invalid_argument const& error) {
    std::string const message = error.what();
    for (auto const& text : texts) EXPECT_NE(message.find(text), std::string::npos) << message << "\n  " << text;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(PeriodicPairs, MatchSidesOfARectangle) {
  for (double const size : {3.0, 1.0, 0.4, 0.03}) {
    MeshData const mesh = mesh_rectangle({.low = {-1, 2}, .high = {1.5, 3}, .size = size});
    // Centroids are means over at most 84 edges, each rounded.
    auto const across = periodic_pairs(mesh, west, east);
    EXPECT_NEAR(across.translation[0], 2.5, 84 * eps);
    EXPECT_NEAR(across.translation[1], 0, 84 * 3 * eps);
    expect_pairs(mesh, across, west, east, 84 * 3 * eps);
    auto const back = periodic_pairs(mesh, east, west);
    EXPECT_NEAR(back.translation[0], -2.5, 84 * eps);
    expect_pairs(mesh, back, east, west, 84 * 3 * eps);
    expect_pairs(mesh, periodic_pairs(mesh, south, north, std::array{0.0, 1.0}), south, north, 2 * eps);
  }
}

TEST(PeriodicPairs, MatchNodesInAnyOrderAndPlace) {
  // Shuffled numbers, graded spacings, far from the origin: errors are eps of the coordinates, 1e-10 m.
  auto const y = graded_coordinates(0, 40, 0.5, 3);
  MeshData mesh = mesh_rectangle(graded_coordinates(0, 100, 2, 1), y);
  std::vector<int> order(mesh.nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  std::vector<std::array<double, 2>> places(mesh.nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    places[static_cast<std::size_t>(order[i])] = {mesh.nodes[i][0] + 5e5, mesh.nodes[i][1] - 3e6};
  }
  mesh.nodes = places;
  for (auto& e : mesh.edges) {
    for (int& n : e) n = order[static_cast<std::size_t>(n)];
  }
  expect_pairs(mesh, periodic_pairs(mesh, west, east), west, east, 1e-7);
  expect_pairs(mesh, periodic_pairs(mesh, south, north), south, north, 1e-7);
}

TEST(PeriodicPairs, MatchCurvesAndStaircases) {
  // A channel between two waves, and one between two staircases, made of a polygon with equal pieces on both.
  for (bool const stairs : {false, true}) {
    std::vector<std::array<double, 2>> curve;
    for (int i = 0; i <= 12; ++i) {
      if (stairs) curve.push_back({0.25 * (i / 2), 0.25 * ((i + 1) / 2)});
      else curve.push_back({0.25 * i, 0.3 * std::sin(std::numbers::pi * i / 6)});
    }
    Polygon polygon;
    for (std::size_t i = 0; i < curve.size(); ++i) {
      polygon.outer.add(curve[i][0], curve[i][1], i + 1 < curve.size() ? 5 : 6);
    }
    for (std::size_t i = curve.size(); i-- > 0;) polygon.outer.add(curve[i][0] + 1, curve[i][1] - 1, i > 0 ? 7 : 8);
    polygon.boundary_names = {{5, "upper"}, {6, "right"}, {7, "lower"}, {8, "left"}};
    // The default size is one third of a piece; refinement may halve pieces of one side only. So no finer size.
    MeshData const mesh = mesh_polygon(polygon, {.size = 0.2});
    auto const found = periodic_pairs(mesh, 5, 7);
    EXPECT_NEAR(found.translation[0], 1, 1e-13);
    EXPECT_NEAR(found.translation[1], -1, 1e-13);
    expect_pairs(mesh, found, 5, 7, 1e-13);
  }
}

TEST(PeriodicPairs, RefuseBoundariesThatDoNotMatch) {
  MeshData const mesh = mesh_rectangle({0, 1, 2}, {0, 1, 2, 4});
  MeshData moved = mesh;
  moved.nodes[5][1] += 1e-3;  // on the east side, beside edges of length 1
  expect_refused(
      [&] { periodic_pairs(moved, west, east); },
      {"label 2 \"east\" (4 nodes) must be label 4 \"west\" (4 nodes) moved by (2, ", "no partner; node 5 is"});
  expect_refused([&] { periodic_pairs(moved, west, east, std::array{2.0, 0.0}); },
                 {"1 node of label 2 \"east\" has no partner; node 5 is 0.001 from the nearest one"});
  auto const loose = periodic_pairs(moved, west, east, std::array{2.0, 0.0}, {.tolerance = 0.0011});
  expect_pairs(moved, loose, west, east, 1.1e-3);
  expect_refused([&] { periodic_pairs(moved, west, east, std::array{2.0, 0.0}, {.tolerance = 0.0009}); },
                 {"node 5 is 0.001 from"});

  // Different numbers of nodes, in either order.
  MeshData finer = mesh;
  finer.nodes.push_back({2, 3});
  finer.edges.push_back({12, 11});
  finer.edge_labels.push_back(east);
  auto const cut = std::find(finer.edges.begin(), finer.edges.end(), std::array{8, 11});
  ASSERT_NE(cut, finer.edges.end());
  (*cut)[1] = 12;
  expect_refused([&] { periodic_pairs(finer, west, east); },
                 {"(5 nodes) must be", "(4 nodes)", "1 node of label 2 \"east\" has no partner; node 12 is 1 from"});
  expect_refused([&] { periodic_pairs(finer, east, west); },
                 {"(4 nodes) must be", "(5 nodes)", "1 node of label 2 \"east\" has no partner; node 12 is 1 from"});

  // Sides of different lengths, a wrong translation, the wrong label.
  expect_refused([&] { periodic_pairs(mesh, south, east); }, {"(3 nodes)", "(4 nodes)", "no partner; node"});
  expect_refused([&] { periodic_pairs(mesh, west, east, std::array{2.0, 0.5}); }, {"moved by (2, 0.5)", "is 0.5 from"});
  expect_refused([&] { periodic_pairs(mesh, west, 9); }, {"label 9: must have boundary edges; found none"});
  expect_refused([&] { periodic_pairs(mesh, 0, east); }, {"label 0: must have boundary edges; found none"});
  expect_refused([&] { periodic_pairs({}, 1, 2); }, {"label 1: must have boundary edges"});
  expect_refused([&] { periodic_pairs(mesh, east, east); }, {"label 2: must differ from its partner"});
  double const nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused([&] { periodic_pairs(mesh, west, east, std::array{nan, 0.0}); }, {"translation: (nan, 0)"});
  expect_refused([&] { periodic_pairs(mesh, west, east, std::array{0.0, 0.0}); }, {"translation: (0, 0)"});
  MeshData wild = mesh;
  wild.edges.back()[1] = 12;
  expect_refused([&] { periodic_pairs(wild, east, wild.edge_labels.back()); }, {"edge 9: a node number out of range"});
  wild = mesh;
  wild.edge_labels.pop_back();
  expect_refused([&] { periodic_pairs(wild, east, west); }, {"every boundary edge needs a label"});
  for (double const tolerance : {0.0, -1.0, 0.5, nan}) {
    expect_refused([&] { periodic_pairs(mesh, west, east, {}, {.tolerance = tolerance}); }, {"tolerance: "});
  }
}

TEST(PeriodicPairs, MeasureByTheShorterEdge) {
  // Node 3 lies between edges of lengths 0.1 and 10, in either order. It moves by 0.001, which makes the shorter one
  // 0.099 or 0.101 long.
  for (bool const upside : {false, true}) {
    double const y = upside ? 10 : 0.1;
    MeshData mesh = mesh_rectangle({0, 1}, {0, y, 10.1});
    mesh.nodes[3][1] += 0.1 * 0.01;
    EXPECT_EQ(periodic_pairs(mesh, west, east, std::array{1.0, 0.0}, {.tolerance = 0.0102}).pairs.size(), 3u);
    expect_refused([&] { periodic_pairs(mesh, west, east, std::array{1.0, 0.0}, {.tolerance = 0.0098}); },
                   {"node 3 is 0.001 from"});
  }
}

TEST(PeriodicPairs, RefuseGapsInDifferentPlaces) {
  // Nodes match, but each side has a gap of one edge elsewhere: node 3 and node 5 keep their other edges.
  MeshData mesh = mesh_rectangle({0, 1}, {0, 1, 2, 3, 4, 5});
  auto const relabel = [&](std::array<int, 2> const& edge) {
    auto const found = std::find(mesh.edges.begin(), mesh.edges.end(), edge);
    ASSERT_NE(found, mesh.edges.end());
    mesh.edge_labels[static_cast<std::size_t>(found - mesh.edges.begin())] = 7;
  };
  relabel({3, 5});  // east, from y = 1 to 2
  relabel({8, 6});  // west, from y = 4 to 3
  expect_refused([&] { periodic_pairs(mesh, west, east, std::array{1.0, 0.0}); },
                 {"their nodes match, their edges (4 and 4) do not"});
}

TEST(PeriodicGroups, JoinTheCornersOfASquare) {
  for (int const n : {1, 2, 3, 16, 63}) {
    MeshData const mesh = mesh_rectangle({.size = 1.0 / n});
    auto const groups = periodic_groups(mesh, {{west, east}, {south, north}});
    ASSERT_EQ(groups.size(), mesh.nodes.size());
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        EXPECT_EQ(groups[static_cast<std::size_t>(j * (n + 1) + i)], (j % n) * (n + 1) + i % n) << i << ' ' << j;
      }
    }
    // A torus has n x n nodes, in any order of pairs and labels.
    EXPECT_EQ(std::set<int>(groups.begin(), groups.end()).size(), static_cast<std::size_t>(n) * n);
    EXPECT_EQ(periodic_groups(mesh, {{north, south}, {east, west}}), groups);
    // Four corners are one node.
    auto const shares = group_shares(groups);
    EXPECT_EQ(shares.front(), 0.25F);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), double(n) * n, 1e-9);
  }
}

TEST(PeriodicGroups, JoinOneDirectionOnly) {
  MeshData const mesh = mesh_rectangle({.size = 0.25});
  auto const groups = periodic_groups(mesh, {{west, east}});
  for (int j = 0; j <= 4; ++j) {
    for (int i = 0; i <= 4; ++i) EXPECT_EQ(groups[static_cast<std::size_t>(j * 5 + i)], j * 5 + i % 4);
  }
  auto const none = periodic_groups(mesh, {});
  for (std::size_t i = 0; i < none.size(); ++i) EXPECT_EQ(none[i], static_cast<int>(i));
  EXPECT_TRUE(periodic_groups({}, {}).empty());
}

TEST(PeriodicGroups, FollowNumbersThatRunBackwards) {
  // Lowest numbers in the north east: every chain of partners runs against the order of the pairs.
  constexpr int n = 5, all = (n + 1) * (n + 1);
  MeshData mesh = mesh_rectangle({.size = 1.0 / n});
  std::reverse(mesh.nodes.begin(), mesh.nodes.end());
  for (auto& e : mesh.edges) e = {all - 1 - e[0], all - 1 - e[1]};
  auto const groups = periodic_groups(mesh, {{west, east}, {south, north}});
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      int const top = j % n == 0 ? n : j, right = i % n == 0 ? n : i;
      EXPECT_EQ(groups[static_cast<std::size_t>(all - 1 - (j * (n + 1) + i))], all - 1 - (top * (n + 1) + right));
    }
  }
}

TEST(PeriodicGroups, FollowChainsOfLabels) {
  // Three segments: the last one joins the middle one before that joins the first.
  MeshData mesh;
  mesh.nodes = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};
  mesh.edges = {{0, 1}, {2, 3}, {4, 5}};
  mesh.edge_labels = {1, 2, 3};
  EXPECT_EQ(periodic_groups(mesh, {{2, 3}, {1, 2}}), (std::vector{0, 1, 0, 1, 0, 1}));
}

TEST(PeriodicGroups, JoinTheSidesOfAHexagon) {
  // Three directions: the six corners form two groups of three. Every second corner is one node of the torus.
  Polygon polygon;
  for (int i = 0; i < 6; ++i) {
    double const angle = std::numbers::pi * i / 3;
    polygon.outer.add(std::cos(angle), std::sin(angle), i + 1);
  }
  MeshData const mesh = mesh_polygon(polygon, {.size = 1.5});
  auto const groups = periodic_groups(mesh, {{1, 4}, {2, 5}, {3, 6}});
  std::map<int, std::vector<std::array<double, 2>>> corners;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (std::abs(std::hypot(mesh.nodes[i][0], mesh.nodes[i][1]) - 1) < 1e-12)
      corners[groups[i]].push_back(mesh.nodes[i]);
  }
  ASSERT_EQ(corners.size(), 2u);
  for (auto const& [group, places] : corners) {
    ASSERT_EQ(places.size(), 3u);
    for (std::size_t d = 0; d < 2; ++d) EXPECT_NEAR(places[0][d] + places[1][d] + places[2][d], 0, 1e-12);
  }
}

TEST(PeriodicGroups, RefuseAsPairsDo) {
  MeshData const mesh = mesh_rectangle({.high = {2, 1}, .size = 0.5});
  expect_refused([&] { periodic_groups(mesh, {{west, east}, {south, 8}}); }, {"label 8: must have boundary edges"});
  expect_refused([&] { periodic_groups(mesh, {{west, north}}); }, {"no partner; node"});
}

TEST(PeriodicGroups, TakeLargeSides) {
  // 20,000 nodes per side: a search over all of them for each would take minutes.
  MeshData const mesh = mesh_rectangle({.high = {1, 20'000}, .size = 1});
  auto const groups = periodic_groups(mesh, {{west, east}, {south, north}});
  EXPECT_EQ(std::set<int>(groups.begin(), groups.end()).size(), 20'000u);
  expect_refused([&] { periodic_pairs(mesh, west, east, std::array{1.0, 0.5}); },
                 {"20001 nodes of label 2 \"east\" have no partner; node 1 is 0.5 from"});
}

}  // namespace periodic_nodes_test
