// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Polygons of ESRI shapefiles, GeoPackages, GeoJSON and FlatGeobuf files.
#pragma once

#include <karman/io/geojson.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace karman {

/// Unit of the positions in a file, by its coordinate system.
enum class MapUnit {
  unknown,  ///< the file names no coordinate system
  metres,   ///< a projected system
  degrees,  ///< longitude and latitude
  other     ///< a projected system in another unit, such as feet
};

/// Polygons of one layer.
struct VectorLayer {
  std::string name;                  ///< name of the layer
  MapUnit unit = MapUnit::unknown;   ///< unit of all positions
  double metres_per_unit = 1;        ///< of a projected system
  std::string system;                ///< coordinate system: EPSG:25832, else as WKT; empty where the file names none
  std::string attributes;            ///< names and types of all attributes: "NAME (text), HEIGHT (real)"
  std::vector<GeoFeature> features;  ///< in file order, attributes as numbers and texts
  std::size_t other_geometries = 0;  ///< features of other types, without polygons, as in GeoCollection
  std::string first_other;           ///< type of the first of them
};

/// Options of read_vector_layer().
struct VectorLayerOptions {
  std::string layer;                                 ///< name of the layer; empty: the only one
  std::size_t most_features = std::size_t{1} << 20;  ///< greatest number of features
  std::size_t most_bytes = std::size_t{1} << 32;     ///< greatest size of the file
};

/// True if this Karman was built with GDAL.
bool built_with_gdal();

/// Reads the polygons of one layer of a vector file through GDAL, which is loaded on the first call.
///
/// Drivers: ESRI Shapefile, GPKG, GeoJSON, FlatGeobuf. Files of other drivers are refused, whatever their name, because
/// some name other files or web addresses. No plugin is loaded. The file and those that belong to it are regular files.
/// Geometries are polygons, multipolygons or none. Others are counted, and an error in a layer without polygons.
/// Heights in positions are ignored. Positions are finite numbers, in the unit of the coordinate system of the layer.
/// \param path file
/// \param options layer and limits
/// \return the layer
/// \throws CaseError for a file that is not understood, another geometry or an unknown layer; also where this Karman
/// was built without GDAL
/// \throws FileError for a file that does not exist, is not regular or is too large
VectorLayer read_vector_layer(std::filesystem::path const& path, VectorLayerOptions const& options = {});

/// Reads a layer like the function above, and passes each feature on as soon as it is read. A fault may be found after
/// features have been taken.
/// \param path file
/// \param take takes the features in the order of the file
/// \param options layer and limits
/// \return the layer without its features
/// \throws CaseError and FileError like the function above
VectorLayer read_vector_layer(std::filesystem::path const& path, FeatureSink const& take,
                              VectorLayerOptions const& options = {});

}  // namespace karman
