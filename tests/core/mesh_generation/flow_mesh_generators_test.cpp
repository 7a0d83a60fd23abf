// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/mesh/mesh_invariants.hpp"
#include "mesh_generation/exterior_map.hpp"
#include <karman/mesh/flow_mesh_generators.hpp>
#include <karman/mesh/mesh_checks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace flow_mesh_generators_test {

using namespace karman;
using namespace karman::test;

constexpr double pi = std::numbers::pi;
constexpr double degree = pi / 180;
constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr auto all_patterns = {DiagonalPattern::right, DiagonalPattern::left, DiagonalPattern::alternating,
                               DiagonalPattern::crossed};

/// A sum of n areas or lengths of a whole of this size.
double round_off(double whole, std::size_t n) { return 8 * eps * whole * std::sqrt(static_cast<double>(n)) + 8 * eps; }

/// Number of closed chains of boundary edges, -1 when a node has not one edge in and one out.
int loops(MeshData const& mesh) {
  std::map<int, int> next;
  for (auto const& e : mesh.edges) {
    if (!next.try_emplace(e[0], e[1]).second) return -1;
  }
  int count = 0;
  while (!next.empty()) {
    auto step = next.begin();
    while (step != next.end()) {
      int const to = step->second;
      next.erase(step);
      step = next.find(to);
    }
    ++count;
  }
  return count;
}

/// Area inside the boundary edges.
double boundary_area(MeshData const& mesh) {
  double sum = 0;
  for (auto const& e : mesh.edges) sum += area({0, 0}, node(mesh, e[0]), node(mesh, e[1]));
  return sum;
}

/// A faultless mesh whose triangles fill its boundary.
void expect_flow_mesh(MeshData const& mesh, int holes, double extent) {
  expect_mesh(mesh, holes);
  MeshReport const report = check_mesh(mesh);
  EXPECT_TRUE(report.good()) << report.text();
  EXPECT_EQ(report.unlisted_edges, 0u);
  EXPECT_EQ(loops(mesh), holes + 1);
  EXPECT_NEAR(area(mesh), boundary_area(mesh), round_off(extent * extent, mesh.triangles.size()));
}

/// Nodes of a label, in the order of its edges.
std::vector<Point> nodes_of(MeshData const& mesh, int label) {
  std::vector<Point> found;
  std::set<int> seen;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    for (int const n : mesh.edges[e]) {
      if (mesh.edge_labels[e] == label && seen.insert(n).second) found.push_back(node(mesh, n));
    }
  }
  return found;
}

/// The mirror image in y = 0 has the same nodes, bit for bit, and the same triangles.
void expect_symmetric(MeshData const& mesh) {
  std::map<Point, int> number;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) number[mesh.nodes[n]] = static_cast<int>(n);
  std::vector<int> image;
  for (Point const& p : mesh.nodes) {
    auto const found = number.find({p[0], p[1] == 0 ? 0 : -p[1]});
    ASSERT_NE(found, number.end()) << p[0] << ' ' << p[1];
    image.push_back(found->second);
  }
  std::set<std::array<int, 3>> triangles;
  for (auto t : mesh.triangles) {
    std::sort(t.begin(), t.end());
    triangles.insert(t);
  }
  std::size_t alone = 0;
  for (auto t : mesh.triangles) {
    for (int& n : t) n = image[static_cast<std::size_t>(n)];
    std::sort(t.begin(), t.end());
    alone += 1 - triangles.count(t);
  }
  EXPECT_EQ(alone, 0u);
}

/// Refused with one line that has this text.
void expect_refused(std::function<MeshData()> const& make, std::string const& text) {
  try {
    make();
    ADD_FAILURE() << "accepted: " << text;
  } catch (std::invalid_argument const& error) {
    std::string const message = error.what();
    EXPECT_NE(message.find(text), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

// Airfoils.

double thickness_at(double t, double x) {
  return 5 * t * (0.2969 * std::sqrt(x) - 0.1260 * x - 0.3516 * x * x + 0.2843 * x * x * x - 0.1036 * x * x * x * x);
}

struct Camber {
  double m, p;
  double line(double x) const {
    return x < p ? m / (p * p) * (2 * p * x - x * x) : m / ((1 - p) * (1 - p)) * (1 - 2 * p + 2 * p * x - x * x);
  }
  double slope(double x) const { return 2 * m / (x < p ? p * p : (1 - p) * (1 - p)) * (p - x); }
};

/// Distance of a point from the contour, across the camber line: the place whose normal meets the point by bisection.
double off_contour(Camber const& camber, double t, Point const& point) {
  double low = -0.1, high = 1;
  for (int i = 0; i < 80; ++i) {
    double const x = 0.5 * (low + high);
    ((point[0] - x) + (point[1] - camber.line(x)) * camber.slope(x) > 0 ? low : high) = x;
  }
  double const x = std::max(0.0, high);
  return std::abs(std::hypot(point[0] - x, point[1] - camber.line(x)) - thickness_at(t, x));
}

TEST(Airfoil, HasNodesOnItsProfileAndOnTheFarCircle) {
  for (auto const& [digits, m, p, t] : {std::tuple{"0012", 0.0, 0.5, 0.12},
                                        {"0006", 0.0, 0.5, 0.06},
                                        {"2412", 0.02, 0.4, 0.12},
                                        {"4415", 0.04, 0.4, 0.15},
                                        {"6321", 0.06, 0.3, 0.21}}) {
    for (int const points : {16, 18, 40, 128}) {
      for (double const radius : {2.0, 50.0}) {
        AirfoilMesh const shape{.digits = digits, .points = points, .far_radius = radius};
        MeshData const mesh = mesh_airfoil(shape);
        SCOPED_TRACE(std::string(digits) + ' ' + std::to_string(points));
        expect_flow_mesh(mesh, 1, radius);
        EXPECT_EQ(mesh.boundary_names.at(1), "airfoil");
        EXPECT_EQ(mesh.boundary_names.at(2), "farfield");
        auto const profile = nodes_of(mesh, 1), far = nodes_of(mesh, 2);
        ASSERT_EQ(profile.size(), static_cast<std::size_t>(points));
        ASSERT_EQ(far.size(), static_cast<std::size_t>(points));
        EXPECT_EQ(mesh.nodes[0], (Point{1, 0})) << "the trailing edge";
        // Near the leading edge x has an error of eps, the thickness one of sqrt(eps) times its slope there.
        for (Point const& q : profile) {
          double const slope = 0.75 * t / std::sqrt(std::max(q[0], 1e-4));
          EXPECT_LE(off_contour({m, p}, t, q), q[0] < 1e-4 ? 1e-8 : 16 * eps * (1 + slope)) << q[0] << ' ' << q[1];
        }
        for (Point const& q : far) EXPECT_NEAR(std::hypot(q[0] - 0.5, q[1]), radius, 4 * eps * radius);
        // A regular polygon less the profile.
        double profile_area = 0;
        for (int i = 0; i < points; ++i) profile_area += area({0, 0}, node(mesh, i), node(mesh, (i + 1) % points));
        double const n = points;
        EXPECT_NEAR(area(mesh) + profile_area, 0.5 * n * radius * radius * std::sin(2 * pi / n),
                    round_off(4 * radius * radius, mesh.triangles.size()));
      }
    }
  }
}

TEST(Airfoil, ReachesAnyDistance) {
  MeshData const mesh = mesh_airfoil({.digits = "2412", .points = 64, .far_radius = 1e6});
  expect_flow_mesh(mesh, 1, 1e6);
  EXPECT_GT(angles(mesh).front(), 25);
}

TEST(Airfoil, IsSymmetricWithoutCamber) {
  for (int const points : {16, 18, 64}) {
    expect_symmetric(mesh_airfoil({.points = points, .far_radius = 10}));
    expect_symmetric(mesh_airfoil({.digits = "0030", .points = points, .far_radius = 2, .growth = 1.5}));
  }
}

TEST(Airfoil, ApproachesTheAreaOfTheProfile) {
  // Exact area of twice the thickness, from the integrals of its terms. Polygons converge by order 2.
  double const exact = 2 * 0.6 * (0.2969 / 1.5 - 0.1260 / 2 - 0.3516 / 3 + 0.2843 / 4 - 0.1036 / 5);
  std::vector<double> errors;
  for (int const points : {64, 128, 256}) {
    double const far = 0.5 * points * 4 * std::sin(2 * pi / points);
    errors.push_back(exact - (far - area(mesh_airfoil({.points = points, .far_radius = 2}))));
  }
  EXPECT_GT(errors.back(), 0) << "an inscribed polygon, nearly convex";
  for (std::size_t i = 0; i + 1 < errors.size(); ++i) EXPECT_NEAR(std::log2(errors[i] / errors[i + 1]), 2, 0.1);
}

TEST(Airfoil, HasGoodAngles) {
  MeshData const mesh = mesh_airfoil({});
  EXPECT_GT(mesh.triangles.size(), 10'000u);
  EXPECT_LT(mesh.triangles.size(), 20'000u);
  EXPECT_GT(angles(mesh).front(), 27);
  EXPECT_LT(angles(mesh).back(), 115);
  // Square cells: growth = 1 + 2 pi / points. The triangles at the trailing edge are the worst.
  for (auto const* digits : {"0006", "0012", "0021", "2412", "4415", "6321"}) {
    for (int const points : {64, 128, 200}) {
      auto const all = angles(mesh_airfoil({.digits = digits, .points = points, .growth = 1 + 2 * pi / points}));
      EXPECT_GT(all.front(), 24) << digits << ' ' << points;
      EXPECT_LT(all.back(), 122) << digits << ' ' << points;
    }
  }
}

TEST(Airfoil, ClustersAtItsEdgesAndGrowsOutward) {
  constexpr std::size_t points = 128;
  constexpr double growth = 1.1;
  MeshData const mesh = mesh_airfoil({.points = points, .growth = growth});
  auto const between = [&](std::size_t a, std::size_t b) {
    return std::hypot(mesh.nodes[a][0] - mesh.nodes[b][0], mesh.nodes[a][1] - mesh.nodes[b][1]);
  };
  double const middle = between(32, 33);
  EXPECT_LT(between(0, 1), 0.1 * middle) << "trailing edge";
  EXPECT_LT(between(63, 64), 0.3 * middle) << "leading edge";
  for (std::size_t i = 1; i < points; ++i) {
    double const spacing = 0.5 * (between(i - 1, i) + between(i, (i + 1) % points));
    EXPECT_GT(between(i, i + points), 0.6 * spacing) << i;
    EXPECT_LT(between(i, i + points), 1.5 * spacing) << i;
  }
  // Heights in the far field, where the image of a circle is a circle to the square of chord over radius.
  std::size_t const last = mesh.nodes.size() / points - 1;
  for (std::size_t i = 0; i < points; ++i) {
    auto const height = [&](std::size_t layer) { return between((layer - 1) * points + i, layer * points + i); };
    EXPECT_NEAR(height(last) / height(last - 1), growth, 0.01);
    EXPECT_NEAR(height(last - 1) / height(last - 2), growth, 0.01);
  }
}

TEST(Airfoil, MeshesEveryProfileOfTheSeries) {
  for (int camber = 0; camber <= 9; camber += 3) {
    for (int place = camber == 0 ? 0 : 2; place <= (camber == 0 ? 0 : 9); place += 3) {
      for (auto const* thickness : {"01", "03", "12", "24", "40"}) {
        std::string const digits = std::to_string(camber) + std::to_string(place) + thickness;
        for (int const points : {16, 66}) {
          MeshData const mesh = mesh_airfoil({.digits = digits, .points = points, .far_radius = 5, .growth = 1.15});
          EXPECT_TRUE(check_mesh(mesh).good()) << digits << ' ' << check_mesh(mesh).text();
          EXPECT_GT(angles(mesh).front(), 2) << digits << ' ' << points;
        }
      }
    }
  }
}

TEST(ExteriorMap, IsAnalyticAndTakesTheCircleToTheProfile) {
  constexpr std::size_t points = 256;
  for (auto const* digits : {"0012", "2412", "6321"}) {
    detail::NacaProfile const profile(digits, "test");
    detail::ExteriorMap const map(profile, points, "test");
    // Values at radius 1 + h tend to the profile by order 1, or by h^1.9 at the trailing edge.
    for (double const h : {1e-3, 1e-5, 1e-7}) {
      auto const ring = map.ring(1 + h, 1);
      for (std::size_t i = 0; i < points; ++i) {
        EXPECT_LT(std::abs(ring[i] - profile.contour(map.parameters()[i])), h) << digits << ' ' << i;
      }
    }
    // Derivatives along the ring and across it agree (Cauchy and Riemann). The fourth-order difference over angles d
    // has an error of d^4 times the fifth derivative over 30; that falls by radius^-k with the order k of its terms.
    double const d = 2 * pi / points;
    for (double const radius : {1.5, 4.0}) {
      double const h = 1e-4;
      auto const ring = map.ring(radius, 1), in = map.ring(radius - h, 1), out = map.ring(radius + h, 1);
      for (std::size_t i = 0; i < points; ++i) {
        auto const at = [&](std::size_t offset) { return ring[(i + points + offset - 2) % points]; };
        auto const along = (8.0 * (at(3) - at(1)) - (at(4) - at(0))) / (12 * d);
        auto const across = (out[i] - in[i]) / (2 * h) * std::complex<double>(0, radius);
        EXPECT_LT(std::abs(along - across), 1e-6 * std::abs(along)) << digits << ' ' << radius << ' ' << i;
      }
    }
    auto const far = map.ring(1e6, 64);
    for (std::size_t i = 0; i < far.size(); ++i) {
      auto const s = std::polar(1e6, 0.5 * pi * static_cast<double>(i));
      EXPECT_LT(std::abs(far[i] / s - map.derivative_at_infinity()), 1e-6);
    }
  }
}

TEST(ExteriorMap, IsOneSeriesOnAllRings) {
  // Coefficients of powers of the map, from values on different circles. Radii to the power of points
  // bound their aliases: below rounding.
  constexpr std::size_t points = 256;
  detail::ExteriorMap const map(detail::NacaProfile("4415", "test"), points, "test");
  auto const coefficient = [&](double radius, int power) {
    auto const ring = map.ring(radius, 1);
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < points; ++i) {
      double const angle = 2 * pi * static_cast<double>(i) / static_cast<double>(points);
      sum += ring[i] * std::polar(std::pow(radius, -power), -power * angle);
    }
    return sum / static_cast<double>(points);
  };
  for (int const power : {1, 0, -1, -5, -20}) {
    auto const reference = coefficient(1.3, power);
    for (double const radius : {1.2, 1.5}) {
      // Values of size R times R^-power, summed with errors of a few eps each.
      EXPECT_LT(std::abs(coefficient(radius, power) - reference), 64 * eps * std::pow(1.5, 1 - power))
          << power << ' ' << radius;
    }
  }
  EXPECT_LT(std::abs(coefficient(1.3, 1) - map.derivative_at_infinity()), 64 * eps);
}

TEST(ExteriorMap, ConvergesWithItsPoints) {
  // The curve of the second map has no corner, but its curvature changes steeply at both ends: order 4. A corner would
  // leave order 2.
  auto const at_infinity = [](std::size_t points) {
    return detail::ExteriorMap(detail::NacaProfile("0012", "test"), points, "test").derivative_at_infinity();
  };
  auto const reference = at_infinity(2048);
  std::vector<double> errors;
  for (std::size_t const points : {32, 64, 128, 256}) errors.push_back(std::abs(at_infinity(points) - reference));
  for (std::size_t i = 0; i + 1 < errors.size(); ++i) EXPECT_GT(std::log2(errors[i] / errors[i + 1]), 3.5) << errors[i];
}

TEST(ExteriorMap, AgreesWithThinAirfoilTheory) {
  // A plate of chord 1 is the image of a circle of radius 1/4. By Hadamard's variation, a half thickness Y adds its
  // mean of 2 Y / sin over angles, of an x = (1 - cos) / 2, to the logarithm. The rest is of second order.
  constexpr int n = 20'000;
  double growth = 0;  // per thickness
  for (int i = 0; i < n; ++i) {
    double const angle = pi * (i + 0.5) / n;
    growth += 2 * thickness_at(1, 0.5 * (1 - std::cos(angle))) / std::sin(angle) / n;
  }
  std::vector<double> errors;
  for (auto const& [digits, t] : {std::pair{"0016", 0.16}, {"0008", 0.08}, {"0004", 0.04}, {"0002", 0.02}}) {
    detail::ExteriorMap const map(detail::NacaProfile(digits, "test"), 1024, "test");
    errors.push_back(std::abs(std::log(4 * std::abs(map.derivative_at_infinity())) - growth * t));
    // The iteration ends at changes of 1e-14 sqrt(1024).
    EXPECT_NEAR(std::arg(map.derivative_at_infinity()), 0, 3.2e-13) << digits;
  }
  for (std::size_t i = 0; i + 1 < errors.size(); ++i) {
    EXPECT_GT(std::log2(errors[i] / errors[i + 1]), 1.7) << i << ": " << errors[i] << ' ' << errors[i + 1];
  }
  // The direction at infinity is that of zero lift. Theory gives it by an integral over the slope of the camber line;
  // the rest is of the order of camber times thickness and of camber cubed.
  for (auto const& [digits, m, p] : {std::tuple{"2401", 0.02, 0.4}, {"1601", 0.01, 0.6}, {"3302", 0.03, 0.3}}) {
    detail::ExteriorMap const map(detail::NacaProfile(digits, "test"), 512, "test");
    Camber const camber{m, p};
    double zero_lift = 0;
    for (int i = 0; i < n; ++i) {
      double const angle = pi * (i + 0.5) / n;
      zero_lift += camber.slope(0.5 * (1 - std::cos(angle))) * (1 - std::cos(angle)) / n;
    }
    EXPECT_NEAR(std::arg(map.derivative_at_infinity()), zero_lift, 0.03 * std::abs(zero_lift)) << digits;
  }
}

// Bow shocks.

/// Billig's hyperbola around a cylinder of this radius: distance ahead of the centre at the height y.
double billig(double radius, double mach, double y) {
  double const beta = std::asin(1 / mach);
  double const delta = 0.386 * std::exp(4.67 / (mach * mach)) * radius;
  double const curvature = 1.386 * std::exp(1.8 / std::pow(mach - 1, 0.75)) * radius;
  double const t = std::tan(beta);
  return radius + delta - curvature / (t * t) * (std::sqrt(1 + y * y * t * t / (curvature * curvature)) - 1);
}

/// Distance of the hyperbola along a ray, by bisection.
double shock_distance(double radius, double mach, double angle) {
  double low = 0, high = 1e4 * radius;
  for (int i = 0; i < 200; ++i) {
    double const r = 0.5 * (low + high);
    (r * std::cos(angle) < billig(radius, mach, r * std::sin(angle)) ? low : high) = r;
  }
  return low;
}

TEST(BowShock, FillsTheFrontUpToACurveAheadOfTheShock) {
  for (auto const& shape : {BowShockMesh{}, BowShockMesh{.angle = 10, .around = 2, .radial = 1},
                            BowShockMesh{.radius = 2, .mach = 6, .angle = 100, .clearance = 1.2, .around = 33},
                            BowShockMesh{.mach = 2, .angle = 120, .clearance = 1, .around = 40, .growth = 1.05},
                            BowShockMesh{.mach = 1.5, .angle = 60, .around = 17, .radial = 9, .growth = 0.9},
                            BowShockMesh{.angle = 135, .around = 50, .radial = 200},
                            BowShockMesh{.angle = 90, .around = 1, .radial = 3, .half = true},
                            BowShockMesh{.angle = 95, .around = 24, .radial = 12, .half = true}}) {
    BowShockMesh use = shape;
    if (shape.around == 1) {
      use.around = 2;
    }
    for (auto const pattern : all_patterns) {
      use.diagonals = pattern;
      SCOPED_TRACE("angle " + std::to_string(use.angle) + ", around " + std::to_string(use.around));
      MeshData const mesh = mesh_bow_shock(use);
      double const angle = use.angle * degree, step = (use.half ? 1 : 2) * angle / use.around;
      double const first = use.half ? 0 : -angle;
      double extent = 0, exact = 0;
      std::vector<double> outer;
      for (int i = 0; i <= use.around; ++i) {
        double const shock = shock_distance(use.radius, use.mach, std::abs(first + i * step));
        outer.push_back(use.radius + use.clearance * (shock - use.radius));
        extent = std::max(extent, outer.back());
        if (i > 0) exact += 0.5 * std::sin(step) * (outer.end()[-1] * outer.end()[-2] - use.radius * use.radius);
      }
      expect_flow_mesh(mesh, 0, extent);
      // The bisection has an error of eps of its range times the slope of the hyperbola.
      EXPECT_NEAR(area(mesh), exact, 1e-11 * extent * extent);
      auto const columns = static_cast<std::size_t>(use.around), rows = static_cast<std::size_t>(use.radial);
      bool const crossed = pattern == DiagonalPattern::crossed;
      EXPECT_EQ(mesh.nodes.size(), (columns + 1) * (rows + 1) + (crossed ? columns * rows : 0));
      EXPECT_EQ(mesh.triangles.size(), columns * rows * (crossed ? 4 : 2));
      for (Point const& p : nodes_of(mesh, 1)) EXPECT_NEAR(std::hypot(p[0], p[1]), use.radius, 4 * eps * use.radius);
      EXPECT_EQ(nodes_of(mesh, 2).size(), columns + 1);
      for (Point const& p : nodes_of(mesh, 2)) {
        if (use.clearance > 1) {
          EXPECT_GT(-p[0], billig(use.radius, use.mach, p[1]));
        } else {
          EXPECT_NEAR(-p[0], billig(use.radius, use.mach, p[1]), 64 * eps * extent);
        }
      }
      EXPECT_EQ(nodes_of(mesh, 3).size(), (use.half ? 1 : 2) * (rows + 1));
      for (Point const& p : nodes_of(mesh, 3)) {
        EXPECT_NEAR(std::atan2(std::abs(p[1]), -p[0]), angle, 4 * eps);
      }
      EXPECT_EQ(mesh.boundary_names.count(4), use.half ? 1u : 0u);
      EXPECT_EQ(nodes_of(mesh, 4).size(), use.half ? rows + 1 : 0);
      for (Point const& p : nodes_of(mesh, 4)) EXPECT_TRUE(p[1] == 0 && p[0] < 0);
    }
  }
}

TEST(BowShock, HasEqualOrGeometricSteps) {
  for (double const growth : {1.0, 1.1, 0.8}) {
    MeshData const mesh = mesh_bow_shock({.around = 6, .radial = 10, .growth = growth});
    for (std::size_t i = 0; i <= 6; ++i) {
      auto const r = [&](std::size_t j) { return std::hypot(mesh.nodes[7 * j + i][0], mesh.nodes[7 * j + i][1]); };
      for (std::size_t j = 1; j < 10; ++j) {
        EXPECT_NEAR((r(j + 1) - r(j)) / (r(j) - r(j - 1)), growth, 1e-12);
      }
    }
  }
}

TEST(BowShock, IsSymmetric) {
  for (int const around : {2, 4, 10, 64}) {
    expect_symmetric(mesh_bow_shock({.around = around, .radial = around / 2 + 1}));
    expect_symmetric(mesh_bow_shock({.angle = 110, .around = around, .diagonals = DiagonalPattern::crossed}));
  }
  // Nodes of a half are nodes of the whole.
  MeshData const whole = mesh_bow_shock({.around = 20, .radial = 7}),
                 half = mesh_bow_shock({.around = 10, .radial = 7, .half = true});
  std::set<Point> const all(whole.nodes.begin(), whole.nodes.end());
  std::size_t upper = 0;
  for (Point const& p : whole.nodes) upper += p[1] >= 0 ? 1 : 0;
  EXPECT_EQ(upper, half.nodes.size());
  for (Point const& p : half.nodes) EXPECT_EQ(all.count(p), 1u) << p[0] << ' ' << p[1];
  EXPECT_NEAR(area(whole), 2 * area(half), round_off(4, whole.triangles.size()));
}

TEST(BowShock, HasFairAngles) {
  auto const all = angles(mesh_bow_shock({}));
  EXPECT_GT(all.front(), 17);
  EXPECT_LT(all.back(), 120);
  auto const narrow = angles(mesh_bow_shock({.angle = 60}));
  EXPECT_GT(narrow.front(), 20);
  EXPECT_LT(narrow.back(), 115);
}

// Channels with a ramp or a step.

TEST(Wedge, FillsTheChannelOverTheRamp) {
  for (double const degrees : {0.0, 10.0, 15.0, 40.0, -25.0, -45.0}) {
    for (double const size : {3.0, 0.3, 0.07}) {
      for (auto const pattern : all_patterns) {
        WedgeMesh const shape{
            .length = 1.6, .height = 1.1, .corner = 0.45, .angle = degrees, .size = size, .diagonals = pattern};
        SCOPED_TRACE(std::to_string(degrees) + ' ' + std::to_string(size));
        MeshData const mesh = mesh_wedge(shape);
        expect_flow_mesh(mesh, 0, 2);
        double const slope = std::tan(degrees * degree), run = 1.15, rise = slope * run;
        auto const n = mesh.triangles.size();
        EXPECT_NEAR(area(mesh), 1.6 * 1.1 - 0.5 * rise * run, round_off(2, n));
        EXPECT_NEAR(boundary_length(mesh, 1), 1.1, round_off(1, n));
        EXPECT_NEAR(boundary_length(mesh, 2), 1.1 - rise, round_off(1, n));
        EXPECT_NEAR(boundary_length(mesh, 3), 0.45 + run / std::cos(degrees * degree), round_off(2, n));
        EXPECT_NEAR(boundary_length(mesh, 4), 1.6, round_off(2, n));
        auto const columns = static_cast<std::size_t>(std::ceil(0.45 / size) + std::ceil(1.15 / size));
        auto const rows = static_cast<std::size_t>(std::ceil(1.1 / size));
        EXPECT_EQ(n, columns * rows * (pattern == DiagonalPattern::crossed ? 4 : 2));
        EXPECT_EQ(std::count(mesh.nodes.begin(), mesh.nodes.end(), Point{0.45, 0}), 1) << "the corner";
        for (Point const& p : nodes_of(mesh, 1)) EXPECT_EQ(p[0], 0);
        for (Point const& p : nodes_of(mesh, 2)) EXPECT_EQ(p[0], 1.6);
        for (Point const& p : nodes_of(mesh, 3)) EXPECT_EQ(p[1], p[0] > 0.45 ? slope * (p[0] - 0.45) : 0);
        for (Point const& p : nodes_of(mesh, 4)) EXPECT_EQ(p[1], 1.1);
      }
    }
  }
  EXPECT_GT(angles(mesh_wedge({})).front(), 35);
  EXPECT_LT(angles(mesh_wedge({})).back(), 100.1);
}

TEST(Step, HasItsCornersAsNodes) {
  for (double const size : {5.0, 0.3, 0.11, 0.05}) {
    for (auto const pattern : all_patterns) {
      StepMesh const shape{.size = size, .diagonals = pattern};
      MeshData const mesh = mesh_step(shape);
      expect_flow_mesh(mesh, 0, 3);
      auto const n = mesh.triangles.size();
      EXPECT_NEAR(area(mesh), 3 - 2.4 * 0.2, round_off(3, n));
      EXPECT_NEAR(boundary_length(mesh, 1), 1, round_off(1, n));
      EXPECT_NEAR(boundary_length(mesh, 2), 0.8, round_off(1, n));
      EXPECT_NEAR(boundary_length(mesh, 3), 0.6 + 0.2 + 2.4 + 3, round_off(6, n));
      for (Point const& corner : {Point{0, 0}, {0.6, 0}, {0.6, 0.2}, {3, 0.2}, {3, 1}, {0, 1}}) {
        EXPECT_EQ(std::count(mesh.nodes.begin(), mesh.nodes.end(), corner), 1) << corner[0] << ' ' << corner[1];
      }
      for (Point const& p : nodes_of(mesh, 1)) EXPECT_EQ(p[0], 0);
      for (Point const& p : nodes_of(mesh, 2)) EXPECT_TRUE(p[0] == 3 && p[1] >= 0.2);
      for (Point const& p : nodes_of(mesh, 3)) {
        EXPECT_TRUE(p[1] == 1 || (p[1] == 0 && p[0] <= 0.6) || (p[1] == 0.2 && p[0] >= 0.6) ||
                    (p[0] == 0.6 && p[1] <= 0.2))
            << p[0] << ' ' << p[1];
      }
      auto const width = [&](double length) { return length / std::ceil(length / size); };
      auto const flat = std::minmax({width(0.6), width(2.4), width(0.2), width(0.8)});
      EXPECT_GE(angles(mesh).front(), std::atan2(flat.first, flat.second) / degree *
                                          (pattern == DiagonalPattern::crossed ? 0.99 : 1 - 1e-12));
    }
  }
}

TEST(Step, PutsTwoTrianglesInConvexCorners) {
  for (double const size : {0.2, 0.11, 0.1, 0.05}) {
    MeshData const mesh = mesh_step({.size = size});
    for (Point const& corner : {Point{0, 0}, {0.6, 0}, {3, 0.2}, {3, 1}, {0, 1}}) {
      int count = 0;
      for (auto const& t : mesh.triangles) {
        for (int const n : t) count += node(mesh, n) == corner ? 1 : 0;
      }
      EXPECT_EQ(count, 2) << size << ": " << corner[0] << ' ' << corner[1];
    }
  }
}

// All of them.

TEST(FlowMeshes, HaveAMillionTriangles) {
  auto const expect_large = [](MeshData const& mesh) {
    EXPECT_GT(mesh.triangles.size(), 950'000u);
    EXPECT_LT(mesh.triangles.size(), 1'150'000u);
    EXPECT_TRUE(check_mesh(mesh).good()) << check_mesh(mesh).text();
    // Equal terms may all round in one direction: by eps / 2 of the sum at most. A triangle is 1e-6 of it.
    EXPECT_NEAR(area(mesh) / boundary_area(mesh), 1, 0.5 * eps * static_cast<double>(mesh.triangles.size()));
  };
  expect_large(mesh_airfoil({.points = 1000, .growth = 1.01}));
  expect_large(mesh_bow_shock({.around = 1000, .radial = 500}));
  expect_large(mesh_wedge({.size = 0.0017}));
  expect_large(mesh_step({.size = 0.0022}));
}

TEST(FlowMeshes, GiveTheSameBitsAgain) {
  EXPECT_EQ(mesh_airfoil({.digits = "2412"}).nodes, mesh_airfoil({.digits = "2412"}).nodes);
  EXPECT_EQ(mesh_bow_shock({}).nodes, mesh_bow_shock({}).nodes);
}

TEST(FlowMeshes, RefuseBadArguments) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const inf = std::numeric_limits<double>::infinity();
  for (auto const* digits : {"", "012", "00123", "00 2", "001x", "-012"}) {
    expect_refused([&] { return mesh_airfoil({.digits = digits}); },
                   "digits: \"" + std::string(digits) + "\": must be four");
  }
  expect_refused([] { return mesh_airfoil({.digits = "0000"}); }, "must be of a thickness from 01 to 40");
  expect_refused([] { return mesh_airfoil({.digits = "0041"}); }, "must be of a thickness from 01 to 40");
  expect_refused([] { return mesh_airfoil({.digits = "2012"}); }, "of a camber and its place");
  expect_refused([] { return mesh_airfoil({.digits = "0412"}); }, "of a camber and its place");
  expect_refused([] { return mesh_airfoil({.digits = "9140"}); }, "no conformal map found for this profile");
  for (int const points : {-2, 0, 14, 17}) {
    expect_refused([&] { return mesh_airfoil({.points = points}); },
                   "points: " + std::to_string(points) + ": must be even");
  }
  expect_refused([] { return mesh_airfoil({.far_radius = 1.9}); }, "far_radius: 1.9: must be from 2 to 1e6");
  expect_refused([] { return mesh_airfoil({.growth = 0.9}); }, "growth: 0.9: must be from 1 to 2");
  expect_refused([] { return mesh_airfoil({.growth = 2.1}); }, "growth: 2.1: must be from 1 to 2");
  // Refused before the map of as many points is made.
  expect_refused([] { return mesh_airfoil({.points = 2'000'000'000}); }, "more than 2^31 - 1");
  expect_refused([] { return mesh_airfoil({.points = 1'000, .far_radius = 1e6, .growth = 1}); }, "more than 2^31 - 1");

  expect_refused([] { return mesh_bow_shock({.mach = 1}); }, "mach: 1: must be above 1");
  expect_refused([] { return mesh_bow_shock({.angle = 9}); }, "angle: 9: must be from 10 to 135");
  expect_refused([] { return mesh_bow_shock({.angle = 136}); }, "angle: 136: must be from 10 to 135");
  expect_refused([] { return mesh_bow_shock({.mach = 1.2, .angle = 130}); }, "must cross the shock of mach 1.2");
  expect_refused([] { return mesh_bow_shock({.mach = 1.000001}); }, "must cross the shock of mach");
  expect_refused([] { return mesh_bow_shock({.clearance = 0.99}); }, "clearance: 0.99: must be at least 1");
  expect_refused([] { return mesh_bow_shock({.around = 1}); }, "around: 1: must be at least 2");
  expect_refused([] { return mesh_bow_shock({.radial = 0}); }, "radial: 0: must be at least 1");
  expect_refused([] { return mesh_bow_shock({.growth = 3}); }, "growth: 3: too far from 1");
  expect_refused([] { return mesh_bow_shock({.growth = 1e300}); }, "growth: 1e+300: too far from 1");
  expect_refused([] { return mesh_bow_shock({.around = 50'000, .radial = 50'000}); }, "more than 2^31 - 1");

  expect_refused([] { return mesh_wedge({.corner = 1.5}); }, "corner: 1.5: must be below 1.5");
  expect_refused([] { return mesh_wedge({.angle = 46}); }, "angle: 46: must be from -45 to 45");
  expect_refused([] { return mesh_wedge({.length = 3, .angle = 30}); }, "angle: 30: the ramp rises by 1.44338");
  expect_refused([] { return mesh_wedge({.size = 1e-5}); }, "more than 2^31 - 1");
  expect_refused([] { return mesh_step({.step_at = 4}); }, "step_at: 4: must be below 3");
  expect_refused([] { return mesh_step({.step_height = 1}); }, "step_height: 1: must be below 1");
  expect_refused([] { return mesh_step({.size = 1e-300}); }, "more than 2^31 - 1");
  for (double const bad : {0.0, -1.0, nan, inf}) {
    expect_refused([&] { return mesh_airfoil({.far_radius = bad}); }, "mesh_airfoil: far_radius: ");
    expect_refused([&] { return mesh_airfoil({.growth = bad}); }, "mesh_airfoil: growth: ");
    expect_refused([&] { return mesh_bow_shock({.radius = bad}); }, "mesh_bow_shock: radius: ");
    expect_refused([&] { return mesh_bow_shock({.mach = bad}); }, "mesh_bow_shock: mach: ");
    expect_refused([&] { return mesh_bow_shock({.angle = bad}); }, "mesh_bow_shock: angle: ");
    expect_refused([&] { return mesh_bow_shock({.clearance = bad}); }, "mesh_bow_shock: clearance: ");
    expect_refused([&] { return mesh_bow_shock({.growth = bad}); }, "mesh_bow_shock: growth: ");
    expect_refused([&] { return mesh_wedge({.length = bad}); }, "mesh_wedge: length: ");
    expect_refused([&] { return mesh_wedge({.height = bad}); }, "mesh_wedge: height: ");
    expect_refused([&] { return mesh_wedge({.corner = bad}); }, "mesh_wedge: corner: ");
    expect_refused([&] { return mesh_wedge({.size = bad}); }, "mesh_wedge: size: ");
    expect_refused([&] { return mesh_step({.length = bad}); }, "mesh_step: length: ");
    expect_refused([&] { return mesh_step({.height = bad}); }, "mesh_step: height: ");
    expect_refused([&] { return mesh_step({.step_at = bad}); }, "mesh_step: step_at: ");
    expect_refused([&] { return mesh_step({.step_height = bad}); }, "mesh_step: step_height: ");
    expect_refused([&] { return mesh_step({.size = bad}); }, "mesh_step: size: ");
  }
  expect_refused([&] { return mesh_wedge({.angle = nan}); }, "mesh_wedge: angle: ");
}

}  // namespace flow_mesh_generators_test
