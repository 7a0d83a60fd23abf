// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "periodic_groups.hpp"

#include <karman/core/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

namespace karman::detail {

void require_groups(std::vector<int> const& group, int nodes, std::string const& who) {
  if (group.empty()) return;
  require(group.size() == static_cast<std::size_t>(nodes),
          who + ": " + std::to_string(group.size()) + " periodic groups for " + std::to_string(nodes) + " nodes");
  for (int i = 0; i < nodes; ++i) {
    int const lowest = group[static_cast<std::size_t>(i)];
    require(lowest >= 0 && lowest <= i && group[static_cast<std::size_t>(lowest)] == lowest,
            who + ": node " + std::to_string(i) + ": group " + std::to_string(lowest) +
                " is not the lowest node of a group");
  }
}

std::vector<bool> joined_edges(std::vector<int> const& edges, std::vector<int> const& group) {
  std::size_t const count = edges.size() / 2;
  std::vector<bool> joined(count, false);
  if (group.empty()) return joined;
  auto const end = [&](std::size_t e, std::size_t which) { return edges[2 * e + which]; };
  auto const owner = [&](std::size_t e, std::size_t which) { return group[static_cast<std::size_t>(end(e, which))]; };
  std::multimap<std::array<int, 2>, std::size_t> by_groups;
  for (std::size_t e = 0; e < count; ++e) by_groups.insert({{owner(e, 0), owner(e, 1)}, e});
  for (std::size_t e = 0; e < count; ++e) {
    // The partner runs the other way between other nodes. The edges across a strip of one or two cells join the same
    // groups, but share nodes.
    auto const [first, last] = by_groups.equal_range({owner(e, 1), owner(e, 0)});
    joined[e] = std::any_of(first, last, [&](auto const& other) {
      return other.second != e && end(other.second, 0) != end(e, 1) && end(other.second, 1) != end(e, 0);
    });
  }
  return joined;
}

}  // namespace karman::detail
