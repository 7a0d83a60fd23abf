// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/class_polygons.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace class_polygons_test {

using karman::class_polygons;
using karman::ClassPolygon;
using Ring = std::vector<std::array<int, 2>>;

constexpr std::uint8_t none = 255;

/// Classes of a picture, its first line in the north; a dot is no class.
std::vector<std::uint8_t> classes_of(std::vector<std::string> const& lines) {
  std::vector<std::uint8_t> classes;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    for (char const c : *line) classes.push_back(c == '.' ? none : static_cast<std::uint8_t>(c - '0'));
  return classes;
}

/// Twice the area, positive for an anticlockwise ring.
std::int64_t doubled_area(Ring const& ring) {
  std::int64_t sum = 0;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    auto const& a = ring[n];
    auto const& b = ring[(n + 1) % ring.size()];
    sum += std::int64_t{a[0]} * b[1] - std::int64_t{b[0]} * a[1];
  }
  return sum;
}

/// True if the centre of a cell lies inside a ring: a ray to the east crosses it an odd number of times.
bool holds(Ring const& ring, int column, int row) {
  bool inside = false;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    auto const& a = ring[n];
    auto const& b = ring[(n + 1) % ring.size()];
    if (a[0] == b[0] && a[0] > column && std::min(a[1], b[1]) <= row && std::max(a[1], b[1]) > row) inside = !inside;
  }
  return inside;
}

TEST(ClassPolygons, AreTracedAroundTheirHoles) {
  auto const polygons = class_polygons(classes_of({"111.", "1.11", "1112"}), 4, 3);
  ASSERT_EQ(polygons.size(), 2u);
  EXPECT_EQ(polygons[0].value, 1);
  EXPECT_EQ(polygons[0].cells, 9);
  ASSERT_EQ(polygons[0].rings.size(), 2u);
  EXPECT_EQ(polygons[0].rings[0], (Ring{{3, 0}, {3, 1}, {4, 1}, {4, 2}, {3, 2}, {3, 3}, {0, 3}, {0, 0}}));
  EXPECT_EQ(polygons[0].rings[1], (Ring{{2, 2}, {2, 1}, {1, 1}, {1, 2}})) << "clockwise";
  EXPECT_EQ(polygons[1].value, 2);
  EXPECT_EQ(polygons[1].rings[0], (Ring{{4, 0}, {4, 1}, {3, 1}, {3, 0}}));
}

TEST(ClassPolygons, CornersDoNotConnect) {
  EXPECT_EQ(class_polygons(classes_of({"12", "21"}), 2, 2).size(), 4u);
  // Two arms of one part meet in a corner: the hole between them is a ring of its own, which touches the outer one.
  auto const polygons = class_polygons(classes_of({"11.", "1.1", "111"}), 3, 3);
  ASSERT_EQ(polygons.size(), 1u);
  ASSERT_EQ(polygons[0].rings.size(), 2u);
  EXPECT_EQ(doubled_area(polygons[0].rings[0]), 2 * 8);
  EXPECT_EQ(doubled_area(polygons[0].rings[1]), -2);
}

/// Any map: each cell is in exactly one polygon, of its class; no ring passes a corner twice; areas are exact.
TEST(ClassPolygons, CoverEveryCellOnce) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 60; ++trial) {
    int const columns = 1 + static_cast<int>(random() % 14), rows = 1 + static_cast<int>(random() % 14);
    unsigned const kinds = 1 + random() % 4;
    std::vector<std::uint8_t> classes(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    for (auto& value : classes) value = random() % 6 == 0 ? none : static_cast<std::uint8_t>(random() % kinds);
    auto const polygons = class_polygons(classes, columns, rows);
    for (ClassPolygon const& polygon : polygons) {
      ASSERT_FALSE(polygon.rings.empty());
      std::int64_t area = 0;
      for (std::size_t n = 0; n < polygon.rings.size(); ++n) {
        Ring const& ring = polygon.rings[n];
        EXPECT_EQ(doubled_area(ring) > 0, n == 0) << "the outer ring first, holes clockwise";
        EXPECT_EQ(std::set(ring.begin(), ring.end()).size(), ring.size()) << "a ring touches itself";
        area += doubled_area(ring);
      }
      EXPECT_EQ(area, 2 * polygon.cells);
    }
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        std::uint8_t const value = classes[static_cast<std::size_t>(row * columns + column)];
        int count = 0;
        for (ClassPolygon const& polygon : polygons) {
          auto const rings = std::count_if(polygon.rings.begin(), polygon.rings.end(),
                                           [&](Ring const& ring) { return holds(ring, column, row); });
          if (rings % 2 == 0) continue;
          ++count;
          EXPECT_EQ(polygon.value, value);
        }
        EXPECT_EQ(count, value == none ? 0 : 1) << column << ' ' << row;
      }
    }
  }
}

TEST(ClassPolygons, EdgesOfTheInput) {
  EXPECT_TRUE(class_polygons({}, 0, 0).empty());
  EXPECT_TRUE(class_polygons(classes_of({"..", ".."}), 2, 2).empty());
  EXPECT_EQ(class_polygons(classes_of({"3"}), 1, 1).at(0).value, 3);
  EXPECT_THROW(class_polygons(classes_of({"33"}), 1, 1), std::invalid_argument);
}

}  // namespace class_polygons_test
