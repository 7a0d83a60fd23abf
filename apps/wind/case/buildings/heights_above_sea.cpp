// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "heights_above_sea.hpp"

#include "read_buildings.hpp"
#include "wind/case/case_file.hpp"
#include <karman/io/config.hpp>

#include <map>
#include <set>

namespace karman::wind {

void subtract_ground(std::vector<Building>& buildings, Terrain const& terrain, Case const& input,
                     std::vector<CaseProblem>& problems, std::vector<std::string>& warnings) {
  std::set<std::size_t> entries;
  for (std::size_t entry = 0; entry < input.size("/buildings"); ++entry) {
    std::string const key = entry_pointer(entry) + "/heights_from";
    if (!input.has(key) || input.get<std::string>(key) != "sea") continue;
    entries.insert(entry);
    if (!terrain.empty()) continue;
    problems.push_back(input.problem(key, "expected a /terrain for heights above the sea, found none"));
    std::erase_if(buildings, [&](Building const& building) { return building.entry == entry; });
  }
  if (entries.empty()) return;
  std::map<std::size_t, std::size_t> below;
  std::erase_if(buildings, [&](Building& building) {
    if (!entries.contains(building.entry)) return false;
    building.height -= terrain.level() + building.ground;
    if (building.height > 0) return false;
    ++below[building.entry];
    return true;
  });
  for (auto const& [entry, count] : below) {
    warnings.push_back(file_of_case(input, entry_pointer(entry) + "/file").filename().string() + ": " +
                       std::to_string(count) + (count == 1 ? " building" : " buildings") +
                       " left out, with a roof above the sea that is below the ground");
  }
}

}  // namespace karman::wind
