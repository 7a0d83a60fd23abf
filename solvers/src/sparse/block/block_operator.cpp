// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_checks.hpp"
#include "block_pass.hpp"
#include <karman/solvers/sparse/block_operator.hpp>

namespace karman {

namespace detail {

/// y = A x.
template <class Exec, class T, int N>
struct BlockProduct {
  static constexpr bool own = false;
  BlockCsrMatrix<Exec, T, N> a;
  T const* x;
  T* y;

  KOKKOS_INLINE_FUNCTION int count(int row) const { return a.graph.offsets(row + 1) - a.graph.offsets(row); }
  KOKKOS_INLINE_FUNCTION int entry(int row, int k) const { return a.graph.offsets(row) + k; }
  KOKKOS_INLINE_FUNCTION T const* block(int e) const { return &a.values(e, 0, 0); }
  KOKKOS_INLINE_FUNCTION T const* factor(int e) const { return x + N * a.graph.entries(e); }
  KOKKOS_INLINE_FUNCTION T const* own_block(int) const { return nullptr; }
  KOKKOS_INLINE_FUNCTION T const* own_factor(int) const { return nullptr; }
  KOKKOS_INLINE_FUNCTION void store(int row, int r, T sum) const { y[N * row + r] = sum; }
};

}  // namespace detail

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
