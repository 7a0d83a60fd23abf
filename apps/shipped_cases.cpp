// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shipped_cases.hpp"

#include <nlohmann/json.hpp>
#include <shipped_texts.hpp>

#include <array>
#include <sstream>

namespace karman::app {

std::span<ShippedCase const> shipped_cases() {
  static std::array const cases{ShippedCase{"wind", "array_7x11", embedded::array_7x11_json},
                                ShippedCase{"wind", "downtown", embedded::downtown_json},
                                ShippedCase{"wind", "open_field", embedded::open_field_json},
                                ShippedCase{"wind", "single_cube", embedded::single_cube_json}};
  return cases;
}

std::string list_report() {
  constexpr bool comments = true;
  std::ostringstream text;
  text << "wind: mass-consistent wind around buildings\n";
  for (ShippedCase const& shipped : shipped_cases()) {
    auto const parsed = nlohmann::json::parse(shipped.text, nullptr, true, comments);
    text << "  " << shipped.name << std::string(shipped.name.size() < 14 ? 14 - shipped.name.size() : 1, ' ')
         << parsed.value("title", "") << '\n';
  }
  text << "\nThe cases are in apps/<application>/cases; `karman wind --example NAME` prints one.\n";
  return text.str();
}

}  // namespace karman::app
