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

/// Reads profile and direction of `section`, "/wind" or an entry of /wind/sensors, and checks them beyond the schema.
/// Throws CaseError: measured heights that do not increase, lists of different lengths, opposite directions at
/// neighboring heights, a canopy without a displacement height.
Profile read_profile(Case const& input, std::string const& section);

/// Speed and direction of the undisturbed wind of a section in words.
std::string describe_wind(Case const& input, std::string const& section, Profile const& profile);

}  // namespace karman::wind
