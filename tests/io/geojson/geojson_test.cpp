// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/error.hpp>
#include <karman/io/geojson.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace geojson_test {

using namespace karman;
using namespace karman::test;

std::string const city = R"({
  "type": "FeatureCollection", "name": "city", "crs": null,
  "features": [
    {"type": "Feature", "id": 7, "properties": {"height": 12.5, "name": "A", "levels": "4", "text": "4 m", "none": null},
     "geometry": {"type": "Polygon", "coordinates": [
       [[0, 0], [10, 0, 3], [10, 5], [0, 5], [0, 0]], [[1, 1], [2, 1], [2, 2], [1, 1]]]}},
    {"type": "Feature", "properties": null, "geometry": null},
    {"type": "Feature", "properties": {},
     "geometry": {"type": "MultiPolygon", "coordinates": [
       [[[20, 0], [30, 0], [30, 5], [20, 0]]], [[[40, 0], [50, 0], [50, 5], [40, 0]]]]}}
  ]})";

class GeoJson : public testing::Test {
 protected:
  std::vector<GeoFeature> read(std::string const& text) {
    put(folder_ / "city.geojson", text);
    return read_geojson(folder_ / "city.geojson").features;
  }
  std::string refusal(std::string const& text) {
    return message_of<CaseError>([&] { read(text); });
  }
  /// The refusal of the city with one part replaced.
  std::string replaced(std::string const& part, std::string const& other) {
    std::string text = city;
    text.replace(text.find(part), part.size(), other);
    return refusal(text);
  }

  TemporaryFolder folder_;
};

TEST_F(GeoJson, ReadsPolygonsAndNumbers) {
  std::vector<GeoFeature> const features = read(city);
  ASSERT_EQ(features.size(), 3u);
  ASSERT_EQ(features[0].polygons.size(), 1u);
  auto const& rings = features[0].polygons[0].rings;
  ASSERT_EQ(rings.size(), 2u);
  EXPECT_EQ(rings[0], (std::vector<std::array<double, 2>>{{0, 0}, {10, 0}, {10, 5}, {0, 5}}));
  EXPECT_EQ(rings[1].size(), 3u);
  EXPECT_EQ(features[0].numbers, (std::map<std::string, double>{{"height", 12.5}, {"levels", 4}}));
  EXPECT_EQ(features[0].texts, (std::map<std::string, std::string>{{"name", "A"}, {"none", "null"}, {"text", "4 m"}}));
  EXPECT_TRUE(features[1].polygons.empty());
  EXPECT_EQ(features[1].number, 1u);
  ASSERT_EQ(features[2].polygons.size(), 2u);
  EXPECT_EQ(features[2].polygons[1].rings[0][0], (std::array<double, 2>{40, 0}));
}

TEST_F(GeoJson, ReadsOneFeature) {
  auto const features = read(
      R"({"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[1,0],[1,1],[0,0]]]}})");
  ASSERT_EQ(features.size(), 1u);
  EXPECT_EQ(features[0].polygons.size(), 1u);
}

TEST_F(GeoJson, NamesThePlaceOfEveryFault) {
  std::string const file = (folder_ / "city.geojson").string();
  EXPECT_EQ(refusal("{\n\"type\":\n!"), file + ":3: column 1: expected JSON text (RFC 8259)");
  EXPECT_EQ(refusal(""), file + ": expected GeoJSON, found an empty file");
  EXPECT_EQ(refusal(" \n"), file + ": expected GeoJSON, found an empty file");
  EXPECT_EQ(refusal("II*"), file + ": expected GeoJSON, which begins with {, found another kind of file");
  EXPECT_EQ(refusal("{\"type\": \"Feat"), file + ":1: column 15: expected more JSON text, the file ends early");
  EXPECT_EQ(refusal("{\n\"\u00e4\u00e4\": }"), file + ":2: column 7: expected JSON text (RFC 8259)");
  EXPECT_EQ(refusal("[1e999]"), file + ": expected numbers within the range of double");
  EXPECT_EQ(refusal("[]"), file + ": expected an object of type FeatureCollection or Feature, found array");
  EXPECT_EQ(refusal("{}"), file + ": /type: expected FeatureCollection or Feature, found nothing");
  EXPECT_EQ(replaced("FeatureCollection", "Topology"),
            file + ": /type: expected FeatureCollection or Feature, found \"Topology\"");
  EXPECT_EQ(replaced("\"MultiPolygon\"", "\"Circle\""),
            file + ": /features/2/geometry/type: expected Polygon or MultiPolygon, found \"Circle\"");
  EXPECT_EQ(refusal(R"({"type": "Feature", "geometry": {"type": "Point", "coordinates": [0, 0]}})"),
            file + ": /geometry/type: expected Polygon or MultiPolygon, found \"Point\"");
  EXPECT_EQ(replaced("[10, 0, 3]", "[10]"),
            file + ": /features/0/geometry/coordinates/0/1: expected a position [x, y] of two numbers, found array");
  EXPECT_EQ(replaced("[10, 0, 3]", "\"10\""),
            file + ": /features/0/geometry/coordinates/0/1: expected a position [x, y] of two numbers, found \"10\"");
  EXPECT_EQ(replaced("[2, 2], [1, 1]]", "[1, 1]]"),
            file +
                ": /features/0/geometry/coordinates/1: expected at least 4 positions in a ring, the last equal to "
                "the first, found 3");
  EXPECT_EQ(replaced("[40, 0]]", "[41, 0]]"),
            file +
                ": /features/2/geometry/coordinates/1/0: expected a closed ring: its last position differs from the "
                "first");
  EXPECT_EQ(replaced("\"geometry\": null", "\"shape\": null"),
            file + ": /features/1/geometry: expected Polygon, MultiPolygon or null, found nothing");
  EXPECT_THROW(read_geojson(folder_ / "missing.geojson"), FileError);
  EXPECT_THROW(read_geojson(folder_ / "city.geojson", {.most_bytes = 10}), FileError);
}

TEST_F(GeoJson, PassesFeaturesOnOneByOne) {
  std::vector<GeoFeature> const whole = read(city);
  std::vector<GeoFeature> taken;
  auto const take = [&](GeoFeature&& feature) { taken.push_back(std::move(feature)); };
  GeoCollection const rest = read_geojson(folder_ / "city.geojson", take);
  EXPECT_TRUE(rest.features.empty());
  EXPECT_TRUE(contains(rest.attributes, "height (number)")) << rest.attributes;
  ASSERT_EQ(taken.size(), whole.size());
  for (std::size_t n = 0; n < whole.size(); ++n) {
    EXPECT_EQ(taken[n].number, n);
    EXPECT_EQ(taken[n].numbers, whole[n].numbers);
    ASSERT_EQ(taken[n].polygons.size(), whole[n].polygons.size());
    for (std::size_t p = 0; p < whole[n].polygons.size(); ++p)
      EXPECT_EQ(taken[n].polygons[p].rings, whole[n].polygons[p].rings);
  }
}

TEST_F(GeoJson, MembersComeInAnyOrder) {
  std::string const feature = R"({"geometry": null, "properties": {"features": [1, [2]]}, "type": "Feature"})";
  EXPECT_EQ(read(R"({"features": [)" + feature + ',' + feature + R"(], "type": "FeatureCollection"})").size(), 2u);
  EXPECT_EQ(read(R"({"bbox": [[0]], "type": "FeatureCollection", "features": [], "other": {"features": [7]}})").size(),
            0u);
  // Faults of the whole file come before faults of a feature.
  std::string const file = (folder_ / "city.geojson").string();
  EXPECT_EQ(refusal("{\"features\": [7],\n\"type\": }"), file + ":2: column 9: expected JSON text (RFC 8259)");
  EXPECT_EQ(refusal(R"({"features": [7], "type": "Topology"})"),
            file + ": /type: expected FeatureCollection or Feature, found \"Topology\"");
  EXPECT_EQ(refusal(R"({"features": [7, 8], "type": "FeatureCollection"})"),
            file + ": /features/0: expected an object of type Feature, found 7");
  EXPECT_EQ(refusal(R"({"features": 7, "type": "FeatureCollection"})"),
            file + ": /features: expected an array of features, found 7");
  EXPECT_EQ(refusal(R"({"features": [], "features": [], "type": "FeatureCollection"})"),
            file + ": /features: expected one such member, found 2");
  EXPECT_EQ(refusal(R"({"features": [], "type": "Feature", "geometry": null})"),
            file + ": /features: expected none in a Feature");
}

TEST_F(GeoJson, AnyBytesGiveFeaturesOrOneLine) {
  std::mt19937 random(11);
  int refused = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    std::string text = city;
    int const changes = 1 + static_cast<int>(random() % 3);
    for (int n = 0; n < changes; ++n) {
      std::size_t const at = random() % text.size();
      constexpr std::string_view bytes = "[]{},:\"0-e\xff\n";
      if (random() % 3 == 0) text.erase(at, 1 + random() % 8);
      else text[at] = bytes[random() % bytes.size()];
    }
    if (random() % 5 == 0) text.resize(random() % text.size());
    put(folder_ / "city.geojson", text);
    try {
      for (GeoFeature const& feature : read_geojson(folder_ / "city.geojson").features) {
        for (GeoPolygon const& polygon : feature.polygons) {
          for (auto const& ring : polygon.rings) {
            ASSERT_GE(ring.size(), 3u);
            for (auto const& [x, y] : ring) ASSERT_TRUE(std::isfinite(x) && std::isfinite(y));
          }
        }
      }
    } catch (CaseError const& error) {
      ASSERT_TRUE(is_one_line(error.what())) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 300);
}

TEST_F(GeoJson, DeepNestingIsRefused) {
  std::string const deep(100000, '[');
  EXPECT_TRUE(is_one_line(refusal(deep)));
  EXPECT_TRUE(is_one_line(refusal(deep + std::string(100000, ']'))));
}

}  // namespace geojson_test
