// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Roofs of files that count from sea level.
#pragma once

#include "building.hpp"
#include "wind/case/terrain/terrain.hpp"
#include <karman/io/error.hpp>

#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::wind {

/// Heights of buildings whose entry has `heights_from` "sea": their roof above sea level less the ground that they are
/// on. Buildings are on the ground already. Roofs at or below it are left out, with one warning for each file. Adds a
/// problem for such an entry without a terrain, whose file gives the heights above the sea. Cost: O(buildings).
void subtract_ground(std::vector<Building>& buildings, Terrain const& terrain, Case const& input,
                     std::vector<CaseProblem>& problems, std::vector<std::string>& warnings);

}  // namespace karman::wind
