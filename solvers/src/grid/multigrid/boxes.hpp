// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Boxes of the grids of a multigrid hierarchy among processes, on the host.
#pragma once

#include "grid/sor/split_layout.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/core/box_halo.hpp>
#include <karman/core/exchange.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace karman::detail {

/// Neighbouring processes that join their boxes to one. Each of them then has all its cells.
struct MultigridGroup {
  std::vector<int> ranks;      ///< of the members in the communicator of the plan, in the order of their places
  std::vector<Box> boxes;      ///< of the members, in the whole grid
  std::array<int, 3> begin{};  ///< first cell of the joined box
  int own = 0;                 ///< place of this process in the group
  int processes() const { return static_cast<int>(ranks.size()); }
};

/// Boxes of one grid, and that of this process, in the axes of its layout.
///
/// After processes have joined their boxes there are fewer boxes than processes, and each box is in several of them.
/// The processes with one place in their groups then work together, as if they were alone.
class MultigridBoxes {
 public:
  /// One process with one cell.
  MultigridBoxes();
  /// Axes of `boxes` and `periodic`: x, y, z. A planar layout has y as its third axis.
  MultigridBoxes(BoxDecomposition const& boxes, int rank, bool planar, std::array<bool, 3> const& periodic);

  /// True with more than one box.
  bool has_parts() const { return count() > 1; }
  /// Cells of the whole grid along an axis.
  int whole(std::size_t axis) const { return boxes_.cells()[axis]; }
  std::int64_t whole_cells() const { return std::int64_t(whole(0)) * whole(1) * whole(2); }
  /// Cells of this process along an axis, and the first of them.
  int cells(std::size_t axis) const { return own_.end[axis] - own_.begin[axis]; }
  int first(std::size_t axis) const { return own_.begin[axis]; }
  bool has_cells() const { return cells(0) > 0 && cells(1) > 0 && cells(2) > 0; }
  /// Number of boxes.
  int count() const { return boxes_.processes(); }
  /// Colour of the first own cell. A cell of colour c in the whole grid has colour c ^ parity() in this part.
  int parity() const { return (first(0) + first(1) + first(2)) & 1; }
  /// True for a side towards another process.
  bool cut(std::size_t side) const { return cut_[side]; }
  /// True where no process has all cells along an axis.
  bool is_cut(std::size_t axis) const;
  /// True where two cells of one colour are neighbours across a periodic seam between two processes.
  bool has_cut_seam() const;
  /// True where the parts begin at pairs of cells along these axes.
  bool pairs(std::array<bool, 3> const& join) const;
  /// Boxes of the grid with pairs of cells joined.
  MultigridBoxes joined(std::array<bool, 3> const& join) const;

  /// Numbers that are the same for processes with parts of the same size and with neighbours on the same sides. The
  /// same holds for the groups that join at most `most` boxes at once.
  std::vector<int> kind(int most) const;

  /// Entries of an Exchange that fills the ghosts of one colour beyond the faces of this part. It is a colour of the
  /// whole grid. The array has both colours of this part, one after the other.
  std::vector<BlockNeighbor> halo(SplitLayout const& layout, int color) const;
  /// The same for values along the faces, as halo_neighbors().
  std::vector<BlockNeighbor> halo(std::function<std::vector<StridedBlock>(BoxFace const&)> const& cells) const {
    std::vector<BlockNeighbor> neighbors = halo_neighbors(boxes_, rank_, periodic_, cells);
    for (BlockNeighbor& one : neighbors) one.rank = ranks_[static_cast<std::size_t>(one.rank)];
    return neighbors;
  }
  /// Boxes along each axis of the groups that join a grid: all of them, where there are at most `most` of them. Else
  /// groups of at most eight, and at most `most`, that fill the division; of more, where no smaller ones fill it.
  std::array<int, 3> shape_of_groups(int most) const;
  /// The group of this process.
  MultigridGroup group(std::array<int, 3> const& shape) const;
  /// The boxes of the groups.
  MultigridBoxes of_groups(std::array<int, 3> const& shape) const;
  /// Entries of an Exchange that gives every member of a group all cells but its own. Arrays without ghosts, with both
  /// colours one after the other: `part` to send, `joined_grid` to receive.
  std::vector<BlockNeighbor> gather(SplitLayout const& part, SplitLayout const& joined_grid,
                                    MultigridGroup const& group) const;

 private:
  void find_cuts();
  std::vector<int> edges(std::size_t axis) const;
  static std::vector<StridedBlock> blocks(SplitLayout const& layout, Box const& box, std::array<int, 3> const& origin);

  BoxDecomposition boxes_;
  int rank_ = 0;            ///< number of the box of this process
  std::vector<int> ranks_;  ///< of the processes with which this one works, for each box
  std::array<bool, 3> periodic_{};
  Box own_;
  std::array<bool, 6> cut_{};
};

}  // namespace karman::detail
