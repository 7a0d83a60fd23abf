// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs of the problems in time.
#pragma once

#include "common/run/run_context.hpp"

namespace karman {
class Case;
}

namespace karman::poisson {

/// A case of the problem "column_diffusion" or "heat", from the checks to the output; returns the exit code.
int run_columns(app::RunContext& context, Case const& input);
int run_heat(app::RunContext& context, Case const& input);

}  // namespace karman::poisson
