// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "zone_tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace karman::wind {

ZoneTiles make_tiles(std::span<WindBox const> boxes, WindCase const& wind_case) {
  constexpr int cells_a_tile = 16;
  UniformGrid const& grid = wind_case.grid;
  auto const [hx, hy] = wind_case.profile.heading();
  ZoneTiles tiles;
  tiles.tile_size_x = cells_a_tile * grid.dx();
  tiles.tile_size_y = cells_a_tile * grid.dy();
  tiles.tiles_x = (grid.nx() + cells_a_tile - 1) / cells_a_tile;
  tiles.tiles_y = (grid.ny() + cells_a_tile - 1) / cells_a_tile;
  // The upright box around the wind-aligned box of all zones of an object, in tiles.
  auto const range = [&](WindBox const& box) {
    double x_low = 1e300, x_high = -1e300, y_low = 1e300, y_high = -1e300;
    for (double wx : {box.front, box.rear}) {
      for (double wy : {box.right, box.left}) {
        double const px = wx * hx - wy * hy;
        double const py = wx * hy + wy * hx;
        x_low = std::min(x_low, px);
        x_high = std::max(x_high, px);
        y_low = std::min(y_low, py);
        y_high = std::max(y_high, py);
      }
    }
    auto const tile = [](double position, double size, int count) {
      return static_cast<int>(std::clamp(std::floor(position / size), 0.0, count - 1.0));
    };
    double const slack = 1e-6 * (grid.dx() + grid.dy());
    return std::array{
        tile(x_low - slack, tiles.tile_size_x, tiles.tiles_x), tile(x_high + slack, tiles.tile_size_x, tiles.tiles_x),
        tile(y_low - slack, tiles.tile_size_y, tiles.tiles_y), tile(y_high + slack, tiles.tile_size_y, tiles.tiles_y)};
  };
  tiles.starts.assign(static_cast<std::size_t>(tiles.tiles_x) * static_cast<std::size_t>(tiles.tiles_y) + 1, 0);
  auto const for_each_tile = [&](WindBox const& box, auto&& action) {
    auto const [i0, i1, j0, j1] = range(box);
    for (int j = j0; j <= j1; ++j) {
      for (int i = i0; i <= i1; ++i)
        action(static_cast<std::size_t>(j) * static_cast<std::size_t>(tiles.tiles_x) + static_cast<std::size_t>(i));
    }
  };
  for (WindBox const& box : boxes) for_each_tile(box, [&](std::size_t t) { ++tiles.starts[t + 1]; });
  std::partial_sum(tiles.starts.begin(), tiles.starts.end(), tiles.starts.begin());
  tiles.candidates.resize(static_cast<std::size_t>(tiles.starts.back()));
  std::vector<std::int64_t> next(tiles.starts.begin(), tiles.starts.end() - 1);
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    for_each_tile(boxes[b],
                  [&](std::size_t t) { tiles.candidates[static_cast<std::size_t>(next[t]++)] = static_cast<int>(b); });
  }
  return tiles;
}

}  // namespace karman::wind
