// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "row_pass.hpp"
#include "sparse_checks.hpp"
#include <karman/core/error.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>

namespace karman {

template <ExecutionSpace Exec, SparseScalar Scalar>
SparseOperator<Exec, Scalar>::SparseOperator(CsrMatrix<Exec, Scalar> const& matrix) : matrix_(matrix) {
  detail::require_square(matrix, "SparseOperator");
}

template <ExecutionSpace Exec, SparseScalar Scalar>
void SparseOperator<Exec, Scalar>::apply(Exec const& space, ConstVector<Exec, Scalar> const& x,
                                         Vector<Exec, Scalar> const& result) const {
  detail::require_length(x, size(), "SparseOperator", "x");
  detail::require_length(result, size(), "SparseOperator", "result");
  detail::row_pass(space, "karman::sparse_operator::apply", matrix_, x.data(),
                   detail::ScaledProduct<Scalar>{Scalar(1), Scalar(0), false, result.data()}, {});
}

#define KARMAN_INSTANTIATE(Exec)                               \
  template class SparseOperator<Exec, float>;                  \
  template class SparseOperator<Exec, double>;                 \
  template class SparseOperator<Exec, Kokkos::complex<float>>; \
  template class SparseOperator<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
