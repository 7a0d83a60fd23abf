// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Product of two sparse matrices: profile and values.
#pragma once

#include "column_sets.hpp"
#include "merged_rows.hpp"
#include "mesh/graph_build.hpp"
#include "product_profiles.hpp"
#include <karman/core/backend.hpp>
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace karman::detail {

/// Columns of the first sets: enough for most rows of a product.
inline constexpr int first_set_capacity = 32;

/// Rows first, first + 1, ... in shares of one set each.
struct RowShares {
  int first, rows, each;

  /// As few rows per share as `sets` allow on a host, one on a device.
  template <class Exec>
  static RowShares of(int first, int rows, int sets) {
    return {first, rows, runs_on_host<Exec> ? (rows - 1) / sets + 1 : 1};
  }
  int count() const { return rows > 0 ? (rows - 1) / each + 1 : 0; }
  KOKKOS_INLINE_FUNCTION int begin(int share) const { return first + share * each; }
  KOKKOS_INLINE_FUNCTION int end(int share) const {
    return rows - share * each < each ? first + rows : first + (share + 1) * each;
  }
};

/// Counts the columns of some rows of a list, or of all rows where the list is empty. Rows with more columns than a set
/// holds get -1.
template <class Exec>
struct CountColumns {
  ProductProfiles<Exec> profiles;
  typename Graph<Exec>::Numbers list;
  RowShares shares;
  ColumnSets<Exec> sets;
  Numbers<Exec> lengths;

  KOKKOS_FUNCTION void operator()(int share) const {
    auto set = sets.set(share);
    for (int n = shares.begin(share); n < shares.end(share); ++n) {
      int const row = list.extent(0) == 0 ? n : list(n);
      set.clear(sets.capacity);
      lengths(row) = profiles.columns(row, set) ? set.count : -1;
    }
  }
};

/// Lists the rows of length -1 by number.
template <class Exec>
struct ListUncounted {
  using value_type = int;
  Numbers<Exec> lengths, list;

  KOKKOS_FUNCTION void operator()(int row, int& sum, bool last) const {
    bool const wanted = lengths(row) < 0;
    if (last && wanted) list(sum) = row;
    if (wanted) ++sum;
  }
};

/// Writes the columns of rows with known lengths, ascending. On a host.
template <class Exec>
struct FillColumns {
  ProductProfiles<Exec> profiles;
  typename Graph<Exec>::Numbers offsets;
  RowShares shares;
  ColumnSets<Exec> sets;
  Numbers<Exec> entries;

  KOKKOS_FUNCTION void operator()(int share) const {
    auto set = sets.set(share);
    for (int row = shares.begin(share); row < shares.end(share); ++row) {
      set.order = entries.data() + offsets(row);
      int const count = offsets(row + 1) - offsets(row);
      set.clear(count);
      profiles.columns(row, set);
      sort_ascending(set.order, count);
    }
  }
};

/// Profile of A B, and memory for the kernel of its values.
template <class Exec>
struct ProductPlan {
  Graph<Exec> graph;
  ColumnSets<Exec> sets = ColumnSets<Exec>();  ///< on a host, for the longest row
};

/// Lists the rows of length -1, `left` of all. Waits for `space`.
template <class Exec>
Numbers<Exec> list_uncounted(Exec const& space, Numbers<Exec> const& lengths, int& left,
                             SetupMemory<Exec> const& memory) {
  int const rows = static_cast<int>(lengths.extent(0)) - 1;
  auto const list = numbers(space, static_cast<std::size_t>(left), "karman::amg::long_rows", memory.scratch);
  Kokkos::parallel_scan("karman::amg::list_uncounted", Kokkos::RangePolicy<Exec>(space, 0, rows),
                        ListUncounted<Exec>{lengths, list}, left);
  compat::fence(space, "karman::amg::counted");
  return list;
}

/// From the profiles of the factors; `columns`: columns of B. Waits for `space`. On a device lanes count the rows that
/// join few. For others sets do, small ones first.
template <class Exec>
ProductPlan<Exec> product_profile(Exec const& space, ProductProfiles<Exec> const& profiles, int columns,
                                  SetupMemory<Exec> const& memory = {}) {
  constexpr int growth = 8;
  int const rows = profiles.rows();
  auto const lengths = zeros(space, static_cast<std::size_t>(rows) + 1, "karman::amg::lengths", memory.kept);
  Numbers<Exec> list;
  ColumnSets<Exec> sets;
  int left = rows;
  [[maybe_unused]] auto const joined = static_cast<std::int64_t>(profiles.a.entries.extent(0));
  [[maybe_unused]] FoundColumns<Exec> found{};
  if constexpr (!runs_on_host<Exec>) {
    found = FoundColumns<Exec>::make(space, rows, joined, memory);
    Kokkos::parallel_for("karman::amg::count_columns", RowTeams<Exec>::policy(space, rows, joined),
                         CountMerged<Exec>{profiles, found, lengths});
    list = list_uncounted(space, lengths, left, memory);
  }
  for (int capacity = first_set_capacity; left > 0;
       capacity = capacity > columns / growth ? columns : growth * capacity) {
    // The sets of the longest rows stay, for all rows.
    int const at_once = ColumnSets<Exec>::count_for(space, runs_on_host<Exec> ? rows : left, capacity);
    sets = ColumnSets<Exec>::make(space, at_once, capacity, memory);
    int const batch = runs_on_host<Exec> ? left : at_once;
    for (int first = 0; first < left; first += batch) {
      auto const shares = RowShares::of<Exec>(first, std::min(batch, left - first), at_once);
      Kokkos::parallel_for("karman::amg::count_long_rows", Kokkos::RangePolicy<Exec>(space, 0, shares.count()),
                           CountColumns<Exec>{profiles, list, shares, sets, lengths});
    }
    list = list_uncounted(space, lengths, left, memory);
  }
  int const total = make_offsets(space, lengths, "AmgPreconditioner");
  auto const entries = numbers(space, static_cast<std::size_t>(total), "karman::amg::columns", memory.kept);
  if constexpr (runs_on_host<Exec>) {
    auto const shares = RowShares::of<Exec>(0, rows, std::max(sets.count, 1));
    Kokkos::parallel_for("karman::amg::fill_columns", Kokkos::RangePolicy<Exec>(space, 0, shares.count()),
                         FillColumns<Exec>{profiles, lengths, shares, sets, entries});
  } else {
    sets = {};
    Kokkos::parallel_for("karman::amg::fill_columns", RowTeams<Exec>::policy(space, rows, joined),
                         FillMerged<Exec>{profiles, found, lengths, entries});
  }
  compat::fence(space, "karman::amg::profile");
  return {{lengths, entries}, sets};
}

/// Sums for one row of C = A B, in the order of the entries of A. `place` gives the place of a column in the row.
template <class Exec, class Scalar, class Place>
KOKKOS_INLINE_FUNCTION void add_up_row(CsrMatrix<Exec, Scalar> const& a, CsrMatrix<Exec, Scalar> const& b,
                                       CsrMatrix<Exec, Scalar> const& c, int row, Place const& place) {
  int const begin = c.graph.offsets(row), count = c.graph.offsets(row + 1) - begin;
  Scalar* const values = c.values.data() + begin;
  for (int n = 0; n < count; ++n) values[n] = Scalar(0);
  for (int e = a.graph.offsets(row); e < a.graph.offsets(row + 1); ++e) {
    int const inner = a.graph.entries(e);
    Scalar const factor = a.values(e);
    for (int n = b.graph.offsets(inner); n < b.graph.offsets(inner + 1); ++n)
      values[place(b.graph.entries(n))] += factor * b.values(n);
  }
}

/// Values of C = A B on a host.
template <class Exec, class Scalar>
struct ProductValues {
  CsrMatrix<Exec, Scalar> a, b, c;
  RowShares shares;
  ColumnSets<Exec> sets;

  KOKKOS_FUNCTION void operator()(int share) const {
    auto set = sets.set(share);
    for (int row = shares.begin(share); row < shares.end(share); ++row) {
      int const begin = c.graph.offsets(row), end = c.graph.offsets(row + 1);
      set.clear(end - begin);
      for (int n = begin; n < end; ++n) set.insert(c.graph.entries(n));
      add_up_row(a, b, c, row, [&](int column) { return set.place(column); });
    }
  }
};

/// Values of C = A B on a device. A lane adds up one entry, in the order of the entries of A too; rows that join many
/// have one thread.
template <class Exec, class Scalar>
struct MergedValues {
  CsrMatrix<Exec, Scalar> a, b, c;

  KOKKOS_FUNCTION void operator()(typename RowTeams<Exec>::Member const& member) const {
    int const row = RowTeams<Exec>::row(member);
    if (row >= c.rows()) return;
    int const first = a.graph.offsets(row), stop = a.graph.offsets(row + 1);
    int const begin = c.graph.offsets(row), end = c.graph.offsets(row + 1);
    if (stop - first > most_merged) {
      Kokkos::single(Kokkos::PerThread(member), [&] {
        int const* const columns = c.graph.entries.data() + begin;
        add_up_row(a, b, c, row, [&](int column) { return lower_place(columns, end - begin, column); });
      });
      return;
    }
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, begin, end), [&](int n) {
      int const column = c.graph.entries(n);
      Scalar sum(0);
      for (int e = first; e < stop; ++e) {
        int const place = find_entry<Exec>(b.graph, a.graph.entries(e), column);
        if (place >= 0) sum += a.values(e) * b.values(place);
      }
      c.values(n) = sum;
    });
  }
};

/// Asynchronous.
template <class Exec, class Scalar>
void multiply_matrices(Exec const& space, char const* label, CsrMatrix<Exec, Scalar> const& a,
                       CsrMatrix<Exec, Scalar> const& b, CsrMatrix<Exec, Scalar> const& c,
                       [[maybe_unused]] ColumnSets<Exec> const& sets) {
  if constexpr (runs_on_host<Exec>) {
    auto const shares = RowShares::of<Exec>(0, c.rows(), std::max(sets.count, 1));
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec>(space, 0, shares.count()),
                         ProductValues<Exec, Scalar>{a, b, c, shares, sets});
  } else {
    auto const entries = static_cast<std::int64_t>(c.values.extent(0));
    Kokkos::parallel_for(label, RowTeams<Exec>::policy(space, c.rows(), entries), MergedValues<Exec, Scalar>{a, b, c});
  }
}

}  // namespace karman::detail
