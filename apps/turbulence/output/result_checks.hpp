// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether the figures of a finished run can be right.
#pragma once

#include "history.hpp"
#include "turbulence/case/turbulence_problem.hpp"
#include <karman/solvers/spectral/vorticity_options.hpp>

#include <string>
#include <vector>

namespace karman::turbulence {

struct ResultChecks {
  std::vector<std::string> warnings;
  std::string wrong;  ///< empty: nothing shows that the result is wrong
};

/// Checks the balance of energy, which the equation closes exactly, and the small scales of the last spectrum. An open
/// balance of 5 % of the power is a warning, one of a half is wrong.
ResultChecks check_result(TurbulenceProblem const& problem, History const& history, VorticitySpectra const& last);

}  // namespace karman::turbulence
