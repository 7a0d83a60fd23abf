// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Processor code without Kokkos: plain loops with OpenMP threads and OpenMP SIMD, in a file of its own. Compiled with
/// -ffast-math, the usual choice for such code.
#pragma once

#include <cstdint>

namespace karman::perf::simd {

template <class T>
struct MinMaxSum {
  T min, max, sum;
};

template <class T>
void copy(T* b, T const* a, std::int64_t n, int threads);
/// a = b + s c.
template <class T>
void triad(T* a, T const* b, T const* c, T s, std::int64_t n, int threads);

template <class T>
T maximum(T const* x, std::int64_t n, int threads);
template <class T>
T sum(T const* x, std::int64_t n, int threads);
template <class T>
MinMaxSum<T> min_max_sum(T const* x, std::int64_t n, int threads);
/// max sqrt(u^2 + v^2 + w^2).
template <class T>
T max_speed(T const* u, T const* v, T const* w, std::int64_t n, int threads);

/// Constant coefficients of the 7-point operator: update x <- (1 - omega) x + omega (cx (E + W) + cy (N + S) + cz (T +
/// B) - r). The coefficients and r are already divided by the cell's own weight.
template <class T>
struct Stencil {
  T x, y, z, omega;
};

/// One colour of red-black relaxation. `own`, `other`: arrays of (nz + 2) x (ny + 2) x pitch values, one layer of
/// ghosts all around, own cell (k, j, i) at (k + 1, j + 1, i / 2 + 1); i of a cell of this colour is
/// 2 m + (k + j + colour) mod 2. nx even, pitch >= nx / 2 + 2.
template <class T>
void relax_color(T* own, T const* other, T const* rhs, int nx, int ny, int nz, std::int64_t pitch, int color,
                 Stencil<T> const& stencil, int threads);

}  // namespace karman::perf::simd
