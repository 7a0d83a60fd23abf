// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "length_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace karman::wind {
namespace {

constexpr double foot = 0.3048;
constexpr double inch = 0.0254;

/// Without blanks, in lower case, with decimal points.
std::string plain(std::string_view text) {
  std::string result;
  for (char const c : text) {
    bool const blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (blank) continue;
    result += c == ',' ? '.' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

/// Takes the number at the begin of the text.
std::optional<double> take_number(std::string_view& text) {
  double value = 0;
  // Without exponents, so that the unit of "12e" is "e".
  auto const parsed = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (parsed.ec != std::errc{} || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  return value;
}

bool is_one_of(std::string_view text, auto const& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::optional<double> one_length(std::string_view text) {
  constexpr std::array<std::string_view, 7> metres{"", "m", "m.", "metre", "metres", "meter", "meters"};
  constexpr std::array<std::string_view, 5> feet{"ft", "ft.", "foot", "feet", "'"};
  auto const value = take_number(text);
  if (!value || is_one_of(text, metres)) return value;
  if (is_one_of(text, feet)) return *value * foot;
  if (!text.starts_with('\'') || !text.ends_with('"')) return std::nullopt;
  text.remove_prefix(1);
  auto const inches = take_number(text);
  if (!inches || text != "\"") return std::nullopt;
  return *value * foot + *inches * inch;
}

}  // namespace

std::optional<double> metres_in(std::string_view text) {
  std::string const whole = plain(text);
  std::string_view rest = whole;
  std::optional<double> greatest;
  for (;;) {
    std::size_t const end = std::min(rest.find(';'), rest.size());
    auto const length = one_length(rest.substr(0, end));
    if (!length) return std::nullopt;
    greatest = std::max(greatest.value_or(*length), *length);
    if (end == rest.size()) return greatest;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace karman::wind
