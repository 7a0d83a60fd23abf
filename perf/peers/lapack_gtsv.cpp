// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lapack_gtsv.hpp"

#include <lapacke.h>

#include <algorithm>
#include <vector>

namespace karman::perf::lapack {

namespace {
lapack_int gtsv(lapack_int n, float* lower, float* diagonal, float* upper, float* rhs) {
  return LAPACKE_sgtsv_work(LAPACK_COL_MAJOR, n, 1, lower, diagonal, upper, rhs, n);
}
lapack_int gtsv(lapack_int n, double* lower, double* diagonal, double* upper, double* rhs) {
  return LAPACKE_dgtsv_work(LAPACK_COL_MAJOR, n, 1, lower, diagonal, upper, rhs, n);
}
}  // namespace

template <class T>
std::int64_t solve_all(T const* lower, T const* diagonal, T const* upper, T const* rhs, T* solution, std::int64_t rows,
                       std::int64_t systems, std::int64_t row_stride, std::int64_t system_stride, int threads) {
  std::int64_t singular = 0;
#pragma omp parallel num_threads(threads) reduction(+ : singular)
  {
    // The first value of lower is outside of the matrix; gtsv starts at the second.
    std::vector<T> a(static_cast<std::size_t>(rows)), b(a), c(a), d(a);
#pragma omp for schedule(static)
    for (std::int64_t s = 0; s < systems; ++s) {
      std::int64_t const begin = s * system_stride;
      auto const gather = [&](std::vector<T>& to, T const* from) {
        if (row_stride == 1) std::copy_n(from + begin, rows, to.begin());
        else
          for (std::int64_t k = 0; k < rows; ++k) to[std::size_t(k)] = from[begin + k * row_stride];
      };
      gather(a, lower);
      gather(b, diagonal);
      gather(c, upper);
      gather(d, rhs);
      if (gtsv(static_cast<lapack_int>(rows), a.data() + 1, b.data(), c.data(), d.data()) != 0) ++singular;
      for (std::int64_t k = 0; k < rows; ++k) solution[begin + k * row_stride] = d[std::size_t(k)];
    }
  }
  return singular;
}

#define KARMAN_INSTANTIATE(T)                                                                                \
  template std::int64_t solve_all<T>(T const*, T const*, T const*, T const*, T*, std::int64_t, std::int64_t, \
                                     std::int64_t, std::int64_t, int);
KARMAN_INSTANTIATE(float)
KARMAN_INSTANTIATE(double)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf::lapack
