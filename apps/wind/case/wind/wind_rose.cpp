// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_rose.hpp"

#include "common/case/direction.hpp"
#include "wind/case/case_number.hpp"
#include "wind/case/wind_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace karman::wind {
namespace {

/// Frequencies of printed roses are rounded: their sum may exceed 1 by this much.
constexpr double rounding_of_frequencies = 0.005;

std::vector<Sector> even_sectors(int count) {
  std::vector<Sector> sectors(static_cast<std::size_t>(count));
  for (int n = 0; n < count; ++n) sectors[static_cast<std::size_t>(n)].direction = 360.0 * n / count;
  return sectors;
}

/// In degrees from north, whatever the convention of the case.
double nautical(Case const& input, double direction) {
  bool const is_nautical =
      read_options<app::DirectionConvention>(input, "/wind/convention") == app::DirectionConvention::nautical;
  return is_nautical ? direction : 270 - direction;
}

std::vector<Sector> read_sectors(Case const& input) {
  std::string const at = "/sweep/rose/sectors";
  std::vector<Sector> sectors;
  for (std::size_t n = 0; n < input.size(at); ++n) {
    std::string const entry = at + '/' + std::to_string(n);
    sectors.push_back({nautical(input, input.get<double>(entry + "/direction")),
                       input.get<double>(entry + "/frequency"), input.get<double>(entry + "/scale"),
                       input.get<double>(entry + "/shape")});
  }
  return sectors;
}

bool same_direction(double a, double b) { return std::fmod(std::abs(a - b), 360.0) == 0; }

}  // namespace

double exceedance(std::span<Sector const> sectors, std::span<float const> ratios, double threshold) {
  double sum = 0;
  for (std::size_t n = 0; n < sectors.size(); ++n) {
    double const scale = static_cast<double>(ratios[n]) * sectors[n].scale;
    if (scale > 0) sum += sectors[n].frequency * std::exp(-std::pow(threshold / scale, sectors[n].shape));
  }
  return sum;
}

Sweep read_sweep(Case const& input, double top, std::vector<CaseProblem>& problems) {
  Sweep sweep;
  sweep.height = input.get<double>("/sweep/height");
  if (sweep.height > top) {
    problems.push_back(input.problem("/sweep/height", "expected at most the domain top at " + number(top) + " m"));
  }
  if (input.get<std::string>("/sweep/rose/kind") == "even") {
    sweep.sectors = even_sectors(input.get<int>("/sweep/rose/count"));
    return sweep;
  }
  sweep.has_statistics = true;
  sweep.reference_height = input.get<double>("/sweep/rose/reference_height");
  sweep.sectors = read_sectors(input);
  double sum = 0;
  for (std::size_t n = 0; n < sweep.sectors.size(); ++n) {
    Sector const& sector = sweep.sectors[n];
    sum += sector.frequency;
    auto const earlier = std::find_if(sweep.sectors.begin(), sweep.sectors.begin() + static_cast<std::ptrdiff_t>(n),
                                      [&](Sector const& s) { return same_direction(s.direction, sector.direction); });
    if (earlier == sweep.sectors.begin() + static_cast<std::ptrdiff_t>(n)) continue;
    problems.push_back(input.problem(
        "/sweep/rose/sectors/" + std::to_string(n) + "/direction",
        "expected a direction of its own, found that of sector " + std::to_string(earlier - sweep.sectors.begin())));
  }
  if (!(sum > 0) || sum > 1 + rounding_of_frequencies) {
    problems.push_back(input.problem("/sweep/rose/sectors",
                                     "expected frequencies with a sum above 0 and of at most 1, found " + number(sum)));
  }
  return sweep;
}

}  // namespace karman::wind
