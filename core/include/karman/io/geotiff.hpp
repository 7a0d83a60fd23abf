// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Maps as GeoTIFF files.
#pragma once

#include <karman/io/atomic_file.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace karman {

/// Class of a map: its value, colour and name.
struct MapClass {
  std::uint8_t value = 0;               ///< in the file
  std::array<std::uint8_t, 3> color{};  ///< red, green, blue
  std::string name;                     ///< in its legend
};

/// A map of one quantity over equal cells, rows from south to north.
struct GridMap {
  int columns = 0;                      ///< number of cells along x
  int rows = 0;                         ///< number of cells along y
  std::array<double, 2> corner{0, 0};   ///< south-western corner of the outline
  std::array<double, 2> spacing{1, 1};  ///< size of a cell along x and y
  std::string system;                   ///< coordinate system in well-known text; may be empty
  std::string name;                     ///< of the quantity
  std::string unit;                     ///< of the values; may be empty
  std::vector<float> values;            ///< [row * columns + column], NaN where there is none; or classes
  std::vector<std::uint8_t> classes;    ///< in place of values; 255 where there is none
  std::vector<MapClass> legend;         ///< of the classes
};

/// Reason why GDAL cannot write maps, in one line; empty where it can. Loads the library.
/// \param driver name of the driver in use, such as GTiff or GPKG; empty for none
std::string gdal_fault(std::string const& driver);

/// Writes a GeoTIFF through GDAL, which is loaded on the first call: one band, northern row first, compressed by
/// deflate. Classes have a colour table, and their
/// names as metadata of the band, class_0 and so on.
/// \param path final path; a reader sees the earlier file or the new one
/// \param overwrite permission to replace an existing file
/// \param map values or classes, one for each cell
/// \throws FileError where the file cannot be written, and where this Karman was built without GDAL
/// \throws std::invalid_argument for another number of values
void write_geotiff(std::filesystem::path const& path, Overwrite overwrite, GridMap const& map);

}  // namespace karman
