// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walls that cut cells: aligned ones equal stairs, oblique ones leave the flow along them alone.
#include "all_zones.hpp"
#include "wind_fields.hpp"

namespace wind_cut_walls_test {

using namespace karman;
using namespace karman::test;
using wind::ModelField;
using wind::ProjectionEnd;
using wind::WallForm;

template <class>
class WindCutWalls : public ::testing::Test {};
TYPED_TEST_SUITE(WindCutWalls, AllBackends, BackendNames);

struct Openings {
  HostValues u, v, w;
};

template <class T>
Openings openings(wind::WindModel& model, UniformGrid const& grid) {
  return {copy<T>(model, ModelField::open_u, grid), copy<T>(model, ModelField::open_v, grid),
          copy<T>(model, ModelField::open_w, grid)};
}

/// max |net flux through the open faces / volume| of the cells that are not solid.
double largest_flux(WindFields const& f, Openings const& a, UniformGrid const& grid) {
  double largest = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.nx(); ++i) {
        if (f.flag(k, j, i) == 0) continue;
        double const flux = (a.u(k, j, i + 1) * f.u(k, j, i + 1) - a.u(k, j, i) * f.u(k, j, i)) / grid.dx() +
                            (a.v(k, j + 1, i) * f.v(k, j + 1, i) - a.v(k, j, i) * f.v(k, j, i)) / grid.dy() +
                            (a.w(k + 1, j, i) * f.w(k + 1, j, i) - a.w(k, j, i) * f.w(k, j, i)) / grid.dz(k);
        largest = std::fmax(largest, std::abs(flux));
      }
    }
  }
  return largest;
}

TYPED_TEST(WindCutWalls, AlongTheGridAreStairs) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  // On grid lines, beside one another, raised, and at a side.
  wind::WindCase wind_case = small_case<Exec, T>(
      {block(20, 20, 8, 8, 8), block(28, 20, 8, 8, 4), block(20, 32, 4, 4, 6, 0, 10), block(46, 10, 4, 8, 8)});
  WindFields const stairs = solved<Exec, T>(wind_case);
  wind_case.solver.walls = WallForm::cut;
  WindFields const cut = solved<Exec, T>(wind_case);
  EXPECT_TRUE(cut.flag == stairs.flag);
  double const error = std::is_same_v<T, float> ? 2e-3 : 1e-7;  // of the solves
  for (std::size_t n = 0; n < cut.u.values.size(); ++n) EXPECT_NEAR(cut.u.values[n], stairs.u.values[n], error);
  for (std::size_t n = 0; n < cut.w.values.size(); ++n) EXPECT_NEAR(cut.w.values[n], stairs.w.values[n], error);
}

TYPED_TEST(WindCutWalls, OpeningsByHand) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  // From 17 to 25 along x, 16 to 24 along y, 0 to 7 high: half a cell off along x and z.
  wind::WindCase wind_case = small_case<Exec, T>({block(21, 20, 8, 8, 7)});
  wind_case.solver.walls = WallForm::cut;
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  Openings const open = openings<T>(*model, wind_case.grid);
  HostValues const flag = copy<T>(*model, ModelField::flag, wind_case.grid);
  EXPECT_NEAR(open.v(0, 9, 8), 0.5, 1e-6);  // within the cut column at the left wall
  EXPECT_EQ(open.v(0, 9, 7), 1);            // beside it
  EXPECT_EQ(open.u(0, 9, 8), 1);            // in front of the wall
  EXPECT_EQ(open.u(0, 9, 9), 0);            // towards the solid cells
  EXPECT_NEAR(open.v(0, 8, 8), 0.5, 1e-6);  // the flush wall: half of the face is against the block
  EXPECT_NEAR(open.w(1, 9, 8), 0.5, 1e-6);
  EXPECT_EQ(open.w(3, 9, 10), 0);  // below the roof's layer, which is half open
  EXPECT_EQ(open.w(4, 9, 10), 1);
  EXPECT_NEAR(open.u(3, 9, 10), 0.5, 1e-6);  // over the roof
  EXPECT_EQ(flag(0, 9, 9), 0);
  EXPECT_NE(flag(0, 9, 8), 0);
  EXPECT_NE(flag(3, 9, 10), 0);
  EXPECT_EQ(open.w(0, 3, 3), 0);  // the ground
  EXPECT_EQ(open.w(16, 3, 3), 1);
}

TYPED_TEST(WindCutWalls, EveryMethodRemovesTheDivergence) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case =
      small_case<Exec, T>({block(18, 20, 8, 10, 8, 20), block(33, 12, 5, 9, 11, 37), block(33, 29, 7, 7, 5, 60, 6)});
  wind_case.parameterisations = all_zones();
  wind_case.solver.walls = WallForm::cut;
  UniformGrid const& grid = wind_case.grid;
  WindFields first;
  for (wind::Method method : {wind::Method::sor, wind::Method::multigrid, wind::Method::mg_pcg}) {
    SCOPED_TRACE(name(method));
    wind_case.solver.method = method;
    auto const model = WindOn<Exec, T>::make(wind_case);
    model->set_initial_field();
    Openings const open = openings<T>(*model, grid);
    double const before = largest_flux(copy_all<T>(*model, grid), open, grid);
    wind::ProjectionState state;
    ASSERT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::converged);
    WindFields const fields = copy_all<T>(*model, grid);
    double const rounding = 20 * double(std::numeric_limits<T>::epsilon());
    EXPECT_LE(largest_flux(fields, open, grid), (wind_case.solver.tolerance + rounding) * before);
    for (std::size_t n = 0; n < fields.u.values.size(); ++n) {
      if (open.u.values[n] == 0) {
        ASSERT_EQ(fields.u.values[n], 0);
      }
    }
    if (method == wind::Method::sor) {
      first = fields;
    } else {
      double const error = std::is_same_v<T, float> ? 5e-3 : 1e-6;
      for (std::size_t n = 0; n < fields.u.values.size(); ++n)
        ASSERT_NEAR(fields.u.values[n], first.u.values[n], error);
    }
  }
}

/// Wind along a long wall at 30 degrees to the grid, the same at all heights: it needs no correction. Stairs stop it.
TYPED_TEST(WindCutWalls, LeaveTheWindAlongThemAlone) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({block(24, 20, 20, 8, 40, 30)});
  wind_case.profile.kind = wind::Profile::Kind::power;
  wind_case.profile.exponent = 0;
  wind_case.profile.direction = 240;  // travels at 30 degrees to x
  wind_case.parameterisations.upwind_cavity = wind_case.parameterisations.wake = false;
  UniformGrid const& grid = wind_case.grid;
  double deviation[2] = {};
  for (WallForm const form : {WallForm::stairs, WallForm::cut}) {
    wind_case.solver.walls = form;
    WindFields const fields = solved<Exec, T>(wind_case);
    double square = 0;
    int count = 0;
    // Cells within two metres of the middle half of the long walls.
    double const c = std::cos(M_PI / 6), s = std::sin(M_PI / 6);
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.nx(); ++i) {
        double const x = (i + 0.5) * 2 - 24, y = (j + 0.5) * 2 - 20, along = x * c + y * s, across = y * c - x * s;
        if (std::abs(along) > 5 || std::abs(across) < 5.2 || std::abs(across) > 8) continue;
        double const u = (fields.u(4, j, i) + fields.u(4, j, i + 1)) / 2,
                     v = (fields.v(4, j, i) + fields.v(4, j + 1, i)) / 2;
        double const normal = v * c - u * s;
        square += normal * normal;
        ++count;
      }
    }
    ASSERT_GT(count, 10);
    deviation[form == WallForm::cut ? 1 : 0] = std::sqrt(square / count);
  }
  ::testing::Test::RecordProperty("cut", std::to_string(deviation[1]));
  ::testing::Test::RecordProperty("stairs", std::to_string(deviation[0]));
  EXPECT_LT(deviation[1], 0.5 * deviation[0]) << "cut " << deviation[1] << ", stairs " << deviation[0];
}

}  // namespace wind_cut_walls_test
