// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Quotients and roots of the integrals over triangles, and addresses of team scratch. On a device they may miss by two
/// units in the last place. Exact rounding takes ten times as many operations in float. In double it has branches for
/// rare operands, and between branches a device cannot overlap the waits of independent operations.
#pragma once

#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <limits>
#include <type_traits>

namespace karman::detail {

/// The least normal number of a type, 0 of a class. A constant: nvcc refuses calls of std::numeric_limits in kernels.
template <class T>
inline constexpr double least_normal = 0;
template <>
inline constexpr double least_normal<float> = std::numeric_limits<float>::min();
template <>
inline constexpr double least_normal<double> = std::numeric_limits<double>::min();

#if defined(__CUDA_ARCH__)
/// 1 / x of a normal number. The instruction has 20 bits; a step of Newton's method doubles them.
__device__ __forceinline__ double device_inverse(double x) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  y = fma(y, fma(-x, y, 1.0), y);
  return fma(y, fma(-x, y, 1.0), y);
}

/// 1 / sqrt(x) of a normal positive number, by a step of order 3.
__device__ __forceinline__ double device_inverse_root(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  double const e = fma(-x * y, y, 1.0);
  return fma(y * e, fma(e, 0.375, 0.5), y);
}
#endif

/// a / b, with b a normal number.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T quotient(T a, T b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) return __fdividef(a, b);
  if constexpr (std::is_same_v<T, double>) {
    double const over = device_inverse(b), found = a * over;
    return fma(fma(-b, found, a), over, found);
  }
#endif
  return a / b;
}

/// Two quotients.
template <class T>
struct Quotients {
  T first, second;
};

/// a / b and c / d, in double by one division. b d must then be a normal number, and each may miss by two units in the
/// last place.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Quotients<T> quotients(T a, T b, T c, T d) {
  if constexpr (sizeof(T) < sizeof(double)) return {quotient(a, b), quotient(c, d)};
  T const over = 1 / (b * d);
  return {a * d * over, c * b * over};
}

/// a / b; 0 where b is not above the least normal number.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T quotient_or_zero(T a, T b) {
  return b > static_cast<T>(least_normal<T>) ? quotient(a, b) : T(0);
}

/// 1 / sqrt(x), of a normal positive number.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T inverse_root(T x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) return ::rsqrtf(x);
  if constexpr (std::is_same_v<T, double>) return device_inverse_root(x);
#endif
  return 1 / compat::math::sqrt(x);
}

/// sqrt(x), of 0 or a normal positive number.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T root(T x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) {
    auto const least = static_cast<float>(least_normal<float>);
    return x * ::rsqrtf(x < least ? least : x);
  }
  if constexpr (std::is_same_v<T, double>) {
    double const least = least_normal<double>, over = device_inverse_root(x < least ? least : x), found = x * over;
    return fma(fma(-found, found, x), 0.5 * over, found);
  }
#endif
  return compat::math::sqrt(x);
}

/// Informs the compiler of a device that an address is one of scratch memory of level 0: its loads and stores then need
/// no test for the kind of memory, and shorter addresses.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T* in_fast_scratch(T* address) {
#if defined(__CUDA_ARCH__)
  __builtin_assume(__isShared(address));
#endif
  return address;
}

}  // namespace karman::detail
