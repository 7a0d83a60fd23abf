// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coloring_passes.hpp"
#include "curve_order.hpp"
#include "graph_build.hpp"
#include "mesh_blocks.hpp"
#include "parallel_coloring.hpp"
#include "stable_group.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/mesh/blocked_coloring.hpp>
#include <karman/mesh/mesh_connectivity.hpp>

#include <cstddef>
#include <string>

namespace karman {

namespace {

template <class Exec>
using Range = Kokkos::RangePolicy<Exec>;

/// Passes over the colours inside a block. One thread makes them, and the first few save most.
constexpr int passes_inside = 8;

/// Row n: the blocks around node n.
template <class Exec>
Graph<Exec> blocks_around_nodes(Exec const& space, TriangleMesh<Exec> const& mesh,
                                detail::BlockRuns<Exec> const& runs) {
  auto const block = detail::numbers(space, mesh.triangles.extent(0), "karman::blocked_coloring::block");
  Kokkos::parallel_for("karman::blocked_coloring::number", Range<Exec>(space, 0, mesh.triangle_count()),
                       detail::NumberBlocks<Exec>{runs, block});
  return detail::blocks_around(space, triangles_around_nodes(space, mesh), block, "color_blocks");
}

/// The nodes of each block, first those in no other block.
template <class Exec>
void list_nodes(Exec const& space, Graph<Exec> const& blocks_of_node, int blocks, BlockedColoring<Exec>& result) {
  auto const sorted =
      detail::elements_around(space, detail::GraphIncidence<Exec>{blocks_of_node}, blocks, "color_blocks");
  auto const nodes = detail::numbers(space, sorted.entries.extent(0), "karman::blocked_coloring::nodes");
  auto const own = detail::numbers(space, static_cast<std::size_t>(blocks), "karman::blocked_coloring::own_nodes");
  Kokkos::parallel_for("karman::blocked_coloring::own_nodes_first", Range<Exec>(space, 0, blocks),
                       detail::OwnNodesFirst<Exec>{blocks_of_node.offsets, sorted, nodes, own});
  compat::fence(space, "karman::blocked_coloring::nodes");
  result.nodes = {sorted.offsets, nodes};
  result.own_nodes = own;
  result.most_nodes = detail::longest_row(space, result.nodes);
}

/// Colours inside the blocks, and the triangles in their order.
template <class Exec>
void color_inside(Exec const& space, TriangleMesh<Exec> const& mesh, detail::BlockRuns<Exec> const& runs,
                  Graph<Exec> const& blocks_of_node, int blocks, BlockedColoring<Exec>& result) {
  Range<Exec> const each_block(space, 0, blocks), each_triangle(space, 0, mesh.triangle_count());
  auto const n = mesh.triangles.extent(0);
  auto const local_nodes = [&] {
    return detail::LocalNodes<Exec>(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::blocked_coloring::local_nodes")),
        n);
  };
  auto const local = local_nodes(), local_sorted = local_nodes();
  auto const color = detail::numbers(space, n, "karman::blocked_coloring::inner_color");
  auto const triangles = detail::numbers(space, n, "karman::blocked_coloring::triangles");
  auto const offsets =
      detail::numbers(space, static_cast<std::size_t>(blocks) + 1, "karman::blocked_coloring::offsets");
  auto const inner = detail::zeros(space, static_cast<std::size_t>(blocks) + 1, "karman::blocked_coloring::offsets");
  detail::Words<Exec> const taken(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::blocked_coloring::taken")),
      result.nodes.entries.extent(0));
  Kokkos::parallel_for(
      "karman::blocked_coloring::number_locally", each_triangle,
      detail::NumberLocally<Exec>{mesh.triangles, runs, blocks_of_node.offsets, result.nodes, result.own_nodes, local});
  Kokkos::parallel_for(
      "karman::blocked_coloring::color_inside", each_block,
      detail::ColorInside<Exec>{runs, result.nodes.offsets, local, taken, color, inner, passes_inside});
  int const total = detail::make_offsets(space, inner, "color_blocks");
  auto const begins = detail::numbers(space, static_cast<std::size_t>(total), "karman::blocked_coloring::inner_colors");
  result.inner_colors = {inner, begins};
  Kokkos::parallel_for(
      "karman::blocked_coloring::sort_inside", each_block,
      detail::SortInside<Exec>{runs, color, local, result.inner_colors, begins, triangles, local_sorted});
  Kokkos::parallel_for("karman::blocked_coloring::offsets", Range<Exec>(space, 0, blocks + 1),
                       detail::BlockOffsets<Exec>{runs, offsets, blocks});
  compat::fence(space, "karman::blocked_coloring::inside");
  result.triangles = {offsets, triangles};
  result.local_nodes = local_sorted;
  result.most_triangles = detail::longest_row(space, result.triangles);
  result.most_inner_colors = blocks == 0 ? 0 : detail::longest_row(space, result.inner_colors) - 1;
}

}  // namespace

template <ExecutionSpace Exec>
BlockedColoring<Exec> color_blocks(Exec const& space, TriangleMesh<Exec> const& mesh,
                                   BlockedColoringOptions const& options) {
  require(options.triangles_a_block >= 1 && options.triangles_a_block <= 20000,
          "color_blocks: a block must have 1 to 20,000 triangles");
  detail::BlockRuns<Exec> runs{typename Graph<Exec>::Numbers(), mesh.triangle_count(), options.triangles_a_block};
  int const blocks = runs.blocks();
  if (options.order == BlockOrder::hilbert) runs.order = detail::triangles_along_curve(space, mesh);

  BlockedColoring<Exec> result;
  auto const blocks_of_node = blocks_around_nodes(space, mesh, runs);
  list_nodes(space, blocks_of_node, blocks, result);
  color_inside(space, mesh, runs, blocks_of_node, blocks, result);

  detail::SharedNodes<Exec> const shared{result.nodes, result.own_nodes};
  auto color = detail::numbers(space, static_cast<std::size_t>(blocks), "karman::blocked_coloring::color");
  result.blocks.lower_bound = detail::longest_row(space, blocks_of_node);
  result.blocks.colors = detail::color_in_parallel(space, shared, mesh.node_count(), color);
  result.blocks.colors = detail::recolor(space, shared, mesh.node_count(), color, result.blocks.colors,
                                         result.blocks.lower_bound, ColoringOptions{}.passes);
  result.blocks.color = color;
  result.blocks.classes = detail::stable_group(space, blocks, result.blocks.colors, detail::OwnNumber<Exec>{color});
  return result;
}

#define KARMAN_INSTANTIATE(Exec) \
  template BlockedColoring<Exec> color_blocks(Exec const&, TriangleMesh<Exec> const&, BlockedColoringOptions const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
