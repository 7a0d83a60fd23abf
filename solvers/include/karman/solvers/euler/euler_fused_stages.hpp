// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Stages of a march with local steps as one kernel each, for small meshes on a device.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>
#include <karman/solvers/euler/residual_smoothing.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>

namespace karman {

/// Most triangles for which fused stages are the faster ones, measured on an H200.
constexpr int euler_fused_most_triangles = 24000;

/// The stages of a march with local steps as one kernel each: residual with its boundary, smoothing, update and rates.
/// Apart they are up to eight kernels, and on a small mesh a device waits for each of them.
///
/// Patches of neighbouring nodes share the mesh. A patch computes its stage without the others: it repeats the
/// triangles of the rings of nodes around it that the smoothing needs (overlapped tiling). With two sweeps and 24 nodes
/// to a patch, each triangle is computed about five times.
///
/// Results equal those from EulerRhs and ResidualSmoothing to round-off.
///
/// \pre The mesh has no faults (check_mesh()). Nodes of a periodic group have equal values.
/// \par Cost
/// On an H200 a smoothed stage in double takes 14 us with 11,000 triangles, a step of four stages 70 us; apart 123 us.
/// Memory: about 300 bytes per triangle in double.
/// \par Synchrony
/// The constructor fences and works on the host. All else is asynchronous and allocates nothing.
/// \par Reproducibility
/// The same bits from run to run and for any number of threads.
/// \par Source
/// J. Holewinski, L.-N. Pouchet, P. Sadayappan, ICS 2012, overlapped tiling.
/// \tparam Exec execution space
/// \tparam T float or double
template <ExecutionSpace Exec, Real T>
class EulerFusedStages {
 public:
  /// Whether stages of this right-hand side can be fused: EulerScheme::supg with EulerRhsSetup::local_steps, and nodes
  /// at rest.
  /// \param rhs right-hand side
  /// \param smoothing smoothing, or null: at most two sweeps
  static bool possible(EulerRhs<Exec, T> const& rhs, ResidualSmoothing<Exec, T> const* smoothing);

  /// The stages where they are the faster way: on a device, where they are possible(), for at most
  /// euler_fused_most_triangles and patches that fit its fast scratch. Otherwise nothing.
  /// \param space instance of the copies
  /// \param rhs right-hand side; must live as long as the result, at the same address
  /// \param smoothing smoothing over the same mesh, or null; not needed afterwards
  static std::optional<EulerFusedStages> if_faster(Exec const& space, EulerRhs<Exec, T> const& rhs,
                                                   ResidualSmoothing<Exec, T> const* smoothing);

  /// \param space instance of the copies
  /// \param rhs right-hand side; must live as long as this object, at the same address
  /// \param smoothing smoothing over the same mesh, or null; not needed afterwards
  /// \param patch_nodes nodes of a patch, without those around it; fewer where a device has too little scratch. 0: as
  /// many as let all patches run at once, 12 to 40
  /// \throws std::invalid_argument where they are not possible(), for another number of nodes, and for negative
  /// patch_nodes. Also where a patch needs more than 20,000 triangles, or on a device one of a single node more scratch
  /// than it has
  EulerFusedStages(Exec const& space, EulerRhs<Exec, T> const& rhs, ResidualSmoothing<Exec, T> const* smoothing,
                   int patch_nodes = 0);

  /// EulerRhs::project() in one kernel.
  /// \param space instance of the kernel
  /// \param u conservative variables
  /// \throws std::invalid_argument for a field of another size, and before EulerRhs::set_boundary()
  void project(Exec const& space, ConstEulerField<Exec, T> const& u) const;

  /// result = base + factor s, where s is the smoothed dt_i du_i/dt at u. Uses the last projection.
  /// \param space instance of the kernel
  /// \param base former values; may be result
  /// \param u conservative variables
  /// \param factor share of the step
  /// \param dt step of each node, equal in a periodic group
  /// \param result must not overlap u
  /// \param rates out: EulerRhs::local_rates() of all four variables of each node, one variable after the other; empty:
  /// unwanted
  /// \throws std::invalid_argument for arguments of another size, for result over u, and before
  /// EulerRhs::set_boundary()
  void advance(Exec const& space, ConstEulerField<Exec, T> const& base, ConstEulerField<Exec, T> const& u,
               double factor, ConstVector<Exec, T> const& dt, EulerField<Exec, T> const& result,
               Vector<Exec, T> const& rates) const;

  /// Number of patches.
  int patches() const;
  /// Bytes of the plan in the memory of `Exec`, without the right-hand side.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                            \
  extern template class EulerFusedStages<Exec, float>; \
  extern template class EulerFusedStages<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
