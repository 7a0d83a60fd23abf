// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fem_setup.hpp"
#include <karman/core/compat.hpp>

namespace karman::detail {

namespace {

template <class Exec>
std::int64_t far_from_last(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& graph) {
  auto const nodes = mesh.nodes;
  std::int64_t far = 0;
  Kokkos::parallel_reduce(
      "karman::fem::far_nodes", Kokkos::RangePolicy<Exec>(space, 1, nodes.extent(0)),
      KOKKOS_LAMBDA(int i, std::int64_t& count) {
        double longest = 0;
        for (int n = graph.offsets(i); n < graph.offsets(i + 1); ++n) {
          int const j = graph.entries(n);
          double const dx = nodes(j, 0) - nodes(i, 0), dy = nodes(j, 1) - nodes(i, 1);
          double const square = dx * dx + dy * dy;
          longest = square > longest ? square : longest;
        }
        double const dx = nodes(i - 1, 0) - nodes(i, 0), dy = nodes(i - 1, 1) - nodes(i, 1);
        if (dx * dx + dy * dy > 64 * longest) ++count;
      },
      far);
  return far;
}

}  // namespace

template <class Exec>
bool is_scattered(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& graph) {
  return mesh.node_count() > 1 && 10 * far_from_last(space, mesh, graph) > mesh.node_count();
}

#define KARMAN_INSTANTIATE(Exec) template bool is_scattered(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
