// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Halos of boxes: the cells along the faces of a box, and those beyond them.
#pragma once

#include <karman/core/box_decomposition.hpp>
#include <karman/core/exchange.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace karman {

/// Face of a box between two processes.
struct BoxFace {
  int axis;     ///< normal of the face: 0: x, 1: y, 2: z
  int step;     ///< +1 for the upper face, -1 for the lower one
  bool beyond;  ///< false: the own cells along the face; true: the cells of the neighbour, one step further
};

/// Place of the cells of a box in an array: cell (k, j, i), counted from the first own cell, lies at
/// first + k strides[2] + j strides[1] + i strides[0].
struct BoxLayout {
  std::int64_t first = 0;                 ///< index of the first own cell
  std::array<std::int64_t, 3> strides{};  ///< distance of neighbours in x, y, z
};

/// The exchange that fills the cells beyond the faces of a box. Edges and corners beyond two faces are left out.
/// \param decomposition boxes of all processes
/// \param rank this process
/// \param periodic for x, y, z, whether the first and the last part are neighbours
/// \param cells blocks of a face, called for own cells and for those beyond. The blocks of the cells beyond a face have
/// the sizes and the order of those that the neighbour gives for its own cells.
/// \return entries for Exchange; none for faces on the end of the grid, nor for a process that is its own neighbour
std::vector<BlockNeighbor> halo_neighbors(BoxDecomposition const& decomposition, int rank,
                                          std::array<bool, 3> const& periodic,
                                          std::function<std::vector<StridedBlock>(BoxFace const&)> const& cells);

/// The same for an array with places for one cell beyond every face.
/// \param decomposition boxes of all processes
/// \param rank this process
/// \param periodic for x, y, z, whether the first and the last part are neighbours
/// \param layout place of the cells; those beyond a face continue it
std::vector<BlockNeighbor> halo_neighbors(BoxDecomposition const& decomposition, int rank,
                                          std::array<bool, 3> const& periodic, BoxLayout const& layout);

}  // namespace karman
