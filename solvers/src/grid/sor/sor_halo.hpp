// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cells of one colour along the faces of a part, for the exchange with neighbouring processes.
#pragma once

#include "split_layout.hpp"
#include <karman/core/box_halo.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace karman::detail {

/// Half index of column i, from -1.
inline int half_index(int i) { return ((i + 2) >> 1) - 1; }

/// Blocks of the array of `color` that hold its cells along a face, or beyond it. `face` has the axes of the layout.
/// Parts begin at even cells, so that a cell has the same colour in every process.
inline std::vector<StridedBlock> sor_face_cells(SplitLayout const& layout, int color, BoxFace const& face) {
  std::array<int, 3> const cells{layout.nx, layout.ny, layout.nz};
  int const last = face.step > 0 ? cells[static_cast<std::size_t>(face.axis)] - 1 : 0;
  int const n = last + (face.beyond ? face.step : 0);
  std::int64_t const plane = layout.plane(), pitch = layout.pitch;
  if (face.axis == 2) return {{layout.ghosted(n, 0, 0), {1, layout.ny, layout.half}, {0, pitch, 1}}};
  if (face.axis == 1) return {{layout.ghosted(0, n, 0), {1, layout.nz, layout.half}, {0, plane, 1}}};
  // In x, every other row of a layer has a cell of this colour in column n.
  std::vector<StridedBlock> blocks;
  for (int k = 0; k < 2; ++k) {
    int const j = (k + n + color + 2) & 1;
    blocks.push_back({layout.ghosted(k, j, half_index(n)),
                      {1, (layout.nz - k + 1) / 2, (layout.ny - j + 1) / 2},
                      {0, 2 * plane, 2 * pitch}});
  }
  return blocks;
}

}  // namespace karman::detail
