// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Gauss-Seidel in lexicographic order, by planes of mutually independent cells.
/// Functions with a device lambda are static: nvcc keeps the parts of such a lambda separate for each translation unit.
/// A linker that joined the functions of two of them would mix the parts.
#pragma once

#include "grid/stencil/seven_point_sweep.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Relaxes cell (k, j, i) in place.
template <class T, class Row>
KOKKOS_INLINE_FUNCTION void gauss_seidel_cell(SevenPointValues<T> const& field, Row const& row, T* x, T const* rhs,
                                              T omega, int k, int j, int i) {
  std::int64_t const n = (std::int64_t(k) * field.ny + j) * field.nx + i;
  auto const c = row(i);
  T const self = x[n];
  T const east = i + 1 < field.nx ? x[n + 1] : field.east(k, j);
  T const west = i > 0 ? x[n - 1] : field.west(k, j);
  T const a = applied(c, self, east, west, field.north(k, j)[i], field.south(k, j)[i], field.top(k, j)[i],
                      field.bottom(k, j)[i]);
  T const own = c.own();
  if (own != T(0)) x[n] = self + omega * (a - rhs[n]) / own;
}

/// One sweep. On a device: planes i + j + k = const, one thread per cell. On a host: planes j + k = const, one thread
/// per row. `backward` takes the cells in the opposite order.
template <class Exec, class T, class Cells>
static void gauss_seidel_sweep(Exec const& space, SevenPointValues<T> const& field, Cells const& cells, T* x,
                               T const* rhs, T omega, bool backward = false) {
  int const nx = field.nx, ny = field.ny, nz = field.nz;
  if constexpr (runs_on_host<Exec>) {
    int const planes = ny + nz - 1;
    for (int step = 0; step < planes; ++step) {
      int const plane = backward ? planes - 1 - step : step;
      int const first = plane >= ny ? plane - ny + 1 : 0;
      int const last = plane < nz ? plane : nz - 1;
      Kokkos::parallel_for(
          "karman::gauss_seidel::plane", Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(space, first, last + 1),
          KOKKOS_LAMBDA(int k) {
            int const j = plane - k;
            auto const row = cells.row(k, j);
            if (backward) {
              for (int i = nx - 1; i >= 0; --i) gauss_seidel_cell(field, row, x, rhs, omega, k, j, i);
            } else {
              for (int i = 0; i < nx; ++i) gauss_seidel_cell(field, row, x, rhs, omega, k, j, i);
            }
          });
    }
  } else {
    using Order = Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>;
    using Policy = Kokkos::MDRangePolicy<Exec, Order, Kokkos::IndexType<int>>;
    int const planes = nx + ny + nz - 2;
    for (int step = 0; step < planes; ++step) {
      int const plane = backward ? planes - 1 - step : step;
      int const first = plane >= nx + ny - 1 ? plane - nx - ny + 2 : 0;
      int const last = plane < nz ? plane : nz - 1;
      Kokkos::parallel_for(
          "karman::gauss_seidel::plane", Policy(space, {first, 0}, {last + 1, ny}), KOKKOS_LAMBDA(int k, int j) {
            int const i = plane - j - k;
            if (i >= 0 && i < nx) gauss_seidel_cell(field, cells.row(k, j), x, rhs, omega, k, j, i);
          });
    }
  }
}

}  // namespace karman::detail
