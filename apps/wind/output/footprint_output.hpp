// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Buildings in the output file.
#pragma once

#include "wind/case/wind_case.hpp"

namespace karman {
class Hdf5File;
}

namespace karman::wind {

/// Writes the solid parts of all buildings: the table /buildings, a row each, and the group /footprints with their
/// rings. Ring r has the corners from starts[r] to starts[r + 1] and belongs to row building[r]. The first ring of a
/// building is its outline, counter-clockwise; the others are holes, clockwise. Length and width of a polygon are the
/// sides of its upright box. Without buildings there is no group. Throws FileError.
void write_buildings(Hdf5File& file, WindCase const& wind_case);

/// Writes the vegetation: the table /vegetation, a row for each plant. Its rings are in the group
/// /vegetation_footprints, in the form of /footprints with `plant` for the row. Kind: 0 canopy, 1 tree, 2 windbreak, 3
/// rows. Nothing without vegetation. Throws FileError.
void write_vegetation(Hdf5File& file, WindCase const& wind_case);

/// Upper bound of the bytes that the two functions above add to the file, without the overhead of HDF5.
std::int64_t building_bytes(WindCase const& wind_case);

}  // namespace karman::wind
