// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "array_index.hpp"
#include "hilbert.hpp"
#include "mesh_sides.hpp"
#include <karman/core/error.hpp>
#include <karman/mesh/mesh_order.hpp>
#include <karman/mesh/plane_box.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace karman {

namespace {

using detail::at;

std::vector<int> counting(std::size_t n) {
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// Inverts an order: the new number of each item.
std::vector<int> inverse(std::vector<int> const& order) {
  std::vector<int> numbers(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) numbers[at(order[i])] = static_cast<int>(i);
  return numbers;
}

/// New numbers in the order of the keys; equal ones keep their order.
template <class Key>
std::vector<int> numbers_by(std::vector<Key> const& keys) {
  std::vector<std::pair<Key, int>> sorted(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) sorted[i] = {keys[i], static_cast<int>(i)};
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> numbers(keys.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) numbers[at(sorted[i].second)] = static_cast<int>(i);
  return numbers;
}

/// Breadth-first searches over the nodes of a mesh.
class NodeSearch {
 public:
  explicit NodeSearch(MeshData const& mesh) : offsets_(mesh.nodes.size() + 1, 0), seen_(mesh.nodes.size(), 0) {
    auto const sides = detail::mesh_sides(mesh);
    auto const for_each_pair = [&](auto const& function) {
      detail::for_each_edge(sides, [&](int lower, std::size_t first, std::size_t) {
        function(lower, sides.sides[first].higher);
        function(sides.sides[first].higher, lower);
      });
    };
    for_each_pair([&](int a, int) { ++offsets_[at(a) + 1]; });
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    neighbors_.resize(offsets_.back());
    auto place = offsets_;
    for_each_pair([&](int a, int b) { neighbors_[place[at(a)]++] = b; });
    // fewest neighbours first, then by number
    for (std::size_t n = 0; n + 1 < offsets_.size(); ++n) {
      std::sort(neighbors_.begin() + std::ptrdiff_t(offsets_[n]), neighbors_.begin() + std::ptrdiff_t(offsets_[n + 1]),
                [&](int a, int b) { return std::pair(degree(a), a) < std::pair(degree(b), b); });
    }
  }

  std::size_t degree(int node) const { return offsets_[at(node) + 1] - offsets_[at(node)]; }

  /// Appends to `found` the nodes that can be reached from `start`, level by level. Returns the begin of the last
  /// level, and the number of levels.
  std::pair<std::size_t, int> search(int start, std::vector<int>& found) {
    ++search_;
    found.push_back(start);
    seen_[at(start)] = search_;
    int levels = 0;
    std::size_t level = found.size() - 1;
    for (;;) {
      ++levels;
      std::size_t const end = found.size();
      for (std::size_t i = level; i < end; ++i) {
        int const node = found[i];
        for (std::size_t n = offsets_[at(node)]; n < offsets_[at(node) + 1]; ++n) {
          int const other = neighbors_[n];
          if (seen_[at(other)] == search_) continue;
          seen_[at(other)] = search_;
          found.push_back(other);
        }
      }
      if (found.size() == end) return {level, levels};
      level = end;
    }
  }

  /// A node at the far end of the connected part of `start`. Repeats the search from a node with fewest neighbours in
  /// the last level, until the number of levels stops growing.
  int far_end(int start) {
    std::vector<int> found;
    for (int levels = 0;;) {
      found.clear();
      auto const [last, count] = search(start, found);
      if (count <= levels) return start;
      levels = count;
      int const next = *std::min_element(found.begin() + std::ptrdiff_t(last), found.end(), [&](int a, int b) {
        return std::pair(degree(a), a) < std::pair(degree(b), b);
      });
      if (next == start) return start;
      start = next;
    }
  }

 private:
  std::vector<std::size_t> offsets_;
  std::vector<int> neighbors_;
  std::vector<int> seen_;  // the last search that met the node
  int search_ = 0;
};

/// Throws unless `numbers` contains each of n numbers once, or is empty.
void require_order(std::vector<int> const& numbers, std::size_t n, char const* what) {
  if (numbers.empty()) return;
  std::vector<char> seen(n, 0);
  bool right = numbers.size() == n;
  for (std::size_t i = 0; right && i < n; ++i) right = numbers[i] >= 0 && at(numbers[i]) < n && !seen[at(numbers[i])]++;
  require(right, std::string("renumbered: the order must name each ") + what + " once");
}

}  // namespace

MeshOrder reverse_cuthill_mckee(MeshData const& mesh) {
  detail::require_node_numbers(mesh, "reverse_cuthill_mckee");
  NodeSearch search(mesh);
  std::vector<int> order;
  std::vector<char> numbered(mesh.nodes.size(), 0);
  order.reserve(mesh.nodes.size());
  for (int const start : counting(mesh.nodes.size())) {
    if (numbered[at(start)]) continue;
    std::size_t const first = order.size();
    search.search(search.far_end(start), order);
    for (std::size_t i = first; i < order.size(); ++i) numbered[at(order[i])] = 1;
  }
  std::reverse(order.begin(), order.end());
  MeshOrder result{inverse(order), {}};
  std::vector<int> lowest(mesh.triangles.size());
  for (std::size_t t = 0; t < lowest.size(); ++t) {
    auto const& [a, b, c] = mesh.triangles[t];
    lowest[t] = std::min({result.nodes[at(a)], result.nodes[at(b)], result.nodes[at(c)]});
  }
  result.triangles = numbers_by(lowest);
  return result;
}

MeshOrder hilbert_curve(MeshData const& mesh) {
  detail::require_node_numbers(mesh, "hilbert_curve");
  PlaneBox const box(mesh.nodes);
  auto const square = detail::square_around(box.low[0], box.high[0], box.low[1], box.high[1]);
  std::vector<std::uint32_t> nodes(mesh.nodes.size()), triangles(mesh.triangles.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) nodes[n] = square.place(mesh.nodes[n][0], mesh.nodes[n][1]);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    double x = 0, y = 0;
    for (int const node : mesh.triangles[t]) {
      x += mesh.nodes[at(node)][0];
      y += mesh.nodes[at(node)][1];
    }
    triangles[t] = square.place(x / 3, y / 3);
  }
  return {numbers_by(nodes), numbers_by(triangles)};
}

MeshOrder by_color(std::vector<int> const& color) { return {{}, numbers_by(color)}; }

MeshData renumbered(MeshData const& mesh, MeshOrder const& order) {
  detail::require_node_numbers(mesh, "renumbered");
  require_order(order.nodes, mesh.nodes.size(), "node");
  require_order(order.triangles, mesh.triangles.size(), "triangle");
  MeshData result = mesh;
  if (!order.nodes.empty()) {
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) result.nodes[at(order.nodes[n])] = mesh.nodes[n];
    for (auto& triangle : result.triangles) {
      for (int& node : triangle) node = order.nodes[at(node)];
    }
    for (auto& edge : result.edges) {
      for (int& node : edge) node = order.nodes[at(node)];
    }
  }
  if (!order.triangles.empty()) {
    auto const triangles = result.triangles;
    for (std::size_t t = 0; t < triangles.size(); ++t) result.triangles[at(order.triangles[t])] = triangles[t];
    for (std::size_t t = 0; t < mesh.regions.size() && t < triangles.size(); ++t) {
      result.regions[at(order.triangles[t])] = mesh.regions[t];
    }
  }
  return result;
}

int bandwidth(MeshData const& mesh) {
  int most = 0;
  for (auto const& triangle : mesh.triangles) {
    auto const [least, greatest] = std::minmax_element(triangle.begin(), triangle.end());
    most = std::max(most, *greatest - *least);
  }
  return most;
}

}  // namespace karman
