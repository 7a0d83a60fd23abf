// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The state of an unfinished projection on disk.
#pragma once

#include "watch_record.hpp"
#include "wind/model/projection.hpp"

#include <filesystem>

namespace karman {
class Case;
}

namespace karman::wind {

/// Writes velocity, multiplier, history, slices and the state of the iteration. Throws FileError.
void save_state(std::filesystem::path const& file, WindCase const& wind_case, WindModel& model,
                ProjectionState const& state, WatchRecord const& watch);

/// Reads them back into a model of the same case, which has its initial field. The checkpoint must have been made from
/// a case that differs from `input` in title, limits of the iteration and outputs at most: else CaseError with the
/// first difference. Slices are taken over when the same ones are watched. Throws FileError for a file that is no
/// whole checkpoint of this program. Returns a line for the user when something deserves one, else "".
std::string load_state(std::filesystem::path const& file, Case const& input, WindCase const& wind_case,
                       WindModel& model, ProjectionState& state, WatchRecord& watch);

}  // namespace karman::wind
