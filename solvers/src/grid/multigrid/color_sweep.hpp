// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loop over the cells of one colour of a large grid, with their equations.
#pragma once

#include "common/team_results.hpp"
#include "grid.hpp"
#include "grid/sor/sor_sweep.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// Adjacent cells of one colour.
template <class T, int N>
struct MultigridCells {
  int color, k;
  int count;                  ///< number of valid cells among the N
  std::int64_t index, inner;  ///< of the first, with and without ghosts
  Pack<T, N> self;
  Pack<T, N> residual, gain;  ///< rhs - A x; -1 / own weight
};

/// Stores the first `count` of a pack.
template <int N, class T>
KOKKOS_INLINE_FUNCTION void store_some(T* address, Pack<T, N> const& values, int count) {
  if (count == N) {
    store_pack<N>(address, values);
  } else {
    for (int n = 0; n < N; ++n) {
      if (n < count) address[n] = values[n];
    }
  }
}

/// Operation that joins the values of the cells.
enum class MultigridJoin { none, sum, maximum };

/// Calls op(cells) for all cells of one colour. `Op` declares
///   reads_self, reads_other   true if x of the own and of the other colour counts; false: it counts as zero;
///   reads_rhs                 true if the right-hand side counts; false: it counts as zero;
///   join                      the reduction of the packs that it returns;
///   sweeps                    declared where it relaxes: excludes the cells that MultigridGrid::swept excludes.
template <class Exec, class T, MultigridWalls walls, class Op>
class MultigridColorSweep {
 public:
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  MultigridGrid<T> grid;
  SorTile tile;
  int color;
  Op op;

  TeamResults<1> result;  ///< unused without a reduction

  void run(Exec const& space, char const* label) const { Kokkos::parallel_for(label, policy(space), *this); }

  /// Teams of run(), for the size of TeamResults::partials.
  static int teams(SplitLayout const& layout, SorTile const& tile) {
    return (layout.half + tile.lanes - 1) / tile.lanes * ((layout.ny + tile.rows - 1) / tile.rows) *
           ((layout.nz + tile.layers - 1) / tile.layers);
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    Block const block = block_of(member.league_rank());
    if constexpr (runs_on_host<Exec>) {
      double found[1] = {0};
      for (int k = block.k_begin; k < block.k_end; ++k) {
        for (int j = block.j_begin; j < block.j_end; ++j) {
          if constexpr (Op::join == MultigridJoin::none) {
            each_in_row(k, j);
          } else {
            join_one(found[0], join_row(k, j));
          }
        }
      }
      if constexpr (Op::join != MultigridJoin::none) reduce_across_teams<Exec>(member, result, found);
    } else {
      double found[1] = {0};
      walk_up(block, member.team_rank(), found[0]);
      if constexpr (Op::join != MultigridJoin::none) reduce_across_teams<Exec>(member, result, found);
    }
  }

 private:
  static constexpr int width = sor_width<T>;
  static constexpr bool sweeps = requires { Op::sweeps; };

  KOKKOS_FUNCTION int rows() const { return sweeps ? grid.swept[1] : grid.layout.ny; }
  KOKKOS_FUNCTION int layers() const { return sweeps ? grid.swept[2] : grid.layout.nz; }
  KOKKOS_FUNCTION int count(int s) const { return sweeps ? grid.swept_count(s) : grid.layout.count(s); }

  struct Block {
    int h_begin, j_begin, j_end, k_begin, k_end;
  };

  auto policy(Exec const& space) const {
    SplitLayout const& layout = grid.layout;
    int const threads = runs_on_host<Exec> ? 1 : tile.lanes * tile.rows / width;
    return Kokkos::TeamPolicy<Exec>(space, teams(layout, tile), threads, 1);
  }

  KOKKOS_FUNCTION Block block_of(int team) const {
    SplitLayout const& layout = grid.layout;
    int const tiles_x = (layout.half + tile.lanes - 1) / tile.lanes;
    int const tiles_y = (layout.ny + tile.rows - 1) / tile.rows;
    int const j = team / tiles_x % tiles_y * tile.rows;
    int const k = team / tiles_x / tiles_y * tile.layers;
    return {team % tiles_x * tile.lanes, j, j + tile.rows < rows() ? j + tile.rows : rows(), k,
            k + tile.layers < layers() ? k + tile.layers : layers()};
  }

  /// NaN counts as infinite.
  KOKKOS_FUNCTION static void join_one(double& result, double value) {
    if constexpr (Op::join == MultigridJoin::maximum) {
      if (!(value <= result)) result = value <= HUGE_VAL ? value : HUGE_VAL;
    } else {
      result += value;
    }
  }

  /// Adjacent columns of a tile on a device, `width` of them, upwards. The other colour stays in registers from layer
  /// to layer.
  KOKKOS_FUNCTION void walk_up(Block const& block, int column, double& result) const {
    SplitLayout const& layout = grid.layout;
    int const packs = tile.lanes / width;
    int const j = block.j_begin + column / packs;
    int const h = block.h_begin + column % packs * width;
    if (j >= block.j_end || h >= layout.half) return;
    using Values = Pack<T, width>;
    std::int64_t const plane = layout.plane();
    std::int64_t const row = grid.row();
    std::int64_t const inner_plane = std::int64_t(layout.ny) * layout.inner_pitch;
    MultigridCells<T, width> cells;
    cells.color = color;
    cells.index = layout.ghosted(block.k_begin, j, h);
    cells.inner = layout.inner(block.k_begin, j, h);
    T const* const other = grid.x[1 - color];
    Values below{}, here{};
    if constexpr (Op::reads_other) {
      below = load_pack<width>(other + cells.index - plane);
      here = load_pack<width>(other + cells.index);
    }
    int s = SplitLayout::shift(block.k_begin, j, color);
    for (int k = block.k_begin; k < block.k_end; ++k) {
      Values above{}, north{}, south{}, rhs{};
      T beside = 0;
      cells.self = {};
      if constexpr (Op::reads_other) above = load_pack<width>(other + cells.index + plane);
      if constexpr (Op::reads_self) cells.self = load_pack<width>(grid.x[color] + cells.index);
      if constexpr (Op::reads_rhs) rhs = load_pack<width>(grid.rhs[color] + cells.inner);
      MultigridOpenings<walls, T, width> const openings(grid, color, cells.inner);
      auto const tables = load_tables<width>(grid, s, k, j, h);
      if constexpr (Op::reads_other) {
        north = load_pack<width>(other + cells.index + row);
        south = load_pack<width>(other + cells.index - row);
        beside = other[s == 0 ? cells.index - 1 : cells.index + width];
      }
      for (int n = 0; n < width; ++n) {
        T const left = n == 0 ? beside : here[n > 0 ? n - 1 : 0];
        T const right = n == width - 1 ? beside : here[n < width - 1 ? n + 1 : 0];
        T const near[6] = {s == 0 ? here[n] : right, s == 0 ? left : here[n], north[n], south[n], above[n], below[n]};
        auto const stencil = openings.template stencil<true>(tables, n);
        cells.residual[n] = residual_of(stencil, cells.self[n], near, rhs[n]);
        cells.gain[n] = gain_of(stencil);
      }
      int const left_over = count(s) - h;
      cells.count = left_over < width ? left_over : width;
      cells.k = k;
      auto const values = op(grid, cells);
      if constexpr (Op::join != MultigridJoin::none) {
        for (int n = 0; n < width; ++n) {
          if (n < cells.count) join_one(result, static_cast<double>(values[n]));
        }
      }
      below = here;
      here = above;
      cells.index += plane;
      cells.inner += inner_plane;
      s ^= 1;
    }
  }

  /// One cell on the host.
  KOKKOS_FORCEINLINE_FUNCTION auto visit(int k, int j, int h, int s, std::int64_t row, std::int64_t inner_row) const {
    MultigridCells<T, 1> cells;
    cells.color = color;
    cells.k = k;
    cells.count = 1;
    cells.index = row + h;
    cells.inner = inner_row + h;
    cells.self[0] = T(0);
    T rhs = 0;
    T near[6] = {};
    if constexpr (Op::reads_self) cells.self[0] = grid.x[color][cells.index];
    if constexpr (Op::reads_rhs) rhs = grid.rhs[color][cells.inner];
    if constexpr (Op::reads_other) neighbors_of(grid, static_cast<T const*>(grid.x[1 - color]), s, cells.index, near);
    MultigridOpenings<walls, T, 1> const openings(grid, color, cells.inner);
    auto const stencil = openings.template stencil<false>(load_tables<1>(grid, s, k, j, h), 0);
    cells.residual[0] = residual_of(stencil, cells.self[0], near, rhs);
    cells.gain[0] = gain_of(stencil);
    return op(grid, cells);
  }

  KOKKOS_FUNCTION void each_in_row(int k, int j) const {
    int const s = SplitLayout::shift(k, j, color);
    int const end = count(s);
    std::int64_t const row = grid.layout.ghosted(k, j, 0);
    std::int64_t const inner_row = grid.layout.inner(k, j, 0);
    KARMAN_SIMD
    for (int h = 0; h < end; ++h) visit(k, j, h, s, row, inner_row);
  }

  KOKKOS_FUNCTION double join_row(int k, int j) const {
    constexpr int lanes = 16;
    int const s = SplitLayout::shift(k, j, color);
    int const end = count(s);
    std::int64_t const row = grid.layout.ghosted(k, j, 0);
    std::int64_t const inner_row = grid.layout.inner(k, j, 0);
    double lane[lanes] = {};
    int h = 0;
    for (; h + lanes <= end; h += lanes) {
      KARMAN_SIMD
      for (int n = 0; n < lanes; ++n) {
        double const value = static_cast<double>(visit(k, j, h + n, s, row, inner_row)[0]);
        if constexpr (Op::join == MultigridJoin::maximum) {
          double const number = value <= HUGE_VAL ? value : HUGE_VAL;
          lane[n] = number > lane[n] ? number : lane[n];
        } else {
          lane[n] += value;
        }
      }
    }
    double result = 0;
    for (; h < end; ++h) join_one(result, static_cast<double>(visit(k, j, h, s, row, inner_row)[0]));
    for (double const value : lane) join_one(result, value);
    return result;
  }
};

/// Calls use(std::integral_constant<MultigridWalls, walls>) for the walls of a grid.
template <class T, class Use>
void with_walls_of(MultigridGrid<T> const& grid, Use const& use) {
  switch (grid.walls) {
    case MultigridWalls::none: return use(std::integral_constant<MultigridWalls, MultigridWalls::none>());
    case MultigridWalls::codes: return use(std::integral_constant<MultigridWalls, MultigridWalls::codes>());
    case MultigridWalls::arrays: return use(std::integral_constant<MultigridWalls, MultigridWalls::arrays>());
  }
}

/// Runs an operation over one colour.
template <class Exec, class T, class Op>
void sweep_color(Exec const& space, char const* label, MultigridGrid<T> const& grid, int color, Op const& op,
                 TeamResults<1> const& result = {}) {
  if (grid.cells() == 0) return;  // a process without cells
  with_walls_of(grid, [&](auto walls) {
    MultigridColorSweep<Exec, T, decltype(walls)::value, Op>{grid, sor_tile<Exec>(grid.layout), color, op, result}.run(
        space, label);
  });
}

}  // namespace karman::detail
