// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The coarse matrix P^T A P: profile and values.
#pragma once

#include "mesh/graph_build.hpp"
#include "mesh/sort_row.hpp"
#include <karman/core/backend.hpp>
#include <karman/solvers/csr.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace karman::detail {

/// Ascending distinct numbers in memory of a fixed length.
struct SortedSet {
  int* values;
  int capacity;
  int count = 0;
  int last = -1;  ///< the number that came last

  /// False where there is no room for a new number.
  KOKKOS_INLINE_FUNCTION bool insert(int value) {
    if (value == last) return true;
    int const place = lower_place(values, count, value);
    if (place == count || values[place] != value) {
      if (count == capacity) return false;
      for (int i = count; i > place; --i) values[i] = values[i - 1];
      values[place] = value;
      ++count;
    }
    last = value;
    return true;
  }
};

/// Profiles of the factors of P^T A P.
template <class Exec>
struct GalerkinProfiles {
  Graph<Exec> r, a, p;

  /// Inserts the columns of a row of the product. False where there is no room.
  KOKKOS_FUNCTION bool columns(int row, SortedSet& set) const {
    for (int f = r.offsets(row); f < r.offsets(row + 1); ++f) {
      int const fine = r.entries(f);
      for (int e = a.offsets(fine); e < a.offsets(fine + 1); ++e) {
        int const column = a.entries(e);
        for (int c = p.offsets(column); c < p.offsets(column + 1); ++c) {
          if (!set.insert(p.entries(c))) return false;
        }
      }
    }
    return true;
  }
};

/// Counts the columns of rows first, first + 1, ... of a list, or of all rows where the list is empty. Rows with more
/// columns than `capacity` get -1.
template <class Exec>
struct CountColumns {
  GalerkinProfiles<Exec> profiles;
  typename Graph<Exec>::Numbers list;
  int first, capacity;
  Numbers<Exec> memory, lengths;

  KOKKOS_FUNCTION void operator()(int n) const {
    int const row = list.extent(0) == 0 ? first + n : list(first + n);
    SortedSet set{memory.data() + static_cast<std::size_t>(n) * static_cast<std::size_t>(capacity), capacity};
    lengths(row) = profiles.columns(row, set) ? set.count : -1;
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

template <class Exec>
struct FillColumns {
  GalerkinProfiles<Exec> profiles;
  typename Graph<Exec>::Numbers offsets;
  Numbers<Exec> entries;

  KOKKOS_FUNCTION void operator()(int row) const {
    SortedSet set{entries.data() + offsets(row), offsets(row + 1) - offsets(row)};
    profiles.columns(row, set);
  }
};

/// Profile of P^T A P, from those of the factors. Waits for `space`. Counts in memory of at most `most_numbers` whole
/// numbers, but that of a row; first with short shares, then the rows that need more.
template <class Exec>
Graph<Exec> galerkin_profile(Exec const& space, GalerkinProfiles<Exec> const& profiles) {
  constexpr std::size_t most_numbers = std::size_t(1) << (runs_on_host<Exec> ? 20 : 25);
  constexpr int first_capacity = 64, growth = 8;
  int const rows = profiles.r.rows();
  auto const all = Kokkos::RangePolicy<Exec>(space, 0, rows);
  auto const lengths = zeros(space, static_cast<std::size_t>(rows) + 1, "karman::amg::lengths");
  Numbers<Exec> list;
  int left = rows;
  for (int capacity = std::min(first_capacity, rows); left > 0; capacity = std::min(rows, growth * capacity)) {
    auto const room = std::max<std::size_t>(1, most_numbers / static_cast<std::size_t>(capacity));
    int const at_once = static_cast<int>(std::min<std::size_t>(room, static_cast<std::size_t>(left)));
    auto const memory = numbers(space, static_cast<std::size_t>(at_once) * static_cast<std::size_t>(capacity),
                                "karman::amg::column_sets");
    for (int first = 0; first < left; first += at_once) {
      Kokkos::parallel_for("karman::amg::count_columns",
                           Kokkos::RangePolicy<Exec>(space, 0, std::min(at_once, left - first)),
                           CountColumns<Exec>{profiles, list, first, capacity, memory, lengths});
    }
    auto const next = numbers(space, static_cast<std::size_t>(left), "karman::amg::long_rows");
    Kokkos::parallel_scan("karman::amg::list_uncounted", all, ListUncounted<Exec>{lengths, next}, left);
    compat::fence(space, "karman::amg::counted");
    list = next;
  }
  int const total = make_offsets(space, lengths, "AmgPreconditioner");
  auto const entries = numbers(space, static_cast<std::size_t>(total), "karman::amg::columns");
  Kokkos::parallel_for("karman::amg::fill_columns", all, FillColumns<Exec>{profiles, lengths, entries});
  compat::fence(space, "karman::amg::profile");
  return {lengths, entries};
}

/// Values of P^T A P. One thread adds up a row in a fixed order.
template <class Exec, class Scalar>
struct GalerkinValues {
  CsrMatrix<Exec, Scalar> r, a, p, coarse;

  KOKKOS_FUNCTION void operator()(int row) const {
    int const begin = coarse.graph.offsets(row), count = coarse.graph.offsets(row + 1) - begin;
    Scalar* const values = coarse.values.data() + begin;
    int const* const columns = coarse.graph.entries.data() + begin;
    for (int c = 0; c < count; ++c) values[c] = Scalar(0);
    for (int f = r.graph.offsets(row); f < r.graph.offsets(row + 1); ++f) {
      int const fine = r.graph.entries(f);
      Scalar const weight = r.values(f);
      for (int e = a.graph.offsets(fine); e < a.graph.offsets(fine + 1); ++e) {
        int const column = a.graph.entries(e);
        Scalar const product = weight * a.values(e);
        for (int c = p.graph.offsets(column); c < p.graph.offsets(column + 1); ++c) {
          values[lower_place(columns, count, p.graph.entries(c))] += product * p.values(c);
        }
      }
    }
  }
};

}  // namespace karman::detail
