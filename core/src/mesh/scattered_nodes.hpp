// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether the numbering of a mesh keeps neighbours close in memory.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace karman::detail {

/// Square of the longest edge around each node.
template <class Exec>
struct LongestEdges {
  TriangleMesh<Exec> mesh;
  Kokkos::View<double*, typename Exec::memory_space> square;

  KOKKOS_FUNCTION void operator()(int t) const {
    for (int m = 0; m < 3; ++m) {
      int const a = mesh.triangles(t, m), b = mesh.triangles(t, (m + 1) % 3);
      double const dx = mesh.nodes(b, 0) - mesh.nodes(a, 0), dy = mesh.nodes(b, 1) - mesh.nodes(a, 1);
      double const found = dx * dx + dy * dy;
      for (int const node : {a, b}) Kokkos::atomic_fetch_max(&square(node), found);
    }
  }
};

/// Counts nodes that are further from the one before than eight times their longest edge.
template <class Exec>
struct FarFromLast {
  TriangleMesh<Exec> mesh;
  Kokkos::View<double*, typename Exec::memory_space> square;

  KOKKOS_FUNCTION void operator()(int i, std::int64_t& count) const {
    double const dx = mesh.nodes(i - 1, 0) - mesh.nodes(i, 0), dy = mesh.nodes(i - 1, 1) - mesh.nodes(i, 1);
    if (dx * dx + dy * dy > 64 * square(i)) ++count;
  }
};

/// True if successive nodes are often far apart: more than a tenth of them further than eight times the longest edge
/// there. Fences `space`.
template <class Exec>
bool is_scattered(Exec const& space, TriangleMesh<Exec> const& mesh) {
  if (mesh.node_count() < 2) return false;
  using Range = Kokkos::RangePolicy<Exec>;
  Kokkos::View<double*, typename Exec::memory_space> const square(
      Kokkos::view_alloc(space, std::string("karman::mesh::longest_edges")), mesh.nodes.extent(0));
  Kokkos::parallel_for("karman::mesh::longest_edges", Range(space, 0, mesh.triangle_count()),
                       LongestEdges<Exec>{mesh, square});
  std::int64_t far = 0;
  Kokkos::parallel_reduce("karman::mesh::far_nodes", Range(space, 1, mesh.node_count()),
                          FarFromLast<Exec>{mesh, square}, far);
  compat::fence(space, "karman::mesh::far_nodes");
  return 10 * far > mesh.node_count();
}

}  // namespace karman::detail
