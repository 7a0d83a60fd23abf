// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_library.hpp"

#include "gdal_files.hpp"
#include <karman/io/error.hpp>

#include <dlfcn.h>

#include <array>
#include <cmath>
#include <stdexcept>

namespace karman::detail {
namespace {

void* open_library() {
  std::string reason;
  for (char const* name : {KARMAN_GDAL_NAMES}) {
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    char const* const error = dlerror();
    if (reason.empty() && error != nullptr) reason = error;
  }
  throw std::runtime_error("the library GDAL cannot be loaded: " + reason);
}

template <class Function>
void find(void* library, char const* name, Function& function) {
  void* const address = dlsym(library, name);
  if (address == nullptr) throw std::runtime_error(std::string("the GDAL of this machine has no function ") + name);
  function = reinterpret_cast<Function>(address);
}

Gdal load() {
  void* const library = open_library();
  Gdal table{};
  find(library, "GDALAllRegister", table.register_all);
  find(library, "GDALOpenEx", table.open);
  find(library, "GDALClose", table.close);
  find(library, "CPLPushErrorHandler", table.push_error_handler);
  find(library, "CPLPopErrorHandler", table.pop_error_handler);
  find(library, "CPLQuietErrorHandler", table.quiet);
  find(library, "CPLErrorReset", table.reset_error);
  find(library, "CPLGetLastErrorMsg", table.last_error);
  find(library, "GDALGetRasterXSize", table.raster_columns);
  find(library, "GDALGetRasterYSize", table.raster_rows);
  find(library, "GDALGetRasterCount", table.raster_bands);
  find(library, "GDALGetRasterBand", table.raster_band);
  find(library, "GDALGetGeoTransform", table.geo_transform);
  find(library, "GDALGetSpatialRef", table.raster_system);
  find(library, "GDALRasterIO", table.raster_io);
  find(library, "GDALGetRasterDataType", table.data_type);
  find(library, "GDALGetRasterNoDataValue", table.no_data);
  find(library, "GDALGetRasterScale", table.scale);
  find(library, "GDALGetRasterOffset", table.offset);
  find(library, "GDALGetRasterUnitType", table.value_unit);
  find(library, "GDALDatasetGetLayerCount", table.layer_count);
  find(library, "GDALDatasetGetLayer", table.layer);
  find(library, "OGR_L_GetName", table.layer_name);
  find(library, "OGR_L_GetGeomType", table.layer_geometry);
  find(library, "OGR_L_GetSpatialRef", table.layer_system);
  find(library, "OGR_L_GetLayerDefn", table.layer_definition);
  find(library, "OGR_L_ResetReading", table.reset_reading);
  find(library, "OGR_L_GetNextFeature", table.next_feature);
  find(library, "OGR_FD_GetFieldCount", table.field_count);
  find(library, "OGR_FD_GetFieldDefn", table.field_definition);
  find(library, "OGR_Fld_GetNameRef", table.field_name);
  find(library, "OGR_Fld_GetType", table.field_type);
  find(library, "OGR_F_Destroy", table.destroy_feature);
  find(library, "OGR_F_IsFieldSetAndNotNull", table.field_is_set);
  find(library, "OGR_F_GetFieldAsDouble", table.field_as_double);
  find(library, "OGR_F_GetFieldAsString", table.field_as_string);
  find(library, "OGR_F_GetGeometryRef", table.geometry);
  find(library, "OGR_G_GetGeometryType", table.geometry_type);
  find(library, "OGR_GT_Flatten", table.flatten_type);
  find(library, "OGRGeometryTypeToName", table.geometry_name);
  find(library, "OGR_G_GetGeometryCount", table.part_count);
  find(library, "OGR_G_GetGeometryRef", table.part);
  find(library, "OGR_G_GetPointCount", table.point_count);
  find(library, "OGR_G_GetX", table.point_x);
  find(library, "OGR_G_GetY", table.point_y);
  find(library, "OSRIsGeographic", table.is_geographic);
  find(library, "OSRIsProjected", table.is_projected);
  find(library, "OSRGetLinearUnits", table.linear_units);
  find(library, "OSRGetName", table.system_name);
  table.register_all();
  return table;
}

}  // namespace

Gdal const& gdal() {
  static Gdal const table = load();
  return table;
}

GdalDataset::GdalDataset(std::filesystem::path const& path, unsigned flags, char const* expected) {
  require_file(path);
  try {
    gdal();
  } catch (std::runtime_error const& error) {
    throw FileError(path.string(), "read", error.what());
  }
  Gdal const& library = gdal();
  library.push_error_handler(library.quiet);
  library.reset_error();
  dataset_ = library.open(path.c_str(), flags | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr, nullptr, nullptr);
  if (dataset_ != nullptr) return;
  std::string const reason = library.last_error();
  library.pop_error_handler();
  refuse_file(path, std::string(expected) + " that GDAL can read: " + reason);
}

GdalDataset::~GdalDataset() {
  gdal().close(dataset_);
  gdal().pop_error_handler();
}

std::string unit_of(OGRSpatialReferenceH system) {
  if (system == nullptr) return {};
  if (gdal().is_geographic(system) != 0) return "degrees";
  if (gdal().is_projected(system) == 0) return {};
  char* name = nullptr;
  double const metres = gdal().linear_units(system, &name);
  if (std::abs(metres - 1) < 1e-9) return {};
  return name != nullptr ? name : "another unit";
}

}  // namespace karman::detail
