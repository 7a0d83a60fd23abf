// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The equation that SevenPoint, RedBlackSor, Multigrid and FastPoisson solve: grid, sides, weights, walls or faces.
#pragma once

#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/grid/wall_codes.hpp>

#include <array>
#include <cstdint>

namespace karman {

/// The equation A x = rhs on a grid of nx * ny * nz cells, one object for every method that solves it:
///
///     A x = wx [east (x_E - x) + west (x_W - x)] / dx^2 + wy [north (x_N - x) + south (x_S - x)] / dy^2
///       + wz [top (x_T - x) / dz_t + bottom (x_B - x) / dz_b] / dz_k.
///
/// dz_t and dz_b are the distances between the centres of the layers, across a periodic seam the mean of its two
/// layers. The face coefficients follow from one of three forms:
/// - sides only: every inner face is open, and nothing is stored;
/// - wall codes, 2 bytes per cell, which also hold the coefficients of the sides;
/// - arrays, any values, which also hold the coefficients of the sides.
///
/// The sides are given in each form. They name the periodic axes, which codes and arrays cannot hold. The solvers check
/// codes and arrays against them. Codes: 0 on Boundary::neumann, at most 1 on Boundary::fixed and Boundary::periodic,
/// at most 2 on Boundary::dirichlet. Arrays: 0 on Boundary::neumann, any value elsewhere.
///
/// An axis of one cell that is closed or periodic on both sides is absent: nothing of it enters, its own weight
/// neither. A grid of one layer is then two-dimensional, a grid of one row one-dimensional.
///
/// With many processes grid, codes and arrays are the part of this one. The sides belong to the whole grid. A face
/// towards a neighbouring process is an inner face.
///
/// Views are shared, not copied. Their values must not change while a SevenPoint on them is in use.
///
/// \tparam Exec execution space
/// \tparam T float or double, the type of the fields
template <ExecutionSpace Exec, Real T>
struct SevenPointProblem {
  UniformGrid grid;  ///< the cells
  Boundaries sides;  ///< condition on each side
  /// wx, wy, wz, positive: the anisotropy (alpha_1 / alpha_2)^2 of a wind solver goes to z.
  std::array<double, 3> weights = {1, 1, 1};
  WallCodes<Exec> walls;                   ///< empty without walls and with arrays
  FaceCoefficients<Exec, T> coefficients;  ///< empty unless given as arrays

  /// All inner faces open.
  /// \param grid_ the cells
  /// \param sides_ condition on each side
  /// \param weights_ wx, wy, wz
  SevenPointProblem(UniformGrid const& grid_, Boundaries const& sides_,
                    std::array<double, 3> const& weights_ = {1, 1, 1})
      : grid(grid_), sides(sides_), weights(weights_) {}

  /// Wall codes of any origin.
  /// \param grid_ the cells
  /// \param sides_ condition on each side, the ones that the codes were made for
  /// \param walls_ shape (nz, ny, nx)
  /// \param weights_ wx, wy, wz
  SevenPointProblem(UniformGrid const& grid_, Boundaries const& sides_, WallCodes<Exec> const& walls_,
                    std::array<double, 3> const& weights_ = {1, 1, 1})
      : grid(grid_), sides(sides_), weights(weights_), walls(walls_) {}

  /// Coefficients of any value.
  /// \param grid_ the cells
  /// \param sides_ condition on each side, the ones that the coefficients were made for
  /// \param coefficients_ shape (nz, ny, nx) each
  /// \param weights_ wx, wy, wz
  SevenPointProblem(UniformGrid const& grid_, Boundaries const& sides_, FaceCoefficients<Exec, T> const& coefficients_,
                    std::array<double, 3> const& weights_ = {1, 1, 1})
      : grid(grid_), sides(sides_), weights(weights_), coefficients(coefficients_) {}

  /// Solid cells, by make_wall_codes().
  /// \param space execution space instance
  /// \param grid_ the cells
  /// \param sides_ condition on each side
  /// \param solid shape (nz, ny, nx), non-zero where a cell is solid
  /// \param weights_ wx, wy, wz
  /// \param communicator processes that hold the parts of the grid
  /// \throws std::invalid_argument when extents differ or one side of an axis alone is periodic.
  /// \par Synchrony
  /// Asynchronous on `space`; fences it with more than one process.
  SevenPointProblem(Exec const& space, UniformGrid const& grid_, Boundaries const& sides_,
                    ConstField<Exec, std::uint8_t> const& solid, std::array<double, 3> const& weights_ = {1, 1, 1},
                    Communicator const& communicator = {})
      : SevenPointProblem(grid_, sides_, make_wall_codes<Exec>(space, grid_, sides_, solid, communicator), weights_) {}

  /// True when the coefficients come as wall codes.
  bool has_walls() const { return walls.size() != 0; }
  /// True when the coefficients come as arrays.
  bool has_coefficients() const {
    bool given = false;
    for (auto const& face : coefficients.faces()) given = given || face.size() != 0;
    return given;
  }
};

}  // namespace karman
