// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A run of `karman turbulence`.
#pragma once

#include "common/run/run_options.hpp"

namespace karman::turbulence {

/// Runs a case from its file to its output. Returns the exit code. Throws CaseError, FileError, CannotRun.
int run_turbulence(app::RunOptions const& options);

}  // namespace karman::turbulence
