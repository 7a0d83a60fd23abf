// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loop over LAPACK's gtsv, the usual code without Kokkos.
#pragma once

#include <cstdint>

namespace karman::perf::lapack {

/// Solves every system with gtsv (partial pivoting). In all five arrays, value k of system s is at k * row_stride + s *
/// system_stride. Returns the number of systems that gtsv reports as singular.
template <class T>
std::int64_t solve_all(T const* lower, T const* diagonal, T const* upper, T const* rhs, T* solution, std::int64_t rows,
                       std::int64_t systems, std::int64_t row_stride, std::int64_t system_stride, int threads);

}  // namespace karman::perf::lapack
