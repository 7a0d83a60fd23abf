// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sides of a box, for every problem on one.
#pragma once

#include "poisson_case.hpp"
#include <karman/io/error.hpp>

#include <vector>

namespace karman::poisson {

/// Reads /sides into a case whose grid and dimensions are set. Missing sides are dirichlet with the value 0, sides of
/// missing axes neumann. Errors go to `problems`.
void read_sides(Case const& input, PoissonCase& result, ExpressionConstants const& constants,
                std::vector<CaseProblem>& problems);

}  // namespace karman::poisson
