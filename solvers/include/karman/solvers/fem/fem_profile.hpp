// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sparsity pattern of a finite-element matrix, and the places of element entries in it.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman {

/// Sparsity pattern of a matrix with one unknown per node, and the places of the entries of each element. Copies share
/// their memory, as Views do.
/// \par Views
/// Tables have the layout of the execution space, so that neighbouring threads read neighbouring values. (t, n) is
/// contiguous in t on a device, in n on a host.
template <ExecutionSpace Exec>
struct FemProfile {
  /// View of rows of `columns` places.
  template <int columns>
  using Places = Kokkos::View<int const* [columns], typename Exec::array_layout, typename Exec::memory_space>;

  /// Row i: i and its neighbours, ascending.
  Graph<Exec> graph;
  /// (t, 3 i + j): place of a(i, j) of triangle t. Empty without the element map.
  Places<9> element_entries =
      Places<9>();  ///< (t, 3 i + j): place of a(i, j) of triangle t; empty where it was not asked for
  /// (e, 2 i + j): place of a(i, j) of boundary edge e.
  Places<4> edge_entries = Places<4>();
};

/// Makes the profile of a mesh in parallel, in the numbering of the mesh.
/// \param space instance of the kernels
/// \param mesh mesh without faults (check_mesh())
/// \param element_map makes element_entries, which the strategies atomic, coloured, colored_blocks and expanded need;
/// row_gather and row_blocks do not
/// \return the profile
/// \par Cost
/// Memory: 36 bytes per triangle for the element map, 4 per node, 4 per entry (14 per triangle).
/// \par Synchrony
/// Fences `space`.
/// \throws std::invalid_argument for more than 2^31 - 1 entries, and for a boundary edge that is no side of a triangle
template <ExecutionSpace Exec>
FemProfile<Exec> make_fem_profile(Exec const& space, TriangleMesh<Exec> const& mesh, bool element_map = true);

#define KARMAN_EXTERN(Exec) \
  extern template FemProfile<Exec> make_fem_profile(Exec const&, TriangleMesh<Exec> const&, bool);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
