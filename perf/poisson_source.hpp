// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Poisson problem for the comparison of solvers, in one header for Karman and for peers in separate programs.
///
/// div grad p = f on a box of cubic cells of size 1, p = 0 on its six sides, half a cell beyond the outermost centres.
/// f is noise, so that the initial error contains every wave length that the grid can hold.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define KARMAN_PERF_FUNCTION __host__ __device__ inline
#else
#define KARMAN_PERF_FUNCTION inline
#endif

namespace karman::perf {

/// f in [-1, 1) at cell (k, j, i): integers scrambled by two rounds of multiply and shift (the finaliser of
/// MurmurHash3). Independent of the machine and of the order in which cells are visited.
KARMAN_PERF_FUNCTION double poisson_source(std::int64_t k, std::int64_t j, std::int64_t i) {
  std::uint64_t bits = (std::uint64_t(k) << 42) ^ (std::uint64_t(j) << 21) ^ std::uint64_t(i);
  bits ^= bits >> 33;
  bits *= 0xff51afd7ed558ccdULL;
  bits ^= bits >> 33;
  bits *= 0xc4ceb9fe1a85ec53ULL;
  bits ^= bits >> 33;
  return double(bits >> 11) * 0x1p-52 - 1.0;
}

}  // namespace karman::perf

#undef KARMAN_PERF_FUNCTION
