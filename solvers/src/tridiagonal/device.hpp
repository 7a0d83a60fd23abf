// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Choice of the kernel of a device: on chip where a system fits into a team, else partitioned.
#pragma once

#include "on_chip.hpp"
#include "partitioned.hpp"
#include "shared_matrix.hpp"
#include "thomas.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// Tuning for a device, by the size of a value and the unit of moves. Measured on an H200 (figures in
/// docs/tridiagonal.md).
template <class T, int unit>
struct DeviceTable {
  static constexpr int width = int(16 / sizeof(T));
  /// Rows of a chunk. Twice as many would not fit into the registers of four teams of 128. Where single floats are
  /// moved, half as many keep more loads in flight.
  static constexpr int rows = unit == 1 && sizeof(T) == 4 ? 8 : 4 * width;
  /// Largest team size where systems are moved without staging, or through one buffer: the part that its exchange
  /// leaves of 48 KiB.
  static constexpr int most_threads = sizeof(T) == 16 ? 256 : 512;
  using WideTeams = TeamBounds<most_threads, sizeof(T) == 16 ? 2 : 1>;
  /// The same through four buffers.
  static constexpr int threads = 128;
  using Teams = TeamBounds<threads, 4>;
  /// Partitions with longer chunks write and read less between the two passes. Rows of 8 bytes and more gain from it
  /// (41.8 instead of 38.7 G rows/s, one system of 2^24 doubles), floats do not.
  static constexpr bool long_chunks = unit == width && sizeof(T) >= 8;
  static constexpr int partition_rows = long_chunks ? 2 * rows : rows;
  static constexpr int partition_threads = long_chunks ? 64 : 128;
  using PartitionTeams = TeamBounds<partition_threads, 4>;
  /// Threads of a team for systems that need fewer.
  static constexpr int small_team = 64;
  /// Desired number of adjacent systems per team, which gives whole transactions also where rows are not aligned: a
  /// cache line where two teams fit on a multiprocessor, else half of it. And the number that suffices to keep systems
  /// on chip.
  static constexpr int side_by_side = int(64 / sizeof(T));
  static constexpr int line_side_by_side = int(128 / sizeof(T));
  static constexpr int two_teams = 256;
  static constexpr int enough_side_by_side = sizeof(T) == 16 ? 4 : 8;
};

/// Calls use(std::integral_constant<int, unit>) for the unit of a layout.
template <class T, class Use>
void with_unit(int unit, Use const& use) {
  constexpr int width = int(16 / sizeof(T));
  if (unit == 0) return use(std::integral_constant<int, 0>());
  if constexpr (width > 1) {
    if (unit == width) return use(std::integral_constant<int, width>());
  }
  return use(std::integral_constant<int, 1>());
}

/// True if systems of this shape and layout fit into a team.
template <class T>
bool fits_on_chip(SystemShape const& shape, BatchLayout const& layout, WholeBatch const& whole = {}) {
  using Widest = DeviceTable<T, DeviceTable<T, 0>::width>;
  if (layout.unit == 1) return shape.rows <= std::int64_t(DeviceTable<T, 1>::rows) * Widest::most_threads;
  std::int64_t const most = std::int64_t(Widest::rows) * Widest::most_threads;
  if (!layout.systems_fastest && !whole.systems_fastest) return shape.rows <= most;
  return shape.rows <= most / std::min<std::int64_t>(Widest::enough_side_by_side, whole.systems_or(shape));
}

/// Kernel for a batch. The unit of moves determines the rows of a chunk, and so the bits of a solution.
struct DeviceChoice {
  int unit;
  bool on_chip;
};

/// Choice for a batch, or for a part of `whole`. The rows of a part can be contiguous where rows of the whole batch are
/// not: in a field of one column.
template <class T>
DeviceChoice device_choice(SystemShape const& shape, BatchLayout layout, WholeBatch const& whole) {
  if (whole.systems_fastest) layout.unit = 0;
  return {layout.unit, fits_on_chip<T>(shape, layout, whole)};
}

/// Number of rows up to which systems fit into a team whatever their layout, and number beyond which they never do.
template <class T>
std::int64_t always_on_chip() {
  using Widest = DeviceTable<T, DeviceTable<T, 0>::width>;
  return std::int64_t(Widest::rows) * Widest::most_threads / Widest::enough_side_by_side;
}

/// Values of workspace for systems of this shape in any layout.
template <class T>
std::int64_t device_workspace(SystemShape shape, bool always_partition, WholeBatch const& whole = {}) {
  constexpr int rows = std::min(DeviceTable<T, 0>::rows, DeviceTable<T, 1>::rows);
  constexpr std::int64_t unit = DeviceTable<T, 0>::width;
  if (shape.rows <= 2) return thomas_workspace(shape, false);
  std::int64_t const shared = always_partition ? 0 : shared_matrix_workspace<T>(shape, whole);
  std::int64_t values = 0;
  bool partition = always_partition;
  while (partition || shape.rows > always_on_chip<T>()) {
    std::int64_t const chunks = ((shape.rows + rows - 1) / rows + unit - 1) / unit * unit;
    values += 4 * chunks * shape.systems();
    shape.rows = chunks;
    partition = false;
  }
  // Behind the coarse systems of all levels: the last of them may have two rows, for the Thomas algorithm.
  values += thomas_workspace({2, {shape.batch[0], shape.batch[1]}, false}, false);
  return std::max(values, shared);
}

template <int unit, class Exec, class T, class Rows>
void solve_on_chip(Exec const& space, Rows const& rows, StridedSystems<T const> const& rhs, StridedSystems<T> const& x,
                   SystemShape const& shape, BatchLayout const& layout) {
  using Table = DeviceTable<T, unit>;
  constexpr int K = Table::rows;
  std::int64_t const lanes = (shape.rows + K - 1) / K;
  if constexpr (unit == 0) {
    bool const lines = Table::line_side_by_side * lanes <= Table::two_teams;
    auto const side_by_side = lines ? Table::line_side_by_side : Table::side_by_side;
    auto const wanted = std::max<std::int64_t>(Table::threads, side_by_side * lanes);
    auto const threads = static_cast<int>(std::min<std::int64_t>(wanted, Table::most_threads));
    return launch_on_chip<K, unit, 1, typename Table::WideTeams>(space, rows, rhs, x, shape, layout, threads);
  } else if constexpr (unit == Table::width) {
    if (lanes <= Table::threads) {
      return launch_on_chip<K, unit, 4, typename Table::Teams>(space, rows, rhs, x, shape, layout, Table::small_team);
    }
  }
  if constexpr (unit > 0) {
    launch_on_chip<K, unit, 1, typename Table::WideTeams>(space, rows, rhs, x, shape, layout, Table::threads);
  }
}

/// Solves all systems of a batch on a device, a part of `whole`. `always_partition` requires at least one level of
/// partition. `factors`: of factor_shared_matrix() for these rows, or null.
template <class Exec, class T, class Rows>
void solve_on_device(Exec const& space, Rows const& rows, StridedSystems<T const> const& rhs,
                     StridedSystems<T> const& x, SystemShape const& shape, WholeBatch const& whole,
                     bool always_partition, T* workspace, T* factors = nullptr) {
  if (shape.rows <= 2) return solve_thomas(space, rows, rhs, x, shape, workspace, false, true);
  BatchLayout const layout = batch_layout(rows, rhs, x, shape);
  if constexpr (std::is_same_v<Rows, StridedRows<T>>) {
    if (!always_partition && (layout.systems_fastest || whole.systems_fastest) && one_matrix(rows, shape) &&
        shares_factors<T>(shape, whole)) {
      if (factors == nullptr) factor_shared_matrix(space, rows, shape, factors = workspace);
      return solve_shared_matrix(space, rhs, x, shape, layout, factors);
    }
  }
  DeviceChoice const choice = device_choice<T>(shape, layout, whole);
  with_unit<T>(choice.unit, [&](auto unit) {
    if (!always_partition && choice.on_chip) {
      return solve_on_chip<unit.value>(space, rows, rhs, x, shape, layout);
    }
    using Table = DeviceTable<T, unit.value>;
    launch_partition<Table::partition_rows, unit.value, typename Table::PartitionTeams>(
        space, rows, rhs, x, shape, layout, Table::partition_threads, workspace,
        [&](CoarseSystems<T> const& coarse, std::int64_t chunks) {
          SystemShape const coarse_shape{chunks, {shape.batch[0], shape.batch[1]}, shape.periodic};
          StridedSystems<T> const inout = coarse.array(coarse.rhs);
          solve_on_device(space, coarse.rows(), read_only(inout), inout, coarse_shape, whole, false,
                          workspace + 4 * chunks * shape.systems());
        });
  });
}

}  // namespace karman::detail
