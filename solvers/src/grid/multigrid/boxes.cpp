// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "boxes.hpp"

#include "grid/sor/sor_halo.hpp"

#include <algorithm>
#include <numeric>
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

MultigridBoxes::MultigridBoxes() : boxes_({std::vector{0, 1}, {0, 1}, {0, 1}}), ranks_{0}, own_(boxes_.box(0)) {}

MultigridBoxes::MultigridBoxes(BoxDecomposition const& boxes, int rank, bool planar,
                               std::array<bool, 3> const& periodic)
    : boxes_(in_axes_of_layout(boxes, planar)),
      rank_(rank),
      ranks_(static_cast<std::size_t>(boxes.processes())),
      periodic_(periodic),
      own_(boxes_.box(rank)) {
  std::iota(ranks_.begin(), ranks_.end(), 0);
  if (planar) periodic_ = {periodic[0], false, periodic[1]};
  find_cuts();
}

void MultigridBoxes::find_cuts() {
  cut_ = {};
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

std::array<int, 3> MultigridBoxes::shape_of_groups(int most) const {
  constexpr int largest_group = 8;
  std::array<int, 3> const parts = boxes_.parts();
  if (count() <= most) return parts;
  int const limit = std::min(largest_group, most);
  std::array<int, 3> best = parts;
  // Large groups first, then those that are equally long along the axes, then those with long rows.
  auto const rank_of = [&](std::array<int, 3> const& shape) {
    int const size = shape[0] * shape[1] * shape[2];
    return std::array{size <= limit ? -size : size, shape[0] + shape[1] + shape[2], -shape[0], -shape[1]};
  };
  for (int z = 1; z <= parts[2]; ++z) {
    for (int y = 1; y <= parts[1]; ++y) {
      for (int x = 1; x <= parts[0]; ++x) {
        bool const fills = parts[0] % x == 0 && parts[1] % y == 0 && parts[2] % z == 0;
        std::array<int, 3> const shape{x, y, z};
        if (fills && x * y * z > 1 && rank_of(shape) < rank_of(best)) best = shape;
      }
    }
  }
  return best;
}

MultigridGroup MultigridBoxes::group(std::array<int, 3> const& shape) const {
  std::array<int, 3> const parts = boxes_.parts(), place = boxes_.place(rank_);
  std::array<int, 3> first{};
  for (std::size_t a = 0; a < 3; ++a) first[a] = place[a] / shape[a] * shape[a];
  MultigridGroup result;
  for (int z = first[2]; z < first[2] + shape[2]; ++z) {
    for (int y = first[1]; y < first[1] + shape[1]; ++y) {
      for (int x = first[0]; x < first[0] + shape[0]; ++x) {
        int const box = (z * parts[1] + y) * parts[0] + x;
        if (box == rank_) result.own = result.processes();
        result.ranks.push_back(ranks_[static_cast<std::size_t>(box)]);
        result.boxes.push_back(boxes_.box(box));
      }
    }
  }
  result.begin = result.boxes.front().begin;
  return result;
}

std::vector<int> MultigridBoxes::kind(int most) const {
  std::vector<int> result{parity(), cells(0), cells(1), cells(2)};
  for (bool const one : cut_) result.push_back(one ? 1 : 0);
  if (count() > most) {
    std::vector<int> const of_group = of_groups(shape_of_groups(most)).kind(most);
    result.insert(result.end(), of_group.begin(), of_group.end());
  }
  return result;
}

MultigridBoxes MultigridBoxes::of_groups(std::array<int, 3> const& shape) const {
  std::array<int, 3> const parts = boxes_.parts(), place = boxes_.place(rank_);
  std::array<int, 3> groups{}, within{};
  std::array<std::vector<int>, 3> joined;
  for (std::size_t a = 0; a < 3; ++a) {
    groups[a] = parts[a] / shape[a];
    within[a] = place[a] % shape[a];
    std::vector<int> const all = edges(a);
    for (int n = 0; n <= groups[a]; ++n) joined[a].push_back(all[static_cast<std::size_t>(n * shape[a])]);
  }
  MultigridBoxes result = *this;
  result.boxes_ = BoxDecomposition(std::move(joined));
  result.rank_ = (place[2] / shape[2] * groups[1] + place[1] / shape[1]) * groups[0] + place[0] / shape[0];
  result.ranks_.clear();
  for (int z = within[2]; z < parts[2]; z += shape[2]) {
    for (int y = within[1]; y < parts[1]; y += shape[1]) {
      for (int x = within[0]; x < parts[0]; x += shape[0]) {
        result.ranks_.push_back(ranks_[static_cast<std::size_t>((z * parts[1] + y) * parts[0] + x)]);
      }
    }
  }
  result.own_ = result.boxes_.box(result.rank_);
  result.find_cuts();
  return result;
}

/// Cells of a box in the arrays of a grid that begins at `origin`. The order depends on the box alone: colour by colour
/// of the whole grid, and rows by their parity.
std::vector<StridedBlock> MultigridBoxes::blocks(SplitLayout const& layout, Box const& box,
                                                 std::array<int, 3> const& origin) {
  auto const& b = box.begin;
  std::array<int, 3> const n{box.end[0] - b[0], box.end[1] - b[1], box.end[2] - b[2]};
  std::array<int, 3> const base{b[0] - origin[0], b[1] - origin[1], b[2] - origin[2]};
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

std::vector<BlockNeighbor> MultigridBoxes::gather(SplitLayout const& part, SplitLayout const& joined_grid,
                                                  MultigridGroup const& group) const {
  std::vector<BlockNeighbor> result;
  for (int member = 0; member < group.processes(); ++member) {
    if (member == group.own) continue;
    auto const m = static_cast<std::size_t>(member);
    BlockNeighbor other{group.ranks[m], blocks(part, own_, own_.begin),
                        blocks(joined_grid, group.boxes[m], group.begin)};
    if (!other.send.empty() || !other.receive.empty()) result.push_back(std::move(other));
  }
  return result;
}

}  // namespace karman::detail
