// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "refused_calls.hpp"
#include <karman/core/box_decomposition.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using karman::Box;
using karman::BoxDecomposition;

TEST(BoxDecomposition, EveryCellBelongsToOneProcess) {
  for (int processes : {1, 2, 3, 4, 6, 7, 8, 9, 12, 16, 64}) {
    for (int multiple : {1, 2, 8}) {
      std::array<int, 3> const cells{70, 131, 5};
      if (processes > 9 && multiple == 8) continue;
      BoxDecomposition const boxes(cells, processes, {.multiple = multiple});
      ASSERT_EQ(boxes.processes(), processes);
      std::vector<int> owners(std::size_t(70 * 131), 0);
      for (int rank = 0; rank < processes; ++rank) {
        Box const box = boxes.box(rank);
        EXPECT_EQ(box.begin[2], 0);
        EXPECT_EQ(box.end[2], 5);
        for (std::size_t axis : {0u, 1u}) {
          EXPECT_LT(box.begin[axis], box.end[axis]);
          EXPECT_EQ(box.begin[axis] % multiple, 0);
        }
        for (int j = box.begin[1]; j < box.end[1]; ++j) {
          for (int i = box.begin[0]; i < box.end[0]; ++i) ++owners[std::size_t(j * 70 + i)];
        }
      }
      for (int count : owners) ASSERT_EQ(count, 1);
    }
  }
}

TEST(BoxDecomposition, CutsRowsLast) {
  EXPECT_EQ(BoxDecomposition({64, 64, 64}, 8).parts(), (std::array{1, 8, 1}));
  EXPECT_EQ(BoxDecomposition({64, 64, 64}, 16).parts(), (std::array{2, 8, 1}));
  EXPECT_EQ(BoxDecomposition({64, 64, 64}, 64).parts(), (std::array{4, 16, 1}));
  EXPECT_EQ(BoxDecomposition({64, 4, 64}, 8).parts(), (std::array{8, 1, 1}));
  EXPECT_EQ(BoxDecomposition({64, 64, 1}, 6, {.parts = {3, 2}}).parts(), (std::array{3, 2, 1}));
}

TEST(BoxDecomposition, FindsNeighborsPastEmptyParts) {
  BoxDecomposition const boxes({std::vector{0, 2, 2, 5}, {0, 3, 7}, {0, 1}});
  EXPECT_EQ(boxes.neighbor(0, 0, +1, false), 2);
  EXPECT_EQ(boxes.neighbor(2, 0, +1, false), -1);
  EXPECT_EQ(boxes.neighbor(2, 0, +1, true), 0);
  EXPECT_EQ(boxes.neighbor(0, 1, +1, false), 3);
  EXPECT_EQ(boxes.neighbor(3, 1, +1, true), 0);
  EXPECT_EQ(boxes.neighbor(0, 2, +1, true), 0);
}

TEST(BoxDecomposition, PartsKeepTheirCoordinates) {
  karman::UniformGrid const whole({10, 9, 2}, {0.1, 0.3, 1}, {1, 2, 3});
  BoxDecomposition const boxes({10, 9, 2}, 6, {.parts = {2, 3}});
  for (int rank = 0; rank < 6; ++rank) {
    auto const part = boxes.part(whole, rank);
    Box const box = boxes.box(rank);
    EXPECT_TRUE(part.is_part());
    EXPECT_EQ(part.global_cell_count(), 180);
    EXPECT_EQ(part.extents(karman::Location::cell),
              (std::array{2, box.end[1] - box.begin[1], box.end[0] - box.begin[0]}));
    for (int i = 0; i < part.nx(); ++i) EXPECT_EQ(part.x_center(i), whole.x_center(box.begin[0] + i));
    for (int j = 0; j < part.ny(); ++j) EXPECT_EQ(part.y_center(j), whole.y_center(box.begin[1] + j));
    EXPECT_EQ(part.z_center(1), whole.z_center(1));
  }
  EXPECT_FALSE(whole.is_part());
}

void expect_refused(std::array<int, 3> cells, int processes, karman::BoxDecompositionOptions const& options,
                    std::string const& part) {
  karman::test::expect_refused(part, [&] { BoxDecomposition const boxes(cells, processes, options); });
}

TEST(BoxDecomposition, RefusesWhatDoesNotFit) {
  expect_refused({4, 4, 100}, 5, {}, "5 processes do not divide the 4 x 4 columns into n x m parts; at most 2 x 2");
  expect_refused({4, 4, 1}, 2, {.parts = {2, 2}}, "into 2 x 2 parts");
  expect_refused({4, 0, 1}, 1, {}, "found 4 x 0 x 1");
  expect_refused({4, 4, 1}, 0, {}, "at least one process");
  expect_refused({4, 4, 1}, 1, {.multiple = 0}, "at least 1 cell");
  EXPECT_THROW(BoxDecomposition({std::vector{0, 3, 2}, {0, 1}, {0, 1}}), std::invalid_argument);
  karman::UniformGrid const grid({4, 4, 4}, {1, 1, 1});
  EXPECT_THROW(grid.part({{0, 0, 1}, {4, 4, 4}}), std::invalid_argument);
  EXPECT_THROW(grid.part({{0, 0, 0}, {5, 4, 4}}), std::invalid_argument);
}

}  // namespace
