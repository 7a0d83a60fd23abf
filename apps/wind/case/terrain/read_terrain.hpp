// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The terrain of a case.
#pragma once

#include "terrain.hpp"
#include "wind/case/place/domain_place.hpp"
#include <karman/io/error.hpp>

#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::wind {

/// Reads /terrain: heights of the file at the centres of the columns, by bilinear interpolation, less the height of
/// /terrain/level. They are flattened along the sides over /terrain/halo. Empty where the case has none.
///
/// With a given `place` positions are transformed to the system of the file; else `place` takes that of a file with the
/// same coordinates. Heights that no place on Earth has are gaps. These are filled with /terrain/gaps "fill".
///
/// Empty with a problem where the file does not cover the domain or has gaps in it. The same for a terrain below z = 0,
/// and for one that leaves no air below the top.
/// \throws CaseError for a malformed file
/// \throws FileError for a file that cannot be read
Terrain read_terrain(Case const& input, UniformGrid const& grid, DomainPlace& place, std::vector<CaseProblem>& problems,
                     std::vector<std::string>& warnings);

}  // namespace karman::wind
