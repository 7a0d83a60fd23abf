// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A run of `karman turbulence`.
#pragma once

#include "common/run/run_options.hpp"
#include "common/run/study_run.hpp"
#include "turbulence/case/turbulence_case.hpp"

namespace karman::turbulence {

/// Runs a flow from its case to its output. `outline`: of the case, which is not yet evaluated, in `case_seconds`.
/// Throws as run_turbulence().
app::MemberEnd run_flow(app::RunContext& context, Case const& input, TurbulenceCase outline, double case_seconds);

/// Runs a case from its file to its output, one flow or a study. Returns the exit code. Throws CaseError, FileError,
/// CannotRun.
int run_turbulence(app::RunOptions const& options);

}  // namespace karman::turbulence
