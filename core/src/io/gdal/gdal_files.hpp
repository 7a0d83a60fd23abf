// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rasters through GDAL.
#pragma once

#include <karman/io/raster.hpp>

#include <cstdint>
#include <limits>

namespace karman::detail {

constexpr std::uint64_t unlimited_bytes = std::numeric_limits<std::uint64_t>::max();

/// read_raster() for all files but ESRI ASCII grids.
Raster read_gdal_raster(std::filesystem::path const& path, RasterOptions const& options);

/// raster_outline() for all files but ESRI ASCII grids.
Raster gdal_raster_outline(std::filesystem::path const& path);

/// raster_system() for all files but ESRI ASCII grids.
std::string gdal_raster_system(std::filesystem::path const& path);

/// Throws FileError unless the file and those that belong to it are regular files. These have its name with another or
/// a further ending, such as city.dbf and dem.tif.aux.xml, and are opened with it. Names of the library's virtual file
/// systems (/vsicurl/...) are a CaseError. So many bytes at most.
void require_files(std::filesystem::path const& path, std::uint64_t most_bytes = unlimited_bytes);

/// Throws CaseError with one problem of a file.
[[noreturn]] void refuse_file(std::filesystem::path const& path, std::string const& expected);

}  // namespace karman::detail
