// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solid_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace karman::wind {
namespace {

/// Half-open range of the tiles along one axis from `low` to `high` metres. Includes one more column on each side.
std::array<int, 2> tile_range(double low, double high, double spacing, int columns) {
  auto const column = [&](double position) {
    return static_cast<int>(std::clamp(position / spacing, 0.0, double(columns - 1)));
  };
  return {column(low - spacing) / columns_a_tile, column(high + spacing) / columns_a_tile + 1};
}

}  // namespace

SolidPlan plan_solids(std::vector<Building> const& all, UniformGrid const& grid) {
  std::vector<Building const*> buildings;
  std::size_t corners = 0, rings = 0;
  buildings.reserve(all.size());
  for (Building const& building : all) {
    if (!building.is_solid()) continue;
    buildings.push_back(&building);
    PlanOutline const outline = building.footprint.outline();
    corners += outline.corner_count();
    rings += outline.ring_count;
  }
  SolidPlan plan;
  plan.buildings.reserve(buildings.size());
  plan.corners.reserve(corners);
  plan.ring_ends.reserve(rings);
  plan.tiles_x = (grid.nx() + columns_a_tile - 1) / columns_a_tile;
  int const tiles_y = (grid.ny() + columns_a_tile - 1) / columns_a_tile;
  plan.tile_starts.assign(static_cast<std::size_t>(plan.tiles_x) * static_cast<std::size_t>(tiles_y) + 1, 0);
  std::vector<double> center;
  for (int k = 0; k < grid.nz(); ++k) center.push_back(grid.z_center(k));
  for (Building const* const building : buildings) {
    SolidColumns columns;
    columns.test = interior_of(*building);
    columns.first_layer =
        static_cast<int>(std::lower_bound(center.begin(), center.end(), columns.test.bottom) - center.begin());
    columns.last_layer =
        static_cast<int>(std::upper_bound(center.begin(), center.end(), columns.test.top) - center.begin());
    columns.first_corner = static_cast<int>(plan.corners.size());
    columns.first_ring = static_cast<int>(plan.ring_ends.size());
    PlanOutline const& outline = columns.test.outline;
    plan.corners.insert(plan.corners.end(), outline.corners, outline.corners + outline.corner_count());
    plan.ring_ends.insert(plan.ring_ends.end(), outline.ring_ends, outline.ring_ends + outline.ring_count);
    plan.buildings.push_back(columns);
  }
  auto const for_each_tile = [&](Building const& building, auto&& action) {
    auto const [ex, ey] = building.half_extents();
    auto const [i_begin, i_end] = tile_range(building.x - ex, building.x + ex, grid.dx(), grid.nx());
    auto const [j_begin, j_end] = tile_range(building.y - ey, building.y + ey, grid.dy(), grid.ny());
    for (int j = j_begin; j < j_end; ++j) {
      for (int i = i_begin; i < i_end; ++i)
        action(static_cast<std::size_t>(j) * static_cast<std::size_t>(plan.tiles_x) + static_cast<std::size_t>(i));
    }
  };
  for (Building const* const building : buildings) {
    for_each_tile(*building, [&](std::size_t tile) { ++plan.tile_starts[tile + 1]; });
  }
  std::partial_sum(plan.tile_starts.begin(), plan.tile_starts.end(), plan.tile_starts.begin());
  plan.candidates.resize(static_cast<std::size_t>(plan.tile_starts.back()));
  std::vector<std::int64_t> next(plan.tile_starts.begin(), plan.tile_starts.end() - 1);
  for (std::size_t b = 0; b < buildings.size(); ++b) {
    for_each_tile(*buildings[b], [&](std::size_t tile) {
      plan.candidates[static_cast<std::size_t>(next[tile]++)] = static_cast<int>(b);
    });
  }
  return plan;
}

}  // namespace karman::wind
