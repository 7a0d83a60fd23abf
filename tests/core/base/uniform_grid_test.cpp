// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/uniform_grid.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace uniform_grid_test {

using karman::Location;
using karman::UniformGrid;

TEST(UniformGrid, PlacesUniformLayersWithoutDrift) {
  UniformGrid const grid({3, 4, 1000}, {0.5, 2.0, 0.1}, {1, 2, 3});
  EXPECT_TRUE(grid.uniform_in_z());
  EXPECT_EQ(grid.cell_count(), 12000);
  EXPECT_DOUBLE_EQ(grid.z_face(0), 3.0);
  EXPECT_DOUBLE_EQ(grid.z_face(1000), 3.0 + 1000 * 0.1);
  EXPECT_NEAR(grid.z_center(499), 3.0 + 499.5 * 0.1, 1e-12);
}

TEST(UniformGrid, StretchedLayersAddUp) {
  UniformGrid const grid = UniformGrid::with_layers({2, 2}, {1, 1}, {1.0, 2.0, 4.0});
  EXPECT_FALSE(grid.uniform_in_z());
  EXPECT_DOUBLE_EQ(grid.z_face(3), 7.0);
  EXPECT_DOUBLE_EQ(grid.z_center(1), 2.0);
  EXPECT_DOUBLE_EQ(grid.dz_between(0), 1.0);
  EXPECT_DOUBLE_EQ(grid.dz_between(1), 1.5);
  EXPECT_DOUBLE_EQ(grid.dz_between(2), 3.0);
  EXPECT_DOUBLE_EQ(grid.dz_between(3), 4.0);
}

TEST(UniformGrid, FaceFieldsHaveOneMoreAlongTheirNormal) {
  UniformGrid const grid({5, 4, 3}, {1, 1, 1});
  EXPECT_EQ(grid.extents(Location::cell), (std::array{3, 4, 5}));
  EXPECT_EQ(grid.extents(Location::x_face), (std::array{3, 4, 6}));
  EXPECT_EQ(grid.extents(Location::y_face), (std::array{3, 5, 5}));
  EXPECT_EQ(grid.extents(Location::z_face), (std::array{4, 4, 5}));
}

TEST(UniformGrid, RefusesWhatIsNoGrid) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(UniformGrid({0, 1, 1}, {1, 1, 1}), std::invalid_argument);
  EXPECT_THROW(UniformGrid({1, 1, -1}, {1, 1, 1}), std::invalid_argument);
  EXPECT_THROW(UniformGrid({1, 1, 1}, {1, 0, 1}), std::invalid_argument);
  EXPECT_THROW(UniformGrid({1, 1, 1}, {1, 1, nan}), std::invalid_argument);
  EXPECT_THROW(UniformGrid::with_layers({1, 1}, {1, 1}, {}), std::invalid_argument);
  EXPECT_THROW(UniformGrid::with_layers({1, 1}, {1, 1}, {1, -2}), std::invalid_argument);
}

}  // namespace uniform_grid_test
