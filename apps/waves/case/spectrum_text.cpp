// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spectrum_text.hpp"

#include <karman/io/atomic_file.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace karman::waves {
namespace {

constexpr std::size_t most_spectrum_bytes = std::size_t{1} << 30;
constexpr std::string_view margins = " \t\r\f\v";

/// "e" for the "D" of Fortran's exponents.
std::string with_plain_exponent(std::string_view word) {
  std::string text(word);
  for (char& c : text) {
    if (c == 'D' || c == 'd') c = 'e';
  }
  return text;
}

/// Words of foreign files in messages.
std::string shown(std::string_view text) {
  constexpr std::size_t most_shown = 60;
  return printable(text.substr(0, most_shown)) + (text.size() > most_shown ? "..." : "");
}

}  // namespace

std::optional<double> spectrum_number(std::string_view word) {
  constexpr std::size_t longest = 64;
  if (word.empty() || word.size() > longest) return std::nullopt;
  std::string const text = with_plain_exponent(word);
  char const* const begin = text.data() + (text[0] == '+' && text.substr(1, 1) != "-" ? 1 : 0);
  char const* const end = text.data() + text.size();
  double value = 0;
  auto const [stop, error] = std::from_chars(begin, end, value);
  // A positive exponent makes a number too large for a double, a negative one too small, which is zero.
  if (error == std::errc::result_out_of_range && stop == end) {
    bool const tiny = text.find("e-") != std::string::npos || text.find("E-") != std::string::npos;
    return tiny ? std::optional(0.0) : std::nullopt;
  }
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string_view without_margins(std::string_view text) {
  std::size_t const first = text.find_first_not_of(margins);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(margins) + 1 - first);
}

std::string printable(std::string_view text) {
  std::string result(text);
  std::replace_if(result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return result;
}

SpectrumText::SpectrumText(std::filesystem::path const& path)
    : source_(path.string()), text_(read_text_file(path, most_spectrum_bytes)) {
  if (text_.starts_with("\xef\xbb\xbf")) next_ = 3;
  if (text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff"))
    fail_at(1, "UTF-16", "a text in UTF-8; save the file again");
}

std::string_view SpectrumText::first_line() const {
  std::string_view const text = text_;
  std::size_t const begin =
      std::min(text.find_first_not_of(" \t\r\n", text_.starts_with("\xef\xbb\xbf") ? 3 : 0), text.size());
  return without_margins(text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin));
}

bool SpectrumText::next_line(char comment) {
  while (next_ < text_.size()) {
    std::size_t const end = std::min(text_.find('\n', next_), text_.size());
    line_ = without_margins(std::string_view(text_).substr(next_, end - next_));
    rest_ = line_;
    next_ = std::min(end + 1, text_.size());
    if (number_ < std::numeric_limits<int>::max()) ++number_;
    if (!line_.empty() && line_.front() != comment) return true;
  }
  line_ = rest_ = {};
  return false;
}

void SpectrumText::open_line(char comment, std::string_view expected) {
  if (!next_line(comment)) fail("end of the file", expected);
}

std::string_view SpectrumText::word() {
  rest_ = without_margins(rest_);
  std::size_t const end = std::min(rest_.find_first_of(margins), rest_.size());
  std::string_view const found = rest_.substr(0, end);
  rest_.remove_prefix(end);
  return found;
}

std::string_view SpectrumText::word_across(char comment, std::string_view expected) {
  for (;;) {
    if (std::string_view const found = word(); !found.empty()) return found;
    open_line(comment, expected);
  }
}

double SpectrumText::real(std::string_view word, std::string_view expected, double low, double high) const {
  auto const value = spectrum_number(word);
  if (!value || !(*value >= low && *value <= high)) fail(word.empty() ? "end of the line" : word, expected);
  return *value;
}

std::size_t SpectrumText::count(std::string_view word, std::string_view expected, std::size_t low, std::size_t high,
                                std::size_t least_bytes) const {
  std::size_t value = 0;
  auto const [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  bool const whole = error == std::errc() && stop == word.data() + word.size();
  if (!whole || value < low || value > high)
    fail(word.empty() ? "end of the line" : word,
         std::string(expected) + ", " + std::to_string(low) + " to " + std::to_string(high));
  std::size_t const most = bytes_left() / least_bytes;
  if (value > most)
    fail(word, std::string(expected) + ", at most " + std::to_string(most) + " for the size of this file");
  return value;
}

void SpectrumText::fail_at(int line, std::string_view found, std::string_view expected) const {
  CaseProblem problem;
  problem.line = line;
  problem.value = found.starts_with("end of the ") ? std::string(found) : '"' + shown(found) + '"';
  problem.expected = "expected " + std::string(expected);
  throw CaseError(source_, {problem});
}

}  // namespace karman::waves
