// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Aggregates of strongly connected rows.
#pragma once

#include "mesh/graph_build.hpp"
#include "strength.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

template <class Exec>
using Keys = Kokkos::View<std::uint64_t*, typename Exec::memory_space>;

/// State of a row while the roots are chosen, in the order of the keys.
enum class RootState : std::uint64_t { out = 0, undecided = 1, root = 2 };

/// State, a scrambled number, and the row itself, so that no two keys are equal.
KOKKOS_INLINE_FUNCTION std::uint64_t root_key(RootState state, int row) {
  // Steele, Lea, Flood, OOPSLA 2014: the finalizer of SplitMix
  auto x = static_cast<std::uint64_t>(row) + 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  return static_cast<std::uint64_t>(state) << 62 | (x >> 34) << 32 | static_cast<std::uint64_t>(row);
}
KOKKOS_INLINE_FUNCTION RootState root_state(std::uint64_t key) { return static_cast<RootState>(key >> 62); }

/// A row without strong connections takes no part.
template <class Exec>
struct FirstKeys {
  Graph<Exec> graph;
  ConstEntryMarks<Exec> strong;
  Keys<Exec> key, near;

  KOKKOS_FUNCTION void operator()(int row) const {
    bool connected = false;
    for (int e = graph.offsets(row); e < graph.offsets(row + 1); ++e) connected = connected || strong(e);
    key(row) = near(row) = root_key(connected ? RootState::undecided : RootState::out, row);
  }
};

/// The largest value of a row and its neighbours.
template <class Exec>
KOKKOS_INLINE_FUNCTION std::uint64_t largest_near(Graph<Exec> const& graph, ConstEntryMarks<Exec> const& strong,
                                                  Keys<Exec> const& value, int row) {
  std::uint64_t largest = value(row);
  for (int e = graph.offsets(row); e < graph.offsets(row + 1); ++e) {
    if (!strong(e)) continue;
    std::uint64_t const other = value(graph.entries(e));
    if (other > largest) largest = other;
  }
  return largest;
}

/// A value that is a root, or out, is final: no larger one follows.
template <class Exec>
struct SpreadKeys {
  Graph<Exec> graph;
  ConstEntryMarks<Exec> strong;
  Keys<Exec> key, near;

  KOKKOS_FUNCTION void operator()(int row) const {
    if (root_state(near(row)) == RootState::undecided) near(row) = largest_near<Exec>(graph, strong, key, row);
  }
};

/// A row with the largest key within two connections (one if `near` holds the keys themselves) becomes a root; one that
/// has a root there is out. Counts the rows that stay undecided.
template <class Exec>
struct DecideRoots {
  Graph<Exec> graph;
  ConstEntryMarks<Exec> strong;
  Keys<Exec> key, near;

  KOKKOS_FUNCTION void operator()(int row, int& undecided) const {
    std::uint64_t const own = key(row);
    if (root_state(own) != RootState::undecided) return;
    std::uint64_t const far = largest_near<Exec>(graph, strong, near, row);
    if (far == own) {
      key(row) = root_key(RootState::root, row);
    } else if (root_state(far) == RootState::root) {
      key(row) = root_key(RootState::out, row);
    } else {
      ++undecided;
    }
  }
};

/// Numbers the roots in the order of their rows; -1 for other rows.
template <class Exec>
struct NumberRoots {
  using value_type = int;
  Keys<Exec> key;
  Numbers<Exec> number;

  KOKKOS_FUNCTION void operator()(int row, int& sum, bool last) const {
    bool const is_root = root_state(key(row)) == RootState::root;
    if (last) number(row) = is_root ? sum : -1;
    if (is_root) ++sum;
  }
};

/// The aggregate of a row that is a root or its neighbour; -1 for other rows. Where roots are three mutual connections
/// apart no row has two of them as neighbours; else the last one counts.
template <class Exec>
struct JoinRoots {
  Graph<Exec> graph;
  ConstEntryMarks<Exec> strong;
  Numbers<Exec> root, aggregate;

  KOKKOS_FUNCTION void operator()(int row) const {
    int found = root(row);
    if (found < 0) {
      for (int e = graph.offsets(row); e < graph.offsets(row + 1); ++e) {
        if (strong(e) && root(graph.entries(e)) >= 0) found = root(graph.entries(e));
      }
    }
    aggregate(row) = found;
  }
};

/// The other rows follow their strongest neighbour with an aggregate, the first of equals.
template <class Exec, class Scalar>
struct JoinNeighbors {
  CsrMatrix<Exec, Scalar> a;
  ConstEntryMarks<Exec> strong;
  Numbers<Exec> first, aggregate;

  KOKKOS_FUNCTION void operator()(int row) const {
    int found = first(row);
    if (found < 0) {
      double strongest = 0;
      for (int e = a.graph.offsets(row); e < a.graph.offsets(row + 1); ++e) {
        int const column = a.graph.entries(e);
        if (!strong(e) || first(column) < 0) continue;
        double const square = squared_magnitude(widened<Scalar>(a.values(e)));
        if (square > strongest) {
          strongest = square;
          found = first(column);
        }
      }
    }
    aggregate(row) = found;
  }
};

template <class Exec>
struct Aggregates {
  int count = 0;
  Numbers<Exec> of_row = Numbers<Exec>();  ///< -1 for rows without strong connections; "= Numbers()": see Graph
};

/// Waits for `space`. Rounds: about the logarithm of the rows. `small`: roots are two connections apart, not three, so
/// that aggregates have about 3.5 rows of a mesh of triangles, not 9.
template <class Exec, class Scalar>
Aggregates<Exec> aggregate(Exec const& space, CsrMatrix<Exec, Scalar> const& a, ConstEntryMarks<Exec> const& strong,
                           bool small, SetupMemory<Exec> const& memory = {}) {
  auto const rows = static_cast<std::size_t>(a.rows());
  auto const all = Kokkos::RangePolicy<Exec>(space, 0, a.rows());
  auto const keys = [&](char const* label) {
    if (memory.scratch != nullptr) return memory.scratch->template take<Keys<Exec>>(rows);
    return Keys<Exec>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), rows);
  };
  Keys<Exec> const key = keys("karman::amg::keys"), near = keys("karman::amg::near_keys");
  Kokkos::parallel_for("karman::amg::first_keys", all, FirstKeys<Exec>{a.graph, strong, key, near});
  for (int undecided = 1; undecided > 0;) {
    if (small) Kokkos::deep_copy(space, near, key);
    else Kokkos::parallel_for("karman::amg::spread_keys", all, SpreadKeys<Exec>{a.graph, strong, key, near});
    Kokkos::parallel_reduce("karman::amg::decide_roots", all, DecideRoots<Exec>{a.graph, strong, key, near}, undecided);
    compat::fence(space, "karman::amg::decided");
  }
  Aggregates<Exec> result;
  auto const number = numbers(space, rows, "karman::amg::roots", memory.scratch);
  auto const first = numbers(space, rows, "karman::amg::first_aggregates", memory.scratch);
  result.of_row = numbers(space, rows, "karman::amg::aggregates", memory.kept);
  Kokkos::parallel_scan("karman::amg::number_roots", all, NumberRoots<Exec>{key, number}, result.count);
  Kokkos::parallel_for("karman::amg::join_roots", all, JoinRoots<Exec>{a.graph, strong, number, first});
  Kokkos::parallel_for("karman::amg::join_neighbors", all,
                       JoinNeighbors<Exec, Scalar>{a, strong, first, result.of_row});
  compat::fence(space, "karman::amg::aggregated");
  return result;
}

}  // namespace karman::detail
