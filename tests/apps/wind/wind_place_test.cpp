// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of a case on a map: files in other systems, a domain around its buildings, true north.
#include "common/case/texts.hpp"
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include "wind/case/place/metres_per_degree.hpp"
#include "wind/case/wind/read_sensors.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/io/config.hpp>
#include <karman/io/map_system.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace wind_place_test {

using namespace karman;
using namespace karman::wind;
using nlohmann::json;
using test::contains;

class WindPlace : public testing::Test {
 protected:
  void SetUp() override {
    if (!built_with_proj()) GTEST_SKIP() << "built without PROJ";
    whole_ = json::parse(R"({
      "domain": {"cells": [60, 60], "spacing": [5, 5], "layers": {"kind": "uniform", "count": 40, "thickness": 5}},
      "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270},
      "buildings": [{"kind": "geojson", "file": "city.geojson"}]})");
  }

  /// A file with one house of 20 m over a corner, with the system that its member crs names.
  void write_house(std::vector<std::array<double, 2>> const& corners, std::string const& system) const {
    json ring = json::array();
    for (auto const& corner : corners) ring.push_back(corner);
    ring.push_back(corners.front());
    json file = {{"type", "FeatureCollection"},
                 {"features",
                  {{{"type", "Feature"},
                    {"properties", {{"height", 20}}},
                    {"geometry", {{"type", "Polygon"}, {"coordinates", {ring}}}}}}}};
    if (!system.empty()) file["crs"] = {{"type", "name"}, {"properties", {{"name", system}}}};
    test::put(folder_ / "city.geojson", file.dump());
  }

  /// A house of 20 x 20 m with its lower corner 140 m east and 130 m north of a place, in a system.
  std::array<double, 2> write_house_near(double longitude, double latitude, std::string const& system) const {
    MapTransform const to_file(local_system(longitude, latitude), system);
    write_house({to_file({140, 130}), to_file({160, 130}), to_file({160, 150}), to_file({140, 150})}, system);
    return to_file({0, 0});
  }

  WindCase read() const {
    return read_wind_case(Case::parse(whole_.dump(2), (folder_ / "case.json").string(), schema()));
  }
  std::string refusal() const {
    return test::message_of<CaseError>([&] { read(); });
  }
  json& domain() { return whole_["domain"]; }
  void surround() {
    domain().erase("cells");
    domain()["around"] = "buildings";
    domain()["crs"] = "auto";
  }

  test::TemporaryFolder folder_;
  json whole_;
};

TEST_F(WindPlace, WebMercatorIsProjectedAboutTheOrigin) {
  whole_["buildings"][0]["origin"] = write_house_near(10, 60, "EPSG:3857");
  WindCase const found = read();
  ASSERT_EQ(found.buildings.size(), 1u);
  EXPECT_NEAR(found.buildings[0].length, 20, 1e-5);
  EXPECT_NEAR(found.buildings[0].width, 20, 1e-5);
  EXPECT_NEAR(found.buildings[0].x, 150, 1e-5);
  EXPECT_NEAR(found.buildings[0].y, 140, 1e-5);
  MapPlace const corner = map_place(found.place.system, {0, 0});
  EXPECT_NEAR(corner.longitude, 10, 1e-9);
  EXPECT_NEAR(corner.latitude, 60, 1e-9);
  whole_["buildings"][0].erase("origin");
  EXPECT_TRUE(contains(refusal(),
                       "/buildings/0/file: \"city.geojson\": lengths in WGS 84 / Pseudo-Mercator (EPSG:3857), "
                       "the coordinate system of city.geojson, are "))
      << refusal();
  EXPECT_TRUE(contains(refusal(), "give \"crs\": \"auto\" in /domain")) << refusal();
}

TEST_F(WindPlace, FeetBecomeMetres) {
  write_house({{980100, 198100}, {980166, 198100}, {980166, 198166}, {980100, 198166}}, "urn:ogc:def:crs:EPSG::2263");
  whole_["buildings"][0]["origin"] = {980000, 198000};
  Building const house = read().buildings.at(0);
  double const foot = 1200.0 / 3937;
  EXPECT_NEAR(house.length, 66 * foot, 1e-9);
  EXPECT_NEAR(house.x, 133 * foot, 1e-9);
}

TEST_F(WindPlace, ADomainSurroundsItsBuildings) {
  surround();
  write_house_near(13.4, 52.5, "OGC:CRS84");
  WindCase const found = read();
  EXPECT_EQ(found.place.system, "EPSG:32633");
  Building const& house = found.buildings.at(0);
  MapPlace const middle = map_place("EPSG:32633", {found.grid.origin()[0], found.grid.origin()[1]});
  // The house is turned by the direction of grid north: its box is a little larger.
  double const turn = std::abs(middle.north) * std::acos(-1.0) / 180;
  EXPECT_NEAR(house.length, 20 * middle.scale * (std::cos(turn) + std::sin(turn)), 1e-3);
  EXPECT_NEAR(std::sqrt(house.area()), 20 * middle.scale, 1e-4);
  EXPECT_NEAR(found.place.north, middle.north, 1e-2);
  EXPECT_NEAR(found.place.north, -1.6 * std::sin(52.5 * std::acos(-1.0) / 180), 0.01) << "west of 15 degrees east";
  // Five heights on each side, in whole cells.
  for (double const distance :
       {house.x - house.length / 2, house.y - house.width / 2, found.grid.nx() * 5 - house.x - house.length / 2,
        found.grid.ny() * 5 - house.y - house.width / 2}) {
    EXPECT_GE(distance, 100);
    EXPECT_LT(distance, 105);
  }
  for (std::size_t axis = 0; axis < 2; ++axis) EXPECT_EQ(std::remainder(found.grid.origin()[axis], 5), 0);
  domain()["cells"] = {10, 10};
  EXPECT_TRUE(contains(refusal(), "expected this or /domain/around, found both")) << refusal();
  domain().erase("cells");
  domain()["origin"] = {0, 0};
  EXPECT_TRUE(contains(refusal(), "/domain/origin: [0,0]: expected this or /domain/around, found both")) << refusal();
  domain().erase("around");
  EXPECT_TRUE(contains(refusal(), "/domain/cells: missing, expected this or /domain/around")) << refusal();
}

TEST_F(WindPlace, FilesOfTwoSystemsMeetInTheDomain) {
  // The same house in Web Mercator and in degrees.
  surround();
  write_house_near(13.4, 52.5, "OGC:CRS84");
  std::filesystem::rename(folder_ / "city.geojson", folder_ / "degrees.geojson");
  write_house_near(13.4, 52.5, "EPSG:3857");
  whole_["buildings"].push_back({{"kind", "geojson"}, {"file", "degrees.geojson"}});
  WindCase const found = read();
  ASSERT_EQ(found.buildings.size(), 2u);
  EXPECT_NEAR(found.buildings[0].x, found.buildings[1].x, 1e-5);
  EXPECT_NEAR(found.buildings[0].y, found.buildings[1].y, 1e-5);
  EXPECT_NEAR(found.buildings[0].area(), found.buildings[1].area(), 1e-3);
}

TEST_F(WindPlace, ReadingsCountFromTrueNorth) {
  surround();
  write_house_near(13.4, 52.5, "OGC:CRS84");
  WindCase const plain = read();
  EXPECT_EQ(plain.profile.direction, 270) << "/wind/direction counts from grid north";
  auto const& origin = plain.grid.origin();
  json const profile = whole_["wind"]["profile"];
  whole_["wind"] = {
      {"sensors",
       {{{"name", "mast"}, {"position", {origin[0] + 10, origin[1] + 10}}, {"direction", 270}, {"profile", profile}}}}};
  WindCase const found = read();
  EXPECT_EQ(found.profile.direction, 270 - found.place.north);
  // 1.27 degrees west: the wind comes from 271.27 degrees in the grid and blows a little to the south.
  EXPECT_TRUE(contains(found.wind_text,
                       app::formatted("direction 270 degrees, nautical: where the wind comes from, clockwise from true "
                                      "north; %.2f degrees from grid north (+y); toward %.2f degrees from +x",
                                      270 - found.place.north, 360 + found.place.north)))
      << found.wind_text;
  EXPECT_TRUE(contains(plain.wind_text, "from north (+y); toward 0 degrees from +x")) << plain.wind_text;
  Case const with_sensors = Case::parse(whole_.dump(2), "case.json", schema());
  EXPECT_TRUE(turns_readings(with_sensors));
  json travel = whole_;
  travel["wind"]["convention"] = "travel";
  EXPECT_FALSE(turns_readings(Case::parse(travel.dump(2), "case.json", schema())));
  std::string const turned = "degrees west of true north; readings of sensors are turned by it";
  EXPECT_TRUE(contains(place_text(found.place, true), turned)) << place_text(found.place, true);
  EXPECT_TRUE(place_text(found.place, false).ends_with("degrees west of true north")) << place_text(found.place, false);
  test::put(folder_ / "met.csv", "time,mast speed,mast direction\n0,5,200\n");
  whole_["series"] = {{"file", "met.csv"}};
  EXPECT_EQ(read().series->times.at(0).readings.at(0).direction, 200 - found.place.north);
  whole_["wind"]["convention"] = "travel";
  EXPECT_EQ(read().series->times.at(0).readings.at(0).direction, 270 - 200) << "travel counts from x of the domain";
}

TEST_F(WindPlace, ATerrainMayHaveAnotherSystem) {
  surround();
  write_house_near(13.4, 52.5, "OGC:CRS84");
  // A plane in UTM zone 32 on WGS 84: 1 m up on 10 m to its east.
  MapTransform const to_file("EPSG:32633", "EPSG:32632");
  UniformGrid const grid = read().grid;
  auto const corner = to_file({grid.origin()[0], grid.origin()[1]});
  double const x = std::floor(corner[0]) - 200, y = std::floor(corner[1]) - 200;
  std::string text =
      "ncols 100\nnrows 100\nxllcorner " + std::to_string(x) + "\nyllcorner " + std::to_string(y) + "\ncellsize 10\n";
  for (int j = 0; j < 100; ++j) {
    for (int i = 0; i < 100; ++i) text += std::to_string(i + 0.5) + ' ';
  }
  test::put(folder_ / "plane.asc", text);
  test::put(folder_ / "plane.prj", describe_map_system("EPSG:32632").wkt);
  whole_["terrain"] = {{"file", "plane.asc"}, {"level", 0}};
  WindCase const found = read();
  for (auto const& [i, j] : {std::pair{0, 0}, std::pair{3, 17}, std::pair{grid.nx() - 1, grid.ny() - 1}}) {
    auto const center = to_file({grid.origin()[0] + 5 * (i + 0.5), grid.origin()[1] + 5 * (j + 0.5)});
    EXPECT_NEAR(found.terrain.height(i, j), (center[0] - x) / 10, 1e-5);
  }
}

TEST_F(WindPlace, FaultsOfSystemsAreOneLine) {
  surround();
  write_house_near(13.4, 52.5, "OGC:CRS84");
  auto const with = [&](std::string const& system) {
    domain()["crs"] = system;
    std::string const message = refusal();
    EXPECT_TRUE(test::is_one_line(message)) << message;
    return message;
  };
  EXPECT_TRUE(contains(with("EPSG:4326"), "/domain/crs: \"EPSG:4326\": expected a projection in metres"));
  EXPECT_TRUE(contains(with("EPSG:2263"), "has another unit"));
  EXPECT_TRUE(contains(with("EPSG:3857"), "are 1.643 times those on the ground at the domain")) << with("EPSG:3857");
  EXPECT_TRUE(contains(with("+proj=utm +zone=33"), "expected a coordinate system such as EPSG:25832"));
  EXPECT_TRUE(with("UTM32").ends_with(
      "/domain/crs: expected a coordinate system such as EPSG:25832 or well-known text, found \"UTM32\""))
      << with("UTM32");
  EXPECT_TRUE(with("EPSG:99999").ends_with("/domain/crs: PROJ has no coordinate system \"EPSG:99999\""))
      << with("EPSG:99999");
  EXPECT_TRUE(contains(with("AUTO"), "did you mean auto?")) << with("AUTO");
  EXPECT_TRUE(contains(with("EPSG:25833 "), "expected a coordinate system without blanks before and after it"))
      << with("EPSG:25833 ");
  whole_["buildings"][0]["origin"] = {0, 0};
  EXPECT_TRUE(contains(with("auto"), "/buildings/0/origin: ")) << with("auto");
  whole_["buildings"][0].erase("origin");
  write_house({{0, 0}, {20, 0}, {20, 20}, {0, 20}}, "EPSG:0");
  EXPECT_TRUE(contains(with("auto"), "city.geojson: /crs/properties/name: PROJ has no coordinate system \"EPSG:0\""))
      << with("auto");
  write_house({{0, 0}, {20, 0}, {20, 20}, {0, 20}}, "");
  EXPECT_TRUE(
      contains(with("auto"),
               "expected a file of buildings with a coordinate system or degrees, or a terrain with one, found none"));
}

TEST_F(WindPlace, DegreesWithoutTheirKeyAreNamed) {
  surround();
  write_house({{13.4, 52.5}, {13.4003, 52.5}, {13.4003, 52.5002}, {13.4, 52.5002}}, "");
  EXPECT_TRUE(test::is_one_line(refusal())) << refusal();
  EXPECT_TRUE(
      refusal().ends_with("give a system such as EPSG:25832, or \"coordinates\": \"degrees\" in /buildings/0, "
                          "whose positions may be longitudes and latitudes"))
      << refusal();
  domain()["crs"] = "EPSG:32633";
  EXPECT_TRUE(contains(refusal(),
                       "/buildings/0/coordinates: \"metres\": expected degrees: all of "
                       "city.geojson lies within 0.0003 m, less than a cell"))
      << refusal();
  whole_["buildings"][0]["coordinates"] = "degrees";
  EXPECT_NEAR(read().buildings.at(0).width, 22.3, 0.5);
  // Metres beyond every longitude have no such hint.
  whole_["buildings"][0]["coordinates"] = "metres";
  domain()["crs"] = "auto";
  write_house({{400, 52}, {420, 52}, {420, 72}, {400, 72}}, "");
  EXPECT_TRUE(refusal().ends_with("give a system such as EPSG:25832")) << refusal();
}

TEST_F(WindPlace, ExchangedDegreesAreNamedWithTheirFeature) {
  write_house({{-41.29, 174.78}, {-41.2898, 174.78}, {-41.2898, 174.7803}, {-41.29, 174.7803}}, "");
  whole_["buildings"][0]["coordinates"] = "degrees";
  std::string const expected =
      "/buildings/0/coordinates: \"degrees\": expected metres: positions of city.geojson are no longitudes of -180 to "
      "180 and latitudes of -89 to 89; feature 0 has a corner at (-41.29, 174.78); the longitude is the first";
  EXPECT_TRUE(contains(refusal(), expected)) << refusal();
  domain()["crs"] = "EPSG:32760";
  domain()["origin"] = {313400, 5426000};
  EXPECT_TRUE(contains(refusal(), expected)) << refusal();
  surround();
  domain().erase("origin");
  EXPECT_TRUE(contains(refusal(), expected)) << refusal();
  // A file that names its system, and one corner far from the others. It would not be better exchanged.
  write_house({{174.78, -41.29}, {274, -41.29}, {174.7803, -41.2898}, {174.78, -41.2898}}, "OGC:CRS84");
  std::string const named =
      "expected longitudes of -180 to 180 and latitudes of -89 to 89 in city.geojson; feature 0 has a corner at (274, "
      "-41.29)";
  EXPECT_TRUE(contains(refusal(), named)) << refusal();
  EXPECT_FALSE(contains(refusal(), "the longitude is the first")) << refusal();
}

TEST_F(WindPlace, APlaceOutsideOfTheMapIsNamed) {
  write_house({{174.78, -41.29}, {80, 0}, {174.7803, -41.2898}, {174.78, -41.2898}}, "OGC:CRS84");
  domain()["crs"] = "EPSG:32760";
  domain()["origin"] = {313400, 5426000};
  EXPECT_TRUE(contains(
      refusal(), "/buildings/0: feature 0 of city.geojson: its corner (80, 0) is outside of WGS 84 / UTM zone 60S"))
      << refusal();
  // A city that is too wide names the building at its end.
  surround();
  domain().erase("origin");
  auto const house = [](double longitude) {
    json const ring = {{longitude, -41.29},
                       {longitude + 3e-4, -41.29},
                       {longitude + 3e-4, -41.2898},
                       {longitude, -41.2898},
                       {longitude, -41.29}};
    return json{{"type", "Feature"},
                {"properties", {{"height", 9}}},
                {"geometry", {{"type", "Polygon"}, {"coordinates", {ring}}}}};
  };
  json const features = {house(174.78), house(150), house(174.781), house(174.782)};
  json const crs = {{"type", "name"}, {"properties", {{"name", "OGC:CRS84"}}}};
  test::put(folder_ / "city.geojson", json{{"type", "FeatureCollection"}, {"crs", crs}, {"features", features}}.dump());
  EXPECT_TRUE(contains(refusal(), "expected at most 32768 cells along an axis, found ")) << refusal();
  EXPECT_TRUE(contains(refusal(), "the farthest feature 1 of city.geojson")) << refusal();
}

/// Houses of 20 m on both sides of the meridian of 180 degrees, 100 m apart.
class WindAcrossTheMeridian : public WindPlace {
 protected:
  /// `continued`: longitudes of more than 180 degrees in place of negative ones.
  void write_town(double latitude_of_town, bool continued = false) {
    MapTransform const to_file(local_system(180, latitude_of_town), "OGC:CRS84");
    json features = json::array();
    for (double const x : {-60.0, 40.0}) {
      json ring = json::array();
      for (auto const& [dx, dy] : {std::pair{0, 0}, {20, 0}, {20, 20}, {0, 20}, {0, 0}}) {
        auto const [longitude, latitude] = to_file({x + dx, 1.0 * dy});
        double const in_range = std::remainder(longitude, 360);
        ring.push_back({continued && in_range < 0 ? in_range + 360 : in_range, latitude});
      }
      features.push_back({{"type", "Feature"},
                          {"properties", {{"height", 10}}},
                          {"geometry", {{"type", "Polygon"}, {"coordinates", {ring}}}}});
    }
    test::put(folder_ / "city.geojson", json{{"type", "FeatureCollection"}, {"features", features}}.dump());
    whole_["buildings"][0]["coordinates"] = "degrees";
  }
};

TEST_F(WindAcrossTheMeridian, ACityIsOne) {
  write_town(-41);
  WindCase const plain = read();
  ASSERT_EQ(plain.buildings.size(), 2u);
  EXPECT_NEAR(plain.buildings[1].x - plain.buildings[0].x, 100, 0.1);
  EXPECT_NEAR(plain.buildings[0].y, plain.buildings[1].y, 1e-3);
  MapPlace const middle = map_place(plain.place.system, {150, 150});
  EXPECT_NEAR(std::abs(middle.longitude), 180, 1e-3);
  // An origin on either side, of a file whose positions are mostly on the other.
  for (double const longitude : {179.999, -179.999}) {
    whole_["buildings"][0]["origin"] = {longitude, -41.0005};
    domain()["origin"] = {-150, -150};
    std::vector<Building> const found = read().buildings;
    double const west = std::remainder(longitude - 180, 360) * metres_per_degree(-41)[0];
    EXPECT_NEAR(found.at(0).x - 150 + west, -50, 0.5) << longitude;
    EXPECT_NEAR(found.at(1).x - found.at(0).x, 100, 0.1) << longitude;
  }
  whole_["buildings"][0].erase("origin");
  domain().erase("origin");
  surround();
  WindCase const found = read();
  write_town(-41, true);
  WindCase const continued = read();
  ASSERT_EQ(continued.buildings.size(), 2u);
  for (std::size_t n = 0; n < 2; ++n) EXPECT_NEAR(continued.buildings[n].x, found.buildings[n].x, 1e-5);
  EXPECT_TRUE(found.place.system == "EPSG:32760" || found.place.system == "EPSG:32701") << found.place.system;
  // At the edge of the zone, 3 degrees from its middle.
  EXPECT_NEAR(std::abs(found.place.north), 3 * std::sin(41 * std::acos(-1.0) / 180), 0.01);
  EXPECT_NEAR(std::abs(found.buildings.at(1).x - found.buildings.at(0).x), 100, 0.3);
}

TEST_F(WindAcrossTheMeridian, AMapOfTheOtherSideIsRefused) {
  write_town(-18);
  auto const place = MapTransform("OGC:CRS84", "EPSG:32631")({180, -18});
  ASSERT_TRUE(std::isfinite(place[0]));
  domain()["crs"] = "EPSG:32631";
  domain()["origin"] = {std::floor(place[0]) - 150, std::floor(place[1]) - 150};
  EXPECT_TRUE(contains(refusal(), "/domain/crs: ")) << refusal();
  EXPECT_TRUE(contains(refusal(), "grid north of WGS 84 / UTM zone 31N (EPSG:32631) is 179 degrees from true north"))
      << refusal();
}

TEST_F(WindPlace, BuildingsFarFromAllOthersAreNamed) {
  // Houses of 20 m, 60 m apart, all 10 m high: the margin is 50 m.
  auto const put = [&](std::vector<std::array<double, 2>> const& corners) {
    json features = json::array();
    for (auto const& [x, y] : corners) {
      json const ring = {{x, y}, {x + 20, y}, {x + 20, y + 20}, {x, y + 20}, {x, y}};
      features.push_back({{"type", "Feature"},
                          {"properties", {{"height", 10}}},
                          {"geometry", {{"type", "Polygon"}, {"coordinates", {ring}}}}});
    }
    test::put(folder_ / "city.geojson", json{{"type", "FeatureCollection"}, {"features", features}}.dump());
  };
  domain().erase("cells");
  domain()["around"] = "buildings";
  std::vector<std::array<double, 2>> town;
  for (int n = 0; n < 20; ++n) town.push_back({1000.0 + 60 * (n % 5), 2000.0 + 60 * (n / 5)});
  auto const warning = [&] {
    std::string found;
    for (std::string const& line : read().warnings) {
      if (contains(line, "from all others")) found += line;
    }
    return found;
  };
  put(town);
  EXPECT_EQ(warning(), "");
  UniformGrid const alone = read().grid;
  EXPECT_EQ(alone.nx(), (4 * 60 + 20 + 100) / 5);
  // 90 m to the next is less than two margins. Beside the town along both axes only the second cut finds it.
  town.push_back({1000 + 240 + 20 + 90, 2000});
  put(town);
  EXPECT_EQ(warning(), "");
  town.back() = {1000, 2000 + 180 + 20 + 101};
  town.push_back({9000, 2301});
  put(town);
  EXPECT_TRUE(contains(warning(),
                       "feature 20 of city.geojson (and 1 more) lie more than 100 m from all others: the domain "
                       "has 1624 x 85 columns in place of 72 x 60; leave them out, or give \"origin\": [950, "
                       "1950] and \"cells\": [72, 60] for \"around\", and \"outside\": \"skip\" of the file"))
      << warning();
  // The fix of the message.
  domain().erase("around");
  domain()["origin"] = {950, 1950};
  domain()["cells"] = {72, 60};
  whole_["buildings"][0]["outside"] = "skip";
  WindCase const found = read();
  EXPECT_EQ(found.buildings.size(), 20u);
  EXPECT_EQ(found.grid.nx(), alone.nx());
  EXPECT_EQ(found.grid.ny(), alone.ny());
  // Two towns are no mistake.
  domain().erase("origin");
  domain().erase("cells");
  domain()["around"] = "buildings";
  for (int n = 0; n < 20; ++n) town.push_back({9000.0 + 60 * (n % 5), 2000.0 + 60 * (n / 5)});
  put(town);
  EXPECT_EQ(warning(), "");
}

TEST_F(WindPlace, ADomainFarFromItsFilesIsOneLine) {
  surround();
  write_house_near(13.4, 52.5, "OGC:CRS84");
  UniformGrid const grid = read().grid;
  domain().erase("around");
  domain()["cells"] = {60, 60};
  domain()["crs"] = "EPSG:32633";
  domain()["origin"] = {-grid.origin()[0] * 5, grid.origin()[1]};
  std::string const far = refusal();
  EXPECT_TRUE(test::is_one_line(far)) << far;
  EXPECT_TRUE(contains(far, "reaches outside the domain")) << far;
  EXPECT_TRUE(contains(far, "its middle is that of the domain with /domain/origin [")) << far;
  EXPECT_FALSE(contains(far, "times those on the ground")) << far;
  // Without files nothing else is wrong.
  whole_.erase("buildings");
  EXPECT_TRUE(contains(refusal(), "times those on the ground")) << refusal();
}

/// A plane of 40 x 40 cells about a place, 100 m high at its western side and 1 m up on 10 m to the east.
void write_plane(std::filesystem::path const& folder, std::string const& system, std::array<double, 2> const& middle,
                 double cell) {
  std::string text = "ncols 40\nnrows 40\nxllcorner " + std::to_string(middle[0] - 20 * cell) + "\nyllcorner " +
                     std::to_string(middle[1] - 20 * cell) + "\ncellsize " + std::to_string(cell) + '\n';
  for (int j = 0; j < 40; ++j) {
    for (int i = 0; i < 40; ++i) text += std::to_string(100 + i + 0.5) + ' ';
  }
  test::put(folder / "plane.asc", text);
  test::put(folder / "plane.prj", describe_map_system(system).wkt);
}

TEST_F(WindPlace, ATerrainAlonePlacesADomain) {
  whole_.erase("buildings");
  whole_["terrain"] = {{"file", "plane.asc"}};
  domain()["crs"] = "auto";
  for (auto const& [system, cell] : {std::pair{"EPSG:25833", 10.0}, std::pair{"EPSG:4326", 1.5e-4}}) {
    auto const middle = MapTransform("OGC:CRS84", system)({13.4, 52.5});
    write_plane(folder_.path(), system, middle, cell);
    auto const zone = MapTransform("OGC:CRS84", "EPSG:32633")({13.4, 52.5});
    domain()["origin"] = {zone[0] - 150, zone[1] - 150};
    WindCase const found = read();
    EXPECT_EQ(found.place.system, "EPSG:32633") << system;
    EXPECT_TRUE(found.place.given);
    EXPECT_NEAR(found.place.north, -1.6 * std::sin(52.5 * std::acos(-1.0) / 180), 0.01);
    auto const center = MapTransform("EPSG:32633", system)({zone[0] - 150 + 5 * 12.5, zone[1] - 150 + 5 * 7.5});
    double const expected = 100 + (center[0] - middle[0]) / cell + 20;
    EXPECT_NEAR(found.terrain.height(12, 7) + found.terrain.level(), expected, 1e-4) << system;
    // A domain elsewhere: the message has the box of the file in the coordinates of the domain.
    domain()["origin"] = {zone[0] - 5000, zone[1]};
    std::string const far = refusal();
    EXPECT_TRUE(test::is_one_line(far)) << far;
    EXPECT_TRUE(contains(far, "plane.asc has none in 3600 of 3600 columns")) << far;
    EXPECT_TRUE(contains(far, "it covers x from ")) << far;
    double low = 0;
    std::sscanf(far.c_str() + far.find("it covers x from "), "it covers x from %lf", &low);
    EXPECT_NEAR(low, zone[0] - 200, 15) << far;
  }
  // Its (0, 0) is that of the map.
  whole_["terrain"]["origin"] = {5, 5};
  EXPECT_TRUE(contains(refusal(), "/terrain/origin: [5,5]: expected none with /domain/crs")) << refusal();
  whole_["terrain"].erase("origin");
  std::filesystem::remove(folder_ / "plane.prj");
  EXPECT_TRUE(contains(refusal(), "or a terrain with one, found none")) << refusal();
}

TEST_F(WindPlace, AMarginCountsHeightsAboveTheGround) {
  write_house({{700100, 5600100}, {700120, 5600100}, {700120, 5600120}, {700100, 5600120}}, "EPSG:25832");
  write_plane(folder_.path(), "EPSG:25832", {700110, 5600110}, 20);
  domain().erase("cells");
  domain()["around"] = "buildings";
  domain()["margin"] = 4;
  whole_["terrain"] = {{"file", "plane.asc"}};
  // The ground at the western wall is 119.5 m: 24.5 m of 144 are above it.
  whole_["buildings"][0]["height"] = 144;
  whole_["buildings"][0]["heights_from"] = "sea";
  WindCase const found = read();
  EXPECT_EQ(found.grid.nx(), (20 + 2 * 100) / 5) << "4 x 24.5 m in whole cells";
  EXPECT_NEAR(found.grid.origin()[0], 700000, 1e-6);
  EXPECT_NEAR(found.buildings.at(0).roof_height(), 24.5, 0.3);
}

TEST_F(WindPlace, ASurfaceMayHaveAnotherSystem) {
  // The surface in zone 32, the ground in degrees, the domain in zone 33. The median of a plane is its middle.
  surround();
  write_house_near(13.4, 52.5, "OGC:CRS84");
  MapTransform const ground_to_file(local_system(13.4, 52.5), "EPSG:32632");
  auto const middle = ground_to_file({150, 140});
  write_plane(folder_.path(), "EPSG:32632", middle, 1);
  for (char const* ending : {".asc", ".prj"})
    std::filesystem::rename(folder_ / (std::string("plane") + ending), folder_ / (std::string("dsm") + ending));
  write_plane(folder_.path(), "EPSG:4326", MapTransform(local_system(13.4, 52.5), "EPSG:4326")({150, 140}), 3e-5);
  whole_["buildings"][0]["heights"] = {{"raster", "dsm.asc"}, {"ground", "plane.asc"}};
  whole_["buildings"][0]["default_height"] = 3;
  // Both planes have 120 m in the middle; add 15 m to the surface by a scale of its text.
  std::string text = test::content(folder_ / "dsm.asc");
  std::string const values = text.substr(text.find("\n", text.find("cellsize")) + 1);
  std::string raised = text.substr(0, text.size() - values.size());
  std::istringstream in(values);
  for (double height = 0; in >> height;) raised += std::to_string(height + 15) + ' ';
  test::put(folder_ / "dsm.asc", raised);
  // The slopes differ: 1 on a metre against 1 on 2.04 m. Both are odd about the middle.
  Building const house = read().buildings.at(0);
  EXPECT_NEAR(house.height, 15, 0.5);
  // A ground without a system: the message and the remark name this raster.
  std::filesystem::remove(folder_ / "plane.prj");
  std::vector<std::string> const warnings = read().warnings;
  EXPECT_EQ(std::count(warnings.begin(), warnings.end(),
                       "plane.asc names no coordinate system: its positions count as positions in /domain/crs"),
            1);
  whole_["buildings"][0].erase("default_height");
  EXPECT_TRUE(contains(refusal(), "; plane.asc, which names no coordinate system, reaches from (13.")) << refusal();
  EXPECT_FALSE(contains(refusal(), "dsm.asc, which names no")) << refusal();
  whole_["buildings"][0]["heights"]["origin"] = {0, 0};
  EXPECT_TRUE(contains(refusal(), "/buildings/0/heights/origin: [0,0]: expected none with /domain/crs")) << refusal();
}

TEST_F(WindPlace, AShiftedFileKeepsItsPlace) {
  write_house({{700100, 5600100}, {700120, 5600100}, {700120, 5600120}, {700100, 5600120}}, "EPSG:25832");
  whole_["buildings"][0]["origin"] = {700000, 5600000};
  WindCase const found = read();
  EXPECT_EQ(found.buildings.at(0).x, 110);
  EXPECT_FALSE(found.place.given) << "directions keep counting from the axes of the case";
  auto const there = MapTransform(found.place.system, "EPSG:25832")({110, 120});
  EXPECT_NEAR(there[0], 700110, 1e-6);
  EXPECT_NEAR(there[1], 5600120, 1e-6);
  EXPECT_TRUE(contains(place_text(found.place, false), "map ETRS89 / UTM zone 32N from (700000, 5600000)"))
      << place_text(found.place, false);
  // Degrees that are scaled to metres.
  write_house_near(13.4, 52.5, "OGC:CRS84");
  whole_["buildings"][0]["coordinates"] = "degrees";
  whole_["buildings"][0].erase("origin");
  for (bool const with_origin : {false, true}) {
    if (with_origin) whole_["buildings"][0]["origin"] = {13.4, 52.5};
    WindCase const degrees = read();
    Building const& house = degrees.buildings.at(0);
    auto const middle = MapTransform(degrees.place.system, "OGC:CRS84")({house.x, house.y});
    auto const expected = MapTransform(local_system(13.4, 52.5), "OGC:CRS84")({150, 140});
    EXPECT_NEAR(middle[0], expected[0], 1e-8);
    EXPECT_NEAR(middle[1], expected[1], 1e-8);
  }
  // A terrain that is shifted has its place too.
  whole_.erase("buildings");
  write_plane(folder_.path(), "EPSG:25832", {700150, 5600150}, 10);
  whole_["terrain"] = {{"file", "plane.asc"}, {"origin", {700000, 5600000}}};
  EXPECT_EQ(read().place.system, found.place.system);
  // Feet: the results are in metres.
  whole_.erase("terrain");
  whole_["buildings"] = {{{"kind", "geojson"}, {"file", "city.geojson"}, {"origin", {980000, 198000}}}};
  write_house({{980100, 198100}, {980166, 198100}, {980166, 198166}, {980100, 198166}}, "EPSG:2263");
  WindCase const feet = read();
  auto const corner = MapTransform(feet.place.system, "EPSG:2263")({100 * 1200.0 / 3937, 0});
  EXPECT_NEAR(corner[0], 980100, 1e-4);
  EXPECT_NEAR(corner[1], 198000, 1e-4);
}

TEST_F(WindPlace, ADomainAroundADistortedFileHasItsOwnSystem) {
  // SWEREF 99 TM at its eastern end: 0.17 % too long. Web Mercator: 64 % at this latitude.
  for (auto const& [system, longitude, latitude, zone] :
       {std::tuple{"EPSG:3006", 24.1, 65.8, "EPSG:32635"}, std::tuple{"EPSG:3857", 13.4, 52.5, "EPSG:32633"}}) {
    whole_["buildings"][0].erase("origin");
    auto const origin = write_house_near(longitude, latitude, system);
    domain().erase("cells");
    domain()["around"] = "buildings";
    WindCase const found = read();
    EXPECT_EQ(found.place.system, zone);
    EXPECT_NEAR(std::sqrt(found.buildings.at(0).area()), 20, 0.02) << system;
    auto const said = std::find_if(found.warnings.begin(), found.warnings.end(), [](std::string const& warning) {
      return contains(warning, "times those on the ground: the domain is in WGS 84 / UTM zone 3");
    });
    EXPECT_NE(said, found.warnings.end()) << system;
    // An origin places the file in a domain without a map.
    whole_["buildings"][0]["origin"] = origin;
    EXPECT_FALSE(read().place.given);
  }
  // A system that the case names stays, with a warning up to 1 %.
  whole_["buildings"][0].erase("origin");
  write_house_near(24.1, 65.8, "EPSG:3006");
  domain()["crs"] = "EPSG:3006";
  EXPECT_EQ(read().place.system, "EPSG:3006");
  // Below 0.1 % the file keeps its system.
  domain().erase("crs");
  write_house_near(11.9, 50, "EPSG:25832");
  EXPECT_FALSE(read().place.given);
}

}  // namespace wind_place_test
