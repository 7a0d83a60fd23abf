// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "raster_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace karman::wind {
namespace {

/// Calls an action with each of the eight neighbours of a cell.
template <class Action>
void for_each_neighbor(Raster const& raster, std::size_t cell, Action action) {
  auto const columns = static_cast<std::size_t>(raster.columns);
  int const row = static_cast<int>(cell / columns), column = static_cast<int>(cell % columns);
  for (int r = std::max(0, row - 1); r <= std::min(raster.rows - 1, row + 1); ++r) {
    for (int c = std::max(0, column - 1); c <= std::min(raster.columns - 1, column + 1); ++c) {
      std::size_t const other = static_cast<std::size_t>(r) * columns + static_cast<std::size_t>(c);
      if (other != cell) action(other);
    }
  }
}

}  // namespace

RasterGaps remove_impossible_heights(Raster& raster) {
  RasterGaps gaps;
  for (std::size_t cell = 0; cell < raster.values.size(); ++cell) {
    double& value = raster.values[cell];
    if (!std::isfinite(value) || (value >= lowest_ground && value <= highest_ground)) continue;
    if (gaps.count++ == 0) {
      auto const columns = static_cast<std::size_t>(raster.columns);
      gaps.value = value;
      gaps.place = {raster.corner[0] + (static_cast<double>(cell % columns) + 0.5) * raster.spacing[0],
                    raster.corner[1] + (static_cast<double>(cell / columns) + 0.5) * raster.spacing[1]};
    }
    value = std::nan("");
  }
  return gaps;
}

std::size_t fill_gaps(Raster& raster) {
  std::vector<std::size_t> front;
  std::vector<bool> queued(raster.values.size(), false);
  auto const queue_missing = [&](std::size_t cell, std::vector<std::size_t>& into) {
    if (queued[cell] || std::isfinite(raster.values[cell])) return;
    queued[cell] = true;
    into.push_back(cell);
  };
  for (std::size_t cell = 0; cell < raster.values.size(); ++cell) {
    if (!std::isfinite(raster.values[cell])) continue;
    for_each_neighbor(raster, cell, [&](std::size_t other) { queue_missing(other, front); });
  }
  std::size_t filled = 0;
  while (!front.empty()) {
    // The whole front from the heights before it, so that the order of cells does not matter.
    std::vector<double> values;
    for (std::size_t const cell : front) {
      double sum = 0;
      int count = 0;
      for_each_neighbor(raster, cell, [&](std::size_t other) {
        if (!std::isfinite(raster.values[other])) return;
        sum += raster.values[other];
        ++count;
      });
      values.push_back(sum / count);
    }
    for (std::size_t n = 0; n < front.size(); ++n) raster.values[front[n]] = values[n];
    filled += front.size();
    std::vector<std::size_t> next;
    for (std::size_t const cell : front)
      for_each_neighbor(raster, cell, [&](std::size_t other) { queue_missing(other, next); });
    front = std::move(next);
  }
  return filled;
}

}  // namespace karman::wind
