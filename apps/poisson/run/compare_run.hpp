// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `karman poisson CASE.json --compare`.
#pragma once

#include "common/run/run_context.hpp"

namespace karman {
class Case;
}

namespace karman::poisson {

struct PoissonCase;

/// Solves the case with every method that applies, on every backend of the build or on the chosen one. Each has its
/// time. Writes and prints the comparison. Returns the exit code.
int compare_methods(app::RunContext& context, Case const& input, PoissonCase const& poisson_case);

}  // namespace karman::poisson
