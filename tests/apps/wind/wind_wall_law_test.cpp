// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logarithmic law next to walls: by hand on one block, and its projection.
#include "wind_fields.hpp"

namespace wind_wall_law_test {

using namespace karman;
using namespace karman::test;
using wind::ProjectionEnd;

template <class>
class WindWallLaw : public ::testing::Test {};
TYPED_TEST_SUITE(WindWallLaw, AllBackends, BackendNames);

/// One block over the cells 8 to 11, 8 to 11, 0 to 3 of 2 m, in wind along the diagonal, without zones.
template <class Exec, class T>
wind::WindCase one_block() {
  wind::WindCase wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8)});
  wind_case.profile.direction = 225;
  wind_case.parameterisations.upwind_cavity = wind_case.parameterisations.wake = false;
  wind_case.parameterisations.wall_law = true;
  wind_case.parameterisations.wall_roughness = 0.05;
  return wind_case;
}

/// ln(d1 / z0) / ln(d2 / z0) for a face half a cell and one three halves of a cell away.
double factor_of(double cell, double roughness) {
  return std::log(cell / 2 / roughness) / std::log(1.5 * cell / roughness);
}

TYPED_TEST(WindWallLaw, FollowsTheNextFaceAwayFromTheWall) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase const wind_case = one_block<Exec, T>();
  UniformGrid const& grid = wind_case.grid;
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  WindFields const before = copy_all<T>(*model, grid);
  model->apply_wall_law();
  WindFields const after = copy_all<T>(*model, grid);
  double const factor = factor_of(2, 0.05), rounding = 4 * double(std::numeric_limits<T>::epsilon());
  auto const expect = [&](double found, double next) { EXPECT_NEAR(found, factor * next, rounding * std::abs(next)); };
  int faces = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.nx(); ++i) {
        bool const over = j >= 8 && j < 12 && i >= 9 && i < 12 && k == 4;
        bool const right = j == 7 && i >= 9 && i < 12 && k < 4;
        bool const left = j == 12 && i >= 9 && i < 12 && k < 4;
        faces += over || right || left ? 1 : 0;
        if (over) expect(after.u(k, j, i), before.u(k + 1, j, i));
        else if (right) expect(after.u(k, j, i), before.u(k, j - 1, i));
        else if (left) expect(after.u(k, j, i), before.u(k, j + 1, i));
        else EXPECT_EQ(after.u(k, j, i), before.u(k, j, i)) << k << ' ' << j << ' ' << i;
      }
    }
  }
  EXPECT_EQ(faces, 4 * 3 + 2 * 3 * 4);
  // The wind is along the diagonal, and so is the block: v is u with x and y exchanged, on the 20 cells of both axes.
  for (int k = 0; k < grid.nz(); ++k) {
    for (int j = 1; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.ny(); ++i) EXPECT_NEAR(after.v(k, j, i), after.u(k, i, j), 10 * rounding);
    }
  }
}

TYPED_TEST(WindWallLaw, OfSeveralWallsTheLeastSpeedCounts) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  // A step: a high block beside a low one, so that faces over the low roof have a wall to their left, too.
  wind::WindCase wind_case = one_block<Exec, T>();
  wind_case.buildings = {block(20, 16, 8, 8, 8), block(20, 24, 8, 8, 16)};
  wind_case.profile.direction = 270;
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  WindFields const before = copy_all<T>(*model, wind_case.grid);
  model->apply_wall_law();
  WindFields const after = copy_all<T>(*model, wind_case.grid);
  double const factor = factor_of(2, 0.05);
  // The wind grows with height: that of the face to the right, on the same layer, is slower than the one above.
  EXPECT_LT(before.u(4, 8, 10), before.u(5, 9, 10));
  EXPECT_NEAR(after.u(4, 9, 10), factor * before.u(4, 8, 10), 1e-5);
}

TYPED_TEST(WindWallLaw, IsProjectedAgain) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  for (wind::Method method : {wind::Method::sor, wind::Method::mg_pcg}) {
    SCOPED_TRACE(name(method));
    wind::WindCase with = one_block<Exec, T>();
    with.solver.method = method;
    wind::WindCase without = with;
    without.parameterisations.wall_law = false;
    UniformGrid const& grid = with.grid;
    auto const solved = [&](wind::WindCase const& wind_case, double& initial) {
      auto const model = WindOn<Exec, T>::make(wind_case);
      model->set_initial_field();
      wind::ProjectionState state;
      EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::converged);
      EXPECT_EQ(state.wall_law, wind_case.parameterisations.wall_law);
      initial = state.initial_divergence;
      return copy_all<T>(*model, grid);
    };
    double initial = 0;
    WindFields const slow = solved(with, initial), fast = solved(without, initial);
    double const rounding = 20 * double(std::numeric_limits<T>::epsilon());
    EXPECT_LE(largest_divergence(slow, grid), (with.solver.tolerance + rounding) * initial);
    // Over the roof, beside the walls: slower. A few cells away: hardly changed.
    for (int i = 9; i < 12; ++i) EXPECT_LT(slow.u(4, 10, i), 0.95 * fast.u(4, 10, i)) << i;
    EXPECT_NEAR(slow.u(10, 4, 4), fast.u(10, 4, 4), 0.02 * fast.u(10, 4, 4));
  }
}

}  // namespace wind_wall_law_test
