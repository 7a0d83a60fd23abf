// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "small_features.hpp"

#include "check_buildings.hpp"
#include "read_buildings.hpp"
#include "wind/case/case_file.hpp"
#include "wind/case/case_number.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace karman::wind {
namespace {

/// Small buildings of one file, or of one cell.
struct Sum {
  std::size_t count = 0;
  double area = 0;
  double volume = 0;         ///< of their heights
  double base_moment = 0;    ///< of their undersides
  double ground_moment = 0;  ///< of their grounds
  std::uint32_t member = 0;  ///< number of the first

  void add(Building const& building) {
    if (count++ == 0) member = building.member;
    double const size = building.area();
    area += size;
    volume += size * building.height;
    base_moment += size * building.base;
    ground_moment += size * building.ground;
  }
};

/// Entry, row and column of the cell with the middle of a building.
using Cell = std::tuple<std::uint32_t, int, int>;

Cell cell_of(Building const& building, UniformGrid const& grid) {
  auto const index = [](double position, double spacing, int count) {
    return static_cast<int>(std::clamp(position / spacing, 0.0, count - 1.0));
  };
  return {building.entry, index(building.y, grid.dy(), grid.ny()), index(building.x, grid.dx(), grid.nx())};
}

Building block_of(Cell const& cell, Sum const& sum, UniformGrid const& grid) {
  auto const [entry, j, i] = cell;
  Building block;
  block.x = (i + 0.5) * grid.dx();
  block.y = (j + 0.5) * grid.dy();
  block.length = grid.dx();
  block.width = grid.dy();
  block.height = sum.volume / sum.area;
  block.base = sum.base_moment / sum.area;
  block.ground = sum.ground_moment / sum.area;
  block.entry = entry;
  block.member = sum.member;
  block.may_overlap = true;
  return block;
}

std::string left_out(std::string const& file, Sum const& sum, Sum const& merged) {
  auto const buildings = [](std::size_t count) {
    return std::to_string(count) + (count == 1 ? " building" : " buildings");
  };
  std::string result = file + ": ";
  if (merged.count > 0)
    result += buildings(merged.count) + " smaller than a cell merged, " + number(merged.area) + " m2 in all";
  if (sum.count > 0) {
    result += (merged.count > 0 ? "; " : "") + buildings(sum.count) +
              (merged.count > 0 ? " left out, " : " smaller than a cell left out, ") + number(sum.area) + " m2 in all";
  }
  return result;
}

}  // namespace

void take_small_features(std::vector<Building>& buildings, UniformGrid const& grid, Case const& input,
                         std::vector<CaseProblem>& problems, std::vector<std::string>& warnings) {
  std::map<std::size_t, std::string> rule_of_entry;
  for (std::size_t entry = 0; entry < input.size("/buildings"); ++entry) {
    std::string const pointer = entry_pointer(entry) + "/small";
    rule_of_entry[entry] = input.has(pointer) ? input.get<std::string>(pointer) : "error";
  }
  std::map<std::size_t, Sum> skipped, merged;
  std::map<Cell, Sum> cells;
  std::set<std::size_t> kept_entries;
  std::erase_if(buildings, [&](Building const& building) {
    std::string const& rule = rule_of_entry.at(building.entry);
    // One that reaches outside or above the domain is the matter of another check.
    bool const small = rule != "error" && outside(building, grid).empty() && !holds_a_cell_center(building, grid);
    if (!small) kept_entries.insert(building.entry);
    else if (rule == "merge") cells[cell_of(building, grid)].add(building);
    else skipped[building.entry].add(building);
    return small;
  });
  double const cell_area = grid.dx() * grid.dy();
  for (auto const& [cell, sum] : cells) {
    std::size_t const entry = std::get<0>(cell);
    auto const total = [&](Sum& into) {
      into.count += sum.count;
      into.area += sum.area;
    };
    bool const covered = sum.area >= cell_area / 2;
    Building const block = covered ? block_of(cell, sum, grid) : Building{};
    if (!covered || !holds_a_cell_center(block, grid)) {
      total(skipped[entry]);
      continue;
    }
    total(merged[entry]);
    kept_entries.insert(entry);
    buildings.push_back(block);
  }
  // Blocks follow the buildings of their entry. A sort needs memory, and few cases have such blocks.
  auto const by_entry = [](Building const& a, Building const& b) { return a.entry < b.entry; };
  if (!std::is_sorted(buildings.begin(), buildings.end(), by_entry))
    std::stable_sort(buildings.begin(), buildings.end(), by_entry);
  for (auto const& [entry, rule] : rule_of_entry) {
    Sum const out = skipped[entry], in = merged[entry];
    if (out.count + in.count == 0) continue;
    std::string const file = file_of_case(input, entry_pointer(entry) + "/file").filename().string();
    if (kept_entries.contains(entry)) {
      warnings.push_back(left_out(file, out, in));
    } else {
      problems.push_back(input.problem(entry_pointer(entry) + "/small",
                                       "all buildings of " + file + " are smaller than a cell (" + number(grid.dx()) +
                                           " x " + number(grid.dy()) +
                                           " m) or lower than half a layer; refine /domain/spacing or layers"));
    }
  }
}

}  // namespace karman::wind
