// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Division of the cells of a colour among teams and threads, for red-black SOR.
#pragma once

#include "split_layout.hpp"
#include <karman/core/backend.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

/// Block of cells of a team, in half indices, rows and layers.
struct SorTile {
  int lanes, rows, layers;
};

/// Rows that a sweep visits: j and k in the axes of the layout.
struct SorRows {
  int j_begin, j_end, k_begin, k_end;

  KOKKOS_INLINE_FUNCTION int ny() const { return j_end - j_begin; }
  KOKKOS_INLINE_FUNCTION int nz() const { return k_end - k_begin; }
};

/// Launch parameters of a sweep on a device. Measured on an H200, perf/results/README.md.
struct SorLaunch {
  int width;  ///< adjacent columns per thread
  int teams;  ///< least number of teams per multiprocessor, where walls have bounds_registers
};

/// Load size: four floats or two doubles are one load of 16 bytes. That keeps enough bytes in flight to reach copy
/// speed.
template <class T>
inline constexpr SorLaunch sor_launch = sizeof(T) == 4 ? SorLaunch{4, 7} : SorLaunch{2, 3};

/// Columns per thread on a device.
template <class T>
inline constexpr int sor_width = sor_launch<T>.width;

/// Largest number of columns per team on a device.
inline constexpr int sor_columns = 512;

/// Tile of a backend. On a device a thread takes a few adjacent columns upwards, with columns of the other colour in
/// registers. Each value of the other colour is then loaded once from memory; its use as a neighbour in x and y hits
/// the first-level cache. On the host the unit is a row, long enough for the vector registers and the prefetcher.
template <class Exec>
SorTile sor_tile(SplitLayout const& layout, SorRows const& rows) {
  bool const planar = layout.ghost_rows == 0;
  if constexpr (runs_on_host<Exec>) {
    return planar ? SorTile{1 << 30, 1, 16} : SorTile{1 << 30, 16, 1};
  } else {
    // Two waves of the largest cards or more: 1024 teams were one wave and a tenth, whose end left most of them idle.
    constexpr int enough_teams = 2048;
    int const lanes = planar || rows.ny() == 1 ? sor_columns
                      : layout.half < 128      ? std::max(layout.inner_pitch, SplitLayout::alignment)
                                               : 128;
    SorTile tile{lanes, sor_columns / lanes > 0 ? sor_columns / lanes : 1, 32};
    auto const tiles = [](int cells, int size) { return (cells + size - 1) / size; };
    while (tile.layers > 4 &&
           std::int64_t(tiles(layout.half, tile.lanes)) * tiles(rows.ny(), tile.rows) * tiles(rows.nz(), tile.layers) <
               enough_teams) {
      tile.layers /= 2;
    }
    return tile;
  }
}

/// The same for all rows.
template <class Exec>
SorTile sor_tile(SplitLayout const& layout) {
  return sor_tile<Exec>(layout, SorRows{0, layout.ny, 0, layout.nz});
}

}  // namespace karman::detail
