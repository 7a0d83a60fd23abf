// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coordinate systems against formulas of their projections.
#include "io/expect_message.hpp"
#include <karman/io/map_system.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

namespace map_system_test {

using namespace karman;
using namespace karman::test;

constexpr double equator = 6378137, squared_eccentricity = 0.00669437999014;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

class MapSystems : public testing::Test {
 protected:
  void SetUp() override {
    if (!built_with_proj()) GTEST_SKIP() << "built without PROJ";
  }
};

TEST(WithoutProj, TheMessageNamesTheOption) {
  if (built_with_proj()) GTEST_SKIP() << "built with PROJ";
  std::string const message = message_of<std::runtime_error>([] { describe_map_system("EPSG:25832"); });
  EXPECT_TRUE(contains(message, "libproj-dev")) << message;
  EXPECT_TRUE(contains(message, "-DKARMAN_PROJ=ON")) << message;
}

TEST_F(MapSystems, HaveNamesAndUnits) {
  MapSystem const utm = describe_map_system("urn:ogc:def:crs:EPSG::25832");
  EXPECT_EQ(utm.name, "ETRS89 / UTM zone 32N");
  EXPECT_EQ(utm.code, "EPSG:25832");
  EXPECT_FALSE(utm.degrees);
  EXPECT_EQ(utm.metres_per_unit, 1);
  EXPECT_TRUE(is_one_line(utm.wkt));
  EXPECT_EQ(describe_map_system(utm.wkt).name, utm.name) << "its own text describes it";
  EXPECT_NEAR(describe_map_system("EPSG:2263").metres_per_unit, 1200.0 / 3937, 1e-15);
  EXPECT_TRUE(describe_map_system("OGC:CRS84").degrees);
  EXPECT_TRUE(describe_map_system("EPSG:4326").degrees);
}

TEST_F(MapSystems, TransformsMeetFormulas) {
  // Web Mercator is spherical: x = a longitude, y = a ln tan(45 degrees + latitude / 2).
  auto const mercator = MapTransform("OGC:CRS84", "EPSG:3857")({10, 60});
  EXPECT_NEAR(mercator[0], equator * radians(10), 1e-6);
  EXPECT_NEAR(mercator[1], equator * std::log(std::tan(radians(45 + 30))), 1e-6);
  // Longitude comes first whatever the order of the system: EPSG:4326 has latitude first.
  auto const back = MapTransform("EPSG:3857", "EPSG:4326")(mercator);
  EXPECT_NEAR(back[0], 10, 1e-10);
  EXPECT_NEAR(back[1], 60, 1e-10);
  // The central meridian of zone 32 has easting 500 km, and the equator northing 0.
  auto const zone = MapTransform("OGC:CRS84", utm_system(9, 0.1))({9, 0});
  EXPECT_NEAR(zone[0], 500000, 1e-6);
  EXPECT_NEAR(zone[1], 0, 1e-6);
  EXPECT_TRUE(std::isnan(MapTransform("OGC:CRS84", "EPSG:3857")({10, 95})[1]));
}

TEST_F(MapSystems, PlacesHaveScaleAndNorth) {
  // Scales of Web Mercator on the ellipsoid: a / (N cos latitude) along x, a / (M cos latitude) along y.
  double const q = 1 - squared_eccentricity * std::pow(std::sin(radians(60)), 2);
  double const along_x = std::sqrt(q) / std::cos(radians(60));
  double const along_y = q * std::sqrt(q) / (1 - squared_eccentricity) / std::cos(radians(60));
  MapPlace const mercator = map_place("EPSG:3857", MapTransform("OGC:CRS84", "EPSG:3857")({10, 60}));
  EXPECT_NEAR(mercator.longitude, 10, 1e-9);
  EXPECT_NEAR(mercator.latitude, 60, 1e-9);
  EXPECT_NEAR(mercator.scale, std::max(along_x, along_y), 1e-6);
  EXPECT_NEAR(mercator.least_scale, std::min(along_x, along_y), 1e-6);
  EXPECT_NEAR(mercator.north, 0, 1e-6);
  // UTM has 0.9996 on its central meridian. Beside it grid north turns by (longitude - 9) sin latitude, eastward.
  MapPlace const middle = map_place("EPSG:32632", {500000, 5.54e6});
  EXPECT_NEAR(middle.scale, 0.9996, 1e-7);
  EXPECT_NEAR(middle.least_scale, 0.9996, 1e-7);
  EXPECT_NEAR(middle.north, 0, 1e-7);
  MapPlace const east = map_place("EPSG:32632", MapTransform("OGC:CRS84", "EPSG:32632")({11, 50}));
  EXPECT_NEAR(east.north, 2 * std::sin(radians(50)), 2e-3);
  // Feet count as metres.
  EXPECT_NEAR(map_place("EPSG:2263", {980000, 198000}).scale, 1, 1e-3);
  MapPlace const local = map_place(local_system(11, 50), {0, 0});
  EXPECT_NEAR(local.longitude, 11, 1e-11);
  EXPECT_NEAR(local.latitude, 50, 1e-11);
  EXPECT_NEAR(local.scale, 1, 1e-8);
  EXPECT_THROW(map_place("EPSG:32632", {1e12, 1e12}), std::runtime_error);
}

TEST_F(MapSystems, AShiftedSystemShowsTheSamePlaces) {
  struct {
    char const* system;
    std::array<double, 2> origin;
  } const places[] = {{"EPSG:25832", {691000, 5334000}},  {"EPSG:2154", {652000.5, 6862000}},  // Lambert
                      {"EPSG:28992", {121000, 487000}},                                        // oblique stereographic
                      {"EPSG:2056", {2600000, 1200000}},                                       // oblique Mercator
                      {"EPSG:2263", {980000.25, 198000}},                                      // feet
                      {"EPSG:32756", {334000, 6252000}}};
  for (auto const& [system, origin] : places) {
    std::string const shifted = shifted_system(system, origin);
    MapSystem const map = describe_map_system(shifted);
    double const unit = describe_map_system(system).metres_per_unit;
    EXPECT_EQ(map.metres_per_unit, 1) << system;
    EXPECT_EQ(map.code, "") << system;
    EXPECT_TRUE(contains(map.name, describe_map_system(system).name + " from (")) << map.name;
    for (auto const& [x, y] : {std::pair{0.0, 0.0}, std::pair{700.0, -300.0}}) {
      auto const found = MapTransform(shifted, "OGC:CRS84")({x, y});
      auto const expected = MapTransform(system, "OGC:CRS84")({origin[0] + x / unit, origin[1] + y / unit});
      EXPECT_NEAR(found[0], expected[0], 1e-10) << system;
      EXPECT_NEAR(found[1], expected[1], 1e-10) << system;
    }
    EXPECT_EQ(describe_map_system(map.wkt).wkt, map.wkt) << "as GDAL reads it";
  }
  EXPECT_EQ(shifted_system("OGC:CRS84", {10, 50}), "");
  EXPECT_EQ(shifted_system("EPSG:3857", {1113100, 8399700}), "") << "spherical formulas on an ellipsoid";
}

TEST_F(MapSystems, DegreesAsMetresAreASystem) {
  std::array<double, 2> const scales{69000, 111250};
  std::string const system = equirectangular_system({13.4, 52.5}, scales, {300, 200});
  EXPECT_EQ(describe_map_system(system).name, "Equirectangular about (13.4, 52.5)");
  auto const found = MapTransform(system, "OGC:CRS84")({300 + 6900, 200 - 2225});
  EXPECT_NEAR(found[0], 13.5, 1e-10);
  EXPECT_NEAR(found[1], 52.48, 1e-10);
  auto const back = MapTransform("EPSG:4326", system)({13.5, 52.48});
  EXPECT_NEAR(back[0], 7200, 1e-5);
  EXPECT_NEAR(back[1], -2025, 1e-5);
  EXPECT_EQ(equirectangular_system({13.4, 0}, {111320, 110574}, {0, 0}), "") << "wider than high: no parallel";
}

TEST_F(MapSystems, ZonesCoverTheEarth) {
  EXPECT_EQ(utm_system(-180, 1), "EPSG:32601");
  EXPECT_EQ(utm_system(180, 1), "EPSG:32601");
  EXPECT_EQ(utm_system(179.9, -1), "EPSG:32760");
  EXPECT_EQ(utm_system(13.4, 52.5), "EPSG:32633");
}

TEST_F(MapSystems, RefusesOtherTexts) {
  for (char const* text :
       {"", "25832", "EPSG:", "EPSG:99999999", "EPSG:5703", "+proj=utm +zone=32", "/etc/passwd", "file:x", "@x",
        "+proj=pipeline +step +proj=hgridshift +grids=/dev/stdin", "PROJCS[\"x\"]",
        "GEOGCS[\"x\",DATUM[\"y\",SPHEROID[\"z\",6378137,298],EXTENSION[\"PROJ4_GRIDS\",\"/etc/passwd\"]]]"}) {
    std::string const message = message_of<std::runtime_error>([&] { describe_map_system(text); });
    EXPECT_TRUE(is_one_line(message)) << text << ": " << message;
  }
}

}  // namespace map_system_test
