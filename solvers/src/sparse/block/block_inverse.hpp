// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Inverse of one dense block, in the registers of one thread.
#pragma once

#include "common/scalar_parts.hpp"
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <limits>

namespace karman::detail {

/// A pivot of a block with rows and columns scaled to a largest entry of 1 is rounding only below this size.
inline constexpr double lost_pivot = 64 * std::numeric_limits<double>::epsilon();

/// Replaces a block by its inverse, by Gauss and Jordan's elimination with row exchanges in double. Rows and then
/// columns are first scaled by their largest entries: units of equations and variables do not matter. Every index is
/// known to the compiler, which keeps the numbers in registers. Returns false for a block that is singular to rounding
/// or not finite, whose numbers are then undefined.
template <int N>
KOKKOS_INLINE_FUNCTION bool invert_block(double (&a)[N][N]) {
  double row_scale[N], column_scale[N], inverse[N][N];
  bool regular = true;
  for (int i = 0; i < N; ++i) {
    double largest = 0;
    for (int j = 0; j < N; ++j) {
      double const size = compat::math::fabs(a[i][j]);
      if (size > largest) largest = size;
    }
    row_scale[i] = divided(1.0, largest);
    for (int j = 0; j < N; ++j) a[i][j] *= row_scale[i];
  }
  for (int j = 0; j < N; ++j) {
    double largest = 0;
    for (int i = 0; i < N; ++i) {
      double const size = compat::math::fabs(a[i][j]);
      if (size > largest) largest = size;
    }
    column_scale[j] = divided(1.0, largest);
    for (int i = 0; i < N; ++i) {
      a[i][j] *= column_scale[j];
      inverse[i][j] = i == j ? 1.0 : 0.0;
    }
  }
  for (int k = 0; k < N; ++k) {
    for (int i = k + 1; i < N; ++i) {
      if (compat::math::fabs(a[i][k]) > compat::math::fabs(a[k][k])) {
        for (int j = 0; j < N; ++j) {
          double const upper = a[k][j], other = inverse[k][j];
          a[k][j] = a[i][j];
          a[i][j] = upper;
          inverse[k][j] = inverse[i][j];
          inverse[i][j] = other;
        }
      }
    }
    // False for a NaN too, which any number that is not finite becomes.
    regular = regular && compat::math::fabs(a[k][k]) > lost_pivot;
    double const reciprocal = divided(1.0, a[k][k]);
    for (int j = 0; j < N; ++j) {
      a[k][j] *= reciprocal;
      inverse[k][j] *= reciprocal;
    }
    for (int i = 0; i < N; ++i) {
      if (i == k) continue;
      double const factor = a[i][k];
      for (int j = 0; j < N; ++j) {
        a[i][j] -= factor * a[k][j];
        inverse[i][j] -= factor * inverse[k][j];
      }
    }
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) a[i][j] = column_scale[i] * inverse[i][j] * row_scale[j];
  }
  return regular;
}

/// Replaces a block by its inverse. A block without one in the precision of T becomes the unit matrix: then false.
template <class T, int N>
KOKKOS_INLINE_FUNCTION bool invert_or_replace(double (&block)[N][N]) {
  bool usable = invert_block<N>(block);
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) usable = usable && is_finite(double(static_cast<T>(block[i][j])));
  }
  if (usable) return true;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) block[i][j] = i == j ? 1.0 : 0.0;
  }
  return false;
}

/// sums += a b, in vectors over the columns.
template <class T, int N>
KOKKOS_INLINE_FUNCTION void add_product(double const (&a)[N][N], T const* b, double (&sums)[N][N]) {
  for (int k = 0; k < N; ++k) {
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) sums[i][j] += a[i][k] * double(b[k * N + j]);
    }
  }
}

/// Stores the numbers of a block.
template <class T, int N>
KOKKOS_INLINE_FUNCTION void store_block(double const (&block)[N][N], T* stored) {
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) stored[i * N + j] = static_cast<T>(block[i][j]);
  }
}

}  // namespace karman::detail
