// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// State of an unfinished projection on disk.
#pragma once

#include "watch_record.hpp"
#include "wind/model/projection.hpp"
#include <karman/io/file_processes.hpp>

#include <filesystem>

namespace karman {
class Case;
}

namespace karman::wind {

/// Writes velocity, multiplier, history, slices and the state of the iteration. `processes` of the model: each
/// writes its own cells. Throws FileError.
void save_state(FileProcesses const& processes, std::filesystem::path const& file, WindCase const& wind_case,
                WindModel& model, ProjectionState const& state, WatchRecord const& watch);

/// Reads the state into a model of the same case, which has its initial field. The checkpoint's case may differ from
/// `input` in title, limits of the iteration and outputs; else throws CaseError with the first difference. Takes over
/// slices when the same ones are recorded. Throws FileError for a file that is no whole checkpoint of this program.
/// `processes`: of the model; any number of them may have saved. Returns a remark for the user, or "".
std::string load_state(FileProcesses const& processes, std::filesystem::path const& file, Case const& input,
                       WindCase const& wind_case, WindModel& model, ProjectionState& state, WatchRecord& watch);

}  // namespace karman::wind
