// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Heights of buildings from a surface model.
#pragma once

#include "building.hpp"
#include "wind/case/place/domain_place.hpp"
#include <karman/io/error.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karman {
class Case;
class UniformGrid;
}  // namespace karman

namespace karman::wind {

/// True for an entry of /buildings with `heights`, a raster of the surface.
bool has_surface_heights(Case const& input, std::size_t entry);

/// Sets the heights of the buildings from `first` on, all of the file of `entry`. A height is the percentile of surface
/// less ground, less the underside. It is taken over the cells of the raster with their centre in the footprint. The
/// ground is that of `heights.ground`, else of /terrain/file, by bilinear interpolation.
///
/// Buildings without such a cell, and with a height <= 0, take `default_height`. Without it they are left out with one
/// warning, or with "small": "error" a problem. Cells without a height count in a warning. All left out is a problem.
/// Cost: O(cells in the upright box of each footprint) plus O(corners) for each row of cells. Parts of the rasters of
/// at most 32 MB each are in memory, or one footprint; an ESRI ASCII grid is there whole.
/// \throws CaseError and FileError for a raster that cannot be read
void take_surface_heights(Case const& input, std::size_t entry, UniformGrid const& grid, DomainPlace const& place,
                          std::size_t first, std::vector<Building>& buildings, std::vector<CaseProblem>& problems,
                          std::vector<std::string>& warnings);

}  // namespace karman::wind
