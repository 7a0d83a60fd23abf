// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dual_edges.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace karman::detail {

namespace {

using Pair = std::array<double, 2>;

/// One side of a triangle, from the lower to the higher node, with its part of the face.
struct DualSide {
  int low, high;
  Pair edge, normal;
};

struct DualSource {
  std::vector<double> const& points;
  std::vector<int> const& triangles;
  std::vector<int> const& group;

  int owner(int node) const { return group.empty() ? node : group[static_cast<std::size_t>(node)]; }
  Pair at(int node) const {
    auto const n = 2 * static_cast<std::size_t>(node);
    return {points[n], points[n + 1]};
  }
  int nodes() const { return static_cast<int>(points.size() / 2); }

  /// Place `from` of a triangle: its sides to the next two corners.
  std::array<Pair, 2> spokes(std::size_t t, std::size_t from) const {
    Pair const a = at(triangles[3 * t + from]), b = at(triangles[3 * t + (from + 1) % 3]),
               c = at(triangles[3 * t + (from + 2) % 3]);
    return {{{b[0] - a[0], b[1] - a[1]}, {c[0] - a[0], c[1] - a[1]}}};
  }
};

/// The sides of all triangles in order of their nodes.
std::vector<DualSide> sides_of(DualSource const& mesh) {
  std::vector<DualSide> sides;
  sides.reserve(mesh.triangles.size());
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    std::size_t const t = n / 3, m = n % 3;
    int const a = mesh.owner(mesh.triangles[n]), b = mesh.owner(mesh.triangles[3 * t + (m + 1) % 3]);
    if (a == b) continue;
    auto const [ab, ac] = mesh.spokes(t, m);
    // From the middle of the side to the centroid, turned.
    Pair const normal{(2 * ac[1] - ab[1]) / 6, (ab[0] - 2 * ac[0]) / 6};
    if (a < b) sides.push_back({a, b, ab, normal});
    else sides.push_back({b, a, {-ab[0], -ab[1]}, {-normal[0], -normal[1]}});
  }
  std::stable_sort(sides.begin(), sides.end(), [](DualSide const& p, DualSide const& q) {
    return p.low != q.low ? p.low < q.low : p.high < q.high;
  });
  return sides;
}

/// Corners around the lowest node of each group: 3 t + m.
struct DualCorners {
  std::vector<int> begin, corners;

  explicit DualCorners(DualSource const& mesh)
      : begin(static_cast<std::size_t>(mesh.nodes()) + 1, 0), corners(mesh.triangles.size()) {
    for (int const node : mesh.triangles) ++begin[static_cast<std::size_t>(mesh.owner(node)) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<int> at(begin.begin(), begin.end() - 1);
    for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
      auto const node = static_cast<std::size_t>(mesh.owner(mesh.triangles[n]));
      corners[static_cast<std::size_t>(at[node]++)] = static_cast<int>(n);
    }
  }
};

/// Least weight of a node behind an edge: beyond it, the domain has no triangle there.
constexpr double least_weight = -0.1;

/// Finds the triangle behind end `side` of an edge, from the direction of the edge away from that end.
void find_behind(DualSource const& mesh, DualCorners const& around, Pair const& away, std::size_t side,
                 DualEdge& edge) {
  auto const node = static_cast<std::size_t>(edge.node[side]);
  int const other = edge.node[1 - side];
  edge.behind[side] = {other, other};
  edge.weight[side] = {-1, 0};
  double best = least_weight;
  for (int n = around.begin[node]; n < around.begin[node + 1]; ++n) {
    auto const corner = static_cast<std::size_t>(around.corners[static_cast<std::size_t>(n)]);
    std::size_t const t = corner / 3, m = corner % 3;
    auto const [b, c] = mesh.spokes(t, m);
    double const twice = b[0] * c[1] - b[1] * c[0];
    // -away = first b + second c.
    double const first = (away[1] * c[0] - away[0] * c[1]) / twice, second = (away[0] * b[1] - away[1] * b[0]) / twice;
    if (std::min(first, second) <= best) continue;
    best = std::min(first, second);
    edge.behind[side] = {mesh.owner(mesh.triangles[3 * t + (m + 1) % 3]),
                         mesh.owner(mesh.triangles[3 * t + (m + 2) % 3])};
    edge.weight[side] = {first, second};
  }
}

}  // namespace

std::vector<DualEdge> dual_edges(std::vector<double> const& points, std::vector<int> const& triangles,
                                 std::vector<int> const& group) {
  DualSource const mesh{points, triangles, group};
  auto const sides = sides_of(mesh);
  DualCorners const around(mesh);
  std::vector<DualEdge> edges;
  for (auto first = sides.begin(); first != sides.end();) {
    auto const last = std::find_if(first, sides.end(),
                                   [&](DualSide const& s) { return s.low != first->low || s.high != first->high; });
    std::size_t const begin = edges.size();
    std::vector<Pair> directions;
    for (; first != last; ++first) {
      // In a narrow periodic strip one node can be the neighbour on either side: these are two edges.
      auto const near = [&](Pair const& d) {
        return std::hypot(d[0] - first->edge[0], d[1] - first->edge[1]) <=
               1e-6 * std::hypot(first->edge[0], first->edge[1]);
      };
      auto const same =
          static_cast<std::size_t>(std::find_if(directions.begin(), directions.end(), near) - directions.begin());
      if (same == directions.size()) {
        directions.push_back(first->edge);
        DualEdge edge{{first->low, first->high}, {}, {}, {0, 0}};
        find_behind(mesh, around, first->edge, 0, edge);
        find_behind(mesh, around, {-first->edge[0], -first->edge[1]}, 1, edge);
        edges.push_back(edge);
      }
      for (std::size_t axis = 0; axis < 2; ++axis) edges[begin + same].normal[axis] += first->normal[axis];
    }
  }
  return edges;
}

}  // namespace karman::detail
