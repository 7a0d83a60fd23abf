// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Interfaces of the linear maps that Krylov methods take.
#pragma once

#include <karman/core/communicator.hpp>
#include <karman/core/types.hpp>

#include <array>

namespace karman {

/// Number in the memory of `Exec`, written by a kernel.
template <ExecutionSpace Exec>
using DeviceNumber = Kokkos::View<double, typename Exec::memory_space>;

/// Linear map y = A x between fields of one shape.
///
/// Preconditioners are linear maps too: y approximates A^-1 x. Vectors without a grid have VectorOperator. apply() is
/// const, but may use workspace of the object: one object serves one instance and one thread at a time.
///
/// \tparam Exec execution space
/// \tparam Scalar number type of the fields
template <ExecutionSpace Exec, class Scalar>
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;

  /// \return shape (k, j, i) of the fields
  virtual std::array<int, 3> extents() const = 0;

  /// \return the processes that hold the parts of the fields, all of which make each call; one process unless a class
  /// overrides it
  virtual Communicator communicator() const { return {}; }

  /// result = A x.
  /// \param space instance on which the kernels run
  /// \param x field of that shape
  /// \param result field of that shape; must not overlap x
  /// \par Synchrony
  /// Asynchronous on `space`; allocates nothing.
  virtual void apply(Exec const& space, ConstField<Exec, Scalar> const& x, Field<Exec, Scalar> const& result) const = 0;

 protected:
  LinearOperator() = default;
  LinearOperator(LinearOperator const&) = default;
  LinearOperator(LinearOperator&&) noexcept = default;
  LinearOperator& operator=(LinearOperator const&) = default;
  LinearOperator& operator=(LinearOperator&&) noexcept = default;
};

/// Linear map that is symmetric and definite, of either sign, in the inner product
///
///     <x, y> = sum over the cells of w_k x y,
///
/// with a weight w_k per layer; and its equation A x = b, b the right-hand side with all boundary values moved into it.
/// It may be singular with the constants as its null space.
///
/// With many processes, each calls apply_dot(), residual() and right_hand_side() and gets the number for its own cells:
/// the product is the sum, the largest magnitude the maximum over all processes. The mean is that of all cells.
///
/// \tparam Exec execution space
/// \tparam Scalar number type of the fields
template <ExecutionSpace Exec, class Scalar>
class SelfAdjointOperator : public LinearOperator<Exec, Scalar> {
 public:
  /// One weight per layer.
  using LayerWeight = Kokkos::View<double const*, typename Exec::memory_space>;

  /// \return w_k, or an empty View where all are 1
  virtual LayerWeight layer_weight() const = 0;

  /// result = A x and product = <x, A x> in the same pass. Asynchronous.
  /// \param space instance on which the kernels run
  /// \param x field
  /// \param result A x; must not overlap x
  /// \param product <x, A x>
  virtual void apply_dot(Exec const& space, ConstField<Exec, Scalar> const& x, Field<Exec, Scalar> const& result,
                         DeviceNumber<Exec> const& product) const = 0;

  /// result = b - A x and largest = max |b - A x|, infinite where a value is not a number. Asynchronous.
  /// \param space instance on which the kernels run
  /// \param x field
  /// \param rhs right-hand side as the caller gave it
  /// \param result b - A x; must not overlap x, may be `rhs`
  /// \param largest max |b - A x|
  virtual void residual(Exec const& space, ConstField<Exec, Scalar> const& x, ConstField<Exec, Scalar> const& rhs,
                        Field<Exec, Scalar> const& result, DeviceNumber<Exec> const& largest) const = 0;

  /// result = b and largest = max |b|. Asynchronous.
  /// \param space instance on which the kernels run
  /// \param rhs right-hand side as the caller gave it
  /// \param result b, with boundary values moved into it
  /// \param largest max |b|
  virtual void right_hand_side(Exec const& space, ConstField<Exec, Scalar> const& rhs,
                               Field<Exec, Scalar> const& result, DeviceNumber<Exec> const& largest) const = 0;

  /// \return true when A maps the constants to zero: then A x = b has solutions only if <1, b> = 0, and they differ by
  /// a constant
  virtual bool singular() const = 0;

  /// Subtracts the mean <1, x> / <1, 1> from x. Cells without an equation keep their value and do not count.
  /// Asynchronous.
  /// \param space instance on which the kernels run
  /// \param x field
  /// \param mean the mean
  virtual void remove_mean(Exec const& space, Field<Exec, Scalar> const& x, DeviceNumber<Exec> const& mean) const = 0;

 protected:
  SelfAdjointOperator() = default;
  SelfAdjointOperator(SelfAdjointOperator const&) = default;
  SelfAdjointOperator(SelfAdjointOperator&&) noexcept = default;
  SelfAdjointOperator& operator=(SelfAdjointOperator const&) = default;
  SelfAdjointOperator& operator=(SelfAdjointOperator&&) noexcept = default;
};

}  // namespace karman
