// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/error.hpp>
#include <karman/io/raster.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ascii_grid_test {

using namespace karman;
using namespace karman::test;

std::string const hill =
    "NCOLS 3\nnrows 2\nXllCorner 100\nyllcorner\t-50\r\ncellsize 10\nNODATA_value -1\n"
    "1 2 3\n4.5 -1 +6e0\n";

class AsciiGrid : public testing::Test {
 protected:
  Raster read(std::string const& text) {
    put(folder_ / "hill.asc", text);
    return read_ascii_grid(folder_ / "hill.asc");
  }
  std::string refusal(std::string const& text) {
    return message_of<CaseError>([&] { read(text); });
  }
  /// The refusal of the hill with one part replaced, after the name of the file.
  std::string replaced(std::string const& part, std::string const& other) {
    std::string text = hill;
    text.replace(text.find(part), part.size(), other);
    std::string const message = refusal(text);
    std::string const name = (folder_ / "hill.asc").string();
    EXPECT_EQ(message.substr(0, name.size()), name);
    return message.substr(name.size());
  }

  TemporaryFolder folder_;
};

TEST_F(AsciiGrid, RowsGoFromSouthToNorth) {
  Raster const raster = read(hill);
  EXPECT_EQ(raster.columns, 3);
  EXPECT_EQ(raster.rows, 2);
  EXPECT_EQ(raster.corner, (std::array<double, 2>{100, -50}));
  EXPECT_EQ(raster.spacing, (std::array<double, 2>{10, 10}));
  EXPECT_EQ(raster.end(), (std::array<double, 2>{130, -30}));
  ASSERT_EQ(raster.values.size(), 6u);
  EXPECT_EQ(raster.values[0], 4.5);
  EXPECT_TRUE(std::isnan(raster.values[1])) << "no data";
  EXPECT_EQ(raster.values[2], 6);
  EXPECT_EQ(raster.values[3], 1);
  EXPECT_EQ(raster.values[5], 3);
}

TEST_F(AsciiGrid, CentersOblongCellsAndNanAreUnderstood) {
  Raster const raster = read("ncols 2\nnrows 1\nxllcenter 5\nyllcenter 2\ndx 10\ndy 4\nnan -9999\n");
  EXPECT_EQ(raster.corner, (std::array<double, 2>{0, 0}));
  EXPECT_EQ(raster.spacing, (std::array<double, 2>{10, 4}));
  EXPECT_TRUE(std::isnan(raster.values[0]));
  EXPECT_TRUE(std::isnan(raster.values[1])) << "-9999 is the usual mark of no data";
}

TEST_F(AsciiGrid, InterpolationIsBilinearBetweenTheCenters) {
  // z = 2 + x / 10 + y / 5 + x y / 100 at the centres.
  Raster raster;
  raster.columns = 4;
  raster.rows = 3;
  raster.corner = {0, 0};
  raster.spacing = {10, 20};
  auto const plane = [](double x, double y) { return 2 + x / 10 + y / 5 + x * y / 100; };
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) raster.values.push_back(plane(5 + 10 * column, 10 + 20 * row));
  }
  for (double x : {5.0, 7.5, 15.0, 34.0, 35.0}) {
    for (double y : {10.0, 20.0, 33.0, 50.0}) EXPECT_NEAR(raster.at(x, y), plane(x, y), 1e-13) << x << ' ' << y;
  }
  EXPECT_EQ(raster.at(0, 0), raster.values[0]) << "constant beyond the outermost centres";
  EXPECT_EQ(raster.at(40, 60), raster.values[11]);
  EXPECT_TRUE(std::isnan(raster.at(-0.1, 30)));
  EXPECT_TRUE(std::isnan(raster.at(20, 60.1)));
  raster.values[5] = NAN;
  EXPECT_TRUE(std::isnan(raster.at(12, 28)));
  EXPECT_FALSE(std::isnan(raster.at(25, 30))) << "a missing neighbour without weight";
}

TEST_F(AsciiGrid, NamesTheLineOfEveryFault) {
  EXPECT_EQ(replaced("NCOLS", "NROWS"), ":2: \"nrows\": expected each key once");
  EXPECT_EQ(replaced("NCOLS", "columns"),
            ":1: \"columns\": expected a value, or a key of an ESRI ASCII grid: ncols, nrows, xllcorner, xllcenter, "
            "yllcorner, yllcenter, cellsize, dx, dy or NODATA_value");
  EXPECT_EQ(replaced("NCOLS 3\n", ""), ":6: \"1\": expected ncols, an integer from 1 to 2^24, before the values");
  EXPECT_EQ(replaced("nrows 2", "nrows 2.5"),
            ":7: \"1\": expected nrows, an integer from 1 to 2^24, before the values");
  EXPECT_EQ(replaced("cellsize 10", "cellsize 0"),
            ":7: \"1\": expected cellsize (or dx and dy), a number > 0, before the values");
  EXPECT_EQ(replaced("cellsize 10", "cellsize ten"), ":5: \"ten\": expected a number after cellsize");
  EXPECT_EQ(replaced("Corner 100", "Corner nan"), ":3: \"nan\": expected a number after xllcorner");
  EXPECT_EQ(replaced("XllCorner", "dx"), ":7: \"1\": expected one of xllcorner and xllcenter before the values");
  EXPECT_EQ(replaced("4.5", "high"), ":8: \"high\": expected a number, value 1 of row 2 of 2");
  EXPECT_EQ(replaced("4.5", "inf"), ":8: \"inf\": expected a number, value 1 of row 2 of 2");
  EXPECT_EQ(replaced(" +6e0", ""), ":9: end of the file: expected a number, value 3 of row 2 of 2");
  EXPECT_EQ(replaced("1 2 3", "1 2 3 4"), ":8: \"+6e0\": expected the end of the file after 2 rows");
  EXPECT_EQ(replaced("NCOLS 3", "NCOLS 30000"),
            ":7: \"30000 x 2\": expected at most 9 cells for the size of this file");
  EXPECT_NE(refusal("").find(":1: end of the file: expected ncols"), std::string::npos);
  EXPECT_THROW(read_ascii_grid(folder_ / "missing.asc"), FileError);
  put(folder_ / "hill.asc", hill);
  EXPECT_THROW(read_ascii_grid(folder_ / "hill.asc", {.most_bytes = 10}), FileError);
  EXPECT_NE(message_of<CaseError>([&] {
              read_ascii_grid(folder_ / "hill.asc", {.most_cells = 5});
            }).find("\"3 x 2\": expected at most 5 cells"),
            std::string::npos);
}

TEST_F(AsciiGrid, AnyBytesGiveARasterOrOneLine) {
  std::mt19937 random(5);
  int refused = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    std::string text = hill;
    for (unsigned n = 0; n < 1 + random() % 3; ++n) {
      std::size_t const at = random() % text.size();
      constexpr std::string_view bytes = "0123456789-+.e nNx\n\xff";
      if (random() % 3 == 0) text.erase(at, 1 + random() % 8);
      else text[at] = bytes[random() % bytes.size()];
    }
    try {
      Raster const raster = read(text);
      ASSERT_EQ(raster.values.size(), static_cast<std::size_t>(raster.columns) * static_cast<std::size_t>(raster.rows));
      for (double value : raster.values) ASSERT_FALSE(std::isinf(value));
    } catch (CaseError const& error) {
      ASSERT_TRUE(is_one_line(error.what())) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 300);
}

}  // namespace ascii_grid_test
