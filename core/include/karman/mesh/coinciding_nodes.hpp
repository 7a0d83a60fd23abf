// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Boundary nodes and edges at the same place, such as between blocks that were never joined. On one thread of the
/// host.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <cstddef>
#include <vector>

namespace karman {

/// Distance below which nodes count as the same: 1e-9 of the diagonal of the mesh, far above the rounding of programs
/// and far below any edge.
double coincidence_tolerance(MeshData const& mesh);

/// For each listed boundary edge: true if both its ends coincide with the ends of another listed edge.
/// \param mesh mesh with node numbers in range
/// \param tolerance greatest difference of nodes that coincide, along x and along y, in the unit of the nodes
/// \return one flag per listed edge
/// \throws std::invalid_argument for node numbers out of range and a negative tolerance
/// \par Cost
/// A sort of the nodes of listed edges.
std::vector<bool> coinciding_edges(MeshData const& mesh, double tolerance);

/// Joins boundary nodes that coincide into the first of them, and drops the others. Chains of coinciding nodes join.
/// Listed edges that then lie between two triangles are dropped. All other nodes, triangles and edges keep their order.
/// \param mesh mesh to change
/// \param tolerance greatest difference of nodes that coincide, along x and along y, in the unit of the nodes
/// \return number of dropped nodes
/// \throws std::invalid_argument as coinciding_edges(), and where two nodes of a triangle would be joined; the
/// mesh is unchanged then
/// \par Cost
/// About 100 bytes of memory and 0.1 us per triangle.
std::size_t merge_nodes(MeshData& mesh, double tolerance);

}  // namespace karman
