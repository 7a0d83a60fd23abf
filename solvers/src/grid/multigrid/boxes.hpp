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

/// Boxes of one grid, and that of this process, in the axes of its layout.
class MultigridBoxes {
 public:
  /// One process with all cells.
  explicit MultigridBoxes(std::array<int, 3> const& cells = {1, 1, 1});
  /// Axes of `boxes` and `periodic`: x, y, z. A planar layout has y as its third axis.
  MultigridBoxes(BoxDecomposition const& boxes, int rank, bool planar, std::array<bool, 3> const& periodic);

  /// True with more than one process.
  bool has_parts() const { return boxes_.processes() > 1; }
  /// Cells of the whole grid along an axis.
  int whole(std::size_t axis) const { return boxes_.cells()[axis]; }
  std::int64_t whole_cells() const { return std::int64_t(whole(0)) * whole(1) * whole(2); }
  /// Cells of this process along an axis, and the first of them.
  int cells(std::size_t axis) const { return own_.end[axis] - own_.begin[axis]; }
  int first(std::size_t axis) const { return own_.begin[axis]; }
  bool has_cells() const { return cells(0) > 0 && cells(1) > 0 && cells(2) > 0; }
  int processes() const { return boxes_.processes(); }
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

  /// Entries of an Exchange that fills the ghosts of one colour beyond the faces of this part. It is a colour of the
  /// whole grid. The array has both colours of this part, one after the other.
  std::vector<BlockNeighbor> halo(SplitLayout const& layout, int color) const;
  /// The same for values along the faces, as halo_neighbors().
  std::vector<BlockNeighbor> halo(std::function<std::vector<StridedBlock>(BoxFace const&)> const& cells) const {
    return halo_neighbors(boxes_, rank_, periodic_, cells);
  }
  /// Entries of an Exchange that gives every process all cells but its own. Arrays without ghosts, with both colours
  /// one after the other: `part` to send, `whole_grid` to receive.
  std::vector<BlockNeighbor> gather(SplitLayout const& part, SplitLayout const& whole_grid) const;
  /// Box of a process.
  Box box(int rank) const { return boxes_.box(rank); }

 private:
  void find_cuts();
  std::vector<int> edges(std::size_t axis) const;
  static std::vector<StridedBlock> blocks(SplitLayout const& layout, Box const& box, bool from_zero);

  BoxDecomposition boxes_;
  int rank_ = 0;
  std::array<bool, 3> periodic_{};
  Box own_;
  std::array<bool, 6> cut_{};
};

}  // namespace karman::detail
