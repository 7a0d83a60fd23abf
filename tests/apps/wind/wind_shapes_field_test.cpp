// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells and fields of polygons: against blocks, a serial evaluation, and turned by a quarter.
#include "wind/case/buildings/building_shapes.hpp"
#include "wind/case/buildings/inside_building.hpp"
#include "wind/model/zones.hpp"
#include "wind_fields.hpp"

namespace wind_shapes_field_test {

using namespace karman;
using namespace karman::test;
using wind::Building;
using wind::CellFlag;
using wind::ModelField;
using wind::Ring;

template <class>
class WindShapesField : public ::testing::Test {};
TYPED_TEST_SUITE(WindShapesField, AllBackends, BackendNames);

Building polygon(Ring outer, std::vector<Ring> holes, double height, double base = 0) {
  Building building = wind::prism(std::move(outer), std::move(holes));
  building.height = height;
  building.base = base;
  return building;
}

Ring moved(Ring ring, double x, double y) {
  for (auto& corner : ring) corner = {corner[0] + x, corner[1] + y};
  return ring;
}

template <class T>
HostValues flags(wind::WindModel& model, UniformGrid const& grid) {
  return copy<T>(model, ModelField::flag, grid);
}

TYPED_TEST(WindShapesField, ARectangleAsPolygonHasTheCellsOfTheBlock) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  for (int degrees = 0; degrees < 180; degrees += 15) {
    Building const first = block(21, 19, 16, 9, 8, degrees, 2);
    Building const second = block(37, 33, 6, 6, 12, -degrees);
    wind::WindCase const blocks = small_case<Exec, T>({first, second});
    wind::WindCase const polygons =
        small_case<Exec, T>({polygon(first.corners(), {}, 8, 2), polygon(second.corners(), {}, 12)});
    auto const expected = WindOn<Exec, T>::make(blocks);
    auto const model = WindOn<Exec, T>::make(polygons);
    HostValues const cells = flags<T>(*expected, blocks.grid);
    EXPECT_GT(std::count(cells.values.begin(), cells.values.end(), 0), 100) << degrees;
    EXPECT_EQ(flags<T>(*model, blocks.grid), cells) << degrees;
    if (degrees % 90 != 0) continue;
    // Along the axes the zones are the same too.
    expected->set_initial_field();
    model->set_initial_field();
    EXPECT_TRUE((copy_all<T>(*model, blocks.grid) == copy_all<T>(*expected, blocks.grid))) << degrees;
  }
}

TYPED_TEST(WindShapesField, CellsAreThoseOfASerialTest) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Building envelope = block(36, 30, 12, 8, 9, 10);
  envelope.part = wind::Part::envelope;
  Building slab = block(36, 30, 12, 8, 2, 10, 3);
  slab.part = wind::Part::solid;
  wind::WindCase const wind_case = small_case<Exec, T>(
      {polygon({{4, 4}, {16, 6}, {9, 9}, {12, 18}, {3, 14}}, {}, 7), envelope, slab,
       polygon(moved(wind::regular_outline(5, 16, 14, 20), 34, 10), {moved(wind::regular_outline(5, 8, 7, 20), 34, 10)},
               11),
       polygon(moved(wind::ellipse_outline(14, 9, 35), 12, 30), {}, 5, 4), block(25, 20, 3, 3, 9, 30)});
  UniformGrid const& grid = wind_case.grid;
  auto const model = WindOn<Exec, T>::make(wind_case);
  HostValues const cells = flags<T>(*model, grid);
  int count = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.nx(); ++i) {
        bool solid = false;
        for (Building const& building : wind_case.buildings) {
          auto const test = wind::interior_of(building);
          solid = solid || (building.is_solid() && test.holds_height(grid.z_center(k)) &&
                            test.holds_point((i + 0.5) * grid.dx(), (j + 0.5) * grid.dy()));
        }
        ASSERT_EQ(cells(k, j, i) == 0, solid) << k << ' ' << j << ' ' << i;
        count += solid;
      }
    }
  }
  EXPECT_GT(count, 250);
  EXPECT_NE(cells(0, 5, 17), 0) << "air in the court";
  EXPECT_NE(cells(0, 15, 18), 0) << "air below the slab";
  EXPECT_EQ(cells(1, 15, 18), 0) << "the slab";
  model->set_initial_field();
  HostValues const zones = flags<T>(*model, grid);
  auto const plan = plan_zones(wind_case);
  auto const table = table_of(plan);
  int edges = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    double const speed = wind_case.profile.speed_at(grid.z_center(k));
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.nx(); ++i) {
        if (cells(k, j, i) == 0) continue;
        auto const state = table.at((i + 0.5) * grid.dx(), (j + 0.5) * grid.dy(), grid.z_center(k), speed);
        edges += zones(k, j, i) != static_cast<int>(state.flag);
      }
    }
  }
  EXPECT_LE(edges, 2) << "a point on the very edge of a zone may fall on either side on a device";
}

TYPED_TEST(WindShapesField, ASymmetricPolygonHasSymmetricCells) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  // An arrow and a cylinder on the axis y = 20 of the domain.
  wind::WindCase const wind_case =
      small_case<Exec, T>({polygon({{6, 20}, {16, 11}, {13, 20}, {16, 29}}, {}, 9),
                           polygon(moved(wind::ellipse_outline(13, 13, 0), 31, 20), {}, 8)});
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  HostValues const cells = flags<T>(*model, wind_case.grid);
  UniformGrid const& grid = wind_case.grid;
  int cavity = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.nx(); ++i) {
        ASSERT_EQ(cells(k, j, i), cells(k, grid.ny() - 1 - j, i)) << k << ' ' << j << ' ' << i;
        cavity += cells(k, j, i) == static_cast<int>(CellFlag::cavity);
      }
    }
  }
  EXPECT_GT(cavity, 20);
}

TYPED_TEST(WindShapesField, TurningACourtyardTurnsTheWind) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  auto const turned = [](Ring ring) {
    for (auto& [x, y] : ring) {
      double const old = x;
      x = 48 - y;
      y = old;
    }
    return ring;
  };
  Ring const outer{{8, 12}, {24, 12}, {24, 30}, {12, 34}, {8, 30}};
  Ring const court{{12, 18}, {20, 18}, {20, 26}, {12, 26}};
  wind::WindCase west = small_case<Exec, T>({polygon(outer, {court}, 8), block(36, 22, 4, 10, 12)});
  west.grid = UniformGrid({24, 24, 12}, {2, 2, 2});
  wind::WindCase south = west;
  south.profile.direction = 180;
  south.buildings = {polygon(turned(outer), {turned(court)}, 8), block(48 - 22, 36, 4, 10, 12, 90)};
  auto const solved = [](wind::WindCase const& wind_case) {
    auto const model = WindOn<Exec, T>::make(wind_case);
    model->set_initial_field();
    wind::ProjectionState state;
    EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), wind::ProjectionEnd::converged);
    return copy_all<T>(*model, wind_case.grid);
  };
  WindFields const one = solved(west);
  WindFields const other = solved(south);
  double const bound = 2 * west.solver.tolerance * (5.0 / 2) * 48;
  for (int k = 0; k < 12; ++k) {
    for (int j = 0; j < 24; ++j) {
      for (int i = 0; i < 24; ++i) {
        ASSERT_EQ(one.flag(k, j, i), other.flag(k, i, 23 - j)) << k << ' ' << j << ' ' << i;
        ASSERT_NEAR(one.u(k, j, i), other.v(k, i, 23 - j), bound);
        ASSERT_NEAR(one.v(k, j, i), -other.u(k, i, 24 - j), bound);
      }
    }
  }
}

}  // namespace wind_shapes_field_test
