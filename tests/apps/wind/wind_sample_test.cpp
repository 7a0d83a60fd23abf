// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Velocity at points: exact for linear fields, on faces and at the edges, on stretched layers.
#include "wind/model/velocity_sample.hpp"
#include "wind_fields.hpp"

#include <cmath>
#include <limits>

namespace wind_sample_test {

using namespace karman;
using namespace karman::test;
using wind::ModelField;
using wind::VelocityInterpolation;
using wind::VelocitySample;

template <class>
class WindSample : public ::testing::Test {};
TYPED_TEST_SUITE(WindSample, AllBackends, BackendNames);

/// Value of one component of a linear field at a point.
double linear(std::size_t component, double x, double y, double z) {
  constexpr double factors[3][4] = {{2, 0.5, -0.25, 0.125}, {-1, 0.25, 0.5, 1}, {0.5, -0.5, 1, 0.25}};
  double const* const f = factors[component];
  return f[0] + f[1] * x + f[2] * y + f[3] * z;
}

/// Sets the faces of a model to linear fields.
template <class T>
void set_linear(wind::WindModel& model, UniformGrid const& grid) {
  std::array const fields{ModelField::u, ModelField::v, ModelField::w};
  for (std::size_t c = 0; c < 3; ++c) {
    auto const extents = wind::extents(fields[c], grid);
    std::vector<T> values;
    for (int k = 0; k < extents[0]; ++k) {
      double const z = c == 2 ? grid.z_face(k) : grid.z_center(k);
      for (int j = 0; j < extents[1]; ++j) {
        double const y = (c == 1 ? j : j + 0.5) * grid.dy();
        for (int i = 0; i < extents[2]; ++i)
          values.push_back(static_cast<T>(linear(c, (c == 0 ? i : i + 0.5) * grid.dx(), y, z)));
      }
    }
    model.restore(fields[c], {static_cast<T const*>(values.data()), extents});
  }
}

std::vector<std::array<double, 3>> sampled(wind::WindModel& model, wind::WindCase const& wind_case,
                                           std::vector<std::array<double, 3>> const& points) {
  VelocityInterpolation interpolation(wind_case.grid, wind_case.profile);
  std::vector<VelocitySample> samples;
  for (auto const& point : points) samples.push_back(interpolation.at(point));
  std::vector<std::array<double, 3>> velocity(points.size());
  model.sample_velocity(samples, velocity);
  return velocity;
}

template <class Exec, class T>
wind::WindCase stretched_case(std::vector<wind::Building> blocks = {}) {
  wind::WindCase wind_case = small_case<Exec, T>(std::move(blocks));
  wind_case.grid = UniformGrid::with_layers({9, 7}, {2, 3}, {1, 1.25, 1.5, 2, 3, 4});
  return wind_case;
}

TYPED_TEST(WindSample, IsExactForLinearFieldsUpToTheEdges) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  auto const wind_case = stretched_case<Exec, T>();
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  set_linear<T>(*model, wind_case.grid);
  // Interior, on faces and edges, in the half cells along all sides, and in the corners. From the lowest centre up.
  std::vector<std::array<double, 3>> points;
  for (double x : {0.0, 0.3, 1.0, 2.0, 7.7, 17.5, 18.0}) {
    for (double y : {0.0, 1.0, 1.5, 3.0, 10.1, 20.9, 21.0}) {
      for (double z : {0.5, 1.0, 1.2, 2.25, 6.0, 11.5, 12.75}) points.push_back({x, y, z});
    }
  }
  auto const found = sampled(*model, wind_case, points);
  // Eight values of at most 30 m/s, each rounded to the precision of the field; extrapolation enlarges by 1.5^2.
  double const tolerance = 30 * 8 * 2.25 * double(std::numeric_limits<T>::epsilon());
  for (std::size_t n = 0; n < points.size(); ++n) {
    auto const [x, y, z] = points[n];
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(found[n][c], linear(c, x, y, z), tolerance) << c << ": " << x << ' ' << y << ' ' << z;
  }
}

TYPED_TEST(WindSample, OnAFaceAndAtACentreAreTheStoredValues) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  auto const wind_case = stretched_case<Exec, T>({block(9, 10.5, 4, 6, 3)});
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  UniformGrid const& grid = wind_case.grid;
  auto const fields = copy_all<T>(*model, grid);
  std::vector<std::array<double, 3>> points;
  for (int i = 0; i < grid.nx(); ++i) points.push_back({i * grid.dx(), 4.5, grid.z_center(3)});
  for (int i = 0; i < grid.nx(); ++i) points.push_back({(i + 0.5) * grid.dx(), 4.5, grid.z_center(3)});
  auto const found = sampled(*model, wind_case, points);
  for (int i = 0; i < grid.nx(); ++i) {
    auto const n = static_cast<std::size_t>(i);
    EXPECT_EQ(found[n][0], fields.u(3, 1, i)) << i;
    auto const& center = found[n + static_cast<std::size_t>(grid.nx())];
    EXPECT_EQ(center[0], fields.u(3, 1, i) + 0.5 * (fields.u(3, 1, i + 1) - fields.u(3, 1, i))) << i;
    EXPECT_EQ(center[1], fields.v(3, 1, i) + 0.5 * (fields.v(3, 2, i) - fields.v(3, 1, i))) << i;
  }
}

TYPED_TEST(WindSample, IsNotANumberInSolidCellsAlone) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  auto const wind_case = stretched_case<Exec, T>({block(9, 10.5, 4, 6, 3)});
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  auto const flags = copy<T>(*model, ModelField::flag, wind_case.grid);
  std::vector<std::array<double, 3>> points;
  std::vector<bool> solid;
  for (int k = 0; k < 6; ++k) {
    for (int j = 0; j < 7; ++j) {
      for (int i = 0; i < 9; ++i) {
        // Off the centre, but in the cell.
        points.push_back({2 * i + 0.1, 3 * j + 2.9, wind_case.grid.z_center(k) + 0.3});
        solid.push_back(flags(k, j, i) == 0);
      }
    }
  }
  auto const found = sampled(*model, wind_case, points);
  int count = 0;
  for (std::size_t n = 0; n < points.size(); ++n) {
    for (double component : found[n]) EXPECT_EQ(std::isnan(component), solid[n]) << n;
    count += solid[n] ? 1 : 0;
  }
  EXPECT_GT(count, 4);
}

TYPED_TEST(WindSample, FollowsTheProfileNearTheGround) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  auto wind_case = stretched_case<Exec, T>();
  wind_case.profile.direction = 240;
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  auto const found = sampled(*model, wind_case, {{7, 7, 0.25}, {7, 7, 0}, {-5, 300, 0.25}});
  auto const [u, v] = wind_case.profile.velocity(0.25);
  double const tolerance = 5 * 4 * double(std::numeric_limits<T>::epsilon());
  EXPECT_NEAR(found[0][0], u, tolerance);
  EXPECT_NEAR(found[0][1], v, tolerance);
  EXPECT_EQ(found[1], (std::array<double, 3>{0, 0, 0}));
  EXPECT_EQ(found[2], found[0]) << "a point outside counts as the nearest one of the domain";
}

TYPED_TEST(WindSample, OverTheUndisturbedSpeedIsOneInAnEmptyDomain) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  auto wind_case = stretched_case<Exec, T>();
  wind_case.profile.kind = wind::Profile::Kind::measured;
  wind_case.profile.heights = {1, 6};
  wind_case.profile.speeds = {3, 5};
  wind_case.profile.turning = {0, 60};
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  VelocityInterpolation interpolation(wind_case.grid, wind_case.profile);
  for (double z : {0.2, 0.5, 1.75, 3.0, 8.0, 12.5}) {
    auto const velocity = sampled(*model, wind_case, {{5.3, 11, z}}).front();
    double const speed = std::hypot(velocity[0], velocity[1], velocity[2]);
    double const undisturbed = interpolation.undisturbed_speed(interpolation.at({5.3, 11, z}));
    EXPECT_NEAR(speed / undisturbed, 1, 8 * double(std::numeric_limits<T>::epsilon())) << z;
  }
}

TYPED_TEST(WindSample, WorksInASingleCell) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  auto wind_case = small_case<Exec, T>({});
  wind_case.grid = UniformGrid({1, 1, 1}, {2, 2, 2});
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  double const center = static_cast<double>(static_cast<T>(wind_case.profile.speed_at(1)));
  for (auto const& velocity : sampled(*model, wind_case, {{0, 0, 1}, {1, 1, 1.5}, {2, 2, 2}}))
    EXPECT_EQ(velocity, (std::array<double, 3>{center, 0, 0}));
  EXPECT_TRUE(sampled(*model, wind_case, {}).empty());
}

TYPED_TEST(WindSample, InitialFieldTurnsWithTheProfile) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  auto wind_case = stretched_case<Exec, T>();
  wind_case.profile.kind = wind::Profile::Kind::measured;
  wind_case.profile.heights = {1, 6};
  wind_case.profile.speeds = {3, 5};
  wind_case.profile.turning = {0, 60};
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  auto const fields = copy_all<T>(*model, wind_case.grid);
  for (int k = 0; k < wind_case.grid.nz(); ++k) {
    auto const [u, v] = wind_case.profile.velocity(wind_case.grid.z_center(k));
    EXPECT_EQ(fields.u(k, 2, 4), double(static_cast<T>(u)));
    EXPECT_EQ(fields.v(k, 2, 4), double(static_cast<T>(v)));
  }
  EXPECT_LT(fields.v(5, 2, 4), -4) << "from the north-west at the top";
  EXPECT_EQ(model->update_divergence(), 0);
}

}  // namespace wind_sample_test
