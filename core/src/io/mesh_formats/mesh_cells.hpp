// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Triangles and quadrilaterals of a file, before the latter are divided for good.
#pragma once

#include "mesh_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

namespace karman::detail {

/// A triangle or quadrilateral of a file, by its nodes.
struct FileCell {
  std::array<int, 4> nodes{};  ///< ascending; the first one is -1 for a triangle
  std::size_t triangle = 0;    ///< the first one of the mesh

  std::size_t triangles() const { return nodes[0] < 0 ? 1 : 2; }
  bool operator<(FileCell const& other) const {
    return std::tie(nodes, triangle) < std::tie(other.nodes, other.triangle);
  }
};

/// Cells in the order of the file.
inline std::vector<FileCell> cells_of(FoundMesh const& found) {
  std::vector<FileCell> cells;
  auto split = found.split.begin();
  for (std::size_t t = 0; t < found.mesh.triangles.size(); ++t) {
    auto const& nodes = found.mesh.triangles[t];
    FileCell cell{{nodes[0], nodes[1], nodes[2], -1}, t};
    if (split != found.split.end() && *split == t) {
      cell.nodes[3] = found.mesh.triangles[++t][2];
      ++split;
    }
    std::sort(cell.nodes.begin(), cell.nodes.end());
    cells.push_back(cell);
  }
  return cells;
}

}  // namespace karman::detail
