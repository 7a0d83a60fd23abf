// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_hanging_nodes.hpp"

#include "array_index.hpp"
#include <karman/mesh/plane_box.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace karman::detail {

namespace {

using Point = std::array<double, 2>;

/// A straight segment between two points, of width 2 `slack`.
struct Segment {
  Point from, way;  ///< way: a unit vector
  double length, slack;

  Segment(Point const& p, Point const& q, double relative_slack)
      : from(p), way{q[0] - p[0], q[1] - p[1]}, length(std::hypot(way[0], way[1])), slack(relative_slack * length) {
    for (double& w : way) w /= length;
  }
  double along(Point const& p) const { return (p[0] - from[0]) * way[0] + (p[1] - from[1]) * way[1]; }
  double across(Point const& p) const { return (p[0] - from[0]) * way[1] - (p[1] - from[1]) * way[0]; }
};

/// Tree of boxes, halved along the longer side down to a few points. A segment meets few of them, however the points
/// are distributed.
class PointTree {
 public:
  PointTree(std::vector<Point> const& points, std::vector<int> numbers)
      : points_(points), numbers_(std::move(numbers)) {
    if (!numbers_.empty()) build(0, numbers_.size());
  }

  /// Calls function(number) for all points near a segment, and for some others.
  template <class Function>
  void for_each_near(Segment const& segment, Function const& function) const {
    if (!boxes_.empty()) visit(0, segment, function);
  }

 private:
  struct Box {
    Point center, half;       ///< half of its extents
    std::size_t first, last;  ///< its points among numbers_
    /// The box of the second half of its points; that of the first half is the next box. 0: a leaf.
    std::size_t second_half = 0;
  };

  void build(std::size_t first, std::size_t last) {
    PlaneBox around;
    for (std::size_t i = first; i < last; ++i) around.hold(points_[at(numbers_[i])]);
    auto const& [low, high] = around;
    std::size_t const box = boxes_.size();
    boxes_.push_back({{0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])},
                      {0.5 * around.width(), 0.5 * around.height()},
                      first,
                      last});
    constexpr std::size_t few = 8;
    if (last - first <= few) return;
    std::size_t const axis = around.width() > around.height() ? 0 : 1, middle = first + (last - first) / 2;
    auto const begin = numbers_.begin();
    std::nth_element(begin + std::ptrdiff_t(first), begin + std::ptrdiff_t(middle), begin + std::ptrdiff_t(last),
                     [&](int a, int b) { return points_[at(a)][axis] < points_[at(b)][axis]; });
    build(first, middle);
    boxes_[box].second_half = boxes_.size();
    build(middle, last);
  }

  /// True if no line parallel or perpendicular to the segment separates them.
  static bool meet(Box const& box, Segment const& s) {
    double const along = s.along(box.center), across = s.across(box.center);
    double const reach_along = std::abs(s.way[0]) * box.half[0] + std::abs(s.way[1]) * box.half[1];
    double const reach_across = std::abs(s.way[1]) * box.half[0] + std::abs(s.way[0]) * box.half[1];
    // Allows for rounding errors of a box that is large relative to the segment.
    double const slack = s.slack + 1e-12 * (std::abs(along) + std::abs(across) + reach_along + reach_across);
    return std::abs(across) <= reach_across + slack && along >= -reach_along - slack &&
           along <= s.length + reach_along + slack;
  }

  template <class Function>
  void visit(std::size_t box, Segment const& segment, Function const& function) const {
    Box const& here = boxes_[box];
    if (!meet(here, segment)) return;
    if (here.second_half == 0) {
      for (std::size_t i = here.first; i < here.last; ++i) function(numbers_[i]);
      return;
    }
    visit(box + 1, segment, function);
    visit(here.second_half, segment, function);
  }

  std::vector<Point> const& points_;
  std::vector<int> numbers_;
  std::vector<Box> boxes_;
};

}  // namespace

std::map<int, std::array<int, 2>> hanging_nodes(MeshData const& mesh, MeshSides const& sides) {
  std::vector<std::array<int, 2>> boundary;
  std::vector<int> candidates;
  for_each_edge(sides, [&](int lower, std::size_t first, std::size_t last) {
    if (last - first != 1) return;
    boundary.push_back({lower, sides.sides[first].higher});
    candidates.insert(candidates.end(), {lower, sides.sides[first].higher});
  });
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  PointTree const tree(mesh.nodes, std::move(candidates));
  std::map<int, std::array<int, 2>> hanging;
  for (auto const& ends : boundary) {
    Segment const segment(mesh.nodes[at(ends[0])], mesh.nodes[at(ends[1])], 1e-9);
    if (segment.length == 0) continue;
    tree.for_each_near(segment, [&](int node) {
      if (node == ends[0] || node == ends[1]) return;
      double const along = segment.along(mesh.nodes[at(node)]);
      if (std::abs(segment.across(mesh.nodes[at(node)])) <= segment.slack && along > segment.slack &&
          along < segment.length - segment.slack) {
        hanging.emplace(node, ends);
      }
    });
  }
  return hanging;
}

}  // namespace karman::detail
