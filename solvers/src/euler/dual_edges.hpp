// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Edges of the finite-volume scheme, on the host: faces of the median dual of a mesh of triangles.
#pragma once

#include <array>
#include <vector>

namespace karman::detail {

/// An edge between two nodes, the lower one first. Nodes are lowest nodes of their periodic groups.
struct DualEdge {
  std::array<int, 2> node;
  /// The other two nodes of the triangle behind each end, and weights of the jumps from them. Their sum
  /// is the gradient in that triangle times the edge, which points away from the node.
  std::array<std::array<int, 2>, 2> behind;
  std::array<std::array<double, 2>, 2> weight;
  std::array<double, 2> normal;  ///< of the face between the cells of the two nodes, away from the first one
};

/// All edges, by their first node. `points`: x, y per node; `triangles`: three nodes each, anticlockwise; `group`:
/// lowest node of the group of each node, or empty. Edges between nodes of one group have no net flux and are left out.
///
/// Where the domain ends behind a node, the jump along the edge replaces the jump behind it: both
/// nodes behind are the other node then, with weights -1 and 0.
/// Cost: O(n log n) time, about 200 bytes per triangle.
std::vector<DualEdge> dual_edges(std::vector<double> const& points, std::vector<int> const& triangles,
                                 std::vector<int> const& group);

}  // namespace karman::detail
