// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The 7-point operator with variable face coefficients, on fields in their natural order.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/detail/seven_point_cells.hpp>
#include <karman/solvers/detail/seven_point_values.hpp>
#include <karman/solvers/grid/seven_point_options.hpp>
#include <karman/solvers/grid/seven_point_problem.hpp>
#include <karman/solvers/grid/seven_point_shape.hpp>
#include <karman/solvers/linear_operator.hpp>

#include <array>
#include <cstdint>

namespace karman {

/// The operator A of a SevenPointProblem, negative definite or, with Neumann and periodic sides alone, singular.
/// apply() is linear: values beyond the sides are zero. residual() and right_hand_side() include the boundary values:
///
///     b = rhs - A(x = 0 inside, the boundary values beyond the sides),   residual = b - A x.
///
/// Cells whose six faces are closed have no equation: A x, b and the residual are zero there, and no method changes
/// them. A is self-adjoint in the inner product weighted with the thickness of the layers. That needs the two cells of
/// a face to give it the same coefficient, as make_wall_codes() does.
///
/// Views: Field<Exec, T> of shape (nz, ny, nx), contiguous. 16-byte loads need nx * sizeof(T) to be a multiple of 16 B.
/// Results are the same bits from run to run and for any number of threads. Constructors alone allocate. Copies share
/// the plan and its boundary values; one plan serves one instance at a time.
///
/// With many processes each gives the fields of its part, without ghosts; the plan keeps the neighbours' cells along
/// the faces. All processes make each call. A x and the residual have the bits of one process. apply_dot(),
/// residual() and right_hand_side() give the numbers of this part, as SelfAdjointOperator defines.
///
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Argument order
/// Of every method on a SevenPointProblem: the instance, the fields that are read, the fields that are written, then
/// numbers and options. A solution and its right-hand side are (space, x, rhs, ...).
/// \par Cost
/// One read, one write, and the coefficients per cell: none for a box, 2 B with codes, six reals (nine with own
/// weights) with arrays; 14 to 40 flops.
/// \par Synchrony
/// Calls that return a number fence `space`; all others are asynchronous. With many processes apply(), apply_dot() and
/// residual() wait for the neighbours as Exchange does, and remove_mean() fences.
template <ExecutionSpace Exec, Real T>
class SevenPoint final : public SelfAdjointOperator<Exec, T> {
 public:
  using execution_space = Exec;
  using real = T;
  using typename SelfAdjointOperator<Exec, T>::LayerWeight;

  /// Plan. Views of the problem are not copied and must not change.
  /// \param space execution space instance
  /// \param problem grid, sides, and walls or coefficients
  /// \param setup processes
  /// \throws std::invalid_argument in all processes, for a problem whose parts do not fit each other.
  SevenPoint(Exec const& space, SevenPointProblem<Exec, T> const& problem, SevenPointSetup const& setup = {});

  /// Sets the boundary values g of one side, zero at first. A closed side ignores them, also where its axis is absent.
  /// \param space execution space instance
  /// \param side the side
  /// \param values shape (nz, ny) for east and west, (nz, nx) for north and south, (ny, nx) for top and bottom; copied
  /// \throws std::invalid_argument for another shape or a periodic side.
  /// \par Synchrony
  /// Asynchronous on `space`.
  void set_boundary_values(Exec const& space, Side side, ConstPlane<Exec, T> const& values);

  std::array<int, 3> extents() const override;
  Communicator communicator() const override;
  void apply(Exec const& space, ConstField<Exec, T> const& x, Field<Exec, T> const& result) const override;
  void apply_dot(Exec const& space, ConstField<Exec, T> const& x, Field<Exec, T> const& result,
                 DeviceNumber<Exec> const& product) const override;
  void residual(Exec const& space, ConstField<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                Field<Exec, T> const& result, DeviceNumber<Exec> const& largest) const override;
  void right_hand_side(Exec const& space, ConstField<Exec, T> const& rhs, Field<Exec, T> const& result,
                       DeviceNumber<Exec> const& largest) const override;
  LayerWeight layer_weight() const override;
  bool singular() const override;
  void remove_mean(Exec const& space, Field<Exec, T> const& x, DeviceNumber<Exec> const& mean) const override;

  /// The residual alone.
  void residual(Exec const& space, ConstField<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                Field<Exec, T> const& result) const;
  /// \param space execution space instance
  /// \param x the iterate
  /// \param rhs right-hand side, without boundary values
  /// \param scratch receives the residual
  /// \return max |b - A x|, of all processes
  /// \par Synchrony
  /// Fences `space`.
  double largest_residual(Exec const& space, ConstField<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                          Field<Exec, T> const& scratch) const;

  /// Grid of the cells.
  UniformGrid const& grid() const;
  /// The problem that the operator was made for.
  SevenPointProblem<Exec, T> const& problem() const;
  /// Twice the largest coefficient on a side of the whole grid: 0 where it is closed; of wall codes 2 for
  /// Boundary::fixed and periodic, 4 for Boundary::dirichlet.
  double opening(Side side) const;
  /// True for an axis of one cell that is closed or periodic.
  bool axis_is_absent(int axis) const;
  /// The coefficients of every cell as an object for kernels. Valid as long as the plan or a copy of it.
  detail::SevenPointCells<Exec, T> cells() const;
  /// Gets the cells of neighbouring processes along the faces of the part for with_boundary_values() and
  /// with_zeros_beyond(). Without effect with one process.
  /// \param space execution space instance
  /// \param x shape (nz, ny, nx)
  void update_halo(Exec const& space, ConstField<Exec, T> const& x) const;
  /// A field with the boundary values beyond its sides, for kernels.
  detail::SevenPointValues<T> with_boundary_values(ConstField<Exec, T> const& x) const;
  /// A field with zeros beyond its sides, for kernels.
  detail::SevenPointValues<T> with_zeros_beyond(ConstField<Exec, T> const& x) const;
  /// Memory of the plan, without the caller's coefficients.
  std::int64_t workspace_bytes() const;
  /// The same before the plan of one process is made.
  /// \param shape shape of the problem
  static std::int64_t workspace_bytes(SevenPointShape const& shape);

 private:
  struct State;
  detail::SharedPlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                      \
  extern template class SevenPoint<Exec, float>; \
  extern template class SevenPoint<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
