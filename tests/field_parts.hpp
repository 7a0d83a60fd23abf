// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parts of fields in the boxes of processes.
#pragma once

#include "fields.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/core/communicator.hpp>

#include <cstddef>
#include <span>

namespace karman::test {

/// Calls function(k, j, i) for the cells of a box, in the order of a field.
template <class Function>
void for_cells(Box const& box, Function const& function) {
  for (int k = box.begin[2]; k < box.end[2]; ++k) {
    for (int j = box.begin[1]; j < box.end[1]; ++j) {
      for (int i = box.begin[0]; i < box.end[0]; ++i) function(k, j, i);
    }
  }
}

/// Cells of a box of a field, as numbers of type T.
template <class T, class V>
HostField<T> cut(HostField<V> const& field, Box const& box) {
  HostField<T> part({box.end[2] - box.begin[2], box.end[1] - box.begin[1], box.end[0] - box.begin[0]});
  auto value = part.values.begin();
  for_cells(box, [&](int k, int j, int i) { *value++ = static_cast<T>(field(k, j, i)); });
  return part;
}

/// The whole field from the parts of all processes. Collective.
template <class T>
HostField<T> joined(Communicator const& communicator, BoxDecomposition const& boxes, HostField<T> const& part) {
  auto const all = communicator.all_gather_arrays(std::span<T const>(part.values));
  auto const [nx, ny, nz] = boxes.cells();
  HostField<T> field({nz, ny, nx});
  for (int rank = 0; rank < communicator.size(); ++rank) {
    auto value = all[static_cast<std::size_t>(rank)].begin();
    for_cells(boxes.box(rank), [&](int k, int j, int i) { field(k, j, i) = *value++; });
  }
  return field;
}

}  // namespace karman::test
