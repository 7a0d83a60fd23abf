// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_checks.hpp"
#include "block_inverse.hpp"
#include "block_pass.hpp"
#include "sparse/preconditioners/jacobi_kernels.hpp"
#include <karman/core/compat.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>

#include <memory>
#include <string>

namespace karman {

namespace detail {

/// A_ii^-1.
template <class Exec, class T, int N>
struct InvertDiagonalBlocks {
  using Values = typename BlockCsrMatrix<Exec, T, N>::Values;
  Kokkos::View<int const*, typename Exec::memory_space> diagonal;
  Values values, inverse;
  Kokkos::View<int, typename Exec::memory_space> replaced;

  KOKKOS_FUNCTION void operator()(int row) const {
    int const entry = diagonal(row);
    double block[N][N];
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) block[i][j] = entry < 0 ? 0.0 : double(values(entry, i, j));
    }
    if (!invert_or_replace<T, N>(block)) Kokkos::atomic_fetch_add(replaced.data(), 1);
    store_block<T, N>(block, &inverse(row, 0, 0));
  }
};

/// z_i = A_ii^-1 r_i.
template <class Exec, class T, int N>
struct ApplyInverseBlocks {
  static constexpr bool own = true;
  static constexpr int lanes = N;
  typename BlockCsrMatrix<Exec, T, N>::Values inverse;
  T const* r;
  T* z;

  KOKKOS_INLINE_FUNCTION int count(int) const { return 0; }
  KOKKOS_INLINE_FUNCTION int entry(int, int) const { return 0; }
  KOKKOS_INLINE_FUNCTION T const* block(int) const { return nullptr; }
  KOKKOS_INLINE_FUNCTION T const* factor(int) const { return nullptr; }
  KOKKOS_INLINE_FUNCTION T const* own_block(int row) const { return &inverse(row, 0, 0); }
  KOKKOS_INLINE_FUNCTION T const* own_factor(int row) const { return r + N * row; }
  bool aligned() const { return are_aligned(inverse.data(), r); }
  KOKKOS_INLINE_FUNCTION void store(int row, int i, T sum) const { z[N * row + i] = sum; }
};

}  // namespace detail

template <ExecutionSpace Exec, Real T, int N>
struct BlockJacobi<Exec, T, N>::State {
  using Memory = typename Exec::memory_space;
  using Values = typename BlockCsrMatrix<Exec, T, N>::Values;

  int rows;
  std::size_t entries;                  ///< of the matrix
  Kokkos::View<int*, Memory> diagonal;  ///< entry number, or -1
  Values inverse;
  Kokkos::View<int, Memory> replaced;

  State(Exec const& space, Graph<Exec> const& graph)
      : rows(graph.rows()),
        entries(graph.entries.extent(0)),
        diagonal(Kokkos::view_alloc(space, std::string("karman::block_jacobi::diagonal")),
                 static_cast<std::size_t>(rows)),
        inverse(Kokkos::view_alloc(space, std::string("karman::block_jacobi::inverse")),
                static_cast<std::size_t>(rows)),
        replaced(Kokkos::view_alloc(space, std::string("karman::block_jacobi::replaced"))) {
    Kokkos::parallel_for("karman::block_jacobi::find", Kokkos::RangePolicy<Exec>(space, 0, rows),
                         detail::FindDiagonal<Exec>{graph, diagonal});
  }
};

template <ExecutionSpace Exec, Real T, int N>
BlockJacobi<Exec, T, N>::BlockJacobi(Exec const& space, Graph<Exec> const& graph) {
  detail::require_block_rows<N>(graph.rows(), "BlockJacobi");
  state_ = {"BlockJacobi", std::make_unique<State>(space, graph)};
}

template <ExecutionSpace Exec, Real T, int N>
FactorReport BlockJacobi<Exec, T, N>::factor(Exec const& space, BlockCsrMatrix<Exec, T, N> const& matrix) {
  State const& s = *state_;
  detail::require_profile_of(matrix, s.rows, s.entries, "BlockJacobi");
  Kokkos::parallel_for("karman::block_jacobi::reset", Kokkos::RangePolicy<Exec>(space, 0, 1),
                       detail::ResetCount<Exec>{s.replaced});
  Kokkos::parallel_for("karman::block_jacobi::factor", Kokkos::RangePolicy<Exec>(space, 0, s.rows),
                       detail::InvertDiagonalBlocks<Exec, T, N>{s.diagonal, matrix.values, s.inverse, s.replaced});
  return {};
}

template <ExecutionSpace Exec, Real T, int N>
int BlockJacobi<Exec, T, N>::size() const {
  return N * state_->rows;
}

template <ExecutionSpace Exec, Real T, int N>
void BlockJacobi<Exec, T, N>::apply(Exec const& space, ConstVector<Exec, T> const& residual,
                                    Vector<Exec, T> const& correction) const {
  State const& s = *state_;
  detail::require_length(residual, size(), "BlockJacobi", "residual");
  detail::require_length(correction, size(), "BlockJacobi", "correction");
  detail::block_pass<T, N>(space, "karman::block_jacobi::apply",
                           detail::ApplyInverseBlocks<Exec, T, N>{s.inverse, residual.data(), correction.data()}, 0,
                           s.rows);
}

template <ExecutionSpace Exec, Real T, int N>
int BlockJacobi<Exec, T, N>::singular_blocks(Exec const& space) const {
  int count = 0;
  Kokkos::deep_copy(space, count, state_->replaced);
  compat::fence(space, "karman::block_jacobi::singular_blocks");
  return count;
}

template <ExecutionSpace Exec, Real T, int N>
std::int64_t BlockJacobi<Exec, T, N>::workspace_bytes() const {
  return workspace_bytes(state_->rows);
}

template <ExecutionSpace Exec, Real T, int N>
std::int64_t BlockJacobi<Exec, T, N>::workspace_bytes(int rows) {
  constexpr std::int64_t number = sizeof(int), block = N * N * sizeof(T);
  return rows * (number + block) + number;
}

#define KARMAN_INSTANTIATE(Exec)              \
  template class BlockJacobi<Exec, float, 4>; \
  template class BlockJacobi<Exec, double, 4>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
