// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Coordinates of cells and faces as dimension scales of the fields of a run.
#pragma once

#include <karman/core/uniform_grid.hpp>
#include <karman/io/hdf5_file.hpp>

#include <string>

namespace karman::app {

/// Writes /grid/x_center, /grid/y_center and /grid/z_center beside the coordinates of the faces, which
/// write_grid_lines() has written. `units` as there.
void write_cell_centers(Hdf5File& file, UniformGrid const& grid, char const* units);

/// Makes coordinates the scales of a field (k, j, i, ...): coordinates of the faces along an axis with a value for each
/// of them, else of the centres.
void attach_coordinates(Hdf5File& file, UniformGrid const& grid, std::string const& field);

}  // namespace karman::app
