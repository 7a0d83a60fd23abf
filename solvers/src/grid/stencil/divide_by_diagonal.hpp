// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Diagonal of the 7-point operator as a preconditioner.
/// Functions with a device lambda are static: nvcc keeps the parts of such a lambda separate for each translation unit.
/// A linker that joined the functions of two of them would mix the parts.
#pragma once

#include <karman/core/types.hpp>
#include <karman/solvers/detail/seven_point_cells.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// correction = omega residual / (diagonal of A), zero in cells without an equation. May work in place.
template <class Exec, class T>
static void divide_by_diagonal(Exec const& space, char const* label, SevenPointCells<Exec, T> const& cells,
                               ConstField<Exec, T> const& residual, Field<Exec, T> const& correction, T omega) {
  // Indices in the order (i, j, k) and from the left: neighboring threads of a device then take neighboring cells.
  // From the right, CUDA gives neighboring threads cells of different layers.
  using Order = Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>;
  using Policy = Kokkos::MDRangePolicy<Exec, Order, Kokkos::IndexType<std::int64_t>>;
  if (residual.size() == 0) return;  // a part without cells
  Kokkos::parallel_for(
      label, Policy(space, {0, 0, 0}, {cells.frame().nx, cells.frame().ny, cells.frame().nz}),
      KOKKOS_LAMBDA(int i, int j, int k) {
        T const own = cells(k, j, i).own();
        correction(k, j, i) = own == T(0) ? T(0) : -omega * residual(k, j, i) / own;
      });
}

}  // namespace karman::detail
