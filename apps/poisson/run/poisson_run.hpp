// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `karman poisson CASE.json`.
#pragma once

#include "common/run/run_options.hpp"

namespace karman::poisson {

/// Runs a case of any problem from the checks to the output; returns the exit code. With options.compare_budget it
/// compares the methods. Initialises Kokkos itself, at most once per process. Throws CaseError and FileError, and
/// CannotRun for a machine that cannot run the case (exit code 2).
int run_poisson(app::RunOptions const& options);

}  // namespace karman::poisson
