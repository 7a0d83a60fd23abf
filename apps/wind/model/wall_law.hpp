// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Logarithmic law next to walls.
///
/// A face with a wall beside it is at the distance d_1 from the wall, the next face away from it at d_2. The velocities
/// there, along the wall:
///
///     u_1 = u_2 ln(d_1 / z0) / ln(d_2 / z0),   0 where d_1 <= z0.
///
/// Derived from u = (u* / kappa) ln(d / z0) at both distances; u* drops out. QES-Winds iterates for u*, with the same
/// result. A wall lies beside a face if the cells next to both of its cells belong to buildings. That holds above and
/// below as well as to the sides. Ground and terrain are none: there the undisturbed profile holds. Of several walls
/// that counts which leaves the least speed. A face in a gap one cell wide keeps its velocity.
///
/// The result is not free of divergence.
#pragma once

#include "wind_kernels.hpp"

namespace karman::wind {

/// Applies the law to all velocities. `scratch`: (nz, ny, nx), overwritten. Velocities of the ring become wrong: they
/// lack neighbours. Asynchronous. The same bits for any number of threads. Traffic per cell: the three velocities and
/// `scratch` read and written, a flag.
/// \param roughness z0 of the walls, m
template <ExecutionSpace Exec, Real T>
void apply_wall_law(Exec const& space, DeviceGrid<Exec, T> const& grid, ConstField<Exec, std::uint8_t> const& flag,
                    double roughness, FaceVelocity<Exec, T> const& velocity, Field<Exec, T> const& scratch);

}  // namespace karman::wind
