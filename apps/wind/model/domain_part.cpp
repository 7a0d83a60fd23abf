// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "domain_part.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace karman::wind {
namespace {

BoxDecomposition boxes_of(WindCase const& wind_case, int processes) {
  std::array<int, 3> const cells = wind_case.grid.global_cells();
  BoxDecomposition const pairs(cells, processes);
  if (processes == 1 || wind_case.solver.method == Method::sor) return pairs;
  std::array<int, 3> const parts = pairs.parts();
  constexpr int blocks_a_part = 4, most = 64;
  auto const fits = [&](int multiple, std::size_t axis) {
    return parts[axis] == 1 || cells[axis] / multiple >= blocks_a_part * parts[axis];
  };
  int multiple = 2;
  while (multiple < most && fits(2 * multiple, 0) && fits(2 * multiple, 1)) multiple *= 2;
  return {cells, processes, {.parts = {parts[0], parts[1]}, .multiple = multiple}};
}

}  // namespace

Box with_ring(Box box, std::array<int, 3> const& cells) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    box.begin[axis] = std::max(box.begin[axis] - 1, 0);
    box.end[axis] = std::min(box.end[axis] + 1, cells[axis]);
  }
  return box;
}

DomainPart::DomainPart(WindCase const& wind_case, int processes, int rank_)
    : rank(rank_),
      boxes(boxes_of(wind_case, processes)),
      own(boxes.part(wind_case.grid, rank)),
      ringed(wind_case.grid.part(with_ring(own.own_box(), boxes.cells()))) {
  for (std::size_t axis = 0; axis < 2; ++axis) ring[axis] = own.own_box().begin[axis] - ringed.own_box().begin[axis];
}

DomainPart largest_part(WindCase const& wind_case, int processes) {
  BoxDecomposition const boxes = boxes_of(wind_case, processes);
  int largest = 0;
  std::int64_t most = 0;
  for (int rank = 0; rank < processes; ++rank) {
    Box const box = with_ring(boxes.box(rank), boxes.cells());
    std::int64_t const columns = std::int64_t{box.end[0] - box.begin[0]} * (box.end[1] - box.begin[1]);
    if (columns <= most) continue;
    most = columns;
    largest = rank;
  }
  return {wind_case, processes, largest};
}

}  // namespace karman::wind
