// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "overlapping_pairs.hpp"

#include "read_buildings.hpp"
#include "wind/case/case_file.hpp"
#include <karman/io/config.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace karman::wind {

std::vector<std::array<std::size_t, 2>> overlapping_pairs(
    std::vector<Building> const& buildings, std::size_t limit,
    std::function<bool(Building const&, Building const&)> const& wanted) {
  std::vector<std::size_t> order(buildings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const left = [&](std::size_t b) { return buildings[b].x - buildings[b].half_extents()[0]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return left(a) < left(b); });
  std::vector<std::array<std::size_t, 2>> pairs;
  for (std::size_t a = 0; a < order.size(); ++a) {
    double const right = buildings[order[a]].x + buildings[order[a]].half_extents()[0];
    for (std::size_t b = a + 1; b < order.size() && left(order[b]) < right; ++b) {
      Building const& first = buildings[order[a]];
      Building const& second = buildings[order[b]];
      if (!first.is_solid() || !second.is_solid() || !wanted(first, second)) continue;
      if (!overlap(first, second)) continue;
      pairs.push_back({std::min(order[a], order[b]), std::max(order[a], order[b])});
      if (pairs.size() == limit) return pairs;
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<std::string> overlap_warnings(std::vector<Building> const& buildings, Case const& input) {
  // Many copies of one building make more pairs than any map has.
  constexpr std::size_t most_pairs = 100000;
  auto const merged = [](Building const& a, Building const& b) { return a.may_overlap || b.may_overlap; };
  std::map<std::size_t, std::set<std::size_t>> merged_of_entry;
  for (auto const& [a, b] : overlapping_pairs(buildings, most_pairs, merged)) {
    for (std::size_t const n : {a, b}) {
      if (buildings[n].may_overlap) merged_of_entry[buildings[n].entry].insert(n);
    }
  }
  std::vector<std::string> warnings;
  for (auto const& [entry, members] : merged_of_entry) {
    std::string const file = file_of_case(input, entry_pointer(entry) + "/file").filename().string();
    warnings.push_back(file + ": " + std::to_string(members.size()) +
                       (members.size() == 1 ? " building overlaps another: its cells are merged"
                                            : " buildings overlap others: their cells are merged"));
  }
  return warnings;
}

}  // namespace karman::wind
