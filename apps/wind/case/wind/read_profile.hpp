// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The undisturbed wind of a case.
#pragma once

#include "profile.hpp"
#include <karman/io/config.hpp>

#include <string>
#include <vector>

namespace karman::wind {

/// Reads profile and direction of `section`, "/wind" or an entry of /wind/sensors, and checks them beyond the schema.
/// Adds problems: measured heights that do not increase, lists of different lengths, opposite directions at
/// neighboring heights, a canopy without a displacement height. With a problem, the profile cannot be used.
Profile read_profile(Case const& input, std::string const& section, std::vector<CaseProblem>& problems);

/// Speed and direction of the undisturbed wind of a section in words.
std::string describe_wind(Case const& input, std::string const& section, Profile const& profile);

}  // namespace karman::wind
