// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/mesh/plane_box.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace plane_box_test {

using karman::PlaneBox;
using Points = std::vector<std::array<double, 2>>;

TEST(PlaneBox, HoldsEveryPointAndNoMore) {
  Points const points{{1, -2}, {-3, 5}, {0, 7}};
  PlaneBox box(points);
  EXPECT_EQ(box.low, (std::array<double, 2>{-3, -2}));
  EXPECT_EQ(box.high, (std::array<double, 2>{1, 7}));
  EXPECT_EQ(box.width(), 4);
  EXPECT_EQ(box.height(), 9);
  EXPECT_EQ(box.longest_side(), 9);
  box.hold({20, 0});
  EXPECT_EQ(box.width(), 23);
  EXPECT_EQ(box.longest_side(), 23);
}

TEST(PlaneBox, OfOnePointHasNoExtent) {
  PlaneBox const box(Points{{-4, 6}});
  EXPECT_EQ(box.low, (std::array<double, 2>{-4, 6}));
  EXPECT_EQ(box.high, box.low);
  EXPECT_EQ(box.longest_side(), 0);
}

TEST(PlaneBox, OfNothingIsEmpty) {
  PlaneBox const box(Points{});
  for (std::size_t axis : {0, 1}) EXPECT_GT(box.low[axis], box.high[axis]);
}

}  // namespace plane_box_test
