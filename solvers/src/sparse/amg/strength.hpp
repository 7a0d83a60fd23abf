// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Strong connections of a matrix.
#pragma once

#include "common/scalar_parts.hpp"
#include <karman/core/concepts.hpp>
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// One byte per entry of a matrix: 1 for a strong connection with another row.
template <class Exec>
using EntryMarks = Kokkos::View<std::uint8_t*, typename Exec::memory_space>;
template <class Exec>
using ConstEntryMarks = Kokkos::View<std::uint8_t const*, typename Exec::memory_space>;

/// |a_ii|, 0 for a row without a diagonal entry.
template <class Exec, class Scalar>
struct DiagonalSizes {
  CsrMatrix<Exec, Scalar> a;
  Kokkos::View<double*, typename Exec::memory_space> size;

  KOKKOS_FUNCTION void operator()(int row) const {
    double found = 0;
    for (int e = a.graph.offsets(row); e < a.graph.offsets(row + 1); ++e) {
      if (a.graph.entries(e) == row) found = compat::math::sqrt(squared_magnitude(widened<Scalar>(a.values(e))));
    }
    size(row) = found;
  }
};

/// Marks |a_ij|^2 > theta^2 |a_ii a_jj|. A value that is not a number is weak.
template <class Exec, class Scalar>
struct MarkStrong {
  CsrMatrix<Exec, Scalar> a;
  Kokkos::View<double const*, typename Exec::memory_space> size;
  double theta;
  EntryMarks<Exec> strong;

  KOKKOS_FUNCTION void operator()(int row) const {
    double const limit = theta * theta * size(row);
    for (int e = a.graph.offsets(row); e < a.graph.offsets(row + 1); ++e) {
      int const column = a.graph.entries(e);
      double const square = squared_magnitude(widened<Scalar>(a.values(e)));
      strong(e) = column != row && square > limit * size(column);
    }
  }
};

}  // namespace karman::detail
