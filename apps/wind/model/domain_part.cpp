// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "domain_part.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace karman::wind {

Box with_ring(Box box, std::array<int, 3> const& cells) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    box.begin[axis] = std::max(box.begin[axis] - 1, 0);
    box.end[axis] = std::min(box.end[axis] + 1, cells[axis]);
  }
  return box;
}

DomainPart::DomainPart(UniformGrid const& whole, int processes, int rank_)
    : rank(rank_),
      boxes(whole.global_cells(), processes),
      own(boxes.part(whole, rank)),
      ringed(whole.part(with_ring(own.own_box(), whole.global_cells()))) {
  for (std::size_t axis = 0; axis < 2; ++axis) ring[axis] = own.own_box().begin[axis] - ringed.own_box().begin[axis];
}

DomainPart largest_part(UniformGrid const& whole, int processes) {
  BoxDecomposition const boxes(whole.global_cells(), processes);
  int largest = 0;
  std::int64_t most = 0;
  for (int rank = 0; rank < processes; ++rank) {
    Box const box = with_ring(boxes.box(rank), whole.global_cells());
    std::int64_t const columns = std::int64_t{box.end[0] - box.begin[0]} * (box.end[1] - box.begin[1]);
    if (columns <= most) continue;
    most = columns;
    largest = rank;
  }
  return {whole, processes, largest};
}

}  // namespace karman::wind
