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

/// One axis of a grid: cells of given widths, weight of the second difference. Along a periodic axis the ends coincide.
struct MultigridAxis {
  std::vector<double> width;
  double weight = 1;
  MultigridEnd low, high;
  bool periodic = false;

  int cells() const { return static_cast<int>(width.size()); }
  /// True for a missing axis: a single cell without flux along this axis.
  bool absent() const { return cells() == 1 && (periodic || (low.closed && high.closed)); }
  /// Distance between the centres of the cells i - 1 and i, for i from 0 to cells(). At the ends: distance to the point
  /// where x is zero, or 0 where there is none.
  double distance(int i) const;
  /// weight / (width of cell i * distance to cell i + 1), or to cell i - 1; 0 towards a closed end. With
  /// `whole_cells_beyond` the ends count as open, one width away. These are the factors of wall codes.
  double upward(int i, bool whole_cells_beyond) const;
  double downward(int i, bool whole_cells_beyond) const;
  /// Geometric mean of weight / width^2, and the ratio of its extremes.
  double strength() const;
  double spread() const;
};

/// The axis with cells joined in pairs from the low end on. An odd last cell stays single.
MultigridAxis coarsened(MultigridAxis const& axis);

/// Width of each fine cell as a fraction of that of its coarse cell.
std::vector<double> shares(MultigridAxis const& fine, MultigridAxis const& coarse, bool joined);

/// Weights in the linear interpolation to the centre of each fine cell. Each is that of the coarse neighbour on the
/// fine cell's own side of its coarse cell: the upper neighbour for odd cells, the lower one for even ones.
std::vector<double> pulls(MultigridAxis const& fine, MultigridAxis const& coarse, bool joined);

using MultigridAxes = std::array<MultigridAxis, 3>;

/// Axes to coarsen next. Axes coupled much more weakly than the strongest keep their cells: a sweep leaves errors along
/// them unsmoothed. `scale` multiplies the strengths. With `lines` the sweeps solve along z, whose strength then does
/// not delay the others.
std::array<bool, 3> axes_to_join(MultigridAxes const& axes, std::array<double, 3> const& scale, bool lines);

/// True if walls cut the grid into pieces that pairs of cells describe badly. `blocked_share`: fraction of the faces
/// inside. Where couplings differ much, a few walls are enough. The pieces between them are then weakly coupled, and
/// each has a constant of its own that no sweep removes.
bool needs_aggregates(MultigridAxes const& axes, std::array<double, 3> const& scale, double blocked_share);

/// True if the coupling in z, relative to x and y, is strong in some layers and weak in others. No order of coarsening
/// suits such grids.
bool layers_need_lines(MultigridAxes const& axes, std::array<double, 3> const& scale);

}  // namespace karman::detail
