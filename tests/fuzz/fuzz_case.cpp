// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases of the applications, read as by --dry-run. The first byte of an input chooses the application.
#include "apps/common/small_case.hpp"
#include "apps/euler/small_flow_case.hpp"
#include "apps/poisson/small_poisson_case.hpp"
#include "apps/turbulence/small_turbulence_case.hpp"
#include "apps/waves/small_wave_case.hpp"
#include "euler/case/flow_case.hpp"
#include "fuzz_target.hpp"
#include "poisson/case/poisson_case.hpp"
#include "poisson/case/time_case.hpp"
#include "turbulence/case/turbulence_case.hpp"
#include "waves/case/wave_case.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <stdexcept>

namespace {

using namespace karman;

void read_any_poisson(Case const& input) {
  auto const problem = input.get<std::string>("/problem");
  if (problem == "column_diffusion") poisson::read_column_case(input);
  else if (problem == "heat") poisson::read_heat_case(input);
  else poisson::read_poisson_case(input);
}

/// Meshes of millions of nodes are legal but slow: only small ones are made here.
bool is_small(Case const& input) {
  if (input.get<std::string>("/mesh/kind") != "rectangle") return false;
  auto const low = input.get<std::array<double, 2>>("/mesh/low"), high = input.get<std::array<double, 2>>("/mesh/high");
  double const size = input.get<double>("/mesh/size");
  constexpr double most_nodes = 5000;
  return (std::abs(high[0] - low[0]) / size + 1) * (std::abs(high[1] - low[1]) / size + 1) < most_nodes;
}

/// Of the points of a periodic box, whose values are computed.
constexpr int most_side = 64;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size < 1) return 0;
  std::string const text(reinterpret_cast<char const*>(data) + 1, size - 1);
  try {
    if (data[0] % 5 == 0) {
      Case const input = Case::parse(text, "case.json", wind::schema());
      Case::parse(input.text(), "resolved.json", wind::schema());
      wind::read_wind_case(input);
    } else if (data[0] % 5 == 1) {
      read_any_poisson(Case::parse(text, "case.json", poisson::schema()));
    } else if (data[0] % 5 == 3) {
      Case const input = Case::parse(text, "case.json", euler::schema());
      if (is_small(input)) euler::read_flow_case(input);
    } else if (data[0] % 5 == 4) {
      Case const input = Case::parse(text, "case.json", turbulence::schema());
      auto const points = input.get<std::array<int, 2>>("/domain/points");
      if (points[0] <= most_side && points[1] <= most_side) turbulence::read_turbulence_case(input);
    } else {
      Case const input = Case::parse(text, "case.json", waves::schema());
      if (is_small(input)) waves::read_wave_case(input);
    }
    // The rest of the text is an override of a valid case.
    std::string override = text.substr(0, text.find('\n'));
    Case::parse(test::small_wind_case, "case.json", wind::schema(), std::vector{"/" + override});
  } catch (CaseError const&) {
  } catch (FileError const&) {
  }
  return 0;
}

namespace karman::fuzz {

std::vector<std::string> seeds() {
  std::vector<std::string> all{'\0' + test::small_wind_case, '\0' + std::string(wind::example())};
  nlohmann::json shapes = nlohmann::json::parse(test::small_wind_case);
  shapes["buildings"] = nlohmann::json::parse(test::small_wind_shapes);
  shapes["buildings"].erase(shapes["buildings"].size() - 1);  // a file, see fuzz_geojson.cpp
  all.push_back('\0' + shapes.dump(1));
  all.push_back('\1' + std::string(poisson::example()));
  for (std::string const& text : test::small_poisson_cases()) all.push_back('\1' + text);
  all.push_back('\2' + std::string(waves::example()));
  for (std::string const& text : test::small_wave_cases()) all.push_back('\2' + text);
  all.push_back('\3' + std::string(euler::example()));
  for (std::string const& text : test::small_flow_cases()) all.push_back('\3' + text);
  all.push_back('\4' + std::string(turbulence::example()));
  for (std::string const& text : test::small_turbulence_cases()) all.push_back('\4' + text);
  return all;
}

std::vector<std::string> words() {
  return {"{",          "}",        "[",        "]",       ",",
          ":",          "\"",       "null",     "true",    "\"kind\": ",
          "/*",         "*/",       "//",       "\\u0000", "\\ud800",
          "\"others\"", "\"auto\"", "1e400",    "-0",      "[[[[[[[[",
          "\\n",        "\\t",      "\xc3\xa9", "\xff",    "\"dataset\": \"//\"",
          "\"x*y\"",    "\"file\"", "{}",       "[]",      "\"name\": \" a\""};
}

}  // namespace karman::fuzz
