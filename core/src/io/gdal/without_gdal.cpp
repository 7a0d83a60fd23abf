// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_files.hpp"
#include <karman/io/class_polygons.hpp>
#include <karman/io/error.hpp>
#include <karman/io/geotiff.hpp>
#include <karman/io/vector_layer.hpp>

#include <string>
#include <vector>

namespace karman {
namespace {

constexpr char const* remedy =
    "this Karman was built without GDAL; install it (Debian: libgdal-dev) and configure with -DKARMAN_GDAL=ON";

}  // namespace

bool built_with_gdal() { return false; }

Raster detail::read_gdal_raster(std::filesystem::path const& path, RasterOptions const&) {
  require_files(path);
  refuse_file(path, std::string("an ESRI ASCII grid (.asc): ") + remedy);
}

Raster detail::gdal_raster_outline(std::filesystem::path const& path) { return read_gdal_raster(path, {}); }

std::string detail::gdal_raster_system(std::filesystem::path const& path) {
  read_gdal_raster(path, {});
  return {};
}

std::string gdal_fault(std::string const&) { return remedy; }

void write_geotiff(std::filesystem::path const& path, Overwrite, GridMap const&) {
  throw FileError(path.string(), "write", remedy);
}

void write_geopackage(std::filesystem::path const& path, Overwrite, std::vector<GridMap> const&) {
  throw FileError(path.string(), "write", remedy);
}

void write_kmz(std::filesystem::path const& path, Overwrite, std::string const&, std::vector<GridMap> const&) {
  throw FileError(path.string(), "write", remedy);
}

VectorLayer read_vector_layer(std::filesystem::path const& path, VectorLayerOptions const& options) {
  return read_vector_layer(path, [](GeoFeature&&) {}, options);
}

VectorLayer read_vector_layer(std::filesystem::path const& path, FeatureSink const&, VectorLayerOptions const&) {
  detail::require_files(path);
  detail::refuse_file(path, std::string("a GeoJSON file in its place: ") + remedy);
}

}  // namespace karman
