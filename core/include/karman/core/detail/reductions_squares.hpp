// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sums and maxima of squares for norms and speeds, in the whole range of a number type. Squares of very large and of
/// very small numbers are kept apart and scaled by powers of two, as in LAPACK.
/// Source: J. L. Blue, A portable Fortran program to find the Euclidean norm of a vector, ACM TOMS 4 (1978).
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/detail/reductions_lanes.hpp>
#include <karman/core/detail/reductions_maps.hpp>
#include <karman/core/reduction_operations.hpp>

#include <Kokkos_Core.hpp>

#include <limits>
#include <type_traits>

namespace karman::detail {

/// Numbers whose squares need no scaling, and the factors for the others. Sums of 2^48 squares stay in range.
template <class T>
struct SquareRange;
template <>
struct SquareRange<float> {
  static constexpr float large = 0x1p40f, shrink = 0x1p-76f, unshrink = 0x1p76f;
  static constexpr float small = 0x1p-50f, grow = 0x1p86f, ungrow = 0x1p-86f;
  /// From such a sum on, squares that vanish are below its rounding.
  static constexpr float least_sum = 0x1p-80f;
  /// 2^40 such sums stay in range.
  static constexpr float most_sum = 0x1p88f;
  static constexpr float most = std::numeric_limits<float>::max();
};
template <>
struct SquareRange<double> {
  static constexpr double large = 0x1p488, shrink = 0x1p-524, unshrink = 0x1p524;
  static constexpr double small = 0x1p-450, grow = 0x1p564, ungrow = 0x1p-564;
  static constexpr double least_sum = 0x1p-940;
  static constexpr double most_sum = 0x1p984;
  static constexpr double most = std::numeric_limits<double>::max();
};

/// True where squares of fields of T may leave the range of S: then they are scaled. All of float fit into double.
template <class T, class S>
inline constexpr bool scales_squares =
    std::is_same_v<S, float> ||
    (std::is_same_v<S, double> && std::is_same_v<RealOf<T>, double> && !std::is_integral_v<T>);

/// Components of a vector, or the parts of a complex number.
template <class T, int count>
struct Components {
  T part[count];

  KOKKOS_FORCEINLINE_FUNCTION T square() const {
    T sum = part[0] * part[0];
    for (int n = 1; n < count; ++n) sum += part[n] * part[n];
    return sum;
  }
};

/// Squares in three ranges: as they are, of numbers times `shrink`, of numbers times `grow`.
template <class T>
struct ScaledSquares {
  T usual, large, small;
};

/// sqrt(sum of squares).
template <class T>
struct SumOfSquares {
  using value_type = ScaledSquares<T>;
  using Range = SquareRange<T>;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type identity() { return {T(0), T(0), T(0)}; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type join(value_type const& a, value_type const& b) {
    return {a.usual + b.usual, a.large + b.large, a.small + b.small};
  }
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION static value_type lift(Components<T, count> const& vector) {
    value_type sum = identity();
    for (int n = 0; n < count; ++n) {
      T const x = vector.part[n], size = compat::math::fabs(x);
      // A NaN is neither, and stays among the usual ones. `|` as in MaxOf.
      bool const large = size > Range::large, small = size < Range::small;
      T const usual = bool(static_cast<int>(large) | static_cast<int>(small)) ? T(0) : x;
      T const shrunk = large ? x * Range::shrink : T(0);
      T const grown = small ? x * Range::grow : T(0);
      sum.usual += usual * usual;
      sum.large += shrunk * shrunk;
      sum.small += grown * grown;
    }
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION static T finish(value_type const& sum) {
    if (sum.large > T(0)) {
      return compat::math::sqrt(sum.large + sum.usual * Range::shrink * Range::shrink) * Range::unshrink;
    }
    if (sum.usual == T(0)) return compat::math::sqrt(sum.small) * Range::ungrow;
    return compat::math::sqrt(sum.usual + sum.small * Range::ungrow * Range::ungrow);
  }
};

/// sqrt(greatest square of a vector).
template <class T>
struct MaxOfSquares {
  using value_type = ScaledSquares<T>;
  using Range = SquareRange<T>;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type identity() { return {T(0), T(0), T(0)}; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr value_type join(value_type const& a, value_type const& b) {
    return {MaxOf<T>::join(a.usual, b.usual), MaxOf<T>::join(a.large, b.large), MaxOf<T>::join(a.small, b.small)};
  }
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION static value_type lift(Components<T, count> const& vector) {
    T largest = T(0);
    for (int n = 0; n < count; ++n) {
      T const size = compat::math::fabs(vector.part[n]);
      largest = size > largest ? size : largest;
    }
    bool const large = largest > Range::large, small = largest < Range::small;
    T const factor = large ? Range::shrink : small ? Range::grow : T(1);
    Components<T, count> scaled;
    for (int n = 0; n < count; ++n) scaled.part[n] = vector.part[n] * factor;
    T const square = scaled.square();
    return {bool(static_cast<int>(large) | static_cast<int>(small)) ? T(0) : square, large ? square : T(0),
            small ? square : T(0)};
  }
  KOKKOS_FORCEINLINE_FUNCTION static T finish(value_type const& most) {
    T const all = most.usual + most.large + most.small;
    if (all != all) return all;
    T const usual = compat::math::sqrt(most.usual);
    T const large = compat::math::sqrt(most.large) * Range::unshrink;
    T const small = compat::math::sqrt(most.small) * Range::ungrow;
    return MaxOf<T>::join(usual, MaxOf<T>::join(large, small));
  }
};

template <class T, int count>
struct Lanes<SumOfSquares<T>, count> {
  T usual[count], large[count], small[count];

  KOKKOS_FORCEINLINE_FUNCTION void clear(SumOfSquares<T> const&) {
    for (int l = 0; l < count; ++l) usual[l] = large[l] = small[l] = T(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(SumOfSquares<T> const&, int l, ScaledSquares<T> const& v) {
    usual[l] += v.usual;
    large[l] += v.large;
    small[l] += v.small;
  }
  KOKKOS_FORCEINLINE_FUNCTION ScaledSquares<T> get(int l) const { return {usual[l], large[l], small[l]}; }
};

template <class T, int count>
struct Lanes<MaxOfSquares<T>, count> {
  T usual[count], large[count], small[count];

  KOKKOS_FORCEINLINE_FUNCTION void clear(MaxOfSquares<T> const&) {
    for (int l = 0; l < count; ++l) usual[l] = large[l] = small[l] = T(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(MaxOfSquares<T> const&, int l, ScaledSquares<T> const& v) {
    usual[l] = MaxOf<T>::join(usual[l], v.usual);
    large[l] = MaxOf<T>::join(large[l], v.large);
    small[l] = MaxOf<T>::join(small[l], v.small);
  }
  KOKKOS_FORCEINLINE_FUNCTION ScaledSquares<T> get(int l) const { return {usual[l], large[l], small[l]}; }
};

/// Largest magnitudes, to distinguish fields of zeros from numbers whose squares vanish.
template <class T, int count>
struct LargestParts {
  T most[count];

  template <class Op>
  KOKKOS_FORCEINLINE_FUNCTION void clear(Op const&) {
    for (int l = 0; l < count; ++l) most[l] = T(0);
  }
  template <class Op, int parts>
  KOKKOS_FORCEINLINE_FUNCTION void join(Op const&, int l, Components<T, parts> const& v) {
    for (int n = 0; n < parts; ++n) {
      T const size = compat::math::fabs(v.part[n]);
      most[l] = size > most[l] ? size : most[l];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION bool all_zero() const {
    int others = 0;
    for (int l = 0; l < count; ++l) others |= static_cast<int>(most[l] != T(0));
    return others == 0;
  }
};

/// Plain squares. Their sums show when these do not do.
template <class T, int parts, int count>
struct QuickLanes<SumOfSquares<T>, Components<T, parts>, count> {
  using Sizes = LargestParts<T, count>;
  T sum[count];

  KOKKOS_FORCEINLINE_FUNCTION void clear(SumOfSquares<T> const&) {
    for (int l = 0; l < count; ++l) sum[l] = T(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(SumOfSquares<T> const&, int l, Components<T, parts> const& v) {
    sum[l] += v.square();
  }
  KOKKOS_FORCEINLINE_FUNCTION ScaledSquares<T> get(int l) const { return {sum[l], T(0), T(0)}; }
  KOKKOS_FORCEINLINE_FUNCTION bool exact() const {
    int enough = 0, fit = 1;
    for (int l = 0; l < count; ++l) {
      enough |= static_cast<int>(sum[l] >= SquareRange<T>::least_sum);
      fit &= static_cast<int>(sum[l] <= SquareRange<T>::most_sum);
    }
    return enough != 0 && fit != 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool vanishes() const {
    int others = 0;
    for (int l = 0; l < count; ++l) others |= static_cast<int>(sum[l] != T(0));
    return others == 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool exact_for(Sizes const& sizes) const {
    return exact() || (vanishes() && sizes.all_zero());
  }
};

template <class T, int parts, int count>
struct QuickLanes<MaxOfSquares<T>, Components<T, parts>, count> {
  using Sizes = LargestParts<T, count>;
  QuickLanes<MaxOf<T>, T, count> squares;

  KOKKOS_FORCEINLINE_FUNCTION void clear(MaxOfSquares<T> const&) { squares.clear({}); }
  KOKKOS_FORCEINLINE_FUNCTION void join(MaxOfSquares<T> const&, int l, Components<T, parts> const& v) {
    squares.join({}, l, v.square());
  }
  KOKKOS_FORCEINLINE_FUNCTION ScaledSquares<T> get(int l) const { return {AtLeastZero{}(squares.get(l)), T(0), T(0)}; }
  KOKKOS_FORCEINLINE_FUNCTION bool exact() const {
    int enough = 0, fit = 1;
    for (int l = 0; l < count; ++l) {
      enough |= static_cast<int>(squares.max[l] >= SquareRange<T>::least_sum);
      fit &= static_cast<int>(squares.max[l] <= SquareRange<T>::most);
    }
    return enough != 0 && fit != 0 && squares.exact();
  }
  KOKKOS_FORCEINLINE_FUNCTION bool vanishes() const {
    int others = 0;
    for (int l = 0; l < count; ++l) others |= static_cast<int>(squares.max[l] > T(0));
    return others == 0 && squares.exact();
  }
  KOKKOS_FORCEINLINE_FUNCTION bool exact_for(Sizes const& sizes) const {
    return exact() || (vanishes() && sizes.all_zero());
  }
};

/// The largest magnitudes of both halves.
template <class T, int count>
struct LargestPartsOfBoth {
  LargestParts<T, count> first, second;

  template <class Op>
  KOKKOS_FORCEINLINE_FUNCTION void clear(Op const& op) {
    first.clear(op);
    second.clear(op);
  }
  template <class Op, class V>
  KOKKOS_FORCEINLINE_FUNCTION void join(Op const& op, int l, Both<V, V> const& v) {
    first.join(op, l, v.first);
    second.join(op, l, v.second);
  }
};

/// As of any two operations, with a check for zeros: a difference of equal fields is zero.
template <class T, int parts, int count>
struct QuickLanes<BothOf<SumOfSquares<T>, SumOfSquares<T>>, Both<Components<T, parts>, Components<T, parts>>, count> {
  using Op = BothOf<SumOfSquares<T>, SumOfSquares<T>>;
  using V = Components<T, parts>;
  using Sizes = LargestPartsOfBoth<T, count>;
  QuickLanes<SumOfSquares<T>, V, count> first, second;

  KOKKOS_FORCEINLINE_FUNCTION void clear(Op const& op) {
    first.clear(op.first);
    second.clear(op.second);
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(Op const& op, int l, Both<V, V> const& v) {
    first.join(op.first, l, v.first);
    second.join(op.second, l, v.second);
  }
  KOKKOS_FORCEINLINE_FUNCTION typename Op::value_type get(int l) const { return {first.get(l), second.get(l)}; }
  KOKKOS_FORCEINLINE_FUNCTION bool exact() const { return first.exact() && second.exact(); }
  KOKKOS_FORCEINLINE_FUNCTION bool vanishes() const { return first.vanishes() || second.vanishes(); }
  KOKKOS_FORCEINLINE_FUNCTION bool exact_for(Sizes const& sizes) const {
    return first.exact_for(sizes.first) && second.exact_for(sizes.second);
  }
};

/// A number as one component, a complex one as two.
template <class S, class T>
KOKKOS_FORCEINLINE_FUNCTION auto components(T const& x) {
  if constexpr (IsComplex<T>::value) {
    return Components<S, 2>{{static_cast<S>(x.real()), static_cast<S>(x.imag())}};
  } else {
    return Components<S, 1>{{static_cast<S>(x)}};
  }
}

template <class S>
struct ComponentsAs {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(T const& x) const {
    return components<S>(x);
  }
};

/// Components of a - b and of a.
template <class S>
struct DifferenceAndReferenceAs {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(T const& a, T const& b) const {
    using Value = decltype(components<S>(a));
    return Both<Value, Value>{components<S>(a - b), components<S>(a)};
  }
};

struct VectorOf {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION Components<T, 2> operator()(T u, T v) const {
    return {{u, v}};
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION Components<T, 3> operator()(T u, T v, T w) const {
    return {{u, v, w}};
  }
};

}  // namespace karman::detail
