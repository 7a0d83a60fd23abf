// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run with every kind of building: its footprints in the output, and the messages about a city file.
#include "apps/common/run_command.hpp"
#include "apps/common/small_case.hpp"
#include <karman/io/hdf5_file.hpp>
#include <karman/io/map_system.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace wind_shapes_command_test {

using namespace karman;
using namespace karman::test;
using nlohmann::json;

json shapes_case() {
  json whole = json::parse(small_wind_case);
  whole["buildings"] = json::parse(small_wind_shapes);
  whole["outputs"].erase("watch");
  return whole;
}

TEST(WindShapesCommand, WritesTheFootprintsOfAllParts) {
  Workplace const place;
  place.write("case.json", shapes_case().dump(2));
  place.write(small_wind_city_file, small_wind_city);
  Outcome const outcome = place.karman({"wind", "case.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Hdf5File const file = Hdf5File::open(place.path("results/case/wind.h5"));
  Table const table = file.read_table("/buildings");
  auto const corners = file.read_vector<double>("/footprints/corners");
  auto const starts = file.read_vector<std::int64_t>("/footprints/starts");
  auto const building = file.read_vector<std::int64_t>("/footprints/building");
  // Polygon, ellipse, courtyard, two storeys, bridge, two slabs, feature; two of them with a hole.
  EXPECT_EQ(table.values[0].size(), 9u);
  EXPECT_EQ(building, (std::vector<std::int64_t>{0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(starts, (std::vector<std::int64_t>{0, 4, 7, 71, 76, 81, 85, 149, 153, 157, 161, 164}));
  ASSERT_EQ(corners.size(), 2u * 164);
  EXPECT_EQ(std::vector<double>(corners.begin(), corners.begin() + 8),
            (std::vector<double>{104, -46, 112, -46, 112, -36, 104, -40}));
  EXPECT_EQ(std::vector<double>(corners.end() - 6, corners.end()), (std::vector<double>{146, -20, 154, -20, 150, -12}));
  EXPECT_EQ(table.values[4].back(), 6) << "the height of the case";
  EXPECT_EQ(table.values[6][6], 2.8) << "the base of a slab";
  // The resolved case runs again.
  EXPECT_EQ(place.karman({"wind", "case.json", "--dry-run"}).exit_code, 0);
}

TEST(WindShapesCommand, TheShippedCityHasItsBuildingsAndClasses) {
  if (!built_with_proj()) GTEST_SKIP() << "built without PROJ";
  Workplace const place;
  std::vector<std::string> const coarse{"--set", "/domain/cells=[142,140]", "--set", "/domain/spacing=[6,6]"};
  auto const run = [&](std::string const& name, std::vector<std::string> more) {
    std::vector<std::string> words{"wind", KARMAN_WIND_CASES "/" + name + ".json", "--output", name};
    words.insert(words.end(), coarse.begin(), coarse.end());
    words.insert(words.end(), more.begin(), more.end());
    return place.karman(words);
  };
  Outcome const city = run("city", {});
  ASSERT_EQ(city.exit_code, 0) << city.err;
  EXPECT_NE(city.err.find("of 54 features 16 got levels, 12 got default_height"), std::string::npos) << city.err;
  EXPECT_NE(city.err.find("1 building left out, partly or wholly outside the domain"), std::string::npos) << city.err;
  Hdf5File const file = Hdf5File::open(place.path("city/wind.h5"));
  auto const heights = file.read_table("/buildings").column("height");
  // The tower, the hall with its comma, the greater of two heights, levels of 3 m.
  for (double const height : {51.0, 15.5, 16.0, 15.0})
    EXPECT_NE(std::find(heights.begin(), heights.end(), height), heights.end()) << height;
  EXPECT_TRUE(file.exists("/pedestrian/speed"));
  EXPECT_TRUE(file.exists("/crs"));
  Outcome const rose = run(
      "city_rose", {"--set", R"(/sweep/rose/sectors=[{"direction": 240, "frequency": 1, "scale": 6, "shape": 2}])"});
  ASSERT_EQ(rose.exit_code, 0) << rose.err;
  auto const classes = Hdf5File::open(place.path("city_rose/sweep.h5")).read_vector<std::uint8_t>("/comfort/nen8100");
  constexpr std::uint8_t solid = 255;
  EXPECT_EQ(classes.size(), 142u * 140);
  EXPECT_GT(std::count(classes.begin(), classes.end(), solid), 100);
  EXPECT_GT(std::count(classes.begin(), classes.end(), 0), 100) << "sheltered";
}

TEST(WindShapesCommand, FaultsOfAFileAreOneLine) {
  Workplace const place;
  json whole = shapes_case();
  place.write("case.json", whole.dump(2));
  Outcome const missing = place.karman({"wind", "case.json", "--dry-run"});
  EXPECT_EQ(missing.exit_code, 4);
  EXPECT_EQ(line_count(missing.err), 1) << missing.err;
  place.write(small_wind_city_file, "{\"type\":");
  Outcome const malformed = place.karman({"wind", "case.json", "--dry-run"});
  EXPECT_EQ(malformed.exit_code, 2);
  EXPECT_EQ(line_count(malformed.err), 1) << malformed.err;
  EXPECT_NE(malformed.err.find("city.geojson:1: column 9: expected more JSON text, the file ends early"),
            std::string::npos)
      << malformed.err;
  // Out of the domain: an error, or left out with one line.
  whole["buildings"].back()["origin"] = {-30, 0};
  place.write("case.json", whole.dump(2));
  place.write(small_wind_city_file, small_wind_city);
  Outcome const outside = place.karman({"wind", "case.json", "--dry-run"});
  EXPECT_EQ(outside.exit_code, 2);
  EXPECT_NE(outside.err.find("feature 0 of city.geojson reaches outside the domain"), std::string::npos) << outside.err;
  whole["buildings"].back()["outside"] = "skip";
  place.write("case.json", whole.dump(2));
  Outcome const none = place.karman({"wind", "case.json", "--dry-run"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("the only building of city.geojson reaches outside; the file reaches from (146, -20) to"),
            std::string::npos)
      << none.err;
  json city = json::parse(small_wind_city);
  city["features"].push_back(city["features"][0]);
  for (json& corner : city["features"][1]["geometry"]["coordinates"][0]) corner[0] = corner[0].get<int>() - 30;
  place.write(small_wind_city_file, city.dump());
  Outcome const skipped = place.karman({"wind", "case.json", "--dry-run"});
  EXPECT_EQ(skipped.exit_code, 0) << skipped.err;
  EXPECT_NE(skipped.err.find("city.geojson: 1 building left out, partly or wholly outside the domain"),
            std::string::npos)
      << skipped.err;
}

}  // namespace wind_shapes_command_test
