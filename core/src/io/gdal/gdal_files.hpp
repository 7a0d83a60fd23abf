// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rasters through GDAL.
#pragma once

#include <karman/io/raster.hpp>

namespace karman::detail {

/// read_raster() for all files but ESRI ASCII grids.
Raster read_gdal_raster(std::filesystem::path const& path, RasterOptions const& options);

/// Throws FileError unless the file exists.
void require_file(std::filesystem::path const& path);

/// Throws CaseError with one problem of a file.
[[noreturn]] void refuse_file(std::filesystem::path const& path, std::string const& expected);

}  // namespace karman::detail
