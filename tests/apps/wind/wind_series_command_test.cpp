// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Series of readings: fields, files, interruption, CSV, wrong series.
#include "apps/common/command_of.hpp"
#include "apps/common/small_case.hpp"
#include "xdmf_references.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace wind_series_command_test {

using namespace karman::test;
using karman::Hdf5File;
using nlohmann::json;

class SeriesCommand : public CommandOf {
 protected:
  SeriesCommand() : CommandOf("wind", small_wind_case) {}

  static json sensors(std::size_t count = 2) {
    json all = json::parse(R"({"sensors": [
      {"name": "west", "position": [80, -50], "direction": 270,
       "profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}},
      {"name": "east", "position": [170, 10], "direction": 270,
       "profile": {"kind": "measured", "heights": [4, 12], "speeds": [2, 3], "roughness": 0.1}}]})");
    while (all["sensors"].size() > count) all["sensors"].erase(all["sensors"].size() - 1);
    return all;
  }
  Outcome series(std::string const& text, std::vector<std::string> more = {"--output", "out"},
                 json const& wind = sensors()) {
    more.insert(more.end(),
                {"--set", R"(/outputs={"probes": [{"kind": "point", "name": "gap", "position": [130, -20, 2]}]})",
                 "--set", "/solver/method=mg_pcg", "--set", "/wind=" + wind.dump(), "--set", "/series=" + text});
    return run(more);
  }
  void refused(std::string const& text, std::vector<std::string> const& parts, json const& wind = sensors()) {
    Outcome const outcome = series(text, {"--output", "bad"}, wind);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    for (std::string const& part : parts) EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
};

std::string const three_times = R"({"height": 3, "times": [{"time": 0, "readings": [[5, 270], [2, 280]]},
    {"time": 0.5, "readings": [[6, 275], [3, 285]]}, {"time": 2, "readings": [[4, 300], [2, 310]]}]})";

TEST_F(SeriesCommand, HasAFieldOfEveryTime) {
  Outcome const outcome = series(three_times);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("3 times"), std::string::npos) << outcome.out;
  EXPECT_EQ(karman::test::check_xdmf_references(place_.path("out/series.xdmf"), "/speed"),
            Hdf5File::open(place_.path("out/series.h5")).read_vector<double>("/time"));
  Hdf5File const file = Hdf5File::open(place_.path("out/series.h5"));
  EXPECT_EQ(file.read_string("/", "format"), "karman.wind_series");
  auto const times = file.read_table("/times");
  EXPECT_EQ(times.column("time"), (std::vector<double>{0, 0.5, 2}));
  for (double left : times.column("relative_divergence")) EXPECT_LE(left, 1e-9);
  EXPECT_EQ(file.read_vector<double>("/readings"),
            (std::vector<double>{5, 270, 2, 280, 6, 275, 3, 285, 4, 300, 2, 310}));
  auto const speed = file.read_vector<float>("/speed");
  EXPECT_EQ(speed.size(), 3u * 48 * 50);
  EXPECT_EQ(file.read_vector<float>("/probes/gap/velocity").size(), 9u);
}

/// A warm start changes the way to the result, not the result.
TEST_F(SeriesCommand, EveryTimeIsTheFieldOfItsReadingsAlone) {
  ASSERT_EQ(series(three_times).exit_code, 0);
  ASSERT_EQ(series(R"({"height": 3, "times": [{"time": 2, "readings": [[4, 300], [2, 310]]}]})", {"--output", "last"})
                .exit_code,
            0);
  auto const all = Hdf5File::open(place_.path("out/series.h5")).read_vector<float>("/speed");
  auto const last = Hdf5File::open(place_.path("last/series.h5")).read_vector<float>("/speed");
  ASSERT_EQ(all.size(), 3 * last.size());
  for (std::size_t n = 0; n < last.size(); ++n) {
    float const found = all[2 * last.size() + n];
    ASSERT_TRUE((std::isnan(found) && std::isnan(last[n])) || std::abs(found - last[n]) < 1e-5) << n;
  }
}

/// The first guess of the second time is its result. It takes no cycle, or only that after the wall law.
TEST_F(SeriesCommand, EqualTimesHaveEqualFields) {
  for (std::string const law : {"false", "true"}) {
    Outcome const outcome = series(R"({"height": 3, "times": [{"time": 0, "readings": [[5, 270], [2, 280]]},
        {"time": 1, "readings": [[5, 270], [2, 280]]}]})",
                                   {"--output", "out_" + law, "--set", "/parameterisations/wall_law=" + law});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    Hdf5File const file = Hdf5File::open(place_.path("out_" + law + "/series.h5"));
    auto const times = file.read_table("/times");
    EXPECT_LT(times.column("iterations")[1], times.column("iterations")[0]);
    EXPECT_LE(times.column("relative_divergence")[1], 1e-9);
    auto const speed = file.read_vector<float>("/speed");
    std::size_t const size = speed.size() / 2;
    for (std::size_t n = 0; n < size; ++n)
      ASSERT_TRUE(std::isnan(speed[n]) || std::abs(speed[n] - speed[size + n]) < 1e-5F) << n << ' ' << law;
  }
}

TEST_F(SeriesCommand, OneSensorIsTheCaseWithItsProfile) {
  std::string const one = R"({"height": 3, "times": [{"time": 0, "readings": [[6, 250]]}]})";
  ASSERT_EQ(series(one, {"--output", "out"}, sensors(1)).exit_code, 0);
  ASSERT_EQ(run({"--output", "plain", "--set", R"(/outputs={"pedestrian": {"height": 3}})", "--set",
                 "/solver/method=mg_pcg", "--set", "/wind/profile/speed=6", "--set", "/wind/direction=250"})
                .exit_code,
            0);
  auto const found = Hdf5File::open(place_.path("out/series.h5")).read_vector<float>("/speed");
  auto const plain = Hdf5File::open(place_.path("plain/wind.h5")).read_vector<double>("/pedestrian/speed");
  ASSERT_EQ(found.size(), plain.size());
  for (std::size_t n = 0; n < found.size(); ++n)
    ASSERT_TRUE((std::isnan(found[n]) && std::isnan(plain[n])) ||
                std::abs(static_cast<double>(found[n]) - plain[n]) < 1e-6);
}

TEST_F(SeriesCommand, ReadsACsvFile) {
  ASSERT_EQ(series(three_times).exit_code, 0);
  place_.write("met.csv",
               "# station data\ntime, east speed, east direction, west speed, west direction\n"
               "0,2,280,5,270\n0.5,3,285,6,275\n2,2,310,4,300\n");
  Outcome const outcome = series(R"({"height": 3, "file": "met.csv"})", {"--output", "csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Hdf5File const a = Hdf5File::open(place_.path("out/series.h5")), b = Hdf5File::open(place_.path("csv/series.h5"));
  EXPECT_EQ(a.read_vector<float>("/probes/gap/velocity"), b.read_vector<float>("/probes/gap/velocity"));
  EXPECT_EQ(a.read_vector<double>("/readings"), b.read_vector<double>("/readings"));
}

TEST_F(SeriesCommand, RefusesWrongSeriesInOneLine) {
  refused(
      R"({"times": [{"time": 1, "readings": [[5, 270], [2, 280]]}, {"time": 0.5, "readings": [[5, 270], [2, 280]]}]})",
      {"/series/times/1/time", "0.5 h after 1 h"});
  refused(R"({"times": [{"time": 1, "readings": [[5, 270]]}]})", {"time 1 h", "sensor \"east\" is missing"});
  refused(R"({"times": [{"time": 1, "readings": [[5, 270], [-2, 280]]}]})", {"time 1 h", "sensor \"east\""});
  refused("{}", {"/series", "either times or file"});
  json calm = sensors();
  calm["sensors"][1]["profile"]["speeds"][0] = 0;
  refused(three_times, {"sensor \"east\"", "above 0 at the lowest height"}, calm);
  std::string const head = "time,west speed,west direction,east speed,east direction\n";
  std::string const from_file = R"({"file": "bad.csv"})";
  for (auto const& [rows, part] :
       {std::pair{"0,5,270,2,inf\n", "sensor \"east\""}, std::pair{"0,5,270,two,280\n", "sensor \"east\""},
        std::pair{"0,,270,NA,280\n", "expected a reading at some time, found none"},
        std::pair{"2026-03-01,5,270,2,280\n1,5,270,2,280\n", "as in the rows before, found \"1\""},
        std::pair{"0,5,270,2\n", "time 0 h: expected 5 numbers, found 4"},
        std::pair{"0,5,270,2,280\n0,5,270,2,280\n", "0 h after 0 h"}, std::pair{"now,5,270,2,280\n", "expected a time"},
        std::pair{"", "expected a row per time"}}) {
    place_.write("bad.csv", head + rows);
    refused(from_file, {"/series/file", part});
  }
  place_.write("bad.csv", "time,west speed,west direction\n0,5,270\n");
  refused(from_file, {"column \"east speed\""});
}

TEST_F(SeriesCommand, ASeriesAtItsLastIterationContinues) {
  Outcome outcome = series(three_times, {"--output", "out", "--set", "/solver/max_iterations=2"});
  int runs = 1;
  for (; outcome.exit_code == 3 && runs < 8; ++runs) {
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    outcome = continued(outcome);
  }
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GE(runs, 2);
  EXPECT_EQ(Hdf5File::open(place_.path("out/series.h5")).read_table("/times").column("converged"),
            (std::vector<double>{1, 1, 1}));
}

/// At once, and without the memory that an endless or a wide file would take.
TEST_F(SeriesCommand, ReadsRegularFilesOnly) {
  auto const refused_file = [&](std::string const& name, int code, std::string const& part) {
    Conditions conditions;
    conditions.memory_limit = std::uint64_t{2} << 30;
    Outcome const outcome =
        place_.karman({"wind", "case.json", "--dry-run", "--set", "/outputs={}", "--set", "/wind=" + sensors().dump(),
                       "--set", R"(/series={"file": ")" + name + "\"}"},
                      conditions);
    EXPECT_EQ(outcome.exit_code, code) << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  ASSERT_EQ(mkfifo(place_.path("pipe.csv").c_str(), 0600), 0);
  refused_file("pipe.csv", 4, "pipe.csv: expected a regular file, found a pipe");
  refused_file("/dev/zero", 4, "/dev/zero: expected a regular file, found a device");
  refused_file(".", 4, "expected a regular file, found a folder");
  refused_file("none.csv", 4, "none.csv: No such file or directory");
  place_.write("large.csv", "time");
  std::filesystem::resize_file(place_.path("large.csv"), std::uintmax_t{1} << 40);
  refused_file("large.csv", 4, "large.csv: expected at most 256 MiB, found 1 TiB");
  place_.write("wide.csv", "time" + std::string(80'000'000, ','));
  refused_file("wide.csv", 2, "for each of 2 sensors, NAME speed and NAME direction, found 80000001 columns");
}

TEST_F(SeriesCommand, GoesOnFromACheckpointToTheSameBits) {
  std::string times;
  for (int n = 0; n < 12; ++n) {
    times += (n == 0 ? "" : ", ") + (R"({"time": )" + std::to_string(n)) + R"(, "readings": [[5, )" +
             std::to_string(250 + n) + "], [2, " + std::to_string(255 + n) + "]]}";
  }
  std::string const text = R"({"height": 3, "times": [)" + times + "]}";
  for (std::string const precision : {"f32", "f64"}) {
    std::string const set = "/solver/precision=" + precision, tolerance = "/solver/tolerance=1e-5";
    std::string const whole = "whole_" + precision, out = "out_" + precision, again = "again_" + precision;
    ASSERT_EQ(series(text, {"--output", whole, "--set", set, "--set", tolerance}).exit_code, 0);
    std::string const every = "/solver/checkpoint_every=1e-6";
    ASSERT_EQ(series(text, {"--output", out, "--set", set, "--set", tolerance, "--set", every}).exit_code, 0);
    // The last checkpoint has all times, the one before it lacks one.
    Outcome const goes_on = series(text, {"--output", again, "--set", set, "--set", tolerance, "--restart",
                                          place_.path(out + "/series.checkpoint.previous").string()});
    ASSERT_EQ(goes_on.exit_code, 0) << goes_on.err;
    Hdf5File const a = Hdf5File::open(place_.path(whole + "/series.h5"));
    Hdf5File const b = Hdf5File::open(place_.path(again + "/series.h5"));
    EXPECT_EQ(a.read_vector<float>("/probes/gap/velocity"), b.read_vector<float>("/probes/gap/velocity"));
    EXPECT_EQ(a.read_table("/times").column("iterations"), b.read_table("/times").column("iterations"));
    EXPECT_EQ(a.read_table("/times").column("relative_divergence"),
              b.read_table("/times").column("relative_divergence"));
  }
}

/// The wind between two stations over open ground hardly diverges: the rounding of single precision is reached before
/// the tolerance, which is automatic.
TEST(Stations, EndAtTheLimitOfSinglePrecision) {
  Workplace const place;
  place.write("case.json", R"({
    "domain": {"cells": [60, 60], "spacing": [50, 50], "layers": {"kind": "uniform", "count": 20, "thickness": 10}},
    "wind": {"sensors": [
      {"name": "low", "position": [500, 500], "direction": 270,
       "profile": {"kind": "log", "speed": 3, "height": 10, "roughness": 0.1}},
      {"name": "high", "position": [2400, 2400], "direction": 300,
       "profile": {"kind": "log", "speed": 4, "height": 10, "roughness": 0.1}}]}})");
  Outcome const outcome = place.karman({"wind", "case.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("not reached, at the limit of single precision: max |div u| dx / U is "),
            std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.err.find("NOT CONVERGED"), std::string::npos) << outcome.err;
  Outcome const series = place.karman(
      {"wind", "case.json", "--output", "series", "--set",
       R"(/series={"times": [{"time": 0, "readings": [[3, 270], [4, 300]]}, {"time": 1, "readings": [[0, 0], [0, 0]]}]})"});
  EXPECT_EQ(series.exit_code, 0) << series.err;
  auto const left = Hdf5File::open(place.path("series/series.h5")).read_table("/times").column("relative_divergence");
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[1], 0) << "a calm";
  char text[80];
  std::snprintf(text, sizeof text, "at the limit of single precision: relative divergence %.2e at most\n", left[0]);
  EXPECT_NE(series.out.find("\n2 times, "), std::string::npos) << series.out;
  Outcome const one = place.karman({"wind", "case.json", "--output", "one", "--set",
                                    R"(/series={"times": [{"time": 0, "readings": [[3, 270], [4, 300]]}]})"});
  EXPECT_NE(one.out.find("\n1 time, "), std::string::npos) << one.out;
  EXPECT_NE(one.out.find("not reached in 1 of 1 time, at the limit"), std::string::npos) << one.out;
  EXPECT_NE(series.out.find("not reached in 1 of 2 times, " + std::string(text)), std::string::npos) << series.out;
}

}  // namespace wind_series_command_test
