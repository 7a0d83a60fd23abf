// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An array of Views as a member of a class.
#pragma once

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Like Kokkos::Array<V, size>, for Views. g++ 12 fills the elements of an array member with zero bytes instead of
/// calling the constructor of an empty View (seen with Kokkos 4.6). The first assignment to such an element crashes. A
/// constructor that cannot be evaluated at compile time prevents this.
template <class V, int size>
struct ViewArray {
  struct Slot {
    V view;
    KOKKOS_FUNCTION Slot() : view() {}
    KOKKOS_FUNCTION Slot(V const& v) : view(v) {}  // implicit, for ViewArray<V, 2>{a, b}
  };
  Slot slots[size];

  KOKKOS_FORCEINLINE_FUNCTION V& operator[](int n) { return slots[n].view; }
  KOKKOS_FORCEINLINE_FUNCTION V const& operator[](int n) const { return slots[n].view; }
};

}  // namespace karman::detail
