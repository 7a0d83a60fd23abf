// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lists of whole numbers, one a row, held one after the other.
#pragma once

#include <karman/core/concepts.hpp>

#include <Kokkos_Core.hpp>

namespace karman {

/// Row r holds entries(offsets(r)) ... entries(offsets(r + 1) - 1): the triangles around a node, the neighbours of a
/// node, the columns of a sparse matrix. offsets has one value more than there are rows. At most 2^31 - 1 entries.
template <ExecutionSpace Exec>
struct Graph {
  using Numbers = Kokkos::View<int const*, typename Exec::memory_space>;
  // "= Numbers()" here and elsewhere: g++ 12 makes an empty View of Kokkos 4.6 out of zero bytes where it may do so
  // when it compiles, and such a View crashes when it is assigned to.
  Numbers offsets = Numbers();
  Numbers entries = Numbers();

  KOKKOS_FUNCTION int rows() const { return offsets.extent(0) == 0 ? 0 : static_cast<int>(offsets.extent(0)) - 1; }
};

}  // namespace karman
