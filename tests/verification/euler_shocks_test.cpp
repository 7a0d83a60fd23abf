// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strong shocks with exact or known states: wedges, bow shock, step in a tunnel, double Mach reflection, shock tube.
#include "backends.hpp"
#include "solvers/euler/euler_march.hpp"
#include "verification/shock_fitted_cylinder.hpp"
#include <karman/mesh/flow_mesh_generators.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/periodic_nodes.hpp>
#include <karman/solvers/euler/euler_newton.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace euler_shocks_test {

using namespace karman;
using namespace karman::test;
using Exec = Kokkos::DefaultExecutionSpace;

/// Largest relative error of density, speed and pressure.
struct StateError {
  double density = 0, speed = 0, pressure = 0;
  int nodes = 0;

  void add(State4 const& u, double rho, double v, double p) {
    density = std::max(density, std::abs(u[0] / rho - 1));
    speed = std::max(speed, std::abs(std::hypot(u[1], u[2]) / u[0] / v - 1));
    pressure = std::max(pressure, std::abs(pressure_of(u) / p - 1));
    ++nodes;
  }
};

/// Least pressure of all nodes; also finds negative densities and NaN, which give -1.
double least_pressure(Field4 const& u) {
  double least = HUGE_VAL;
  for (auto const& node : u) {
    double const p = pressure_of(node);
    least = std::min(least, node[0] > 0 && std::isfinite(p) ? p : -1);
  }
  return least;
}

/// Oblique shock of a ramp. The ratios across it follow from the shock relations, gamma = 1.4.
struct Wedge {
  double mach, angle, shock_angle, mach_behind, pressure_ratio, density_ratio;
};

class EulerWedge : public ::testing::TestWithParam<Wedge> {};

TEST_P(EulerWedge, HasTheStateOfTheRelationsBehindTheShock) {
  Exec const space;
  auto const& w = GetParam();
  auto const mesh = mesh_wedge({.angle = w.angle, .size = 0.0125});
  EulerState const inflow{1, {w.mach, 0}, 1 / 1.4};
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh));
  rhs.set_boundary(space, {{1, {EulerBoundaryKind::inflow, inflow}},
                           {2, {EulerBoundaryKind::outflow}},
                           {3, {EulerBoundaryKind::wall}},
                           {4, {EulerBoundaryKind::far_field, inflow}}});
  auto const start = Field4(mesh.nodes.size(), conservative_state(1.4, inflow));
  auto const u = march(space, rhs, start, 2.5, 1.2);
  double const speed = w.mach_behind * std::sqrt(w.pressure_ratio / w.density_ratio);
  StateError behind, wall;
  double const ramp = std::tan(w.angle * std::numbers::pi / 180), shock = w.shock_angle * std::numbers::pi / 180;
  for (std::size_t i = 0; i < u.size(); ++i) {
    double const x = mesh.nodes[i][0] - 0.5, y = mesh.nodes[i][1];
    // More than 0.08 from the shock and 0.03 from the wall.
    double const below_shock = x * std::sin(shock) - y * std::cos(shock);
    if (x < 0.4 || below_shock < 0.08) continue;
    (y - x * ramp < 0.03 ? wall : behind).add(u[i], w.density_ratio, speed, w.pressure_ratio / 1.4);
  }
  std::printf("rho %.2e, speed %.2e, p %.2e; at the wall %.2e, %.2e, %.2e\n", behind.density, behind.speed,
              behind.pressure, wall.density, wall.speed, wall.pressure);
  EXPECT_GT(behind.nodes, 300);
  EXPECT_LE(behind.density, 0.01);
  EXPECT_LE(behind.speed, 0.01);
  EXPECT_LE(behind.pressure, 0.01);
  EXPECT_LE(wall.pressure, 0.01);
  // A layer of the corner stays on the wall.
  EXPECT_LE(wall.density, 0.03);
  EXPECT_LE(wall.speed, 0.03);
}

INSTANTIATE_TEST_SUITE_P(OfAShock, EulerWedge,
                         ::testing::Values(Wedge{2, 10, 39.3139, 1.640522, 1.706579, 1.458426},
                                           Wedge{2.5, 15, 36.9449, 1.873526, 2.467500, 1.866549},
                                           Wedge{3, 15, 32.2404, 2.254902, 2.821562, 2.032449}));

/// Impulsive start of a cylinder at Mach 3, to the steady flow.
TEST(EulerShocks, BowShockStagnates) {
  Exec const space;
  int const n = 48;
  auto const mesh =
      mesh_bow_shock({.mach = 3, .around = 2 * n, .radial = 3 * n / 4, .diagonals = DiagonalPattern::crossed});
  EulerState const inflow{1, {3, 0}, 1 / 1.4};
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh));
  rhs.set_boundary(
      space,
      {{1, {EulerBoundaryKind::wall}}, {2, {EulerBoundaryKind::inflow, inflow}}, {3, {EulerBoundaryKind::outflow}}});
  auto const start = Field4(mesh.nodes.size(), conservative_state(1.4, inflow));
  auto const u = march(space, rhs, start, 6, 1.2);
  EXPECT_GT(least_pressure(u), 0);
  // The line of symmetry, towards the cylinder: x, pressure and density over their values in the stream.
  std::vector<std::array<double, 3>> line;
  for (std::size_t i = 0; i < u.size(); ++i) {
    auto const [x, y] = mesh.nodes[i];
    if (x < 0 && std::abs(y) < 1e-9) line.push_back({x, 1.4 * pressure_of(u[i]), u[i][0]});
  }
  std::sort(line.begin(), line.end());
  ASSERT_GT(line.size(), 20u);
  auto const [x, pressure, density] = line.back();
  // Normal shock, then isentropic.
  EXPECT_NEAR(pressure, 12.0610, 0.01 * 12.0610);
  EXPECT_NEAR(density, 4.3075, 0.02 * 4.3075);
  // Half way up the jump from 1 to 10.333.
  auto const behind = std::find_if(line.begin(), line.end(), [](auto const& at) { return at[1] > 5.667; });
  ASSERT_NE(behind, line.begin());
  auto const before = behind - 1;
  double const shock =
      (*before)[0] + ((*behind)[0] - (*before)[0]) * (5.667 - (*before)[1]) / ((*behind)[1] - (*before)[1]);
  double const distance = (x - shock) / 0.5;
  double const exact = solve_shock_fitted_cylinder(3).stand_off;
  double const error = distance / exact - 1;
  std::printf("stagnation: p %.4f, rho %.4f; stand-off %.4f R, exact %.4f R, error %.2f %%\n", pressure, density,
              distance, exact, 100 * error);
  // Required: 5 %. Measured on 48 x 18, 96 x 36, 192 x 72 cells: 0.6, 0.3, 0.2 % less. Here: 96 x 36.
  EXPECT_LE(std::abs(error), 0.05);
  EXPECT_LE(std::abs(error), 0.005);
}

/// Woodward and Colella's step in a tunnel at Mach 3, started from the uniform flow.
TEST(EulerShocks, StepInATunnelRunsToTheEnd) {
  Exec const space;
  EulerState const inflow{1.4, {3, 0}, 1};
  for (double const size : {0.05, 0.025, 0.0125}) {
    auto const mesh = mesh_step({.size = size});
    EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh));
    rhs.set_boundary(
        space,
        {{1, {EulerBoundaryKind::inflow, inflow}}, {2, {EulerBoundaryKind::outflow}}, {3, {EulerBoundaryKind::wall}}});
    auto const u = march(space, rhs, Field4(mesh.nodes.size(), conservative_state(1.4, inflow)), 4, 1.4);
    EXPECT_GT(least_pressure(u), 0.1);
    // The bow shock on the floor of the tunnel, and the Mach stem at its top.
    double foot = 1, stem = 3;
    for (std::size_t i = 0; i < u.size(); ++i) {
      auto const [x, y] = mesh.nodes[i];
      if (y < 1e-9 && u[i][0] > 3) foot = std::min(foot, x);
      if (y > 1 - 1e-9 && u[i][0] > 3) stem = std::min(stem, x);
    }
    std::printf("size %.4f: foot %.3f, stem %.3f, least pressure %.3f\n", size, foot, stem, least_pressure(u));
    // Of first order in the size, as shocks are.
    EXPECT_NEAR(foot, 0.33, 1.5 * size);
    EXPECT_NEAR(stem, 0.6, 4.5 * size);
  }
}

/// A shock at Mach 10 and 60 degrees runs along the bottom from x = 1/6 on. States along the top follow the shock.
class EulerSchemes : public ::testing::TestWithParam<EulerScheme> {};

TEST_P(EulerSchemes, DoubleMachReflectionRunsToTheEnd) {
  Exec const space;
  EulerState const behind{8, {7.144710, -4.125}, 116.5}, ahead{1.4, {0, 0}, 1};
  double const size = 0.02;
  auto mesh = mesh_rectangle({.low = {0, 0}, .high = {3.2, 1}, .size = size});
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    double const x =
        0.5 * (mesh.nodes[std::size_t(mesh.edges[e][0])][0] + mesh.nodes[std::size_t(mesh.edges[e][1])][0]);
    if (mesh.edge_labels[e] == 1 && x < 1.0 / 6) mesh.edge_labels[e] = 5;
  }
  auto const shock_at = [](double y, double time) { return 1.0 / 6 + (y + 20 * time) / std::sqrt(3.0); };
  Field4 start;
  for (auto const& [x, y] : mesh.nodes) start.push_back(conservative_state(1.4, x < shock_at(y, 0) ? behind : ahead));
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh), {.scheme = GetParam()});
  rhs.set_boundary(space, {{1, {EulerBoundaryKind::wall}},
                           {2, {EulerBoundaryKind::outflow}},
                           {3, {EulerBoundaryKind::far_field, behind}},
                           {4, {EulerBoundaryKind::inflow, behind}},
                           {5, {EulerBoundaryKind::far_field, behind}}});
  auto const& top = rhs.boundary_ends(3);
  Kokkos::View<double* [4], Kokkos::LayoutLeft, Exec::memory_space> const states("karman::test::top", top.size());
  auto const host = Kokkos::create_mirror_view(states);
  rhs.set_edge_states(space, 3, states);
  auto const u = march(space, rhs, start, 0.2, 1, [&](double time) {
    space.fence();
    for (std::size_t n = 0; n < top.size(); ++n) {
      auto const& s = mesh.nodes[std::size_t(top[n].node)][0] < shock_at(1, time) ? behind : ahead;
      double const values[4] = {s.density, s.velocity[0], s.velocity[1], s.pressure};
      for (std::size_t c = 0; c < 4; ++c) host(n, c) = values[c];
    }
    Kokkos::deep_copy(space, states, host);
  });
  // Ahead of the shock nothing may happen.
  EXPECT_GT(least_pressure(u), 0.99);
  double stem = 0, largest = 0, above = 0;
  int nodes = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    auto const [x, y] = mesh.nodes[i];
    if (y < 1e-9 && u[i][0] > 4) stem = std::max(stem, x);
    if (x > 1) largest = std::max(largest, u[i][0]);
    // The incoming shock, away from its reflection.
    if (y > 0.8) {
      above += std::abs(u[i][0] / (x < shock_at(y, 0.2) ? 8 : 1.4) - 1);
      ++nodes;
    }
  }
  above /= nodes;
  std::printf("stem at %.3f, largest density %.2f, mean error above %.4f\n", stem, largest, above);
  EXPECT_NEAR(stem, 2.78, 0.08);
  // About a cell of the shock among 160, and the waves behind it.
  EXPECT_LE(above, 0.03);
  EXPECT_NEAR(largest, 18, 4);
}

INSTANTIATE_TEST_SUITE_P(OfShocks, EulerSchemes, ::testing::Values(EulerScheme::supg, EulerScheme::muscl),
                         [](auto const& info) { return std::string(name(info.param)); });

/// Place where the density falls through a value, along the bottom.
double falls_through(std::vector<std::array<double, 2>> const& line, double rho) {
  for (std::size_t n = 1; n < line.size(); ++n) {
    auto const [x0, r0] = line[n - 1];
    auto const [x1, r1] = line[n];
    if (r0 >= rho && r1 < rho) return x0 + (x1 - x0) * (r0 - rho) / (r0 - r1);
  }
  return NAN;
}

TEST(EulerShocks, WavesOfTheShockTubeAreInPlace) {
  int const n = 400;
  std::vector<std::array<double, 2>> line;
  auto const tube = shock_tube(Exec(), n, &line);
  EXPECT_LE(tube.error, 0.0036);
  // Between the waves of the fan, rho^(1/5) is linear.
  double const r0 = 0.85, r1 = 0.55;
  double const x0 = falls_through(line, r0), x1 = falls_through(line, r1);
  double const slope = (x1 - x0) / (std::pow(r1, 0.2) - std::pow(r0, 0.2));
  double const head = x0 + slope * (1 - std::pow(r0, 0.2));
  double const tail = x0 + slope * (std::pow(0.42631943, 0.2) - std::pow(r0, 0.2));
  double const contact = falls_through(line, 0.5 * (0.42631943 + 0.26557371));
  double const shock = falls_through(line, 0.5 * (0.26557371 + 0.125));
  std::printf("head %.4f, tail %.4f, contact %.4f, shock %.4f\n", head, tail, contact, shock);
  // Two cells.
  EXPECT_NEAR(head, 0.26336, 2.0 / n);
  EXPECT_NEAR(tail, 0.48595, 2.0 / n);
  EXPECT_NEAR(contact, 0.68549, 2.0 / n);
  EXPECT_NEAR(shock, 0.85043, 2.0 / n);
}

TEST(EulerShocks, FiniteVolumesSharpenTheShockTube) {
  int const n = 200;
  double const elements = shock_tube(Exec(), n).error;
  auto const volumes = shock_tube(Exec(), n, nullptr, EulerScheme::muscl);
  std::printf("mean error of the density: finite elements %.6f, volumes %.6f\n", elements, volumes.error);
  // Measured 0.520; 0.538 without the raise of limited_half().
  EXPECT_LE(volumes.error, 0.53 * elements);
  EXPECT_LE(volumes.largest, 1.001);
  EXPECT_GE(volumes.least, 0.999 * 0.125);
}

/// Without a shock all drag and all entropy are errors of the scheme. Measured 0.00588 and 0.0302; 0.00744 and 0.0327
/// without the raise of limited_half().
TEST(EulerShocks, FiniteVolumesKeepTheEntropyAroundAnAirfoil) {
  Exec const space;
  auto const mesh = mesh_airfoil({.points = 64, .growth = 1.16});
  EulerState const wind{1, {0.5, 0}, 1 / 1.4};
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh),
                             {.scheme = EulerScheme::muscl, .local_steps = true, .step_limits_tau = false});
  rhs.set_boundary(space, {{1, {EulerBoundaryKind::wall}}, {2, {EulerBoundaryKind::far_field, wind}}});
  EulerNewton<Exec, double> newton(space, rhs, {.reference = wind});
  newton.start();
  auto const field = to_device<Exec, double>(space, Field4(mesh.nodes.size(), conservative_state(1.4, wind)));
  double const first = newton.residual(space, field);
  double residual = first;
  for (int n = 0; n < 40 && residual > 1e-7 * first; ++n) residual = newton.step(space, field).residual;
  EXPECT_LE(residual, 1e-7 * first);
  auto const u = to_host(space, field);
  double drag = 0, entropy = 0;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    if (mesh.edge_labels[e] != 1) continue;
    auto const a = std::size_t(mesh.edges[e][0]), b = std::size_t(mesh.edges[e][1]);
    drag += (pressure_of(u[a]) + pressure_of(u[b])) / 2 * (mesh.nodes[b][1] - mesh.nodes[a][1]) / 0.125;
    entropy = std::max(entropy, std::abs(1.4 * pressure_of(u[a]) / std::pow(u[a][0], 1.4) - 1));
  }
  std::printf("drag %.5f, largest error of the entropy %.4f\n", drag, entropy);
  EXPECT_LE(drag, 0.006);
  EXPECT_LE(entropy, 0.031);
}

/// Nodes ahead of and behind a shock, with their pressures over the exact ones.
struct Excess {
  double ahead = 0, behind = 0;

  void add(double& worst, double ratio) { worst = std::max(worst, std::abs(ratio - 1)); }
};

TEST(EulerShocks, FiniteVolumesHaveNoWavesAtAnObliqueShock) {
  Exec const space;
  auto const mesh = mesh_wedge({.angle = 10, .size = 0.015});
  EulerState const inflow{1, {2, 0}, 1 / 1.4};
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh), {.scheme = EulerScheme::muscl});
  rhs.set_boundary(space, {{1, {EulerBoundaryKind::inflow, inflow}},
                           {2, {EulerBoundaryKind::outflow}},
                           {3, {EulerBoundaryKind::wall}},
                           {4, {EulerBoundaryKind::far_field, inflow}}});
  auto const u = march(space, rhs, Field4(mesh.nodes.size(), conservative_state(1.4, inflow)), 3, 1.2);
  double const shock = 39.3139 * std::numbers::pi / 180, ramp = std::tan(10 * std::numbers::pi / 180);
  Excess pressure, mach;
  double beyond = 0, corner = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    double const x = mesh.nodes[i][0] - 0.5, y = mesh.nodes[i][1], p = 1.4 * pressure_of(u[i]);
    double const below = (x * std::sin(shock) - y * std::cos(shock)) / 0.015;
    // Nothing beyond the two states, except for the start of the shock: within ten cells of the corner.
    double& worst = std::hypot(x, y) > 0.15 ? beyond : corner;
    worst = std::max({worst, 1 - p, p / 1.706579 - 1});
    if (std::hypot(x, y) < 0.15) continue;
    if (below < -3) pressure.add(pressure.ahead, p);
    if (below > 3) pressure.add(pressure.behind, p / 1.706579);
    if (x > 0.3 && y < x * ramp + 1e-6)
      mach.add(mach.behind,
               std::hypot(u[i][1], u[i][2]) / u[i][0] / std::sqrt(1.4 * pressure_of(u[i]) / u[i][0]) / 1.640522);
  }
  std::printf(
      "beyond the states %.3f %%, at the corner %.2f %%; three cells from the shock: ahead %.3f %%, behind "
      "%.3f %%; Mach number of the wall %.2f %%\n",
      100 * beyond, 100 * corner, 100 * pressure.ahead, 100 * pressure.behind, 100 * mach.behind);
  EXPECT_LE(beyond, 0.005);
  EXPECT_LE(pressure.ahead, 0.001);
  EXPECT_LE(pressure.behind, 0.005);
  EXPECT_LE(mach.behind, 0.01);
}

/// Flow around the front of a cylinder, from the undisturbed flow.
Field4 cylinder_flow(MeshData const& mesh, double mach, double end, double cfl) {
  Exec const space;
  EulerState const inflow{1, {mach, 0}, 1 / 1.4};
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh), {.scheme = EulerScheme::muscl});
  rhs.set_boundary(
      space,
      {{1, {EulerBoundaryKind::wall}}, {2, {EulerBoundaryKind::inflow, inflow}}, {3, {EulerBoundaryKind::outflow}}});
  return march(space, rhs, Field4(mesh.nodes.size(), conservative_state(1.4, inflow)), end, cfl);
}

/// Figures on the line of symmetry.
struct BowShock {
  double pressure_coefficient;  ///< of the stagnation point
  double stand_off;             ///< over the radius
  double asymmetry = 0;         ///< largest relative difference of the pressures above and below
};

BowShock figures_of(MeshData const& mesh, Field4 const& u, double mach) {
  std::vector<std::array<double, 2>> line;
  std::map<std::pair<long, long>, double> places;
  for (std::size_t i = 0; i < u.size(); ++i) {
    auto const [x, y] = mesh.nodes[i];
    double const p = 1.4 * pressure_of(u[i]);
    if (x < 0 && std::abs(y) < 1e-9) line.push_back({x, p});
    places[{std::lround(1e8 * x), std::lround(1e8 * y)}] = p;
  }
  std::sort(line.begin(), line.end());
  // Half way up the jump.
  double const half = 1 + 1.4 / 2.4 * (mach * mach - 1);
  auto const behind = std::find_if(line.begin(), line.end(), [&](auto const& at) { return at[1] > half; });
  auto const before = behind - 1;
  double const shock =
      (*before)[0] + ((*behind)[0] - (*before)[0]) * (half - (*before)[1]) / ((*behind)[1] - (*before)[1]);
  BowShock found{(line.back()[1] - 1) / (0.7 * mach * mach), (line.back()[0] - shock) / 0.5};
  for (auto const& [place, p] : places) {
    auto const mirrored = places.find({place.first, -place.second});
    if (mirrored != places.end()) found.asymmetry = std::max(found.asymmetry, std::abs(mirrored->second / p - 1));
  }
  return found;
}

/// Rayleigh's pitot formula, as a coefficient.
double stagnation_coefficient(double mach) {
  double const square = mach * mach;
  return (std::pow(1.2 * square, 3.5) * std::pow(2.4 / (2.8 * square - 0.4), 2.5) - 1) / (0.7 * square);
}

TEST(EulerShocks, FiniteVolumesStagnateBehindABowShock) {
  auto const mesh = mesh_bow_shock({.mach = 3, .around = 96, .radial = 36, .diagonals = DiagonalPattern::crossed});
  auto const u = cylinder_flow(mesh, 3, 6, 1.2);
  EXPECT_GT(least_pressure(u), 0);
  auto const found = figures_of(mesh, u, 3);
  double const exact = solve_shock_fitted_cylinder(3).stand_off;
  std::printf("Cp %.4f, exact %.4f; stand-off %.4f R, exact %.4f R; asymmetry %.1e\n", found.pressure_coefficient,
              stagnation_coefficient(3), found.stand_off, exact, found.asymmetry);
  EXPECT_NEAR(found.pressure_coefficient, stagnation_coefficient(3), 0.003 * stagnation_coefficient(3));
  EXPECT_NEAR(found.stand_off, exact, 0.01 * exact);
  // A carbuncle would grow from rounding.
  EXPECT_LE(found.asymmetry, 1e-6);
}

/// No floors: an impulsive start at Mach 20.
TEST(EulerShocks, FiniteVolumesStayPositiveAtMach20) {
  auto const mesh = mesh_bow_shock({.mach = 20, .around = 64, .radial = 24, .diagonals = DiagonalPattern::crossed});
  auto const u = cylinder_flow(mesh, 20, 1.5, 1);
  EXPECT_GT(least_pressure(u), 0);
  auto const found = figures_of(mesh, u, 20);
  double const exact = solve_shock_fitted_cylinder(20).stand_off;
  std::printf("Cp %.4f, exact %.4f; stand-off %.4f R, exact %.4f R; asymmetry %.1e\n", found.pressure_coefficient,
              stagnation_coefficient(20), found.stand_off, exact, found.asymmetry);
  EXPECT_NEAR(found.pressure_coefficient, stagnation_coefficient(20), 0.01 * stagnation_coefficient(20));
  EXPECT_NEAR(found.stand_off, exact, 0.03 * exact);
  EXPECT_LE(found.asymmetry, 1e-6);
}

/// Woodward and Colella's interacting blast waves, J. Comput. Phys. 54 (1984): jumps of 1e5 in the pressure.
TEST(EulerShocks, FiniteVolumesStayPositiveInBlastWaves) {
  Exec const space;
  int const n = 400;
  auto const mesh = mesh_rectangle({.low = {0, 0}, .high = {1, 4.0 / n}, .size = 1.0 / n});
  Field4 start;
  for (auto const& node : mesh.nodes) start.push_back(air(1, 0, 0, node[0] < 0.1 ? 1000 : node[0] < 0.9 ? 0.01 : 100));
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh), {.scheme = EulerScheme::muscl},
                             periodic_groups(mesh, {{1, 3}}));
  rhs.set_boundary(space, {{2, {}}, {4, {}}});
  auto const u = march(space, rhs, start, 0.038, 0.8);
  EXPECT_GT(least_pressure(u), 0);
  double peak = 0, at = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (u[i][0] > peak) peak = u[i][0], at = mesh.nodes[i][0];
  }
  std::printf("largest density %.2f at x = %.4f\n", peak, at);
  // Their figure 2, of fine grids: between 6 and 6.5 at 0.78. Captured contacts spread and lower it.
  EXPECT_NEAR(at, 0.78, 0.01);
  EXPECT_NEAR(peak, 5.75, 1);
}

}  // namespace euler_shocks_test
