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
  // Makes the last index the fast one on every backend.
  using Order = Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>;
  using Policy = Kokkos::MDRangePolicy<Exec, Order, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      label, Policy(space, {0, 0, 0}, {cells.frame().nz, cells.frame().ny, cells.frame().nx}),
      KOKKOS_LAMBDA(int k, int j, int i) {
        T const own = cells(k, j, i).own();
        correction(k, j, i) = own == T(0) ? T(0) : -omega * residual(k, j, i) / own;
      });
}

}  // namespace karman::detail
