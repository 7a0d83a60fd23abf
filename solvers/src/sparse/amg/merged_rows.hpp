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

#include <climits>

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

/// Counts the columns of rows that join few; others get -1.
template <class Exec>
struct CountMerged {
  ProductProfiles<Exec> profiles;
  Numbers<Exec> lengths;

  KOKKOS_FUNCTION void operator()(typename RowTeams<Exec>::Member const& member) const {
    int const row = RowTeams<Exec>::row(member);
    if (row >= profiles.rows()) return;
    int count = -1;
    if (profiles.joined_rows(row) <= most_merged) {
      for (int last = -1; last < INT_MAX; ++count) last = merged_column(member, profiles, row, last);
    }
    Kokkos::single(Kokkos::PerThread(member), [&] { lengths(row) = count; });
  }
};

/// Writes the columns of these rows, ascending.
template <class Exec>
struct FillMerged {
  ProductProfiles<Exec> profiles;
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
    int last = -1;
    for (int n = offsets(row); n < offsets(row + 1); ++n) {
      last = merged_column(member, profiles, row, last);
      Kokkos::single(Kokkos::PerThread(member), [&] { entries(n) = last; });
    }
  }
};

}  // namespace karman::detail
