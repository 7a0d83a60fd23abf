// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sparse matrices as linear maps, for Krylov methods.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/sparse/spmv.hpp>
#include <karman/solvers/vector_operator.hpp>

namespace karman {

/// Linear map y = A x of a square sparse matrix.
///
/// Shares the Views of the matrix: new values in them are used from the next application on. Krylov methods take their
/// inner products in the same pass as the product with this class.
///
/// \tparam Exec execution space
/// \tparam Scalar number type of the matrix and the vectors
/// \par Cost
/// Of apply(): one product, see multiply().
/// \par Synchrony
/// apply() is asynchronous and allocates nothing.
template <ExecutionSpace Exec, SparseScalar Scalar>
class SparseOperator final : public VectorOperator<Exec, Scalar> {
 public:
  /// \param matrix square matrix, whose memory is shared
  /// \throws std::invalid_argument for a matrix that is not square
  explicit SparseOperator(CsrMatrix<Exec, Scalar> const& matrix);

  using VectorOperator<Exec, Scalar>::apply;
  int size() const override { return matrix_.rows(); }
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& x, Vector<Exec, Scalar> const& result) const override;

  /// \return the matrix, with shared memory
  CsrMatrix<Exec, Scalar> const& matrix() const { return matrix_; }

 private:
  CsrMatrix<Exec, Scalar> matrix_;
};

#define KARMAN_EXTERN(Exec)                                           \
  extern template class SparseOperator<Exec, float>;                  \
  extern template class SparseOperator<Exec, double>;                 \
  extern template class SparseOperator<Exec, Kokkos::complex<float>>; \
  extern template class SparseOperator<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
