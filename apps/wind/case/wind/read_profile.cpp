// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_profile.hpp"

#include "common/case/direction.hpp"
#include "common/case/texts.hpp"
#include "wind/case/wind_options_json.hpp"
#include <karman/io/case_options.hpp>

#include <nlohmann/json.hpp>

#include <cmath>

namespace karman::wind {
namespace {

using app::formatted;

app::DirectionConvention convention_of(Case const& input) {
  return read_options<app::DirectionConvention>(input, "/wind/convention");
}

using Problems = std::vector<CaseProblem>;

void check_length(Case const& input, std::string const& list, std::size_t found, std::size_t expected,
                  Problems& problems) {
  if (found == expected) return;
  problems.push_back(input.problem(
      list, "expected one number per height, " + std::to_string(expected) + " in all, found " + std::to_string(found)));
}

void check_measured(Case const& input, std::string const& at, Profile const& profile, Problems& problems) {
  std::size_t const before = problems.size();
  check_length(input, at + "/speeds", profile.speeds.size(), profile.heights.size(), problems);
  if (!profile.turning.empty())
    check_length(input, at + "/turning", profile.turning.size(), profile.heights.size(), problems);
  if (problems.size() > before) return;
  for (std::size_t n = 1; n < profile.heights.size(); ++n) {
    std::string const index = '/' + std::to_string(n);
    if (!(profile.heights[n] > profile.heights[n - 1])) {
      problems.push_back(input.problem(
          at + ("/heights" + index),
          formatted("expected increasing heights, found %g m after %g m", profile.heights[n], profile.heights[n - 1])));
    }
    if (profile.turning.empty()) continue;
    double const turn = std::remainder(profile.turning[n] - profile.turning[n - 1], 360.0);
    if (std::abs(std::abs(turn) - 180) < 1e-9) {
      problems.push_back(input.problem(
          at + ("/turning" + index),
          "expected less than half a turn from the height below: opposite directions have no short way round; add a "
          "height between them"));
    }
  }
}

void check_canopy(Case const& input, std::string const& at, Profile const& profile, Problems& problems) {
  if (!(profile.roughness < profile.canopy_height)) {
    problems.push_back(input.problem(at + "/roughness", "expected a roughness below " + at +
                                                            formatted("/canopy_height, %g m", profile.canopy_height)));
    return;
  }
  double const least = least_attenuation(profile);
  if (profile.attenuation >= least) return;
  problems.push_back(input.problem(
      at + "/attenuation",
      formatted("expected at least %.4g: below that no displacement height joins the two parts of this canopy",
                least)));
}

}  // namespace

Profile read_profile(Case const& input, std::string const& section, Problems& problems) {
  std::string const at = section + "/profile";
  auto profile = read_options<Profile>(input, at);
  bool const nautical = convention_of(input) == app::DirectionConvention::nautical;
  // 270 - (direction of travel) is the nautical direction of such a wind.
  double const direction = input.get<double>(section + "/direction");
  profile.direction = nautical ? direction : 270 - direction;
  if (profile.obukhov_length != 0 && std::abs(profile.obukhov_length) < 1) {
    problems.push_back(
        input.problem(at + "/obukhov_length", "expected 0 (neutral), at least 1 (stable) or at most -1 (unstable)"));
  } else if (profile.kind == Profile::Kind::canopy) {
    check_canopy(input, at, profile, problems);
  }
  if (profile.kind == Profile::Kind::measured) {
    check_measured(input, at, profile, problems);
    profile.height = profile.heights.front();
    profile.speed = profile.speeds.front();
    if (!nautical) {
      for (double& turn : profile.turning) turn = -turn;
    }
  }
  return profile;
}

std::string describe_wind(Case const& input, std::string const& section, Profile const& profile) {
  std::string const wind = formatted("wind of %g m/s at %g m, ", profile.speed, profile.height);
  auto const direction = input.get<double>(section + "/direction");
  auto const convention = convention_of(input);
  double const travel = 270 - profile.direction;
  double const turn = std::remainder(travel - app::travel_degrees(direction, convention), 360.0);
  if (std::abs(turn) < 1e-9)
    return wind + app::direction_text(direction, convention, "where the wind comes from", "where the wind blows to");
  return wind + formatted(
                    "direction %g degrees, nautical: where the wind comes from, clockwise from true north; %.2f "
                    "degrees from grid north (+y); toward %.2f degrees from +x",
                    direction, app::within_turn(profile.direction), app::within_turn(travel));
}

}  // namespace karman::wind
