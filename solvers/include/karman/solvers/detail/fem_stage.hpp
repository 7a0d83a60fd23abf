// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shared parts of the strategies that accumulate rows in scratch.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/detail/fem_plan.hpp>
#include <karman/solvers/fem/fem_element.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace karman::detail {

/// Arrays in the scratch of a team, one taken after the other.
struct Stage {
  static constexpr std::size_t alignment = 16;  ///< that of FemPoint, which is loaded as one unit

  /// Bytes to request.
  template <class T>
  static std::size_t bytes(int n) {
    return std::size_t(n) * sizeof(T) + alignment;
  }
  template <class T, class Scratch>
  KOKKOS_FORCEINLINE_FUNCTION static T* take(Scratch const& scratch, int n) {
    return static_cast<T*>(scratch.get_shmem_aligned(std::size_t(n) * sizeof(T), alignment));
  }
};

/// Device threads that write a row together; about the length of a row.
inline constexpr int row_writers = 8;

/// A triangle whose nodes have these places among the nodes of a block.
KOKKOS_FORCEINLINE_FUNCTION Triangle staged_triangle(int number, int const (&local)[3], int const* nodes,
                                                     FemPoint const* points) {
  Triangle triangle;
  triangle.number = number;
  for (int m = 0; m < 3; ++m) {
    triangle.node[m] = nodes[local[m]];
    FemPoint const point = points[local[m]];
    triangle.x[m] = point.x;
    triangle.y[m] = point.y;
  }
  return triangle;
}

}  // namespace karman::detail
