// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_sweeps.hpp"
#include <karman/core/error.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>

#include <memory>
#include <utility>

namespace karman {

template <ExecutionSpace Exec, Real T, int N>
struct BlockSweepPreconditioner<Exec, T, N>::State {
  char const* name;
  detail::BlockSweeps<Exec, T, N> sweeps;
  bool factorizes;  ///< incomplete factors instead of the blocks of the matrix
  int count;        ///< sweeps per application
  double omega;

  /// \param setup a BlockGaussSeidelSetup or BlockIluSetup, checked
  template <class Setup>
  static detail::PlanState<State> make(char const* name, Exec const& space, Graph<Exec> const& graph,
                                       Setup const& setup, bool factorizes, int count, double omega) {
    detail::require_block_rows<N>(graph.rows(), name);
    return {name, std::unique_ptr<State>(
                      new State{name, {space, graph, setup.order, setup.passes, name}, factorizes, count, omega})};
  }
};

template <ExecutionSpace Exec, Real T, int N>
BlockSweepPreconditioner<Exec, T, N>::BlockSweepPreconditioner(detail::PlanState<State> state)
    : state_(std::move(state)) {}

template <ExecutionSpace Exec, Real T, int N>
FactorReport BlockSweepPreconditioner<Exec, T, N>::factor(Exec const& space, BlockCsrMatrix<Exec, T, N> const& matrix) {
  State const& s = *state_;
  detail::require_profile_of(matrix, s.sweeps.rows, s.sweeps.entries, s.name);
  s.sweeps.take(space, matrix, s.factorizes);
  return {};
}

template <ExecutionSpace Exec, Real T, int N>
int BlockSweepPreconditioner<Exec, T, N>::size() const {
  return N * state_->sweeps.rows;
}

template <ExecutionSpace Exec, Real T, int N>
void BlockSweepPreconditioner<Exec, T, N>::apply(Exec const& space, ConstVector<Exec, T> const& residual,
                                                 Vector<Exec, T> const& correction) const {
  State const& s = *state_;
  detail::require_length(residual, size(), s.name, "residual");
  detail::require_length(correction, size(), s.name, "correction");
  s.sweeps.first_sweep(space, residual.data(), correction.data(), s.omega);
  for (int sweep = 1; sweep < s.count; ++sweep) {
    s.sweeps.next_sweep(space, residual.data(), correction.data(), s.omega);
  }
}

template <ExecutionSpace Exec, Real T, int N>
int BlockSweepPreconditioner<Exec, T, N>::singular_blocks(Exec const& space) const {
  return state_->sweeps.singular_blocks(space);
}

template <ExecutionSpace Exec, Real T, int N>
int BlockSweepPreconditioner<Exec, T, N>::colors() const {
  return state_->sweeps.colors;
}

template <ExecutionSpace Exec, Real T, int N>
Kokkos::View<int const*, typename Exec::memory_space> BlockSweepPreconditioner<Exec, T, N>::row_colors() const {
  return state_->sweeps.color;
}

template <ExecutionSpace Exec, Real T, int N>
std::int64_t BlockSweepPreconditioner<Exec, T, N>::workspace_bytes() const {
  return workspace_bytes(state_->sweeps.rows, state_->sweeps.all_entries());
}

template <ExecutionSpace Exec, Real T, int N>
std::int64_t BlockSweepPreconditioner<Exec, T, N>::workspace_bytes(int rows, std::int64_t entries) {
  return detail::BlockSweeps<Exec, T, N>::bytes(rows, entries);
}

namespace {

BlockGaussSeidelSetup const& checked(BlockGaussSeidelSetup const& setup) {
  require(setup.sweeps >= 1, "BlockGaussSeidelSetup: sweeps must be 1 or more");
  require(setup.omega > 0 && setup.omega < 2, "BlockGaussSeidelSetup: omega must lie between 0 and 2");
  require(setup.passes >= 0, "BlockGaussSeidelSetup: passes must not be negative");
  return setup;
}

BlockIluSetup const& checked(BlockIluSetup const& setup) {
  require(setup.passes >= 0, "BlockIluSetup: passes must not be negative");
  return setup;
}

}  // namespace

template <ExecutionSpace Exec, Real T, int N>
BlockGaussSeidel<Exec, T, N>::BlockGaussSeidel(Exec const& space, Graph<Exec> const& graph,
                                               BlockGaussSeidelSetup const& setup)
    : BlockSweepPreconditioner<Exec, T, N>(BlockSweepPreconditioner<Exec, T, N>::State::make(
          "BlockGaussSeidel", space, graph, checked(setup), false, setup.sweeps, setup.omega)) {}

template <ExecutionSpace Exec, Real T, int N>
BlockIlu<Exec, T, N>::BlockIlu(Exec const& space, Graph<Exec> const& graph, BlockIluSetup const& setup)
    : BlockSweepPreconditioner<Exec, T, N>(
          BlockSweepPreconditioner<Exec, T, N>::State::make("BlockIlu", space, graph, checked(setup), true, 1, 1)) {}

#define KARMAN_INSTANTIATE_FOR(Exec, Scalar)                \
  template class BlockSweepPreconditioner<Exec, Scalar, 4>; \
  template class BlockGaussSeidel<Exec, Scalar, 4>;         \
  template class BlockIlu<Exec, Scalar, 4>;
#define KARMAN_INSTANTIATE(Exec)      \
  KARMAN_INSTANTIATE_FOR(Exec, float) \
  KARMAN_INSTANTIATE_FOR(Exec, double)
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE
#undef KARMAN_INSTANTIATE_FOR

}  // namespace karman
