// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Profiles of the factors of a product of two sparse matrices.
#pragma once

#include "mesh/sort_row.hpp"
#include <karman/mesh/graph.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Profiles of the factors of A B. A row of the product joins the rows of B that its row of A has entries for.
template <class Exec>
struct ProductProfiles {
  Graph<Exec> a, b;

  KOKKOS_FUNCTION int rows() const { return a.rows(); }
  KOKKOS_FUNCTION int joined_rows(int row) const { return a.offsets(row + 1) - a.offsets(row); }

  /// Inserts the columns of a row of the product. False where the set is full.
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

  /// The least column of entry e of A, after `last`; `none` if there is none.
  KOKKOS_FUNCTION int column_after(int e, int last, int none) const {
    int const inner = a.entries(e), begin = b.offsets(inner), count = b.offsets(inner + 1) - begin;
    int const place = lower_place(b.entries.data() + begin, count, last + 1);
    return place < count ? b.entries(begin + place) : none;
  }
};

}  // namespace karman::detail
