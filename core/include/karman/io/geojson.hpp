// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Polygons of GeoJSON files.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace karman {

/// Polygon of a GeoJSON file.
struct GeoPolygon {
  /// Outer ring, then holes, with the corners (x, y) in the coordinates of the file. The last corner of each ring, a
  /// repetition of the first, is dropped. Orientations are as in the file.
  std::vector<std::vector<std::array<double, 2>>> rings;
};

/// Feature of a GeoJSON file.
struct GeoFeature {
  std::size_t number = 0;                 ///< position in the list of features, from 0
  std::vector<GeoPolygon> polygons;       ///< one for Polygon, any number for MultiPolygon, none without geometry
  std::map<std::string, double> numbers;  ///< properties that are numbers, or texts of one number
  /// All other properties that are no list and no object: texts as they are, and null, true or false.
  std::map<std::string, std::string> texts;
};

/// Content of a GeoJSON file.
struct GeoCollection {
  std::vector<GeoFeature> features;  ///< in file order
  std::string attributes;            ///< names and types of all properties: "height (number), name (text)"
  std::string system;                ///< name in its member crs, such as urn:ogc:def:crs:EPSG::25832; may be empty
  std::size_t other_geometries = 0;  ///< features of other types; they are in `features` without polygons
  std::string first_other;           ///< type of the first of them, such as "Point"
};

/// Takes the features of a file one by one.
using FeatureSink = std::function<void(GeoFeature&&)>;

/// Options of read_geojson().
struct GeoJsonOptions {
  std::size_t most_bytes = std::size_t{1} << 30;  ///< greatest size of the file
};

/// Reads the polygons of a GeoJSON file (RFC 7946): a FeatureCollection, or one Feature.
///
/// Geometries are Polygon, MultiPolygon or null. Other types are counted, and an error in a file without any polygon.
/// Heights in positions and foreign members are ignored. The member crs
/// of the older standard (GeoJSON 2008) gives the name of a coordinate system. Rings have at least four positions, the
/// last equal to the first, as the standard wants; all numbers are finite. The shape of rings is not checked otherwise.
/// \param path file
/// \param options limits
/// \return the features in the order of the file, with the names of their properties
/// \throws CaseError for a malformed file, one line with the line of a syntax error or the pointer of the value
/// \throws FileError for a file that cannot be read or is too large
GeoCollection read_geojson(std::filesystem::path const& path, GeoJsonOptions const& options = {});

/// Reads a GeoJSON file like the function above, and passes each feature on as soon as it is read. Only the text of the
/// file and one feature are in memory. A fault may be found after features have been taken.
/// \param path file
/// \param take takes the features in the order of the file
/// \param options limits
/// \return the file without its features
/// \throws CaseError and FileError like the function above
GeoCollection read_geojson(std::filesystem::path const& path, FeatureSink const& take,
                           GeoJsonOptions const& options = {});

}  // namespace karman
