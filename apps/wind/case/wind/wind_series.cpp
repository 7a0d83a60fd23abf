// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_series.hpp"

#include "common/case/direction.hpp"
#include "sensor_wind.hpp"
#include "series_file.hpp"
#include "wind/case/case_number.hpp"
#include "wind/case/wind_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace karman::wind {
namespace {

constexpr char const* times_key = "/series/times";

std::string time_entry(std::size_t n) { return times_key + ('/' + std::to_string(n)); }

std::vector<ReadingsAt> read_times(Case const& input, std::vector<WindSensor> const& sensors,
                                   std::vector<CaseProblem>& problems) {
  std::vector<ReadingsAt> times;
  for (std::size_t n = 0; n < input.size(times_key); ++n) {
    ReadingsAt at;
    at.time = input.get<double>(time_entry(n) + "/time");
    std::vector<std::array<double, 2>> readings;
    for (std::size_t s = 0; s < input.size(time_entry(n) + "/readings"); ++s)
      readings.push_back(input.get<std::array<double, 2>>(time_entry(n) + "/readings/" + std::to_string(s)));
    if (readings.size() != sensors.size()) {
      problems.push_back(
          input.problem(time_entry(n) + "/readings",
                        "time " + number(at.time) + " h: expected one reading for each of " +
                            std::to_string(sensors.size()) + " sensors, found " + std::to_string(readings.size()) +
                            (readings.size() < sensors.size()
                                 ? "; that of sensor \"" + sensors[readings.size()].name + "\" is missing"
                                 : std::string())));
      return {};
    }
    for (std::size_t s = 0; s < sensors.size(); ++s) {
      auto const [speed, direction] = readings[s];
      if (!(speed >= 0 && speed <= most_reading && std::abs(direction) <= 360)) {
        problems.push_back(
            input.problem(time_entry(n) + "/readings/" + std::to_string(s),
                          "time " + number(at.time) + " h, sensor \"" + sensors[s].name +
                              "\": expected a speed from 0 to 150 m/s and a direction from -360 to 360 degrees"));
      }
      at.readings.push_back({speed, direction});
    }
    times.push_back(std::move(at));
  }
  return times;
}

/// The sensor with a reading in place of its own.
WindSensor with_reading(WindSensor sensor, WindReading const& reading) {
  Profile& profile = sensor.profile;
  if (profile.kind == Profile::Kind::measured) {
    double const factor = reading.speed / profile.speeds.front();
    for (double& speed : profile.speeds) speed *= factor;
  }
  profile.speed = reading.speed;
  profile.direction = reading.direction;
  return sensor;
}

/// The wind at a place and height between sensors, of which there is at least one.
std::array<double, 2> wind_between(std::vector<WindSensor> const& sensors, int passes, WindSensor const& place,
                                   double height) {
  if (sensors.size() == 1) return sensors.front().profile.velocity(height);
  return SensorWind(sensors, passes).velocity(place.x, place.y, height);
}

/// Rows without gaps: a missing reading is the wind between the other sensors, a row without any reading is left out.
std::vector<ReadingsAt> complete_times(std::vector<SeriesRow> const& rows, std::vector<WindSensor> const& sensors,
                                       int passes, std::vector<std::string>& warnings) {
  std::vector<ReadingsAt> times;
  std::size_t filled = 0, left_out = 0;
  for (SeriesRow const& row : rows) {
    std::vector<WindSensor> present;
    for (std::size_t s = 0; s < sensors.size(); ++s) {
      if (row.readings[s]) present.push_back(with_reading(sensors[s], *row.readings[s]));
    }
    if (present.empty()) {
      ++left_out;
      continue;
    }
    ReadingsAt at;
    at.time = row.time;
    for (std::size_t s = 0; s < sensors.size(); ++s) {
      if (row.readings[s]) {
        at.readings.push_back(*row.readings[s]);
        continue;
      }
      ++filled;
      Profile const& own = sensors[s].profile;
      auto const velocity = wind_between(present, passes, sensors[s],
                                         own.kind == Profile::Kind::measured ? own.heights.front() : own.height);
      double const speed = speed_of(velocity);
      at.readings.push_back({speed, speed > 0 ? direction_of(velocity) : WindReading{}.direction});
    }
    times.push_back(std::move(at));
  }
  if (filled > 0) {
    warnings.push_back(std::to_string(filled) +
                       (filled == 1 ? " reading of the series is missing: it is the wind between the other sensors"
                                    : " readings of the series are missing: they are the wind between the others"));
  }
  if (left_out > 0) {
    warnings.push_back(std::to_string(left_out) + (left_out == 1
                                                       ? " time of the series has no reading and is left out"
                                                       : " times of the series have no reading and are left out"));
  }
  return times;
}

}  // namespace

WindSeries read_series(Case const& input, std::vector<WindSensor> sensors, double top, double north,
                       std::vector<CaseProblem>& problems, std::vector<std::string>& warnings) {
  std::size_t const before = problems.size();
  WindSeries series;
  series.height = input.get<double>("/series/height");
  series.from_previous = input.get<std::string>("/series/first_guess") == "previous";
  if (series.height > top) {
    problems.push_back(input.problem("/series/height", "expected at most the domain top at " + number(top) + " m"));
  }
  if (input.has(times_key) == input.has("/series/file")) {
    problems.push_back(input.problem("/series", "expected either times or file"));
  }
  if (sensors.empty()) problems.push_back(input.problem("/series", "expected /wind/sensors, whose readings it has"));
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    Profile const& profile = sensors[s].profile;
    if (profile.kind != Profile::Kind::measured || profile.speeds.front() > 0) continue;
    problems.push_back(input.problem("/wind/sensors/" + std::to_string(s) + "/profile/speeds/0",
                                     "sensor \"" + sensors[s].name +
                                         "\": expected a speed above 0 at the lowest height, of which a series gives "
                                         "the readings"));
  }
  if (problems.size() > before) return series;
  bool const nautical =
      read_options<app::DirectionConvention>(input, "/wind/convention") == app::DirectionConvention::nautical;
  // From grid north, where the wind comes from.
  auto const internal = [&](double direction) { return nautical ? direction - north : 270 - direction; };
  if (input.has(times_key)) {
    series.times = read_times(input, sensors, problems);
    for (ReadingsAt& at : series.times) {
      for (WindReading& reading : at.readings) reading.direction = internal(reading.direction);
    }
  } else {
    SeriesRows file = read_series_file(input, sensors, problems);
    series.start = file.start;
    for (SeriesRow& row : file.rows) {
      for (auto& reading : row.readings) {
        if (reading) reading->direction = internal(reading->direction);
      }
    }
    series.times = complete_times(file.rows, sensors, input.get<int>("/wind/passes"), warnings);
    if (problems.size() == before && series.times.empty())
      problems.push_back(input.problem("/series/file", "expected a reading at some time, found none"));
  }
  // Times of a file are checked with their lines.
  for (std::size_t n = 1; input.has(times_key) && n < series.times.size(); ++n) {
    if (series.times[n].time > series.times[n - 1].time) continue;
    problems.push_back(input.problem(time_entry(n) + "/time", "expected times that increase, found " +
                                                                  number(series.times[n].time) + " h after " +
                                                                  number(series.times[n - 1].time) + " h"));
    break;
  }
  series.sensors = std::move(sensors);
  return series;
}

void set_wind_of_time(WindSeries const& series, std::size_t time, WindCase& wind_case) {
  std::vector<WindSensor> sensors = series.sensors;
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    sensors[s] = with_reading(std::move(sensors[s]), series.times[time].readings[s]);
  }
  if (sensors.size() == 1) {
    wind_case.profile = sensors.front().profile;
    return;
  }
  wind_case.sensors = std::move(sensors);
  wind_case.profile = SensorWind(wind_case.sensors, wind_case.sensor_passes).mean(wind_case.grid);
}

}  // namespace karman::wind
