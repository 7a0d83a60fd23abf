// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sensors of a case in an output file.
#pragma once

#include "wind/case/wind_case.hpp"
#include <karman/io/hdf5_file.hpp>

#include <cstdint>

namespace karman::wind {

/// Writes the table /sensors, one row per sensor: place, reading, and the interpolated wind there. Nothing without
/// several sensors. docs/wind_sensors.md lists its columns.
void write_sensors(Hdf5File& file, WindCase const& wind_case);

/// Bytes of it on the disk.
std::int64_t sensor_table_bytes(WindCase const& wind_case);

}  // namespace karman::wind
