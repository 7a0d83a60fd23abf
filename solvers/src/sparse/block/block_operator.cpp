// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_checks.hpp"
#include "block_pass.hpp"
#include "block_product.hpp"
#include <karman/solvers/sparse/block_operator.hpp>

namespace karman {

template <ExecutionSpace Exec, Real T, int N>
BlockSparseOperator<Exec, T, N>::BlockSparseOperator(BlockCsrMatrix<Exec, T, N> const& matrix) : matrix_(matrix) {
  detail::require_square(matrix, "BlockSparseOperator");
}

template <ExecutionSpace Exec, Real T, int N>
void BlockSparseOperator<Exec, T, N>::apply(Exec const& space, ConstVector<Exec, T> const& x,
                                            Vector<Exec, T> const& result) const {
  detail::require_length(x, size(), "BlockSparseOperator", "x");
  detail::require_length(result, size(), "BlockSparseOperator", "result");
  detail::block_pass<T, N>(space, "karman::block_operator::apply",
                           detail::BlockProduct<Exec, T, N>{matrix_, x.data(), result.data()}, 0, matrix_.rows());
}

#define KARMAN_INSTANTIATE(Exec)                      \
  template class BlockSparseOperator<Exec, float, 4>; \
  template class BlockSparseOperator<Exec, double, 4>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
