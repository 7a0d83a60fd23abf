// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of euler_jacobian.hpp. Standard library only.
#pragma once

#include <string_view>

namespace karman {

/// Dissipation of the first-order scheme of an EulerJacobian, D for an edge with the normal n.
enum class EulerDissipation {
  roe,              ///< |A . n| at Roe's mean state
  spectral_radius,  ///< (|v . n| + c |n|) times the identity, at Roe's mean state: Rusanov's scheme
  none              ///< none: the Jacobian of the central scheme
};

/// "roe", "spectral_radius" or "none".
std::string_view name(EulerDissipation dissipation);

/// Options of an EulerJacobian.
struct EulerJacobianOptions {
  EulerDissipation dissipation = EulerDissipation::roe;  ///< dissipation
  /// Entropy fix of `roe`: speeds of waves l below d = entropy_fix (|v . n| + c |n|) become (l^2 + d^2) / (2 d). From 0
  /// (no fix) to 1.
  double entropy_fix = 0.1;
  /// Share of the dissipation that is the SUPG term of the triangles, tau |T| (A . grad N_i) (A . grad N_j), with A and
  /// tau constant, in place of D: from 0 to 1. D also damps across the flow, which EulerScheme::supg hardly does. With
  /// little of D incomplete factors fail.
  double streamline = 0;
  /// Nodes may move (EulerRhsSetup::moving): the matrix then has the normals of the mesh as it was made, and is no
  /// Jacobian but a preconditioner.
  bool keeps_normals = false;
};

}  // namespace karman
