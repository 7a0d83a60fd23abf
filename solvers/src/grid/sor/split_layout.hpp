// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Place of a cell when each of the two colours of a grid has an array of its own.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Cell (k, j, i) has colour (k + j + i) mod 2 (0: red, 1: black). It lies in the array of that colour at half index h
/// = floor(i / 2) of row (k, j). So i = 2 h + s with s = shift(k, j, colour). All neighbours have the other colour.
/// Those in y and z have the same h; those in x have h - 1 + s (west) and h + s (east). Arrays with ghosts hold one
/// more cell on every side; arrays without ghosts hold the cells alone. Rows start on 32-element boundaries.
struct SplitLayout {
  static constexpr int alignment = 32;

  int nx = 0, ny = 0, nz = 0;
  int ghost_rows = 1;  ///< 0 for a planar problem, which has no neighbours in y
  int half = 0;        ///< largest number of cells of one colour in a row
  int inner_pitch = 0;
  int pitch = 0;

  SplitLayout() = default;
  SplitLayout(int nx_, int ny_, int nz_, bool planar) : nx(nx_), ny(ny_), nz(nz_), ghost_rows(planar ? 0 : 1) {
    half = (nx + 1) / 2;
    inner_pitch = (half + alignment - 1) / alignment * alignment;
    // The ghost at h = -1 needs room before the row. The one at h = half may use that of the next row.
    pitch = inner_pitch + alignment;
  }

  KOKKOS_INLINE_FUNCTION static int shift(int k, int j, int color) { return (k + j + color) & 1; }
  /// Cells of one colour in a row of that shift.
  KOKKOS_INLINE_FUNCTION int count(int s) const { return (nx - s + 1) >> 1; }
  KOKKOS_INLINE_FUNCTION std::int64_t plane() const { return std::int64_t(ny + 2 * ghost_rows) * pitch; }
  /// Index into an array with ghosts; k, j from -1, h from -1.
  KOKKOS_INLINE_FUNCTION std::int64_t ghosted(int k, int j, int h) const {
    return (k + 1) * plane() + std::int64_t(j + ghost_rows) * pitch + alignment + h;
  }
  /// Index into an array without ghosts.
  KOKKOS_INLINE_FUNCTION std::int64_t inner(int k, int j, int h) const {
    return (std::int64_t(k) * ny + j) * inner_pitch + h;
  }
  std::int64_t ghosted_size() const { return (nz + 2) * plane() + alignment; }
  std::int64_t inner_size() const { return std::int64_t(nz) * ny * inner_pitch; }
};

}  // namespace karman::detail
