// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The initial field against a serial evaluation of the same formulas on the host, and against the profile.
#include "all_zones.hpp"
#include "wind/case/buildings/inside_building.hpp"
#include "wind/model/zones.hpp"
#include "wind_fields.hpp"

namespace wind_initial_field_test {

using namespace karman;
using namespace karman::test;
using wind::CellFlag;
using wind::ModelField;

template <class>
class WindInitialField : public ::testing::Test {};
TYPED_TEST_SUITE(WindInitialField, AllBackends, BackendNames);

bool solid(wind::WindCase const& wind_case, double x, double y, double z) {
  for (wind::Building const& building : wind_case.buildings) {
    auto const test = wind::interior_of(building);
    if (test.holds_height(z) && test.holds_point(x, y)) return true;
  }
  return false;
}

/// Compares the initial field of a case with a serial evaluation at every face and centre. Returns the number of faces
/// with a vertical velocity.
template <class Exec, class T>
int compare_with_serial_evaluation(wind::WindCase const& wind_case) {
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  WindFields const fields = copy_all<T>(*model, wind_case.grid);
  auto const plan = plan_zones(wind_case);
  auto const table = table_of(plan);
  UniformGrid const& grid = wind_case.grid;
  // A point on the very edge of a zone may fall on either side of it when a device contracts products and sums.
  int edges = 0;
  int zones = 0;
  int vertical = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    double const z = grid.z_center(k);
    double const speed = wind_case.profile.speed_at(z);
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.nx(); ++i) {
        double const x = (i + 0.5) * grid.dx();
        double const y = (j + 0.5) * grid.dy();
        bool const inside = solid(wind_case, x, y, z);
        CellFlag const expected = inside ? CellFlag::solid : table.at(x, y, z, speed).flag;
        if (fields.flag(k, j, i) != static_cast<int>(expected)) ++edges;
        if (!inside && expected != CellFlag::air) ++zones;
        bool const west_wall = inside || (i > 0 && solid(wind_case, x - grid.dx(), y, z));
        bool const south_wall = inside || (j > 0 && solid(wind_case, x, y - grid.dy(), z));
        bool const floor = inside || k == 0 || solid(wind_case, x, y, grid.z_center(k - 1));
        double const u =
            west_wall ? 0 : component_x(table.at(i * grid.dx(), y, z, speed), table.heading_x, table.heading_y);
        double const v =
            south_wall ? 0 : component_y(table.at(x, j * grid.dy(), z, speed), table.heading_x, table.heading_y);
        double const w = floor ? 0 : table.at(x, y, grid.z_face(k), 0).vertical;
        if (w != 0) ++vertical;
        // Rounding of the stored value, and the error from its position. Coordinates of up to 50 m are rounded in
        // double and contracted in another way on a device. They are divided by outlines d of a metre and more (u' = 3
        // U / d at most).
        double const stored = 4 * double(std::numeric_limits<T>::epsilon());
        double const placed = 3 * 50 * 2 * std::numeric_limits<double>::epsilon() * speed;
        if (std::abs(fields.u(k, j, i) - u) > stored * std::abs(u) + placed) ++edges;
        if (std::abs(fields.v(k, j, i) - v) > stored * std::abs(v) + placed) ++edges;
        if (std::abs(fields.w(k, j, i) - w) > stored * std::abs(w) + placed) ++edges;
      }
    }
  }
  EXPECT_GT(zones, 200);
  EXPECT_LE(edges, 2);
  return vertical;
}

TYPED_TEST(WindInitialField, IsThatOfASerialEvaluation) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case =
      small_case<Exec, T>({block(17, 15, 9, 5, 8, 20), block(30, 25, 6, 6, 12), block(31, 12, 4, 12, 6, -35, 2)});
  wind_case.grid = UniformGrid::with_layers({24, 20}, {2, 2}, {1, 1.5, 2, 2, 2.5, 3, 3, 4});
  wind_case.profile.direction = 262;
  EXPECT_EQ((compare_with_serial_evaluation<Exec, T>(wind_case)), 0);
  // All zones, with a canyon between the last two.
  wind_case.buildings.push_back(block(39, 25, 4, 8, 10, 5));
  wind_case.vegetation = every_plant();
  wind_case.buildings.push_back(court_block());
  for (auto const model : {wind::UpwindModel::mvp, wind::UpwindModel::hmvp}) {
    wind_case.parameterisations = all_zones(model);
    EXPECT_GT((compare_with_serial_evaluation<Exec, T>(wind_case)), 20);
  }
}

TYPED_TEST(WindInitialField, IsTheProfileFarFromBuildings) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  for (double direction : {270.0, 90.0, 0.0, 180.0, 225.0}) {
    wind::WindCase wind_case = small_case<Exec, T>({});
    wind_case.profile.direction = direction;
    auto const model = WindOn<Exec, T>::make(wind_case);
    model->set_initial_field();
    WindFields const fields = copy_all<T>(*model, wind_case.grid);
    auto const [hx, hy] = wind_case.profile.heading();
    for (int k = 0; k < wind_case.grid.nz(); ++k) {
      double const speed = wind_case.profile.speed_at(wind_case.grid.z_center(k));
      for (int j = 0; j < wind_case.grid.ny(); ++j) {
        for (int i = 0; i < wind_case.grid.nx(); ++i) {
          ASSERT_EQ(fields.u(k, j, i), static_cast<double>(static_cast<T>(speed * hx)));
          ASSERT_EQ(fields.v(k, j, i), static_cast<double>(static_cast<T>(speed * hy)));
        }
      }
    }
  }
}

}  // namespace wind_initial_field_test
