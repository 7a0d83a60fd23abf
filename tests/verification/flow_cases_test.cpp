// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shipped cases of karman euler against exact flows and figures of the literature.
#include "apps/common/run_command.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace flow_cases_test {

using karman::Hdf5File;
using karman::Table;
using karman::test::Outcome;

class FlowCases : public testing::Test {
 protected:
  /// Runs a shipped case to its end.
  Hdf5File result(std::string const& name, std::vector<std::string> more = {}) {
    place_.write("case.json", place_.karman({"euler", "--example", name}).out);
    more.insert(more.begin(), {"euler", "case.json", "--output", "out"});
    Outcome const outcome = place_.karman(more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Hdf5File::open(place_.path("out/euler.h5"));
  }

  static double last(Hdf5File const& file, std::string const& column) {
    return file.read_table("/history").column(column).back();
  }
  static void expect_within(double found, double exact, double share, char const* what) {
    EXPECT_NEAR(found, exact, share * std::abs(exact)) << what;
  }

  karman::test::Workplace place_;
};

TEST_F(FlowCases, ObliqueShock) {
  Hdf5File const file = result("oblique_shock");
  // Ratios of Rankine and Hugoniot at a shock of 39.3139 degrees.
  expect_within(last(file, "behind the shock.pressure"), 1e5 * 1.706579, 0.01, "pressure");
  expect_within(last(file, "behind the shock.density"), 1e5 / (287.05 * 300) * 1.458426, 0.01, "density");
}

TEST_F(FlowCases, ReflectedShock) {
  Hdf5File const file = result("reflected_shock");
  expect_within(last(file, "region 2.density"), 1.699966, 0.01, "density before the reflection");
  expect_within(last(file, "region 2.pressure"), 1.528194, 0.01, "pressure before the reflection");
  expect_within(last(file, "region 3.density"), 2.687227, 0.01, "density behind it");
  expect_within(last(file, "region 3.pressure"), 2.933981, 0.01, "pressure behind it");
  expect_within(last(file, "region 3.velocity_x"), 2.401505, 0.01, "velocity behind it");
}

TEST_F(FlowCases, BowShock) {
  Hdf5File const file = result("bow_shock");
  // Normal shock at Mach 3 and compression to rest.
  expect_within(last(file, "stagnation point.pressure"), 12.0610, 0.01, "stagnation pressure");
  expect_within(last(file, "stagnation point.density"), 1.4 * 4.3075, 0.01, "stagnation density");
  EXPECT_NEAR(last(file, "cylinder.lift"), 0, 1e-9) << "the mesh is symmetric";
}

TEST_F(FlowCases, Airfoil) {
  Hdf5File const file = result("naca0012");
  EXPECT_GE(file.info("/mesh/triangles").extents[0], 10000u);
  // Bounds around the results of many codes (AGARD AR-211; Vassberg and Jameson 2010).
  EXPECT_GT(last(file, "airfoil.lift"), 0.33);
  EXPECT_LT(last(file, "airfoil.lift"), 0.37);
  EXPECT_GT(last(file, "airfoil.drag"), 0.021);
  EXPECT_LT(last(file, "airfoil.drag"), 0.025);
}

TEST_F(FlowCases, VortexComesBack) {
  Hdf5File const file = result("isentropic_vortex");
  auto const nodes = file.read_vector<double>("/mesh/nodes"), velocity = file.read_vector<double>("/fields/velocity");
  double error = 0;
  for (std::size_t n = 0; n < nodes.size() / 2; ++n) {
    double const x = nodes[2 * n], y = nodes[2 * n + 1], swirl = std::exp(-(x * x + y * y) / 0.08);
    error = std::max(error, std::hypot(velocity[3 * n] - (1 - y * swirl), velocity[3 * n + 1] - x * swirl));
  }
  // The largest swirl is 0.2 exp(-1/2) = 0.121.
  EXPECT_LT(error, 0.015);
}

TEST_F(FlowCases, StepHasItsShocks) {
  Hdf5File const file = result("mach3_step", {"--set", "/mesh/size=0.025"});
  auto const nodes = file.read_vector<double>("/mesh/nodes"), density = file.read_vector<double>("/fields/density");
  // The bow shock has become a Mach stem at the upper wall, before x = 0.75 at t = 4.
  double stem = 3;
  for (std::size_t n = 0; n < density.size(); ++n) {
    if (nodes[2 * n + 1] > 0.99 && density[n] > 2.5) stem = std::min(stem, nodes[2 * n]);
  }
  EXPECT_NEAR(stem, 0.7, 0.075);
}

TEST_F(FlowCases, DoubleMachReflection) {
  Hdf5File const file = result("double_mach");
  auto const nodes = file.read_vector<double>("/mesh/nodes"), density = file.read_vector<double>("/fields/density");
  double stem = 0, top = 0;
  for (std::size_t n = 0; n < density.size(); ++n) {
    if (density[n] < 4.7) continue;
    if (nodes[2 * n + 1] < 0.01) stem = std::max(stem, nodes[2 * n]);
    if (nodes[2 * n + 1] > 0.99) top = std::max(top, nodes[2 * n]);
  }
  // The incident shock runs along the top: 1/6 + (1 + 20 t) / sqrt(3) at t = 0.2. Cells of 0.02.
  EXPECT_NEAR(top, 1.0 / 6 + 5 / std::sqrt(3.0), 0.04);
  EXPECT_NEAR(stem, 2.76, 0.04);
}

TEST_F(FlowCases, Piston) {
  Hdf5File const file = result("moving_piston");
  // Shock of Mach 1.7662 before the piston: pressure 3.4726; over gamma p / 2 = 0.7.
  expect_within(last(file, "piston.drag"), -(3.4726 - 1) / 0.7, 0.005, "force on the piston");
  expect_within(last(file, "mass"), 0.1 * 4 * 1.4, 1e-12, "mass");
  EXPECT_GT(last(file, "mesh_quality"), 0.8);
}

TEST_F(FlowCases, AFreeStreamStaysOnAMovingMesh) {
  place_.write("case.json", R"({ "mesh": { "kind": "airfoil", "points": 32, "far_radius": 5 },
    "flow": { "pressure": 1, "density": 1.4, "mach": 0.5, "angle": 30 }, "boundaries": { "others": { "kind": "far_field" } },
    "motion": { "body": ["airfoil"], "pitch": { "amplitude": 5, "frequency": 1 }, "plunge": { "amplitude": 0.1, "frequency": 2 } },
    "time": { "kind": "transient", "end": 0.5, "frames": 1 }, "outputs": { "fields": ["pressure", "velocity"] } })");
  Outcome const outcome = place_.karman({"euler", "case.json", "--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Hdf5File const file = Hdf5File::open(place_.path("out/euler.h5"));
  double const steps = last(file, "step");
  for (double const p : file.read_vector<double>("/fields/pressure")) EXPECT_NEAR(p, 1, 10 * 2.2e-16 * steps);
}

}  // namespace flow_cases_test
