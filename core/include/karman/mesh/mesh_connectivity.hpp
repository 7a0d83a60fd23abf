// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Connectivity of a triangle mesh, computed in the memory of the mesh.
///
/// The functions run in parallel on `space` and count by atomic additions, then scan, fill, and sort each row.
/// \pre The mesh has no faults (check_mesh()).
/// \par Cost
/// Nothing bounds the triangles around a node: a node with v triangles takes v log v steps of one thread.
/// \par Synchrony
/// Every function fences `space`.
/// \par Reproducibility
/// Every row ascends. Results are the same from run to run, for any number of threads and on every backend.
/// \throws std::invalid_argument for results of more than 2^31 - 1 entries
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

namespace karman {

/// Triangles around each node: row n lists the triangles of node n.
/// \par Cost
/// About 90 bytes per triangle.
template <ExecutionSpace Exec>
Graph<Exec> triangles_around_nodes(Exec const& space, TriangleMesh<Exec> const& mesh);

/// Boundary edges at each node: row n lists the edges of node n, by their number in `mesh.edges`.
template <ExecutionSpace Exec>
Graph<Exec> boundary_edges_around_nodes(Exec const& space, TriangleMesh<Exec> const& mesh);

/// Neighbours of each node: row n lists the nodes that share a triangle with node n, without n itself.
/// \param space instance of the kernels
/// \param mesh mesh without faults
/// \param around triangles_around_nodes()
/// \return one row per node
/// \par Cost
/// About 150 bytes per triangle, and temporary memory of 6 numbers per triangle.
template <ExecutionSpace Exec>
Graph<Exec> node_neighbors(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& around);
/// Neighbours of each node, computed from the mesh alone.
template <ExecutionSpace Exec>
Graph<Exec> node_neighbors(Exec const& space, TriangleMesh<Exec> const& mesh);

/// Conflicts of each triangle: row t lists the triangles that share a node with triangle t, without t itself. Two
/// triangles in conflict must not add to the nodes at the same time (the dual graph of a colouring).
/// \param space instance of the kernels
/// \param mesh mesh without faults
/// \param around triangles_around_nodes()
/// \return one row per triangle, about 12 entries each with 6 triangles per node; a node with v triangles gives v
/// entries to each of its triangles
template <ExecutionSpace Exec>
Graph<Exec> element_conflicts(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& around);
/// Conflicts of each triangle, computed from the mesh alone.
template <ExecutionSpace Exec>
Graph<Exec> element_conflicts(Exec const& space, TriangleMesh<Exec> const& mesh);

/// Edges of a mesh, each once.
template <ExecutionSpace Exec>
struct EdgeTable {
  /// View of rows of `columns` numbers.
  template <int columns>
  using Table = typename TriangleMesh<Exec>::template Table<int, columns>;

  Table<2> nodes = Table<2>();           ///< (lower, higher) node; edges ascend by the lower, then by the higher
  Table<2> triangles = Table<2>();       ///< left and right triangle, seen from the lower to the higher node; -1: none
  Table<3> triangle_edges = Table<3>();  ///< edge of side k of each triangle, from its node k to its node k + 1 (mod 3)

  /// Number of edges.
  KOKKOS_FUNCTION int count() const { return static_cast<int>(nodes.extent(0)); }
};

/// Edges of a mesh.
/// \param space instance of the kernels
/// \param mesh mesh without faults
/// \param neighbors node_neighbors()
/// \return the edges
template <ExecutionSpace Exec>
EdgeTable<Exec> mesh_edges(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& neighbors);
/// Edges of a mesh, computed from the mesh alone.
template <ExecutionSpace Exec>
EdgeTable<Exec> mesh_edges(Exec const& space, TriangleMesh<Exec> const& mesh);

/// Edge neighbours of each triangle: row t lists the triangles that share an edge with triangle t, 3 at most.
template <ExecutionSpace Exec>
Graph<Exec> edge_neighbors(Exec const& space, EdgeTable<Exec> const& edges);
/// Edge neighbours of each triangle, computed from the mesh alone.
template <ExecutionSpace Exec>
Graph<Exec> edge_neighbors(Exec const& space, TriangleMesh<Exec> const& mesh);

#define KARMAN_EXTERN(Exec)                                                                                  \
  extern template Graph<Exec> triangles_around_nodes(Exec const&, TriangleMesh<Exec> const&);                \
  extern template Graph<Exec> boundary_edges_around_nodes(Exec const&, TriangleMesh<Exec> const&);           \
  extern template Graph<Exec> node_neighbors(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&);    \
  extern template Graph<Exec> node_neighbors(Exec const&, TriangleMesh<Exec> const&);                        \
  extern template Graph<Exec> element_conflicts(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&); \
  extern template Graph<Exec> element_conflicts(Exec const&, TriangleMesh<Exec> const&);                     \
  extern template EdgeTable<Exec> mesh_edges(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&);    \
  extern template EdgeTable<Exec> mesh_edges(Exec const&, TriangleMesh<Exec> const&);                        \
  extern template Graph<Exec> edge_neighbors(Exec const&, EdgeTable<Exec> const&);                           \
  extern template Graph<Exec> edge_neighbors(Exec const&, TriangleMesh<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
