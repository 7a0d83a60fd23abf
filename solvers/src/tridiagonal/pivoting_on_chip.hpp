// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Scaled partial pivoting on a device: systems that fit into a team, read once and written once.
///
/// Every thread eliminates the inner rows of its segment and keeps the pivot rows in registers (kept_pivots.hpp). The
/// relations of the segments are joined in pairs in team scratch, level by level. The relation left gives the unknowns
/// at the ends of the system. The way back gives those between segments, then every thread substitutes.
///
/// Count per row with arrays of doubles and K = 16 rows per segment: 40 bytes of memory traffic, about 40 operations of
/// the double-precision unit, 60 selections for the exchange of rows. A join eliminates two unknowns with about 100 and
/// 160 of them; n / K - 1 joins per system add a seventh. A thread needs 10 (K - 2) registers for its pivot rows of
/// doubles and about 70 more to join. Team scratch holds 11 values per segment, or one array of the rows. Barriers: 9
/// to move contiguous rows, and 2 log2(n / K) + 2. In the last levels of joins most threads wait. Other teams of the
/// multiprocessor work meanwhile.
#pragma once

#include "kept_pivots.hpp"
#include "pivoting.hpp"
#include "pivoting_scratch.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail::pivoting {

/// ScaledRows::votes(), not inlined: in a branch that few segments take, it would cost all of them registers.
template <class T>
__attribute__((noinline)) KOKKOS_FUNCTION int rare_votes(ScaledRows<T, StridedRows<T>> const& rows, Place const& place,
                                                         std::int64_t begin, int count) {
  return rows.votes(place, begin, count);
}

/// `staged`: rows are contiguous and pass through team scratch (arrays as of flattened()); else every thread moves its
/// own with any strides. A thread has the segments of `each` threads: one on a device, more where a team has fewer
/// threads than segments.
template <class Exec, class T, int K, bool staged, class Bounds, int each = 1>
struct OnChipPivoting {
  using Policy = Kokkos::TeamPolicy<Exec, typename Bounds::type>;
  using Member = typename Policy::member_type;
  using Mover = TileMover<T, K>;
  using Chunk = RowChunk<T, K>;

  StridedRows<T> rows;
  StridedSystems<T const> rhs;
  StridedSystems<T> x;
  OnChipCut cut;

  KOKKOS_INLINE_FUNCTION static constexpr int votes_bytes(int systems) { return (systems + 3) / 4 * 16; }
  KOKKOS_INLINE_FUNCTION static constexpr int scratch_bytes(int threads, int systems) {
    int const moved = staged ? Mover::scratch_values(threads) : 0;
    int const joined = JoinScratch<T>::offset(threads) + 1;
    return votes_bytes(systems) + (moved > joined ? moved : joined) * int(sizeof(T)) + 16;
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const systems = cut.chunks.systems, lanes = cut.chunks.lanes, threads = lanes * systems;
    auto* const votes =
        static_cast<std::int32_t*>(member.team_scratch(0).get_shmem_aligned(scratch_bytes(threads, systems) - 16, 16));
    T* const scratch = reinterpret_cast<T*>(reinterpret_cast<char*>(votes) + votes_bytes(systems));
    JoinScratch<T> const joined{scratch};
    Segment own[each];
    KARMAN_UNROLL
    for (int e = 0; e < each; ++e) own[e].assign(cut, member, e);
    // As many threads as systems clear the votes.
    for_each(own, [&](Segment& segment) {
      if (segment.thread < systems) votes[segment.thread] = 0;
    });
    reduce(member, own, votes, scratch);
    for_each(own, [&](Segment& segment) { joined.put(segment.lane * systems + segment.neighbor, segment.relation); });

    // The first threads have the joins of a level: a thread has number `pair` of system `of`.
    for (int level = 0; level < cut.levels; ++level) {
      int const step = 1 << level;
      member.team_barrier();
      for_each(own, [&](Segment& segment) {
        int const first = 2 * step * segment.pair, second = first + step;
        if (second >= lanes) return;
        JoinPivots<T> kept;
        joined.put(first * systems + segment.of, join(joined.relation(first * systems + segment.of),
                                                      joined.relation(second * systems + segment.of), kept));
        joined.put(second * systems + segment.of, kept);
      });
    }
    // The thread of the last join closes the system, and is the first on the way back.
    for_each(own, [&](Segment& segment) {
      if (segment.pair > 0) return;
      State<T> begin, end;
      close(joined.relation(segment.of), begin, end);
      joined.put(segment.of, begin);  // equal to `end`, which therefore has no place
    });
    for (int level = cut.levels - 1; level >= 0; --level) {
      int const step = 1 << level;
      for_each(own, [&](Segment& segment) {
        int const first = 2 * step * segment.pair, second = first + step;
        if (second >= lanes) return;
        int const last = second + step < lanes ? second + step : 0;
        State<T> const begin = joined.state(first * systems + segment.of);
        State<T> const end = joined.state(last * systems + segment.of);
        joined.put(second * systems + segment.of, joined.pivots(second * systems + segment.of).state(begin, end));
      });
      member.team_barrier();
    }
    T values[each][K];
    for_each(own, [&](Segment& segment) {
      int const next = segment.lane + 1 < lanes ? segment.lane + 1 : 0;
      State<T> const begin = joined.state(segment.lane * systems + segment.neighbor);
      State<T> const end = joined.state(next * systems + segment.neighbor);
      segment.pivots.expand(begin, end, segment.count, values[segment.number]);
    });
    store(member, own, values, scratch);
  }

 private:
  /// Data of a thread for its segment, and its place among the joins.
  struct Segment {
    SegmentPivots<T, K> pivots;
    Relation<T> relation;
    int number, thread, lane, neighbor, begin, count, pair, of;
    bool exists, active;
    std::int64_t system0, system1;

    KOKKOS_FORCEINLINE_FUNCTION void assign(OnChipCut const& cut, Member const& member, int e) {
      number = e;
      thread = member.team_rank() + e * member.team_size();
      exists = each == 1 || thread < cut.chunks.threads();
      ChunkPlace const place = place_of(cut.chunks, member.league_rank(), thread);
      lane = place.lane;
      pair = thread / cut.chunks.systems;
      of = thread - pair * cut.chunks.systems;
      neighbor = cut.chunks.systems_fastest ? of : thread / cut.chunks.lanes;
      begin = cut.begin(lane);
      count = cut.count(lane);
      active = place.active;
      system0 = staged ? 0 : place.system0;
      system1 = staged ? std::int64_t(member.league_rank()) * cut.chunks.systems + neighbor : place.system1;
    }
    KOKKOS_FORCEINLINE_FUNCTION ChunkPlace place() const { return {lane, active, system0, system1}; }
  };

  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_each(Segment (&own)[each], Body const& body) {
    KARMAN_UNROLL
    for (int e = 0; e < each; ++e) {
      if (own[e].exists) body(own[e]);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Mover mover_of(Segment const& segment, T* scratch) const {
    return {segment.lane, cut.chunks.lanes, segment.active ? cut.rows : 0, segment.neighbor * cut.rows, scratch};
  }

  /// Rows of a segment from global memory with any strides.
  KOKKOS_FORCEINLINE_FUNCTION void load_own(Segment const& segment, Chunk& chunk) const {
    int const end = segment.active ? segment.count : 0;
    ChunkPlace const place = segment.place();
    load_array(rows.lower, place, segment.begin, end == K, 0, end, chunk.lower);
    load_array(rows.diagonal, place, segment.begin, end == K, 0, end, chunk.diagonal);
    load_array(rows.upper, place, segment.begin, end == K, 0, end, chunk.upper);
    load_array(rhs, place, segment.begin, end == K, 0, end, chunk.rhs);
    bound(segment, chunk);
  }

  /// Entries outside a system that is not cyclic become zero.
  KOKKOS_FORCEINLINE_FUNCTION void bound(Segment const& segment, Chunk& chunk) const {
    if (cyclic(cut.chunks.shape)) return;
    if (segment.lane == 0) chunk.lower[0] = T(0);
    KARMAN_UNROLL
    for (int k = 0; k < K; ++k) {
      if (segment.begin + k == cut.rows - 1) chunk.upper[k] = T(0);
    }
  }

  /// Rows of all segments through team scratch. All loads are issued before the first wait.
  KOKKOS_FORCEINLINE_FUNCTION void load_staged(Member const& member, Segment (&own)[each], Chunk (&chunks)[each],
                                               T* scratch) const {
    for_each(own, [&](Segment& segment) {
      Mover const mover = mover_of(segment, scratch);
      Chunk& chunk = chunks[segment.number];
      mover.fetch(rows.lower, segment.system1, chunk.lower);
      mover.fetch(rows.diagonal, segment.system1, chunk.diagonal);
      mover.fetch(rows.upper, segment.system1, chunk.upper);
      mover.fetch(rhs, segment.system1, chunk.rhs);
    });
    hand_out<0>(member, own, chunks, scratch);
    hand_out<1>(member, own, chunks, scratch);
    hand_out<2>(member, own, chunks, scratch);
    hand_out<3>(member, own, chunks, scratch);
    for_each(own, [&](Segment& segment) { bound(segment, chunks[segment.number]); });
  }

  template <int array>
  KOKKOS_FORCEINLINE_FUNCTION static T (&array_of(Chunk& chunk))[K] {
    if constexpr (array == 0) return chunk.lower;
    else if constexpr (array == 1) return chunk.diagonal;
    else if constexpr (array == 2) return chunk.upper;
    else return chunk.rhs;
  }

  /// Values of one array from the threads that loaded them to the owners of the rows.
  template <int array>
  KOKKOS_FORCEINLINE_FUNCTION void hand_out(Member const& member, Segment (&own)[each], Chunk (&chunks)[each],
                                            T* scratch) const {
    if constexpr (array > 0) member.team_barrier();
    for_each(own, [&](Segment& segment) { mover_of(segment, scratch).put(array_of<array>(chunks[segment.number])); });
    member.team_barrier();
    for_each(own, [&](Segment& segment) {
      mover_of(segment, scratch).take(segment.begin, segment.count, array_of<array>(chunks[segment.number]));
    });
  }

  /// Relations of all segments, from scaled rows. Where the rows of a system vote for a comparison without scaling, the
  /// team repeats all of it: nothing has to stay in registers for that. After it the scratch of moves is free.
  KOKKOS_FORCEINLINE_FUNCTION void reduce(Member const& member, Segment (&own)[each], std::int32_t* votes,
                                          T* scratch) const {
    if constexpr (!staged) member.team_barrier();  // the votes are zero
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int attempt = 0; attempt < 2; ++attempt) {
      Chunk chunks[each];
      if constexpr (staged) load_staged(member, own, chunks, scratch);
      for_each(own, [&](Segment& segment) {
        Chunk& chunk = chunks[segment.number];
        if constexpr (!staged) load_own(segment, chunk);
        if (attempt == 0 || votes[segment.neighbor] <= 0) {
          bool const wide = scale_rows(chunk, segment.count).wide();
          if (attempt == 0 && wide && segment.active) vote(segment, votes + segment.neighbor);
        }
        segment.relation = segment.pivots.reduce(chunk, segment.count);
      });
      member.team_barrier();
      if (!any_for_the_other(votes)) break;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION bool any_for_the_other(std::int32_t const* votes) const {
    for (int s = 0; s < cut.chunks.systems; ++s) {
      if (votes[s] > 0) return true;
    }
    return false;
  }

  KOKKOS_FORCEINLINE_FUNCTION void vote(Segment const& segment, std::int32_t* votes) const {
    ScaledRows<T, StridedRows<T>> const scaled{rows, rhs, cut.chunks.shape};
    Place const place{segment.lane, 0, segment.system0, segment.system1};
    Kokkos::atomic_add(votes, std::int32_t(rare_votes(scaled, place, segment.begin, segment.count)));
  }

  KOKKOS_FORCEINLINE_FUNCTION void store(Member const& member, Segment (&own)[each], T const (&values)[each][K],
                                         T* scratch) const {
    if constexpr (staged) {
      member.team_barrier();
      for_each(own, [&](Segment& segment) {
        mover_of(segment, scratch).put_own(segment.begin, segment.count, values[segment.number]);
      });
      member.team_barrier();
      for_each(own, [&](Segment& segment) { mover_of(segment, scratch).store(x, segment.system1); });
    } else {
      for_each(own, [&](Segment& segment) {
        if (!segment.active) return;
        T* const first = &x(segment.system0, segment.system1, segment.begin);
        KARMAN_UNROLL
        for (int k = 0; k < K; ++k) {
          if (k < segment.count) first[k * x.row_stride] = values[segment.number][k];
        }
      });
    }
  }
};

}  // namespace karman::detail::pivoting
