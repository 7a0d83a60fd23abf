// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options and reports of euler_implicit.hpp. Standard library only.
#pragma once

#include <array>
#include <limits>
#include <string_view>

namespace karman {

/// Implicit methods in time, all of order 2 and L-stable.
enum class EulerImplicitMethod {
  bdf2,     ///< backward differences with variable steps: one system per step
  tr_bdf2,  ///< trapezoidal rule, then backward differences: two systems per step, one set of factors, no former flows
};

/// "bdf2" or "tr_bdf2".
std::string_view name(EulerImplicitMethod method);

/// Options of the steps of an EulerImplicit. Units as in the flow.
struct EulerImplicitOptions {
  double dt = 1;         ///< length of the steps; with `tolerance` that of the first one
  double tolerance = 0;  ///< of the estimated error of a step, in the norm of EulerImplicit; 0: steps of the length dt
  double dt_max = std::numeric_limits<double>::infinity();  ///< longest step
  double dt_min = 0;                                        ///< a shorter step ends the run
  double growth = 1.5;                                      ///< largest ratio of a step to the one before, 1 to 2.4
  double newton_tolerance = 1e-2;  ///< share of the residual of the first guess to which a system is solved
  int newton_iterations = 20;      ///< most of them for a system; beyond, the step is shortened
  double linear_tolerance = 0.05;  ///< of the residual of a linear system, relative to its right-hand side
  int linear_iterations = 120;     ///< most iterations of GMRES for a linear system
  double largest_fall = 0.4;       ///< share by which density and pressure of a node may fall in a Newton step
  int halvings = 4;                ///< of a Newton step, until the residual falls enough
  int rejections = 12;             ///< most shortenings of one step; then the run ends
};

/// State of a run between two steps, besides the flow and former flows.
struct EulerImplicitState {
  double time = 0;                     ///< of the flow
  double dt = 0;                       ///< of the next step, if no end time shortens it; 0: that of the options
  std::array<double, 2> earlier_dt{};  ///< lengths of the last steps, the last first, one for each former flow
};

/// Report of one step.
struct EulerImplicitStep {
  double time = 0;            ///< at its end
  double dt = 0;              ///< its length; 0: the end time is reached already
  double error = 0;           ///< estimated error of the step, with a tolerance
  int newton_iterations = 0;  ///< also of rejected steps, as the following counts
  int linear_iterations = 0;  ///< of GMRES
  int evaluations = 0;        ///< residuals with their projection
  int rejections = 0;         ///< longer steps that were tried
  /// Reason why no step was made; empty where one was. The flow then is that before the step.
  std::string_view stall = {};
};

}  // namespace karman
