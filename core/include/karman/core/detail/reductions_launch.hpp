// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Launch of the kernel that reduces a source or fields.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/detail/reductions_fields.hpp>
#include <karman/core/detail/reductions_kernel.hpp>
#include <karman/core/detail/reductions_maps.hpp>
#include <karman/core/detail/reductions_sources.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman {

/// Division of the values among teams. The joining order depends on these numbers, on n and on the layout alone. So do
/// the last bits of a sum.
struct ReductionTuning {
  int team_size = 1;     ///< threads of a team on a device; 1 on a host
  int max_teams = 4096;  ///< largest number of teams, whatever the size of the field
};

/// Compile-time tuning of a backend, and the default of the run-time tuning.
template <class Exec>
struct ReductionTable {
  static constexpr bool teams = !runs_on_host<Exec>;  ///< true if threads share the values of a team: on a device
  static constexpr int tile = 4096;                   ///< host: least number of values of a team
  static constexpr int fold = 16384;                  ///< host: values joined before lanes are folded
  static constexpr int few_teams = 64;       ///< host: up to this number each team gets one tile, beyond it one
                                             /// fold
  static constexpr int loads_in_flight = 4;  ///< device: loads of 16 bytes in flight per thread
  /// Measured on an H200 with 66 to 2112 teams of 256 to 1024. Every arrival of a team costs a small field time. Four
  /// teams per multiprocessor still read a large field at copy speed.
  static constexpr ReductionTuning tuning =
      teams ? ReductionTuning{.team_size = 256, .max_teams = 528} : ReductionTuning{.team_size = 1, .max_teams = 4096};
};

}  // namespace karman

namespace karman::detail {

/// Host memory that kernels of Exec can write.
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

/// Memory for the partial results of the teams of one reduction at a time.
struct ReductionWorkspace {
  ReductionTuning tuning;
  void* partials;
  int* arrivals;
};

inline std::int64_t tiles(std::int64_t n, std::int64_t tile) { return (n + tile - 1) / tile; }

/// A number of teams, limited to 1 to `most`.
inline int at_most(int most, std::int64_t teams) { return static_cast<int>(std::clamp<std::int64_t>(teams, 1, most)); }

/// *result = finish(op over source), in one kernel on `space`.
template <class Exec, class Table, class Source, class Op, class Finish, class Result>
void launch_reduction(Exec const& space, char const* label, ReductionWorkspace const& workspace, Source const& source,
                      Op const& op, Finish const& finish, Result* result) {
  ReductionTask<Source, Op, Finish, Result> const task{
      source, op, finish, result, static_cast<typename Op::value_type*>(workspace.partials), workspace.arrivals};
  ReductionTuning const& tuning = workspace.tuning;
  std::int64_t const n = source.size();
  if constexpr (Table::teams) {
    using Kernel = TeamReduction<Exec, ReductionTask<Source, Op, Finish, Result>, Table>;
    int const teams =
        at_most(tuning.max_teams, tiles(n, std::int64_t(tuning.team_size) * Source::width * Table::loads_in_flight));
    Kokkos::TeamPolicy<Exec> policy(space, teams, tuning.team_size);
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes(tuning.team_size))));
    Kokkos::parallel_for(label, policy, Kernel{task});
  } else {
    using Kernel = HostReduction<ReductionTask<Source, Op, Finish, Result>, Table>;
    std::int64_t const small = std::min<std::int64_t>(tiles(n, Table::tile), Table::few_teams);
    int const teams = at_most(tuning.max_teams, std::max(small, n / Table::fold));
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(space, 0, teams),
                         Kernel{task, tiles(n, Table::tile), teams});
  }
}

/// result = finish(op over map(fields)), all fields of one scalar type T.
template <class Exec, class Table, class T, int fields, class Map, class Op, class Finish, class Result>
void reduce_fields(Exec const& space, char const* label, ReductionWorkspace const& workspace,
                   FieldSet<T, fields> const& set, Map const& map, Op const& op, Finish const& finish, Result* result) {
  auto const& [data, shape] = set;
  using Strided = StridedMap<T, fields, Map, false>;
  using Rows = StridedMap<T, fields, Map, true>;
  if constexpr (Table::teams) {
    if (shape.contiguous()) {
      ContiguousSource<T, fields, Map> const source(data, map, shape.size());
      return launch_reduction<Exec, Table>(space, label, workspace, source, op, finish, result);
    }
  } else if (shape.unit_stride()) {
    BoxSource<Rows, std::int64_t> const source(Rows{data, shape.stride, map}, shape.extent);
    return launch_reduction<Exec, Table>(space, label, workspace, source, op, finish, result);
  }
  BoxSource<Strided, std::int64_t, false> const source(Strided{data, shape.stride, map}, shape.extent);
  launch_reduction<Exec, Table>(space, label, workspace, source, op, finish, result);
}

}  // namespace karman::detail
