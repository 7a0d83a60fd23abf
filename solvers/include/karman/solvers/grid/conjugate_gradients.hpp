// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Krylov methods: conjugate gradients, plain and preconditioned.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/core/types.hpp>
#include <karman/solvers/grid/conjugate_gradients_options.hpp>
#include <karman/solvers/grid/seven_point.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/solve_report.hpp>

#include <array>
#include <cstdint>

namespace karman {

/// Solves A x = b by the method of conjugate gradients. A is self-adjoint and definite, of either sign, or singular
/// with the constants as its null space:
///
///     alpha = <r, z> / <p, A p>,  x += alpha p,  r -= alpha A p,  z = M r,  p <- z + beta p;
///
/// z = r without a preconditioner M. The error in the norm of A falls at least by
/// (sqrt(c) - 1) / (sqrt(c) + 1) per iteration, c the condition number of M A.
///
/// A singular problem is solved for b less its mean, whose size is SolveReport::imbalance. The solution has mean zero
/// once the solve has ended (docs/stopping.md).
/// The residual that decides is carried along by the recursion; when it has met the tolerance, b - A x is computed
/// again. Where rounding has made the two differ, the iteration starts again from x, as long as that gains something.
/// SolveReport::residual is always that of b - A x. A value that is not a number ends the solve, not converged. So does
/// an operator or preconditioner that is not definite. SolveReport::breakdown is the reason.
///
/// Views: fields of the shape of the operator, contiguous. x in: first guess, out: solution.
/// Results are the same bits from run to run and for any number of threads. solve() allocates no field. Plans may be
/// moved, not copied; one plan serves one instance at a time.
///
/// With many processes each gives its part of the fields, which may have no cells, and all call solve(). Sums are
/// joined in order of rank: results are the same bits in every run with this number of processes. A monitor that stops
/// the solve in one of them stops it in all. Source: M. R. Hestenes and E. Stiefel, J. Res. Nat. Bur. Standards 49
/// (1952); Y. Notay, Flexible conjugate gradients, SIAM J. Sci. Comput. 22 (2000).
///
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Cost
/// Per cell and iteration beyond A and M: 9 reals moved (11 with a preconditioner, 12 flexible), 6 to 8 flops; three
/// kernels (four); sums are taken in double. One copy of some numbers to the host at every check. Memory: three fields
/// (four). With many processes two collective messages of 24 B per iteration, and one per check with monitors.
template <ExecutionSpace Exec, Real T>
class ConjugateGradients {
 public:
  using execution_space = Exec;
  using real = T;

  /// Plan.
  /// \param space execution space instance
  /// \param extents shape (k, j, i) of the fields
  /// \param preconditioned false saves one field and refuses preconditioners
  /// \throws std::invalid_argument for an extent below 1.
  ConjugateGradients(Exec const& space, std::array<int, 3> const& extents, bool preconditioned = true);

  /// The same with options of the plan.
  /// \param space execution space instance
  /// \param extents shape (k, j, i) of the fields of this process
  /// \param setup preconditioning and processes
  /// \throws std::invalid_argument for an extent below 1, with many processes below 0.
  ConjugateGradients(Exec const& space, std::array<int, 3> const& extents, KrylovSetup const& setup);

  /// Without a preconditioner.
  /// \param space execution space instance
  /// \param a the operator, for example a SevenPoint
  /// \param x in: first guess, out: solution
  /// \param rhs right-hand side, without boundary values
  /// \param options per-solve options
  /// \return iterations and residuals
  /// \throws std::invalid_argument in all processes, for wrong extents or options.
  /// \par Synchrony
  /// Fences `space`.
  SolveReport solve(Exec const& space, SelfAdjointOperator<Exec, T> const& a, Field<Exec, T> const& x,
                    ConstField<Exec, T> const& rhs, KrylovOptions const& options = {});

  /// With a preconditioner.
  /// \param space execution space instance
  /// \param a the operator, for example a SevenPoint
  /// \param preconditioner z ~ A^-1 r: a self-adjoint map in the same inner product, definite with the sign of A; zero
  /// in cells that have no equation
  /// \param x in: first guess, out: solution
  /// \param rhs right-hand side, without boundary values
  /// \param options per-solve options
  /// \return iterations and residuals
  /// \throws std::invalid_argument in all processes, for wrong extents or options, and for a preconditioner on other
  /// processes than the plan.
  /// \par Synchrony
  /// Fences `space`.
  SolveReport solve(Exec const& space, SelfAdjointOperator<Exec, T> const& a,
                    LinearOperator<Exec, T> const& preconditioner, Field<Exec, T> const& x,
                    ConstField<Exec, T> const& rhs, KrylovOptions const& options = {});

  /// Memory of the plan in the memory of `Exec`.
  std::int64_t workspace_bytes() const;
  /// The same before the plan of one process is made.
  /// \param extents shape (k, j, i) of the fields
  /// \param preconditioned as in the constructor
  /// \throws std::invalid_argument for an extent below 1.
  static std::int64_t workspace_bytes(std::array<int, 3> const& extents, bool preconditioned = true);

 private:
  struct State;
  detail::PlanState<State> state_;
};

/// The preconditioner of Jacobi: z = r / (diagonal of A), zero in cells that have no equation. It helps where the
/// diagonal varies: thin layers, partly closed cells, variable coefficients.
/// \par Cost
/// 2 reals per cell moved, and the coefficients.
template <ExecutionSpace Exec, Real T>
class DiagonalPreconditioner final : public LinearOperator<Exec, T> {
 public:
  /// Inverse of the diagonal of an operator.
  explicit DiagonalPreconditioner(SevenPoint<Exec, T> const& a) : a_(a) {}
  std::array<int, 3> extents() const override { return a_.extents(); }
  Communicator communicator() const override { return a_.communicator(); }
  void apply(Exec const& space, ConstField<Exec, T> const& residual, Field<Exec, T> const& correction) const override;

 private:
  SevenPoint<Exec, T> a_;
};

#define KARMAN_EXTERN(Exec)                                  \
  extern template class ConjugateGradients<Exec, float>;     \
  extern template class ConjugateGradients<Exec, double>;    \
  extern template class DiagonalPreconditioner<Exec, float>; \
  extern template class DiagonalPreconditioner<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
