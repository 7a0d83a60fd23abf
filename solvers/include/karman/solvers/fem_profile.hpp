// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the entries of a finite-element matrix stand.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman {

/// The rows of a matrix with one unknown a node, and the places of each element's entries in its values. Copies share
/// their memory, as Views do. The tables have the layout of the execution space, so that neighbouring threads read
/// neighbouring values: (t, n) is contiguous in t on a device, in n on a host.
template <ExecutionSpace Exec>
struct FemProfile {
  template <int columns>
  using Places = Kokkos::View<int const* [columns], typename Exec::array_layout, typename Exec::memory_space>;

  Graph<Exec> graph;  ///< row i: i and its neighbours, ascending
  Places<9> element_entries =
      Places<9>();  ///< (t, 3 i + j): place of a(i, j) of triangle t; empty where it was not asked for
  Places<4> edge_entries = Places<4>();  ///< (e, 2 i + j): place of a(i, j) of boundary edge e
};

/// Makes the profile of a mesh, in the numbering of the mesh, in parallel.
///
/// The map of the elements takes 36 bytes a triangle; the strategies atomic, coloured, coloured_blocks and expanded
/// need it, row_gather and row_blocks do not: `element_map` = false leaves it out. Preconditions: those of
/// check_mesh(). Memory beyond that: 4 bytes a node, 4 an entry (14 a triangle). Waits for `space`. Throws
/// std::invalid_argument for more than 2^31 - 1 entries, and for a boundary edge that is no edge of a triangle.
template <ExecutionSpace Exec>
FemProfile<Exec> make_fem_profile(Exec const& space, TriangleMesh<Exec> const& mesh, bool element_map = true);

#define KARMAN_EXTERN(Exec) \
  extern template FemProfile<Exec> make_fem_profile(Exec const&, TriangleMesh<Exec> const&, bool);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
