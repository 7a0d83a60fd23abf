// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "planes_beyond.hpp"

#include <karman/core/box_decomposition.hpp>
#include <karman/core/detail/process_group.hpp>

#include <span>

namespace karman::poisson {
namespace {

/// The own values along a side.
CellValues plane_along(LinearSystem const& system, CellValues const& values, int side) {
  auto const [nx, ny, nz] = system.cells();
  bool const across_x = side < 2, up = side % 2 == 0;
  CellValues plane;
  for (std::int64_t k = 0; k < nz; ++k)
    for (std::int64_t n = 0; n < (across_x ? ny : nx); ++n) {
      std::int64_t const j = across_x ? n : up ? ny - 1 : 0, i = across_x ? (up ? nx - 1 : 0) : n;
      plane.push_back(values[static_cast<std::size_t>((k * ny + j) * nx + i)]);
    }
  return plane;
}

}  // namespace

PlanesBeyond planes_beyond(LinearSystem const& system, CellValues const& values) {
  PlanesBeyond beyond;
  if (!system.grid.is_part()) return beyond;
  auto const boxes = BoxDecomposition::gathered(system.communicator, system.grid);
  int const rank = system.communicator.rank();
  // One direction after the other: on a periodic axis of two parts both neighbours are the same process.
  for (int side = 0; side < 4; ++side) {
    int const axis = side / 2, step = side % 2 == 0 ? 1 : -1, opposite = side % 2 == 0 ? side + 1 : side - 1;
    std::vector<detail::Message> messages;
    CellValues out;
    if (system.is_cut(side)) {
      out = plane_along(system, values, side);
      messages.push_back({boxes.neighbor(rank, axis, step, system.periodic(axis)), std::as_bytes(std::span(out)), {}});
    }
    CellValues& in = beyond[static_cast<std::size_t>(opposite)];
    if (system.is_cut(opposite)) {
      in.resize(plane_along(system, values, opposite).size());
      messages.push_back(
          {boxes.neighbor(rank, axis, -step, system.periodic(axis)), {}, std::as_writable_bytes(std::span(in))});
    }
    auto const channel = system.communicator.group().host_channel(messages);
    channel->start(nullptr);
    channel->finish(nullptr);
  }
  return beyond;
}

}  // namespace karman::poisson
