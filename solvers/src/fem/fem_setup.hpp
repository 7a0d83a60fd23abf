// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Steps that make the plans of the assembly strategies. All wait for `space`.
#pragma once

#include <karman/core/error.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/detail/fem_plan.hpp>
#include <karman/solvers/fem/fem_assembly.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace karman::detail {

template <class Exec, class T>
FemArray<Exec, T> fem_array(Exec const& space, std::size_t n, char const* label) {
  return FemArray<Exec, T>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), n);
}
template <class Exec, class T>
FemArray<Exec, T> fem_zeros(Exec const& space, std::size_t n, char const* label) {
  return FemArray<Exec, T>(Kokkos::view_alloc(space, std::string(label)), n);
}

/// Memory for n numbers below `limit`. Throws std::invalid_argument for a limit beyond 65536.
template <class Exec>
ShortNumbers<Exec> short_numbers(Exec const& space, std::size_t n, int limit, char const* label) {
  require(limit <= 65536,
          "FemAssembly: a node has " + std::to_string(limit - 1) + " neighbours; at most 65535 are allowed");
  ShortNumbers<Exec> numbers;
  if (limit <= 256) numbers.narrow = fem_array<Exec, std::uint8_t>(space, n, label);
  else numbers.wide = fem_array<Exec, std::uint16_t>(space, n, label);
  return numbers;
}

/// The rings of row_gather, in `order` (empty: order of the mesh). Throws std::invalid_argument for a node whose
/// triangles form neither fans nor one ring.
template <class Exec>
FemRings<Exec> make_rings(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& graph,
                          typename Graph<Exec>::Numbers const& order, bool triangle_numbers);

/// Begin of each row where the rows follow the order of the rings.
template <class Exec>
FemArray<Exec, int> make_row_places(Exec const& space, FemRings<Exec> const& rings);

/// The triangles colour by colour; triangles of one colour in `order` (empty: ascending).
template <class Exec>
FemElements<Exec> make_colored_elements(Exec const& space, TriangleMesh<Exec> const& mesh,
                                        FemProfile<Exec> const& profile, typename Graph<Exec>::Numbers const& order);

/// Blocks of setup.block_triangles triangles (0: default of the backend): blocks and block_begin of the plan.
template <class Exec>
void make_blocks(Exec const& space, FemPlan<Exec>& plan, FemAssemblySetup const& setup);

/// Blocks of setup.block_rows rows (0: default of the backend), successive in `order` (empty: order of the mesh). Fewer
/// rows where they are very long. Throws std::invalid_argument for a single row that is too long.
template <class Exec>
FemRowBlocks<Exec> make_row_blocks(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& graph,
                                   typename Graph<Exec>::Numbers const& order, FemAssemblySetup const& setup);

template <class Exec>
FemSources<Exec> make_sources(Exec const& space, TriangleMesh<Exec> const& mesh, FemProfile<Exec> const& profile);

template <class Exec>
FemBoundary<Exec> make_boundary(Exec const& space, TriangleMesh<Exec> const& mesh);

}  // namespace karman::detail
