// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "boxes.hpp"

#include "grid/sor/sor_halo.hpp"

#include <utility>

namespace karman::detail {

namespace {

/// Inner edges of ranges: the first one is 0, the last one the number of cells.
template <class Holds>
bool all_inner(std::vector<int> const& edges, Holds const& holds) {
  for (int const edge : edges) {
    if (edge > 0 && edge < edges.back() && !holds(edge)) return false;
  }
  return true;
}

std::vector<int> edges_of(BoxDecomposition const& boxes, std::size_t axis) {
  auto const parts = boxes.parts();
  int const stride = axis == 0 ? 1 : axis == 1 ? parts[0] : parts[0] * parts[1];
  std::vector<int> edges;
  for (int part = 0; part < parts[axis]; ++part) edges.push_back(boxes.box(part * stride).begin[axis]);
  edges.push_back(boxes.cells()[axis]);
  return edges;
}

BoxDecomposition in_axes_of_layout(BoxDecomposition const& boxes, bool planar) {
  if (!planar) return boxes;
  return BoxDecomposition({edges_of(boxes, 0), {0, 1}, edges_of(boxes, 1)});
}

}  // namespace

MultigridBoxes::MultigridBoxes(std::array<int, 3> const& cells)
    : boxes_({std::vector{0, cells[0]}, {0, cells[1]}, {0, cells[2]}}), own_(boxes_.box(0)) {}

MultigridBoxes::MultigridBoxes(BoxDecomposition const& boxes, int rank, bool planar,
                               std::array<bool, 3> const& periodic)
    : boxes_(in_axes_of_layout(boxes, planar)), rank_(rank), periodic_(periodic), own_(boxes_.box(rank)) {
  if (planar) periodic_ = {periodic[0], false, periodic[1]};
  find_cuts();
}

void MultigridBoxes::find_cuts() {
  for (std::size_t side = 0; side < 6 && has_cells(); ++side) {
    std::size_t const axis = side / 2;
    int const next = boxes_.neighbor(rank_, static_cast<int>(axis), side % 2 == 0 ? 1 : -1, periodic_[axis]);
    cut_[side] = next >= 0 && next != rank_;
  }
}

std::vector<int> MultigridBoxes::edges(std::size_t axis) const { return edges_of(boxes_, axis); }

bool MultigridBoxes::is_cut(std::size_t axis) const {
  return !all_inner(edges(axis), [](int) { return false; });
}

bool MultigridBoxes::has_cut_seam() const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (periodic_[axis] && whole(axis) % 2 != 0 && is_cut(axis)) return true;
  }
  return false;
}

bool MultigridBoxes::pairs(std::array<bool, 3> const& join) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (join[axis] && !all_inner(edges(axis), [](int edge) { return edge % 2 == 0; })) return false;
  }
  return true;
}

MultigridBoxes MultigridBoxes::joined(std::array<bool, 3> const& join) const {
  std::array<std::vector<int>, 3> coarse;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    coarse[axis] = edges(axis);
    for (int& edge : coarse[axis]) edge = join[axis] ? (edge + 1) / 2 : edge;
  }
  MultigridBoxes result = *this;
  result.boxes_ = BoxDecomposition(std::move(coarse));
  result.own_ = result.boxes_.box(rank_);
  return result;
}

std::vector<BlockNeighbor> MultigridBoxes::halo(SplitLayout const& layout, int color) const {
  auto const cells = [&](BoxFace const& face) {
    auto const axis = static_cast<std::size_t>(face.axis);
    // Beyond the seam of an axis with an odd number of cells the colours change places.
    bool const at_seam = face.step > 0 ? own_.end[axis] == whole(axis) : own_.begin[axis] == 0;
    int const flip = face.beyond && at_seam && whole(axis) % 2 != 0 ? 1 : 0;
    int const own = color ^ parity() ^ flip;
    std::vector<StridedBlock> result = sor_face_cells(layout, own, face);
    for (StridedBlock& block : result) block.first += own * layout.ghosted_size();
    return result;
  };
  return halo(cells);
}

/// Cells of a box in the arrays of a grid. The box begins at its place or, `from_zero`, at the first cell. The order
/// depends on the box alone: colour by colour of the whole grid, and rows by their parity.
std::vector<StridedBlock> MultigridBoxes::blocks(SplitLayout const& layout, Box const& box, bool from_zero) {
  auto const& b = box.begin;
  std::array<int, 3> const n{box.end[0] - b[0], box.end[1] - b[1], box.end[2] - b[2]};
  std::array<int, 3> const base = from_zero ? std::array{0, 0, 0} : b;
  std::int64_t const row = layout.inner_pitch;
  std::vector<StridedBlock> result;
  for (int color = 0; color < 2; ++color) {
    for (int k = 0; k < 2; ++k) {
      for (int j = 0; j < 2; ++j) {
        int const i = (color + k + j + b[0] + b[1] + b[2]) & 1;
        int const at[3] = {base[0] + i, base[1] + j, base[2] + k};
        int const own = (at[0] + at[1] + at[2]) & 1;
        StridedBlock const block{own * layout.inner_size() + layout.inner(at[2], at[1], at[0] >> 1),
                                 {(n[2] - k + 1) / 2, (n[1] - j + 1) / 2, (n[0] - i + 1) / 2},
                                 {2 * layout.ny * row, 2 * row, 1}};
        if (block.size() > 0) result.push_back(block);
      }
    }
  }
  return result;
}

std::vector<BlockNeighbor> MultigridBoxes::gather(SplitLayout const& part, SplitLayout const& whole_grid) const {
  std::vector<BlockNeighbor> result;
  for (int rank = 0; rank < processes(); ++rank) {
    if (rank == rank_) continue;
    BlockNeighbor other{rank, blocks(part, own_, true), blocks(whole_grid, boxes_.box(rank), false)};
    if (!other.send.empty() || !other.receive.empty()) result.push_back(std::move(other));
  }
  return result;
}

}  // namespace karman::detail
