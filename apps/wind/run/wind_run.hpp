// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `karman wind`: a case from the command line to its files.
#pragma once

#include "common/run/run_options.hpp"

namespace karman::wind {

/// Checks the case, runs it and writes its output; reports on stdout, warnings on stderr. Returns the exit code of a
/// finished run: 0, 3 not converged, 5 not finite, 128 + signal after a checkpoint. Throws CaseError and FileError, and
/// CannotRun for a machine that cannot run the case (exit code 2).
int run_wind(app::RunOptions const& options);

}  // namespace karman::wind
