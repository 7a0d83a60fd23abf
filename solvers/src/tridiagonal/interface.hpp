// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The interface system of a team's chunks, one row per thread, by parallel cyclic reduction in team scratch.
#pragma once

#include "chunk.hpp"

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Values that threads of a team exchange: two sets of four per thread.
template <class T>
struct Exchange {
  static constexpr int values = 4;
  static constexpr int sets = 2;
  T* data;
  int threads;

  KOKKOS_INLINE_FUNCTION static constexpr int scratch_bytes(int threads) {
    return sets * values * threads * int(sizeof(T));
  }
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int set, int value, int thread) const {
    return data[(set * values + value) * threads + thread];
  }
};

/// The first unknown of the chunk of another thread. Uses set 1 of the exchange.
template <class T, class Member>
KOKKOS_FORCEINLINE_FUNCTION FirstUnknown<T> first_below(Member const& member, Exchange<T> const& exchange, int thread,
                                                        int other, FirstUnknown<T> const& own) {
  exchange(1, 0, thread) = own.s;
  exchange(1, 1, thread) = own.p;
  exchange(1, 2, thread) = own.q;
  member.team_barrier();
  return {exchange(1, 0, other), exchange(1, 1, other), exchange(1, 2, other)};
}

/// Solves row `lane` of `count` rows of a plain system, with rows `stride` threads apart. Each step halves the number
/// of coupled rows; after log2(count) steps no coupling is left. `border` is a second right-hand side, used if
/// `bordered`. The diagonal is kept at one. On return rhs and border are the solutions, and set 0 of the exchange may
/// be written at once. record(j, to_above, to_below, scale) receives the factors of step j = 1, 2, ...
template <class T, class Member, class Record>
KOKKOS_FORCEINLINE_FUNCTION void reduce_in_parallel(Member const& member, Exchange<T> const& exchange, int thread,
                                                    int lane, int count, int stride, bool bordered,
                                                    InterfaceRow<T> const& row, T& rhs, T& border,
                                                    Record const& record) {
  T const inverse = reciprocal(row.diagonal);
  T lower = row.lower * inverse;
  T upper = row.upper * inverse;
  rhs = row.rhs * inverse;
  if (bordered) border *= inverse;
  int set = 0;
  for (int step = 1, j = 1; step < count; step *= 2, ++j) {
    exchange(set, 0, thread) = lower;
    exchange(set, 1, thread) = upper;
    exchange(set, 2, thread) = rhs;
    if (bordered) exchange(set, 3, thread) = border;
    member.team_barrier();
    // Beyond the ends the coupling is zero; the thread's own values replace the missing ones.
    int const above = lane >= step ? thread - step * stride : thread;
    int const below = lane + step < count ? thread + step * stride : thread;
    T const to_above = lane >= step ? lower : T(0);
    T const to_below = lane + step < count ? upper : T(0);
    T const scale = reciprocal(T(T(1) - to_above * exchange(set, 1, above) - to_below * exchange(set, 0, below)));
    record(j, to_above, to_below, scale);
    rhs = (rhs - to_above * exchange(set, 2, above) - to_below * exchange(set, 2, below)) * scale;
    if (bordered) border = (border - to_above * exchange(set, 3, above) - to_below * exchange(set, 3, below)) * scale;
    lower = -(to_above * exchange(set, 0, above) * scale);
    upper = -(to_below * exchange(set, 1, below) * scale);
    set = 1 - set;
  }
  member.team_barrier();
}

/// Makes `plain` rows of a cyclic system a plain one: the coupling to the row after them becomes a border.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void take_out_last(int lane, int plain, InterfaceRow<T>& row, T& border) {
  if (lane == 0) {
    border -= row.lower;
    row.lower = T(0);
  }
  if (lane == plain - 1) {
    border -= row.upper;
    row.upper = T(0);
  }
  if (lane == plain) row = {T(0), T(1), T(0), T(0)};
}

/// The last unknown of the thread's chunk, and that of the chunk before it in `above`. Solves the interface rows of all
/// chunks of a system in one team. In a cyclic system the last row borders the others, which are solved with its
/// unknown as a parameter.
template <class T, class Member>
KOKKOS_FORCEINLINE_FUNCTION T solve_interface(Member const& member, Exchange<T> const& exchange, ChunkShape const& cut,
                                              int thread, int lane, InterfaceRow<T> row, T& above) {
  int const count = static_cast<int>(cut.chunks);
  int const stride = cut.lane_stride();
  bool const wraps = cyclic(cut.shape);
  T own, border = T(0);
  if (count == 1) {
    above = T(0);
    own = row.rhs * reciprocal(wraps ? T(row.lower + row.diagonal + row.upper) : row.diagonal);
    if (wraps) above = own;
    return own;
  }
  int const plain = wraps ? count - 1 : count;
  InterfaceRow<T> const last = row;
  if (wraps) take_out_last(lane, plain, row, border);
  reduce_in_parallel(member, exchange, thread, lane, plain, stride, wraps, row, own, border,
                     [](int, T const&, T const&, T const&) {});
  if (wraps) {
    exchange(0, 0, thread) = own;
    exchange(0, 1, thread) = border;
    member.team_barrier();
    int const first_thread = thread - lane * stride;
    int const last_plain = first_thread + (plain - 1) * stride;
    if (lane == plain) {
      T const pivot =
          last.diagonal + last.lower * exchange(0, 1, last_plain) + last.upper * exchange(0, 1, first_thread);
      own = (last.rhs - last.lower * exchange(0, 0, last_plain) - last.upper * exchange(0, 0, first_thread)) *
            reciprocal(pivot);
      exchange(1, 0, thread) = own;
    }
    member.team_barrier();
    if (lane < plain) own += border * exchange(1, 0, first_thread + plain * stride);
  }
  exchange(0, 2, thread) = own;
  member.team_barrier();
  above = lane > 0 ? exchange(0, 2, thread - stride) : T(0);
  if (wraps && lane == 0) above = exchange(0, 2, thread + (count - 1) * stride);
  return own;
}

}  // namespace karman::detail
