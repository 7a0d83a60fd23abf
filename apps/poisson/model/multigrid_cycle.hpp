// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Set-up of multigrid for a case.
#pragma once

#include "poisson/case/poisson_case.hpp"
#include <karman/solvers/multigrid.hpp>

namespace karman::poisson {

inline MultigridSetup multigrid_setup(SolverSettings const& settings) {
  MultigridSetup setup;
  setup.cycle = settings.cycle == Cycle::v   ? MultigridCycle::v
                : settings.cycle == Cycle::w ? MultigridCycle::w
                                             : MultigridCycle::f;
  return setup;
}

}  // namespace karman::poisson
