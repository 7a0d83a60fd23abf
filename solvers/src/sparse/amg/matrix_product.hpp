// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Product of two sparse matrices: profile and values.
#pragma once

#include "column_sets.hpp"
#include "mesh/graph_build.hpp"
#include <karman/core/backend.hpp>
#include <karman/solvers/csr.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace karman::detail {

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

/// Profiles of the factors of A B.
template <class Exec>
struct ProductProfiles {
  Graph<Exec> a, b;

  /// Inserts the columns of a row of the product. False where there is no room.
  template <class Set>
  KOKKOS_FUNCTION bool columns(int row, Set& set) const {
    for (int e = a.offsets(row); e < a.offsets(row + 1); ++e) {
      int const inner = a.entries(e);
      for (int c = b.offsets(inner); c < b.offsets(inner + 1); ++c) {
        if (!set.insert(b.entries(c))) return false;
      }
    }
    return true;
  }
};

/// Counts the columns of some rows of a list, or of all rows where the list is empty. Rows with more columns than a set
/// has room for get -1.
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

/// Writes the columns of rows with known lengths, ascending.
template <class Exec>
struct FillColumns {
  ProductProfiles<Exec> profiles;
  typename Graph<Exec>::Numbers offsets;
  RowShares shares;
  ColumnSets<Exec> sets;  ///< on a host
  Numbers<Exec> entries;

  KOKKOS_FUNCTION void operator()(int share) const {
    for (int row = shares.begin(share); row < shares.end(share); ++row) {
      int* const out = entries.data() + offsets(row);
      int const count = offsets(row + 1) - offsets(row);
      if constexpr (runs_on_host<Exec>) {
        auto set = sets.set(share);
        set.order = out;
        set.clear(count);
        profiles.columns(row, set);
        sort_ascending(out, count);
      } else {
        SortedSet set{out, count};
        profiles.columns(row, set);
      }
    }
  }
};

/// Profile of A B, and memory for the kernel of its values.
template <class Exec>
struct ProductPlan {
  Graph<Exec> graph;
  ColumnSets<Exec> sets = ColumnSets<Exec>();  ///< on a host, for the longest row
};

/// From the profiles of the factors; `columns`: those of B. Waits for `space`. Counts with small sets first, then the
/// rows that need more.
template <class Exec>
ProductPlan<Exec> product_profile(Exec const& space, ProductProfiles<Exec> const& profiles, int columns) {
  constexpr int first_capacity = 32, growth = 8;
  int const rows = profiles.a.rows();
  auto const all = Kokkos::RangePolicy<Exec>(space, 0, rows);
  auto const lengths = zeros(space, static_cast<std::size_t>(rows) + 1, "karman::amg::lengths");
  Numbers<Exec> list;
  ColumnSets<Exec> sets;
  int left = rows;
  for (int capacity = first_capacity; left > 0; capacity = capacity > columns / growth ? columns : growth * capacity) {
    // The sets of the longest rows stay, for all rows.
    int const at_once = ColumnSets<Exec>::count_for(space, runs_on_host<Exec> ? rows : left, capacity);
    sets = ColumnSets<Exec>::make(space, at_once, capacity);
    int const batch = runs_on_host<Exec> ? left : at_once;
    for (int first = 0; first < left; first += batch) {
      auto const shares = RowShares::of<Exec>(first, std::min(batch, left - first), at_once);
      Kokkos::parallel_for("karman::amg::count_columns", Kokkos::RangePolicy<Exec>(space, 0, shares.count()),
                           CountColumns<Exec>{profiles, list, shares, sets, lengths});
    }
    auto const next = numbers(space, static_cast<std::size_t>(left), "karman::amg::long_rows");
    Kokkos::parallel_scan("karman::amg::list_uncounted", all, ListUncounted<Exec>{lengths, next}, left);
    compat::fence(space, "karman::amg::counted");
    list = next;
  }
  int const total = make_offsets(space, lengths, "AmgPreconditioner");
  auto const entries = numbers(space, static_cast<std::size_t>(total), "karman::amg::columns");
  auto const shares = RowShares::of<Exec>(0, rows, std::max(sets.count, 1));
  if constexpr (!runs_on_host<Exec>) sets = {};
  Kokkos::parallel_for("karman::amg::fill_columns", Kokkos::RangePolicy<Exec>(space, 0, shares.count()),
                       FillColumns<Exec>{profiles, lengths, shares, sets, entries});
  compat::fence(space, "karman::amg::profile");
  return {{lengths, entries}, sets};
}

/// Values of C = A B. One thread adds up a row in a fixed order.
template <class Exec, class Scalar>
struct ProductValues {
  CsrMatrix<Exec, Scalar> a, b, c;
  RowShares shares;
  ColumnSets<Exec> sets;  ///< on a host

  KOKKOS_FUNCTION void operator()(int share) const {
    for (int row = shares.begin(share); row < shares.end(share); ++row) {
      int const begin = c.graph.offsets(row), count = c.graph.offsets(row + 1) - begin;
      int const* const columns = c.graph.entries.data() + begin;
      if constexpr (runs_on_host<Exec>) {
        auto set = sets.set(share);
        set.clear(count);
        for (int n = 0; n < count; ++n) set.insert(columns[n]);
        add_up(row, [&](int column) { return set.place(column); });
      } else {
        add_up(row, [&](int column) { return lower_place(columns, count, column); });
      }
    }
  }

 private:
  template <class Place>
  KOKKOS_FUNCTION void add_up(int row, Place const& place) const {
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
};

/// Asynchronous.
template <class Exec, class Scalar>
void multiply_matrices(Exec const& space, char const* label, CsrMatrix<Exec, Scalar> const& a,
                       CsrMatrix<Exec, Scalar> const& b, CsrMatrix<Exec, Scalar> const& c,
                       ColumnSets<Exec> const& sets) {
  auto const shares = RowShares::of<Exec>(0, c.rows(), std::max(sets.count, 1));
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec>(space, 0, shares.count()),
                       ProductValues<Exec, Scalar>{a, b, c, shares, sets});
}

}  // namespace karman::detail
