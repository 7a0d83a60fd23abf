// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops over structured fields, with x innermost on every backend.
#pragma once

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

/// The indices of a whole plane.
template <ExecutionSpace Exec, class PlaneView>
Cells<Exec, 2> cells_of_plane(Exec const& space, PlaneView const& plane) {
  return Cells<Exec, 2>(space, {0, 0},
                        {static_cast<std::int64_t>(plane.extent(0)), static_cast<std::int64_t>(plane.extent(1))});
}

}  // namespace karman::app
