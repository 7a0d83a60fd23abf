// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A constrained Delaunay triangulation that grows by points.
#pragma once

#include "mesh_predicates.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace karman::detail {

/// Triangles that know their neighbours. Edges may carry the number of a segment; such an edge is never flipped and no
/// circle looks through it. All decisions are exact (mesh_predicates.hpp).
class Triangulation {
 public:
  struct Triangle {
    std::array<int, 3> node;     ///< anticlockwise; node[0] < 0: not in use
    std::array<int, 3> next;     ///< across the edge opposite to each node, -1: none
    std::array<int, 3> segment;  ///< on that edge, -1: none
    unsigned stamp = 0;          ///< another one whenever the triangle becomes another
  };

  /// Where a straight walk ended: in a triangle, or before an edge of it that cannot be crossed.
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

  /// Two triangles that hold everything between the corners and some more; nodes 0 to 3 are theirs.
  Triangulation(PlanePoint const& low, PlanePoint const& high);

  std::vector<PlanePoint> const& points() const { return points_; }
  std::vector<Triangle> const& triangles() const { return triangles_; }
  PlanePoint const& point(int node) const { return points_[static_cast<std::size_t>(node)]; }
  Triangle const& triangle(int t) const { return triangles_[static_cast<std::size_t>(t)]; }
  bool in_use(int t) const { return triangle(t).node[0] >= 0; }
  void move(int node, PlanePoint const& to) { points_[static_cast<std::size_t>(node)] = to; }

  PlanePoint centroid(int t) const;
  /// From inside the triangle t straight to a point, across no segment.
  Place walk(int t, PlanePoint const& to) const;

  /// The triangles whose circles hold the point, from t outwards; what they leave open is a star around the point.
  Cavity const& cavity(int t, PlanePoint const& p);
  /// Fills the cavity found last with triangles around a new node; its number, or -1 when the point does not see the
  /// whole rim (it lies on it) and nothing was done.
  int fill(PlanePoint const& p);
  /// The same for a point (nearly) on the edge of triangle t opposite to its node i, which bounds the domain: the edge
  /// becomes two.
  int split_edge(int t, int i, PlanePoint const& p);
  /// The triangles that the last insertion made.
  std::vector<int> const& made() const { return made_; }

  /// What keeps a segment from being laid.
  struct Obstacle {
    int node = -1;     ///< it goes through this node
    int segment = -1;  ///< it crosses this segment
  };
  /// Makes the edge from node a to node b and marks it; before carve() only. An obstacle is reported, the triangulation
  /// may then be used no more.
  Obstacle lay_segment(int a, int b, int segment);

  /// Takes the triangles t with drop[t] away.
  void carve(std::vector<char> const& drop);
  /// Flips edges until no circle of a triangle holds a node that it can see.
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
  std::vector<int> around_;  ///< a triangle at each node
  std::vector<int> visited_;
  int visit_ = 0;
  Cavity cavity_;
  std::vector<int> made_;
  std::vector<int> fan_;  ///< while a cavity is filled: the new triangle whose rim edge starts at a node
};

}  // namespace karman::detail
