// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Chunks of K rows in the registers of a device's threads: which thread has which, how they are loaded, reduced and
/// stored.
#pragma once

#include <karman/core/detail/pack.hpp>
#include <karman/solvers/detail/tridiagonal_thomas.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

/// Loops over the values of a chunk: only with constant indices do they stay in registers.
#if defined(__CUDA_ARCH__)
#define KARMAN_UNROLL _Pragma("unroll")
#else
#define KARMAN_UNROLL
#endif

namespace karman::detail {

/// Threads of a team at most: up to 128 registers each.
inline constexpr int chunk_threads = 512;
using ChunkBounds = Kokkos::LaunchBounds<chunk_threads, 1>;

/// Quotient of numbers that are not negative; on a device a division of 32 bits is several times cheaper.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t quotient(std::int64_t i, std::int64_t by) {
  if ((i | by) >> 32 == 0) return std::int64_t(std::uint32_t(i) / std::uint32_t(by));
  return i / by;
}

/// How the systems of a batch are cut into chunks and dealt out to teams. A system has `chunks` chunks of K rows, the
/// first of them `padding` rows short: rows that would come before row 0. So every chunk ends with a row of the system,
/// and the last one with its last row. A team takes `lanes` chunks of `systems` systems.
struct ChunkShape {
  SystemShape shape;
  std::int64_t chunks;
  int padding;
  int lanes, systems;
  bool systems_fastest;  ///< neighbouring threads: neighbouring systems, else neighbouring chunks
  bool axis0_fastest;    ///< neighbouring systems: neighbours along axis 0 of the batch, else along axis 1

  KOKKOS_FORCEINLINE_FUNCTION int threads() const { return lanes * systems; }
  /// From a thread to the one with the next chunk of the same system.
  KOKKOS_FORCEINLINE_FUNCTION int lane_stride() const { return systems_fastest ? systems : 1; }
};

/// Where a thread is.
struct ChunkPlace {
  int lane;
  bool active;  ///< there is such a system
  std::int64_t system0, system1;
};

KOKKOS_FORCEINLINE_FUNCTION ChunkPlace place_of(ChunkShape const& cut, std::int64_t group, int thread) {
  int const lane = cut.systems_fastest ? thread / cut.systems : thread % cut.lanes;
  int const neighbour = cut.systems_fastest ? thread % cut.systems : thread / cut.lanes;
  std::int64_t const system = group * cut.systems + neighbour;
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

/// Moves values between the registers of a team and an array in which rows are contiguous, in units of `width` values
/// that neighbouring threads find side by side; team scratch brings them to the thread that owns them. Neighbouring
/// systems are `system_stride` apart; addresses, strides of systems, rows of a system and padding are whole units.
template <class T, int K, int width>
struct StagedMover {
  static constexpr int packs = K / width;
  static constexpr int pitch = packs + 1;  ///< an odd number of packs: places of 8 threads lie in different banks
  using Unit = Pack<T, width>;
  struct Units {
    Unit unit[packs];
  };

  KOKKOS_INLINE_FUNCTION static constexpr int scratch_bytes(int threads) {
    return packs > 1 ? threads * pitch * int(sizeof(Unit)) : 0;
  }

  int thread, threads, lanes;
  std::int64_t first_system, systems;  ///< of the team, of the batch
  std::int64_t begin, end;             ///< the first row of lane 0, and the rows of a system
  std::int64_t period;                 ///< rows after which a cyclic system begins again, padding included, or 0
  Unit* scratch;

  /// Where unit m of a thread lies: of which place, which system and row.
  struct Where {
    int place, within;
    std::int64_t system, row;
    bool there;
  };
  KOKKOS_FORCEINLINE_FUNCTION Where where(int m) const {
    int const unit = thread + m * threads;
    int const place = unit / packs;
    int const within = unit % packs;
    int const neighbour = place / lanes;
    std::int64_t row = begin + std::int64_t(place - neighbour * lanes) * K + within * width;
    if (row >= end && period > 0) row -= period;
    std::int64_t const system = first_system + neighbour;
    return {place, within, system, row, system < systems && row >= 0 && row < end};
  }

  KOKKOS_FORCEINLINE_FUNCTION void fetch(T const* data, std::int64_t system_stride, Units& units) const {
    KARMAN_UNROLL
    for (int m = 0; m < packs; ++m) {
      Where const w = where(m);
      if (w.there) units.unit[m] = load_pack<width>(data + w.system * system_stride + w.row);
    }
  }

  /// The units of the team to the threads that own their values. A barrier before the next use of the scratch is the
  /// caller's.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void deal(Member const& member, Units const& units, T (&values)[K]) const {
    if constexpr (packs == 1) {
      KARMAN_UNROLL
      for (int i = 0; i < K; ++i) values[i] = units.unit[0][i];
    } else {
      KARMAN_UNROLL
      for (int m = 0; m < packs; ++m) {
        int const unit = thread + m * threads;
        scratch[unit / packs * pitch + unit % packs] = units.unit[m];
      }
      member.team_barrier();
      KARMAN_UNROLL
      for (int m = 0; m < packs; ++m) {
        Unit const unit = scratch[thread * pitch + m];
        KARMAN_UNROLL
        for (int i = 0; i < width; ++i) values[m * width + i] = unit[i];
      }
      member.team_barrier();
    }
  }

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void store(Member const& member, T const (&values)[K], T* data,
                                         std::int64_t system_stride) const {
    KARMAN_UNROLL
    for (int m = 0; m < packs; ++m) {
      Unit unit;
      KARMAN_UNROLL
      for (int i = 0; i < width; ++i) unit[i] = values[m * width + i];
      if constexpr (packs == 1) {
        Where const w = where(0);
        if (w.there) store_pack<width>(data + w.system * system_stride + w.row, unit);
      } else {
        scratch[thread * pitch + m] = unit;
      }
    }
    if constexpr (packs > 1) {
      member.team_barrier();
      KARMAN_UNROLL
      for (int m = 0; m < packs; ++m) {
        Where const w = where(m);
        if (w.there) {
          store_pack<width>(data + w.system * system_stride + w.row, scratch[w.place * pitch + w.within]);
        }
      }
    }
  }
};

/// The mover of a team whose lane 0 has rows from `begin`.
template <class Mover>
KOKKOS_FORCEINLINE_FUNCTION Mover mover_of(ChunkShape const& cut, int thread, std::int64_t group, std::int64_t begin,
                                           void* scratch) {
  return {thread,
          cut.threads(),
          cut.lanes,
          group * cut.systems,
          cut.shape.systems(),
          begin,
          cut.shape.rows,
          cyclic(cut.shape) ? cut.shape.rows + cut.padding : 0,
          static_cast<typename Mover::Unit*>(scratch)};
}

/// The values of one coefficient in the registers of its thread.
template <class T, int K, int width, class Member>
KOKKOS_FORCEINLINE_FUNCTION void deal_coefficient(StagedMover<T, K, width> const& mover, Member const& member,
                                                  CoefficientArray<T> const& coefficient,
                                                  typename StagedMover<T, K, width>::Units const& units,
                                                  T (&values)[K]) {
  if (coefficient.array.data != nullptr) {
    mover.deal(member, units, values);
  } else {
    KARMAN_UNROLL
    for (int i = 0; i < K; ++i) values[i] = coefficient.constant;
  }
}

/// Rows of arrays, staged. All loads are under way before the first value is waited for.
template <class T, int K, int width, class Member>
KOKKOS_FORCEINLINE_FUNCTION void load_staged(StagedMover<T, K, width> const& mover, Member const& member,
                                             StridedRows<T> const& rows, StridedSystems<T const> const& rhs,
                                             ChunkPlace const&, std::int64_t, RowChunk<T, K>& chunk) {
  typename StagedMover<T, K, width>::Units lower, diagonal, upper, right;
  if (rows.lower.array.data != nullptr) mover.fetch(rows.lower.array.data, rows.lower.array.stride[1], lower);
  if (rows.diagonal.array.data != nullptr) {
    mover.fetch(rows.diagonal.array.data, rows.diagonal.array.stride[1], diagonal);
  }
  if (rows.upper.array.data != nullptr) mover.fetch(rows.upper.array.data, rows.upper.array.stride[1], upper);
  mover.fetch(rhs.data, rhs.stride[1], right);
  deal_coefficient(mover, member, rows.lower, lower, chunk.lower);
  deal_coefficient(mover, member, rows.diagonal, diagonal, chunk.diagonal);
  deal_coefficient(mover, member, rows.upper, upper, chunk.upper);
  mover.deal(member, right, chunk.rhs);
}

/// Rows of a functor; the right-hand side staged.
template <class T, int K, int width, class Member, class Rows>
KOKKOS_FORCEINLINE_FUNCTION void load_staged(StagedMover<T, K, width> const& mover, Member const& member,
                                             Rows const& rows, StridedSystems<T const> const& rhs,
                                             ChunkPlace const& place, std::int64_t begin, RowChunk<T, K>& chunk) {
  typename StagedMover<T, K, width>::Units right;
  mover.fetch(rhs.data, rhs.stride[1], right);
  KARMAN_UNROLL
  for (int i = 0; i < K; ++i) {
    if (!place.active || begin + i < 0 || begin + i >= mover.end) continue;
    TridiagonalRow<T> const row = rows(place.system0, place.system1, begin + i);
    chunk.lower[i] = row.lower;
    chunk.diagonal[i] = row.diagonal;
    chunk.upper[i] = row.upper;
  }
  mover.deal(member, right, chunk.rhs);
}

/// Rows by any strides, each thread its own.
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

/// What a chunk holds beyond its system: rows before the first that elimination passes. Without periodicity they say
/// x = 0; with it x(k) = x(k - 1), which hands the unknown above the system on to row 0. Where there is no chunk, x =
/// 0.
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

/// All rows of a chunk but its last eliminated, in place: lower, upper and rhs become f, u and r of Eliminated.
template <class T, int K>
KOKKOS_FORCEINLINE_FUNCTION void eliminate_chunk(RowChunk<T, K>& chunk, std::int64_t begin, Eliminated<T>& last,
                                                 FirstUnknown<T>& first) {
  KARMAN_UNROLL
  for (int i = 0; i < K - 1; ++i) {
    // Row 0 is the first unknown of its chunk also where padding stands before it.
    if (begin + i <= 0) first = FirstUnknown<T>();
    last.add({chunk.lower[i], chunk.diagonal[i], chunk.upper[i]}, chunk.rhs[i]);
    first.add(last);
    chunk.lower[i] = last.f;
    chunk.upper[i] = last.u;
    chunk.rhs[i] = last.r;
  }
  if (begin + K - 1 <= 0) first = FirstUnknown<T>();
}

/// The last row of a chunk in terms of the last unknowns of the chunk before it, its own and the one after it, whose
/// first unknown is `next`.
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
  KARMAN_UNROLL
  for (int i = 0; i < K; ++i) {
    std::int64_t const k = begin + i;
    if (place.active && k >= 0 && k < shape.rows) x(place.system0, place.system1, k) = values[i];
  }
}

}  // namespace karman::detail
