// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What Krylov methods ask of a matrix and of a preconditioner: that they can be applied.
#pragma once

#include <karman/core/types.hpp>

#include <array>

namespace karman {

/// A number that a kernel leaves in the memory of `Exec`.
template <ExecutionSpace Exec>
using DeviceNumber = Kokkos::View<double, typename Exec::memory_space>;

/// A linear map y = A x between fields of one shape. Vectors without a grid are fields of shape (1, 1, n).
/// Preconditioners are linear maps too: y approximates A^-1 x.
template <ExecutionSpace Exec, class Scalar>
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;

  /// Shape (k, j, i) of the fields.
  virtual std::array<int, 3> extents() const = 0;

  /// result = A x. The two must not overlap. Asynchronous on `space`; allocates nothing.
  virtual void apply(Exec const& space, ConstField<Exec, Scalar> const& x, Field<Exec, Scalar> const& result) = 0;

 protected:
  LinearOperator() = default;
  LinearOperator(LinearOperator const&) = default;
  LinearOperator(LinearOperator&&) noexcept = default;
  LinearOperator& operator=(LinearOperator const&) = default;
  LinearOperator& operator=(LinearOperator&&) noexcept = default;
};

/// A linear map that is symmetric and definite, of either sign, in the inner product
///   <x, y> = sum over the cells of w_k x y,
/// with a weight w_k a layer; and the equation A x = b that it belongs to, b the right-hand side with everything known
/// (boundary values) moved into it. It may be singular with the constants as its null space.
template <ExecutionSpace Exec, class Scalar>
class SelfAdjointOperator : public LinearOperator<Exec, Scalar> {
 public:
  using LayerWeight = Kokkos::View<double const*, typename Exec::memory_space>;

  /// w_k, or an empty View where all are 1.
  virtual LayerWeight layer_weight() const = 0;

  /// result = A x and product = <x, A x> in the same pass. Asynchronous.
  virtual void apply_dot(Exec const& space, ConstField<Exec, Scalar> const& x, Field<Exec, Scalar> const& result,
                         DeviceNumber<Exec> const& product) = 0;

  /// result = b - A x and largest = max |b - A x|, infinite where one is not a number. `result` must not overlap x; it
  /// may be `rhs`. Asynchronous.
  virtual void residual(Exec const& space, ConstField<Exec, Scalar> const& x, ConstField<Exec, Scalar> const& rhs,
                        Field<Exec, Scalar> const& result, DeviceNumber<Exec> const& largest) = 0;

  /// result = b and largest = max |b|. Asynchronous.
  virtual void right_hand_side(Exec const& space, ConstField<Exec, Scalar> const& rhs,
                               Field<Exec, Scalar> const& result, DeviceNumber<Exec> const& largest) = 0;

  /// True when A maps the constants to zero: then A x = b has solutions only if <1, b> = 0, and they differ by a
  /// constant.
  virtual bool singular() const = 0;

  /// Takes the mean <1, x> / <1, 1> out of x and leaves it in `mean`. Cells that have no equation keep their value and
  /// do not count. Asynchronous.
  virtual void remove_mean(Exec const& space, Field<Exec, Scalar> const& x, DeviceNumber<Exec> const& mean) = 0;

 protected:
  SelfAdjointOperator() = default;
  SelfAdjointOperator(SelfAdjointOperator const&) = default;
  SelfAdjointOperator(SelfAdjointOperator&&) noexcept = default;
  SelfAdjointOperator& operator=(SelfAdjointOperator const&) = default;
  SelfAdjointOperator& operator=(SelfAdjointOperator&&) noexcept = default;
};

}  // namespace karman
