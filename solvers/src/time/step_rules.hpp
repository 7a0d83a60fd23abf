// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks of the rules for dt, and the words for their breakdown.
#pragma once

#include "step_clock.hpp"
#include <karman/core/error.hpp>
#include <karman/solvers/time/time_integrators_options.hpp>

#include <cmath>
#include <string>
#include <string_view>

namespace karman::detail {

/// Throws std::invalid_argument for rules out of range, and where nothing limits dt.
inline void require_control(StepControl const& c) {
  auto const bound = [](double value, double least, char const* what, char const* rule) {
    require(std::isfinite(value) && value >= least,
            std::string("StepControl: ") + what + " must be " + rule + ", it is " + std::to_string(value));
  };
  bound(c.cfl, 0, "cfl", "finite and at least 0");
  bound(c.dt_max, 0, "dt_max", "finite and at least 0");
  bound(c.dt_min, 0, "dt_min", "finite and at least 0");
  bound(c.dt_first, 0, "dt_first", "finite and at least 0");
  bound(c.hold, 0, "hold", "finite and at least 0");
  bound(c.growth, 1, "growth", "finite and at least 1");
  bound(c.local_ratio, 1, "local_ratio", "finite and at least 1");
  require(c.cfl > 0 || c.dt_max > 0, "StepControl: nothing limits the time step; set cfl or dt_max");
}

/// Reason why no more steps are made, from ClockNumbers::trouble; empty without one.
inline std::string_view breakdown_of(double trouble) {
  switch (static_cast<ClockTrouble>(static_cast<int>(trouble))) {
    case ClockTrouble::none: break;
    case ClockTrouble::bad_rate: return "the rate is not a finite number";
    case ClockTrouble::too_small: return "the time step is too small";
    case ClockTrouble::unlimited: return "nothing limits the time step";
  }
  return {};
}

}  // namespace karman::detail
