// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tridiagonal systems along the slowest axis of a field, one a mode: all have the same couplings, and diagonals that
/// differ by the mode's eigenvalue. No coefficient of the systems is in memory but those of one column and one row of
/// eigenvalues.
///
/// Elimination without pivots (diagonally dominant; Thomas): on the way up, the reduced right-hand side is written in
/// the place of the right-hand side; the reduced couplings are not kept but for one in every `chunk` rows, from which
/// the way down computes those between again. Traffic: two reads and two writes a value. A periodic column carries the
/// coupling to its last row along.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

/// Asks a device's compiler to unroll the loop that follows, so that small arrays become registers.
#ifndef KARMAN_UNROLL
#if defined(__CUDA_ARCH__)
#define KARMAN_UNROLL _Pragma("unroll")
#else
#define KARMAN_UNROLL
#endif
#endif

namespace karman::detail {

/// What differs between the backends: neighbouring columns that one thread works on, in vector registers on a host, and
/// rows whose loads it has in flight.
template <ExecutionSpace Exec>
struct ColumnTable {
  static constexpr int lanes = runs_on_host<Exec> ? 32 : 1;
  static constexpr int chunk = 16;
};

/// The couplings of a column: row k is lower[k] x(k-1) + (diagonal[k] + mode) x(k) + upper[k] x(k+1). With a cyclic
/// column lower[0] couples to the last row and upper[rows-1] to the first, otherwise they are not looked at.
template <class T>
struct ColumnCouplings {
  T const* lower;
  T const* diagonal;
  T const* upper;
};

template <ExecutionSpace Exec, class T, bool Cyclic>
struct ColumnSweep {
  static constexpr int lanes = ColumnTable<Exec>::lanes;
  static constexpr int chunk = ColumnTable<Exec>::chunk;

  T const* in;
  T* out;  ///< may be in
  ColumnCouplings<T> row;
  T const* mode;  ///< eigenvalue of every column
  T* kept;        ///< reduced couplings, (1 or 2, chunks, columns)
  std::int64_t columns;
  int rows;
  T scale;              ///< factor of the right-hand side
  bool singular_first;  ///< column 0 has no unique solution; its last value is taken as zero

  int chunks() const { return (rows + chunk - 1) / chunk; }
  static std::int64_t kept_values(std::int64_t columns, int rows) {
    return (Cyclic ? 2 : 1) * ((rows + chunk - 1) / chunk) * columns;
  }

  KOKKOS_FUNCTION void operator()(std::int64_t block) const {
    std::int64_t const first = block * lanes;
    int const active = columns - first < lanes ? static_cast<int>(columns - first) : lanes;
    if (lanes > 1 && active == lanes) {
      solve(first, std::integral_constant<int, lanes>());
    } else {
      for (int lane = 0; lane < active; ++lane) solve(first + lane, std::integral_constant<int, 1>());
    }
  }

 private:
  /// The reduced couplings to the next and, in a cyclic column, to the last row.
  template <int N>
  struct Reduced {
    T next[N], last[N];
  };

  KOKKOS_INLINE_FUNCTION std::int64_t place(std::int64_t k, std::int64_t first) const { return k * columns + first; }
  /// Rows that are eliminated one after the other; of a cyclic column the last one is left.
  KOKKOS_INLINE_FUNCTION int eliminated() const { return Cyclic ? rows - 1 : rows; }

  /// The couplings of row k reduced; leaves 1 / pivot in `inverse`.
  template <int N>
  KOKKOS_INLINE_FUNCTION void reduce(int k, T const (&shift)[N], Reduced<N>& r, T (&inverse)[N]) const {
    T const lower = Cyclic || k > 0 ? row.lower[k] : T(0);
    T const upper = row.upper[k];
    T const diagonal = row.diagonal[k];
    T const inside = k > 0 ? T(1) : T(0);
    T const before_last = k == eliminated() - 1 ? T(1) : T(0);
    KARMAN_SIMD
    for (int l = 0; l < N; ++l) {
      T const inv = T(1) / (diagonal + shift[l] - inside * lower * r.next[l]);
      inverse[l] = inv;
      if constexpr (Cyclic) {
        r.last[l] = (lower * (T(1) - inside) - inside * lower * r.last[l] + before_last * upper) * inv;
        r.next[l] = upper * inv * (T(1) - before_last);
      } else {
        r.next[l] = upper * inv;
      }
    }
  }

  template <int N>
  KOKKOS_INLINE_FUNCTION void solve(std::int64_t first, std::integral_constant<int, N>) const {
    T shift[N], value[N], inverse[N];
    T corner[N], pivot[N], closing[N];  // of the last row of a cyclic column
    Reduced<N> r;
    KARMAN_SIMD
    for (int l = 0; l < N; ++l) {
      shift[l] = mode[first + l];
      value[l] = r.next[l] = r.last[l] = T(0);
      corner[l] = Cyclic ? row.upper[rows - 1] : T(0);
      pivot[l] = row.diagonal[rows - 1] + shift[l];
      closing[l] = Cyclic ? scale * in[place(rows - 1, first + l)] : T(0);
    }
    int const end = eliminated();
    for (int k0 = 0, c = 0; k0 < end; k0 += chunk, ++c) {
      keep(c, first, r);
      if (k0 + chunk <= end) {
        up<N, true>(k0, chunk, first, shift, r, value, inverse, corner, pivot, closing);
      } else {
        up<N, false>(k0, end - k0, first, shift, r, value, inverse, corner, pivot, closing);
      }
    }
    T last[N];
    KARMAN_SIMD
    for (int l = 0; l < N; ++l) last[l] = Cyclic ? closing[l] / pivot[l] : value[l];
    if (singular_first && first == 0) last[0] = T(0);
    if constexpr (Cyclic) {
      KARMAN_SIMD
      for (int l = 0; l < N; ++l) out[place(rows - 1, first + l)] = last[l];
    }
    // Without a last row of its own the last value is that of the last elimination: its reduced coupling counts zero.
    KARMAN_SIMD
    for (int l = 0; l < N; ++l) value[l] = Cyclic ? T(0) : last[l];
    for (int c = (end - 1) / chunk; c >= 0; --c) {
      int const k0 = c * chunk;
      if (k0 + chunk <= end) {
        down<N, true>(k0, chunk, c, first, shift, value, last);
      } else {
        down<N, false>(k0, end - k0, c, first, shift, value, last);
      }
    }
  }

  template <int N>
  KOKKOS_INLINE_FUNCTION void keep(int c, std::int64_t first, Reduced<N> const& r) const {
    T* const next = kept + c * columns + first;
    KARMAN_SIMD
    for (int l = 0; l < N; ++l) next[l] = r.next[l];
    if constexpr (Cyclic) {
      T* const last = kept + (chunks_on_device() + c) * columns + first;
      KARMAN_SIMD
      for (int l = 0; l < N; ++l) last[l] = r.last[l];
    }
  }
  KOKKOS_INLINE_FUNCTION int chunks_on_device() const { return (rows + chunk - 1) / chunk; }

  template <int N, bool Full>
  KOKKOS_INLINE_FUNCTION void up(int k0, int count, std::int64_t first, T const (&shift)[N], Reduced<N>& r,
                                 T (&value)[N], T (&inverse)[N], T (&corner)[N], T (&pivot)[N], T (&closing)[N]) const {
    T loaded[chunk][N];
    load<N, Full>(in, k0, count, first, loaded);
    KARMAN_UNROLL
    for (int n = 0; n < chunk; ++n) {
      if (!Full && n >= count) break;
      int const k = k0 + n;
      T const lower = k > 0 ? row.lower[k] : T(0);
      reduce(k, shift, r, inverse);
      T const closes = Cyclic && k == eliminated() - 1 ? row.lower[rows - 1] : T(0);
      KARMAN_SIMD
      for (int l = 0; l < N; ++l) {
        value[l] = (scale * loaded[n][l] - lower * value[l]) * inverse[l];
        out[place(k, first + l)] = value[l];
        if constexpr (Cyclic) {
          corner[l] += closes;
          closing[l] -= corner[l] * value[l];
          pivot[l] -= corner[l] * r.last[l];
          corner[l] = -corner[l] * r.next[l];
        }
      }
    }
  }

  template <int N, bool Full>
  KOKKOS_INLINE_FUNCTION void down(int k0, int count, int c, std::int64_t first, T const (&shift)[N], T (&value)[N],
                                   T const (&last)[N]) const {
    T loaded[chunk][N], next[chunk][N], to_last[Cyclic ? chunk : 1][N];
    load<N, Full>(out, k0, count, first, loaded);
    Reduced<N> r;
    T inverse[N];
    KARMAN_SIMD
    for (int l = 0; l < N; ++l) {
      r.next[l] = kept[c * columns + first + l];
      r.last[l] = Cyclic ? kept[(chunks_on_device() + c) * columns + first + l] : T(0);
    }
    KARMAN_UNROLL
    for (int n = 0; n < chunk; ++n) {
      if (!Full && n >= count) break;
      reduce(k0 + n, shift, r, inverse);
      KARMAN_SIMD
      for (int l = 0; l < N; ++l) {
        next[n][l] = r.next[l];
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
          value[l] = loaded[n][l] - next[n][l] * value[l] - to_last[n][l] * last[l];
        } else {
          value[l] = k == top ? last[l] : loaded[n][l] - next[n][l] * value[l];
        }
        out[place(k, first + l)] = value[l];
      }
    }
  }

  template <int N, bool Full>
  KOKKOS_INLINE_FUNCTION void load(T const* from, int k0, int count, std::int64_t first, T (&to)[chunk][N]) const {
    KARMAN_UNROLL
    for (int n = 0; n < chunk; ++n) {
      if (!Full && n >= count) break;
      KARMAN_SIMD
      for (int l = 0; l < N; ++l) to[n][l] = from[place(k0 + n, first + l)];
    }
  }
};

template <bool Cyclic, ExecutionSpace Exec, class T>
void sweep_columns(Exec const& space, ColumnSweep<Exec, T, Cyclic> const& sweep) {
  constexpr int lanes = ColumnTable<Exec>::lanes;
  std::int64_t const blocks = (sweep.columns + lanes - 1) / lanes;
  Kokkos::parallel_for("karman::fast_poisson::columns",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, blocks), sweep);
}

/// Takes its mean, weighted with the thickness of the rows, from column 0, and leaves it in `mean`: one team.
template <ExecutionSpace Exec, class T>
struct RemoveColumnMean {
  T* field;
  std::int64_t columns;
  T const* thickness;
  int rows;
  double* mean;

  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    double sum = 0, weight = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, rows),
        [&](int const k, double& s) { s += double(thickness[k]) * double(field[k * columns]); }, sum);
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, rows), [&](int const k, double& w) { w += double(thickness[k]); }, weight);
    double const value = sum / weight;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](int const k) { field[k * columns] -= T(value); });
    Kokkos::single(Kokkos::PerTeam(team), [&] { *mean = value; });
  }

  void run(Exec const& space) const {
    Kokkos::parallel_for("karman::fast_poisson::mean", Kokkos::TeamPolicy<Exec>(space, 1, runs_on_host<Exec> ? 1 : 256),
                         *this);
  }
};

}  // namespace karman::detail
