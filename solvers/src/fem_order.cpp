// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fem_setup.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/detail/hilbert.hpp>
#include <karman/core/detail/mesh_blocks.hpp>
#include <karman/core/detail/stable_group.hpp>

namespace karman::detail {

namespace {

template <class Exec>
using Places = Kokkos::View<std::uint32_t*, typename Exec::memory_space>;

template <class Exec>
Places<Exec> places(Exec const& space, std::size_t n) {
  return fem_array<Exec, std::uint32_t>(space, n, "karman::fem::curve_places");
}

template <class Exec>
HilbertSquare square_of(Exec const& space, TriangleMesh<Exec> const& mesh) {
  double min_x = 0, max_x = 0, min_y = 0, max_y = 0;
  Kokkos::parallel_reduce("karman::fem::bounding_box", Kokkos::RangePolicy<Exec>(space, 0, mesh.node_count()),
                          NodeBox<Exec>{mesh.nodes}, Kokkos::Min<double>(min_x), Kokkos::Max<double>(max_x),
                          Kokkos::Min<double>(min_y), Kokkos::Max<double>(max_y));
  compat::fence(space, "karman::fem::bounding_box");
  return square_around(min_x, max_x, min_y, max_y);
}

template <class Exec>
void place_nodes(Exec const& space, TriangleMesh<Exec> const& mesh, HilbertSquare const& square,
                 Places<Exec> const& to) {
  auto const nodes = mesh.nodes;
  Kokkos::parallel_for(
      "karman::fem::curve", Kokkos::RangePolicy<Exec>(space, 0, mesh.node_count()),
      KOKKOS_LAMBDA(int i) { to(i) = square.place(nodes(i, 0), nodes(i, 1)); });
}

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

template <class Exec>
typename Graph<Exec>::Numbers nodes_along_curve(Exec const& space, TriangleMesh<Exec> const& mesh) {
  auto const along = places(space, mesh.nodes.extent(0));
  place_nodes(space, mesh, square_of(space, mesh), along);
  return stable_order<Exec>(space, along);
}

template <class Exec>
typename Graph<Exec>::Numbers triangles_along_curve(Exec const& space, TriangleMesh<Exec> const& mesh) {
  auto const along = places(space, mesh.triangles.extent(0));
  Kokkos::parallel_for("karman::fem::curve", Kokkos::RangePolicy<Exec>(space, 0, mesh.triangle_count()),
                       CurvePlaces<Exec>{mesh, square_of(space, mesh), along});
  return stable_order<Exec>(space, along);
}

#define KARMAN_INSTANTIATE(Exec)                                                                    \
  template bool is_scattered(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&);           \
  template typename Graph<Exec>::Numbers nodes_along_curve(Exec const&, TriangleMesh<Exec> const&); \
  template typename Graph<Exec>::Numbers triangles_along_curve(Exec const&, TriangleMesh<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
