// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Elimination with scaled partial pivoting inside a piece of a tridiagonal system, as device functions.
///
/// A segment of rows 0 .. m - 1, m >= 2, couples m + 2 unknowns: its own and the neighbours x(-1) and x(m). Its m rows
/// hold the m - 2 inner unknowns x(1) .. x(m - 2) with full column rank whenever the whole matrix is nonsingular. So
/// elimination with a free choice of the pivot row never has to divide by zero. Two equations remain, in x(-1), x(0),
/// x(m - 1) and x(m): a relation between the pairs of unknowns at the left and the right end. Neighbouring relations
/// share a pair and are joined in the same way, until one is left.
///
/// The choice of pivots compares rows scaled to entries of order one (a power of two, so exactly). Where columns and
/// not rows differ in size it compares rows without scaling (Compared). Elimination of a chain of segments is as stable
/// as Gaussian elimination with partial pivoting in that order of unknowns (S. J. Wright, Stable parallel algorithms
/// for two-point boundary value problems, 1992). The partition and a substitution that repeats the elimination instead
/// of storing factors follow C. Klein and R. Strzodka, Tridiagonal GPU solver with scaled partial pivoting at maximum
/// bandwidth, 2021. Their segments keep one row per end instead.
#pragma once

#include "common/unroll.hpp"
#include "rows.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace karman::detail::pivoting {

// --- scalars --------------------------------------------------------------------------------------------------------

/// 2^-e for a magnitude in [2^e, 2^(e + 1)); the nearest finite power for 0, infinity and NaN.
KOKKOS_INLINE_FUNCTION double inverse_power_of_two(double magnitude) {
  std::uint64_t bits;
  std::memcpy(&bits, &magnitude, sizeof bits);
  std::int64_t const exponent = 2046 - std::int64_t((bits >> 52) & 0x7ff);
  bits = std::uint64_t(exponent < 1 ? 1 : exponent) << 52;
  std::memcpy(&magnitude, &bits, sizeof bits);
  return magnitude;
}
KOKKOS_INLINE_FUNCTION float inverse_power_of_two(float magnitude) {
  std::uint32_t bits;
  std::memcpy(&bits, &magnitude, sizeof bits);
  std::int32_t const exponent = 254 - std::int32_t((bits >> 23) & 0xff);
  bits = std::uint32_t(exponent < 1 ? 1 : exponent) << 23;
  std::memcpy(&magnitude, &bits, sizeof bits);
  return magnitude;
}

template <class T>
KOKKOS_INLINE_FUNCTION T larger(T a, T b) {
  return a > b ? a : b;
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void swap_if(bool swap, T& a, T& b) {
  T const first = swap ? b : a;
  b = swap ? a : b;
  a = first;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void swap_if(bool swap, Kokkos::complex<T>& a, Kokkos::complex<T>& b) {
  T re[2] = {a.real(), b.real()};
  T im[2] = {a.imag(), b.imag()};
  swap_if(swap, re[0], re[1]);
  swap_if(swap, im[0], im[1]);
  a = Kokkos::complex<T>(re[0], im[0]);
  b = Kokkos::complex<T>(re[1], im[1]);
}

// --- scales of rows -------------------------------------------------------------------------------------------------

/// Scaling of rows for the choice of a pivot.
enum class Compared {
  scaled,      ///< each by a power of two, to entries of order one
  as_they_are  ///< unscaled, where columns differ in size and a row's largest entry reflects only the largest column
};

/// Sizes of rows that differ by more than this are significant; less is chance.
template <class R>
inline constexpr R far_apart = R(64);

/// Least and greatest factor of the rows of a segment.
template <class R>
struct FactorRange {
  R least = R(HUGE_VAL), greatest = R(0);

  KOKKOS_INLINE_FUNCTION void join(R factor) {
    least = least < factor ? least : factor;
    greatest = greatest > factor ? greatest : factor;
  }
  /// True if rows, or columns, differ much in size.
  KOKKOS_INLINE_FUNCTION bool wide() const { return greatest > far_apart<R> * least; }
};

/// The factor of a row with entries of these sizes.
template <class R>
KOKKOS_INLINE_FUNCTION R row_factor(R lower, R diagonal, R upper) {
  return inverse_power_of_two(larger(larger(lower, diagonal), upper));
}

/// e for a magnitude in [2^e, 2^(e + 1)); for 0, infinity and NaN the exponent of the smallest or largest power.
template <class R>
KOKKOS_INLINE_FUNCTION int exponent_of(R magnitude) {
  constexpr int mantissa = sizeof(R) == 8 ? 52 : 23, bias = sizeof(R) == 8 ? 1023 : 127;
  std::conditional_t<sizeof(R) == 8, std::uint64_t, std::uint32_t> bits;
  std::memcpy(&bits, &magnitude, sizeof bits);
  return int((bits >> mantissa) & (2 * bias + 1)) - bias;
}

/// Binary digits by which a largest entry is below one. At most as many as 7e7 rows can add in 32 bits. So a row or
/// column without entries, which no solvable matrix has, counts once.
KOKKOS_INLINE_FUNCTION int digits_lost(int exponent) { return exponent >= 0 ? 0 : exponent < -30 ? 30 : -exponent; }

/// Binary exponents of three entries, of one row or of one column.
struct Exponents {
  static constexpr int none = -4096;  ///< of an entry that is zero or does not count; below every other
  int first, second, third;

  KOKKOS_INLINE_FUNCTION int most() const {
    int const ends = first > third ? first : third;
    return ends > second ? ends : second;
  }
  /// The exponents after division of the entries by powers of two.
  KOKKOS_INLINE_FUNCTION Exponents over(int a, int b, int c) const {
    return {first == none ? none : first - a, second == none ? none : second - b, third == none ? none : third - c};
  }
};

/// Digits that columns lack where each row is scaled by its largest entry, less the digits of rows vice versa. Positive
/// where columns differ in size, negative where rows do. Scaling by the cause leaves an entry of order one in every row
/// and column. Scaling by the other leaves small those that meet only larger neighbours. Rows and columns `begin` to
/// `end` - 1 of a system of `rows`; size(k) gives the sizes of row k, as a row.
template <class R, class Size>
KOKKOS_INLINE_FUNCTION int count_votes(Size const& size, std::int64_t begin, std::int64_t end, std::int64_t rows) {
  constexpr int none = Exponents::none;
  auto const exponents = [&](std::int64_t k) {
    if (k < 0 || k >= rows) return Exponents{none, none, none};
    auto const row = size(k);
    auto const of = [](R s) { return s > R(0) ? exponent_of(s) : Exponents::none; };
    return Exponents{k > 0 ? of(row.lower) : none, of(row.diagonal), k + 1 < rows ? of(row.upper) : none};
  };
  // Rows k - 1 to k + 1; the largest entries of columns k - 2 and k - 1.
  Exponents before = exponents(begin - 2), here = exponents(begin - 1);
  int column_last = none, column_before = none;
  int votes = 0;
  for (std::int64_t k = begin - 1; k <= end; ++k) {
    Exponents const after = exponents(k + 1);
    Exponents const column{before.third, here.second, after.first};
    if (k >= begin && k < end) votes += digits_lost(column.over(before.most(), here.most(), after.most()).most());
    // Row k - 1, whose last column is complete.
    if (k > begin) votes -= digits_lost(before.over(column_last, column_before, column.most()).most());
    before = here;
    here = after;
    column_last = column_before;
    column_before = column.most();
  }
  return votes;
}

// --- relations ------------------------------------------------------------------------------------------------------

/// Two equations between the pair of unknowns at the left end of a piece and the pair at its right end:
/// left0 s(0) + left1 s(1) + right0 t(0) + right1 t(1) = rhs.
template <class T>
struct Relation {
  static constexpr int values = 10;
  struct Equation {
    T left0, left1, right0, right1, rhs;
  };
  Equation first, second;
};

/// The unknowns on the two sides of a boundary between pieces: the last one before it, the first one after it.
template <class T>
struct State {
  T before, after;
};

/// The states at the ends of the whole system from its relation. Without periodicity, unknowns beyond an end have
/// coefficient 0. With it, they are the unknowns at the other end.
template <class T>
KOKKOS_INLINE_FUNCTION void close(Relation<T> const& relation, State<T>& begin, State<T>& end) {
  auto a = relation.first, b = relation.second;
  // In x(0) and x(n - 1).
  T a0 = a.left1 + a.right1, a1 = a.left0 + a.right0;
  T b0 = b.left1 + b.right1, b1 = b.left0 + b.right0;
  auto const scale_a = inverse_power_of_two(larger(size_of(a0), size_of(a1)));
  auto const scale_b = inverse_power_of_two(larger(size_of(b0), size_of(b1)));
  // The larger product of the determinant, which the scales of rows and columns do not change.
  bool const swap =
      (size_of(b0) * scale_b) * (size_of(a1) * scale_a) > (size_of(a0) * scale_a) * (size_of(b1) * scale_b);
  swap_if(swap, a0, b0);
  swap_if(swap, a1, b1);
  swap_if(swap, a.rhs, b.rhs);
  T const factor = b0 * reciprocal(a0);
  T const last = (b.rhs - factor * a.rhs) * reciprocal(T(b1 - factor * a1));
  T const first = (a.rhs - a1 * last) * reciprocal(a0);
  begin = {last, first};
  end = {last, first};
}

// --- rows of one segment --------------------------------------------------------------------------------------------

/// A row of the system; entries outside are zero.
template <class T>
struct SystemRow {
  T lower, diagonal, upper, rhs;
};

/// An equation in the unknowns at the segment's left end and up to three neighbouring ones.
template <class T>
struct ActiveRow {
  T left0, left1, here, next, beyond, rhs;
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void swap_if(bool swap, ActiveRow<T>& a, ActiveRow<T>& b) {
  swap_if(swap, a.left0, b.left0);
  swap_if(swap, a.left1, b.left1);
  swap_if(swap, a.here, b.here);
  swap_if(swap, a.next, b.next);
  swap_if(swap, a.beyond, b.beyond);
  swap_if(swap, a.rhs, b.rhs);
}

/// Eliminates the pivot row's unknown `here` from a row and moves on to the next unknown. Inlined by force, like its
/// callers and the exchange: rows that go through memory cost a host a third of its time.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void eliminate(ActiveRow<T>& row, ActiveRow<T> const& pivot) {
  T const factor = row.here;
  row.left0 -= factor * pivot.left0;
  row.left1 -= factor * pivot.left1;
  row.here = row.next - factor * pivot.next;
  row.next = row.beyond - factor * pivot.beyond;
  row.beyond = T(0);
  row.rhs -= factor * pivot.rhs;
}

/// Eliminates one unknown from three rows. The row with the largest coefficient becomes c, divided by it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void eliminate_one(ActiveRow<T>& a, ActiveRow<T>& b, ActiveRow<T>& c) {
  swap_if(size_of(a.here) > size_of(c.here), a, c);
  swap_if(size_of(b.here) > size_of(c.here), b, c);
  T const inverse = reciprocal(c.here);
  c.left0 *= inverse;
  c.left1 *= inverse;
  c.next *= inverse;
  c.beyond *= inverse;
  c.rhs *= inverse;
  eliminate(a, c);
  eliminate(b, c);
}

/// The relation of `count` rows, 2 <= count <= most; row(k) gives row k of the segment.
template <int most, class T, class Row>
KOKKOS_INLINE_FUNCTION Relation<T> reduce_rows(Row const& row, int count) {
  SystemRow<T> const first = row(0), second = row(1);
  ActiveRow<T> a{first.lower, first.diagonal, first.upper, T(0), T(0), first.rhs};
  ActiveRow<T> b{T(0), second.lower, second.diagonal, second.upper, T(0), second.rhs};
  KARMAN_UNROLL
  for (int k = 2; k < most; ++k) {
    if (k >= count) break;
    SystemRow<T> const added = row(k);
    ActiveRow<T> c{T(0), T(0), added.lower, added.diagonal, added.upper, added.rhs};
    eliminate_one(a, b, c);
  }
  return {{a.left0, a.left1, a.here, a.next, a.rhs}, {b.left0, b.left1, b.here, b.next, b.rhs}};
}

/// The unknowns of the segment from those at its ends: repeats the elimination with the left end on the right-hand
/// side, then substitutes. put(k, x) receives the unknowns, after all rows have been read.
template <int most, bool unrolled, class T, class Row, class Put>
KOKKOS_INLINE_FUNCTION void expand_rows(Row const& row, int count, State<T> const& begin, State<T> const& end,
                                        Put const& put) {
  T next[most], beyond[most], rhs[most];
  SystemRow<T> const first = row(0), second = row(1);
  T const zero(0);
  ActiveRow<T> a{zero, zero, first.upper,
                 zero, zero, first.rhs - first.lower * begin.before - first.diagonal * begin.after};
  ActiveRow<T> b{zero, zero, second.diagonal, second.upper, zero, second.rhs - second.lower * begin.after};
  KARMAN_UNROLL
  for (int k = 2; k < most; ++k) {
    if (k >= count) break;
    SystemRow<T> const added = row(k);
    ActiveRow<T> c{zero, zero, added.lower, added.diagonal, added.upper, added.rhs};
    eliminate_one(a, b, c);
    next[k] = c.next;
    beyond[k] = c.beyond;
    rhs[k] = c.rhs;
  }
  put(0, begin.after);
  put(count - 1, end.before);
  T x1 = end.before, x2 = end.after;
  // A constant where the loop is unrolled, so that the three arrays are registers.
  int const top = unrolled ? most - 1 : count - 1;
  KARMAN_UNROLL
  for (int k = top; k >= 2; --k) {
    if (k >= count) continue;
    T const x = rhs[k] - next[k] * x1 - beyond[k] * x2;
    put(k - 1, x);
    x2 = x1;
    x1 = x;
  }
}

// --- groups of relations --------------------------------------------------------------------------------------------

/// An equation in the pair at the group's left end and in two neighbouring pairs.
template <class T>
struct GroupRow {
  T left0, left1, here0, here1, next0, next1, rhs;
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void swap_if(bool swap, GroupRow<T>& a, GroupRow<T>& b) {
  swap_if(swap, a.left0, b.left0);
  swap_if(swap, a.left1, b.left1);
  swap_if(swap, a.here0, b.here0);
  swap_if(swap, a.here1, b.here1);
  swap_if(swap, a.next0, b.next0);
  swap_if(swap, a.next1, b.next1);
  swap_if(swap, a.rhs, b.rhs);
}

template <class T>
KOKKOS_INLINE_FUNCTION void multiply(GroupRow<T>& row, T const& factor) {
  row.left0 *= factor;
  row.left1 *= factor;
  row.here0 *= factor;
  row.here1 *= factor;
  row.next0 *= factor;
  row.next1 *= factor;
  row.rhs *= factor;
}

template <class T>
KOKKOS_INLINE_FUNCTION void subtract(GroupRow<T>& row, T const& factor, GroupRow<T> const& pivot) {
  row.left0 -= factor * pivot.left0;
  row.left1 -= factor * pivot.left1;
  row.here0 -= factor * pivot.here0;
  row.here1 -= factor * pivot.here1;
  row.next0 -= factor * pivot.next0;
  row.next1 -= factor * pivot.next1;
  row.rhs -= factor * pivot.rhs;
}

/// Eliminates both unknowns of the pair `here` from a and b; d and c become the rows that determine them.
template <class T>
KOKKOS_INLINE_FUNCTION void eliminate_pair(GroupRow<T>& a, GroupRow<T>& b, GroupRow<T>& c, GroupRow<T>& d) {
  swap_if(size_of(a.here0) > size_of(d.here0), a, d);
  swap_if(size_of(b.here0) > size_of(d.here0), b, d);
  swap_if(size_of(c.here0) > size_of(d.here0), c, d);
  multiply(d, reciprocal(d.here0));
  subtract(a, T(a.here0), d);
  subtract(b, T(b.here0), d);
  subtract(c, T(c.here0), d);
  swap_if(size_of(a.here1) > size_of(c.here1), a, c);
  swap_if(size_of(b.here1) > size_of(c.here1), b, c);
  multiply(c, reciprocal(c.here1));
  subtract(a, T(a.here1), c);
  subtract(b, T(b.here1), c);
}

/// An equation in a form that starts at the pair `here`. Its entries are the entries of its original rows. Scaled to
/// order one again, it would not be comparable with its neighbours where columns differ in size.
template <class T>
KOKKOS_INLINE_FUNCTION GroupRow<T> starting_here(typename Relation<T>::Equation const& e) {
  return {T(0), T(0), e.left0, e.left1, e.right0, e.right1, e.rhs};
}

/// The pair `next` becomes the pair `here`.
template <class T>
KOKKOS_INLINE_FUNCTION GroupRow<T> advanced(GroupRow<T> const& row) {
  return {row.left0, row.left1, row.next0, row.next1, T(0), T(0), row.rhs};
}

/// An equation of the first relation of a group: its left pair is the group's.
template <class T>
KOKKOS_INLINE_FUNCTION GroupRow<T> at_the_left_end(typename Relation<T>::Equation const& e) {
  GroupRow<T> const row = starting_here<T>(e);
  return {row.here0, row.here1, row.next0, row.next1, T(0), T(0), row.rhs};
}

/// One relation for `count` neighbouring ones; relation(p) gives the p-th.
template <class T, class Relations>
KOKKOS_INLINE_FUNCTION Relation<T> reduce_relations(Relations const& relation, int count) {
  Relation<T> const first = relation(0);
  GroupRow<T> a = at_the_left_end<T>(first.first), b = at_the_left_end<T>(first.second);
  for (int p = 1; p < count; ++p) {
    Relation<T> const added = relation(p);
    GroupRow<T> c = starting_here<T>(added.first), d = starting_here<T>(added.second);
    eliminate_pair(a, b, c, d);
    a = advanced(a);
    b = advanced(b);
  }
  return {{a.left0, a.left1, a.here0, a.here1, a.rhs}, {b.left0, b.left1, b.here0, b.here1, b.rhs}};
}

/// The states between the relations of a group from those at its ends. put(p, state) receives the one before relation
/// p, 0 < p < count.
template <int most, class T, class Relations, class Put>
KOKKOS_INLINE_FUNCTION void expand_relations(Relations const& relation, int count, State<T> const& begin,
                                             State<T> const& end, Put const& put) {
  GroupRow<T> first[most], second[most];
  auto const move_left = [&](GroupRow<T> row) {
    row.rhs -= row.left0 * begin.before + row.left1 * begin.after;
    row.left0 = T(0);
    row.left1 = T(0);
    return row;
  };
  Relation<T> const start = relation(0);
  GroupRow<T> a = move_left(at_the_left_end<T>(start.first)), b = move_left(at_the_left_end<T>(start.second));
  for (int p = 1; p < count; ++p) {
    Relation<T> const added = relation(p);
    GroupRow<T> c = starting_here<T>(added.first), d = starting_here<T>(added.second);
    eliminate_pair(a, b, c, d);
    first[p] = d;
    second[p] = c;
    a = advanced(a);
    b = advanced(b);
  }
  State<T> right = end;
  for (int p = count - 1; p > 0; --p) {
    GroupRow<T> const& c = second[p];
    GroupRow<T> const& d = first[p];
    T const after = c.rhs - c.next0 * right.before - c.next1 * right.after;
    T const before = d.rhs - d.here1 * after - d.next0 * right.before - d.next1 * right.after;
    right = {before, after};
    put(p, right);
  }
}

}  // namespace karman::detail::pivoting
