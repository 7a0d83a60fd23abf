// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polygons: areas by hand, points and chords against other ways to compute them, overlaps and faults.
#include "cpu_time.hpp"
#include "wind/case/buildings/building_shapes.hpp"
#include "wind/case/buildings/inside_building.hpp"
#include "wind/case/buildings/plan_geometry.hpp"
#include "wind/model/zones.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>

namespace wind_footprint_test {

using namespace karman::wind;

Building polygon(Ring outer, std::vector<Ring> holes = {}, double height = 5) {
  Building building = prism(std::move(outer), std::move(holes));
  building.height = height;
  return building;
}

Building rectangle(double x, double y, double length, double width, double rotation) {
  Building building;
  building.x = x;
  building.y = y;
  building.length = length;
  building.width = width;
  building.height = 5;
  building.rotation = rotation;
  return building;
}

/// A simple polygon that is no star and has no order: corners at increasing angles and random distances.
Ring random_ring(std::mt19937& random, double x, double y, double least = 2) {
  std::uniform_real_distribution<double> distance(least, 10);
  int const corners = 3 + static_cast<int>(random() % 20);
  Ring ring;
  for (int n = 0; n < corners; ++n) {
    double const angle = 2 * std::numbers::pi * (n + 0.3) / corners;
    double const r = distance(random);
    ring.push_back({x + r * std::cos(angle), y + r * std::sin(angle)});
  }
  return ring;
}

/// Inside by the sum of the angles under which the walls are seen: another way than the even-odd rule.
bool inside_by_angle(Ring const& ring, double x, double y) {
  double sum = 0;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    auto const [ax, ay] = ring[n];
    auto const [bx, by] = ring[(n + 1) % ring.size()];
    sum += std::atan2((ax - x) * (by - y) - (ay - y) * (bx - x), (ax - x) * (bx - x) + (ay - y) * (by - y));
  }
  return std::abs(sum) > std::numbers::pi;
}

TEST(Footprint, AreasByHand) {
  Ring const letter_l{{0, 0}, {6, 0}, {6, 2}, {2, 2}, {2, 5}, {0, 5}};
  EXPECT_EQ(signed_area(letter_l), 18);
  EXPECT_EQ(signed_area(Ring(letter_l.rbegin(), letter_l.rend())), -18);
  Building const building = polygon(Ring(letter_l.rbegin(), letter_l.rend()), {{{0.5, 0.5}, {1.5, 0.5}, {1.5, 1.5}}});
  EXPECT_EQ(building.area(), 17.5);
  EXPECT_GT(signed_area(building.corners()), 0) << "outlines are counter-clockwise";
  EXPECT_LT(signed_area(building.holes()[0]), 0) << "holes are clockwise";
  EXPECT_EQ(building.x, 3);
  EXPECT_EQ(building.y, 2.5);
  EXPECT_EQ(building.half_extents(), (std::array<double, 2>{3, 2.5}));
  EXPECT_EQ(even_odd_area(building.footprint.walls()), 17.5);
}

TEST(Footprint, CopiesShareTheirCorners) {
  Ring const outer{{-3, -2}, {3, -2}, {3, 2}, {-3, 2}};
  std::vector<Ring> const holes{{{0, 0}, {0, 1}, {1, 1}}, {{-2, -1}, {-2, 1}, {-1, 1}, {-1, -1}}};
  Footprint kept;
  EXPECT_TRUE(kept.empty());
  EXPECT_EQ(kept.corner_count(), 0u);
  EXPECT_EQ(kept.hole_count(), 0u);
  EXPECT_TRUE(kept.outer().empty());
  EXPECT_TRUE(kept.walls().empty());
  {
    Footprint const first(outer, holes);
    Footprint second = first;
    EXPECT_EQ(second.outline().corners, first.outline().corners);
    Footprint& same = second;
    second = same;
    kept = std::move(second);
  }
  EXPECT_EQ(kept.outer(), outer);
  EXPECT_EQ(kept.holes(), holes);
  EXPECT_EQ(kept.corner_count(), 11u);
  EXPECT_EQ(kept.hole_count(), 2u);
  EXPECT_EQ(kept.area(), 24 - 0.5 - 2);
  // Each ring is closed by itself.
  std::vector<Wall> const walls = kept.walls();
  ASSERT_EQ(walls.size(), 11u);
  for (auto const& [last, first] : std::vector<std::array<std::size_t, 2>>{{3, 0}, {6, 4}, {10, 7}}) {
    EXPECT_EQ(walls[last].bx, walls[first].ax);
    EXPECT_EQ(walls[last].by, walls[first].ay);
  }
}

TEST(Footprint, RectanglesKeepTheirCorners) {
  Building const turned = rectangle(10, 20, 4, 2, 90);
  EXPECT_EQ(turned.corners(), (Ring{{11, 18}, {11, 22}, {9, 22}, {9, 18}}));
  EXPECT_EQ(turned.area(), 8);
  EXPECT_TRUE(turned.holes().empty());
}

TEST(Footprint, PointsInsideOfRandomPolygons) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-11, 11);
  for (int trial = 0; trial < 200; ++trial) {
    Ring const outer = random_ring(random, 0, 0);
    Ring hole;  // in the circle of radius 1, which the outline leaves free
    for (auto const& [x, y] : random_ring(random, 0, 0)) hole.push_back({0.05 * x, 0.05 * y});
    Building const building = polygon(outer, {hole});
    BuildingInterior const test = interior_of(building);
    int inside = 0;
    constexpr int points = 500;
    for (int p = 0; p < points; ++p) {
      double const scale = p % 4 == 0 ? 0.1 : 1;
      double const x = scale * place(random);
      double const y = scale * place(random);
      bool const expected = inside_by_angle(outer, x, y) && !inside_by_angle(hole, x, y);
      ASSERT_EQ(test.holds_point(x, y), expected) << trial << ": " << x << ' ' << y;
      inside += expected;
    }
    EXPECT_GT(inside, 0);
    EXPECT_LT(inside, points);
    double const area = signed_area(outer) - signed_area(hole);
    EXPECT_NEAR(even_odd_area(building.footprint.walls()), area, 1e-12 * area);
  }
}

TEST(Footprint, WallsAndCornersAreInside) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 100; ++trial) {
    Ring const outer = random_ring(random, 300, 200);
    Building const building = polygon(outer);
    BuildingInterior const test = interior_of(building);
    for (std::size_t n = 0; n < outer.size(); ++n) {
      auto const [ax, ay] = outer[n];
      auto const [bx, by] = outer[(n + 1) % outer.size()];
      for (double part : {0.0, 0.31, 0.5, 0.77})
        EXPECT_TRUE(test.holds_point(ax + part * (bx - ax), ay + part * (by - ay))) << trial;
    }
  }
}

TEST(Footprint, AWallThroughCellCentersIsSolidAtEveryRotation) {
  for (int degrees = 0; degrees < 360; ++degrees) {
    Building const block = rectangle(50, 40, 20, 10, degrees);
    Building const same = polygon(block.corners());
    BuildingInterior const expected = interior_of(block);
    BuildingInterior const test = interior_of(same);
    int inside = 0;
    for (int j = 20; j < 60; ++j) {
      for (int i = 30; i < 70; ++i) {
        ASSERT_EQ(test.holds_point(i, j), expected.holds_point(i, j)) << degrees << ": " << i << ' ' << j;
        inside += test.holds_point(i, j);
      }
    }
    EXPECT_GE(inside, 150) << degrees;
    EXPECT_NEAR(same.area(), 200, 1e-12 * 200);
  }
}

/// The plan of one building under a wind of 4 m/s.
ZonePlan plan_of(Building const& building, double direction) {
  WindCase wind_case;
  wind_case.grid = karman::UniformGrid({100, 100, 25}, {2, 2, 2});
  wind_case.profile.kind = Profile::Kind::power;
  wind_case.profile.speed = 4;
  wind_case.profile.exponent = 0;
  wind_case.profile.direction = direction;
  wind_case.buildings = {building};
  return plan_zones(wind_case);
}

TEST(Footprint, ChordsOfRandomPolygons) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-12, 12), angle(0, 360);
  for (int trial = 0; trial < 100; ++trial) {
    Ring const outer = random_ring(random, 100, 90);
    double const direction = angle(random);
    ZonePlan const plan = plan_of(polygon(outer), direction);
    BuildingZones const& zone = plan.zones[0];
    double const heading = (270 - direction) * std::numbers::pi / 180;
    double const hx = std::cos(heading);
    double const hy = std::sin(heading);
    for (int line = 0; line < 20; ++line) {
      double const wy = zone.y + place(random);
      // First and last point inside, in steps of 2 cm along the wind.
      double first = 1e300;
      double last = -1e300;
      for (int step = -15000; step <= 15000; step += 20) {
        double const wx = zone.x + 0.001 * step;
        if (!inside_by_angle(outer, wx * hx - wy * hy, wx * hy + wy * hx)) continue;
        first = std::min(first, wx);
        last = std::max(last, wx);
      }
      double entry, exit;
      bool const meets = zone.chord(plan.corners.data(), wy - zone.y, entry, exit);
      if (!meets || exit - entry < 0.05) {
        EXPECT_LT(last - first, 0.05);
        continue;
      }
      // A tip narrower than the step may lie before the first point.
      EXPECT_LE(zone.x + entry, first + 1e-9);
      EXPECT_GE(zone.x + exit, last - 1e-9);
      for (double end : {zone.x + entry, zone.x + exit}) {
        double const x = end * hx - wy * hy;
        double const y = end * hy + wy * hx;
        double nearest = 1e300;
        for (std::size_t n = 0; n < outer.size(); ++n) {
          auto const [ax, ay] = outer[n];
          auto const [bx, by] = outer[(n + 1) % outer.size()];
          double const part = std::clamp(
              ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) * (bx - ax) + (by - ay) * (by - ay)), 0.0,
              1.0);
          nearest = std::min(nearest, std::hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay)));
        }
        EXPECT_LT(nearest, 1e-9) << "both ends are on walls";
      }
    }
  }
}

TEST(Footprint, ZonesOfARectangleDoNotDependOnItsForm) {
  for (double rotation : {0.0, 90.0, 180.0, 7.0, 30.0, 45.0, 133.0}) {
    Building const block = rectangle(100, 90, 20, 10, rotation);
    for (double direction : {270.0, 0.0, 262.0}) {
      auto const of_block = plan_of(block, direction);
      auto const of_polygon = plan_of(polygon(block.corners()), direction);
      BuildingZones const expected = of_block.zones[0];
      BuildingZones const zone = of_polygon.zones[0];
      constexpr double tolerance = 1e-11;
      EXPECT_NEAR(zone.x, expected.x, tolerance);
      EXPECT_NEAR(zone.y, expected.y, tolerance);
      EXPECT_NEAR(zone.half_extent, expected.half_extent, tolerance);
      EXPECT_NEAR(zone.cavity_length, expected.cavity_length, tolerance);
      ASSERT_EQ(of_polygon.faces.size(), of_block.faces.size()) << rotation << ' ' << direction;
      for (std::size_t f = 0; f < of_block.faces.size(); ++f) {
        EXPECT_NEAR(of_polygon.faces[f].cavity_length, of_block.faces[f].cavity_length, tolerance);
        EXPECT_NEAR(of_polygon.faces[f].half_width, of_block.faces[f].half_width, tolerance);
        EXPECT_NEAR(of_polygon.faces[f].x, of_block.faces[f].x, tolerance);
        EXPECT_NEAR(of_polygon.faces[f].y, of_block.faces[f].y, tolerance);
      }
      EXPECT_NEAR(zone.front, expected.front, tolerance);
      EXPECT_NEAR(zone.rear, expected.rear, tolerance);
    }
  }
}

/// Maps of cities have corners in the middle of straight walls.
TEST(Footprint, CornersWithinAWallChangeNoZone) {
  auto const plain = plan_of(polygon({{90, 80}, {110, 80}, {110, 100}, {90, 100}}), 270);
  auto const split = plan_of(
      polygon({{90, 90}, {90, 85}, {90, 80}, {100, 80}, {110, 80}, {110, 100}, {103, 100}, {90, 100}, {90, 97}}), 270);
  ASSERT_EQ(plain.faces.size(), 1u);
  ASSERT_EQ(split.faces.size(), 1u);
  EXPECT_NEAR(split.faces[0].cavity_length, plain.faces[0].cavity_length, 1e-12);
  EXPECT_NEAR(split.faces[0].half_width, 10, 1e-12);
  EXPECT_NEAR(split.faces[0].x, 90, 1e-12);
  EXPECT_NEAR(split.faces[0].y, plain.faces[0].y, 1e-12);
}

/// Of a circle the walls within 10 degrees of the wind are one frontal face of the width 2 r sin(10 degrees).
TEST(Footprint, TheNoseOfARoundBuildingIsOneFace) {
  constexpr int corners = 720;
  double const radius = 15;
  Ring circle;
  for (int n = 0; n < corners; ++n) {
    double const angle = 2 * 3.14159265358979323846 * n / corners;
    circle.push_back({100 + radius * std::cos(angle), 90 + radius * std::sin(angle)});
  }
  for (double direction : {270.0, 33.0}) {
    auto const plan = plan_of(polygon(circle), direction);
    ASSERT_EQ(plan.faces.size(), 1u);
    // The run ends at a corner: within one of the walls of half a degree.
    double const wall = radius * 2 * 3.14159265358979323846 / corners;
    EXPECT_NEAR(plan.faces[0].half_width, radius * std::sin(10 * 3.14159265358979323846 / 180), wall);
    EXPECT_NEAR(plan.faces[0].cavity_length,
                karman::wind::upwind_cavity_length(2, 2 * plan.faces[0].half_width, plan.zones[0].height), 1e-12);
    EXPECT_NEAR(plan.faces[0].y, plan.zones[0].y, wall);
  }
}

TEST(Footprint, AreasInCommon) {
  Building const a = polygon({{0, 0}, {4, 0}, {4, 4}, {0, 4}});
  auto const with = [&](Ring ring, std::vector<Ring> holes = {}) {
    return covered_area(polygon(std::move(ring), std::move(holes)), a);
  };
  EXPECT_NEAR(with({{3, 3}, {7, 3}, {7, 7}, {3, 7}}), 1, 1e-14);
  EXPECT_NEAR(with({{2, -1}, {5, 2}, {2, 5}, {-1, 2}}), 14, 1e-13) << "a square less four corners of 1/2 each";
  EXPECT_EQ(with({{4, 0}, {8, 0}, {8, 4}, {4, 4}}), 0);
  EXPECT_NEAR(with({{-1, -1}, {5, -1}, {5, 5}, {-1, 5}}, {{{1, 1}, {3, 1}, {3, 3}, {1, 3}}}), 12, 1e-14);
}

TEST(Footprint, SharedWallsAreNoOverlap) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> place(0, 20), noise(-1e-9, 1e-9);
  int crossed = 0;
  for (int trial = 0; trial < 300; ++trial) {
    // Two triangles on the two sides of a common wall, its ends moved by a rounding of the file.
    double const ax = place(random), ay = place(random), bx = place(random), by = place(random);
    double const length = std::hypot(bx - ax, by - ay);
    if (length < 1) continue;
    double const nx = -(by - ay) / length, ny = (bx - ax) / length;
    auto const triangle = [&](double distance) {
      double const x = 0.5 * (ax + bx) + distance * nx + noise(random);
      double const y = 0.5 * (ay + by) + distance * ny + noise(random);
      return polygon({{ax + noise(random), ay + noise(random)}, {bx + noise(random), by + noise(random)}, {x, y}});
    };
    Building const one = triangle(3);
    EXPECT_FALSE(overlap(one, triangle(-3))) << trial;
    EXPECT_TRUE(overlap(one, triangle(1))) << trial;
    EXPECT_TRUE(overlap(one, one)) << trial;
    ++crossed;
  }
  EXPECT_GT(crossed, 200);
}

TEST(Footprint, OverlapsOfMixedShapes) {
  Ring const square{{0, 0}, {10, 0}, {10, 10}, {0, 10}};
  Building const court = polygon(square, {{{2, 2}, {8, 2}, {8, 8}, {2, 8}}});
  EXPECT_FALSE(overlap(court, rectangle(5, 5, 6, 6, 0))) << "a block that fills the court";
  EXPECT_TRUE(overlap(court, rectangle(5, 5, 6.1, 6, 0)));
  EXPECT_TRUE(overlap(court, rectangle(5, 5, 6, 6, 20)));
  Building above = rectangle(5, 5, 10, 10, 0);
  above.base = 5;
  EXPECT_FALSE(overlap(court, above)) << "stacked";
  above.base = 4.9;
  EXPECT_TRUE(overlap(court, above));
  EXPECT_EQ(overlap(rectangle(0, 0, 4, 4, 30), rectangle(4, 0, 4, 4, 0)),
            overlap(polygon(rectangle(0, 0, 4, 4, 30).corners()), rectangle(4, 0, 4, 4, 0)));
}

TEST(Footprint, FaultsAreNamed) {
  Ring const square{{0, 0}, {10, 0}, {10, 10}, {0, 10}};
  auto const fault = [](Ring const& outer, std::vector<Ring> const& holes = {}) {
    return footprint_fault(outer, holes, {1000, 0});
  };
  EXPECT_EQ(fault(square), "");
  EXPECT_EQ(fault(square, {{{0, 0}, {5, 0}, {5, 5}}}), "") << "a hole may touch the outline";
  EXPECT_EQ(fault({{0, 0}, {10, 0}}), "its outline has 2 different corners in a row; expected at least 3");
  EXPECT_EQ(fault({{0, 0}, {5, 5}, {10, 10}}), "its outline has no area: its corners are on one line");
  EXPECT_EQ(fault({{0, 0}, {10, 10}, {10, 0}, {0, 10}}), "its walls cross at (1005, 5)");
  // Through the corner (5, 5), so that no wall crosses another between its ends.
  EXPECT_EQ(fault({{0, 0}, {5, 5}, {10, 10}, {10, 0}, {5, 5}, {0, 20}}), "its outline crosses itself in a corner");
  EXPECT_EQ(fault(square, {{{1, 1}, {2, 1}}}), "hole 0 has 2 different corners in a row; expected at least 3");
  EXPECT_EQ(fault(square, {{{11, 1}, {12, 1}, {12, 2}}}), "hole 0 is not inside the outline");
  EXPECT_EQ(fault(square, {{{5, 5}, {15, 5}, {15, 6}, {5, 6}}}), "its walls cross at (1010, 5)");
  Ring const one{{1, 1}, {5, 1}, {5, 5}, {1, 5}};
  EXPECT_EQ(fault(square, {one, one}), "two of its holes overlap");
  // Two lobes that meet in one corner are no crossing.
  EXPECT_EQ(fault({{0, 0}, {4, 0}, {5, 5}, {10, 6}, {10, 10}, {6, 10}, {5, 5}, {0, 4}}), "");
}

TEST(Footprint, CrossingsOfRandomRings) {
  // The exchange of two neighboring corners of a nearly round ring makes it cross itself.
  std::mt19937 random(8);
  int found = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Ring ring = random_ring(random, 0, 0, 9.9);
    ASSERT_EQ(footprint_fault(ring, {}, {0, 0}), "") << trial;
    if (ring.size() < 5) continue;
    std::swap(ring[1], ring[2]);
    EXPECT_NE(footprint_fault(ring, {}, {0, 0}), "") << trial;
    ++found;
  }
  EXPECT_GT(found, 100);
}

TEST(Footprint, RepeatedCornersAreDropped) {
  EXPECT_EQ(without_repeats({{0, 0}, {0, 0}, {1, 0}, {1, 1}, {1, 1}, {0, 0}}), (Ring{{0, 0}, {1, 0}, {1, 1}}));
  EXPECT_EQ(without_repeats({{2, 2}, {2, 2}, {2, 2}}), (Ring{{2, 2}}));
}

TEST(BuildingShapes, AnEllipseHasItsAreaAndStaysWithinTheStatedError) {
  for (double rotation : {0.0, 30.0, 90.0}) {
    Ring const ring = ellipse_outline(20, 12, rotation);
    EXPECT_EQ(ring.size(), 64u);
    EXPECT_NEAR(signed_area(ring), std::numbers::pi * 60, 1e-11);
    double const c = std::cos(rotation * std::numbers::pi / 180);
    double const s = std::sin(rotation * std::numbers::pi / 180);
    // Distance from the center in units of the semi-axes.
    auto const distance = [&](double x, double y) { return std::hypot((x * c + y * s) / 10, (y * c - x * s) / 6); };
    for (std::size_t n = 0; n < ring.size(); ++n) {
      auto const [ax, ay] = ring[n];
      auto const [bx, by] = ring[(n + 1) % ring.size()];
      EXPECT_NEAR(distance(ax, ay), 1 + 8.0e-4, 1e-5);
      EXPECT_NEAR(distance(0.5 * (ax + bx), 0.5 * (ay + by)), 1 - 4.0e-4, 1e-5);
    }
  }
}

TEST(BuildingShapes, ACylinderCoversTheCellsOfItsCircle) {
  Building const cylinder = polygon(ellipse_outline(40, 40, 0));
  BuildingInterior const test = interior_of(cylinder);
  int cells = 0;
  for (int j = -25; j < 25; ++j) {
    for (int i = -25; i < 25; ++i) {
      double const x = i + 0.5;
      double const y = j + 0.5;
      double const r = std::hypot(x, y) / 20;
      if (std::abs(r - 1) > 8.1e-4) {
        EXPECT_EQ(test.holds_point(x, y), r < 1) << x << ' ' << y;
      }
      // Its symmetry in all eight directions.
      EXPECT_EQ(test.holds_point(x, y), test.holds_point(-x, y));
      EXPECT_EQ(test.holds_point(x, y), test.holds_point(y, x));
      cells += test.holds_point(x, y);
    }
  }
  EXPECT_NEAR(cells, std::numbers::pi * 400, 20);
}

TEST(BuildingShapes, RegularOutlines) {
  Ring const square = regular_outline(4, 20, 10, 0);
  for (std::size_t n = 0; n < 4; ++n) {
    Ring const expected{{10, -5}, {10, 5}, {-10, 5}, {-10, -5}};
    EXPECT_NEAR(square[n][0], expected[n][0], 1e-14);
    EXPECT_NEAR(square[n][1], expected[n][1], 1e-14);
  }
  // n r^2 tan(pi / n) for walls at the distance r.
  EXPECT_NEAR(signed_area(regular_outline(5, 20, 20, 17)), 500 * std::tan(std::numbers::pi / 5), 1e-11);
  EXPECT_NEAR(signed_area(regular_outline(3, 20, 20, 0)), 300 * std::sqrt(3.0), 1e-11);
}

std::vector<Wall> walls_of_rings(std::vector<Ring> const& rings) {
  std::vector<Wall> walls;
  for (Ring const& ring : rings) {
    for (std::size_t n = 0; n < ring.size(); ++n) {
      Point const &a = ring[n], &b = ring[(n + 1) % ring.size()];
      walls.push_back({a[0], a[1], b[0], b[1]});
    }
  }
  return walls;
}

/// By all pairs: another way than a sweep.
bool any_pair_crosses(std::vector<Wall> const& walls) {
  for (std::size_t m = 0; m < walls.size(); ++m) {
    for (std::size_t n = 0; n < m; ++n) {
      if (crossing(walls[m], walls[n])) return true;
    }
  }
  return false;
}

/// By trapezoids between all levels of corners, each from all walls: another way than a sweep. For walls without
/// crossings.
double area_by_levels(std::vector<Wall> const& walls) {
  std::vector<double> levels, x;
  for (Wall const& wall : walls) levels.push_back(wall.ay);
  std::sort(levels.begin(), levels.end());
  double area = 0;
  for (std::size_t n = 0; n + 1 < levels.size(); ++n) {
    double const y = 0.5 * (levels[n] + levels[n + 1]);
    x.clear();
    for (Wall const& wall : walls) {
      if ((wall.ay > y) != (wall.by > y))
        x.push_back(wall.ax + (y - wall.ay) / (wall.by - wall.ay) * (wall.bx - wall.ax));
    }
    std::sort(x.begin(), x.end());
    for (std::size_t m = 0; m + 1 < x.size(); m += 2) area += (x[m + 1] - x[m]) * (levels[n + 1] - levels[n]);
  }
  return area;
}

/// Corners on a lattice: many walls touch, coincide or cross through corners.
Ring lattice_ring(std::mt19937& random, int corners, int width) {
  Ring ring;
  for (int n = 0; n < corners; ++n) {
    double const x = static_cast<double>(random() % static_cast<unsigned>(width));
    ring.push_back({x, static_cast<double>(random() % static_cast<unsigned>(width))});
  }
  return without_repeats(std::move(ring));
}

TEST(Footprint, TheSweepFindsWhatAllPairsHave) {
  std::mt19937 random(21);
  int crossed = 0, clear = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    std::vector<Ring> rings;
    for (unsigned count = 1 + random() % 2; rings.size() < count;)
      rings.push_back(lattice_ring(random, 3 + static_cast<int>(random() % 5), 5));
    std::vector<Wall> const walls = walls_of_rings(rings);
    bool const expected = any_pair_crosses(walls);
    ASSERT_EQ(find_crossing(walls).has_value(), expected) << trial;
    if (expected) {
      ++crossed;
      continue;
    }
    ++clear;
    // Round-off of sums over at most 14 walls of 25 square metres.
    ASSERT_NEAR(even_odd_area(walls), area_by_levels(walls), 1e-12) << trial;
  }
  EXPECT_GT(crossed, 2000);
  EXPECT_GT(clear, 2000);
}

/// The verdict by all pairs and levels; areas of the lattice are multiples of a half.
bool is_footprint(Ring const& outer, Ring const& hole) {
  if (outer.size() < 3 || hole.size() < 3 || any_pair_crosses(walls_of_rings({outer, hole}))) return false;
  double const area = std::abs(signed_area(outer)), hole_area = std::abs(signed_area(hole));
  auto const equal = [](double a, double b) { return std::abs(a - b) < 1e-6; };
  return area > 0 && hole_area > 0 && area > hole_area && equal(area_by_levels(walls_of_rings({outer})), area) &&
         equal(area_by_levels(walls_of_rings({hole})), hole_area) &&
         equal(area_by_levels(walls_of_rings({outer, hole})), area - hole_area);
}

TEST(Footprint, FaultsOfLatticeRingsAreThoseOfAllPairs) {
  std::mt19937 random(22);
  int good = 0;
  for (int trial = 0; trial < 40'000; ++trial) {
    Ring const outer = lattice_ring(random, 3 + static_cast<int>(random() % 4), 5);
    Ring const hole = lattice_ring(random, 3 + static_cast<int>(random() % 2), 4);
    std::string const fault = footprint_fault(outer, {hole}, {0, 0});
    ASSERT_EQ(fault.empty(), is_footprint(outer, hole)) << trial << ": " << fault;
    good += fault.empty() ? 1 : 0;
  }
  EXPECT_GT(good, 300);
}

/// A ring with long teeth of random length at an angle: many walls meet a line of any direction.
Ring comb(int teeth, double angle) {
  std::mt19937 random(23);
  std::uniform_real_distribution<double> length(0.5, 1);
  Ring ring;
  double const c = std::cos(angle), s = std::sin(angle), pitch = 1.0 / teeth;
  auto const add = [&](double x, double y) { ring.push_back({c * x - s * y, s * x + c * y}); };
  for (int n = 0; n < teeth; ++n) {
    add(n * pitch, 0);
    add((n + 0.5) * pitch, length(random));
  }
  add(1, 0);
  add(1, -0.1);
  add(0, -0.1);
  return ring;
}

/// A round ring with seven waves.
Ring waves_around(int corners, double x) {
  Ring ring;
  for (int n = 0; n < corners; ++n) {
    double const angle = 2 * std::numbers::pi * n / corners, r = 10 + 0.5 * std::sin(7 * angle);
    ring.push_back({x + r * std::cos(angle), r * std::sin(angle)});
  }
  return ring;
}

TEST(Footprint, ChecksTakeTimeThatGrowsWithTheirCorners) {
  using karman::test::growth_of_time, karman::test::most_growth;
  // Over no axis is a comb at 1 radian short.
  for (double const angle : {0.0, 0.5 * std::numbers::pi, 1.0}) {
    auto const check = [&](int teeth) { EXPECT_EQ(footprint_fault(comb(teeth, angle), {}, {0, 0}), ""); };
    EXPECT_LT(growth_of_time(2'000, check), most_growth) << angle;
  }
  auto const compare = [](int corners) {
    Building const one = polygon(waves_around(corners, 0)), other = polygon(waves_around(corners, 3));
    EXPECT_TRUE(overlap(one, other));
    EXPECT_LT(covered_area(one, other), one.area());
  };
  EXPECT_LT(growth_of_time(8'000, compare), most_growth);
}

TEST(Footprint, AWrongHoleAmongManyIsNamed) {
  Ring const square{{0, 0}, {100, 0}, {100, 100}, {0, 100}};
  std::vector<Ring> holes;
  for (int n = 0; n < 2500; ++n) {
    double const x = 1 + 1.96 * (n % 50), y = 1 + 1.96 * (n / 50);
    holes.push_back({{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}});
  }
  EXPECT_EQ(footprint_fault(square, holes, {0, 0}), "");
  auto const with = [&](std::size_t n, Ring hole) {
    std::vector<Ring> changed = holes;
    changed[n] = std::move(hole);
    return footprint_fault(square, changed, {0, 0});
  };
  EXPECT_EQ(with(1234, {{200, 1}, {201, 1}, {201, 2}}), "hole 1234 is not inside the outline");
  EXPECT_EQ(with(1234, {{1.2, 1.2}, {1.4, 1.2}, {1.4, 1.4}}), "two of its holes overlap") << "inside of the first";
  EXPECT_EQ(footprint_fault(square, {square}, {0, 0}), "its holes leave no area");
  EXPECT_EQ(footprint_fault({{0, 0}, {2e9, 0}, {0, 5}}, {}, {0, 0}),
            "its outline has a corner at (2e+09, 0); expected positions within 1e9 m");
}

}  // namespace wind_footprint_test
