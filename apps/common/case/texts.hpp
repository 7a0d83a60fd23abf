// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers, places, times and errors in words.
#pragma once

#include <cstdio>
#include <exception>
#include <string>

namespace karman::app {

/// printf into a string of at most 400 characters.
template <class... Values>
std::string formatted(char const* format, Values... values) {
  char text[401];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// "(1748074.5, 5427240.25)": ten digits, so that coordinates of a map are exact to a centimetre or better.
std::string place_text(double x, double y);

/// A measured time with three digits: "12.3 us", "4.56 ms", "1.23 s"; minutes and more as duration_text() has them.
std::string measured_time_text(double seconds);

/// The message of an error on one line, without the source location that require() prepends.
std::string reason_of(std::exception const& error);

}  // namespace karman::app
