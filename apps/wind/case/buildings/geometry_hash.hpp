// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fingerprint of buildings and terrain, which a case may take from other files.
#pragma once

#include "wind/case/wind_case.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>

namespace karman::wind {

/// Hash of the numbers of all buildings with their footprints and of all heights of the terrain, as hash_text(). Cost:
/// O(corners + columns).
std::string geometry_hash(WindCase const& wind_case);

/// Refuses to continue with other buildings or another terrain than a checkpoint has. Its text may be the same: files
/// that it names can have changed. `metadata` may have no hash: older checkpoints have none.
/// \throws CaseError naming the checkpoint
void require_same_geometry(nlohmann::json const& metadata, WindCase const& wind_case, Case const& input,
                           std::filesystem::path const& checkpoint);

}  // namespace karman::wind
