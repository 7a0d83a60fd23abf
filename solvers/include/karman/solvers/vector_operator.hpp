// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Linear maps between vectors, held as rank-1 Views.
#pragma once

#include <karman/core/error.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/sparse/spmv.hpp>

#include <array>

namespace karman {

/// Linear map y = A x between vectors of n numbers.
///
/// The same map applies to fields of shape (1, 1, n) through LinearOperator.
///
/// \tparam Exec execution space
/// \tparam Scalar number type of the vectors
template <ExecutionSpace Exec, SparseScalar Scalar>
class VectorOperator : public LinearOperator<Exec, Scalar> {
 public:
  /// \return n, the length of the vectors
  virtual int size() const = 0;

  /// result = A x.
  ///
  /// \param space instance on which the kernels run
  /// \param x n numbers
  /// \param result n numbers; must not overlap x
  /// \throws std::invalid_argument for vectors of another length
  /// \par Synchrony
  /// Asynchronous on `space` and free of allocations, unless the class documents an exception.
  virtual void apply(Exec const& space, ConstVector<Exec, Scalar> const& x,
                     Vector<Exec, Scalar> const& result) const = 0;

  std::array<int, 3> extents() const final { return {1, 1, size()}; }

  /// The same for fields of shape (1, 1, n).
  void apply(Exec const& space, ConstField<Exec, Scalar> const& x, Field<Exec, Scalar> const& result) const final {
    require(is_row(x) && is_row(result), "VectorOperator: fields must have shape (1, 1, n)");
    apply(space, ConstVector<Exec, Scalar>(x.data(), x.extent(2)),
          Vector<Exec, Scalar>(result.data(), result.extent(2)));
  }

 private:
  template <class V>
  static bool is_row(V const& field) {
    return field.extent(0) == 1 && field.extent(1) == 1;
  }
};

}  // namespace karman
