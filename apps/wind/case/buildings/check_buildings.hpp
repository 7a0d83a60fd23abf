// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks of buildings against the grid and against each other.
#pragma once

#include "building.hpp"
#include <karman/io/error.hpp>

#include <string>
#include <vector>

namespace karman {
class Case;
class UniformGrid;
}  // namespace karman

namespace karman::wind {

/// The reason why a building does not fit into the domain; empty when it does.
std::string outside(Building const& building, UniformGrid const& grid);

/// True if a cell of the grid has its centre in the building, walls included. Cost: O(log n) for each row of cells that
/// n walls meet.
bool holds_a_cell_center(Building const& building, UniformGrid const& grid);

/// Adds a problem for each entry with a building outside the domain or without a cell centre inside. Adds one for each
/// pair that overlaps, up to CaseError::max_reported. Cost: O(n log n) for n buildings spread over the domain, plus
/// overlap() for each pair of boxes that meet.
void check_buildings(std::vector<Building> const& buildings, UniformGrid const& grid, Case const& input,
                     std::vector<CaseProblem>& problems);

/// Adds a problem if no air can pass over the highest building.
void check_air_above(std::vector<Building> const& buildings, UniformGrid const& grid, Case const& input,
                     std::vector<CaseProblem>& problems);

}  // namespace karman::wind
