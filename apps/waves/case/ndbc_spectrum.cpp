// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ndbc.noaa.gov, "Measurement descriptions and units", spectral wave data.
#include "common/case/direction.hpp"
#include "common/case/texts.hpp"
#include "spectrum_formats.hpp"
#include <karman/io/error.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

namespace karman::waves {
namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();
constexpr char no_comment = '\0';

/// A row of a file: values over the frequency.
struct NdbcRow {
  std::string time;
  std::vector<double> frequency, value;
};

/// Heads and rows of one file. Rows are "YY MM DD hh [mm] values", with frequencies in the head, or in real-time files
/// "YY MM DD hh mm [separation] value (frequency) ...".
class NdbcFile {
 public:
  explicit NdbcFile(SpectrumText& text) : text_(text) {
    text_.next_line(no_comment);
    read_head();
  }

  /// Directions or r_1, by the names of the columns.
  bool is_directional() const { return directional_; }

  /// The next row; false at the end.
  bool next(NdbcRow& row) {
    if (!text_.next_line(no_comment)) return false;
    while (text_.line().front() == '#') {
      if (!text_.next_line(no_comment)) return false;
    }
    row = {};
    for (std::size_t n = 0; n < dates_; ++n) {
      std::string_view word = text_.word();
      text_.real(word, "the date and time of a spectrum", 0, 9999);
      constexpr char const* before[] = {"", "-", "-", " ", ":"};
      row.time += before[n] + std::string(word);
    }
    if (frequencies_.empty()) read_pairs(row);
    else read_values(row);
    return true;
  }

 private:
  void read_head() {
    std::string_view word = text_.word();
    for (; !word.empty(); word = text_.word()) {
      auto const frequency = spectrum_number(word);
      if (frequency) {
        double const low = frequencies_.empty() ? least_spectrum_frequency
                                                : std::nextafter(frequencies_.back(), most_spectrum_frequency);
        frequencies_.push_back(text_.real(word, frequency_wanted, low, most_spectrum_frequency));
      } else if (word == "Sep_Freq") {
        separation_ = true;
      } else if (frequencies_.empty() && word.size() <= 5 &&
                 std::isalpha(static_cast<unsigned char>(word.back())) != 0 &&
                 word.find('_') == std::string_view::npos) {
        ++dates_;
      } else {
        // The rest of the head names the columns of pairs: alpha1_1, r1_1.
        directional_ = word.starts_with("alpha") || word.starts_with("r1_") || word.starts_with("r2_");
        break;
      }
    }
    if (dates_ < 4 || dates_ > 5) text_.fail(text_.line(), "a head YY MM DD hh or YY MM DD hh mm");
  }

  double value_of(std::string_view word, char const* expected) const {
    return word == "MM" ? not_measured : text_.real(word, expected, -1e9, 1e9);
  }

  void read_values(NdbcRow& row) {
    row.frequency = frequencies_;
    for (std::size_t n = 0; n < frequencies_.size(); ++n)
      row.value.push_back(value_of(text_.word(), "one value per frequency of the head"));
    if (std::string_view const more = text_.word(); !more.empty()) text_.fail(more, "the end of the line");
  }

  void read_pairs(NdbcRow& row) {
    if (separation_) text_.real(text_.word(), "the separation frequency", -1e9, 1e9);
    for (std::string_view word = text_.word(); !word.empty(); word = text_.word()) {
      double const value = value_of(word, "a value before its frequency in brackets");
      std::string_view bracket = text_.word();
      bool const good = bracket.size() > 2 && bracket.front() == '(' && bracket.back() == ')';
      if (!good) text_.fail(bracket.empty() ? "end of the line" : bracket, "a frequency in brackets after its value");
      double const low = row.frequency.empty() ? least_spectrum_frequency
                                               : std::nextafter(row.frequency.back(), most_spectrum_frequency);
      row.frequency.push_back(
          text_.real(bracket.substr(1, bracket.size() - 2), frequency_wanted, low, most_spectrum_frequency));
      row.value.push_back(value);
    }
  }

  SpectrumText& text_;
  std::size_t dates_ = 0;
  bool separation_ = false, directional_ = false;
  std::vector<double> frequencies_;
};

/// Names of the files with mean directions and r_1.
std::pair<std::filesystem::path, std::filesystem::path> companions(std::filesystem::path const& path) {
  std::filesystem::path direction = path, resultant = path;
  if (path.extension() == ".data_spec")
    return {direction.replace_extension(".swdir"), resultant.replace_extension(".swr1")};
  // Station, w, year: 44004w2000.txt.
  std::string name = path.filename().string();
  constexpr std::size_t station = 5;
  if (name.size() <= station || name[station] != 'w') return {};
  name[station] = 'd';
  direction.replace_filename(name);
  name[station] = 'j';
  resultant.replace_filename(name);
  return {direction, resultant};
}

/// The row of this time in a file beside the spectra. Empty values where the file or the row is missing, with a remark.
std::vector<double> beside(std::filesystem::path const& file, NdbcRow const& spectrum, char const* what,
                           std::vector<std::string>& remarks) {
  std::error_code ignored;
  if (file.empty() || !std::filesystem::exists(file, ignored)) {
    std::string const name = file.empty() ? "" : ' ' + file.filename().string();
    remarks.push_back("no file" + name + " with " + what + " beside it");
    return {};
  }
  SpectrumText text(file);
  NdbcFile rows(text);
  NdbcRow row;
  while (rows.next(row)) {
    if (row.time != spectrum.time) continue;
    bool same = row.frequency.size() == spectrum.frequency.size();
    constexpr double rounding = 1e-4;
    for (std::size_t n = 0; same && n < row.frequency.size(); ++n)
      same = std::abs(row.frequency[n] - spectrum.frequency[n]) < rounding;
    if (!same) text.fail(row.time, "the frequencies of the spectrum at this time");
    remarks.push_back(std::string(what) + " from " + file.filename().string());
    return row.value;
  }
  remarks.push_back("no row " + spectrum.time + " in " + file.filename().string() + " with " + what);
  return {};
}

}  // namespace

bool is_ndbc_head(std::string_view line) {
  std::string head;
  for (char const c : line.substr(0, 20)) {
    if (c == '#' || c == ' ' || c == '\t') continue;
    head += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return head.starts_with("yymmddhh") || head.starts_with("yyyymmddhh");
}

FileSpectrum read_ndbc_spectrum(Case const& input, SpectrumText& text, std::filesystem::path const& path) {
  NdbcFile rows(text);
  if (rows.is_directional()) text.fail(text.line(), "densities: the file .data_spec, which has this one beside it");
  SpectrumPick time(input, "time"), location(input, "location");
  NdbcRow row, chosen;
  while (rows.next(row)) {
    if (!time.offer(row.time)) continue;
    for (double& value : row.value) {
      if (value == 999 || value == 9999) value = not_measured;
      if (value < 0 || value > most_spectrum_density)
        text.fail(app::formatted("%g", value), "densities from 0 to 1e6 m2/Hz");
    }
    chosen = row;
  }
  std::string const name = path.filename().string();
  time.finish(name);
  location.offer(name);
  location.finish(name);
  FileSpectrum result;
  result.place = time.words();
  auto const [direction_file, resultant_file] = companions(path);
  std::vector<double> const directions = beside(direction_file, chosen, "mean directions", result.remarks);
  std::vector<double> const resultants =
      directions.empty() ? std::vector<double>() : beside(resultant_file, chosen, "r_1", result.remarks);
  // Files of a year have hundredths.
  bool const hundredths = std::any_of(resultants.begin(), resultants.end(), [](double r) { return r > 1 && r <= 100; });
  std::size_t left_out = 0;
  for (std::size_t n = 0; n < chosen.value.size(); ++n) {
    if (std::isnan(chosen.value[n])) {
      ++left_out;
      continue;
    }
    result.frequency.push_back(chosen.frequency[n]);
    result.density.push_back(chosen.value[n]);
    if (!directions.empty()) {
      bool const known = directions[n] >= 0 && directions[n] <= 360;
      double const travel = app::travel_degrees(directions[n], app::DirectionConvention::nautical) * app::degree;
      result.direction.push_back(known ? travel : not_measured);
    }
    if (!resultants.empty()) {
      double const r = resultants[n] * (hundredths ? 0.01 : 1);
      result.resultant.push_back(r >= 0 && r <= 1 ? r : not_measured);
    }
  }
  if (left_out > 0) result.remarks.push_back(app::formatted("%zu frequencies without a density left out", left_out));
  return result;
}

}  // namespace karman::waves
