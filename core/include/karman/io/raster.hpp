// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Values on a regular grid in plan, such as the heights of a terrain.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace karman {

/// Values at the centres of equal cells, rows from south to north, columns from west to east.
struct Raster {
  int columns = 0;                      ///< number of cells along x
  int rows = 0;                         ///< number of cells along y
  std::array<double, 2> corner{0, 0};   ///< south-western corner of the outline, (x, y) in the unit of the file
  std::array<double, 2> spacing{1, 1};  ///< size of a cell along x and y
  std::vector<double> values;           ///< values[row * columns + column], NaN where there is none
  std::string system;                   ///< coordinate system: EPSG:25832, else as WKT; empty where the file names none

  /// Upper end of the outline.
  /// \return its north-eastern corner, (x, y)
  std::array<double, 2> end() const { return {corner[0] + columns * spacing[0], corner[1] + rows * spacing[1]}; }

  /// Bilinear interpolation between the centres of the cells. In the half cells along the outline the value continues
  /// constantly beyond the outermost centres.
  /// \param x position
  /// \param y position
  /// \return the value, NaN outside of the outline and where one of the values in use is missing
  double at(double x, double y) const;
};

/// Part of a plan.
struct RasterWindow {
  std::array<double, 2> low{0, 0};   ///< corner with the lowest x and y
  std::array<double, 2> high{0, 0};  ///< corner with the highest x and y
};

/// Options of the readers of rasters.
struct RasterOptions {
  std::size_t most_bytes = std::size_t{1} << 30;  ///< greatest size of a text file
  std::size_t most_cells = std::size_t{1} << 28;  ///< greatest number of cells
  /// Part that is needed. A reader may leave out all cells that interpolation inside of it does not use. Where it
  /// reaches beyond the outline of the file, everything is read.
  std::optional<RasterWindow> window = std::nullopt;
  bool any_system = false;  ///< allows positions in degrees and feet
};

/// Reads an ESRI ASCII grid: lines of a key and a number, then the values row by row, northern row first.
///
/// Keys in upper or lower case, in any order: ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize
/// (or dx and dy), and NODATA_value (default -9999). Values equal to NODATA_value and nan are missing.
/// \param path file
/// \param options limits
/// \return the raster
/// \throws CaseError for a malformed file, one line with its line number
/// \throws FileError for a file that cannot be read or is too large
Raster read_ascii_grid(std::filesystem::path const& path, RasterOptions const& options = {});

/// Reads a raster: files with the ending .asc by read_ascii_grid(), all others through GDAL, which is loaded on the
/// first call. Those need one band, rows along x, and values in metres or without unit. Positions are in metres or
/// without unit, except with `any_system`. Drivers: GTiff,
/// AAIGrid, EHdr, ENVI, XYZ, USGSDEM. Files of other drivers are refused, whatever their name, because some name other
/// files or web addresses. No plugin is loaded. The file and those that belong to it are regular files.
/// \param path file
/// \param options limits
/// \return the raster
/// \throws CaseError for a file that is not understood or breaks a rule, and where GDAL is missing
/// \throws FileError for a file that does not exist or is not regular
Raster read_raster(std::filesystem::path const& path, RasterOptions const& options = {});

/// Place of a raster: all of Raster but the values. Of a file for GDAL no value is read; an ESRI ASCII grid is read
/// whole.
/// \param path file
/// \return the raster without values
/// \throws CaseError and FileError like read_raster() with `any_system`
Raster raster_outline(std::filesystem::path const& path);

/// The coordinate system that a raster names, as in Raster::system. An ESRI ASCII grid has it in a file beside it with
/// the ending .prj.
/// \param path file
/// \return the system; empty for none
/// \throws CaseError and FileError like read_raster()
std::string raster_system(std::filesystem::path const& path);

}  // namespace karman
