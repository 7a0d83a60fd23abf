// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clock_time.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>

namespace karman::wind {
namespace {

/// Takes a number of exactly so many digits from the begin of the text.
std::optional<int> take_digits(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int value = 0;
  for (char const c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// Seconds east of Greenwich.
std::optional<int> zone_of(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0;
  int const sign = text.front() == '+' ? 1 : text.front() == '-' ? -1 : 0;
  if (sign == 0) return std::nullopt;
  text.remove_prefix(1);
  auto const hours = take_digits(text, 2);
  take(text, ':');
  auto const minutes = text.empty() ? std::optional(0) : take_digits(text, 2);
  if (!hours || !minutes || *hours > 14 || *minutes > 59 || !text.empty()) return std::nullopt;
  return sign * (3600 * *hours + 60 * *minutes);
}

/// The fraction after a decimal sign, such as ".25".
double take_fraction(std::string_view& text) {
  if (!take(text, '.') && !take(text, ',')) return 0;
  double value = 0, unit = 1;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    unit /= 10;
    value += unit * (text.front() - '0');
    text.remove_prefix(1);
  }
  return value;
}

}  // namespace

std::optional<double> seconds_of(std::string_view text) {
  using namespace std::chrono;
  auto const year = take_digits(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  auto const month = take_digits(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  auto const day = take_digits(text, 2);
  if (!day) return std::nullopt;
  year_month_day const date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  double seconds = 86400.0 * static_cast<double>(sys_days(date).time_since_epoch().count());
  if (text.empty()) return seconds;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  auto const hour = take_digits(text, 2);
  if (!hour || !take(text, ':')) return std::nullopt;
  auto const minute = take_digits(text, 2);
  if (!minute || *hour > 24 || *minute > 59) return std::nullopt;
  seconds += 3600.0 * *hour + 60.0 * *minute;
  if (take(text, ':')) {
    auto const second = take_digits(text, 2);
    if (!second || *second > 60) return std::nullopt;
    seconds += *second + take_fraction(text);
  }
  auto const zone = zone_of(text);
  return zone ? std::optional(seconds - *zone) : std::nullopt;
}

std::string utc_text(double seconds) {
  using namespace std::chrono;
  auto const whole = static_cast<long long>(std::llround(seconds));
  long long const days_since = (whole >= 0 ? whole : whole - 86399) / 86400;
  int const rest = static_cast<int>(whole - 86400 * days_since);
  year_month_day const date{sys_days(days(days_since))};
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", int(date.year()), unsigned(date.month()),
                unsigned(date.day()), rest / 3600, rest / 60 % 60, rest % 60);
  return text;
}

}  // namespace karman::wind
