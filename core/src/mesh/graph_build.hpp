// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Graphs (lists of lists), built in parallel: count, sum the counts, fill. The result is independent of the order of
/// the threads.
#pragma once

#include "base/arena.hpp"
#include "sort_row.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/mesh/graph.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace karman::detail {

template <class Exec>
using Numbers = Kokkos::View<int*, typename Exec::memory_space>;

/// Memory for n numbers, and n zeros; from an arena, or of their own.
template <class Exec>
Numbers<Exec> numbers(Exec const& space, std::size_t n, char const* label,
                      Arena<typename Exec::memory_space>* arena = nullptr) {
  if (arena != nullptr) return arena->template take<Numbers<Exec>>(n);
  return Numbers<Exec>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), n);
}
template <class Exec>
Numbers<Exec> zeros(Exec const& space, std::size_t n, char const* label,
                    Arena<typename Exec::memory_space>* arena = nullptr) {
  if (arena == nullptr) return Numbers<Exec>(Kokkos::view_alloc(space, std::string(label)), n);
  auto const result = arena->template take<Numbers<Exec>>(n);
  Kokkos::deep_copy(space, result, 0);
  return result;
}

template <class View>
struct Fill {
  View view;
  typename View::value_type value;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) = value; }
};

/// Sets all of a View of rank 1. Asynchronous.
template <class Exec, class View>
void fill(Exec const& space, View const& view, typename View::value_type value, char const* label) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec>(space, 0, static_cast<std::int64_t>(view.extent(0))),
                       Fill<View>{view, value});
}

/// The step that turns counts into offsets. Sums in 64 bits, to detect an overflow.
template <class Exec>
struct SumUp {
  using value_type = std::int64_t;
  Numbers<Exec> counts;

  KOKKOS_FUNCTION void operator()(int row, std::int64_t& sum, bool last) const {
    int const count = counts(row);
    if (last) counts(row) = static_cast<int>(sum);
    sum += count;
  }
};

/// Replaces the counts of the rows, and the 0 behind them, by the begins of the rows, and returns the sum. Has fenced
/// `space`. Throws std::invalid_argument when the sum exceeds 2^31 - 1.
template <class Exec>
int make_offsets(Exec const& space, Numbers<Exec> const& counts, char const* who) {
  std::int64_t total = 0;
  Kokkos::parallel_scan("karman::graph::sum_up",
                        Kokkos::RangePolicy<Exec>(space, 0, static_cast<std::int64_t>(counts.extent(0))),
                        SumUp<Exec>{counts}, total);
  compat::fence(space, "karman::graph::summed_up");
  require(total <= std::numeric_limits<int>::max(),
          std::string(who) + ": " + std::to_string(total) + " entries, more than 2^31 - 1");
  return static_cast<int>(total);
}

/// Elements given as rows of a table of nodes.
template <class Exec, int columns>
struct TableIncidence {
  Kokkos::View<int const* [columns], Kokkos::LayoutRight, typename Exec::memory_space> table;

  KOKKOS_FUNCTION int elements() const { return static_cast<int>(table.extent(0)); }
  KOKKOS_FUNCTION int count(int) const { return columns; }
  KOKKOS_FUNCTION int node(int element, int k) const { return table(element, k); }
};

/// Elements given as rows of a graph of nodes.
template <class Exec>
struct GraphIncidence {
  Graph<Exec> graph;

  KOKKOS_FUNCTION int elements() const { return graph.rows(); }
  KOKKOS_FUNCTION int count(int element) const { return graph.offsets(element + 1) - graph.offsets(element); }
  KOKKOS_FUNCTION int node(int element, int k) const { return graph.entries(graph.offsets(element) + k); }
};

/// Counts the elements around each node.
template <class Exec, class Incidence>
struct CountAround {
  Incidence incidence;
  Numbers<Exec> counts;

  KOKKOS_FUNCTION void operator()(int element) const {
    int const n = incidence.count(element);
    for (int k = 0; k < n; ++k) Kokkos::atomic_add(&counts(incidence.node(element, k)), 1);
  }
};

/// Puts the elements into the rows of their nodes, in the order of the threads. `places` counts down from the length of
/// each row to 0.
template <class Exec, class Incidence>
struct FillAround {
  Incidence incidence;
  typename Graph<Exec>::Numbers offsets;
  Numbers<Exec> places, entries;

  KOKKOS_FUNCTION void operator()(int element) const {
    int const n = incidence.count(element);
    for (int k = 0; k < n; ++k) {
      int const node = incidence.node(element, k);
      entries(offsets(node) + Kokkos::atomic_fetch_add(&places(node), 1)) = element;
    }
  }
};

template <class Exec>
struct SortRows {
  typename Graph<Exec>::Numbers offsets;
  Numbers<Exec> entries;

  KOKKOS_FUNCTION void operator()(int row) const {
    sort_ascending(entries.data() + offsets(row), offsets(row + 1) - offsets(row));
  }
};

/// The elements around each of `nodes` nodes, ascending: the transposed incidence. Waits for `space`.
template <class Exec, class Incidence>
Graph<Exec> elements_around(Exec const& space, Incidence const& incidence, int nodes, char const* who,
                            SetupMemory<Exec> const& memory = {}) {
  auto const elements = Kokkos::RangePolicy<Exec>(space, 0, incidence.elements());
  auto const offsets = zeros(space, static_cast<std::size_t>(nodes) + 1, "karman::graph::offsets", memory.kept);
  Kokkos::parallel_for("karman::graph::count_around", elements, CountAround<Exec, Incidence>{incidence, offsets});
  int const total = make_offsets(space, offsets, who);
  auto const entries = numbers(space, static_cast<std::size_t>(total), "karman::graph::entries", memory.kept);
  auto const places = zeros(space, static_cast<std::size_t>(nodes), "karman::graph::places", memory.scratch);
  Kokkos::parallel_for("karman::graph::fill_around", elements,
                       FillAround<Exec, Incidence>{incidence, offsets, places, entries});
  Kokkos::parallel_for("karman::graph::sort_rows", Kokkos::RangePolicy<Exec>(space, 0, nodes),
                       SortRows<Exec>{offsets, entries});
  compat::fence(space, "karman::graph::made");
  return {offsets, entries};
}

template <class Exec>
struct LongestRow {
  typename Graph<Exec>::Numbers offsets;

  KOKKOS_FUNCTION void operator()(int row, int& longest) const {
    int const length = offsets(row + 1) - offsets(row);
    if (length > longest) longest = length;
  }
};

/// Entries of the longest row. Waits for `space`.
template <class Exec>
int longest_row(Exec const& space, Graph<Exec> const& graph) {
  int longest = 0;
  Kokkos::parallel_reduce("karman::graph::longest_row", Kokkos::RangePolicy<Exec>(space, 0, graph.rows()),
                          LongestRow<Exec>{graph.offsets}, Kokkos::Max<int>(longest));
  compat::fence(space, "karman::graph::longest_row");
  return graph.rows() == 0 ? 0 : longest;
}

template <class Exec, class Row>
struct CountRow {
  Row row;
  Numbers<Exec> counts;

  KOKKOS_FUNCTION void operator()(int r) const { counts(r) = row(r, nullptr); }
};

template <class Exec, class Row>
struct FillRow {
  Row row;
  typename Graph<Exec>::Numbers offsets;
  Numbers<Exec> entries;

  KOKKOS_FUNCTION void operator()(int r) const { row(r, entries.data() + offsets(r)); }
};

/// A graph with rows from a function. `row(r, out)` writes row r, ascending, to `out` unless that is null, and returns
/// its length. Waits for `space`.
template <class Exec, class Row>
Graph<Exec> make_rows(Exec const& space, int rows, Row const& row, char const* who,
                      SetupMemory<Exec> const& memory = {}) {
  auto const all = Kokkos::RangePolicy<Exec>(space, 0, rows);
  auto const offsets = zeros(space, static_cast<std::size_t>(rows) + 1, "karman::graph::offsets", memory.kept);
  Kokkos::parallel_for("karman::graph::count_rows", all, CountRow<Exec, Row>{row, offsets});
  int const total = make_offsets(space, offsets, who);
  auto const entries = numbers(space, static_cast<std::size_t>(total), "karman::graph::entries", memory.kept);
  Kokkos::parallel_for("karman::graph::fill_rows", all, FillRow<Exec, Row>{row, offsets, entries});
  compat::fence(space, "karman::graph::made");
  return {offsets, entries};
}

}  // namespace karman::detail
