// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "foreign_value.hpp"

#include "wind/case/case_number.hpp"
#include <karman/io/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace karman::wind {
namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";
constexpr std::size_t most_shown = 60;

/// Printable ASCII alone, shortened: files of others may hold any bytes.
std::string shown(std::string_view text) {
  std::string result;
  for (char const c : text.substr(0, most_shown)) result += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > most_shown ? result + "..." : result;
}

CaseProblem problem(ForeignPlace const& place, std::string value, std::string expected) {
  CaseProblem result;
  result.pointer = shown(place.name);
  result.value = std::move(value);
  result.expected = std::move(expected);
  result.line = place.line;
  return result;
}

}  // namespace

std::string ImportRemark::line() const {
  return place.file + (place.line > 0 ? ':' + std::to_string(place.line) : "") + ": " +
         problem(place, "", text).message();
}

void refuse(ForeignPlace const& place, std::string_view found, std::string const& expected) {
  throw CaseError(place.file, {problem(place, found.empty() ? "" : '"' + shown(found) + '"', expected)});
}

std::string Range::expected(std::string_view what) const {
  return "expected " + std::string(what) + (above_low ? " > " : " >= ") + number(low) + " and <= " + number(high);
}

std::optional<double> finite_number(std::string_view text) {
  constexpr std::size_t longest = 64;
  if (text.empty() || text.size() > longest) return std::nullopt;
  std::string digits(text[0] == '+' && text.size() > 1 && text[1] != '-' ? text.substr(1) : text);
  std::replace_if(digits.begin(), digits.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
  double value = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

double number_in(ForeignPlace const& place, std::string_view text, Range const& range) {
  auto const value = finite_number(trimmed(text));
  if (!value || !range.contains(*value)) refuse(place, trimmed(text), range.expected());
  return *value;
}

int integer_in(ForeignPlace const& place, std::string_view text, int low, int high) {
  Range const range{static_cast<double>(low), static_cast<double>(high)};
  auto const value = finite_number(trimmed(text));
  if (!value || !range.contains(*value) || *value != std::floor(*value))
    refuse(place, trimmed(text), range.expected("a whole number"));
  return static_cast<int>(*value);
}

std::string_view trimmed(std::string_view text) {
  auto const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(blanks); at < text.size(); at = text.find_first_not_of(blanks, at)) {
    std::size_t const end = std::min(text.find_first_of(blanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace karman::wind
