// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Seam of a periodic axis with an odd number of cells, where two cells of one colour are neighbours. Cells of the last
/// plane are relaxed after the others.
/// Functions with a device lambda are static: nvcc keeps the parts of such a lambda separate for each translation unit.
/// A linker that joined the functions of two of them would mix the parts.
#pragma once

#include "base/light_weight.hpp"
#include "grid.hpp"
#include "lines.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// The cells of one colour on the last planes of exactly the odd axes `chosen` (bit 0: x). No two of them are
/// neighbours. Their ghosts must be up to date.
template <class T>
struct MultigridSeam {
  MultigridGrid<T> const& grid;
  T omega;
  int color;
  unsigned chosen;

  /// Normal of the plane: the first of those axes.
  KOKKOS_INLINE_FUNCTION int axis() const { return (chosen & 1u) != 0 ? 0 : (chosen & 2u) != 0 ? 1 : 2; }
  KOKKOS_INLINE_FUNCTION int fast_extent() const { return axis() == 0 ? grid.layout.ny : grid.layout.nx; }
  KOKKOS_INLINE_FUNCTION int slow_extent(bool whole_columns) const {
    return whole_columns ? 1 : axis() == 2 ? grid.layout.ny : grid.layout.nz;
  }

  KOKKOS_INLINE_FUNCTION void relax(int slow, int fast) const {
    int const a = axis();
    int const last = grid.extent(a) - 1;
    int const i = a == 0 ? last : fast;
    int const j = a == 1 ? last : a == 0 ? fast : slow;
    int const k = a == 2 ? last : slow;
    bool const one_of_them = ((k + j + i) & 1) == color && grid.seams_of(k, j, i) == chosen;
    if (one_of_them) relax_at(grid, omega, color, k, j, i >> 1);
  }

  /// With lines along z the plane is a row of columns.
  KOKKOS_INLINE_FUNCTION void solve_column(int fast) const {
    int const i = axis() == 0 ? grid.layout.nx - 1 : fast;
    int const j = axis() == 0 ? fast : grid.layout.ny - 1;
    bool const one_of_them = ((j + i) & 1) == color && grid.seams_of(0, j, i) == chosen;
    if (one_of_them) MultigridColumns<T>{grid, color}.solve(j, i >> 1);
  }
};

template <class Exec, class T>
static void relax_seam(Exec const& space, MultigridGrid<T> const& g, T omega, int color, unsigned chosen,
                       bool whole_columns) {
  int const fast = MultigridSeam<T>{g, omega, color, chosen}.fast_extent();
  int const slow = MultigridSeam<T>{g, omega, color, chosen}.slow_extent(whole_columns);
  Kokkos::parallel_for(
      "karman::multigrid::seam",
      light_weight(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, std::int64_t(slow) * fast)),
      KOKKOS_LAMBDA(std::int64_t n) {
        MultigridSeam<T> const seam{g, omega, color, chosen};
        if (whole_columns) {
          seam.solve_column(static_cast<int>(n));
        } else {
          seam.relax(static_cast<int>(n / fast), static_cast<int>(n % fast));
        }
      });
}

}  // namespace karman::detail
