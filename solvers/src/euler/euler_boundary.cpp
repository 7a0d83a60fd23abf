// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/solvers/euler/euler_boundary.hpp>
#include <karman/solvers/euler/euler_jacobian_options.hpp>
#include <karman/solvers/euler/euler_rhs_options.hpp>

namespace karman {

std::string_view name(EulerScheme scheme) { return scheme == EulerScheme::muscl ? "muscl" : "supg"; }

std::string_view name(EulerStrategy strategy) {
  switch (strategy) {
    case EulerStrategy::automatic: return "automatic";
    case EulerStrategy::atomic: return "atomic";
    case EulerStrategy::colored: return "colored";
    case EulerStrategy::blocks: return "blocks";
    case EulerStrategy::expanded: break;
  }
  return "expanded";
}

std::string_view name(EulerDissipation dissipation) {
  switch (dissipation) {
    case EulerDissipation::roe: return "roe";
    case EulerDissipation::spectral_radius: return "spectral_radius";
    case EulerDissipation::none: break;
  }
  return "none";
}

std::string_view name(EulerBoundaryKind kind) {
  switch (kind) {
    case EulerBoundaryKind::wall: return "wall";
    case EulerBoundaryKind::far_field: return "far_field";
    case EulerBoundaryKind::inflow: return "inflow";
    case EulerBoundaryKind::outflow: return "outflow";
    case EulerBoundaryKind::inlet: return "inlet";
    case EulerBoundaryKind::outlet: break;
  }
  return "outlet";
}

std::array<double, 4> conservative_state(double gamma, EulerState const& state) {
  auto const [vx, vy] = state.velocity;
  return {state.density, state.density * vx, state.density * vy,
          state.pressure / (gamma - 1) + 0.5 * state.density * (vx * vx + vy * vy)};
}

}  // namespace karman
