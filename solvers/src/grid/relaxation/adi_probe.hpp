// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Inspection of a problem before Adi chooses its parameters: runs of cells without a fixed value, and a rough field.
#pragma once

#include <karman/core/host_copy.hpp>
#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/detail/seven_point_cells.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace karman::detail {

/// Couplings of one cell in a problem in one dimension, as bits.
enum CellTie : std::uint8_t { has_equation = 1, tied_to_next = 2, held = 4 };

/// True when a problem in one dimension, along `axis`, has neighbouring cells that exchange among themselves alone: a
/// singular block of the matrix. Fences.
template <class Exec, class T>
bool has_floating_run(Exec const& space, SevenPointCells<Exec, T> const& cells, int axis) {
  auto const& frame = cells.frame();
  int const n = axis == 0 ? frame.nx : axis == 1 ? frame.ny : frame.nz;
  bool const periodic = cells.periodic[axis];
  Kokkos::View<std::uint8_t*, typename Exec::memory_space> const ties(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::adi::ties")),
      static_cast<std::size_t>(n));
  Kokkos::parallel_for(
      "karman::adi::ties", Kokkos::RangePolicy<Exec>(space, 0, n), KOKKOS_LAMBDA(int at) {
        auto const c = cells(axis == 2 ? at : 0, axis == 1 ? at : 0, axis == 0 ? at : 0);
        T const next = axis == 0 ? c.face[0] : axis == 1 ? c.face[2] : c.face[4];
        T const previous = axis == 0 ? c.face[1] : axis == 1 ? c.face[3] : c.face[5];
        T const excess = axis == 0 ? c.excess[0] : axis == 1 ? c.excess[1] : c.excess[2];
        bool const last = at == n - 1 && !periodic, first = at == 0 && !periodic;
        unsigned tie = 0;
        if (next + previous + excess != T(0)) tie |= has_equation;
        if (next != T(0) && !last) tie |= tied_to_next;
        if (excess != T(0) || (next != T(0) && last) || (previous != T(0) && first)) tie |= held;
        ties(at) = static_cast<std::uint8_t>(tie);
      });
  auto const on_host = host_copy(space, ties);
  // Once around from a cell that is not tied to its predecessor.
  int start = 0;
  while (start < n && (on_host[static_cast<std::size_t>(start)] & tied_to_next) != 0) ++start;
  bool in_run = false, is_held = false;
  for (int step = 1; step <= n; ++step) {
    int const tie = on_host[static_cast<std::size_t>((start + step) % n)];
    in_run = in_run || (tie & has_equation) != 0;
    is_held = is_held || (tie & held) != 0;
    if ((tie & tied_to_next) != 0 && step < n) continue;
    if (in_run && !is_held) return true;
    in_run = is_held = false;
  }
  return false;
}

/// Pseudo-random numbers between -1 and 1, the same on every backend and in every division of the grid.
template <class Exec, class T>
void fill_rough(Exec const& space, UniformGrid const& grid, Field<Exec, T> const& field) {
  T* const values = field.data();
  std::int64_t const nx = grid.nx(), ny = grid.ny();
  std::int64_t const whole_nx = grid.global_cells()[0], whole_ny = grid.global_cells()[1];
  std::int64_t const i0 = grid.own_box().begin[0], j0 = grid.own_box().begin[1];
  Kokkos::parallel_for(
      "karman::adi::rough",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(field.size())),
      KOKKOS_LAMBDA(std::int64_t n) {
        std::int64_t const row = n / nx;
        std::int64_t const cell = (row / ny * whole_ny + j0 + row % ny) * whole_nx + i0 + n % nx;
        auto bits = static_cast<std::uint64_t>(cell) * 0x9e3779b97f4a7c15u;
        bits ^= bits >> 29;
        bits *= 0xbf58476d1ce4e5b9u;
        values[n] = static_cast<T>(static_cast<double>(bits >> 40) * (2.0 / (1 << 24)) - 1.0);
      });
}

}  // namespace karman::detail
