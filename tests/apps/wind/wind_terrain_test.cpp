// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Terrain of a case: heights in the columns, halo, buildings on it, and every refusal.
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include "wind/case/buildings/ground_buildings.hpp"
#include "wind/case/plausibility.hpp"
#include "wind/case/wind_case.hpp"
#include "wind/model/profile_table.hpp"
#include "wind/model/undisturbed_wind.hpp"
#include "wind/model/velocity_sample.hpp"
#include "wind/model/zones.hpp"
#include <karman/io/config.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace wind_terrain_test {

using namespace karman;
using namespace karman::test;
using namespace karman::wind;
using nlohmann::json;

/// 6 x 4 columns of 10 m over a plane, 100 m above the sea in the south-west. It rises by 1 m in each column to the
/// east and by 0.5 m in each row to the north.
class TerrainCase : public testing::Test {
 protected:
  TerrainCase() {
    std::string text = "ncols 6\nnrows 4\nxllcorner 1000\nyllcorner 2000\ncellsize 10\n";
    for (int j = 3; j >= 0; --j) {
      for (int i = 0; i < 6; ++i) text += std::to_string(100 + i + 0.5 * j) + ' ';
      text += '\n';
    }
    put(folder_ / "hill.asc", text);
    whole_ = json::parse(R"({
      "domain": {"origin": [200, 300], "cells": [6, 4], "spacing": [10, 10],
        "layers": {"kind": "uniform", "count": 20, "thickness": 2}},
      "terrain": {"file": "hill.asc", "origin": [800, 1700]},
      "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270}})");
  }

  WindCase read() const {
    return read_wind_case(Case::parse(whole_.dump(2), (folder_ / "case.json").string(), schema()));
  }
  std::string refusal() const {
    std::string const message = message_of<CaseError>([&] { read(); });
    EXPECT_TRUE(is_one_line(message)) << message;
    return message;
  }

  TemporaryFolder folder_;
  json whole_;
};

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

TEST_F(TerrainCase, HeightsCountFromTheLevel) {
  WindCase const lowest = read();
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 6; ++i) EXPECT_EQ(lowest.terrain.height(i, j), i + 0.5 * j);
  }
  EXPECT_EQ(lowest.terrain.lowest(), 0);
  EXPECT_EQ(lowest.terrain.highest(), 6.5);
  EXPECT_EQ(lowest.terrain.height_at(15, 39), 2.5);
  EXPECT_EQ(lowest.terrain.height_at(-5, 100), 1.5) << "the nearest column";
  whole_["terrain"]["level"] = 98;
  EXPECT_EQ(read().terrain.height(0, 0), 2);
  whole_.erase("terrain");
  EXPECT_TRUE(read().terrain.empty());
  EXPECT_EQ(read().terrain.height(3, 3), 0);
}

TEST_F(TerrainCase, FinerColumnsAreInterpolated) {
  whole_["domain"]["cells"] = {12, 8};
  whole_["domain"]["spacing"] = {5, 5};
  whole_["terrain"]["level"] = 100;
  WindCase const fine = read();
  EXPECT_NEAR(fine.terrain.height(1, 1), 0.25 + 0.125, 1e-12);
  EXPECT_NEAR(fine.terrain.height(5, 4), 2.25 + 0.5 * 1.75, 1e-12);
  EXPECT_EQ(fine.terrain.height(0, 0), 0) << "constant in the outermost half cells";
}

/// 10 x 10 cells of a plane with values that no place on Earth has, as SRTM marks its gaps, and one declared gap.
TEST_F(TerrainCase, UndeclaredGapsAreNamedAndFilled) {
  std::string text = "ncols 6\nnrows 4\nxllcorner 1000\nyllcorner 2000\ncellsize 10\nNODATA_value -1\n";
  for (int j = 3; j >= 0; --j) {
    for (int i = 0; i < 6; ++i) {
      bool const gap = i == 2 && (j == 1 || j == 2);
      text += (gap ? "-32768" : i == 5 && j == 0 ? "-1" : std::to_string(100 + i)) + ' ';
    }
    text += '\n';
  }
  put(folder_ / "srtm.asc", text);
  whole_["terrain"]["file"] = "srtm.asc";
  EXPECT_TRUE(contains(refusal(),
                       "srtm.asc has none in 3 of 24 columns, the first at x = 255, y = 305 m; -32768 at x = "
                       "225, y = 315 m (and 1 more) looks like a gap that the file does not declare; give "
                       "\"gaps\": \"fill\" in /terrain, or another file"))
      << refusal();
  whole_["terrain"]["gaps"] = "fill";
  WindCase const filled = read();
  // The gaps are in the middle of a slope along x, so that each of them gets the mean of its neighbours.
  EXPECT_NEAR(filled.terrain.height(2, 1), 2, 1e-12);
  EXPECT_NEAR(filled.terrain.height(2, 2), 2, 1e-12);
  EXPECT_NEAR(filled.terrain.height(5, 0), (4 + 4 + 5) / 3.0, 1e-12);
  EXPECT_TRUE(contains(filled.warnings.at(0), "srtm.asc: 3 cells without a height filled from around"));
}

/// The plane rises by 1 m in each column and 0.5 m in each row, from 100 m above the sea.
TEST_F(TerrainCase, RoofsAboveTheSeaStandOnTheGround) {
  put(folder_ / "city.geojson", R"({"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"roof": 125}, "geometry": {"type": "Polygon", "coordinates":
      [[[220, 310], [240, 310], [240, 330], [220, 330], [220, 310]]]}},
    {"type": "Feature", "properties": {"roof": 104}, "geometry": {"type": "Polygon", "coordinates":
      [[[250, 310], [260, 310], [260, 320], [250, 320], [250, 310]]]}}]})");
  whole_["buildings"] =
      json::parse(R"([{"kind": "geojson", "file": "city.geojson", "height": "roof", "heights_from": "sea"}])");
  WindCase const found = read();
  ASSERT_EQ(found.buildings.size(), 1u);
  EXPECT_EQ(found.buildings[0].ground, 2.5) << "above the lowest ground of the domain";
  EXPECT_EQ(found.buildings[0].height, 125 - 102.5);
  EXPECT_EQ(found.buildings[0].top(), 25);
  EXPECT_TRUE(std::any_of(found.warnings.begin(), found.warnings.end(), [](std::string const& warning) {
    return contains(warning, "city.geojson: 1 building left out, with a roof above the sea that is below the ground");
  }));
  whole_.erase("terrain");
  EXPECT_TRUE(contains(refusal(), "/buildings/0/heights_from: \"sea\": expected a /terrain for heights above the sea"))
      << refusal();
}

TEST_F(TerrainCase, EveryFaultIsOneLine) {
  auto const with = [&](json const& terrain) {
    json const before = whole_;
    whole_["terrain"].update(terrain);
    std::string const message = refusal();
    whole_ = before;
    return message;
  };
  EXPECT_TRUE(
      contains(with({{"origin", {790, 1730}}}),
               "/terrain/file: \"hill.asc\": expected heights in the whole domain, x from 205 to 255 and y from "
               "305 to 335 m; hill.asc covers x from 210 to 270 and y from 270 to 310 m there; change "
               "/terrain/origin or the file"))
      << with({{"origin", {790, 1730}}});
  EXPECT_TRUE(contains(with({{"level", 101}}),
                       "/terrain/level: 101: expected at most the lowest height of the terrain, 100 m at x = 205, y = "
                       "305 m"));
  EXPECT_TRUE(contains(with({{"level", 0}}),
                       "no air above the terrain: it rises to 106.5 m at x = 255, y = 335 m, the "
                       "domain top is at 40 m; extend /domain/layers to at least 126 m"))
      << with({{"level", 0}});
  // Places on maps keep their metres.
  whole_["domain"]["origin"] = {1748200, 5427300};
  EXPECT_TRUE(contains(with({{"level", 0}, {"origin", {-1747200, -5425300}}}),
                       "it rises to 106.5 m at x = 1748255, y = 5427335 m, the domain top"))
      << with({{"level", 0}, {"origin", {-1747200, -5425300}}});
  whole_["domain"]["origin"] = {200, 300};
  EXPECT_THROW(
      {
        whole_["terrain"]["file"] = "none.asc";
        read();
      },
      FileError);
  put(folder_ / "gaps.asc",
      "ncols 6\nnrows 4\nxllcorner 1000\nyllcorner 2000\ncellsize 10\n1 2 3 4 5 6\n1 2 3 4 -9999 6\n1 2 3 4 5 "
      "6\nnan 2 3 4 5 6\n");
  EXPECT_TRUE(contains(
      with({{"file", "gaps.asc"}}),
      "gaps.asc has none in 2 of 24 columns, the first at x = 205, y = 305 m; give \"gaps\": \"fill\" in /terrain"))
      << with({{"file", "gaps.asc"}});
  put(folder_ / "degrees.asc", "ncols 2\nnrows 2\nxllcorner 13.4\nyllcorner 52.5\ncellsize 0.01\n1 2\n3 4\n");
  EXPECT_TRUE(contains(with({{"file", "degrees.asc"}}),
                       "expected positions in metres: all of degrees.asc lies within 0.02 m, less than a cell"));
  put(folder_ / "broken.asc", "ncols 2\nrows 2\n");
  EXPECT_TRUE(contains(with({{"file", "broken.asc"}}), "broken.asc:2: \"rows\": expected a value, or a key"));
}

TEST_F(TerrainCase, BuildingsStandOnTheLowestGroundUnderThem) {
  // Over the columns 1 to 3 of row 1, of the heights 1.5, 2.5 and 3.5 m.
  whole_["buildings"] = json::parse(R"([
    {"kind": "block", "position": [225, 315], "size": [30, 10, 8]},
    {"kind": "stack", "position": [245, 335], "storeys": [{"size": [20, 10, 4]}, {"size": [10, 10, 4], "offset": [5, 0]}]},
    {"kind": "bridge", "position": [215, 335], "size": [10, 10, 2], "base": 6}])");
  WindCase const wind_case = read();
  ASSERT_EQ(wind_case.buildings.size(), 4u);
  Building const& block = wind_case.buildings[0];
  EXPECT_EQ(block.ground, 1.5);
  EXPECT_EQ(block.base, 1.5);
  EXPECT_EQ(block.roof_height(), 8);
  GroundUnder const under = ground_under(block, wind_case.terrain, wind_case.grid);
  EXPECT_EQ(under.lowest, 1.5);
  EXPECT_EQ(under.highest, 3.5);
  EXPECT_EQ(wind_case.buildings[1].ground, 4.5) << "columns 3 and 4 of the last row, of 4.5 and 5.5 m";
  EXPECT_EQ(wind_case.buildings[2].ground, 4.5) << "the storeys of a stack are raised as one";
  EXPECT_EQ(wind_case.buildings[2].base, 8.5);
  EXPECT_EQ(wind_case.buildings[3].ground, 2.5);
  EXPECT_EQ(wind_case.buildings[3].base, 8.5);
  // The zones count their reference speed from the ground, too.
  ZonePlan const plan = plan_zones(wind_case);
  for (BuildingZones const& zone : plan.zones)
    EXPECT_EQ(zone.roof_speed, wind_case.profile.speed_at(zone.base + zone.height - zone.ground));
}

TEST_F(TerrainCase, BuriedBuildingsAreRefused) {
  // A stack on the slope: its upper storey lies on the uphill side.
  std::string text = "ncols 6\nnrows 4\nxllcorner 1000\nyllcorner 2000\ncellsize 10\n";
  for (int j = 0; j < 4; ++j) text += "0 0 12 12 12 12\n";
  put(folder_ / "step.asc", text);
  whole_["terrain"]["file"] = "step.asc";
  whole_["buildings"] = json::parse(R"([{"kind": "stack", "position": [220, 315],
    "storeys": [{"size": [20, 10, 4]}, {"size": [10, 10, 4], "offset": [5, 0]}]}])");
  EXPECT_TRUE(contains(refusal(), "/buildings/0: "));
  EXPECT_TRUE(contains(refusal(),
                       "storey 1 of building 0 is below the ground, which rises to 12 m under its roof at 8 "
                       "m; expected a roof above the terrain: raise its height or base"))
      << refusal();
  // A part of a building may be.
  whole_["buildings"] = json::parse(R"([{"kind": "block", "position": [220, 315], "size": [20, 10, 4]}])");
  std::vector<std::string> const warnings = read().warnings;
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [](std::string const& line) {
    return line == "the terrain under building 0 rises 8 m above its roof at 4 m: its uphill part is below the ground";
  }));
}

TEST_F(TerrainCase, SamplesAboveTheGroundStayBelowTheTop) {
  whole_["outputs"] = json::parse(R"({"pedestrian": {"height": 34}, "probes": [
    {"kind": "point", "name": "mast", "position": [205, 305, 39]},
    {"kind": "line", "name": "street", "from": [205, 305, 36], "to": [255, 305, 36]}]})");
  std::string const message = message_of<CaseError>([&] { read(); });
  EXPECT_TRUE(contains(message,
                       "/outputs/pedestrian/height: 34: expected samples below the domain top at 40 m; 34 m "
                       "above the terrain is 40.5 m"))
      << message;
  EXPECT_TRUE(contains(message, "/outputs/probes/1: ")) << message;
  EXPECT_FALSE(contains(message, "/outputs/probes/0: ")) << message;
}

TEST(Terrain, TheHaloEndsFlatOnEverySide) {
  UniformGrid const grid({20, 16, 4}, {5, 5, 5});
  std::vector<double> heights;
  for (int j = 0; j < 16; ++j) {
    for (int i = 0; i < 20; ++i) heights.push_back(10 + i + 0.5 * j);
  }
  std::vector<double> const before = heights;
  flatten_sides(grid, 0, heights);
  EXPECT_EQ(heights, before);
  flatten_sides(grid, 20, heights);
  // The mean of the outermost columns of a plane is its middle.
  double const side = 10 + 9.5 + 3.75;
  for (int j = 0; j < 16; ++j) {
    for (int i = 0; i < 20; ++i) {
      auto const n = static_cast<std::size_t>(j * 20 + i);
      int const columns = std::min({i, 19 - i, j, 15 - j});
      double const share = columns >= 4 ? 1 : 0.5 * (1 - std::cos(M_PI * columns / 4));
      EXPECT_NEAR(heights[n], side + share * (before[n] - side), 1e-12) << i << ' ' << j;
    }
  }
}

TEST(Terrain, LayersBelowAHeight) {
  UniformGrid const grid({1, 1, 4}, {1, 1, 2});
  EXPECT_EQ(layers_below(grid, 0), 0);
  EXPECT_EQ(layers_below(grid, 1), 0) << "a centre on the ground is air";
  EXPECT_EQ(layers_below(grid, 1.001), 1);
  EXPECT_EQ(layers_below(grid, 7), 3);
  EXPECT_EQ(layers_below(grid, 100), 4);
}

TEST(Terrain, TheTableFollowsTheProfile) {
  Profile log;
  log.speed = 5;
  log.roughness = 0.1;
  Profile stable = log;
  stable.obukhov_length = 50;
  Profile power = log;
  power.kind = Profile::Kind::power;
  power.exponent = 0.2;
  Profile canopy = log;
  canopy.kind = Profile::Kind::canopy;
  canopy.canopy_height = 8;
  canopy.attenuation = 1.5;
  canopy.roughness = 0.5;
  Profile measured = log;
  measured.kind = Profile::Kind::measured;
  measured.heights = {2, 10, 60};
  measured.speeds = {2, 4, 7};
  measured.turning = {0, 5, 30};
  for (Profile const* profile : {&log, &stable, &power, &canopy, &measured}) {
    ProfileTable const table = tabulate(*profile, 200);
    UndisturbedWind wind;
    wind.speed = table.speed.data();
    wind.heading_x = table.heading_x.data();
    wind.heading_y = table.heading_y.data();
    wind.count = profile_heights;
    wind.scale = table.scale;
    wind.inverse_step = 1 / table.step;
    double const tolerance = profile == &log ? 1e-13 : profile == &measured ? 1e-4 : 1e-6;
    for (double above : {0.0, 0.05, 0.5, 1.0, 2.0, 7.9, 8.1, 33.0, 59.9, 60.0, 150.0, 199.99}) {
      WindAt const here = wind.at(0, 7 + above, 7);
      double const expected = profile->speed_at(above);
      EXPECT_NEAR(here.speed, expected, tolerance * (expected + 1e-3)) << above;
      auto const heading = profile->heading_at(above);
      EXPECT_NEAR(here.heading_x, heading[0], 1e-4) << above;
      EXPECT_NEAR(here.heading_y, heading[1], 1e-4) << above;
    }
    EXPECT_EQ(wind.at(0, 3, 7).speed, profile->speed_at(0)) << "below the ground";
  }
}

TEST(Terrain, PlausibilityCountsHeightsFromTheGround) {
  WindCase wind_case;
  wind_case.grid = UniformGrid({120, 80, 24}, {2.5, 2.5, 2.5});
  wind_case.profile.speed = 5;
  wind_case.profile.roughness = 0.1;
  auto const warnings = [&] {
    return plausibility_warnings(wind_case, [](Building const&) { return std::string("building 0"); });
  };
  std::vector<double> heights(120 * 80, 20.0);
  wind_case.terrain = Terrain(wind_case.grid, heights);
  Building building;
  building.x = 150;
  building.y = 100;
  building.length = building.width = building.height = 10;
  building.base = building.ground = 20;
  wind_case.buildings = {building};
  EXPECT_EQ(warnings(), std::vector<std::string>{}) << "a lid of 40 m above a building of 10 m";
  // A hill of 21 m above the lowest ground.
  heights[60 * 120 + 60] = 41;
  wind_case.terrain = Terrain(wind_case.grid, heights);
  EXPECT_EQ(
      warnings(),
      std::vector<std::string>{
          "the domain top, 40 m above the lowest ground, is less than 4 times as high as the highest ground, 21 m "
          "above it: the lid changes the flow there; extend /domain/layers to at least 104 m"});
  wind_case.terrain = Terrain(wind_case.grid, std::vector<double>(120 * 80, 20.0));
  wind_case.buildings[0].height = 22;
  wind_case.buildings[0].length = wind_case.buildings[0].width = 2.5;
  ASSERT_FALSE(warnings().empty());
  EXPECT_EQ(
      warnings()[0],
      "the domain top, 40 m above the lowest ground, is less than 2 times as high as the highest roof, 22 m above "
      "it (building 0): the lid changes the flow there; extend /domain/layers to at least 64 m");
  // A slope along the sides.
  wind_case.buildings.clear();
  for (std::size_t n = 0; n < heights.size(); ++n) heights[n] = 20 + 0.05 * static_cast<double>(n % 120);
  wind_case.terrain = Terrain(wind_case.grid, heights);
  EXPECT_EQ(warnings(),
            std::vector<std::string>{"the terrain along the sides of the domain goes from 20 to 25.95 m, more than a "
                                     "layer: the sides are no flat inflow; set /terrain/halo"});
}

TEST(Terrain, SamplesBelowTheLowestLayerFollowTheProfile) {
  UniformGrid const grid({3, 1, 8}, {10, 10, 2});
  Profile profile;
  profile.speed = 5;
  profile.roughness = 0.1;
  // Columns of 0, 4 and 4.5 m: the layers 0, 2 and 2 are the lowest of air.
  Terrain const terrain(grid, {0, 4, 4.5});
  VelocityInterpolation interpolation(grid, profile, &terrain);
  auto const low = interpolation.at({15, 5, 4.4});
  EXPECT_EQ(low.k, 2);
  EXPECT_EQ(low.center_k, 2);
  EXPECT_EQ(low.center_z, 0);
  EXPECT_EQ(low.ground, profile.speed_at(4.4 - 4) / profile.speed_at(1));
  EXPECT_EQ(interpolation.undisturbed_speed(low), low.ground * profile.speed_at(1));
  auto const higher = interpolation.at({25, 5, 6.5});
  EXPECT_EQ(higher.ground, 1);
  EXPECT_NEAR(interpolation.undisturbed_speed(higher), 0.25 * profile.speed_at(0.5) + 0.75 * profile.speed_at(2.5),
              1e-12);
  auto const buried = interpolation.at({25, 5, 1.5});
  EXPECT_EQ(buried.k, 0) << "a cell of the ground";
  // Stairs above the ground: the layer centre at 5 m is above it, that at 3 m is not, but its cell ends at 4 m.
  Terrain const gentle(grid, {0, 3.2, 3.2});
  VelocityInterpolation on_stairs(grid, profile, &gentle);
  auto const in_stair = on_stairs.at({15, 5, 3.5});
  EXPECT_EQ(in_stair.k, 2);
  EXPECT_EQ(in_stair.share_z, 0);
  EXPECT_EQ(in_stair.ground, profile.speed_at(3.5 - 3.2) / profile.speed_at(5 - 3.2));
}

}  // namespace wind_terrain_test
