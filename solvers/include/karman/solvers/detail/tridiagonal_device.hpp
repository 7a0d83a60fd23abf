// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which kernel of a device solves a batch: on chip where a system fits into a team, partitioned where not.
#pragma once

#include <karman/solvers/detail/tridiagonal_on_chip.hpp>
#include <karman/solvers/detail/tridiagonal_partitioned.hpp>
#include <karman/solvers/detail/tridiagonal_thomas.hpp>

#include <cstdint>

namespace karman::detail {

/// Rows of a chunk and threads of a team; measured on an H200.
struct ChunkTuning {
  int rows, threads;
};

/// What is tuned for a device, by the size of a value.
struct DeviceTuning {
  ChunkTuning side_by_side;  ///< systems that fit, neighbouring threads on neighbouring systems
  ChunkTuning contiguous;    ///< systems that fit, rows contiguous
  ChunkTuning partition;     ///< systems that do not
};

template <class T>
inline constexpr DeviceTuning device_tuning = sizeof(T) == 4   ? DeviceTuning{{16, 256}, {16, 128}, {16, 128}}
                                              : sizeof(T) == 8 ? DeviceTuning{{8, 256}, {8, 128}, {8, 128}}
                                                               : DeviceTuning{{4, 256}, {4, 128}, {4, 128}};

/// Calls use(std::integral_constant<int, K>) for the K that is `rows`, or the next smaller that is compiled.
template <class T, class Use>
void with_chunk_rows(int rows, Use const& use) {
  constexpr int width = int(16 / sizeof(T));
  if (rows >= 4 * width) return use(std::integral_constant<int, 4 * width>());
  return use(std::integral_constant<int, 2 * width>());
}

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

/// Rows of the largest system that a team holds.
template <class T>
std::int64_t on_chip_limit(DeviceTuning const& tuning) {
  // Sixteen-byte values fill the team scratch of a device with half the threads.
  int const threads = sizeof(T) == 16 ? chunk_threads / 2 : chunk_threads;
  return std::int64_t(threads) * std::min(tuning.side_by_side.rows, tuning.contiguous.rows);
}

/// Values of workspace for systems of this shape.
template <class T>
std::int64_t device_workspace(SystemShape shape, DeviceTuning const& tuning, bool always_partition) {
  constexpr std::int64_t unit = 16 / sizeof(T);
  if (shape.rows <= 2) return thomas_workspace(shape, false);
  std::int64_t values = 0;
  bool partition = always_partition;
  while (partition || shape.rows > on_chip_limit<T>(tuning)) {
    std::int64_t const chunks =
        ((shape.rows + tuning.partition.rows - 1) / tuning.partition.rows + unit - 1) / unit * unit;
    values += 4 * chunks * shape.systems();
    shape.rows = chunks;
    partition = false;
  }
  return values;
}

/// Solves all systems of a batch on a device. `always_partition` asks for one level of partition at least.
template <class Exec, class T, class Rows>
void solve_on_device(Exec const& space, Rows const& rows, StridedSystems<T const> const& rhs,
                     StridedSystems<T> const& x, SystemShape const& shape, DeviceTuning const& tuning,
                     bool always_partition, T* workspace) {
  if (shape.rows <= 2) return solve_thomas(space, rows, rhs, x, shape, workspace, false, true);
  BatchLayout const layout = batch_layout(rows, rhs, x, shape);
  if (shape.rows <= on_chip_limit<T>(tuning) && !always_partition) {
    ChunkTuning const& tuned = layout.systems_fastest ? tuning.side_by_side : tuning.contiguous;
    with_chunk_rows<T>(tuned.rows, [&](auto K) {
      with_unit<T>(layout.unit, [&](auto unit) {
        launch_on_chip<K.value, unit.value>(space, rows, rhs, x, shape, layout, tuned.threads);
      });
    });
    return;
  }
  with_chunk_rows<T>(tuning.partition.rows, [&](auto K) {
    with_unit<T>(layout.unit, [&](auto unit) {
      launch_partition<K.value, unit.value>(
          space, rows, rhs, x, shape, layout, tuning.partition.threads, workspace,
          [&](CoarseSystems<T> const& coarse, std::int64_t chunks) {
            SystemShape const coarse_shape{chunks, {shape.batch[0], shape.batch[1]}, shape.periodic};
            StridedSystems<T> const inout = coarse.array(coarse.rhs);
            solve_on_device(space, coarse.rows(), read_only(inout), inout, coarse_shape, tuning, false,
                            workspace + 4 * chunks * shape.systems());
          });
    });
  });
}

}  // namespace karman::detail
