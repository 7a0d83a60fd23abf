// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Algebraic multigrid of sparse matrices, set up and applied on the device.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/sparse/amg_options.hpp>
#include <karman/solvers/sparse/preconditioner.hpp>
#include <karman/solvers/sparse/spmv.hpp>

#include <cstdint>
#include <vector>

namespace karman {

/// One level of the hierarchy of an AmgPreconditioner.
struct AmgLevel {
  int rows = 0;                    ///< rows of its matrix
  std::int64_t entries = 0;        ///< entries of its matrix
  std::int64_t interpolation = 0;  ///< entries of P, the interpolation from the next coarser level; 0 on the coarsest
  std::int64_t product = 0;        ///< entries of A P; 0 on the coarsest
  int aggregates = 0;              ///< rows of the next coarser level; 0 on the coarsest
  int visits = 1;                  ///< corrections from it per cycle
};

/// One cycle of algebraic multigrid by smoothed aggregation, z = M r ~ A^-1 r.
///
/// Neighbours with strong connections, |a_ij|^2 > theta^2 |a_ii a_jj|, join around roots that are at least three
/// connections apart: a maximal independent set of the squared graph. The tentative interpolation T is one in the
/// aggregate of a row. F is A with its weak entries added to the diagonal, and
///
///     P = T - 4/3 L^-1 F T,   L_ii = (f_ii / |f_ii|) sum_j |f_ij|,   A_coarse = P^T A P,
///
/// again on each level, down to a matrix that a dense inverse solves. The smoother is Chebyshev's polynomial in the
/// matrix scaled by its l1 norms, whose spectrum needs no estimate: for a definite A it lies in (0, 1].
///
/// Suits symmetric matrices of elliptic equations: M is symmetric where A is (A^T = A), positive definite where A is,
/// as CG and COCG require. A singular A (Neumann sides, any number of components) is allowed: the null space is left
/// out on the level where it is all that is left of a component. A diagonal entry of a coarse matrix that is as small
/// as its own rounding error counts as zero. For waves (indefinite A) take the damped matrix, see
/// ShiftedPreconditioner; levels that do not resolve them are smoothed for their complex spectrum. A row without strong
/// connections has no coarse correction, only the smoother.
///
/// The constructor chooses aggregates, profiles and smoothers by the values it sees; factor() takes other values of the
/// same profile and keeps them. Results are the same bits from run to run and for any number of threads.
///
/// \tparam Exec execution space
/// \tparam Scalar number type of the matrix and the vectors
/// \par Cost
/// apply(), two steps: per level three products with its matrix, one each with P, P^T and A P; about 1.25 times that of
/// the finest level on meshes of triangles, 1.5 times where cells are stretched; second corrections add 0.4 at most
/// (AmgCycle). A W-cycle visits level n 2^n times. Kernels per visit: 5, on the finest level 6. Levels that do not
/// resolve waves take twice the steps: seven products with the matrix and 9 kernels. factor(): the products A P and
/// P^T (A P), on meshes of triangles about 220 multiplications per row of the coarse matrix; memory see
/// workspace_bytes(). The constructor takes 56 bytes per row more until it returns.
/// \par Synchrony
/// The constructor waits for `space`. factor() and apply() are asynchronous and allocate nothing. On CUDA the third
/// apply() to the same vectors makes a graph of its kernels, which later ones launch.
/// \par Source
/// P. Vanek, J. Mandel, M. Brezina, Computing 56 (1996), smoothed aggregation; N. Bell, S. Dalton, L. N. Olson, SIAM J.
/// Sci. Comput. 34 (2012), independent sets in parallel; A. H. Baker, R. D. Falgout, T. V. Kolev, U. M. Yang, SIAM J.
/// Sci. Comput. 33 (2011), l1 smoothers and Chebyshev's.
template <ExecutionSpace Exec, SparseScalar Scalar>
class AmgPreconditioner final : public Preconditioner<Exec, Scalar> {
 public:
  /// Builds the hierarchy and takes the values.
  /// \param space instance on which the kernels run
  /// \param matrix square matrix; a diagonal entry in every row, columns ascending. Its memory is shared
  /// \param setup method and its parameters
  /// \throws std::invalid_argument for a matrix that is not square, and for a set-up out of range
  AmgPreconditioner(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix, AmgSetup const& setup = {});

  using Preconditioner<Exec, Scalar>::apply;
  /// Takes the values of a matrix of the same profile, aggregates as before. apply() reads them from `matrix`, whose
  /// memory is shared: leave them as they are until the next factor().
  /// \param space instance on which the kernels run
  /// \param matrix matrix of the profile of the constructor
  /// \return success always; zero_pivots() reports a singular matrix
  /// \throws std::invalid_argument for another number of rows or entries
  FactorReport factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix) override;
  int size() const override;
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
             Vector<Exec, Scalar> const& correction) const override;

  /// \return the levels, the finest first
  std::vector<AmgLevel> const& levels() const;
  /// Entries of all matrices, relative to the entries of the finest.
  double operator_complexity() const;
  /// \return pivots of the coarsest matrix that the last factor() left out as zero; also the diagonal entries that its
  /// smoothers left out or, on the finest level, replaced by 1. That is the dimension of the null space where constants
  /// of the components make it up
  /// \par Synchrony
  /// Fences `space`.
  int zero_pivots(Exec const& space) const;

  /// \return bytes of the hierarchy, without the matrix of the finest level
  std::int64_t workspace_bytes() const override;
  /// Estimate before the object is made, for a mesh of triangles: within a third of the bytes of meshes with cells of
  /// any shape.
  /// \param rows rows of the matrix
  /// \param entries entries of its profile
  /// \param setup set-up of the object
  /// \pre Kokkos is initialized: on a host each of its threads has memory of its own.
  static std::int64_t workspace_bytes(int rows, std::int64_t entries, AmgSetup const& setup = {});

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                                              \
  extern template class AmgPreconditioner<Exec, float>;                  \
  extern template class AmgPreconditioner<Exec, double>;                 \
  extern template class AmgPreconditioner<Exec, Kokkos::complex<float>>; \
  extern template class AmgPreconditioner<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
