// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_sensors.hpp"

#include "common/case/direction.hpp"
#include "common/case/texts.hpp"
#include "read_profile.hpp"
#include "sensor_wind.hpp"
#include "wind/case/buildings/inside_building.hpp"
#include "wind/case/buildings/read_buildings.hpp"
#include "wind/case/case_number.hpp"
#include "wind/case/wind_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>

namespace karman::wind {
namespace {

using app::formatted;

constexpr char const* list = "/wind/sensors";

std::string entry(std::size_t n) { return list + ('/' + std::to_string(n)); }

std::string quoted(std::string const& name) { return "sensor \"" + name + '"'; }

bool is_nautical(Case const& input) {
  return read_options<app::DirectionConvention>(input, "/wind/convention") == app::DirectionConvention::nautical;
}

/// `north`: direction of grid north from true north, from which the direction of a nautical reading counts.
WindSensor read_sensor(Case const& input, std::size_t n, UniformGrid const& grid, double north,
                       std::vector<CaseProblem>& problems) {
  WindSensor sensor;
  sensor.name = input.get<std::string>(entry(n) + "/name");
  auto const position = input.get<std::array<double, 2>>(entry(n) + "/position");
  sensor.x = position[0] - grid.origin()[0];
  sensor.y = position[1] - grid.origin()[1];
  sensor.profile = read_profile(input, entry(n), problems);
  if (is_nautical(input)) sensor.profile.direction -= north;
  return sensor;
}

/// Distance to the domain in plan, 0 inside.
double distance_to_domain(WindSensor const& sensor, UniformGrid const& grid) {
  double const x = std::max({0.0, -sensor.x, sensor.x - grid.nx() * grid.dx()});
  double const y = std::max({0.0, -sensor.y, sensor.y - grid.ny() * grid.dy()});
  return std::hypot(x, y);
}

std::string domain_text(UniformGrid const& grid) {
  auto const& origin = grid.origin();
  return formatted("x from %.9g to %.9g and y from %.9g to %.9g m", origin[0], origin[0] + grid.nx() * grid.dx(),
                   origin[1], origin[1] + grid.ny() * grid.dy());
}

/// Adds the problems of sensor n with its place and with those before it.
void check_place(Case const& input, std::vector<WindSensor> const& sensors, std::size_t n, UniformGrid const& grid,
                 std::vector<CaseProblem>& problems, std::vector<std::string>& warnings) {
  WindSensor const& sensor = sensors[n];
  std::string const position = entry(n) + "/position";
  double const distance = distance_to_domain(sensor, grid);
  if (distance > input.get<double>("/wind/buffer")) {
    problems.push_back(input.problem(position, quoted(sensor.name) +
                                                   formatted(" is %.6g m outside of the domain, ", distance) +
                                                   domain_text(grid) + "; move it or give a larger /wind/buffer"));
  } else if (distance > 0) {
    warnings.push_back(quoted(sensor.name) + formatted(" is %.6g m outside of the domain, ", distance) +
                       domain_text(grid) + ": its reading counts there as measured, without the flow between");
  }
  double const least = 1e-6 * std::min(grid.dx(), grid.dy());
  for (std::size_t m = 0; m < n; ++m) {
    if (sensors[m].name == sensor.name) {
      problems.push_back(
          input.problem(entry(n) + "/name", "expected a name of its own, found that of sensor " + std::to_string(m)));
    }
    if (std::hypot(sensor.x - sensors[m].x, sensor.y - sensors[m].y) > least) continue;
    problems.push_back(input.problem(position, quoted(sensor.name) + " is at the place of " + quoted(sensors[m].name) +
                                                   ": expected one sensor there; join their readings to a measured "
                                                   "profile"));
  }
}

/// Height of the lowest reading above the ground.
double lowest_reading(Profile const& profile) {
  return profile.kind == Profile::Kind::measured ? profile.heights.front() : profile.height;
}

}  // namespace

std::vector<WindSensor> read_wind(Case const& input, WindCase& wind_case, std::vector<CaseProblem>& problems) {
  std::size_t const before = problems.size();
  if (!input.has(list)) {
    bool const has_profile = input.has("/wind/profile");
    bool const has_direction = input.has("/wind/direction");
    if (has_profile && has_direction) {
      Profile const profile = read_profile(input, "/wind", problems);
      if (problems.size() == before) wind_case.profile = profile;
    } else if (has_profile || has_direction) {
      problems.push_back(input.problem(has_profile ? "/wind/direction" : "/wind/profile",
                                       has_profile ? "missing, expected a number" : "missing, expected an object"));
    } else {
      problems.push_back(input.problem("/wind", "expected profile and direction, or sensors; found none of them"));
    }
    return {};
  }
  for (char const* key : {"/wind/profile", "/wind/direction"}) {
    if (input.has(key)) problems.push_back(input.problem(key, "expected this or /wind/sensors, found both"));
  }
  std::vector<WindSensor> sensors;
  for (std::size_t n = 0; n < input.size(list); ++n) {
    sensors.push_back(read_sensor(input, n, wind_case.grid, wind_case.place.north, problems));
    check_place(input, sensors, n, wind_case.grid, problems, wind_case.warnings);
  }
  if (problems.size() > before) return sensors;
  if (sensors.size() == 1) {
    wind_case.profile = sensors.front().profile;
    return sensors;
  }
  wind_case.sensors = sensors;
  wind_case.sensor_passes = input.get<int>("/wind/passes");
  wind_case.profile = SensorWind(wind_case.sensors, wind_case.sensor_passes).mean(wind_case.grid);
  return sensors;
}

void check_sensors(std::vector<WindSensor> const& sensors, WindCase const& wind_case, Case const& input,
                   std::vector<CaseProblem>& problems) {
  for (std::size_t n = 0; n < sensors.size(); ++n) {
    WindSensor const& sensor = sensors[n];
    double const height = lowest_reading(sensor.profile);
    double const z = wind_case.terrain.height_at(sensor.x, sensor.y) + height;
    for (Building const& building : wind_case.buildings) {
      BuildingInterior const test = interior_of(building);
      if (!building.is_solid() || !test.holds_height(z) || !test.holds_point(sensor.x, sensor.y)) continue;
      problems.push_back(input.problem(
          entry(n) + "/position",
          quoted(sensor.name) + " is inside " + called(building, input) +
              formatted(" with its reading at %g m: expected a place in the open or a height above the roof at %g m",
                        height, building.top())));
      break;
    }
  }
}

bool turns_readings(Case const& input) { return input.has(list) && is_nautical(input); }

std::string describe_wind(Case const& input, WindCase const& wind_case) {
  if (wind_case.sensors.empty()) return describe_wind(input, input.has(list) ? entry(0) : "/wind", wind_case.profile);
  SensorWind const wind(wind_case.sensors, wind_case.sensor_passes);
  double worst = 0;
  for (WindSensor const& sensor : wind_case.sensors) {
    auto const read = sensor.profile.velocity(sensor.profile.height);
    auto const found = wind.velocity(sensor.x, sensor.y, sensor.profile.height);
    worst = std::max(worst, std::hypot(found[0] - read[0], found[1] - read[1]));
  }
  return formatted(
      "wind of %zu sensors, %.3g m apart; in the mean %.3g m/s at %g m, from %.4g degrees (0 north, 90 "
      "east); it misses their readings by %.2g m/s at most",
      wind_case.sensors.size(), wind.interpolation().spacing(), wind_case.profile.speed, wind_case.profile.height,
      std::fmod(wind_case.profile.direction + 720, 360.0), worst);
}

}  // namespace karman::wind
