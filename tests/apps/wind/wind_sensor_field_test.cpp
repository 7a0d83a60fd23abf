// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields between sensors: the initial field against a serial evaluation, divergence, symmetry.
#include "all_zones.hpp"
#include "wind/case/wind/sensor_wind.hpp"
#include "wind/output/probe_output.hpp"
#include "wind_fields.hpp"

#include <algorithm>

namespace wind_sensor_field_test {

using namespace karman;
using namespace karman::test;
using wind::SensorWind;
using wind::WindSensor;

template <class>
class WindSensorField : public ::testing::Test {};
TYPED_TEST_SUITE(WindSensorField, AllBackends, BackendNames);

WindSensor sensor(double x, double y, double speed, double direction) {
  WindSensor result;
  result.x = x;
  result.y = y;
  result.profile.speed = speed;
  result.profile.height = 10;
  result.profile.roughness = 0.1;
  result.profile.direction = direction;
  return result;
}

template <class Exec, class T>
wind::WindCase case_of(std::vector<WindSensor> sensors, std::vector<wind::Building> buildings = {}) {
  wind::WindCase wind_case = small_case<Exec, T>(std::move(buildings));
  wind_case.sensors = std::move(sensors);
  wind_case.profile = SensorWind(wind_case.sensors, wind_case.sensor_passes).mean(wind_case.grid);
  return wind_case;
}

template <class Exec, class T>
WindFields initial(wind::WindCase const& wind_case) {
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  return copy_all<T>(*model, wind_case.grid);
}

/// On a face the weights are the mean of the two columns; `ground` is that of a column.
template <class T, class Ground>
void expect_winds(wind::WindCase const& wind_case, WindFields const& fields, double tolerance, Ground const& ground) {
  UniformGrid const& grid = wind_case.grid;
  SensorWind const wind(wind_case.sensors, wind_case.sensor_passes);
  auto const weights = [&](int j, int i) {
    return wind.interpolation().at((std::clamp(i, 0, grid.nx() - 1) + 0.5) * grid.dx(),
                                   (std::clamp(j, 0, grid.ny() - 1) + 0.5) * grid.dy());
  };
  auto const height = [&](int j, int i) {
    return ground(std::clamp(j, 0, grid.ny() - 1), std::clamp(i, 0, grid.nx() - 1));
  };
  auto const mean_of = [](std::vector<double> a, std::vector<double> const& b) {
    for (std::size_t s = 0; s < a.size(); ++s) a[s] = 0.5 * (a[s] + b[s]);
    return a;
  };
  auto const solid = [&](int k, int j, int i) {
    return i >= 0 && j >= 0 && i < grid.nx() && j < grid.ny() && fields.flag(k, j, i) == 2;
  };
  for (int k = 0; k < grid.nz(); ++k) {
    double const z = grid.z_center(k);
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.nx(); ++i) {
        if (solid(k, j, i)) continue;
        if (!solid(k, j, i - 1)) {
          auto const here = wind.combined(mean_of(weights(j, i - 1), weights(j, i)),
                                          std::max(0.0, z - 0.5 * (height(j, i - 1) + height(j, i))));
          ASSERT_NEAR(fields.u(k, j, i), here[0], tolerance) << k << ' ' << j << ' ' << i;
        }
        if (!solid(k, j - 1, i)) {
          auto const here = wind.combined(mean_of(weights(j - 1, i), weights(j, i)),
                                          std::max(0.0, z - 0.5 * (height(j - 1, i) + height(j, i))));
          ASSERT_NEAR(fields.v(k, j, i), here[1], tolerance) << k << ' ' << j << ' ' << i;
        }
      }
    }
  }
}

std::vector<WindSensor> three() { return {sensor(5, 5, 4, 240), sensor(40, 10, 6, 275), sensor(20, 33, 5, 300)}; }

TYPED_TEST(WindSensorField, IsThatOfASerialEvaluation) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  auto const wind_case = case_of<Exec, T>(three());
  expect_winds<T>(wind_case, initial<Exec, T>(wind_case), 50 * double(std::numeric_limits<T>::epsilon()),
                  [](int, int) { return 0.0; });
}

TYPED_TEST(WindSensorField, CountsHeightsFromTheTerrain) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  auto wind_case = case_of<Exec, T>(three());
  std::vector<double> heights;
  for (int j = 0; j < 20; ++j) {
    for (int i = 0; i < 24; ++i) heights.push_back(0.3 * i + 0.1 * j);
  }
  wind_case.terrain = wind::Terrain(wind_case.grid, heights);
  expect_winds<T>(wind_case, initial<Exec, T>(wind_case), 2e-5, [&](int j, int i) {
    return heights[static_cast<std::size_t>(j) * 24 + static_cast<std::size_t>(i)];
  });
}

TYPED_TEST(WindSensorField, EqualSensorsGiveTheFieldOfOneProfile) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  std::vector<wind::Building> const blocks{block(20, 20, 8, 8, 8), block(34, 12, 5, 9, 12, 30, 2)};
  auto between = case_of<Exec, T>({sensor(5, 5, 5, 262), sensor(40, 10, 5, 262), sensor(20, 33, 5, 262)}, blocks);
  wind::WindCase plain = small_case<Exec, T>(blocks);
  plain.profile.direction = 262;
  plain.parameterisations = between.parameterisations = all_zones();
  WindFields const a = initial<Exec, T>(plain);
  WindFields const b = initial<Exec, T>(between);
  EXPECT_TRUE(a.flag == b.flag);
  double const tolerance = 500 * double(std::numeric_limits<T>::epsilon());
  for (auto const& [x, y] : {std::pair{&a.u, &b.u}, std::pair{&a.v, &b.v}, std::pair{&a.w, &b.w}}) {
    for (std::size_t n = 0; n < x->values.size(); ++n) ASSERT_NEAR(x->values[n], y->values[n], tolerance) << n;
  }
}

TYPED_TEST(WindSensorField, HasNoDivergenceAfterTheSolve) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  auto const wind_case = case_of<Exec, T>(three(), {block(20, 20, 8, 8, 8)});
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  double const before = largest_divergence(copy_all<T>(*model, wind_case.grid), wind_case.grid);
  wind::ProjectionState state;
  EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), wind::ProjectionEnd::converged);
  double const after = largest_divergence(copy_all<T>(*model, wind_case.grid), wind_case.grid);
  double const tolerance = WindOn<Exec, T>::tolerance;
  EXPECT_LE(after, 1.1 * tolerance * before);
}

/// Sensors, wind and blocks mirrored at the middle line along x give the mirrored field.
TYPED_TEST(WindSensorField, MirroredSensorsMirrorTheField) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  auto const mirrored = [](WindSensor s) { return sensor(s.x, 40 - s.y, s.profile.speed, 540 - s.profile.direction); };
  std::vector<WindSensor> there;
  for (WindSensor const& s : three()) there.push_back(mirrored(s));
  auto const a = initial<Exec, T>(case_of<Exec, T>(three(), {block(20, 14, 8, 8, 8)}));
  auto const b = initial<Exec, T>(case_of<Exec, T>(there, {block(20, 26, 8, 8, 8)}));
  double const tolerance = 200 * double(std::numeric_limits<T>::epsilon());
  int differing = 0;
  for (int k = 0; k < 16; ++k) {
    for (int j = 0; j < 20; ++j) {
      for (int i = 0; i < 24; ++i) {
        if (std::abs(a.u(k, j, i) - b.u(k, 19 - j, i)) > tolerance) ++differing;
        if (std::abs(a.v(k, j, i) + b.v(k, 20 - j, i)) > tolerance) ++differing;
      }
    }
  }
  // A point on the very edge of a zone may fall on either side of it.
  EXPECT_LE(differing, 2);
}

}  // namespace wind_sensor_field_test
