// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Meshes to test with, and their connectivity by plain search on the host.
#pragma once

#include <karman/mesh/graph.hpp>
#include <karman/mesh/mesh_data.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace karman::test {

/// Lists the edges of one triangle as the boundary, with label 1, and gives every triangle region 1.
inline MeshData closed(MeshData mesh) {
  std::map<std::array<int, 2>, int> sides;
  for (auto const& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
  }
  mesh.edges.clear();
  for (auto const& [side, count] : sides) {
    if (!sides.contains({side[1], side[0]})) mesh.edges.push_back(side);
  }
  mesh.edge_labels.assign(mesh.edges.size(), 1);
  mesh.regions.assign(mesh.triangles.size(), 1);
  return mesh;
}

inline MeshData mesh_of(std::vector<std::array<double, 2>> nodes, std::vector<std::array<int, 3>> triangles) {
  MeshData mesh;
  mesh.nodes = std::move(nodes);
  mesh.triangles = std::move(triangles);
  return closed(std::move(mesh));
}

inline MeshData one_triangle() { return mesh_of({{0, 0}, {1, 0}, {0, 1}}, {{0, 1, 2}}); }

inline MeshData two_triangles() { return mesh_of({{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {{0, 1, 2}, {0, 2, 3}}); }

/// nx by ny squares of side 1, each cut along the same diagonal; the squares row by row.
inline MeshData squares(int nx, int ny) {
  MeshData mesh;
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) mesh.nodes.push_back({double(i), double(j)});
  }
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      int const n = j * (nx + 1) + i;
      mesh.triangles.push_back({n, n + 1, n + nx + 2});
      mesh.triangles.push_back({n, n + nx + 2, n + nx + 1});
    }
  }
  return closed(std::move(mesh));
}

/// n triangles around node `hub`; a closed ring of them, or a fan over half a turn.
inline MeshData fan(int n, bool ring, int hub = 0) {
  MeshData mesh;
  int const rim = ring ? n : n + 1;
  for (int i = 0; i < rim; ++i) {
    double const angle = (ring ? 2 : 1) * std::numbers::pi * i / n;
    mesh.nodes.push_back({std::cos(angle), std::sin(angle)});
  }
  mesh.nodes.insert(mesh.nodes.begin() + hub, {0, 0});
  auto const number = [&](int i) { return i % rim < hub ? i % rim : i % rim + 1; };
  for (int i = 0; i < n; ++i) mesh.triangles.push_back({hub, number(i), number(i + 1)});
  return closed(std::move(mesh));
}

/// Two meshes that touch nowhere.
inline MeshData beside(MeshData a, MeshData const& b) {
  int const offset = static_cast<int>(a.nodes.size());
  for (auto const& [x, y] : b.nodes) a.nodes.push_back({x + 1000, y});
  for (auto const& t : b.triangles) a.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  return closed(std::move(a));
}

/// Nodes and triangles in random order, and each triangle begins with any of its nodes.
inline MeshData shuffled(MeshData const& mesh, unsigned seed = 7) {
  std::mt19937 random(seed);
  std::vector<int> place(mesh.nodes.size());
  std::iota(place.begin(), place.end(), 0);
  std::shuffle(place.begin(), place.end(), random);
  MeshData result = mesh;
  for (std::size_t n = 0; n < place.size(); ++n) result.nodes[std::size_t(place[n])] = mesh.nodes[n];
  for (auto& t : result.triangles) {
    for (auto& node : t) node = place[std::size_t(node)];
    std::rotate(t.begin(), t.begin() + random() % 3, t.end());
  }
  std::shuffle(result.triangles.begin(), result.triangles.end(), random);
  return closed(std::move(result));
}

/// One of each kind, with its name.
inline std::vector<std::pair<std::string, MeshData>> sample_meshes() {
  return {{"empty", {}},
          {"one triangle", one_triangle()},
          {"two triangles", two_triangles()},
          {"three around a node", fan(3, true)},
          {"fan of 31", fan(31, false, 5)},
          {"ring of 32", fan(32, true)},
          {"ring of 33", fan(33, true, 33)},
          {"ring of 300", shuffled(fan(300, true))},
          {"squares 1 x 7", squares(1, 7)},
          {"squares 33 x 9", squares(33, 9)},
          {"shuffled squares", shuffled(squares(20, 23))},
          {"two parts", beside(squares(5, 4), fan(70, true))}};
}

using Rows = std::vector<std::vector<int>>;

/// The rows of a graph, on the host.
template <class Exec>
Rows rows_of(Exec const& space, Graph<Exec> const& graph) {
  auto const offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), graph.offsets);
  auto const entries = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), graph.entries);
  space.fence();
  Rows rows(static_cast<std::size_t>(graph.rows()));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (int i = offsets(r); i < offsets(r + 1); ++i) rows[r].push_back(entries(i));
  }
  return rows;
}

inline Rows triangles_around(MeshData const& mesh) {
  Rows rows(mesh.nodes.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int const node : mesh.triangles[t]) rows[std::size_t(node)].push_back(int(t));
  }
  return rows;
}

inline Rows sorted_rows(std::vector<std::set<int>> const& sets) {
  Rows rows;
  for (auto const& set : sets) rows.emplace_back(set.begin(), set.end());
  return rows;
}

/// Triangles that share a node.
inline Rows conflicts(MeshData const& mesh) {
  auto const around = triangles_around(mesh);
  std::vector<std::set<int>> sets(mesh.triangles.size());
  for (std::size_t t = 0; t < sets.size(); ++t) {
    for (int const node : mesh.triangles[t]) {
      for (int const other : around[std::size_t(node)]) {
        if (other != int(t)) sets[t].insert(other);
      }
    }
  }
  return sorted_rows(sets);
}

inline int greatest_valence(MeshData const& mesh) {
  std::size_t most = 0;
  for (auto const& row : triangles_around(mesh)) most = std::max(most, row.size());
  return int(most);
}

}  // namespace karman::test
