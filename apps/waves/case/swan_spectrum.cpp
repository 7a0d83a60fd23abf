// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SWAN user manual, appendix "Spectrum files, input and output".
#include "common/case/direction.hpp"
#include "common/case/texts.hpp"
#include "spectrum_formats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace karman::waves {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr char swan_comment = '$';
constexpr std::size_t most_swan_frequencies = 10000, most_swan_directions = 3600, most_swan_locations = 100000000;

enum class SwanQuantity { density, energy, nautical, cartesian, spread, power, other };

struct SwanColumn {
  SwanQuantity quantity = SwanQuantity::other;
  bool by_radian = false;
  double exception = 0;
};

class SwanReading {
 public:
  SwanReading(Case const& input, SpectrumText& text)
      : text_(text), location_(input, "location"), time_(input, "time") {}

  FileSpectrum read() {
    read_head();
    if (frequencies_.empty()) text_.fail(text_.line(), "AFREQ or RFREQ before QUANT");
    check_columns();
    read_body();
    location_.finish(file_name());
    time_.finish(file_name());
    FileSpectrum result;
    result.place = location_.words() + (timed_ ? ", " + time_.words() : "");
    fill(result);
    result.remarks.insert(result.remarks.begin(), remarks_.begin(), remarks_.end());
    return result;
  }

 private:
  std::string file_name() const { return std::filesystem::path(text_.source()).filename().string(); }

  void line(std::string_view expected) { text_.open_line(swan_comment, expected); }

  std::size_t counted(std::string_view what, std::size_t low, std::size_t high) {
    line(what);
    return text_.count(text_.word(), what, low, high, 2);
  }

  void read_head() {
    text_.next_line(swan_comment);
    if (text_.word() != "SWAN") text_.fail(text_.line(), "SWAN, the first word of a spectral file of SWAN");
    for (;;) {
      line("QUANT, the list of quantities");
      std::string_view const key = text_.word();
      if (key == "TIME") {
        timed_ = true;
        line("the time coding option");
      } else if (key == "LOCATIONS" || key == "LONLAT") {
        read_locations();
      } else if (key == "AFREQ" || key == "RFREQ") {
        read_frequencies();
        if (key == "RFREQ") remarks_.emplace_back("relative frequencies, used as absolute: there are no currents");
      } else if (key == "NDIR" || key == "CDIR") {
        read_directions(key == "NDIR");
      } else if (key == "QUANT") {
        read_columns();
        return;
      } else {
        text_.fail(key, "TIME, LOCATIONS, LONLAT, AFREQ, RFREQ, NDIR, CDIR or QUANT");
      }
    }
  }

  void read_locations() {
    std::size_t const count = counted("the number of locations", 1, most_swan_locations);
    for (std::size_t n = 0; n < count; ++n) {
      line("the coordinates of a location");
      std::string name;
      for (int axis = 0; axis < 2; ++axis) {
        std::string_view const word = text_.word();
        text_.real(word, "two coordinates of a location", -1e100, 1e100);
        name += (axis == 0 ? "" : " ") + std::string(word);
      }
      if (location_.offer(name)) chosen_location_ = n;
    }
    locations_ = count;
  }

  void read_frequencies() {
    std::size_t const count = counted("the number of frequencies", 2, most_swan_frequencies);
    frequencies_.clear();
    for (std::size_t n = 0; n < count; ++n) {
      line("a frequency");
      double const low = frequencies_.empty() ? least_spectrum_frequency
                                              : std::nextafter(frequencies_.back(), most_spectrum_frequency);
      frequencies_.push_back(text_.real(text_.word(), frequency_wanted, low, most_spectrum_frequency));
    }
  }

  void read_directions(bool nautical) {
    std::size_t const count = counted("the number of directions", 3, most_swan_directions);
    auto const convention = nautical ? app::DirectionConvention::nautical : app::DirectionConvention::travel;
    bins_.clear();
    for (std::size_t n = 0; n < count; ++n) {
      line("a direction");
      double const given = text_.real(text_.word(), "a direction, -720 to 720 degrees", -720, 720);
      double const travel = app::travel_degrees(given, convention) * app::degree;
      constexpr double same = 1e-6;
      auto const near = [&](double other) {
        return std::abs(std::remainder(other - travel, 2 * std::numbers::pi)) < same;
      };
      if (std::any_of(bins_.begin(), bins_.end(), near)) text_.fail(text_.line(), "directions that differ");
      bins_.push_back(travel);
    }
  }

  void read_columns() {
    std::size_t const count = counted("the number of quantities", 1, 100);
    for (std::size_t n = 0; n < count; ++n) {
      SwanColumn column;
      line("the name of a quantity");
      std::string_view const name = text_.word();
      constexpr std::pair<std::string_view, SwanQuantity> names[] = {
          {"VaDens", SwanQuantity::density},  {"EnDens", SwanQuantity::energy},   {"NDIR", SwanQuantity::nautical},
          {"CDIR", SwanQuantity::cartesian},  {"DSPRDEGR", SwanQuantity::spread}, {"DSPR", SwanQuantity::spread},
          {"DSPRPOWER", SwanQuantity::power}, {"DSPRP", SwanQuantity::power}};
      for (auto const& [known, quantity] : names) {
        if (name == known) column.quantity = quantity;
      }
      if (column.quantity == SwanQuantity::other)
        remarks_.push_back("quantity " + printable(name.substr(0, 40)) + " passed over");
      line("the unit of a quantity");
      column.by_radian = text_.word().find("rad") != std::string_view::npos;
      line("the exception value of a quantity");
      column.exception = text_.real(text_.word(), "the exception value of a quantity", -1e100, 1e100);
      columns_.push_back(column);
    }
  }

  std::size_t place_of(SwanQuantity quantity) const {
    auto const found = std::find_if(columns_.begin(), columns_.end(),
                                    [&](SwanColumn const& column) { return column.quantity == quantity; });
    return static_cast<std::size_t>(found - columns_.begin());
  }
  bool has(SwanQuantity quantity) const { return place_of(quantity) < columns_.size(); }

  void check_columns() {
    if (!has(SwanQuantity::density) && !has(SwanQuantity::energy))
      text_.fail(text_.line(), "the quantity VaDens or EnDens in the list before");
    if (!bins_.empty() && columns_.size() > 1) text_.fail(text_.line(), "one quantity in a file with directions");
    if (locations_ == 0) {
      locations_ = 1;
      location_.offer("");
    }
  }

  void read_body() {
    if (!timed_) {
      read_time(true);
      return;
    }
    while (text_.next_line(swan_comment)) read_time(time_.offer(std::string(text_.word())));
  }

  /// The spectra of one time at all locations.
  void read_time(bool chosen) {
    for (std::size_t n = 0; n < locations_; ++n) read_location(chosen && location_.found() && n == chosen_location_);
  }

  void read_location(bool chosen) {
    bool const two = !bins_.empty();
    std::string_view const wanted = two ? "FACTOR, ZERO or NODATA" : "LOCATION, ZERO or NODATA";
    line(wanted);
    std::string_view const key = text_.word();
    if (key == "NODATA" || key == "ZERO") {
      if (!chosen) return;
      text_.fail(key, "a spectrum with energy; choose another /waves/location or /waves/time of this file");
    }
    if (key != (two ? "FACTOR" : "LOCATION")) text_.fail(key, wanted);
    double factor = 1;
    if (two) {
      line("the factor of a table");
      factor = text_.real(text_.word(), "the factor of a table, 0 to 1e30", 0, 1e30);
    }
    text_.skip_line();
    std::size_t const width = two ? bins_.size() : columns_.size(), count = frequencies_.size() * width;
    if (count > text_.bytes_left()) text_.fail("end of the file", std::to_string(count) + " values of a spectrum");
    if (chosen) values_.reserve(count);
    for (std::size_t n = 0; n < count; ++n) {
      std::string_view const word = text_.word_across(swan_comment, "a value of a spectrum");
      if (!chosen) continue;
      double const value = text_.real(word, "a value of a spectrum, a number", -1e30, 1e30);
      values_.push_back(value_of(value, factor, columns_[two ? 0 : n % width]));
    }
    if (std::string_view const more = text_.word(); !more.empty()) text_.fail(more, "the end of the line");
  }

  /// NaN for missing values.
  double value_of(double value, double factor, SwanColumn const& column) {
    constexpr double rounding = 1e-6;
    bool const missing = std::abs(value - column.exception) <= rounding * std::abs(column.exception) ||
                         std::abs(factor * value - column.exception) <= rounding * std::abs(column.exception);
    if (missing) return nothing;
    bool const dense = column.quantity == SwanQuantity::density || column.quantity == SwanQuantity::energy;
    if (!dense) return value;
    constexpr double density_of_water = 1025, gravity_of_swan = 9.81;
    double scale = factor;
    if (column.quantity == SwanQuantity::energy) scale /= density_of_water * gravity_of_swan;
    if (!bins_.empty() && !column.by_radian) scale *= app::degrees;
    double const result = scale * value;
    if (result > most_spectrum_density) text_.fail(app::formatted("%g", result), "densities up to 1e6 m2/Hz");
    if (result < 0) ++negative_;
    return std::max(0.0, result);
  }

  void fill(FileSpectrum& result) {
    std::size_t missing = 0;
    if (!bins_.empty()) {
      result.bins = bins_;
      result.frequency = frequencies_;
      for (double& value : values_) {
        if (std::isnan(value)) ++missing, value = 0;
      }
      result.table = std::move(values_);
    } else {
      fill_from_rows(result, missing);
    }
    if (missing > 0) result.remarks.push_back(app::formatted("%zu missing values, used as no energy", missing));
    if (negative_ > 0) result.remarks.push_back(app::formatted("%zu negative densities, used as no energy", negative_));
  }

  void fill_from_rows(FileSpectrum& result, std::size_t& missing) const {
    std::size_t const width = columns_.size();
    std::size_t const density =
        has(SwanQuantity::density) ? place_of(SwanQuantity::density) : place_of(SwanQuantity::energy);
    bool const nautical = has(SwanQuantity::nautical), directed = nautical || has(SwanQuantity::cartesian);
    bool const spread = has(SwanQuantity::spread), power = has(SwanQuantity::power);
    auto const value = [&](std::size_t row, SwanQuantity quantity) {
      return values_[row * width + place_of(quantity)];
    };
    for (std::size_t row = 0; row < frequencies_.size(); ++row) {
      double const energy = values_[row * width + density];
      if (std::isnan(energy)) ++missing;
      result.frequency.push_back(frequencies_[row]);
      result.density.push_back(std::isnan(energy) ? 0 : energy);
      if (directed) {
        double const given = value(row, nautical ? SwanQuantity::nautical : SwanQuantity::cartesian);
        auto const convention = nautical ? app::DirectionConvention::nautical : app::DirectionConvention::travel;
        result.direction.push_back(app::travel_degrees(given, convention) * app::degree);
      }
      if (spread) {
        double const given = value(row, SwanQuantity::spread);
        result.resultant.push_back(given >= 0 ? resultant_of_spread(given * app::degree) : nothing);
      } else if (power) {
        double const given = value(row, SwanQuantity::power);
        result.resultant.push_back(given >= 0 ? resultant_of_power(given) : nothing);
      }
    }
  }

  SpectrumText& text_;
  SpectrumPick location_, time_;
  std::vector<std::string> remarks_;
  bool timed_ = false;
  std::size_t locations_ = 0, chosen_location_ = 0, negative_ = 0;
  std::vector<double> frequencies_, bins_;
  std::vector<SwanColumn> columns_;
  std::vector<double> values_;  ///< of the chosen spectrum, row by row
};

}  // namespace

FileSpectrum read_swan_spectrum(Case const& input, SpectrumText& text) { return SwanReading(input, text).read(); }

}  // namespace karman::waves
