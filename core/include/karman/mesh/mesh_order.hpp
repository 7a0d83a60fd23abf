// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numberings of the nodes and triangles of a mesh, so that what is near in the mesh is near in memory. On one thread
/// of the host.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <vector>

namespace karman {

/// The new number of each node and of each triangle: new = nodes[old]. An empty list keeps the numbers.
struct MeshOrder {
  std::vector<int> nodes;
  std::vector<int> triangles;
};

/// Nodes breadth first from an end of the mesh, neighbours with fewer neighbours first, the whole order reversed; the
/// triangles follow their lowest node. Keeps the entries of a sparse matrix near its diagonal: bandwidth(). Each part
/// of a mesh that is not connected is numbered by itself. Equal ones by their old number.
/// Cost: some 2 us a node. Source: E. Cuthill and J. McKee, Reducing the bandwidth of sparse symmetric matrices, ACM
/// 1969; A. George and J. W. H. Liu, ACM Trans. Math. Software 5 (1979), for where to begin.
MeshOrder reverse_cuthill_mckee(MeshData const& mesh);

/// Nodes and triangles (by their centroids) along the Hilbert curve through the square around the mesh, in 65,536 by
/// 65,536 cells; those of one cell by their old number. Consecutive triangles make compact blocks, which is what caches
/// and blocked assembly want. Cost: a sort, some 0.2 us a triangle. Coordinates must be finite.
MeshOrder hilbert_curve(MeshData const& mesh);

/// Triangles by colour, those of one colour by their old number; the nodes keep their numbers. `color` is that of each
/// triangle, 0 or more (Coloring::color, on the host).
MeshOrder by_color(std::vector<int> const& color);

/// The mesh with other numbers; its boundary edges keep theirs. Throws std::invalid_argument unless the order names
/// each new number once and the mesh's node numbers are in range.
MeshData renumbered(MeshData const& mesh, MeshOrder const& order);

/// The greatest difference between the numbers of two nodes of a triangle: how far from its diagonal the matrix of the
/// mesh has entries. 0 without triangles.
int bandwidth(MeshData const& mesh);

}  // namespace karman
