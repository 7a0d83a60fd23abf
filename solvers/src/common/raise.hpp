// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Atomic maximum of numbers that are not negative.
#pragma once

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Raises a number, none negative, to at least `value`. The bits of such numbers ascend as they do, and whole numbers
/// have a native atomic operation.
KOKKOS_FORCEINLINE_FUNCTION void raise(double* number, double value) {
  auto* const bits = reinterpret_cast<unsigned long long*>(number);
  Kokkos::atomic_fetch_max(bits, __builtin_bit_cast(unsigned long long, value));
}

}  // namespace karman::detail
