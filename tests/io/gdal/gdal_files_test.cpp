// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_files_of_test.hpp"
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/error.hpp>
#include <karman/io/raster.hpp>
#include <karman/io/vector_layer.hpp>

#include <cpl_conv.h>
#include <sys/stat.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace gdal_files_test {

using namespace karman;
using namespace karman::test;

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

class GdalFiles : public testing::Test {
 protected:
  GdalFiles() {
    tiff_.columns = 3;
    tiff_.rows = 2;
    tiff_.transform = {1000, 10, 0, 2020, 0, -10};
    tiff_.values = {1, 2, 3, 4.5F, -9999, 6};
  }

  Raster raster() {
    write_tiff(folder_ / "dem.tif", tiff_);
    return read_raster(folder_ / "dem.tif");
  }
  std::string raster_refusal() {
    std::string const message = message_of<CaseError>([&] { raster(); });
    EXPECT_TRUE(is_one_line(message)) << message;
    EXPECT_TRUE(contains(message, "dem.tif: expected ")) << message;
    return message;
  }
  std::string layer_refusal(std::string const& name = "city.shp", VectorLayerOptions const& options = {}) {
    std::string const message = message_of<CaseError>([&] { read_vector_layer(folder_ / name, options); });
    EXPECT_TRUE(is_one_line(message)) << message;
    EXPECT_TRUE(contains(message, name + ": expected ")) << message;
    return message;
  }

  TemporaryFolder folder_;
  TiffOfTest tiff_;
};

TEST_F(GdalFiles, ARasterIsThatOfItsAsciiGrid) {
  ASSERT_TRUE(built_with_gdal());
  Raster const found = raster();
  put(folder_ / "dem.asc", "ncols 3\nnrows 2\nxllcorner 1000\nyllcorner 2000\ncellsize 10\n1 2 3\n4.5 -9999 6\n");
  Raster const expected = read_raster(folder_ / "dem.asc");
  EXPECT_EQ(found.columns, expected.columns);
  EXPECT_EQ(found.rows, expected.rows);
  EXPECT_EQ(found.corner, expected.corner);
  EXPECT_EQ(found.spacing, expected.spacing);
  ASSERT_EQ(found.values.size(), expected.values.size());
  for (std::size_t n = 0; n < found.values.size(); ++n) {
    if (std::isnan(expected.values[n])) EXPECT_TRUE(std::isnan(found.values[n])) << n;
    else EXPECT_EQ(found.values[n], expected.values[n]) << n;
  }
}

TEST_F(GdalFiles, AWindowIsInterpolatedAsTheWhole) {
  tiff_.columns = 40;
  tiff_.rows = 30;
  tiff_.values.clear();
  for (int n = 0; n < 1200; ++n) tiff_.values.push_back(static_cast<float>(n % 37 + 0.5 * (n % 11)));
  for (double const step : {-10.0, 10.0}) {
    tiff_.transform = {1000, 10, 0, step < 0 ? 2300.0 : 2000.0, 0, step};
    Raster const whole = raster();
    for (RasterWindow const& window :
         {RasterWindow{{1101, 2057}, {1160, 2133}}, RasterWindow{{1000, 2000}, {1007, 2300}},
          RasterWindow{{1395, 2290}, {1400, 2300}}}) {
      Raster const part = read_raster(folder_ / "dem.tif", {.window = window});
      EXPECT_LT(part.values.size(), whole.values.size() / 2);
      for (double a : {0.0, 0.31, 0.5, 0.93, 1.0}) {
        for (double b : {0.0, 0.27, 0.5, 1.0}) {
          double const x = window.low[0] + a * (window.high[0] - window.low[0]);
          double const y = window.low[1] + b * (window.high[1] - window.low[1]);
          EXPECT_NEAR(part.at(x, y), whole.at(x, y), 1e-9) << x << ' ' << y;
        }
      }
    }
    Raster const all = read_raster(folder_ / "dem.tif", {.window = RasterWindow{{990, 2057}, {1410, 2133}}});
    EXPECT_EQ(all.columns, 40) << "beyond the outline everything is read";
  }
}

TEST_F(GdalFiles, AnOutlineHasNoValues) {
  tiff_.epsg = 4326;
  tiff_.transform = {13, 0.001, 0, 52, 0, -0.002};
  write_tiff(folder_ / "dem.tif", tiff_);
  Raster const found = raster_outline(folder_ / "dem.tif");
  EXPECT_EQ(found.columns, tiff_.columns);
  EXPECT_EQ(found.rows, tiff_.rows);
  EXPECT_EQ(found.spacing, (std::array<double, 2>{0.001, 0.002}));
  EXPECT_NEAR(found.corner[1], 52 - 0.002 * tiff_.rows, 1e-12);
  EXPECT_EQ(found.system, "EPSG:4326");
  EXPECT_TRUE(found.values.empty());
  put(folder_ / "grid.asc", "ncols 2\nnrows 1\nxllcorner 10\nyllcorner 20\ncellsize 5\n1 2\n");
  Raster const grid = raster_outline(folder_ / "grid.asc");
  EXPECT_EQ(grid.end(), (std::array<double, 2>{20, 25}));
  EXPECT_TRUE(grid.values.empty());
}

TEST_F(GdalFiles, ARasterMayStartInTheSouth) {
  tiff_.transform = {1000, 10, 0, 2000, 0, 5};
  tiff_.epsg = 0;
  Raster const found = raster();
  EXPECT_EQ(found.corner, (std::array<double, 2>{1000, 2000}));
  EXPECT_EQ(found.spacing, (std::array<double, 2>{10, 5}));
  EXPECT_EQ(found.values[0], 1);
  EXPECT_EQ(found.values[5], 6);
}

TEST_F(GdalFiles, MissingValuesOfSinglePrecisionAreFound) {
  tiff_.no_data = -3.4028234663852886e38;
  tiff_.values[4] = -3.4028235e38F;
  tiff_.values[2] = INFINITY;
  Raster const found = raster();
  EXPECT_TRUE(std::isnan(found.values[1]));
  EXPECT_TRUE(std::isnan(found.values[5]));
}

TEST_F(GdalFiles, FaultsOfARasterAreOneLine) {
  EXPECT_THROW(read_raster(folder_ / "none.tif"), FileError);
  put(folder_ / "dem.tif", "no raster");
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_raster(folder_ / "dem.tif"); }),
                       "dem.tif: expected a raster that one of these drivers of GDAL can read: GTiff, AAIGrid, "));
  // The file has its name once, without its folder.
  std::string const reason = message_of<CaseError>([&] { read_raster(folder_ / "dem.tif"); });
  std::string const found = reason.substr(reason.rfind("; found: "));
  EXPECT_TRUE(contains(found, "dem.tif' not recognized")) << reason;
  EXPECT_FALSE(contains(found, "/")) << reason;
  put(folder_ / "dem.tif", "");
  EXPECT_TRUE(message_of<CaseError>([&] {
                read_raster(folder_ / "dem.tif");
              }).ends_with("dem.tif: expected a raster, found an empty file"));
  tiff_.epsg = 4326;
  EXPECT_TRUE(
      contains(raster_refusal(),
               "a projected coordinate system in metres, found degrees (WGS 84); give /domain/crs, or project it"));
  tiff_.epsg = 2263;
  EXPECT_TRUE(contains(raster_refusal(), "in metres, found US survey foot (NAD83 / New York Long Island (ftUS))"))
      << raster_refusal();
  tiff_.epsg = 25832;
  tiff_.value_unit = "ft";
  EXPECT_TRUE(contains(raster_refusal(), "heights in metres, found the unit ft"));
  tiff_.value_unit = "m";
  EXPECT_NO_THROW(raster());
  tiff_.bands = 3;
  EXPECT_TRUE(contains(raster_refusal(), "a raster of one band, found 3"));
  tiff_.bands = 1;
  tiff_.transform[2] = 3;
  EXPECT_TRUE(contains(raster_refusal(), "found a rotated raster"));
  tiff_.transform[2] = 0;
  tiff_.placed = false;
  EXPECT_TRUE(contains(raster_refusal(), "a raster with a position (a geotransform), found none"));
  tiff_.placed = true;
  raster();
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_raster(folder_ / "dem.tif", {.most_cells = 5}); }),
                       "at most 5 cells, found 3 x 2"));
}

TEST_F(GdalFiles, PolygonsAndNumbersOfAShapefile) {
  write_shapefile(folder_ / "city.shp", {{"POLYGON ((0 0,0 5,10 5,10 0,0 0),(1 1,2 1,2 2,1 1))", 12.5, "4"},
                                         {"", 3, "4 levels"},
                                         {"MULTIPOLYGON (((20 0,30 5,30 0,20 0)),((40 0,50 5,50 0,40 0)))", 8, ""}});
  VectorLayer const layer = read_vector_layer(folder_ / "city.shp");
  EXPECT_EQ(layer.name, "city");
  EXPECT_EQ(layer.unit, MapUnit::metres);
  EXPECT_EQ(layer.attributes, "HEIGHT (real), LEVELS (text)");
  ASSERT_EQ(layer.features.size(), 3u);
  GeoFeature const& first = layer.features[0];
  EXPECT_EQ(first.numbers, (std::map<std::string, double>{{"HEIGHT", 12.5}, {"LEVELS", 4}}));
  ASSERT_EQ(first.polygons.size(), 1u);
  ASSERT_EQ(first.polygons[0].rings.size(), 2u);
  EXPECT_EQ(first.polygons[0].rings[0].size(), 4u) << "the repeated corner is dropped";
  EXPECT_EQ(first.polygons[0].rings[1].size(), 3u);
  EXPECT_TRUE(layer.features[1].polygons.empty());
  EXPECT_EQ(layer.features[1].numbers, (std::map<std::string, double>{{"HEIGHT", 3}}));
  EXPECT_EQ(layer.features[2].number, 2u);
  EXPECT_EQ(layer.features[2].polygons.size(), 2u);
  write_shapefile(folder_ / "degrees.shp", {{"POLYGON ((8 50,8.1 50,8 50.1,8 50))", 5}}, 4326);
  EXPECT_EQ(read_vector_layer(folder_ / "degrees.shp").unit, MapUnit::degrees);
  write_shapefile(folder_ / "plain.shp", {{"POLYGON ((8 50,8.1 50,8 50.1,8 50))", 5}}, 0);
  EXPECT_EQ(read_vector_layer(folder_ / "plain.shp").unit, MapUnit::unknown);
}

TEST_F(GdalFiles, FaultsOfALayerAreOneLine) {
  EXPECT_THROW(read_vector_layer(folder_ / "none.shp"), FileError);
  put(folder_ / "city.shp", "no shapes");
  EXPECT_TRUE(
      contains(layer_refusal(), "a vector file that one of these drivers of GDAL can read: ESRI Shapefile, GPKG, "));
  write_shapefile(folder_ / "mast.shp", {{"POINT (3 4)", 5}}, 25832, wkbPoint);
  EXPECT_TRUE(contains(layer_refusal("mast.shp"), "a layer of polygons; the layer mast is of type Point"));
  write_shapefile(folder_ / "feet.shp", {{"POLYGON ((0 0,0 5,5 0,0 0))", 5}}, 2263);
  VectorLayer const feet = read_vector_layer(folder_ / "feet.shp");
  EXPECT_EQ(feet.unit, MapUnit::other);
  EXPECT_NEAR(feet.metres_per_unit, 1200.0 / 3937, 1e-15);
  EXPECT_EQ(feet.system, "EPSG:2263");
  write_shapefile(folder_ / "good.shp", {{"POLYGON ((0 0,0 5,5 0,0 0))", 5}, {"POLYGON ((0 0,0 5,5 0,0 0))", 5}});
  EXPECT_TRUE(contains(layer_refusal("good.shp", {.layer = "roofs"}),
                       "a layer that it has, found none of the name roofs; it has good"));
  EXPECT_TRUE(contains(layer_refusal("good.shp", {.layer = {}, .most_features = 1}), "at most 1 features"));
  EXPECT_EQ(read_vector_layer(folder_ / "good.shp", {.layer = "good"}).features.size(), 2u);
}

/// GeoPackages and GeoJSON files may hold points of trees and lines of streets beside houses.
TEST_F(GdalFiles, OtherGeometriesAreCounted) {
  std::string const point = R"({"type": "Feature", "properties": {"h": 4},
    "geometry": {"type": "Point", "coordinates": [0, 0]}})";
  std::string const line = R"({"type": "Feature", "properties": {"h": 5},
    "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}})";
  std::string const house = R"({"type": "Feature", "properties": {"h": 6},
    "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}})";
  auto const put_features = [&](std::string const& features) {
    put(folder_ / "mixed.geojson", R"({"type": "FeatureCollection", "features": [)" + features + "]}");
  };
  put_features(point + ',' + house + ',' + line);
  GDALAllRegister();
  {
    GDALDatasetH const source =
        GDALOpenEx((folder_ / "mixed.geojson").c_str(), GDAL_OF_VECTOR, nullptr, nullptr, nullptr);
    ASSERT_NE(source, nullptr);
    GDALDatasetH const package =
        GDALCreate(GDALGetDriverByName("GPKG"), (folder_ / "mixed.gpkg").c_str(), 0, 0, 0, GDT_Unknown, nullptr);
    ASSERT_NE(package, nullptr);
    EXPECT_NE(GDALDatasetCopyLayer(package, GDALDatasetGetLayer(source, 0), "mixed", nullptr), nullptr);
    GDALClose(package);
    GDALClose(source);
  }
  for (char const* name : {"mixed.geojson", "mixed.gpkg"}) {
    VectorLayer const layer = read_vector_layer(folder_ / name);
    ASSERT_EQ(layer.features.size(), 3u) << name;
    EXPECT_EQ(layer.other_geometries, 2u) << name;
    EXPECT_EQ(layer.first_other, "Point") << name;
    EXPECT_TRUE(layer.features[0].polygons.empty()) << name;
    EXPECT_EQ(layer.features[1].polygons.size(), 1u) << name;
    EXPECT_EQ(layer.features[1].numbers.at("h"), 6) << name;
  }
  put_features(line + ',' + point);
  EXPECT_TRUE(contains(layer_refusal("mixed.geojson"), "polygons, found none; its first geometry is a Line String"))
      << layer_refusal("mixed.geojson");
}

/// The library goes by the content of a file. Its other drivers open other files and web addresses.
TEST_F(GdalFiles, OnlyDriversForPlainLocalFilesOpenAFile) {
  GDALAllRegister();  // as in a program that uses GDAL too
  raster();
  std::string const vrt = R"(<VRTDataset rasterXSize="3" rasterYSize="2"><GeoTransform>0,5,0,10,0,-5</GeoTransform>
      <VRTRasterBand dataType="Float32" band="1"><SimpleSource><SourceFilename relativeToVRT="1">dem.tif</SourceFilename>
      <SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>)";
  std::string const wms = R"(<GDAL_WMS><Service name="TMS"><ServerUrl>http://127.0.0.1:9///.png</ServerUrl>
      </Service></GDAL_WMS>)";
  for (std::string const& text : {vrt, wms}) {
    put(folder_ / "hill.tif", text);
    std::string const message = message_of<CaseError>([&] { read_raster(folder_ / "hill.tif"); });
    EXPECT_TRUE(is_one_line(message)) << message;
    EXPECT_TRUE(contains(message, "hill.tif: expected a raster that one of these drivers of GDAL can read: "))
        << message;
  }
  write_shapefile(folder_ / "city.shp", {{"POLYGON ((0 0,0 5,5 0,0 0))", 5}});
  for (std::string const text :
       {R"(<OGRVRTDataSource><OGRVRTLayer name="city"><SrcDataSource relativeToVRT="1">city.shp</SrcDataSource>
           </OGRVRTLayer></OGRVRTDataSource>)",
        "<OGRWFSDataSource><URL>http://127.0.0.1:9/wfs</URL></OGRWFSDataSource>"}) {
    put(folder_ / "town.shp", text);
    EXPECT_TRUE(contains(layer_refusal("town.shp"), "a vector file that one of these drivers of GDAL can read: "));
  }
  for (std::string const name :
       {"/vsicurl/http://127.0.0.1:9/dem.tif", "/vsizip//tmp/a.zip/dem.tif", "/vsimem/dem.tif"}) {
    EXPECT_TRUE(
        contains(message_of<CaseError>([&] { read_raster(name); }), "found a name of GDAL's virtual file systems"));
    EXPECT_TRUE(contains(message_of<CaseError>([&] { read_vector_layer(name); }), "expected a file of this machine"));
  }
}

/// Files beside a file are opened with it: a pipe among them would make the library wait.
TEST_F(GdalFiles, AllFilesAreRegular) {
  ASSERT_EQ(mkfifo((folder_ / "pipe.tif").c_str(), 0600), 0);
  EXPECT_TRUE(contains(message_of<FileError>([&] { read_raster(folder_ / "pipe.tif"); }),
                       "expected a regular file, found a pipe"));
  EXPECT_TRUE(contains(message_of<FileError>([&] { read_vector_layer(folder_ / "pipe.tif"); }), "found a pipe"));
  EXPECT_TRUE(contains(message_of<FileError>([&] { read_raster(folder_.path()); }), "found a folder"));
  EXPECT_TRUE(contains(message_of<FileError>([&] { read_raster("/dev/zero"); }), "found a device"));
  raster();
  std::filesystem::create_directory(folder_ / "dem");
  EXPECT_NO_THROW(read_raster(folder_ / "dem.tif")) << "a folder of the same name is another thing";
  ASSERT_EQ(mkfifo((folder_ / "dem.tif.aux.xml").c_str(), 0600), 0);
  EXPECT_TRUE(contains(message_of<FileError>([&] { read_raster(folder_ / "dem.tif"); }),
                       "dem.tif.aux.xml: expected a regular file"));
  write_shapefile(folder_ / "city.shp", {{"POLYGON ((0 0,0 5,5 0,0 0))", 5}});
  EXPECT_TRUE(contains(
      message_of<FileError>([&] { read_vector_layer(folder_ / "city.shp", {.layer = {}, .most_bytes = 100}); }),
      "expected at most 100 bytes, found "));
  std::filesystem::remove(folder_ / "city.dbf");
  std::filesystem::create_symlink("/dev/zero", folder_ / "city.dbf");
  EXPECT_TRUE(contains(message_of<FileError>([&] { read_vector_layer(folder_ / "city.shp"); }),
                       "city.dbf: expected a regular file"));
}

/// The library decompresses whole blocks: a file of some kilobytes could take gigabytes.
TEST_F(GdalFiles, BoundsTheMemoryOfBlocks) {
  GDALAllRegister();
  std::vector<std::string> words{"COMPRESS=DEFLATE", "BLOCKYSIZE=20000", "SPARSE_OK=TRUE"};
  std::vector<char*> options;
  for (std::string& word : words) options.push_back(word.data());
  options.push_back(nullptr);
  GDALDatasetH const file = GDALCreate(GDALGetDriverByName("GTiff"), (folder_ / "wide.tif").c_str(), 20'000, 20'000, 1,
                                       GDT_Float32, options.data());
  ASSERT_NE(file, nullptr);
  std::array<double, 6> transform{0, 1, 0, 20'000, 0, -1};
  EXPECT_EQ(GDALSetGeoTransform(file, transform.data()), CE_None);
  GDALClose(file);
  std::string const message = message_of<CaseError>(
      [&] { read_raster(folder_ / "wide.tif", {.window = RasterWindow{{100, 100}, {110, 110}}}); });
  EXPECT_TRUE(contains(message, "blocks of at most 1 GiB, found 20000 x 20000 cells of 1.49 GiB; write it with tiles"))
      << message;
}

TEST_F(GdalFiles, TheSettingsOfTheProgramComeBack) {
  CPLSetThreadLocalConfigOption("GDAL_VRT_ENABLE_PYTHON", "TRUSTED_MODULES");
  raster();
  EXPECT_STREQ(CPLGetThreadLocalConfigOption("GDAL_VRT_ENABLE_PYTHON", nullptr), "TRUSTED_MODULES");
  EXPECT_EQ(CPLGetThreadLocalConfigOption("GDAL_DRIVER_PATH", nullptr), nullptr);
  CPLSetThreadLocalConfigOption("GDAL_VRT_ENABLE_PYTHON", nullptr);
}

}  // namespace gdal_files_test
