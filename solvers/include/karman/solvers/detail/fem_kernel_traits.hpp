// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Optional members of an element kernel, beyond the whole element matrix.
#pragma once

#include <karman/solvers/fem/fem_element.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <type_traits>

namespace karman::detail {

template <class Kernel>
struct NeedsNumber : std::true_type {};
template <class Kernel>
  requires requires { Kernel::needs_number; }
struct NeedsNumber<Kernel> : std::bool_constant<Kernel::needs_number> {};

/// True if a kernel uses Triangle::number.
template <class Kernel>
inline constexpr bool needs_number = NeedsNumber<Kernel>::value;

struct NoCorner {};

template <class Kernel>
struct CornerOf {
  using type = NoCorner;
};
template <NodalKernel Kernel>
struct CornerOf<Kernel> {
  using type = typename Kernel::Corner;
};

/// Type that a kernel reads at a node; an empty type where it declares none.
template <class Kernel>
using KernelCorner = typename CornerOf<Kernel>::type;

template <class Kernel>
KOKKOS_FORCEINLINE_FUNCTION KernelCorner<Kernel> corner_of(Kernel const& kernel, int node) {
  if constexpr (NodalKernel<Kernel>) return kernel.corner(node);
  else return {};
}

/// integrate() for a caller that already holds the kernel's values at the nodes.
template <class Scalar, class Kernel>
KOKKOS_FORCEINLINE_FUNCTION void integrate_with(KernelCorner<Kernel> const (&corners)[3], Kernel const& kernel,
                                                Triangle const& triangle, ElementMatrix<Scalar, 3>& a,
                                                ElementVector<Scalar, 3>& b) {
  if constexpr (NodalKernel<Kernel>) kernel(triangle, corners, a, b);
  else kernel(triangle, a, b);
}

}  // namespace karman::detail
