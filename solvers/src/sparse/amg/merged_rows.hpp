// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows of a product of two sparse matrices on a device, where lanes share a row.
#pragma once

#include "column_sets.hpp"
#include "product_profiles.hpp"
#include "row_teams.hpp"
#include "sparse/preconditioners/row_coloring.hpp"
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>

namespace karman::detail {

/// Most rows of B that lanes merge. They search each of them once per column of the product, so that long rows are
/// faster with sets.
inline constexpr int most_merged = 256;

/// The least column after `last` of a row of the product, INT_MAX if there is none. All lanes get it.
template <class Exec, class Member>
KOKKOS_INLINE_FUNCTION int merged_column(Member const& member, ProductProfiles<Exec> const& profiles, int row,
                                         int last) {
  int least = INT_MAX;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(member, profiles.a.offsets(row), profiles.a.offsets(row + 1)),
      [&](int e, int& found) {
        int const column = profiles.column_after(e, last, INT_MAX);
        if (column < found) found = column;
      },
      Kokkos::Min<int>(least));
  return least;
}

/// Places for the first columns of each row, which are found while they are counted.
template <class Exec>
struct FoundColumns {
  Numbers<Exec> columns;
  int capacity;  ///< of a row

  /// For rows that join `joined` rows altogether. Most rows have about as many columns as they join rows.
  static FoundColumns make(Exec const& space, int rows, std::int64_t joined, SetupMemory<Exec> const& memory) {
    auto const capacity = static_cast<int>(std::min<std::int64_t>(joined / std::max(rows, 1) + 4, 16));
    auto const all = static_cast<std::size_t>(rows) * static_cast<std::size_t>(capacity);
    return {numbers(space, all, "karman::amg::found_columns", memory.scratch), capacity};
  }
  KOKKOS_INLINE_FUNCTION int& operator()(int row, int n) const {
    return columns(static_cast<std::size_t>(row) * static_cast<std::size_t>(capacity) + static_cast<std::size_t>(n));
  }
};

/// Counts the columns of rows that join few; others get -1.
template <class Exec>
struct CountMerged {
  ProductProfiles<Exec> profiles;
  FoundColumns<Exec> found;
  Numbers<Exec> lengths;

  KOKKOS_FUNCTION void operator()(typename RowTeams<Exec>::Member const& member) const {
    int const row = RowTeams<Exec>::row(member);
    if (row >= profiles.rows()) return;
    int count = -1;
    if (profiles.joined_rows(row) <= most_merged) {
      for (int last = -1; last < INT_MAX; ++count) {
        last = merged_column(member, profiles, row, last);
        if (last < INT_MAX && count + 1 < found.capacity)
          Kokkos::single(Kokkos::PerThread(member), [&] { found(row, count + 1) = last; });
      }
    }
    Kokkos::single(Kokkos::PerThread(member), [&] { lengths(row) = count; });
  }
};

/// Writes the columns of these rows, ascending.
template <class Exec>
struct FillMerged {
  ProductProfiles<Exec> profiles;
  FoundColumns<Exec> found;
  typename Graph<Exec>::Numbers offsets;
  Numbers<Exec> entries;

  KOKKOS_FUNCTION void operator()(typename RowTeams<Exec>::Member const& member) const {
    int const row = RowTeams<Exec>::row(member);
    if (row >= profiles.rows()) return;
    if (profiles.joined_rows(row) > most_merged) {
      Kokkos::single(Kokkos::PerThread(member), [&] {
        SortedSet set{entries.data() + offsets(row), offsets(row + 1) - offsets(row)};
        profiles.columns(row, set);
      });
      return;
    }
    int const begin = offsets(row), count = offsets(row + 1) - begin;
    if (count <= found.capacity) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, count),
                           [&](int n) { entries(begin + n) = found(row, n); });
      return;
    }
    int last = -1;
    for (int n = begin; n < begin + count; ++n) {
      last = merged_column(member, profiles, row, last);
      Kokkos::single(Kokkos::PerThread(member), [&] { entries(n) = last; });
    }
  }
};

}  // namespace karman::detail
