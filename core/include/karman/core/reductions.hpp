// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reductions: one number out of a field, in one pass and one kernel.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/concepts.hpp>
#include <karman/core/detail/reductions_kernel.hpp>
#include <karman/core/detail/reductions_sources.hpp>
#include <karman/core/error.hpp>
#include <karman/core/reduction_operations.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace karman {

/// How the values are dealt out to the teams. The order in which values are joined, and with it the last bits of a sum,
/// depends on these numbers and on n, on nothing else.
struct ReductionTuning {
  int team_size = 1;     ///< threads of a team on a device; 1 on a host
  int max_teams = 4096;  ///< teams at most, also on the largest field
};

/// Tuning of a backend that is settled when the kernels are compiled, and the default of what is not.
/// Host: tiles of `tile` values, as many vector lanes as fill 256 bytes.
template <class Exec>
struct ReductionTable {
  static constexpr bool teams = !runs_on_host<Exec>;
  static constexpr int tile = 4096;
  static constexpr int loads_in_flight = 4;
  static constexpr ReductionTuning tuning =
      teams ? ReductionTuning{.team_size = 256, .max_teams = 2112} : ReductionTuning{.team_size = 1, .max_teams = 4096};
};

namespace detail {

/// Memory of the host in which kernels of Exec can leave a number.
template <class Exec>
struct HostReadable {
  using memory_space = Kokkos::HostSpace;
};
#if defined(KOKKOS_ENABLE_CUDA)
template <>
struct HostReadable<Kokkos::Cuda> {
  using memory_space = Kokkos::CudaHostPinnedSpace;
};
#endif

struct ClearArrivals {
  int* arrivals;
  KOKKOS_FUNCTION void operator()(int) const { *arrivals = 0; }
};

}  // namespace detail

/// A View of rank 0 in the memory of Exec that can hold a T.
template <class R, class Exec, class T>
concept ResultView = ViewFor<R, Exec> && int(R::rank) == 0 && std::is_convertible_v<T, typename R::non_const_value_type> &&
    !std::is_const_v<typename R::value_type>;

/// A plan for reductions on one execution space.
///
/// The workspace (one partial result a team and a counter) is allocated once, here; no reduction allocates. A reduction
/// is one kernel: every thread joins its own values, a tree in team scratch joins the threads of a team, and the team
/// that arrives last joins the teams. Its result is the same bits from run to run and for any number of threads.
/// Every operation comes in two forms: with a result View it is asynchronous on `space`; without, it returns the result
/// and has fenced `space`. One plan serves one instance at a time; concurrent instances take a plan each.
template <ExecutionSpace Exec, class Table = ReductionTable<Exec>>
class Reducer {
 public:
  using execution_space = Exec;

  /// Allocates the workspace and fences `space`. Throws std::invalid_argument for a tuning out of range.
  explicit Reducer(Exec const& space, ReductionTuning const& tuning = Table::tuning);

  Reducer(Reducer&&) = default;
  Reducer& operator=(Reducer&&) = default;
  Reducer(Reducer const&) = delete;
  Reducer& operator=(Reducer const&) = delete;
  ~Reducer() = default;

  /// result = op over map(i), 0 <= i < n. `map(std::int64_t)` is a KOKKOS_FUNCTION whose result converts to
  /// Op::value_type. n = 0 gives op's identity. Asynchronous.
  template <class Map, ReductionOperation Op, ResultView<Exec, ReductionResult<Op>> Result>
  void reduce(Exec const& space, std::int64_t n, Map const& map, Op const& op, Result const& result);

  /// The same to the host. Fences `space`.
  template <class Map, ReductionOperation Op>
  ReductionResult<Op> reduce(Exec const& space, std::int64_t n, Map const& map, Op const& op);

  /// result = op over map(k, j, i), the indices (int) running through a box of these extents, i fastest. Asynchronous.
  template <class Map, ReductionOperation Op, ResultView<Exec, ReductionResult<Op>> Result>
  void reduce(Exec const& space, std::array<int, 3> const& extents, Map const& map, Op const& op, Result const& result);

  /// The same to the host. Fences `space`.
  template <class Map, ReductionOperation Op>
  ReductionResult<Op> reduce(Exec const& space, std::array<int, 3> const& extents, Map const& map, Op const& op);

  /// Bytes of the workspace in the memory of Exec.
  std::int64_t workspace_bytes() const { return static_cast<std::int64_t>(workspace_.extent(0)); }

 private:
  static constexpr int max_value_bytes = 64;

  template <class Source, class Op, class Result>
  void launch(Exec const& space, char const* label, Source const& source, Op const& op, Result* result);
  template <class Source, class Op>
  ReductionResult<Op> launch_to_host(Exec const& space, char const* label, Source const& source, Op const& op);

  ReductionTuning tuning_;
  Kokkos::View<unsigned char*, typename Exec::memory_space> workspace_;
  Kokkos::View<int, typename Exec::memory_space> arrivals_;
  Kokkos::View<unsigned char*, typename detail::HostReadable<Exec>::memory_space> host_result_;
};

template <ExecutionSpace Exec, class Table>
Reducer<Exec, Table>::Reducer(Exec const& space, ReductionTuning const& tuning)
    : tuning_(tuning),
      workspace_(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "karman::reductions::workspace"),
                 static_cast<std::size_t>(std::max(tuning.max_teams, 1)) * max_value_bytes),
      arrivals_(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "karman::reductions::arrivals")),
      host_result_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "karman::reductions::host_result"), max_value_bytes) {
  require(tuning.max_teams >= 1, "a reduction needs at least one team");
  require(tuning.team_size >= 1 && tuning.team_size <= 1024, "the team size of a reduction must be from 1 to 1024");
  static_assert(1024 * Table::loads_in_flight <= detail::max_tile);
  Kokkos::parallel_for("karman::reductions::clear", Kokkos::RangePolicy<Exec>(space, 0, 1),
                       detail::ClearArrivals{arrivals_.data()});
  compat::fence(space, "karman::reductions::ready");
}

template <ExecutionSpace Exec, class Table>
template <class Source, class Op, class Result>
void Reducer<Exec, Table>::launch(Exec const& space, char const* label, Source const& source, Op const& op, Result* result) {
  using Value = typename Op::value_type;
  detail::ReductionTask<Source, Op, Result> const task{source, op, result, reinterpret_cast<Value*>(workspace_.data()),
                                                       arrivals_.data()};
  std::int64_t const tile = Table::teams ? std::int64_t(tuning_.team_size) * Source::width * Table::loads_in_flight : Table::tile;
  std::int64_t const tiles = (source.size() + tile - 1) / tile;
  int const teams = static_cast<int>(std::clamp<std::int64_t>(tiles, 1, tuning_.max_teams));
  if constexpr (Table::teams) {
    using Kernel = detail::TeamReduction<Exec, Source, Op, Result, Table>;
    Kokkos::TeamPolicy<Exec> policy(space, teams, tuning_.team_size);
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes(tuning_.team_size))));
    Kokkos::parallel_for(label, policy, Kernel{task});
  } else {
    using Kernel = detail::HostReduction<Source, Op, Result, Table>;
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(space, 0, teams), Kernel{task, tiles, teams});
  }
}

template <ExecutionSpace Exec, class Table>
template <class Source, class Op>
ReductionResult<Op> Reducer<Exec, Table>::launch_to_host(Exec const& space, char const* label, Source const& source, Op const& op) {
  using Result = ReductionResult<Op>;
  static_assert(sizeof(Result) <= max_value_bytes);
  auto* const result = reinterpret_cast<Result*>(host_result_.data());
  launch(space, label, source, op, result);
  compat::fence(space, "karman::reductions::result");
  return *result;
}

template <ExecutionSpace Exec, class Table>
template <class Map, ReductionOperation Op, ResultView<Exec, ReductionResult<Op>> Result>
void Reducer<Exec, Table>::reduce(Exec const& space, std::int64_t n, Map const& map, Op const& op, Result const& result) {
  require(n >= 0, "the number of values to reduce must not be negative");
  launch(space, "karman::reductions::reduce", detail::IndexedSource<Map>{map, n}, op, result.data());
}

template <ExecutionSpace Exec, class Table>
template <class Map, ReductionOperation Op>
ReductionResult<Op> Reducer<Exec, Table>::reduce(Exec const& space, std::int64_t n, Map const& map, Op const& op) {
  require(n >= 0, "the number of values to reduce must not be negative");
  return launch_to_host(space, "karman::reductions::reduce", detail::IndexedSource<Map>{map, n}, op);
}

template <ExecutionSpace Exec, class Table>
template <class Map, ReductionOperation Op, ResultView<Exec, ReductionResult<Op>> Result>
void Reducer<Exec, Table>::reduce(Exec const& space, std::array<int, 3> const& extents, Map const& map, Op const& op,
                                  Result const& result) {
  require(std::min({extents[0], extents[1], extents[2]}) >= 0, "the extents to reduce over must not be negative");
  launch(space, "karman::reductions::reduce", detail::BoxSource<Map, int>(map, {{extents[0], extents[1], extents[2]}}), op,
         result.data());
}

template <ExecutionSpace Exec, class Table>
template <class Map, ReductionOperation Op>
ReductionResult<Op> Reducer<Exec, Table>::reduce(Exec const& space, std::array<int, 3> const& extents, Map const& map,
                                                 Op const& op) {
  require(std::min({extents[0], extents[1], extents[2]}) >= 0, "the extents to reduce over must not be negative");
  return launch_to_host(space, "karman::reductions::reduce",
                        detail::BoxSource<Map, int>(map, {{extents[0], extents[1], extents[2]}}), op);
}

}  // namespace karman
