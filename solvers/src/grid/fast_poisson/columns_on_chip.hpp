// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tridiagonal systems of poisson_columns.hpp on a device, for modes of two periodic axes: columns that fit into a
/// team, read once and written once.
///
/// Every thread eliminates the inner rows of its chunk of K. The chunks' last rows form a system of one row per thread,
/// which parallel cyclic reduction solves; then every thread eliminates again, with the last unknown of the chunk
/// before it, and substitutes (H. H. Wang, ACM TOMS 7, 1981). The modes of two periodic axes are complex numbers, each
/// with one eigenvalue, so that a division serves two columns. Each row carries the sum of its entries, as in the
/// sweep. Traffic: one read and one write per value. Per complex value: one division and about 26 operations.
#pragma once

#include "common/unroll.hpp"
#include "poisson_box.hpp"
#include "poisson_columns.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace karman::detail {

/// Tuning, measured on an H200 (figures in docs/fast_poisson.md).
template <class T>
struct ColumnsOnChipTable {
  static constexpr int rows = 16;    ///< most rows of a chunk
  static constexpr int columns = 8;  ///< neighbouring ones of a team, or a multiple
  static constexpr int threads = 256;
  static constexpr int most_threads = sizeof(T) == 4 ? 256 : 512;
  using Bounds = Kokkos::LaunchBounds<most_threads, sizeof(T) == 4 ? 3 : 1>;
  static constexpr int least_rows = 4 * rows;
  static constexpr int most_rows = rows * (most_threads / columns);
};

template <ExecutionSpace Exec, class T, int K, class Bounds>
struct ColumnsOnChip {
  using Policy = Kokkos::TeamPolicy<Exec, Bounds>;
  using Member = typename Policy::member_type;
  using Complex = Kokkos::complex<T>;

  ComplexColumns<T> columns;
  ColumnCouplings<T> row;
  int rows, lanes, systems;  ///< rows and chunks of a column, columns of a team
  bool cyclic;               ///< then `lanes` is a power of two
  bool singular;             ///< the column with the eigenvalue 0 has no unique solution; its last value is set to zero

  static constexpr int exchanged = 5;
  KOKKOS_INLINE_FUNCTION static constexpr int scratch_bytes(int threads) {
    return 2 * exchanged * threads * int(sizeof(T));
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const thread = member.team_rank(), lane = thread / systems;
    int const threads = lanes * systems;
    Exchanged const exchange{
        static_cast<T*>(member.team_scratch(0).get_shmem_aligned(std::size_t(scratch_bytes(threads)), 16)), threads};
    std::int64_t const column = std::int64_t(member.league_rank()) * systems + thread % systems;
    bool const active = column < columns.count;
    std::int64_t const ky = active ? column / columns.half : 0, kx = active ? column - ky * columns.half : 0;
    T const mode = columns.eigenvalue_x[kx] + columns.eigenvalue_y[ky];
    // Chunks differ by one row at most. Each takes the last ones of K.
    int const end = static_cast<int>(std::int64_t(rows) * (lane + 1) / lanes), begin = end - K;
    int const skip = static_cast<int>(std::int64_t(rows) * lane / lanes) - begin;
    Complex* const first = columns.values + ky * columns.y_stride + kx + std::int64_t(begin) * columns.row_stride;
    Complex values[K];
    KARMAN_UNROLL
    for (int i = 0; i < K; ++i) {
      values[i] = active && i >= skip ? columns.scale * first[i * columns.row_stride] : Complex(0);
    }

    // Eliminated rows x(i) + u x(i+1) + f w = r, with w the unknown above the chunk, divided by their pivots.
    T inverse[K];
    bool const coupled = lane > 0 || cyclic;
    Reduced e{coupled ? T(0) : T(1), coupled ? T(-1) : T(0)};
    // The first unknown: x(0) + s x(i+1) + q w = p, and the sum of these coefficients.
    T s(-1), total(0);
    Complex r(0), p(0);
    KARMAN_UNROLL
    for (int i = 0; i < K - 1; ++i) {
      inverse[i] = T(0);
      if (i < skip) continue;
      T const lower = row.lower[begin + i], upper = row.upper[begin + i];
      inverse[i] = e.add(lower, upper, mode);
      r = inverse[i] * (values[i] - lower * r);
      p -= s * r;
      total -= s * e.sum;
      s *= -(upper * inverse[i]);
    }
    exchange(1, 0, thread) = p.real();
    exchange(1, 1, thread) = p.imag();
    exchange(1, 2, thread) = s;
    exchange(1, 3, thread) = total;
    member.team_barrier();
    InterfaceRow own = interface_row(exchange, thread, lane, begin, mode, e, r, values[K - 1]);
    member.team_barrier();
    reduce_in_parallel(member, exchange, thread, lane, own);
    exchange(0, 0, thread) = own.re;
    exchange(0, 1, thread) = own.im;
    member.team_barrier();

    // Again, with w on the right-hand side.
    int const before = neighbor(lane, -1);
    Complex above = before < 0 ? Complex(0)
                               : Complex(exchange(0, 0, thread + (before - lane) * systems),
                                         exchange(0, 1, thread + (before - lane) * systems));
    KARMAN_UNROLL
    for (int i = 0; i < K - 1; ++i) {
      if (i < skip) continue;
      above = inverse[i] * (values[i] - row.lower[begin + i] * above);
      values[i] = above;
    }
    Complex below(own.re, own.im);
    values[K - 1] = below;
    KARMAN_UNROLL
    for (int i = K - 2; i >= 0; --i) {
      if (i < skip) continue;
      below = values[i] - (row.upper[begin + i] * inverse[i]) * below;
      values[i] = below;
    }
    if (!active) return;
    KARMAN_UNROLL
    for (int i = 0; i < K; ++i) {
      if (i >= skip) first[i * columns.row_stride] = values[i];
    }
  }

  void run(Exec const& space) const {
    auto const teams = static_cast<int>((columns.count + systems - 1) / systems);
    Policy policy(space, teams, lanes * systems, 1);
    policy.set_scratch_size(0, Kokkos::PerTeam(scratch_bytes(lanes * systems) + 16));
    Kokkos::parallel_for("karman::fast_poisson::columns", policy, *this);
  }

 private:
  struct Exchanged {
    T* data;
    int threads;
    KOKKOS_FORCEINLINE_FUNCTION T& operator()(int set, int value, int thread) const {
      return data[(set * exchanged + value) * threads + thread];
    }
  };

  /// The reduced row: the sum of its entries, and its coupling to w, which is not positive. At first it is w itself, or
  /// in the first chunk the zero on the side.
  struct Reduced {
    T sum, f;

    /// Eliminates the next row; returns 1 / pivot.
    KOKKOS_FORCEINLINE_FUNCTION T add(T lower, T upper, T mode) {
      T const inverse = T(1) / ((mode - upper) - lower * (sum - f));
      sum = (mode - lower * sum) * inverse;
      f = -(lower * f) * inverse;
      return inverse;
    }
  };

  /// A row of the interface divided by its diagonal, and the sum of its entries.
  struct InterfaceRow {
    T above, below, sum, re, im;

    /// Divides by the diagonal: the sum less the other entries, all of one sign.
    KOKKOS_FORCEINLINE_FUNCTION void divide() {
      T const inverse = T(1) / ((sum - above) - below);
      above *= inverse;
      below *= inverse;
      sum *= inverse;
      re *= inverse;
      im *= inverse;
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION InterfaceRow interface_row(Exchanged const& exchange, int thread, int lane, int begin,
                                                         T mode, Reduced const& e, Complex const& r,
                                                         Complex const& rhs) const {
    T const lower = row.lower[begin + K - 1], upper = row.upper[begin + K - 1];
    int const after = neighbor(lane, 1), next = thread + (after - lane) * systems;
    bool const last = after < 0;
    // Beyond the last row: zero on the side.
    T const re = last ? T(0) : exchange(1, 0, next), im = last ? T(0) : exchange(1, 1, next);
    T const s = last ? T(0) : exchange(1, 2, next), total = last ? T(1) : exchange(1, 3, next);
    InterfaceRow result{-(lower * e.f), -(upper * s), mode - lower * e.sum - upper * total,
                        rhs.real() - lower * r.real() - upper * re, rhs.imag() - lower * r.imag() - upper * im};
    if (lane + 1 == lanes && singular && mode == T(0)) result = {T(0), T(0), T(-1), T(0), T(0)};
    result.divide();
    return result;
  }

  /// The own unknown into re and im.
  KOKKOS_FORCEINLINE_FUNCTION void reduce_in_parallel(Member const& member, Exchanged const& exchange, int thread,
                                                      int lane, InterfaceRow& own) const {
    int set = 0;
    for (int step = 1; step < lanes; step *= 2) {
      exchange(set, 0, thread) = own.re;
      exchange(set, 1, thread) = own.im;
      exchange(set, 2, thread) = own.above;
      exchange(set, 3, thread) = own.below;
      exchange(set, 4, thread) = own.sum;
      member.team_barrier();
      // Beyond the ends the coupling is zero; the thread's own values replace the missing ones.
      int const before = neighbor(lane, -step), after = neighbor(lane, step);
      int const up = before < 0 ? thread : thread + (before - lane) * systems;
      int const down = after < 0 ? thread : thread + (after - lane) * systems;
      T const above = before < 0 ? T(0) : own.above, below = after < 0 ? T(0) : own.below;
      own.re -= above * exchange(set, 0, up) + below * exchange(set, 0, down);
      own.im -= above * exchange(set, 1, up) + below * exchange(set, 1, down);
      own.sum -= above * exchange(set, 4, up) + below * exchange(set, 4, down);
      own.above = -(above * exchange(set, 2, up));
      own.below = -(below * exchange(set, 3, down));
      own.divide();
      set = 1 - set;
    }
    if (cyclic) {
      // Both couplings of a row have come round to itself.
      T const inverse = T(1) / own.sum;
      own.re *= inverse;
      own.im *= inverse;
    }
    member.team_barrier();
  }

  /// Lane `lane + step`, round the ends of a cyclic column; -1 if there is none.
  KOKKOS_FORCEINLINE_FUNCTION int neighbor(int lane, int step) const {
    int const other = lane + step;
    if (cyclic) return other & (lanes - 1);
    return other < 0 || other >= lanes ? -1 : other;
  }
};

/// True if the columns of a box of whose modes a spectrum exists are solved by ColumnsOnChip.
template <ExecutionSpace Exec, class T>
bool columns_on_chip(PoissonBox const& box) {
  using Table = ColumnsOnChipTable<T>;
  bool const periodic = (!box.row.present || box.row.low == Boundary::periodic) &&
                        (!box.middle.present || box.middle.low == Boundary::periodic);
  return !runs_on_host<Exec> && periodic && box.columns.cells >= Table::least_rows &&
         box.columns.cells <= Table::most_rows;
}

/// Solves these columns.
template <ExecutionSpace Exec, class T>
void solve_columns_on_chip(Exec const& space, ComplexColumns<T> const& columns, ColumnCouplings<T> const& row, int rows,
                           bool cyclic, bool singular) {
  using Table = ColumnsOnChipTable<T>;
  auto const chunks = static_cast<unsigned>((rows + Table::rows - 1) / Table::rows);
  auto const lanes = static_cast<int>(cyclic ? std::bit_ceil(chunks) : chunks);
  int const systems = std::max(1, Table::threads / (lanes * Table::columns)) * Table::columns;
  ColumnsOnChip<Exec, T, Table::rows, typename Table::Bounds>{columns, row, rows, lanes, systems, cyclic, singular}.run(
      space);
}

}  // namespace karman::detail
