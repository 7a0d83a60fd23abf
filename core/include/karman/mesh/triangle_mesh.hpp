// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Triangle mesh in the memory of an execution space.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/mesh_data.hpp>

#include <Kokkos_Core.hpp>

namespace karman {

/// Arrays of a MeshData in memory that kernels can read. Copies share their memory, as Views do.
template <ExecutionSpace Exec>
struct TriangleMesh {
  /// View of rows of `columns` values.
  template <class T, int columns>
  using Table = Kokkos::View<T const* [columns], Kokkos::LayoutRight, typename Exec::memory_space>;
  /// View of labels.
  using Labels = Kokkos::View<int const*, typename Exec::memory_space>;

  Table<double, 2> nodes = Table<double, 2>();  ///< (x, y)
  Table<int, 3> triangles = Table<int, 3>();    ///< nodes, anticlockwise
  Labels regions = Labels();                    ///< label of each triangle
  Table<int, 2> edges = Table<int, 2>();        ///< boundary edges, the domain on the left
  Labels edge_labels = Labels();                ///< label of each boundary edge

  /// Number of nodes.
  KOKKOS_FUNCTION int node_count() const { return static_cast<int>(nodes.extent(0)); }
  /// Number of triangles.
  KOKKOS_FUNCTION int triangle_count() const { return static_cast<int>(triangles.extent(0)); }
  /// Number of boundary edges.
  KOKKOS_FUNCTION int edge_count() const { return static_cast<int>(edges.extent(0)); }
};

/// Copies a mesh to the memory of `Exec`.
/// \param space instance of the copies
/// \param mesh mesh without faults (check_mesh()); only the lengths of its arrays are checked here
/// \return the copy
/// \par Synchrony
/// Fences `space`; the host arrays may go afterwards.
/// \throws std::invalid_argument for a wrong number of labels, and for more than 2^31 - 1 nodes, triangles or edges
template <ExecutionSpace Exec>
TriangleMesh<Exec> make_triangle_mesh(Exec const& space, MeshData const& mesh);

#define KARMAN_EXTERN(Exec) extern template TriangleMesh<Exec> make_triangle_mesh(Exec const&, MeshData const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
