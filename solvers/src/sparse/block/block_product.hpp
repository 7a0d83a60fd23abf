// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Product of a matrix of blocks and a vector, or its residual, for block_pass.
#pragma once

#include <karman/core/detail/pack.hpp>
#include <karman/solvers/sparse/block_csr.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// y = A x, or y = r - A x where r is not null.
template <class Exec, class T, int N>
struct BlockProduct {
  static constexpr bool own = false;
  static constexpr int lanes = 2 * N;
  BlockCsrMatrix<Exec, T, N> a;
  T const* x;
  T* y;
  T const* r = nullptr;

  KOKKOS_INLINE_FUNCTION int count(int row) const { return a.graph.offsets(row + 1) - a.graph.offsets(row); }
  KOKKOS_INLINE_FUNCTION int entry(int row, int k) const { return a.graph.offsets(row) + k; }
  KOKKOS_INLINE_FUNCTION T const* block(int e) const { return &a.values(e, 0, 0); }
  KOKKOS_INLINE_FUNCTION T const* factor(int e) const { return x + N * a.graph.entries(e); }
  KOKKOS_INLINE_FUNCTION T const* own_block(int) const { return nullptr; }
  KOKKOS_INLINE_FUNCTION T const* own_factor(int) const { return nullptr; }
  bool aligned() const { return are_aligned(a.values.data(), x); }
  KOKKOS_INLINE_FUNCTION void store(int row, int i, T sum) const {
    int const n = N * row + i;
    y[n] = r == nullptr ? sum : r[n] - sum;
  }
};

}  // namespace karman::detail
