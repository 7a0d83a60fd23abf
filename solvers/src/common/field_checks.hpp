// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks that fields have the shape of their plan.
#pragma once

#include <karman/core/error.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/grid/wall_codes.hpp>

#include <array>
#include <cstddef>
#include <string>

namespace karman::detail {

/// Throws std::invalid_argument with the names of solver and field unless the field has shape (nz, ny, nx) = extents.
template <class V>
void require_extents(V const& field, std::array<int, 3> const& extents, char const* solver, char const* what) {
  require(static_cast<int>(field.extent(0)) == extents[0] && static_cast<int>(field.extent(1)) == extents[1] &&
              static_cast<int>(field.extent(2)) == extents[2],
          std::string(solver) + ": " + what + " must have shape (nz, ny, nx) = (" + std::to_string(extents[0]) + ", " +
              std::to_string(extents[1]) + ", " + std::to_string(extents[2]) + ")");
}

/// The same, and without gaps, for kernels that address a field by its pointer.
template <class V>
void require_field(V const& field, std::array<int, 3> const& extents, char const* solver, char const* what) {
  require_extents(field, extents, solver, what);
  require(field.span_is_contiguous(), std::string(solver) + ": " + what + " must be contiguous");
}

/// Throws std::invalid_argument unless boundary values have the shape of a side: (nz, ny) for east and west, (nz, nx)
/// for north and south, (ny, nx) for top and bottom.
template <class V>
void require_side_values(V const& values, UniformGrid const& grid, Side side, char const* solver) {
  int const axis = static_cast<int>(side) / 2;
  int const slow = axis == 2 ? grid.ny() : grid.nz();
  int const fast = axis == 0 ? grid.ny() : grid.nx();
  require(static_cast<int>(values.extent(0)) == slow && static_cast<int>(values.extent(1)) == fast,
          std::string(solver) + ": boundary values must have shape (" + std::to_string(slow) + ", " +
              std::to_string(fast) + ")");
}

/// Throws std::invalid_argument for boundary values of a periodic side. Values of a closed side, and of a missing axis,
/// are ignored instead.
inline void require_not_periodic(bool periodic, char const* solver) {
  require(!periodic, std::string(solver) + ": a periodic side has no boundary values");
}

}  // namespace karman::detail
