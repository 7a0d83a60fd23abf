// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_sweeps.hpp"
#include <karman/core/error.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>

#include <memory>

namespace karman {

template <ExecutionSpace Exec, Real T, int N>
struct BlockIlu<Exec, T, N>::State {
  detail::BlockSweeps<Exec, T, N> factors;
};

template <ExecutionSpace Exec, Real T, int N>
BlockIlu<Exec, T, N>::BlockIlu(Exec const& space, Graph<Exec> const& graph, BlockIluSetup const& setup) {
  require(setup.passes >= 0, "BlockIluSetup: passes must not be negative");
  detail::require_block_rows<N>(graph.rows(), "BlockIlu");
  state_ = {"BlockIlu", std::unique_ptr<State>(new State{{space, graph, setup.order, setup.passes, "BlockIlu"}})};
}

template <ExecutionSpace Exec, Real T, int N>
FactorReport BlockIlu<Exec, T, N>::factor(Exec const& space, BlockCsrMatrix<Exec, T, N> const& matrix) {
  auto const& s = state_->factors;
  detail::require_profile_of(matrix, s.rows, s.entries, "BlockIlu");
  s.take(space, matrix, true);
  return {};
}

template <ExecutionSpace Exec, Real T, int N>
int BlockIlu<Exec, T, N>::size() const {
  return N * state_->factors.rows;
}

template <ExecutionSpace Exec, Real T, int N>
void BlockIlu<Exec, T, N>::apply(Exec const& space, ConstVector<Exec, T> const& residual,
                                 Vector<Exec, T> const& correction) const {
  detail::require_length(residual, size(), "BlockIlu", "residual");
  detail::require_length(correction, size(), "BlockIlu", "correction");
  state_->factors.first_sweep(space, residual.data(), correction.data(), 1);
}

template <ExecutionSpace Exec, Real T, int N>
int BlockIlu<Exec, T, N>::singular_blocks(Exec const& space) const {
  return state_->factors.singular_blocks(space);
}

template <ExecutionSpace Exec, Real T, int N>
int BlockIlu<Exec, T, N>::colors() const {
  return state_->factors.colors;
}

template <ExecutionSpace Exec, Real T, int N>
Kokkos::View<int const*, typename Exec::memory_space> BlockIlu<Exec, T, N>::row_colors() const {
  return state_->factors.color;
}

template <ExecutionSpace Exec, Real T, int N>
std::int64_t BlockIlu<Exec, T, N>::workspace_bytes() const {
  return workspace_bytes(state_->factors.rows, state_->factors.all_entries());
}

template <ExecutionSpace Exec, Real T, int N>
std::int64_t BlockIlu<Exec, T, N>::workspace_bytes(int rows, std::int64_t entries) {
  return detail::BlockSweeps<Exec, T, N>::bytes(rows, entries);
}

#define KARMAN_INSTANTIATE(Exec)           \
  template class BlockIlu<Exec, float, 4>; \
  template class BlockIlu<Exec, double, 4>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
