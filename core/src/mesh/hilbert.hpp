// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Places along the Hilbert curve.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Place of cell (x, y), 0 <= x, y < 65,536, along the Hilbert curve through all cells. Neighbours along the curve are
/// neighbours in the plane. The curve enters a quarter of the square mirrored or rotated; the code mirrors or rotates
/// the lower bits of x and y instead. Source: D. Hilbert, Ueber die stetige Abbildung einer Linie auf ein
/// Flaechenstueck, Math. Ann. 38 (1891).
KOKKOS_INLINE_FUNCTION std::uint32_t hilbert_place(std::uint32_t x, std::uint32_t y) {
  std::uint32_t place = 0;
  for (int bit = 15; bit >= 0; --bit) {
    std::uint32_t const right = x >> bit & 1u, above = y >> bit & 1u;
    place = place << 2 | (3u * right ^ above);
    if (above == 0) {
      if (right == 1) {
        x = ~x;
        y = ~y;
      }
      std::uint32_t const swapped = x;
      x = y;
      y = swapped;
    }
  }
  return place;
}

/// A square of 65,536 by 65,536 cells that contains all points.
struct HilbertSquare {
  double x = 0, y = 0;    ///< lower left corner
  double per_length = 0;  ///< cells per unit of length

  KOKKOS_FUNCTION static std::uint32_t cell(double offset) {
    return offset <= 0 ? 0u : (offset >= 65535 ? 65535u : static_cast<std::uint32_t>(offset));
  }
  KOKKOS_FUNCTION std::uint32_t place(double px, double py) const {
    return hilbert_place(cell((px - x) * per_length), cell((py - y) * per_length));
  }
};

/// The square around a box.
KOKKOS_INLINE_FUNCTION HilbertSquare square_around(double min_x, double max_x, double min_y, double max_y) {
  double const width = max_x - min_x, height = max_y - min_y;
  double const side = width > height ? width : height;
  return {min_x, min_y, side > 0 ? 65536 / side : 0};
}

}  // namespace karman::detail
