// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A field in natural order together with the values beyond its sides.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Values beyond one side, at data[a * slow + b * fast] with the indices a and b along the side. With steps of zero,
/// one row of zeros serves the whole side.
template <class T>
struct Beyond {
  T const* data;
  std::int64_t slow, fast;
};

/// A field and the values beyond it.
template <class T>
struct SevenPointValues {
  T const* values;
  std::int64_t pitch;  ///< nx; 0 for a field of zeros that keeps one row
  Beyond<T> beyond[6];
  bool periodic[3];
  int nx, ny, nz;

  KOKKOS_INLINE_FUNCTION T const* row(int k, int j) const { return values + (std::int64_t(k) * ny + j) * pitch; }
  KOKKOS_INLINE_FUNCTION T const* north(int k, int j) const {
    return j + 1 < ny ? row(k, j + 1) : periodic[1] ? row(k, 0) : beyond[2].data + k * beyond[2].slow;
  }
  KOKKOS_INLINE_FUNCTION T const* south(int k, int j) const {
    return j > 0 ? row(k, j - 1) : periodic[1] ? row(k, ny - 1) : beyond[3].data + k * beyond[3].slow;
  }
  KOKKOS_INLINE_FUNCTION T const* top(int k, int j) const {
    return k + 1 < nz ? row(k + 1, j) : periodic[2] ? row(0, j) : beyond[4].data + j * beyond[4].slow;
  }
  KOKKOS_INLINE_FUNCTION T const* bottom(int k, int j) const {
    return k > 0 ? row(k - 1, j) : periodic[2] ? row(nz - 1, j) : beyond[5].data + j * beyond[5].slow;
  }
  KOKKOS_INLINE_FUNCTION T east(int k, int j) const {
    return periodic[0] ? row(k, j)[0] : beyond[0].data[k * beyond[0].slow + j * beyond[0].fast];
  }
  KOKKOS_INLINE_FUNCTION T west(int k, int j) const {
    return periodic[0] ? row(k, j)[nx - 1] : beyond[1].data[k * beyond[1].slow + j * beyond[1].fast];
  }
};

}  // namespace karman::detail
