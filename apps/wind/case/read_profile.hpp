// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The undisturbed wind of a case.
#pragma once

#include "profile.hpp"

#include <string>

namespace karman {
class Case;
}

namespace karman::wind {

/// Reads /wind and checks it beyond the schema. Throws CaseError: measured heights that do not increase, lists of
/// different lengths, opposite directions at neighboring heights, a canopy without a displacement height.
Profile read_profile(Case const& input);

/// Speed and direction of the undisturbed wind in words.
std::string describe_wind(Case const& input, Profile const& profile);

}  // namespace karman::wind
