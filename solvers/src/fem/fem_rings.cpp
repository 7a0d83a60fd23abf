// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fem_setup.hpp"
#include "mesh/graph_build.hpp"
#include "mesh/sort_row.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/mesh/mesh_connectivity.hpp>
#include <karman/solvers/detail/fem_row_gather.hpp>

namespace karman::detail {

namespace {

/// Workspace of a thread that orders the triangles round a node.
template <class Exec>
struct RingWalk {
  TriangleMesh<Exec> mesh;
  Graph<Exec> graph, around;
  FemRings<Exec> rings;
  FemArray<Exec, int> following;         ///< successor of each neighbour among the neighbours; -1: none
  FemArray<Exec, std::uint8_t> follows;  ///< true if a neighbour is a successor
  FemArray<Exec, std::uint32_t> corner;  ///< triangle between each neighbour and its successor

  /// Returns true if the triangles form fans or one ring.
  KOKKOS_FUNCTION bool operator()(int place) const {
    int const i = rings.order.data() == nullptr ? place : rings.order(place);
    int const row = graph.offsets(i), length = graph.offsets(i + 1) - row - 1;
    int const begin = rings.order.data() == nullptr ? row - i : rings.offsets(place);
    int const diagonal = lower_place(graph.entries.data() + row, length + 1, i);
    for (int q = begin; q < begin + length; ++q) {
      following(q) = -1;
      follows(q) = 0;
    }
    for (int n = around.offsets(i); n < around.offsets(i + 1); ++n) {
      int const t = around.entries(n);
      int m = 0;
      while (m < 2 && mesh.triangles(t, m) != i) ++m;
      int const from = neighbor(row, length, diagonal, mesh.triangles(t, m == 2 ? 0 : m + 1));
      int const to = neighbor(row, length, diagonal, mesh.triangles(t, m == 0 ? 2 : m - 1));
      if (following(begin + from) >= 0 || follows(begin + to) != 0) return false;
      following(begin + from) = to;
      follows(begin + to) = 1;
      corner(begin + from) = 3U * static_cast<std::uint32_t>(t) + static_cast<std::uint32_t>(m);
    }
    int placed = 0;
    for (int q = 0; q < length; ++q) {
      if (follows(begin + q) == 0) walk(row, begin, diagonal, q, placed);
    }
    if (placed == 0 && length > 0) walk(row, begin, diagonal, 0, placed);
    return placed == length;
  }

  /// Place of a node among the neighbours, ascending, without the node itself.
  KOKKOS_FUNCTION int neighbor(int row, int length, int diagonal, int node) const {
    int const q = lower_place(graph.entries.data() + row, length + 1, node);
    return q > diagonal ? q - 1 : q;
  }

  /// From one neighbour to the last of the fan, or once round the ring. It ends, since no neighbour has two
  /// predecessors.
  KOKKOS_FUNCTION void walk(int row, int begin, int diagonal, int start, int& placed) const {
    int q = start;
    do {
      int const column = q < diagonal ? q : q + 1;
      int const next = following(begin + q);
      int const n = begin + placed;
      rings.neighbors(n) = graph.entries(row + column) | (next < 0 ? FemRings<Exec>::gap : 0);
      rings.columns.set(std::size_t(n), column);
      if (rings.corners.data() != nullptr) rings.corners(n) = next < 0 ? 0 : corner(begin + q);
      ++placed;
      q = next;
    } while (q >= 0 && q != start);
  }
};

/// The last node whose triangles cannot be ordered; -1: none.
template <class Exec>
int walk_all(Exec const& space, RingWalk<Exec> const& walk) {
  int bad = -1;
  Kokkos::parallel_reduce(
      "karman::fem::rings", Kokkos::RangePolicy<Exec>(space, 0, walk.graph.rows()),
      KOKKOS_LAMBDA(int place, int& worst) {
        if (walk(place)) return;
        int const i = walk.rings.order.data() == nullptr ? place : walk.rings.order(place);
        if (i > worst) worst = i;
      },
      Kokkos::Max<int>(bad));
  return bad < 0 ? -1 : bad;
}

/// Begins of the rings when rows have another order.
template <class Exec>
Numbers<Exec> ring_offsets(Exec const& space, Graph<Exec> const& graph, typename Graph<Exec>::Numbers const& order) {
  int const rows = graph.rows();
  auto const offsets = zeros(space, static_cast<std::size_t>(rows) + 1, "karman::fem::ring_offsets");
  Kokkos::parallel_for(
      "karman::fem::ring_lengths", Kokkos::RangePolicy<Exec>(space, 0, rows), KOKKOS_LAMBDA(int place) {
        int const i = order(place);
        offsets(place) = graph.offsets(i + 1) - graph.offsets(i) - 1;
      });
  make_offsets(space, offsets, "FemAssembly");
  return offsets;
}

template <class Exec>
int most_staged(Exec const& space, FemRings<Exec> const& rings, Graph<Exec> const& graph, int team_rows) {
  int const rows = graph.rows(), teams = (rows + team_rows - 1) / team_rows;
  int most = 0;
  Kokkos::parallel_reduce(
      "karman::fem::most_staged", Kokkos::RangePolicy<Exec>(space, 0, teams),
      KOKKOS_LAMBDA(int team, int& largest) {
        int const begin = team * team_rows, end = rows - begin < team_rows ? rows : begin + team_rows;
        bool const ordered = rings.order.data() != nullptr;
        int const staged = ordered ? rings.offsets(end) - rings.offsets(begin) + end - begin
                                   : graph.offsets(end) - graph.offsets(begin);
        if (staged > largest) largest = staged;
      },
      Kokkos::Max<int>(most));
  return most;
}

}  // namespace

template <class Exec>
FemRings<Exec> make_rings(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& graph,
                          typename Graph<Exec>::Numbers const& order, bool triangle_numbers) {
  int const rows = graph.rows();
  FemRings<Exec> rings;
  if (rows == 0) return rings;
  std::size_t const places = graph.entries.extent(0) - static_cast<std::size_t>(rows);
  rings.order = order;
  if (order.data() != nullptr) rings.offsets = ring_offsets(space, graph, order);
  rings.neighbors = fem_array<Exec, int>(space, places, "karman::fem::ring_neighbors");
  rings.columns = short_numbers(space, places, longest_row(space, graph), "karman::fem::ring_columns");
  if (triangle_numbers) rings.corners = fem_array<Exec, std::uint32_t>(space, places, "karman::fem::ring_corners");
  RingWalk<Exec> const walk{mesh,
                            graph,
                            triangles_around_nodes(space, mesh),
                            rings,
                            fem_array<Exec, int>(space, places, "karman::fem::following"),
                            fem_array<Exec, std::uint8_t>(space, places, "karman::fem::follows"),
                            fem_array<Exec, std::uint32_t>(space, places, "karman::fem::corner")};
  int const bad = walk_all(space, walk);
  require(bad < 0, "FemAssembly: row_gather: the triangles around node " + std::to_string(bad) +
                       " form neither fans nor one ring; run check_mesh(), or use the strategy expanded, which does "
                       "without");
  rings.most_staged = most_staged(space, rings, graph, row_gather_shape<Exec>().rows);
  compat::fence(space, "karman::fem::rings");
  return rings;
}

template <class Exec>
FemArray<Exec, int> make_row_places(Exec const& space, FemRings<Exec> const& rings) {
  auto const rows = static_cast<int>(rings.order.extent(0));
  auto const places = fem_array<Exec, int>(space, rings.order.extent(0), "karman::fem::row_places");
  Kokkos::parallel_for(
      "karman::fem::row_places", Kokkos::RangePolicy<Exec>(space, 0, rows),
      KOKKOS_LAMBDA(int place) { places(rings.order(place)) = rings.offsets(place) + place; });
  return places;
}

#define KARMAN_INSTANTIATE(Exec)                                                                 \
  template FemRings<Exec> make_rings(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&, \
                                     typename Graph<Exec>::Numbers const&, bool);                \
  template FemArray<Exec, int> make_row_places(Exec const&, FemRings<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
