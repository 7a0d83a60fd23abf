// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Multigrid by aggregation for sparse matrices of dense blocks, set up and applied on the device.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/sparse/block_amg_options.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>

#include <cstdint>
#include <vector>

namespace karman {

/// One cycle of multigrid by plain aggregation, z = M r ~ A^-1 r, for systems of several equations per node.
///
/// Neighbours in the profile join around roots that are at least three connections apart: a maximal independent set of
/// the squared graph. P is the unit block in the aggregate of a row, so that the blocks of a coarse matrix are sums,
///
///     (A_coarse)_IJ = sum over i in I, j in J:  A_ij,
///
/// again on each level. For finite volumes of first order that is the same scheme on joined cells. The smoother is
/// BlockIlu: x <- x + S (b - A x). The coarsest level takes four steps of it.
///
/// Suits implicit steps and Newton systems of flows with transport and sound. Diffusion needs a smoothed interpolation,
/// see AmgPreconditioner. The aggregates depend on the profile alone: factor() takes new values at any time. Results
/// are the same bits from run to run and for any number of threads.
///
/// \tparam Exec execution space
/// \tparam Scalar float or double
/// \tparam N rows and columns of a block; the library has N = 4
/// \par Cost
/// On meshes of triangles a coarse level has about a ninth of the rows. With c colours apply() has per level but the
/// last (2 c + 1) (before + after) + 1 kernels, one more without `before`. On a device levels of at most 1536 block
/// rows and 15 colours have 3 in place of 2 c + 1. An application of the smoother reads its factors, from the second on
/// also the matrix. factor(): one sum over the matrix and BlockIlu::factor() per level. Memory: see workspace_bytes().
/// \par Synchrony
/// factor() and apply() are asynchronous and allocate nothing. The constructor waits for its instance.
/// \par Source
/// M.-H. Lallemand, H. Steve, A. Dervieux, Comput. Fluids 21 (1992), joined volumes; N. Bell, S. Dalton, L. N. Olson,
/// SIAM J. Sci. Comput. 34 (2012), independent sets in parallel.
template <ExecutionSpace Exec, Real Scalar, int N>
class BlockAmg final : public BlockPreconditioner<Exec, Scalar, N> {
 public:
  /// \param space instance on which the kernels run
  /// \param graph symmetric profile of the matrices
  /// \param setup cycle and levels
  /// \throws std::invalid_argument for a profile that is not symmetric, a set-up out of range, and more than 2^31 - 1
  /// unknowns
  BlockAmg(Exec const& space, Graph<Exec> const& graph, BlockAmgSetup const& setup = {});

  using BlockPreconditioner<Exec, Scalar, N>::apply;
  /// Takes the values of a matrix. apply() reads them from `matrix`, whose memory is shared: leave them as they are
  /// until the next factor().
  FactorReport factor(Exec const& space, BlockCsrMatrix<Exec, Scalar, N> const& matrix) override;
  int size() const override;
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
             Vector<Exec, Scalar> const& correction) const override;

  /// Pivots that the factors of all levels have replaced.
  int singular_blocks(Exec const& space) const override;

  /// \return block rows of each level, the finest first
  std::vector<int> const& level_rows() const;

  std::int64_t workspace_bytes() const override;
  /// Estimate before the object is made, for a mesh of triangles.
  /// \param rows block rows of the matrix
  /// \param entries entries of its profile, the diagonal of each row among them
  static std::int64_t workspace_bytes(int rows, std::int64_t entries);

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                       \
  extern template class BlockAmg<Exec, float, 4>; \
  extern template class BlockAmg<Exec, double, 4>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
