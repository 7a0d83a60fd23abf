// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The 7-point operator with variable face coefficients, on fields in their natural order.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/detail/seven_point_cells.hpp>
#include <karman/solvers/detail/seven_point_values.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/wall_codes.hpp>

#include <array>
#include <cstdint>
#include <memory>

namespace karman {

/// What is settled when the operator is made.
struct SevenPointSetup {
  /// Weights of the second differences in x, y, z.
  std::array<double, 3> weights = {1, 1, 1};
  /// Axes that are periodic: Boundaries::periodic().
  std::array<bool, 3> periodic = {false, false, false};
};

/// The operator of RedBlackSor, A = div(a grad .), negative definite or, with nothing but Boundary::neumann and
/// periodic sides, singular:
///
///     A l = wx [e (l_E - l) + f (l_W - l)] / dx^2 + wy [g (l_N - l) + h (l_S - l)] / dy^2
///       + wz [m (l_T - l) / dz_t + n (l_B - l) / dz_b] / dz_k     (less what o, p, q take, see FaceCoefficients);
///
/// dz_t, dz_b are the distances between the centres of the layers, across a periodic seam the mean of its two layers.
/// apply() is linear: values beyond the sides are zero. residual() and right_hand_side() know the boundary values:
///
///     b = rhs - A(l = 0 inside, the boundary values beyond the sides),   residual = b - A l.
///
/// Cells whose six faces are closed have no equation: A l, b and the residual are zero there, and no method changes
/// them. An axis of one cell that is closed or periodic on both sides is not there (neither are o, p, q of it): the
/// same operator serves one, two and three dimensions.
///
/// Views: Field<Exec, T> of shape (nz, ny, nx), contiguous; x is any axis, 16-byte loads need nx * sizeof(T) to be a
/// multiple of 16 B. A is self-adjoint in the inner product weighted with the thickness of the layers, provided that
/// the two cells of a face give it the same coefficient, as make_wall_codes does. Cost a cell: one read, one write, and
/// the coefficients: none for a box, 2 B with codes, six reals (nine with o, p, q) with arrays; 14 to 40 flops. Results
/// are the same bits from run to run and for any number of threads. All calls are asynchronous on `space` unless they
/// return a number. Nothing is allocated but by constructors. Copies share the plan and its boundary values; one plan
/// serves one instance at a time.
template <ExecutionSpace Exec, Real T>
class SevenPoint final : public SelfAdjointOperator<Exec, T> {
 public:
  using execution_space = Exec;
  using real = T;
  using typename SelfAdjointOperator<Exec, T>::LayerWeight;

  /// All faces open but those of the sides: no coefficients are stored. Periodic axes are those of `sides`,
  /// `setup.periodic` is not looked at. Throws std::invalid_argument for weights that are not positive.
  SevenPoint(Exec const& space, UniformGrid const& grid, Boundaries const& sides, SevenPointSetup const& setup = {});

  /// Coefficients from wall codes, which are not copied and must not change. Throws std::invalid_argument for wrong
  /// extents, for weights that are not positive, and for a periodic axis with a face of coefficient 2 on its sides.
  SevenPoint(Exec const& space, UniformGrid const& grid, WallCodes<Exec> const& walls,
             SevenPointSetup const& setup = {});

  /// Coefficients from arrays, which are not copied and must not change. On a periodic axis they may have any size.
  SevenPoint(Exec const& space, UniformGrid const& grid, FaceCoefficients<Exec, T> const& coefficients,
             SevenPointSetup const& setup = {});

  /// As RedBlackSor::set_boundary_values: shape (nz, ny) for east and west, (nz, nx) for north and south, (ny, nx) for
  /// top and bottom. A closed side ignores them, also where its axis is not there. Throws std::invalid_argument for
  /// another shape or a periodic side.
  void set_boundary_values(Exec const& space, Side side, ConstPlane<Exec, T> const& values);

  std::array<int, 3> extents() const override;
  void apply(Exec const& space, ConstField<Exec, T> const& lambda, Field<Exec, T> const& result) override;
  void apply_dot(Exec const& space, ConstField<Exec, T> const& lambda, Field<Exec, T> const& result,
                 DeviceNumber<Exec> const& product) override;
  void residual(Exec const& space, ConstField<Exec, T> const& lambda, ConstField<Exec, T> const& rhs,
                Field<Exec, T> const& result, DeviceNumber<Exec> const& largest) override;
  void right_hand_side(Exec const& space, ConstField<Exec, T> const& rhs, Field<Exec, T> const& result,
                       DeviceNumber<Exec> const& largest) override;
  LayerWeight layer_weight() const override;
  bool singular() const override;
  void remove_mean(Exec const& space, Field<Exec, T> const& lambda, DeviceNumber<Exec> const& mean) override;

  /// The residual alone.
  void residual(Exec const& space, ConstField<Exec, T> const& lambda, ConstField<Exec, T> const& rhs,
                Field<Exec, T> const& result);
  /// max |b - A lambda|. Fences. `scratch` receives the residual.
  double largest_residual(Exec const& space, ConstField<Exec, T> const& lambda, ConstField<Exec, T> const& rhs,
                          Field<Exec, T> const& scratch);

  /// Grid of the cells.
  UniformGrid const& grid() const;
  /// Weights and periodic axes.
  SevenPointSetup const& setup() const;
  /// Twice the largest coefficient on a side: 0 where it is closed; of wall codes 2 for Boundary::fixed and periodic, 4
  /// for Boundary::dirichlet.
  double opening(Side side) const;
  /// True for an axis of one cell that is closed or periodic.
  bool axis_is_absent(int axis) const;
  /// The coefficients of every cell as an object for kernels. Valid as long as the plan or a copy of it.
  detail::SevenPointCells<Exec, T> cells() const;
  /// A field with the boundary values beyond its sides, for kernels.
  detail::SevenPointValues<T> with_boundary_values(ConstField<Exec, T> const& lambda) const;
  /// Memory of the plan, without the caller's coefficients.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

#define KARMAN_EXTERN(Exec)                      \
  extern template class SevenPoint<Exec, float>; \
  extern template class SevenPoint<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
