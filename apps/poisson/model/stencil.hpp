// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The six faces of a cell of a LinearSystem: neighbour and coefficient behind each.
#pragma once

#include "common/case/stop_check.hpp"
#include "linear_system.hpp"
#include "planes_beyond.hpp"

#include <array>
#include <cstdint>

namespace karman::poisson {

/// Visits the faces of cells. Indices are 64-bit offsets into fields (nz, ny, nx).
class Stencil {
 public:
  explicit Stencil(LinearSystem const& system) : system_(system), cells_(system.cells()) {
    strides_ = {1, cells_[0], std::int64_t{cells_[0]} * cells_[1]};
    inverse_ = {1 / (system.grid.dx() * system.grid.dx()), 1 / (system.grid.dy() * system.grid.dy()),
                1 / (system.grid.dz(0) * system.grid.dz(0))};
    for (int side = 0; side < 4; ++side) cut_[static_cast<std::size_t>(side)] = system.is_cut(side);
  }

  /// A face as seen from its cell.
  struct Face {
    double coefficient = 0;      ///< of the equation, divided by the squared spacing; 0: a wall or a Neumann side
    double face_value = 0;       ///< a on the face itself
    std::int64_t neighbor = -1;  ///< own cell behind it; -1: none
    std::int64_t beyond = -1;    ///< place of the cell behind it in a plane of PlanesBeyond; -1: none
    Boundary side = Boundary::dirichlet;  ///< kind of the side, for a face on a side of the domain that is not periodic
    bool on_side = false;
  };

  std::int64_t offset(int k, int j, int i) const { return k * strides_[2] + j * strides_[1] + i; }

  /// The face towards `side` of the cell (k, j, i), which is not solid.
  Face face(int k, int j, int i, int side) const {
    int const axis = side / 2;
    bool const up = side % 2 == 0;
    std::array<int, 3> const at{i, j, k};
    int const n = cells_[static_cast<std::size_t>(axis)];
    int const here = at[static_cast<std::size_t>(axis)];
    Face face;
    face.face_value = face_coefficient(axis, k, j, i, up);
    double const scaled = face.face_value * inverse_[static_cast<std::size_t>(axis)];
    int const next = up ? here + 1 : here - 1;
    if (next >= 0 && next < n) {
      face.neighbor = offset(k, j, i) + (up ? 1 : -1) * strides_[static_cast<std::size_t>(axis)];
    } else if (cut_[static_cast<std::size_t>(side)]) {
      face.beyond = axis == 0 ? std::int64_t{k} * cells_[1] + j : std::int64_t{k} * cells_[0] + i;
      auto const& solid = system_.solid_beyond[static_cast<std::size_t>(side)];
      if (solid.empty() || solid[static_cast<std::size_t>(face.beyond)] == 0) face.coefficient = scaled;
      return face;
    } else if (system_.sides[static_cast<std::size_t>(side)] == Boundary::periodic) {
      face.neighbor = offset(k, j, i) + (up ? -(n - 1) : n - 1) * strides_[static_cast<std::size_t>(axis)];
    } else {
      face.on_side = true;
      face.side = system_.sides[static_cast<std::size_t>(side)];
      face.coefficient = face.side == Boundary::dirichlet ? 2 * scaled : 0;
      return face;
    }
    if (!system_.is_solid(static_cast<std::size_t>(face.neighbor))) face.coefficient = scaled;
    return face;
  }

  /// The value behind a face towards `side`: 0 on a side of the domain.
  static double behind(Face const& face, int side, CellValues const& values, PlanesBeyond const& planes) {
    if (face.neighbor >= 0) return values[static_cast<std::size_t>(face.neighbor)];
    if (face.beyond < 0) return 0;
    return planes[static_cast<std::size_t>(side)][static_cast<std::size_t>(face.beyond)];
  }

 private:
  double face_coefficient(int axis, int k, int j, int i, bool up) const {
    if (system_.constant_coefficient()) return system_.coefficient;
    int const step = up ? 1 : 0;
    std::int64_t const nx = cells_[0];
    std::int64_t const ny = cells_[1];
    if (axis == 0) return system_.face_x[static_cast<std::size_t>((k * ny + j) * (nx + 1) + i + step)];
    if (axis == 1) return system_.face_y[static_cast<std::size_t>((k * (ny + 1) + j + step) * nx + i)];
    return system_.face_z[static_cast<std::size_t>(((k + step) * ny + j) * nx + i)];
  }

  LinearSystem const& system_;
  std::array<int, 3> cells_;
  std::array<std::int64_t, 3> strides_{};
  std::array<double, 3> inverse_{};
  std::array<bool, 6> cut_{};
};

/// Calls action(k, j, i, offset) for every cell that is not solid, in storage order. Throws Stopped as
/// app::check_stop() does.
template <class Action>
void for_each_fluid_cell(LinearSystem const& system, Action const& action) {
  auto const [nx, ny, nz] = system.cells();
  std::int64_t cell = 0;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j) {
      app::check_stop();
      for (int i = 0; i < nx; ++i, ++cell)
        if (!system.is_solid(static_cast<std::size_t>(cell))) action(k, j, i, cell);
    }
}

}  // namespace karman::poisson
