// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_sides.hpp"
#include <karman/core/error.hpp>
#include <karman/mesh/mesh_checks.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <vector>

namespace karman {

void complete_boundary(MeshData& mesh, int default_label) {
  detail::require_node_numbers(mesh, "complete_boundary");
  require(mesh.edge_labels.size() == mesh.edges.size(), "complete_boundary: every boundary edge needs a label");
  std::map<std::array<int, 2>, std::vector<std::size_t>> listed;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    auto const& [a, b] = mesh.edges[e];
    listed[{std::min(a, b), std::max(a, b)}].push_back(e);
  }
  auto const all = detail::mesh_sides(mesh);
  detail::for_each_edge(all, [&](int lower, std::size_t first, std::size_t last) {
    if (last - first != 1) return;
    auto const& side = all.sides[first];
    std::array<int, 2> const forwards{side.forward ? lower : side.higher, side.forward ? side.higher : lower};
    auto const found = listed.find({lower, side.higher});
    if (found == listed.end()) {
      mesh.edges.push_back(forwards);
      mesh.edge_labels.push_back(default_label);
    } else {
      for (std::size_t const e : found->second) mesh.edges[e] = forwards;
    }
  });
}

}  // namespace karman
