// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coloring_orders.hpp"

#include "array_index.hpp"
#include <karman/core/error.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace karman::detail {

namespace {

/// Calls function(other) once for every other triangle that shares a node with `triangle`. `seen` records the triangle
/// that met another one last.
template <class Function>
void for_each_conflict(HostTriangles const& mesh, TrianglesAround const& around, int triangle, std::vector<int>& seen,
                       Function const& function) {
  seen[at(triangle)] = triangle;
  for (int const node : mesh.triangles[at(triangle)]) {
    for (int i = around.offsets[at(node)]; i < around.offsets[at(node) + 1]; ++i) {
      int const other = around.entries[at(i)];
      if (seen[at(other)] == triangle) continue;
      seen[at(other)] = triangle;
      function(other);
    }
  }
}

}  // namespace

TrianglesAround triangles_around(HostTriangles const& mesh) {
  require(mesh.triangles.size() <= std::size_t(std::numeric_limits<int>::max() / 3),
          "color_elements: by degree or lexicographic: more than 2^31 - 1 corners of triangles");
  TrianglesAround around;
  around.offsets.assign(at(mesh.nodes) + 1, 0);
  for (auto const& triangle : mesh.triangles) {
    for (int const node : triangle) ++around.offsets[at(node) + 1];
  }
  std::partial_sum(around.offsets.begin(), around.offsets.end(), around.offsets.begin());
  around.entries.resize(3 * mesh.triangles.size());
  auto place = around.offsets;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int const node : mesh.triangles[t]) around.entries[at(place[at(node)]++)] = static_cast<int>(t);
  }
  return around;
}

std::vector<int> greedy_colors(HostTriangles const& mesh, std::vector<int> const& order) {
  // One word per node has 64 colours. Triangles without a free one take another turn, for the next 64.
  std::vector<int> colors(mesh.triangles.size(), -1), left = order;
  std::vector<std::uint64_t> taken(at(mesh.nodes));
  for (int first = 0; !left.empty(); first += 64) {
    std::fill(taken.begin(), taken.end(), 0);
    std::vector<int> postponed;
    for (int const t : left) {
      std::uint64_t used = 0;
      for (int const node : mesh.triangles[at(t)]) used |= taken[at(node)];
      int const free = std::countr_one(used);
      if (free == 64) {
        postponed.push_back(t);
        continue;
      }
      colors[at(t)] = first + free;
      for (int const node : mesh.triangles[at(t)]) taken[at(node)] |= std::uint64_t(1) << free;
    }
    left = std::move(postponed);
  }
  return colors;
}

std::vector<int> largest_degree_order(HostTriangles const& mesh) {
  auto const around = triangles_around(mesh);
  std::vector<int> degree(mesh.triangles.size()), seen(mesh.triangles.size(), -1), order(mesh.triangles.size());
  std::iota(order.begin(), order.end(), 0);
  for (int const t : order) {
    for_each_conflict(mesh, around, t, seen, [&](int) { ++degree[at(t)]; });
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return degree[at(a)] > degree[at(b)]; });
  return order;
}

std::vector<int> lexicographic_bfs_order(HostTriangles const& mesh) {
  auto const around = triangles_around(mesh);
  int const n = static_cast<int>(mesh.triangles.size());
  // The remaining triangles lie in `order` in groups of equal rank, the next one in front. A visited triangle splits
  // every group into its neighbours, which go in front, and the others.
  struct Group {
    int begin, end;
    int split, split_by;  // the target group of its members, and the triangle that moves them
  };
  std::vector<int> order(at(n)), place(at(n)), group(at(n), 0), seen(at(n), -1), free_groups, touched;
  std::iota(order.begin(), order.end(), 0);
  std::iota(place.begin(), place.end(), 0);
  std::vector<Group> groups{{0, n, -1, -1}};
  auto const release_if_empty = [&](int g) {
    if (groups[at(g)].begin == groups[at(g)].end) free_groups.push_back(g);
  };
  for (int i = 0; i < n; ++i) {
    int const visited = order[at(i)];
    ++groups[at(group[at(visited)])].begin;
    release_if_empty(group[at(visited)]);
    touched.clear();
    for_each_conflict(mesh, around, visited, seen, [&](int other) {
      if (place[at(other)] <= i) return;
      int const from = group[at(other)];
      if (groups[at(from)].split_by != visited) {
        int const begin = groups[at(from)].begin;
        int fresh = static_cast<int>(groups.size());
        if (free_groups.empty()) {
          groups.push_back({begin, begin, -1, -1});
        } else {
          fresh = free_groups.back();
          free_groups.pop_back();
          groups[at(fresh)] = {begin, begin, -1, -1};
        }
        groups[at(from)].split = fresh;
        groups[at(from)].split_by = visited;
        touched.push_back(from);
      }
      int const front = groups[at(from)].begin++, to = groups[at(from)].split;
      ++groups[at(to)].end;
      int const displaced = order[at(front)];
      std::swap(order[at(front)], order[at(place[at(other)])]);
      place[at(displaced)] = place[at(other)];
      place[at(other)] = front;
      group[at(other)] = to;
    });
    for (int const g : touched) release_if_empty(g);
  }
  return order;
}

}  // namespace karman::detail
