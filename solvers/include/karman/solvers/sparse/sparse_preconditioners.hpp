// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Preconditioners of sparse matrices that are set up and applied on the device.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/sparse/preconditioner.hpp>
#include <karman/solvers/sparse/sparse_preconditioners_options.hpp>
#include <karman/solvers/sparse/spmv.hpp>

#include <cstdint>

namespace karman {

/// Jacobi preconditioner of a sparse matrix: z_i = r_i / a_ii.
///
/// A pivot a_ii that is zero, absent or not finite is replaced by 1 and counted by zero_pivots().
///
/// \tparam Exec execution space
/// \tparam Scalar number type of the matrix and the vectors
/// \par Cost
/// Three vectors moved per apply(). COCG and BiCGStab of GeneralKrylov multiply within their own passes instead and
/// need no kernel for it.
/// \par Synchrony
/// factor() and apply() are asynchronous and allocate nothing.
template <ExecutionSpace Exec, SparseScalar Scalar>
class SparseJacobiPreconditioner final : public Preconditioner<Exec, Scalar> {
 public:
  /// Finds the diagonal entries and allocates. Asynchronous.
  /// \param space instance on which the kernels run
  /// \param profile profile of the matrices
  /// \param columns number of their columns
  /// \throws std::invalid_argument unless the profile is square
  SparseJacobiPreconditioner(Exec const& space, Graph<Exec> const& profile, int columns);

  using Preconditioner<Exec, Scalar>::apply;
  FactorReport factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix) override;
  int size() const override { return static_cast<int>(inverse_.extent(0)); }
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
             Vector<Exec, Scalar> const& correction) const override;

  /// \return pivots that the last factor() replaced
  /// \par Synchrony
  /// Fences `space`.
  int zero_pivots(Exec const& space) const;

  ConstVector<Exec, Scalar> inverse_diagonal() const override { return inverse_; }

  std::int64_t workspace_bytes() const override { return workspace_bytes(size()); }
  /// \param rows rows of the matrix
  /// \return the bytes that an object for such matrices allocates
  static std::int64_t workspace_bytes(int rows);

 private:
  Kokkos::View<int*, typename Exec::memory_space> diagonal_;  // entry number, or -1
  Vector<Exec, Scalar> inverse_;
  Kokkos::View<int, typename Exec::memory_space> replaced_;
};

/// SSOR and ILU(0) of a matrix whose rows are taken by colour.
///
/// Rows of one colour are independent, so each colour is one kernel. M is symmetric where the matrix is (A^T = A), as
/// COCG requires. The constructor colours the rows on the device by Jones and Plassmann's method (1993). Further passes
/// reduce the number of colours. A pivot that is zero, absent or not finite is replaced by 1 and counted by
/// zero_pivots(). The profile must be symmetric (not the values), its columns ascending. Results are the same bits from
/// run to run and for any number of threads.
///
/// \tparam Exec execution space
/// \tparam Scalar number type of the matrix and the vectors
/// \par Cost
/// apply(): 2 colors() - 1 kernels, the matrix read once, 5 vectors moved; a mesh of triangles takes about 5 colours.
/// factor(): two kernels for SSOR, two and one per colour for ILU(0).
/// \par Synchrony
/// factor() and apply() are asynchronous and allocate nothing. The constructor waits for its instance.
/// \par Source
/// L. Adams, H. F. Jordan, SIAM J. Sci. Stat. Comput. 7 (1986); J. A. Meijerink, H. A. van der Vorst, Math. Comp. 31
/// (1977).
template <ExecutionSpace Exec, SparseScalar Scalar>
class ColoredPreconditioner final : public Preconditioner<Exec, Scalar> {
 public:
  /// \param space instance on which the kernels run
  /// \param profile symmetric profile of the matrices
  /// \param columns number of their columns
  /// \param setup method and its parameters
  /// \throws std::invalid_argument for a profile that is not square or not symmetric, and for a set-up out of range
  ColoredPreconditioner(Exec const& space, Graph<Exec> const& profile, int columns, ColoredSetup const& setup = {});

  using Preconditioner<Exec, Scalar>::apply;
  FactorReport factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix) override;
  int size() const override;
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
             Vector<Exec, Scalar> const& correction) const override;

  /// \return pivots that the last factor() replaced
  /// \par Synchrony
  /// Fences `space`.
  int zero_pivots(Exec const& space) const;
  /// \return number of colours
  int colors() const;
  /// \return colour of each row
  Kokkos::View<int const*, typename Exec::memory_space> row_colors() const;

  std::int64_t workspace_bytes() const override;
  /// \param rows rows of the matrix
  /// \param entries entries of its profile, the diagonal of each row among them
  /// \return the bytes that an object for such a profile keeps; while it is made it takes temporary memory too
  static std::int64_t workspace_bytes(int rows, std::int64_t entries);

 private:
  struct State;
  detail::PlanState<State> state_;
};

/// Shifted preconditioner for waves: steps of a stationary iteration on a matrix S near A that damps waves,
///
///     S = A + shift B.
///
/// For Helmholtz' equation A = K - k^2 B, with stiffness K and mass B, the shifted Laplacian K - (1 + i beta) k^2 B has
/// shift = -i beta k^2 (time as exp(-i omega t); + for the other sign). M is symmetric where A and B are.
///
/// \tparam Exec execution space
/// \tparam Scalar number type of the matrix and the vectors
/// \par Cost
/// apply(): `steps` of the coloured preconditioner; one product with S and one vector pass between two of them.
/// \par Synchrony
/// factor() and apply() are asynchronous and allocate nothing. The constructor waits for its instance.
/// \par Source
/// Y. A. Erlangga, C. Vuik, C. W. Oosterlee, Appl. Numer. Math. 50 (2004).
template <ExecutionSpace Exec, SparseScalar Scalar>
class ShiftedPreconditioner final : public Preconditioner<Exec, Scalar> {
 public:
  /// Colours the rows and allocates, the values of S too.
  /// \param space instance on which the kernels run
  /// \param profile symmetric profile of the matrices
  /// \param columns number of their columns
  /// \param setup method and steps
  /// \throws std::invalid_argument as ColoredPreconditioner does, and for less than one step
  ShiftedPreconditioner(Exec const& space, Graph<Exec> const& profile, int columns, ShiftedSetup const& setup = {});

  using Preconditioner<Exec, Scalar>::apply;
  /// Takes S = A + shift B.
  /// \param space instance on which the kernels run
  /// \param a matrix A
  /// \param b values of B, on the profile of A
  /// \param shift factor of B
  /// \return success
  /// \throws std::invalid_argument for another number of entries
  FactorReport factor(Exec const& space, CsrMatrix<Exec, Scalar> const& a, ConstVector<Exec, Scalar> const& b,
                      Scalar shift);
  /// Takes S itself, shifted by the caller.
  FactorReport factor(Exec const& space, CsrMatrix<Exec, Scalar> const& shifted) override;

  int size() const override { return colored_.size(); }
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
             Vector<Exec, Scalar> const& correction) const override;

  /// \return pivots that the last factor() replaced
  /// \par Synchrony
  /// Fences `space`.
  int zero_pivots(Exec const& space) const { return colored_.zero_pivots(space); }
  /// \return S
  CsrMatrix<Exec, Scalar> const& matrix() const { return shifted_; }

  std::int64_t workspace_bytes() const override;
  /// \param rows rows of the matrix
  /// \param entries entries of its profile, the diagonal of each row among them
  /// \param setup set-up of the object
  /// \return the bytes that an object for such a profile keeps; while it is made it takes temporary memory too
  static std::int64_t workspace_bytes(int rows, std::int64_t entries, ShiftedSetup const& setup = {});

 private:
  ShiftedSetup setup_;
  ColoredPreconditioner<Exec, Scalar> colored_;
  CsrMatrix<Exec, Scalar> shifted_;
  Vector<Exec, Scalar> rest_, step_;
};

#define KARMAN_EXTERN_FOR(Exec, Scalar)                           \
  extern template class SparseJacobiPreconditioner<Exec, Scalar>; \
  extern template class ColoredPreconditioner<Exec, Scalar>;      \
  extern template class ShiftedPreconditioner<Exec, Scalar>;
#define KARMAN_EXTERN(Exec)                       \
  KARMAN_EXTERN_FOR(Exec, float)                  \
  KARMAN_EXTERN_FOR(Exec, double)                 \
  KARMAN_EXTERN_FOR(Exec, Kokkos::complex<float>) \
  KARMAN_EXTERN_FOR(Exec, Kokkos::complex<double>)
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN
#undef KARMAN_EXTERN_FOR

}  // namespace karman
