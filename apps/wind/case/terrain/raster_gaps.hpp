// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cells of a raster of heights that have none.
#pragma once

#include <karman/io/raster.hpp>

#include <array>
#include <cstddef>

namespace karman::wind {

/// Range of heights of the ground on Earth with a margin, metres. Files mark gaps by values outside of it, such as
/// -9999, -32768 or 1e6, often without declaring them.
inline constexpr double lowest_ground = -500;
inline constexpr double highest_ground = 9000;

/// Undeclared gaps of a raster.
struct RasterGaps {
  std::size_t count = 0;
  double value = 0;                   ///< of the first
  std::array<double, 2> place{0, 0};  ///< centre of the first, in the raster
};

/// Makes values outside of the range of heights missing and counts them. Cost: one pass.
RasterGaps remove_impossible_heights(Raster& raster);

/// Fills missing cells from their edges inward: each takes the mean of its neighbours, also diagonal, with a height.
/// \return number of cells that were filled; a raster without any height is unchanged
/// \par Cost
/// O(cells).
std::size_t fill_gaps(Raster& raster);

}  // namespace karman::wind
