// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The axes of the grids of a multigrid hierarchy, on the host.
#pragma once

#include <array>
#include <vector>

namespace karman::detail {

/// One end of an axis: closed, or zero at a distance beyond the side.
struct MultigridEnd {
  bool closed = true;
  double beyond = 0;  ///< from the side to the point where x is zero
};

/// One axis of a grid: cells of given widths, weight of the second difference. Along a periodic axis the ends meet.
struct MultigridAxis {
  std::vector<double> width;
  double weight = 1;
  MultigridEnd low, high;
  bool periodic = false;

  int cells() const { return static_cast<int>(width.size()); }
  /// A single cell that nothing passes along this axis: the axis is not there.
  bool absent() const { return cells() == 1 && (periodic || (low.closed && high.closed)); }
  /// Between the centres of the cells i - 1 and i, for i from 0 to cells(): towards the ends that of the point where x
  /// is zero, 0 where there is none.
  double distance(int i) const;
  /// weight / (width of cell i * distance to cell i + 1), or to cell i - 1; 0 towards a closed end. With
  /// `whole_cells_beyond` the ends count as open, one width away: what wall codes are multiplied with.
  double upward(int i, bool whole_cells_beyond) const;
  double downward(int i, bool whole_cells_beyond) const;
  /// Geometric mean of weight / width^2, and the ratio of its extremes.
  double strength() const;
  double spread() const;
};

/// The axis with cells joined in pairs from the low end on; an odd one out stays single.
MultigridAxis coarsened(MultigridAxis const& axis);

/// Part of each fine cell in the width of its coarse cell.
std::vector<double> shares(MultigridAxis const& fine, MultigridAxis const& coarse, bool joined);

/// Weight of the coarse neighbour on the cell's own side of its coarse cell in the linear interpolation to the centre
/// of each fine cell: the upper neighbour for odd cells, the lower one for even ones.
std::vector<double> pulls(MultigridAxis const& fine, MultigridAxis const& coarse, bool joined);

using MultigridAxes = std::array<MultigridAxis, 3>;

/// Which axes to coarsen next. Axes coupled much more weakly than the strongest keep their cells: a sweep leaves errors
/// along them unsmoothed. `scale` multiplies the strengths; with `lines` the sweeps solve along z, whose strength then
/// does not stand in the way of the others.
std::array<bool, 3> axes_to_join(MultigridAxes const& axes, std::array<double, 3> const& scale, bool lines);

/// Whether walls cut the grid into pieces that pairs of cells describe badly. `blocked_share`: of the faces inside.
/// Where couplings differ much, a few walls are enough: the pieces that they leave hardly feel each other, and each has
/// a constant of its own that no sweep removes.
bool needs_aggregates(MultigridAxes const& axes, std::array<double, 3> const& scale, double blocked_share);

/// Whether the coupling in z is strong in some layers and weak in others compared to x and y, which no order of
/// coarsening suits.
bool layers_need_lines(MultigridAxes const& axes, std::array<double, 3> const& scale);

}  // namespace karman::detail
