// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The waves of a case from a file with a spectrum.
#pragma once

#include "sea_state.hpp"

#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::waves {

/// Waves of `/waves` of the kind spectrum_file. Adds remarks: place, significant height, peak period, direction, and
/// all that was passed over. Throws CaseError (file, line, requirement; or a place of the case) and FileError.
SeaState read_spectrum_file(Case const& input, std::vector<std::string>& remarks);

}  // namespace karman::waves
