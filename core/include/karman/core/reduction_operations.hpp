// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Operations of a reduction: the operations of reductions.hpp, and the requirements on an operation of the caller.
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace karman {

/// Associative and commutative operation with an identity.
///
/// - `value_type`: type of the joined values, trivially copyable, at most 64 bytes.
/// - `op.identity()`: result of an empty reduction.
/// - `op.join(a, b)`: a joined with b.
/// - `op.finish(value)`, optional: applied once to the joined value, gives the result. Example: the square root of a
///   norm.
/// - `op.lift(x)`, optional: `value_type` of a number that a map returns, where no conversion exists.
///
/// All are KOKKOS_FUNCTIONs.
template <class Op>
concept ReductionOperation =
    std::is_trivially_copyable_v<typename Op::value_type> && sizeof(typename Op::value_type) <= 64 &&
    requires(Op const op, typename Op::value_type const value) {
      { op.identity() } -> std::convertible_to<typename Op::value_type>;
      { op.join(value, value) } -> std::convertible_to<typename Op::value_type>;
    };

/// Least and greatest value.
template <class T>
struct MinMax {
  T min;  ///< least value
  T max;  ///< greatest value
};

/// Least value, greatest value and sum.
template <class T, class S = T>
struct MinMaxSum {
  T min;  ///< least value
  T max;  ///< greatest value
  S sum;  ///< sum of all values
};

/// Greatest value. Identity: -infinity, or the lowest value of an integer type. One NaN makes the result NaN; -0 and +0
/// count as equal.
template <class T>
struct MaxOf {
  /// Type of the joined values.
  using value_type = T;
  /// Identity of the operation.
  static constexpr T lowest =
      std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  /// Result of an empty reduction.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T identity() { return lowest; }
  /// Greater of two values; NaN if one of them is.
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
  /// Type of the joined values.
  using value_type = T;
  /// Identity of the operation.
  static constexpr T highest =
      std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  /// Result of an empty reduction.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T identity() { return highest; }
  /// Lesser of two values; NaN if one of them is.
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
  /// Type of the joined values.
  using value_type = T;
  /// Result of an empty reduction: 0.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T identity() { return T(0); }
  /// Sum of two values.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T join(T a, T b) { return a + b; }
};

/// Least and greatest value in one pass. A map may return plain numbers.
template <class T>
struct MinMaxOf {
  /// Type of the joined values.
  using value_type = MinMax<T>;
  /// Result of an empty reduction.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type identity() {
    return {MinOf<T>::identity(), MaxOf<T>::identity()};
  }
  /// Least and greatest value of both.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type join(value_type a, value_type b) {
    return {MinOf<T>::join(a.min, b.min), MaxOf<T>::join(a.max, b.max)};
  }
  /// Pair of one number.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type lift(T x) { return {x, x}; }
};

/// Least value, greatest value and sum in one pass. A map may return plain numbers.
template <class T, class S = T>
struct MinMaxSumOf {
  /// Type of the joined values.
  using value_type = MinMaxSum<T, S>;
  /// Result of an empty reduction.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type identity() {
    return {MinOf<T>::identity(), MaxOf<T>::identity(), SumOf<S>::identity()};
  }
  /// Least value, greatest value and sum of both.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type join(value_type a, value_type b) {
    return {MinOf<T>::join(a.min, b.min), MaxOf<T>::join(a.max, b.max), SumOf<S>::join(a.sum, b.sum)};
  }
  /// Triple of one number.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type lift(T x) { return {x, x, static_cast<S>(x)}; }
};

namespace detail {

template <class Op, class V>
KOKKOS_FORCEINLINE_FUNCTION constexpr typename Op::value_type lift(Op const& op, V const& v);

}  // namespace detail

/// Pair of values, one for each operation of BothOf.
template <class A, class B>
struct Both {
  A first;   ///< value of the first operation
  B second;  ///< value of the second operation
};

/// Two operations in one pass; each is applied to its own half of the values. The result is not finished.
template <ReductionOperation First, ReductionOperation Second>
struct BothOf {
  /// Type of the joined values.
  using value_type = Both<typename First::value_type, typename Second::value_type>;
  First first;    ///< operation on the first halves
  Second second;  ///< operation on the second halves
  /// Result of an empty reduction.
  KOKKOS_FORCEINLINE_FUNCTION constexpr value_type identity() const { return {first.identity(), second.identity()}; }
  /// Pair of the joined halves.
  KOKKOS_FORCEINLINE_FUNCTION constexpr value_type join(value_type const& a, value_type const& b) const {
    return {first.join(a.first, b.first), second.join(a.second, b.second)};
  }
  /// Pair of a pair of numbers, each lifted by its operation.
  template <class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION constexpr value_type lift(Both<A, B> const& v) const {
    return {detail::lift(first, v.first), detail::lift(second, v.second)};
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

/// Value that the operation `Op` can join.
template <class V, class Op>
concept ReductionValue = std::is_convertible_v<V, typename Op::value_type> || requires(Op const op, V const v) {
  { op.lift(v) } -> std::convertible_to<typename Op::value_type>;
};

/// Type of the result of a reduction with `Op`.
template <ReductionOperation Op>
using ReductionResult =
    std::decay_t<decltype(detail::finish(std::declval<Op const&>(), std::declval<typename Op::value_type const&>()))>;

}  // namespace karman
