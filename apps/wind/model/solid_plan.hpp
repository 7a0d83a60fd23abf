// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Buildings over a grid, in the form of the kernel that marks solid cells.
#pragma once

#include "wind/case/buildings/inside_building.hpp"
#include <karman/core/uniform_grid.hpp>

#include <cstdint>
#include <vector>

namespace karman::wind {

/// Columns of the domain along each side of a tile.
inline constexpr int columns_a_tile = 16;

/// One building: a plain record, filled on the host and read by kernels.
struct SolidColumns {
  BuildingInterior test;
  int first_layer = 0, last_layer = 0;   ///< half-open range of the layers with their centre inside
  int first_corner = 0, first_ring = 0;  ///< of a polygon, in the lists of corners and ends of rings
};

/// All buildings, the rings of polygons, and the tiles of columns that they may touch: `candidates` of tile t are those
/// from tile_starts[t] to tile_starts[t + 1]. Tiles are numbered row by row.
struct SolidPlan {
  std::vector<SolidColumns> buildings;  ///< their tests point into the footprints of the buildings
  std::vector<Corner> corners;
  std::vector<std::uint32_t> ring_ends;  ///< in the corners of their building
  std::vector<std::int64_t> tile_starts;
  std::vector<int> candidates;
  int tiles_x = 0;
};

/// Plan of the solid ones. Cost: O(corners + tiles covered). Memory: a record per building, 16 bytes per corner, 4
/// per ring, 8 per tile, 4 per building and tile.
SolidPlan plan_solids(std::vector<Building> const& all, UniformGrid const& grid);

}  // namespace karman::wind
