// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Walls that cut cells: faces that are open in part.
///
/// The flux through a face is its open fraction times its velocity. Walls like stairs have fractions of 0 and 1. The
/// equation for lambda has the same fractions as coefficients, and the divergence is
///
///     div u = (a_E u_E - a_W u_W) / dx + (a_N v_N - a_S v_S) / dy + (a_T w_T - a_B w_B) / dz.
///
/// A face with less than `least_opening` counts as closed, so does one of a cell that is covered to more than
/// 1 - `least_opening`. Such a cell is solid, and any other with six closed faces. Terrain has stairs.
#pragma once

#include "wind_kernels.hpp"
#include <karman/solvers/grid/wall_codes.hpp>

namespace karman::wind {

/// As in QES-Winds: smaller openings would make the equations stiff.
inline constexpr double least_opening = 0.05;

/// Finds the open fractions `open` of all faces and marks solid cells in `flag`, which may hold terrain. Also fills the
/// coefficients of the equation for lambda, with open sides and top and closed ground: six allocated arrays. All fields
/// have the cells of the ring. Where that ends within the domain, its outermost cells may miss the flag of a solid
/// cell. `scratch`: (nz, ny, nx). Three launches. Asynchronous. Cost: per column cut_cell() of the buildings in its
/// tile.
template <ExecutionSpace Exec, Real T>
void cut_walls(Exec const& space, DeviceGrid<Exec, T> const& grid, DeviceSolids<Exec> const& solids,
               Field<Exec, std::uint8_t> const& flag, FaceVelocity<Exec, T> const& open,
               FaceCoefficients<Exec, T> const& coefficients, Field<Exec, T> const& scratch);

/// Sets the velocity of closed faces to zero. Asynchronous.
template <ExecutionSpace Exec, Real T>
void close_faces(Exec const& space, FaceVelocity<Exec, T> const& open, FaceVelocity<Exec, T> const& velocity);

/// out = scale * div u, 0 in solid cells, as divergence() with the open fractions of the faces. `out`: own cells.
/// Asynchronous.
template <ExecutionSpace Exec, Real T>
void divergence_of_cut_cells(Exec const& space, DeviceGrid<Exec, T> const& grid,
                             ConstField<Exec, std::uint8_t> const& flag, FaceVelocity<Exec, T> const& open,
                             FaceVelocity<Exec, T> const& velocity, double scale, Field<Exec, T> const& out);

}  // namespace karman::wind
