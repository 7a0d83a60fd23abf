// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Chunks of K rows in the registers of device threads: their assignment, loads, reduction and stores.
#pragma once

#include "common/unroll.hpp"
#include "thomas.hpp"
#include <karman/core/detail/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// Largest team size, and number of teams that a multiprocessor should hold at a time: limits of the compiler's
/// registers.
template <int threads_, int teams_>
struct TeamBounds {
  static constexpr int threads = threads_;
  using type = Kokkos::LaunchBounds<threads_, teams_>;
};

/// Quotient of non-negative numbers; on a device a division of 32 bits is several times cheaper.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t quotient(std::int64_t i, std::int64_t by) {
  if ((i | by) >> 32 == 0) return std::int64_t(std::uint32_t(i) / std::uint32_t(by));
  return i / by;
}

/// Division of the systems of a batch into chunks and teams. A system has `chunks` chunks of K rows. The first one is
/// `padding` rows short, rows that would come before row 0. So every chunk ends with a row of the system, and the last
/// one with its last row. A team takes `lanes` chunks of `systems` systems.
struct ChunkShape {
  SystemShape shape;
  std::int64_t chunks;
  int padding;
  int lanes, systems;
  bool systems_fastest;  ///< true: neighbouring threads take neighbouring systems; else neighbouring chunks
  bool axis0_fastest;    ///< true: neighbouring systems are neighbours along axis 0 of the batch; else along axis 1

  KOKKOS_FORCEINLINE_FUNCTION int threads() const { return lanes * systems; }
  /// Distance from a thread to the one with the next chunk of the same system.
  KOKKOS_FORCEINLINE_FUNCTION int lane_stride() const { return systems_fastest ? systems : 1; }
};

/// Place of a thread.
struct ChunkPlace {
  int lane;
  bool active;  ///< true if the system exists
  std::int64_t system0, system1;
};

KOKKOS_FORCEINLINE_FUNCTION ChunkPlace place_of(ChunkShape const& cut, std::int64_t group, int thread) {
  int const lane = cut.systems_fastest ? thread / cut.systems : thread % cut.lanes;
  int const neighbor = cut.systems_fastest ? thread % cut.systems : thread / cut.lanes;
  std::int64_t const system = group * cut.systems + neighbor;
  std::int64_t const inner = cut.shape.batch[cut.axis0_fastest ? 0 : 1];
  std::int64_t const outer = quotient(system, inner);
  std::int64_t const rest = system - outer * inner;
  return {lane, system < cut.shape.systems(), cut.axis0_fastest ? rest : outer, cut.axis0_fastest ? outer : rest};
}

/// K rows of one system in registers.
template <class T, int K>
struct RowChunk {
  T lower[K], diagonal[K], upper[K], rhs[K];
};

/// Moves values between the registers of a team and arrays in which rows are contiguous. Neighbouring threads move
/// neighbouring units of `width` values. Team scratch, `buffers` arrays at a time, passes them to the thread that owns
/// them. Neighbouring systems are stride[1] apart. Addresses, strides of systems, rows of a system and padding are
/// multiples of the unit.
template <class T, int K, int width, int buffers>
struct StagedMover {
  static_assert(buffers == 1 || buffers == 4);
  static constexpr int rows = K;
  static constexpr int packs = K / width;
  static constexpr int pitch = packs + 1;  ///< an odd number of packs: places of 8 threads lie in different banks
  using Unit = Pack<T, width>;
  struct Units {
    Unit unit[packs];
  };

  KOKKOS_INLINE_FUNCTION static constexpr int scratch_bytes(int threads) {
    return packs > 1 ? buffers * threads * pitch * int(sizeof(Unit)) : 0;
  }

  int thread, threads, lane, lanes;
  bool active;
  std::int64_t system, begin;  ///< of the thread; the first row of lane 0
  int skip, end;               ///< existing rows of the tile: [skip, end), counted from `begin`
  std::int64_t period;         ///< offset to subtract from a row past `end` in a cyclic system, or 0
  Unit* scratch;

  /// Threads of a system share its units: unit `lane`, and every lanes-th after it. Its first row in the tile:
  KOKKOS_FORCEINLINE_FUNCTION int row_of(int m) const { return (lane + m * lanes) * width; }
  /// Its place in scratch, among the values of the thread that owns it.
  KOKKOS_FORCEINLINE_FUNCTION int place_of_unit(int m) const {
    int const unit = lane + m * lanes;
    return (thread - lane + unit / packs) * pitch + unit % packs;
  }
  KOKKOS_FORCEINLINE_FUNCTION Unit* buffer(int b) const { return scratch + b * threads * pitch; }

  KOKKOS_FORCEINLINE_FUNCTION void fetch(StridedSystems<T const> const& array, Units& units) const {
    T const* const tile = array.data + system * array.stride[1] + begin;
    KARMAN_UNROLL
    for (int m = 0; m < packs; ++m) {
      int const row = row_of(m);
      bool const past = row >= end;
      bool const there = active && row >= skip && (!past || period > 0);
      units.unit[m] = there ? load_pack<width>(tile + row - (past ? period : 0)) : Unit{};
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void fetch(CoefficientArray<T> const& coefficient, Units& units) const {
    if (coefficient.array.data != nullptr) return fetch(coefficient.array, units);
    KARMAN_UNROLL
    for (int m = 0; m < packs; ++m) {
      KARMAN_UNROLL
      for (int i = 0; i < width; ++i) units.unit[m][i] = coefficient.constant;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(Units const& units, Unit* to) const {
    KARMAN_UNROLL
    for (int m = 0; m < packs; ++m) to[place_of_unit(m)] = units.unit[m];
  }
  KOKKOS_FORCEINLINE_FUNCTION void take(Units const& units, Unit const* from, T (&values)[K]) const {
    KARMAN_UNROLL
    for (int m = 0; m < packs; ++m) {
      Unit const unit = packs > 1 ? from[thread * pitch + m] : units.unit[m];
      KARMAN_UNROLL
      for (int i = 0; i < width; ++i) values[m * width + i] = unit[i];
    }
  }

  /// From the units to their owners through the one buffer.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void pass_on(Member const& member, Units const& units, T (&values)[K]) const {
    if constexpr (packs > 1) {
      put(units, scratch);
      member.team_barrier();
    }
    take(units, scratch, values);
    if constexpr (packs > 1) member.team_barrier();
  }

  /// Writes the tile. The scratch must be free; with four buffers the last one is used.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void store(Member const& member, T const (&values)[K],
                                         StridedSystems<T> const& array) const {
    Units units;
    Unit* const staged = buffer(buffers - 1);
    KARMAN_UNROLL
    for (int m = 0; m < packs; ++m) {
      KARMAN_UNROLL
      for (int i = 0; i < width; ++i) units.unit[m][i] = values[m * width + i];
      if constexpr (packs > 1) staged[thread * pitch + m] = units.unit[m];
    }
    if constexpr (packs > 1) member.team_barrier();
    T* const tile = array.data + system * array.stride[1] + begin;
    KARMAN_UNROLL
    for (int m = 0; m < packs; ++m) {
      int const row = row_of(m);
      if (!active || row < skip || row >= end) continue;
      store_pack<width>(tile + row, packs > 1 ? staged[place_of_unit(m)] : units.unit[m]);
    }
  }
};

/// The mover of a team whose lane 0 has rows from `begin`.
template <class Mover>
KOKKOS_FORCEINLINE_FUNCTION Mover mover_of(ChunkShape const& cut, int thread, ChunkPlace const& place,
                                           std::int64_t group, std::int64_t begin, void* scratch) {
  int const rows = cut.lanes * Mover::rows;
  std::int64_t const left = cut.shape.rows - begin;
  return {thread,
          cut.threads(),
          place.lane,
          cut.lanes,
          place.active,
          group * cut.systems + (cut.systems > 1 ? thread / cut.lanes : 0),
          begin,
          begin < 0 ? static_cast<int>(-begin) : 0,
          left < rows ? static_cast<int>(left) : rows,
          cyclic(cut.shape) ? cut.shape.rows + cut.padding : 0,
          static_cast<typename Mover::Unit*>(scratch)};
}

/// Rows of arrays, staged. All loads are issued before the first wait. The scratch is free again after the next
/// barrier. Constants take the same path: without a branch between scratch and elimination, not all values need
/// registers at once.
template <class T, int K, int width, int buffers, class Member>
KOKKOS_FORCEINLINE_FUNCTION void load_staged(StagedMover<T, K, width, buffers> const& mover, Member const& member,
                                             StridedRows<T> const& rows, StridedSystems<T const> const& rhs,
                                             SystemShape const&, ChunkPlace const&, std::int64_t,
                                             RowChunk<T, K>& chunk) {
  using Mover = StagedMover<T, K, width, buffers>;
  typename Mover::Units lower, diagonal, upper, right;
  mover.fetch(rows.lower, lower);
  mover.fetch(rows.diagonal, diagonal);
  mover.fetch(rows.upper, upper);
  mover.fetch(rhs, right);
  if constexpr (Mover::packs > 1 && buffers == 4) {
    mover.put(lower, mover.buffer(0));
    mover.put(diagonal, mover.buffer(1));
    mover.put(upper, mover.buffer(2));
    mover.put(right, mover.buffer(3));
    member.team_barrier();
    mover.take(lower, mover.buffer(0), chunk.lower);
    mover.take(diagonal, mover.buffer(1), chunk.diagonal);
    mover.take(upper, mover.buffer(2), chunk.upper);
    mover.take(right, mover.buffer(3), chunk.rhs);
  } else {
    mover.pass_on(member, lower, chunk.lower);
    mover.pass_on(member, diagonal, chunk.diagonal);
    mover.pass_on(member, upper, chunk.upper);
    mover.pass_on(member, right, chunk.rhs);
  }
}

/// Rows of a functor; the right-hand side staged.
template <class T, int K, int width, int buffers, class Member, class Rows>
KOKKOS_FORCEINLINE_FUNCTION void load_staged(StagedMover<T, K, width, buffers> const& mover, Member const& member,
                                             Rows const& rows, StridedSystems<T const> const& rhs,
                                             SystemShape const& shape, ChunkPlace const& place, std::int64_t begin,
                                             RowChunk<T, K>& chunk) {
  typename StagedMover<T, K, width, buffers>::Units right;
  mover.fetch(rhs, right);
  KARMAN_UNROLL
  for (int i = 0; i < K; ++i) {
    if (!place.active || begin + i < 0 || begin + i >= shape.rows) continue;
    TridiagonalRow<T> const row = rows(place.system0, place.system1, begin + i);
    chunk.lower[i] = row.lower;
    chunk.diagonal[i] = row.diagonal;
    chunk.upper[i] = row.upper;
  }
  Pack<T, width>* const buffer = mover.buffer(buffers - 1);
  if constexpr (StagedMover<T, K, width, buffers>::packs > 1) {
    mover.put(right, buffer);
    member.team_barrier();
  }
  mover.take(right, buffer, chunk.rhs);
}

/// Rows of a functor with any strides.
template <class T, int K, class Rows>
KOKKOS_FORCEINLINE_FUNCTION void load_direct(Rows const& rows, StridedSystems<T const> const& rhs,
                                             SystemShape const& shape, ChunkPlace const& place, std::int64_t begin,
                                             RowChunk<T, K>& chunk) {
  KARMAN_UNROLL
  for (int i = 0; i < K; ++i) {
    std::int64_t const k = begin + i;
    if (!place.active || k < 0 || k >= shape.rows) continue;
    TridiagonalRow<T> const row = rows(place.system0, place.system1, k);
    chunk.lower[i] = row.lower;
    chunk.diagonal[i] = row.diagonal;
    chunk.upper[i] = row.upper;
    chunk.rhs[i] = rhs(place.system0, place.system1, k);
  }
}

/// One array with any strides; `whole` is true if all rows exist.
template <class T, int K>
KOKKOS_FORCEINLINE_FUNCTION void load_array(StridedSystems<T const> const& array, ChunkPlace const& place,
                                            std::int64_t begin, bool whole, int skip, int end, T (&values)[K]) {
  T const* const first = &array(place.system0, place.system1, begin);
  if (whole) {
    KARMAN_UNROLL
    for (int i = 0; i < K; ++i) values[i] = first[i * array.row_stride];
  } else {
    KARMAN_UNROLL
    for (int i = 0; i < K; ++i) values[i] = i >= skip && i < end ? first[i * array.row_stride] : T(0);
  }
}
template <class T, int K>
KOKKOS_FORCEINLINE_FUNCTION void load_array(CoefficientArray<T> const& coefficient, ChunkPlace const& place,
                                            std::int64_t begin, bool whole, int skip, int end, T (&values)[K]) {
  if (coefficient.array.data != nullptr) {
    load_array(coefficient.array, place, begin, whole, skip, end, values);
  } else {
    KARMAN_UNROLL
    for (int i = 0; i < K; ++i) values[i] = coefficient.constant;
  }
}

/// Rows of arrays with any strides.
template <class T, int K>
KOKKOS_FORCEINLINE_FUNCTION void load_direct(StridedRows<T> const& rows, StridedSystems<T const> const& rhs,
                                             SystemShape const& shape, ChunkPlace const& place, std::int64_t begin,
                                             RowChunk<T, K>& chunk) {
  std::int64_t const left = shape.rows - begin;
  int const skip = begin < 0 ? static_cast<int>(-begin) : 0;
  int const end = !place.active || left <= 0 ? 0 : left < K ? static_cast<int>(left) : K;
  bool const whole = skip == 0 && end == K;
  load_array(rows.lower, place, begin, whole, skip, end, chunk.lower);
  load_array(rows.diagonal, place, begin, whole, skip, end, chunk.diagonal);
  load_array(rows.upper, place, begin, whole, skip, end, chunk.upper);
  load_array(rhs, place, begin, whole, skip, end, chunk.rhs);
}

/// Fills the rows of a chunk beyond its system: rows before the first, which elimination passes. Without periodicity
/// they are x = 0. With it they are x(k) = x(k - 1), which passes the unknown above the system on to row 0. Where there
/// is no chunk, x = 0.
template <class T, int K>
KOKKOS_FORCEINLINE_FUNCTION void fill_outside(SystemShape const& shape, bool there, std::int64_t begin,
                                              RowChunk<T, K>& chunk) {
  bool const wraps = cyclic(shape);
  if (there && begin > 0) {
    if (!wraps && begin + K == shape.rows) chunk.upper[K - 1] = T(0);
    return;
  }
  KARMAN_UNROLL
  for (int i = 0; i < K; ++i) {
    std::int64_t const k = begin + i;
    if (!there || k < 0) {
      chunk.lower[i] = T(there && wraps ? -1 : 0);
      chunk.diagonal[i] = T(1);
      chunk.upper[i] = T(0);
      chunk.rhs[i] = T(0);
    } else if (k == 0 && !wraps) {
      chunk.lower[i] = T(0);
    }
  }
  if (!wraps && begin + K == shape.rows) chunk.upper[K - 1] = T(0);
}

/// Eliminates all rows of a chunk but its last, in place: lower, upper and rhs become f, u and r of Eliminated.
template <class T, int K>
KOKKOS_FORCEINLINE_FUNCTION void eliminate_chunk(RowChunk<T, K>& chunk, std::int64_t begin, Eliminated<T>& last,
                                                 FirstUnknown<T>& first) {
  KARMAN_UNROLL
  for (int i = 0; i < K - 1; ++i) {
    // Row 0 is the first unknown of its chunk also where padding precedes it.
    if (begin + i <= 0) first = FirstUnknown<T>();
    last.add({chunk.lower[i], chunk.diagonal[i], chunk.upper[i]}, chunk.rhs[i]);
    first.add(last);
    chunk.lower[i] = last.f;
    chunk.upper[i] = last.u;
    chunk.rhs[i] = last.r;
  }
  if (begin + K - 1 <= 0) first = FirstUnknown<T>();
}

/// The last row of a chunk in terms of three last unknowns: of the chunk before it, its own, and of the one after it.
/// `next` is the first unknown of the latter.
template <class T>
struct InterfaceRow {
  T lower, diagonal, upper, rhs;
};

template <class T, int K>
KOKKOS_FORCEINLINE_FUNCTION InterfaceRow<T> interface_row(RowChunk<T, K> const& chunk, Eliminated<T> const& e,
                                                          FirstUnknown<T> const& next) {
  T const lower = chunk.lower[K - 1];
  T const upper = chunk.upper[K - 1];
  return {-(lower * e.f), chunk.diagonal[K - 1] - lower * e.u - upper * next.q, -(upper * next.s),
          chunk.rhs[K - 1] - lower * e.r - upper * next.p};
}

/// The unknowns of an eliminated chunk, into `rhs`, from its own last one and that of the chunk before it.
template <class T, int K>
KOKKOS_FORCEINLINE_FUNCTION void substitute_chunk(RowChunk<T, K>& chunk, T const& above, T const& last) {
  chunk.rhs[K - 1] = last;
  KARMAN_UNROLL
  for (int i = K - 2; i >= 0; --i) {
    chunk.rhs[i] = chunk.rhs[i] - chunk.upper[i] * chunk.rhs[i + 1] - chunk.lower[i] * above;
  }
}

template <class T, int K>
KOKKOS_FORCEINLINE_FUNCTION void store_direct(StridedSystems<T> const& x, SystemShape const& shape,
                                              ChunkPlace const& place, std::int64_t begin, T const (&values)[K]) {
  if (!place.active) return;
  std::int64_t const left = shape.rows - begin;
  T* const first = &x(place.system0, place.system1, begin);
  if (begin >= 0 && left >= K) {
    KARMAN_UNROLL
    for (int i = 0; i < K; ++i) first[i * x.row_stride] = values[i];
  } else {
    KARMAN_UNROLL
    for (int i = 0; i < K; ++i) {
      if (begin + i >= 0 && i < left) first[i * x.row_stride] = values[i];
    }
  }
}

}  // namespace karman::detail
