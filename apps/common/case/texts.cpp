// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "texts.hpp"

#include <karman/io/progress.hpp>

#include <algorithm>

namespace karman::app {

std::string place_text(double x, double y) { return formatted("(%.10g, %.10g)", x, y); }

std::string measured_time_text(double seconds) {
  constexpr double minute = 60;
  if (!(seconds < minute)) return duration_text(seconds);
  if (seconds < 1e-3) return formatted("%.3g us", 1e6 * seconds);
  if (seconds < 1) return formatted("%.3g ms", 1e3 * seconds);
  return formatted("%.3g s", seconds);
}

std::string reason_of(std::exception const& error) {
  std::string text = error.what();
  text.erase(std::min(text.find('\n'), text.size()));
  // "file:line: message"
  std::size_t const end = text.find(": ");
  if (end == std::string::npos) return text;
  std::size_t const colon = text.rfind(':', end - 1);
  bool const place = colon != std::string::npos && colon + 1 < end && text.find(' ') > end &&
                     text.find_first_not_of("0123456789", colon + 1) == end;
  return place ? text.substr(end + 2) : text;
}

}  // namespace karman::app
