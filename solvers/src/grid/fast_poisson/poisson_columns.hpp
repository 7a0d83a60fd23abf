// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tridiagonal systems along the slowest axis of a field, one per mode. All have the same couplings, and diagonals that
/// differ by the mode's eigenvalue. Memory holds the coefficients of one column and one row of eigenvalues only.
///
/// Elimination without pivots (diagonally dominant; Thomas). The recursion carries the sum of a row's entries instead
/// of its diagonal. Terms of one sign make up the sum, so a small eigenvalue beside large couplings is never lost (W.
/// K. Grassmann, M. I. Taksar, D. P. Heyman, Oper. Res. 33, 1985). On the way up, the reduced right-hand side
/// overwrites the right-hand side. One reduced row in every `chunk` is kept; the way down computes those between again.
/// Traffic: two reads and two writes per value. A periodic column also carries the coupling to its last row.
#pragma once

#include "common/unroll.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// The couplings of a column, none negative. Row k is lower[k] (x(k-1) - x(k)) + upper[k] (x(k+1) - x(k)) + mode x(k)
/// with mode <= 0. In a cyclic column lower[0] couples to the last row and upper[rows-1] to the first; otherwise they
/// couple to zeros on the sides.
template <class T>
struct ColumnCouplings {
  T const* lower;
  T const* upper;
};

/// Columns of complex modes, each with one eigenvalue.
template <class T>
struct ComplexColumns {
  Kokkos::complex<T>* values;
  std::int64_t row_stride, y_stride;  ///< columns of one mode in y are neighbours
  int half;                           ///< number of these
  std::int64_t count;                 ///< number of all columns
  T const* eigenvalue_x;
  T const* eigenvalue_y;
  T scale;  ///< factor of the values read
};

/// Access of the sweep to its values. A port divides columns into units. One thread holds `wide` units in registers, as
/// `lanes` * wide values per row. It has
///   blocks(), block(b, first, active): the units of a thread's turn;
///   at(first): an object with load<N>(row, values), store<N>(row, values), mode<N>(eigenvalues), where N is lanes or
///   lanes * wide, and kept(n), the place of value n among those of a row, below columns().
/// This one: a real field (rows, columns) and one eigenvalue per column.
template <ExecutionSpace Exec, class T>
struct RealColumns {
  static constexpr int lanes = 1;
  static constexpr int wide = runs_on_host<Exec> ? 32 : 1;
  static constexpr int chunk = 16;

  T const* in;
  T* out;  ///< may be in
  T const* eigenvalues;
  std::int64_t count;
  T scale;  ///< factor of the values read from `in`

  KOKKOS_FUNCTION std::int64_t columns() const { return count; }
  KOKKOS_FUNCTION std::int64_t blocks() const { return (count + wide - 1) / wide; }
  KOKKOS_FUNCTION void block(std::int64_t b, std::int64_t& first, int& active) const {
    first = b * wide;
    active = count - first < wide ? static_cast<int>(count - first) : wide;
  }

  struct Place {
    RealColumns const& port;
    std::int64_t first;

    template <int N>
    KOKKOS_INLINE_FUNCTION void mode(T (&to)[N]) const {
      KARMAN_SIMD
      for (int l = 0; l < N; ++l) to[l] = port.eigenvalues[first + l];
    }
    template <int N>
    KOKKOS_INLINE_FUNCTION void load(std::int64_t row, T (&to)[N]) const {
      T const* const from = port.in + row * port.count + first;
      KARMAN_SIMD
      for (int l = 0; l < N; ++l) to[l] = port.scale * from[l];
    }
    template <int N>
    KOKKOS_INLINE_FUNCTION void load_reduced(std::int64_t row, T (&to)[N]) const {
      T const* const from = port.out + row * port.count + first;
      KARMAN_SIMD
      for (int l = 0; l < N; ++l) to[l] = from[l];
    }
    template <int N>
    KOKKOS_INLINE_FUNCTION void store(std::int64_t row, T const (&from)[N]) const {
      T* const to = port.out + row * port.count + first;
      KARMAN_SIMD
      for (int l = 0; l < N; ++l) to[l] = from[l];
    }
    template <int N>
    KOKKOS_INLINE_FUNCTION void store_reduced(std::int64_t row, T const (&from)[N]) const {
      store(row, from);
    }
    template <int N>
    KOKKOS_INLINE_FUNCTION std::int64_t kept(int n) const {
      return first + n;
    }
  };
  KOKKOS_INLINE_FUNCTION Place at(std::int64_t first) const { return {*this, first}; }
};

template <ExecutionSpace Exec, class T, bool Cyclic, class Port>
struct ColumnSweep {
  static constexpr int chunk = Port::chunk;

  Port port;
  ColumnCouplings<T> row;
  T* kept;  ///< reduced rows, (1 or, cyclic, 2; chunks, columns)
  int rows;
  bool singular;  ///< columns with the eigenvalue 0 have no unique solution; their last value is set to zero

  static std::int64_t kept_values(std::int64_t columns, int rows) {
    return (Cyclic ? 2 : 1) * ((rows + chunk - 1) / chunk) * columns;
  }

  KOKKOS_FUNCTION void operator()(std::int64_t b) const {
    std::int64_t first = 0;
    int active = 0;
    port.block(b, first, active);
    if (Port::wide > 1 && active == Port::wide) {
      solve(first, std::integral_constant<int, Port::lanes * Port::wide>());
    } else {
      for (int unit = 0; unit < active; ++unit) solve(first + unit, std::integral_constant<int, Port::lanes>());
    }
  }

  void run(Exec const& space) const {
    Kokkos::parallel_for("karman::fast_poisson::columns",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, port.blocks()), *this);
  }

 private:
  using Place = typename Port::Place;

  /// A reduced row divided by its pivot: the sum of its entries and, in a cyclic column, the coupling to the last row,
  /// which is not positive. The coupling to the next row follows: that rest less 1.
  template <int N>
  struct Reduced {
    T sum[N], last[Cyclic ? N : 1];

    KOKKOS_INLINE_FUNCTION T rest(int l) const {
      if constexpr (Cyclic) return sum[l] - last[l];
      else return sum[l];
    }
  };

  /// The row before the first one: zero on the side, or the last row.
  template <int N>
  KOKKOS_INLINE_FUNCTION static Reduced<N> before_first() {
    Reduced<N> r;
    KARMAN_SIMD
    for (int l = 0; l < N; ++l) {
      r.sum[l] = Cyclic ? T(0) : T(1);
      if constexpr (Cyclic) r.last[l] = T(-1);
    }
    return r;
  }

  /// Values carried from row to row on the way up. Arrays come first and so are aligned. Otherwise g++ computes
  /// some of their values outside of whole vectors.
  template <int N>
  struct Carried {
    T value[N];
    Reduced<N> reduced;
    T corner[N], pivot[N], closing[N];  ///< the last row of a cyclic column in its present state of elimination
    T first;                            ///< coupling of the first row to its predecessor
  };

  /// Number of rows eliminated one after the other; in a cyclic column the last one remains.
  KOKKOS_INLINE_FUNCTION int eliminated() const { return Cyclic ? rows - 1 : rows; }
  KOKKOS_INLINE_FUNCTION int chunks() const { return (rows + chunk - 1) / chunk; }

  /// Reduces row k by the reduced row before it; leaves 1 / pivot in `inverse`.
  template <int N>
  KOKKOS_INLINE_FUNCTION void reduce(int k, T first, T const (&mode)[N], Reduced<N>& r, T (&inverse)[N]) const {
    // Read under a condition. Otherwise a device's compiler would read all rows of a chunk ahead, into registers that
    // cost teams.
    T const lower = k > 0 ? row.lower[k] : first;
    T const upper = row.upper[k];
    // In a cyclic column the row before the last couples to the last one alone.
    T const around = Cyclic && k == eliminated() - 1 ? upper : T(0);
    KARMAN_SIMD
    for (int l = 0; l < N; ++l) {
      // Not computed from the sum: the next row waits for the pivot.
      T const inv = T(1) / ((mode[l] - upper) - lower * r.rest(l));
      T const sum = mode[l] - lower * r.sum[l];
      inverse[l] = inv;
      r.sum[l] = sum * inv;
      if constexpr (Cyclic) r.last[l] = (around - lower * r.last[l]) * inv;
    }
  }

  template <int N>
  KOKKOS_INLINE_FUNCTION void solve(std::int64_t first, std::integral_constant<int, N>) const {
    Place const place = port.at(first);
    T mode[N], last[N];
    Carried<N> carried;
    place.mode(mode);
    if constexpr (Cyclic) place.load(rows - 1, carried.closing);
    carried.first = row.lower[0];
    carried.reduced = before_first<N>();
    KARMAN_SIMD
    for (int l = 0; l < N; ++l) {
      carried.value[l] = T(0);
      carried.corner[l] = Cyclic ? row.upper[rows - 1] : T(0);
      carried.pivot[l] = mode[l];
    }
    int const end = eliminated();
    for (int k0 = 0, c = 0; k0 < end; k0 += chunk, ++c) {
      keep(c, place, carried.reduced);
      if (k0 + chunk <= end) {
        up<N, true>(k0, chunk, place, mode, carried);
      } else {
        up<N, false>(k0, end - k0, place, mode, carried);
      }
    }
    T value[N];
    KARMAN_SIMD
    for (int l = 0; l < N; ++l) {
      T const x = Cyclic ? carried.closing[l] / carried.pivot[l] : carried.value[l];
      last[l] = singular && mode[l] == T(0) ? T(0) : x;
      value[l] = T(0);
    }
    if constexpr (Cyclic) place.store(rows - 1, last);
    for (int c = (end - 1) / chunk; c >= 0; --c) {
      int const k0 = c * chunk;
      if (k0 + chunk <= end) {
        down<N, true>(k0, chunk, c, carried.first, place, mode, value, last);
      } else {
        down<N, false>(k0, end - k0, c, carried.first, place, mode, value, last);
      }
    }
  }

  template <int N>
  KOKKOS_INLINE_FUNCTION void keep(int c, Place const& place, Reduced<N> const& r) const {
    std::int64_t const columns = port.columns();
    KARMAN_SIMD
    for (int l = 0; l < N; ++l) {
      kept[c * columns + place.template kept<N>(l)] = r.sum[l];
      if constexpr (Cyclic) kept[(chunks() + c) * columns + place.template kept<N>(l)] = r.last[l];
    }
  }

  template <int N, bool Full>
  KOKKOS_INLINE_FUNCTION void up(int k0, int count, Place const& place, T const (&mode)[N], Carried<N>& s) const {
    T loaded[chunk][N], inverse[N];
    KARMAN_UNROLL
    for (int n = 0; n < chunk; ++n) {
      if (!Full && n >= count) break;
      place.load(k0 + n, loaded[n]);
    }
    KARMAN_UNROLL
    for (int n = 0; n < chunk; ++n) {
      if (!Full && n >= count) break;
      int const k = k0 + n;
      T const lower = k > 0 ? row.lower[k] : T(0);
      reduce(k, s.first, mode, s.reduced, inverse);
      T const closes = Cyclic && k == eliminated() - 1 ? row.lower[rows - 1] : T(0);
      KARMAN_SIMD
      for (int l = 0; l < N; ++l) {
        s.value[l] = (loaded[n][l] - lower * s.value[l]) * inverse[l];
        if constexpr (Cyclic) {
          s.corner[l] += closes;
          s.closing[l] -= s.corner[l] * s.value[l];
          s.pivot[l] -= s.corner[l] * s.reduced.sum[l];
          s.corner[l] *= T(1) - s.reduced.rest(l);
        }
      }
      place.store_reduced(k, s.value);
    }
  }

  template <int N, bool Full>
  KOKKOS_INLINE_FUNCTION void down(int k0, int count, int c, T first, Place const& place, T const (&mode)[N],
                                   T (&value)[N], T const (&last)[N]) const {
    T loaded[chunk][N], rest[chunk][N], to_last[Cyclic ? chunk : 1][N];
    KARMAN_UNROLL
    for (int n = 0; n < chunk; ++n) {
      if (!Full && n >= count) break;
      place.load_reduced(k0 + n, loaded[n]);
    }
    Reduced<N> r;
    T inverse[N];
    std::int64_t const columns = port.columns();
    KARMAN_SIMD
    for (int l = 0; l < N; ++l) {
      r.sum[l] = kept[c * columns + place.template kept<N>(l)];
      if constexpr (Cyclic) r.last[l] = kept[(chunks() + c) * columns + place.template kept<N>(l)];
    }
    KARMAN_UNROLL
    for (int n = 0; n < chunk; ++n) {
      if (!Full && n >= count) break;
      reduce(k0 + n, first, mode, r, inverse);
      KARMAN_SIMD
      for (int l = 0; l < N; ++l) {
        rest[n][l] = r.rest(l);
        if constexpr (Cyclic) to_last[n][l] = r.last[l];
      }
    }
    int const top = eliminated() - 1;
    KARMAN_UNROLL
    for (int n = chunk - 1; n >= 0; --n) {
      if (!Full && n >= count) continue;
      int const k = k0 + n;
      KARMAN_SIMD
      for (int l = 0; l < N; ++l) {
        if constexpr (Cyclic) {
          value[l] = loaded[n][l] + (T(1) - rest[n][l]) * value[l] - to_last[n][l] * last[l];
        } else {
          value[l] = k == top ? last[l] : loaded[n][l] + (T(1) - rest[n][l]) * value[l];
        }
      }
      place.store(k, value);
    }
  }
};

/// Subtracts from column 0 its mean, weighted with the thickness of the rows, and leaves it in `mean`. One team.
template <ExecutionSpace Exec, class T>
struct RemoveColumnMean {
  T* field;
  std::int64_t stride;  ///< from row to row
  T const* thickness;
  int rows;
  double* mean;

  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    double sum = 0, weight = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, rows),
        [&](int const k, double& s) { s += double(thickness[k]) * double(field[k * stride]); }, sum);
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, rows), [&](int const k, double& w) { w += double(thickness[k]); }, weight);
    double const value = sum / weight;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](int const k) { field[k * stride] -= T(value); });
    Kokkos::single(Kokkos::PerTeam(team), [&] { *mean = value; });
  }

  void run(Exec const& space) const {
    Kokkos::parallel_for("karman::fast_poisson::mean", Kokkos::TeamPolicy<Exec>(space, 1, runs_on_host<Exec> ? 1 : 256),
                         *this);
  }
};

}  // namespace karman::detail
