// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/raster.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace karman {
namespace {

/// Two neighbouring cells along one axis and the weight of the upper one; equal at the ends.
struct Between {
  std::size_t low = 0, high = 0;
  double share = 0;
};

/// `place` in cells from the outline.
Between between_centers(double place, int count) {
  double const centered = std::clamp(place - 0.5, 0.0, count - 1.0);
  auto const low = static_cast<std::size_t>(centered);
  double const share = centered - static_cast<double>(low);
  return {low, share > 0 ? low + 1 : low, share};
}

/// Exact for equal values.
double mix(double low, double high, double share) { return share > 0 ? low + share * (high - low) : low; }

}  // namespace

double Raster::at(double x, double y) const {
  double const place_x = (x - corner[0]) / spacing[0];
  double const place_y = (y - corner[1]) / spacing[1];
  // Allows for round-off at the outline.
  double const slack = 1e-9;
  bool const inside = place_x >= -slack * columns && place_x <= columns * (1 + slack) && place_y >= -slack * rows &&
                      place_y <= rows * (1 + slack);
  if (!inside) return std::numeric_limits<double>::quiet_NaN();
  Between const column = between_centers(place_x, columns);
  Between const row = between_centers(place_y, rows);
  auto const along_row = [&](std::size_t r) {
    double const* const line = values.data() + r * static_cast<std::size_t>(columns);
    return mix(line[column.low], line[column.high], column.share);
  };
  return mix(along_row(row.low), along_row(row.high), row.share);
}

}  // namespace karman
