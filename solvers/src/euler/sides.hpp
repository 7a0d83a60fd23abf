// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A boundary condition for kernels, from the public form.
#pragma once

#include "boundary_flux.hpp"
#include <karman/core/error.hpp>

#include <cmath>
#include <cstddef>
#include <string>

namespace karman::detail {

/// Checks a condition and converts it.
template <class T>
EulerSide<T> as_side(double gamma, int label, EulerBoundary const& condition) {
  auto const& state = condition.state;
  std::string const who = "EulerRhs: condition of boundary label " + std::to_string(label) + " (" +
                          std::string(name(condition.kind)) + "): ";
  auto const [vx, vy] = state.velocity;
  require(std::isfinite(vx) && std::isfinite(vy), who + "the velocity must be finite");
  require(std::isfinite(state.density) && state.density > 0, who + "the density must be positive");
  require(std::isfinite(state.pressure) && state.pressure > 0, who + "the pressure must be positive");
  double const speed = std::hypot(vx, vy);
  require(condition.kind != EulerBoundaryKind::inlet || speed > 0, who + "the velocity must give a direction");
  EulerSide<T> side{};
  side.kind = condition.kind;
  auto const u = conservative_state(gamma, state);
  for (std::size_t c = 0; c < 4; ++c) side.state[c] = static_cast<T>(u[c]);
  side.pressure = static_cast<T>(state.pressure);
  side.density = static_cast<T>(state.density);
  side.direction[0] = static_cast<T>(speed > 0 ? vx / speed : 1);
  side.direction[1] = static_cast<T>(speed > 0 ? vy / speed : 0);
  return side;
}

/// The condition for the finite-volume scheme, whose inner fluxes damp the states of boundary nodes less: a supersonic
/// inflow keeps waves that run against it, and a wall meets gas that runs into it.
template <class T>
void make_upwind(EulerSide<T>& side) {
  if (side.kind == EulerBoundaryKind::inflow) side.kind = EulerBoundaryKind::far_field;
  side.ram = side.kind == EulerBoundaryKind::wall;
}

}  // namespace karman::detail
