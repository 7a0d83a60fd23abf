// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lists of whole numbers, one list per row, stored one after the other.
#pragma once

#include <karman/core/concepts.hpp>

#include <Kokkos_Core.hpp>

namespace karman {

/// Rows of whole numbers. Row r holds the entries from offsets(r) to offsets(r + 1) - 1. Examples: triangles around a
/// node, neighbours of a node, columns of a sparse matrix. At most 2^31 - 1 entries.
template <ExecutionSpace Exec>
struct Graph {
  /// View of whole numbers.
  using Numbers = Kokkos::View<int const*, typename Exec::memory_space>;
  // "= Numbers()" here and elsewhere: without it g++ 12 may fill an empty View of Kokkos 4.6 with zero bytes at compile
  // time. An assignment to such a View crashes.
  Numbers offsets = Numbers();  ///< first entry of each row, then the number of entries: rows + 1 values
  Numbers entries = Numbers();  ///< entries of all rows

  /// Number of rows.
  KOKKOS_FUNCTION int rows() const { return offsets.extent(0) == 0 ? 0 : static_cast<int>(offsets.extent(0)) - 1; }
};

}  // namespace karman
