// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether a field that a caller passes has the shape that a plan was made for.
#pragma once

#include <karman/core/error.hpp>

#include <array>
#include <string>

namespace karman::detail {

/// Throws std::invalid_argument, naming the solver and the field, unless it has shape (nz, ny, nx) = extents and no
/// gaps.
template <class V>
void require_field(V const& field, std::array<int, 3> const& extents, char const* solver, char const* what) {
  bool const shaped = static_cast<int>(field.extent(0)) == extents[0] &&
                      static_cast<int>(field.extent(1)) == extents[1] &&
                      static_cast<int>(field.extent(2)) == extents[2];
  require(shaped && field.span_is_contiguous(),
          std::string(solver) + ": " + what + " must be contiguous and have shape (nz, ny, nx) = (" +
              std::to_string(extents[0]) + ", " + std::to_string(extents[1]) + ", " + std::to_string(extents[2]) + ")");
}

}  // namespace karman::detail
