// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tiles of columns, and the zones that may touch each.
#pragma once

#include "wind/case/wind_case.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace karman::wind {

/// Range of all zones of one object, wind-aligned from the domain's corner.
struct WindBox {
  double front = 0, rear = 0;  ///< x
  double right = 0, left = 0;  ///< y
};

/// The objects whose zones may touch the columns of one tile of the domain: `candidates` of tile t are those from
/// starts[t] to starts[t + 1], in their order. Tiles are numbered row by row.
struct ZoneTiles {
  double tile_size_x = 0, tile_size_y = 0;
  int tiles_x = 0, tiles_y = 0;
  std::vector<std::int64_t> starts;
  std::vector<int> candidates;
};

/// Tiles of 16 by 16 columns. Cost: O(tiles + tiles covered).
ZoneTiles make_tiles(std::span<WindBox const> boxes, WindCase const& wind_case);

}  // namespace karman::wind
