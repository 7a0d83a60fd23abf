// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Restriction, prolongation and ghosts of large grids, row by row.
/// Functions with a device lambda are static: nvcc keeps the parts of such a lambda separate for each translation unit.
/// A linker that joined the functions of two of them would mix the parts.
#pragma once

#include "base/lanes.hpp"
#include "base/light_weight.hpp"
#include "cell_loop.hpp"
#include "transfer.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Rows (k, j) of a grid over teams. On the host one row per team; on a device several, with their cells or packs of
/// cells over its threads.
template <class Exec>
struct MultigridRowPolicy {
  int rows_a_team, threads;

  /// `items`: cells or packs of a row.
  explicit MultigridRowPolicy(int items, int threads_on_device = 256) {
    threads = runs_on_host<Exec> ? 1 : threads_on_device;
    rows_a_team = runs_on_host<Exec> || items >= threads_on_device ? 1 : threads_on_device / items;
  }
  auto over(Exec const& space, SplitLayout const& layout) const {
    int const rows = layout.ny * layout.nz;
    return light_weight(Kokkos::TeamPolicy<Exec>(space, (rows + rows_a_team - 1) / rows_a_team, threads, 1));
  }
};

/// Source of a coarse right-hand side.
enum class MultigridRestriction {
  average_on_the_fly,  ///< residuals computed from x, averaged; on a device, in packs of cells
  average,             ///< residuals in `work`, averaged
  gather               ///< residuals in `work`, by the adjoint of prolongation
};

/// `walls` are walls of the fine grid, which matter on the fly only.
template <class Exec, class T, MultigridRestriction how, MultigridWalls walls = MultigridWalls::none>
class MultigridRestrict {
 public:
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  MultigridGrid<T> fine, coarse;
  int items;  ///< of a row: coarse cells, or packs of them
  MultigridRowPolicy<Exec> rows;

  MultigridRestrict(MultigridGrid<T> const& f, MultigridGrid<T> const& c)
      : fine(f), coarse(c), items(in_packs ? (f.layout.half + width - 1) / width : c.layout.nx), rows(items, threads) {}

  void run(Exec const& space) const {
    Kokkos::parallel_for("karman::multigrid::restrict", rows.over(space, coarse.layout), *this);
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    SplitLayout const& layout = coarse.layout;
    if constexpr (runs_on_host<Exec>) {
      static_assert(!in_packs, "the host averages stored residuals");
      int const k = member.league_rank() / layout.ny;
      int const j = member.league_rank() % layout.ny;
      if constexpr (how == MultigridRestriction::average) {
        if (fine.coarsened[0]) return average_row(k, j);
      }
      for (int i = 0; i < layout.nx; ++i) restrict_cell(k, j, i);
    } else {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(member, rows.rows_a_team * items), [&](int n) {
        int const row = member.league_rank() * rows.rows_a_team + n / items;
        if (row >= layout.ny * layout.nz) return;
        int const k = row / layout.ny;
        int const j = row % layout.ny;
        if constexpr (!in_packs) {
          restrict_cell(k, j, n % items);
        } else if (fine.coarsened[0]) {
          restrict_joined(k, j, n % items * width);
        } else {
          restrict_apart(k, j, n % items * width);
        }
      });
    }
  }

 private:
  static constexpr bool in_packs = how == MultigridRestriction::average_on_the_fly;
  static constexpr int width = sor_width<T>;
  /// Packs take up to 160 registers: three or four teams of this size fit on a multiprocessor.
  static constexpr int threads = in_packs ? 128 : 256;

  /// The coarse cells h, h + 1, ... of a row.
  KOKKOS_FUNCTION void restrict_joined(int k, int j, int h) const {
    Pack<T, width> sum[1];
    average_residuals<walls, true>(fine, k, j, h, sum);
    for (int s = 0; s < 2; ++s) {
      Pack<T, width / 2> half;
      for (int n = 0; n < width / 2; ++n) half[n] = sum[0][2 * n + s];
      store(SplitLayout::shift(k, j, s), s, k, j, h / 2, half);
    }
  }

  /// The coarse cells 2 h, 2 h + 1, ... of a row.
  KOKKOS_FUNCTION void restrict_apart(int k, int j, int h) const {
    Pack<T, width> sum[2];
    average_residuals<walls, false>(fine, k, j, h, sum);
    for (int s = 0; s < 2; ++s) store(SplitLayout::shift(k, j, s), s, k, j, h, sum[s]);
  }

  template <int N>
  KOKKOS_FUNCTION void store(int color, int s, int k, int j, int h, Pack<T, N> const& values) const {
    int const count = coarse.layout.count(s) - h;
    store_some<N>(coarse.rhs[color] + coarse.layout.inner(k, j, h), values, count < N ? count : N);
  }

  KOKKOS_FUNCTION void restrict_cell(int k, int j, int i) const {
    T value = 0;
    if constexpr (how == MultigridRestriction::gather) {
      value = gathered(fine, coarse, k, j, i);
    } else {
      value = averaged(fine, k, j, i, [&](int color, int kk, int jj, int h) {
        return fine.work[color][fine.layout.inner(kk, jj, h)];
      });
    }
    coarse.rhs[color_of(k, j, i)][coarse.layout.inner(k, j, i >> 1)] = value;
  }

  /// On the host. The cells 2 i and 2 i + 1 of a fine row have half index i in its two arrays, so that whole rows are
  /// added. Padding holds zeros.
  KOKKOS_FUNCTION void average_row(int k, int j) const {
    constexpr int chunk = 256;
    T sum[chunk];
    SplitLayout const& from = fine.layout;
    int const nx = coarse.layout.nx;
    int const k_end = end_child(k, fine.coarsened[2], from.nz);
    int const j_end = end_child(j, fine.coarsened[1], from.ny);
    // All pairs are equal but the last one, which may be single.
    T const even = fine.share[0][0];
    T const odd = T(1) - even;
    for (int begin = 0; begin < nx; begin += chunk) {
      int const count = begin + chunk < nx ? chunk : nx - begin;
      for (int n = 0; n < count; ++n) sum[n] = T(0);
      for (int kk = first_child(k, fine.coarsened[2]); kk < k_end; ++kk) {
        for (int jj = first_child(j, fine.coarsened[1]); jj < j_end; ++jj) {
          T const part = fine.share[2][kk] * fine.share[1][jj];
          int const first = SplitLayout::shift(kk, jj, 0);  // the colour of cell 0
          T const* const a = fine.work[first] + from.inner(kk, jj, begin);
          T const* const b = fine.work[1 - first] + from.inner(kk, jj, begin);
          KARMAN_SIMD
          for (int n = 0; n < count; ++n) sum[n] += part * (even * a[n] + odd * b[n]);
        }
      }
      store(k, j, begin, count, sum);
    }
    restrict_cell(k, j, nx - 1);
  }

  /// `begin` is even.
  KOKKOS_FUNCTION void store(int k, int j, int begin, int count, T const* values) const {
    int const first = SplitLayout::shift(k, j, 0);
    T* const a = coarse.rhs[first] + coarse.layout.inner(k, j, begin / 2);
    T* const b = coarse.rhs[1 - first] + coarse.layout.inner(k, j, begin / 2);
    for (int n = 0; n < count / 2; ++n) {
      a[n] = values[2 * n];
      b[n] = values[2 * n + 1];
    }
    if (count % 2 != 0) a[count / 2] = values[count - 1];
  }
};

/// Adds the interpolated coarse x to the fine x.
template <class Exec, class T>
class MultigridProlong {
 public:
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  MultigridGrid<T> fine, coarse;
  int items;  ///< of a row: cells, or packs of them
  MultigridRowPolicy<Exec> rows;

  MultigridProlong(MultigridGrid<T> const& f, MultigridGrid<T> const& c)
      : fine(f),
        coarse(c),
        items(runs_on_host<Exec> ? f.layout.nx
              : f.coarsened[0]   ? (f.layout.half + width - 1) / width
                                 : c.layout.nx),
        rows(items) {}

  /// On the host over the rows of the fine grid, on a device over the rows of the coarse one.
  void run(Exec const& space) const {
    Kokkos::parallel_for("karman::multigrid::prolong",
                         rows.over(space, runs_on_host<Exec> ? fine.layout : coarse.layout), *this);
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    SplitLayout const& layout = runs_on_host<Exec> ? fine.layout : coarse.layout;
    if constexpr (runs_on_host<Exec>) {
      int const k = member.league_rank() / layout.ny;
      int const j = member.league_rank() % layout.ny;
      if (fine.coarsened[0] && coarse.reach[0] == nullptr) return prolong_row(k, j);
      for (int i = 0; i < layout.nx; ++i) prolong_cell(k, j, i);
    } else {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(member, rows.rows_a_team * items), [&](int n) {
        int const row = member.league_rank() * rows.rows_a_team + n / items;
        if (row >= layout.ny * layout.nz) return;
        int const k = row / layout.ny;
        int const j = row % layout.ny;
        if (fine.coarsened[0]) {
          prolong_blocks<width>(fine, coarse, k, j, n % items * width);
        } else {
          prolong_block(fine, coarse, k, j, n % items);
        }
      });
    }
  }

 private:
  static constexpr int width = sor_width<T>;
  KOKKOS_FUNCTION void prolong_cell(int k, int j, int i) const {
    fine.x[color_of(k, j, i)][fine.layout.ghosted(k, j, i >> 1)] += prolonged(fine, coarse, k, j, i);
  }

  /// On the host, without walls: one coarse row in natural order serves both arrays of the fine row.
  KOKKOS_FUNCTION void prolong_row(int k, int j) const {
    constexpr int chunk = 256;
    T own[chunk + 2], base[chunk];
    int const kk = parent_of(k, fine.coarsened[2]);
    int const jj = parent_of(j, fine.coarsened[1]);
    T const wy = fine.pull[1][j];
    T const wz = fine.pull[2][k];
    std::int64_t const to_y = MultigridPulls<T>::side(j) * coarse.row();
    std::int64_t const to_z = MultigridPulls<T>::side(k) * coarse.layout.plane();
    int const first = SplitLayout::shift(kk, jj, 0);  // the colour of coarse cell 0
    int const nx = coarse.layout.nx;
    for (int begin = 0; begin < nx; begin += chunk) {
      int const count = begin + chunk < nx ? chunk : nx - begin;
      std::int64_t const index = coarse.layout.ghosted(kk, jj, begin / 2);
      // Natural order from one before the chunk to one after it; begin is even.
      T const* const even = coarse.x[first] + index;
      T const* const odd = coarse.x[1 - first] + index;
      own[0] = odd[-1];
      for (int n = 0; n < count / 2 + 1; ++n) {
        if (2 * n + 1 < chunk + 2) own[2 * n + 1] = even[n];
        if (2 * n + 2 < chunk + 2) own[2 * n + 2] = odd[n];
      }
      for (int n = 0; n < (count + 1) / 2; ++n) {
        T const e = even[n], o = odd[n];
        base[2 * n] = e + (wy * (odd[n + to_y] - e) + wz * (odd[n + to_z] - e));
        if (2 * n + 1 < chunk) base[2 * n + 1] = o + (wy * (even[n + to_y] - o) + wz * (even[n + to_z] - o));
      }
      for (int color = 0; color < 2; ++color) add_row(k, j, color, begin, count, own, base);
    }
  }

  KOKKOS_FUNCTION void add_row(int k, int j, int color, int begin, int count, T const* own, T const* base) const {
    int const s = SplitLayout::shift(k, j, color);
    int const there = fine.layout.count(s) - begin;
    int const end = there < count ? there : count;
    T* const x = fine.x[color] + fine.layout.ghosted(k, j, begin);
    T const* const pull = fine.pull[0];
    // The lower neighbour for the even cells of the row, the upper one for the odd cells.
    int const towards = s == 0 ? 0 : 2;
    KARMAN_SIMD
    for (int n = 0; n < end; ++n) {
      x[n] += base[n] + pull[2 * (begin + n) + s] * (own[n + towards] - own[n + 1]);
    }
  }
};

/// x <- 0 in the cells of a grid, or the ghosts of one periodic axis.
template <class Exec, class T>
static void clear(Exec const& space, MultigridGrid<T> const& g) {
  std::int64_t const size = g.layout.ghosted_size();
  Kokkos::parallel_for(
      "karman::multigrid::clear",
      light_weight(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, size)),
      KOKKOS_LAMBDA(std::int64_t n) {
        g.x[0][n] = T(0);
        g.x[1][n] = T(0);
      });
}

template <class Exec, class T>
static void wrap(Exec const& space, MultigridGrid<T> const& g, int axis) {
  std::int64_t const fast = g.extent(axis == 0 ? 1 : 0);
  std::int64_t const cells = fast * g.extent(axis == 2 ? 1 : 2);
  Kokkos::parallel_for(
      "karman::multigrid::wrap",
      light_weight(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, cells)),
      KOKKOS_LAMBDA(std::int64_t n) { wrap_cell(g, axis, static_cast<int>(n / fast), static_cast<int>(n % fast)); });
}

}  // namespace karman::detail
