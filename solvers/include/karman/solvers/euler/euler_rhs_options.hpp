// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of euler_rhs.hpp. Standard library only.
#pragma once

#include <string_view>

namespace karman {

/// Scheme in space. Both have the same unknowns, masses and boundary conditions.
enum class EulerScheme {
  supg,  ///< linear finite elements with a streamline-upwind term and a shock-capturing viscosity
  muscl  ///< finite volumes around the nodes with limited states and upwind fluxes, for shocks without waves
};

/// "supg" or "muscl".
std::string_view name(EulerScheme scheme);

/// Strategy for the sums over the triangles around a node. All give the same residual to round-off.
enum class EulerStrategy {
  automatic,  ///< blocks
  atomic,     ///< twelve atomic additions per triangle, in any order: rounding differs from run to run
  colored,    ///< colour by colour: triangles of one colour share no node
  blocks,     ///< blocks of triangles along a Hilbert curve, with their nodes in team scratch
  expanded    ///< nodal values are copied to every triangle, its contributions stored, then summed per node
};

/// "automatic", "atomic", "colored", "blocks" or "expanded".
std::string_view name(EulerStrategy strategy);

/// Order of nodes and triangles inside the plan. Fields keep the order of the mesh.
enum class EulerOrder {
  automatic,   ///< as_given where most nodes lie near the previous one, otherwise along_curve
  as_given,    ///< that of the mesh
  along_curve  ///< along a Hilbert curve; each residual copies the fields to that order and back
};

/// Options of an EulerRhs plan.
struct EulerRhsSetup {
  /// Scheme in space. `muscl` takes no notice of strategy, stabilization, shock_capturing, block_triangles and
  /// step_limits_tau, and keeps the nodes at rest.
  EulerScheme scheme = EulerScheme::supg;
  EulerStrategy strategy = EulerStrategy::automatic;  ///< strategy of the sums
  EulerOrder order = EulerOrder::automatic;           ///< order inside the plan
  double gamma = 1.4;                                 ///< ratio of specific heats, above 1
  /// Streamline-upwind (SUPG) term. Without it the scheme is a central one, unstable in time.
  bool stabilization = true;
  /// Factor of the shock-capturing viscosity, 0 or more.
  double shock_capturing = 1;
  /// Triangles per block; 0: the plan chooses.
  int block_triangles = 0;
  /// Memory for EulerRhs::local_rates(): per triangle 14 bytes and one number.
  bool local_steps = false;
  /// The time step limits tau, for flows in time. Off: the steady state does not depend on the step.
  bool step_limits_tau = true;
  /// Memory for nodes that move, see EulerRhs::set_motion().
  bool moving = false;
};

}  // namespace karman
