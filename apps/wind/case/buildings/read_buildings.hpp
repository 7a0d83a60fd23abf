// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The list of buildings of a case.
#pragma once

#include "building.hpp"
#include <karman/io/error.hpp>

#include <array>
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

/// Largest number of prisms of a case: as many as a layer of a file has features. Lists of plans count in 32 bits.
inline constexpr std::size_t most_buildings = std::size_t{1} << 20;

/// Purpose of a call of read_buildings().
enum class BuildingUse {
  extents,  ///< boxes and heights; the files are kept for another call
  all       ///< the memory of the files is released
};

/// Reads all entries. Positions are relative to the domain's corner. `place` is as for read_city_file(). Faults of
/// single shapes are added to `problems`, and remarks on dropped buildings to `warnings`. Throws CaseError where an
/// entry makes too many prisms or a file is malformed, and FileError where a file cannot be read.
std::vector<Building> read_buildings(Case const& input, UniformGrid const& grid, BuildingUse use, CityLayers& layers,
                                     DomainPlace& place, std::vector<CaseProblem>& problems,
                                     std::vector<std::string>& warnings);

/// The error of an entry that makes more than most_buildings.
CaseError too_many_buildings(Case const& input, std::size_t entry);

/// JSON pointer of an entry of the list.
std::string entry_pointer(std::size_t entry);

/// Name of a building in messages: its entry, and its number where the entry makes several.
std::string called(Building const& building, Case const& input);

}  // namespace karman::wind
