// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sequential colouring of triangles on the host, and orders for it.
#pragma once

#include <array>
#include <vector>

namespace karman::detail {

/// The triangles of a mesh with this many nodes.
struct HostTriangles {
  int nodes = 0;
  std::vector<std::array<int, 3>> triangles;
};

/// Lists of triangles around the nodes, one after the other: triangles of node n from offsets[n] to offsets[n + 1].
struct TrianglesAround {
  std::vector<int> offsets, entries;
};
TrianglesAround triangles_around(HostTriangles const& mesh);

/// Each triangle in turn takes the lowest colour that no triangle with a common node has.
std::vector<int> greedy_colors(HostTriangles const& mesh, std::vector<int> const& order);

/// By the number of triangles with a common node, most first, equal ones ascending.
std::vector<int> largest_degree_order(HostTriangles const& mesh);

/// Next is always the triangle whose last visited neighbours came earliest, in lexicographic order; among equals, any.
/// D. J. Rose, R. E. Tarjan, G. S. Lueker, Algorithmic aspects of vertex elimination on graphs, SIAM J. Comput. 5
/// (1976), by refinement of partitions: M. Habib, R. McConnell, C. Paul, L. Viennot, Theoret. Comput. Sci. 234 (2000).
std::vector<int> lexicographic_bfs_order(HostTriangles const& mesh);

}  // namespace karman::detail
