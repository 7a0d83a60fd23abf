// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Probes, pedestrian maps, regions and number types in the files of a run.
#include "apps/common/command_of.hpp"
#include "apps/common/small_case.hpp"
#include <karman/io/hdf5_file.hpp>

#include <nlohmann/json.hpp>
#include <signal.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace wind_outputs_test {

using namespace karman::test;
using karman::ArrayExtents;
using karman::Hdf5File;
using karman::ScalarType;

class WindOutputs : public CommandOf {
 protected:
  WindOutputs() : CommandOf("wind", small_wind_case) {}

  Hdf5File result(std::string const& folder, std::vector<std::string> const& settings = {}) {
    std::vector<std::string> words{"--output", folder};
    for (std::string const& setting : settings) words.insert(words.end(), {"--set", setting});
    Outcome const outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Hdf5File::open(place_.path(folder + "/wind.h5"));
  }
};

constexpr std::size_t nx = 50, ny = 48, nz = 12;

/// Lines of a text.
std::vector<std::string> lines(std::string const& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

TEST_F(WindOutputs, ProbesAreInHdf5AndCsvAlike) {
  Hdf5File const file = result("out");
  EXPECT_EQ(file.read_string("/probes/mast", "kind"), "point");
  EXPECT_EQ(file.read_vector<double>("/probes/mast/position"), (std::vector<double>{110, -40, 5}));
  auto const mast = file.read_vector<double>("/probes/mast/velocity");
  ASSERT_EQ(mast.size(), 3u);
  double speed = 0;
  file.read("/probes/mast/speed", &speed, {});
  EXPECT_DOUBLE_EQ(speed, std::hypot(mast[0], mast[1], mast[2]));

  auto const points = lines(content(place_.path("out/points.csv")));
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0], "name,x,y,z,u,v,w,speed");
  EXPECT_EQ(points[1].rfind("mast,110,-40,5,", 0), 0u) << points[1];
  EXPECT_DOUBLE_EQ(std::stod(points[1].substr(15)), mast[0]);

  EXPECT_EQ(file.info("/probes/street/velocity").extents, ArrayExtents(std::size_t{11}, std::size_t{3}));
  EXPECT_EQ(file.read_vector<double>("/probes/street/x"),
            (std::vector<double>{105, 110, 115, 120, 125, 130, 135, 140, 145, 150, 155}));
  auto const street = file.read_vector<double>("/probes/street/speed");
  // Samples 2 to 4 are at x = 115, 120 and 125. The block spans 116 to 124.
  for (std::size_t n = 0; n < street.size(); ++n) EXPECT_EQ(std::isnan(street[n]), n == 3) << n;
  auto const rows = lines(content(place_.path("out/line_street.csv")));
  ASSERT_EQ(rows.size(), 12u);
  EXPECT_EQ(rows[0], "distance,x,y,z,u,v,w,speed");
  EXPECT_EQ(rows[4], "15,120,-26,3,nan,nan,nan,nan");

  EXPECT_EQ(file.read_vector<double>("/probes/tower/z"), file.read_vector<double>("/grid/z_center"));
  EXPECT_EQ(lines(content(place_.path("out/line_tower.csv"))).size(), nz + 1);

  EXPECT_EQ(file.info("/probes/section/velocity").extents, ArrayExtents(nz, nx, std::size_t{3}));
  EXPECT_EQ(file.read_string("/probes/section", "axis"), "y");
  EXPECT_EQ(file.read_double("/probes/section", "position"), -26);
  EXPECT_EQ(file.read_vector<double>("/probes/section/x"), file.read_vector<double>("/grid/x_center"));
}

TEST_F(WindOutputs, APlaneThroughCellMiddlesIsTheVelocityThere) {
  Hdf5File const file =
      result("out", {R"(/outputs/probes=[{"kind": "plane", "name": "p", "axis": "y", "position": -25}])"});
  // y = -25 is the centre of row 23.
  auto const velocity = file.read_vector<double>("/cells/velocity");
  auto const plane = file.read_vector<double>("/probes/p/velocity");
  auto const flag = file.read_vector<std::uint8_t>("/cells/flag");
  ASSERT_EQ(plane.size(), nz * nx * 3);
  std::size_t solid = 0;
  for (std::size_t k = 0; k < nz; ++k) {
    for (std::size_t i = 0; i < nx; ++i) {
      std::size_t const cell = (k * ny + 23) * nx + i;
      for (std::size_t c = 0; c < 3; ++c) {
        double const found = plane[(k * nx + i) * 3 + c];
        // One rounding of the positions, times a difference of at most 10 m/s between neighbors.
        if (flag[cell] != 0) ASSERT_NEAR(found, velocity[3 * cell + c], 1e-12) << k << ' ' << i;
        else ASSERT_TRUE(std::isnan(found));
      }
      solid += flag[cell] == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(solid, 10u);
}

TEST_F(WindOutputs, PedestrianMapsAreSpeedAndItsRatio) {
  Hdf5File const file = result("out");
  EXPECT_EQ(file.read_double("/pedestrian", "height"), 1.75);
  EXPECT_EQ(file.info("/pedestrian/speed").extents, ArrayExtents(ny, nx));
  EXPECT_EQ(file.read_vector<double>("/pedestrian/x"), file.read_vector<double>("/grid/x_center"));
  auto const speed = file.read_vector<double>("/pedestrian/speed");
  auto const factor = file.read_vector<double>("/pedestrian/speed_up");
  auto const flag = file.read_vector<std::uint8_t>("/cells/flag");
  // 1.75 m is in the second layer, of 1.6 to 3.2 m, between the centres at 0.8 and 2.4 m.
  auto const log = [](double z) { return 5 * std::log1p(z / 0.1) / std::log1p(100.0); };
  double const undisturbed = log(0.8) + (1.75 - 0.8) / 1.6 * (log(2.4) - log(0.8));
  double largest = 0;
  for (std::size_t n = 0; n < ny * nx; ++n) {
    ASSERT_EQ(std::isnan(speed[n]), flag[ny * nx + n] == 0) << n;
    ASSERT_EQ(std::isnan(factor[n]), std::isnan(speed[n])) << n;
    if (std::isnan(speed[n])) continue;
    ASSERT_NEAR(factor[n] * undisturbed, speed[n], 1e-12);
    largest = std::fmax(largest, factor[n]);
  }
  EXPECT_GT(largest, 1.01) << "beside the block the wind is faster";

  Hdf5File const empty = result("empty", {"/buildings=[]"});
  for (double ratio : empty.read_vector<double>("/pedestrian/speed_up")) EXPECT_NEAR(ratio, 1, 1e-14);
}

TEST_F(WindOutputs, ARegionIsThatPartOfTheWhole) {
  Hdf5File const whole = result("whole");
  // Centres from 101 to 119, -49 to -45, and the lowest two layers.
  Hdf5File const part = result("part", {R"(/outputs/region={"x": [100, 120], "y": [-50, -44], "z": [0, 2.5]})"});
  EXPECT_EQ(part.info("/faces/u").extents, ArrayExtents(2, 3, 11));
  EXPECT_EQ(part.info("/faces/w").extents, ArrayExtents(3, 3, 10));
  EXPECT_EQ(part.read_vector<double>("/grid/x").front(), 100);
  EXPECT_EQ(part.read_vector<double>("/grid/x").back(), 120);
  EXPECT_EQ(part.read_vector<double>("/grid/y_center"), (std::vector<double>{-49, -47, -45}));
  EXPECT_EQ(part.read_vector<double>("/grid/z").size(), 3u);
  auto const all = whole.read_vector<double>("/faces/u");
  auto const some = part.read_vector<double>("/faces/u");
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 11; ++i)
        EXPECT_EQ(some[(k * 3 + j) * 11 + i], all[(k * ny + j + 11) * (nx + 1) + i + 13]);
    }
  }
  std::string const xdmf = content(place_.path("part/wind.xdmf"));
  EXPECT_NE(xdmf.find("Dimensions=\"2 3 10 3\""), std::string::npos) << xdmf;
  EXPECT_EQ(part.info("/pedestrian/speed").extents, ArrayExtents(ny, nx)) << "samples are those of the whole domain";
}

TEST_F(WindOutputs, FieldsAreRoundedToTheirPrecision) {
  Hdf5File const exact = result("exact");
  Hdf5File const rounded = result("rounded", {"/outputs/precision=f32"});
  EXPECT_EQ(exact.info("/faces/u").type, ScalarType::float64);
  for (char const* name : {"/faces/u", "/cells/velocity", "/cells/lambda", "/cells/divergence_after"})
    EXPECT_EQ(rounded.info(name).type, ScalarType::float32) << name;
  EXPECT_EQ(rounded.info("/cells/flag").type, ScalarType::uint8);
  auto const long_values = exact.read_vector<double>("/cells/velocity");
  auto const short_values = rounded.read_vector<float>("/cells/velocity");
  ASSERT_EQ(long_values.size(), short_values.size());
  for (std::size_t n = 0; n < long_values.size(); ++n) ASSERT_EQ(static_cast<float>(long_values[n]), short_values[n]);
  EXPECT_NE(content(place_.path("rounded/wind.xdmf")).find("Precision=\"4\""), std::string::npos);
  EXPECT_EQ(content(place_.path("exact/wind.xdmf")).find("Precision=\"4\""), std::string::npos);
}

TEST_F(WindOutputs, FollowTheConventionsOfNetcdf) {
  Hdf5File const file = result("out");
  EXPECT_EQ(file.read_string("/", "Conventions"), "CF-1.10");
  // The coordinates are in "/", around every group that uses them.
  for (char const* name : {"x", "y", "z", "x_center", "y_center", "z_center"}) {
    EXPECT_EQ(file.read_vector<double>(std::string("/") + name),
              file.read_vector<double>(std::string("/grid/") + name));
    EXPECT_EQ(file.read_string(std::string("/") + name, "units"), "m");
    EXPECT_EQ(file.read_string(std::string("/") + name, "axis"), std::string(1, char(std::toupper(name[0]))));
  }
  EXPECT_EQ(file.read_string("/z", "positive"), "up");
  EXPECT_EQ(file.read_string("/faces/w", "standard_name"), "upward_air_velocity");
  EXPECT_EQ(file.read_string("/cells/flag", "flag_meanings"),
            "solid air upwind_cavity cavity wake canyon sidewall rooftop");
  EXPECT_EQ(file.read_string("/pedestrian/speed_up", "units"), "1");
}

/// The folder of the output exists before the set-up begins.
TEST_F(WindOutputs, DoNotExistAfterASignalDuringTheSetUp) {
  for (std::string const more : {"/title=plain", "/sweep={\"rose\": {\"kind\": \"even\", \"count\": 4}}"}) {
    pid_t const process = place_.start({"wind", "case.json", "--output", "out", "--set", "/domain/cells=[600, 600]",
                                        "--set", "/outputs={}", "--set", more});
    for (int wait = 0; wait < 60000 && !std::filesystem::exists(place_.path("out")); ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ::kill(process, SIGTERM);
    Outcome const stopped = place_.wait(process);
    EXPECT_EQ(stopped.exit_code, 128 + SIGTERM) << stopped.err;
    EXPECT_NE(stopped.err.find("by a signal during the set-up; no results and no checkpoint"), std::string::npos)
        << stopped.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path("out")));
  }
}

TEST_F(WindOutputs, OfTheDryRunAreAtLeastThoseOfTheRun) {
  std::vector<std::string> const settings{"--set", "/outputs/compression=0", "--set", "/outputs/precision=f64"};
  std::vector<std::string> words{"--dry-run"};
  words.insert(words.end(), settings.begin(), settings.end());
  std::string const report = run(words).out;
  std::size_t const at = report.find("disk ");
  ASSERT_NE(at, std::string::npos) << report;
  std::istringstream stream(report.substr(at + 5));
  double announced = 0;
  std::string unit;
  stream >> announced >> unit;
  double const factor = unit == "MB" ? 1e6 : unit == "kB" ? 1e3 : unit == "GB" ? 1e9 : 0;
  ASSERT_GT(factor, 0) << report;
  words = {"--output", "out"};
  words.insert(words.end(), settings.begin(), settings.end());
  ASSERT_EQ(run(words).exit_code, 0);
  double written = 0;
  for (auto const& entry : std::filesystem::directory_iterator(place_.path("out")))
    written += static_cast<double>(entry.file_size());
  EXPECT_GE(announced * factor, written);
  // Two checkpoints and a megabyte for tables are in the announcement.
  EXPECT_LE(announced * factor, 4 * written + 1e6);
}

TEST_F(WindOutputs, WarnsOfAPointInABuilding) {
  Outcome const outcome = run({"--output", "out", "--set",
                               R"(/outputs/probes=[{"kind": "point", "name": "inside", "position": [120, -26, 2]},
             {"kind": "point", "name": "also", "position": [121, -26, 2]},
             {"kind": "point", "name": "above", "position": [120, -26, 12]}])"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err,
            "karman wind: the probe inside (and 1 more) is inside a building: its velocity is not a number\n");
  auto const points = lines(content(place_.path("out/points.csv")));
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[1], "inside,120,-26,2,nan,nan,nan,nan");
  EXPECT_EQ(points[3].find("nan"), std::string::npos);
}

TEST_F(WindOutputs, OverwritesNoFileOfAProbe) {
  std::filesystem::create_directories(place_.path("out"));
  place_.write("out/line_street.csv", "mine");
  Outcome const outcome = run({"--output", "out"});
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(content(place_.path("out/line_street.csv")), "mine");
}

}  // namespace wind_outputs_test
