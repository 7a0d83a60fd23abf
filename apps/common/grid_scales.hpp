// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Coordinates of cells and faces as dimension scales of the fields of a run.
#pragma once

#include <karman/core/uniform_grid.hpp>
#include <karman/io/hdf5_file.hpp>

#include <string>

namespace karman::app {

/// Writes /grid/x_centre, /grid/y_centre and /grid/z_centre beside the coordinates of the faces, which
/// write_grid_lines() has written. `units` as there.
void write_cell_centres(Hdf5File& file, UniformGrid const& grid, char const* units);

/// Makes coordinates the scales of a field (k, j, i, ...): those of the faces along an axis with a value for each of
/// them, else those of the centres.
void attach_coordinates(Hdf5File& file, UniformGrid const& grid, std::string const& field);

}  // namespace karman::app
