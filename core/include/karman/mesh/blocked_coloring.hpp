// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A mesh in blocks that fit team scratch, with colours for the blocks and for the triangles inside each.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/coloring.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman {

/// A mesh in blocks of triangles whose nodes fit team scratch. Blocks of one colour share no node, and within a block
/// triangles of one colour share no node. Local numbers: place n in row b of `nodes` is local node n of block b.
template <ExecutionSpace Exec>
struct BlockedColoring {
  using Numbers = typename Graph<Exec>::Numbers;
  using LocalNodes = Kokkos::View<std::uint16_t const* [3], Kokkos::LayoutRight, typename Exec::memory_space>;

  /// Row b: the triangles of block b, by colour inside the block, those of one colour in the order of the blocks.
  Graph<Exec> triangles;
  /// Of triangles.entries(i): the local numbers of its nodes, in the triangle's own order.
  LocalNodes local_nodes = LocalNodes();
  /// Row b: where each colour inside block b begins among triangles.entries, then where the block ends. A block has
  /// one colour less than its row is long.
  Graph<Exec> inner_colors;
  /// Row b: the nodes of block b: first those that no other block has, ascending, then the others, ascending.
  Graph<Exec> nodes;
  /// How many nodes no other block has, of each block.
  Numbers own_nodes = Numbers();

  /// Colours of the blocks: color(b), and the blocks of each colour; lower_bound is the most blocks around a node.
  Coloring<Exec> blocks;

  int most_triangles = 0;     ///< of a block
  int most_nodes = 0;         ///< of a block
  int most_inner_colors = 0;  ///< of a block

  int count() const { return triangles.rows(); }
};

/// Which triangles make a block: consecutive ones in this order.
enum class BlockOrder {
  hilbert,  ///< along the Hilbert curve of their centroids: compact blocks whatever the numbering of the mesh
  given  ///< by their number, for a mesh with a compact one: blocks of far-off triangles conflict with very many others
};

struct BlockedColoringOptions {
  int triangles_a_block = 256;  ///< 1 ... 20,000; the last block may have fewer
  BlockOrder order = BlockOrder::hilbert;
};

/// Cuts a mesh that check_mesh() finds right into blocks, and colours them and their triangles. All of it runs on
/// `space`, reproducibly; waits for it. A block of b triangles along the curve has some b / 2 + 2.5 sqrt(b) nodes.
/// The blocks take their colours by Jones and Plassmann's method (color_elements), the triangles of a block one
/// after the other in the order of the blocks, by one thread, and up to 8 passes save colours. The curve has 65,536
/// places along either side of the mesh. Cost: some 600 bytes a triangle. Throws std::invalid_argument for
/// triangles_a_block out of range.
template <ExecutionSpace Exec>
BlockedColoring<Exec> color_blocks(Exec const& space, TriangleMesh<Exec> const& mesh,
                                   BlockedColoringOptions const& options = {});

/// True when everything that BlockedColoring says of its members holds for this mesh. One thread of the host;
/// waits for `space`.
template <ExecutionSpace Exec>
bool is_valid(Exec const& space, TriangleMesh<Exec> const& mesh, BlockedColoring<Exec> const& coloring);

#define KARMAN_EXTERN(Exec)                                                                  \
  extern template BlockedColoring<Exec> color_blocks(Exec const&, TriangleMesh<Exec> const&, \
                                                     BlockedColoringOptions const&);         \
  extern template bool is_valid(Exec const&, TriangleMesh<Exec> const&, BlockedColoring<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
