// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of buildings in a case, from JSON and from GeoJSON, and their errors.
#include "io/temporary_folder.hpp"
#include "wind/case/buildings/inside_building.hpp"
#include "wind/case/place/metres_per_degree.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/io/config.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace wind_shapes_test {

using namespace karman;
using namespace karman::wind;

/// A case of 40 x 30 x 20 m in cells of 1 m with these buildings, in a folder of its own.
class WindShapes : public testing::Test {
 protected:
  WindCase read(std::string const& list, std::vector<std::string> more = {}) const {
    std::string const text = R"({
      "domain": {"cells": [40, 30], "spacing": [1, 1], "layers": {"kind": "uniform", "count": 20, "thickness": 1}},
      "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270}})";
    more.insert(more.begin(), "/buildings=[" + list + "]");
    return read_wind_case(Case::parse(text, (folder_ / "case.json").string(), wind::schema(), more));
  }

  std::string refusal(std::string const& list, std::vector<std::string> const& more = {}) const {
    try {
      read(list, more);
    } catch (CaseError const& error) {
      return error.what();
    }
    return "accepted";
  }

  void refused(std::string const& list, std::string const& pointer, std::string const& part) const {
    std::string const message = refusal(list);
    EXPECT_NE(message.find(pointer + ": "), std::string::npos) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }

  test::TemporaryFolder folder_;
};

TEST_F(WindShapes, Polygon) {
  Building const building = read(R"({"kind": "polygon", "corners": [[10, 5], [10, 15], [20, 15], [20, 5], [10, 5]],
               "holes": [[[12, 7], [18, 7], [18, 13], [12, 13]]], "height": 6, "base": 2})")
                                .buildings.at(0);
  EXPECT_EQ(building.area(), 64);
  EXPECT_EQ(building.top(), 8);
  EXPECT_EQ(building.corners().size(), 4u);
  BuildingInterior const test = interior_of(building);
  EXPECT_TRUE(test.holds_point(11, 6));
  EXPECT_FALSE(test.holds_point(15, 10)) << "the court is air";
  refused(R"({"kind": "polygon", "corners": [[10, 5], [20, 15], [20, 5], [10, 15]], "height": 6})", "/buildings/0",
          "building 0: its walls cross at (15, 10)");
  refused(R"({"kind": "polygon", "corners": [[10, 5], [20, 15], [20, 15]], "height": 6})", "/buildings/0",
          "2 different corners");
  refused(R"({"kind": "polygon", "corners": [[-1, 5], [20, 15], [20, 5]], "height": 6})", "/buildings/0",
          "reaches outside the domain");
  refused(R"({"kind": "polygon", "corners": [[10.6, 5.6], [11.4, 5.6], [11.4, 6.4], [10.6, 6.4]], "height": 6})",
          "/buildings/0", "is smaller than a cell");
}

TEST_F(WindShapes, AShiftedPolygonIsTheSame) {
  auto const text = [](int x, int y) {
    auto const corner = [&](double dx, double dy) {
      return '[' + std::to_string(x + dx) + ", " + std::to_string(y + dy) + ']';
    };
    return R"({"kind": "polygon", "corners": [)" + corner(10.5, 5.25) + ',' + corner(22, 7) + ',' + corner(14, 18) +
           R"(], "height": 6}, {"kind": "ellipse", "position": )" + corner(30, 15) + R"(, "size": [8, 6, 4]})";
  };
  auto const here = read(text(0, 0)).buildings;
  auto const there = read(text(4096, -8192), {"/domain/origin=[4096, -8192]"}).buildings;
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t b = 0; b < here.size(); ++b) EXPECT_EQ(here[b].corners(), there[b].corners());
}

TEST_F(WindShapes, EllipseAndCourtyard) {
  auto const buildings = read(R"({"kind": "ellipse", "position": [10, 15], "size": [12, 8, 5], "rotation": 30},
      {"kind": "courtyard", "position": [30, 15], "size": [16, 16, 5], "court": [8, 8], "sides": 5, "rotation": 10})")
                             .buildings;
  EXPECT_NEAR(buildings[0].area(), std::numbers::pi * 24, 1e-11);
  EXPECT_NEAR(buildings[0].x, 10, 1e-12);
  EXPECT_NEAR(buildings[1].area(), 5 * std::tan(std::numbers::pi / 5) * (64 - 16), 1e-11);
  BuildingInterior const test = interior_of(buildings[1]);
  EXPECT_FALSE(test.holds_point(30, 15)) << "air in the court";
  EXPECT_TRUE(test.holds_point(30 + 6, 15));
  EXPECT_TRUE(test.holds_point(30 - 6, 15));
  refused(R"({"kind": "courtyard", "position": [30, 15], "size": [16, 12, 5], "court": [8, 12]})", "/buildings/0/court",
          "expected a court inside the building, of less than 16 x 12 m");
}

TEST_F(WindShapes, StackIsItsStoreys) {
  auto const buildings = read(R"({"kind": "stack", "position": [20, 15], "rotation": 90, "base": 1, "storeys": [
      {"size": [12, 10, 3]}, {"size": [6, 10, 2], "offset": [3, 0]}, {"shape": "ellipse", "size": [6, 6, 2], "offset": [3, 0]}]})")
                             .buildings;
  ASSERT_EQ(buildings.size(), 3u);
  EXPECT_EQ(buildings[1].base, 4);
  EXPECT_EQ(buildings[2].base, 6);
  EXPECT_EQ(buildings[2].top(), 8);
  EXPECT_EQ(buildings[1].x, 20);
  EXPECT_EQ(buildings[1].y, 18);
  EXPECT_NEAR(buildings[2].y, 18, 1e-12);
  refused(R"({"kind": "stack", "position": [20, 15], "storeys": [{"size": [12, 10, 3]}, {"size": [12, 10.1, 3]}]})",
          "/buildings/0/storeys/1", "storey 1 of building 0 reaches beyond the storey below");
}

TEST_F(WindShapes, BridgeAndGarage) {
  auto const buildings = read(R"({"kind": "bridge", "position": [10, 15], "size": [12, 4, 1], "base": 5},
      {"kind": "garage", "position": [28, 15], "size": [10, 8, 9], "storeys": 3, "slab": 1},
      {"kind": "block", "position": [28, 15], "size": [2, 2, 2]})")
                             .buildings;
  ASSERT_EQ(buildings.size(), 6u) << "the envelope and three slabs";
  EXPECT_EQ(buildings[0].base, 5);
  EXPECT_EQ(buildings[1].height, 9);
  EXPECT_TRUE(buildings[1].has_zones() && !buildings[1].is_solid());
  for (std::size_t n = 2; n < 5; ++n) {
    EXPECT_TRUE(buildings[n].is_solid() && !buildings[n].has_zones());
    EXPECT_EQ(buildings[n].top(), 3.0 * (static_cast<double>(n) - 1));
    EXPECT_EQ(buildings[n].height, 1);
  }
  refused(R"({"kind": "garage", "position": [28, 15], "size": [10, 8, 9], "storeys": 3, "slab": 0.4})", "/buildings/0",
          "slab 1 of building 0 (0.4 m high) contains no layer centre; refine /domain/layers at z = 2.6 to 3 m");
  refused(R"({"kind": "garage", "position": [28, 15], "size": [10, 8, 9], "storeys": 3, "slab": 3})",
          "/buildings/0/slab", "expected less than the height of a storey, 3 m");
  refused(R"({"kind": "bridge", "position": [10, 15], "size": [12, 4, 1], "base": 0})", "/buildings/0/base", "> 0");
}

std::string feature(std::string const& ring, std::string const& properties = R"({"height": 5})") {
  return R"({"type": "Feature", "properties": )" + properties +
         R"(, "geometry": {"type": "Polygon", "coordinates": [)" + ring + "]}}";
}

std::string square(double x, double y, double size) {
  auto const corner = [](double cx, double cy) { return '[' + std::to_string(cx) + ',' + std::to_string(cy) + ']'; };
  return '[' + corner(x, y) + ',' + corner(x + size, y) + ',' + corner(x + size, y + size) + ',' + corner(x, y + size) +
         ',' + corner(x, y) + ']';
}

class WindCity : public WindShapes {
 protected:
  /// The entry of a file with these features; `more` are further keys.
  std::string city(std::string const& features, std::string const& more = "") const {
    test::put(folder_ / "city.geojson", R"({"type": "FeatureCollection", "features": [)" + features + "]}");
    return R"({"kind": "geojson", "file": "city.geojson")" + more + "}";
  }
};

TEST_F(WindCity, HasTheBuildingsOfItsFile) {
  WindCase const wind_case = read(
      city(feature(square(1002, 2003, 4)) + ',' + feature(square(1010, 2010, 6), R"({"height": "7.5", "floor": 2})"),
           R"(, "origin": [1000, 2000])"));
  ASSERT_EQ(wind_case.buildings.size(), 2u);
  EXPECT_EQ(wind_case.buildings[0].corners()[0], (Point{2, 3}));
  EXPECT_EQ(wind_case.buildings[0].height, 5);
  EXPECT_EQ(wind_case.buildings[1].height, 7.5);
  EXPECT_EQ(wind_case.buildings[1].member, 1u);
  EXPECT_EQ(wind_case.buildings[1].area(), 36);
  auto const other =
      read(city(feature(square(2, 3, 4), R"({"top": 6, "floor": 2})"), R"(, "height": "top", "base": "floor")"))
          .buildings.at(0);
  EXPECT_EQ(other.height, 6);
  EXPECT_EQ(other.base, 2);
  EXPECT_EQ(read(city(feature(square(2, 3, 4), "{}"), R"(, "height": 3)")).buildings.at(0).height, 3);
}

TEST_F(WindCity, DegreesAreProjected) {
  // The degree of the meridian at 45 degrees is 111131.78 m, that of the parallel 78846.835 m (WGS 84).
  auto const [x, y] = metres_per_degree(45);
  EXPECT_NEAR(x, 78846.835, 0.01);
  EXPECT_NEAR(y, 111131.78, 0.01);
  EXPECT_NEAR(metres_per_degree(0)[0], 111319.49, 0.01);
  std::string const ring = "[[8.0001,45.0001],[8.0002,45.0001],[8.0002,45.0002],[8.0001,45.0002],[8.0001,45.0001]]";
  Building const building =
      read(city(feature(ring), R"(, "coordinates": "degrees", "origin": [8, 45])")).buildings.at(0);
  EXPECT_NEAR(building.x, 1.5e-4 * x, 1e-6);
  EXPECT_NEAR(building.y, 1.5e-4 * y, 1e-6);
  EXPECT_NEAR(building.area(), 1e-8 * x * y, 1e-6);
  // Without an origin the middle of the buildings is (0, 0).
  Building const middle =
      read(city(feature(ring), R"(, "coordinates": "degrees")"), {"/domain/origin=[-20, -15]"}).buildings.at(0);
  EXPECT_NEAR(middle.x, 20, 1e-6);
  EXPECT_NEAR(middle.y, 15, 1e-6);
  refused(city(feature(ring)), "/buildings/0/coordinates", "expected degrees");
  refused(city(feature(square(1000, 2000, 4)), R"(, "coordinates": "degrees")"), "/buildings/0/coordinates",
          "expected metres");
  refused(city(feature(ring), R"(, "coordinates": "degrees", "origin": [8, 90])"), "/buildings/0/origin",
          "latitude of -89 to 89");
}

TEST_F(WindCity, NamesTheFeatureOfEveryFault) {
  std::string const good = feature(square(2, 3, 4)) + ',';
  refused(city(good + feature(square(10, 3, 4), "{}")), "/buildings/0/height",
          "in every feature; feature 1 of city.geojson has none of this name; the file has height (number)");
  refused(city(good + feature(square(10, 3, 4), R"({"height": -2})")), "/buildings/0/height",
          "expected a number > 0 and <= 100000, or a text such as \"12 m\", in every feature; feature 1 of "
          "city.geojson has -2");
  refused(city(good + feature("[[10,3],[20,13],[20,3],[10,13],[10,3]]"), R"(, "crossing": "error")"), "/buildings/0",
          "feature 1 of city.geojson: its walls cross at (15, 8)");
  std::string const exact = R"(, "small": "error", "overlaps": "error")";
  refused(city(good + feature("[[10,3],[20,13],[10,3],[10,3]]"), exact), "/buildings/0", "2 different corners");
  refused(city(good + feature("[[10,3],[12,5],[14,7],[10,3]]"), exact), "/buildings/0", "no area");
  refused(city(good + feature(square(38, 3, 4))), "/buildings/0",
          "feature 1 of city.geojson reaches outside the domain");
  refused(city(good + feature(square(4, 3, 4)), exact), "/buildings/0",
          "feature 1 of city.geojson overlaps feature 0 of city.geojson");
  test::put(folder_ / "bad.geojson", "{");
  EXPECT_NE(
      refusal(R"({"kind": "geojson", "file": "bad.geojson"})").find("bad.geojson:1: column 2: expected more JSON"),
      std::string::npos);
  EXPECT_THROW(read(R"({"kind": "geojson", "file": "missing.geojson"})"), FileError);
}

TEST_F(WindCity, SkipsAndMergesWhereAsked) {
  std::string const features = feature(square(2, 3, 4)) + ',' + feature(square(38, 3, 4)) + ',' +
                               feature(square(100, 3, 4)) + ',' + feature(square(4, 3, 6));
  WindCase const wind_case = read(city(features, R"(, "outside": "skip", "overlaps": "merge")"));
  EXPECT_EQ(wind_case.buildings.size(), 2u);
  ASSERT_GE(wind_case.warnings.size(), 2u) << "and those about plausibility";
  EXPECT_EQ(wind_case.warnings[0], "city.geojson: 2 buildings left out, partly or wholly outside the domain");
  EXPECT_EQ(wind_case.warnings[1], "city.geojson: 2 buildings overlap others: their cells are merged");
  refused(city(features, R"(, "outside": "skip", "overlaps": "error")"), "/buildings/0", "overlaps");
}

}  // namespace wind_shapes_test
