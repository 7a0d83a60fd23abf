// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Buildings of files that are smaller than a cell.
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

/// Leaves out the buildings of files in which no cell centre lies, by the key `small` of their entry.
///
/// "skip": one warning for each file, with number and area. "merge": a cell whose small buildings cover half of it or
/// more becomes a block of their mean height, weighted by area; a building belongs to the cell of its middle. The rest
/// is left out with the same warning. "error": none is left out, and check_buildings() names them. A file all of whose
/// buildings are too small is a problem. Buildings are on the ground already. Cost: that of holds_a_cell_center().
void take_small_features(std::vector<Building>& buildings, UniformGrid const& grid, Case const& input,
                         std::vector<CaseProblem>& problems, std::vector<std::string>& warnings);

}  // namespace karman::wind
