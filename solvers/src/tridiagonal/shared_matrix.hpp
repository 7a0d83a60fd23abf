// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Batches on a device whose systems share one matrix: its elimination is done once per solve, then each system is read
/// once and written once.
///
/// Chunks as in on_chip.hpp, but of 256 bytes of values: a thread keeps only right-hand sides in registers. Per row of
/// doubles: 16 bytes of memory traffic, 5 factors from team scratch, each for several systems at a time, and 5
/// multiply-adds. Each step of the interface adds 3 factors and one exchange per chunk.
#pragma once

#include "interface.hpp"
#include "layout.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

/// Tuning, by the size of a value. Measured on an H200 (figures in docs/tridiagonal.md).
template <class T>
struct SharedMatrixTable {
  static constexpr int rows = sizeof(T) == 16 ? 16 : 32;  ///< of a chunk
  static constexpr int line = int(128 / sizeof(T));       ///< neighbouring systems whose values fill a cache line
  static constexpr int threads = sizeof(T) == 4 ? 512 : 256;
  static constexpr int most_threads = 512;
  using Bounds = TeamBounds<most_threads, sizeof(T) == 4 ? 2 : 1>;
  static constexpr int most_scratch = 48 * 1024;
  /// Values of a batch from which one more kernel pays: 16 MiB.
  static constexpr std::int64_t least_values = (std::int64_t(1) << 24) / std::int64_t(sizeof(T));
};

/// Factors of one matrix in chunks of K rows, one chunk per lane. Neighbouring lanes are neighbours in memory.
template <class T, int K>
struct SharedFactors {
  static constexpr int per_row = 5;
  static constexpr int per_step = 3;
  static constexpr int steps = 7;
  static constexpr int most_lanes = 64;  ///< that these steps solve
  T* data;
  int lanes;

  /// Elimination of row i of a lane, with r the reduced right-hand sides and p the first unknown as in Eliminated and
  /// FirstUnknown: r(i) = inverse rhs(i) - scaled r(i-1), p -= s r(i), x(i) = r(i) - u x(i+1) - f w.
  enum Row { inverse, scaled, u, f, s };
  /// The last row of a chunk is that of the interface.
  enum LastRow { lower, upper };
  /// Step 0 of the interface scales its rows. Step j combines rows 2^(j-1) lanes apart.
  enum Step { scale, above, below };

  KOKKOS_FORCEINLINE_FUNCTION T& row(int value, int i, int lane) const { return data[(value * K + i) * lanes + lane]; }
  KOKKOS_FORCEINLINE_FUNCTION T& step(int value, int j, int lane) const {
    return data[(per_row * K + value + j * per_step) * lanes + lane];
  }
  /// Of a cyclic system: the interface solution for a last unknown of one.
  KOKKOS_FORCEINLINE_FUNCTION T& border(int lane) const {
    return data[(per_row * K + steps * per_step) * lanes + lane];
  }
  /// Of a cyclic system: lower and upper of the last interface row, and the inverse of its pivot.
  KOKKOS_FORCEINLINE_FUNCTION T& last(int value) const {
    return data[(per_row * K + steps * per_step + 1) * lanes + value];
  }
  KOKKOS_INLINE_FUNCTION static constexpr std::int64_t values(std::int64_t lanes) {
    return (per_row * K + steps * per_step + 1) * lanes + 3;
  }
  /// Of a team that solves: a copy of the factors, and two values per thread.
  KOKKOS_INLINE_FUNCTION static constexpr int scratch_bytes(int lanes, int threads) {
    return (int(values(lanes)) + 2 * threads) * int(sizeof(T));
  }
};

/// Eliminates the matrix: one team with a thread per chunk.
template <class Exec, class T, int K>
struct SharedMatrixFactor {
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<SharedFactors<T, K>::most_lanes, 1>>;
  using Member = typename Policy::member_type;
  using Factors = SharedFactors<T, K>;

  StridedRows<T> rows;
  ChunkShape cut;  ///< of one system
  Factors factors;

  KOKKOS_INLINE_FUNCTION static constexpr int scratch_bytes(int threads) {
    return Exchange<T>::scratch_bytes(threads) + 16;
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const lane = member.team_rank();
    Exchange<T> const exchange{static_cast<T*>(member.team_scratch(0).get_shmem_aligned(
                                   std::size_t(Exchange<T>::scratch_bytes(cut.lanes)), 16)),
                               cut.lanes};
    std::int64_t const begin = std::int64_t(lane) * K - cut.padding;
    RowChunk<T, K> chunk;
    ChunkPlace const place{lane, true, 0, 0};
    int const skip = begin < 0 ? int(-begin) : 0;
    load_array(rows.lower, place, begin, skip == 0, skip, K, chunk.lower);
    load_array(rows.diagonal, place, begin, skip == 0, skip, K, chunk.diagonal);
    load_array(rows.upper, place, begin, skip == 0, skip, K, chunk.upper);
    fill_outside(cut.shape, true, begin, chunk);
    Eliminated<T> last;
    FirstUnknown<T> first;
    KARMAN_UNROLL
    for (int i = 0; i < K - 1; ++i) {
      if (begin + i <= 0) first = FirstUnknown<T>();
      factors.row(Factors::s, i, lane) = first.s;
      T const inverse = reciprocal(T(chunk.diagonal[i] - chunk.lower[i] * last.u));
      factors.row(Factors::inverse, i, lane) = inverse;
      factors.row(Factors::scaled, i, lane) = chunk.lower[i] * inverse;
      last.add({chunk.lower[i], chunk.diagonal[i], chunk.upper[i]}, T(0));
      first.add(last);
      factors.row(Factors::u, i, lane) = last.u;
      factors.row(Factors::f, i, lane) = last.f;
    }
    if (begin + K - 1 <= 0) first = FirstUnknown<T>();
    factors.row(Factors::lower, K - 1, lane) = chunk.lower[K - 1];
    factors.row(Factors::upper, K - 1, lane) = chunk.upper[K - 1];
    FirstUnknown<T> const next = first_below(member, exchange, lane, lane + 1 < cut.lanes ? lane + 1 : 0, first);
    member.team_barrier();
    chunk.rhs[K - 1] = T(0);
    factor_interface(member, exchange, lane, interface_row(chunk, last, next));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void factor_interface(Member const& member, Exchange<T> const& exchange, int lane,
                                                    InterfaceRow<T> row) const {
    bool const wraps = cyclic(cut.shape);
    int const plain = wraps ? cut.lanes - 1 : cut.lanes;
    InterfaceRow<T> const whole = row;
    T border = T(0), rhs;
    if (wraps) take_out_last(lane, plain, row, border);
    factors.step(Factors::scale, 0, lane) = reciprocal(row.diagonal);
    reduce_in_parallel(member, exchange, lane, lane, plain, 1, wraps, row, rhs, border,
                       [&](int j, T const& to_above, T const& to_below, T const& scale) {
                         factors.step(Factors::scale, j, lane) = scale;
                         factors.step(Factors::above, j, lane) = to_above * scale;
                         factors.step(Factors::below, j, lane) = to_below * scale;
                       });
    if (!wraps) return;
    exchange(0, 1, lane) = border;
    factors.border(lane) = border;
    member.team_barrier();
    if (lane < plain) return;
    T const pivot = plain > 0
                        ? T(whole.diagonal + whole.lower * exchange(0, 1, plain - 1) + whole.upper * exchange(0, 1, 0))
                        : T(whole.lower + whole.diagonal + whole.upper);
    factors.last(0) = plain > 0 ? whole.lower : T(0);
    factors.last(1) = plain > 0 ? whole.upper : T(0);
    factors.last(2) = reciprocal(pivot);
  }
};

/// Solves with the factors.
template <class Exec, class T, int K, class Bounds>
struct SharedMatrixSolve {
  using Policy = Kokkos::TeamPolicy<Exec, typename Bounds::type>;
  using Member = typename Policy::member_type;
  using Factors = SharedFactors<T, K>;

  StridedSystems<T const> rhs;
  StridedSystems<T> x;
  ChunkShape cut;
  Factors factors;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const thread = member.team_rank(), threads = cut.threads();
    T* const scratch = static_cast<T*>(
        member.team_scratch(0).get_shmem_aligned(std::size_t(Factors::scratch_bytes(cut.lanes, threads)), 16));
    Factors const kept{scratch + 2 * threads, cut.lanes};
    auto const count = static_cast<int>(Factors::values(cut.lanes));
    ChunkPlace const place = place_of(cut, member.league_rank(), thread);
    int const lane = place.lane;
    std::int64_t const begin = std::int64_t(lane) * K - cut.padding;
    T values[K];
    std::int64_t const left = cut.shape.rows - begin;
    int const skip = begin < 0 ? int(-begin) : 0, end = !place.active ? 0 : left < K ? int(left) : K;
    load_array(rhs, place, begin, skip == 0 && end == K, skip, end, values);
    for (int i = thread; i < count; i += threads) kept.data[i] = factors.data[i];
    member.team_barrier();

    T r = T(0), p = T(0);
    KARMAN_UNROLL
    for (int i = 0; i < K - 1; ++i) {
      r = kept.row(Factors::inverse, i, lane) * values[i] - kept.row(Factors::scaled, i, lane) * r;
      p -= kept.row(Factors::s, i, lane) * r;
      values[i] = r;
    }
    int const stride = cut.lane_stride(), top = thread - lane * stride;
    scratch[thread] = p;
    member.team_barrier();
    T own = values[K - 1] - kept.row(Factors::lower, K - 1, lane) * r -
            kept.row(Factors::upper, K - 1, lane) * scratch[lane + 1 < cut.lanes ? thread + stride : top];
    T const above = solve_interface(member, kept, scratch, thread, lane, own);

    values[K - 1] = own;
    KARMAN_UNROLL
    for (int i = K - 2; i >= 0; --i) {
      values[i] = values[i] - kept.row(Factors::u, i, lane) * values[i + 1] - kept.row(Factors::f, i, lane) * above;
    }
    store_direct(x, cut.shape, place, begin, values);
  }

 private:
  /// The last unknown of the chunk before, and that of the thread's own in `own`. At first `own` is the right-hand side
  /// of the interface row.
  KOKKOS_FORCEINLINE_FUNCTION T solve_interface(Member const& member, Factors const& kept, T* scratch, int thread,
                                                int lane, T& own) const {
    bool const wraps = cyclic(cut.shape);
    int const lanes = cut.lanes, plain = wraps ? lanes - 1 : lanes;
    int const stride = cut.lane_stride(), top = thread - lane * stride, threads = cut.threads();
    T const whole = own;
    own *= kept.step(Factors::scale, 0, lane);
    int set = 1;
    for (int step = 1, j = 1; step < plain; step *= 2, ++j) {
      T* const passed = scratch + set * threads;
      passed[thread] = own;
      member.team_barrier();
      own = own * kept.step(Factors::scale, j, lane) -
            kept.step(Factors::above, j, lane) * passed[lane >= step ? thread - step * stride : thread] -
            kept.step(Factors::below, j, lane) * passed[lane + step < plain ? thread + step * stride : thread];
      set = 1 - set;
    }
    T* const solved = scratch + set * threads;
    solved[thread] = own;
    member.team_barrier();
    if (!wraps) return lane > 0 ? solved[thread - stride] : T(0);
    T const below = plain > 0 ? solved[top] : T(0), before = plain > 0 ? solved[top + (plain - 1) * stride] : T(0);
    T* const ends = scratch + (1 - set) * threads;
    if (lane == plain) {
      ends[top] = (whole - kept.last(0) * before - kept.last(1) * below) * kept.last(2);
    }
    member.team_barrier();
    T const last = ends[top];
    own = lane == plain ? last : T(own + kept.border(lane) * last);
    if (lane == 0) return last;
    return solved[thread - stride] + kept.border(lane - 1) * last;
  }
};

/// True if all systems have the matrix of the first one.
template <class T>
bool one_matrix(StridedRows<T> const& rows, SystemShape const& shape) {
  for (CoefficientArray<T> const* c : {&rows.lower, &rows.diagonal, &rows.upper}) {
    if (c->array.data == nullptr) continue;
    for (int d : {0, 1}) {
      if (shape.batch[d] > 1 && c->array.stride[d] != 0) return false;
    }
  }
  return true;
}

/// Neighbouring systems per team for a number of lanes; half a line where a whole one does not fit.
template <class T>
int shared_matrix_systems(int lanes) {
  using Table = SharedMatrixTable<T>;
  if (lanes * Table::line > Table::most_threads) return Table::line / 2;
  return std::max(1, Table::threads / (lanes * Table::line)) * Table::line;
}

/// True if one more kernel, which eliminates the matrix of all systems, pays. Decided by the whole batch where the
/// shape is a part of one.
template <class T>
bool shares_factors(SystemShape const& shape, WholeBatch const& whole = {}) {
  using Table = SharedMatrixTable<T>;
  using Factors = SharedFactors<T, Table::rows>;
  if (shape.rows <= 2 || shape.rows > Table::rows * Factors::most_lanes) return false;
  if (whole.systems_or(shape) < (Table::least_values + shape.rows - 1) / shape.rows) return false;
  auto const lanes = static_cast<int>((shape.rows + Table::rows - 1) / Table::rows);
  int const threads = lanes * shared_matrix_systems<T>(lanes);
  return threads <= Table::most_threads && Factors::scratch_bytes(lanes, threads) <= Table::most_scratch;
}

/// Values of workspace for solve_shared_matrix().
template <class T>
std::int64_t shared_matrix_workspace(SystemShape const& shape, WholeBatch const& whole = {}) {
  constexpr int K = SharedMatrixTable<T>::rows;
  return shares_factors<T>(shape, whole) ? SharedFactors<T, K>::values((shape.rows + K - 1) / K) : 0;
}

/// Eliminates the matrix of a batch for which shares_factors() holds.
template <class Exec, class T>
void factor_shared_matrix(Exec const& space, StridedRows<T> const& rows, SystemShape const& shape, T* factors) {
  constexpr int K = SharedMatrixTable<T>::rows;
  using Factor = SharedMatrixFactor<Exec, T, K>;
  auto const lanes = static_cast<int>((shape.rows + K - 1) / K);
  ChunkShape const one{shape, lanes, lanes * K - int(shape.rows), lanes, 1, true, true};
  typename Factor::Policy policy(space, 1, lanes, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(Factor::scratch_bytes(lanes)));
  Kokkos::parallel_for("karman::tridiagonal::shared_factor", policy, Factor{rows, one, {factors, lanes}});
}

/// Solves that batch with the factors.
template <class Exec, class T>
void solve_shared_matrix(Exec const& space, StridedSystems<T const> const& rhs, StridedSystems<T> const& x,
                         SystemShape const& shape, BatchLayout const& layout, T* factors) {
  using Table = SharedMatrixTable<T>;
  constexpr int K = Table::rows;
  using Solve = SharedMatrixSolve<Exec, T, K, typename Table::Bounds>;
  auto const lanes = static_cast<int>((shape.rows + K - 1) / K);
  int const systems = shared_matrix_systems<T>(lanes);
  ChunkShape const cut{shape, lanes, lanes * K - int(shape.rows), lanes, systems, true, layout.axis0_fastest};
  auto const teams = static_cast<int>((shape.systems() + systems - 1) / systems);
  typename Solve::Policy policy(space, teams, cut.threads(), 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(SharedFactors<T, K>::scratch_bytes(lanes, cut.threads()) + 16));
  Kokkos::parallel_for("karman::tridiagonal::shared_solve", policy, Solve{rhs, x, cut, {factors, lanes}});
}

}  // namespace karman::detail
