// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Solution of a batch on a host: lanes across systems where there are enough of them, else across chunks.
#pragma once

#include "interleaved.hpp"
#include "layout.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

/// Tuning for a host. Independent of the number of threads, and so are the bits of a solution.
struct HostTuning {
  /// Largest number of rows of a run: its elimination in all lanes must stay in the second-level cache.
  std::int64_t most_rows = 4096;
  /// The same where many lanes are used.
  std::int64_t most_wide_rows = 1024;
  /// Rows of a chunk where systems are partitioned because they are long.
  std::int64_t chunk_rows = 1024;
  /// Least number of rows of a chunk where systems are partitioned because they are too few for all lanes.
  std::int64_t least_rows = 32;
  /// Rows that pay for one more tile of lanes, and number of tiles that keep a host's threads busy.
  std::int64_t tile_rows = 32768;
  std::int64_t most_tiles = 64;
};

/// Division of the systems of a shape on a host, fixed with the plan.
struct HostCut {
  std::int64_t chunks;    ///< 1: whole systems
  std::int64_t run_rows;  ///< rows of the longest run
  int slots;
  std::int64_t slot_values, end_values, coarse_values;  ///< of workspace
  std::int64_t values() const { return slots * slot_values + end_values + coarse_values; }
};

template <class T>
HostCut host_cut(SystemShape const& shape, int threads, std::int64_t chunks) {
  constexpr int lanes = narrow_lanes<T>;
  HostCut cut{};
  cut.chunks = std::clamp<std::int64_t>(chunks, 1, std::max<std::int64_t>(1, shape.rows));
  cut.run_rows = (shape.rows + cut.chunks - 1) / cut.chunks;
  std::int64_t const runs = cut.chunks * shape.systems();
  cut.slots = static_cast<int>(std::clamp<std::int64_t>((runs + lanes - 1) / lanes, 1, threads));
  cut.slot_values = 2 * cut.run_rows * (cut.run_rows <= HostTuning().most_wide_rows ? wide_lanes<T> : lanes);
  if (cut.chunks > 1 || cyclic(shape)) {
    // ChunkEnds is ten values; the coarse system four.
    cut.end_values = static_cast<std::int64_t>(sizeof(ChunkEnds<T>) / sizeof(T)) * runs;
    cut.coarse_values = 4 * runs;
  }
  return cut;
}

/// Suitable number of chunks of every system of a shape, for a batch of `whole.systems`.
template <class T>
std::int64_t host_chunks(SystemShape const& shape, WholeBatch const& whole, HostTuning const& tuning) {
  std::int64_t const systems = std::max<std::int64_t>(1, whole.systems_or(shape));
  std::int64_t chunks = 1;
  if (shape.rows > tuning.most_rows) chunks = (shape.rows + tuning.chunk_rows - 1) / tuning.chunk_rows;
  std::int64_t const tiles = std::clamp<std::int64_t>(shape.rows * systems / tuning.tile_rows, 1, tuning.most_tiles);
  std::int64_t const runs_wanted = narrow_lanes<T> * tiles;
  if (2 * chunks * systems <= runs_wanted) {
    chunks = std::max(chunks, std::min(runs_wanted / systems, shape.rows / tuning.least_rows));
  }
  return chunks;
}

/// Solves all systems of a batch on a host, whole or in the chunks of `cut`, with this many lanes.
template <int lanes, class Exec, class T, class Rows>
void solve_in_lanes(Exec const& space, Rows const& rows, StridedSystems<T const> const& rhs, StridedSystems<T> const& x,
                    SystemShape const& shape, HostCut const& cut, BatchLayout const& layout, T* workspace) {
  using Kernel = InterleavedKernel<T, Rows, lanes>;
  std::int64_t const runs = cut.chunks * shape.systems();
  std::int64_t const tiles = (runs + lanes - 1) / lanes;
  T* const after_slots = workspace + cut.slots * cut.slot_values;
  auto* const ends = reinterpret_cast<ChunkEnds<T>*>(after_slots);
  T* const coarse = after_slots + cut.end_values;
  LaneCut const lane_cut{shape, cut.chunks, layout.systems_fastest, layout.axis0_fastest, tiles, cut.slots};
  Kernel const kernel{rows, rhs, x, lane_cut, workspace, cut.slot_values, ends, coarse + 3 * runs};
  auto const launch = [&](auto tag, char const* label) {
    using Policy = Kokkos::RangePolicy<Exec, decltype(tag), Kokkos::IndexType<int>, Kokkos::Schedule<Kokkos::Static>>;
    Kokkos::parallel_for(label, Policy(space, 0, cut.slots), kernel);
  };
  if (cut.chunks == 1 && !cyclic(shape)) return launch(WholeSystems(), "karman::tridiagonal::interleaved");

  launch(ChunksToEnds(), "karman::tridiagonal::reduce_chunks");
  Kokkos::parallel_for(
      "karman::tridiagonal::interface_rows", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, runs),
      RowsFromEnds<T>{ends, cut.chunks, cyclic(shape), coarse, coarse + runs, coarse + 2 * runs, coarse + 3 * runs});
  // The ends are no longer needed: their memory serves the coarse systems, one thread each.
  SystemShape const coarse_shape{cut.chunks, {shape.batch[0], shape.batch[1]}, shape.periodic};
  auto const array = [&](int n) {
    return StridedSystems<T>{coarse + n * runs, 1, {cut.chunks * shape.batch[1], cut.chunks}};
  };
  StridedRows<T> const coarse_rows{
      {read_only(array(0)), T(0)}, {read_only(array(1)), T(0)}, {read_only(array(2)), T(0)}};
  solve_thomas(space, coarse_rows, read_only(array(3)), array(3), coarse_shape, after_slots, true, false);
  launch(EndsToChunks(), "karman::tridiagonal::substitute_chunks");
}

/// The same with the number of lanes for the layout.
template <class Exec, class T, class Rows>
void solve_on_host(Exec const& space, Rows const& rows, StridedSystems<T const> const& rhs, StridedSystems<T> const& x,
                   SystemShape const& shape, HostCut const& cut, T* workspace) {
  BatchLayout const layout = batch_layout(rows, rhs, x, shape);
  bool const many = cut.chunks * shape.systems() >= 4 * wide_lanes<T>;
  if (layout.systems_fastest && many && cut.run_rows <= HostTuning().most_wide_rows) {
    solve_in_lanes<wide_lanes<T>>(space, rows, rhs, x, shape, cut, layout, workspace);
  } else {
    solve_in_lanes<narrow_lanes<T>>(space, rows, rhs, x, shape, cut, layout, workspace);
  }
}

}  // namespace karman::detail
