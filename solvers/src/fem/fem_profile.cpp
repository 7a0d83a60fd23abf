// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh/graph_build.hpp"
#include "mesh/sort_row.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/mesh/mesh_connectivity.hpp>
#include <karman/solvers/fem/fem_profile.hpp>

#include <limits>

namespace karman {

namespace {

/// Every node's neighbours, in ascending order with the node itself among them.
template <class Exec>
Graph<Exec> with_diagonal(Exec const& space, Graph<Exec> const& neighbors) {
  int const rows = neighbors.rows();
  auto const offsets = detail::zeros(space, std::size_t(rows) + 1, "karman::fem::row_offsets");
  auto const entries =
      detail::numbers(space, neighbors.entries.extent(0) + static_cast<std::size_t>(rows), "karman::fem::columns");
  Kokkos::parallel_for(
      "karman::fem::profile", Kokkos::RangePolicy<Exec>(space, 0, rows), KOKKOS_LAMBDA(int i) {
        int const begin = neighbors.offsets(i), end = neighbors.offsets(i + 1);
        int place = begin + i;
        offsets(i) = place;
        bool placed = false;
        for (int n = begin; n < end; ++n) {
          int const j = neighbors.entries(n);
          if (!placed && j > i) {
            entries(place++) = i;
            placed = true;
          }
          entries(place++) = j;
        }
        if (!placed) entries(place) = i;
        if (i + 1 == rows) offsets(rows) = end + rows;
      });
  return {offsets, entries};
}

/// (e, corners i + j): place of (node i, node j) of element e. Returns the number of missing places.
template <int corners, class Exec, class Elements, class Places>
std::int64_t find_places(Exec const& space, Graph<Exec> const& graph, Elements const& elements, Places const& places) {
  std::int64_t missing = 0;
  Kokkos::parallel_reduce(
      "karman::fem::element_entries", Kokkos::RangePolicy<Exec>(space, 0, elements.extent(0)),
      KOKKOS_LAMBDA(int e, std::int64_t& count) {
        for (int i = 0; i < corners; ++i) {
          int const row = elements(e, i);
          int const begin = graph.offsets(row), length = graph.offsets(row + 1) - begin;
          for (int j = 0; j < corners; ++j) {
            int const column = elements(e, j);
            int const place = begin + detail::lower_place(graph.entries.data() + begin, length, column);
            places(e, corners * i + j) = place;
            if (place == begin + length || graph.entries(place) != column) ++count;
          }
        }
      },
      missing);
  return missing;
}

template <int columns, class Exec>
auto table(Exec const& space, char const* label, std::size_t rows) {
  using Table = Kokkos::View<int* [columns], typename Exec::array_layout, typename Exec::memory_space>;
  return Table(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), rows);
}

}  // namespace

template <ExecutionSpace Exec>
FemProfile<Exec> make_fem_profile(Exec const& space, TriangleMesh<Exec> const& mesh, bool element_map) {
  Region const region("karman::fem::profile");
  auto const neighbors = node_neighbors(space, mesh);
  require(neighbors.entries.extent(0) + mesh.nodes.extent(0) <= std::size_t(std::numeric_limits<int>::max()),
          "make_fem_profile: more than 2^31 - 1 entries");
  FemProfile<Exec> profile;
  profile.graph = with_diagonal(space, neighbors);
  if (element_map) {
    auto const places = table<9>(space, "karman::fem::element_entries", mesh.triangles.extent(0));
    find_places<3>(space, profile.graph, mesh.triangles, places);
    profile.element_entries = places;
  }
  auto const places = table<4>(space, "karman::fem::edge_entries", mesh.edges.extent(0));
  auto const missing = find_places<2>(space, profile.graph, mesh.edges, places);
  require(missing == 0, "make_fem_profile: a boundary edge is no edge of any triangle");
  profile.edge_entries = places;
  compat::fence(space, "karman::fem::profile");
  return profile;
}

#define KARMAN_INSTANTIATE(Exec) \
  template FemProfile<Exec> make_fem_profile(Exec const&, TriangleMesh<Exec> const&, bool);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
