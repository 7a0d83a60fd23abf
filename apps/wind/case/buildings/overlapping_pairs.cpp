// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "overlapping_pairs.hpp"

#include "box_tree.hpp"
#include "read_buildings.hpp"
#include "wind/case/case_file.hpp"
#include <karman/io/config.hpp>

#include <algorithm>
#include <map>

namespace karman::wind {

namespace {

std::vector<PlanBox> boxes_of(std::vector<Building> const& buildings) {
  std::vector<PlanBox> boxes;
  boxes.reserve(buildings.size());
  for (Building const& building : buildings) {
    auto const [ex, ey] = building.half_extents();
    boxes.push_back({{building.x - ex, building.y - ey}, {building.x + ex, building.y + ey}});
  }
  return boxes;
}

}  // namespace

std::vector<std::array<std::size_t, 2>> overlapping_pairs(std::vector<Building> const& buildings, std::size_t limit) {
  std::vector<std::array<std::size_t, 2>> pairs;
  auto const counts = [](Building const& building) { return building.is_solid() && !building.may_overlap; };
  if (std::none_of(buildings.begin(), buildings.end(), counts)) return pairs;
  BoxTree const tree(boxes_of(buildings));
  std::vector<std::size_t> partners;
  for (std::size_t a = 0; a < buildings.size(); ++a) {
    if (!counts(buildings[a])) continue;
    partners.clear();
    tree.visit_meeting(tree.boxes()[a], [&](std::size_t b) {
      if (b > a && counts(buildings[b])) partners.push_back(b);
      return false;
    });
    std::sort(partners.begin(), partners.end());
    for (std::size_t const b : partners) {
      if (!overlap(buildings[a], buildings[b])) continue;
      pairs.push_back({a, b});
      if (pairs.size() == limit) return pairs;
    }
  }
  return pairs;
}

std::vector<std::string> overlap_warnings(std::vector<Building> const& buildings, Case const& input) {
  auto const counts = [](Building const& building) { return building.is_solid() && building.may_overlap; };
  if (std::none_of(buildings.begin(), buildings.end(), counts)) return {};
  BoxTree const tree(boxes_of(buildings));
  std::vector<bool> merged(buildings.size(), false);
  std::map<std::size_t, std::size_t> merged_of_entry;
  for (std::size_t a = 0; a < buildings.size(); ++a) {
    if (!counts(buildings[a])) continue;
    // One partner is enough, and has one itself.
    if (!merged[a]) {
      tree.visit_meeting(tree.boxes()[a], [&](std::size_t b) {
        if (b == a || !buildings[b].is_solid() || !overlap(buildings[a], buildings[b])) return false;
        merged[a] = merged[b] = true;
        return true;
      });
    }
    if (merged[a]) ++merged_of_entry[buildings[a].entry];
  }
  std::vector<std::string> warnings;
  for (auto const& [entry, count] : merged_of_entry) {
    std::string const file = file_of_case(input, entry_pointer(entry) + "/file").filename().string();
    warnings.push_back(file + ": " + std::to_string(count) +
                       (count == 1 ? " building overlaps another: its cells are merged"
                                   : " buildings overlap others: their cells are merged"));
  }
  return warnings;
}

}  // namespace karman::wind
