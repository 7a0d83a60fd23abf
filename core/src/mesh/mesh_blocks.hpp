// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that divide a mesh into blocks.
#pragma once

#include "graph_build.hpp"
#include "parallel_coloring.hpp"
#include "sort_row.hpp"
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace karman::detail {

/// Blocks of `size` triangles or nodes in their order; an empty `order` is that of their numbers.
template <class Exec>
struct BlockRuns {
  typename Graph<Exec>::Numbers order;
  int items, size;

  int blocks() const { return items / size + (items % size > 0); }
  KOKKOS_FUNCTION int item(int place) const { return order.extent(0) == 0 ? place : order(place); }
  KOKKOS_FUNCTION int first(int block) const { return block * size; }
  KOKKOS_FUNCTION int last(int block) const { return items - block * size < size ? items : block * size + size; }
};

template <class Exec>
struct NumberBlocks {
  BlockRuns<Exec> runs;
  Numbers<Exec> block;

  KOKKOS_FUNCTION void operator()(int place) const { block(runs.item(place)) = place / runs.size; }
};

/// The blocks of the elements around each node, sorted, each once.
template <class Exec>
struct GatherBlocks {
  Graph<Exec> around;
  Numbers<Exec> block, room, counts;

  KOKKOS_FUNCTION void operator()(int node) const {
    int const first = around.offsets(node), n = around.offsets(node + 1) - first;
    for (int i = 0; i < n; ++i) room(first + i) = block(around.entries(first + i));
    sort_ascending(room.data() + first, n);
    counts(node) = keep_distinct(room.data() + first, n);
  }
};

template <class Exec>
struct CopyBlocks {
  typename Graph<Exec>::Numbers from, to;
  Numbers<Exec> room, entries;

  KOKKOS_FUNCTION void operator()(int node) const {
    for (int i = to(node); i < to(node + 1); ++i) entries(i) = room(from(node) + i - to(node));
  }
};

/// Row n: the blocks of the elements around node n, ascending; block(i) is that of entry i. Waits for `space`.
template <class Exec>
Graph<Exec> blocks_around(Exec const& space, Graph<Exec> const& around, Numbers<Exec> const& block, char const* who) {
  Kokkos::RangePolicy<Exec> const each_node(space, 0, around.rows());
  auto const room = numbers(space, around.entries.extent(0), "karman::mesh_blocks::room");
  auto const offsets = zeros(space, static_cast<std::size_t>(around.rows()) + 1, "karman::mesh_blocks::offsets");
  Kokkos::parallel_for("karman::mesh_blocks::gather", each_node, GatherBlocks<Exec>{around, block, room, offsets});
  int const total = make_offsets(space, offsets, who);
  auto const entries = numbers(space, static_cast<std::size_t>(total), "karman::mesh_blocks::entries");
  Kokkos::parallel_for("karman::mesh_blocks::copy", each_node,
                       CopyBlocks<Exec>{around.offsets, offsets, room, entries});
  compat::fence(space, "karman::mesh_blocks::around");
  return {offsets, entries};
}

/// Puts the nodes that no other block has in front.
template <class Exec>
struct OwnNodesFirst {
  typename Graph<Exec>::Numbers blocks_of_node;  // offsets
  Graph<Exec> sorted;
  Numbers<Exec> nodes, own;

  KOKKOS_FUNCTION void operator()(int block) const {
    int const first = sorted.offsets(block), last = sorted.offsets(block + 1);
    int place = first;
    for (int shared = 0; shared < 2; ++shared) {
      if (shared == 1) own(block) = place - first;
      for (int i = first; i < last; ++i) {
        int const node = sorted.entries(i);
        bool const in_one = blocks_of_node(node + 1) - blocks_of_node(node) == 1;
        if (in_one == (shared == 0)) nodes(place++) = node;
      }
    }
  }
};

/// The nodes that a block shares with others, where blocks conflict.
template <class Exec>
struct SharedNodes {
  Graph<Exec> nodes;
  typename Graph<Exec>::Numbers own;

  KOKKOS_FUNCTION int elements() const { return nodes.rows(); }
  KOKKOS_FUNCTION int count(int block) const { return nodes.offsets(block + 1) - nodes.offsets(block) - own(block); }
  KOKKOS_FUNCTION int node(int block, int k) const { return nodes.entries(nodes.offsets(block) + own(block) + k); }
};

template <class Exec>
using LocalNodes = Kokkos::View<std::uint16_t* [3], Kokkos::LayoutRight, typename Exec::memory_space>;

/// The local numbers of the nodes of the triangle in each place.
template <class Exec>
struct NumberLocally {
  typename TriangleMesh<Exec>::template Table<int, 3> triangles;
  BlockRuns<Exec> runs;
  typename Graph<Exec>::Numbers blocks_of_node;
  Graph<Exec> nodes;
  typename Graph<Exec>::Numbers own;
  LocalNodes<Exec> local;

  KOKKOS_FUNCTION void operator()(int place) const {
    int const block = place / runs.size, triangle = runs.item(place);
    int const first = nodes.offsets(block), n = nodes.offsets(block + 1) - first, mine = own(block);
    for (int k = 0; k < 3; ++k) {
      int const node = triangles(triangle, k);
      bool const in_one = blocks_of_node(node + 1) - blocks_of_node(node) == 1;
      int const number = in_one ? lower_place(nodes.entries.data() + first, mine, node)
                                : mine + lower_place(nodes.entries.data() + first + mine, n - mine, node);
      local(place, k) = static_cast<std::uint16_t>(number);
    }
  }
};

/// Each triangle of a block in turn takes the lowest free colour at its nodes. Further passes over the colours, the
/// second half first, give their triangles the lowest free colour again (recolor()). They end when the number of
/// colours equals the largest number of triangles around a node.
template <class Exec>
struct ColorInside {
  BlockRuns<Exec> runs;
  typename Graph<Exec>::Numbers node_offsets;
  LocalNodes<Exec> local;
  Words<Exec> taken;
  Numbers<Exec> color, row_length;
  int passes;

  KOKKOS_FUNCTION void clear(int block) const {
    for (int n = node_offsets(block); n < node_offsets(block + 1); ++n) taken(n) = 0;
  }

  /// Takes the lowest free colour of 64; returns 64 when there is none.
  KOKKOS_FUNCTION int take(int nodes, int place) const {
    std::uint64_t used = 0;
    for (int k = 0; k < 3; ++k) used |= taken(nodes + local(place, k));
    if (~used == 0) return 64;
    int const bit = lowest_bit(~used);
    for (int k = 0; k < 3; ++k) taken(nodes + local(place, k)) |= std::uint64_t(1) << bit;
    return bit;
  }

  /// Any number of colours, 64 at a time.
  KOKKOS_FUNCTION int color_in_turn(int block) const {
    int const nodes = node_offsets(block), first = runs.first(block), last = runs.last(block);
    int colors = 0;
    for (int place = first; place < last; ++place) color(place) = uncolored;
    for (int first_color = 0, left = last - first; left > 0; first_color += 64) {
      clear(block);
      for (int place = first; place < last; ++place) {
        if (color(place) != uncolored) continue;
        int const bit = take(nodes, place);
        if (bit == 64) continue;
        color(place) = first_color + bit;
        if (first_color + bit >= colors) colors = first_color + bit + 1;
        --left;
      }
    }
    return colors;
  }

  /// Lower bound of the number of colours: the largest number of triangles at a node.
  KOKKOS_FUNCTION int bound(int block) const {
    int most = 0;
    for (int n = node_offsets(block); n < node_offsets(block + 1); ++n) {
      int count = 0;
      for (std::uint64_t left = taken(n); left != 0; left &= left - 1) ++count;
      if (count > most) most = count;
    }
    return most;
  }

  KOKKOS_FUNCTION int recolor_block(int block, int colors) const {
    int const nodes = node_offsets(block), first = runs.first(block), last = runs.last(block);
    int fewer = 0;
    clear(block);
    for (int c = 0; c < colors; ++c) {
      int const from = (c + colors / 2) % colors;
      for (int place = first; place < last; ++place) {
        if (color(place) != from) continue;
        int const bit = take(nodes, place);
        if (bit >= fewer) fewer = bit + 1;
        color(place) = 64 + bit;  // offset, to distinguish it from an old colour
      }
    }
    for (int place = first; place < last; ++place) color(place) -= 64;
    return fewer;
  }

  KOKKOS_FUNCTION void operator()(int block) const {
    int colors = color_in_turn(block);
    if (colors <= 64) {
      int const enough = bound(block);
      for (int pass = 0; pass < passes && colors > enough; ++pass) colors = recolor_block(block, colors);
    }
    row_length(block) = colors + 1;
  }
};

/// Sorts the triangles of a block by their colour.
template <class Exec>
struct SortInside {
  BlockRuns<Exec> runs;
  Numbers<Exec> color;
  LocalNodes<Exec> local;
  Graph<Exec> inner;  // offsets only
  Numbers<Exec> begins, triangles;
  LocalNodes<Exec> local_sorted;

  KOKKOS_FUNCTION void operator()(int block) const {
    int const first = runs.first(block), last = runs.last(block);
    int* const begin = begins.data() + inner.offsets(block);
    int const colors = inner.offsets(block + 1) - inner.offsets(block) - 1;
    for (int c = 0; c <= colors; ++c) begin[c] = 0;
    for (int place = first; place < last; ++place) ++begin[color(place) + 1];
    begin[0] = first;
    for (int c = 1; c <= colors; ++c) begin[c] += begin[c - 1];
    for (int place = first; place < last; ++place) {
      int const to = begin[color(place)]++;
      triangles(to) = runs.item(place);
      for (int k = 0; k < 3; ++k) local_sorted(to, k) = local(place, k);
    }
    // every begin has advanced to the next one
    for (int c = colors; c > 0; --c) begin[c] = begin[c - 1];
    begin[0] = first;
  }
};

template <class Exec>
struct BlockOffsets {
  BlockRuns<Exec> runs;
  Numbers<Exec> offsets;
  int blocks;

  KOKKOS_FUNCTION void operator()(int block) const {
    offsets(block) = block == blocks ? runs.items : runs.first(block);
  }
};

}  // namespace karman::detail
