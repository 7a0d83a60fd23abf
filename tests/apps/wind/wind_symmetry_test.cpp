// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moving and mirroring a case moves and mirrors its solution.
#include "all_zones.hpp"
#include "wind_fields.hpp"

#include <utility>

namespace wind_symmetry_test {

using namespace karman;
using namespace karman::test;
using wind::ProjectionEnd;

template <class>
class WindSymmetry : public ::testing::Test {};
TYPED_TEST_SUITE(WindSymmetry, AllBackends, BackendNames);

TYPED_TEST(WindSymmetry, TwoRunsGiveTheSameBits) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase const wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8), block(34, 12, 5, 9, 12, 30)});
  EXPECT_TRUE((solved<Exec, T>(wind_case) == solved<Exec, T>(wind_case)));
}

TYPED_TEST(WindSymmetry, MovingTheWholeCaseChangesNothing) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8), block(34, 12, 5, 9, 12, 30)});
  WindFields const here = solved<Exec, T>(wind_case);
  // Positions of buildings are relative to the domain's corner; the case reader subtracts the origin.
  wind_case.grid = UniformGrid({24, 20, 16}, {2, 2, 2}, {123456, -98765, 0});
  EXPECT_TRUE((solved<Exec, T>(wind_case) == here));
}

template <class Exec, class T>
void mirror(wind::Parameterisations const& parameterisations, std::vector<wind::Plant> const& plants = {}) {
  wind::WindCase wind_case =
      small_case<Exec, T>({block(18, 20, 8, 10, 8), block(27, 14, 4, 6, 10), block(27, 26, 4, 6, 10)});
  wind_case.parameterisations = parameterisations;
  wind_case.vegetation = plants;
  UniformGrid const& grid = wind_case.grid;
  // Before the solve the mirror image is exact.
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  WindFields const initial = copy_all<T>(*model, grid);
  for (int k = 0; k < grid.nz(); ++k) {
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i <= grid.nx(); ++i) ASSERT_EQ(initial.u(k, j, i), initial.u(k, grid.ny() - 1 - j, i));
    }
  }
  wind::ProjectionState state;
  ASSERT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::converged);
  WindFields const fields = copy_all<T>(*model, grid);
  // The two colours are no mirror images of each other, so the halves differ by the error of the solve. A divergence r
  // in every cell drives at most a velocity of r times the length of the domain; both halves have this error.
  double const left_over = wind_case.solver.tolerance * state.initial_divergence;
  double const bound = 2 * left_over * grid.nx() * grid.dx();
  double largest_v = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    for (int j = 0; j < grid.ny(); ++j) {
      int const mirrored = grid.ny() - 1 - j;
      for (int i = 0; i < grid.nx(); ++i) {
        ASSERT_NEAR(fields.u(k, j, i), fields.u(k, mirrored, i), bound);
        ASSERT_NEAR(fields.w(k, j, i), fields.w(k, mirrored, i), bound);
        ASSERT_NEAR(fields.v(k, j, i), -fields.v(k, mirrored + 1, i), bound);
        largest_v = std::fmax(largest_v, std::abs(fields.v(k, j, i)));
      }
    }
  }
  EXPECT_GT(largest_v, 20 * bound);
}

TYPED_TEST(WindSymmetry, AMirroredCaseHasTheMirroredWind) {
  mirror<typename TypeParam::execution_space, typename TypeParam::real>({});
  mirror<typename TypeParam::execution_space, typename TypeParam::real>(all_zones(), every_plant());
}

template <class Exec, class T>
void turn(wind::Parameterisations const& parameterisations, std::vector<wind::Plant> const& plants = {}) {
  // The same city under a west wind, and turned by a quarter under a south wind.
  wind::WindCase west = small_case<Exec, T>({block(14, 20, 8, 6, 8), block(26, 18, 4, 10, 12)});
  west.parameterisations = parameterisations;
  west.grid = UniformGrid({24, 24, 12}, {2, 2, 2});
  west.vegetation = plants;
  wind::WindCase south = west;
  south.profile.direction = 180;
  for (wind::Building& building : south.buildings) {
    // (x, y) -> (48 - y, x).
    building = block(48 - building.y, building.x, building.length, building.width, building.height, 90);
  }
  for (wind::Plant& plant : south.vegetation) {
    plant.shape.x = 48 - std::exchange(plant.shape.y, plant.shape.x);
    plant.shape.rotation += 90;
    plant.row_rotation += 90;
  }
  WindFields const one = solved<Exec, T>(west);
  WindFields const other = solved<Exec, T>(south);
  UniformGrid const& grid = west.grid;
  double const bound = 2 * west.solver.tolerance * (5.0 / 2) * 48;
  for (int k = 0; k < grid.nz(); ++k) {
    for (int j = 0; j < 24; ++j) {
      for (int i = 0; i < 24; ++i) {
        ASSERT_EQ(one.flag(k, j, i), other.flag(k, i, 23 - j));
        ASSERT_NEAR(one.u(k, j, i), other.v(k, i, 23 - j), bound);
        ASSERT_NEAR(one.v(k, j, i), -other.u(k, i, 24 - j), bound);
        ASSERT_NEAR(one.w(k, j, i), other.w(k, i, 23 - j), bound);
      }
    }
  }
}

TYPED_TEST(WindSymmetry, TurningTheCaseTurnsTheWind) {
  turn<typename TypeParam::execution_space, typename TypeParam::real>({});
  turn<typename TypeParam::execution_space, typename TypeParam::real>(all_zones(), every_plant());
}

}  // namespace wind_symmetry_test
