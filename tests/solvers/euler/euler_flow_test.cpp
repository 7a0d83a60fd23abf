// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flows with exact solutions: measured order in smooth flow, Sod's shock tube, and conservation in a walled room.
#include "backends.hpp"
#include "core/mesh/sample_meshes.hpp"
#include "euler_march.hpp"
#include <karman/mesh/mesh_generators.hpp>
#include <karman/solvers/euler/euler_derivative.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace euler_flow_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class EulerFlowOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;
};
TYPED_TEST_SUITE(EulerFlowOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

/// A wave of density carried by a uniform flow, after two periods along the diagonal.
template <class Exec>
double wave_error(Exec const& space, int n) {
  auto const mesh =
      mesh_rectangle({.low = {-1, -1}, .high = {1, 1}, .size = 2.0 / n, .diagonals = DiagonalPattern::right});
  auto const density = [](double x, double y) { return 1 + 0.2 * std::sin(std::numbers::pi * (x + y)); };
  Field4 start;
  for (auto const& [x, y] : mesh.nodes) start.push_back(air(density(x, y), 0.7, 0.3, 1));
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh), {}, periodic_groups(mesh, {{1, 3}, {2, 4}}));
  return density_error(mesh, march(space, rhs, start, 2, 0.6), density);
}

TYPED_TEST(EulerFlowOn, SmoothFlowIsOfSecondOrder) {
  double const coarse = wave_error(this->space, 24), fine = wave_error(this->space, 48);
  EXPECT_GE(std::log2(coarse / fine), 1.9);
  EXPECT_LE(fine, 0.009);
}

/// The same wave by every method of TimeIntegrator.
TYPED_TEST(EulerFlowOn, TimeIntegratorsCarryTheWave) {
  using Exec = typename TestFixture::Exec;
  int const n = 32;
  auto const mesh =
      mesh_rectangle({.low = {-1, -1}, .high = {1, 1}, .size = 2.0 / n, .diagonals = DiagonalPattern::right});
  auto const density = [](double x, double y) { return 1 + 0.2 * std::sin(std::numbers::pi * (x + y)); };
  Field4 start;
  for (auto const& [x, y] : mesh.nodes) start.push_back(air(density(x, y), 0.7, 0.3, 1));
  EulerRhs<Exec, double> rhs(this->space, make_triangle_mesh(this->space, mesh), {},
                             periodic_groups(mesh, {{1, 3}, {2, 4}}));
  double const marched = density_error(mesh, march(this->space, rhs, start, 2, 0.5), density);
  EulerDerivative<Exec, double> derivative(this->space, rhs);
  for (auto const& [method, cfl] : {std::pair{TimeMethod::minimal_storage_rk4, 0.5},
                                    {TimeMethod::ssp_rk3, 0.4},
                                    {TimeMethod::low_storage_rk54, 0.5},
                                    {TimeMethod::adams_bashforth4, 0.15}}) {
    SCOPED_TRACE(name(method));
    auto const u = karman::test::to_device<Exec, double>(this->space, start);
    Vector<Exec, double> const unknowns(u.data(), u.size());
    TimeIntegrator<Exec, double> integrator(this->space, derivative.size(), {.method = method});
    integrator.start(this->space, derivative, unknowns, 0, {.cfl = cfl});
    auto const report = integrator.run_to(this->space, derivative, unknowns, 2);
    EXPECT_TRUE(report.finished) << report.breakdown;
    EXPECT_DOUBLE_EQ(report.time, 2);
    // The error of the mesh decides, whatever the method.
    EXPECT_NEAR(density_error(mesh, karman::test::to_host(this->space, u), density), marched, 0.05 * marched);
  }
}

TYPED_TEST(EulerFlowOn, BadStatesEndTheRun) {
  using Exec = typename TestFixture::Exec;
  auto const mesh = mesh_rectangle({.size = 0.25});
  Field4 start(mesh.nodes.size(), air(1, 0, 0, 1));
  start[12] = State4{1, 0, 0, -9};  // the mean pressure of its triangles is negative
  EulerRhs<Exec, double> rhs(this->space, make_triangle_mesh(this->space, mesh));
  rhs.set_boundary(this->space, {{1, {}}, {2, {}}, {3, {}}, {4, {}}});
  EulerDerivative<Exec, double> derivative(this->space, rhs);
  auto const u = karman::test::to_device<Exec, double>(this->space, start);
  Vector<Exec, double> const unknowns(u.data(), u.size());
  TimeIntegrator<Exec, double> integrator(this->space, derivative.size());
  integrator.start(this->space, derivative, unknowns, 0, {});
  auto const report = integrator.run_to(this->space, derivative, unknowns, 1);
  EXPECT_FALSE(report.finished);
  EXPECT_FALSE(report.breakdown.empty());
}

TYPED_TEST(EulerFlowOn, ShockTubeConverges) {
  auto const coarse = shock_tube(this->space, 100), fine = shock_tube(this->space, 200);
  for (auto const& tube : {coarse, fine}) {
    // Nothing lies outside of the initial values, except for waves of a thousandth.
    EXPECT_LE(tube.largest, 1.001);
    EXPECT_GE(tube.least, 0.1249);
  }
  EXPECT_LE(coarse.error, 0.0105);
  EXPECT_LE(fine.error, 0.0063);
  EXPECT_GE(std::log2(coarse.error / fine.error), 0.7);
}

TYPED_TEST(EulerFlowOn, WalledRoomKeepsMassAndEnergy) {
  using Exec = typename TestFixture::Exec;
  auto const mesh = shuffled(mesh_disc({.radius = 1, .size = 0.1}));
  Field4 start;
  for (auto const& [x, y] : mesh.nodes) {
    double const burst = std::exp(-20 * ((x - 0.4) * (x - 0.4) + y * y));
    start.push_back(air(1 + 0.5 * burst, 0, 0, 1 + burst));
  }
  auto const device_mesh = make_triangle_mesh(this->space, mesh);
  EulerRhs<Exec, double> rhs(this->space, device_mesh);
  std::map<int, EulerBoundary> walls;
  for (int const label : mesh.edge_labels) walls[label] = {};
  rhs.set_boundary(this->space, walls);
  auto const end = march(this->space, rhs, start, 3, 0.6);
  auto const inverse = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rhs.inverse_mass());
  double before[4] = {}, after[4] = {}, moved = 0;
  for (std::size_t i = 0; i < end.size(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) {
      before[c] += start[i][c] / inverse(i);
      after[c] += end[i][c] / inverse(i);
    }
    moved = std::max(moved, std::abs(end[i][0] - start[i][0]));
  }
  EXPECT_GT(moved, 0.05);
  // Some hundred steps, each with rounding in the last digit of each node.
  EXPECT_NEAR(after[0], before[0], 1e-13 * before[0]);
  EXPECT_NEAR(after[3], before[3], 1e-13 * before[3]);
}

}  // namespace euler_flow_test
