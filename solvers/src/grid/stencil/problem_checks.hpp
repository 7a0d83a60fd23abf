// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks of a SevenPointProblem, the same for every solver.
#pragma once

#include "common/field_checks.hpp"
#include "side_openings.hpp"
#include <karman/core/error.hpp>
#include <karman/solvers/grid/seven_point_problem.hpp>

#include <array>
#include <string>

namespace karman::detail {

/// Throws std::invalid_argument for weights that are not positive and finite.
void require_weights(std::array<double, 3> const& weights, char const* solver);

/// Throws std::invalid_argument for more cells along x or more rows ny * nz than kernels number. Cells have indices of
/// 64 bits. Rows and teams have 32, with a margin for the rounding up to whole tiles.
void require_size(UniformGrid const& grid, char const* solver);

/// Throws std::invalid_argument where the coefficients of a side contradict its condition. `openings` are twice the
/// largest coefficients of the sides. Codes are limited by every condition, arrays by Boundary::neumann alone.
void require_sides(std::array<double, 6> const& openings, Boundaries const& sides, bool codes, char const* solver);

/// Throws std::invalid_argument for a part of a grid: of a solver that needs all cells.
inline void require_whole(UniformGrid const& grid, std::string const& solver) {
  require(!grid.is_part(), solver + ": needs the whole grid in one process, found a part of it");
}

/// Throws std::invalid_argument with the solver's name unless the parts of a problem fit together.
template <class Exec, class T>
void require_problem(SevenPointProblem<Exec, T> const& problem, char const* solver) {
  require_weights(problem.weights, solver);
  require_size(problem.grid, solver);
  problem.sides.periodic();
  auto const extents = problem.grid.extents(Location::cell);
  require(!problem.has_walls() || !problem.has_coefficients(),
          std::string(solver) + ": a problem takes wall codes or coefficient arrays, found both; empty one of them");
  if (problem.has_walls()) require_extents(problem.walls, extents, solver, "walls");
  if (!problem.has_coefficients()) return;
  for (auto const& face : problem.coefficients.faces()) require_extents(face, extents, solver, "face coefficients");
  if (!problem.coefficients.has_own_weights()) return;
  for (auto const& own : problem.coefficients.own_weights()) {
    require_extents(own, extents, solver, "own_x, own_y, own_z");
  }
}

/// Twice the largest face coefficient on each side, from codes. Throws as require_sides(). Fences.
template <class Exec>
static std::array<double, 6> checked_openings(Exec const& space, WallCodes<Exec> const& walls, Boundaries const& sides,
                                              char const* solver) {
  std::array<double, 6> openings{};
  for (int side = 0; side < 6; ++side) {
    openings[static_cast<std::size_t>(side)] = widest_opening(space, walls, side);
  }
  require_sides(openings, sides, true, solver);
  return openings;
}

/// The same from arrays.
template <class Exec, class T>
static std::array<double, 6> checked_openings(Exec const& space, FaceCoefficients<Exec, T> const& coefficients,
                                              Boundaries const& sides, char const* solver) {
  auto const faces = coefficients.faces();
  std::array<double, 6> openings{};
  for (std::size_t side = 0; side < 6; ++side) {
    openings[side] = widest_opening(space, faces[side], static_cast<int>(side));
  }
  require_sides(openings, sides, false, solver);
  return openings;
}

/// True where a process gives walls or arrays. A part without cells has empty Views. Collective.
inline bool any_gives(Communicator const& communicator, bool mine) { return !communicator.agree(!mine); }

/// The codes of a problem without arrays. Collective where the grid is a part.
template <class Exec, class T>
WallCodes<Exec> codes_of(Exec const& space, SevenPointProblem<Exec, T> const& problem,
                         Communicator const& communicator = {}) {
  return any_gives(communicator, problem.has_walls())
             ? problem.walls
             : make_wall_codes<Exec>(space, problem.grid, problem.sides, {}, communicator);
}

}  // namespace karman::detail
