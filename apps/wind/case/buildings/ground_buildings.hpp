// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Buildings on a terrain.
#pragma once

#include "building.hpp"
#include "wind/case/terrain/terrain.hpp"
#include <karman/io/error.hpp>

#include <vector>

namespace karman {
class Case;
}

namespace karman::wind {

/// Lowest and highest ground under a footprint.
struct GroundUnder {
  double lowest = 0, highest = 0;
};

/// Ground in the columns with their centre in the footprint. Without any, that in the column of the building's centre.
/// Cost: O(columns of the upright box).
GroundUnder ground_under(Building const& building, Terrain const& terrain, UniformGrid const& grid);

/// Raises every building by the lowest ground under its footprint. The parts of a stack or a garage are raised as a
/// whole, by the ground under the first. No change without terrain.
void put_on_ground(std::vector<Building>& buildings, Terrain const& terrain, UniformGrid const& grid,
                   Case const& input);

/// Adds a problem for each entry with a solid building whose cells are all below the ground.
void check_buried(std::vector<Building> const& buildings, Terrain const& terrain, UniformGrid const& grid,
                  Case const& input, std::vector<CaseProblem>& problems);

}  // namespace karman::wind
