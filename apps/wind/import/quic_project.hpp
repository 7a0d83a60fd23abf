// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Projects of QUIC: a folder with QU_simparams.inp, QU_buildings.inp, QU_metparams.inp and sensor files.
#pragma once

#include "building_methods.hpp"
#include "case_draft.hpp"
#include "quic_lines.hpp"

#include <filesystem>

namespace karman::wind {

/// Reads a project. Throws CaseError for a bad project and for a missing file of it.
/// \param simulation the file QU_simparams.inp; the others lie in the same folder
CaseDraft read_quic_project(std::filesystem::path const& simulation);

/// Versions from here on list buildings element by element, and sensors name their system of coordinates.
inline constexpr double first_quic_with_elements = 5.9;

/// Adds buildings and plants. Sets the roughness of walls.
void read_quic_buildings(QuicLines& lines, BuildingMethods& methods, CaseDraft& draft);

}  // namespace karman::wind
