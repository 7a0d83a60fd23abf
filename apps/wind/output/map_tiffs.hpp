// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Maps of a case as GeoTIFF files.
#pragma once

#include "wind/case/wind_case.hpp"
#include <karman/io/atomic_file.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace karman::wind {

/// All files of the functions below.
inline constexpr std::array<char const*, 5> tiff_names{"pedestrian_speed.tif", "pedestrian_speed_up.tif",
                                                       "comfort_lawson.tif", "comfort_nen8100.tif",
                                                       "comfort_danger.tif"};

/// The files that the functions below write for a case: none without `outputs.geotiff`.
std::vector<std::string> tiff_files(WindCase const& wind_case);

/// Writes NAME.tif with values over the columns, (ny, nx) from the domain's corner; NaN where there is none.
void write_value_tiff(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                      std::string const& name, std::vector<float> values);

/// The scales of comfort.
enum class ComfortScale { lawson, nen8100, danger };

/// Writes comfort_NAME.tif with classes over the columns and the colours of tools/plot; 255 where there is none.
void write_class_tiff(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                      ComfortScale scale, std::vector<std::uint8_t> classes);

}  // namespace karman::wind
