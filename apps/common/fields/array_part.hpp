// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Place of the cells of a process in a field of all.
#pragma once

#include <karman/core/uniform_grid.hpp>
#include <karman/io/shared_hdf5_file.hpp>

namespace karman::app {

/// Place of the cells of a grid or a part of it in a field (k, j, i) of the whole grid.
inline ArrayPart part_of(UniformGrid const& grid) {
  auto const [nx, ny, nz] = grid.global_cells();
  auto const& begin = grid.own_box().begin;
  return {{nz, ny, nx}, {begin[2], begin[1], begin[0]}};
}

}  // namespace karman::app
