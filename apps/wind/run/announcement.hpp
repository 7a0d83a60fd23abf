// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Words on a case before it runs: its wind, its warnings, its needs.
#pragma once

#include "common/run_options.hpp"
#include "wind/case/wind_estimate.hpp"

#include <optional>

namespace karman::wind {

/// Prints the wind on stdout and the warnings on stderr. Throws CannotRun where the memory does not suffice. Returns
/// the needs, or prints them for a dry run and returns nothing. Kokkos must be initialised.
std::optional<WindEstimate> announce(app::RunOptions const& options, WindCase const& wind_case,
                                     BackendInfo const& backend);

}  // namespace karman::wind
