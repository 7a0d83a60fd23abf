// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/array.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace array_test {

using karman::ArrayExtents;
using karman::ScalarType;

TEST(ArrayExtents, CountsAndPrints) {
  EXPECT_EQ(ArrayExtents().count(), 1u);
  EXPECT_EQ(ArrayExtents().text(), "scalar");
  ArrayExtents const extents{4, 3, 2};
  EXPECT_EQ(extents.rank(), 3u);
  EXPECT_EQ(extents.count(), 24u);
  EXPECT_EQ(extents.text(), "4 x 3 x 2");
  EXPECT_EQ(ArrayExtents(std::array<int, 3>{4, 3, 2}), extents);
  EXPECT_NE(ArrayExtents(4, 3), extents);
  EXPECT_EQ(ArrayExtents(5, 0, 7).count(), 0u);
}

TEST(ArrayExtents, RefusesWhatCannotBe) {
  EXPECT_THROW(ArrayExtents(-1), std::invalid_argument);
  EXPECT_THROW(ArrayExtents(3, std::int64_t{-5}), std::invalid_argument);
  EXPECT_NO_THROW(ArrayExtents(std::uint64_t{1} << 60));
  EXPECT_THROW(ArrayExtents((std::uint64_t{1} << 60) + 1), std::invalid_argument);
  EXPECT_THROW(ArrayExtents(std::uint64_t{1} << 32, std::uint64_t{1} << 32), std::invalid_argument);
  // A zero does not hide that the others overflow.
  EXPECT_THROW(ArrayExtents(0, std::uint64_t{1} << 40, std::uint64_t{1} << 40), std::invalid_argument);
  ArrayExtents extents{1, 1, 1, 1};
  EXPECT_THROW(extents.append(1), std::invalid_argument);
}

TEST(ScalarTypes, HaveSizesAndNames) {
  EXPECT_EQ(karman::scalar_size(ScalarType::float32), sizeof(float));
  EXPECT_EQ(karman::scalar_size(ScalarType::uint16), 2u);
  EXPECT_EQ(karman::scalar_name(ScalarType::int64), "int64");
  EXPECT_EQ(karman::scalar_type_of<double>(), ScalarType::float64);
  EXPECT_EQ(karman::scalar_type_of<std::uint8_t>(), ScalarType::uint8);
  std::vector<float> const values(6);
  EXPECT_EQ(karman::ConstArray(values.data(), {2, 3}).bytes(), 24u);
}

}  // namespace array_test
