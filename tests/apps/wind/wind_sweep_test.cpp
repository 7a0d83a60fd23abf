// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turning the wind of a model, as a sweep does.
#include "wind_fields.hpp"

namespace wind_sweep_test {

using namespace karman;
using namespace karman::test;
using wind::ProjectionEnd;

template <class>
class WindSweep : public ::testing::Test {};
TYPED_TEST_SUITE(WindSweep, AllBackends, BackendNames);

template <class Exec, class T>
WindFields solved(wind::WindModel& model, wind::WindCase const& wind_case) {
  model.set_initial_field();
  wind::ProjectionState state;
  EXPECT_EQ((WindOn<Exec, T>::solve(model, wind_case, state)), ProjectionEnd::converged);
  return copy_all<T>(model, wind_case.grid);
}

TYPED_TEST(WindSweep, ATurnedModelHasTheBitsOfOneMadeForItsDirection) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8), block(34, 12, 5, 9, 12, 30)});
  for (wind::Method method : {wind::Method::sor, wind::Method::mg_pcg}) {
    wind_case.solver.method = method;
    auto const turned = WindOn<Exec, T>::make(wind_case);
    // Back and forth, so that every direction follows another one.
    for (double direction : {270.0, 123.0, 0.0, 123.0}) {
      wind::WindCase made_for = wind_case;
      made_for.profile.direction = direction;
      auto const fresh = WindOn<Exec, T>::make(made_for);
      turned->set_direction(direction);
      EXPECT_TRUE((solved<Exec, T>(*turned, wind_case) == solved<Exec, T>(*fresh, made_for))) << direction;
    }
  }
}

/// In a case that looks the same from all four sides, the wind turns with the direction. It does so within the error of
/// the solve: colours, and pairs of cells, lie differently for the turned wind.
TYPED_TEST(WindSweep, ASquareCityHasTheSameWindFromAllSides) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({block(24, 24, 8, 8, 8)});
  wind_case.grid = UniformGrid({24, 24, 16}, {2, 2, 2});
  int const n = 24;
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_direction(270);
  WindFields const west = solved<Exec, T>(*model, wind_case);
  model->set_direction(180);
  WindFields const south = solved<Exec, T>(*model, wind_case);
  // A divergence r in every cell drives at most a velocity of r times the length of the domain, in both fields.
  double const bound = 2 * wind_case.solver.tolerance * (5.0 / 2) * 2 * n;
  double largest = 0;
  for (int k = 0; k < wind_case.grid.nz(); ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i <= n; ++i) {
        // A turn by a quarter takes (x, y) to (-y, x), and the wind from the west to one from the south.
        ASSERT_NEAR(west.u(k, j, i), south.v(k, i, n - 1 - j), bound);
        largest = std::fmax(largest, std::abs(west.u(k, j, i)));
      }
    }
  }
  EXPECT_GT(largest, 4);
}

}  // namespace wind_sweep_test
