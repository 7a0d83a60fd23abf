// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Preconditioners of sparse matrices of dense blocks, set up and applied on the device.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/sparse/block_csr.hpp>
#include <karman/solvers/sparse/block_preconditioners_options.hpp>
#include <karman/solvers/sparse/preconditioner.hpp>
#include <karman/solvers/vector_operator.hpp>

#include <cstdint>

namespace karman {

/// Linear map z = M r that approximates A^-1 r for a sparse matrix A of N x N blocks.
///
/// Made for one profile; factor() takes the values, apply() uses the last values taken. GeneralKrylov accepts it as a
/// linear map. Vectors hold N numbers per block row, block row by block row.
///
/// \tparam Exec execution space
/// \tparam T float or double
/// \tparam N rows and columns of a block
template <ExecutionSpace Exec, Real T, int N>
class BlockPreconditioner : public VectorOperator<Exec, T> {
 public:
  using VectorOperator<Exec, T>::apply;

  /// Takes the values of a matrix, any number of times.
  /// \param space instance on which the kernels run
  /// \param matrix matrix with the profile for which this object was made
  /// \return reason of a breakdown; methods of this header report success and count replaced blocks
  /// \throws std::invalid_argument for a matrix of another size
  virtual FactorReport factor(Exec const& space, BlockCsrMatrix<Exec, T, N> const& matrix) = 0;

  /// Memory that this object has allocated, in bytes, without the matrix that its caller owns.
  virtual std::int64_t workspace_bytes() const = 0;

  /// Diagonal blocks without an inverse that the last factor() replaced; 0 for a method that replaces none.
  /// \param space instance to wait for
  /// \par Synchrony
  /// Fences `space`.
  virtual int singular_blocks(Exec const& space) const {
    (void)space;
    return 0;
  }
};

/// Block Jacobi preconditioner: z_i = A_ii^-1 r_i.
///
/// Blocks are inverted in double, by elimination with row exchanges. A diagonal block that is absent, singular to
/// rounding or not finite is replaced by the unit matrix and counted by singular_blocks(). The scales of equations and
/// variables do not matter for that. The profile need not be symmetric.
///
/// \tparam Exec execution space
/// \tparam T float or double
/// \tparam N rows and columns of a block; the library has N = 4
/// \par Cost
/// apply(): one kernel, at least (N^2 + 2 N) sizeof(T) bytes per block row. With N = 4 these are 192 bytes in double
/// and 96 in float. factor(): two kernels, 2 N^2 sizeof(T) + 4 bytes per block row.
/// \par Synchrony
/// factor() and apply() are asynchronous and allocate nothing.
template <ExecutionSpace Exec, Real T, int N>
class BlockJacobi final : public BlockPreconditioner<Exec, T, N> {
 public:
  /// Finds the diagonal blocks and allocates. Asynchronous.
  /// \param space instance on which the kernels run
  /// \param graph block columns of each block row
  /// \throws std::invalid_argument for more than 2^31 - 1 unknowns
  BlockJacobi(Exec const& space, Graph<Exec> const& graph);

  using BlockPreconditioner<Exec, T, N>::apply;
  FactorReport factor(Exec const& space, BlockCsrMatrix<Exec, T, N> const& matrix) override;
  int size() const override;
  void apply(Exec const& space, ConstVector<Exec, T> const& residual, Vector<Exec, T> const& correction) const override;

  int singular_blocks(Exec const& space) const override;

  std::int64_t workspace_bytes() const override;
  /// \param rows block rows of the matrix
  /// \return the bytes that an object for such matrices allocates
  static std::int64_t workspace_bytes(int rows);

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                          \
  extern template class BlockJacobi<Exec, float, 4>; \
  extern template class BlockJacobi<Exec, double, 4>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
