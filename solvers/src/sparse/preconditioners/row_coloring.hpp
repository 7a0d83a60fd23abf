// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Colours for the rows of a sparse matrix: rows of one colour have no entry in common.
#pragma once

#include "mesh/coloring_passes.hpp"
#include "mesh/graph_build.hpp"
#include "mesh/parallel_coloring.hpp"
#include "mesh/stable_group.hpp"
#include <karman/core/error.hpp>
#include <karman/mesh/graph.hpp>

#include <string>

namespace karman::detail {

/// The entry of a row in that column, -1 if absent. Columns ascend.
template <class Exec>
KOKKOS_FUNCTION int find_entry(Graph<Exec> const& graph, int row, int column) {
  int low = graph.offsets(row), high = graph.offsets(row + 1);
  while (low < high) {
    int const middle = low + (high - low) / 2;
    if (graph.entries(middle) < column) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < graph.offsets(row + 1) && graph.entries(low) == column ? low : -1;
}

/// One number for each pair of entries (i, j) and (j, i): that of the first. Counts the entries without partner.
template <class Exec>
struct PairEntries {
  Graph<Exec> graph;
  Numbers<Exec> pair;

  KOKKOS_FUNCTION void operator()(int row, int& unpaired) const {
    for (int e = graph.offsets(row); e < graph.offsets(row + 1); ++e) {
      int const column = graph.entries(e);
      bool const ascending = e == graph.offsets(row) || graph.entries(e - 1) < column;
      bool const valid = ascending && column >= 0 && column < graph.rows();
      int const other = valid ? find_entry(graph, column, row) : -1;
      pair(e) = other < 0 || other > e ? e : other;
      if (other < 0) ++unpaired;
    }
  }
};

template <class Exec>
struct RowColoring {
  int colors = 0;
  Numbers<Exec> color = Numbers<Exec>();  ///< of each row; "= Numbers()": see Graph
  Graph<Exec> classes;                    ///< row c: the rows of colour c, ascending
};

/// A number per entry, that pairs share, see PairEntries. Waits for `space`. Throws std::invalid_argument unless the
/// profile is symmetric with ascending columns.
template <class Exec>
Numbers<Exec> pair_entries(Exec const& space, Graph<Exec> const& graph, char const* who) {
  auto const pair = numbers(space, graph.entries.extent(0), "karman::row_coloring::pair");
  int unpaired = 0;
  Kokkos::parallel_reduce("karman::row_coloring::pair", Kokkos::RangePolicy<Exec>(space, 0, graph.rows()),
                          PairEntries<Exec>{graph, pair}, unpaired);
  compat::fence(space, "karman::row_coloring::paired");
  require(unpaired == 0,
          std::string(who) + ": " + std::to_string(unpaired) +
              " entries (i, j) of the profile have no partner (j, i) or are out of order; the profile must "
              "be symmetric, with zeros as values where needed, and its columns ascending");
  return pair;
}

/// Colours rows as if they were elements that share nodes, where the nodes are the pairs of entries. Reproducible.
/// Waits for `space`. Throws std::invalid_argument unless the profile is symmetric with ascending columns.
template <class Exec>
RowColoring<Exec> color_rows(Exec const& space, Graph<Exec> const& graph, int passes, char const* who) {
  int const rows = graph.rows();
  RowColoring<Exec> result;
  result.color = numbers(space, static_cast<std::size_t>(rows), "karman::row_coloring::color");
  if (rows == 0) return result;
  auto const pair = pair_entries(space, graph, who);
  GraphIncidence<Exec> const incidence{{graph.offsets, pair}};
  int const pairs = static_cast<int>(pair.extent(0));
  result.colors = color_in_parallel(space, incidence, pairs, result.color);
  result.colors = recolor(space, incidence, pairs, result.color, result.colors, 1, passes);
  result.classes = stable_group(space, rows, result.colors, OwnNumber<Exec>{result.color});
  return result;
}

}  // namespace karman::detail
