// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a reduction joins: the operations of reductions.hpp, and what an operation of one's own has to provide.
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace karman {

/// An associative and commutative operation with an identity:
///   value_type           what is joined, at most 64 bytes, trivially copyable;
///   op.identity()        the result of nothing at all;
///   op.join(a, b)        a and b together.
/// Optional: `op.finish(value)`, applied once to the joined value; what it returns is the result (the square root of a
/// norm, for example). Both are KOKKOS_FUNCTIONs.
template <class Op>
concept ReductionOperation = std::is_trivially_copyable_v<typename Op::value_type> && sizeof(typename Op::value_type) <= 64 &&
    requires(Op const op, typename Op::value_type const value) {
      { op.identity() } -> std::convertible_to<typename Op::value_type>;
      { op.join(value, value) } -> std::convertible_to<typename Op::value_type>;
    };

/// The least and the greatest value.
template <class T>
struct MinMax {
  T min;
  T max;
};

/// The least and the greatest value and the sum of all.
template <class T, class S = T>
struct MinMaxSum {
  T min;
  T max;
  S sum;
};

/// Greatest value. Identity: -infinity, or the lowest value of an integer type. A NaN among the values makes the result
/// NaN; -0 and +0 count as equal.
template <class T>
struct MaxOf {
  using value_type = T;
  static constexpr T lowest =
      std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T identity() { return lowest; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T join(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      // A NaN compares false with everything: this way one in b is taken and one in a is kept. `|`, because `||` is
      // a branch and a branch is not vectorised.
      return bool(static_cast<int>(b > a) | static_cast<int>(b != b)) ? b : a;
    } else {
      return b > a ? b : a;
    }
  }
};

/// Least value. Identity: +infinity, or the highest value of an integer type. NaN as in MaxOf.
template <class T>
struct MinOf {
  using value_type = T;
  static constexpr T highest =
      std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T identity() { return highest; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T join(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return bool(static_cast<int>(b < a) | static_cast<int>(b != b)) ? b : a;
    } else {
      return b < a ? b : a;
    }
  }
};

/// Sum; T may be a Kokkos::complex.
template <class T>
struct SumOf {
  using value_type = T;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T identity() { return T(0); }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T join(T a, T b) { return a + b; }
};

/// Least and greatest value in one pass.
template <class T>
struct MinMaxOf {
  using value_type = MinMax<T>;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type identity() {
    return {MinOf<T>::identity(), MaxOf<T>::identity()};
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type join(value_type a, value_type b) {
    return {MinOf<T>::join(a.min, b.min), MaxOf<T>::join(a.max, b.max)};
  }
};

/// Least and greatest value and sum in one pass.
template <class T, class S = T>
struct MinMaxSumOf {
  using value_type = MinMaxSum<T, S>;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type identity() {
    return {MinOf<T>::identity(), MaxOf<T>::identity(), SumOf<S>::identity()};
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type join(value_type a, value_type b) {
    return {MinOf<T>::join(a.min, b.min), MaxOf<T>::join(a.max, b.max), SumOf<S>::join(a.sum, b.sum)};
  }
};

namespace detail {

template <class Op>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto finish(Op const& op, typename Op::value_type const& value) {
  if constexpr (requires { op.finish(value); }) {
    return op.finish(value);
  } else {
    return value;
  }
}

}  // namespace detail

/// What a reduction with the operation Op gives.
template <ReductionOperation Op>
using ReductionResult =
    std::decay_t<decltype(detail::finish(std::declval<Op const&>(), std::declval<typename Op::value_type const&>()))>;

}  // namespace karman
