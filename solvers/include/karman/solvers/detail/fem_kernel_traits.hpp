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

/// Whether a kernel says what it reads at a node.
template <class Kernel>
concept HasCorner = requires(Kernel const& kernel) {
  typename Kernel::Corner;
  { kernel.corner(0) } -> std::same_as<typename Kernel::Corner>;
};

struct NoCorner {};

template <class Kernel>
struct CornerOf {
  using type = NoCorner;
};
template <HasCorner Kernel>
struct CornerOf<Kernel> {
  using type = typename Kernel::Corner;
};

/// What a kernel reads at a node; nothing where it does not say.
template <class Kernel>
using KernelCorner = typename CornerOf<Kernel>::type;

template <class Kernel>
KOKKOS_FORCEINLINE_FUNCTION KernelCorner<Kernel> corner_of(Kernel const& kernel, int node) {
  if constexpr (HasCorner<Kernel>) return kernel.corner(node);
  else return {};
}

/// The row of corner 0, of which the caller has what the kernel reads at the nodes.
template <class Scalar, class Kernel>
KOKKOS_FORCEINLINE_FUNCTION ElementRow<Scalar, 3> first_row(Kernel const& kernel, Triangle const& triangle,
                                                            KernelCorner<Kernel> const (&corners)[3]) {
  if constexpr (HasCorner<Kernel>) {
    return kernel.row(triangle, corners, 0);
  } else if constexpr (HasRow<Kernel, Scalar>) {
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

template <class Scalar, class Kernel>
KOKKOS_FORCEINLINE_FUNCTION ElementRow<Scalar, 3> first_row(Kernel const& kernel, Triangle const& triangle) {
  return first_row<Scalar>(
      kernel, triangle,
      {corner_of(kernel, triangle.node[0]), corner_of(kernel, triangle.node[1]), corner_of(kernel, triangle.node[2])});
}

}  // namespace karman::detail
