// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Compressible flow in time by implicit steps.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/euler/euler_implicit_options.hpp>
#include <karman/solvers/euler/euler_newton_options.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace karman {

/// Steps of dU/dt = r(U), r that of an EulerRhs, whose length the stability of small cells does not limit. Each system
///
///     g (U - B) = r(U)
///
/// is solved by Newton's method with the linear systems of EulerNewton: (g - dr/dU) d is a difference of residuals with
/// their projections, the matrix of EulerJacobian preconditions GMRES. Where such a step does not reduce the residual,
/// one with that matrix as the derivative is tried.
///
/// EulerImplicitMethod::bdf2, with the steps h and h_1 before it: g = 1/h + 1/(h + h_1) and
///
///     B = U_n + h^2 / (h_1 (2 h + h_1)) (U_n - U_(n-1)).
///
/// Its first step is one of tr_bdf2. EulerImplicitMethod::tr_bdf2, with d = 1 - 1/sqrt(2), w = sqrt(2)/4, g = 1/(d h):
///
///     B_2 = U_n + d h r(U_n),   B_3 = U_n + w h (r(U_n) + r(U_2)).
///
/// Estimated error of a step, with a tolerance. bdf2: by the third difference of the last four flows. tr_bdf2: by
/// embedded weights of order 3, times g and the inverse preconditioner of g - dr/dU. Steps have the length
/// h (tolerance / error)^(1/3), with a margin. A step whose error is larger, or whose system Newton's method does not
/// solve, is repeated with a shorter length.
///
/// Norm: root of the mean square over the area, summed over the four variables, each over its reference value: rho,
/// rho c, rho c, rho c^2.
///
/// The end time is met exactly: where less than two steps are left, both share the rest.
///
/// Moving nodes: the function that step() calls gives their places and velocities at its time to
/// EulerRhs::set_motion(), with a dt of 0. r is then the change of U at the moving nodes. Uniform flow stays uniform to
/// round-off; mass, momentum and energy are kept to the second order in time.
///
/// On a mesh at rest a step keeps mass, momentum and energy except for the residual that Newton's method leaves.
/// \pre EulerRhsSetup has local_steps, and no step limits tau. Nodes of a periodic group have equal
/// values.
/// \par Cost
/// As EulerNewton per Newton iteration, but one Jacobian with its factors per step. Memory: that of EulerNewton and six
/// fields.
/// \par Synchrony
/// step() allocates nothing and has fenced `space` when it returns. It waits for the checks of GMRES and the norms.
/// \par Reproducibility
/// The same bits from run to run and for any number of threads, except for EulerStrategy::atomic. A run that continues
/// from state(), the flow and former() has the bits of one that was not interrupted.
/// \par Source
/// E. Hairer, G. Wanner, Solving Ordinary Differential Equations II (1996), backward differences; R. E. Bank et al.,
/// IEEE Trans. Electron Devices 32 (1985), and M. E. Hosea, L. F. Shampine, Appl. Numer. Math. 20 (1996), TR-BDF2 with
/// its error estimate.
/// \tparam Exec execution space
/// \tparam T float or double
template <ExecutionSpace Exec, Real T>
class EulerImplicit {
 public:
  using execution_space = Exec;  ///< execution space of the plan
  /// Called with the time of each residual of a step before it: sets states of the boundary and places of
  /// the nodes.
  using AtTime = std::function<void(double time)>;

  /// \param space instance of the kernels
  /// \param rhs residual with its boundary conditions; must live as long as this object
  /// \param method method in time
  /// \param setup preconditioner, GMRES, scales
  /// \param group periodic groups, as for EulerRhs
  /// \throws std::invalid_argument as EulerNewton
  EulerImplicit(Exec const& space, EulerRhs<Exec, T>& rhs, EulerImplicitMethod method,
                EulerNewtonSetup const& setup = {}, std::vector<int> const& group = {});

  /// Starts a run.
  /// \param space instance of the copies
  /// \param options of the following steps
  /// \param from state() of a run that it continues, or the time of the start
  /// \param former former() of that run
  /// \throws std::invalid_argument for options out of range, and for former flows of another size or without a step
  void start(Exec const& space, EulerImplicitOptions const& options, EulerImplicitState const& from = {},
             std::vector<ConstVector<Exec, T>> const& former = {});

  /// Sets the end time of the following steps; infinity: none.
  void set_end(double end);

  /// One step; none at the end time.
  /// \param space instance of the kernels
  /// \param u in: flow with positive density and pressure; out: flow after the step
  /// \param at called before residuals of another time; may be empty
  /// \return report; a step that stalls leaves the flow as it is
  /// \throws std::invalid_argument for a field of another size, and before start()
  EulerImplicitStep step(Exec const& space, EulerField<Exec, T> const& u, AtTime const& at = {});

  /// State between two steps, from which start() continues.
  EulerImplicitState state() const;
  /// Flows before the last steps, the last first, as unknowns of 4 n numbers: those that the next step needs.
  std::vector<ConstVector<Exec, T>> former() const;
  /// Bytes of the plan in the memory of `Exec`, without the EulerRhs.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                         \
  extern template class EulerImplicit<Exec, float>; \
  extern template class EulerImplicit<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
