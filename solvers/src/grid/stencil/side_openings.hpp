// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Largest face coefficient on each side of a grid.
#pragma once

#include <karman/core/types.hpp>
#include <karman/solvers/detail/wall_code_bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// Twice the coefficient of a face, from a code or from its array.
template <class T>
KOKKOS_INLINE_FUNCTION double doubled_opening(T value, int face) {
  if constexpr (std::is_same_v<T, WallCode>) {
    return doubled_face(value, face);
  } else {
    return 2.0 * static_cast<double>(value);
  }
}

/// Largest doubled face coefficient on one side, from codes or from the array of that face. 0 where the side is closed.
/// Fences.
template <class Exec, class V>
static double widest_opening(Exec const& space, V const& coefficients, int side) {
  using Policy = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>>;
  if (coefficients.size() == 0) return 0;  // a part without cells
  int const axis = side / 2;
  auto const slow = static_cast<std::int64_t>(coefficients.extent(axis == 2 ? 1 : 0));
  auto const fast = static_cast<std::int64_t>(coefficients.extent(axis == 0 ? 1 : 2));
  std::int64_t const edge = side % 2 == 0 ? static_cast<std::int64_t>(coefficients.extent(2 - axis)) - 1 : 0;
  double widest = 0;
  Kokkos::parallel_reduce(
      "karman::stencil::side_opening", Policy(space, {0, 0}, {slow, fast}),
      KOKKOS_LAMBDA(std::int64_t a, std::int64_t b, double& value) {
        auto const coefficient = axis == 0   ? coefficients(a, b, edge)
                                 : axis == 1 ? coefficients(a, edge, b)
                                             : coefficients(edge, a, b);
        double const opening = doubled_opening(coefficient, side);
        if (opening > value) value = opening;
      },
      Kokkos::Max<double>(widest));
  return widest > 0 ? widest : 0;
}

}  // namespace karman::detail
