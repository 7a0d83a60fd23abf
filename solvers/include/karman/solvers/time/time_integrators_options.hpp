// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of time_integrators.hpp. Standard library only.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace karman {

/// Explicit method of a TimeIntegrator.
enum class TimeMethod {
  euler,                ///< forward Euler, order 1
  minimal_storage_rk4,  ///< Runge-Kutta, each stage from the one before it: order 4 if r is linear in u, else 2
  ssp_rk3,              ///< Runge-Kutta of Shu and Osher, strong stability preserving, order 3
  low_storage_rk54,     ///< Runge-Kutta of Carpenter and Kennedy, five stages, order 4
  adams_bashforth4      ///< Adams-Bashforth for steps of any lengths, one evaluation per step, order 4
};

/// \return readable name of a method
std::string_view name(TimeMethod method);

/// \return evaluations of the derivative per step; adams_bashforth4 takes five in each of its first two steps
int evaluations(TimeMethod method);

/// Set-up of a TimeIntegrator.
struct TimeIntegratorSetup {
  TimeMethod method = TimeMethod::minimal_storage_rk4;  ///< method
  /// One time step per number, for marching to a steady state. The time itself then stays unchanged.
  bool local_steps = false;
};

/// Rules for the time step dt. The device applies them after each step:
///
///     dt = min(cfl / rate, dt_max, growth * dt of the step before).
///
/// The rate comes from the last evaluation of the step before: leave cfl a margin for its change within one step.
struct StepControl {
  double cfl = 0.5;         ///< numerator of dt = cfl / rate; 0: the rate is not computed, every step has dt_max
  double dt_max = 0;        ///< largest dt; 0: none
  double dt_min = 0;        ///< a smaller dt is a breakdown
  double growth = 1.1;      ///< largest ratio of a dt to the one before, at least 1
  double hold = 0;          ///< dt stays unchanged where min(cfl / rate, dt_max) differs by no more than this fraction
  double dt_first = 0;      ///< instead of cfl / rate in the first step; 0: none. Not with local steps
  double local_ratio = 10;  ///< local steps: largest ratio of a dt to the smallest one, at least 1
};

/// State of a run at one check.
struct TimeReport {
  std::int64_t steps = 0;  ///< steps since the start
  double time = 0;         ///< time of u
  double dt = 0;           ///< time step that the rules chose for the next step, before the end time cuts it
  double rate = 0;         ///< last rate; 0 where none was computed
  std::array<double, 3> earlier_dt = {};  ///< lengths of the last steps, the last first; 0: not made yet
  bool finished = false;                  ///< the end time is reached
  std::string_view breakdown = {};        ///< reason why no more steps are made; empty without one
};

}  // namespace karman
