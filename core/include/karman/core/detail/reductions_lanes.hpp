// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Running results on the host, one per vector lane. Lanes apply their operation strictly. QuickLanes take a shorter
/// way that may lose a NaN or the range of a square, and detect when that is possible. The same values then go through
/// LiftedLanes.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/reduction_operations.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace karman::detail {

/// Any operation: an array of its values.
template <class Op, int count>
struct Lanes {
  using value_type = typename Op::value_type;
  value_type value[count];

  KOKKOS_FORCEINLINE_FUNCTION void clear(Op const& op) {
    for (int l = 0; l < count; ++l) value[l] = op.identity();
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(Op const& op, int l, value_type const& v) { value[l] = op.join(value[l], v); }
  KOKKOS_FORCEINLINE_FUNCTION value_type get(int l) const { return value[l]; }
};

/// Separate arrays for several results, so that each of them is vectorised.
template <class T, int count>
struct Lanes<MinMaxOf<T>, count> {
  Lanes<MinOf<T>, count> min;
  Lanes<MaxOf<T>, count> max;

  KOKKOS_FORCEINLINE_FUNCTION void clear(MinMaxOf<T> const&) {
    min.clear({});
    max.clear({});
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(MinMaxOf<T> const&, int l, MinMax<T> const& v) {
    min.join({}, l, v.min);
    max.join({}, l, v.max);
  }
  KOKKOS_FORCEINLINE_FUNCTION MinMax<T> get(int l) const { return {min.get(l), max.get(l)}; }
};

template <class T, class S, int count>
struct Lanes<MinMaxSumOf<T, S>, count> {
  Lanes<MinMaxOf<T>, count> range;
  Lanes<SumOf<S>, count> sum;

  KOKKOS_FORCEINLINE_FUNCTION void clear(MinMaxSumOf<T, S> const&) {
    range.clear({});
    sum.clear({});
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(MinMaxSumOf<T, S> const&, int l, MinMaxSum<T, S> const& v) {
    range.join({}, l, {v.min, v.max});
    sum.join({}, l, v.sum);
  }
  KOKKOS_FORCEINLINE_FUNCTION MinMaxSum<T, S> get(int l) const {
    MinMax<T> const ends = range.get(l);
    return {ends.min, ends.max, sum.get(l)};
  }
};

template <class First, class Second, int count>
struct Lanes<BothOf<First, Second>, count> {
  Lanes<First, count> first;
  Lanes<Second, count> second;
  using value_type = typename BothOf<First, Second>::value_type;

  KOKKOS_FORCEINLINE_FUNCTION void clear(BothOf<First, Second> const& op) {
    first.clear(op.first);
    second.clear(op.second);
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(BothOf<First, Second> const& op, int l, value_type const& v) {
    first.join(op.first, l, v.first);
    second.join(op.second, l, v.second);
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type get(int l) const { return {first.get(l), second.get(l)}; }
};

/// The lanes of the operation. `V` is the return type of the map.
template <class Op, class V, int count>
struct LiftedLanes {
  Lanes<Op, count> lanes;

  KOKKOS_FORCEINLINE_FUNCTION void clear(Op const& op) { lanes.clear(op); }
  KOKKOS_FORCEINLINE_FUNCTION void join(Op const& op, int l, V const& v) { lanes.join(op, l, lift(op, v)); }
  KOKKOS_FORCEINLINE_FUNCTION typename Op::value_type get(int l) const { return lanes.get(l); }
  /// True if the result is that of the operation.
  KOKKOS_FORCEINLINE_FUNCTION bool exact() const { return true; }
};

/// No short cut.
template <class Op, class V, int count>
struct QuickLanes : LiftedLanes<Op, V, count> {};

/// A running sum that is NaN whenever one of its terms was. It costs one addition per value; a comparison that keeps
/// NaN would cost three more instructions. It is also NaN after +infinity and -infinity; the values are then processed
/// again.
template <class T, int count>
struct RunningSum {
  T sum[count];

  KOKKOS_FORCEINLINE_FUNCTION void clear() {
    for (int l = 0; l < count; ++l) sum[l] = T(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool has_no_nan() const {
    int suspects = 0;
    for (int l = 0; l < count; ++l) suspects |= static_cast<int>(sum[l] != sum[l]);
    return suspects == 0;
  }
};

template <class T, class V, int count>
  requires std::is_floating_point_v<T>
struct QuickLanes<MaxOf<T>, V, count> {
  T max[count];
  RunningSum<T, count> check;

  KOKKOS_FORCEINLINE_FUNCTION void clear(MaxOf<T> const& op) {
    for (int l = 0; l < count; ++l) max[l] = op.identity();
    check.clear();
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(MaxOf<T> const&, int l, T v) {
    max[l] = v > max[l] ? v : max[l];
    check.sum[l] += v;
  }
  KOKKOS_FORCEINLINE_FUNCTION T get(int l) const { return max[l]; }
  KOKKOS_FORCEINLINE_FUNCTION bool exact() const { return check.has_no_nan(); }
};

template <class T, class V, int count>
  requires std::is_floating_point_v<T>
struct QuickLanes<MinOf<T>, V, count> {
  T min[count];
  RunningSum<T, count> check;

  KOKKOS_FORCEINLINE_FUNCTION void clear(MinOf<T> const& op) {
    for (int l = 0; l < count; ++l) min[l] = op.identity();
    check.clear();
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(MinOf<T> const&, int l, T v) {
    min[l] = v < min[l] ? v : min[l];
    check.sum[l] += v;
  }
  KOKKOS_FORCEINLINE_FUNCTION T get(int l) const { return min[l]; }
  KOKKOS_FORCEINLINE_FUNCTION bool exact() const { return check.has_no_nan(); }
};

/// One check serves both where both use the same number. The requested sum is its own check.
template <class T, class S, int count>
  requires(std::is_floating_point_v<T> && std::is_floating_point_v<S>)
struct QuickLanes<MinMaxSumOf<T, S>, T, count> {
  T min[count], max[count];
  RunningSum<S, count> total;

  KOKKOS_FORCEINLINE_FUNCTION void clear(MinMaxSumOf<T, S> const&) {
    for (int l = 0; l < count; ++l) {
      min[l] = MinOf<T>::identity();
      max[l] = MaxOf<T>::identity();
    }
    total.clear();
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(MinMaxSumOf<T, S> const&, int l, T v) {
    min[l] = v < min[l] ? v : min[l];
    max[l] = v > max[l] ? v : max[l];
    total.sum[l] += static_cast<S>(v);
  }
  KOKKOS_FORCEINLINE_FUNCTION MinMaxSum<T, S> get(int l) const { return {min[l], max[l], total.sum[l]}; }
  KOKKOS_FORCEINLINE_FUNCTION bool exact() const { return total.has_no_nan(); }
};

template <class T, int count>
  requires std::is_floating_point_v<T>
struct QuickLanes<MinMaxOf<T>, T, count> {
  QuickLanes<MinMaxSumOf<T, T>, T, count> lanes;

  KOKKOS_FORCEINLINE_FUNCTION void clear(MinMaxOf<T> const&) { lanes.clear({}); }
  KOKKOS_FORCEINLINE_FUNCTION void join(MinMaxOf<T> const&, int l, T v) { lanes.join({}, l, v); }
  KOKKOS_FORCEINLINE_FUNCTION MinMax<T> get(int l) const { return {lanes.min[l], lanes.max[l]}; }
  KOKKOS_FORCEINLINE_FUNCTION bool exact() const { return lanes.exact(); }
};

template <class First, class Second, class A, class B, int count>
struct QuickLanes<BothOf<First, Second>, Both<A, B>, count> {
  QuickLanes<First, A, count> first;
  QuickLanes<Second, B, count> second;

  KOKKOS_FORCEINLINE_FUNCTION void clear(BothOf<First, Second> const& op) {
    first.clear(op.first);
    second.clear(op.second);
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(BothOf<First, Second> const& op, int l, Both<A, B> const& v) {
    first.join(op.first, l, v.first);
    second.join(op.second, l, v.second);
  }
  KOKKOS_FORCEINLINE_FUNCTION typename BothOf<First, Second>::value_type get(int l) const {
    return {first.get(l), second.get(l)};
  }
  KOKKOS_FORCEINLINE_FUNCTION bool exact() const { return first.exact() && second.exact(); }
};

}  // namespace karman::detail
