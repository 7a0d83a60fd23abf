// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an element kernel offers beyond the whole element matrix.
#pragma once

#include <karman/solvers/fem_element.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Whether a kernel looks at Triangle::number.
template <class Kernel>
KOKKOS_INLINE_FUNCTION constexpr bool needs_number() {
  if constexpr (requires { Kernel::needs_number; }) {
    return Kernel::needs_number;
  } else {
    return true;
  }
}

template <class Kernel, class Scalar>
concept HasRow = requires(Kernel const& kernel, Triangle const& triangle) {
  { kernel.row(triangle, 0) } -> std::same_as<ElementRow<Scalar, 3>>;
};

/// The row of corner 0.
template <class Scalar, class Kernel>
KOKKOS_FORCEINLINE_FUNCTION ElementRow<Scalar, 3> first_row(Kernel const& kernel, Triangle const& triangle) {
  if constexpr (HasRow<Kernel, Scalar>) {
    return kernel.row(triangle, 0);
  } else {
    ElementMatrix<Scalar, 3> a;
    ElementVector<Scalar, 3> b;
    kernel(triangle, a, b);
    ElementRow<Scalar, 3> row;
    for (int j = 0; j < 3; ++j) row.a[j] = a(0, j);
    row.b = b(0);
    return row;
  }
}

}  // namespace karman::detail
