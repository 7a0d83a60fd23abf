// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of readings as stations give them: dates, units, gaps, calms.
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include "wind/case/wind/clock_time.hpp"
#include "wind/case/wind/sensor_wind.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/io/config.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace wind_series_file_test {

using namespace karman;
using namespace karman::wind;
using nlohmann::json;
using test::contains;

TEST(ClockTime, HasZonesAndFractions) {
  EXPECT_EQ(seconds_of("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(seconds_of("1970-01-02"), 86400);
  EXPECT_EQ(seconds_of("1970-01-01 01:30"), 5400);
  EXPECT_EQ(seconds_of("1970-01-01T01:30:15.5+01:00"), 1815.5);
  EXPECT_EQ(seconds_of("1970-01-01T00:00-0130"), 5400);
  EXPECT_EQ(seconds_of("1969-12-31T23:00:00+00"), -3600);
  EXPECT_EQ(seconds_of("2024-02-29T12:00Z"), 1709208000);
  for (char const* text : {"", "12", "1970-13-01", "2023-02-29", "1970-01-01T25:00", "1970-01-01T00:00X", "1970-01-01T",
                           "70-01-01", "1970-01-01T00:00+1", "1970-01-01T00:00:00Zz", "01.02.1970"})
    EXPECT_FALSE(seconds_of(text)) << text;
  EXPECT_EQ(utc_text(1709208000), "2024-02-29T12:00:00Z");
  EXPECT_EQ(utc_text(-1), "1969-12-31T23:59:59Z");
}

class WindSeriesFile : public testing::Test {
 protected:
  WindSeriesFile() {
    json const profile = {{"kind", "log"}, {"speed", 5}, {"height", 10}, {"roughness", 0.1}};
    whole_ = json::parse(R"({
      "domain": {"cells": [60, 60], "spacing": [5, 5], "layers": {"kind": "uniform", "count": 20, "thickness": 2}},
      "series": {"file": "met.csv"}, "wind": {"sensors": []}})");
    for (auto const& [name, x] : {std::pair{"west", 20}, std::pair{"mid", 150}, std::pair{"east", 280}}) {
      whole_["wind"]["sensors"].push_back(
          {{"name", name}, {"position", {x, 150}}, {"direction", 270}, {"profile", profile}});
    }
  }

  WindCase read(std::string const& text) const {
    test::put(folder_ / "met.csv", text);
    return read_wind_case(Case::parse(whole_.dump(2), (folder_ / "case.json").string(), schema()));
  }
  std::string refusal(std::string const& text) const {
    return test::message_of<CaseError>([&] { read(text); });
  }
  static bool warns(WindCase const& wind_case, std::string const& line) {
    return std::find(wind_case.warnings.begin(), wind_case.warnings.end(), line) != wind_case.warnings.end();
  }

  test::TemporaryFolder folder_;
  json whole_;
};

TEST_F(WindSeriesFile, HasDatesUnitsAndGusts) {
  WindCase const found = read(
      "\xef\xbb\xbftime,west speed (km/h),west direction (deg),west gust,mid speed [kn],mid direction,east speed "
      "(m/s),east direction\r\n"
      "2026-03-01T13:30:00+01:00,36,270,99,10,280,5,290\r\n"
      "2026-03-01T14:15Z,18,90,NA,20,80,4,70\r\n");
  WindSeries const& series = *found.series;
  ASSERT_EQ(series.times.size(), 2u);
  EXPECT_EQ(series.start, "2026-03-01T12:30:00Z");
  EXPECT_EQ(series.times[0].time, 0);
  EXPECT_EQ(series.times[1].time, 1.75);
  EXPECT_NEAR(series.times[0].readings[0].speed, 10, 1e-12);
  EXPECT_NEAR(series.times[0].readings[1].speed, 18520.0 / 3600, 1e-12);
  EXPECT_EQ(series.times[1].readings[2].speed, 4);
  EXPECT_EQ(series.times[1].readings[0].direction, 90);
  std::string const head =
      "time,west speed (beaufort),west direction,mid speed,mid direction,east speed,east direction\n";
  EXPECT_TRUE(
      contains(refusal(head), "column \"west speed\": expected m/s, km/h, kn, mph or ft/s, found \"beaufort\""));
}

std::string const head = "time,west speed,west direction,mid speed,mid direction,east speed,east direction\n";

TEST_F(WindSeriesFile, AMissingReadingIsTheWindBetweenTheOthers) {
  whole_["series"]["missing"] = -99;
  WindCase const found = read(head +
                              "0,6,270,,280,4,290\n"
                              "1,NA,270,-99,280,nan,290\n"
                              "2,6,270,5,null,,\n"
                              "3,6,270,5,280,4,290\n");
  WindSeries const& series = *found.series;
  ASSERT_EQ(series.times.size(), 3u) << "a time without any reading is left out";
  EXPECT_EQ(series.times[1].time, 2);
  EXPECT_TRUE(warns(found, "3 readings of the series are missing: they are the wind between the others"));
  EXPECT_TRUE(warns(found, "1 time of the series has no reading and is left out"));
  // One sensor is left at hour 2: all have its wind. Two at hour 0, as if there were only these.
  for (WindReading const& reading : series.times[1].readings) {
    EXPECT_NEAR(reading.speed, 6, 1e-9);
    EXPECT_NEAR(std::remainder(reading.direction - 270, 360), 0, 1e-9);
  }
  std::vector<WindSensor> two{series.sensors[0], series.sensors[2]};
  for (std::size_t s : {0u, 1u}) {
    two[s].profile.speed = s == 0 ? 6 : 4;
    two[s].profile.direction = s == 0 ? 270 : 290;
  }
  auto const between = SensorWind(two, 2).velocity(150, 150, 10);
  EXPECT_NEAR(series.times[0].readings[1].speed, speed_of(between), 1e-9);
  EXPECT_NEAR(std::remainder(series.times[0].readings[1].direction - direction_of(between), 360), 0, 1e-9);
  EXPECT_TRUE(contains(refusal(head + "0,,,,,,\n"), "expected a reading at some time, found none"));
}

TEST_F(WindSeriesFile, ACalmNeedsNoDirection) {
  WindCase const found = read(head + "0,0,,5,280,4,290\n1,0,NA,0,,0,\n");
  EXPECT_EQ(found.series->times.at(0).readings.at(0).speed, 0);
  EXPECT_EQ(found.series->times.at(1).readings.at(2).speed, 0);
  EXPECT_FALSE(warns(found, "1 reading of the series is missing: it is the wind between the other sensors"));
  EXPECT_TRUE(contains(refusal(head + "0,five,270,5,280,4,290\n"), "expected a speed from 0 to 150 m/s"));
}

TEST_F(WindSeriesFile, HasFieldsInQuotes) {
  WindCase const found = read(
      "\"time\",\"west speed\",\"west direction\", \"mid speed (km/h)\",\"mid direction\",\"east speed\",\"east "
      "direction\"\n0,\"6\",270,\"36\",\"280\",4,290\n");
  EXPECT_EQ(found.wind_text, "1 time of a series of readings");
  std::vector<WindReading> const& readings = found.series->times.at(0).readings;
  EXPECT_EQ(readings.at(0).speed, 6);
  EXPECT_NEAR(readings.at(1).speed, 10, 1e-12);
  EXPECT_EQ(readings.at(1).direction, 280);
  whole_["wind"]["sensors"][0]["name"] = "west, \"old\"";
  WindCase const comma = read(
      "time,\"west, \"\"old\"\" speed\",\"west, \"\"old\"\" direction\",mid speed,mid direction,east speed,east "
      "direction\n0,6,270,5,280,4,290\n");
  EXPECT_EQ(comma.series->times.at(0).readings.at(0).speed, 6);
}

TEST_F(WindSeriesFile, NamesOtherSeparatorsAndEncodings) {
  std::string semicolons = head, tabs = head;
  std::replace(semicolons.begin(), semicolons.end(), ',', ';');
  std::replace(tabs.begin(), tabs.end(), ',', '\t');
  EXPECT_TRUE(contains(refusal(semicolons), "line 1: expected commas between the columns, found semicolons"))
      << refusal(semicolons);
  EXPECT_TRUE(contains(refusal("# a station\n" + tabs), "line 2: expected commas between the columns, found tabs"))
      << refusal("# a station\n" + tabs);
  for (bool const little : {true, false}) {
    std::string wide = little ? "\xff\xfe" : "\xfe\xff";
    for (char const c : head) wide += little ? std::string{c, '\0'} : std::string{'\0', c};
    EXPECT_TRUE(contains(refusal(wide), "line 1: expected UTF-8, found UTF-16")) << refusal(wide);
  }
}

TEST_F(WindSeriesFile, NamesTheLineOfATimeThatDoesNotIncrease) {
  std::string const row = ",6,270,5,280,4,290\n";
  std::string const message = refusal(head + "1" + row + "# a gap\n0" + row);
  EXPECT_TRUE(contains(message, "met.csv line 4: expected times that increase, found 0 h after 1 h")) << message;
}

}  // namespace wind_series_file_test
