// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "series_file.hpp"

#include "clock_time.hpp"
#include "wind/case/case_file.hpp"
#include "wind/case/case_number.hpp"
#include <karman/io/atomic_file.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

namespace karman::wind {
namespace {

constexpr std::size_t most_series_bytes = std::size_t{1} << 28;

std::string_view trimmed(std::string_view text) {
  auto const first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The comma after the first field of a line. A field in quotes may have commas; two quotes in it are one.
std::size_t end_of_field(std::string_view line) {
  std::size_t const first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos || line[first] != '"') return line.find(',');
  bool quoted = false;
  for (std::size_t n = first; n < line.size(); ++n) {
    if (line[n] == '"') quoted = !quoted;
    else if (line[n] == ',' && !quoted) return n;
  }
  return std::string_view::npos;
}

/// A field without blanks around it, and without quotes.
std::string field_text(std::string_view field) {
  field = trimmed(field);
  if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::string(field);
  field = field.substr(1, field.size() - 2);
  std::string text;
  for (std::size_t n = 0; n < field.size(); ++n) {
    text += field[n];
    if (field[n] == '"' && n + 1 < field.size() && field[n + 1] == '"') ++n;
  }
  return std::string(trimmed(text));
}

/// The first `most` fields of a line, which may have as many as bytes.
std::vector<std::string> fields_of(std::string_view line, std::size_t most) {
  std::vector<std::string> fields;
  for (;;) {
    auto const comma = end_of_field(line);
    fields.push_back(field_text(line.substr(0, comma)));
    if (comma == std::string_view::npos || fields.size() == most) return fields;
    line.remove_prefix(comma + 1);
  }
}

std::size_t field_count(std::string_view line) {
  std::size_t count = 1;
  for (auto comma = end_of_field(line); comma != std::string_view::npos; comma = end_of_field(line)) {
    line.remove_prefix(comma + 1);
    ++count;
  }
  return count;
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

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// m/s in a unit of speed; empty for another word.
std::optional<double> metres_per_second(std::string const& unit) {
  constexpr double knot = 1852.0 / 3600;
  constexpr std::array<std::pair<std::string_view, double>, 12> units{{{"", 1},
                                                                       {"m/s", 1},
                                                                       {"ms-1", 1},
                                                                       {"m s-1", 1},
                                                                       {"km/h", 1 / 3.6},
                                                                       {"kmh", 1 / 3.6},
                                                                       {"kn", knot},
                                                                       {"kt", knot},
                                                                       {"knots", knot},
                                                                       {"mph", 0.44704},
                                                                       {"ft/s", 0.3048},
                                                                       {"mps", 1}}};
  auto const found = std::find_if(units.begin(), units.end(), [&](auto const& entry) { return entry.first == unit; });
  return found != units.end() ? std::optional(found->second) : std::nullopt;
}

bool is_missing_word(std::string const& field) {
  constexpr std::array<std::string_view, 7> words{"", "na", "n/a", "nan", "null", "none", "-"};
  return std::find(words.begin(), words.end(), lower(field)) != words.end();
}

/// Name of a column and its unit: "mast speed (km/h)", "mast speed [km/h]".
struct ColumnName {
  std::string name, unit;

  explicit ColumnName(std::string const& field) : name(field) {
    if (field.empty() || (field.back() != ')' && field.back() != ']')) return;
    auto const open = field.find_last_of(field.back() == ')' ? '(' : '[');
    if (open == std::string::npos) return;
    unit = lower(std::string(trimmed(std::string_view(field).substr(open + 1, field.size() - open - 2))));
    name = std::string(trimmed(std::string_view(field).substr(0, open)));
  }
};

class SeriesFile {
 public:
  SeriesFile(Case const& input, std::vector<WindSensor> const& sensors, std::vector<CaseProblem>& problems)
      : input_(input),
        sensors_(sensors),
        problems_(problems),
        file_(file_of_case(input, "/series/file")),
        missing_(input.get<double>("/series/missing")) {}

  SeriesRows read() {
    std::string text = read_text_file(file_, most_series_bytes);
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    SeriesRows result;
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
      refuse("expected UTF-8, found UTF-16; save the file as UTF-8");
      return result;
    }
    bool headed = false;
    std::size_t begin = 0;
    for (line_ = 1; problems_.empty() && begin < text.size(); ++line_) {
      std::size_t const end = std::min(text.find('\n', begin), text.size());
      std::string_view const content = trimmed(std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
      if (content.empty() || content.front() == '#') continue;
      if (headed) read_row(content, result);
      else headed = read_head(content);
    }
    if (problems_.empty() && result.rows.empty()) refuse("expected a row per time, found none");
    return result;
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
    for (auto const& [separator, name] : {std::pair{';', "semicolons"}, std::pair{'\t', "tabs"}}) {
      if (width_ > 1 || line.find(separator) == std::string_view::npos) continue;
      refuse(std::string("expected commas between the columns, found ") + name);
      return false;
    }
    // Speed, direction and gust of each sensor.
    std::size_t const most = 1 + 3 * sensors_.size();
    if (width_ > most) return refuse_columns();
    std::vector<ColumnName> names;
    for (std::string const& field : fields_of(line, most)) names.emplace_back(field);
    std::vector<bool> used(names.size(), false);
    used.front() = names.front().name == "time";
    for (WindSensor const& sensor : sensors_) {
      for (char const* quantity : {" speed", " direction"}) {
        auto const found = std::find_if(names.begin(), names.end(), [&](ColumnName const& column) {
          return column.name == sensor.name + quantity;
        });
        if (found == names.end()) {
          refuse("expected a column \"" + sensor.name + quantity + "\" for sensor \"" + sensor.name + '"');
          return false;
        }
        auto const place = static_cast<std::size_t>(found - names.begin());
        columns_.push_back(place);
        used[place] = true;
        if (!set_unit(quantity == std::string_view(" speed"), *found)) return false;
      }
      for (std::size_t n = 0; n < names.size(); ++n) used[n] = used[n] || names[n].name == sensor.name + " gust";
    }
    return std::find(used.begin(), used.end(), false) == used.end() || refuse_columns();
  }

  /// Unit of a column of speeds or directions; false with a problem.
  bool set_unit(bool is_speed, ColumnName const& column) {
    if (is_speed) {
      auto const factor = metres_per_second(column.unit);
      if (!factor)
        refuse("column \"" + column.name + "\": expected m/s, km/h, kn, mph or ft/s, found " +
               quoted_field(column.unit));
      factors_.push_back(factor.value_or(1));
      return factor.has_value();
    }
    bool const degrees =
        column.unit.empty() || column.unit == "deg" || column.unit == "degrees" || column.unit == "\xc2\xb0";
    if (!degrees) refuse("column \"" + column.name + "\": expected degrees, found " + quoted_field(column.unit));
    return degrees;
  }

  /// Hours of a row; empty with a problem.
  std::optional<double> time_of(std::string const& field, SeriesRows& result) {
    if (auto const seconds = seconds_of(field)) {
      bool const dated = result.rows.empty() || !result.start.empty();
      if (!dated) {
        refuse("expected hours as in the rows before, found " + quoted_field(field));
        return std::nullopt;
      }
      if (result.rows.empty()) {
        first_seconds_ = *seconds;
        result.start = utc_text(*seconds);
      }
      return (*seconds - first_seconds_) / 3600;
    }
    auto const hours = finite_number(field);
    if (!hours || !result.start.empty()) {
      refuse(std::string("expected a time in hours, or a date such as 2026-03-01T14:30Z") +
             (result.start.empty() ? "" : " as in the rows before") + ", found " + quoted_field(field));
      return std::nullopt;
    }
    return hours;
  }

  bool is_missing(std::string const& field) const {
    if (is_missing_word(field)) return true;
    auto const value = finite_number(field);
    return value && *value == missing_;
  }

  void read_row(std::string_view line, SeriesRows& result) {
    std::vector<std::string> const fields = fields_of(line, width_);
    auto const time = time_of(fields.front(), result);
    if (!time) return;
    if (field_count(line) != width_) {
      return refuse("time " + number(*time) + " h: expected " + std::to_string(width_) + " numbers, found " +
                    std::to_string(field_count(line)));
    }
    SeriesRow row;
    row.time = *time;
    for (std::size_t s = 0; s < sensors_.size(); ++s) {
      std::string const& speed_field = fields[columns_[2 * s]];
      std::string const& direction_field = fields[columns_[2 * s + 1]];
      auto speed = finite_number(speed_field);
      if (speed) *speed *= factors_[s];
      bool const calm = speed && *speed == 0;
      if (is_missing(speed_field) || (is_missing(direction_field) && !calm)) {
        row.readings.emplace_back();
        continue;
      }
      auto const direction =
          calm && is_missing(direction_field) ? std::optional(WindReading{}.direction) : finite_number(direction_field);
      bool const good = speed && direction && *speed >= 0 && *speed <= most_reading && std::abs(*direction) <= 360;
      if (!good) {
        return refuse("time " + number(*time) + " h, sensor \"" + sensors_[s].name +
                      "\": expected a speed from 0 to 150 m/s and a direction from -360 to 360 degrees, found " +
                      quoted_field(speed_field) + " and " + quoted_field(direction_field));
      }
      row.readings.emplace_back(WindReading{*speed, *direction});
    }
    bool const is_read =
        std::any_of(row.readings.begin(), row.readings.end(), [](auto const& reading) { return reading.has_value(); });
    if (is_read && last_time_ && !(row.time > *last_time_)) {
      return refuse("expected times that increase, found " + number(row.time) + " h after " + number(*last_time_) +
                    " h");
    }
    if (is_read) last_time_ = row.time;
    result.rows.push_back(std::move(row));
  }

  Case const& input_;
  std::vector<WindSensor> const& sensors_;
  std::vector<CaseProblem>& problems_;
  std::filesystem::path file_;
  double missing_;                    // number in place of a missing reading
  std::vector<std::size_t> columns_;  // of speed and direction of each sensor
  std::vector<double> factors_;       // m/s in the unit of each speed
  double first_seconds_ = 0;          // of the first row, since 1970
  std::optional<double> last_time_;   // hours of the row before that has a reading
  std::size_t width_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

SeriesRows read_series_file(Case const& input, std::vector<WindSensor> const& sensors,
                            std::vector<CaseProblem>& problems) {
  return SeriesFile(input, sensors, problems).read();
}

}  // namespace karman::wind
