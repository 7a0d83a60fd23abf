// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lapack_gtsv.hpp"

#include <lapacke.h>

#include <algorithm>
#include <vector>

namespace karman::perf::lapack {

namespace {
lapack_int gtsv(lapack_int n, lapack_int sides, float* lower, float* diagonal, float* upper, float* rhs,
                lapack_int pitch) {
  return LAPACKE_sgtsv_work(LAPACK_COL_MAJOR, n, sides, lower, diagonal, upper, rhs, pitch);
}
lapack_int gtsv(lapack_int n, lapack_int sides, double* lower, double* diagonal, double* upper, double* rhs,
                lapack_int pitch) {
  return LAPACKE_dgtsv_work(LAPACK_COL_MAJOR, n, sides, lower, diagonal, upper, rhs, pitch);
}

constexpr std::int64_t sides_per_call = 32;

/// Distance of right-hand sides: a cache line more than their length. With a power of two all values of a row would
/// compete for the same lines of the cache.
template <class T>
std::int64_t pitch_of(std::int64_t rows) {
  return rows + 64 / std::int64_t(sizeof(T));
}
}  // namespace

template <class T>
std::int64_t solve_all(T const* lower, T const* diagonal, T const* upper, T const* rhs, T* solution, std::int64_t rows,
                       std::int64_t systems, std::int64_t row_stride, std::int64_t system_stride, int threads) {
  std::int64_t singular = 0;
  // Systems side by side are copied in blocks, row by row: one at a time, every value would be on a line of its own.
  std::int64_t const block = row_stride == 1 ? 1 : sides_per_call, blocks = (systems + block - 1) / block;
  std::int64_t const pitch = pitch_of<T>(rows);
#pragma omp parallel num_threads(threads) reduction(+ : singular)
  {
    // The first value of lower is outside of the matrix; gtsv starts at the second.
    std::vector<T> a(static_cast<std::size_t>(block * pitch)), b(a), c(a), d(a);
#pragma omp for schedule(static)
    for (std::int64_t first = 0; first < blocks; ++first) {
      std::int64_t const begin = first * block, count = std::min(block, systems - begin);
      auto const visit = [&](auto const& at) {
        if (row_stride == 1) {
          for (std::int64_t k = 0; k < rows; ++k) at(std::size_t(k), begin * system_stride + k);
        } else {
          for (std::int64_t k = 0; k < rows; ++k) {
            for (std::int64_t s = 0; s < count; ++s)
              at(std::size_t(s * pitch + k), (begin + s) * system_stride + k * row_stride);
          }
        }
      };
      auto const gather = [&](std::vector<T>& to, T const* from) {
        visit([&](std::size_t here, std::int64_t there) { to[here] = from[there]; });
      };
      gather(a, lower);
      gather(b, diagonal);
      gather(c, upper);
      gather(d, rhs);
      auto const n = static_cast<lapack_int>(rows);
      for (std::int64_t s = 0; s < count; ++s) {
        std::int64_t const at = s * pitch;
        if (gtsv(n, 1, a.data() + at + 1, b.data() + at, c.data() + at, d.data() + at, n) != 0) ++singular;
      }
      visit([&](std::size_t here, std::int64_t there) { solution[there] = d[here]; });
    }
  }
  return singular;
}

template <class T>
SharedMatrix<T>::SharedMatrix(std::int64_t rows, std::int64_t systems, int threads)
    : rows_(rows), systems_(systems), workspaces_(static_cast<std::size_t>(threads)) {
  auto const n = static_cast<std::size_t>(rows);
  auto const values = static_cast<std::size_t>(sides_per_call * pitch_of<T>(rows));
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    workspaces_[std::size_t(t)] = {std::vector<T>(n), std::vector<T>(n), std::vector<T>(n), std::vector<T>(values)};
  }
}

template <class T>
std::int64_t SharedMatrix<T>::solve(T const* lower, T const* diagonal, T const* upper, T const* rhs, T* solution) {
  auto const threads = static_cast<int>(workspaces_.size());
  std::int64_t const pitch = pitch_of<T>(rows_);
  std::int64_t singular = 0;
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(+ : singular)
  for (int t = 0; t < threads; ++t) {
    auto& [a, b, c, d] = workspaces_[std::size_t(t)];
    std::int64_t const end = systems_ * (t + 1) / threads;
    for (std::int64_t first = systems_ * t / threads; first < end; first += sides_per_call) {
      std::int64_t const sides = std::min(sides_per_call, end - first);
      std::copy_n(lower, rows_, a.begin());
      std::copy_n(diagonal, rows_, b.begin());
      std::copy_n(upper, rows_, c.begin());
      for (std::int64_t k = 0; k < rows_; ++k) {
        for (std::int64_t s = 0; s < sides; ++s) d[std::size_t(s * pitch + k)] = rhs[k * systems_ + first + s];
      }
      // The first value of lower is outside of the matrix.
      if (gtsv(static_cast<lapack_int>(rows_), static_cast<lapack_int>(sides), a.data() + 1, b.data(), c.data(),
               d.data(), static_cast<lapack_int>(pitch)) != 0) {
        ++singular;
      }
      for (std::int64_t k = 0; k < rows_; ++k) {
        for (std::int64_t s = 0; s < sides; ++s) solution[k * systems_ + first + s] = d[std::size_t(s * pitch + k)];
      }
    }
  }
  return singular;
}

#define KARMAN_INSTANTIATE(T)                                                                                \
  template std::int64_t solve_all<T>(T const*, T const*, T const*, T const*, T*, std::int64_t, std::int64_t, \
                                     std::int64_t, std::int64_t, int);                                       \
  template class SharedMatrix<T>;
KARMAN_INSTANTIATE(float)
KARMAN_INSTANTIATE(double)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf::lapack
