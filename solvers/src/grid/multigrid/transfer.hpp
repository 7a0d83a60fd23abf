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
  std::int64_t column[4];  ///< corrections for the cells -1, 0, 1 and `count` of a row

  KOKKOS_INLINE_FUNCTION MultigridBlock(MultigridGrid<T> const& fine, int k, int j, int i) {
    int const at[3] = {i, j, k};
    for (int a = 0; a < 3; ++a) {
      first[a] = first_child(at[a], fine.coarsened[a]);
      count[a] = end_child(at[a], fine.coarsened[a], fine.extent(a)) - first[a];
    }
    color = color_of(first[2], first[1], first[0]);
    index = fine.layout.ghosted(first[2], first[1], first[0] >> 1);
    int const h = first[0] >> 1;
    column[0] = ((first[0] - 1) >> 1) - h;
    column[1] = 0;
    column[2] = ((first[0] + 1) >> 1) - h;
    column[3] = ((first[0] + count[0]) >> 1) - h;
  }
  KOKKOS_INLINE_FUNCTION bool holds(int a, int b, int c) const { return c < count[0] && b < count[1] && a < count[2]; }
};

/// averaged() of the residuals of a coarse cell's block, for a device. Every value of x is loaded once, and all loads
/// are independent.
template <MultigridWalls walls, class T>
KOKKOS_INLINE_FUNCTION T averaged_residual(MultigridGrid<T> const& g, int k, int j, int i) {
  MultigridBlock<T> const block(g, k, j, i);
  T const* const x[2] = {g.x[block.color], g.x[1 - block.color]};
  std::int64_t const plane = g.layout.plane();
  std::int64_t const row = g.row();
  T own[2][2][2], beside_x[2][2][2], beside_y[2][2][2], beside_z[2][2][2];
  // The cells next to the block lie one beyond its ends; `end` is 0 below and 1 above.
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      for (int c = 0; c < 2; ++c) {
        own[a][b][c] = x[(a + b + c) & 1][block.index + a * plane + b * row + block.column[1 + c]];
      }
      for (int end = 0; end < 2; ++end) {
        int const step_x = end == 0 ? -1 : block.count[0];
        int const step_y = end == 0 ? -1 : block.count[1];
        int const step_z = end == 0 ? -1 : block.count[2];
        beside_x[end][a][b] =
            x[(a + b + step_x) & 1][block.index + a * plane + b * row + block.column[end == 0 ? 0 : 3]];
        beside_y[end][a][b] = x[(a + b + step_y) & 1][block.index + a * plane + step_y * row + block.column[1 + b]];
        beside_z[end][a][b] = x[(a + b + step_z) & 1][block.index + step_z * plane + a * row + block.column[1 + b]];
      }
    }
  }
  T sum = 0;
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      for (int c = 0; c < 2; ++c) {
        if (!block.holds(a, b, c)) continue;
        int const kk = block.first[2] + a, jj = block.first[1] + b, ii = block.first[0] + c;
        int const color = (block.color + a + b + c) & 1;
        int const h = ii >> 1;
        std::int64_t const inner = g.layout.inner(kk, jj, h);
        T const near[6] = {
            c + 1 < block.count[0] ? own[a][b][1] : beside_x[1][a][b], c == 0 ? beside_x[0][a][b] : own[a][b][0],
            b + 1 < block.count[1] ? own[a][1][c] : beside_y[1][a][c], b == 0 ? beside_y[0][a][c] : own[a][0][c],
            a + 1 < block.count[2] ? own[1][b][c] : beside_z[1][b][c], a == 0 ? beside_z[0][b][c] : own[0][b][c]};
        MultigridOpenings<walls, T, 1> const openings(g, color, inner);
        auto const stencil = openings.template stencil<true>(load_tables<1>(g, ii & 1, kk, jj, h), 0);
        sum += g.share[2][kk] * g.share[1][jj] * g.share[0][ii] *
               residual_of(stencil, own[a][b][c], near, g.rhs[color][inner]);
      }
    }
  }
  return sum;
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
        x[(a + b + c) & 1][block.index + a * fine.layout.plane() + b * fine.row() + block.column[1 + c]] +=
            own + (step[0][c] + step[1][b] + step[2][a]);
      }
    }
  }
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
      std::uint64_t const reach = reach_of(coarse, next[2], next[1], next[0]);
      T const from = averaged(fine, next[2], next[1], next[0], [&](int color, int kk, int jj, int h) {
        int const index[3] = {2 * h + SplitLayout::shift(kk, jj, color), jj, kk};
        MultigridPulls<T> const pull(fine, kk, jj, index[0], reach);
        return pull.towards[axis] == -towards ? pull.weight[axis] * residual(color, kk, jj, h) : T(0);
      });
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
