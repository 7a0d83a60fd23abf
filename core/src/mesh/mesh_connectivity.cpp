// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph_build.hpp"
#include "sort_row.hpp"
#include <karman/core/compat.hpp>
#include <karman/mesh/mesh_connectivity.hpp>

#include <cstddef>
#include <string>

namespace karman {

namespace {

template <class Exec, int columns>
using Table = typename TriangleMesh<Exec>::template Table<int, columns>;
template <class Exec, int columns>
using NewTable = Kokkos::View<int* [columns], Kokkos::LayoutRight, typename Exec::memory_space>;

template <int columns, class Exec>
NewTable<Exec, columns> new_table(Exec const& space, int rows, char const* label) {
  return NewTable<Exec, columns>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)),
                                 static_cast<std::size_t>(rows));
}

/// The other two nodes of the triangles around each node, sorted, each once. `room` has twice the space of `around`.
template <class Exec>
struct GatherNeighbors {
  Table<Exec, 3> triangles;
  Graph<Exec> around;
  detail::Numbers<Exec> room, counts;

  KOKKOS_FUNCTION void operator()(int node) const {
    int const first = around.offsets(node), last = around.offsets(node + 1);
    int* const out = room.data() + 2 * static_cast<std::size_t>(first);
    int n = 0;
    for (int i = first; i < last; ++i) {
      int const triangle = around.entries(i);
      for (int k = 0; k < 3; ++k) {
        int const other = triangles(triangle, k);
        if (other != node && n < 2 * (last - first)) out[n++] = other;
      }
    }
    detail::sort_ascending(out, n);
    counts(node) = detail::keep_distinct(out, n);
  }
};

template <class Exec>
struct CopyNeighbors {
  typename Graph<Exec>::Numbers from, to;
  detail::Numbers<Exec> room, entries;

  KOKKOS_FUNCTION void operator()(int node) const {
    std::size_t const first = 2 * static_cast<std::size_t>(from(node));
    int const begin = to(node), n = to(node + 1) - begin;
    for (int i = 0; i < n; ++i) entries(begin + i) = room(first + static_cast<std::size_t>(i));
  }
};

/// The three ascending lists of triangles around the nodes of a triangle, merged.
template <class Exec>
struct ConflictRow {
  Table<Exec, 3> triangles;
  Graph<Exec> around;

  KOKKOS_FUNCTION int operator()(int triangle, int* out) const {
    int place[3], end[3];
    for (int k = 0; k < 3; ++k) {
      int const node = triangles(triangle, k);
      place[k] = around.offsets(node);
      end[k] = around.offsets(node + 1);
    }
    int count = 0;
    for (int previous = -1;;) {
      int next = -1;
      for (int k = 0; k < 3; ++k) {
        while (place[k] < end[k] && around.entries(place[k]) <= previous) ++place[k];
        if (place[k] == end[k]) continue;
        int const candidate = around.entries(place[k]);
        if (next < 0 || candidate < next) next = candidate;
      }
      if (next < 0) return count;
      previous = next;
      if (next == triangle) continue;
      if (out) out[count] = next;
      ++count;
    }
  }
};

template <class Exec>
struct CountHigher {
  Graph<Exec> neighbors;
  detail::Numbers<Exec> counts;

  KOKKOS_FUNCTION void operator()(int node) const {
    int const first = neighbors.offsets(node), n = neighbors.offsets(node + 1) - first;
    counts(node) = n - detail::lower_place(neighbors.entries.data() + first, n, node);
  }
};

/// The edges from a node to its higher neighbours, without triangles yet.
template <class Exec>
struct FillEdges {
  Graph<Exec> neighbors;
  typename Graph<Exec>::Numbers first_edge;
  NewTable<Exec, 2> nodes, triangles;

  KOKKOS_FUNCTION void operator()(int node) const {
    int const end = neighbors.offsets(node + 1);
    int const begin = first_edge(node), n = first_edge(node + 1) - begin;
    for (int i = 0; i < n; ++i) {
      nodes(begin + i, 0) = node;
      nodes(begin + i, 1) = neighbors.entries(end - n + i);
      triangles(begin + i, 0) = triangles(begin + i, 1) = -1;
    }
  }
};

/// Finds the edges of a triangle, and records the triangle at each of them.
template <class Exec>
struct JoinEdges {
  Table<Exec, 3> triangles;
  typename Graph<Exec>::Numbers first_edge;
  NewTable<Exec, 2> nodes, edge_triangles;
  NewTable<Exec, 3> triangle_edges;

  KOKKOS_FUNCTION int edge(int lower, int higher) const {
    int first = first_edge(lower), n = first_edge(lower + 1) - first;
    while (n > 1) {
      int const half = n / 2;
      bool const beyond = nodes(first + half, 1) > higher;
      if (!beyond) first += half;
      n = beyond ? half : n - half;
    }
    return first;
  }

  KOKKOS_FUNCTION void operator()(int triangle) const {
    for (int k = 0; k < 3; ++k) {
      int const from = triangles(triangle, k), to = triangles(triangle, k == 2 ? 0 : k + 1);
      bool const forward = from < to;
      int const number = forward ? edge(from, to) : edge(to, from);
      triangle_edges(triangle, k) = number;
      edge_triangles(number, forward ? 0 : 1) = triangle;
    }
  }
};

template <class Exec>
struct EdgeNeighborRow {
  Table<Exec, 2> triangles;
  Table<Exec, 3> triangle_edges;

  KOKKOS_FUNCTION int operator()(int triangle, int* out) const {
    int found[3], count = 0;
    for (int k = 0; k < 3; ++k) {
      int const edge = triangle_edges(triangle, k);
      int const left = triangles(edge, 0), right = triangles(edge, 1);
      int const other = left == triangle ? right : left;
      if (other >= 0) found[count++] = other;
    }
    if (!out) return count;
    detail::sort_ascending(found, count);
    for (int i = 0; i < count; ++i) out[i] = found[i];
    return count;
  }
};

}  // namespace

template <ExecutionSpace Exec>
Graph<Exec> triangles_around_nodes(Exec const& space, TriangleMesh<Exec> const& mesh) {
  return detail::elements_around(space, detail::TableIncidence<Exec, 3>{mesh.triangles}, mesh.node_count(),
                                 "triangles_around_nodes");
}

template <ExecutionSpace Exec>
Graph<Exec> boundary_edges_around_nodes(Exec const& space, TriangleMesh<Exec> const& mesh) {
  return detail::elements_around(space, detail::TableIncidence<Exec, 2>{mesh.edges}, mesh.node_count(),
                                 "boundary_edges_around_nodes");
}

template <ExecutionSpace Exec>
Graph<Exec> node_neighbors(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& around) {
  int const nodes = mesh.node_count();
  auto const each_node = Kokkos::RangePolicy<Exec>(space, 0, nodes);
  auto const room = detail::numbers(space, 2 * around.entries.extent(0), "karman::mesh_connectivity::room");
  auto const offsets =
      detail::zeros(space, static_cast<std::size_t>(nodes) + 1, "karman::mesh_connectivity::neighbor_offsets");
  Kokkos::parallel_for("karman::mesh_connectivity::gather_neighbors", each_node,
                       GatherNeighbors<Exec>{mesh.triangles, around, room, offsets});
  int const total = detail::make_offsets(space, offsets, "node_neighbors");
  auto const entries = detail::numbers(space, static_cast<std::size_t>(total), "karman::mesh_connectivity::neighbors");
  Kokkos::parallel_for("karman::mesh_connectivity::copy_neighbors", each_node,
                       CopyNeighbors<Exec>{around.offsets, offsets, room, entries});
  compat::fence(space, "karman::mesh_connectivity::made");
  return {offsets, entries};
}

template <ExecutionSpace Exec>
Graph<Exec> node_neighbors(Exec const& space, TriangleMesh<Exec> const& mesh) {
  return node_neighbors(space, mesh, triangles_around_nodes(space, mesh));
}

template <ExecutionSpace Exec>
Graph<Exec> element_conflicts(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& around) {
  return detail::make_rows(space, mesh.triangle_count(), ConflictRow<Exec>{mesh.triangles, around},
                           "element_conflicts");
}

template <ExecutionSpace Exec>
Graph<Exec> element_conflicts(Exec const& space, TriangleMesh<Exec> const& mesh) {
  return element_conflicts(space, mesh, triangles_around_nodes(space, mesh));
}

template <ExecutionSpace Exec>
EdgeTable<Exec> mesh_edges(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& neighbors) {
  auto const each_node = Kokkos::RangePolicy<Exec>(space, 0, mesh.node_count());
  auto const first_edge =
      detail::zeros(space, static_cast<std::size_t>(mesh.node_count()) + 1, "karman::mesh_connectivity::first_edge");
  Kokkos::parallel_for("karman::mesh_connectivity::count_edges", each_node, CountHigher<Exec>{neighbors, first_edge});
  int const edges = detail::make_offsets(space, first_edge, "mesh_edges");
  auto const nodes = new_table<2>(space, edges, "karman::mesh_connectivity::edge_nodes");
  auto const triangles = new_table<2>(space, edges, "karman::mesh_connectivity::edge_triangles");
  auto const triangle_edges = new_table<3>(space, mesh.triangle_count(), "karman::mesh_connectivity::triangle_edges");
  Kokkos::parallel_for("karman::mesh_connectivity::fill_edges", each_node,
                       FillEdges<Exec>{neighbors, first_edge, nodes, triangles});
  Kokkos::parallel_for("karman::mesh_connectivity::join_edges",
                       Kokkos::RangePolicy<Exec>(space, 0, mesh.triangle_count()),
                       JoinEdges<Exec>{mesh.triangles, first_edge, nodes, triangles, triangle_edges});
  compat::fence(space, "karman::mesh_connectivity::made");
  return {nodes, triangles, triangle_edges};
}

template <ExecutionSpace Exec>
EdgeTable<Exec> mesh_edges(Exec const& space, TriangleMesh<Exec> const& mesh) {
  return mesh_edges(space, mesh, node_neighbors(space, mesh));
}

template <ExecutionSpace Exec>
Graph<Exec> edge_neighbors(Exec const& space, EdgeTable<Exec> const& edges) {
  return detail::make_rows(space, static_cast<int>(edges.triangle_edges.extent(0)),
                           EdgeNeighborRow<Exec>{edges.triangles, edges.triangle_edges}, "edge_neighbors");
}

template <ExecutionSpace Exec>
Graph<Exec> edge_neighbors(Exec const& space, TriangleMesh<Exec> const& mesh) {
  return edge_neighbors(space, mesh_edges(space, mesh));
}

#define KARMAN_INSTANTIATE(Exec)                                                                      \
  template Graph<Exec> triangles_around_nodes(Exec const&, TriangleMesh<Exec> const&);                \
  template Graph<Exec> boundary_edges_around_nodes(Exec const&, TriangleMesh<Exec> const&);           \
  template Graph<Exec> node_neighbors(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&);    \
  template Graph<Exec> node_neighbors(Exec const&, TriangleMesh<Exec> const&);                        \
  template Graph<Exec> element_conflicts(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&); \
  template Graph<Exec> element_conflicts(Exec const&, TriangleMesh<Exec> const&);                     \
  template EdgeTable<Exec> mesh_edges(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&);    \
  template EdgeTable<Exec> mesh_edges(Exec const&, TriangleMesh<Exec> const&);                        \
  template Graph<Exec> edge_neighbors(Exec const&, EdgeTable<Exec> const&);                           \
  template Graph<Exec> edge_neighbors(Exec const&, TriangleMesh<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
