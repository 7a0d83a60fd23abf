// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vegetation in a case, and its errors.
#include "io/temporary_folder.hpp"
#include "wind/case/buildings/inside_building.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/io/config.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace wind_vegetation_case_test {

using namespace karman;
using namespace karman::wind;

/// A case of 40 x 30 x 20 m with this vegetation and a block of 8 m over (16..24, 11..19).
WindCase read(std::string const& list, std::vector<std::string> more = {}) {
  std::string const text = R"({
    "domain": {"origin": [100, 200], "cells": [40, 30], "spacing": [1, 1],
               "layers": {"kind": "uniform", "count": 20, "thickness": 1}},
    "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270},
    "buildings": [{"kind": "block", "position": [120, 215], "size": [8, 8, 8]}]})";
  more.insert(more.begin(), "/vegetation=[" + list + "]");
  return read_wind_case(Case::parse(text, "case.json", wind::schema(), more));
}

/// Expects one line that names the object.
void refused(std::string const& list, std::string const& pointer, std::string const& part,
             std::vector<std::string> const& more = {}) {
  std::string message = "accepted";
  try {
    read(list, more);
  } catch (CaseError const& error) {
    message = error.what();
  }
  EXPECT_NE(message.find(pointer + ": "), std::string::npos) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

std::string rectangle(std::string const& size = "[6, 4]", std::string const& position = "[110, 215]") {
  return R"("footprint": {"kind": "rectangle", "position": )" + position + R"(, "size": )" + size + "}";
}

TEST(VegetationCase, KindsAndFootprints) {
  auto const plants = read(R"({"kind": "canopy", "height": 6, "attenuation": 1.5, )" + rectangle() + R"(},
      {"kind": "tree", "height": 9, "base": 2, "attenuation": 2,
       "footprint": {"kind": "ellipse", "position": [132, 210], "size": [6, 4], "rotation": 30}},
      {"kind": "trees", "positions": [[105, 205], [105, 225]], "diameter": 4, "height": 7, "base": 3, "attenuation": 2},
      {"kind": "windbreak", "height": 5, "porosity": 0.4,
       "footprint": {"kind": "polygon", "corners": [[130, 220], [132, 220], [132, 228], [130, 228]]}},
      {"kind": "rows", "height": 2, "attenuation": 2, "spacing": 3, "row_width": 1, "row_rotation": 20, )" +
                           rectangle() + "}")
                          .vegetation;
  ASSERT_EQ(plants.size(), 6u);
  EXPECT_EQ(plants[0].kind, PlantKind::canopy);
  EXPECT_EQ(plants[0].shape.x, 10) << "from the domain's corner";
  EXPECT_EQ(plants[0].top_height(), 6);
  EXPECT_EQ(plants[1].top_height(), 9);
  EXPECT_EQ(plants[1].base_height(), 2);
  EXPECT_NEAR(signed_area(plants[1].corners()), std::numbers::pi * 6, 1e-12);
  // Half the extent of an ellipse along x: sqrt((3 cos 30)^2 + (2 sin 30)^2).
  EXPECT_NEAR(plants[1].half_extents()[0], std::sqrt(27.0 / 4 + 1), 1e-12);
  EXPECT_EQ(plants[3].shape.y, 25);
  EXPECT_EQ(plants[3].shape.member, 1u);
  EXPECT_EQ(plants[4].porosity, 0.4);
  EXPECT_EQ(plants[4].shape.area(), 16);
  EXPECT_EQ(plants[5].attenuation_along, 0);
}

TEST(VegetationCase, Outside) {
  refused(R"({"kind": "canopy", "height": 6, "attenuation": 1, )" + rectangle("[6, 4]", "[102, 215]") + "}",
          "/vegetation/0", "vegetation 0 reaches outside the domain (x 100 to 140");
  refused(R"({"kind": "canopy", "height": 21, "attenuation": 1, )" + rectangle() + "}", "/vegetation/0",
          "above the domain top at 20 m");
  refused(R"({"kind": "trees", "positions": [[105, 205], [101, 225]], "diameter": 4, "height": 7, "attenuation": 2})",
          "/vegetation/0", "tree 1 of vegetation 0 reaches outside the domain");
}

TEST(VegetationCase, WrongNumbers) {
  refused(R"({"kind": "canopy", "height": 6, "attenuation": -1, )" + rectangle() + "}", "/vegetation/0/attenuation",
          "expected a number > 0");
  refused(R"({"kind": "windbreak", "height": 6, "porosity": 1.1, )" + rectangle() + "}", "/vegetation/0/porosity",
          "expected a number from 0 to 1");
  refused(R"({"kind": "tree", "height": 6, "base": 6, "attenuation": 1, )" + rectangle() + "}", "/vegetation/0/base",
          "expected less than the height of the top, 6 m");
  refused(R"({"kind": "canopy", "height": 0.1, "attenuation": 1, )" + rectangle() + "}", "/vegetation/0",
          "vegetation 0 is 0.1 m high; expected more than the roughness of the ground, 0.1 m");
  refused(R"({"kind": "canopy", "height": 0.5, "attenuation": 1, )" + rectangle() + "}", "/vegetation/0",
          "roughness of the ground, 0.6 m", {"/parameterisations/canopy_roughness=0.6"});
  refused(R"({"kind": "rows", "height": 2, "attenuation": 1, "spacing": 1, "row_width": 1.5, )" + rectangle() + "}",
          "/vegetation/0/row_width", "expected at most the spacing of the rows, 1 m");
  refused(R"({"kind": "rows", "height": 2, "attenuation": 1, "attenuation_along": 2, "spacing": 2, "row_width": 1, )" +
              rectangle() + "}",
          "/vegetation/0/attenuation_along", "expected at most the attenuation of wind across the rows, 1");
}

TEST(VegetationCase, BadOutline) {
  refused(R"({"kind": "canopy", "height": 6, "attenuation": 1,
      "footprint": {"kind": "polygon", "corners": [[110, 205], [120, 215], [120, 205], [110, 215]]}})",
          "/vegetation/0/footprint", "vegetation 0: its walls cross at (115, 210)");
}

TEST(VegetationCase, InABuilding) {
  refused(R"({"kind": "trees", "positions": [[105, 205], [117, 215]], "diameter": 4, "height": 7, "attenuation": 2})",
          "/vegetation/0", "tree 1 of vegetation 0 is inside building 0; move one of them");
  EXPECT_EQ(read(R"({"kind": "trees", "positions": [[120, 215]], "diameter": 4, "height": 12, "base": 8,
                     "attenuation": 2})")
                .vegetation.size(),
            1u)
      << "on its roof";
  EXPECT_EQ(read(R"({"kind": "canopy", "height": 6, "attenuation": 1, )" + rectangle("[20, 20]", "[120, 215]") + "}")
                .vegetation.size(),
            1u)
      << "a wood around it";
}

/// Plants of a file, in metres from (1000, 2000).
class VegetationFile : public testing::Test {
 protected:
  static std::string polygon(std::string const& properties, std::string const& rings) {
    return R"({"type": "Feature", "properties": )" + properties +
           R"(, "geometry": {"type": "Polygon", "coordinates": [)" + rings + "]}}";
  }
  static std::string box(double x, double y, double length, double width) {
    auto const corner = [](double a, double b) {
      return '[' + std::to_string(1000 + a) + ',' + std::to_string(2000 + b) + ']';
    };
    return '[' + corner(x, y) + ',' + corner(x + length, y) + ',' + corner(x + length, y + width) + ',' +
           corner(x, y + width) + ',' + corner(x, y) + ']';
  }
  void write(std::string const& features) const {
    test::put(folder_ / "trees.geojson", R"({"type": "FeatureCollection", "features": [)" + features + "]}");
  }
  WindCase read_file(std::string const& features, std::string const& keys) const {
    write(features);
    return read(entry(keys));
  }
  std::string entry(std::string const& keys) const {
    return R"({"kind": "geojson", "file": ")" + (folder_ / "trees.geojson").string() +
           R"(", "origin": [1000, 2000], )" + keys + "}";
  }
  static bool warns(WindCase const& wind_case, std::string const& line) {
    return std::find(wind_case.warnings.begin(), wind_case.warnings.end(), line) != wind_case.warnings.end();
  }

  test::TemporaryFolder folder_;
};

TEST_F(VegetationFile, IsReadAsTheListOfTheSamePlants) {
  std::string const features = polygon(R"({"height": "9 m", "crown": 2})", box(130, 205, 6, 5)) + ',' +
                               polygon(R"({"crown": "1"})", box(130, 215, 8, 8) + ',' + box(132, 217, 2, 2));
  auto const plants =
      read_file(features, R"("plant": "tree", "base": "crown", "default_height": 7, "attenuation": 2)").vegetation;
  auto const listed =
      read(R"({"kind": "tree", "height": 9, "base": 2, "attenuation": 2, "footprint": {"kind": "polygon",
      "corners": [[130, 205], [136, 205], [136, 210], [130, 210]]}},
      {"kind": "tree", "height": 7, "base": 1, "attenuation": 2, "footprint": {"kind": "polygon",
      "corners": [[130, 215], [138, 215], [138, 223], [130, 223]],
      "holes": [[[132, 217], [134, 217], [134, 219], [132, 219]]]}})")
          .vegetation;
  ASSERT_EQ(plants.size(), 2u);
  for (std::size_t n = 0; n < 2; ++n) {
    EXPECT_EQ(plants[n].kind, PlantKind::tree);
    EXPECT_NEAR(plants[n].top_height(), listed[n].top_height(), 1e-12);
    EXPECT_EQ(plants[n].base_height(), listed[n].base_height());
    EXPECT_EQ(plants[n].attenuation, 2);
    EXPECT_EQ(plants[n].shape.area(), listed[n].shape.area());
    EXPECT_EQ(plants[n].shape.x, listed[n].shape.x);
    EXPECT_EQ(plants[n].shape.y, listed[n].shape.y);
    EXPECT_EQ(plants[n].shape.member, n);
  }
  auto const hedge = read_file(features, R"("plant": "windbreak", "height": 3, "porosity": 0.4)").vegetation;
  EXPECT_EQ(hedge.at(1).kind, PlantKind::windbreak);
  EXPECT_EQ(hedge.at(1).porosity, 0.4);
  EXPECT_EQ(hedge.at(1).top_height(), 3);
}

TEST_F(VegetationFile, KeepsThePartInTheDomain) {
  // One over the western side, one beyond it.
  std::string const features =
      polygon(R"({"height": 6})", box(90, 205, 15, 5)) + ',' + polygon(R"({"height": 6})", box(80, 205, 15, 5));
  WindCase const cut = read_file(features, R"("attenuation": 1)");
  ASSERT_EQ(cut.vegetation.size(), 1u);
  EXPECT_TRUE(warns(cut, "trees.geojson: 1 plant left out, wholly outside the domain"));
  refused(entry(R"("attenuation": 1, "outside": "error")"), "/vegetation/0/outside",
          "2 plants of trees.geojson reach outside; the file reaches from (1080, 2205)");
  refused(entry(R"("attenuation": 1, "outside": "skip")"), "/vegetation/0/outside", "expected plants in the domain");
  // The same plant that ends at the side has the same cells.
  auto const listed =
      read(R"({"kind": "canopy", "height": 6, "attenuation": 1, )" + rectangle("[5, 5]", "[102.5, 207.5]") + "}");
  BuildingInterior const a = interior_of(cut.vegetation[0].shape), b = interior_of(listed.vegetation[0].shape);
  for (int n = 0; n < 1200; ++n) {
    double const x = n % 40 + 0.5, y = n / 40 + 0.5;
    ASSERT_EQ(a.holds_point(x, y), b.holds_point(x, y)) << x << ' ' << y;
  }
}

TEST_F(VegetationFile, LeavesOutPlantsThatCannotGrow) {
  // Good; between cell centres; not above the roughness; in the building.
  std::string const features = polygon(R"({"height": 6})", box(130, 205, 6, 5)) + ',' +
                               polygon(R"({"height": 6})", box(130.6, 205.6, 0.3, 0.3)) + ',' +
                               polygon(R"({"height": 0.08})", box(130, 220, 6, 5)) + ',' +
                               polygon(R"({"height": 6})", box(118, 213, 4, 4));
  WindCase const found = read_file(features, R"("plant": "tree", "attenuation": 1)");
  ASSERT_EQ(found.vegetation.size(), 1u);
  EXPECT_TRUE(warns(found,
                    "trees.geojson: 2 plants left out, smaller than a cell, or not higher than the roughness of "
                    "the ground, 0.1 m; 30.09 m2 in all"))
      << testing::PrintToString(found.warnings);
  EXPECT_TRUE(warns(found, "trees.geojson: 1 plant left out, with the middle in a building"));
  refused(
      entry(R"("plant": "tree", "attenuation": 1, "small": "error")"), "/vegetation/0/small",
      "feature 1 of trees.geojson is smaller than a cell, or not higher than the roughness of the ground, 0.1 m (and "
      "1 more)");
  refused(entry(R"("plant": "tree", "attenuation": 1, "overlaps": "error")"), "/vegetation/0",
          "feature 3 of trees.geojson is inside building 0");
  write(polygon(R"({"height": 0.08})", box(130, 220, 6, 5)));
  refused(entry(R"("attenuation": 1)"), "/vegetation/0/small", "all plants of trees.geojson are smaller than a cell");
}

TEST_F(VegetationFile, FaultsAreOneLine) {
  write("");
  refused(entry(R"("attenuation": 1)"), "/vegetation/0/file", "expected plants, found none in trees.geojson");
  write(polygon(R"({"height": 6})", "[[1130,2205],[1136,2205],[1142,2205],[1130,2205]]"));
  refused(entry(R"("attenuation": 1)"), "/vegetation/0/file",
          "expected plants, found none with an area in trees.geojson");
  write(polygon(R"({"height": 6})", box(130, 205, 6, 5)));
  refused(entry(R"("plant": "windbreak")"), "/vegetation/0/porosity",
          "missing, expected a number for the plant \"windbreak\"");
  refused(entry(R"("attenuation": 1, "porosity": 0.4)"), "/vegetation/0/porosity",
          "expected none for the plant \"canopy\"");
  refused(entry(R"("attenuation": 1, "base": 1)"), "/vegetation/0/base", "expected 0 for the plant \"canopy\"");
  refused(entry(R"("attenuation": 1, "height": "crown")"), "/vegetation/0/height",
          "trees.geojson has none of this name; the file has height (number)");
  refused(entry(R"("attenuation": 1, "plant": "tree", "base": 6)"), "/vegetation/0/base",
          "expected less than the height of each plant; feature 0 of trees.geojson");
  write(polygon(R"({"height": 6})", "[[1130,2205],[1136,2205],[1130,2210],[1136,2210],[1130,2205]]"));
  refused(entry(R"("attenuation": 1)"), "/vegetation/0", "feature 0 of trees.geojson: its walls cross at");
  write(polygon(R"({"height": 6})", "[[8,50],[8.001,50],[8.001,50.001],[8,50]]"));
  refused(R"({"kind": "geojson", "coordinates": "degrees", "attenuation": 1, "file": ")" +
              (folder_ / "trees.geojson").string() + "\"}",
          "/vegetation/0/coordinates", "expected an origin of trees.geojson, the one of the buildings, or /domain/crs");
}

}  // namespace wind_vegetation_case_test
