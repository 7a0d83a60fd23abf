// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shock-fitted flow around a cylinder, the reference of euler_shocks_test.cpp: convergence and exact relations.
#include "verification/shock_fitted_cylinder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace shock_fitted_cylinder_test {

using namespace karman::test;

constexpr double gamma_air = 1.4;

TEST(ShockFittedCylinder, ConvergesWithResolution) {
  std::vector<ShockFittedCylinder> flows;
  for (int const n : {6, 8, 10, 12}) {
    flows.push_back(solve_shock_fitted_cylinder(3, gamma_air, n));
    auto const& f = flows.back();
    std::printf("n %d: stand-off %.7f R, enthalpy %.1e, mass %.1e, momentum at the wall %.1e, %d steps\n", n,
                f.stand_off, f.enthalpy_error, f.mass_error, f.wall_momentum, f.steps);
  }
  // The differences are 9.8e-4, 4.0e-5, 4.3e-6.
  for (std::size_t k = 2; k < flows.size(); ++k)
    EXPECT_LE(std::abs(flows[k].stand_off - flows[k - 1].stand_off),
              0.15 * std::abs(flows[k - 1].stand_off - flows[k - 2].stand_off));
  EXPECT_NEAR(flows[3].stand_off, flows[2].stand_off, 1e-5);
  // Relations that no equation imposes.
  for (std::size_t k = 1; k < flows.size(); ++k) {
    EXPECT_LE(flows[k].enthalpy_error, 0.35 * flows[k - 1].enthalpy_error);
    EXPECT_LE(std::abs(flows[k].mass_error), 0.25 * std::abs(flows[k - 1].mass_error));
    EXPECT_LE(flows[k].wall_momentum, 0.5 * flows[k - 1].wall_momentum);
  }
  EXPECT_LE(flows[3].enthalpy_error, 2e-5);
  EXPECT_LE(std::abs(flows[3].mass_error), 4e-6);
}

/// Converged stand-off with gamma 1.4, in radii; docs/euler_rhs.md has four of these.
struct StandOff {
  double mach, distance;
};

class ShockFittedCylinderAt : public ::testing::TestWithParam<StandOff> {};

/// Normal shock, then isentropic; conditions of the body and of the outflow.
TEST_P(ShockFittedCylinderAt, HasTheExactStagnationPoint) {
  auto const [mach, distance] = GetParam();
  double const g = gamma_air, m2 = mach * mach;
  auto const flow = solve_shock_fitted_cylinder(mach, g);
  // Rayleigh's formula. The temperature of the stagnation point is that of the stream at rest.
  double const pressure =
      std::pow(0.5 * (g + 1) * m2, g / (g - 1)) * std::pow((g + 1) / (2 * g * m2 - (g - 1)), 1 / (g - 1));
  double const density = pressure / (1 + 0.5 * (g - 1) * m2);
  std::printf("Mach %g: stand-off %.6f R, p %.5f, rho %.5f\n", mach, flow.stand_off, flow.pressure, flow.density);
  EXPECT_NEAR(flow.stand_off, distance, 1e-5);
  EXPECT_NEAR(flow.pressure, pressure, 2e-6 * pressure);
  EXPECT_NEAR(flow.density, density, 2e-6 * density);
  EXPECT_LE(flow.wall_enthalpy, 1e-13);
  EXPECT_LE(flow.wall_entropy, 1e-13);
  EXPECT_LE(flow.enthalpy_error, 1e-4);
  EXPECT_LE(std::abs(flow.mass_error), 2e-5);
  EXPECT_GT(flow.outflow_mach, 1.1);
  EXPECT_LE(flow.residual, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Mach, ShockFittedCylinderAt,
                         ::testing::Values(StandOff{3, 0.69812}, StandOff{6, 0.44659}, StandOff{10, 0.40129},
                                           StandOff{20, 0.38292}));

/// The jump depends on the Mach number by 1 / M^2: twice the Mach number quarters the distance from the limit.
TEST(ShockFittedCylinder, ApproachesTheLimitOfLargeMach) {
  double const d10 = solve_shock_fitted_cylinder(10, gamma_air, 8).stand_off;
  double const d20 = solve_shock_fitted_cylinder(20, gamma_air, 8).stand_off;
  double const d40 = solve_shock_fitted_cylinder(40, gamma_air, 8).stand_off;
  double const limit = solve_shock_fitted_cylinder(1000, gamma_air, 8).stand_off;
  EXPECT_NEAR((d10 - d20) / (d20 - d40), 4, 0.1);
  EXPECT_NEAR(limit, d40 - (d20 - d40) / 3, 1e-4);
}

TEST(ShockFittedCylinder, RejectsOutOfRangeInput) {
  EXPECT_NO_THROW(solve_shock_fitted_cylinder(2.5, gamma_air, 4));
  EXPECT_THROW(solve_shock_fitted_cylinder(2), std::invalid_argument);
  EXPECT_THROW(solve_shock_fitted_cylinder(3, gamma_air, 3), std::invalid_argument);
}

}  // namespace shock_fitted_cylinder_test
