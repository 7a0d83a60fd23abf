// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sparse matrices as linear maps, for Krylov methods.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/spmv.hpp>

#include <array>

namespace karman {

/// y = A x, the linear map of a square sparse matrix, between vectors held as fields of shape (1, 1, n).
///
/// Holds the Views of the matrix: new values in them are used from the next application on. Krylov methods that are
/// given this class take their inner products in the same pass as A x. Cost: see multiply(). apply() is asynchronous
/// and allocates nothing. The constructor throws std::invalid_argument for a matrix that is not square.
template <ExecutionSpace Exec, SparseScalar Scalar>
class SparseOperator final : public LinearOperator<Exec, Scalar> {
 public:
  explicit SparseOperator(CsrMatrix<Exec, Scalar> const& matrix);

  std::array<int, 3> extents() const override { return {1, 1, matrix_.rows()}; }
  void apply(Exec const& space, ConstField<Exec, Scalar> const& x, Field<Exec, Scalar> const& result) override;

  CsrMatrix<Exec, Scalar> const& matrix() const { return matrix_; }

 private:
  CsrMatrix<Exec, Scalar> matrix_;
};

/// A vector as the field of shape (1, 1, n) that linear maps take. Shares its memory and must not outlive it.
template <ExecutionSpace Exec, class Scalar>
Field<Exec, Scalar> as_field(Vector<Exec, Scalar> const& vector) {
  return Field<Exec, Scalar>(vector.data(), 1, 1, vector.extent(0));
}

#define KARMAN_EXTERN(Exec)                                           \
  extern template class SparseOperator<Exec, float>;                  \
  extern template class SparseOperator<Exec, double>;                 \
  extern template class SparseOperator<Exec, Kokkos::complex<float>>; \
  extern template class SparseOperator<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
