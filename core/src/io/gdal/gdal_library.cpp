// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_library.hpp"

#include <karman/io/error.hpp>

#include <dlfcn.h>

#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <system_error>

namespace karman::detail {
namespace {

/// Name of a driver, and the library's function that registers it.
struct LocalDriver {
  char const* name;
  char const* registration;
};

// Formats whose files hold their data themselves, in one file or in others of the same name. Not VRT, GML, MapInfo or
// netCDF, whose files name others or web addresses; nor HFA, whose data may lie in any file.
constexpr std::array raster_drivers{
    LocalDriver{"GTiff", "GDALRegister_GTiff"}, LocalDriver{"AAIGrid", "GDALRegister_AAIGrid"},
    LocalDriver{"EHdr", "GDALRegister_EHdr"},   LocalDriver{"ENVI", "GDALRegister_ENVI"},
    LocalDriver{"XYZ", "GDALRegister_XYZ"},     LocalDriver{"USGSDEM", "GDALRegister_USGSDEM"}};
constexpr std::array vector_drivers{
    LocalDriver{"ESRI Shapefile", "RegisterOGRShape"}, LocalDriver{"GPKG", "RegisterOGRGeoPackage"},
    LocalDriver{"GeoJSON", "RegisterOGRGeoJSON"}, LocalDriver{"FlatGeobuf", "RegisterOGRFlatGeobuf"}};

// The options of geocoding belong to functions of SQL that a view in a GeoPackage may call.
constexpr std::array local_settings{LocalSetting{"GDAL_DRIVER_PATH", "disable"},
                                    LocalSetting{"OGR_DRIVER_PATH", "disable"},
                                    LocalSetting{"GDAL_PYTHON_DRIVER_PATH", "disable"},
                                    LocalSetting{"GDAL_VRT_ENABLE_PYTHON", "NO"},
                                    LocalSetting{"OGR_SQLITE_LOAD_EXTENSIONS", ""},
                                    LocalSetting{"OGR_SQLITE_ALLOW_EXTERNAL_ACCESS", "NO"},
                                    LocalSetting{"OGR_GEOCODE_SERVICE", "none"},
                                    LocalSetting{"OGR_GEOCODE_QUERY_TEMPLATE", "none"},
                                    LocalSetting{"CPL_VSIL_CURL_ALLOWED_EXTENSIONS", "{no file of the network}"}};

std::span<LocalDriver const> drivers_of(unsigned flags) {
  return (flags & GDAL_OF_VECTOR) != 0 ? std::span<LocalDriver const>(vector_drivers) : raster_drivers;
}

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
  find(library, "GDALOpenEx", table.open);
  find(library, "GDALClose", table.close);
  find(library, "CPLPushErrorHandler", table.push_error_handler);
  find(library, "CPLPopErrorHandler", table.pop_error_handler);
  find(library, "CPLQuietErrorHandler", table.quiet);
  find(library, "CPLErrorReset", table.reset_error);
  find(library, "CPLGetLastErrorMsg", table.last_error);
  find(library, "CPLGetLastErrorType", table.last_error_type);
  find(library, "CPLGetThreadLocalConfigOption", table.thread_setting);
  find(library, "CPLSetThreadLocalConfigOption", table.set_thread_setting);
  find(library, "GDALGetRasterXSize", table.raster_columns);
  find(library, "GDALGetRasterYSize", table.raster_rows);
  find(library, "GDALGetRasterCount", table.raster_bands);
  find(library, "GDALGetRasterBand", table.raster_band);
  find(library, "GDALGetGeoTransform", table.geo_transform);
  find(library, "GDALGetSpatialRef", table.raster_system);
  find(library, "GDALRasterIO", table.raster_io);
  find(library, "GDALGetRasterDataType", table.data_type);
  find(library, "GDALGetDataTypeSizeBytes", table.type_bytes);
  find(library, "GDALGetBlockSize", table.block_size);
  find(library, "GDALGetRasterNoDataValue", table.no_data);
  find(library, "GDALGetRasterScale", table.scale);
  find(library, "GDALGetRasterOffset", table.offset);
  find(library, "GDALGetRasterUnitType", table.value_unit);
  find(library, "GDALGetDriverByName", table.driver);
  find(library, "GDALCreate", table.create);
  find(library, "GDALSetGeoTransform", table.set_geo_transform);
  find(library, "GDALSetProjection", table.set_system);
  find(library, "GDALSetDescription", table.set_description);
  find(library, "GDALSetMetadataItem", table.set_metadata);
  find(library, "GDALSetRasterNoDataValue", table.set_no_data);
  find(library, "GDALSetRasterUnitType", table.set_value_unit);
  find(library, "GDALCreateColorTable", table.create_colors);
  find(library, "GDALSetColorEntry", table.set_color);
  find(library, "GDALSetRasterColorTable", table.set_colors);
  find(library, "GDALDestroyColorTable", table.destroy_colors);
  find(library, "GDALDatasetCreateLayer", table.create_layer);
  find(library, "GDALDatasetStartTransaction", table.start_transaction);
  find(library, "GDALDatasetCommitTransaction", table.commit_transaction);
  find(library, "OGR_Fld_Create", table.create_field_definition);
  find(library, "OGR_Fld_Destroy", table.destroy_field_definition);
  find(library, "OGR_L_CreateField", table.create_field);
  find(library, "OGR_F_Create", table.create_feature);
  find(library, "OGR_F_SetFieldInteger", table.set_integer);
  find(library, "OGR_F_SetFieldDouble", table.set_double);
  find(library, "OGR_F_SetFieldString", table.set_string);
  find(library, "OGR_F_SetGeometryDirectly", table.set_geometry);
  find(library, "OGR_L_CreateFeature", table.add_feature);
  find(library, "OGR_G_CreateGeometry", table.create_geometry);
  find(library, "OGR_G_AddGeometryDirectly", table.add_part);
  find(library, "OGR_G_AddPoint_2D", table.add_point);
  find(library, "OSRNewSpatialReference", table.create_system);
  find(library, "OSRSetAxisMappingStrategy", table.set_axis_order);
  find(library, "OSRRelease", table.release_system);
  find(library, "CPLCreateZip", table.create_zip);
  find(library, "CPLCreateFileInZip", table.create_file_in_zip);
  find(library, "CPLWriteFileInZip", table.write_file_in_zip);
  find(library, "CPLCloseFileInZip", table.close_file_in_zip);
  find(library, "CPLCloseZip", table.close_zip);
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
  find(library, "OSRGetAuthorityName", table.authority_name);
  find(library, "OSRGetAuthorityCode", table.authority_code);
  find(library, "OSRExportToWktEx", table.system_as_wkt);
  find(library, "VSIFree", table.free);
  // GDALAllRegister() would also load plugins, from folders that the environment names. A library may be built without
  // a driver of the lists.
  for (unsigned const kind : {unsigned{GDAL_OF_RASTER}, unsigned{GDAL_OF_VECTOR}}) {
    for (LocalDriver const& driver : drivers_of(kind)) {
      if (void* const address = dlsym(library, driver.registration)) reinterpret_cast<void (*)()>(address)();
    }
  }
  return table;
}

}  // namespace

Gdal const& gdal() {
  static Gdal const table = load();
  return table;
}

LocalGdalSettings::LocalGdalSettings(std::span<LocalSetting const> more) {
  for (std::span<LocalSetting const> const settings : {std::span<LocalSetting const>(local_settings), more}) {
    for (auto const& [name, value] : settings) {
      char const* const earlier = gdal().thread_setting(name, nullptr);
      earlier_.push_back({name, earlier != nullptr ? std::optional<std::string>(earlier) : std::nullopt});
      gdal().set_thread_setting(name, value);
    }
  }
}

LocalGdalSettings::~LocalGdalSettings() {
  for (auto const& [name, value] : earlier_) gdal().set_thread_setting(name, value ? value->c_str() : nullptr);
}

GdalDataset::GdalDataset(std::filesystem::path const& path, unsigned flags, char const* expected,
                         std::uint64_t most_bytes) {
  require_files(path, most_bytes);
  std::error_code ignored;
  if (std::filesystem::file_size(path, ignored) == 0)
    refuse_file(path, std::string(expected) + ", found an empty file");
  try {
    gdal();
  } catch (std::runtime_error const& error) {
    throw FileError(path.string(), "read", error.what());
  }
  Gdal const& library = gdal();
  settings_.emplace();
  library.push_error_handler(library.quiet);
  library.reset_error();
  std::vector<char const*> allowed;
  std::string names;
  for (LocalDriver const& driver : drivers_of(flags)) {
    names += (names.empty() ? "" : ", ") + std::string(driver.name);
    allowed.push_back(driver.name);
  }
  allowed.push_back(nullptr);
  // An absolute name is no other syntax of a driver, such as "GPKG:file:table".
  dataset_ = library.open(std::filesystem::absolute(path).c_str(), flags | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                          allowed.data(), nullptr, nullptr);
  if (dataset_ != nullptr) return;
  std::string reason = library.last_error();
  std::string const whole = std::filesystem::absolute(path).string();
  if (std::size_t const at = reason.find(whole); at != std::string::npos)
    reason.replace(at, whole.size(), path.filename().string());
  library.pop_error_handler();
  refuse_file(path,
              std::string(expected) + " that one of these drivers of GDAL can read: " + names + "; found: " + reason);
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

std::string text_of(OGRSpatialReferenceH system) {
  if (system == nullptr) return {};
  char const* const authority = gdal().authority_name(system, nullptr);
  char const* const code = gdal().authority_code(system, nullptr);
  if (authority != nullptr && code != nullptr) return std::string(authority) + ':' + code;
  std::array<char const*, 2> const options{"FORMAT=WKT2_2019", nullptr};
  char* text = nullptr;
  std::string result;
  if (gdal().system_as_wkt(system, &text, options.data()) == OGRERR_NONE && text != nullptr) result = text;
  gdal().free(text);
  return result;
}

}  // namespace karman::detail
