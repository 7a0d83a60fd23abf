// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Adjacent values moved in one access.
#pragma once

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// N adjacent values, aligned so that a device loads and stores them with one instruction. N * sizeof(T) is a power of
/// two.
template <class T, int N>
struct alignas(N * sizeof(T)) Pack {
  T value[N];
  KOKKOS_INLINE_FUNCTION T& operator[](int n) { return value[n]; }
  KOKKOS_INLINE_FUNCTION T const& operator[](int n) const { return value[n]; }
};

/// Loads N values from an address that is aligned for them.
template <int N, class T>
KOKKOS_INLINE_FUNCTION Pack<T, N> load_pack(T const* address) {
  return *reinterpret_cast<Pack<T, N> const*>(address);
}

/// Stores N values to an address that is aligned for them.
template <int N, class T>
KOKKOS_INLINE_FUNCTION void store_pack(T* address, Pack<T, N> const& values) {
  *reinterpret_cast<Pack<T, N>*>(address) = values;
}

}  // namespace karman::detail
