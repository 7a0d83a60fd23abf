// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Division of a grid among processes. Standard library only.
#pragma once

#include <karman/core/communicator.hpp>
#include <karman/core/uniform_grid.hpp>

#include <array>
#include <vector>

namespace karman {

/// Options of BoxDecomposition.
struct BoxDecompositionOptions {
  /// Number of parts along x and y; 0: chosen for the least traffic.
  std::array<int, 2> parts = {0, 0};
  /// Edges between parts are multiples of this number of cells. 2 keeps the colours of red-black sweeps and 2^L the
  /// pairs of cells of L coarser grids, the same as in one process.
  int multiple = 2;
};

/// Boxes of cells, one for each process: the cells along each axis in consecutive ranges. Processes are numbered along
/// x first, then y, then z.
///
/// The boxes that the class chooses cut y and x, never z: y alone for up to eight processes, so that rows stay whole.
class BoxDecomposition {
 public:
  /// Chooses boxes of nearly equal size.
  /// \param cells number of cells (x, y, z) of the whole grid
  /// \param processes number of processes
  /// \param options parts and edges
  /// \throws std::invalid_argument where the cells are too few for the processes, and for options out of range
  BoxDecomposition(std::array<int, 3> cells, int processes, BoxDecompositionOptions const& options = {});

  /// Takes given ranges.
  /// \param edges for x, y, z: first cell of every range, then the number of cells. Ranges may be empty.
  /// \throws std::invalid_argument unless the edges of each axis begin at 0 and never fall
  explicit BoxDecomposition(std::array<std::vector<int>, 3> edges);

  /// Finds the decomposition of which every process holds a part. Collective.
  /// \param communicator the processes
  /// \param grid part of this process, as part() or UniformGrid::part() makes it
  /// \throws std::invalid_argument in all processes, where the boxes form no decomposition or belong to
  /// different grids
  static BoxDecomposition gathered(Communicator const& communicator, UniformGrid const& grid);

  /// Number of cells (x, y, z) of the whole grid.
  std::array<int, 3> cells() const;
  /// Number of parts along x, y, z.
  std::array<int, 3> parts() const;
  /// Number of processes.
  int processes() const;
  /// Place of a process along x, y, z, each from 0.
  /// \param rank the process
  std::array<int, 3> place(int rank) const;
  /// \param rank the process
  /// \return its cells
  Box box(int rank) const;
  /// \param rank the process
  /// \param axis 0: x, 1: y, 2: z
  /// \param step +1 or -1
  /// \param periodic whether the last part has the first one as its neighbour
  /// \return rank of the next process with cells along the axis; -1 beyond the end of the grid. A process that alone
  /// has cells along a periodic axis is its own neighbour.
  int neighbor(int rank, int axis, int step, bool periodic) const;
  /// \param whole grid of one process
  /// \param rank the process
  /// \return its part of the grid
  UniformGrid part(UniformGrid const& whole, int rank) const;

 private:
  std::array<std::vector<int>, 3> edges_;
};

}  // namespace karman
