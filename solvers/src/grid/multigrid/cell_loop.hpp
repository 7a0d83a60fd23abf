// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loop over the cells of a large grid, of one colour or of both, with their equations.
#pragma once

#include "base/light_weight.hpp"
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

/// Operation that joins the values of the cells.
enum class MultigridJoin { none, sum, maximum };

/// Type of the vector that an operation reads as x: that of Op::x, or of the grid.
template <class Op, class T>
struct MultigridStored {
  using type = T;
};
template <class Op, class T>
  requires requires { Op::x; }
struct MultigridStored<Op, T> {
  using type = std::remove_const_t<std::remove_pointer_t<std::remove_extent_t<decltype(Op::x)>>>;
};

/// Calls op(cells) for the cells of one colour, or of both in one pass. `Op` declares
///   reads_self, reads_other   true if x of the own and of the other colour counts; false: it counts as zero;
///   reads_rhs                 true if the right-hand side counts; false: it counts as zero;
///   join                      the reduction of the packs that it returns;
///   x                         declared where a vector of any precision takes the place of x of the grid;
///   prepare()                 declared where a thread computes something once, from numbers in device memory;
///   sweeps                    declared where it relaxes: it writes x, so that it takes one colour. It excludes the
///                             cells that MultigridGrid::swept excludes.
template <class Exec, class T, MultigridWalls walls, class Op>
class MultigridCellLoop {
 public:
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  MultigridGrid<T> grid;
  SorTile tile;
  int color;  ///< where it relaxes
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
    double found[1] = {0};
    Op ready = op;
    if constexpr (requires { ready.prepare(); }) ready.prepare();
    if constexpr (runs_on_host<Exec>) {
      for (int k = block.k_begin; k < block.k_end; ++k) {
        for (int j = block.j_begin; j < block.j_end; ++j) {
          for (int c = sweeps ? color : 0; c < (sweeps ? color + 1 : 2); ++c) {
            if constexpr (Op::join == MultigridJoin::none) {
              each_in_row(ready, k, j, c);
            } else {
              join_one(found[0], join_row(ready, k, j, c));
            }
          }
        }
      }
    } else if constexpr (sweeps) {
      walk_up(ready, block, member.team_rank());
    } else {
      walk_up_both(ready, block, member.team_rank(), found[0]);
    }
    if constexpr (Op::join != MultigridJoin::none) reduce_across_teams<Exec>(member, result, found);
  }

 private:
  using X = typename MultigridStored<Op, T>::type;
  static constexpr int width = sor_width<X>;
  static constexpr bool sweeps = requires { Op::sweeps; };
  static constexpr bool open = walls == MultigridWalls::none;
  static constexpr int threads = sor_columns / width;
  /// Least number of teams per multiprocessor: as many as RedBlackSor has, fewer where both colours need registers.
  static constexpr int least_teams = sweeps           ? sor_launch<T>.teams
                                     : sizeof(X) == 8 ? (open ? 3 : 2)
                                     : sizeof(T) == 8 ? (open ? 4 : 3)
                                                      : (open ? 5 : 4);
  /// Arrays of faces need more.
  using Launch = std::conditional_t<walls == MultigridWalls::arrays, Kokkos::LaunchBounds<>,
                                    Kokkos::LaunchBounds<threads, least_teams>>;

  /// x of a colour.
  KOKKOS_FUNCTION X const* values(int c) const {
    if constexpr (requires { op.x[c]; }) {
      return op.x[c];
    } else {
      return grid.x[c];
    }
  }

  KOKKOS_FUNCTION int rows() const { return sweeps ? grid.swept[1] : grid.layout.ny; }
  KOKKOS_FUNCTION int layers() const { return sweeps ? grid.swept[2] : grid.layout.nz; }
  KOKKOS_FUNCTION int count(int s) const { return sweeps ? grid.swept_count(s) : grid.layout.count(s); }

  struct Block {
    int h_begin, j_begin, j_end, k_begin, k_end;
  };

  auto policy(Exec const& space) const {
    SplitLayout const& layout = grid.layout;
    int const team = runs_on_host<Exec> ? 1 : tile.lanes * tile.rows / width;
    return light_weight(Kokkos::TeamPolicy<Exec, Launch>(space, teams(layout, tile), team, 1));
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
  KOKKOS_FUNCTION void walk_up(Op const& ready, Block const& block, int column) const {
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
        cells.residual[n] = residual_of<open>(stencil, cells.self[n], near, rhs[n]);
        cells.gain[n] = gain_of(stencil);
      }
      int const left_over = count(s) - h;
      cells.count = left_over < width ? left_over : width;
      cells.k = k;
      ready(grid, cells);
      below = here;
      here = above;
      cells.index += plane;
      cells.inner += inner_plane;
      s ^= 1;
    }
  }

  /// Values of x in a layer, of the even and of the odd cells of a row. Their colours take turns from layer to layer.
  using Layer = Kokkos::Array<Pack<X, width>, 2>;

  /// The same with both colours, each loaded once.
  KOKKOS_FUNCTION void walk_up_both(Op const& ready, Block const& block, int column, double& result) const {
    SplitLayout const& layout = grid.layout;
    int const packs = tile.lanes / width;
    int const j = block.j_begin + column / packs;
    int const h = block.h_begin + column % packs * width;
    if (j >= block.j_end || h >= layout.half) return;
    Layer below{}, here{}, above{};
    std::int64_t index = layout.ghosted(block.k_begin, j, h);
    if constexpr (Op::reads_other) {
      below = layer(block.k_begin - 1, j, index - layout.plane());
      here = layer(block.k_begin, j, index);
    }
    for (int k = block.k_begin; k < block.k_end; ++k) {
      if constexpr (Op::reads_other) {
        above = layer(k + 1, j, index + layout.plane());
      } else if constexpr (Op::reads_self) {
        here = layer(k, j, index);
      }
      visit_pack<0>(ready, k, j, h, index, below, here, above, result);
      visit_pack<1>(ready, k, j, h, index, below, here, above, result);
      below = here;
      here = above;
      index += layout.plane();
    }
  }

  KOKKOS_FUNCTION auto layer(int k, int j, std::int64_t index) const {
    int const even = SplitLayout::shift(k, j, 0);
    return Layer{load_pack<width>(values(even) + index), load_pack<width>(values(1 - even) + index)};
  }

  /// The cells of a pack with shift s.
  template <int s>
  KOKKOS_FORCEINLINE_FUNCTION void visit_pack(Op const& ready, int k, int j, int h, std::int64_t index,
                                              Layer const& below, Layer const& here, Layer const& above,
                                              double& result) const {
    SplitLayout const& layout = grid.layout;
    MultigridCells<T, width> cells;
    cells.color = SplitLayout::shift(k, j, s);
    cells.k = k;
    cells.index = index;
    cells.inner = layout.inner(k, j, h);
    int const left_over = layout.count(s) - h;
    cells.count = left_over < width ? left_over : width;
    Pack<X, width> north{}, south{};
    Pack<T, width> rhs{};
    X beside = 0;
    if constexpr (Op::reads_other) {
      auto const* const other = values(1 - cells.color) + index;
      north = load_pack<width>(other + grid.row());
      south = load_pack<width>(other - grid.row());
      beside = other[s == 0 ? -1 : width];
    }
    if constexpr (Op::reads_rhs) rhs = load_pack<width>(grid.rhs[cells.color] + cells.inner);
    MultigridOpenings<walls, T, width> const openings(grid, cells.color, cells.inner);
    auto const tables = load_tables<width>(grid, s, k, j, h);
    for (int n = 0; n < width; ++n) {
      // Beside an even cell are the odd ones n - 1 and n, beside an odd cell the even ones n and n + 1.
      X const west = s == 1 ? here[0][n] : n == 0 ? beside : here[1][n > 0 ? n - 1 : 0];
      X const east = s == 0 ? here[1][n] : n == width - 1 ? beside : here[0][n < width - 1 ? n + 1 : 0];
      T const near[6] = {T(east), T(west), T(north[n]), T(south[n]), T(above[s][n]), T(below[s][n])};
      auto const stencil = openings.template stencil<true>(tables, n);
      cells.self[n] = Op::reads_self ? T(here[s][n]) : T(0);
      cells.residual[n] = residual_of<open>(stencil, cells.self[n], near, rhs[n]);
      cells.gain[n] = gain_of(stencil);
    }
    [[maybe_unused]] auto const joined = ready(grid, cells);
    if constexpr (Op::join != MultigridJoin::none) {
      for (int n = 0; n < width; ++n) {
        if (n < cells.count) join_one(result, static_cast<double>(joined[n]));
      }
    }
  }

  /// One cell on the host.
  KOKKOS_FORCEINLINE_FUNCTION auto visit(Op const& ready, int k, int j, int h, int c, int s, std::int64_t row,
                                         std::int64_t inner_row) const {
    MultigridCells<T, 1> cells;
    cells.color = c;
    cells.k = k;
    cells.count = 1;
    cells.index = row + h;
    cells.inner = inner_row + h;
    cells.self[0] = T(0);
    T rhs = 0;
    T near[6] = {};
    if constexpr (Op::reads_self) cells.self[0] = static_cast<T>(values(c)[cells.index]);
    if constexpr (Op::reads_rhs) rhs = grid.rhs[c][cells.inner];
    if constexpr (Op::reads_other) neighbors_of(grid, values(1 - c), s, cells.index, near);
    MultigridOpenings<walls, T, 1> const openings(grid, c, cells.inner);
    auto const stencil = openings.template stencil<false>(load_tables<1>(grid, s, k, j, h), 0);
    cells.residual[0] = residual_of<open>(stencil, cells.self[0], near, rhs);
    cells.gain[0] = gain_of(stencil);
    return ready(grid, cells);
  }

  KOKKOS_FUNCTION void each_in_row(Op const& ready, int k, int j, int c) const {
    int const s = SplitLayout::shift(k, j, c);
    int const end = count(s);
    std::int64_t const row = grid.layout.ghosted(k, j, 0);
    std::int64_t const inner_row = grid.layout.inner(k, j, 0);
    KARMAN_SIMD
    for (int h = 0; h < end; ++h) visit(ready, k, j, h, c, s, row, inner_row);
  }

  KOKKOS_FUNCTION double join_row(Op const& ready, int k, int j, int c) const {
    constexpr int lanes = 16;
    int const s = SplitLayout::shift(k, j, c);
    int const end = count(s);
    std::int64_t const row = grid.layout.ghosted(k, j, 0);
    std::int64_t const inner_row = grid.layout.inner(k, j, 0);
    double lane[lanes] = {};
    int h = 0;
    for (; h + lanes <= end; h += lanes) {
      KARMAN_SIMD
      for (int n = 0; n < lanes; ++n) {
        double const value = static_cast<double>(visit(ready, k, j, h + n, c, s, row, inner_row)[0]);
        if constexpr (Op::join == MultigridJoin::maximum) {
          double const number = value <= HUGE_VAL ? value : HUGE_VAL;
          lane[n] = number > lane[n] ? number : lane[n];
        } else {
          lane[n] += value;
        }
      }
    }
    double result = 0;
    for (; h < end; ++h) join_one(result, static_cast<double>(visit(ready, k, j, h, c, s, row, inner_row)[0]));
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

/// Runs an operation over one colour where it relaxes, and else over both.
template <class Exec, class T, class Op>
void visit_cells(Exec const& space, char const* label, MultigridGrid<T> const& grid, Op const& op, int color = 0,
                 TeamResults<1> const& result = {}) {
  if (grid.cells() == 0) return;  // a process without cells
  with_walls_of(grid, [&](auto walls) {
    MultigridCellLoop<Exec, T, decltype(walls)::value, Op>{grid, sor_tile<Exec>(grid.layout), color, op, result}.run(
        space, label);
  });
}

}  // namespace karman::detail
