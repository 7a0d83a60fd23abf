// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A mesh of triangles in the memory of an execution space.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/mesh_data.hpp>

#include <Kokkos_Core.hpp>

namespace karman {

/// The arrays of a MeshData where kernels can read them. Copies share their memory, as Views do.
template <ExecutionSpace Exec>
struct TriangleMesh {
  template <class T, int columns>
  using Table = Kokkos::View<T const* [columns], Kokkos::LayoutRight, typename Exec::memory_space>;
  using Labels = Kokkos::View<int const*, typename Exec::memory_space>;

  Table<double, 2> nodes = Table<double, 2>();  ///< (x, y)
  Table<int, 3> triangles = Table<int, 3>();    ///< nodes, anticlockwise
  Labels regions = Labels();                    ///< label of each triangle
  Table<int, 2> edges = Table<int, 2>();        ///< boundary edges, the domain on the left
  Labels edge_labels = Labels();                ///< label of each boundary edge

  KOKKOS_FUNCTION int node_count() const { return static_cast<int>(nodes.extent(0)); }
  KOKKOS_FUNCTION int triangle_count() const { return static_cast<int>(triangles.extent(0)); }
  KOKKOS_FUNCTION int edge_count() const { return static_cast<int>(edges.extent(0)); }
};

/// Copies a mesh that check_mesh() finds right; only the lengths of its arrays are checked here. Waits for `space`: the
/// host arrays may go afterwards. Throws std::invalid_argument when there are not as many labels as triangles or edges,
/// or more than 2^31 - 1 of anything.
template <ExecutionSpace Exec>
TriangleMesh<Exec> make_triangle_mesh(Exec const& space, MeshData const& mesh);

#define KARMAN_EXTERN(Exec) extern template TriangleMesh<Exec> make_triangle_mesh(Exec const&, MeshData const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
