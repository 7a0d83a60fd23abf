// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields over a terrain: flat ground at any height, and hills.
#include "all_zones.hpp"
#include "wind/output/probe_output.hpp"
#include "wind_fields.hpp"

#include <algorithm>
#include <numbers>

namespace wind_terrain_field_test {

using namespace karman;
using namespace karman::test;
using wind::Building;
using wind::CellFlag;
using wind::Terrain;

template <class>
class WindTerrain : public ::testing::Test {};
TYPED_TEST_SUITE(WindTerrain, AllBackends, BackendNames);

template <class Exec, class T>
WindFields solved(wind::WindCase const& wind_case, wind::ProjectionState& state) {
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), wind::ProjectionEnd::converged);
  return copy_all<T>(*model, wind_case.grid);
}

Terrain flat(UniformGrid const& grid, double height) {
  return {grid, std::vector<double>(static_cast<std::size_t>(grid.nx()) * static_cast<std::size_t>(grid.ny()), height)};
}

/// A round hill in the middle of the domain: h = (H / 2) (1 + cos(pi r / R)).
Terrain hill(UniformGrid const& grid, double height, double radius, double level = 0) {
  std::vector<double> heights;
  for (int j = 0; j < grid.ny(); ++j) {
    for (int i = 0; i < grid.nx(); ++i) {
      // Exactly symmetric about the middle.
      double const x = 0.5 * std::abs(2 * i + 1 - grid.nx()) * grid.dx();
      double const y = 0.5 * std::abs(2 * j + 1 - grid.ny()) * grid.dy();
      double const r = std::hypot(x, y);
      heights.push_back(level + (r < radius ? 0.5 * height * (1 + std::cos(std::numbers::pi * r / radius)) : 0.0));
    }
  }
  return {grid, heights};
}

std::vector<Building> some_blocks() { return {block(20, 20, 8, 8, 8), block(34, 12, 5, 9, 12, 30, 2)}; }

TYPED_TEST(WindTerrain, FlatGroundAtZeroChangesNoBit) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  for (bool const with_blocks : {false, true}) {
    wind::WindCase plain = small_case<Exec, T>(with_blocks ? some_blocks() : std::vector<Building>{});
    plain.parameterisations = all_zones();
    wind::WindCase over_terrain = plain;
    over_terrain.terrain = flat(plain.grid, 0);
    wind::ProjectionState first, second;
    EXPECT_TRUE((solved<Exec, T>(plain, first) == solved<Exec, T>(over_terrain, second)));
    auto const model = WindOn<Exec, T>::make(plain);
    auto const model_over_terrain = WindOn<Exec, T>::make(over_terrain);
    model->set_initial_field();
    model_over_terrain->set_initial_field();
    auto const map = sample_probe(*model, plain, wind::plane_above_ground(0.7));
    auto const map_over_terrain = sample_probe(*model_over_terrain, over_terrain, wind::plane_above_ground(0.7));
    EXPECT_EQ(undisturbed_speeds(plain, map.probe), undisturbed_speeds(over_terrain, map.probe));
    for (std::size_t n = 0; n < map.velocity.size(); ++n) {
      for (std::size_t c = 0; c < 3; ++c) {
        double const a = map.velocity[n][c];
        double const b = map_over_terrain.velocity[n][c];
        ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b)));
      }
    }
  }
}

TYPED_TEST(WindTerrain, FlatGroundRaisedByLayersRaisesTheField) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  constexpr int raised = 3;
  wind::WindCase low = small_case<Exec, T>(some_blocks());
  low.parameterisations = all_zones();
  low.profile.turning = {};
  wind::WindCase high = low;
  high.grid = UniformGrid({24, 20, 16 + raised}, {2, 2, 2});
  high.terrain = flat(high.grid, raised * 2.0);
  for (Building& building : high.buildings) {
    building.ground = raised * 2.0;
    building.base += building.ground;
  }
  auto const expect_raised = [&](WindFields const& expected, WindFields const& found, double tolerance) {
    auto const compare = [&](HostValues const& a, HostValues const& b, double bound) {
      for (int k = 0; k < a.extents[0]; ++k) {
        for (int j = 0; j < a.extents[1]; ++j) {
          for (int i = 0; i < a.extents[2]; ++i)
            ASSERT_NEAR(a(k, j, i), b(k + raised, j, i), bound) << k << ' ' << j << ' ' << i;
        }
      }
    };
    compare(expected.flag, found.flag, 0);
    compare(expected.u, found.u, tolerance);
    compare(expected.v, found.v, tolerance);
    compare(expected.w, found.w, tolerance);
    for (int k = 0; k < raised; ++k) {
      for (int j = 0; j < 20; ++j) {
        for (int i = 0; i < 24; ++i) {
          ASSERT_EQ(found.flag(k, j, i), static_cast<int>(CellFlag::terrain));
          ASSERT_EQ(found.u(k, j, i), 0);
          ASSERT_EQ(found.w(k, j, i), 0);
        }
      }
    }
  };
  auto const model_low = WindOn<Exec, T>::make(low);
  auto const model_high = WindOn<Exec, T>::make(high);
  model_low->set_initial_field();
  model_high->set_initial_field();
  double const round_off = 100 * static_cast<double>(std::numeric_limits<T>::epsilon());
  expect_raised(copy_all<T>(*model_low, low.grid), copy_all<T>(*model_high, high.grid), round_off);
  wind::ProjectionState state;
  ASSERT_EQ((WindOn<Exec, T>::solve(*model_low, low, state)), wind::ProjectionEnd::converged);
  double const left_over = low.solver.tolerance * state.initial_divergence;
  state = {};
  ASSERT_EQ((WindOn<Exec, T>::solve(*model_high, high, state)), wind::ProjectionEnd::converged);
  double const bound = 2 * left_over * low.grid.nx() * low.grid.dx() + round_off;
  expect_raised(copy_all<T>(*model_low, low.grid), copy_all<T>(*model_high, high.grid), bound);
  // Maps above the ground equal the flat case, speed-up included.
  auto const map_low = sample_probe(*model_low, low, wind::plane_above_ground(0.7));
  auto const map_high = sample_probe(*model_high, high, wind::plane_above_ground(0.7));
  auto const undisturbed_low = undisturbed_speeds(low, map_low.probe);
  auto const undisturbed_high = undisturbed_speeds(high, map_low.probe);
  for (std::size_t n = 0; n < map_low.velocity.size(); ++n) {
    ASSERT_NEAR(undisturbed_low[n], undisturbed_high[n], 1e-12);
    for (std::size_t c = 0; c < 3; ++c) {
      ASSERT_EQ(std::isnan(map_low.velocity[n][c]), std::isnan(map_high.velocity[n][c]));
      if (std::isnan(map_low.velocity[n][c])) continue;
      ASSERT_NEAR(map_low.velocity[n][c], map_high.velocity[n][c], bound);
    }
  }
}

TYPED_TEST(WindTerrain, TheInitialFieldCountsFromTheGroundOfTheColumn) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({});
  wind_case.profile.direction = 240;
  UniformGrid const& grid = wind_case.grid;
  wind_case.terrain = hill(grid, 9, 16, 1.3);
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  WindFields const fields = copy_all<T>(*model, grid);
  auto const [hx, hy] = wind_case.profile.heading();
  int solid = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.nx(); ++i) {
        bool const below = grid.z_center(k) < wind_case.terrain.height(i, j);
        solid += below;
        ASSERT_EQ(fields.flag(k, j, i), below ? 2 : 1);
        if (i == 0) continue;
        bool const wall = below || grid.z_center(k) < wind_case.terrain.height(i - 1, j);
        double const ground = 0.5 * (wind_case.terrain.height(i, j) + wind_case.terrain.height(i - 1, j));
        double const speed = wall ? 0 : wind_case.profile.speed_at(std::max(0.0, grid.z_center(k) - ground));
        ASSERT_NEAR(fields.u(k, j, i), speed * hx, 30 * static_cast<double>(std::numeric_limits<T>::epsilon()));
      }
    }
  }
  EXPECT_GT(solid, 500);
  EXPECT_GT(hy, 0);
}

TYPED_TEST(WindTerrain, AHillSpeedsTheWindUpAtItsCrest) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({});
  UniformGrid const& grid = wind_case.grid;
  wind_case.terrain = hill(grid, 8, 16);
  std::vector<WindFields> found;
  for (wind::Method const method : {wind::Method::mg_pcg, wind::Method::multigrid, wind::Method::sor}) {
    wind_case.solver.method = method;
    wind::ProjectionState state;
    found.push_back(solved<Exec, T>(wind_case, state));
    WindFields const& fields = found.back();
    EXPECT_LE(largest_divergence(fields, grid), 1.01 * wind_case.solver.tolerance * state.initial_divergence);
    double const bound = 2 * wind_case.solver.tolerance * state.initial_divergence * grid.nx() * grid.dx();
    double largest_v = 0;
    for (int k = 0; k < grid.nz(); ++k) {
      for (int j = 0; j < grid.ny(); ++j) {
        for (int i = 0; i < grid.nx(); ++i) {
          ASSERT_NEAR(fields.u(k, j, i), fields.u(k, grid.ny() - 1 - j, i), bound);
          ASSERT_NEAR(fields.v(k, j, i), -fields.v(k, grid.ny() - j, i), bound);
          ASSERT_NEAR(fields.u(k, j, i), found.front().u(k, j, i), bound) << "one field from all methods";
          largest_v = std::max(largest_v, std::abs(fields.v(k, j, i)));
          if (fields.flag(k, j, i) != 2) continue;
          ASSERT_EQ(fields.u(k, j, i), 0);
          ASSERT_EQ(fields.u(k, j, i + 1), 0);
          ASSERT_EQ(fields.v(k, j, i), 0);
          ASSERT_EQ(fields.v(k, j + 1, i), 0);
          ASSERT_EQ(fields.w(k + 1, j, i), 0);
        }
      }
    }
    EXPECT_GT(largest_v, 20 * bound) << "the wind goes around the hill as well";
  }
  // At the crest faster than the undisturbed wind at the same height above the ground, at the upwind foot slower.
  int const middle = grid.ny() / 2;
  int const crest_layer = wind::layers_below(grid, wind_case.terrain.height(12, middle));
  double const above = grid.z_center(crest_layer + 1) - wind_case.terrain.height(12, middle);
  double const undisturbed = wind_case.profile.speed_at(above);
  EXPECT_GT(found.front().u(crest_layer + 1, middle, 12), 1.15 * undisturbed);
  EXPECT_LT(found.front().u(0, middle, 5), 0.95 * wind_case.profile.speed_at(grid.z_center(0)));
}

TYPED_TEST(WindTerrain, OverAHemisphereAnEvenWindIsPotentialFlow) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  // Free of rotation before and after the projection. Above the crest u = U (1 + (R / z)^3 / 2).
  constexpr double radius = 16;
  constexpr int cells_a_radius = 8;
  constexpr int columns = 8 * cells_a_radius + 1;
  constexpr double cell = radius / cells_a_radius;
  wind::WindCase wind_case = small_case<Exec, T>({});
  wind_case.grid = UniformGrid({columns, columns, 4 * cells_a_radius}, {cell, cell, cell});
  wind_case.profile.kind = wind::Profile::Kind::power;
  wind_case.profile.exponent = 0;
  UniformGrid const& grid = wind_case.grid;
  std::vector<double> heights;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < columns; ++i) {
      double const r = std::hypot(i - columns / 2, j - columns / 2) * cell;
      heights.push_back(std::sqrt(std::max(0.0, radius * radius - r * r)));
    }
  }
  wind_case.terrain = Terrain(grid, heights);
  wind::ProjectionState state;
  WindFields const fields = solved<Exec, T>(wind_case, state);
  constexpr int middle = columns / 2;
  for (int k = wind::layers_below(grid, radius); k < grid.nz(); ++k) {
    double const z = grid.z_center(k) / radius;
    double const found =
        0.5 * (fields.u(k, middle, middle) + fields.u(k, middle, middle + 1)) / wind_case.profile.speed;
    double const exact = 1 + 0.5 / (z * z * z);
    // The stairs slow the nearest cells; the lid and the sides at four radii cost 0.6 %.
    EXPECT_NEAR(found, exact, z > 1.4 ? 0.012 : z > 1.2 ? 0.04 : 0.15) << z;
    EXPECT_GT(found, 1.0) << z;
  }
}

TYPED_TEST(WindTerrain, MapsAboveTheGroundHaveAValueEverywhere) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({});
  UniformGrid const& grid = wind_case.grid;
  wind_case.terrain = hill(grid, 8, 16);
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  wind::ProjectionState state;
  ASSERT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), wind::ProjectionEnd::converged);
  for (double const height : {0.1, 0.9, 1.75, 5.0}) {
    auto const map = sample_probe(*model, wind_case, wind::plane_above_ground(height));
    auto const undisturbed = undisturbed_speeds(wind_case, map.probe);
    for (std::size_t n = 0; n < map.velocity.size(); ++n) {
      ASSERT_TRUE(std::isfinite(map.velocity[n][0])) << n;
      ASSERT_TRUE(std::isfinite(undisturbed[n]) && undisturbed[n] > 0) << n;
    }
  }
  // A plane of the domain goes through the hill.
  wind::Probe plane;
  plane.kind = wind::Probe::Kind::plane;
  plane.position = 5;
  auto const cut = sample_probe(*model, wind_case, plane);
  auto const inside = std::count_if(cut.velocity.begin(), cut.velocity.end(),
                                    [](auto const& velocity) { return std::isnan(velocity[0]); });
  EXPECT_GT(inside, 10);
  EXPECT_LT(inside, 200);
}

}  // namespace wind_terrain_field_test
