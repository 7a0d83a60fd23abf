// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// GeoTIFF files and shapefiles for tests, made by GDAL itself.
#pragma once

#include <cpl_conv.h>
#include <gdal.h>
#include <gtest/gtest.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace karman::test {

/// A raster as it lies in the file: northern row first.
struct TiffOfTest {
  int columns = 0, rows = 0, bands = 1;
  std::array<double, 6> transform{0, 1, 0, 0, 0, -1};
  std::vector<float> values;
  int epsg = 25832;  ///< 0: none
  double no_data = -9999;
  std::string value_unit;
  bool placed = true;  ///< with a geotransform
};

inline OGRSpatialReferenceH system_of(int epsg) {
  OGRSpatialReferenceH const system = OSRNewSpatialReference(nullptr);
  EXPECT_EQ(OSRImportFromEPSG(system, epsg), OGRERR_NONE);
  return system;
}

inline void write_tiff(std::filesystem::path const& path, TiffOfTest const& tiff) {
  GDALAllRegister();
  GDALDatasetH const file =
      GDALCreate(GDALGetDriverByName("GTiff"), path.c_str(), tiff.columns, tiff.rows, tiff.bands, GDT_Float32, nullptr);
  ASSERT_NE(file, nullptr);
  std::array<double, 6> transform = tiff.transform;
  if (tiff.placed) {
    EXPECT_EQ(GDALSetGeoTransform(file, transform.data()), CE_None);
  }
  if (tiff.epsg != 0) {
    OGRSpatialReferenceH const system = system_of(tiff.epsg);
    EXPECT_EQ(GDALSetSpatialRef(file, system), CE_None);
    OSRDestroySpatialReference(system);
  }
  for (int b = 1; b <= tiff.bands; ++b) {
    GDALRasterBandH const band = GDALGetRasterBand(file, b);
    EXPECT_EQ(GDALSetRasterNoDataValue(band, tiff.no_data), CE_None);
    if (!tiff.value_unit.empty()) {
      EXPECT_EQ(GDALSetRasterUnitType(band, tiff.value_unit.c_str()), CE_None);
    }
    std::vector<float> values = tiff.values;
    EXPECT_EQ(GDALRasterIO(band, GF_Write, 0, 0, tiff.columns, tiff.rows, values.data(), tiff.columns, tiff.rows,
                           GDT_Float32, 0, 0),
              CE_None);
  }
  GDALClose(file);
}

/// A shape: its geometry as well-known text, its height as a text and as a number, and its name.
struct ShapeOfTest {
  std::string geometry;
  double height = 0;
  std::string text = "10";
};

/// A shapefile with the attributes HEIGHT (real), LEVELS (text).
inline void write_shapefile(std::filesystem::path const& path, std::vector<ShapeOfTest> const& shapes, int epsg = 25832,
                            OGRwkbGeometryType type = wkbPolygon) {
  GDALAllRegister();
  GDALDatasetH const file =
      GDALCreate(GDALGetDriverByName("ESRI Shapefile"), path.c_str(), 0, 0, 0, GDT_Unknown, nullptr);
  ASSERT_NE(file, nullptr);
  OGRSpatialReferenceH const system = epsg == 0 ? nullptr : system_of(epsg);
  OGRLayerH const layer = GDALDatasetCreateLayer(file, path.stem().c_str(), system, type, nullptr);
  ASSERT_NE(layer, nullptr);
  if (system != nullptr) OSRDestroySpatialReference(system);
  for (auto const& [name, kind] : {std::pair{"HEIGHT", OFTReal}, std::pair{"LEVELS", OFTString}}) {
    OGRFieldDefnH const field = OGR_Fld_Create(name, kind);
    EXPECT_EQ(OGR_L_CreateField(layer, field, TRUE), OGRERR_NONE);
    OGR_Fld_Destroy(field);
  }
  for (ShapeOfTest const& shape : shapes) {
    OGRFeatureH const feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    OGR_F_SetFieldDouble(feature, 0, shape.height);
    OGR_F_SetFieldString(feature, 1, shape.text.c_str());
    if (!shape.geometry.empty()) {
      std::string text = shape.geometry;
      char* words = text.data();
      OGRGeometryH geometry = nullptr;
      EXPECT_EQ(OGR_G_CreateFromWkt(&words, nullptr, &geometry), OGRERR_NONE);
      EXPECT_EQ(OGR_F_SetGeometryDirectly(feature, geometry), OGRERR_NONE);
    }
    EXPECT_EQ(OGR_L_CreateFeature(layer, feature), OGRERR_NONE);
    OGR_F_Destroy(feature);
  }
  GDALClose(file);
}

}  // namespace karman::test
