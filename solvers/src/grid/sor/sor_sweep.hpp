// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The kernel of red-black SOR: one colour relaxed, or its residual measured.
#pragma once

#include "base/lanes.hpp"
#include "base/light_weight.hpp"
#include "sor_tile.hpp"
#include "sor_walls.hpp"
#include "split_layout.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/detail/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// Arrays of a sweep.
template <class Exec, class T>
struct SorFields {
  Array<Exec, T> own;                 ///< x of the active colour, with ghosts
  ReadArray<Exec, T> other;           ///< x of the other colour, with ghosts
  ReadArray<Exec, T> rhs;             ///< right-hand side of the active colour, without ghosts
  ReadArray<Exec, OpenRow> open_row;  ///< per row (k, j); may be empty
};

/// Tag: relax every cell of the colour.
struct Relax {};
/// Tag: the largest |residual| of the colour, infinite for NaN.
struct MeasureResidual {};

template <class Exec, class T, class Walls, bool Planar>
class SorSweep {
 public:
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  SorFields<Exec, T> fields;
  Walls walls;
  Kokkos::View<LayerWeights<T> const*, typename Exec::memory_space> layers;
  T ax, ay;
  SplitLayout layout;
  int color;
  T omega;
  SorRows rows;
  SorTile tile;

  /// The same sweep of some rows alone.
  SorSweep of(SorRows const& some) const {
    SorSweep result = *this;
    result.rows = some;
    result.tile = sor_tile<Exec>(layout, some);
    return result;
  }

  void relax(Exec const& space) const {
    Kokkos::parallel_for("karman::sor::relax", policy<Relax, RelaxLaunch>(space), *this);
  }

  /// Asynchronous.
  void residual(Exec const& space, Kokkos::View<T, typename Exec::memory_space> const& largest) const {
    Kokkos::parallel_reduce("karman::sor::residual", policy<MeasureResidual, AnyLaunch>(space), *this,
                            Kokkos::Max<T, typename Exec::memory_space>(largest));
  }

  /// One cell, at half index h of row (k, j).
  KOKKOS_FUNCTION void relax_one(int k, int j, int h) const {
    std::int64_t const index = layout.ghosted(k, j, h);
    std::int64_t const inner = layout.inner(k, j, h);
    T const self = fields.own(index);
    auto const eq = walls.equation(walls.template fetch<1>(inner)[0], inner, self,
                                   neighbors(index, SplitLayout::shift(k, j, color)), fields.rhs(inner), layers(k));
    fields.own(index) = self + omega * eq.inverse * eq.residual;
  }

  KOKKOS_FUNCTION void operator()(Relax, Member const& member) const {
    Block const block = block_of(member.league_rank());
    if constexpr (runs_on_host<Exec>) {
      for (int k = block.k_begin; k < block.k_end; ++k) {
        for (int j = block.j_begin; j < block.j_end; ++j) relax_row(member, k, j);
      }
    } else {
      walk_up(block, member.team_rank(), [&](int cells, T* own, std::int64_t, Self const& self, Equations const& eq) {
        Self updated;
        for (int n = 0; n < width; ++n) updated[n] = self[n] + omega * eq[n].inverse * eq[n].residual;
        if (cells >= width) {
          store_pack<width>(own, updated);
        } else {
          for (int n = 0; n < width; ++n) {
            if (n < cells) own[n] = updated[n];
          }
        }
      });
    }
  }

  KOKKOS_FUNCTION void operator()(MeasureResidual, Member const& member, T& largest) const {
    Block const block = block_of(member.league_rank());
    T found = 0;
    if constexpr (runs_on_host<Exec>) {
      for (int k = block.k_begin; k < block.k_end; ++k) {
        for (int j = block.j_begin; j < block.j_end; ++j) {
          T const row = row_residual(k, j);
          if (row > found) found = row;
        }
      }
    } else {
      walk_up(block, member.team_rank(),
              [&](int cells, T const*, std::int64_t inner, Self const&, Equations const& eq) {
                for (int n = 0; n < width; ++n) {
                  if (n < cells) {
                    T const r = magnitude(eq[n], inner + n);
                    if (r > found) found = r;
                  }
                }
              });
    }
    if (found > largest) largest = found;
  }

 private:
  static constexpr int width = sor_width<T>;
  using Self = Pack<T, width>;
  using Equations = Kokkos::Array<CellEquation<T>, width>;

  struct Block {
    int h_begin, j_begin, j_end, k_begin, k_end;
  };

  /// No limit of registers, or, where that allows too few teams at a time, a limit that allows enough.
  using AnyLaunch = Kokkos::LaunchBounds<>;
  using RelaxLaunch = std::conditional_t<Walls::bounds_registers,
                                         Kokkos::LaunchBounds<sor_columns / width, sor_launch<T>.teams>, AnyLaunch>;

  template <class Tag, class Launch>
  auto policy(Exec const& space) const {
    int const tiles_x = (layout.half + tile.lanes - 1) / tile.lanes;
    int const tiles_y = (rows.ny() + tile.rows - 1) / tile.rows;
    int const tiles_z = (rows.nz() + tile.layers - 1) / tile.layers;
    int const threads = runs_on_host<Exec> ? 1 : tile.lanes * tile.rows / width;
    return light_weight(Kokkos::TeamPolicy<Exec, Tag, Launch>(space, tiles_x * tiles_y * tiles_z, threads, 1));
  }

  /// Neighbouring teams are neighbours in x, then y, then z, so that shared values stay in the second-level cache.
  KOKKOS_FUNCTION Block block_of(int team) const {
    int const tiles_x = (layout.half + tile.lanes - 1) / tile.lanes;
    int const tiles_y = (rows.ny() + tile.rows - 1) / tile.rows;
    int const tx = team % tiles_x;
    int const ty = team / tiles_x % tiles_y;
    int const tz = team / tiles_x / tiles_y;
    int const j = rows.j_begin + ty * tile.rows;
    int const k = rows.k_begin + tz * tile.layers;
    return {tx * tile.lanes, j, j + tile.rows < rows.j_end ? j + tile.rows : rows.j_end, k,
            k + tile.layers < rows.k_end ? k + tile.layers : rows.k_end};
  }

  KOKKOS_FUNCTION T magnitude(CellEquation<T> const& equation, std::int64_t inner) const {
    T r = compat::math::fabs(equation.residual);
    if constexpr (Walls::scales_residual) r *= walls.residual_scale(inner);
    return r <= Kokkos::reduction_identity<T>::min() ? r : T(HUGE_VAL);
  }

  /// The columns of one device thread: visits their cells upwards, `width` adjacent ones at a time, with their
  /// equations. Calls visit(cells, own, inner, self, equations). `own` is their address in the array of their colour,
  /// `inner` their index in arrays without ghosts. `cells` of them exist, or all of them if it is more.
  template <class Visit>
  KOKKOS_FUNCTION void walk_up(Block const& block, int thread, Visit const& visit) const {
    int const packs = tile.lanes / width;
    int const j = block.j_begin + thread / packs;
    int const h = block.h_begin + thread % packs * width;
    if (j >= block.j_end || h >= layout.half) return;
    std::int64_t const plane = layout.plane();
    std::int64_t const inner_plane = std::int64_t(layout.ny) * layout.inner_pitch;
    std::int64_t inner = layout.inner(block.k_begin, j, h);
    T* own = fields.own.data() + layout.ghosted(block.k_begin, j, h);
    T const* other = fields.other.data() + layout.ghosted(block.k_begin, j, h);
    T const* given = fields.rhs.data() + inner;
    Self below = load_pack<width>(other - plane);
    Self here = load_pack<width>(other);
    int s = SplitLayout::shift(block.k_begin, j, color);
    for (int k = block.k_begin; k < block.k_end; ++k) {
      Self const self = load_pack<width>(own);
      Self const rhs = load_pack<width>(given);
      auto const coefficients = walls.template fetch<width>(inner);
      Self const above = load_pack<width>(other + plane);
      Self north{}, south{};
      if constexpr (!Planar) {
        north = load_pack<width>(other + layout.pitch);
        south = load_pack<width>(other - layout.pitch);
      }
      T const beside = other[s == 0 ? -1 : width];
      LayerWeights<T> const layer = layers(k);
      Equations equations;
      for (int n = 0; n < width; ++n) {
        T const left = n == 0 ? beside : here[n > 0 ? n - 1 : 0];
        T const right = n == width - 1 ? beside : here[n < width - 1 ? n + 1 : 0];
        Neighbors<T> const nb{
            s == 0 ? here[n] : right, s == 0 ? left : here[n], north[n], south[n], above[n], below[n]};
        equations[n] = walls.equation(coefficients[n], inner + n, self[n], nb, rhs[n], layer);
      }
      visit(layout.count(s) - h, own, inner, self, equations);
      below = here;
      here = above;
      own += plane;
      other += plane;
      given += inner_plane;
      inner += inner_plane;
      s ^= 1;
    }
  }

  /// The neighbours of the cell at `index` of a row with shift s, read from memory.
  KOKKOS_FUNCTION Neighbors<T> neighbors(std::int64_t index, int s) const {
    T north = 0, south = 0;
    if constexpr (!Planar) {
      north = fields.other(index + layout.pitch);
      south = fields.other(index - layout.pitch);
    }
    return {fields.other(index + s),
            fields.other(index + s - 1),
            north,
            south,
            fields.other(index + layout.plane()),
            fields.other(index - layout.plane())};
  }

  KOKKOS_FUNCTION void relax_row(Member const& member, int k, int j) const {
    int const s = SplitLayout::shift(k, j, color);
    int const count = layout.count(s);
    std::int64_t const row = layout.ghosted(k, j, 0);
    std::int64_t const inner_row = layout.inner(k, j, 0);
    LayerWeights<T> const layer = layers(k);
    auto const relax_cell = [&](int h) {
      T const self = fields.own(row + h);
      auto const eq = walls.equation(walls.template fetch<1>(inner_row + h)[0], inner_row + h, self,
                                     neighbors(row + h, s), fields.rhs(inner_row + h), layer);
      fields.own(row + h) = self + omega * eq.inverse * eq.residual;
    };
    if constexpr (Walls::has_open_rows) {
      OpenRow const open = fields.open_row(std::int64_t(k) * layout.ny + j);
      if (open != OpenRow::no) {
        // Local copies: for the compiler a store to x could alter members.
        T const x = ax, y = ay;
        T const step = omega * layer.open_inverse;
        int const ends = open == OpenRow::whole ? 0 : 1;
        if (ends > 0) relax_cell(0);
        for_each_lane<Exec>(member, ends, count - ends, [&](int h) {
          T const self = fields.own(row + h);
          auto const eq = open_equation<Planar>(self, neighbors(row + h, s), fields.rhs(inner_row + h), x, y, layer);
          fields.own(row + h) = self + step * eq.residual;
        });
        if (ends > 0 && count > 1) relax_cell(count - 1);
        return;
      }
    }
    for_each_lane<Exec>(member, 0, count, relax_cell);
  }

  KOKKOS_FUNCTION T row_residual(int k, int j) const {
    constexpr int lanes = 16;
    int const s = SplitLayout::shift(k, j, color);
    int const count = layout.count(s);
    std::int64_t const row = layout.ghosted(k, j, 0);
    std::int64_t const inner_row = layout.inner(k, j, 0);
    LayerWeights<T> const layer = layers(k);
    auto const residual_of = [&](int h) {
      auto const eq = walls.equation(walls.template fetch<1>(inner_row + h)[0], inner_row + h, fields.own(row + h),
                                     neighbors(row + h, s), fields.rhs(inner_row + h), layer);
      return magnitude(eq, inner_row + h);
    };
    T lane_largest[lanes] = {};
    int h = 0;
    for (; h + lanes <= count; h += lanes) {
      KARMAN_SIMD
      for (int lane = 0; lane < lanes; ++lane) {
        T const r = residual_of(h + lane);
        lane_largest[lane] = r > lane_largest[lane] ? r : lane_largest[lane];
      }
    }
    for (; h < count; ++h) {
      T const r = residual_of(h);
      lane_largest[0] = r > lane_largest[0] ? r : lane_largest[0];
    }
    T largest = 0;
    for (T const value : lane_largest) largest = value > largest ? value : largest;
    return largest;
  }
};

}  // namespace karman::detail
