// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The list of vegetation of a case.
#pragma once

#include "plant.hpp"
#include "wind/case/terrain/terrain.hpp"
#include <karman/io/error.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karman {
class Case;
class UniformGrid;
}  // namespace karman

namespace karman::wind {

class CityLayers;
struct DomainPlace;

/// Largest number of plants of a case.
inline constexpr std::size_t most_plants = 100000;

/// Reads all entries and puts them on the ground. Positions are relative to the domain's corner. Adds problems of
/// single plants: a bad outline, an underside above the top, rows wider than their spacing. Throws CaseError where the
/// entries make too many plants. Files are as for read_plant_file().
std::vector<Plant> read_vegetation(Case const& input, UniformGrid const& grid, Terrain const& terrain,
                                   CityLayers& layers, DomainPlace& place, std::vector<CaseProblem>& problems,
                                   std::vector<std::string>& warnings);

/// JSON pointer of an entry of the list.
std::string plant_pointer(std::size_t entry);

/// Adds a problem for each entry with a bad plant: outside the domain, not higher than `roughness`, or with its middle
/// in a solid building. Cost: O(n log m + pairs that are near along x) for n plants, m buildings.
void check_vegetation(std::vector<Plant> const& plants, std::vector<Building> const& buildings, double roughness,
                      UniformGrid const& grid, Case const& input, std::vector<CaseProblem>& problems);

}  // namespace karman::wind
