// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loop over the columns of a domain and the buildings that may touch each.
#pragma once

#include "wind_kernels.hpp"

#include <cstdint>

namespace karman::wind {

/// Calls visit(building, j, i) for each building in the tile of each column (j, i) of a field with a ring. One thread
/// takes a column, so that `visit` may write to all of its cells.
template <ExecutionSpace Exec, class Visit>
struct SolidColumnsLoop {
  DeviceSolids<Exec> solids;
  std::int64_t nx, first_x, first_y;
  Visit visit;

  KOKKOS_FUNCTION void operator()(std::int64_t column) const {
    std::int64_t const j = column / nx, i = column % nx;
    std::int64_t const tile = (first_y + j) / columns_a_tile * solids.tiles_x + (first_x + i) / columns_a_tile;
    std::int64_t const end = solids.tile_starts(tile + 1);
    for (std::int64_t c = solids.tile_starts(tile); c < end; ++c) visit(solids.buildings(solids.candidates(c)), j, i);
  }
};

/// Runs the loop over the columns of a field (nz, ny, nx). Asynchronous.
template <ExecutionSpace Exec, Real T, class Cells, class Visit>
void for_solid_columns(Exec const& space, char const* label, DeviceGrid<Exec, T> const& grid,
                       DeviceSolids<Exec> const& solids, Cells const& field, Visit const& visit) {
  std::int64_t const nx = static_cast<std::int64_t>(field.extent(2));
  std::int64_t const columns = static_cast<std::int64_t>(field.extent(1)) * nx;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, columns),
                       SolidColumnsLoop<Exec, Visit>{solids, nx, grid.first_x, grid.first_y, visit});
}

}  // namespace karman::wind
