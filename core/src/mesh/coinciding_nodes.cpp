// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "array_index.hpp"
#include "mesh_sides.hpp"
#include <karman/core/error.hpp>
#include <karman/mesh/coinciding_nodes.hpp>
#include <karman/mesh/plane_box.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace karman {
namespace {

using detail::at;

/// The lowest of the nodes at each place, by node; itself for a node that is alone.
class Places {
 public:
  /// `nodes`: those to compare.
  Places(MeshData const& mesh, std::vector<int> const& nodes, double tolerance)
      : mesh_(mesh), tolerance_(tolerance), first_(mesh.nodes.size()) {
    require(tolerance >= 0, "coinciding nodes: the tolerance must be at least 0");
    std::iota(first_.begin(), first_.end(), 0);
    sort_into_columns(nodes);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      // Within a column, nodes at one place follow each other.
      if (i > 0) join_if_close(entries_[i - 1], entries_[i]);
      if (tolerance > 0) compare_with_previous_column(entries_[i]);
    }
    for (Entry const& entry : entries_) first_[at(entry.node)] = root(entry.node);
  }

  std::vector<int> const& first() const { return first_; }

 private:
  /// A node in a column of the width of the tolerance; with the tolerance 0, all of the same x.
  struct Entry {
    double column, y;
    int node;
    bool operator<(Entry const& other) const {
      return std::tie(column, y, node) < std::tie(other.column, other.y, other.node);
    }
  };

  void sort_into_columns(std::vector<int> const& nodes) {
    for (int const n : nodes) {
      auto const [x, y] = mesh_.nodes[at(n)];
      entries_.push_back({tolerance_ > 0 ? std::floor(x / tolerance_) : x, y, n});
    }
    std::sort(entries_.begin(), entries_.end());
  }

  void join_if_close(Entry const& a, Entry const& b) {
    double const dx = mesh_.nodes[at(a.node)][0] - mesh_.nodes[at(b.node)][0];
    if (std::abs(dx) <= tolerance_ && std::abs(a.y - b.y) <= tolerance_) join(a.node, b.node);
  }

  void compare_with_previous_column(Entry const& entry) {
    // More nodes than this at one place are joined through their neighbours in the column.
    constexpr int most_compared = 64;
    double const column = entry.column - 1;
    auto other = std::lower_bound(entries_.begin(), entries_.end(), Entry{column, entry.y - tolerance_, -1});
    for (int n = 0; n < most_compared && other != entries_.end(); ++n, ++other) {
      if (other->column != column || other->y > entry.y + tolerance_) break;
      join_if_close(entry, *other);
    }
  }

  int root(int node) {
    while (first_[at(node)] != node) node = first_[at(node)] = first_[at(first_[at(node)])];
    return node;
  }

  void join(int a, int b) {
    int const first = root(a), second = root(b);
    first_[at(std::max(first, second))] = std::min(first, second);
  }

  MeshData const& mesh_;
  double tolerance_;
  std::vector<int> first_;
  std::vector<Entry> entries_;
};

std::vector<int> unique_nodes(std::vector<std::array<int, 2>> const& edges) {
  std::vector<int> nodes;
  for (auto const& edge : edges) nodes.insert(nodes.end(), edge.begin(), edge.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

/// Ends of the sides of one triangle only.
std::vector<std::array<int, 2>> boundary_sides(detail::MeshSides const& all) {
  std::vector<std::array<int, 2>> edges;
  detail::for_each_edge(all, [&](int lower, std::size_t first, std::size_t last) {
    if (last - first == 1) edges.push_back({lower, all.sides[first].higher});
  });
  return edges;
}

std::array<int, 2> sorted_ends(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

/// Listed edges that are sides of one triangle.
void drop_inner_edges(MeshData& mesh) {
  auto outer = boundary_sides(detail::mesh_sides(mesh));
  std::sort(outer.begin(), outer.end());
  std::size_t kept = 0;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    auto const [a, b] = mesh.edges[e];
    if (!std::binary_search(outer.begin(), outer.end(), sorted_ends(a, b))) continue;
    mesh.edges[kept] = mesh.edges[e];
    mesh.edge_labels[kept++] = mesh.edge_labels[e];
  }
  mesh.edges.resize(kept);
  mesh.edge_labels.resize(kept);
}

}  // namespace

double coincidence_tolerance(MeshData const& mesh) {
  if (mesh.nodes.empty()) return 0;
  PlaneBox const box(mesh.nodes);
  return 1e-9 * std::hypot(box.width(), box.height());
}

std::vector<bool> coinciding_edges(MeshData const& mesh, double tolerance) {
  detail::require_node_numbers(mesh, "coinciding_edges");
  Places const places(mesh, unique_nodes(mesh.edges), tolerance);
  std::vector<std::pair<std::array<int, 2>, std::size_t>> sorted;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    auto const [a, b] = mesh.edges[e];
    sorted.emplace_back(sorted_ends(places.first()[at(a)], places.first()[at(b)]), e);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<bool> result(mesh.edges.size(), false);
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].first != sorted[i - 1].first) continue;
    result[sorted[i].second] = result[sorted[i - 1].second] = true;
  }
  return result;
}

std::size_t merge_nodes(MeshData& mesh, double tolerance) {
  detail::require_node_numbers(mesh, "merge_nodes");
  require(mesh.edge_labels.size() == mesh.edges.size(), "merge_nodes: every boundary edge needs a label");
  std::vector<int> place = Places(mesh, unique_nodes(boundary_sides(detail::mesh_sides(mesh))), tolerance).first();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    auto const [a, b, c] = mesh.triangles[t];
    bool const whole = place[at(a)] != place[at(b)] && place[at(b)] != place[at(c)] && place[at(c)] != place[at(a)];
    require(whole, "merge_nodes: two nodes of triangle " + std::to_string(t) + " coincide; reduce the tolerance");
  }
  std::size_t const before = mesh.nodes.size();
  int kept = 0;
  for (std::size_t n = 0; n < before; ++n) {
    bool const stays = place[n] == static_cast<int>(n);
    if (stays) mesh.nodes[at(kept)] = mesh.nodes[n];
    place[n] = stays ? kept++ : place[at(place[n])];  // the first node of a place has its number already
  }
  mesh.nodes.resize(at(kept));
  if (mesh.nodes.size() == before) return 0;
  for (auto& t : mesh.triangles) {
    for (int& n : t) n = place[at(n)];
  }
  for (auto& e : mesh.edges) {
    for (int& n : e) n = place[at(n)];
  }
  drop_inner_edges(mesh);
  return before - mesh.nodes.size();
}

}  // namespace karman
