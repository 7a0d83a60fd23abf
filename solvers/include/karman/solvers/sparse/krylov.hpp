// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Krylov methods for systems that are not definite, real and complex: COCG, BiCGStab, GMRES(m).
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/solve_report.hpp>
#include <karman/solvers/sparse/csr.hpp>
#include <karman/solvers/sparse/krylov_options.hpp>
#include <karman/solvers/sparse/preconditioner.hpp>
#include <karman/solvers/sparse/spmv.hpp>

#include <cstdint>

namespace karman {

/// Solves A x = b for a square matrix A that need not be definite nor Hermitian, by COCG, BiCGStab or GMRES(m), with or
/// without a preconditioner M ~ A^-1.
///
/// COCG is conjugate gradients in the bilinear form (u, v) = sum u_i v_i, without conjugation, in the variant with one
/// pass of sums per iteration:
///
///     z = M r,  w = A z,  gamma = (r, z),  beta = gamma / gamma_old,
///     alpha = gamma / ((w, z) - beta gamma / alpha_old),
///     p = z + beta p,  s = w + beta s,  x += alpha p,  r -= alpha s.
///
/// BiCGStab and GMRES are preconditioned from the right, so that their residual is that of A x = b. The bilinear form
/// and BiCGStab's can vanish: then the solve ends with the reason. GMRES has Arnoldi's method with classical
/// Gram-Schmidt done twice. The second time is one iteration late, so that one pass over the basis has the sums of
/// both. GeneralKrylovSetup::rounded_basis rounds each vector of the basis to float; sums stay in double.
/// With a diagonal M COCG carries z along instead of r = z / d and updates x every other iteration.
///
/// The stopping residual comes from the recursion. When it meets the tolerance, b - A x is computed again; where
/// rounding has made the two differ, the iteration restarts from x as long as that gains something.
/// SolveReport::residual is always that of b - A x. A value that is not a number, a product that vanishes, or no
/// progress (stagnation_after; a whole cycle of GMRES) ends the solve, not converged, with the reason in
/// SolveReport::breakdown.
///
/// Vectors are rank-1 Views of n numbers. A and a preconditioner on a grid (Multigrid, SevenPoint) see them as fields
/// of their own shape, whose cells number n; x contiguous as in every field. Results are the same bits from run to run
/// and for any number of threads, if A and M are. Plans may be moved, not copied; one plan serves one instance at a
/// time.
///
/// \tparam Exec execution space
/// \tparam Scalar number type of the vectors
/// \par Cost
/// Per iteration A, M, and 10 vectors moved (COCG; 12 with M, a diagonal one included), 20 (BiCGStab), 2 j + 4 in the
/// j-th iteration since the last restart (GMRES). Kernels per iteration on a SparseOperator: COCG 2, BiCGStab 4,
/// GMRES 3; a SparseJacobiPreconditioner adds none to the first two, any other M adds its own kernels once (BiCGStab
/// twice). An A of another class costs one more per product, for the sums. Sums are taken in double and stay on the
/// device; a check copies some numbers to the host. Memory: 5 vectors (COCG), 8 (BiCGStab), restart + 3 (GMRES).
/// \par Synchrony
/// solve() allocates nothing and has fenced `space` when it returns.
/// \par Source
/// H. A. van der Vorst, J. B. M. Melissen, IEEE Trans. Magn. 26 (1990), COCG; A. T. Chronopoulos, C. W. Gear, J.
/// Comput. Appl. Math. 25 (1989), the sums; H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992), BiCGStab; Y.
/// Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986), GMRES; D. Bielich, J. Langou, S. Thomas, K. Swirydowicz,
/// I. Yamazaki, E. G. Boman, Parallel Comput. 112 (2022), the delayed projection; J. I. Aliaga, H. Anzt, T.
/// Grutzmacher, E. S. Quintana-Orti, A. E. Tomas, Int. J. High Perform. Comput. Appl. 37 (2023), the rounded basis.
template <ExecutionSpace Exec, SparseScalar Scalar>
class GeneralKrylov {
 public:
  using execution_space = Exec;
  using scalar = Scalar;

  /// \param space instance on which the kernels run
  /// \param n number of unknowns
  /// \param setup method
  /// \throws std::invalid_argument for a negative n, or a restart outside 1 ... 1000
  GeneralKrylov(Exec const& space, int n, GeneralKrylovSetup const& setup = {});

  /// Solves without a preconditioner.
  /// \param space instance on which the kernels run
  /// \param a linear map of n unknowns
  /// \param x in: first guess, out: solution
  /// \param rhs right-hand side b; must not overlap x
  /// \param options tolerance, limits, monitor
  /// \return the report
  /// \throws std::invalid_argument for wrong extents or options
  SolveReport solve(Exec const& space, LinearOperator<Exec, Scalar> const& a, Vector<Exec, Scalar> const& x,
                    ConstVector<Exec, Scalar> const& rhs, GeneralKrylovOptions const& options = {});

  /// Solves with a factored preconditioner, z ~ A^-1 r; for COCG a symmetric one.
  /// \param space instance on which the kernels run
  /// \param a linear map of n unknowns
  /// \param preconditioner M of n unknowns
  /// \param x in: first guess, out: solution
  /// \param rhs right-hand side b; must not overlap x
  /// \param options tolerance, limits, monitor
  /// \return the report
  /// \throws std::invalid_argument for wrong extents or options
  SolveReport solve(Exec const& space, LinearOperator<Exec, Scalar> const& a,
                    Preconditioner<Exec, Scalar> const& preconditioner, Vector<Exec, Scalar> const& x,
                    ConstVector<Exec, Scalar> const& rhs, GeneralKrylovOptions const& options = {});

  /// The same with any linear map as preconditioner, such as a cycle of Multigrid.
  SolveReport solve(Exec const& space, LinearOperator<Exec, Scalar> const& a,
                    LinearOperator<Exec, Scalar> const& preconditioner, Vector<Exec, Scalar> const& x,
                    ConstVector<Exec, Scalar> const& rhs, GeneralKrylovOptions const& options = {});

  /// \return bytes that the plan has allocated in the memory of `Exec`
  std::int64_t workspace_bytes() const;
  /// \param n number of unknowns
  /// \param setup set-up of the plan
  /// \return bytes that such a plan allocates in the memory of `Exec`
  /// \throws std::invalid_argument as the constructor
  static std::int64_t workspace_bytes(int n, GeneralKrylovSetup const& setup = {});

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                                          \
  extern template class GeneralKrylov<Exec, float>;                  \
  extern template class GeneralKrylov<Exec, double>;                 \
  extern template class GeneralKrylov<Exec, Kokkos::complex<float>>; \
  extern template class GeneralKrylov<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
