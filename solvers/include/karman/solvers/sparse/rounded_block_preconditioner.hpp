// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Preconditioners of blocks in single precision for systems in double precision.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>

#include <cstdint>
#include <memory>

namespace karman {

/// z = M r in double precision by a preconditioner in single precision: A and r are rounded to float, M A ~ 1 is found
/// and applied in float, and z is that result.
///
/// A preconditioner only has to be near A^-1. Half of its bytes mean nearly half of its time. The solver keeps its own
/// products and sums in double: it reaches the same residual. Rounding leaves M a linear map to about 1e-7 only. GMRES
/// takes as many iterations as in double to a tolerance of 1e-4, and a fifth more to 1e-8. Blocks beyond 3e38 become
/// infinite in float; singular_blocks() counts those that the inner method replaces.
///
/// \tparam Exec execution space
/// \tparam N rows and columns of a block; the library has N = 4
/// \par Cost
/// apply(): that of the inner preconditioner and two kernels, 24 N bytes per block row. factor(): that of the inner one
/// and one kernel, 12 N^2 bytes per entry. Memory: the inner preconditioner, the matrix in float, two vectors in float.
/// \par Synchrony
/// factor() and apply() are asynchronous and allocate nothing where the inner preconditioner does so.
/// \par Source
/// M. Baboulin et al., Comput. Phys. Commun. 180 (2009), solvers in mixed precision.
template <ExecutionSpace Exec, int N>
class RoundedBlockPreconditioner final : public BlockPreconditioner<Exec, double, N> {
 public:
  using Inner = BlockPreconditioner<Exec, float, N>;  ///< preconditioner in float

  /// Allocates. Asynchronous.
  /// \param space instance on which the kernels run
  /// \param graph profile of the matrices, the one for which `inner` was made
  /// \param inner preconditioner in float; this object owns it
  /// \throws std::invalid_argument without `inner`, and where it is for another number of rows
  RoundedBlockPreconditioner(Exec const& space, Graph<Exec> const& graph, std::unique_ptr<Inner> inner);

  using BlockPreconditioner<Exec, double, N>::apply;
  /// Rounds the values of a matrix to its own memory, and takes them to the inner preconditioner.
  FactorReport factor(Exec const& space, BlockCsrMatrix<Exec, double, N> const& matrix) override;
  int size() const override;
  /// Rounds the residual, applies the inner preconditioner and widens its correction.
  void apply(Exec const& space, ConstVector<Exec, double> const& residual,
             Vector<Exec, double> const& correction) const override;

  int singular_blocks(Exec const& space) const override;

  std::int64_t workspace_bytes() const override;
  /// \param rows block rows of the matrix
  /// \param entries entries of its profile
  /// \return the bytes that an object for such a profile allocates besides its inner preconditioner
  static std::int64_t workspace_bytes(int rows, std::int64_t entries);

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec) extern template class RoundedBlockPreconditioner<Exec, 4>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
