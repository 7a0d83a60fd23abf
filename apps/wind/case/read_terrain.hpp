// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The terrain of a case.
#pragma once

#include "terrain.hpp"
#include <karman/io/error.hpp>

#include <vector>

namespace karman {
class Case;
}

namespace karman::wind {

/// Reads /terrain: heights of the file at the centres of the columns, by bilinear interpolation, less the height of
/// /terrain/level, and flattened along the sides over /terrain/halo. Empty where the case has none, and with a problem
/// where the file does not cover the domain, has no heights in it, goes below z = 0, or leaves no air below the top.
/// Throws CaseError for a malformed file, FileError for a file that cannot be read.
Terrain read_terrain(Case const& input, UniformGrid const& grid, std::vector<CaseProblem>& problems);

}  // namespace karman::wind
