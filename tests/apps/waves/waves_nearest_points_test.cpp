// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "waves/case/nearest_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace waves_nearest_points_test {

using namespace karman::waves;
using Points = std::vector<std::array<double, 2>>;

constexpr std::size_t wanted = 13;

/// Sorts all points.
std::vector<Neighbor> by_sorting(Points const& points, std::array<double, 2> const& place) {
  std::vector<Neighbor> all;
  for (std::size_t n = 0; n < points.size(); ++n) {
    double const dx = points[n][0] - place[0], dy = points[n][1] - place[1];
    all.push_back({dx * dx + dy * dy, static_cast<int>(n)});
  }
  std::sort(all.begin(), all.end());
  all.resize(std::min(all.size(), wanted));
  return all;
}

void expect_exact(Points const& points, Points const& places) {
  NearestPoints const nearest(points, wanted);
  for (auto const& place : places) {
    auto const expected = by_sorting(points, place), found = nearest(place);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t n = 0; n < found.size(); ++n) {
      ASSERT_EQ(found[n].number, expected[n].number) << n << " of " << place[0] << ' ' << place[1];
      ASSERT_EQ(found[n].square, expected[n].square);
    }
  }
}

TEST(NearestPoints, EqualDistancesAreOrderedByNumber) {
  // A lattice in random order, some places twice, one 40 times: most distances from its points and middles tie.
  std::mt19937 random(11);
  Points points;
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 20; ++j) points.push_back({double(i), double(j)});
  }
  for (int n = 0; n < 100; ++n) points.push_back(points[random() % 400]);
  for (int n = 0; n < 40; ++n) points.push_back({7, 7});
  std::shuffle(points.begin(), points.end(), random);
  Points places{{7, 7}, {7.5, 7.5}, {-100, 7}, {9.5, 1e6}};
  for (int i = -3; i < 43; ++i) {
    for (int j = -3; j < 43; ++j) places.push_back({0.5 * i, 0.5 * j});
  }
  expect_exact(points, places);
}

TEST(NearestPoints, RoundingOfTheSearchLosesNone) {
  // Coordinates of seven digits far from the origin: differences of distances are as small as their rounding.
  std::mt19937 random(12);
  std::uniform_real_distribution<double> unit(0, 1);
  for (double const spread : {1e-6, 1.0, 1e4}) {
    Points points, places;
    for (int n = 0; n < 2000; ++n) points.push_back({5e5 + spread * unit(random), 6e6 + spread * unit(random)});
    for (int n = 0; n < 200; ++n) places.push_back({5e5 + spread * unit(random), 6e6 + 2 * spread * unit(random)});
    expect_exact(points, places);
  }
}

TEST(NearestPoints, FewPointsAndLargeCoordinates) {
  expect_exact({{1, 2}}, {{1, 2}, {5, 5}});
  expect_exact({{1, 2}, {1, 2}, {0, 0}}, {{1, 2}, {-5, 5}});
  // The square of the distance overflows, the search still finds a point.
  double const huge = 0.5 * std::numeric_limits<double>::max();
  NearestPoints const far(Points{{huge, huge}, {-huge, huge}}, wanted);
  auto const found = far({0, -huge});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].number, 0);
  EXPECT_TRUE(std::isfinite(found[0].square));
  EXPECT_THROW(NearestPoints(Points{}, wanted), std::invalid_argument);
  EXPECT_THROW(NearestPoints(Points{{1, 1}}, 0), std::invalid_argument);
}

}  // namespace waves_nearest_points_test
