// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Elimination of elimination.hpp that keeps its pivot rows, so that nothing is eliminated twice.
///
/// The pivot row of an unknown keeps its coefficients of the left end. Substitution then is that of Gaussian
/// elimination in an order of unknowns in which both ends come last.
#pragma once

#include "chunk.hpp"
#include "common/unroll.hpp"
#include "elimination.hpp"

#include <Kokkos_Core.hpp>

namespace karman::detail::pivoting {

/// Scales rows 0 to `count` - 1 to entries of order one; their factors.
template <class T, int K>
KOKKOS_FORCEINLINE_FUNCTION FactorRange<decltype(size_of(T()))> scale_rows(RowChunk<T, K>& rows, int count) {
  using R = decltype(size_of(T()));
  FactorRange<R> range;
  KARMAN_UNROLL
  for (int k = 0; k < K; ++k) {
    if (k >= count) continue;
    R const factor = row_factor(size_of(rows.lower[k]), size_of(rows.diagonal[k]), size_of(rows.upper[k]));
    range.join(factor);
    rows.lower[k] *= factor;
    rows.diagonal[k] *= factor;
    rows.upper[k] *= factor;
    rows.rhs[k] *= factor;
  }
  return range;
}

/// Pivot rows of a segment of at most K rows. Row k gives unknown k - 1 from both ends and the two unknowns after it.
template <class T, int K>
struct SegmentPivots {
  T left0[K], left1[K], next[K], beyond[K], rhs[K];

  /// The relation of `count` rows, 2 <= count <= K.
  KOKKOS_FORCEINLINE_FUNCTION Relation<T> reduce(RowChunk<T, K> const& rows, int count) {
    T const zero(0);
    ActiveRow<T> a{rows.lower[0], rows.diagonal[0], rows.upper[0], zero, zero, rows.rhs[0]};
    ActiveRow<T> b{zero, rows.lower[1], rows.diagonal[1], rows.upper[1], zero, rows.rhs[1]};
    KARMAN_UNROLL
    for (int k = 2; k < K; ++k) {
      left0[k] = left1[k] = next[k] = beyond[k] = rhs[k] = zero;  // also without a row: no older value stays alive
      if (k >= count) continue;
      ActiveRow<T> c{zero, zero, rows.lower[k], rows.diagonal[k], rows.upper[k], rows.rhs[k]};
      eliminate_one(a, b, c);
      left0[k] = c.left0;
      left1[k] = c.left1;
      next[k] = c.next;
      beyond[k] = c.beyond;
      rhs[k] = c.rhs;
    }
    return {{a.left0, a.left1, a.here, a.next, a.rhs}, {b.left0, b.left1, b.here, b.next, b.rhs}};
  }

  /// The unknowns of the segment from those at its ends.
  KOKKOS_FORCEINLINE_FUNCTION void expand(State<T> const& begin, State<T> const& end, int count, T (&x)[K]) const {
    // Beyond the segment and at its last row: the end. All indices are constants, so that x stays in registers.
    T x1 = end.before, x2 = end.after;
    KARMAN_UNROLL
    for (int k = K - 1; k >= 1; --k) {
      if (k + 1 < K && k + 1 < count) {
        int const row = k + 1 < K ? k + 1 : k;
        T const unknown =
            rhs[row] - left0[row] * begin.before - left1[row] * begin.after - next[row] * x1 - beyond[row] * x2;
        x2 = x1;
        x1 = unknown;
      }
      x[k] = x1;
    }
    x[0] = begin.after;
  }
};

/// Pivot rows of the pair of unknowns between two relations: `after` gives the one after the boundary from both ends;
/// `before` gives the one before it also from that.
template <class T>
struct JoinPivots {
  static constexpr int values = 11;
  struct Row {
    T left0, left1, next0, next1, rhs;
  };
  Row after, before;
  T across;  ///< coefficient of the unknown after the boundary in `before`

  KOKKOS_FORCEINLINE_FUNCTION State<T> state(State<T> const& begin, State<T> const& end) const {
    auto const known = [&](Row const& row) {
      return row.rhs - row.left0 * begin.before - row.left1 * begin.after - row.next0 * end.before -
             row.next1 * end.after;
    };
    T const second = known(after);
    return {known(before) - across * second, second};
  }
};

/// The relation of two neighbouring ones.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Relation<T> join(Relation<T> const& left, Relation<T> const& right, JoinPivots<T>& kept) {
  GroupRow<T> a = at_the_left_end<T>(left.first), b = at_the_left_end<T>(left.second);
  GroupRow<T> c = starting_here<T>(right.first), d = starting_here<T>(right.second);
  eliminate_pair(a, b, c, d);
  kept.after = {c.left0, c.left1, c.next0, c.next1, c.rhs};
  kept.before = {d.left0, d.left1, d.next0, d.next1, d.rhs};
  kept.across = d.here1;
  return {{a.left0, a.left1, a.next0, a.next1, a.rhs}, {b.left0, b.left1, b.next0, b.next1, b.rhs}};
}

}  // namespace karman::detail::pivoting
