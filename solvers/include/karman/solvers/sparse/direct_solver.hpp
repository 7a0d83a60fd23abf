// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Direct solution of sparse systems on the host.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/solve_report.hpp>
#include <karman/solvers/sparse/direct_solver_options.hpp>
#include <karman/solvers/sparse/preconditioner.hpp>
#include <karman/solvers/sparse/spmv.hpp>

#include <cstdint>
#include <vector>

namespace karman {

/// \return the libraries of this build, the choice of `automatic` first
std::vector<DirectLibrary> direct_libraries();

/// Solves A x = b by a sparse factorisation with pivoting on the host: P A Q = L U, or L D L^T where MUMPS finds A^T =
/// A.
///
/// Works in three steps: analyse() once per profile, factor() once per matrix, solve() once per right-hand side.
/// On one core, in double (float is converted); matrices and vectors of a device are copied. Suits reference solutions,
/// systems on which Krylov methods stall, and small systems on a few cores. As a Preconditioner (z = A^-1 r) it suits
/// matrices near the factored one. Matrices are square, columns ascend within a row.
///
/// MUMPS halves the work where profile and values are symmetric. Each factor() compares the values, to 16 roundings of
/// the greatest entry of both rows. Other matrices of the profile keep the order and repeat the rest of the symbolic
/// phase.
///
/// \tparam Exec execution space in whose memory matrices and vectors lie
/// \tparam Scalar number type of the matrix and the vectors
/// \par Cost
/// In two dimensions about n^1.5 flops. By nested dissection about 5 n log2 n entries of L and U, half as many of L and
/// D. The matrix is kept on the host.
/// \par Synchrony
/// Every call, apply() too, has fenced `space` when it returns. One object serves one thread at a time. Calls of MUMPS
/// by several objects wait for each other.
/// \par Reproducibility
/// The same bits from run to run, with a BLAS that has this property.
/// \throws std::invalid_argument for a library that this build lacks; for a matrix that is not square or differs from
/// the analysed profile; for calls out of turn
/// \throws std::runtime_error when memory runs out: analyse() counts the entries of the factors, and factor() compares
/// their memory with the free memory before it begins
/// \par Source
/// P. R. Amestoy et al., SIAM J. Matrix Anal. Appl. 23 (2001); G. Karypis, V. Kumar, SIAM J. Sci. Comput. 20 (1998); T.
/// A. Davis, ACM Trans. Math. Softw. 30 (2004); X. S. Li, ACM Trans. Math. Softw. 31 (2005).
template <ExecutionSpace Exec, SparseScalar Scalar>
class DirectSolver final : public Preconditioner<Exec, Scalar> {
 public:
  /// \param library library to use
  /// \throws std::invalid_argument with the package to install, where the library is absent
  explicit DirectSolver(DirectLibrary library = DirectLibrary::automatic);

  /// Orders the unknowns of a profile.
  /// \param space instance of the copies
  /// \param matrix matrix with that profile; its values are not read
  void analyse(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix);

  /// Factors the values of a matrix of the analysed profile.
  /// \return condition, entries and, without factors, the reason
  FactorReport factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix) override;

  /// x = A^-1 b, refined once by the residual of the factored matrix.
  ///
  /// SolveReport::residual is |b - A x| / |b| in 2-norms, of x in double before it is rounded to float; where b is
  /// zero, relative to the residual of x as given (docs/stopping.md). After a factorisation that broke down x is left,
  /// the report has the reason, and `residual` is that of x: NaN where the matrix holds a NaN.
  /// \param space instance of the copies
  /// \param x solution
  /// \param rhs right-hand side b
  /// \param tolerance SolveReport::converged is true for a residual of at most this
  /// \return the report
  SolveReport solve(Exec const& space, Vector<Exec, Scalar> const& x, ConstVector<Exec, Scalar> const& rhs,
                    double tolerance = 1e-8);

  /// Rows of the analysed matrix, 0 before analyse().
  int size() const override;

  using Preconditioner<Exec, Scalar>::apply;
  /// z = A^-1 r without refinement, zero where there are no factors.
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
             Vector<Exec, Scalar> const& correction) const override;

  /// \return the library in use
  DirectLibrary library() const;

  /// Peak of factor() on the host in bytes, beyond the memory in use after analyse(); 0 before it.
  ///
  /// Counted from the profile, for pivots that stay on the diagonal as far as the library prefers them. On meshes in
  /// the plane with 14 400 nodes or more it is at least the peak. It is at most 1.2 times the peak with MUMPS and
  /// UMFPACK, twice with SuperLU. A symmetric profile counts as a symmetric matrix until MUMPS factors one that is not.
  std::int64_t factor_bytes() const;

  /// \return peak on the host from analyse() to solve() in bytes, libraries included: a bound, as factor_bytes(); 0
  /// before analyse()
  std::int64_t workspace_bytes() const override;
  /// The same for a profile, before an object is made.
  /// \param rows rows of the matrix
  /// \param offsets offsets of the profile, rows + 1
  /// \param columns its columns, ascending within a row
  /// \param library library to use
  /// \return bytes
  /// \par Cost
  /// That of analyse().
  static std::int64_t workspace_bytes(int rows, std::vector<int> const& offsets, std::vector<int> const& columns,
                                      DirectLibrary library = DirectLibrary::automatic);

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                                         \
  extern template class DirectSolver<Exec, float>;                  \
  extern template class DirectSolver<Exec, double>;                 \
  extern template class DirectSolver<Exec, Kokkos::complex<float>>; \
  extern template class DirectSolver<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
