// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Mesh in blocks that fit team scratch, with colours for the blocks and for the triangles inside each.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/coloring.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman {

/// Mesh in blocks of triangles whose nodes fit team scratch. Blocks of one colour share no node. Triangles of one
/// colour within a block share no node. Local numbers: place n in row b of `nodes` is local node n of block b.
template <ExecutionSpace Exec>
struct BlockedColoring {
  /// View of whole numbers.
  using Numbers = typename Graph<Exec>::Numbers;
  /// View of local node numbers.
  using LocalNodes = Kokkos::View<std::uint16_t const* [3], Kokkos::LayoutRight, typename Exec::memory_space>;

  /// Row b: triangles of block b, by colour inside the block; within one colour in the order of the blocks.
  Graph<Exec> triangles;
  /// Local node numbers of triangles.entries(i), in the order of the triangle.
  LocalNodes local_nodes = LocalNodes();
  /// Row b: first place of each inner colour of block b in triangles.entries, then the end of the block. A block has
  /// one colour less than the length of its row.
  Graph<Exec> inner_colors;
  /// Row b: nodes of block b. Nodes of this block alone come first, ascending; then the shared ones, ascending.
  Graph<Exec> nodes;
  /// Number of nodes that belong to one block alone, per block.
  Numbers own_nodes = Numbers();

  /// Colours of the blocks: color(b), and the blocks of each colour. lower_bound is the most blocks around a node.
  Coloring<Exec> blocks;

  int most_triangles = 0;     ///< greatest number of triangles in a block
  int most_nodes = 0;         ///< greatest number of nodes in a block
  int most_inner_colors = 0;  ///< greatest number of colours in a block

  /// Number of blocks.
  int count() const { return triangles.rows(); }
};

/// Order of the triangles; blocks are runs of consecutive ones.
enum class BlockOrder {
  hilbert,  ///< along the Hilbert curve of the centroids: compact blocks for any numbering of the mesh
  given     ///< by number, for a mesh with a compact numbering: blocks of distant triangles have very many conflicts
};

/// Options of color_blocks().
struct BlockedColoringOptions {
  int triangles_a_block = 256;             ///< 1 ... 20,000; the last block may have fewer
  BlockOrder order = BlockOrder::hilbert;  ///< order of the triangles
};

/// Cuts a mesh into blocks, and colours the blocks and their triangles.
///
/// Blocks take their colours as triangles do in the parallel method of color_elements(). One thread colours the
/// triangles of a block in their order; up to 8 passes then save colours. The Hilbert curve has 65,536 places along
/// each side of the mesh.
/// \param space instance of the kernels
/// \param mesh mesh without faults (check_mesh())
/// \param options size and order of the blocks
/// \return the blocks; one of b triangles along the curve has about b / 2 + 2.5 sqrt(b) nodes
/// \par Cost
/// About 600 bytes per triangle.
/// \par Synchrony
/// Fences `space`.
/// \par Reproducibility
/// The same bits from run to run, for any number of threads and on every backend.
/// \throws std::invalid_argument for triangles_a_block out of range
template <ExecutionSpace Exec>
BlockedColoring<Exec> color_blocks(Exec const& space, TriangleMesh<Exec> const& mesh,
                                   BlockedColoringOptions const& options = {});

/// True when all members of a BlockedColoring have their documented content for this mesh. Runs on one thread of the
/// host; fences `space`.
template <ExecutionSpace Exec>
bool is_valid(Exec const& space, TriangleMesh<Exec> const& mesh, BlockedColoring<Exec> const& coloring);

#define KARMAN_EXTERN(Exec)                                                                  \
  extern template BlockedColoring<Exec> color_blocks(Exec const&, TriangleMesh<Exec> const&, \
                                                     BlockedColoringOptions const&);         \
  extern template bool is_valid(Exec const&, TriangleMesh<Exec> const&, BlockedColoring<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
