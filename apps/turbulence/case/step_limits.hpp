// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Limits of the time step by the linear terms. The methods are stable for any of their rates. But a forcing that a
/// mode balances with its losses acts at points of time within the step: they must lie close for the rate of that mode.
#pragma once

#include <karman/solvers/spectral/vorticity_options.hpp>

#include <cmath>

namespace karman::turbulence {

/// Longest step times the linear rate of modes that hold energy: methods of order 4 then balance a steady forcing to
/// 1e-6, methods of order 3 to 2e-4.
constexpr double largest_decay_of_step = 0.3;

/// The lesser of a limit, 0 for none, and that of a rate.
inline double least_limit(double limit, double rate) {
  if (!(rate > 0)) return limit;
  double const own = largest_decay_of_step / rate;
  return limit > 0 ? std::fmin(limit, own) : own;
}

/// The lesser of a limit, 0 for none, and that of the flow: the mean of the rates of its modes, weighted by energy.
inline double least_limit(double limit, VorticityFigures const& now) {
  double const lost = now.viscosity.energy + now.friction.energy + now.hypoviscosity.energy;
  return now.energy > 0 ? least_limit(limit, lost / (2 * now.energy)) : limit;
}

}  // namespace karman::turbulence
