// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The line smoother: columns in z solved exactly, every second one at a time.
#pragma once

#include "base/lanes.hpp"
#include "base/light_weight.hpp"
#include "grid.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Columns of one zebra colour, those with i + j of that parity. The cells of a column alternate between the two arrays
/// of a grid, at one half index.
template <class T>
struct MultigridColumns {
  MultigridGrid<T> grid;
  int color;

  KOKKOS_INLINE_FUNCTION int shift(int j) const { return (j + color) & 1; }

  /// One step up of Thomas' algorithm. It writes x_k = d_k + c_k x_(k+1): c to `work`, d to x.
  KOKKOS_INLINE_FUNCTION void eliminate(int k, int j, int h) const {
    MultigridGrid<T> const& g = grid;
    int const own = (k + color) & 1;
    std::int64_t const index = g.layout.ghosted(k, j, h);
    std::int64_t const inner = g.layout.inner(k, j, h);
    T near[6];
    neighbors_of(g, static_cast<T const*>(g.x[1 - own]), shift(j), index, near);
    auto const a = stencil_of(g, own, k, j, h);
    T const beside = (a.east * near[0] + a.west * near[1]) + (a.north * near[2] + a.south * near[3]);
    std::int64_t const below = k > 0 ? g.layout.inner(k - 1, j, h) : inner;
    T const down = k > 0 ? a.down : T(0);
    T const pivot = a.own - down * g.work[1 - own][below];
    // Zero for a cell that keeps its value, and for the last one of a floating column.
    T const solvable = T(static_cast<int>(pivot > MultigridGrid<T>::negligible * a.own));
    T const factor = solvable / (pivot + (T(1) - solvable));
    g.work[own][inner] = a.up * factor;
    g.x[own][index] = (down * near[5] + beside - g.rhs[own][inner]) * factor;
  }

  /// One step down.
  KOKKOS_INLINE_FUNCTION void substitute(int k, int j, int h) const {
    MultigridGrid<T> const& g = grid;
    int const own = (k + color) & 1;
    std::int64_t const index = g.layout.ghosted(k, j, h);
    T const above = k + 1 < g.layout.nz ? g.x[1 - own][index + g.layout.plane()] : T(0);
    g.x[own][index] += g.work[own][g.layout.inner(k, j, h)] * above;
  }

  /// True if a sweep solves this column; see MultigridGrid::swept.
  KOKKOS_INLINE_FUNCTION bool sweeps(int j, int h) const { return j < grid.swept[1] && h < grid.swept_count(shift(j)); }

  KOKKOS_INLINE_FUNCTION void solve(int j, int h) const {
    for (int k = 0; k < grid.layout.nz; ++k) eliminate(k, j, h);
    for (int k = grid.layout.nz - 1; k >= 0; --k) substitute(k, j, h);
  }
};

/// All columns of one colour of a large grid. On the host a team takes a row of columns, on a device a thread takes a
/// column.
template <class Exec, class T>
class MultigridLineSweep {
 public:
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  MultigridColumns<T> columns;

  void run(Exec const& space) const {
    SplitLayout const& layout = columns.grid.layout;
    int const threads = runs_on_host<Exec> ? 1 : threads_on_device;
    int const pieces = runs_on_host<Exec> ? host_pieces() : (layout.half + threads - 1) / threads;
    Kokkos::parallel_for("karman::multigrid::lines",
                         light_weight(Kokkos::TeamPolicy<Exec>(space, layout.ny * pieces, threads, 1)), *this);
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    SplitLayout const& layout = columns.grid.layout;
    int const j = member.league_rank() % layout.ny;
    int const piece = member.league_rank() / layout.ny;
    if constexpr (runs_on_host<Exec>) {
      int const count = j < columns.grid.swept[1] ? columns.grid.swept_count(columns.shift(j)) : 0;
      int const begin = piece * piece_length;
      int const end = begin + piece_length < count ? begin + piece_length : count;
      for (int k = 0; k < layout.nz; ++k) {
        KARMAN_SIMD
        for (int h = begin; h < end; ++h) columns.eliminate(k, j, h);
      }
      for (int k = layout.nz - 1; k >= 0; --k) {
        KARMAN_SIMD
        for (int h = begin; h < end; ++h) columns.substitute(k, j, h);
      }
    } else {
      int const h = piece * member.team_size() + member.team_rank();
      if (columns.sweeps(j, h)) columns.solve(j, h);
    }
  }

 private:
  static constexpr int threads_on_device = 128;
  static constexpr int piece_length = 256;  // columns of a row at a time on the host: they fit into a second-level
                                            // cache

  int host_pieces() const { return (columns.grid.layout.half + piece_length - 1) / piece_length; }
};

}  // namespace karman::detail
