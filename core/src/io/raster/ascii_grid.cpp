// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/files/plain_text.hpp"
#include <karman/io/atomic_file.hpp>
#include <karman/io/error.hpp>
#include <karman/io/raster.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace karman {
namespace {

constexpr int most_columns = 1 << 24;
constexpr double largest_position = 1e12;
constexpr double largest_value = 1e100;  // differences do not overflow
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Words of a text with their lines.
class Words {
 public:
  Words(std::string source, std::string text) : source_(std::move(source)), text_(std::move(text)) {}

  /// The next word without taking it; empty at the end.
  std::string_view peek() {
    while (position_ < text_.size() && is_blank(text_[position_])) line_ += text_[position_++] == '\n' ? 1 : 0;
    std::size_t end = position_;
    while (end < text_.size() && !is_blank(text_[end])) ++end;
    return std::string_view(text_).substr(position_, end - position_);
  }

  std::string_view take() {
    std::string_view const word = peek();
    position_ += word.size();
    return word;
  }

  std::size_t bytes_left() const { return text_.size() - position_; }

  [[noreturn]] void fail(std::string_view found, std::string const& expected) const {
    constexpr std::size_t most = 60;
    CaseProblem problem;
    problem.value = found.empty() ? "end of the file" : '"' + detail::shortened(found, most) + '"';
    problem.expected = "expected " + expected;
    problem.line = line_;
    throw CaseError(source_, {problem});
  }

 private:
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  std::string source_;
  std::string text_;
  std::size_t position_ = 0;
  int line_ = 1;
};

/// The number below 1e100 in size that a word is, NaN included; empty for any other word.
std::optional<double> number_in(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  char const* const end = word.data() + word.size();
  auto const parsed = std::from_chars(word.data(), end, value);
  if (parsed.ptr != end || word.empty()) return std::nullopt;
  if (parsed.ec == std::errc::result_out_of_range) {
    bool const tiny = word.find("e-") != word.npos || word.find("E-") != word.npos;
    return tiny ? std::optional(0.0) : std::nullopt;
  }
  if (parsed.ec != std::errc{} || std::abs(value) >= largest_value) return std::nullopt;
  return value;
}

std::string lower_case(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

/// The keys before the values.
class Header {
 public:
  explicit Header(Words& words) : words_(words) {
    // The first value ends the header.
    while (!words.peek().empty() && !number_in(words.peek())) read_line();
  }

  Raster empty_raster(std::size_t most_cells) const {
    Raster raster;
    raster.columns = count("ncols");
    raster.rows = count("nrows");
    std::size_t const cells = static_cast<std::size_t>(raster.columns) * static_cast<std::size_t>(raster.rows);
    if (cells > most_cells) {
      words_.fail(std::to_string(raster.columns) + " x " + std::to_string(raster.rows),
                  "at most " + std::to_string(most_cells) + " cells");
    }
    raster.spacing = {size("dx"), size("dy")};
    constexpr std::array<std::array<char const*, 2>, 2> origins{
        {{"xllcorner", "xllcenter"}, {"yllcorner", "yllcenter"}}};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      auto const [corner, center] = origins[axis];
      bool const of_corner = found(corner).has_value();
      if (of_corner == found(center).has_value())
        words_.fail(words_.peek(), "one of " + std::string(corner) + " and " + center + " before the values");
      raster.corner[axis] = of_corner ? *found(corner) : *found(center) - 0.5 * raster.spacing[axis];
      if (std::abs(raster.corner[axis]) > largest_position)
        words_.fail(words_.peek(), std::string("a position within 1e12 after ") + (of_corner ? corner : center));
    }
    return raster;
  }

  double no_data() const { return found("nodata_value").value_or(-9999); }

 private:
  static constexpr std::array names{"ncols",     "nrows",    "xllcorner", "xllcenter", "yllcorner",
                                    "yllcenter", "cellsize", "dx",        "dy",        "nodata_value"};

  void read_line() {
    std::string_view const word = words_.peek();
    auto const known = std::find(names.begin(), names.end(), lower_case(word));
    if (known == names.end()) {
      words_.fail(word,
                  "a value, or a key of an ESRI ASCII grid: ncols, nrows, xllcorner, xllcenter, yllcorner, "
                  "yllcenter, cellsize, dx, dy or NODATA_value");
    }
    auto& value = values_[static_cast<std::size_t>(known - names.begin())];
    if (value) words_.fail(word, "each key once");
    words_.take();
    value = number_in(words_.peek());
    bool const may_be_nan = *known == std::string_view("nodata_value");
    if (!value || (std::isnan(*value) && !may_be_nan))
      words_.fail(words_.peek(), "a number after " + std::string(*known));
    words_.take();
  }

  std::optional<double> found(std::string_view name) const {
    auto const at = std::find(names.begin(), names.end(), name);
    return values_[static_cast<std::size_t>(at - names.begin())];
  }

  int count(char const* name) const {
    double const value = found(name).value_or(0);
    if (!(value >= 1 && value <= most_columns && value == std::floor(value)))
      words_.fail(words_.peek(), std::string(name) + ", an integer from 1 to 2^24, before the values");
    return static_cast<int>(value);
  }

  double size(char const* name) const {
    double const value = found("cellsize").value_or(found(name).value_or(0));
    if (!(value > 0 && value <= largest_position))
      words_.fail(words_.peek(), std::string("cellsize (or dx and dy), a number > 0, before the values"));
    return value;
  }

  Words& words_;
  std::array<std::optional<double>, names.size()> values_;
};

}  // namespace

Raster read_ascii_grid(std::filesystem::path const& path, RasterOptions const& options) {
  Words words(path.string(), read_text_file(path, options.most_bytes));
  Header const header(words);
  Raster raster = header.empty_raster(options.most_cells);
  auto const columns = static_cast<std::size_t>(raster.columns);
  auto const rows = static_cast<std::size_t>(raster.rows);
  // A value has at least one digit and a blank.
  std::size_t const room = (words.bytes_left() + 1) / 2;
  if (columns * rows > room) {
    words.fail(std::to_string(raster.columns) + " x " + std::to_string(raster.rows),
               "at most " + std::to_string(room) + " cells for the size of this file");
  }
  raster.values.assign(columns * rows, not_a_number);
  double const no_data = header.no_data();
  for (std::size_t row = 0; row < rows; ++row) {
    double* const line = raster.values.data() + (rows - 1 - row) * columns;
    for (std::size_t column = 0; column < columns; ++column) {
      auto const value = number_in(words.peek());
      if (!value) {
        words.fail(words.peek(), "a number, value " + std::to_string(column + 1) + " of row " +
                                     std::to_string(row + 1) + " of " + std::to_string(rows));
      }
      words.take();
      if (*value != no_data) line[column] = *value;
    }
  }
  if (!words.peek().empty()) words.fail(words.peek(), "the end of the file after " + std::to_string(rows) + " rows");
  return raster;
}

}  // namespace karman
