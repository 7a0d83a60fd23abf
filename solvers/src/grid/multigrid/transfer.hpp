// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Transfer between a grid and the next coarser one, cell by cell.
#pragma once

#include "grid.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// The coarse index of a fine one, along a coarsened axis or another.
KOKKOS_INLINE_FUNCTION constexpr int parent_of(int fine, bool joined) { return joined ? fine >> 1 : fine; }
/// The first fine index of a coarse one, and the one after the last.
KOKKOS_INLINE_FUNCTION constexpr int first_child(int coarse, bool joined) { return joined ? 2 * coarse : coarse; }
KOKKOS_INLINE_FUNCTION constexpr int end_child(int coarse, bool joined, int extent) {
  int const end = joined ? 2 * coarse + 2 : coarse + 1;
  return end < extent ? end : extent;
}

KOKKOS_INLINE_FUNCTION constexpr int color_of(int k, int j, int i) { return (k + j + i) & 1; }

/// Coarse right-hand side of cell (k, j, i): the residuals of its fine cells, each weighted with its fraction of the
/// volume. `residual(colour, k, j, h)` gives those.
template <class T, class Residual>
KOKKOS_INLINE_FUNCTION T averaged(MultigridGrid<T> const& fine, int k, int j, int i, Residual const& residual) {
  T sum = 0;
  int const k_end = end_child(k, fine.coarsened[2], fine.layout.nz);
  int const j_end = end_child(j, fine.coarsened[1], fine.layout.ny);
  int const i_end = end_child(i, fine.coarsened[0], fine.layout.nx);
  for (int kk = first_child(k, fine.coarsened[2]); kk < k_end; ++kk) {
    for (int jj = first_child(j, fine.coarsened[1]); jj < j_end; ++jj) {
      T const part = fine.share[2][kk] * fine.share[1][jj];
      for (int ii = first_child(i, fine.coarsened[0]); ii < i_end; ++ii) {
        sum += part * fine.share[0][ii] * residual(color_of(kk, jj, ii), kk, jj, ii >> 1);
      }
    }
  }
  return sum;
}

/// Interpolation of one fine cell from the three neighbours of its coarse cell: weights and directions.
template <class T>
struct MultigridPulls {
  T weight[3];
  int towards[3];  ///< +1 or -1

  KOKKOS_INLINE_FUNCTION MultigridPulls(MultigridGrid<T> const& fine, int k, int j, int i, std::uint64_t reach)
      : weight{fine.pull[0][i], fine.pull[1][j], fine.pull[2][k]}, towards{side(i), side(j), side(k)} {
    for (int a = 0; a < 3; ++a) weight[a] *= MultigridReach::fraction<T>(reach, 2 * a + (towards[a] > 0 ? 0 : 1));
  }
  KOKKOS_INLINE_FUNCTION static int side(int fine) { return (fine & 1) != 0 ? 1 : -1; }
};

template <class T>
KOKKOS_INLINE_FUNCTION std::uint64_t reach_of(MultigridGrid<T> const& coarse, int k, int j, int i) {
  return coarse.reach[0] == nullptr ? MultigridReach::open
                                    : coarse.reach[color_of(k, j, i)][coarse.layout.inner(k, j, i >> 1)];
}

/// The coarse x, interpolated to the centre of fine cell (k, j, i), linear along each axis.
template <class T>
KOKKOS_INLINE_FUNCTION T prolonged(MultigridGrid<T> const& fine, MultigridGrid<T> const& coarse, int k, int j, int i) {
  int const at[3] = {parent_of(i, fine.coarsened[0]), parent_of(j, fine.coarsened[1]), parent_of(k, fine.coarsened[2])};
  MultigridPulls<T> const pull(fine, k, j, i, reach_of(coarse, at[2], at[1], at[0]));
  int const color = color_of(at[2], at[1], at[0]);
  std::int64_t const index = coarse.layout.ghosted(at[2], at[1], at[0] >> 1);
  T const* const other = coarse.x[1 - color];
  T const own = coarse.x[color][index];
  T const x = other[coarse.layout.ghosted(at[2], at[1], (at[0] + pull.towards[0]) >> 1)];
  T const y = other[index + pull.towards[1] * coarse.row()];
  T const z = other[index + pull.towards[2] * coarse.layout.plane()];
  return own + (pull.weight[0] * (x - own) + pull.weight[1] * (y - own) + pull.weight[2] * (z - own));
}

/// The fine cells of one coarse cell: up to two along each axis.
template <class T>
struct MultigridBlock {
  int first[3], count[3];  ///< in x, y, z
  int color;               ///< of the first
  std::int64_t index;      ///< of the first, with ghosts
  std::int64_t column[2];  ///< corrections for the cells 0 and 1 of a row

  KOKKOS_INLINE_FUNCTION MultigridBlock(MultigridGrid<T> const& fine, int k, int j, int i) {
    int const at[3] = {i, j, k};
    for (int a = 0; a < 3; ++a) {
      first[a] = first_child(at[a], fine.coarsened[a]);
      count[a] = end_child(at[a], fine.coarsened[a], fine.extent(a)) - first[a];
    }
    color = color_of(first[2], first[1], first[0]);
    index = fine.layout.ghosted(first[2], first[1], first[0] >> 1);
    int const h = first[0] >> 1;
    column[0] = 0;
    column[1] = ((first[0] + 1) >> 1) - h;
  }
  KOKKOS_INLINE_FUNCTION bool holds(int a, int b, int c) const { return c < count[0] && b < count[1] && a < count[2]; }
};

/// Adds weighted residuals of N adjacent cells of one colour to sums. `s` is their shift, known to the compiler: packs
/// then stay in registers. `other`: values of the other colour at the same half indices. `share`: of all cells along x
/// except cells of the pair `last`.
template <MultigridWalls walls, int s, int N, class T>
KOKKOS_INLINE_FUNCTION void add_residuals(MultigridGrid<T> const& g, int k, int j, int h, T part, T share, T last_share,
                                          Pack<T, N> const& self, Pack<T, N> const& other, Pack<T, N>& sum) {
  SplitLayout const& layout = g.layout;
  int const color = SplitLayout::shift(k, j, s);
  std::int64_t const inner = layout.inner(k, j, h);
  T const* const near_other = g.x[1 - color] + layout.ghosted(k, j, h);
  auto const north = load_pack<N>(near_other + g.row()), south = load_pack<N>(near_other - g.row());
  auto const above = load_pack<N>(near_other + layout.plane()), below = load_pack<N>(near_other - layout.plane());
  auto const rhs = load_pack<N>(g.rhs[color] + inner);
  T const beside = near_other[s == 0 ? -1 : N];
  MultigridOpenings<walls, T, N> const openings(g, color, inner);
  auto const tables = load_tables<N>(g, s, k, j, h);
  int const last = (layout.nx - 1) >> 1;
  constexpr bool open = walls == MultigridWalls::none;
  for (int n = 0; n < N; ++n) {
    T const left = n == 0 ? beside : other[n > 0 ? n - 1 : 0];
    T const right = n == N - 1 ? beside : other[n < N - 1 ? n + 1 : 0];
    T const near[6] = {s == 0 ? other[n] : right, s == 0 ? left : other[n], north[n], south[n], above[n], below[n]};
    T const residual = residual_of<open>(openings.template stencil<true>(tables, n), self[n], near, rhs[n]);
    T const weight = part * (h + n == last ? last_share : share);
    if (2 * (h + n) + s < layout.nx) sum[n] += weight * residual;
  }
}

/// averaged() of the residuals in N adjacent half indices of a fine row, for a device. `k`, `j` are indices of the
/// coarse row, `h` is a multiple of N. Where x is joined, the coarse cells are h, h + 1, ...; else sum[s][n] belongs to
/// the cell 2 (h + n) + s. Every access is a whole pack. Cells beyond the end of the row have any value.
template <MultigridWalls walls, bool joined, int N, class T>
KOKKOS_INLINE_FUNCTION void average_residuals(MultigridGrid<T> const& g, int k, int j, int h,
                                              Pack<T, N> (&sum)[joined ? 1 : 2]) {
  SplitLayout const& layout = g.layout;
  int const k_end = end_child(k, g.coarsened[2], layout.nz);
  int const j_end = end_child(j, g.coarsened[1], layout.ny);
  // All pairs of cells along x are equal but the last one, whose second cell may be missing.
  int const last = (layout.nx - 1) & ~1;
  T const even = g.share[0][0], odd = layout.nx > 1 ? g.share[0][1] : T(0);
  T const last_even = g.share[0][last], last_odd = last + 1 < layout.nx ? g.share[0][last + 1] : T(0);
  for (auto& part : sum) {
    for (int n = 0; n < N; ++n) part[n] = T(0);
  }
  for (int kk = first_child(k, g.coarsened[2]); kk < k_end; ++kk) {
    for (int jj = first_child(j, g.coarsened[1]); jj < j_end; ++jj) {
      T const part = g.share[2][kk] * g.share[1][jj];
      std::int64_t const index = layout.ghosted(kk, jj, h);
      int const first = SplitLayout::shift(kk, jj, 0);  // the colour of the even cells
      auto const evens = load_pack<N>(g.x[first] + index), odds = load_pack<N>(g.x[1 - first] + index);
      add_residuals<walls, 0>(g, kk, jj, h, part, even, last_even, evens, odds, sum[0]);
      add_residuals<walls, 1>(g, kk, jj, h, part, odd, last_odd, odds, evens, sum[joined ? 0 : 1]);
    }
  }
}

/// Adds prolonged() to the block of a coarse cell.
template <class T>
KOKKOS_INLINE_FUNCTION void prolong_block(MultigridGrid<T> const& fine, MultigridGrid<T> const& coarse, int k, int j,
                                          int i) {
  MultigridBlock<T> const block(fine, k, j, i);
  int const color = color_of(k, j, i);
  std::int64_t const index = coarse.layout.ghosted(k, j, i >> 1);
  T const* const other = coarse.x[1 - color];
  T const own = coarse.x[color][index];
  std::uint64_t const reach = reach_of(coarse, k, j, i);
  T step[3][2];  // towards the neighbour below and above
  step[0][0] = other[coarse.layout.ghosted(k, j, (i - 1) >> 1)] - own;
  step[0][1] = other[coarse.layout.ghosted(k, j, (i + 1) >> 1)] - own;
  step[1][0] = other[index - coarse.row()] - own;
  step[1][1] = other[index + coarse.row()] - own;
  step[2][0] = other[index - coarse.layout.plane()] - own;
  step[2][1] = other[index + coarse.layout.plane()] - own;
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      T const weight = side < block.count[axis] ? fine.pull[axis][block.first[axis] + side] : T(0);
      step[axis][side] *= weight * MultigridReach::fraction<T>(reach, 2 * axis + 1 - side);
    }
  }
  T* const x[2] = {fine.x[block.color], fine.x[1 - block.color]};
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      for (int c = 0; c < 2; ++c) {
        if (!block.holds(a, b, c)) continue;
        x[(a + b + c) & 1][block.index + a * fine.layout.plane() + b * fine.row() + block.column[c]] +=
            own + (step[0][c] + step[1][b] + step[2][a]);
      }
    }
  }
}

/// N adjacent cells of a coarse row in natural order, from the first half index of both colours. `even`: the colour of
/// the even cells.
template <int N, class T>
KOKKOS_INLINE_FUNCTION Pack<T, N> load_row(MultigridGrid<T> const& g, int even, std::int64_t index) {
  auto const evens = load_pack<N / 2>(g.x[even] + index), odds = load_pack<N / 2>(g.x[1 - even] + index);
  Pack<T, N> row;
  for (int n = 0; n < N; ++n) row[n] = n % 2 == 0 ? evens[n / 2] : odds[n / 2];
  return row;
}

/// Adds prolonged() to the blocks of N adjacent coarse cells where x is joined, for a device: every access to the fine
/// grid is a whole pack. `h`, the first of them and the half index of their fine cells, is a multiple of N.
template <int N, class T>
KOKKOS_INLINE_FUNCTION void prolong_blocks(MultigridGrid<T> const& fine, MultigridGrid<T> const& coarse, int k, int j,
                                           int h) {
  int const even = color_of(k, j, 0);
  std::int64_t const index = coarse.layout.ghosted(k, j, h / 2);
  std::int64_t const row = coarse.row(), plane = coarse.layout.plane();
  Pack<T, N> const own = load_row<N>(coarse, even, index);
  T const before = coarse.x[1 - even][index - 1], after = coarse.x[even][index + N / 2];
  Pack<T, N> step[3][2];  // towards the neighbour below and above
  for (int n = 0; n < N; ++n) {
    step[0][0][n] = (n == 0 ? before : own[n > 0 ? n - 1 : 0]) - own[n];
    step[0][1][n] = (n == N - 1 ? after : own[n < N - 1 ? n + 1 : 0]) - own[n];
  }
  for (int side = 0; side < 2; ++side) {
    auto const y = load_row<N>(coarse, 1 - even, index + (side == 0 ? -row : row));
    auto const z = load_row<N>(coarse, 1 - even, index + (side == 0 ? -plane : plane));
    for (int n = 0; n < N; ++n) {
      step[1][side][n] = y[n] - own[n];
      step[2][side][n] = z[n] - own[n];
    }
  }
  int const first[2] = {first_child(j, fine.coarsened[1]), first_child(k, fine.coarsened[2])};
  int const count[2] = {end_child(j, fine.coarsened[1], fine.layout.ny) - first[0],
                        end_child(k, fine.coarsened[2], fine.layout.nz) - first[1]};
  for (int side = 0; side < 2; ++side) {
    T const y = side < count[0] ? fine.pull[1][first[0] + side] : T(0);
    T const z = side < count[1] ? fine.pull[2][first[1] + side] : T(0);
    for (int n = 0; n < N; ++n) {
      int const i = 2 * (h + n) + side;
      bool const is_cell = h + n < coarse.layout.nx;
      std::uint64_t const reach = is_cell ? reach_of(coarse, k, j, h + n) : MultigridReach::open;
      step[0][side][n] *= (i < fine.layout.nx ? fine.pull[0][i] : T(0)) * MultigridReach::fraction<T>(reach, 1 - side);
      step[1][side][n] *= y * MultigridReach::fraction<T>(reach, 3 - side);
      step[2][side][n] *= z * MultigridReach::fraction<T>(reach, 5 - side);
    }
  }
  for (int a = 0; a < count[1]; ++a) {
    for (int b = 0; b < count[0]; ++b) {
      int const kk = first[1] + a, jj = first[0] + b;
      std::int64_t const to = fine.layout.ghosted(kk, jj, h);
      for (int s = 0; s < 2; ++s) {
        T* const x = fine.x[SplitLayout::shift(kk, jj, s)] + to;
        Pack<T, N> values = load_pack<N>(x);
        for (int n = 0; n < N; ++n) {
          T const y = b == 0 ? step[1][0][n] : step[1][1][n], z = a == 0 ? step[2][0][n] : step[2][1][n];
          values[n] += own[n] + (step[0][s][n] + y + z);
        }
        store_some<N>(x, values, fine.layout.count(s) - h < N ? fine.layout.count(s) - h : N);
      }
    }
  }
}

/// Residuals in `work` of coarse cell (k, j, i) for its neighbour along an axis, by the adjoint of prolongation. Each
/// is weighted with its fraction of the volume of the cell. `towards`: +1 or -1.
template <class T>
KOKKOS_INLINE_FUNCTION T given_to_neighbor(MultigridGrid<T> const& fine, MultigridGrid<T> const& coarse, int k, int j,
                                           int i, int axis, int towards) {
  std::uint64_t const reach = reach_of(coarse, k, j, i);
  return averaged(fine, k, j, i, [&](int color, int kk, int jj, int h) {
    int const index[3] = {2 * h + SplitLayout::shift(kk, jj, color), jj, kk};
    MultigridPulls<T> const pull(fine, kk, jj, index[0], reach);
    T const residual = fine.work[color][fine.layout.inner(kk, jj, h)];
    return pull.towards[axis] == towards ? pull.weight[axis] * residual : T(0);
  });
}

/// The adjoint of prolongation, in the inner product weighted with volumes, of the residuals in `work`.
template <class T>
KOKKOS_INLINE_FUNCTION T gathered(MultigridGrid<T> const& fine, MultigridGrid<T> const& coarse, int k, int j, int i) {
  auto const residual = [&](int color, int kk, int jj, int h) {
    return fine.work[color][fine.layout.inner(kk, jj, h)];
  };
  int const at[3] = {i, j, k};
  std::uint64_t const own_reach = reach_of(coarse, k, j, i);
  T sum = averaged(fine, k, j, i, [&](int color, int kk, int jj, int h) {
    MultigridPulls<T> const pull(fine, kk, jj, 2 * h + SplitLayout::shift(kk, jj, color), own_reach);
    return (T(1) - (pull.weight[0] + pull.weight[1] + pull.weight[2])) * residual(color, kk, jj, h);
  });
  for (int axis = 0; axis < 3; ++axis) {
    if (!fine.coarsened[axis]) continue;
    for (int towards = -1; towards <= 1; towards += 2) {
      int next[3] = {at[0], at[1], at[2]};
      next[axis] += towards;
      int const extent = coarse.extent(axis);
      if (next[axis] < 0 || next[axis] >= extent) {
        if (!coarse.periodic[axis] || extent == 1) continue;
        next[axis] = (next[axis] + extent) % extent;
      }
      T const from = given_to_neighbor(fine, coarse, next[2], next[1], next[0], axis, -towards);
      sum += from * (coarse.width[axis][next[axis]] / coarse.width[axis][at[axis]]);
    }
  }
  return sum;
}

/// Copies the values of both ends of a periodic axis into the ghosts beyond the other end; `a`, `b` count the cells
/// of the two other axes, the faster one last.
template <class T>
KOKKOS_INLINE_FUNCTION void wrap_cell(MultigridGrid<T> const& g, int axis, int a, int b) {
  int const n = g.extent(axis);
  for (int end = 0; end < 2; ++end) {
    int const ghost = end == 0 ? -1 : n;
    int const source = end == 0 ? n - 1 : 0;
    int to[3], from[3];
    int const slow = axis == 2 ? 1 : 2;
    int const fast = axis == 0 ? 1 : 0;
    to[slow] = from[slow] = a;
    to[fast] = from[fast] = b;
    to[axis] = ghost;
    from[axis] = source;
    g.x[color_of(to[2], to[1], to[0])][g.layout.ghosted(to[2], to[1], to[0] >> 1)] =
        g.x[color_of(from[2], from[1], from[0])][g.layout.ghosted(from[2], from[1], from[0] >> 1)];
  }
}

}  // namespace karman::detail
