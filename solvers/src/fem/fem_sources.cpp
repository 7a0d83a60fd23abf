// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fem_setup.hpp"
#include "mesh/graph_build.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/mesh/mesh_connectivity.hpp>
#include <karman/solvers/detail/fem_elements.hpp>

#include <limits>

namespace karman::detail {

namespace {

/// The corner of triangle t at node i.
template <class Exec>
KOKKOS_INLINE_FUNCTION int corner_of(TriangleMesh<Exec> const& mesh, int t, int i) {
  int m = 0;
  while (m < 2 && mesh.triangles(t, m) != i) ++m;
  return m;
}

/// Number of triangles that contribute to each entry; 0 behind the last.
template <class Exec>
void count_contributions(Exec const& space, TriangleMesh<Exec> const& mesh, FemProfile<Exec> const& profile,
                         Graph<Exec> const& around, Numbers<Exec> const& counts) {
  auto const graph = profile.graph;
  auto const entries = profile.element_entries;
  Kokkos::parallel_for(
      "karman::fem::count_contributions", Kokkos::RangePolicy<Exec>(space, 0, graph.rows()), KOKKOS_LAMBDA(int i) {
        for (int n = around.offsets(i); n < around.offsets(i + 1); ++n) {
          int const t = around.entries(n), m = corner_of(mesh, t, i);
          for (int j = 0; j < 3; ++j) ++counts(entries(t, 3 * m + j));
        }
      });
}

/// The contributions to each entry, by ascending triangles. One thread per row.
template <class Exec>
void list_contributions(Exec const& space, TriangleMesh<Exec> const& mesh, FemProfile<Exec> const& profile,
                        Graph<Exec> const& around, FemSources<Exec> const& sources, Numbers<Exec> const& filled) {
  auto const graph = profile.graph;
  auto const entries = profile.element_entries;
  ElementStorage<Exec> const place{mesh.triangle_count()};
  Kokkos::parallel_for(
      "karman::fem::list_contributions", Kokkos::RangePolicy<Exec>(space, 0, graph.rows()), KOKKOS_LAMBDA(int i) {
        for (int n = around.offsets(i); n < around.offsets(i + 1); ++n) {
          int const t = around.entries(n), m = corner_of(mesh, t, i);
          for (int j = 0; j < 3; ++j) {
            int const entry = entries(t, 3 * m + j);
            sources.entry_sources(sources.entry_offsets(entry) + filled(entry)++) =
                static_cast<int>(place(t, 3 * m + j));
          }
          sources.row_sources(n) = static_cast<int>(place(t, 9 + m));
        }
      });
}

template <class Exec>
void copy_offsets(Exec const& space, typename Graph<Exec>::Numbers const& from, FemArray<Exec, int> const& to) {
  Kokkos::parallel_for(
      "karman::fem::row_offsets", Kokkos::RangePolicy<Exec>(space, 0, from.extent(0)),
      KOKKOS_LAMBDA(int i) { to(i) = from(i); });
}

template <class Exec>
void mark_boundary(Exec const& space, typename Graph<Exec>::Numbers const& offsets, Numbers<Exec> const& places,
                   int rows) {
  Kokkos::parallel_for(
      "karman::fem::boundary_nodes", Kokkos::RangePolicy<Exec>(space, 0, rows),
      KOKKOS_LAMBDA(int i) { places(i) = offsets(i + 1) > offsets(i) ? 1 : 0; });
}

template <class Exec>
void list_boundary(Exec const& space, typename Graph<Exec>::Numbers const& offsets, Numbers<Exec> const& places,
                   FemArray<Exec, int> const& nodes, int rows) {
  Kokkos::parallel_for(
      "karman::fem::boundary_nodes", Kokkos::RangePolicy<Exec>(space, 0, rows), KOKKOS_LAMBDA(int i) {
        if (offsets(i + 1) > offsets(i)) nodes(places(i)) = i;
      });
}

}  // namespace

template <class Exec>
FemSources<Exec> make_sources(Exec const& space, TriangleMesh<Exec> const& mesh, FemProfile<Exec> const& profile) {
  require(mesh.triangles.extent(0) <= std::size_t(std::numeric_limits<int>::max()) / ElementStorage<Exec>::values_each,
          "FemAssembly: expanded: more than (2^31 - 1) / 12 triangles");
  auto const around = triangles_around_nodes(space, mesh);
  std::size_t const entries = profile.graph.entries.extent(0);
  FemSources<Exec> sources;
  auto const offsets = zeros(space, entries + 1, "karman::fem::entry_offsets");
  count_contributions(space, mesh, profile, around, offsets);
  int const total = make_offsets(space, offsets, "FemAssembly");
  sources.entry_offsets = offsets;
  sources.entry_sources = fem_array<Exec, int>(space, std::size_t(total), "karman::fem::entry_sources");
  sources.row_offsets = fem_array<Exec, int>(space, around.offsets.extent(0), "karman::fem::row_offsets");
  sources.row_sources = fem_array<Exec, int>(space, around.entries.extent(0), "karman::fem::row_sources");
  copy_offsets<Exec>(space, around.offsets, sources.row_offsets);
  list_contributions(space, mesh, profile, around, sources, zeros(space, entries, "karman::fem::filled"));
  compat::fence(space, "karman::fem::sources");
  return sources;
}

template <class Exec>
FemBoundary<Exec> make_boundary(Exec const& space, TriangleMesh<Exec> const& mesh) {
  FemBoundary<Exec> boundary;
  boundary.edges = boundary_edges_around_nodes(space, mesh);
  int const rows = mesh.node_count();
  auto const places = zeros(space, std::size_t(rows) + 1, "karman::fem::boundary_places");
  mark_boundary<Exec>(space, boundary.edges.offsets, places, rows);
  int const total = make_offsets(space, places, "FemAssembly");
  boundary.nodes = fem_array<Exec, int>(space, std::size_t(total), "karman::fem::boundary_nodes");
  list_boundary<Exec>(space, boundary.edges.offsets, places, boundary.nodes, rows);
  compat::fence(space, "karman::fem::boundary");
  return boundary;
}

#define KARMAN_INSTANTIATE(Exec)                                                                           \
  template FemSources<Exec> make_sources(Exec const&, TriangleMesh<Exec> const&, FemProfile<Exec> const&); \
  template FemBoundary<Exec> make_boundary(Exec const&, TriangleMesh<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
