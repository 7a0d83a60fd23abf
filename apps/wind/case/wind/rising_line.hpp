// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Positions of walls along a rising line.
#pragma once

#include "wind/case/buildings/footprint.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace karman::wind {

/// Walls in the order of their lower ends, and the walls that a rising line meets. Cost: O(n log n) for n walls,
/// and for each height the walls that the line meets there.
class RisingLine {
 public:
  /// Walls along the line are left out, and those that are not between two heights.
  explicit RisingLine(std::span<Wall const> walls, double bottom = -std::numeric_limits<double>::infinity(),
                      double top = std::numeric_limits<double>::infinity()) {
    for (Wall const& wall : walls) {
      if (lower(wall) < upper(wall) && lower(wall) < top && upper(wall) > bottom) sorted_.push_back(wall);
    }
    std::sort(sorted_.begin(), sorted_.end(), [](Wall const& a, Wall const& b) { return lower(a) < lower(b); });
  }

  /// The walls in the order of their lower ends.
  std::span<Wall const> walls() const { return sorted_; }

  /// Sets `x` to the positions where walls meet the line at the height y, in order: an even number of them for closed
  /// rings, whose inside is between the first and the second and so on. No call had a greater y.
  void positions_at(double y, std::vector<double>& x) {
    // Lower ends are excluded, so that a line through a corner meets one of two walls that continue.
    for (; next_ < sorted_.size() && lower(sorted_[next_]) < y; ++next_) met_.push_back(sorted_[next_]);
    std::erase_if(met_, [&](Wall const& wall) { return upper(wall) < y; });
    x.clear();
    for (Wall const& wall : met_) x.push_back(wall.ax + (y - wall.ay) / (wall.by - wall.ay) * (wall.bx - wall.ax));
    std::sort(x.begin(), x.end());
  }

  static double lower(Wall const& wall) { return std::min(wall.ay, wall.by); }
  static double upper(Wall const& wall) { return std::max(wall.ay, wall.by); }

 private:
  std::vector<Wall> sorted_, met_;
  std::size_t next_ = 0;
};

}  // namespace karman::wind
