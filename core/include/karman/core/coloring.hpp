// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Colours for the triangles of a mesh: those of one colour share no node, and may add to the nodes at the same time.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/graph.hpp>
#include <karman/core/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman {

/// Colours 0 ... colors - 1.
template <ExecutionSpace Exec>
struct Coloring {
  int colors = 0;
  Kokkos::View<int const*, typename Exec::memory_space> color;  ///< of each triangle
  Graph<Exec> classes;                                          ///< row c: the triangles of colour c, ascending
  int lower_bound = 0;  ///< the most triangles around a node: no colouring has fewer colours
};

/// A mesh in blocks of triangles whose nodes fit team scratch. Blocks of one colour share no node, and within a block
/// triangles of one colour share no node. Local numbers: place n in row b of `nodes` is local node n of block b.
template <ExecutionSpace Exec>
struct BlockedColoring {
  /// Row b: the triangles of block b, by colour inside the block, those of one colour ascending.
  Graph<Exec> triangles;
  /// Of triangles.entries(i): the local numbers of its nodes, in the triangle's own order.
  Kokkos::View<std::uint16_t const* [3], Kokkos::LayoutRight, typename Exec::memory_space> local_nodes;
  /// Row b: where each colour inside block b begins among triangles.entries, then where the block ends. A block has
  /// one colour less than its row is long.
  Graph<Exec> inner_colors;
  /// Row b: the nodes of block b: first those that no other block has, ascending, then the others, ascending.
  Graph<Exec> nodes;
  /// How many nodes no other block has, of each block.
  Kokkos::View<int const*, typename Exec::memory_space> own_nodes;

  /// Colours of the blocks: color(b), and the blocks of each colour; lower_bound is the most blocks around a node.
  Coloring<Exec> blocks;

  int most_triangles = 0;     ///< of a block
  int most_nodes = 0;         ///< of a block
  int most_inner_colors = 0;  ///< of a block

  int count() const { return triangles.rows(); }
};

}  // namespace karman
