// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos Kernels' distance-1 colouring of the graph of triangles that share a node.
#pragma once

#include <karman/mesh/coloring.hpp>

namespace karman::perf {

/// Colouring of a mesh in three steps: the graph of conflicts by Karman, its colouring by Kokkos Kernels' default
/// algorithm for the backend, the classes by Karman.
template <ExecutionSpace Exec>
Coloring<Exec> kokkos_kernels_coloring(Exec const& space, TriangleMesh<Exec> const& mesh);

}  // namespace karman::perf
