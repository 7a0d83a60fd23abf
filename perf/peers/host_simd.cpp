// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_simd.hpp"

#include <cmath>
#include <limits>

namespace karman::perf::simd {

template <class T>
void copy(T* b, T const* a, std::int64_t n, int threads) {
#pragma omp parallel for simd num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) b[i] = a[i];
}

template <class T>
void triad(T* a, T const* b, T const* c, T s, std::int64_t n, int threads) {
#pragma omp parallel for simd num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
}

template <class T>
T maximum(T const* x, std::int64_t n, int threads) {
  T result = std::numeric_limits<T>::lowest();
#pragma omp parallel for simd num_threads(threads) schedule(static) reduction(max : result)
  for (std::int64_t i = 0; i < n; ++i) result = x[i] > result ? x[i] : result;
  return result;
}

template <class T>
T sum(T const* x, std::int64_t n, int threads) {
  T result = 0;
#pragma omp parallel for simd num_threads(threads) schedule(static) reduction(+ : result)
  for (std::int64_t i = 0; i < n; ++i) result += x[i];
  return result;
}

template <class T>
MinMaxSum<T> min_max_sum(T const* x, std::int64_t n, int threads) {
  T low = std::numeric_limits<T>::max();
  T high = std::numeric_limits<T>::lowest();
  T total = 0;
#pragma omp parallel for simd num_threads(threads) schedule(static) reduction(min : low) reduction(max : high) \
    reduction(+ : total)
  for (std::int64_t i = 0; i < n; ++i) {
    low = x[i] < low ? x[i] : low;
    high = x[i] > high ? x[i] : high;
    total += x[i];
  }
  return {low, high, total};
}

template <class T>
T max_speed(T const* u, T const* v, T const* w, std::int64_t n, int threads) {
  T square = 0;
#pragma omp parallel for simd num_threads(threads) schedule(static) reduction(max : square)
  for (std::int64_t i = 0; i < n; ++i) {
    T const q = u[i] * u[i] + v[i] * v[i] + w[i] * w[i];
    square = q > square ? q : square;
  }
  return std::sqrt(square);
}

template <class T>
void relax_color(T* own, T const* other, T const* rhs, int nx, int ny, int nz, std::int64_t pitch, int color,
                 Stencil<T> const& stencil, int threads) {
  std::int64_t const layer = (std::int64_t(ny) + 2) * pitch;
  int const half = nx / 2;
  T const cx = stencil.x * stencil.omega;
  T const cy = stencil.y * stencil.omega;
  T const cz = stencil.z * stencil.omega;
  T const omega = stencil.omega;
  T const keep = 1 - stencil.omega;
#pragma omp parallel for collapse(2) num_threads(threads) schedule(static)
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      int const shift = (k + j + color) % 2;
      std::int64_t const row = (k + 1) * layer + (j + 1) * pitch + 1;
      T* const center = own + row;
      T const* const b = rhs + row;
      // In its own row the other colour starts one cell off; in the four neighbouring rows it starts at our own index.
      T const* const west = other + row + shift - 1;
      T const* const east = other + row + shift;
      T const* const south = other + row - pitch;
      T const* const north = other + row + pitch;
      T const* const below = other + row - layer;
      T const* const above = other + row + layer;
#pragma omp simd
      for (int m = 0; m < half; ++m) {
        center[m] = keep * center[m] + cx * (east[m] + west[m]) + cy * (north[m] + south[m]) +
                    cz * (above[m] + below[m]) - omega * b[m];
      }
    }
  }
}

#define KARMAN_INSTANTIATE(T)                                               \
  template void copy<T>(T*, T const*, std::int64_t, int);                   \
  template void triad<T>(T*, T const*, T const*, T, std::int64_t, int);     \
  template T maximum<T>(T const*, std::int64_t, int);                       \
  template T sum<T>(T const*, std::int64_t, int);                           \
  template MinMaxSum<T> min_max_sum<T>(T const*, std::int64_t, int);        \
  template T max_speed<T>(T const*, T const*, T const*, std::int64_t, int); \
  template void relax_color<T>(T*, T const*, T const*, int, int, int, std::int64_t, int, Stencil<T> const&, int);
KARMAN_INSTANTIATE(float)
KARMAN_INSTANTIATE(double)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf::simd
