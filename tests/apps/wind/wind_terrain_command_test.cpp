// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs over a terrain: the output, the shipped case, and the messages.
#include "apps/common/run_command.hpp"
#include "apps/common/small_case.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace wind_terrain_command_test {

using namespace karman;
using namespace karman::test;
using nlohmann::json;

json terrain_case() {
  json whole = json::parse(small_wind_case);
  whole["terrain"] = json::parse(small_wind_terrain);
  whole["outputs"].erase("watch");
  whole["outputs"]["fields"] = {"flag", "velocity"};
  return whole;
}

TEST(WindTerrainCommand, WritesTheHeightsAndSamplesAboveThem) {
  Workplace const place;
  place.write("case.json", terrain_case().dump(2));
  place.write(small_wind_heights_file, small_wind_heights);
  Outcome const dry = place.karman({"wind", "case.json", "--dry-run"});
  EXPECT_NE(dry.out.find("terrain     0 to 2.9"), std::string::npos) << dry.out;
  Outcome const outcome = place.karman({"wind", "case.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Hdf5File const file = Hdf5File::open(place.path("results/case/wind.h5"));
  auto const heights = file.read_vector<double>("/terrain/height");
  auto const flags = file.read_vector<std::uint8_t>("/cells/flag");
  ASSERT_EQ(heights.size(), 50u * 48);
  auto const z = file.read_vector<double>("/grid/z_center");
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(heights[i], heights[0]) << "flat sides after the halo";
  for (std::size_t j = 0; j < 48; ++j) EXPECT_EQ(heights[j * 50 + 49], heights[0]);
  // The cells below the ground have the flag 2, and no others.
  for (std::size_t column = 0; column < heights.size(); ++column) {
    for (std::size_t k = 0; k < z.size(); ++k)
      ASSERT_EQ(flags[k * heights.size() + column] == 2, z[k] < heights[column]) << column << ' ' << k;
  }
  EXPECT_EQ(file.read_string("/cells/flag", "flag_meanings"),
            "solid air terrain upwind_cavity cavity wake canyon sidewall rooftop");
  EXPECT_EQ(file.read_string("/grid/z", "long_name"), "height above z = 0");
  // The mast is 5 m above the ground of its column.
  auto const mast = file.read_vector<double>("/probes/mast/position");
  std::size_t const column = static_cast<std::size_t>((-40 + 72) / 2) * 50 + static_cast<std::size_t>((110 - 74) / 2);
  EXPECT_EQ(mast[2], 5 + heights[column]);
  // Buildings are on the lowest ground under them; maps have a value wherever there is no building.
  Table const table = file.read_table("/buildings");
  for (double base : table.values[6]) EXPECT_GT(base, 1);
  auto const speed = file.read_vector<double>("/pedestrian/speed");
  auto const missing = std::count_if(speed.begin(), speed.end(), [](double s) { return std::isnan(s); });
  EXPECT_GT(missing, 15);
  EXPECT_LT(missing, 40);
}

TEST(WindTerrainCommand, FaultsOfAFileAreOneLine) {
  Workplace const place;
  place.write("case.json", terrain_case().dump(2));
  Outcome const missing = place.karman({"wind", "case.json", "--dry-run"});
  EXPECT_EQ(missing.exit_code, 4);
  EXPECT_EQ(line_count(missing.err), 1) << missing.err;
  place.write(small_wind_heights_file, "ncols x");
  Outcome const malformed = place.karman({"wind", "case.json", "--dry-run"});
  EXPECT_EQ(malformed.exit_code, 2);
  EXPECT_EQ(line_count(malformed.err), 1) << malformed.err;
  EXPECT_NE(malformed.err.find("heights.asc:1: \"x\": expected a number after ncols"), std::string::npos)
      << malformed.err;
}

}  // namespace wind_terrain_command_test
