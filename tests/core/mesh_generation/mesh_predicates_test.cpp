// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_generation/mesh_predicates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace mesh_predicates_test {

using karman::detail::PlanePoint;

__extension__ using Wide = __int128;

struct Whole {
  std::int64_t x, y;
};

int sign(Wide value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }
int sign(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

int exact_orientation(Whole a, Whole b, Whole c) {
  return sign(Wide(a.x - c.x) * (b.y - c.y) - Wide(a.y - c.y) * (b.x - c.x));
}

int exact_in_circle(Whole a, Whole b, Whole c, Whole d) {
  Wide const ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
  return sign((ax * ax + ay * ay) * (bx * cy - by * cx) + (bx * bx + by * by) * (cx * ay - cy * ax) +
              (cx * cx + cy * cy) * (ax * by - ay * bx));
}

PlanePoint scaled(Whole p, int exponent) {
  return {std::ldexp(static_cast<double>(p.x), exponent), std::ldexp(static_cast<double>(p.y), exponent)};
}

TEST(Predicates, OrientationIsThatOfWholeNumbers) {
  std::mt19937 random(3);
  std::uniform_int_distribution<std::int64_t> anywhere(-(1LL << 50), 1LL << 50), step(-(1 << 20), 1 << 20), near(-2, 2);
  int zeros = 0;
  for (int i = 0; i < 20'000; ++i) {
    // c nearly on the line through a and b: a + k (dx, dy) moved by a unit or two, or not at all.
    Whole const a{anywhere(random) >> 2, anywhere(random) >> 2};
    Whole const direction{step(random), step(random)};
    std::int64_t const k = step(random), m = step(random);
    Whole const b{a.x + k * direction.x, a.y + k * direction.y};
    Whole const c{a.x + m * direction.x + near(random), a.y + m * direction.y + near(random)};
    int const expected = exact_orientation(a, b, c);
    zeros += expected == 0 ? 1 : 0;
    for (int const exponent : {0, -60, 90}) {
      auto const pa = scaled(a, exponent), pb = scaled(b, exponent), pc = scaled(c, exponent);
      ASSERT_EQ(sign(karman::detail::orientation(pa, pb, pc)), expected);
      ASSERT_EQ(sign(karman::detail::orientation(pb, pa, pc)), -expected);
      ASSERT_EQ(sign(karman::detail::orientation(pc, pa, pb)), expected);
    }
  }
  EXPECT_GT(zeros, 100) << "points on the line were among them";
}

TEST(Predicates, CirclesAreThoseOfWholeNumbers) {
  std::mt19937 random(5);
  std::uniform_int_distribution<std::int64_t> offset(-(1 << 27), 1 << 27), near(-1, 1), factor(1, 1 << 21);
  // Points with whole coordinates on a circle of radius 65 k, far from the origin.
  std::int64_t const on[12][2] = {{63, 16}, {16, 63}, {-16, 63}, {-63, 16}, {-63, -16}, {63, -16},
                                  {33, 56}, {56, 33}, {-33, 56}, {52, 39},  {-52, -39}, {0, 65}};
  std::uniform_int_distribution<int> pick(0, 11);
  int zeros = 0, checked = 0;
  while (checked < 20'000) {
    std::int64_t const k = factor(random);
    Whole const center{offset(random), offset(random)};
    auto const point = [&](bool exact) {
      auto const* p = on[pick(random)];
      return Whole{center.x + k * p[0] + (exact ? 0 : near(random)), center.y + k * p[1] + (exact ? 0 : near(random))};
    };
    Whole a = point(true), b = point(true);
    Whole const c = point(true), d = point(false);
    int const turn = exact_orientation(a, b, c);
    if (turn == 0) continue;
    if (turn < 0) std::swap(a, b);
    ++checked;
    int const expected = exact_in_circle(a, b, c, d);
    zeros += expected == 0 ? 1 : 0;
    for (int const exponent : {0, -40, 60}) {
      ASSERT_EQ(sign(karman::detail::in_circle(scaled(a, exponent), scaled(b, exponent), scaled(c, exponent),
                                               scaled(d, exponent))),
                expected);
    }
  }
  EXPECT_GT(zeros, 1000) << "points on the circle were among them";
}

TEST(Predicates, SeeTheLastBit) {
  double const one = std::nextafter(1.0, 2.0);
  EXPECT_GT(karman::detail::orientation({0, 0}, {1, 1}, {1, one}), 0);
  EXPECT_LT(karman::detail::orientation({0, 0}, {1, 1}, {one, 1}), 0);
  EXPECT_EQ(karman::detail::orientation({0, 0}, {1, 1}, {one, one}), 0);
  EXPECT_EQ(karman::detail::in_circle({0, 0}, {1, 0}, {1, 1}, {0, 1}), 0);
  EXPECT_LT(karman::detail::in_circle({0, 0}, {1, 0}, {1, 1}, {0, one}), 0);
  EXPECT_GT(karman::detail::in_circle({0, 0}, {1, 0}, {1, 1}, {1e-17, 1}), 0);
}

}  // namespace mesh_predicates_test
