// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Between a grid and the next coarser one, cell by cell.
#pragma once

#include <karman/solvers/detail/multigrid_grid.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// The coarse index of a fine one, along an axis that is coarsened or not.
KOKKOS_INLINE_FUNCTION constexpr int parent_of(int fine, bool joined) { return joined ? fine >> 1 : fine; }
/// The first fine index of a coarse one, and the one after the last.
KOKKOS_INLINE_FUNCTION constexpr int first_child(int coarse, bool joined) { return joined ? 2 * coarse : coarse; }
KOKKOS_INLINE_FUNCTION constexpr int end_child(int coarse, bool joined, int extent) {
  int const end = joined ? 2 * coarse + 2 : coarse + 1;
  return end < extent ? end : extent;
}

KOKKOS_INLINE_FUNCTION constexpr int colour_of(int k, int j, int i) { return (k + j + i) & 1; }

/// Coarse right-hand side of cell (k, j, i): the residuals of its cells, each with its part of the volume.
/// `residual(colour, k, j, h)` gives those.
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
        sum += part * fine.share[0][ii] * residual(colour_of(kk, jj, ii), kk, jj, ii >> 1);
      }
    }
  }
  return sum;
}

/// What prolongation takes from the three neighbours of a coarse cell for one of its fine cells: weights and where.
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
                                    : coarse.reach[colour_of(k, j, i)][coarse.layout.inner(k, j, i >> 1)];
}

/// The coarse x, interpolated to the centre of fine cell (k, j, i), linear along each axis.
template <class T>
KOKKOS_INLINE_FUNCTION T prolonged(MultigridGrid<T> const& fine, MultigridGrid<T> const& coarse, int k, int j, int i) {
  int const at[3] = {parent_of(i, fine.coarsened[0]), parent_of(j, fine.coarsened[1]), parent_of(k, fine.coarsened[2])};
  MultigridPulls<T> const pull(fine, k, j, i, reach_of(coarse, at[2], at[1], at[0]));
  int const colour = colour_of(at[2], at[1], at[0]);
  std::int64_t const index = coarse.layout.ghosted(at[2], at[1], at[0] >> 1);
  T const* const other = coarse.x[1 - colour];
  T const own = coarse.x[colour][index];
  T const x = other[coarse.layout.ghosted(at[2], at[1], (at[0] + pull.towards[0]) >> 1)];
  T const y = other[index + pull.towards[1] * coarse.row()];
  T const z = other[index + pull.towards[2] * coarse.layout.plane()];
  return own + (pull.weight[0] * (x - own) + pull.weight[1] * (y - own) + pull.weight[2] * (z - own));
}

/// The adjoint of prolongation, in the inner product weighted with volumes, of the residuals in `work`.
template <class T>
KOKKOS_INLINE_FUNCTION T gathered(MultigridGrid<T> const& fine, MultigridGrid<T> const& coarse, int k, int j, int i) {
  auto const residual = [&](int colour, int kk, int jj, int h) {
    return fine.work[colour][fine.layout.inner(kk, jj, h)];
  };
  int const at[3] = {i, j, k};
  std::uint64_t const own_reach = reach_of(coarse, k, j, i);
  T sum = averaged(fine, k, j, i, [&](int colour, int kk, int jj, int h) {
    MultigridPulls<T> const pull(fine, kk, jj, 2 * h + SplitLayout::shift(kk, jj, colour), own_reach);
    return (T(1) - (pull.weight[0] + pull.weight[1] + pull.weight[2])) * residual(colour, kk, jj, h);
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
      T const from = averaged(fine, next[2], next[1], next[0], [&](int colour, int kk, int jj, int h) {
        int const index[3] = {2 * h + SplitLayout::shift(kk, jj, colour), jj, kk};
        MultigridPulls<T> const pull(fine, kk, jj, index[0], reach);
        return pull.towards[axis] == -towards ? pull.weight[axis] * residual(colour, kk, jj, h) : T(0);
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
    g.x[colour_of(to[2], to[1], to[0])][g.layout.ghosted(to[2], to[1], to[0] >> 1)] =
        g.x[colour_of(from[2], from[1], from[0])][g.layout.ghosted(from[2], from[1], from[0] >> 1)];
  }
}

}  // namespace karman::detail
