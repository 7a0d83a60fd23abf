// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A sweep over the directions of a wind rose, or a series of times, from its opened run to its file.
#pragma once

#include "common/run/run_context.hpp"
#include "wind/case/wind_case.hpp"

namespace karman {
class Case;
}

namespace karman::wind {

/// Runs a case that has a sweep or a series, after RunContext::open(); reports on stdout, warnings on stderr. Buildings
/// and solver are prepared once. Several processes divide the domain where divides_domain(), else share the winds.
/// Returns the exit code as run_wind(), which calls it.
int run_sweep(app::RunContext& context, Case const& input, WindCase const& wind_case);

}  // namespace karman::wind
