// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Buildings from GeoJSON files and shapefiles.
#pragma once

#include "building.hpp"
#include "read_buildings.hpp"
#include "wind/case/place/city_layers.hpp"
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

/// Reads the file of entry `entry` and appends its buildings, one per polygon. Their `member` is the number of the
/// feature. Adds a problem for each feature that is no building, and one warning with the number of buildings skipped.
/// For extents alone, buildings have no outlines unless their heights come from a raster. `place` takes the coordinate
/// system of the file where the domain has the same coordinates. Throws CaseError for a malformed file or too many
/// buildings, FileError for a file that cannot be read.
void read_city_file(Case const& input, std::size_t entry, UniformGrid const& grid, BuildingUse use, CityLayers& layers,
                    DomainPlace& place, std::vector<Building>& buildings, std::vector<CaseProblem>& problems,
                    std::vector<std::string>& warnings);

}  // namespace karman::wind
