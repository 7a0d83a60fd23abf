// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rectangular buildings: geometry and overlap.
#pragma once

#include <array>
#include <cstddef>

namespace karman::wind {

/// A rectangular block. Lengths in metres.
struct Building {
  double x = 0, y = 0;           ///< centre of the footprint
  double length = 0, width = 0;  ///< along the block's own two axes
  double height = 0;             ///< from its underside to its roof
  double rotation = 0;           ///< degrees, counter-clockwise, of the length axis against x
  double base = 0;               ///< height of its underside above the ground
  std::size_t entry = 0;         ///< index in the case's list of buildings
  std::size_t member = 0;        ///< number within that entry

  double top() const { return base + height; }
  /// The corners of the footprint, counter-clockwise.
  std::array<std::array<double, 2>, 4> corners() const;
  /// Half the extents of the upright box around the footprint, (x, y).
  std::array<double, 2> half_extents() const;
};

/// True if the two share more than a boundary, in plan and in height. Overlaps of less than a millionth of the smaller
/// block count as touching.
bool overlap(Building const& a, Building const& b);

}  // namespace karman::wind
