// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sparse matrices of dense blocks as linear maps, for Krylov methods.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/sparse/block_csr.hpp>
#include <karman/solvers/sparse/spmv.hpp>
#include <karman/solvers/vector_operator.hpp>

namespace karman {

/// Linear map y = A x of a square matrix of N x N blocks:
///
///     y_i = sum over the entries (i, j) of block row i:  A_ij x_j,   x_j and y_i of N numbers.
///
/// Number N i + c of a vector is variable c of block row i. Shares the Views of the matrix: new values in them are used
/// from the next application on. On a device N threads share a block row, one per row of its blocks. Their lanes take
/// the columns, so that consecutive lanes read consecutive numbers of the blocks. One core takes a block row on the
/// host. Results are the same bits from run to run and for any number of threads.
///
/// \tparam Exec execution space
/// \tparam Scalar float or double
/// \tparam N rows and columns of a block; the library has N = 4
/// \par Cost
/// Of apply(): 2 N^2 flops per entry. Reads the matrix once. Bytes are N^2 sizeof(Scalar) + 4 per entry and
/// 2 N sizeof(Scalar) + 4 per block row. A mesh of triangles has 7 entries per block row. With N = 4 at least 992 bytes
/// per block row in double and 512 in float.
/// \par Synchrony
/// apply() is asynchronous and allocates nothing.
template <ExecutionSpace Exec, Real Scalar, int N>
class BlockSparseOperator final : public VectorOperator<Exec, Scalar> {
 public:
  /// \param matrix square matrix, whose memory is shared
  /// \throws std::invalid_argument for a matrix that is not square, or whose parts have lengths that do not fit
  explicit BlockSparseOperator(BlockCsrMatrix<Exec, Scalar, N> const& matrix);

  using VectorOperator<Exec, Scalar>::apply;
  int size() const override { return N * matrix_.rows(); }
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& x, Vector<Exec, Scalar> const& result) const override;

  /// \return the matrix, with shared memory
  BlockCsrMatrix<Exec, Scalar, N> const& matrix() const { return matrix_; }

 private:
  BlockCsrMatrix<Exec, Scalar, N> matrix_;
};

#define KARMAN_EXTERN(Exec)                                  \
  extern template class BlockSparseOperator<Exec, float, 4>; \
  extern template class BlockSparseOperator<Exec, double, 4>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
