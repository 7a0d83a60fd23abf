// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Covered parts of cells in plan: by hand, and against counted points.
#include "wind/case/buildings/building.hpp"
#include "wind/model/cut_cell.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

namespace wind_cut_cell_test {

using namespace karman::wind;

Building rectangle(double x, double y, double length, double width, double rotation = 0) {
  Building building;
  building.x = x;
  building.y = y;
  building.length = length;
  building.width = width;
  building.height = 10;
  building.rotation = rotation;
  return building;
}

/// Edges are checked a millionth of their cell inside.
constexpr double tolerance = 2e-6;

void expect(CutCell const& cut, double area, double west, double east, double south, double north) {
  EXPECT_NEAR(cut.area, area, tolerance);
  EXPECT_NEAR(cut.west, west, tolerance);
  EXPECT_NEAR(cut.east, east, tolerance);
  EXPECT_NEAR(cut.south, south, tolerance);
  EXPECT_NEAR(cut.north, north, tolerance);
}

TEST(CutCell, OfABlockAlongTheGrid) {
  Building const block = rectangle(10, 10, 6, 4);  // 7 to 13, 8 to 12
  BuildingInterior const test = interior_of(block);
  expect(cut_cell(test, 8, 9, 2, 2), 1, 1, 1, 1, 1);           // inside
  expect(cut_cell(test, 6, 9, 2, 2), 0.5, 0, 1, 0.5, 0.5);     // the left wall
  expect(cut_cell(test, 12, 11, 2, 2), 0.25, 0.5, 0, 0.5, 0);  // a corner
  expect(cut_cell(test, 13, 9, 2, 2), 0, 0, 0, 0, 0);          // beside it, with a common edge
  expect(cut_cell(test, 11, 9, 2, 2), 1, 1, 1, 1, 1);          // the same edge from inside
  expect(cut_cell(test, 0, 0, 20, 20), 24.0 / 400, 0, 0, 0, 0);
}

TEST(CutCell, OfADiagonalWall) {
  // A square on its tip: corners at 10 +- 4 sqrt(2) along both axes.
  BuildingInterior const test = interior_of(rectangle(10, 10, 8, 8, 45));
  double const tip = 4 * std::sqrt(2.0);
  // The wall x + y = tip from the centre covers a triangle of the cell [2, 4] x [2, 4].
  expect(cut_cell(test, 12, 12, 2, 2), (tip - 4) * (tip - 4) / 2 / 4, (tip - 4) / 2, 0, (tip - 4) / 2, 0);
}

TEST(CutCell, MatchesCountedPoints) {
  Ring const outer{{-7, -5}, {6, -6}, {8, 3}, {1, 2}, {-2, 7}};
  Building building = rectangle(20, 15, 15, 13);
  Ring moved;
  for (Point const& corner : outer) moved.push_back({corner[0] - 0.5, corner[1] - 0.5});
  building.footprint = Footprint(moved, std::vector<Ring>{{{-3, -3}, {-3, 0}, {2, 0}, {2, -3}}});
  for (Building const& at : {building, rectangle(20, 15, 9, 5, 33)}) {
    BuildingInterior const test = interior_of(at);
    double total = 0;
    for (int j = 0; j < 15; ++j) {
      for (int i = 0; i < 20; ++i) {
        CutCell const cut = cut_cell(test, 2 * i, 2 * j, 2, 2);
        constexpr int n = 200;
        int area = 0, west = 0, south = 0;
        for (int q = 0; q < n; ++q) {
          double const part = 2 * (q + 0.5) / n;
          west += test.holds_point(2 * i + 1e-6, 2 * j + part) ? 1 : 0;
          south += test.holds_point(2 * i + part, 2 * j + 1e-6) ? 1 : 0;
          for (int p = 0; p < n; ++p) area += test.holds_point(2 * i + 2 * (p + 0.5) / n, 2 * j + part) ? 1 : 0;
        }
        EXPECT_NEAR(cut.area, double(area) / n / n, 0.006) << i << ' ' << j;
        EXPECT_NEAR(cut.west, double(west) / n, 0.011) << i << ' ' << j;
        EXPECT_NEAR(cut.south, double(south) / n, 0.011) << i << ' ' << j;
        total += 4 * cut.area;
      }
    }
    EXPECT_NEAR(total, at.area(), 1e-6 * at.area());
  }
}

}  // namespace wind_cut_cell_test
