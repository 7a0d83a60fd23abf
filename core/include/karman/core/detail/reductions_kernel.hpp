// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The two kernels of a reduction, for the cores of a host and for the teams of a device. Both store one partial result
/// per team, and the last team to finish joins them. So one launch is enough, and the order of joining depends on the
/// number of values alone.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/detail/reductions_lanes.hpp>
#include <karman/core/detail/reductions_sources.hpp>
#include <karman/core/reduction_operations.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace karman::detail {

/// Joins values in a fixed tree.
template <class Op, int count>
KOKKOS_FORCEINLINE_FUNCTION typename Op::value_type join_tree(Op const& op,
                                                              typename Op::value_type const (&values)[count]) {
  if constexpr (count == 1) {
    return values[0];
  } else {
    constexpr int half = (count + 1) / 2;
    typename Op::value_type joined[half];
    for (int l = 0; l < half; ++l) joined[l] = l + half < count ? op.join(values[l], values[l + half]) : values[l];
    return join_tree<Op, half>(op, joined);
  }
}

/// Shared parts of both kernels: source, operation, destination of the result, and workspace.
template <class Source, class Operation, class Finish, class Result>
struct ReductionTask {
  using source_type = Source;
  using operation = Operation;
  using value_type = typename Operation::value_type;

  Source source;
  Operation op;
  Finish finish;
  Result* result;
  value_type* partials;  ///< one per team
  int* arrivals;         ///< number of teams that have written theirs; 0 before and after every reduction

  KOKKOS_FORCEINLINE_FUNCTION void store(value_type const& value) const {
    *result = static_cast<Result>(finish(value));
  }

  /// Stores the partial result of a team. Returns true for the team that does so last.
  KOKKOS_FORCEINLINE_FUNCTION bool reduce_across_teams(int team, int teams, value_type const& value) const {
    partials[team] = value;
    Kokkos::memory_fence();
    bool const last = Kokkos::atomic_fetch_add(arrivals, 1) == teams - 1;
    if (last) *arrivals = 0;
    return last;
  }
};

/// Number of lanes that fill twelve vector registers of 32 bytes, with this many bytes per lane. That hides the latency
/// of an operation without spills.
constexpr int host_lanes(std::size_t bytes) {
  int lanes = 4;
  while (static_cast<std::size_t>(lanes) * 2 * bytes <= 384) lanes *= 2;
  return lanes;
}

/// Reduction on a host. A team is one thread, its values are a contiguous range, and its lanes the lanes of the vector
/// registers.
template <class Task, class Table>
struct HostReduction {
  using Source = typename Task::source_type;
  using Op = typename Task::operation;
  using value_type = typename Task::value_type;
  static constexpr int lane_count = host_lanes(sizeof(QuickLanes<Op, typename Source::value_type, 1>));

  Task task;
  std::int64_t tiles;
  int teams;

  /// Joins a segment into lanes.
  template <class LaneValues, int lane_count, bool vectorises>
  struct Visit {
    Op op;
    LaneValues& lanes;
    template <class At>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(At const at, std::int64_t const length) const {
      std::int64_t first = 0;
      if constexpr (vectorises) {
        for (; first + lane_count <= length; first += lane_count) {
          KARMAN_SIMD
          for (int l = 0; l < lane_count; ++l) lanes.join(op, l, at(first + l));
        }
      } else {
        for (; first + 4 <= length; first += 4) {
          for (int l = 0; l < 4; ++l) lanes.join(op, l, at(first + l));
        }
      }
      for (int l = 0; first < length; ++first, ++l) lanes.join(op, l, at(first));
    }
  };

  /// Joins the values of [first, last) in lanes of the same order, whichever they are.
  template <class LaneValues>
  KOKKOS_FORCEINLINE_FUNCTION void join_segments(LaneValues& lanes, std::int64_t first, std::int64_t last) const {
    lanes.clear(task.op);
    Visit<LaneValues, lane_count, Source::vectorises> visit{task.op, lanes};
    task.source.for_segments(first, last, visit);
  }
  template <class LaneValues>
  KOKKOS_FORCEINLINE_FUNCTION void add_to(Lanes<Op, lane_count>& total, LaneValues const& lanes) const {
    KARMAN_SIMD
    for (int l = 0; l < lane_count; ++l) total.join(task.op, l, lanes.get(l));
  }

  KOKKOS_FUNCTION value_type join_range(std::int64_t const begin, std::int64_t const end) const {
    using Quick = QuickLanes<Op, typename Source::value_type, lane_count>;
    // Restarts the lanes at intervals, so that the error of a sum does not grow with the length of the range.
    Lanes<Op, lane_count> total;
    total.clear(task.op);
    for (std::int64_t first = begin; first < end; first += Table::fold) {
      std::int64_t const last = first + Table::fold < end ? first + Table::fold : end;
      Quick quick;
      join_segments(quick, first, last);
      bool exact = quick.exact();
      if constexpr (requires { typename Quick::Sizes; }) {
        if (!exact && quick.vanishes()) {
          typename Quick::Sizes sizes;
          join_segments(sizes, first, last);
          exact = quick.exact_for(sizes);
        }
      }
      if (exact) {
        add_to(total, quick);
      } else {
        LiftedLanes<Op, typename Source::value_type, lane_count> strict;
        join_segments(strict, first, last);
        add_to(total, strict);
      }
    }
    return folded(total);
  }

  KOKKOS_FUNCTION value_type join_partials() const {
    Lanes<Op, lane_count> total;
    total.clear(task.op);
    for (int first = 0; first < teams; first += lane_count) {
      int const present = teams - first < lane_count ? teams - first : lane_count;
      for (int l = 0; l < present; ++l) total.join(task.op, l, task.partials[first + l]);
    }
    return folded(total);
  }

  KOKKOS_FORCEINLINE_FUNCTION value_type folded(Lanes<Op, lane_count>& lanes) const {
    for (int half = lane_count / 2; half > 0; half /= 2) {
      for (int l = 0; l < half; ++l) lanes.join(task.op, l, lanes.get(l + half));
    }
    return lanes.get(0);
  }

  KOKKOS_FUNCTION void operator()(int const team) const {
    std::int64_t const n = task.source.size();
    std::int64_t const begin = tiles * team / teams * Table::tile;
    std::int64_t const end = tiles * (team + 1) / teams * Table::tile;
    value_type const own = join_range(begin, end < n ? end : n);
    if (teams == 1) {
      task.store(own);
    } else if (task.reduce_across_teams(team, teams, own)) {
      Kokkos::memory_fence();
      task.store(join_partials());
    }
  }
};

/// Reduction on a device. The threads of a team take the packs of a tile in turn, with several loads in flight. Every
/// thread joins its own values, and a tree in team scratch joins the threads.
template <class Exec, class Task, class Table>
struct TeamReduction {
  using Source = typename Task::source_type;
  using Op = typename Task::operation;
  using value_type = typename Task::value_type;
  using member_type = typename Kokkos::TeamPolicy<Exec>::member_type;
  using ScratchValues =
      Kokkos::View<value_type*, typename Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using ScratchFlag = Kokkos::View<int*, typename Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static constexpr int width = Source::width;
  static constexpr int loads = Table::loads_in_flight;

  Task task;

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
      ValuePack<typename Source::value_type, width> pack[loads];
      for (int u = 0; u < loads; ++u) pack[u] = task.source.template load<aligned>(at, (u * size + rank) * width);
      for (int v = 0; v < width; ++v) {
        value_type column[loads];
        for (int u = 0; u < loads; ++u) column[u] = lift(op, pack[u].value[v]);
        joined[v] = op.join(joined[v], join_tree<Op, loads>(op, column));
      }
    }
    if (first < n) {
      auto const at = task.source.at_tile(first);
      int const rest = static_cast<int>(n - first);
      for (int u = 0; u < loads; ++u) {
        for (int v = 0; v < width; ++v) {
          int const offset = (u * size + rank) * width + v;
          if (offset < rest) joined[v] = op.join(joined[v], lift(op, task.source.load_one(at, offset)));
        }
      }
    }
    return join_tree<Op, width>(op, joined);
  }

  /// The result of the whole team, in its thread 0.
  KOKKOS_FORCEINLINE_FUNCTION value_type join_team(member_type const& team, ScratchValues const& shared,
                                                   value_type own) const {
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
    if (rank == 0) last(0) = task.reduce_across_teams(team.league_rank(), league, own) ? 1 : 0;
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
