// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cells of the domain that one process computes.
#pragma once

#include "wind/case/wind_case.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/core/uniform_grid.hpp>

#include <array>

namespace karman::wind {

/// Own cells of a process, and around them one ring of cells of its neighbours. Beyond the sides of the domain there is
/// no ring. With one process all three grids are the same.
///
/// Flags and velocities include the ring: kernels evaluate walls and zones there too, from global coordinates. Values
/// that depend on neighbouring cells come from the other processes. Other fields have the own cells alone. A face on a
/// cut belongs to both processes, which compute the same bits.
struct DomainPart {
  int rank = 0;
  BoxDecomposition boxes;
  UniformGrid own;
  UniformGrid ringed;         ///< own cells and ring
  std::array<int, 2> ring{};  ///< columns of the ring below the own cells, in x and y: 0 or 1

  /// Cuts between pairs of cells. For multigrid, between larger blocks where every process has four of them: coarser
  /// grids are then cut there too. Throws std::invalid_argument for more processes than boxes of cells.
  DomainPart(WindCase const& wind_case, int processes, int rank_);

  bool is_cut() const { return boxes.processes() > 1; }
};

/// Own cells of `box` and their ring within a grid of so many cells.
Box with_ring(Box box, std::array<int, 3> const& cells);

/// The part with the most cells. Throws as DomainPart.
DomainPart largest_part(WindCase const& wind_case, int processes);

}  // namespace karman::wind
