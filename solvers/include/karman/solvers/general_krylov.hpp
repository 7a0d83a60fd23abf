// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Krylov methods for systems that are not definite, real and complex: COCG, BiCGStab, GMRES(m).
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/csr.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/solve_report.hpp>
#include <karman/solvers/spmv.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace karman {

enum class KrylovMethod {
  cocg,      ///< A and M symmetric, A^T = A (complex symmetric, not Hermitian); one application of A an iteration
  bicgstab,  ///< any A; two applications an iteration
  gmres      ///< any A; one application, and memory for `restart` vectors
};

std::string_view name(KrylovMethod method);

/// What a plan is made for.
struct KrylovSetup {
  KrylovMethod method = KrylovMethod::cocg;
  int restart = 50;  ///< GMRES: vectors after which it starts again
};

/// What may differ from solve to solve. Norms are 2-norms.
struct LinearSolveOptions {
  /// Stop when |b - A x| <= tolerance |b|, or <= tolerance |b - A x0| where b is zero.
  double tolerance = 1e-8;
  /// Number of the last iteration: one that begins at first_iteration makes max_iterations - first_iteration at most.
  int max_iterations = 10'000;
  /// Iterations between two looks at the residual; a look waits for the device.
  int check_every = 10;
  /// Number of the first iteration, for a solve that continues an earlier one.
  int first_iteration = 0;
  /// The recursion begins anew from x at each iteration whose number is a multiple of this; 0: never. A solve that
  /// continues from such a number has the bits of one that was not interrupted.
  int restart_every = 0;
  /// The solve gives up when this many iterations have brought no residual lower than any before; 0: never. The
  /// residuals of COCG and BiCGStab stand for long before they fall where waves are many.
  int stagnation_after = 2000;
  /// Called at every look, on the host; returning false stops the solve.
  std::function<bool(ResidualSample const&)> monitor = {};
};

/// Solves A x = b for a square matrix A that need not be definite nor Hermitian, by the method that the plan names,
/// with or without a preconditioner M ~ A^-1.
///
/// COCG is conjugate gradients in the bilinear form (u, v) = sum u_i v_i, without conjugation, in the variant with one
/// pass of sums an iteration:
///   z = M r,  w = A z,  gamma = (r, z),  beta = gamma / gamma_old,  alpha = gamma / ((w, z) - beta gamma / alpha_old),
///   p = z + beta p,  s = w + beta s,  x += alpha p,  r -= alpha s.
/// BiCGStab and GMRES (Arnoldi with classical Gram-Schmidt done twice) are preconditioned from the right, so that their
/// residual is that of A x = b. The bilinear form and BiCGStab's can vanish: then the solve ends with the reason.
/// With a JacobiPreconditioner COCG carries z along in the place of r = z / d; it brings x up to date every other time.
///
/// The residual that decides is carried along by the recursion; when it has met the tolerance, b - A x is computed
/// anew, and where rounding has parted the two the iteration starts again from x, as long as that gains something.
/// SolveReport::residual is always |b - A x| / |b| of the x that is returned. A value that is not a number, a product
/// that vanishes, or no progress (stagnation_after; a whole cycle of GMRES) ends the solve, not converged, with the
/// reason in SolveReport::breakdown.
///
/// Vectors have n numbers. x in: first guess, out: solution; x and b must not overlap.
/// Cost an iteration: A, M, and 10 vectors moved (COCG; 12 with M, a diagonal one included), 20 (BiCGStab), 3 j + 4 in
/// the j-th iteration since the last restart (GMRES). Kernels an iteration on a SparseOperator: COCG 2, BiCGStab 4,
/// GMRES 4; a JacobiPreconditioner adds none to the first two, any other M adds its own kernels once (BiCGStab twice).
/// An A of another class costs one more a product, for the sums. Sums are taken in double and stay on the device; a
/// look copies some numbers to the host. Results are the same bits from run to run and for any number of threads, if A
/// and M are. Memory: 5 vectors (COCG), 8 (BiCGStab), restart + 4 (GMRES). solve() allocates nothing and has fenced
/// `space` when it returns. Plans may be moved, not copied; one plan serves one instance at a time. Throws
/// std::invalid_argument for wrong extents or options.
///
/// Source: H. A. van der Vorst, J. B. M. Melissen, IEEE Trans. Magn. 26 (1990), COCG; A. T. Chronopoulos, C. W. Gear,
/// J. Comput. Appl. Math. 25 (1989), the sums; H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992), BiCGStab;
/// Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986), GMRES.
template <ExecutionSpace Exec, SparseScalar Scalar>
class KrylovSolver {
 public:
  using execution_space = Exec;
  using scalar = Scalar;

  /// Plan for n unknowns.
  KrylovSolver(Exec const& space, int n, KrylovSetup const& setup = {});

  KrylovSolver(KrylovSolver&&) noexcept;
  KrylovSolver& operator=(KrylovSolver&&) noexcept;
  ~KrylovSolver();

  /// Without a preconditioner.
  SolveReport solve(Exec const& space, LinearOperator<Exec, Scalar>& a, Vector<Exec, Scalar> const& x,
                    ConstVector<Exec, Scalar> const& rhs, LinearSolveOptions const& options = {});

  /// With a preconditioner, z ~ A^-1 r; for COCG a symmetric one.
  SolveReport solve(Exec const& space, LinearOperator<Exec, Scalar>& a, LinearOperator<Exec, Scalar>& preconditioner,
                    Vector<Exec, Scalar> const& x, ConstVector<Exec, Scalar> const& rhs,
                    LinearSolveOptions const& options = {});

  /// Memory of the plan in the memory of `Exec`.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

#define KARMAN_EXTERN(Exec)                                         \
  extern template class KrylovSolver<Exec, float>;                  \
  extern template class KrylovSolver<Exec, double>;                 \
  extern template class KrylovSolver<Exec, Kokkos::complex<float>>; \
  extern template class KrylovSolver<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
