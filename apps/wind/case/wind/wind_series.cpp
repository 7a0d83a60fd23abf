// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_series.hpp"

#include "common/case/direction.hpp"
#include "sensor_wind.hpp"
#include "wind/case/case_file.hpp"
#include "wind/case/case_number.hpp"
#include "wind/case/wind_options_json.hpp"
#include <karman/io/atomic_file.hpp>
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace karman::wind {
namespace {

constexpr char const* times_key = "/series/times";
constexpr double most_speed = 150;
constexpr std::size_t most_series_bytes = std::size_t{1} << 28;

std::string_view trimmed(std::string_view text) {
  auto const first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The first `most` fields of a line, which may have as many as bytes.
std::vector<std::string> fields_of(std::string_view line, std::size_t most) {
  std::vector<std::string> fields;
  for (;;) {
    auto const comma = line.find(',');
    fields.emplace_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos || fields.size() == most) return fields;
    line.remove_prefix(comma + 1);
  }
}

std::size_t field_count(std::string_view line) {
  return 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
}

/// A field in a message.
std::string quoted_field(std::string const& field) {
  constexpr std::size_t most_shown = 40;
  return '"' + (field.size() <= most_shown ? field : field.substr(0, most_shown) + "...") + '"';
}

/// A finite number, or none.
std::optional<double> finite_number(std::string const& text) {
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Reader of a CSV file: a head `time, NAME speed, NAME direction, ...`, the sensors in any order, and a row per time.
class SeriesFile {
 public:
  SeriesFile(Case const& input, std::vector<WindSensor> const& sensors, std::vector<CaseProblem>& problems)
      : input_(input), sensors_(sensors), problems_(problems), file_(file_of_case(input, "/series/file")) {}

  std::vector<ReadingsAt> read() {
    std::string const text = read_text_file(file_, most_series_bytes);
    std::vector<ReadingsAt> times;
    bool headed = false;
    std::size_t begin = 0;
    for (line_ = 1; problems_.empty() && begin < text.size(); ++line_) {
      std::size_t const end = std::min(text.find('\n', begin), text.size());
      std::string_view const content = trimmed(std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
      if (content.empty() || content.front() == '#') continue;
      if (headed) read_row(content, times);
      else headed = read_head(content);
    }
    if (problems_.empty() && times.empty()) refuse("expected a row per time, found none");
    return times;
  }

 private:
  void refuse(std::string const& why) {
    problems_.push_back(
        input_.problem("/series/file", file_.filename().string() + " line " + std::to_string(line_) + ": " + why));
  }

  bool refuse_columns() {
    refuse("expected the columns time and, for each of " + std::to_string(sensors_.size()) +
           " sensors, NAME speed and NAME direction, found " + std::to_string(width_) + " columns");
    return false;
  }

  bool read_head(std::string_view line) {
    width_ = field_count(line);
    std::size_t const expected = 1 + 2 * sensors_.size();
    if (width_ > expected) return refuse_columns();
    std::vector<std::string> const names = fields_of(line, expected);
    for (WindSensor const& sensor : sensors_) {
      for (char const* quantity : {" speed", " direction"}) {
        auto const found = std::find(names.begin(), names.end(), sensor.name + quantity);
        if (found == names.end()) {
          refuse("expected a column \"" + sensor.name + quantity + "\" for sensor \"" + sensor.name + '"');
          return false;
        }
        columns_.push_back(static_cast<std::size_t>(found - names.begin()));
      }
    }
    return (names.front() == "time" && width_ == expected) || refuse_columns();
  }

  void read_row(std::string_view line, std::vector<ReadingsAt>& times) {
    std::vector<std::string> const row = fields_of(line, width_);
    auto const time = finite_number(row.front());
    if (!time) return refuse("expected a time in hours, found " + quoted_field(row.front()));
    if (field_count(line) != width_) {
      return refuse("time " + number(*time) + " h: expected " + std::to_string(width_) + " numbers, found " +
                    std::to_string(field_count(line)));
    }
    ReadingsAt at;
    at.time = *time;
    for (std::size_t s = 0; s < sensors_.size(); ++s) {
      auto const speed = finite_number(row[columns_[2 * s]]);
      auto const direction = finite_number(row[columns_[2 * s + 1]]);
      bool const good = speed && direction && *speed >= 0 && *speed <= most_speed && std::abs(*direction) <= 360;
      if (!good) {
        return refuse("time " + number(*time) + " h, sensor \"" + sensors_[s].name +
                      "\": expected a speed from 0 to 150 m/s and a direction from -360 to 360 degrees, found " +
                      quoted_field(row[columns_[2 * s]]) + " and " + quoted_field(row[columns_[2 * s + 1]]));
      }
      at.readings.push_back({*speed, *direction});
    }
    times.push_back(std::move(at));
  }

  Case const& input_;
  std::vector<WindSensor> const& sensors_;
  std::vector<CaseProblem>& problems_;
  std::filesystem::path file_;
  std::vector<std::size_t> columns_;  // of speed and direction of each sensor
  std::size_t width_ = 0;
  std::size_t line_ = 0;
};

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
      if (!(speed >= 0 && speed <= most_speed && std::abs(direction) <= 360)) {
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

}  // namespace

WindSeries read_series(Case const& input, std::vector<WindSensor> sensors, double top,
                       std::vector<CaseProblem>& problems) {
  std::size_t const before = problems.size();
  WindSeries series;
  series.height = input.get<double>("/series/height");
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
  series.times =
      input.has(times_key) ? read_times(input, sensors, problems) : SeriesFile(input, sensors, problems).read();
  bool const nautical =
      read_options<app::DirectionConvention>(input, "/wind/convention") == app::DirectionConvention::nautical;
  for (std::size_t n = 0; n < series.times.size(); ++n) {
    for (WindReading& reading : series.times[n].readings) {
      if (!nautical) reading.direction = 270 - reading.direction;
    }
    if (n == 0 || series.times[n].time > series.times[n - 1].time) continue;
    problems.push_back(input.problem(input.has(times_key) ? time_entry(n) + "/time" : std::string("/series/file"),
                                     "expected times that increase, found " + number(series.times[n].time) +
                                         " h after " + number(series.times[n - 1].time) + " h"));
    break;
  }
  series.sensors = std::move(sensors);
  return series;
}

void set_wind_of_time(WindSeries const& series, std::size_t time, WindCase& wind_case) {
  std::vector<WindSensor> sensors = series.sensors;
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    WindReading const& reading = series.times[time].readings[s];
    Profile& profile = sensors[s].profile;
    if (profile.kind == Profile::Kind::measured) {
      double const factor = reading.speed / profile.speeds.front();
      for (double& speed : profile.speeds) speed *= factor;
    }
    profile.speed = reading.speed;
    profile.direction = reading.direction;
  }
  if (sensors.size() == 1) {
    wind_case.profile = sensors.front().profile;
    return;
  }
  wind_case.sensors = std::move(sensors);
  wind_case.profile = SensorWind(wind_case.sensors, wind_case.sensor_passes).mean(wind_case.grid);
}

}  // namespace karman::wind
