// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of fields in another number type, and the samples of probes.
#include "wind/case/outputs/probe.hpp"
#include "wind/output/field_part.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace wind_field_part_test {

using karman::ArrayExtents;
using karman::Axis;
using karman::ConstArray;
using karman::ScalarType;
using karman::UniformGrid;
using karman::app::HostField;
using karman::app::Precision;
using karman::wind::field_part;
using karman::wind::Probe;
using karman::wind::put_component;

/// 0, 1, 2, ... in storage order.
HostField counting(Precision precision, ArrayExtents const& extents) {
  std::vector<double> values(extents.count());
  std::iota(values.begin(), values.end(), 0.0);
  return {precision, extents, values};
}

TEST(FieldPart, IsTheBoxInEveryNumberType) {
  for (Precision from : {Precision::f32, Precision::f64}) {
    for (ScalarType to : {ScalarType::float32, ScalarType::float64}) {
      HostField const part = field_part(counting(from, {3, 4, 5}), {1, 0, 2}, {3, 2, 5}, to);
      EXPECT_EQ(part.array().type, to);
      EXPECT_EQ(part.array().extents, ArrayExtents(2, 2, 3));
      // Index (k, j, i) has the value 20 k + 5 j + i.
      EXPECT_EQ(part.in_double(), (std::vector<double>{22, 23, 24, 27, 28, 29, 42, 43, 44, 47, 48, 49}));
    }
  }
}

TEST(FieldPart, BecomesOneComponentOfVectors) {
  for (Precision from : {Precision::f32, Precision::f64}) {
    for (ScalarType to : {ScalarType::float32, ScalarType::float64}) {
      HostField vectors(to, {1, 2, 2, 3});
      put_component(counting(from, {2, 3, 4}), {1, 0, 2}, 1, vectors);
      // Index (k, j, i) has the value 12 k + 4 j + i.
      EXPECT_EQ(vectors.in_double(), (std::vector<double>{0, 14, 0, 0, 15, 0, 0, 18, 0, 0, 19, 0}));
    }
  }
  HostField const field = counting(Precision::f64, {2, 3, 4});
  HostField vectors(ScalarType::float64, {1, 2, 2, 3}), flat(ScalarType::float64, {1, 2, 2});
  EXPECT_THROW(put_component(field, {1, 0, 3}, 1, vectors), std::invalid_argument);
  EXPECT_THROW(put_component(field, {-1, 0, 0}, 1, vectors), std::invalid_argument);
  EXPECT_THROW(put_component(field, {1, 0, 2}, 3, vectors), std::invalid_argument);
  EXPECT_THROW(put_component(field, {1, 0, 2}, 0, flat), std::invalid_argument);
}

TEST(FieldPart, RoundsToTheNearest) {
  std::vector<double> const values{0.1, 1.0 / 3};
  HostField const field(Precision::f64, {1, 1, 2}, values);
  EXPECT_EQ(field_part(field, {0, 0, 0}, {1, 1, 2}, ScalarType::float32).in_double(),
            (std::vector<double>{double(0.1f), double(1.0f / 3)}));
}

TEST(FieldPart, KeepsFlagsAsTheyAre) {
  HostField flags(ScalarType::uint8, {1, 1, 3});
  auto* const values = static_cast<std::uint8_t*>(flags.array().data);
  values[0] = 1, values[1] = 5, values[2] = 0;
  HostField const part = field_part(flags, {0, 0, 1}, {1, 1, 3}, ScalarType::float32);
  EXPECT_EQ(part.array().type, ScalarType::uint8);
  auto const* const found = static_cast<std::uint8_t const*>(part.array().data);
  EXPECT_EQ(found[0], 5);
  EXPECT_EQ(found[1], 0);
}

TEST(FieldPart, RefusesRangesOutsideTheField) {
  HostField const field = counting(Precision::f64, {3, 4, 5});
  EXPECT_THROW(field_part(field, {0, 0, 0}, {3, 4, 6}, ScalarType::float64), std::invalid_argument);
  EXPECT_THROW(field_part(field, {-1, 0, 0}, {3, 4, 5}, ScalarType::float64), std::invalid_argument);
  EXPECT_THROW(field_part(field, {2, 0, 0}, {1, 4, 5}, ScalarType::float64), std::invalid_argument);
  EXPECT_THROW(field_part(field, {0, 0, 0}, {3, 4, 5}, ScalarType::uint8), std::invalid_argument);
}

using Place = std::array<double, 3>;
using Shape = std::array<int, 2>;

TEST(Probe, SamplesInTheOrderOfTheIndices) {
  UniformGrid const grid = UniformGrid::with_layers({4, 3}, {2, 10}, {1, 2});
  Probe probe;
  probe.from = {3, 5, 2};
  EXPECT_EQ(probe.count(grid), 1);
  EXPECT_EQ(probe.sample(grid, 0), (Place{3, 5, 2}));

  probe.kind = Probe::Kind::vertical;
  EXPECT_EQ(probe.shape(grid), (Shape{1, 2}));
  EXPECT_EQ(probe.sample(grid, 1), (Place{3, 5, 2}));
  EXPECT_EQ(probe.sample(grid, 0), (Place{3, 5, 0.5}));

  probe.kind = Probe::Kind::line;
  probe.to = {7, 5, 0};
  probe.samples = 5;
  EXPECT_EQ(probe.count(grid), 5);
  EXPECT_EQ(probe.sample(grid, 0), probe.from);
  EXPECT_EQ(probe.sample(grid, 4), probe.to);
  EXPECT_EQ(probe.sample(grid, 1), (Place{4, 5, 1.5}));

  probe.kind = Probe::Kind::plane;
  probe.position = 1.5;
  probe.axis = Axis::z;
  EXPECT_EQ(probe.shape(grid), (Shape{3, 4}));
  EXPECT_EQ(probe.sample(grid, 5), (Place{3, 15, 1.5}));
  probe.axis = Axis::y;
  EXPECT_EQ(probe.shape(grid), (Shape{2, 4}));
  EXPECT_EQ(probe.sample(grid, 5), (Place{3, 1.5, 2}));
  probe.axis = Axis::x;
  EXPECT_EQ(probe.shape(grid), (Shape{2, 3}));
  EXPECT_EQ(probe.sample(grid, 5), (Place{1.5, 25, 2}));
}

}  // namespace wind_field_part_test
