// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fem_setup.hpp"
#include "mesh/graph_build.hpp"
#include "mesh/mesh_blocks.hpp"
#include "mesh/sort_row.hpp"
#include "mesh/stable_group.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/solvers/detail/fem_row_blocks.hpp>

#include <cstddef>
#include <string>

namespace karman::detail {

namespace {

template <class Exec>
using Range = Kokkos::RangePolicy<Exec>;

/// Places of the rows.
template <class Exec>
struct RowPlaces {
  BlockRuns<Exec> runs;     ///< the nodes of a block ascending
  Numbers<Exec> place;      ///< of each node
  Numbers<Exec> block;      ///< of each node
  Numbers<Exec> row_begin;  ///< see FemRowBlocks
};

/// Groups nodes that follow each other in the order of `runs` into blocks.
template <class Exec>
RowPlaces<Exec> place_rows(Exec const& space, Graph<Exec> const& graph, BlockRuns<Exec> runs) {
  auto const n = static_cast<std::size_t>(runs.items);
  auto const block = numbers(space, n, "karman::fem::row_block_of");
  auto const place = numbers(space, n, "karman::fem::row_places");
  auto const begin = zeros(space, n + 1, "karman::fem::row_begin");
  Kokkos::parallel_for("karman::fem::row_block_of", Range<Exec>(space, 0, runs.items), NumberBlocks<Exec>{runs, block});
  runs.order = stable_group(space, runs.items, runs.blocks(), OwnNumber<Exec>{block}).entries;
  Kokkos::parallel_for(
      "karman::fem::row_places", Range<Exec>(space, 0, runs.items), KOKKOS_LAMBDA(int p) {
        int const i = runs.item(p);
        place(i) = p;
        begin(p) = graph.offsets(i + 1) - graph.offsets(i);
      });
  make_offsets(space, begin, "FemAssembly");
  return {runs, place, block, begin};
}

template <class Exec>
int most_entries(Exec const& space, RowPlaces<Exec> const& places) {
  int most = 0;
  Kokkos::parallel_reduce(
      "karman::fem::row_block_entries", Range<Exec>(space, 0, places.runs.blocks()),
      KOKKOS_LAMBDA(int b, int& largest) {
        int const entries = places.row_begin(places.runs.last(b)) - places.row_begin(places.runs.first(b));
        if (entries > largest) largest = entries;
      },
      Kokkos::Max<int>(most));
  return most;
}

/// The nodes of each block, the owned ones first.
template <class Exec>
struct OwnRowsFirst {
  Graph<Exec> sorted;
  Numbers<Exec> block_of, nodes;

  KOKKOS_FUNCTION void operator()(int block) const {
    int to = sorted.offsets(block);
    for (bool const own : {true, false}) {
      for (int n = sorted.offsets(block); n < sorted.offsets(block + 1); ++n) {
        int const node = sorted.entries(n);
        if ((block_of(node) == block) == own) nodes(to++) = node;
      }
    }
  }
};

template <class Exec>
Graph<Exec> nodes_of_blocks(Exec const& space, Graph<Exec> const& graph, RowPlaces<Exec> const& places) {
  int const blocks = places.runs.blocks();
  // A node belongs to the blocks of its neighbours and to its own.
  auto const around = blocks_around(space, graph, places.block, "FemAssembly");
  auto const sorted = elements_around(space, GraphIncidence<Exec>{around}, blocks, "FemAssembly");
  auto const nodes = numbers(space, sorted.entries.extent(0), "karman::fem::row_block_nodes");
  Kokkos::parallel_for("karman::fem::own_rows_first", Range<Exec>(space, 0, blocks),
                       OwnRowsFirst<Exec>{sorted, places.block, nodes});
  return {sorted.offsets, nodes};
}

/// The blocks that a triangle touches, each once.
template <class Exec>
struct BlocksOfTriangle {
  typename TriangleMesh<Exec>::template Table<int, 3> triangles;
  Numbers<Exec> block_of;

  KOKKOS_FUNCTION int elements() const { return static_cast<int>(triangles.extent(0)); }
  KOKKOS_FUNCTION int count(int t) const {
    int const a = corner(t, 0), b = corner(t, 1), c = corner(t, 2);
    return 1 + (b != a ? 1 : 0) + (c != a && c != b ? 1 : 0);
  }
  KOKKOS_FUNCTION int node(int t, int k) const {
    int const a = corner(t, 0), b = corner(t, 1);
    if (k == 0) return a;
    return k == 1 && b != a ? b : corner(t, 2);
  }

 private:
  KOKKOS_FUNCTION int corner(int t, int m) const { return block_of(triangles(t, m)); }
};

/// Local nodes and places of the entries of every triangle of every block.
template <class Exec>
void place_triangles(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& graph,
                     RowPlaces<Exec> const& places, FemRowBlocks<Exec> const& to) {
  auto const numbers = to.triangles.entries, offsets = to.triangles.offsets;
  auto const nodes = to.nodes;
  auto const triangles = mesh.triangles;
  auto const local_nodes = to.local_nodes;
  auto const entries = to.entries;
  int const blocks = places.runs.blocks();
  Kokkos::parallel_for(
      "karman::fem::row_block_triangles", Range<Exec>(space, 0, numbers.extent(0)), KOKKOS_LAMBDA(int n) {
        int const block = lower_place(offsets.data(), blocks, n + 1) - 1;
        int const t = numbers(n), first = places.runs.first(block), last = places.runs.last(block);
        int const* const others = nodes.entries.data() + nodes.offsets(block) + (last - first);
        int const other_nodes = nodes.offsets(block + 1) - nodes.offsets(block) - (last - first);
        int const own_entries = places.row_begin(last) - places.row_begin(first);
        for (int i = 0; i < 3; ++i) {
          int const node = triangles(t, i);
          bool const own = places.block(node) == block;
          int const local = own ? places.place(node) - first : last - first + lower_place(others, other_nodes, node);
          local_nodes(n, i) = static_cast<std::uint16_t>(local);
          int const row = graph.offsets(node), length = graph.offsets(node + 1) - row;
          for (int j = 0; j < 3; ++j) {
            int const column = lower_place(graph.entries.data() + row, length, triangles(t, j));
            int const entry =
                own ? places.row_begin(first + local) - places.row_begin(first) + column : own_entries + 3 * i + j;
            entries(n, 3 * i + j) = static_cast<std::uint16_t>(entry);
          }
        }
      });
}

template <int columns, class Exec>
ShortTable<Exec, columns> short_table(Exec const& space, std::size_t places, char const* label) {
  return {fem_array<Exec, std::uint16_t>(space, columns * places, label), places};
}

}  // namespace

template <class Exec>
FemRowBlocks<Exec> make_row_blocks(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& graph,
                                   typename Graph<Exec>::Numbers const& order, FemAssemblySetup const& setup) {
  int const rows = graph.rows();
  FemRowBlocks<Exec> blocks;
  if (rows == 0) return blocks;
  // Places within a block have 16 bits, which long rows may exceed.
  constexpr int most_places = 65536 - FemRowBlocks<Exec>::spare;
  BlockRuns<Exec> runs{order, rows,
                       setup.block_rows > 0 ? setup.block_rows : row_block_shape<Exec>(setup.value_bytes).rows};
  auto places = place_rows(space, graph, runs);
  while ((blocks.most_entries = most_entries(space, places)) > most_places && runs.size > 1) {
    runs.size /= 2;
    places = place_rows(space, graph, runs);
  }
  require(blocks.most_entries <= most_places, "FemAssembly: row_blocks: a node has " +
                                                  std::to_string(blocks.most_entries - 1) + " neighbours; at most " +
                                                  std::to_string(most_places - 1) + " are allowed");
  blocks.rows_each = runs.size;
  blocks.along_curve = order.data() != nullptr;
  blocks.row_begin = places.row_begin;
  blocks.nodes = nodes_of_blocks(space, graph, places);
  blocks.triangles =
      elements_around(space, BlocksOfTriangle<Exec>{mesh.triangles, places.block}, runs.blocks(), "FemAssembly");
  blocks.most_nodes = longest_row(space, blocks.nodes);
  auto const visits = blocks.triangles.entries.extent(0);
  blocks.local_nodes = short_table<3>(space, visits, "karman::fem::row_block_local_nodes");
  blocks.entries = short_table<9>(space, visits, "karman::fem::row_block_entries");
  place_triangles(space, mesh, graph, places, blocks);
  compat::fence(space, "karman::fem::row_blocks");
  if (!setup.triangle_numbers) blocks.triangles.entries = typename Graph<Exec>::Numbers();
  return blocks;
}

#define KARMAN_INSTANTIATE(Exec)                                                                          \
  template FemRowBlocks<Exec> make_row_blocks(Exec const&, TriangleMesh<Exec> const&, Graph<Exec> const&, \
                                              typename Graph<Exec>::Numbers const&, FemAssemblySetup const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
