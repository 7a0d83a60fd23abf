// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numberings of nodes and triangles that place neighbours of the mesh close in memory. On one thread of the host.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <vector>

namespace karman {

/// New number of each node and of each triangle: new = nodes[old]. An empty list keeps the numbers.
struct MeshOrder {
  std::vector<int> nodes;      ///< new number of each node
  std::vector<int> triangles;  ///< new number of each triangle
};

/// Reverse Cuthill-McKee order, which reduces the bandwidth() of the matrix of the mesh. Nodes are numbered breadth
/// first from an end of the mesh, neighbours of low degree first. The order is then reversed. Each connected part is
/// numbered by itself. Ties keep the old order. The triangles follow their lowest node.
/// \par Cost
/// About 2 us per node.
/// \par Source
/// E. Cuthill and J. McKee, Reducing the bandwidth of sparse symmetric matrices, ACM 1969. Starting node: A. George and
/// J. W. H. Liu, ACM Trans. Math. Software 5 (1979).
MeshOrder reverse_cuthill_mckee(MeshData const& mesh);

/// Order of nodes and triangle centroids along the Hilbert curve through the square around the mesh. The curve has
/// 65,536 by 65,536 cells; points of one cell keep the old order. Consecutive triangles make compact blocks, which
/// suits caches and blocked assembly.
/// \pre Coordinates are finite.
/// \par Cost
/// One sort, about 0.2 us per triangle.
MeshOrder hilbert_curve(MeshData const& mesh);

/// Order of triangles by colour; triangles of one colour keep the old order, nodes keep their numbers.
/// \param color colour of each triangle, 0 or more (Coloring::color, on the host)
/// \return the order
MeshOrder by_color(std::vector<int> const& color);

/// Mesh in another numbering; its boundary edges keep their numbers.
/// \param mesh mesh with node numbers in range
/// \param order new numbers, each once
/// \return the renumbered mesh
/// \throws std::invalid_argument unless both hold
MeshData renumbered(MeshData const& mesh, MeshOrder const& order);

/// Bandwidth of the matrix of the mesh: greatest difference between two node numbers of a triangle. 0 without
/// triangles.
int bandwidth(MeshData const& mesh);

}  // namespace karman
