// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Vegetation from polygons of files.
#pragma once

#include "plant.hpp"
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

/// Reads the file of entry `entry` of /vegetation and appends its plants, one per polygon. Their `member` is the number
/// of the feature. Positions are as of files of buildings; degrees need an origin or /domain/crs. Adds a problem for
/// each polygon that is no outline, and warnings with the numbers of plants left out: without area, or outside the
/// domain. `place` takes the coordinate system of the file where the domain has the same coordinates.
/// \throws CaseError for a malformed file or too many plants
/// \throws FileError for a file that cannot be read
void read_plant_file(Case const& input, std::size_t entry, UniformGrid const& grid, CityLayers& layers,
                     DomainPlace& place, std::vector<Plant>& plants, std::vector<CaseProblem>& problems,
                     std::vector<std::string>& warnings);

/// Leaves out plants of files that do nothing or cannot grow, by the keys `small` and `overlaps` of their entry: not
/// higher than `roughness`, or without a cell centre inside; trees with their middle in a solid building. One warning
/// for each file and kind. A file of which none remains is a problem. Plants are on the ground already.
void take_small_plants(std::vector<Plant>& plants, std::vector<Building> const& buildings, double roughness,
                       UniformGrid const& grid, Case const& input, std::vector<CaseProblem>& problems,
                       std::vector<std::string>& warnings);

}  // namespace karman::wind
