// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The terrain in the output files.
#pragma once

#include "wind/case/wind_case.hpp"

#include <cstdint>

namespace karman {
class Hdf5File;
}

namespace karman::wind {

/// Writes the group /terrain: the height of the ground in each column, (ny, nx), and the positions of their centres.
/// Nothing without terrain. Throws FileError.
void write_terrain(Hdf5File& file, WindCase const& wind_case);

/// Bytes that write_terrain() adds to the file, without the overhead of HDF5.
std::int64_t terrain_bytes(WindCase const& wind_case);

}  // namespace karman::wind
