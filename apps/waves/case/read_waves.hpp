// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Incident waves of a case.
#pragma once

#include "wave_case.hpp"

namespace karman::waves {

/// Fills in set, components and refraction, and adds remarks on a file with a spectrum. Throws CaseError, FileError.
void read_waves(Case const& input, WaveCase& result);

}  // namespace karman::waves
