// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Adjacent values moved in one access.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Whether all addresses are multiples of 16 bytes, the longest access of a device.
template <class... Addresses>
bool are_aligned(Addresses const*... addresses) {
  return ((reinterpret_cast<std::uintptr_t>(addresses) % 16 == 0) && ...);
}

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

/// Values of an access of 16 bytes.
template <class T>
constexpr int pack_width = 16 / static_cast<int>(sizeof(T));

/// Loads N adjacent values, whole packs where the address is a multiple of 16 bytes. N is a multiple of pack_width.
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION void load_values(T const* from, bool aligned, T (&values)[N]) {
  constexpr int width = pack_width<T>;
  static_assert(N % width == 0);
  for (int n = 0; n < N; n += width) {
    if (aligned) {
      auto const pack = load_pack<width>(from + n);
      for (int v = 0; v < width; ++v) values[n + v] = pack[v];
    } else {
      for (int v = 0; v < width; ++v) values[n + v] = from[n + v];
    }
  }
}

/// Stores them.
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION void store_values(T* to, bool aligned, T const (&values)[N]) {
  constexpr int width = pack_width<T>;
  static_assert(N % width == 0);
  for (int n = 0; n < N; n += width) {
    if (aligned) {
      Pack<T, width> pack;
      for (int v = 0; v < width; ++v) pack[v] = values[n + v];
      store_pack<width>(to + n, pack);
    } else {
      for (int v = 0; v < width; ++v) to[n + v] = values[n + v];
    }
  }
}

}  // namespace karman::detail
