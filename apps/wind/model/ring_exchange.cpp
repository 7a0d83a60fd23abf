// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ring_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace karman::wind {
namespace {

/// Half-open range of values along x and y.
struct Columns {
  std::array<int, 2> begin{}, end{};
  bool empty() const { return begin[0] >= end[0] || begin[1] >= end[1]; }
};

Columns common(Columns const& a, Columns const& b) {
  Columns result;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    result.begin[axis] = std::max(a.begin[axis], b.begin[axis]);
    result.end[axis] = std::min(a.end[axis], b.end[axis]);
  }
  return result;
}

/// \param faces values beyond the cells, along x and y: 0 or 1
/// \param passes whether values pass between this process and another one
template <class Passes>
std::vector<BlockNeighbor> ring(DomainPart const& part, int layers, std::array<int, 2> const& faces,
                                Passes const& passes) {
  std::array<int, 3> const cells = part.boxes.cells();
  auto const values = [&](int rank, bool ringed) {
    Box const box = part.boxes.box(rank);
    Box const with = with_ring(box, cells);
    Columns result;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      Box const& taken = ringed && faces[axis] == 0 ? with : box;
      result.begin[axis] = taken.begin[axis];
      result.end[axis] = taken.end[axis] + faces[axis];
    }
    return result;
  };
  Box const all = part.ringed.own_box();
  std::int64_t const row = part.ringed.nx() + faces[0], layer = row * (part.ringed.ny() + faces[1]);
  auto const block = [&](Columns const& c) {
    return StridedBlock{(c.begin[1] - all.begin[1]) * row + (c.begin[0] - all.begin[0]),
                        {layers, c.end[1] - c.begin[1], c.end[0] - c.begin[0]},
                        {layer, row, 1}};
  };
  std::vector<BlockNeighbor> neighbors;
  for (int other = 0; other < part.boxes.processes(); ++other) {
    if (other == part.rank || !passes(other)) continue;
    Columns const send = common(values(part.rank, false), values(other, true));
    Columns const receive = common(values(part.rank, true), values(other, false));
    if (send.empty() && receive.empty()) continue;
    BlockNeighbor& neighbor = neighbors.emplace_back(BlockNeighbor{other, {}, {}});
    if (!send.empty()) neighbor.send.push_back(block(send));
    if (!receive.empty()) neighbor.receive.push_back(block(receive));
  }
  return neighbors;
}

}  // namespace

std::vector<BlockNeighbor> ring_of_cells(DomainPart const& part, int layers) {
  return ring(part, layers, {0, 0}, [](int) { return true; });
}

std::vector<BlockNeighbor> ring_of_faces(DomainPart const& part, int axis) {
  auto const along = static_cast<std::size_t>(axis);
  int const place = part.boxes.place(part.rank)[along];
  // Processes side by side along the axis share the faces between them: no values pass.
  return ring(part, part.own.nz(), {axis == 0 ? 1 : 0, axis == 1 ? 1 : 0},
              [&](int other) { return part.boxes.place(other)[along] == place; });
}

}  // namespace karman::wind
