// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A loop around LAPACK's gtsv, as a programmer writes it without Kokkos.
#pragma once

#include <cstdint>

namespace karman::perf::lapack {

/// Solves every system with gtsv (partial pivoting). Value k of system s of all five arrays at
/// k * row_stride + s * system_stride. Returns the number of systems that gtsv called singular.
template <class T>
std::int64_t solve_all(T const* lower, T const* diagonal, T const* upper, T const* rhs, T* solution, std::int64_t rows,
                       std::int64_t systems, std::int64_t row_stride, std::int64_t system_stride, int threads);

}  // namespace karman::perf::lapack
