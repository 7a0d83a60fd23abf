// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops over structured fields, with x innermost on every backend.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/concepts.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>

namespace karman::app {

/// Fixes the iteration order: the default of a device makes the first index the fast one.
template <ExecutionSpace Exec, unsigned rank = 3>
using Cells = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<rank, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                                    Kokkos::IndexType<std::int64_t>>;

/// The indices (k, j, i) from `begin` to before `end`.
template <ExecutionSpace Exec>
Cells<Exec> cells(Exec const& space, std::array<int, 3> const& begin, std::array<int, 3> const& end) {
  return Cells<Exec>(space, {begin[0], begin[1], begin[2]}, {end[0], end[1], end[2]});
}

/// The indices of a whole field of rank 3.
template <ExecutionSpace Exec, class FieldView>
Cells<Exec> cells_of(Exec const& space, FieldView const& field) {
  return Cells<Exec>(space, {0, 0, 0},
                     {static_cast<std::int64_t>(field.extent(0)), static_cast<std::int64_t>(field.extent(1)),
                      static_cast<std::int64_t>(field.extent(2))});
}

/// A function of (k, j, i) as one of (i, j, k).
template <class Function>
struct XFirst {
  Function function;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const { function(k, j, i); }
};

/// Calls function(k, j, i) for all cells of a field of rank 3. Asynchronous. For kernels that wait for memory: a block
/// of a device takes 128 cells of a row, and so whole cache lines. x comes first there, since only the first index
/// may have more than 64 threads.
template <ExecutionSpace Exec, class FieldView, class Function>
void for_each_cell(Exec const& space, char const* label, FieldView const& field, Function const& function) {
  if constexpr (runs_on_host<Exec>) {
    Kokkos::parallel_for(label, cells_of(space, field), function);
  } else {
    using Rows = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                                       Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(label,
                         Rows(space, {0, 0, 0},
                              {static_cast<std::int64_t>(field.extent(2)), static_cast<std::int64_t>(field.extent(1)),
                               static_cast<std::int64_t>(field.extent(0))},
                              {128, 1, 1}),
                         XFirst<Function>{function});
  }
}

/// The indices of a whole plane.
template <ExecutionSpace Exec, class PlaneView>
Cells<Exec, 2> cells_of_plane(Exec const& space, PlaneView const& plane) {
  return Cells<Exec, 2>(space, {0, 0},
                        {static_cast<std::int64_t>(plane.extent(0)), static_cast<std::int64_t>(plane.extent(1))});
}

}  // namespace karman::app
