// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reading and writing the bits of a wall code.
#pragma once

#include <karman/solvers/grid/wall_codes.hpp>

namespace karman::detail {

inline constexpr unsigned half_weights_flag = 1u << 15;

/// Twice the coefficient of face `face` (the number of its Side): 0, 1, 2 or 4. Doubling keeps it an integer; halving
/// it again is exact.
KOKKOS_INLINE_FUNCTION constexpr int doubled_face(unsigned code, int face) {
  unsigned const bits = (code >> (2 * face)) & 3u;
  return static_cast<int>(bits + (bits >> 1 & bits));
}

/// Twice the own weight of an axis (0 to 2) of a code with half_weights_flag: 2 or 1.
KOKKOS_INLINE_FUNCTION constexpr int doubled_half_weight(unsigned code, int axis) {
  return 1 + static_cast<int>((code >> (12 + axis)) & 1u);
}

/// The two bits for a doubled coefficient, or 4 when a code cannot hold it.
KOKKOS_INLINE_FUNCTION constexpr unsigned face_bits(double doubled) {
  return doubled == 0 ? 0u : doubled == 1 ? 1u : doubled == 2 ? 2u : doubled == 4 ? 3u : 4u;
}

/// A cell whose six faces are all closed keeps its value.
KOKKOS_INLINE_FUNCTION constexpr bool keeps_its_value(unsigned code) { return (code & 0x0fffu) == 0; }

}  // namespace karman::detail
