// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Words on a case before it runs: its wind and its warnings.
#pragma once

#include "common/run/run_context.hpp"
#include "wind_estimate.hpp"

namespace karman::wind {

/// Prints the wind on stdout and the warnings on stderr. Returns the needs, for RunContext::open().
WindEstimate announce(app::RunContext const& context, WindCase const& wind_case);

}  // namespace karman::wind
