// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Areas of the classes of a map as polygons, in GeoPackage and KMZ files.
#pragma once

#include <karman/io/atomic_file.hpp>
#include <karman/io/geotiff.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace karman {

/// Cells of one class that are connected through their sides.
struct ClassPolygon {
  std::uint8_t value = 0;  ///< class
  std::int64_t cells = 0;  ///< number of cells
  /// Outer ring anticlockwise, then holes clockwise. Corners are (column, row) of the lines between cells, from the
  /// south-western corner of the map. A ring has only the points where it turns, each once. Rings do not cross
  /// and touch in single points only, as the Simple Features of OGC require.
  std::vector<std::vector<std::array<int, 2>>> rings;
};

/// Traces the outlines of the classes of a map.
/// \param classes [row * columns + column], rows from the south
/// \param columns number of cells along x
/// \param rows number of cells along y
/// \param none value of cells without class
/// \return one polygon for each connected part, ordered by their first cell
/// \throws std::invalid_argument for another number of classes
/// \par Cost
/// Linear in the number of cells; 5 bytes of memory per cell beside the result.
std::vector<ClassPolygon> class_polygons(std::span<std::uint8_t const> classes, int columns, int rows,
                                         std::uint8_t none = 255);

/// Writes maps of classes as one GeoPackage through GDAL, which is loaded on the first call: a layer of polygons for
/// each map. Attributes: class (number), name, area (in the unit of the map, squared) and color (\#rrggbb).
/// \param path final path; a reader sees the earlier file or the new one
/// \param overwrite permission to replace an existing file
/// \param maps maps with classes and legend, of different names
/// \throws FileError where the file cannot be written, and where GDAL or its driver GPKG is missing
/// \throws std::invalid_argument for another number of classes
void write_geopackage(std::filesystem::path const& path, Overwrite overwrite, std::vector<GridMap> const& maps);

/// Writes maps of classes as one KMZ file for Google Earth, through GDAL and PROJ, which are loaded on the first call.
/// A folder for each map; only the first is visible at start. Positions are longitudes and latitudes of WGS 84.
/// \param path final path; a reader sees the earlier file or the new one
/// \param overwrite permission to replace an existing file
/// \param title name of the document
/// \param maps maps with classes, legend and coordinate system
/// \throws FileError where the file cannot be written, where GDAL or PROJ is missing, and for a map without a place
/// \throws std::invalid_argument for another number of classes
void write_kmz(std::filesystem::path const& path, Overwrite overwrite, std::string const& title,
               std::vector<GridMap> const& maps);

}  // namespace karman
