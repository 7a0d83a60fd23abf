// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fourier transforms of 2 to 8 values in registers, with the sign +i of the exponent. Independent of Kokkos.
///
/// Their callers compile them for several processors, so that all of them must be part of the caller.
#pragma once

#include <cmath>

#if defined(__CUDACC__)
#define KARMAN_INLINE __host__ __device__ __attribute__((always_inline)) inline
#else
#define KARMAN_INLINE __attribute__((always_inline)) inline
#endif

/// Before a loop over lanes, which are independent. GCC must not unroll it first: then it finds no vectors.
#if defined(__clang__)
#define KARMAN_LANES _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define KARMAN_LANES _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#else
#define KARMAN_LANES
#endif

namespace karman::detail {

/// A complex number in registers. std::complex checks its products for NaN.
template <class T>
struct Number {
  T re, im;
};
template <class T>
KARMAN_INLINE Number<T> operator+(Number<T> const& a, Number<T> const& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
KARMAN_INLINE Number<T> operator-(Number<T> const& a, Number<T> const& b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
KARMAN_INLINE Number<T> operator*(T s, Number<T> const& a) {
  return {s * a.re, s * a.im};
}
template <class T>
KARMAN_INLINE Number<T> operator*(Number<T> const& a, Number<T> const& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
KARMAN_INLINE Number<T> times_i(Number<T> const& a) {
  return {-a.im, a.re};
}

/// x_k = sum_j x_j exp(2 pi i j k / radix).
template <int radix>
struct Butterfly;

template <>
struct Butterfly<2> {
  template <class T>
  static KARMAN_INLINE void run(Number<T>* x) {
    auto const a = x[0], b = x[1];
    x[0] = a + b;
    x[1] = a - b;
  }
};

template <>
struct Butterfly<3> {
  template <class T>
  static KARMAN_INLINE void run(Number<T>* x) {
    constexpr T sine = T(0.866025403784438646763723170752936183L);  // of 2 pi / 3
    auto const sum = x[1] + x[2];
    auto const even = x[0] - T(0.5) * sum;
    auto const odd = times_i(sine * (x[1] - x[2]));
    x[0] = x[0] + sum;
    x[1] = even + odd;
    x[2] = even - odd;
  }
};

template <>
struct Butterfly<4> {
  template <class T>
  static KARMAN_INLINE void run(Number<T>* x) {
    auto const a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = times_i(x[1] - x[3]);
    x[0] = a + c;
    x[1] = b + d;
    x[2] = a - c;
    x[3] = b - d;
  }
};

template <>
struct Butterfly<5> {
  template <class T>
  static KARMAN_INLINE void run(Number<T>* x) {
    constexpr T quarter_root = T(0.559016994374947424102293417182819059L);  // sqrt(5) / 4
    constexpr T s1 = T(0.951056516295153572116439333379382143L);            // sine of 2 pi / 5
    constexpr T s2 = T(0.587785252292473129168705954639072769L);            // sine of 4 pi / 5
    auto const a = x[1] + x[4], b = x[2] + x[3], c = x[1] - x[4], d = x[2] - x[3];
    auto const sum = a + b, mean = x[0] - T(0.25) * sum, difference = quarter_root * (a - b);
    auto const even1 = mean + difference, even2 = mean - difference;
    auto const odd1 = times_i(s1 * c + s2 * d), odd2 = times_i(s2 * c - s1 * d);
    x[0] = x[0] + sum;
    x[1] = even1 + odd1;
    x[2] = even2 + odd2;
    x[3] = even2 - odd2;
    x[4] = even1 - odd1;
  }
};

template <>
struct Butterfly<6> {
  /// Prime factors 2 and 3, without twiddle factors (Good 1958).
  template <class T>
  static KARMAN_INLINE void run(Number<T>* x) {
    Number<T> even[3] = {x[0], x[2], x[4]}, odd[3] = {x[3], x[5], x[1]};
    Butterfly<3>::run(even);
    Butterfly<3>::run(odd);
    x[0] = even[0] + odd[0];
    x[3] = even[0] - odd[0];
    x[4] = even[1] + odd[1];
    x[1] = even[1] - odd[1];
    x[2] = even[2] + odd[2];
    x[5] = even[2] - odd[2];
  }
};

template <>
struct Butterfly<7> {
  template <class T>
  static KARMAN_INLINE void run(Number<T>* x) {
    // Cosines and sines of 2, 4 and 6 pi / 7.
    constexpr T c1 = T(0.623489801858733530525004884004239810L), s1 = T(0.781831482468029808708444526674057750L);
    constexpr T c2 = T(-0.222520933956314404288902564496794759L), s2 = T(0.974927912181823607018131682993931217L);
    constexpr T c3 = T(-0.900968867902419126236102319507445051L), s3 = T(0.433883739117558120475768332848358754L);
    auto const a = x[1] + x[6], b = x[2] + x[5], c = x[3] + x[4];
    auto const d = x[1] - x[6], e = x[2] - x[5], f = x[3] - x[4];
    auto const even1 = x[0] + c1 * a + c2 * b + c3 * c, odd1 = times_i(s1 * d + s2 * e + s3 * f);
    auto const even2 = x[0] + c2 * a + c3 * b + c1 * c, odd2 = times_i(s2 * d - s3 * e - s1 * f);
    auto const even3 = x[0] + c3 * a + c1 * b + c2 * c, odd3 = times_i(s3 * d - s1 * e + s2 * f);
    x[0] = x[0] + a + b + c;
    x[1] = even1 + odd1;
    x[2] = even2 + odd2;
    x[3] = even3 + odd3;
    x[4] = even3 - odd3;
    x[5] = even2 - odd2;
    x[6] = even1 - odd1;
  }
};

template <>
struct Butterfly<8> {
  template <class T>
  static KARMAN_INLINE void run(Number<T>* x) {
    constexpr T half = T(0.707106781186547524400844362104849039L);  // sqrt(1 / 2)
    Number<T> even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
    Butterfly<4>::run(even);
    Butterfly<4>::run(odd);
    odd[1] = half * Number<T>{odd[1].re - odd[1].im, odd[1].re + odd[1].im};
    odd[2] = times_i(odd[2]);
    odd[3] = half * Number<T>{-odd[3].re - odd[3].im, odd[3].re - odd[3].im};
    for (int k = 0; k < 4; ++k) {
      x[k] = even[k] + odd[k];
      x[k + 4] = even[k] - odd[k];
    }
  }
};

}  // namespace karman::detail
