// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What touches what in a mesh of triangles, worked out where the mesh lies.
///
/// Every function here runs in parallel on `space` and waits for it. Every row is ascending, so that the result is the
/// same from run to run, for any number of threads and on every backend. They rely on what check_mesh() checks, and
/// throw std::invalid_argument when a result has more than 2^31 - 1 entries. Nothing bounds the triangles around a
/// node: one with v of them costs its thread v log v steps.
/// Method: counts by atomic additions of whole numbers, a prefix sum, filling, sorting of each row.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

namespace karman {

/// Row n: the triangles around node n. Some 90 bytes a triangle.
template <ExecutionSpace Exec>
Graph<Exec> triangles_around_nodes(Exec const& space, TriangleMesh<Exec> const& mesh);

/// Row n: the boundary edges at node n, by their number in `mesh.edges`.
template <ExecutionSpace Exec>
Graph<Exec> boundary_edges_around_nodes(Exec const& space, TriangleMesh<Exec> const& mesh);

/// Row n: the nodes that share a triangle with node n, without n itself. Some 150 bytes a triangle, and as much memory
/// for the time of the call as 6 numbers a triangle need. `around` is triangles_around_nodes().
template <ExecutionSpace Exec>
Graph<Exec> node_neighbours(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& around);
template <ExecutionSpace Exec>
Graph<Exec> node_neighbours(Exec const& space, TriangleMesh<Exec> const& mesh);

/// Row t: the triangles that share a node with triangle t, without t itself: those that must not add to the nodes of t
/// at the same time (the dual graph of the colouring). 12 or so a triangle in a mesh whose nodes have 6 triangles; the
/// triangles around one node with v of them have v entries each. `around` is triangles_around_nodes().
template <ExecutionSpace Exec>
Graph<Exec> element_conflicts(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& around);
template <ExecutionSpace Exec>
Graph<Exec> element_conflicts(Exec const& space, TriangleMesh<Exec> const& mesh);

/// Every edge of a mesh once.
template <ExecutionSpace Exec>
struct EdgeTable {
  template <int columns>
  using Table = typename TriangleMesh<Exec>::template Table<int, columns>;

  Table<2> nodes = Table<2>();      ///< (lower, higher) node; edges ascend by the lower, then by the higher
  Table<2> triangles = Table<2>();  ///< on the left and on the right of the way from the lower to the higher; -1: none
  Table<3> triangle_edges = Table<3>();  ///< edge of side k of each triangle, from its node k to its node k + 1 (mod 3)

  KOKKOS_FUNCTION int count() const { return static_cast<int>(nodes.extent(0)); }
};

/// The edges of a mesh; `neighbours` is node_neighbours().
template <ExecutionSpace Exec>
EdgeTable<Exec> mesh_edges(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& neighbours);
template <ExecutionSpace Exec>
EdgeTable<Exec> mesh_edges(Exec const& space, TriangleMesh<Exec> const& mesh);

/// Row t: the triangles that share an edge with triangle t, 3 at most.
template <ExecutionSpace Exec>
Graph<Exec> edge_neighbours(Exec const& space, EdgeTable<Exec> const& edges);
template <ExecutionSpace Exec>
Graph<Exec> edge_neighbours(Exec const& space, TriangleMesh<Exec> const& mesh);

#define KARMAN_EXTERN(Exec)                                                                                  \
  extern template Graph<Exec> triangles_around_nodes(Exec const&, TriangleMesh<Exec> const&);                \
  extern template Graph<Exec> boundary_edges_around_nodes(Exec const&, TriangleMesh<Exec> const&);           \
  extern template Graph<Exec> node_neighbours(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&);   \
  extern template Graph<Exec> node_neighbours(Exec const&, TriangleMesh<Exec> const&);                       \
  extern template Graph<Exec> element_conflicts(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&); \
  extern template Graph<Exec> element_conflicts(Exec const&, TriangleMesh<Exec> const&);                     \
  extern template EdgeTable<Exec> mesh_edges(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&);    \
  extern template EdgeTable<Exec> mesh_edges(Exec const&, TriangleMesh<Exec> const&);                        \
  extern template Graph<Exec> edge_neighbours(Exec const&, EdgeTable<Exec> const&);                          \
  extern template Graph<Exec> edge_neighbours(Exec const&, TriangleMesh<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
