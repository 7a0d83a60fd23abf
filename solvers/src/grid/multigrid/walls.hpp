// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Walls on coarser grids.
/// Functions with a device lambda are static: nvcc keeps the parts of such a lambda separate for each translation unit.
/// A linker that joined the functions of two of them would mix the parts.
#pragma once

#include "transfer.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// The openness of the six faces of the cells of one grid.
template <class T>
struct MultigridOpenness {
  MultigridGrid<T> grid;
  /// On the finest grid: the coefficient of a fully open face of each side.
  T side_value[6];

  KOKKOS_INLINE_FUNCTION T operator()(int k, int j, int i, int face) const {
    int const color = color_of(k, j, i);
    std::int64_t const inner = grid.layout.inner(k, j, i >> 1);
    T const value = grid.walls == MultigridWalls::codes ? T(0.5) * T(doubled_face(grid.codes[color][inner], face))
                                                        : grid.face[color][face][inner];
    int const axis = face / 2;
    int const index = axis == 0 ? i : axis == 1 ? j : k;
    bool const outermost = index == (face % 2 == 0 ? grid.extent(axis) - 1 : 0) && !grid.periodic[axis];
    return outermost ? value / side_value[face] : value;
  }
};

/// The mean over the fine faces that make up one face of a coarse cell.
template <class T>
KOKKOS_INLINE_FUNCTION T coarse_openness(MultigridOpenness<T> const& fine, int k, int j, int i, int face) {
  MultigridGrid<T> const& g = fine.grid;
  int const axis = face / 2;
  int const at[3] = {i, j, k};
  int begin[3], end[3];
  for (int a = 0; a < 3; ++a) {
    begin[a] = first_child(at[a], g.coarsened[a]);
    end[a] = end_child(at[a], g.coarsened[a], g.extent(a));
  }
  if (face % 2 == 0) {
    begin[axis] = end[axis] - 1;
  } else {
    end[axis] = begin[axis] + 1;
  }
  T sum = 0;
  for (int kk = begin[2]; kk < end[2]; ++kk) {
    for (int jj = begin[1]; jj < end[1]; ++jj) {
      for (int ii = begin[0]; ii < end[0]; ++ii) {
        T const part = (axis == 0 ? T(1) : g.share[0][ii]) * (axis == 1 ? T(1) : g.share[1][jj]) *
                       (axis == 2 ? T(1) : g.share[2][kk]);
        sum += part * fine(kk, jj, ii, face);
      }
    }
  }
  return sum;
}

/// Sets openness, excess (where given) and reach of the coarse grid. With `relative`, reach is relative to the mean of
/// a cell's open faces instead of 1: for coefficients of any size.
template <class Exec, class T>
static void coarsen_walls(Exec const& space, MultigridOpenness<T> const& fine, MultigridGrid<T> const& coarse,
                          Kokkos::Array<T*, 12> const& face, Kokkos::Array<T*, 2> const& excess,
                          Kokkos::Array<std::uint64_t*, 2> const& reach, bool relative) {
  SplitLayout const layout = coarse.layout;
  Kokkos::parallel_for(
      "karman::multigrid::coarsen_walls",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, coarse.cells()),
      KOKKOS_LAMBDA(std::int64_t n) {
        int const i = static_cast<int>(n % layout.nx);
        int const j = static_cast<int>(n / layout.nx % layout.ny);
        int const k = static_cast<int>(n / layout.nx / layout.ny);
        int const color = color_of(k, j, i);
        std::int64_t const inner = layout.inner(k, j, i >> 1);
        T open[6];
        T sum = 0;
        int count = 0;
        for (int f = 0; f < 6; ++f) {
          open[f] = coarse_openness(fine, k, j, i, f);
          face[6 * color + f][inner] = open[f];
          sum += open[f];
          if (open[f] > T(0)) ++count;
        }
        double const usual = relative && count > 0 ? static_cast<double>(sum) / count : 1.0;
        std::uint64_t packed = 0;
        for (int f = 0; f < 6; ++f) {
          double const fraction = static_cast<double>(open[f]) / usual;
          packed |= MultigridReach::pack(fraction < 1 ? fraction : 1.0, f);
        }
        reach[color][inner] = packed;
        if (excess[0] != nullptr) {
          excess[color][inner] = averaged(fine.grid, k, j, i, [&](int c, int kk, int jj, int h) {
            return excess_of(stencil_of(fine.grid, c, kk, jj, h));
          });
        }
      });
}

}  // namespace karman::detail
