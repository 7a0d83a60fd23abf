// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Maps of a case for programs of geography: GeoTIFF, GeoPackage and KMZ files.
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
inline constexpr std::array<char const*, 11> map_file_names{
    "pedestrian_speed.tif", "pedestrian_speed_up.tif", "pedestrian.gpkg",     "pedestrian.kmz",
    "comfort_lawson.tif",   "comfort_nen8100.tif",     "comfort_danger.tif",  "comfort.gpkg",
    "comfort.kmz",          "series_mean_speed.tif",   "series_max_speed.tif"};

/// The files that the functions below write for a case: none unless its outputs ask for them.
std::vector<std::string> map_files(WindCase const& wind_case);

/// Bytes of these files, and of host memory while they are written. Polygons count as one corner per cell.
std::int64_t map_file_bytes(WindCase const& wind_case);
std::int64_t map_host_bytes(WindCase const& wind_case);

/// Maps of one wind over the columns, (ny, nx) from the domain's corner; NaN where there is none.
struct PedestrianMaps {
  std::vector<float> speed;     ///< m/s
  std::vector<float> speed_up;  ///< over the speed of the undisturbed wind
};
/// Writes the GeoTIFF files of both, and bands of the speed-up as polygons.
void write_pedestrian_files(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                            PedestrianMaps maps);

/// Classes of wind comfort and danger over the columns; 255 where there is none.
struct ComfortClasses {
  std::vector<std::uint8_t> nen8100, lawson, danger;
};
/// Writes the classes with the colours of tools/plot.
void write_comfort_files(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                         ComfortClasses classes);

/// Writes mean and maximum of the speeds of a series, m/s; one map for each time, NaN where there is none.
void write_series_files(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                        std::vector<std::vector<float> const*> const& speeds);

}  // namespace karman::wind
