// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Team scratch of pivoting on chip: the division of systems, moves of contiguous rows, relations and their joins.
#pragma once

#include "kept_pivots.hpp"
#include "layout.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail::pivoting {

/// Division of the systems: segments are the chunks, of nearly equal size instead of a short first one.
struct OnChipCut {
  ChunkShape chunks;
  int rows;        ///< of a system
  int size, rest;  ///< rows of a segment; the first `rest` ones have one more
  int levels;      ///< of joins

  KOKKOS_FORCEINLINE_FUNCTION int begin(int lane) const { return lane * size + (lane < rest ? lane : rest); }
  KOKKOS_FORCEINLINE_FUNCTION int count(int lane) const { return size + (lane < rest ? 1 : 0); }
};

inline OnChipCut on_chip_cut(SystemShape const& shape, BatchLayout const& layout, int lanes, int systems) {
  auto const rows = static_cast<int>(shape.rows);
  int levels = 0;
  while ((1 << levels) < lanes) ++levels;
  return {{shape, lanes, 0, lanes, systems, layout.systems_fastest, layout.axis0_fastest},
          rows,
          rows / lanes,
          rows % lanes,
          levels};
}

/// Moves the values of one array between global memory, in which rows are contiguous, and team scratch. Threads of a
/// system move neighbouring values.
template <class T, int K>
struct TileMover {
  static_assert(K % 2 == 0);
  int lane, lanes;
  int rows;   ///< of the system, 0 if there is none
  int first;  ///< place of its row 0 in the tile
  T* scratch;

  /// Places of K values and of one more per power of two in K: an odd distance between segments, for the banks.
  KOKKOS_INLINE_FUNCTION static constexpr int place(int e) { return e + int(unsigned(e) / unsigned(K & -K)); }
  KOKKOS_INLINE_FUNCTION static constexpr int scratch_values(int threads) { return place(threads * K); }

  KOKKOS_FORCEINLINE_FUNCTION void fetch(StridedSystems<T const> const& array, std::int64_t system,
                                         T (&moved)[K]) const {
    T const* const from = array.data + system * array.stride[1];
    KARMAN_UNROLL
    for (int m = 0; m < K; ++m) moved[m] = lane + m * lanes < rows ? from[lane + m * lanes] : T(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION void fetch(CoefficientArray<T> const& coefficient, std::int64_t system,
                                         T (&moved)[K]) const {
    if (coefficient.array.data != nullptr) return fetch(coefficient.array, system, moved);
    KARMAN_UNROLL
    for (int m = 0; m < K; ++m) moved[m] = coefficient.constant;
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(T const (&moved)[K]) const {
    KARMAN_UNROLL
    for (int m = 0; m < K; ++m) {
      if (lane + m * lanes < rows) scratch[place(first + lane + m * lanes)] = moved[m];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(StridedSystems<T> const& array, std::int64_t system) const {
    T* const to = array.data + system * array.stride[1];
    KARMAN_UNROLL
    for (int m = 0; m < K; ++m) {
      if (lane + m * lanes < rows) to[lane + m * lanes] = scratch[place(first + lane + m * lanes)];
    }
  }

  /// Rows `begin` to `begin` + `count` - 1 of the system.
  KOKKOS_FORCEINLINE_FUNCTION void take(int begin, int count, T (&own)[K]) const {
    KARMAN_UNROLL
    for (int k = 0; k < K; ++k) own[k] = k < count && rows > 0 ? scratch[place(first + begin + k)] : T(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION void put_own(int begin, int count, T const (&own)[K]) const {
    KARMAN_UNROLL
    for (int k = 0; k < K; ++k) {
      if (k < count) scratch[place(first + begin + k)] = own[k];
    }
  }
};

/// Relations of all segments of a team; in their place the pivot rows of joins, then the states before the segments.
template <class T>
struct JoinScratch {
  static constexpr int values = JoinPivots<T>::values;
  /// One more value for every round of the banks: strides of a power of two fall into different banks.
  static constexpr int banks = int(128 / sizeof(T));
  T* data;

  KOKKOS_INLINE_FUNCTION static constexpr int offset(int slot) {
    return values * slot + int(unsigned(slot) / unsigned(banks));
  }

  KOKKOS_FORCEINLINE_FUNCTION Relation<T> relation(int slot) const {
    T const* const v = data + offset(slot);
    return {{v[0], v[1], v[2], v[3], v[4]}, {v[5], v[6], v[7], v[8], v[9]}};
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int slot, Relation<T> const& relation) const {
    T* const v = data + offset(slot);
    put_row(v, relation.first.left0, relation.first.left1, relation.first.right0, relation.first.right1,
            relation.first.rhs);
    put_row(v + 5, relation.second.left0, relation.second.left1, relation.second.right0, relation.second.right1,
            relation.second.rhs);
  }
  KOKKOS_FORCEINLINE_FUNCTION JoinPivots<T> pivots(int slot) const {
    T const* const v = data + offset(slot);
    return {{v[0], v[1], v[2], v[3], v[4]}, {v[5], v[6], v[7], v[8], v[9]}, v[10]};
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int slot, JoinPivots<T> const& kept) const {
    T* const v = data + offset(slot);
    put_row(v, kept.after.left0, kept.after.left1, kept.after.next0, kept.after.next1, kept.after.rhs);
    put_row(v + 5, kept.before.left0, kept.before.left1, kept.before.next0, kept.before.next1, kept.before.rhs);
    v[10] = kept.across;
  }
  KOKKOS_FORCEINLINE_FUNCTION State<T> state(int slot) const {
    T const* const v = data + offset(slot);
    return {v[0], v[1]};
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int slot, State<T> const& state) const {
    T* const v = data + offset(slot);
    v[0] = state.before;
    v[1] = state.after;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void put_row(T* v, T const& a, T const& b, T const& c, T const& d, T const& rhs) {
    v[0] = a;
    v[1] = b;
    v[2] = c;
    v[3] = d;
    v[4] = rhs;
  }
};

}  // namespace karman::detail::pivoting
