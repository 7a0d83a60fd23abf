// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "mesh/parallel_coloring.hpp"
#include "sample_meshes.hpp"
#include <karman/mesh/coloring.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

namespace coloring_test {

using namespace karman;
using karman::test::fan;
using karman::test::Rows;
using karman::test::rows_of;
using karman::test::sample_meshes;
using karman::test::shuffled;
using karman::test::squares;

constexpr ColoringMethod all_methods[] = {ColoringMethod::parallel, ColoringMethod::random_order,
                                          ColoringMethod::given_order, ColoringMethod::largest_degree_first,
                                          ColoringMethod::lexicographic_bfs};

template <class Parameter>
class ColoringOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;

  Coloring<Exec> color(MeshData const& data, ColoringOptions const& options = {}) const {
    return color_elements(space, make_triangle_mesh(space, data), options);
  }
  std::vector<int> colors(Coloring<Exec> const& coloring) const {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), coloring.color);
    return {host.data(), host.data() + host.size()};
  }
};
TYPED_TEST_SUITE(ColoringOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

/// The lowest colour that no conflicting triangle has, one triangle after the other.
std::vector<int> first_fit(MeshData const& mesh, std::vector<int> const& order) {
  Rows const conflicts = karman::test::conflicts(mesh);
  std::vector<int> colors(order.size(), -1);
  for (int const t : order) {
    std::set<int> used;
    for (int const other : conflicts[std::size_t(t)]) used.insert(colors[std::size_t(other)]);
    int color = 0;
    while (used.count(color)) ++color;
    colors[std::size_t(t)] = color;
  }
  return colors;
}

std::vector<int> numbered(MeshData const& mesh) {
  std::vector<int> order(mesh.triangles.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> by_degree(MeshData const& mesh) {
  Rows const conflicts = karman::test::conflicts(mesh);
  auto order = numbered(mesh);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return conflicts[std::size_t(a)].size() > conflicts[std::size_t(b)].size(); });
  return order;
}

std::vector<int> by_scrambled_number(MeshData const& mesh) {
  auto order = numbered(mesh);
  std::sort(order.begin(), order.end(), [](int a, int b) {
    return karman::detail::scrambled(std::uint32_t(a)) > karman::detail::scrambled(std::uint32_t(b));
  });
  return order;
}

TYPED_TEST(ColoringOn, NoTwoOfAColorShareANode) {
  for (auto const& [name, data] : sample_meshes()) {
    for (ColoringMethod const method : all_methods) {
      for (bool const balanced : {false, true}) {
        SCOPED_TRACE(name + ", " + std::string(karman::name(method)) + (balanced ? ", balanced" : ""));
        auto const coloring = this->color(data, {.method = method, .balanced = balanced});
        auto const colors = this->colors(coloring);
        Rows const conflicts = karman::test::conflicts(data);
        Rows classes(std::size_t(coloring.colors));
        for (std::size_t t = 0; t < colors.size(); ++t) {
          ASSERT_GE(colors[t], 0);
          ASSERT_LT(colors[t], coloring.colors);
          for (int const other : conflicts[t]) ASSERT_NE(colors[t], colors[std::size_t(other)]);
          classes[std::size_t(colors[t])].push_back(int(t));
        }
        EXPECT_EQ(rows_of(this->space, coloring.classes), classes);
        EXPECT_EQ(coloring.lower_bound, karman::test::greatest_valence(data));
        EXPECT_GE(coloring.colors, coloring.lower_bound);
        for (auto const& row : classes) EXPECT_FALSE(row.empty());
        EXPECT_TRUE(is_valid(this->space, make_triangle_mesh(this->space, data), coloring));
        auto const sizes = class_sizes(this->space, coloring);
        ASSERT_EQ(sizes.size(), classes.size());
        for (std::size_t c = 0; c < classes.size(); ++c) EXPECT_EQ(std::size_t(sizes[c]), classes[c].size());
      }
    }
  }
}

/// Methods with an order, also the random one, are the plain greedy one in it, for any number of threads.
TYPED_TEST(ColoringOn, EveryTriangleHasTheLowestColorInItsTurn) {
  for (auto const& [name, data] : sample_meshes()) {
    SCOPED_TRACE(name);
    auto const colors = [&](ColoringMethod method) {
      return this->colors(this->color(data, {.method = method, .passes = 0}));
    };
    EXPECT_EQ(colors(ColoringMethod::given_order), first_fit(data, numbered(data)));
    EXPECT_EQ(colors(ColoringMethod::largest_degree_first), first_fit(data, by_degree(data)));
    EXPECT_EQ(colors(ColoringMethod::random_order), first_fit(data, by_scrambled_number(data)));
  }
}

/// The conflicts of a strip are conflicts of intervals, a chordal graph: there the lexicographic order needs no more
/// colours than the bound. So it is around one node.
TYPED_TEST(ColoringOn, LexicographicOrderIsPerfectOnAStrip) {
  for (auto const& data : {squares(1, 1), squares(1, 100), shuffled(squares(1, 333), 3), shuffled(squares(500, 1), 9),
                           fan(100, false), shuffled(fan(65, true))}) {
    auto const coloring = this->color(data, {.method = ColoringMethod::lexicographic_bfs});
    EXPECT_EQ(coloring.colors, coloring.lower_bound);
  }
}

/// More than 64 colours: the words that hold them are reused.
TYPED_TEST(ColoringOn, ManyTrianglesAroundANode) {
  auto const data = karman::test::beside(shuffled(fan(200, true)), shuffled(squares(12, 12)));
  for (ColoringMethod const method : all_methods) {
    SCOPED_TRACE(karman::name(method));
    auto const coloring = this->color(data, {.method = method, .balanced = true});
    EXPECT_EQ(coloring.colors, 200);
    EXPECT_TRUE(is_valid(this->space, make_triangle_mesh(this->space, data), coloring));
  }
}

/// Meshes whose nodes have 6 triangles, 6 on average and 8 at most, 3, and 1.
TYPED_TEST(ColoringOn, PaletteIsHardlyLargerThanTheBound) {
  auto const with_diagonals = [](int n) {
    auto data = squares(n, n);
    for (std::size_t t = 0; t < data.triangles.size(); t += 2) {
      auto const [a, b, d] = data.triangles[t];
      int const c = data.triangles[t + 1][2];
      if (karman::detail::scrambled(std::uint32_t(t)) % 2 != 0) continue;
      data.triangles[t] = {a, b, c};
      data.triangles[t + 1] = {b, d, c};
    }
    return data;
  };
  struct Case {
    MeshData mesh;
    int most;
  };
  for (auto const& [data, most] :
       {Case{squares(60, 60), 9}, Case{shuffled(squares(60, 60)), 9}, Case{with_diagonals(70), 10},
        Case{squares(1, 300), 4}, Case{fan(24, true), 24}, Case{squares(1, 1), 2}}) {
    auto const coloring = this->color(data);
    EXPECT_LE(coloring.colors, most);
    auto const sizes = class_sizes(this->space, coloring);
    // More than a half of the colours are of one size: none of them is preferred.
    auto sorted = sizes;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_LT(sorted.back(), 1.2 * sorted[sorted.size() / 2] + 2);
  }
}

TYPED_TEST(ColoringOn, PassesSaveColors) {
  for (auto const& data : {squares(60, 60), shuffled(squares(60, 60)), shuffled(squares(9, 400))}) {
    auto const mesh = make_triangle_mesh(this->space, data);
    int previous = this->color(data, {.method = ColoringMethod::random_order, .passes = 0}).colors;
    EXPECT_GT(previous, 9);
    for (int const passes : {1, 4, 12}) {
      auto const coloring =
          color_elements(this->space, mesh, {.method = ColoringMethod::random_order, .passes = passes});
      EXPECT_TRUE(is_valid(this->space, mesh, coloring));
      EXPECT_LE(coloring.colors, previous);
      previous = coloring.colors;
    }
    EXPECT_LE(previous, 9);
  }
}

/// 15,000 triangles and 7 to 11 colours: greedy methods leave the last of them a few hundred.
TYPED_TEST(ColoringOn, BalancedColorsAreOfOneSize) {
  auto const data = shuffled(squares(100, 75));
  for (ColoringMethod const method : all_methods) {
    SCOPED_TRACE(karman::name(method));
    auto const plain = this->color(data, {.method = method});
    auto const balanced = this->color(data, {.method = method, .balanced = true});
    EXPECT_EQ(balanced.colors, plain.colors);
    auto const largest = [&](auto const& coloring) {
      auto const sizes = class_sizes(this->space, coloring);
      return double(*std::max_element(sizes.begin(), sizes.end()));
    };
    double const mean = double(data.triangles.size()) / balanced.colors;
    // A palette leaves little to balance.
    if (method == ColoringMethod::parallel) EXPECT_LT(largest(plain), 1.05 * mean);
    else EXPECT_GT(largest(plain), 1.1 * mean);
    EXPECT_LT(largest(balanced), 1.02 * mean);
  }
}

TYPED_TEST(ColoringOn, SecondTimeTheSameAndOnEveryBackend) {
  auto const data = shuffled(squares(80, 70));
  auto const once = this->colors(this->color(data, {.balanced = true}));
  EXPECT_EQ(this->colors(this->color(data, {.balanced = true})), once);
  Kokkos::DefaultHostExecutionSpace const host;
  auto const there = color_elements(host, make_triangle_mesh(host, data), {.balanced = true}).color;
  EXPECT_EQ(std::vector<int>(there.data(), there.data() + there.size()), once);
}

TYPED_TEST(ColoringOn, WrongColoringsAreFound) {
  using Exec = typename TestFixture::Exec;
  auto const data = squares(6, 5);
  auto const mesh = make_triangle_mesh(this->space, data);
  auto const right = color_elements(this->space, mesh);
  ASSERT_TRUE(is_valid(this->space, mesh, right));
  auto const changed = [&](typename Graph<Exec>::Numbers const& numbers, std::size_t place, int value) {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers);
    Kokkos::View<int*, Kokkos::HostSpace> copy("karman::test::numbers", host.size());
    Kokkos::deep_copy(copy, host);
    copy(place) = value;
    return Kokkos::create_mirror_view_and_copy(typename Exec::memory_space(), copy);
  };
  auto const colors = this->colors(right);
  auto wrong = right;
  wrong.color = changed(right.color, 7, colors[7] == 0 ? 1 : 0);
  EXPECT_FALSE(is_valid(this->space, mesh, wrong));
  wrong = right;
  wrong.classes.entries = changed(right.classes.entries, 3, 1000);
  EXPECT_FALSE(is_valid(this->space, mesh, wrong));
  wrong = right;
  wrong.classes.offsets = changed(right.classes.offsets, 1, 0);
  EXPECT_FALSE(is_valid(this->space, mesh, wrong));
  wrong = right;
  wrong.colors += 1;
  EXPECT_FALSE(is_valid(this->space, mesh, wrong));
  EXPECT_FALSE(is_valid(this->space, mesh, Coloring<Exec>{}));
  // right for another mesh with as many triangles
  EXPECT_FALSE(is_valid(this->space, make_triangle_mesh(this->space, shuffled(data)), right));
}

TYPED_TEST(ColoringOn, NegativePassesAreRefused) {
  EXPECT_THROW(this->color(squares(2, 2), {.passes = -1}), std::invalid_argument);
}

}  // namespace coloring_test
