// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_sweeps.hpp"
#include <karman/core/error.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>

#include <memory>

namespace karman {

template <ExecutionSpace Exec, Real T, int N>
struct BlockGaussSeidel<Exec, T, N>::State {
  BlockGaussSeidelSetup setup;
  detail::BlockSweeps<Exec, T, N> sweeps;
};

template <ExecutionSpace Exec, Real T, int N>
BlockGaussSeidel<Exec, T, N>::BlockGaussSeidel(Exec const& space, Graph<Exec> const& graph,
                                               BlockGaussSeidelSetup const& setup) {
  require(setup.sweeps >= 1, "BlockGaussSeidelSetup: sweeps must be 1 or more");
  require(setup.omega > 0 && setup.omega < 2, "BlockGaussSeidelSetup: omega must lie between 0 and 2");
  require(setup.passes >= 0, "BlockGaussSeidelSetup: passes must not be negative");
  detail::require_block_rows<N>(graph.rows(), "BlockGaussSeidel");
  state_ = {"BlockGaussSeidel",
            std::unique_ptr<State>(new State{setup, {space, graph, setup.order, setup.passes, "BlockGaussSeidel"}})};
}

template <ExecutionSpace Exec, Real T, int N>
FactorReport BlockGaussSeidel<Exec, T, N>::factor(Exec const& space, BlockCsrMatrix<Exec, T, N> const& matrix) {
  auto const& s = state_->sweeps;
  detail::require_profile_of(matrix, s.rows, s.entries, "BlockGaussSeidel");
  s.take(space, matrix, false);
  return {};
}

template <ExecutionSpace Exec, Real T, int N>
int BlockGaussSeidel<Exec, T, N>::size() const {
  return N * state_->sweeps.rows;
}

template <ExecutionSpace Exec, Real T, int N>
void BlockGaussSeidel<Exec, T, N>::apply(Exec const& space, ConstVector<Exec, T> const& residual,
                                         Vector<Exec, T> const& correction) const {
  State const& s = *state_;
  detail::require_length(residual, size(), "BlockGaussSeidel", "residual");
  detail::require_length(correction, size(), "BlockGaussSeidel", "correction");
  s.sweeps.first_sweep(space, residual.data(), correction.data(), s.setup.omega);
  for (int sweep = 1; sweep < s.setup.sweeps; ++sweep) {
    s.sweeps.next_sweep(space, residual.data(), correction.data(), s.setup.omega);
  }
}

template <ExecutionSpace Exec, Real T, int N>
int BlockGaussSeidel<Exec, T, N>::singular_blocks(Exec const& space) const {
  return state_->sweeps.singular_blocks(space);
}

template <ExecutionSpace Exec, Real T, int N>
int BlockGaussSeidel<Exec, T, N>::colors() const {
  return state_->sweeps.colors;
}

template <ExecutionSpace Exec, Real T, int N>
Kokkos::View<int const*, typename Exec::memory_space> BlockGaussSeidel<Exec, T, N>::row_colors() const {
  return state_->sweeps.color;
}

template <ExecutionSpace Exec, Real T, int N>
std::int64_t BlockGaussSeidel<Exec, T, N>::workspace_bytes() const {
  return workspace_bytes(state_->sweeps.rows, state_->sweeps.all_entries());
}

template <ExecutionSpace Exec, Real T, int N>
std::int64_t BlockGaussSeidel<Exec, T, N>::workspace_bytes(int rows, std::int64_t entries) {
  return detail::BlockSweeps<Exec, T, N>::bytes(rows, entries);
}

#define KARMAN_INSTANTIATE(Exec)                   \
  template class BlockGaussSeidel<Exec, float, 4>; \
  template class BlockGaussSeidel<Exec, double, 4>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
