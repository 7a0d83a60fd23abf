// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shape of a SevenPointProblem: all that the memory of a plan depends on.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/grid/seven_point_problem.hpp>
#include <karman/solvers/grid/wall_codes.hpp>

#include <array>

namespace karman {

/// Form of the coefficients of a SevenPointProblem.
enum class CoefficientForm {
  open,   ///< sides only
  walls,  ///< wall codes
  arrays  ///< face coefficients
};

/// A SevenPointProblem without its arrays. The static workspace_bytes() of the solvers take it, before anything is
/// allocated.
///
/// They count a plan whose coefficients are as the shape describes them:
/// - each side that is not Boundary::neumann is open somewhere;
/// - walls close some faces;
/// - wall codes give no own weights;
/// - own weights in arrays exceed the consistent ones somewhere.
///
/// A plan for other coefficients may need a little less.
struct SevenPointShape {
  UniformGrid grid;                              ///< the cells
  Boundaries sides;                              ///< condition on each side
  CoefficientForm form = CoefficientForm::open;  ///< form of the coefficients
  std::array<double, 3> weights = {1, 1, 1};     ///< wx, wy, wz
  bool own_weights = false;                      ///< of CoefficientForm::arrays: own weights are given
  /// Fraction of closed faces among the inner faces of cells with an open face; see nearly_closed_face.
  /// MultigridCoarsening::automatic depends on it; 0 counts pairs of cells.
  double blocked_share = 0;

  /// \param grid_ the cells
  /// \param sides_ condition on each side
  /// \param form_ form of the coefficients
  /// \param weights_ wx, wy, wz
  SevenPointShape(UniformGrid const& grid_, Boundaries const& sides_, CoefficientForm form_ = CoefficientForm::open,
                  std::array<double, 3> const& weights_ = {1, 1, 1})
      : grid(grid_), sides(sides_), form(form_), weights(weights_) {}

  /// Shape of a problem.
  template <ExecutionSpace Exec, Real T>
  SevenPointShape(SevenPointProblem<Exec, T> const& problem)
      : grid(problem.grid),
        sides(problem.sides),
        form(problem.has_coefficients() ? CoefficientForm::arrays
             : problem.has_walls()      ? CoefficientForm::walls
                                        : CoefficientForm::open),
        weights(problem.weights),
        own_weights(problem.coefficients.has_own_weights()) {}

  /// True for a side that has boundary values.
  bool has_values(Side side) const { return sides[side] != Boundary::neumann && sides[side] != Boundary::periodic; }
  /// True where neither side of an axis has boundary values.
  bool is_closed(int axis) const {
    return !has_values(static_cast<Side>(2 * axis)) && !has_values(static_cast<Side>(2 * axis + 1));
  }
  /// True for an axis of one cell that is closed or periodic.
  bool is_absent(int axis) const {
    return std::array{grid.nx(), grid.ny(), grid.nz()}[static_cast<std::size_t>(axis)] == 1 && is_closed(axis);
  }
  /// True where x is given nowhere.
  bool is_singular() const { return is_closed(0) && is_closed(1) && is_closed(2) && !own_weights; }
};

}  // namespace karman
