// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Words on a case before it runs: its wind, its warnings, its needs.
#pragma once

#include "common/run_options.hpp"
#include "wind/case/wind_estimate.hpp"

#include <optional>

namespace karman::wind {

/// Prints the wind on stdout and the warnings on stderr, and for a dry run the needs. Throws CannotRun where the memory
/// does not suffice. Returns the needs, nothing for a dry run. Kokkos must be initialised.
std::optional<WindEstimate> announce(app::RunOptions const& options, WindCase const& wind_case,
                                     BackendInfo const& backend);

/// Exit code of a run that a signal stops before its first iteration, after one line on stderr. 0 without a signal.
int stopped_in_set_up();

}  // namespace karman::wind
