// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/box_halo.hpp>

#include <algorithm>

namespace karman {

std::vector<BlockNeighbor> halo_neighbors(BoxDecomposition const& decomposition, int rank,
                                          std::array<bool, 3> const& periodic,
                                          std::function<std::vector<StridedBlock>(BoxFace const&)> const& cells) {
  std::vector<BlockNeighbor> neighbors;
  auto const entry = [&](int other) -> BlockNeighbor& {
    auto const found = std::find_if(neighbors.begin(), neighbors.end(), [&](auto const& n) { return n.rank == other; });
    if (found != neighbors.end()) return *found;
    return neighbors.emplace_back(BlockNeighbor{other, {}, {}});
  };
  Box const box = decomposition.box(rank);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (box.begin[axis] == box.end[axis]) return {};
  }
  // The order is that of the directions in which values travel, the same in both processes: two processes may share
  // two faces, across a periodic seam.
  for (int axis = 0; axis < 3; ++axis) {
    for (int const travel : {+1, -1}) {
      int const to = decomposition.neighbor(rank, axis, travel, periodic[static_cast<std::size_t>(axis)]);
      int const from = decomposition.neighbor(rank, axis, -travel, periodic[static_cast<std::size_t>(axis)]);
      auto const add = [&](std::vector<StridedBlock>& all, BoxFace const& face) {
        auto const blocks = cells(face);
        all.insert(all.end(), blocks.begin(), blocks.end());
      };
      if (to >= 0 && to != rank) add(entry(to).send, {axis, travel, false});
      if (from >= 0 && from != rank) add(entry(from).receive, {axis, -travel, true});
    }
  }
  return neighbors;
}

std::vector<BlockNeighbor> halo_neighbors(BoxDecomposition const& decomposition, int rank,
                                          std::array<bool, 3> const& periodic, BoxLayout const& layout) {
  Box const box = decomposition.box(rank);
  return halo_neighbors(decomposition, rank, periodic, [&](BoxFace const& face) -> std::vector<StridedBlock> {
    StridedBlock block;
    std::size_t const normal = static_cast<std::size_t>(face.axis);
    std::int64_t const last = face.step > 0 ? box.end[normal] - box.begin[normal] - 1 : 0;
    block.first = layout.first + (last + (face.beyond ? face.step : 0)) * layout.strides[normal];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      block.extents[2 - axis] = axis == normal ? 1 : box.end[axis] - box.begin[axis];
      block.strides[2 - axis] = layout.strides[axis];
    }
    return {block};
  });
}

}  // namespace karman
