// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/case/direction.hpp"
#include "common/case/texts.hpp"
#include "spectrum_formats.hpp"
#include "wave_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <utility>

namespace karman::waves {
namespace {

constexpr double empty_field = std::numeric_limits<double>::quiet_NaN();
constexpr char table_comment = '#';
enum TableColumn { by_frequency, by_period, of_density, of_direction, of_spread, of_time, of_location, column_kinds };

/// A unit and its factor to the first one of its kind.
using TableUnit = std::pair<std::string_view, double>;

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// The fields of a line without margins and quotes. A separator within quotes separates nothing.
std::vector<std::string> table_fields(std::string_view line, char separator) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (char const c : line) {
    if (c == '"') quoted = !quoted;
    else if (c == separator && !quoted) fields.emplace_back();
    else fields.back() += c;
  }
  for (std::string& field : fields) field = std::string(without_margins(field));
  return fields;
}

struct ColumnMeaning {
  TableColumn column;
  double factor = 1;
};

/// Names of columns, in lower case, with "_" and several blanks as one blank.
constexpr std::array<std::pair<std::string_view, TableColumn>, 30> column_names{
    {{"frequency", by_frequency},
     {"freq", by_frequency},
     {"f", by_frequency},
     {"wave frequency", by_frequency},
     {"period", by_period},
     {"energy density", of_density},
     {"energy", of_density},
     {"density", of_density},
     {"spectral density", of_density},
     {"variance density", of_density},
     {"spectral energy density", of_density},
     {"spectral wave density", of_density},
     {"variancedensity", of_density},
     {"psd", of_density},
     {"s", of_density},
     {"e", of_density},
     {"direction", of_direction},
     {"mean direction", of_direction},
     {"mean wave direction", of_direction},
     {"dir", of_direction},
     {"spread", of_spread},
     {"spreading", of_spread},
     {"directional spread", of_spread},
     {"directionalspread", of_spread},
     {"direction spread", of_spread},
     {"time", of_time},
     {"date", of_time},
     {"timestamp", of_time},
     {"location", of_location},
     {"station", of_location}}};

constexpr std::array<TableUnit, 5> frequency_units{
    {{"", 1}, {"hz", 1}, {"1/s", 1}, {"mhz", 1e-3}, {"rad/s", 0.5 / std::numbers::pi}}};
constexpr std::array<TableUnit, 3> period_units{{{"", 1}, {"s", 1}, {"sec", 1}}};
constexpr std::array<TableUnit, 12> density_units{{{"", 1},
                                                   {"m2/hz", 1},
                                                   {"m^2/hz", 1},
                                                   {"m**2/hz", 1},
                                                   {"m\xc2\xb2/hz", 1},
                                                   {"m2 s", 1},
                                                   {"m2s", 1},
                                                   {"m^2 s", 1},
                                                   {"m^2s", 1},
                                                   {"cm2/hz", 1e-4},
                                                   {"cm^2/hz", 1e-4},
                                                   {"m2/(rad/s)", 2 * std::numbers::pi}}};
constexpr std::array<TableUnit, 6> angle_units{
    {{"", 1}, {"deg", 1}, {"degr", 1}, {"degrees", 1}, {"\xc2\xb0", 1}, {"rad", app::degrees}}};

template <std::size_t count>
std::pair<std::string, double> unit_of(std::array<TableUnit, count> const& units, std::string const& unit) {
  std::string all;
  for (auto const& [name, factor] : units) {
    if (name == unit) return {"", factor};
    if (!name.empty()) all += (all.empty() ? "" : ", ") + std::string(name);
  }
  return {all, 0};
}

struct TableRow {
  std::array<double, column_kinds> value{};
  std::array<std::string, 2> key;  ///< time, location
  int line = 0;
};

class SpectrumTable {
 public:
  SpectrumTable(Case const& input, SpectrumText& text)
      : input_(input), text_(text), missing_(input.get<double>("/waves/missing")) {
    place_.fill(-1);
  }

  FileSpectrum read() {
    text_.open_line(table_comment, "a head with the names of the columns");
    read_head();
    while (text_.next_line(table_comment)) read_row();
    choose();
    return filled();
  }

 private:
  void read_head() {
    std::string_view const line = text_.line();
    for (char const candidate : {',', ';', '\t'}) {
      if (line.find(candidate) == std::string_view::npos) continue;
      separator_ = candidate;
      break;
    }
    std::vector<std::string> const fields = table_fields(line, separator_);
    columns_ = fields.size();
    for (std::size_t n = 0; n < fields.size(); ++n) name_column(fields[n], static_cast<int>(n));
    bool const placed = has(by_frequency) != has(by_period);
    if (!placed) text_.fail(line, "a head of SWAN or NDBC, or a column \"frequency (Hz)\" or \"period (s)\"");
    if (!has(of_density)) text_.fail(line, "a column \"energy density (m2/Hz)\"");
  }

  void name_column(std::string const& field, int place) {
    std::string name = lower_case(field), unit;
    if (auto const open = name.find_first_of("(["); open != std::string::npos) {
      std::size_t const close = name.find_last_of(")]");
      if (close == std::string::npos || close < open) text_.fail(field, "a column as \"energy density (m2/Hz)\"");
      unit = std::string(without_margins(std::string_view(name).substr(open + 1, close - open - 1)));
      name.resize(open);
    }
    std::replace(name.begin(), name.end(), '_', ' ');
    name = std::string(without_margins(name));
    auto const known =
        std::find_if(column_names.begin(), column_names.end(), [&](auto const& entry) { return entry.first == name; });
    if (known == column_names.end()) {
      ++passed_over_;
      return;
    }
    TableColumn const column = known->second;
    if (has(column)) text_.fail(field, "one column of its kind");
    place_[column] = place;
    auto const [units, factor] = column == by_frequency ? unit_of(frequency_units, unit)
                                 : column == by_period  ? unit_of(period_units, unit)
                                 : column == of_density ? unit_of(density_units, unit)
                                 : column >= of_time    ? std::pair<std::string, double>("", 1)
                                                        : unit_of(angle_units, unit);
    if (!units.empty()) text_.fail(field, "a unit: " + units);
    factor_[column] = factor;
  }

  bool has(TableColumn column) const { return place_[column] >= 0; }

  double number_in(std::string const& field, TableColumn column) const {
    constexpr std::array<std::string_view, 7> words{"", "na", "n/a", "nan", "null", "none", "-"};
    if (std::find(words.begin(), words.end(), lower_case(field)) != words.end()) return empty_field;
    auto const value = spectrum_number(field);
    if (!value) text_.fail(field, "a number, or nothing where it is missing");
    return *value == missing_ ? empty_field : *value * factor_[column];
  }

  void read_row() {
    std::vector<std::string> const fields = table_fields(text_.line(), separator_);
    if (fields.size() != columns_)
      text_.fail(text_.line(), std::to_string(columns_) + " fields, found " + std::to_string(fields.size()));
    TableRow row;
    row.line = text_.line_number();
    for (int column = 0; column < of_time; ++column) {
      auto const kind = static_cast<TableColumn>(column);
      row.value[kind] = has(kind) ? number_in(fields[static_cast<std::size_t>(place_[kind])], kind) : empty_field;
    }
    for (std::size_t k = 0; k < 2; ++k) {
      auto const kind = static_cast<TableColumn>(of_time + static_cast<int>(k));
      if (!has(kind)) continue;
      row.key[k] = fields[static_cast<std::size_t>(place_[kind])];
      if (seen_[k].insert(row.key[k]).second) picks_[k].offer(row.key[k]);
    }
    double const given = row.value[has(by_frequency) ? by_frequency : by_period];
    double const frequency = has(by_frequency) ? given : 1 / given;
    // The first frequency of a transform is 0: the mean level, not a wave.
    if (given == 0 && has(by_frequency)) {
      ++at_zero_;
      return;
    }
    bool const allowed = frequency >= least_spectrum_frequency && frequency <= most_spectrum_frequency;
    if (!allowed) text_.fail(app::formatted("%g", given), "frequencies from 1e-5 to 20 Hz");
    row.value[by_frequency] = frequency;
    double const density = row.value[of_density];
    if (density < 0 || density > most_spectrum_density)
      text_.fail(app::formatted("%g", density), "densities from 0 to 1e6 m2/Hz, or /waves/missing");
    if (row.value[of_direction] == 999) row.value[of_direction] = empty_field;
    if (std::abs(row.value[of_direction]) > 360)
      text_.fail(app::formatted("%g", row.value[of_direction]),
                 "directions from -360 to 360 degrees, or /waves/missing");
    if (row.value[of_spread] < least_spectrum_spread || row.value[of_spread] > most_spectrum_spread)
      text_.fail(app::formatted("%g", row.value[of_spread]), "spreads from 0 to 180 degrees, or /waves/missing");
    rows_.push_back(std::move(row));
  }

  /// Keeps the rows of the chosen time and location.
  void choose() {
    for (SpectrumPick const& pick : picks_) pick.finish(std::filesystem::path(text_.source()).filename().string());
    std::erase_if(rows_, [&](TableRow const& row) {
      for (std::size_t k = 0; k < 2; ++k) {
        if (row.key[k] != picks_[k].chosen()) return true;
      }
      return false;
    });
    std::sort(rows_.begin(), rows_.end(),
              [](TableRow const& a, TableRow const& b) { return a.value[by_frequency] < b.value[by_frequency]; });
    for (std::size_t n = 1; n < rows_.size(); ++n) {
      if (rows_[n].value[by_frequency] == rows_[n - 1].value[by_frequency])
        text_.fail_at(std::max(rows_[n].line, rows_[n - 1].line),
                      app::formatted("%g Hz twice", rows_[n].value[by_frequency]), "one row per frequency");
    }
  }

  FileSpectrum filled() const {
    FileSpectrum result;
    for (std::size_t k = 0; k < 2; ++k) {
      if (picks_[k].found()) result.place += (result.place.empty() ? "" : ", ") + picks_[k].words();
    }
    auto const convention = read_options<app::DirectionConvention>(input_, "/waves/convention");
    std::size_t left_out = 0;
    for (TableRow const& row : rows_) {
      if (std::isnan(row.value[of_density])) {
        ++left_out;
        continue;
      }
      result.frequency.push_back(row.value[by_frequency]);
      result.density.push_back(row.value[of_density]);
      if (has(of_direction))
        result.direction.push_back(app::travel_degrees(row.value[of_direction], convention) * app::degree);
      if (has(of_spread)) result.resultant.push_back(resultant_of_spread(row.value[of_spread] * app::degree));
    }
    if (passed_over_ > 0) result.remarks.push_back(app::formatted("%zu other columns passed over", passed_over_));
    if (at_zero_ > 0) result.remarks.push_back(app::formatted("%zu rows at 0 Hz left out", at_zero_));
    if (left_out > 0) result.remarks.push_back(app::formatted("%zu frequencies without a density left out", left_out));
    return result;
  }

  Case const& input_;
  SpectrumText& text_;
  double missing_;
  char separator_ = ',';
  std::size_t columns_ = 0, passed_over_ = 0, at_zero_ = 0;
  std::array<int, column_kinds> place_{};
  std::array<double, column_kinds> factor_{};
  std::array<SpectrumPick, 2> picks_{SpectrumPick(input_, "time"), SpectrumPick(input_, "location")};
  std::array<std::set<std::string>, 2> seen_;
  std::vector<TableRow> rows_;
};

}  // namespace

FileSpectrum read_spectrum_table(Case const& input, SpectrumText& text) { return SpectrumTable(input, text).read(); }

}  // namespace karman::waves
