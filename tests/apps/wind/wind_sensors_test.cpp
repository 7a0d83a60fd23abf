// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sensors of a case: the interpolation between them by hand, their mean, zones, and every refusal.
#include "io/expect_message.hpp"
#include "wind/case/plausibility.hpp"
#include "wind/case/wind/barnes.hpp"
#include "wind/case/wind/sensor_wind.hpp"
#include "wind/case/wind_case.hpp"
#include "wind/model/velocity_sample.hpp"
#include "wind/model/zones.hpp"
#include <karman/io/config.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace wind_sensors_test {

using namespace karman;
using namespace karman::test;
using namespace karman::wind;
using nlohmann::json;

WindSensor sensor(double x, double y, double speed = 5, double direction = 270) {
  WindSensor result;
  result.name = "at " + std::to_string(x) + ' ' + std::to_string(y);
  result.x = x;
  result.y = y;
  result.profile.speed = speed;
  result.profile.height = 10;
  result.profile.roughness = 0.1;
  result.profile.direction = direction;
  return result;
}

std::vector<WindSensor> four_sensors() {
  return {sensor(10, 20, 4, 240), sensor(110, 30, 5, 250), sensor(60, 130, 6, 260), sensor(150, 150, 7, 280)};
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

TEST(WindBarnes, TwoSensorsAsByHand) {
  std::vector<WindSensor> const two{sensor(0, 0), sensor(100, 0)};
  double const kappa = 5.052 * std::pow(200 / std::numbers::pi, 2);
  // Shares of the other sensor's reading at a sensor in the two passes.
  double const a = std::exp(-1e4 / kappa) / (1 + std::exp(-1e4 / kappa));
  double const b = std::exp(-1e4 / (0.2 * kappa)) / (1 + std::exp(-1e4 / (0.2 * kappa)));
  EXPECT_NEAR(BarnesInterpolation(two, 2).spacing(), 100, 1e-12);
  EXPECT_NEAR(BarnesInterpolation(two, 1).at(0, 0)[1], a, 1e-15);
  // Residuals of readings 0 and 1 after the first pass: -a and a.
  EXPECT_NEAR(BarnesInterpolation(two, 2).at(0, 0)[1], a - (1 - b) * a + b * a, 1e-15);
  // Every pass leaves the fraction 2 b.
  for (int passes = 2; passes < 12; ++passes)
    EXPECT_NEAR(BarnesInterpolation(two, passes).at(0, 0)[1], a * std::pow(2 * b, passes - 1), 1e-13) << passes;
  for (double const weight : BarnesInterpolation(two, 2).at(50, 70)) EXPECT_NEAR(weight, 0.5, 1e-15);
}

TEST(WindBarnes, SecondPassAtAPointAsByHand) {
  auto const sensors = four_sensors();
  BarnesInterpolation const interpolation(sensors, 2);
  double const kappa = 5.052 * std::pow(2 * interpolation.spacing() / std::numbers::pi, 2);
  std::vector<double> const readings{3, -1, 4, 2};
  auto const mean = [&](double x, double y, double width, std::vector<double> const& values) {
    double sum = 0, weights = 0;
    for (std::size_t s = 0; s < values.size(); ++s) {
      double const weight = std::exp(-(std::pow(x - sensors[s].x, 2) + std::pow(y - sensors[s].y, 2)) / width);
      sum += weight * values[s];
      weights += weight;
    }
    return sum / weights;
  };
  std::vector<double> residuals;
  for (std::size_t s = 0; s < 4; ++s)
    residuals.push_back(readings[s] - mean(sensors[s].x, sensors[s].y, kappa, readings));
  for (auto const& [x, y] : {std::array{0.0, 0.0}, std::array{70.0, 90.0}, std::array{300.0, -40.0}}) {
    auto const weights = interpolation.at(x, y);
    double const found = std::inner_product(weights.begin(), weights.end(), readings.begin(), 0.0);
    EXPECT_NEAR(found, mean(x, y, kappa, readings) + mean(x, y, 0.2 * kappa, residuals), 1e-13);
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-14);
  }
}

TEST(WindBarnes, FarFromAllSensorsIsTheNearest) {
  auto const weights = BarnesInterpolation(four_sensors(), 2).at(1e7, 1e7);
  for (double const weight : weights) EXPECT_TRUE(std::isfinite(weight));
  EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-12);
}

TEST(WindBarnes, FurtherPassesComeNearerToTheReadings) {
  auto const sensors = four_sensors();
  std::vector<double> misses;
  for (int const passes : {1, 2, 4, 8, 16, 64}) {
    BarnesInterpolation const interpolation(sensors, passes);
    double miss = 0;
    for (std::size_t s = 0; s < sensors.size(); ++s) {
      auto const weights = interpolation.at(sensors[s].x, sensors[s].y);
      for (std::size_t t = 0; t < sensors.size(); ++t) miss = std::max(miss, std::abs(weights[t] - (s == t ? 1 : 0)));
    }
    misses.push_back(miss);
  }
  for (std::size_t n = 1; n < misses.size(); ++n) EXPECT_LT(misses[n], misses[n - 1] + 1e-15);
  EXPECT_GT(misses[1], 0.05) << "two passes smooth";
  EXPECT_LT(misses.back(), 1e-12);
}

TEST(WindSensorMean, OfEqualSensorsIsTheirProfile) {
  UniformGrid const grid({20, 16, 12}, {10, 10, 2});
  std::vector<WindSensor> const sensors{sensor(10, 20, 5, 250), sensor(110, 30, 5, 250), sensor(60, 130, 5, 250)};
  Profile const mean = SensorWind(sensors, 2).mean(grid);
  EXPECT_EQ(mean.direction, 250);
  for (int k = 0; k < grid.nz(); ++k) {
    auto const expected = sensors.front().profile.velocity(grid.z_center(k));
    auto const found = mean.velocity(grid.z_center(k));
    EXPECT_NEAR(found[0], expected[0], 1e-13);
    EXPECT_NEAR(found[1], expected[1], 1e-13);
  }
  EXPECT_NEAR(mean.speed_at(0.3), sensors.front().profile.speed_at(0.3), 1e-12) << "logarithmic below the lowest layer";
}

TEST(WindSensorMean, IsTheMeanVectorOverTheDomain) {
  UniformGrid const grid({18, 17, 12}, {10, 10, 2});
  auto const sensors = four_sensors();
  SensorWind const wind(sensors, 2);
  double u = 0, v = 0;
  for (int j = 0; j < grid.ny(); ++j) {
    for (int i = 0; i < grid.nx(); ++i) {
      auto const here = wind.velocity((i + 0.5) * 10, (j + 0.5) * 10, 10);
      u += here[0] / (grid.nx() * grid.ny());
      v += here[1] / (grid.nx() * grid.ny());
    }
  }
  Profile const mean = wind.mean(grid);
  EXPECT_NEAR(mean.heading()[0], u / std::hypot(u, v), 1e-10);
  EXPECT_NEAR(mean.heading()[1], v / std::hypot(u, v), 1e-10);
  EXPECT_NEAR(mean.speed, std::hypot(u, v), 1e-12);
}

TEST(WindSensorMean, TakesTheFirstSensorsDirectionInACalm) {
  UniformGrid const grid({18, 17, 12}, {10, 10, 2});
  std::vector<WindSensor> const calm{sensor(10, 20, 0, 200), sensor(110, 30, 0, 90)};
  EXPECT_EQ(SensorWind(calm, 2).mean(grid).direction, 200);
}

TEST(WindSensorZones, HaveTheLocalSpeedAndOneAxis) {
  WindCase wind_case;
  wind_case.grid = UniformGrid({40, 40, 12}, {5, 5, 2});
  wind_case.sensors = {sensor(20, 100, 3, 270), sensor(180, 100, 9, 270)};
  wind_case.profile = SensorWind(wind_case.sensors, 2).mean(wind_case.grid);
  for (double const x : {40.0, 150.0}) {
    Building building;
    building.x = x;
    building.y = 100;
    building.length = building.width = building.height = 10;
    wind_case.buildings.push_back(building);
  }
  auto const plan = plan_zones(wind_case);
  ASSERT_EQ(plan.zones.size(), 2u);
  EXPECT_EQ(plan.heading_x, 1);
  SensorWind const wind(wind_case.sensors, 2);
  for (auto const& zone : plan.zones) EXPECT_NEAR(zone.roof_speed, wind.velocity(zone.x, zone.y, 10)[0], 1e-12);
  EXPECT_GT(plan.zones[1].roof_speed, 2 * plan.zones[0].roof_speed);
}

TEST(WindSensorSamples, HaveTheUndisturbedSpeedOfTheirColumn) {
  UniformGrid const grid({18, 17, 12}, {10, 10, 2});
  auto const sensors = four_sensors();
  SensorWind const wind(sensors, 2);
  Profile const mean = wind.mean(grid);
  VelocityInterpolation interpolation(grid, mean);
  interpolation.set_sensors(sensors, 2);
  auto const sample = interpolation.at({65, 45, 9});
  EXPECT_NEAR(interpolation.undisturbed_speed(sample), speed_of(wind.velocity(65, 45, 9)), 1e-12);
}

/// A case with three sensors and one building.
class WindSensorCase : public testing::Test {
 protected:
  WindSensorCase() {
    whole_ = json::parse(R"({
      "domain": {"origin": [1000, 2000], "cells": [60, 50], "spacing": [5, 5],
        "layers": {"kind": "uniform", "count": 24, "thickness": 2}},
      "wind": {"sensors": [
        {"name": "harbour", "position": [1050, 2050], "direction": 240,
         "profile": {"kind": "log", "speed": 4, "height": 10, "roughness": 0.1}},
        {"name": "mast", "position": [1250, 2200], "direction": 250,
         "profile": {"kind": "measured", "heights": [4, 30], "speeds": [4, 6], "turning": [0, 10], "roughness": 0.2}},
        {"name": "park", "position": [1250, 2050], "direction": 245,
         "profile": {"kind": "power", "speed": 5, "height": 10, "exponent": 0.2}}]},
      "buildings": [{"kind": "block", "position": [1150, 2120], "size": [20, 20, 12]}]})");
  }
  WindCase read() const { return read_wind_case(Case::parse(whole_.dump(2), "case.json", schema())); }
  std::string refusal() const {
    std::string const message = message_of<CaseError>([&] { read(); });
    EXPECT_TRUE(is_one_line(message)) << message;
    return message;
  }
  json& sensors() { return whole_["wind"]["sensors"]; }

  json whole_;
};

TEST_F(WindSensorCase, IsRead) {
  WindCase const found = read();
  ASSERT_EQ(found.sensors.size(), 3u);
  EXPECT_EQ(found.sensor_passes, 2);
  EXPECT_EQ(found.sensors[1].name, "mast");
  EXPECT_EQ(found.sensors[1].x, 250);
  EXPECT_EQ(found.sensors[1].y, 200);
  EXPECT_EQ(found.sensors[1].profile.turning, (std::vector<double>{0, 10}));
  EXPECT_EQ(found.sensors[2].profile.kind, Profile::Kind::power);
  EXPECT_TRUE(contains(found.wind_text, "3 sensors")) << found.wind_text;
  EXPECT_TRUE(found.warnings.empty()) << found.warnings.front();
  whole_["wind"]["convention"] = "travel";
  EXPECT_EQ(read().sensors[0].profile.direction, 30);
}

TEST_F(WindSensorCase, OneSensorIsItsProfile) {
  json const park = sensors()[2];
  sensors() = json::array({park});
  WindCase const found = read();
  EXPECT_TRUE(found.sensors.empty());
  EXPECT_EQ(found.profile.kind, Profile::Kind::power);
  EXPECT_EQ(found.profile.direction, 245);
}

TEST_F(WindSensorCase, TakesSensorsAroundTheDomain) {
  sensors()[1]["position"] = {1330, 2290};
  WindCase const found = read();
  EXPECT_EQ(found.sensors.at(1).x, 330);
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_TRUE(contains(found.warnings.front(), "sensor \"mast\" is 50 m outside of the domain, x from 1000 to 1300"))
      << found.warnings.front();
  whole_["wind"]["buffer"] = 49;
  std::string const message = refusal();
  EXPECT_TRUE(contains(message, "/wind/sensors/1/position") &&
              contains(message, "\"mast\" is 50 m outside of the domain"))
      << message;
}

TEST_F(WindSensorCase, RefusesTwoAtOnePlace) {
  sensors()[2]["position"] = sensors()[0]["position"];
  std::string const message = refusal();
  EXPECT_TRUE(contains(message, "\"park\" is at the place of sensor \"harbour\"")) << message;
}

TEST_F(WindSensorCase, RefusesTwoOfOneName) {
  sensors()[2]["name"] = "mast";
  EXPECT_TRUE(contains(refusal(), "/wind/sensors/2/name")) << refusal();
}

TEST_F(WindSensorCase, RefusesASensorInsideOfABuilding) {
  sensors()[0]["position"] = {1150, 2120};
  std::string const message = refusal();
  EXPECT_TRUE(contains(message, "sensor \"harbour\" is inside") && contains(message, "reading at 10 m") &&
              contains(message, "roof at 12 m"))
      << message;
  sensors()[0]["profile"]["height"] = 13;
  EXPECT_EQ(read().sensors.size(), 3u) << "over the roof is no fault";
}

TEST_F(WindSensorCase, OneSensorInsideOfABuildingIsRefusedToo) {
  json harbour = sensors()[0];
  harbour["position"] = {1150, 2120};
  sensors() = json::array({harbour});
  EXPECT_TRUE(contains(refusal(), "sensor \"harbour\" is inside"));
}

TEST_F(WindSensorCase, RefusesAProfileBesideSensorsAndNeither) {
  whole_["wind"]["direction"] = 270;
  EXPECT_TRUE(contains(refusal(), "/wind/direction")) << refusal();
  whole_["wind"].erase("direction");
  whole_["wind"].erase("sensors");
  std::string const message = message_of<CaseError>([&] { read(); });
  EXPECT_TRUE(is_one_line(message) && contains(message, "/wind: ") &&
              contains(message, "expected profile and direction, or sensors"))
      << message;
}

TEST_F(WindSensorCase, RefusesReadingsThatAreWrongInAProfile) {
  sensors()[1]["profile"]["heights"] = {4, 3};
  EXPECT_TRUE(contains(refusal(), "/wind/sensors/1/profile/heights/1")) << refusal();
}

TEST_F(WindSensorCase, RefusesASweep) {
  whole_["sweep"] = json::parse(R"({"rose": {"kind": "even", "count": 4}})");
  EXPECT_TRUE(contains(refusal(), "/sweep")) << refusal();
  EXPECT_TRUE(contains(refusal(), "as the times of a /series")) << refusal();
}

TEST_F(WindSensorCase, WarnsWhereTheWindIsOffTheAxis) {
  sensors()[0]["direction"] = 200;
  sensors()[0]["position"] = {1130, 2100};
  auto const warnings = read().warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(contains(warnings[0], "degrees off the mean over the domain") && contains(warnings[0], "building 0"))
      << warnings[0];
}

TEST_F(WindSensorCase, WarnsOfTheWorstTime) {
  sensors()[0]["position"] = {1130, 2100};
  whole_["series"] = json::parse(R"({"times": [{"time": 1, "readings": [[4, 240], [4, 250], [5, 245]]},
    {"time": 2.5, "readings": [[3, 200], [4, 280], [4, 290]]}, {"time": 3, "readings": [[4, 280], [4, 280], [4, 282]]}]})");
  auto const warnings = read().warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(contains(warnings[0], "at 2.5 h") && contains(warnings[0], "building 0")) << warnings[0];
}

}  // namespace wind_sensors_test
