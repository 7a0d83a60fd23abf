// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constrained Delaunay triangulation by insertion of points.
#pragma once

#include "mesh_predicates.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace karman::detail {

/// Nodes of a triangle after and before each of its nodes, anticlockwise.
inline constexpr std::array<std::size_t, 3> after{1, 2, 0}, before{2, 0, 1};

/// Triangles with links to their neighbours. Edges may have the number of a segment. Such an edge is never flipped, and
/// circles end at it. All decisions are exact (mesh_predicates.hpp).
class Triangulation {
 public:
  struct Triangle {
    std::array<int, 3> node;     ///< anticlockwise; node[0] < 0: not in use
    std::array<int, 3> next;     ///< across the edge opposite to each node, -1: none
    std::array<int, 3> segment;  ///< on that edge, -1: none
    unsigned stamp = 0;          ///< changes whenever the triangle becomes another
  };

  /// End of a straight walk: in a triangle, or at an edge of it that cannot be crossed.
  struct Place {
    int triangle = -1;
    int blocked_by = -1;  ///< the node opposite to that edge, 0, 1, 2
  };

  /// An edge around a cavity, the cavity on its left.
  struct Rim {
    int from, to, outside, segment;
  };
  struct Cavity {
    std::vector<int> triangles;
    std::vector<Rim> rim;
  };

  /// Two triangles with nodes 0 to 3 that contain the box between the corners with a margin.
  Triangulation(PlanePoint const& low, PlanePoint const& high);

  std::vector<PlanePoint> const& points() const { return points_; }
  std::vector<Triangle> const& triangles() const { return triangles_; }
  PlanePoint const& point(int node) const { return points_[static_cast<std::size_t>(node)]; }
  Triangle const& triangle(int t) const { return triangles_[static_cast<std::size_t>(t)]; }
  bool in_use(int t) const { return triangle(t).node[0] >= 0; }
  void move(int node, PlanePoint const& to) { points_[static_cast<std::size_t>(node)] = to; }

  PlanePoint centroid(int t) const;
  /// Walks from inside the triangle t straight to a point, across no segment.
  Place walk(int t, PlanePoint const& to) const;

  /// The triangles whose circles contain the point, found from t outwards. Together they form a star around the point.
  Cavity const& cavity(int t, PlanePoint const& p);
  /// Fills the last cavity with triangles around a new node and returns its number. Returns -1, without changes, when
  /// the point does not see the whole rim because it lies on it.
  int fill(PlanePoint const& p);
  /// The same for a point (nearly) on the edge of triangle t opposite to its node i, which bounds the domain. The edge
  /// becomes two.
  int split_edge(int t, int i, PlanePoint const& p);
  /// The triangles of the last insertion.
  std::vector<int> const& made() const { return made_; }

  /// Obstacle to the insertion of a segment.
  struct Obstacle {
    int node = -1;     ///< the segment passes through this node
    int segment = -1;  ///< the segment crosses this segment
  };
  /// Makes and marks the edge from node a to node b; before carve() only. After a reported obstacle the triangulation
  /// must not be used.
  Obstacle lay_segment(int a, int b, int segment);

  /// Removes the triangles t with drop[t].
  void carve(std::vector<char> const& drop);
  /// Flips edges until no circle of a triangle contains a node that is visible from it.
  void make_delaunay();

 private:
  int add_triangle(std::array<int, 3> const& node);
  void link(int t, int i, int other, int segment);
  void flip(int t, int i);
  int index_of(int t, int node) const;
  Place find_edge(int a, int b) const;
  int split_or_fill(PlanePoint const& p, int open_from, int open_to, int segment);

  std::vector<PlanePoint> points_;
  std::vector<Triangle> triangles_;
  std::vector<int> unused_;
  std::vector<int> around_;  ///< one triangle at each node
  std::vector<int> visited_;
  int visit_ = 0;
  Cavity cavity_;
  std::vector<int> made_;
  std::vector<int> fan_;  ///< while a cavity is filled: the new triangle with the rim edge that starts at a node
};

}  // namespace karman::detail
