// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loop over LAPACK's gtsv, the usual code without Kokkos.
#pragma once

#include <cstdint>
#include <vector>

namespace karman::perf::lapack {

/// Solves every system with gtsv (partial pivoting). In all five arrays, value k of system s is at k * row_stride + s *
/// system_stride. Returns the number of systems that gtsv reports as singular.
template <class T>
std::int64_t solve_all(T const* lower, T const* diagonal, T const* upper, T const* rhs, T* solution, std::int64_t rows,
                       std::int64_t systems, std::int64_t row_stride, std::int64_t system_stride, int threads);

/// Interleaved systems with one matrix: gtsv with many right-hand sides per call. It factors once per call. Its
/// elimination proceeds row by row over all right-hand sides, whose updates do not depend on each other.
template <class T>
class SharedMatrix {
 public:
  SharedMatrix(std::int64_t rows, std::int64_t systems, int threads);

  /// Value k of the right-hand side and solution of system s is at k * systems + s. Returns the number of calls of
  /// gtsv that report a singular matrix.
  std::int64_t solve(T const* lower, T const* diagonal, T const* upper, T const* rhs, T* solution);

 private:
  /// Arrays of a thread, which gtsv overwrites.
  struct Workspace {
    std::vector<T> lower, diagonal, upper, values;
  };
  std::int64_t rows_, systems_;
  std::vector<Workspace> workspaces_;
};

}  // namespace karman::perf::lapack
