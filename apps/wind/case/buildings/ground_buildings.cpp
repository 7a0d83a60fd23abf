// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ground_buildings.hpp"

#include "inside_building.hpp"
#include "read_buildings.hpp"
#include "wind/case/case_number.hpp"
#include <karman/io/config.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

namespace karman::wind {
namespace {

/// Calls action(i, j) for each column of the domain with its centre in the footprint.
template <class Action>
void for_each_column(Building const& building, UniformGrid const& grid, Action const& action) {
  BuildingInterior const test = interior_of(building);
  auto const [ex, ey] = building.half_extents();
  auto const range = [](double low, double high, double spacing, int count) {
    auto const column = [&](double position) {
      return static_cast<int>(std::clamp(position / spacing, 0.0, static_cast<double>(count)));
    };
    return std::array{std::max(0, column(low) - 1), std::min(count, column(high) + 2)};
  };
  auto const [i_begin, i_end] = range(building.x - ex, building.x + ex, grid.dx(), grid.nx());
  auto const [j_begin, j_end] = range(building.y - ey, building.y + ey, grid.dy(), grid.ny());
  for (int j = j_begin; j < j_end; ++j) {
    for (int i = i_begin; i < i_end; ++i) {
      if (test.holds_point((i + 0.5) * grid.dx(), (j + 0.5) * grid.dy())) action(i, j);
    }
  }
}

/// Parts of one entry that must keep their heights relative to each other.
bool is_one_piece(Case const& input, std::size_t entry) {
  auto const kind = input.get<std::string>(entry_pointer(entry) + "/kind");
  return kind == "stack" || kind == "garage";
}

}  // namespace

GroundUnder ground_under(Building const& building, Terrain const& terrain, UniformGrid const& grid) {
  GroundUnder ground{1e300, -1e300};
  for_each_column(building, grid, [&](int i, int j) {
    ground.lowest = std::min(ground.lowest, terrain.height(i, j));
    ground.highest = std::max(ground.highest, terrain.height(i, j));
  });
  if (ground.lowest > ground.highest) ground.lowest = ground.highest = terrain.height_at(building.x, building.y);
  return ground;
}

void put_on_ground(std::vector<Building>& buildings, Terrain const& terrain, UniformGrid const& grid,
                   Case const& input) {
  if (terrain.empty()) return;
  Building const* before = nullptr;
  for (Building& building : buildings) {
    bool const shared = before && before->entry == building.entry && is_one_piece(input, building.entry);
    building.ground = shared ? before->ground : ground_under(building, terrain, grid).lowest;
    building.base += building.ground;
    before = &building;
  }
}

void check_buried(std::vector<Building> const& buildings, Terrain const& terrain, UniformGrid const& grid,
                  Case const& input, std::vector<CaseProblem>& problems) {
  if (terrain.empty()) return;
  std::optional<std::size_t> wrong_entry;  // one line per entry of the list is enough
  for (Building const& building : buildings) {
    if (!building.is_solid() || building.entry == wrong_entry) continue;
    BuildingInterior const test = interior_of(building);
    int const highest_layer = layers_below(grid, test.top) - 1;
    bool seen = false;
    bool has_columns = false;
    for_each_column(building, grid, [&](int i, int j) {
      has_columns = true;
      seen = seen || layers_below(grid, terrain.height(i, j)) <= highest_layer;
    });
    if (seen || !has_columns || highest_layer < 0) continue;  // the last two are the matter of another check
    wrong_entry = building.entry;
    problems.push_back(input.problem(entry_pointer(building.entry),
                                     called(building, input) + " is below the ground, which rises to " +
                                         number(ground_under(building, terrain, grid).highest) +
                                         " m under its roof at " + number(building.top()) +
                                         " m; expected a roof above the terrain: raise its height or base"));
  }
}

}  // namespace karman::wind
