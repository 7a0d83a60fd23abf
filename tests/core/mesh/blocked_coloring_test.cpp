// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "mesh/hilbert.hpp"
#include "sample_meshes.hpp"
#include <karman/mesh/blocked_coloring.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

namespace blocked_coloring_test {

using namespace karman;
using karman::test::fan;
using karman::test::Rows;
using karman::test::rows_of;
using karman::test::sample_meshes;
using karman::test::shuffled;
using karman::test::squares;

template <class Parameter>
class BlockedColoringOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;
};
TYPED_TEST_SUITE(BlockedColoringOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

/// The first cells of the curve, drawn by hand, and steps to a neighbour everywhere else.
TEST(HilbertCurve, StepsFromCellToNeighbor) {
  using karman::detail::hilbert_place;
  constexpr std::uint32_t n = 64;
  std::vector<std::array<int, 2>> cells(n * n, {-1, -1});
  for (std::uint32_t y = 0; y < n; ++y) {
    for (std::uint32_t x = 0; x < n; ++x) {
      std::uint32_t const place = hilbert_place(x, y);
      ASSERT_LT(place, n * n);
      ASSERT_EQ(cells[place][0], -1);
      cells[place] = {int(x), int(y)};
    }
  }
  for (std::size_t i = 1; i < cells.size(); ++i) {
    ASSERT_EQ(std::abs(cells[i][0] - cells[i - 1][0]) + std::abs(cells[i][1] - cells[i - 1][1]), 1);
  }
  // both ends lie in corners of the bottom
  EXPECT_EQ(hilbert_place(0, 0), 0u);
  EXPECT_EQ(hilbert_place(65535, 0), 0xffffffffu);
}

TYPED_TEST(BlockedColoringOn, EveryBlockIsRight) {
  for (auto const& [name, data] : sample_meshes()) {
    auto const mesh = make_triangle_mesh(this->space, data);
    for (int const size : {1, 2, 7, 32, 256}) {
      for (BlockOrder const order : {BlockOrder::hilbert, BlockOrder::given}) {
        SCOPED_TRACE(name + ", blocks of " + std::to_string(size));
        auto const blocked = color_blocks(this->space, mesh, {.triangles_a_block = size, .order = order});
        EXPECT_TRUE(is_valid(this->space, mesh, blocked));
        int const n = int(data.triangles.size());
        EXPECT_EQ(blocked.count(), (n + size - 1) / size);
        EXPECT_EQ(blocked.most_triangles, n < size ? n : size);
        EXPECT_EQ(blocked.blocks.classes.rows(), blocked.blocks.colors);
      }
    }
  }
}

/// Blocks of one triangle conflict as triangles do, and have one colour inside.
TYPED_TEST(BlockedColoringOn, BlocksOfOneTriangle) {
  auto const data = shuffled(squares(13, 11));
  auto const mesh = make_triangle_mesh(this->space, data);
  auto const blocked = color_blocks(this->space, mesh, {.triangles_a_block = 1, .order = BlockOrder::given});
  EXPECT_EQ(blocked.most_inner_colors, 1);
  EXPECT_EQ(blocked.blocks.lower_bound, karman::test::greatest_valence(data));
  auto const color = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), blocked.blocks.color);
  Rows const conflicts = karman::test::conflicts(data);
  for (std::size_t t = 0; t < conflicts.size(); ++t) {
    for (int const other : conflicts[t]) ASSERT_NE(color(t), color(other));
  }
}

/// One block: it owns all nodes, and has at most the colours of the greedy method in the order of the numbers.
TYPED_TEST(BlockedColoringOn, OneBlock) {
  auto const data = squares(9, 8);
  auto const mesh = make_triangle_mesh(this->space, data);
  auto const blocked = color_blocks(this->space, mesh, {.triangles_a_block = 1000, .order = BlockOrder::given});
  auto const greedy = color_elements(this->space, mesh, {.method = ColoringMethod::given_order});
  EXPECT_EQ(blocked.blocks.colors, 1);
  EXPECT_EQ(blocked.most_nodes, mesh.node_count());
  EXPECT_LE(blocked.most_inner_colors, greedy.colors);
  EXPECT_GE(blocked.most_inner_colors, greedy.lower_bound);
  EXPECT_EQ(rows_of(this->space, blocked.triangles)[0].size(), data.triangles.size());
  auto const own = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), blocked.own_nodes);
  EXPECT_EQ(own(0), mesh.node_count());
}

/// A compact block of b triangles has b / 2 nodes inside and sqrt(b / 2) or so along each of four sides; a block of
/// triangles in random order has nearly 3 b.
TYPED_TEST(BlockedColoringOn, TheCurveMakesCompactBlocksOfAnyNumbering) {
  auto const data = shuffled(squares(64, 64));
  auto const mesh = make_triangle_mesh(this->space, data);
  for (int const size : {32, 128, 512}) {
    auto const compact = color_blocks(this->space, mesh, {.triangles_a_block = size});
    EXPECT_LT(compact.most_nodes, size / 2 + 4 * std::sqrt(size / 2.0) + 2);
    EXPECT_TRUE(is_valid(this->space, mesh, compact));
    EXPECT_LT(compact.blocks.colors, 8);
    // 6 triangles around a node
    EXPECT_LT(compact.most_inner_colors, 10);
    auto const given = color_blocks(this->space, mesh, {.triangles_a_block = size, .order = BlockOrder::given});
    EXPECT_GT(given.most_nodes, 2 * size);
  }
}

/// More than 64 colours inside a block, more than 64 blocks around a node.
TYPED_TEST(BlockedColoringOn, ManyTrianglesAroundANode) {
  auto const mesh = make_triangle_mesh(this->space, shuffled(fan(202, true)));
  for (int const size : {3, 100}) {
    auto const blocked = color_blocks(this->space, mesh, {.triangles_a_block = size});
    EXPECT_TRUE(is_valid(this->space, mesh, blocked));
    EXPECT_EQ(blocked.most_inner_colors, size);
    EXPECT_EQ(blocked.blocks.colors, (202 + size - 1) / size);
  }
}

TYPED_TEST(BlockedColoringOn, SecondTimeTheSame) {
  auto const mesh = make_triangle_mesh(this->space, shuffled(squares(70, 50)));
  auto const once = color_blocks(this->space, mesh, {.triangles_a_block = 64});
  auto const twice = color_blocks(this->space, mesh, {.triangles_a_block = 64});
  EXPECT_EQ(rows_of(this->space, once.triangles), rows_of(this->space, twice.triangles));
  EXPECT_EQ(rows_of(this->space, once.nodes), rows_of(this->space, twice.nodes));
  EXPECT_EQ(rows_of(this->space, once.inner_colors), rows_of(this->space, twice.inner_colors));
  EXPECT_EQ(rows_of(this->space, once.blocks.classes), rows_of(this->space, twice.blocks.classes));
}

TYPED_TEST(BlockedColoringOn, WrongBlocksAreFound) {
  using Exec = typename TestFixture::Exec;
  auto const mesh = make_triangle_mesh(this->space, squares(12, 12));
  auto const right = color_blocks(this->space, mesh, {.triangles_a_block = 40});
  ASSERT_TRUE(is_valid(this->space, mesh, right));
  auto const changed = [&](typename Graph<Exec>::Numbers const& numbers, std::size_t place, int by) {
    Kokkos::View<int*, Kokkos::HostSpace> copy("karman::test::numbers", numbers.size());
    Kokkos::deep_copy(copy, numbers);
    copy(place) += by;
    return Kokkos::create_mirror_view_and_copy(typename Exec::memory_space(), copy);
  };
  auto const expect_wrong = [&](auto const& change) {
    auto wrong = right;
    change(wrong);
    EXPECT_FALSE(is_valid(this->space, mesh, wrong));
  };
  expect_wrong([&](auto& b) { b.triangles.entries = changed(b.triangles.entries, 5, 1); });
  expect_wrong([&](auto& b) { b.triangles.offsets = changed(b.triangles.offsets, 1, 1); });
  expect_wrong([&](auto& b) { b.inner_colors.entries = changed(b.inner_colors.entries, 1, 1); });
  expect_wrong([&](auto& b) { b.nodes.entries = changed(b.nodes.entries, 0, 1); });
  expect_wrong([&](auto& b) { b.own_nodes = changed(b.own_nodes, 0, -1); });
  expect_wrong([&](auto& b) { b.blocks.color = changed(b.blocks.color, 0, 1); });
  expect_wrong([&](auto& b) { b.most_nodes -= 1; });
  expect_wrong([&](auto& b) { b.most_inner_colors += 1; });
  expect_wrong([&](auto& b) { b = color_blocks(this->space, make_triangle_mesh(this->space, squares(16, 9))); });
}

TYPED_TEST(BlockedColoringOn, SizesOutOfRangeAreRefused) {
  auto const mesh = make_triangle_mesh(this->space, squares(2, 2));
  EXPECT_THROW(color_blocks(this->space, mesh, {.triangles_a_block = 0}), std::invalid_argument);
  EXPECT_THROW(color_blocks(this->space, mesh, {.triangles_a_block = 20001}), std::invalid_argument);
}

}  // namespace blocked_coloring_test
