// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Preconditioners of sparse matrices of dense blocks, set up and applied on the device.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/sparse/block_csr.hpp>
#include <karman/solvers/sparse/block_preconditioners_options.hpp>
#include <karman/solvers/sparse/preconditioner.hpp>
#include <karman/solvers/vector_operator.hpp>

#include <cstdint>

namespace karman {

/// Linear map z = M r that approximates A^-1 r for a sparse matrix A of N x N blocks.
///
/// Made for one profile; factor() takes the values, apply() uses the last values taken. GeneralKrylov accepts it as a
/// linear map. Vectors hold N numbers per block row, block row by block row.
///
/// \tparam Exec execution space
/// \tparam Scalar float or double
/// \tparam N rows and columns of a block
template <ExecutionSpace Exec, Real Scalar, int N>
class BlockPreconditioner : public VectorOperator<Exec, Scalar> {
 public:
  using VectorOperator<Exec, Scalar>::apply;

  /// Takes the values of a matrix, any number of times.
  /// \param space instance on which the kernels run
  /// \param matrix matrix with the profile for which this object was made
  /// \return reason of a breakdown; methods of this header report success and count replaced blocks
  /// \throws std::invalid_argument for a matrix of another size
  virtual FactorReport factor(Exec const& space, BlockCsrMatrix<Exec, Scalar, N> const& matrix) = 0;

  /// Memory that this object has allocated, in bytes, without the matrix that its caller owns.
  virtual std::int64_t workspace_bytes() const = 0;

  /// Diagonal blocks without an inverse that the last factor() replaced; 0 for a method that replaces none.
  /// \param space instance to wait for
  /// \par Synchrony
  /// Fences `space`.
  virtual int singular_blocks(Exec const& space) const {
    (void)space;
    return 0;
  }
};

/// Block Jacobi preconditioner: z_i = A_ii^-1 r_i.
///
/// Blocks are inverted in double, by elimination with row exchanges. A diagonal block that is absent, singular to
/// rounding or not finite is replaced by the unit matrix and counted by singular_blocks(). The scales of equations and
/// variables do not matter for that. The profile need not be symmetric.
///
/// \tparam Exec execution space
/// \tparam Scalar float or double
/// \tparam N rows and columns of a block; the library has N = 4
/// \par Cost
/// apply(): one kernel, at least (N^2 + 2 N) sizeof(Scalar) bytes per block row. With N = 4 these are 192 bytes in
/// double and 96 in float. factor(): two kernels, 2 N^2 sizeof(Scalar) + 4 bytes per block row.
/// \par Synchrony
/// factor() and apply() are asynchronous and allocate nothing.
template <ExecutionSpace Exec, Real Scalar, int N>
class BlockJacobi final : public BlockPreconditioner<Exec, Scalar, N> {
 public:
  /// Finds the diagonal blocks and allocates. Asynchronous.
  /// \param space instance on which the kernels run
  /// \param graph block columns of each block row
  /// \throws std::invalid_argument for more than 2^31 - 1 unknowns
  BlockJacobi(Exec const& space, Graph<Exec> const& graph);

  using BlockPreconditioner<Exec, Scalar, N>::apply;
  FactorReport factor(Exec const& space, BlockCsrMatrix<Exec, Scalar, N> const& matrix) override;
  int size() const override;
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
             Vector<Exec, Scalar> const& correction) const override;

  int singular_blocks(Exec const& space) const override;

  std::int64_t workspace_bytes() const override;
  /// \param rows block rows of the matrix
  /// \return the bytes that an object for such matrices allocates
  static std::int64_t workspace_bytes(int rows);

 private:
  struct State;
  detail::PlanState<State> state_;
};

/// Base of BlockGaussSeidel and BlockIlu: sweeps over block rows by colours or levels.
///
/// \tparam Exec execution space
/// \tparam Scalar float or double
/// \tparam N rows and columns of a block
template <ExecutionSpace Exec, Real Scalar, int N>
class BlockSweepPreconditioner : public BlockPreconditioner<Exec, Scalar, N> {
 public:
  using BlockPreconditioner<Exec, Scalar, N>::apply;
  FactorReport factor(Exec const& space, BlockCsrMatrix<Exec, Scalar, N> const& matrix) override;
  int size() const override;
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
             Vector<Exec, Scalar> const& correction) const override;

  int singular_blocks(Exec const& space) const override;
  /// \return number of colours or levels
  int colors() const;
  /// \return colour or level of each block row
  Kokkos::View<int const*, typename Exec::memory_space> row_colors() const;

  std::int64_t workspace_bytes() const override;
  /// \param rows block rows of the matrix
  /// \param entries entries of its profile, the diagonal of each row among them
  /// \return the bytes that an object for such a profile keeps; while it is made it takes temporary memory too
  static std::int64_t workspace_bytes(int rows, std::int64_t entries);

 protected:
  struct State;
  /// \param state of a derived class
  explicit BlockSweepPreconditioner(detail::PlanState<State> state);

 private:
  detail::PlanState<State> state_;
};

/// Symmetric Gauss-Seidel sweeps, with relaxation SSOR, of block rows: from z = 0, for all rows forward and then
/// backward,
///
///     z_i <- (1 - omega) z_i + omega A_ii^-1 (r_i - sum over j != i: A_ij z_j).
///
/// In compressible flow this is the lower-upper symmetric Gauss-Seidel (LU-SGS) method. Rows of one colour, or of one
/// level, are independent: each is one kernel. The profile must be symmetric (not the values), its columns ascending.
/// Diagonal blocks are inverted and replaced as in BlockJacobi. Results are the same bits from run to run and for any
/// number of threads. The plan holds a copy of the blocks in the order of the sweeps, scaled by -A_ii^-1.
///
/// \tparam Exec execution space
/// \tparam Scalar float or double
/// \tparam N rows and columns of a block; the library has N = 4
/// \par Cost
/// apply(): 2 colors() - 1 kernels per sweep; on a device the first sweep over at most 1536 block rows of at most 15
/// colours is one. It reads every block once, a later one twice. A block off the diagonal has N^2 sizeof(Scalar) + 4
/// bytes. A block row adds (N^2 + 4 N) sizeof(Scalar) + 16. With N = 4 and 7 entries per row the first sweep moves at
/// least 1064 bytes per block row in double and 552 in float. factor(): two kernels. Memory: see workspace_bytes(),
/// about the matrix once more.
/// \par Synchrony
/// factor() and apply() are asynchronous and allocate nothing. The constructor waits for its instance.
/// \par Source
/// S. Yoon, A. Jameson, AIAA J. 26 (1988); L. Adams, H. F. Jordan, SIAM J. Sci. Stat. Comput. 7 (1986).
template <ExecutionSpace Exec, Real Scalar, int N>
class BlockGaussSeidel final : public BlockSweepPreconditioner<Exec, Scalar, N> {
 public:
  /// \param space instance on which the kernels run
  /// \param graph symmetric profile of the matrices
  /// \param setup sweeps, relaxation, order
  /// \throws std::invalid_argument for a profile that is not symmetric, a set-up out of range, and more than 2^31 - 1
  /// unknowns
  BlockGaussSeidel(Exec const& space, Graph<Exec> const& graph, BlockGaussSeidelSetup const& setup = {});
};

/// Incomplete factors of blocks without fill, block ILU(0): M = (D + W) D^-1 (D + U) equals A on its profile. W lies
/// below the diagonal of the order, U above it, D holds the pivots.
///
/// Rows of one colour, or of one level, are independent: each is one kernel, of the factorisation and of the solution.
/// The order by colours has few kernels, the order by levels needs fewer iterations. GMRES(50) to 1e-6 on waves in a
/// flow, on a square of 160 x 160 nodes: 309 iterations with BlockJacobi; 129 with BlockGaussSeidel and 101 with
/// BlockIlu by 5 colours; 58 and 36 by rows in 319 levels. The profile must be symmetric (not the values), its columns
/// ascending. Pivots are inverted and replaced as the diagonal blocks of BlockJacobi. Results are the same bits from
/// run to run and for any number of threads. The plan holds the factors in the order of the elimination.
///
/// \tparam Exec execution space
/// \tparam Scalar float or double
/// \tparam N rows and columns of a block; the library has N = 4
/// \par Cost
/// apply(): the kernels and bytes of the first sweep of BlockGaussSeidel. factor(): 2 kernels and one per colour.
/// Memory: see workspace_bytes(), about the matrix once more.
/// \par Synchrony
/// factor() and apply() are asynchronous and allocate nothing. The constructor waits for its instance.
/// \par Source
/// J. A. Meijerink, H. A. van der Vorst, Math. Comp. 31 (1977); Y. Saad, Iterative Methods for Sparse Linear Systems,
/// 2nd ed., SIAM (2003), section 10.3.
template <ExecutionSpace Exec, Real Scalar, int N>
class BlockIlu final : public BlockSweepPreconditioner<Exec, Scalar, N> {
 public:
  /// \param space instance on which the kernels run
  /// \param graph symmetric profile of the matrices
  /// \param setup order
  /// \throws std::invalid_argument for a profile that is not symmetric, a set-up out of range, and more than 2^31 - 1
  /// unknowns
  BlockIlu(Exec const& space, Graph<Exec> const& graph, BlockIluSetup const& setup = {});
};

#define KARMAN_EXTERN_FOR(Exec, Scalar)                            \
  extern template class BlockJacobi<Exec, Scalar, 4>;              \
  extern template class BlockSweepPreconditioner<Exec, Scalar, 4>; \
  extern template class BlockGaussSeidel<Exec, Scalar, 4>;         \
  extern template class BlockIlu<Exec, Scalar, 4>;
#define KARMAN_EXTERN(Exec)      \
  KARMAN_EXTERN_FOR(Exec, float) \
  KARMAN_EXTERN_FOR(Exec, double)
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN
#undef KARMAN_EXTERN_FOR

}  // namespace karman
