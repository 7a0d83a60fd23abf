// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions of GDAL, loaded at run time: no program links the library and its hundred others.
#pragma once

#include "gdal_files.hpp"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace karman::detail {

/// Pointers to the functions in use, each of the type in GDAL's headers.
struct Gdal {
  decltype(&GDALOpenEx) open;
  decltype(&GDALClose) close;
  decltype(&CPLPushErrorHandler) push_error_handler;
  decltype(&CPLPopErrorHandler) pop_error_handler;
  CPLErrorHandler quiet;
  decltype(&CPLErrorReset) reset_error;
  decltype(&CPLGetLastErrorMsg) last_error;
  decltype(&CPLGetLastErrorType) last_error_type;
  decltype(&CPLGetThreadLocalConfigOption) thread_setting;
  decltype(&CPLSetThreadLocalConfigOption) set_thread_setting;

  decltype(&GDALGetRasterXSize) raster_columns;
  decltype(&GDALGetRasterYSize) raster_rows;
  decltype(&GDALGetRasterCount) raster_bands;
  decltype(&GDALGetRasterBand) raster_band;
  decltype(&GDALGetGeoTransform) geo_transform;
  decltype(&GDALGetSpatialRef) raster_system;
  decltype(&GDALRasterIO) raster_io;
  decltype(&GDALGetRasterDataType) data_type;
  decltype(&GDALGetDataTypeSizeBytes) type_bytes;
  decltype(&GDALGetBlockSize) block_size;
  decltype(&GDALGetRasterNoDataValue) no_data;
  decltype(&GDALGetRasterScale) scale;
  decltype(&GDALGetRasterOffset) offset;
  decltype(&GDALGetRasterUnitType) value_unit;

  decltype(&GDALGetDriverByName) driver;
  decltype(&GDALCreate) create;
  decltype(&GDALSetGeoTransform) set_geo_transform;
  decltype(&GDALSetProjection) set_system;
  decltype(&GDALSetDescription) set_description;
  decltype(&GDALSetMetadataItem) set_metadata;
  decltype(&GDALSetRasterNoDataValue) set_no_data;
  decltype(&GDALSetRasterUnitType) set_value_unit;
  decltype(&GDALCreateColorTable) create_colors;
  decltype(&GDALSetColorEntry) set_color;
  decltype(&GDALSetRasterColorTable) set_colors;
  decltype(&GDALDestroyColorTable) destroy_colors;

  decltype(&GDALDatasetCreateLayer) create_layer;
  decltype(&GDALDatasetStartTransaction) start_transaction;
  decltype(&GDALDatasetCommitTransaction) commit_transaction;
  decltype(&OGR_Fld_Create) create_field_definition;
  decltype(&OGR_Fld_Destroy) destroy_field_definition;
  decltype(&OGR_L_CreateField) create_field;
  decltype(&OGR_F_Create) create_feature;
  decltype(&OGR_F_SetFieldInteger) set_integer;
  decltype(&OGR_F_SetFieldDouble) set_double;
  decltype(&OGR_F_SetFieldString) set_string;
  decltype(&OGR_F_SetGeometryDirectly) set_geometry;
  decltype(&OGR_L_CreateFeature) add_feature;
  decltype(&OGR_G_CreateGeometry) create_geometry;
  decltype(&OGR_G_AddGeometryDirectly) add_part;
  decltype(&OGR_G_AddPoint_2D) add_point;
  decltype(&OSRNewSpatialReference) create_system;
  decltype(&OSRSetAxisMappingStrategy) set_axis_order;
  decltype(&OSRRelease) release_system;
  decltype(&CPLCreateZip) create_zip;
  decltype(&CPLCreateFileInZip) create_file_in_zip;
  decltype(&CPLWriteFileInZip) write_file_in_zip;
  decltype(&CPLCloseFileInZip) close_file_in_zip;
  decltype(&CPLCloseZip) close_zip;

  decltype(&GDALDatasetGetLayerCount) layer_count;
  decltype(&GDALDatasetGetLayer) layer;
  decltype(&OGR_L_GetName) layer_name;
  decltype(&OGR_L_GetGeomType) layer_geometry;
  decltype(&OGR_L_GetSpatialRef) layer_system;
  decltype(&OGR_L_GetLayerDefn) layer_definition;
  decltype(&OGR_L_ResetReading) reset_reading;
  decltype(&OGR_L_GetNextFeature) next_feature;
  decltype(&OGR_FD_GetFieldCount) field_count;
  decltype(&OGR_FD_GetFieldDefn) field_definition;
  decltype(&OGR_Fld_GetNameRef) field_name;
  decltype(&OGR_Fld_GetType) field_type;
  decltype(&OGR_F_Destroy) destroy_feature;
  decltype(&OGR_F_IsFieldSetAndNotNull) field_is_set;
  decltype(&OGR_F_GetFieldAsDouble) field_as_double;
  decltype(&OGR_F_GetFieldAsString) field_as_string;
  decltype(&OGR_F_GetGeometryRef) geometry;
  decltype(&OGR_G_GetGeometryType) geometry_type;
  decltype(&OGR_GT_Flatten) flatten_type;
  decltype(&OGRGeometryTypeToName) geometry_name;
  decltype(&OGR_G_GetGeometryCount) part_count;
  decltype(&OGR_G_GetGeometryRef) part;
  decltype(&OGR_G_GetPointCount) point_count;
  decltype(&OGR_G_GetX) point_x;
  decltype(&OGR_G_GetY) point_y;

  decltype(&OSRIsGeographic) is_geographic;
  decltype(&OSRIsProjected) is_projected;
  decltype(&OSRGetLinearUnits) linear_units;
  decltype(&OSRGetName) system_name;
  decltype(&OSRGetAuthorityName) authority_name;
  decltype(&OSRGetAuthorityCode) authority_code;
  decltype(&OSRExportToWktEx) system_as_wkt;
  decltype(&VSIFree) free;
};

/// The library, loaded on the first call. Throws std::runtime_error where it cannot be.
Gdal const& gdal();

/// A setting of GDAL, with texts that live longer than its use.
struct LocalSetting {
  char const* name;
  char const* value;
};

/// Settings of GDAL in this thread, which come before the settings of the program and the environment: no plugins of
/// drivers or of SQLite, no Python, no network. The destructor restores the earlier ones.
class LocalGdalSettings {
 public:
  /// `more`: further settings, for as long.
  explicit LocalGdalSettings(std::span<LocalSetting const> more = {});
  ~LocalGdalSettings();
  LocalGdalSettings(LocalGdalSettings const&) = delete;
  LocalGdalSettings& operator=(LocalGdalSettings const&) = delete;

 private:
  struct Earlier {
    char const* name;
    std::optional<std::string> value;
  };
  std::vector<Earlier> earlier_;
};

/// An open file of GDAL. Messages of GDAL stay silent while it exists.
///
/// Only drivers of a fixed list open it, whatever its content: those for plain local files. A file of another driver
/// may name any other file, a web address or a program.
class GdalDataset {
 public:
  /// `flags`: GDAL_OF_RASTER or GDAL_OF_VECTOR; `expected` names the kind of file in the message. Throws CaseError for
  /// a file that no driver of the list can open. Throws FileError for one that does not exist, is not regular or has
  /// more than `most_bytes`. Throws it also where GDAL cannot be loaded.
  GdalDataset(std::filesystem::path const& path, unsigned flags, char const* expected,
              std::uint64_t most_bytes = unlimited_bytes);
  ~GdalDataset();
  GdalDataset(GdalDataset const&) = delete;
  GdalDataset& operator=(GdalDataset const&) = delete;

  GDALDatasetH get() const { return dataset_; }

 private:
  std::optional<LocalGdalSettings> settings_;  ///< restored after the file is closed
  GDALDatasetH dataset_ = nullptr;
};

/// Unit of the positions in a coordinate system: "" for metres or none, "degrees", or the name of another unit.
std::string unit_of(OGRSpatialReferenceH system);

/// A coordinate system as a code such as EPSG:25832, else in well-known text; empty for none.
std::string text_of(OGRSpatialReferenceH system);

}  // namespace karman::detail
