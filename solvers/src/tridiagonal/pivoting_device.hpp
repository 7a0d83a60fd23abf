// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pivoting on a device: which systems are solved on chip, and the launch of their kernel.
#pragma once

#include "layout.hpp"
#include "pivoting_on_chip.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

namespace pivoting {

/// One kernel for all systems, with 2 to K rows per segment. At most `threads` segments per team, or one system.
template <int K, bool staged, class Bounds, int each, class Exec, class T>
void launch_pivoting_on_chip(Exec const& space, StridedRows<T> const& rows, StridedSystems<T const> const& rhs,
                             StridedSystems<T> const& x, SystemShape const& shape, BatchLayout const& layout,
                             int threads, int team_size) {
  using Kernel = OnChipPivoting<Exec, T, K, staged, Bounds, each>;
  // A team has 48 KiB, of which Kokkos uses eight bytes per thread.
  static_assert(Kernel::scratch_bytes(Bounds::threads, Bounds::threads) + 8 * (Bounds::threads + 2) <= 48 * 1024);
  auto const lanes = static_cast<int>((shape.rows + K - 1) / K);
  auto const systems = static_cast<int>(std::min<std::int64_t>(std::max(1, threads / lanes), shape.systems()));
  OnChipCut const cut = on_chip_cut(shape, layout, lanes, systems);
  auto const teams = static_cast<int>((shape.systems() + systems - 1) / systems);
  typename Kernel::Policy policy(space, teams, team_size > 0 ? team_size : lanes * systems, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::scratch_bytes(lanes * systems, systems)));
  if constexpr (staged) {
    Kokkos::parallel_for("karman::tridiagonal::pivoting_on_chip", policy,
                         Kernel{flattened_rows(rows, shape), flattened(rhs, shape), flattened(x, shape), cut});
  } else {
    Kokkos::parallel_for("karman::tridiagonal::pivoting_on_chip", policy, Kernel{rows, rhs, x, cut});
  }
}

/// Tuning for a device, by the size of a value and the way of moving rows. The bounds grant a thread 255 registers (168
/// for 384 threads), which decide about the rows of a segment: with fewer, pivot rows and a join do not fit.
template <class T, bool staged>
struct OnChipTable {
  static constexpr int rows = 16;
  /// Threads of a team for systems that need fewer, and most of a team.
  static constexpr int threads = 64, most_threads = 256;
  using Bounds = TeamBounds<most_threads, 1>;
};
template <>
struct OnChipTable<float, true> {
  static constexpr int rows = 16, threads = 64, most_threads = 384;
  using Bounds = TeamBounds<most_threads, 1>;
};
/// Enough systems side by side for 64 bytes of them at 512 rows.
template <>
struct OnChipTable<float, false> {
  static constexpr int rows = 32, threads = 64, most_threads = 256;
  using Bounds = TeamBounds<most_threads, 1>;
};
template <bool staged>
struct OnChipTable<Kokkos::complex<double>, staged> {
  static constexpr int rows = 4, threads = 64, most_threads = 192;
  using Bounds = TeamBounds<most_threads, 1>;
};

/// Threads of a team for systems of `lanes` segments: from `threads` on, the number whose last warp is filled best.
/// 33 threads take twice as long as 32, and 99 instead of 33 give 1.4 times the rate.
inline int well_filled(int lanes, int threads, int most) {
  constexpr int warp = 32;
  int const most_systems = std::max(1, std::min(2 * threads, most) / lanes);
  int best = std::max(1, threads / lanes);
  double filled = 0;
  for (int systems = best; systems <= most_systems; ++systems) {
    int const used = lanes * systems;
    double const share = double(used) / ((used + warp - 1) / warp * warp);
    if (share > filled) {
      filled = share;
      best = systems;
    }
  }
  return lanes * best;
}

/// Least number of adjacent systems per team, 32 bytes: with fewer, most of a memory transaction is wasted.
template <class T>
inline constexpr int enough_side_by_side = int(32 / sizeof(T));

/// True if systems of this shape and layout are solved on chip. The smallest ones have a kernel of their own.
template <class T>
bool pivots_on_chip(SystemShape const& shape, bool contiguous, bool systems_fastest) {
  if (shape.rows <= std::int64_t(128 / sizeof(T))) return false;
  if (contiguous) return shape.rows <= std::int64_t(OnChipTable<T, true>::rows) * OnChipTable<T, true>::most_threads;
  std::int64_t const most = std::int64_t(OnChipTable<T, false>::rows) * OnChipTable<T, false>::most_threads;
  return shape.rows <=
         (systems_fastest ? most / std::clamp<std::int64_t>(shape.systems(), 1, enough_side_by_side<T>) : most);
}

}  // namespace pivoting

/// True if solve_pivoting_on_chip() solves systems of this shape in every layout.
template <class T>
bool always_pivots_on_chip(SystemShape const& shape) {
  return pivoting::pivots_on_chip<T>(shape, true, false) && pivoting::pivots_on_chip<T>(shape, false, true);
}

/// solve_pivoting() on a device without a workspace; false if the systems do not fit, and then nothing is done.
template <class Exec, class T>
bool solve_pivoting_on_chip(Exec const& space, SystemShape const& shape, StridedRows<T> const& rows,
                            StridedSystems<T const> const& rhs, StridedSystems<T> const& x) {
  using namespace pivoting;
  BatchLayout const layout = batch_layout(rows, rhs, x, shape);
  if (!pivots_on_chip<T>(shape, layout.unit > 0, layout.systems_fastest)) return false;
  if (layout.unit > 0) {
    using Table = OnChipTable<T, true>;
    auto const lanes = static_cast<int>((shape.rows + Table::rows - 1) / Table::rows);
    launch_pivoting_on_chip<Table::rows, true, typename Table::Bounds, 1>(
        space, rows, rhs, x, shape, layout, well_filled(lanes, Table::threads, Table::most_threads), 0);
  } else {
    using Table = OnChipTable<T, false>;
    std::int64_t const lanes = (shape.rows + Table::rows - 1) / Table::rows;
    std::int64_t const wanted = std::max<std::int64_t>(Table::threads, std::int64_t(64 / sizeof(T)) * lanes);
    launch_pivoting_on_chip<Table::rows, false, typename Table::Bounds, 1>(
        space, rows, rhs, x, shape, layout, int(std::min<std::int64_t>(wanted, Table::most_threads)), 0);
  }
  return true;
}

}  // namespace karman::detail
