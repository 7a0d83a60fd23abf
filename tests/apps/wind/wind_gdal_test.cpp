// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapefiles and GeoTIFF as inputs of a case: the same as GeoJSON and ESRI ASCII grids.
#include "apps/common/run_command.hpp"
#include "io/expect_message.hpp"
#include "io/gdal/gdal_files_of_test.hpp"
#include "io/temporary_folder.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/io/config.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/map_system.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>

namespace wind_gdal_test {

using namespace karman;
using namespace karman::test;
using nlohmann::json;

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

json const base_case = json::parse(R"({
  "domain": {"origin": [500000, 5000000], "cells": [20, 16], "spacing": [5, 5],
    "layers": {"kind": "uniform", "count": 20, "thickness": 2}},
  "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270}})");

/// A triangle and a house with a court, twice: as a shapefile and as GeoJSON. A slope: as GeoTIFF and as ASCII grid.
void write_files(std::filesystem::path const& folder) {
  std::string const triangle = "500020 5000020,500025 5000045,500045 5000020,500020 5000020";
  std::string const outline = "500060 5000030,500060 5000060,500085 5000060,500085 5000030,500060 5000030";
  std::string const court = "500068 5000040,500076 5000040,500076 5000050,500068 5000050,500068 5000040";
  write_shapefile(folder / "city.shp", {{"POLYGON ((" + triangle + "))", 8, "3"},
                                        {"POLYGON ((" + outline + "),(" + court + "))", 11.5, "three"}});
  auto const ring = [](std::string text) {
    for (std::size_t at = 0; (at = text.find(',', at)) != std::string::npos; at += 4) text.replace(at, 1, "], [");
    for (std::size_t at = 0; (at = text.find(" 5000", at)) != std::string::npos; at += 2) text.replace(at, 1, ",");
    return "[[" + text + "]]";
  };
  auto const feature = [](std::string const& height, std::string const& rings) {
    return R"({"type": "Feature", "properties": {"HEIGHT": )" + height +
           R"(}, "geometry": {"type": "Polygon", "coordinates": [)" + rings + "]}}";
  };
  put(folder / "city.geojson", R"({"type": "FeatureCollection", "features": [)" + feature("8", ring(triangle)) + ", " +
                                   feature("11.5", ring(outline) + ", " + ring(court)) + "]}");
  TiffOfTest tiff;
  tiff.columns = 6;
  tiff.rows = 5;
  tiff.transform = {499990, 20, 0, 5000090, 0, -20};
  std::string grid = "ncols 6\nnrows 5\nxllcorner 499990\nyllcorner 4999990\ncellsize 20\n";
  for (int n = 0; n < 30; ++n) {
    tiff.values.push_back(static_cast<float>(200 + 0.25 * (n % 6)));
    grid += std::to_string(200 + 0.25 * (n % 6)) + ' ';
  }
  write_tiff(folder / "dem.tif", tiff);
  put(folder / "dem.asc", grid);
}

class WindGdal : public testing::Test {
 protected:
  WindGdal() { write_files(folder_ / "."); }

  wind::WindCase read(json const& whole) const {
    return wind::read_wind_case(Case::parse(whole.dump(2), (folder_ / "case.json").string(), wind::schema()));
  }
  std::string refusal(json const& buildings) const {
    json whole = base_case;
    whole["buildings"] = json::array({buildings});
    return message_of<CaseError>([&] { read(whole); });
  }

  TemporaryFolder folder_;
};

TEST_F(WindGdal, AShapefileIsReadAsGeoJson) {
  json shapefile = base_case;
  shapefile["buildings"] = json::parse(R"([{"kind": "shapefile", "file": "city.shp", "height": "HEIGHT"}])");
  json geojson = shapefile;
  geojson["buildings"][0]["kind"] = "geojson";
  geojson["buildings"][0]["file"] = "city.geojson";
  auto const found = read(shapefile).buildings;
  auto const expected = read(geojson).buildings;
  ASSERT_EQ(found.size(), 2u);
  ASSERT_EQ(expected.size(), 2u);
  for (std::size_t b = 0; b < 2; ++b) {
    EXPECT_EQ(found[b].height, expected[b].height);
    EXPECT_EQ(found[b].area(), expected[b].area());
    EXPECT_EQ(found[b].x, expected[b].x);
    EXPECT_EQ(found[b].y, expected[b].y);
    EXPECT_EQ(found[b].holes().size(), b);
    EXPECT_EQ(found[b].member, b);
  }
}

TEST_F(WindGdal, ATiffIsReadAsItsAsciiGrid) {
  json tiff = base_case;
  tiff["terrain"] = {{"file", "dem.tif"}};
  json grid = base_case;
  grid["terrain"] = {{"file", "dem.asc"}};
  auto const found = read(tiff).terrain;
  auto const expected = read(grid).terrain;
  ASSERT_EQ(found.heights().size(), 320u);
  for (std::size_t n = 0; n < 320; ++n) ASSERT_NEAR(found.heights()[n], expected.heights()[n], 1e-12);
}

TEST_F(WindGdal, FaultsNameAttributesAndUnits) {
  EXPECT_TRUE(contains(
      refusal({{"kind", "shapefile"}, {"file", "city.shp"}}),
      "expected a property that some feature has; city.shp has none of this name; the file has HEIGHT (real), LEVELS "
      "(text)"))
      << refusal({{"kind", "shapefile"}, {"file", "city.shp"}});
  EXPECT_TRUE(contains(refusal({{"kind", "shapefile"}, {"file", "city.shp"}, {"height", "LEVELS"}}),
                       "feature 1 of city.shp has \"three\"; the file has HEIGHT (real), LEVELS (text)"));
  std::filesystem::copy_file(folder_ / "city.shp", folder_ / "bare.shp");
  std::filesystem::copy_file(folder_ / "city.shx", folder_ / "bare.shx");
  EXPECT_TRUE(contains(refusal({{"kind", "shapefile"}, {"file", "bare.shp"}, {"height", "HEIGHT"}}),
                       "the file of its attributes is missing: bare.dbf"));
  EXPECT_TRUE(
      contains(refusal({{"kind", "shapefile"}, {"file", "city.shp"}, {"height", "HEIGHT"}, {"coordinates", "degrees"}}),
               "/buildings/0/coordinates: \"degrees\": expected metres: city.shp has a projected coordinate system"));
  write_shapefile(folder_ / "degrees.shp", {{"POLYGON ((8 50,8.1 50,8 50.1,8 50))", 5}}, 4326);
  EXPECT_TRUE(contains(refusal({{"kind", "shapefile"}, {"file", "degrees.shp"}, {"height", 5}}),
                       "expected degrees: degrees.shp has longitudes and latitudes"));
  EXPECT_TRUE(contains(refusal({{"kind", "shapefile"}, {"file", "city.shp"}, {"layer", "x"}}),
                       "city.shp: expected a layer that it has, found none of the name x; it has city"));
}

/// A band of a GeoTIFF: its values, northern row first, its colours and its system.
struct TiffOfResult {
  std::vector<double> values;
  std::array<double, 6> transform{};
  std::string system;
  std::vector<std::array<int, 3>> colors;
  std::string first_class;
};

TiffOfResult tiff_of_result(std::filesystem::path const& path) {
  GDALAllRegister();
  TiffOfResult result;
  GDALDatasetH const file = GDALOpen(path.c_str(), GA_ReadOnly);
  EXPECT_NE(file, nullptr) << path;
  if (file == nullptr) return result;
  int const columns = GDALGetRasterXSize(file), rows = GDALGetRasterYSize(file);
  result.values.resize(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  GDALRasterBandH const band = GDALGetRasterBand(file, 1);
  EXPECT_EQ(GDALRasterIO(band, GF_Read, 0, 0, columns, rows, result.values.data(), columns, rows, GDT_Float64, 0, 0),
            CE_None);
  EXPECT_EQ(GDALGetGeoTransform(file, result.transform.data()), CE_None);
  if (OGRSpatialReferenceH const system = GDALGetSpatialRef(file); system != nullptr)
    result.system = OSRGetAuthorityCode(system, nullptr);
  if (GDALColorTableH const table = GDALGetRasterColorTable(band); table != nullptr) {
    for (int n = 0; n < 5; ++n) {
      GDALColorEntry const* const color = GDALGetColorEntry(table, n);
      result.colors.push_back({color->c1, color->c2, color->c3});
    }
    result.first_class = GDALGetMetadataItem(band, "class_0", nullptr);
  }
  GDALClose(file);
  return result;
}

/// The rows of a map from south to north.
template <class T>
std::vector<double> turned(std::vector<T> const& values, std::size_t columns) {
  std::vector<double> result;
  for (std::size_t row = values.size() / columns; row-- > 0;)
    for (std::size_t n = 0; n < columns; ++n) result.push_back(static_cast<double>(values[row * columns + n]));
  return result;
}

TEST_F(WindGdal, MapsAreAlsoGeoTiffs) {
  Workplace const place;
  write_files(place.path("."));
  json whole = base_case;
  whole["buildings"] = json::parse(R"([{"kind": "shapefile", "file": "city.shp", "height": "HEIGHT"}])");
  whole["outputs"] = json::parse(R"({"pedestrian": {"height": 2}, "geotiff": true})");
  place.write("case.json", whole.dump(2));
  ASSERT_EQ(place.karman({"wind", "case.json"}).exit_code, 0);
  std::filesystem::path const folder = place.path("results/case");
  Hdf5File const fields = Hdf5File::open(folder / "wind.h5");
  for (char const* name : {"speed", "speed_up"}) {
    TiffOfResult const tiff = tiff_of_result(folder / ("pedestrian_" + std::string(name) + ".tif"));
    auto const expected = turned(fields.read_vector<double>("/pedestrian/" + std::string(name)), 20);
    ASSERT_EQ(tiff.values.size(), expected.size());
    for (std::size_t n = 0; n < expected.size(); ++n) {
      if (std::isnan(expected[n])) EXPECT_TRUE(std::isnan(tiff.values[n]));
      else EXPECT_NEAR(tiff.values[n], expected[n], 1e-6 * (1 + expected[n])) << "single precision";
    }
    EXPECT_EQ(tiff.transform, (std::array<double, 6>{500000, 5, 0, 5000080, 0, -5}));
    if (built_with_proj()) {
      EXPECT_EQ(tiff.system, "25832");
    }
  }
  EXPECT_EQ(place.karman({"wind", "case.json"}).exit_code, 4) << "nothing is overwritten unasked";
  whole["outputs"] = {{"geotiff", true}};
  whole["sweep"] = json::parse(R"({"rose": {"kind": "weibull", "reference_height": 10, "sectors": [
    {"direction": 0, "frequency": 0.5, "scale": 5, "shape": 2}, {"direction": 90, "frequency": 0.5, "scale": 5, "shape": 2}]}})");
  place.write("case.json", whole.dump(2));
  ASSERT_EQ(place.karman({"wind", "case.json", "--overwrite"}).exit_code, 0);
  Hdf5File const sweep = Hdf5File::open(folder / "sweep.h5");
  for (char const* name : {"lawson", "nen8100", "danger"}) {
    TiffOfResult const tiff = tiff_of_result(folder / ("comfort_" + std::string(name) + ".tif"));
    EXPECT_EQ(tiff.values, turned(sweep.read_vector<std::uint8_t>("/comfort/" + std::string(name)), 20)) << name;
    EXPECT_GT(*std::max_element(tiff.values.begin(), tiff.values.end()), 254) << "cells of the buildings";
    ASSERT_EQ(tiff.colors.size(), 5u);
  }
  TiffOfResult const lawson = tiff_of_result(folder / "comfort_lawson.tif");
  EXPECT_EQ(lawson.colors[4], (std::array<int, 3>{140, 28, 44}));
  EXPECT_EQ(lawson.first_class, "sitting");
  for (auto const& entry : std::filesystem::directory_iterator(folder))
    EXPECT_NE(entry.path().extension(), ".xml") << "no files beside the maps";
}

/// A layer of polygons: areas by class, from the attribute and from the shapes, and its system.
struct LayerOfResult {
  std::map<int, double> areas, attributes;
  std::map<int, std::string> names, colors;
  std::string system;
  bool valid = true;
};

LayerOfResult layer_of_result(std::filesystem::path const& path, char const* name) {
  GDALAllRegister();
  LayerOfResult result;
  GDALDatasetH const file = GDALOpenEx(path.c_str(), GDAL_OF_VECTOR, nullptr, nullptr, nullptr);
  EXPECT_NE(file, nullptr) << path;
  if (file == nullptr) return result;
  OGRLayerH const layer = GDALDatasetGetLayerByName(file, name);
  EXPECT_NE(layer, nullptr) << name;
  if (OGRSpatialReferenceH const system = layer != nullptr ? OGR_L_GetSpatialRef(layer) : nullptr; system != nullptr)
    result.system = OSRGetAuthorityCode(system, nullptr);
  while (OGRFeatureH const feature = layer != nullptr ? OGR_L_GetNextFeature(layer) : nullptr) {
    auto const text = [&](char const* field) {
      return std::string(OGR_F_GetFieldAsString(feature, OGR_F_GetFieldIndex(feature, field)));
    };
    int const value = std::stoi(text("class"));
    result.areas[value] += OGR_G_Area(OGR_F_GetGeometryRef(feature));
    result.attributes[value] += std::stod(text("area"));
    if (OGR_F_GetFieldIndex(feature, "color") >= 0) result.colors[value] = text("color");
    result.names[value] = text("name");
    result.valid = result.valid && OGR_G_IsValid(OGR_F_GetGeometryRef(feature)) != 0;
    OGR_F_Destroy(feature);
  }
  GDALClose(file);
  return result;
}

/// The polygons of a class cover as much as its cells; each is a valid shape in the system of the domain.
TEST_F(WindGdal, ClassesAreAlsoPolygons) {
  if (!built_with_proj()) GTEST_SKIP() << "built without PROJ";
  Workplace const place;
  json whole = base_case;
  whole["domain"]["crs"] = "EPSG:25832";
  whole["outputs"] = {{"geopackage", true}, {"kmz", true}};
  whole["sweep"] = json::parse(R"({"rose": {"kind": "weibull", "reference_height": 10, "sectors": [
    {"direction": 0, "frequency": 0.5, "scale": 5, "shape": 2}, {"direction": 90, "frequency": 0.5, "scale": 9, "shape": 2}]}})");
  whole["buildings"] = json::parse(R"([{"kind": "block", "position": [500040, 5000030], "size": [20, 20, 20]}])");
  place.write("case.json", whole.dump(2));
  Outcome const run = place.karman({"wind", "case.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::filesystem::path const folder = place.path("results/case");
  Hdf5File const sweep = Hdf5File::open(folder / "sweep.h5");
  constexpr double cell_area = 25;
  for (char const* name : {"lawson", "nen8100", "danger"}) {
    std::map<int, double> expected;
    for (std::uint8_t const value : sweep.read_vector<std::uint8_t>("/comfort/" + std::string(name)))
      if (value != 255) expected[value] += cell_area;
    std::string const layer = "comfort_" + std::string(name);
    LayerOfResult const package = layer_of_result(folder / "comfort.gpkg", layer.c_str());
    EXPECT_EQ(package.areas, expected) << name;
    EXPECT_EQ(package.attributes, expected) << name;
    EXPECT_EQ(package.system, "25832");
    EXPECT_TRUE(package.valid) << name;
    if (GDALGetDriverByName("LIBKML") == nullptr) continue;
    // Longitudes and latitudes of WGS 84.
    std::filesystem::path const kmz = folder / "comfort.kmz";
    GDALDatasetH const degrees = GDALOpenEx(kmz.c_str(), GDAL_OF_VECTOR, nullptr, nullptr, nullptr);
    ASSERT_NE(degrees, nullptr);
    OGREnvelope box{};
    ASSERT_EQ(OGR_L_GetExtent(GDALDatasetGetLayerByName(degrees, layer.c_str()), &box, TRUE), OGRERR_NONE);
    MapTransform const to_degrees("EPSG:25832", "OGC:CRS84");
    EXPECT_NEAR(box.MinX, to_degrees({500000, 5000000})[0], 1e-7);
    EXPECT_NEAR(box.MaxY, to_degrees({500100, 5000080})[1], 1e-7);
    GDALClose(degrees);
  }
  LayerOfResult const nen = layer_of_result(folder / "comfort.gpkg", "comfort_nen8100");
  ASSERT_GE(nen.names.size(), 2u) << "classes A and more";
  for (auto const& [value, name] : nen.names) EXPECT_EQ(name, std::string(1, static_cast<char>('A' + value)));
  // Files of one wind replace the files of the sweep.
  whole.erase("sweep");
  whole["outputs"]["pedestrian"] = {{"height", 2}};
  place.write("case.json", whole.dump(2));
  EXPECT_EQ(place.karman({"wind", "case.json", "--overwrite"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "comfort.gpkg"));
  EXPECT_FALSE(std::filesystem::exists(folder / "sweep.xdmf"));
  std::map<int, double> expected;
  for (double const value : Hdf5File::open(folder / "wind.h5").read_vector<double>("/pedestrian/speed_up")) {
    constexpr std::array<double, 5> limits{0.5, 0.9, 1.1, 1.5, 2};
    if (!std::isnan(value))
      expected[static_cast<int>(std::upper_bound(limits.begin(), limits.end(), value) - limits.begin())] += cell_area;
  }
  LayerOfResult const bands = layer_of_result(folder / "pedestrian.gpkg", "speed_up");
  EXPECT_EQ(bands.areas, expected);
  // The undisturbed wind is inside of a band.
  ASSERT_TRUE(bands.names.contains(2));
  EXPECT_EQ(bands.names.at(2), "0.9 to 1.1");
  EXPECT_EQ(bands.names.at(bands.areas.begin()->first).substr(0, 2), bands.areas.contains(0) ? "be" : "0.");
  EXPECT_EQ(place.karman({"wind", "case.json"}).exit_code, 4) << "nothing is overwritten unasked";
  for (auto const& entry : std::filesystem::directory_iterator(folder))
    EXPECT_NE(entry.path().filename().string().front(), '.') << "a temporary file is left";
}

TEST_F(WindGdal, ASeriesHasMapsOfItsMeanAndMaximum) {
  Workplace const place;
  json whole = base_case;
  whole["outputs"] = {{"geotiff", true}};
  whole["buildings"] = json::parse(R"([{"kind": "block", "position": [500040, 5000030], "size": [20, 20, 20]}])");
  whole["wind"] = json::parse(R"({"sensors": [{"name": "mast", "position": [500010, 5000010], "direction": 270,
    "profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}}]})");
  whole["series"] =
      json::parse(R"({"times": [{"time": 1, "readings": [[5, 270]]}, {"time": 2, "readings": [[3, 200]]}]})");
  place.write("case.json", whole.dump(2));
  Outcome const run = place.karman({"wind", "case.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::filesystem::path const folder = place.path("results/case");
  auto const speed = Hdf5File::open(folder / "series.h5").read_vector<float>("/speed");
  std::vector<double> mean, largest;
  for (std::size_t cell = 0; cell < speed.size() / 2; ++cell) {
    mean.push_back(0.5 * (double{speed[cell]} + speed[cell + speed.size() / 2]));
    largest.push_back(std::max(speed[cell], speed[cell + speed.size() / 2]));
  }
  for (auto const& [name, values] :
       {std::pair{"series_mean_speed.tif", mean}, std::pair{"series_max_speed.tif", largest}}) {
    TiffOfResult const tiff = tiff_of_result(folder / name);
    auto const expected = turned(values, 20);
    ASSERT_EQ(tiff.values.size(), expected.size());
    std::size_t missing = 0;
    for (std::size_t n = 0; n < expected.size(); ++n) {
      if (std::isnan(expected[n])) ++missing;
      if (std::isnan(expected[n])) EXPECT_TRUE(std::isnan(tiff.values[n]));
      else EXPECT_NEAR(tiff.values[n], expected[n], 1e-6 * (1 + expected[n])) << "single precision";
    }
    EXPECT_EQ(missing, 16u) << "cells of the building";
  }
}

/// Text that a program prints; nothing where it is missing.
std::optional<std::string> printed(std::string const& command) {
  FILE* const pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::string text;
  std::array<char, 4096> part{};
  while (std::size_t const count = fread(part.data(), 1, part.size(), pipe)) text.append(part.data(), count);
  if (pclose(pipe) != 0) return std::nullopt;
  return text;
}

/// Programs of GDAL itself, as a user of QGIS has them: place, north, unit and missing values.
TEST_F(WindGdal, TheProgramsOfGdalReadTheMaps) {
  if (!printed("gdalinfo --version") || !printed("ogrinfo --version")) GTEST_SKIP() << "no gdalinfo (Debian: gdal-bin)";
  if (!built_with_proj()) GTEST_SKIP() << "built without PROJ";
  Workplace const place;
  json whole = base_case;
  whole["domain"]["crs"] = "EPSG:25832";
  whole["outputs"] = json::parse(R"({"pedestrian": {"height": 2}, "geotiff": true, "geopackage": true})");
  whole["buildings"] = json::parse(R"([{"kind": "block", "position": [500040, 5000030], "size": [20, 20, 20]}])");
  place.write("case.json", whole.dump(2));
  ASSERT_EQ(place.karman({"wind", "case.json"}).exit_code, 0);
  std::string const folder = place.path("results/case").string() + '/';
  for (std::string const& name : {"NETCDF:" + folder + "wind.h5:/pedestrian/speed", folder + "pedestrian_speed.tif"}) {
    auto const text = printed("gdalinfo '" + name + '\'');
    ASSERT_TRUE(text) << name;
    for (char const* part : {"Size is 20, 16", "ID[\"EPSG\",25832]", "Origin = (500000.0",
                             "Pixel Size = (5.000000000000000,-5.0", "NoData Value=nan", "Unit Type: m"})
      EXPECT_TRUE(contains(*text, part)) << name << ": " << part << '\n' << *text;
  }
  auto const layer = printed("ogrinfo -so '" + folder + "pedestrian.gpkg' speed_up");
  ASSERT_TRUE(layer);
  for (char const* part :
       {"Geometry: Polygon", "Extent: (500000.000000, 5000000.000000) - (500100.000000, 5000080.000000)",
        "ID[\"EPSG\",25832]", "class: Integer", "name: String", "area: Real", "color: String"})
    EXPECT_TRUE(contains(*layer, part)) << part << '\n' << *layer;
}

/// A variable as GDAL's driver for netCDF-4 reads it.
struct MapOfGdal {
  std::array<double, 6> transform{};
  int columns = 0, rows = 0, bands = 0;
  std::string system;  ///< code, such as EPSG:25832
};

MapOfGdal map_of_gdal(std::filesystem::path const& file, std::string const& variable) {
  GDALAllRegister();
  std::string const name = "NETCDF:\"" + file.string() + "\":" + variable;
  GDALDatasetH const map = GDALOpenEx(name.c_str(), GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, nullptr, nullptr, nullptr);
  MapOfGdal result;
  EXPECT_NE(map, nullptr) << name;
  if (map == nullptr) return result;
  EXPECT_EQ(GDALGetGeoTransform(map, result.transform.data()), CE_None) << name;
  result.columns = GDALGetRasterXSize(map);
  result.rows = GDALGetRasterYSize(map);
  result.bands = GDALGetRasterCount(map);
  OGRSpatialReferenceH const system = GDALGetSpatialRef(map);
  if (system != nullptr && OSRGetAuthorityCode(system, nullptr) != nullptr)
    result.system = std::string(OSRGetAuthorityName(system, nullptr)) + ':' + OSRGetAuthorityCode(system, nullptr);
  GDALClose(map);
  return result;
}

TEST_F(WindGdal, ResultsAreMaps) {
  if (GDALAllRegister(); GDALGetDriverByName("netCDF") == nullptr) GTEST_SKIP() << "GDAL without netCDF";
  Workplace const place;
  write_files(place.path("."));
  json whole = base_case;
  whole["buildings"] = json::parse(R"([{"kind": "shapefile", "file": "city.shp", "height": "HEIGHT"}])");
  whole["outputs"] = json::parse(R"({"pedestrian": {"height": 2}})");
  auto const run = [&](char const* file) {
    place.write("case.json", whole.dump(2));
    Outcome const outcome = place.karman({"wind", "case.json", "--overwrite"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return place.path("results/case") / file;
  };
  auto const expect_placed = [](std::filesystem::path const& file, std::string const& variable, int bands) {
    MapOfGdal const map = map_of_gdal(file, variable);
    std::array<double, 6> const expected{500000, 5, 0, 5000080, 0, -5};
    for (std::size_t n = 0; n < 6; ++n) EXPECT_NEAR(map.transform[n], expected[n], 1e-6) << variable << ' ' << n;
    EXPECT_EQ(map.columns, 20) << variable;
    EXPECT_EQ(map.rows, 16) << variable;
    EXPECT_EQ(map.bands, bands) << variable;
    if (built_with_proj()) {
      EXPECT_EQ(map.system, "EPSG:25832") << variable;
    }
  };
  expect_placed(run("wind.h5"), "/pedestrian/speed", 1);
  whole["outputs"] = json::object();
  whole["sweep"] = json::parse(R"({"rose": {"kind": "weibull", "reference_height": 10, "sectors": [
    {"direction": 0, "frequency": 0.5, "scale": 5, "shape": 2}, {"direction": 90, "frequency": 0.5, "scale": 5, "shape": 2}]}})");
  std::filesystem::path const sweep = run("sweep.h5");
  expect_placed(sweep, "/comfort/lawson", 1);
  expect_placed(sweep, "/comfort/above_5", 1);
  expect_placed(sweep, "/speed_ratio", 2);
  whole.erase("sweep");
  whole["wind"] = json::parse(R"({"sensors": [{"name": "mast", "position": [500010, 5000010], "direction": 270,
    "profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}}]})");
  whole["series"] =
      json::parse(R"({"times": [{"time": 1, "readings": [[5, 270]]}, {"time": 2, "readings": [[5, 200]]}]})");
  expect_placed(run("series.h5"), "/speed", 2);
}

/// A case about its own (0, 0): GDAL finds its maps at the place of the file.
TEST_F(WindGdal, ShiftedResultsAreAtTheirPlace) {
  if (!built_with_proj()) GTEST_SKIP() << "built without PROJ";
  if (GDALAllRegister(); GDALGetDriverByName("netCDF") == nullptr) GTEST_SKIP() << "GDAL without netCDF";
  Workplace const place;
  write_files(place.path("."));
  json whole = base_case;
  whole["domain"]["origin"] = {0, 0};
  whole["buildings"] =
      json::parse(R"([{"kind": "shapefile", "file": "city.shp", "height": "HEIGHT", "origin": [500000, 5000000]}])");
  whole["outputs"] = json::parse(R"({"pedestrian": {"height": 2}, "geotiff": true})");
  place.write("case.json", whole.dump(2));
  Outcome const outcome = place.karman({"wind", "case.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::string const fields = place.path("results/case/wind.h5").string();
  OGRSpatialReferenceH const utm = system_of(25832);
  OSRSetAxisMappingStrategy(utm, OAMS_TRADITIONAL_GIS_ORDER);
  for (std::string const& name :
       {"NETCDF:\"" + fields + "\":/pedestrian/speed", place.path("results/case/pedestrian_speed.tif").string()}) {
    GDALDatasetH const map = GDALOpenEx(name.c_str(), GDAL_OF_RASTER, nullptr, nullptr, nullptr);
    ASSERT_NE(map, nullptr) << name;
    std::array<double, 6> transform{};
    ASSERT_EQ(GDALGetGeoTransform(map, transform.data()), CE_None);
    EXPECT_NEAR(transform[0], 0, 1e-9) << "the case keeps its own coordinates";
    OGRSpatialReferenceH const system = GDALGetSpatialRef(map);
    ASSERT_NE(system, nullptr) << name;
    OGRCoordinateTransformationH const way = OCTNewCoordinateTransformation(system, utm);
    ASSERT_NE(way, nullptr) << name;
    double x = transform[0], y = transform[3];
    ASSERT_EQ(OCTTransform(way, 1, &x, &y, nullptr), 1) << name;
    EXPECT_NEAR(x, 500000, 1e-4) << name;
    EXPECT_NEAR(y, 5000080, 1e-4) << name;
    OCTDestroyCoordinateTransformation(way);
    GDALClose(map);
  }
  OSRDestroySpatialReference(utm);
}

/// 400 houses over a surface that is read in parts: each has the height of its own roof.
TEST_F(WindGdal, ASurfaceIsReadInParts) {
  constexpr int cells = 2100, houses = 20;
  constexpr double pitch = 105;
  TiffOfTest tiff;
  tiff.columns = tiff.rows = cells;
  tiff.transform = {500000, 1, 0, 5002100, 0, -1};
  tiff.values.assign(static_cast<std::size_t>(cells) * cells, 3);
  json features = json::array();
  for (int n = 0; n < houses * houses; ++n) {
    int const x = n % houses * 105 + 10, y = n / houses * 105 + 10;  // 2075 x 2075 cells in all
    for (int j = y; j < y + 80; ++j)
      for (int i = x; i < x + 80; ++i)
        tiff.values[static_cast<std::size_t>((cells - 1 - j) * cells + i)] = static_cast<float>(3 + 10 + 0.05 * n);
    double const left = 500000 + x, low = 5000000 + y;
    features.push_back(
        {{"type", "Feature"},
         {"properties", json::object()},
         {"geometry",
          {{"type", "Polygon"},
           {"coordinates", {{{left, low}, {left + 80, low}, {left + 80, low + 80}, {left, low + 80}, {left, low}}}}}}});
  }
  write_tiff(folder_ / "dsm.tif", tiff);
  tiff.columns = tiff.rows = 21;
  tiff.transform = {500000, 100, 0, 5002100, 0, -100};
  tiff.values.assign(441, 3);
  write_tiff(folder_ / "ground.tif", tiff);
  // Out of the order of the raster.
  std::reverse(features.begin(), features.end());
  put(folder_ / "houses.geojson", json{{"type", "FeatureCollection"}, {"features", features}}.dump());
  json whole = base_case;
  whole["domain"]["cells"] = {210, 210};
  whole["domain"]["spacing"] = {10, 10};
  whole["domain"]["layers"]["count"] = 60;
  whole["buildings"] = json::parse(R"([{"kind": "geojson", "file": "houses.geojson",
      "heights": {"raster": "dsm.tif", "ground": "ground.tif"}}])");
  auto const found = read(whole).buildings;
  ASSERT_EQ(found.size(), 400u);
  for (auto const& house : found) {
    int const n =
        static_cast<int>((house.y - 50) / pitch + 0.5) * houses + static_cast<int>((house.x - 50) / pitch + 0.5);
    EXPECT_NEAR(house.height, 10 + 0.05 * n, 1e-5) << house.member;
  }
}

/// Plants of a shapefile, with its system.
TEST_F(WindGdal, VegetationMayBeAShapefile) {
  if (!built_with_proj()) GTEST_SKIP() << "built without PROJ";
  write_shapefile(folder_ / "trees.shp",
                  {{"POLYGON ((1113130 8399730,1113130 8399770,1113170 8399770,1113170 8399730,1113130 8399730))", 9}},
                  3857);
  json whole = base_case;
  auto const corner = MapTransform("EPSG:3857", "EPSG:32632")({1113100, 8399700});
  whole["domain"]["origin"] = corner;
  whole["domain"]["crs"] = "auto";
  whole["vegetation"] = json::parse(
      R"([{"kind": "shapefile", "file": "trees.shp", "height": "HEIGHT", "plant": "tree", "base": 2, "attenuation": 1}])");
  auto const found = read(whole);
  EXPECT_EQ(found.place.system, "EPSG:32632");
  ASSERT_EQ(found.vegetation.size(), 1u);
  EXPECT_NEAR(std::sqrt(found.vegetation[0].shape.area()), 20, 0.1);
  EXPECT_EQ(found.vegetation[0].top_height(), 9);
  EXPECT_EQ(found.vegetation[0].base_height(), 2);
}

/// Web Mercator doubles lengths at 60 degrees: 40 units are 20 m, by a .prj file and in a domain of its own.
TEST_F(WindGdal, ShapefilesInWebMercatorAreInMetres) {
  if (!built_with_proj()) GTEST_SKIP() << "built without PROJ";
  write_shapefile(folder_ / "web.shp",
                  {{"POLYGON ((1113130 8399730,1113130 8399770,1113170 8399770,1113170 8399730,"
                    "1113130 8399730))",
                    20}},
                  3857);
  json whole = base_case;
  whole["domain"]["origin"] = {0, 0};
  whole["domain"]["layers"]["count"] = 40;
  whole["buildings"] =
      json::parse(R"([{"kind": "shapefile", "file": "web.shp", "height": "HEIGHT", "origin": [1113100, 8399700]}])");
  MapPlace const place = map_place("EPSG:3857", {1113100, 8399700});
  auto const house = read(whole).buildings.at(0);
  EXPECT_NEAR(house.length * house.width, 1600 / (place.scale * place.least_scale), 1e-2);
  EXPECT_NEAR(house.length, 20, 0.1);
  whole["domain"] = {
      {"crs", "auto"}, {"around", "buildings"}, {"spacing", {5, 5}}, {"layers", whole["domain"]["layers"]}};
  whole["buildings"][0].erase("origin");
  auto const around = read(whole);
  EXPECT_EQ(around.place.system, "EPSG:32632");
  EXPECT_NEAR(std::sqrt(around.buildings.at(0).area()), 20, 0.1);
  EXPECT_GE(around.grid.nx(), 44);
}

TEST_F(WindGdal, TheCommandLoadsTheLibrary) {
  Workplace const place;
  write_files(place.path("."));
  json whole = base_case;
  whole["terrain"] = {{"file", "dem.tif"}};
  whole["buildings"] = json::parse(R"([{"kind": "shapefile", "file": "city.shp", "height": "HEIGHT"}])");
  place.write("case.json", whole.dump(2));
  Outcome const outcome = place.karman({"wind", "case.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Hdf5File const file = Hdf5File::open(place.path("results/case/wind.h5"));
  EXPECT_EQ(file.read_table("/buildings").values[0].size(), 2u);
  auto const heights = file.read_vector<double>("/terrain/height");
  EXPECT_GT(*std::max_element(heights.begin(), heights.end()), 1);
  Outcome const missing = place.karman({"wind", "case.json", "--set", "/terrain/file=none.tif"});
  EXPECT_EQ(missing.exit_code, 4);
  EXPECT_TRUE(contains(missing.err, "none.tif: No such file or directory")) << missing.err;
}

/// A dry run opens nothing that another file names, and loads no library from a folder that the environment names.
TEST_F(WindGdal, TheCommandKeepsToPlainFiles) {
  Workplace const place;
  write_files(place.path("."));
  json whole = base_case;
  whole["terrain"] = {{"file", "dem.tif"}};
  place.write("case.json", whole.dump(2));
  place.write("gdal_foreign.so", "no library");
  Conditions conditions;
  for (char const* variable : {"GDAL_DRIVER_PATH", "OGR_DRIVER_PATH", "GDAL_PYTHON_DRIVER_PATH", "HDF5_PLUGIN_PATH"})
    conditions.environment.emplace_back(variable, place.path(".").string());
  // The dynamic linker lists all libraries that it is asked for.
  conditions.environment.emplace_back("LD_DEBUG", "files");
  Outcome const outcome = place.karman({"wind", "case.json", "--dry-run"}, conditions);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "libgdal")) << "not listed";
  EXPECT_FALSE(contains(outcome.err, "gdal_foreign")) << "a plugin was opened";
  place.write("dem.tif", R"(<VRTDataset rasterXSize="20" rasterYSize="20"><GeoTransform>0,5,0,100,0,-5</GeoTransform>
      <VRTRasterBand dataType="Byte" band="1" subClass="VRTRawRasterBand"><SourceFilename relativeToVRT="1">case.json</SourceFilename>
      <ImageOffset>0</ImageOffset><PixelOffset>1</PixelOffset><LineOffset>20</LineOffset></VRTRasterBand></VRTDataset>)");
  Outcome const refused = place.karman({"wind", "case.json", "--dry-run"});
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_EQ(line_count(refused.err), 1) << refused.err;
  EXPECT_TRUE(contains(refused.err, "one of these drivers of GDAL can read: GTiff")) << refused.err;
}

}  // namespace wind_gdal_test
