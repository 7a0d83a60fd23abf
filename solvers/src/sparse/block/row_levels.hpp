// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Levels of the rows of a sparse matrix: a row comes one level after the last of the rows before it that it needs.
#pragma once

#include "sparse/preconditioners/row_coloring.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/mesh/graph.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace karman::detail {

/// Levels in the form of colours. Rows of one level have no entry in common. Elimination by levels has the result of
/// elimination row by row. Found on the host. Waits for `space`. Throws std::invalid_argument unless the profile is
/// symmetric with ascending columns.
template <class Exec>
RowColoring<Exec> level_rows(Exec const& space, Graph<Exec> const& graph, char const* who) {
  auto const rows = static_cast<std::size_t>(graph.rows());
  RowColoring<Exec> result;
  result.color = numbers(space, rows, "karman::row_levels::level");
  if (rows == 0) return result;
  pair_entries(space, graph, who);
  auto const offsets = host_copy(space, graph.offsets), entries = host_copy(space, graph.entries);
  std::vector<int> level(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (int e = offsets[row]; e < offsets[row + 1]; ++e) {
      auto const column = static_cast<std::size_t>(entries[static_cast<std::size_t>(e)]);
      if (column < row) level[row] = std::max(level[row], level[column] + 1);
    }
    result.colors = std::max(result.colors, level[row] + 1);
  }
  result.color = device_copy(space, level, "karman::row_levels::level");
  result.classes = stable_group(space, graph.rows(), result.colors, OwnNumber<Exec>{result.color});
  return result;
}

}  // namespace karman::detail
