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
/// norm, for example). `op.lift(x)`: the value_type of a number that a map returns, where there is no conversion.
/// All are KOKKOS_FUNCTIONs.
template <class Op>
concept ReductionOperation =
    std::is_trivially_copyable_v<typename Op::value_type> && sizeof(typename Op::value_type) <= 64 &&
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

/// Least and greatest value in one pass. A map may return plain numbers.
template <class T>
struct MinMaxOf {
  using value_type = MinMax<T>;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type identity() {
    return {MinOf<T>::identity(), MaxOf<T>::identity()};
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type join(value_type a, value_type b) {
    return {MinOf<T>::join(a.min, b.min), MaxOf<T>::join(a.max, b.max)};
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type lift(T x) { return {x, x}; }
};

/// Least and greatest value and sum in one pass. A map may return plain numbers.
template <class T, class S = T>
struct MinMaxSumOf {
  using value_type = MinMaxSum<T, S>;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type identity() {
    return {MinOf<T>::identity(), MaxOf<T>::identity(), SumOf<S>::identity()};
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type join(value_type a, value_type b) {
    return {MinOf<T>::join(a.min, b.min), MaxOf<T>::join(a.max, b.max), SumOf<S>::join(a.sum, b.sum)};
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type lift(T x) { return {x, x, static_cast<S>(x)}; }
};

/// Two values that belong together.
template <class A, class B>
struct Both {
  A first;
  B second;
};

/// Two operations in one pass; each is applied to its own half of the values. The result is not finished.
template <ReductionOperation First, ReductionOperation Second>
struct BothOf {
  using value_type = Both<typename First::value_type, typename Second::value_type>;
  First first;
  Second second;
  KOKKOS_FORCEINLINE_FUNCTION constexpr value_type identity() const { return {first.identity(), second.identity()}; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr value_type join(value_type const& a, value_type const& b) const {
    return {first.join(a.first, b.first), second.join(a.second, b.second)};
  }
};

namespace detail {

/// A value of the map as a value of the operation.
template <class Op, class V>
KOKKOS_FORCEINLINE_FUNCTION constexpr typename Op::value_type lift(Op const& op, V const& v) {
  if constexpr (std::is_convertible_v<V, typename Op::value_type>) {
    return static_cast<typename Op::value_type>(v);
  } else {
    return op.lift(v);
  }
}

template <class Op>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto finish(Op const& op, typename Op::value_type const& value) {
  if constexpr (requires { op.finish(value); }) {
    return op.finish(value);
  } else {
    return value;
  }
}

}  // namespace detail

/// Values that the operation Op can join.
template <class V, class Op>
concept ReductionValue = std::is_convertible_v<V, typename Op::value_type> || requires(Op const op, V const v) {
  { op.lift(v) } -> std::convertible_to<typename Op::value_type>;
};

/// What a reduction with the operation Op gives.
template <ReductionOperation Op>
using ReductionResult =
    std::decay_t<decltype(detail::finish(std::declval<Op const&>(), std::declval<typename Op::value_type const&>()))>;

}  // namespace karman
