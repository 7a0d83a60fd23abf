// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kokkos_kernels_coloring.hpp"

#include "mesh/stable_group.hpp"
#include <karman/mesh/mesh_connectivity.hpp>

#include <KokkosGraph_Distance1Color.hpp>
#include <KokkosKernels_Handle.hpp>

namespace karman::perf {

namespace {

/// Kokkos Kernels counts colours from 1.
template <class Exec, class Colors>
Kokkos::View<int const*, typename Exec::memory_space> from_zero(Exec const& space, Colors const& colors) {
  Kokkos::View<int*, typename Exec::memory_space> const color("karman::perf::color", colors.extent(0));
  Kokkos::parallel_for(
      "karman::perf::color", Kokkos::RangePolicy<Exec>(space, 0, colors.extent(0)),
      KOKKOS_LAMBDA(int t) { color(t) = int(colors(t)) - 1; });
  return color;
}

template <class Exec>
int most_around(Exec const& space, Graph<Exec> const& around) {
  int most = 0;
  Kokkos::parallel_reduce(
      "karman::perf::most_around", Kokkos::RangePolicy<Exec>(space, 0, around.rows()),
      KOKKOS_LAMBDA(int i, int& largest) {
        int const count = around.offsets(i + 1) - around.offsets(i);
        if (count > largest) largest = count;
      },
      Kokkos::Max<int>(most));
  return most;
}

}  // namespace

template <ExecutionSpace Exec>
Coloring<Exec> kokkos_kernels_coloring(Exec const& space, TriangleMesh<Exec> const& mesh) {
  using Memory = typename Exec::memory_space;
  using Handle = KokkosKernels::Experimental::KokkosKernelsHandle<int, int, double, Exec, Memory, Memory>;
  auto const around = triangles_around_nodes(space, mesh);
  auto const conflicts = element_conflicts(space, mesh, around);
  Handle handle;
  handle.create_graph_coloring_handle(KokkosGraph::COLORING_DEFAULT);
  int const n = mesh.triangle_count();
  space.fence();  // Kokkos Kernels runs on an instance of its own
  KokkosGraph::Experimental::graph_color(&handle, n, n, conflicts.offsets, conflicts.entries);
  Kokkos::fence();
  auto* const result = handle.get_graph_coloring_handle();
  Coloring<Exec> coloring;
  coloring.colors = int(result->get_num_colors());
  coloring.color = from_zero(space, result->get_vertex_colors());
  coloring.classes =
      karman::detail::stable_group(space, n, coloring.colors, karman::detail::OwnNumber<Exec>{coloring.color});
  coloring.lower_bound = most_around(space, around);
  handle.destroy_graph_coloring_handle();
  return coloring;
}

#define KARMAN_INSTANTIATE(Exec) \
  template Coloring<Exec> kokkos_kernels_coloring(Exec const&, TriangleMesh<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf
