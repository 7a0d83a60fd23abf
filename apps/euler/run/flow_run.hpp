// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `karman euler CASE.json`.
#pragma once

#include "common/run/run_options.hpp"

namespace karman::euler {

/// Runs a case from the checks to the output; returns the exit code. Initialises Kokkos itself, at most once per
/// process. Throws CaseError and FileError, and CannotRun for a machine that cannot run the case (exit code 2).
int run_euler(app::RunOptions const& options);

}  // namespace karman::euler
