// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an element kernel offers beyond the whole element matrix.
#pragma once

#include <karman/solvers/fem_element.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <type_traits>

namespace karman::detail {

template <class Kernel>
struct NeedsNumber : std::true_type {};
template <class Kernel>
  requires requires { Kernel::needs_number; }
struct NeedsNumber<Kernel> : std::bool_constant<Kernel::needs_number> {};

/// Whether a kernel looks at Triangle::number.
template <class Kernel>
inline constexpr bool needs_number = NeedsNumber<Kernel>::value;

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
