// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Steady compressible flow by a Newton-Krylov method.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/euler/euler_newton_options.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>

#include <cstdint>
#include <vector>

namespace karman {

/// Solves r(U) = 0, with r = du/dt of an EulerRhs, by pseudo-transient continuation. A step solves
///
///     (1/dt - dr/dU) d = r(U),   dt_i = cfl / rate_i of EulerRhs::local_rates(),
///
/// by GMRES, and adds the share a of d that keeps density and pressure and lets |a d / dt - r(U + a d)| fall below
/// |r(U)|. For small steps this is implicit Euler; for cfl -> infinity it is Newton's method.
///
/// The first steps have the matrix of EulerJacobian for dr/dU, the first-order part of the scheme: the residual is not
/// smooth in a uniform flow. Once it has dropped to EulerNewtonOptions::switch_at, products are differences of
/// residuals, (r(U + e v) - r(U)) / e, each with its own projection. The matrix then preconditions GMRES alone.
///
/// cfl grows by the ratio of the residuals of two steps (switched evolution relaxation), at most by
/// EulerNewtonOptions::growth. A step whose halves do not reduce the residual either is dropped, and cfl is cut. A
/// march that starts with a residual below EulerNewtonState::largest has grown by their ratio at its first step.
/// A march stalls where that does not help, or where the residual no longer falls: at round-off at the latest.
///
/// Norm of a residual: root of the mean square over the area, summed over the four variables, each over its reference
/// value: rho, rho c, rho c, rho c^2.
/// \pre EulerRhsSetup has local_steps, and no step limits tau. Nodes are at rest. Nodes of a periodic group have equal
/// values.
/// \par Cost
/// An iteration of GMRES: a residual and a projection, a preconditioner of 4 x 4 blocks, and vectors. Memory: matrix
/// and factors, `restart` + 5 vectors, with groups one more, and three fields.
/// \par Synchrony
/// step() allocates nothing and has fenced `space` when it returns. It waits for the checks of GMRES and the norms.
/// \par Reproducibility
/// The same bits from run to run and for any number of threads, except for EulerStrategy::atomic. A march that
/// continues from state() and the flow has the bits of one that was not interrupted.
/// \par Source
/// W. A. Mulder, B. van Leer, J. Comput. Phys. 59 (1985), growth of the step; C. T. Kelley, D. E. Keyes, SIAM J. Numer.
/// Anal. 35 (1998), pseudo-transient continuation; D. A. Knoll, D. E. Keyes, J. Comput. Phys. 193 (2004), differences
/// of residuals.
/// \tparam Exec execution space
/// \tparam T float or double
template <ExecutionSpace Exec, Real T>
class EulerNewton {
 public:
  using execution_space = Exec;  ///< execution space of the plan

  /// \param space instance of the kernels
  /// \param rhs residual with its boundary conditions; must live as long as this object
  /// \param setup preconditioner, GMRES, scales
  /// \param group periodic groups, as for EulerRhs
  /// \throws std::invalid_argument for a set-up out of range, a right-hand side without local_steps or with
  /// step_limits_tau, and groups of another length
  EulerNewton(Exec const& space, EulerRhs<Exec, T>& rhs, EulerNewtonSetup const& setup = {},
              std::vector<int> const& group = {});

  /// Starts a march.
  /// \param options of the following steps
  /// \param from state() of a march that it continues
  /// \throws std::invalid_argument for options out of range
  void start(EulerNewtonOptions const& options = {}, EulerNewtonState const& from = {});

  /// One step.
  /// \param space instance of the kernels
  /// \param u in: flow with positive density and pressure; out: flow after the step
  /// \return report; a step that stalls leaves the flow as it is
  /// \throws std::invalid_argument for a field of another size
  EulerNewtonStep step(Exec const& space, EulerField<Exec, T> const& u);

  /// Norm of the residual of a flow. Fences `space`.
  double residual(Exec const& space, ConstEulerField<Exec, T> const& u);

  /// State between two steps, from which start() continues.
  EulerNewtonState state() const;
  /// Bytes of the plan in the memory of `Exec`, without the EulerRhs.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                       \
  extern template class EulerNewton<Exec, float>; \
  extern template class EulerNewton<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
