// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Attributes and names by which programs for netCDF-4 find their way in wind.h5 (CF conventions 1.10).
#pragma once

#include <karman/io/hdf5_file.hpp>

#include <string>

namespace karman::wind {

/// Attributes of a variable by the CF conventions; empty ones are left out.
struct Description {
  char const* units = "";
  char const* long_name = "";
  char const* standard_name = "";
};

/// Writes the attributes of a dataset.
void describe(Hdf5File& file, std::string const& dataset, Description const& description);

/// Writes the attributes of a coordinate in metres along an axis (0: x, 1: y, 2: z, the height above the ground or,
/// with a terrain, above z = 0).
void describe_coordinate(Hdf5File& file, std::string const& dataset, std::size_t axis, bool has_terrain = false);

/// Declares the value of cells without air: 255 for classes (uint8), NaN for reals. `type`: of the dataset.
void mark_missing(Hdf5File& file, std::string const& dataset, ScalarType type);

/// Attributes of "/", and second names in "/" for the coordinates of /grid: netCDF-4 looks for the dimensions of a
/// variable in its own group and in those around it.
void follow_conventions(Hdf5File& file);

}  // namespace karman::wind
