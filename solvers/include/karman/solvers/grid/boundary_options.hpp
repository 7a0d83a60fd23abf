// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sides of a domain and the conditions on them. Standard library only.
#pragma once

#include <array>
#include <cstddef>

namespace karman {

/// Condition on a side of the domain, with boundary values g: zero until set_boundary_values() of a solver.
enum class Boundary {
  fixed,      ///< x = g at the centre of a ghost cell, one spacing beyond the outermost centre; coefficient 1
  dirichlet,  ///< x = g on the side itself, half a spacing beyond the outermost centre; coefficient 2
  neumann,    ///< zero normal derivative; coefficient 0 (a flux enters through the right-hand side)
  periodic    ///< the next cell is the first one of the opposite side, which is periodic too; coefficient 1
};

/// The six sides of the domain and faces of a cell: towards +x, -x, +y, -y, +z, -z.
enum class Side { east, west, north, south, top, bottom };

/// Condition on every side.
struct Boundaries {
  Boundary east = Boundary::dirichlet,  ///< towards +x
      west = Boundary::dirichlet,       ///< towards -x
      north = Boundary::dirichlet,      ///< towards +y
      south = Boundary::dirichlet,      ///< towards -y
      top = Boundary::dirichlet,        ///< towards +z
      bottom = Boundary::dirichlet;     ///< towards -z

  /// Condition on one side.
  Boundary operator[](Side side) const {
    return std::array{east, west, north, south, top, bottom}[static_cast<std::size_t>(side)];
  }
  /// \return for each axis, x, y, z, whether it is periodic.
  /// \throws std::invalid_argument when one side of an axis is periodic and the other is not.
  std::array<bool, 3> periodic() const;
  /// The same condition on all six sides.
  static Boundaries all(Boundary b) { return {b, b, b, b, b, b}; }
  /// For a grid of one layer used as a two-dimensional domain: nothing crosses the top and the bottom.
  static Boundaries planar(Boundary b) { return {b, b, b, b, Boundary::neumann, Boundary::neumann}; }
};

}  // namespace karman
