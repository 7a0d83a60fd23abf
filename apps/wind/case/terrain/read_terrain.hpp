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
/// /terrain/level. They are flattened along the sides over /terrain/halo. Empty where the case has none.
///
/// Empty with a problem where the file does not cover the domain or has gaps in it. The same for a terrain below z = 0,
/// and for one that leaves no air below the top.
/// \throws CaseError for a malformed file
/// \throws FileError for a file that cannot be read
Terrain read_terrain(Case const& input, UniformGrid const& grid, std::vector<CaseProblem>& problems);

}  // namespace karman::wind
