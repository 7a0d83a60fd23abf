// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A checkpoint continues with its own buildings and terrain alone.
#include "wind/case/buildings/geometry_hash.hpp"
#include <karman/io/config.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace wind_geometry_hash_test {

using namespace karman;
using namespace karman::wind;

WindCase sample() {
  WindCase wind_case;
  wind_case.grid = UniformGrid({4, 3, 5}, {10, 10, 5});
  Building house;
  house.x = 20;
  house.y = 15;
  house.length = house.width = 10;
  house.height = 8;
  Building court = house;
  court.footprint =
      Footprint(Ring{{-5, -5}, {5, -5}, {5, 5}, {-5, 5}}, std::vector<Ring>{{{-2, -2}, {-2, 2}, {2, 2}, {2, -2}}});
  wind_case.buildings = {house, court};
  wind_case.terrain = Terrain(wind_case.grid, std::vector<double>(12, 1.5));
  return wind_case;
}

TEST(WindGeometryHash, ChangesWithEveryNumberOfBuildingsAndTerrain) {
  std::string const same = geometry_hash(sample());
  EXPECT_EQ(geometry_hash(sample()), same);
  std::vector<std::function<void(WindCase&)>> const changes{
      [](WindCase& c) { c.buildings[0].x += 1e-9; },
      [](WindCase& c) { c.buildings[1].base = 1; },
      [](WindCase& c) { c.buildings.pop_back(); },
      [](WindCase& c) { c.buildings[1].footprint = {}; },
      [](WindCase& c) { c.buildings[1].footprint = Footprint(c.buildings[1].footprint.outer(), std::vector<Ring>{}); },
      [](WindCase& c) { c.terrain = {}; },
      [](WindCase& c) {
        std::vector<double> heights(12, 1.5);
        heights.back() = 1.6;
        c.terrain = Terrain(c.grid, heights);
      }};
  for (std::size_t n = 0; n < changes.size(); ++n) {
    WindCase changed = sample();
    changes[n](changed);
    EXPECT_NE(geometry_hash(changed), same) << "change " << n;
  }
}

TEST(WindGeometryHash, RefusesOthersInOneLine) {
  WindCase const wind_case = sample();
  Case const input = Case::parse(std::string(example()), "city.json", schema());
  EXPECT_NO_THROW(require_same_geometry({{"geometry", geometry_hash(wind_case)}}, wind_case, input, "a.checkpoint"));
  EXPECT_NO_THROW(require_same_geometry(nlohmann::json::object(), wind_case, input, "a.checkpoint"));
  try {
    require_same_geometry({{"geometry", "0123456789abcdef"}}, wind_case, input, "a.checkpoint");
    FAIL() << "accepted";
  } catch (CaseError const& error) {
    std::string const message = error.what();
    for (char const* word : {"city.json", "a.checkpoint", "terrain", "file"})
      EXPECT_NE(message.find(word), std::string::npos) << message;
  }
}

}  // namespace wind_geometry_hash_test
