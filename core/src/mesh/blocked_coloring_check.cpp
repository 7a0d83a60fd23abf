// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "array_index.hpp"
#include "coloring_check.hpp"
#include "mesh_blocks.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/mesh/blocked_coloring.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace karman {

namespace {

using detail::at;

/// A BlockedColoring on the host, one thread, plain searches.
struct HostBlocks {
  int nodes_of_mesh = 0;
  std::vector<std::array<int, 3>> corners;  // of the triangles of the mesh
  std::vector<int> triangle_offsets, triangles, inner_offsets, inner, node_offsets, nodes, own;
  std::vector<std::array<std::uint16_t, 3>> local;

  std::size_t blocks() const { return own.size(); }
  bool complete() const;
  bool nodes_in_order(std::size_t block) const;
  bool block_is_valid(std::size_t block, std::vector<int>& color_at) const;
  bool nodes_are_those_of_triangles() const;
};

/// True for offsets that begin with 0, ascend, and end with `entries`.
bool are_offsets(std::vector<int> const& offsets, std::size_t rows, std::size_t entries) {
  if (offsets.size() != rows + 1 || offsets.front() != 0 || at(offsets.back()) != entries) return false;
  for (std::size_t r = 0; r < rows; ++r) {
    if (offsets[r] > offsets[r + 1]) return false;
  }
  return true;
}

bool ascend(std::vector<int> const& values, int first, int last) {
  for (int i = first + 1; i < last; ++i) {
    if (values[at(i - 1)] >= values[at(i)]) return false;
  }
  return true;
}

/// True if every triangle of the mesh is in exactly one place.
bool HostBlocks::complete() const {
  std::size_t const count = corners.size();
  if (triangles.size() != count || local.size() != count) return false;
  std::vector<char> seen(count, 0);
  for (int const t : triangles) {
    if (t < 0 || at(t) >= count || seen[at(t)]++) return false;
  }
  return true;
}

bool HostBlocks::nodes_in_order(std::size_t block) const {
  int const first = node_offsets[block], last = node_offsets[block + 1], middle = first + own[block];
  if (own[block] < 0 || middle > last) return false;
  for (int i = first; i < last; ++i) {
    if (nodes[at(i)] < 0 || nodes[at(i)] >= nodes_of_mesh) return false;
  }
  return ascend(nodes, first, middle) && ascend(nodes, middle, last);
}

/// True if the colours cover the block and local numbers lead to the right nodes. Also, no colour may meet a node
/// twice, and every node of the list must be met. color_at(place in `nodes`) is the last colour there, -1 before.
bool HostBlocks::block_is_valid(std::size_t block, std::vector<int>& color_at) const {
  int const first_row = inner_offsets[block], colors = inner_offsets[block + 1] - first_row - 1;
  int const first_node = node_offsets[block], count = node_offsets[block + 1] - first_node;
  if (colors < 1 || inner[at(first_row)] != triangle_offsets[block] ||
      inner[at(first_row + colors)] != triangle_offsets[block + 1]) {
    return false;
  }
  for (int c = 0; c < colors; ++c) {
    int const first = inner[at(first_row + c)], last = inner[at(first_row + c + 1)];
    if (first >= last) return false;
    for (int i = first; i < last; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        int const number = local[at(i)][k];
        if (number >= count || nodes[at(first_node + number)] != corners[at(triangles[at(i)])][k]) return false;
        int& last_color = color_at[at(first_node + number)];
        if (last_color == c) return false;
        last_color = c;
      }
    }
  }
  for (int n = first_node; n < first_node + count; ++n) {
    if (color_at[at(n)] < 0) return false;
  }
  return true;
}

/// A node belongs to a block alone when no other block lists it.
bool HostBlocks::nodes_are_those_of_triangles() const {
  std::vector<int> lists(at(nodes_of_mesh), 0);
  for (int const node : nodes) ++lists[at(node)];
  for (std::size_t b = 0; b < blocks(); ++b) {
    for (int i = node_offsets[b]; i < node_offsets[b + 1]; ++i) {
      if ((lists[at(nodes[at(i)])] == 1) != (i < node_offsets[b] + own[b])) return false;
    }
  }
  return true;
}

int longest(std::vector<int> const& offsets) {
  int most = 0;
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    most = offsets[r + 1] - offsets[r] > most ? offsets[r + 1] - offsets[r] : most;
  }
  return most;
}

}  // namespace

template <ExecutionSpace Exec>
bool is_valid(Exec const& space, TriangleMesh<Exec> const& mesh, BlockedColoring<Exec> const& coloring) {
  HostBlocks const host{mesh.node_count(),
                        host_copy<std::array<int, 3>>(space, mesh.triangles),
                        host_copy(space, coloring.triangles.offsets),
                        host_copy(space, coloring.triangles.entries),
                        host_copy(space, coloring.inner_colors.offsets),
                        host_copy(space, coloring.inner_colors.entries),
                        host_copy(space, coloring.nodes.offsets),
                        host_copy(space, coloring.nodes.entries),
                        host_copy(space, coloring.own_nodes),
                        host_copy<std::array<std::uint16_t, 3>>(space, coloring.local_nodes)};
  std::size_t const blocks = host.blocks();
  if (!are_offsets(host.triangle_offsets, blocks, host.triangles.size()) ||
      !are_offsets(host.inner_offsets, blocks, host.inner.size()) ||
      !are_offsets(host.node_offsets, blocks, host.nodes.size()) || !host.complete()) {
    return false;
  }
  std::vector<int> color_at(host.nodes.size(), -1);
  for (std::size_t b = 0; b < blocks; ++b) {
    if (!host.nodes_in_order(b) || !host.block_is_valid(b, color_at)) return false;
  }
  return host.nodes_are_those_of_triangles() && coloring.most_triangles == longest(host.triangle_offsets) &&
         coloring.most_nodes == longest(host.node_offsets) &&
         coloring.most_inner_colors == longest(host.inner_offsets) - (blocks > 0) &&
         detail::is_valid_coloring(space, detail::GraphIncidence<Exec>{coloring.nodes}, mesh.node_count(),
                                   coloring.blocks);
}

#define KARMAN_INSTANTIATE(Exec) \
  template bool is_valid(Exec const&, TriangleMesh<Exec> const&, BlockedColoring<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
