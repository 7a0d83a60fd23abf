// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Boundary conditions of the compressible Euler equations. Standard library only.
#pragma once

#include <array>
#include <string_view>

namespace karman {

/// Kind of a boundary condition. Each replaces the flux through the boundary by one of these.
enum class EulerBoundaryKind {
  wall,       ///< slip wall or symmetry: pressure alone
  far_field,  ///< flux between the flow and a given state, by the waves that enter and leave (HLLC)
  inflow,     ///< flux of a given state: supersonic inflow
  outflow,    ///< flux of the flow itself: supersonic outflow
  inlet,      ///< subsonic inlet: given total pressure, total density and direction
  outlet      ///< given static pressure where the flow is subsonic; outflow elsewhere
};

/// "wall", "far_field", "inflow", "outflow", "inlet" or "outlet".
std::string_view name(EulerBoundaryKind kind);

/// Density, velocity and pressure of a gas.
struct EulerState {
  double density = 1;                       ///< rho, positive
  std::array<double, 2> velocity = {0, 0};  ///< (vx, vy)
  double pressure = 1;                      ///< p, positive
};

/// Boundary condition of one label.
struct EulerBoundary {
  EulerBoundaryKind kind = EulerBoundaryKind::wall;  ///< kind
  /// far_field, inflow: the state. outlet: its pressure. inlet: total density and pressure; `velocity` is the
  /// direction, of any length but zero.
  EulerState state = {};
};

/// One end of a boundary edge.
struct EulerBoundaryEnd {
  int edge;  ///< boundary edge of the mesh
  int node;  ///< node at this end
};

/// Conservative variables (density, momentum in x and y, total energy per volume) of a state.
/// \param gamma ratio of specific heats
/// \param state density, velocity and pressure
std::array<double, 4> conservative_state(double gamma, EulerState const& state);

}  // namespace karman
