// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The two kernels of a reduction, for the cores of a host and for the teams of a device. Both leave one partial result
/// a team, and the team that arrives last joins them: one launch, and an order of joining that depends on the number of
/// values alone.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/detail/reductions_sources.hpp>
#include <karman/core/reduction_operations.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Independent running results, one a vector lane.
template <class Op, int count>
struct Lanes {
  using value_type = typename Op::value_type;
  value_type value[count];

  KOKKOS_FORCEINLINE_FUNCTION void clear(Op const& op) {
    for (int l = 0; l < count; ++l) value[l] = op.identity();
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(Op const& op, int l, value_type const& v) { value[l] = op.join(value[l], v); }
  KOKKOS_FORCEINLINE_FUNCTION value_type get(int l) const { return value[l]; }
};

/// Several results at once lie in one array each, so that every one is vectorised.
template <class T, int count>
struct Lanes<MinMaxOf<T>, count> {
  T min[count], max[count];

  KOKKOS_FORCEINLINE_FUNCTION void clear(MinMaxOf<T> const&) {
    for (int l = 0; l < count; ++l) {
      min[l] = MinOf<T>::identity();
      max[l] = MaxOf<T>::identity();
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(MinMaxOf<T> const&, int l, MinMax<T> const& v) {
    min[l] = MinOf<T>::join(min[l], v.min);
    max[l] = MaxOf<T>::join(max[l], v.max);
  }
  KOKKOS_FORCEINLINE_FUNCTION MinMax<T> get(int l) const { return {min[l], max[l]}; }
};

template <class T, class S, int count>
struct Lanes<MinMaxSumOf<T, S>, count> {
  T min[count], max[count];
  S sum[count];

  KOKKOS_FORCEINLINE_FUNCTION void clear(MinMaxSumOf<T, S> const&) {
    for (int l = 0; l < count; ++l) {
      min[l] = MinOf<T>::identity();
      max[l] = MaxOf<T>::identity();
      sum[l] = SumOf<S>::identity();
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(MinMaxSumOf<T, S> const&, int l, MinMaxSum<T, S> const& v) {
    min[l] = MinOf<T>::join(min[l], v.min);
    max[l] = MaxOf<T>::join(max[l], v.max);
    sum[l] = SumOf<S>::join(sum[l], v.sum);
  }
  KOKKOS_FORCEINLINE_FUNCTION MinMaxSum<T, S> get(int l) const { return {min[l], max[l], sum[l]}; }
};

/// Joins the first `count` entries of an array in a fixed tree; the array is overwritten.
template <class Op>
KOKKOS_FORCEINLINE_FUNCTION typename Op::value_type join_tree(Op const& op, typename Op::value_type* values, int count) {
  for (; count > 1; count = (count + 1) / 2) {
    int const half = (count + 1) / 2;
    for (int l = 0; l + half < count; ++l) values[l] = op.join(values[l], values[l + half]);
  }
  return values[0];
}

/// The same for a number known at compile time, in registers.
template <class Op, int count>
KOKKOS_FORCEINLINE_FUNCTION typename Op::value_type join_tree(Op const& op, typename Op::value_type const (&values)[count]) {
  if constexpr (count == 1) {
    return values[0];
  } else {
    constexpr int half = (count + 1) / 2;
    typename Op::value_type joined[half];
    for (int l = 0; l < half; ++l) joined[l] = l + half < count ? op.join(values[l], values[l + half]) : values[l];
    return join_tree<Op, half>(op, joined);
  }
}

/// What both kernels share: the source, the operation, where the result goes, and the workspace.
template <class Source, class Op, class Result>
struct ReductionTask {
  using value_type = typename Op::value_type;

  Source source;
  Op op;
  Result* result;
  value_type* partials;  ///< one a team
  int* arrivals;         ///< teams that have written theirs; 0 before and after every reduction

  KOKKOS_FORCEINLINE_FUNCTION void store(value_type const& value) const { *result = static_cast<Result>(finish(op, value)); }

  /// Hands in the partial result of a team; true for the team that is the last to do so.
  KOKKOS_FORCEINLINE_FUNCTION bool hand_in(int team, int teams, value_type const& value) const {
    partials[team] = value;
    Kokkos::memory_fence();
    bool const last = Kokkos::atomic_fetch_add(arrivals, 1) == teams - 1;
    if (last) *arrivals = 0;
    return last;
  }
};

/// On the cores of a host: a team is one thread, its values a contiguous range, its lanes those of the vector registers.
template <class Source, class Op, class Result, class Table>
struct HostReduction {
  using value_type = typename Op::value_type;
  static constexpr int lane_bytes = 256;
  static constexpr int lane_count = sizeof(value_type) * 4 < lane_bytes ? lane_bytes / static_cast<int>(sizeof(value_type)) : 4;
  using LaneValues = Lanes<Op, lane_count>;

  ReductionTask<Source, Op, Result> task;
  std::int64_t tiles;
  int teams;

  /// Joins a segment into the lanes.
  struct Visit {
    Op op;
    LaneValues& lanes;
    template <class At>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(At const at, std::int64_t const length) const {
      std::int64_t first = 0;
      for (; first + lane_count <= length; first += lane_count) {
        KARMAN_SIMD
        for (int l = 0; l < lane_count; ++l) lanes.join(op, l, at(first + l));
      }
      for (int l = 0; first + l < length; ++l) lanes.join(op, l, at(first + l));
    }
  };

  template <class Values>
  KOKKOS_FUNCTION value_type join_range(Values const& values, std::int64_t const begin, std::int64_t const end) const {
    // A tile is summed in its lanes and then folded, so that the error of a sum does not grow with the length of a lane.
    value_type total = task.op.identity();
    for (std::int64_t tile = begin; tile < end; tile += Table::tile) {
      LaneValues lanes;
      lanes.clear(task.op);
      Visit visit{task.op, lanes};
      values.for_segments(tile, tile + Table::tile < end ? tile + Table::tile : end, visit);
      value_type folded[lane_count];
      for (int l = 0; l < lane_count; ++l) folded[l] = lanes.get(l);
      total = task.op.join(total, join_tree(task.op, folded, lane_count));
    }
    return total;
  }

  struct PartialAt {
    value_type const* partials;
    KOKKOS_FORCEINLINE_FUNCTION value_type operator()(std::int64_t i) const { return partials[i]; }
  };

  KOKKOS_FUNCTION void operator()(int const team) const {
    std::int64_t const n = task.source.size();
    std::int64_t const begin = tiles * team / teams * Table::tile;
    std::int64_t const end = tiles * (team + 1) / teams * Table::tile;
    value_type const own = join_range(task.source, begin, end < n ? end : n);
    if (teams == 1) {
      task.store(own);
    } else if (task.hand_in(team, teams, own)) {
      Kokkos::memory_fence();
      task.store(join_range(IndexedSource<PartialAt>{{task.partials}, teams}, 0, teams));
    }
  }
};

/// On a device: the threads of a team take the packs of a tile in turn, several loads in flight, every thread joins what
/// it has read, and a tree in team scratch joins the threads.
template <class Exec, class Source, class Op, class Result, class Table>
struct TeamReduction {
  using value_type = typename Op::value_type;
  using member_type = typename Kokkos::TeamPolicy<Exec>::member_type;
  using ScratchValues = Kokkos::View<value_type*, typename Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using ScratchFlag = Kokkos::View<int*, typename Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static constexpr int width = Source::width;
  static constexpr int loads = Table::loads_in_flight;

  ReductionTask<Source, Op, Result> task;

  static std::size_t scratch_bytes(int team_size) {
    return ScratchValues::shmem_size(static_cast<std::size_t>(team_size)) + ScratchFlag::shmem_size(1);
  }

  template <bool aligned>
  KOKKOS_FORCEINLINE_FUNCTION value_type join_own(int rank, int size, int team, int teams) const {
    Op const& op = task.op;
    std::int64_t const n = task.source.size();
    int const tile = size * width * loads;
    value_type joined[width];
    for (int v = 0; v < width; ++v) joined[v] = op.identity();
    std::int64_t first = std::int64_t(team) * tile;
    std::int64_t const step = std::int64_t(teams) * tile;
    for (; first + tile <= n; first += step) {
      auto const at = task.source.at_tile(first);
      Pack<typename Source::value_type, width> pack[loads];
      for (int u = 0; u < loads; ++u) pack[u] = task.source.template load<aligned>(at, (u * size + rank) * width);
      for (int v = 0; v < width; ++v) {
        value_type column[loads];
        for (int u = 0; u < loads; ++u) column[u] = static_cast<value_type>(pack[u].value[v]);
        joined[v] = op.join(joined[v], join_tree<Op, loads>(op, column));
      }
    }
    if (first < n) {
      auto const at = task.source.at_tile(first);
      int const rest = static_cast<int>(n - first);
      for (int u = 0; u < loads; ++u) {
        for (int v = 0; v < width; ++v) {
          int const offset = (u * size + rank) * width + v;
          if (offset < rest) joined[v] = op.join(joined[v], static_cast<value_type>(task.source.load_one(at, offset)));
        }
      }
    }
    return join_tree<Op, width>(op, joined);
  }

  /// The result of the whole team, in its thread 0.
  KOKKOS_FORCEINLINE_FUNCTION value_type join_team(member_type const& team, ScratchValues const& shared, value_type own) const {
    int const rank = team.team_rank();
    // Four at a time: half the barriers of a binary tree.
    for (int width_now = team.team_size(); width_now > 1;) {
      int const next = (width_now + 3) / 4;
      if (rank >= next && rank < width_now) shared(rank) = own;
      team.team_barrier();
      if (rank < next) {
        for (int r = 1; r < 4; ++r) {
          if (rank + r * next < width_now) own = task.op.join(own, shared(rank + r * next));
        }
      }
      width_now = next;
    }
    return own;
  }

  KOKKOS_FUNCTION void operator()(member_type const& team) const {
    int const rank = team.team_rank();
    int const size = team.team_size();
    int const league = team.league_size();
    value_type own = task.source.aligned() ? join_own<true>(rank, size, team.league_rank(), league)
                                           : join_own<false>(rank, size, team.league_rank(), league);
    ScratchValues const shared(team.team_scratch(0), static_cast<std::size_t>(size));
    ScratchFlag const last(team.team_scratch(0), 1);
    own = join_team(team, shared, own);
    if (league == 1) {
      if (rank == 0) task.store(own);
      return;
    }
    if (rank == 0) last(0) = task.hand_in(team.league_rank(), league, own) ? 1 : 0;
    team.team_barrier();
    if (last(0) == 0) return;
    Kokkos::memory_fence();
    own = task.op.identity();
    for (int i = rank; i < league; i += size) own = task.op.join(own, task.partials[i]);
    own = join_team(team, shared, own);
    if (rank == 0) task.store(own);
  }
};

}  // namespace karman::detail
