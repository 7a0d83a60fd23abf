// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Preconditioners of sparse matrices that are set up and applied on the device.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/spmv.hpp>

#include <array>

namespace karman {

/// The preconditioner of Jacobi: z_i = r_i / a_ii.
///
/// A pivot a_ii that is zero, absent or not finite counts as 1 and is counted: zero_pivots() says how many there were.
/// The constructor finds the diagonals and allocates; factor() only reads values. Cost of apply(): three vectors moved;
/// nothing at all inside KrylovSolver with COCG or BiCGStab, which multiply while they update.
template <ExecutionSpace Exec, SparseScalar Scalar>
class JacobiPreconditioner final : public LinearOperator<Exec, Scalar> {
 public:
  /// For matrices of this profile. Throws std::invalid_argument unless it is square.
  JacobiPreconditioner(Exec const& space, Graph<Exec> const& profile, int columns);

  /// Takes the values. Asynchronous; allocates nothing. Throws std::invalid_argument for another profile's extents.
  void factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix);

  std::array<int, 3> extents() const override { return {1, 1, static_cast<int>(inverse_.extent(0))}; }
  void apply(Exec const& space, ConstField<Exec, Scalar> const& residual,
             Field<Exec, Scalar> const& correction) override;

  /// Pivots that the last factor() replaced. Fences `space`.
  int zero_pivots(Exec const& space) const;

  /// 1 / a_ii of the last factor().
  ConstVector<Exec, Scalar> inverse_diagonal() const { return inverse_; }

 private:
  Kokkos::View<int*, typename Exec::memory_space> diagonal_;  // entry number, or -1
  Vector<Exec, Scalar> inverse_;
  Kokkos::View<int, typename Exec::memory_space> replaced_;
};

#define KARMAN_EXTERN(Exec)                                                 \
  extern template class JacobiPreconditioner<Exec, float>;                  \
  extern template class JacobiPreconditioner<Exec, double>;                 \
  extern template class JacobiPreconditioner<Exec, Kokkos::complex<float>>; \
  extern template class JacobiPreconditioner<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
