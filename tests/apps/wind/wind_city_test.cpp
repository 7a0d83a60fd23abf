// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of cities as they are: small and flat features, texts as heights, positions elsewhere.
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include "wind/case/buildings/box_tree.hpp"
#include "wind/case/buildings/inside_building.hpp"
#include "wind/case/buildings/length_text.hpp"
#include "wind/case/buildings/mend_outline.hpp"
#include "wind/case/buildings/plan_geometry.hpp"
#include "wind/case/place/city_layers.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/io/config.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace wind_city_test {

using namespace karman;
using namespace karman::wind;
using test::contains;

/// A feature with its properties as JSON and its rings as coordinates.
std::string feature(std::string const& properties, std::string const& rings) {
  return R"({"type": "Feature", "properties": )" + properties +
         R"(, "geometry": {"type": "Polygon", "coordinates": [)" + rings + "]}}";
}

std::string box(double x, double y, double length, double width) {
  auto const corner = [](double cx, double cy) { return '[' + std::to_string(cx) + ',' + std::to_string(cy) + ']'; };
  return '[' + corner(x, y) + ',' + corner(x + length, y) + ',' + corner(x + length, y + width) + ',' +
         corner(x, y + width) + ',' + corner(x, y) + ']';
}

std::string house(std::string const& height) { return feature(R"({"height": )" + height + "}", box(50, 50, 20, 20)); }

/// Buildings of a file in 150 x 150 x 60 m of cells of 5 m.
class WindCityFile : public testing::Test {
 protected:
  WindCase read(std::string const& features, std::string const& keys = "", std::string const& corner = "0, 0") const {
    test::put(folder_ / "city.geojson", R"({"type": "FeatureCollection", "features": [)" + features + "]}");
    std::string const text = R"({
      "domain": {"cells": [30, 30], "spacing": [5, 5], "layers": {"kind": "uniform", "count": 20, "thickness": 3},
        "origin": [)" + corner +
                             R"(]},
      "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270},
      "buildings": [{"kind": "geojson", "file": "city.geojson")" +
                             keys + "}]}";
    return read_wind_case(Case::parse(text, (folder_ / "case.json").string(), wind::schema()));
  }
  std::string refusal(std::string const& features, std::string const& keys = "") const {
    return test::message_of<CaseError>([&] { read(features, keys); });
  }
  static bool warns(WindCase const& wind_case, std::string const& line) {
    return std::find(wind_case.warnings.begin(), wind_case.warnings.end(), line) != wind_case.warnings.end();
  }

  test::TemporaryFolder folder_;
};

/// A court, a row of two houses in one feature, a bow tie and a shed.
std::string mixed_features() {
  return feature(R"({"height": 12})", box(20, 20, 40, 30) + ',' + box(30, 30, 10, 10)) +
         R"(,{"type": "Feature", "properties": {"height": 9}, "geometry": {"type": "MultiPolygon", "coordinates": [[)" +
         box(80, 20, 20, 15) + "],[" + box(110, 20, 20.5, 15) + "," + box(115, 25, 5, 5) + "]]}}," +
         feature(R"({"height": 6})", "[[20,70],[60,100],[60,70],[20,100],[20,70]]") + ',' +
         feature(R"({"height": 3})", box(98, 101, 3, 1));
}

TEST_F(WindCityFile, LayersReleaseTheFeaturesThatAreDone) {
  read(mixed_features());
  std::string const text = R"({
    "domain": {"cells": [9, 9], "spacing": [5, 5], "layers": {"kind": "uniform", "count": 20, "thickness": 3}},
    "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270},
    "buildings": [{"kind": "geojson", "file": "city.geojson"}]})";
  Case const input = Case::parse(text, (folder_ / "case.json").string(), wind::schema());
  CityLayer layer(input, "/buildings/0");
  using Rings = std::vector<Ring>;
  std::vector<Rings> kept, released;
  auto const into = [&](std::vector<Rings>& all, std::size_t most) {
    return [&, most](CityLayer::Feature const& found, std::array<std::uint32_t, 2> const& polygons) {
      for (std::uint32_t n = polygons[0]; n < polygons[1]; ++n)
        all.push_back(layer.rings_of(n, [](Point const& corner) { return corner; }));
      return found.number + 1 < most;
    };
  };
  layer.for_each_feature(into(kept, 9));
  ASSERT_EQ(kept.size(), 5u);
  EXPECT_EQ(kept[0].size(), 2u);
  EXPECT_EQ(layer.polygons(), 5u);
  // A reader that ends early leaves its last feature, from which the next continues.
  layer.release_features(into(released, 2));
  EXPECT_EQ(layer.polygons(), 4u);
  EXPECT_EQ(released, std::vector<Rings>(kept.begin(), kept.begin() + 3));
  released.resize(1);
  layer.release_features(into(released, 9));
  EXPECT_EQ(layer.polygons(), 0u);
  EXPECT_EQ(released, kept);
}

TEST_F(WindCityFile, ADomainAroundBuildingsHasTheSameOutlines) {
  WindCase const given = read(mixed_features());
  auto const around = [&](std::string const& domain, std::string const& keys) {
    std::string const text = R"({"domain": {)" + domain +
                             R"(, "spacing": [5, 5], "layers": {"kind": "uniform", "count": 20, "thickness": 3}},
      "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270},
      "buildings": [{"kind": "geojson", "file": "city.geojson")" +
                             keys + "}]}";
    return read_wind_case(Case::parse(text, (folder_ / "case.json").string(), wind::schema()));
  };
  WindCase const found = around(R"("around": "buildings", "margin": 2)", "");
  // 24 m around 20 to 130.5 and 20 to 102, where the shed is.
  EXPECT_EQ(found.grid.origin()[0], -5);
  EXPECT_EQ(found.grid.origin()[1], -5);
  EXPECT_EQ(found.grid.nx(), 32);
  EXPECT_EQ(found.grid.ny(), 27);
  WindCase const same = around(R"("origin": [-5, -5], "cells": [32, 27])", "");
  ASSERT_EQ(found.buildings.size(), 5u);
  ASSERT_EQ(same.buildings.size(), found.buildings.size());
  ASSERT_EQ(given.buildings.size(), found.buildings.size());
  for (std::size_t n = 0; n < found.buildings.size(); ++n) {
    EXPECT_EQ(found.buildings[n].corners(), same.buildings[n].corners()) << n;
    EXPECT_EQ(found.buildings[n].holes(), same.buildings[n].holes()) << n;
    EXPECT_EQ(found.buildings[n].member, same.buildings[n].member) << n;
    EXPECT_NEAR(found.buildings[n].area(), given.buildings[n].area(), 1e-9) << n;
  }
  EXPECT_EQ(found.buildings[0].holes().size(), 1u);
}

TEST_F(WindCityFile, LeavesOutFeaturesBelowACell) {
  // A shed between cell centres, a low one over a centre, and a sliver of 8 cm.
  std::string const small = feature(R"({"height": 9})", box(98, 101, 3, 1)) + ',' +
                            feature(R"({"height": 1.4})", box(100, 110, 5, 5)) + ',' +
                            feature(R"({"height": 9})", box(100.5, 40, 0.08, 20));
  WindCase const found = read(house("9") + ',' + small);
  ASSERT_EQ(found.buildings.size(), 1u);
  EXPECT_EQ(found.buildings[0].member, 0u);
  EXPECT_TRUE(warns(found, "city.geojson: 3 buildings smaller than a cell left out, 29.6 m2 in all"));
  EXPECT_TRUE(contains(refusal(house("9") + ',' + small, R"(, "small": "error")"), "/buildings/0: feature "))
      << refusal(house("9") + ',' + small, R"(, "small": "error")");
  EXPECT_TRUE(contains(refusal(small), "all buildings of city.geojson are smaller than a cell (5 x 5 m)"))
      << refusal(small);
}

TEST_F(WindCityFile, MergesSmallFeaturesOfACell) {
  // Two sheds of 1 m x 5 m x 6 m and 1.6 m x 5 m x 12 m on both sides of a centre cover 13 of 25 m2 of their cell.
  std::string const pair =
      feature(R"({"height": 6})", box(101, 100, 1, 5)) + ',' + feature(R"({"height": 12})", box(103, 100, 1.6, 5));
  WindCase const found =
      read(house("9") + ',' + pair + ',' + feature(R"({"height": 9})", box(20.5, 20.5, 1, 1)), R"(, "small": "merge")");
  ASSERT_EQ(found.buildings.size(), 2u);
  Building const& block = found.buildings[1];
  EXPECT_EQ(block.x, 102.5);
  EXPECT_EQ(block.y, 102.5);
  EXPECT_EQ(block.length, 5);
  EXPECT_EQ(block.width, 5);
  EXPECT_NEAR(block.height, (5 * 6 + 8 * 12) / 13.0, 1e-9);
  EXPECT_EQ(block.member, 1u);
  EXPECT_TRUE(warns(found,
                    "city.geojson: 2 buildings smaller than a cell merged, 13 m2 in all; 1 building left out, 1 m2 in "
                    "all"));
}

TEST_F(WindCityFile, TakesRingsOfMaps) {
  // A corner three times, a hole along the wall, two holes with a common wall, and a hole without area.
  std::string const repeated = "[[50,50],[50,50],[70,50],[70,70],[70,70],[70,70],[50,70],[50,50]]";
  std::string const holes =
      "[[50,55],[50,60],[55,60],[55,55],[50,55]],[[60,60],[65,60],[65,65],[60,65],[60,60]],"
      "[[60,65],[65,65],[65,69],[60,69],[60,65]],[[52,52],[53,53],[52,52],[52,52]]";
  WindCase const found = read(feature(R"({"height": 9})", repeated + ',' + holes) + ',' +
                              feature(R"({"height": 9})", "[[100,100],[110,110],[100,100],[100,100]]"));
  ASSERT_EQ(found.buildings.size(), 1u);
  EXPECT_EQ(found.buildings[0].area(), 400 - 25 - 25 - 20);
  BuildingInterior const test = interior_of(found.buildings[0]);
  EXPECT_FALSE(test.holds_point(52, 57));
  EXPECT_FALSE(test.holds_point(62, 67));
  EXPECT_TRUE(test.holds_point(57, 57));
  EXPECT_TRUE(warns(found, "city.geojson: 1 building without area left out"));
}

TEST_F(WindCityFile, DividesOutlinesThatCrossThemselves) {
  // A bow tie of two triangles of 100 m2 that meet in (110, 60).
  std::string const bow_tie = feature(R"({"height": 9})", "[[100,50],[120,70],[120,50],[100,70],[100,50]]");
  WindCase const found = read(house("9") + ',' + bow_tie);
  ASSERT_EQ(found.buildings.size(), 3u);
  for (std::size_t n : {1u, 2u}) {
    EXPECT_NEAR(found.buildings[n].area(), 100, 1e-9);
    EXPECT_EQ(found.buildings[n].member, 1u);
  }
  auto const inside = [&](double x, double y) {
    return std::any_of(found.buildings.begin(), found.buildings.end(),
                       [&](Building const& building) { return interior_of(building).holds_point(x, y); });
  };
  EXPECT_TRUE(inside(102, 60) && inside(118, 60));
  EXPECT_FALSE(inside(110, 52) || inside(110, 68));
  EXPECT_TRUE(warns(found,
                    "city.geojson: 1 outline that crosses itself divided where the walls cross, 200 m2 in all; first "
                    "feature 1"));
  WindCase const skipped = read(house("9") + ',' + bow_tie + ',' + bow_tie, R"(, "crossing": "skip")");
  EXPECT_EQ(skipped.buildings.size(), 1u);
  EXPECT_TRUE(
      warns(skipped, "city.geojson: 2 outlines that cross themselves left out, 400 m2 in all; first feature 1"));
  std::string const none = refusal(bow_tie, R"(, "crossing": "skip")");
  EXPECT_TRUE(contains(none, "/buildings/0/crossing: \"skip\": expected an outline that does not cross itself"))
      << none;
  std::string const refused = refusal(house("9") + ',' + bow_tie, R"(, "crossing": "error")");
  EXPECT_TRUE(contains(refused, "/buildings/0: feature 1 of city.geojson: its walls cross at (110, 60)")) << refused;
}

TEST_F(WindCityFile, DividesOutlinesInACornerAndKeepsTheirHoles) {
  // Twice through the corner (110, 60): triangles of 100 m2 and 200 m2. The hole lies in the larger one.
  std::string const corner = "[[100,50],[110,60],[120,70],[120,50],[110,60],[100,90],[100,50]]";
  std::string const hole = ",[[101,60],[104,60],[101,63],[101,60]]";
  WindCase const found = read(house("9") + ',' + feature(R"({"height": 9})", corner + hole));
  ASSERT_EQ(found.buildings.size(), 3u);
  EXPECT_NEAR(found.buildings[1].area(), 200 - 4.5, 1e-9);
  EXPECT_NEAR(found.buildings[2].area(), 100, 1e-9);
  EXPECT_FALSE(interior_of(found.buildings[1]).holds_point(102, 61));
  // A wall through a corner of another gives no loops.
  std::string const through = "[[100,50],[120,70],[120,50],[110,60],[100,90],[100,50]]";
  WindCase const rest = read(house("9") + ',' + feature(R"({"height": 9})", through));
  EXPECT_EQ(rest.buildings.size(), 1u);
  EXPECT_TRUE(std::any_of(rest.warnings.begin(), rest.warnings.end(), [](std::string const& line) {
    return contains(line, "1 outline that crosses itself left out");
  }));
}

TEST_F(WindCityFile, LeavesOutHolesThatDoNotFit) {
  // Across a wall: 0.5 x 9 x 3 m2. Twice the same: the second one is over the first.
  std::string const across = ",[[95,60],[104,60],[101,63],[95,60]]", hole = "," + box(110, 52, 4, 4);
  std::string const knot = "[[100,50],[110,60],[120,70],[120,50],[110,60],[100,90],[100,50]]";
  for (std::string const& rule : {std::string(), std::string(R"(, "crossing": "skip")")}) {
    WindCase const found =
        read(house("9") + ',' + feature(R"({"height": 9})", box(100, 50, 20, 20) + across + hole + hole), rule);
    ASSERT_EQ(found.buildings.size(), 2u) << rule;
    EXPECT_NEAR(found.buildings[1].area(), 400 - 16, 1e-9) << rule;
    EXPECT_TRUE(warns(found,
                      "city.geojson: 2 holes across walls or over other holes left out, 29.5 m2 in all; first feature "
                      "1"))
        << rule;
  }
  WindCase const divided = read(house("9") + ',' + feature(R"({"height": 9})", knot + across));
  ASSERT_EQ(divided.buildings.size(), 3u);
  EXPECT_NEAR(divided.buildings[1].area(), 200, 1e-9);
  EXPECT_TRUE(warns(divided,
                    "city.geojson: 1 hole across walls or over other holes left out, 13.5 m2 in all; first feature 1"));
  EXPECT_TRUE(contains(refusal(house("9") + ',' + feature(R"({"height": 9})", box(100, 50, 20, 20) + across),
                               R"(, "crossing": "error")"),
                       "feature 1 of city.geojson: its walls cross at (100, "));
}

TEST_F(WindCityFile, CountsOutlinesWithTooManyCrossings) {
  std::mt19937 random(7);
  std::string ring;
  for (int n = 0; n < 300; ++n)
    ring += '[' + std::to_string(random() % 150) + ',' + std::to_string(random() % 150) + "],";
  std::string const knot = feature(R"({"height": 9})", '[' + ring + ring.substr(0, ring.find(']') + 1) + ']');
  WindCase const found = read(house("9") + ',' + knot);
  EXPECT_EQ(found.buildings.size(), 1u);
  EXPECT_TRUE(std::any_of(found.warnings.begin(), found.warnings.end(), [](std::string const& line) {
    return contains(line, "city.geojson: 1 outline with more than 100 crossings left out, ");
  }));
  EXPECT_TRUE(contains(
      refusal(knot),
      "/buildings/0/crossing: \"divide\": expected an outline that crosses itself at most 100 times, and not in a "
      "corner; city.geojson has none"))
      << refusal(knot);
}

TEST_F(WindCityFile, AFileWithoutBuildingsIsRefused) {
  EXPECT_TRUE(
      contains(refusal(""), "/buildings/0/file: \"city.geojson\": expected buildings, found none in city.geojson"))
      << refusal("");
  std::string const flat = feature(R"({"height": 9})", "[[50,50],[60,50],[70,50],[50,50]]");
  EXPECT_TRUE(contains(refusal(flat), "expected buildings, found none with an area in city.geojson")) << refusal(flat);
}

TEST(MendOutline, KeepsTheAreaOfRandomOutlines) {
  // The even-odd area of an outline counts loops within loops by turns; the sum of all loops is never smaller.
  std::mt19937 random(5);
  std::uniform_real_distribution<double> position(0, 10);
  int divided = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Ring ring(5 + random() % 8);
    for (Point& corner : ring) corner = {position(random), position(random)};
    std::vector<Ring> const parts = divided_at_crossings(ring).loops;
    ASSERT_FALSE(parts.empty()) << trial;
    double signed_sum = 0, sum = 0;
    std::vector<Wall> walls;
    for (Ring const& part : parts) {
      EXPECT_TRUE(footprint_fault(part, {}, {0, 0}).empty()) << trial;
      signed_sum += signed_area(part);
      sum += std::abs(signed_area(part));
    }
    // Loops keep their sense of rotation. Parts below a millionth of the largest are dropped.
    EXPECT_NEAR(signed_sum, signed_area(ring), 1e-6 * 50 * sum) << trial;
    divided += parts.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(divided, 200);
}

TEST_F(WindCityFile, TakesMoreBuildingsThanAnyCaseLists) {
  // Rows of houses with a common wall, every tenth reaching into the next; 20,000 of them.
  std::string features;
  constexpr int count = 20000, in_row = 200;
  for (int n = 0; n < count; ++n) {
    double const length = n % 10 == 0 && n % in_row != in_row - 1 ? 0.6 : 0.5;
    features +=
        (n > 0 ? "," : "") + feature(R"({"height": 9})", box(20 + n % in_row * 0.5, 20 + n / in_row, length, 0.6));
  }
  // The centre of each of the 400 cells lies on the common wall of two houses.
  WindCase const found = read(features, R"(, "small": "merge")");
  EXPECT_EQ(found.buildings.size(), 800u + 400u);
  EXPECT_TRUE(contains(found.warnings.front(), "19200 buildings smaller than a cell merged")) << found.warnings.front();
  // Fine cells make none of them small; the domain ends at 110 m, in row 90 of 100.
  std::string const text = R"({"domain": {"cells": [2000, 110], "spacing": [0.1, 1],
      "layers": {"kind": "uniform", "count": 20, "thickness": 3}},
    "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270},
    "buildings": [{"kind": "geojson", "file": "city.geojson", "outside": "skip"}]})";
  WindCase const fine = read_wind_case(Case::parse(text, (folder_ / "case.json").string(), wind::schema()));
  EXPECT_EQ(fine.buildings.size(), 18000u);
  EXPECT_TRUE(std::any_of(fine.warnings.begin(), fine.warnings.end(), [](std::string const& line) {
    return contains(line, "buildings overlap others: their cells are merged");
  }));
}

TEST(BoxTree, FindsAllBoxesThatMeet) {
  std::mt19937 random(3);
  // On a lattice, so that many boundaries coincide.
  auto const number = [&](int end) { return static_cast<double>(random() % static_cast<unsigned>(end)); };
  for (std::size_t const count : {0u, 1u, 8u, 9u, 500u}) {
    std::vector<PlanBox> boxes;
    for (std::size_t n = 0; n < count; ++n) {
      double const x = number(60), y = number(n % 2 == 0 ? 60 : 2);
      boxes.push_back({{x, y}, {x + number(5), y + number(5)}});
    }
    BoxTree const tree(boxes);
    for (int trial = 0; trial < 200; ++trial) {
      PlanBox const box{{number(60), number(60)}, {}};
      PlanBox const wanted{box.low, {box.low[0] + number(9), box.low[1] + number(9)}};
      std::vector<std::size_t> found, expected;
      tree.visit_meeting(wanted, [&](std::size_t n) {
        found.push_back(n);
        return false;
      });
      std::sort(found.begin(), found.end());
      for (std::size_t n = 0; n < count; ++n) {
        if (boxes[n].meets(wanted)) expected.push_back(n);
      }
      ASSERT_EQ(found, expected) << count << ' ' << trial;
      std::size_t visits = 0;
      tree.visit_meeting(wanted, [&](std::size_t) { return ++visits == 1; });
      ASSERT_EQ(visits, std::min<std::size_t>(expected.size(), 1));
    }
  }
}

TEST(LengthText, HasTheUnitsOfMaps) {
  auto const near = [](char const* text, double metres) {
    auto const found = metres_in(text);
    ASSERT_TRUE(found) << text;
    EXPECT_NEAR(*found, metres, 1e-12) << text;
  };
  for (char const* text : {"12", " 12 ", "12 m", "12m", "12.0 metres", "12,0", "8;12", "12;8 m", "12 M"})
    near(text, 12);
  near("12,5", 12.5);
  near("40 ft", 12.192);
  near("40'", 12.192);
  near("40 feet", 12.192);
  near("7'4\"", 2.2352);
  near("-3", -3);
  for (char const* text : {"", " ", "null", "m", "12 km", "12 m 5", "12;", "yes", "1e400", "nan", "inf", "12e1", "7'4"})
    EXPECT_FALSE(metres_in(text)) << text;
}

TEST_F(WindCityFile, ReadsHeightsInOrderOfPreference) {
  auto const height = [&](std::string const& properties, std::string const& keys) {
    return read(feature(properties, box(50, 50, 20, 20)), keys).buildings.at(0).height;
  };
  std::string const list =
      R"(, "height": ["top", "roof"], "levels": "storeys", "level_height": 3.5, "default_height": 7)";
  EXPECT_EQ(height(R"({"height": "12 m"})", ""), 12);
  EXPECT_EQ(height(R"({"roof": 20, "top": "9 m", "storeys": null})", list), 9);
  EXPECT_EQ(height(R"({"roof": 20, "top": null, "storeys": null})", list), 20);
  EXPECT_EQ(height(R"({"roof": 0, "top": "", "storeys": "4"})", list), 14);
  EXPECT_EQ(height(R"({"storeys": "many", "top": null})", list), 7);
  std::string const misspelt = refusal(house("9"), R"(, "height": "heigth", "default_height": 7)");
  EXPECT_TRUE(contains(misspelt,
                       "expected a property that some feature has; city.geojson has none of this name; the "
                       "file has height (number)"))
      << misspelt;
  EXPECT_EQ(height(R"({"storeys": 5})", R"(, "levels": "storeys")"), 15);
}

TEST_F(WindCityFile, RefusesMisspeltAttributesInSpiteOfADefault) {
  std::string const house_of_storeys = feature(R"({"height": null, "storeys": 3})", box(50, 50, 20, 20));
  std::string const none =
      "expected a property that some feature has; city.geojson has none of this name; the file has height (null), "
      "storeys (number)";
  std::string const height = refusal(house_of_storeys, R"(, "height": "hieght", "levels": "storeys")");
  EXPECT_TRUE(contains(height, "/buildings/0/height: \"hieght\": " + none)) << height;
  std::string const both = refusal(house_of_storeys, R"(, "height": ["hieght", "top"], "default_height": 9)");
  EXPECT_TRUE(contains(both, "/buildings/0/height: ") && contains(both, none)) << both;
  std::string const levels = refusal(house_of_storeys, R"(, "levels": "storys", "default_height": 9)");
  EXPECT_TRUE(contains(levels, "/buildings/0/levels: \"storys\": " + none)) << levels;
  WindCase const found = read(house("9"), R"(, "height": ["top", "height"])");
  EXPECT_TRUE(warns(found, "city.geojson: no feature has \"top\" of /buildings/0/height"));
  // Without the key the usual name is no misspelt one.
  EXPECT_EQ(read(feature(R"({"storeys": 3})", box(50, 50, 20, 20)), R"(, "default_height": 7)").buildings[0].height, 7);
}

TEST_F(WindCityFile, SaysWhatUnreadableHeightsBecame) {
  std::string const features = house("9") + ',' + feature(R"({"height": "tall", "storeys": 3})", box(80, 50, 20, 20)) +
                               ',' + feature(R"({"height": "-3"})", box(110, 50, 20, 20)) + ',' +
                               feature(R"({"height": null})", box(50, 90, 20, 20)) + ',' +
                               feature(R"({"storeys": 4})", box(80, 90, 20, 20));
  WindCase const found = read(features, R"(, "levels": "storeys", "default_height": 7)");
  ASSERT_EQ(found.buildings.size(), 5u);
  EXPECT_EQ(found.buildings[1].height, 9);
  EXPECT_EQ(found.buildings[2].height, 7);
  EXPECT_TRUE(warns(found,
                    "city.geojson: 2 features without a positive number as height: first \"tall\" in feature 1; 1 got "
                    "levels, 1 got default_height"));
  EXPECT_TRUE(warns(found, "city.geojson: of 5 features 2 got levels, 2 got default_height"));
  WindCase const good = read(house("9"), R"(, "default_height": 7)");
  EXPECT_FALSE(std::any_of(good.warnings.begin(), good.warnings.end(),
                           [](std::string const& line) { return contains(line, "default_height"); }));
}

TEST_F(WindCityFile, LeavesOutPointsAndLines) {
  std::string const others =
      R"({"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}},)"
      R"({"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [0, 0]}})";
  WindCase const found = read(others + ',' + house("9"));
  ASSERT_EQ(found.buildings.size(), 1u);
  EXPECT_EQ(found.buildings[0].member, 2u);
  EXPECT_TRUE(warns(found, "city.geojson: 2 features that are no polygons left out, first a LineString"));
  EXPECT_TRUE(
      contains(refusal(others), "/features/0/geometry/type: expected Polygon or MultiPolygon, found \"LineString\""))
      << refusal(others);
}

TEST_F(WindCityFile, BoxesOfDomainsHaveAllTheirDigits) {
  std::string const message = test::message_of<CaseError>([&] { read(house("9"), "", "565650, 5933990"); });
  EXPECT_TRUE(contains(message, "(x 565650 to 565800, y 5933990 to 5934140 m)")) << message;
}

TEST_F(WindCityFile, TheOriginOfDegreesFitsWhateverWasGiven) {
  std::string const ring = "[[13.4,52.5],[13.4004,52.5],[13.4004,52.5004],[13.4,52.5004],[13.4,52.5]]";
  std::string const degrees = R"(, "coordinates": "degrees", "origin": )";
  std::string const message = refusal(feature(R"({"height": 9})", ring), degrees + "[52.5, 13.4]");
  std::string const before = "/buildings/0/origin [";
  auto const start = message.find(before);
  ASSERT_NE(start, std::string::npos) << message;
  auto const end = message.find(']', start);
  std::string const origin = message.substr(start + before.size() - 1, end - start - before.size() + 2);
  Building const building = read(feature(R"({"height": 9})", ring), degrees + origin).buildings.at(0);
  EXPECT_NEAR(building.x, 75, 0.01);
  EXPECT_NEAR(building.y, 75, 0.01);
}

TEST_F(WindCityFile, QuotesTheHeightOnce) {
  std::string const several = house("9") + ',' + house(R"("tall")") + ',' + house("null") + ',' + house("\"\"");
  std::string const message = refusal(several);
  EXPECT_TRUE(test::is_one_line(message)) << message;
  EXPECT_TRUE(contains(message,
                       "/buildings/0/height: \"height\": expected a number > 0 and <= 100000, or a text such "
                       "as \"12 m\", in every feature; feature 1 of city.geojson has \"tall\" (and 2 more); "
                       "the file has height (number); or give levels or default_height"))
      << message;
  EXPECT_TRUE(contains(refusal(house("9") + ',' + house("null"), R"(, "height": ["top", "height"])"),
                       "feature 0 of city.geojson has none of this name") == false);
  EXPECT_TRUE(contains(refusal(house("null"), R"(, "height": ["top", "height"])"),
                       "feature 0 of city.geojson has null in height"));
}

TEST_F(WindCityFile, NamesTheBoxOfAFileElsewhere) {
  std::string const far = feature(R"({"height": 9})", box(5000050, 300050, 20, 20)) + ',' +
                          feature(R"({"height": 9})", box(5000070, 300080, 20, 20));
  std::string const place =
      "the file reaches from (5000050, 300050) to (5000090, 300100); its middle is that of the "
      "domain with /buildings/0/origin [4999995, 300000]";
  std::string const skipped = refusal(far, R"(, "outside": "skip")");
  EXPECT_TRUE(
      contains(skipped, "expected buildings in the domain; all 2 buildings of city.geojson reach outside; " + place))
      << skipped;
  std::string const error = refusal(far);
  EXPECT_TRUE(contains(error,
                       "feature 0 of city.geojson reaches outside the domain (x 0 to 150, y 0 to 150 m); move it "
                       "or extend /domain (and 1 more); " +
                           place))
      << error;
  EXPECT_EQ(read(far, R"(, "origin": [4999995, 300000])").buildings.size(), 2u);
}

TEST_F(WindCityFile, DegreesWithoutOriginAreInTheMiddle) {
  std::string const ring = "[[13.4,52.5],[13.4004,52.5],[13.4004,52.5004],[13.4,52.5004],[13.4,52.5]]";
  Building const building = read(feature(R"({"height": 9})", ring), R"(, "coordinates": "degrees")").buildings.at(0);
  EXPECT_NEAR(building.x, 75, 1e-6);
  EXPECT_NEAR(building.y, 75, 1e-6);
}

/// A surface and a ground over the domain, 75 x 75 cells of 2 m, and houses without heights.
class SurfaceHeights : public WindCityFile {
 protected:
  static constexpr int count = 75;
  static constexpr double cell = 2;

  SurfaceHeights() : surface_(count * count), ground_(count * count) {
    for (int n = 0; n < count * count; ++n) {
      surface_[at(n)] = 20 + n * 7919 % 1013 * 0.01;
      ground_[at(n)] = 5 + n * 104729 % 211 * 0.01;
    }
  }

  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static double& value(std::vector<double>& values, double x, double y) {
    return values[at(static_cast<int>(y / cell) * count + static_cast<int>(x / cell))];
  }

  /// Rows from the south.
  void write_grid(std::string const& name, std::vector<double> const& values) const {
    std::string text = "ncols 75\nnrows 75\nxllcorner 1000\nyllcorner 2000\ncellsize 2\n";
    for (int j = count; j-- > 0;)
      for (int i = 0; i < count; ++i) text += std::to_string(values[at(j * count + i)]) + (i + 1 < count ? " " : "\n");
    test::put(folder_ / name, text);
  }

  std::string keys(std::string const& more = "", std::string const& in_heights = R"(, "ground": "dem.asc")") const {
    write_grid("dsm.asc", surface_);
    write_grid("dem.asc", ground_);
    return R"(, "heights": {"raster": "dsm.asc", "origin": [1000, 2000])" + in_heights + "}" + more;
  }

  std::vector<double> surface_, ground_;
};

std::string const l_shape = "[[41.3,41.3],[90.7,44.1],[88.2,71.5],[66.6,69.4],[62.3,98.8],[39.2,95.1],[41.3,41.3]]";
std::string const court = "[[47.1,50.3],[47.3,61.2],[56.8,60.9],[55.3,49.7],[47.1,50.3]]";

TEST_F(SurfaceHeights, ArePercentilesOverTheCellsInside) {
  std::string const nameless = feature("{}", l_shape + ',' + court) + ',' + feature("{}", box(110.3, 20.4, 17, 9));
  for (auto const& [percentile, text] :
       {std::pair{50.0, std::string()}, std::pair{90.0, std::string(R"(, "percentile": 90)")},
        std::pair{100.0, std::string(R"(, "percentile": 100)")}}) {
    WindCase const found = read(nameless, keys("", R"(, "ground": "dem.asc")" + text));
    ASSERT_EQ(found.buildings.size(), 2u);
    for (Building const& building : found.buildings) {
      BuildingInterior const inside = interior_of(building);
      std::vector<double> heights;
      for (int n = 0; n < count * count; ++n) {
        if (inside.holds_point((n % count + 0.5) * cell, (n / count + 0.5) * cell))
          heights.push_back(surface_[at(n)] - ground_[at(n)]);
      }
      std::sort(heights.begin(), heights.end());
      ASSERT_GT(heights.size(), 30u);
      auto const rank = static_cast<std::size_t>(percentile / 100 * static_cast<double>(heights.size() - 1) + 0.5);
      EXPECT_NEAR(building.height, heights[rank], 1e-5) << percentile << ": six digits in the file";
      EXPECT_EQ(building.base, 0);
    }
  }
}

TEST_F(SurfaceHeights, TakeTheTerrainAsGroundAndCountFromTheBase) {
  for (double& height : surface_) height = 25;
  for (double& height : ground_) height = 7;
  WindCase const found =
      read(feature("{}", l_shape), keys(R"(, "base": 3}], "terrain": {"file": "dem.asc", "origin": [1000, 2000]},
      "vegetation": [{"kind": "trees", "positions": [[20, 20]], "diameter": 4, "height": 5, "attenuation": 1)",
                                        ""));
  EXPECT_NEAR(found.buildings.at(0).height, 15, 1e-9);
  EXPECT_NEAR(found.buildings.at(0).roof_height(), 18, 1e-9);
  // Without an origin of its own the raster has the one of the buildings.
  std::string shifted = keys();
  shifted.replace(shifted.find(R"(, "origin": [1000, 2000])"), 24, "");
  EXPECT_NEAR(
      read(feature("{}", box(1040, 2040, 20, 20)), shifted + R"(, "origin": [1000, 2000])").buildings.at(0).height, 18,
      1e-9);
}

TEST_F(SurfaceHeights, CountBuildingsWithoutOne) {
  double const none = -9999;
  // A house with some gaps, one of gaps only, one below the ground, and one between the centres of cells.
  for (double x = 50; x < 70; x += cell)
    for (double y = 50; y < 60; y += cell) value(surface_, x, y) = none;
  for (double x = 100; x < 110; x += cell)
    for (double y = 100; y < 110; y += cell) value(ground_, x, y) = none;
  for (double x = 20; x < 30; x += cell)
    for (double y = 100; y < 110; y += cell) value(surface_, x, y) = 2;
  std::string const all = feature("{}", box(50, 50, 20, 20)) + ',' + feature("{}", box(102, 102, 6, 6)) + ',' +
                          feature("{}", box(20, 100, 10, 10)) + ',' + feature("{}", box(121.1, 21.1, 0.8, 20));
  WindCase const found = read(all, keys());
  ASSERT_EQ(found.buildings.size(), 1u);
  EXPECT_EQ(found.buildings[0].member, 0u);
  EXPECT_GT(found.buildings[0].height, 10);
  EXPECT_TRUE(warns(found,
                    "city.geojson: 3 buildings without a height in dsm.asc and dem.asc left out: 1 with no cell "
                    "centre inside, 1 with gaps only, 1 not above the ground"));
  // The ground is interpolated: each of the 9 cells has a gap around it.
  EXPECT_TRUE(warns(found, "city.geojson: 59 of 134 cells of dsm.asc in buildings are gaps there or in dem.asc"))
      << testing::PrintToString(found.warnings);
  WindCase const filled = read(all, keys(R"(, "default_height": 8)"));
  ASSERT_EQ(filled.buildings.size(), 3u) << "the one without a cell of the raster has none of the domain";
  EXPECT_EQ(filled.buildings[1].height, 8);
  EXPECT_TRUE(warns(filled,
                    "city.geojson: 3 buildings without a height in dsm.asc and dem.asc got default_height: 1 "
                    "with no cell centre inside, 1 with gaps only, 1 not above the ground"));
  std::string const refused = refusal(all, keys(R"(, "small": "error")"));
  EXPECT_TRUE(test::is_one_line(refused)) << refused;
  EXPECT_TRUE(contains(
      refused,
      "/buildings/0/heights/raster: \"dsm.asc\": expected a height in dsm.asc and dem.asc for "
      "every building; feature 3 of city.geojson has no cell; of 3 buildings 1 with no cell centre inside, 1 with gaps "
      "only, 1 not above the ground; dsm.asc reaches "
      "from (1000, 2000) to (1150, 2150)"))
      << refused;
}

TEST_F(SurfaceHeights, FaultsAreOneLine) {
  std::string const one = feature(R"({"height": 8})", box(50, 50, 20, 20));
  auto const expect = [&](std::string const& found, std::string const& part) {
    EXPECT_TRUE(test::is_one_line(found)) << found;
    EXPECT_TRUE(contains(found, part)) << found;
  };
  expect(refusal(one, keys(R"(, "height": "height")")),
         "/buildings/0/height: \"height\": expected this or /buildings/0/heights, found both");
  expect(
      refusal(
          one,
          keys(
              R"(, "heights_from": "sea"}], "terrain": {"file": "dem.asc", "origin": [1000, 2000]}, "vegetation": [{"kind": "trees",
      "positions": [[20, 20]], "diameter": 4, "height": 5, "attenuation": 1)")),
      "/buildings/0/heights_from: \"sea\": expected \"ground\"");
  expect(refusal(one, keys("", "")),
         "/buildings/0/heights/ground: missing, expected the raster of the bare ground, or a /terrain");
  std::string elsewhere = keys();
  elsewhere.replace(elsewhere.find("[1000, 2000]"), 12, "[9000, 2000]");
  expect(refusal(one, elsewhere), "for some building; feature 0 of city.geojson has no cell; dsm.asc reaches from");
  EXPECT_THROW(read(one, R"(, "heights": {"raster": "none.asc", "ground": "none.asc"})"), FileError);
}

}  // namespace wind_city_test
