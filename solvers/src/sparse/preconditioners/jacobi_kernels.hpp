// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The diagonal of a sparse matrix and its inverse.
#pragma once

#include "common/scalar_parts.hpp"
#include <karman/core/concepts.hpp>
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Entry number of each row's diagonal, -1 where it has none.
template <class Exec>
struct FindDiagonal {
  Graph<Exec> graph;
  Kokkos::View<int*, typename Exec::memory_space> diagonal;
  KOKKOS_FUNCTION void operator()(int row) const {
    int found = -1;
    for (int e = graph.offsets(row); e < graph.offsets(row + 1); ++e) {
      if (graph.entries(e) == row) found = e;
    }
    diagonal(row) = found;
  }
};

/// 1 / pivot. For a pivot that cannot be inverted: 1, and it is counted.
template <class Scalar>
KOKKOS_INLINE_FUNCTION Scalar inverse_pivot(Wide<Scalar> const& pivot, int* replaced) {
  Scalar const inverse = narrowed<Scalar>(divided(Wide<Scalar>(1.0), pivot));
  // A zero pivot gives zero; an infinite or NaN pivot gives zero or a value that is not finite.
  if (is_finite(widened<Scalar>(inverse)) && inverse != Scalar(0)) return inverse;
  Kokkos::atomic_fetch_add(replaced, 1);
  return Scalar(1);
}

/// 1 / a_ii.
template <class Exec, class Scalar>
struct InvertDiagonal {
  Kokkos::View<int const*, typename Exec::memory_space> diagonal;
  Kokkos::View<Scalar const*, typename Exec::memory_space> values;
  Kokkos::View<Scalar*, typename Exec::memory_space> inverse;
  Kokkos::View<int, typename Exec::memory_space> replaced;
  KOKKOS_FUNCTION void operator()(int row) const {
    Wide<Scalar> const pivot = diagonal(row) < 0 ? Wide<Scalar>(0.0) : widened<Scalar>(values(diagonal(row)));
    inverse(row) = inverse_pivot<Scalar>(pivot, replaced.data());
  }
};

/// Sets a number on the device to zero.
template <class Exec>
struct ResetCount {
  Kokkos::View<int, typename Exec::memory_space> count;
  KOKKOS_FUNCTION void operator()(int) const { count() = 0; }
};

}  // namespace karman::detail
