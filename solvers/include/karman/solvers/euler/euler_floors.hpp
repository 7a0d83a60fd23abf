// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Least density and pressure of an EulerField, with a record of all that they changed.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace karman {

/// Least density and pressure.
struct EulerFloors {
  double density = 0;   ///< least density; 0: none
  double pressure = 0;  ///< least pressure; 0: none
};

/// Changes since the start or the last reset.
struct EulerFloorReport {
  std::int64_t changes = 0;  ///< changed nodes, one that was changed twice counted twice
  std::int64_t nodes = 0;    ///< nodes that were changed at least once
  int node = -1;             ///< the lowest of them; -1: none
  double mass = 0;           ///< mass that the flow has gained, per length across the plane
  double energy = 0;         ///< energy that the flow has gained, per length across the plane
};

/// Raises density and pressure to their floors:
///
///     rho <- max(rho, density),   rho E <- max(rho E, pressure / (gamma - 1) + |rho v|^2 / (2 rho)).
///
/// The momentum stays. So mass and energy are only added, never removed; the report gives both sums. Values above the
/// floors keep their bits; a second pass changes nothing. NaN stays NaN.
///
/// A time integrator applies the floors to the vectors of its stages as well. All of them count as changes. The share
/// of each stage in the step, TimeStage::share, weights its mass and energy. On a moving mesh the masses are those at
/// the end of the step. So a flow grows by the reported amounts, except for the fluxes through the boundary.
///
/// Floors are a last resort for a few nodes behind a corner or at an impulsive start. A count that grows throughout a
/// run means that the mesh, the step or the boundary conditions do not fit the flow.
/// \par Units
/// Units of the field; mass and energy per length.
/// \par Cost
/// apply() reads the field once; report() reads 24 bytes per node. Memory: 24 bytes per node, none without floors.
/// \par Synchrony
/// apply() and reset() are asynchronous and allocate nothing. The constructor and report() fence `space`.
/// \par Reproducibility
/// All numbers of the report have the same bits from run to run and for any number of threads.
/// \tparam Exec execution space
/// \tparam T float or double
template <ExecutionSpace Exec, Real T>
class EulerFloorLimiter {
 public:
  using execution_space = Exec;  ///< execution space of the plan

  /// \param space instance of the kernels
  /// \param rhs right-hand side, for gamma and the masses of the nodes; must live as long as this object
  /// \param floors least values
  /// \param group the periodic groups of `rhs`
  /// \throws std::invalid_argument for floors that are negative or not finite, and for groups of another length
  EulerFloorLimiter(Exec const& space, EulerRhs<Exec, T> const& rhs, EulerFloors const& floors,
                    std::vector<int> const& group = {});

  /// Raises the values of u. Does nothing without floors.
  /// \param space instance of the kernel
  /// \param u conservative variables
  /// \param share share of the added mass and energy that the report counts
  /// \param dt time since the start of the step of EulerRhs::set_motion(): u has the masses M + dt dM/dt. Empty: M
  /// \throws std::invalid_argument for a field of another size
  void apply(Exec const& space, EulerField<Exec, T> const& u, double share = 1, DeviceNumber<Exec> const& dt = {});

  /// Changes since the start or the last reset. Fences.
  /// \param space instance of the kernels
  EulerFloorReport report(Exec const& space);

  /// Clears all counts of changes.
  /// \param space instance of the kernel
  void reset(Exec const& space);

  /// Bytes of the plan in the memory of `Exec`, without the workspace of the reduction.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                             \
  extern template class EulerFloorLimiter<Exec, float>; \
  extern template class EulerFloorLimiter<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
