// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The box of the fast Poisson solver with a role for each axis, and the modes of an axis.
#pragma once

#include <karman/core/error.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/grid/wall_codes.hpp>
#include <karman/solvers/transforms/fft.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace karman::detail {

/// One axis: its cells, and the conditions on its lower and upper side. For cell n also the weights of the differences
/// to the next lower and upper centre. Not `present`: one cell without neighbours.
struct BoxAxis {
  int cells = 1;
  Boundary low = Boundary::neumann, high = Boundary::neumann;
  bool present = false;
  std::vector<double> lower, upper;
  /// Weights of a mean over the axis.
  std::vector<double> thickness;

  bool closed() const {
    return !present || low == Boundary::periodic || (low == Boundary::neumann && high == Boundary::neumann);
  }
};

/// True if a Fourier transform of N values holds the modes of an axis, see poisson_spectrum.hpp.
inline bool in_spectrum(BoxAxis const& axis) { return axis.low == axis.high && axis.low != Boundary::fixed; }

/// A missing axis.
inline BoxAxis missing_axis() {
  BoxAxis axis;
  axis.lower = axis.upper = {0};
  axis.thickness = {1};
  return axis;
}

/// Coefficient of the difference across a side.
inline double side_coefficient(Boundary boundary) {
  return boundary == Boundary::neumann ? 0 : boundary == Boundary::dirichlet ? 2 : 1;
}

/// The axes of a box by role: elimination solves `columns`, transforms solve the other two. In memory `row` is
/// contiguous and `columns` slowest. A missing axis passes its role to the next.
struct PoissonBox {
  BoxAxis row, middle, columns;
  /// The role of x, y, z: 0 row, 1 middle, 2 columns, -1 missing.
  std::array<int, 3> role{-1, -1, -1};

  std::array<int, 3> extents() const { return {columns.cells, middle.cells, row.cells}; }
  BoxAxis const& operator[](int r) const { return r == 0 ? row : r == 1 ? middle : columns; }
  bool singular() const { return row.closed() && middle.closed() && columns.closed(); }
};

/// The axis number 0, 1, 2 for x, y, z.
inline BoxAxis box_axis(UniformGrid const& grid, Boundaries const& sides, std::array<double, 3> const& weights,
                        int axis) {
  std::array const low{sides.west, sides.south, sides.bottom};
  std::array const high{sides.east, sides.north, sides.top};
  std::array<int, 3> const& cells = grid.global_cells();
  auto const number = static_cast<std::size_t>(axis);
  BoxAxis result;
  result.cells = cells[number];
  result.low = low[number];
  result.high = high[number];
  require((result.low == Boundary::periodic) == (result.high == Boundary::periodic),
          "FastPoisson: an axis is periodic on both sides or on none");
  bool const closed =
      result.low == Boundary::periodic || (result.low == Boundary::neumann && result.high == Boundary::neumann);
  result.present = result.cells > 1 || !closed;
  int const last = result.cells - 1;
  for (int n = 0; n <= last; ++n) {
    double down = 0, up = 0, own = 1;
    if (axis == 2) {
      double const seam = 0.5 * (grid.dz(0) + grid.dz(last));
      bool const wraps = result.low == Boundary::periodic;
      own = grid.dz(n);
      down = wraps && n == 0 ? seam : grid.dz_between(n);
      up = wraps && n == last ? seam : grid.dz_between(n + 1);
    } else {
      own = down = up = axis == 0 ? grid.dx() : grid.dy();
    }
    result.lower.push_back(weights[number] / (own * down));
    result.upper.push_back(weights[number] / (own * up));
    result.thickness.push_back(own);
  }
  return result;
}

inline PoissonBox poisson_box(UniformGrid const& grid, Boundaries const& sides, std::array<double, 3> const& weights) {
  std::array const axes{box_axis(grid, sides, weights, 0), box_axis(grid, sides, weights, 1),
                        box_axis(grid, sides, weights, 2)};
  PoissonBox box;
  if (axes[2].present) {
    box.row = axes[0];
    box.middle = axes[1];
    box.columns = axes[2];
    box.role = {axes[0].present ? 0 : -1, axes[1].present ? 1 : -1, 2};
  } else if (axes[0].present && axes[1].present && in_spectrum(axes[0]) && in_spectrum(axes[1])) {
    // Few columns would leave most of a device idle; columns of one row need only a division.
    box.row = axes[0];
    box.middle = axes[1];
    box.columns = missing_axis();
    box.role = {0, 1, -1};
  } else if (axes[1].present) {
    box.row = axes[0];
    box.middle = missing_axis();
    box.columns = axes[1];
    box.role = {axes[0].present ? 0 : -1, 2, -1};
  } else {
    box.row = box.middle = missing_axis();
    box.columns = axes[0];
    box.role = {2, -1, -1};
  }
  return box;
}

/// The transform whose basis functions are the modes of an axis between two sides.
struct AxisModes {
  Trigonometric kind;
  bool reversed;
};

inline AxisModes modes_of(Boundary low, Boundary high) {
  using enum Boundary;
  if (low == periodic) return {Trigonometric::halfcomplex, false};
  if (low == neumann && high == neumann) return {Trigonometric::dct2, false};
  if (low == dirichlet && high == dirichlet) return {Trigonometric::dst2, false};
  if (low == fixed && high == fixed) return {Trigonometric::dst1, false};
  if (low == neumann && high == dirichlet) return {Trigonometric::dct4, false};
  if (low == dirichlet && high == neumann) return {Trigonometric::dst4, false};
  if (low == fixed && high == dirichlet) return {Trigonometric::dst5, false};
  if (low == dirichlet && high == fixed) return {Trigonometric::dst5, true};
  return {Trigonometric::dst7, low == neumann};
}

/// Value of the constant 1 in the first mode of the transform of a closed axis.
inline double constant_in_first_mode(BoxAxis const& axis) {
  return modes_of(axis.low, axis.high).kind == Trigonometric::halfcomplex ? axis.cells : 2.0 * axis.cells;
}

/// Factor 2 - 2 cos(theta) of the second difference for mode k of n, negative.
inline double mode_eigenvalue(Boundary low, Boundary high, std::int64_t k, std::int64_t n) {
  double const at = static_cast<double>(k), size = static_cast<double>(n);
  double half_angle = 0;
  switch (modes_of(low, high).kind) {
    case Trigonometric::halfcomplex: half_angle = 2 * (2 * k <= n ? at : size - at) / (2 * size); break;
    case Trigonometric::dct2: half_angle = at / (2 * size); break;
    case Trigonometric::dst2: half_angle = (at + 1) / (2 * size); break;
    case Trigonometric::dst1: half_angle = (at + 1) / (2 * size + 2); break;
    case Trigonometric::dst5: half_angle = (at + 1) / (2 * size + 1); break;
    case Trigonometric::dst7: half_angle = (at + 0.5) / (2 * size + 1); break;
    default: half_angle = (at + 0.5) / (2 * size); break;
  }
  double const sine = std::sin(std::numbers::pi * half_angle);
  return 4 * sine * sine;
}

}  // namespace karman::detail
