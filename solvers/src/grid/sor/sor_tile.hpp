// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How red-black SOR shares the cells of a colour among teams and threads.
#pragma once

#include "split_layout.hpp"
#include <karman/core/backend.hpp>

#include <cstdint>

namespace karman::detail {

/// The block of cells that a team works on, in half indices, rows and layers.
struct SorTile {
  int lanes, rows, layers;
};

/// How a device runs a sweep. Measured on an H200, perf/results/README.md.
struct SorLaunch {
  int width;  ///< neighbouring columns of one thread
  int teams;  ///< teams that a multiprocessor holds at least, where walls have bounds_registers
};

/// Four floats are one load of 16 bytes, which keeps enough bytes in flight to reach copy speed; of doubles, two are.
template <class T>
inline constexpr SorLaunch sor_launch = sizeof(T) == 4 ? SorLaunch{4, 7} : SorLaunch{2, 3};

/// Columns of one thread on a device.
template <class T>
inline constexpr int sor_width = sor_launch<T>.width;

/// Columns of one team on a device, at most.
inline constexpr int sor_columns = 512;

/// On a device a thread walks up through the layers of its tile with a few neighbouring columns, and keeps those of the
/// other colour in registers: each value of the other colour is then loaded once from memory, and its use as a
/// neighbour in x and y hits the first cache. On the host a row is the unit, long enough for the vector registers and
/// the prefetcher.
template <class Exec>
SorTile sor_tile(SplitLayout const& layout) {
  bool const planar = layout.ghost_rows == 0;
  if constexpr (runs_on_host<Exec>) {
    return planar ? SorTile{1 << 30, 1, 16} : SorTile{1 << 30, 16, 1};
  } else {
    constexpr int enough_teams = 1024;  // some for every multiprocessor of the largest cards
    int const lanes = planar ? sor_columns : layout.half < 128 ? layout.inner_pitch : 128;
    SorTile tile{lanes, sor_columns / lanes > 0 ? sor_columns / lanes : 1, 32};
    auto const tiles = [](int cells, int size) { return (cells + size - 1) / size; };
    while (tile.layers > 4 &&
           std::int64_t(tiles(layout.half, tile.lanes)) * tiles(layout.ny, tile.rows) * tiles(layout.nz, tile.layers) <
               enough_teams) {
      tile.layers /= 2;
    }
    return tile;
  }
}

}  // namespace karman::detail
