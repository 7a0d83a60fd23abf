// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Common base of the preconditioners of sparse matrices.
#pragma once

#include <karman/solvers/sparse/csr.hpp>
#include <karman/solvers/vector_operator.hpp>

#include <cstdint>
#include <string_view>

namespace karman {

/// Outcome of a factorisation, as far as it is found without waiting for the device.
struct FactorReport {
  std::string_view breakdown = {};  ///< why there are no factors ("the matrix is singular"); empty when there are
  double reciprocal_condition = 0;  ///< of DirectSolver: rough estimate, smallest by largest pivot; else 0
  std::int64_t entries = 0;         ///< of DirectSolver: entries that its factors store; else 0
  /// True when the factors exist.
  bool ok() const { return breakdown.empty(); }
};

/// Linear map z = M r that approximates A^-1 r for a sparse matrix A.
///
/// Made for one sparsity profile; factor() takes the values, apply() uses the last values taken. Derive from it to
/// precondition GeneralKrylov by a method of your own.
///
/// \tparam Exec execution space
/// \tparam Scalar number type of the matrix and the vectors
template <ExecutionSpace Exec, SparseScalar Scalar>
class Preconditioner : public VectorOperator<Exec, Scalar> {
 public:
  using VectorOperator<Exec, Scalar>::apply;

  /// Takes the values of a matrix, any number of times.
  ///
  /// \param space instance on which the kernels run
  /// \param matrix matrix with the profile for which this object was made
  /// \return reason of a breakdown; methods that work on the device always report success and count replaced pivots
  /// \throws std::invalid_argument for a matrix of another profile
  virtual FactorReport factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix) = 0;

  /// Memory that this object has allocated, in bytes, without the matrix that its caller owns.
  virtual std::int64_t workspace_bytes() const = 0;

  /// 1 / a_ii of a diagonal M, which Krylov methods apply within their own vector passes; empty for any other M.
  virtual ConstVector<Exec, Scalar> inverse_diagonal() const { return ConstVector<Exec, Scalar>(); }
};

}  // namespace karman
