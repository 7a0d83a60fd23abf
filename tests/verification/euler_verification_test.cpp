// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Longer runs of the Euler equations against exact solutions: isentropic vortex, finer shock tubes, reflected shock.
#include "backends.hpp"
#include "solvers/euler/euler_march.hpp"
#include <karman/mesh/mesh_generators.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace euler_verification_test {

using namespace karman;
using namespace karman::test;
using Exec = Kokkos::DefaultExecutionSpace;

/// Isentropic vortex of strength 5, carried once along the diagonal of a periodic square of side 10.
double vortex_error(int n, double shock_capturing) {
  Exec const space;
  auto const mesh =
      mesh_rectangle({.low = {-5, -5}, .high = {5, 5}, .size = 10.0 / n, .diagonals = DiagonalPattern::right});
  Field4 start;
  for (auto const& [x, y] : mesh.nodes) {
    double const swirl = 5 / (2 * std::numbers::pi) * std::exp((1 - x * x - y * y) / 2);
    double const temperature = 1 - 0.4 / 2.8 * swirl * swirl, rho = std::pow(temperature, 2.5);
    start.push_back(air(rho, 1 - swirl * y, 1 + swirl * x, rho * temperature));
  }
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh), {.shock_capturing = shock_capturing},
                             periodic_groups(mesh, {{1, 3}, {2, 4}}));
  auto const end = march(space, rhs, start, 10, 1);
  double sum = 0;
  for (std::size_t i = 0; i < end.size(); ++i) sum += (end[i][0] - start[i][0]) * (end[i][0] - start[i][0]);
  return std::sqrt(sum / static_cast<double>(end.size()));
}

TEST(EulerVerification, VortexIsOfSecondOrder) {
  EXPECT_GE(std::log2(vortex_error(64, 0) / vortex_error(128, 0)), 1.9);
  // The viscosity for shocks is of second order in smooth flow too, but smaller only on fine meshes.
  EXPECT_GE(std::log2(vortex_error(64, 1) / vortex_error(128, 1)), 1.8);
}

TEST(EulerVerification, ShockTubeConvergesAlmostLinearly) {
  EXPECT_GE(std::log2(shock_tube(Exec(), 200).error / shock_tube(Exec(), 800).error) / 2, 0.8);
}

/// A shock at 29 degrees enters through the top at Mach 2.9 and is reflected by the bottom.
TEST(EulerVerification, ReflectedShockHasTheStatesOfTheRelations) {
  Exec const space;
  auto const mesh = mesh_rectangle({.low = {0, 0}, .high = {4, 1}, .size = 1.0 / 40});
  // Oblique shock relations for gamma = 1.4.
  EulerState const inflow{1, {2.9, 0}, 1 / 1.4}, behind{1.699966, {2.619342, -0.506320}, 1.528194};
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh));
  rhs.set_boundary(space, {{1, {EulerBoundaryKind::wall}},
                           {2, {EulerBoundaryKind::outflow}},
                           {3, {EulerBoundaryKind::inflow, behind}},
                           {4, {EulerBoundaryKind::inflow, inflow}}});
  auto const start = Field4(mesh.nodes.size(), conservative_state(1.4, inflow));
  auto const end = march(space, rhs, start, 6, 1);
  struct Region {
    double x0, x1, y0, y1, rho, vx, p;
  };
  for (auto const& region : {Region{1.6, 2.2, 0.5, 0.7, 1.699966, 2.619342, 1.528194},
                             Region{2.8, 3.6, 0.0, 0.2, 2.687227, 2.401505, 2.933981}}) {
    int nodes = 0;
    for (std::size_t i = 0; i < end.size(); ++i) {
      auto const [x, y] = mesh.nodes[i];
      if (x < region.x0 || x > region.x1 || y < region.y0 || y > region.y1) continue;
      ++nodes;
      EXPECT_NEAR(end[i][0], region.rho, 0.01 * region.rho) << x << ", " << y;
      EXPECT_NEAR(end[i][1] / end[i][0], region.vx, 0.01 * region.vx) << x << ", " << y;
      EXPECT_NEAR(pressure_of(end[i]), region.p, 0.01 * region.p) << x << ", " << y;
    }
    EXPECT_GT(nodes, 50);
  }
}

}  // namespace euler_verification_test
