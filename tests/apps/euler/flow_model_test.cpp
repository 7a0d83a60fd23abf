// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The march of karman euler on every backend: numbering, figures, memory.
#include "euler/model/flow_model.hpp"

#include <karman/mesh/flow_mesh_generators.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/polygon_mesh.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

namespace flow_model_test {

using namespace karman;
using namespace karman::euler;

/// A pulse in a tube that is periodic along y, with a wall group and a gauge.
FlowProblem tube(double size) {
  FlowProblem problem;
  problem.mesh = mesh_rectangle({{0, 0}, {2, 0.5}, size, DiagonalPattern::alternating});
  problem.boundaries = {{2, {}}, {4, {}}};
  problem.periodic = {{1, 3}};
  problem.flow = {1.4, {0, 0}, 1};
  problem.forces = {{"west", {4}, 0.5, {0, 0}}};
  // In the first triangle, at its second corner.
  problem.gauges = {{0, {0, 1, 0}}};
  return problem;
}

std::vector<Conservative> pulse(FlowProblem const& problem) {
  std::vector<Conservative> states;
  for (auto const& [x, y] : problem.mesh.nodes) {
    double const p = 1 + 0.3 * std::exp(-20 * x * x), vx = 0.1 * std::sin(std::numbers::pi * x);
    states.push_back({1.4, 1.4 * vx, 0, p / 0.4 + 0.7 * vx * vx});
  }
  return states;
}

app::HostField field_of(FlowProblem const& problem, std::vector<Conservative> const& states) {
  std::size_t const n = states.size();
  std::vector<double> values(4 * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < 4; ++c) values[c * n + i] = states[i][c];
  }
  return {problem.precision, {std::size_t{4}, n}, values};
}

class FlowModelOf : public testing::TestWithParam<std::tuple<Backend, app::Precision>> {
 protected:
  Backend backend() const { return std::get<0>(GetParam()); }
  FlowProblem with_precision(FlowProblem problem) const {
    problem.precision = std::get<1>(GetParam());
    return problem;
  }
  double rounding() const { return std::get<1>(GetParam()) == app::Precision::f32 ? 1e-6 : 1e-14; }
};

TEST_P(FlowModelOf, KeepsTheNumberingAndReadsFigures) {
  FlowProblem const problem = with_precision(tube(0.1));
  auto const model = make_flow_model(backend(), problem);
  auto const start = field_of(problem, pulse(problem));
  model->start({}, start);
  app::HostField copied;
  model->copy(copied);
  EXPECT_EQ(copied.in_double(), start.in_double());
  FlowFigures const figures = model->diagnostics();
  // Trapezoidal sums of the fields; the mass of a periodic pair counts once.
  EXPECT_NEAR(figures.total[0], 1.4, 1.4 * rounding());
  EXPECT_NEAR(figures.least_density, 1.4, 1.4 * rounding());
  double const wall = -0.5 * 0.3;  // pressure beyond that of the flow, on the wall at x = 0 with the normal -x
  EXPECT_NEAR(figures.forces[0][0], wall, rounding());
  EXPECT_NEAR(figures.forces[0][1], 0, rounding());
  // The moment about (0, 0) of a pressure on 0 < y < 0.5: force -0.15 at y = 0.25 turns the nose down.
  EXPECT_NEAR(figures.forces[0][2], 0.25 * wall, rounding());
  auto const node = static_cast<std::size_t>(problem.mesh.triangles[0][1]);
  double const x = problem.mesh.nodes[node][0];
  EXPECT_NEAR(figures.gauges[0][3], 1 + 0.3 * std::exp(-20 * x * x), 10 * rounding());
  EXPECT_NEAR(figures.gauges[0][1], 0.1 * std::sin(std::numbers::pi * x), rounding());
}

TEST_P(FlowModelOf, KeepsMassAndEnergyInATubeWithWalls) {
  FlowProblem const problem = with_precision(tube(0.1));
  auto const model = make_flow_model(backend(), problem);
  model->start({}, field_of(problem, pulse(problem)));
  FlowFigures const before = model->diagnostics();
  model->set_end(0.5);
  FlowFigures after;
  do {
    model->advance(20);
    after = model->diagnostics();
  } while (!after.finished && after.breakdown.empty());
  EXPECT_EQ(after.time, 0.5);
  EXPECT_EQ(after.breakdown, "");
  for (std::size_t c : {std::size_t{0}, std::size_t{3}}) {
    EXPECT_NEAR(after.total[c], before.total[c], 20 * rounding() * before.total[c]) << c;
  }
}

TEST_P(FlowModelOf, NeedsTheMemoryThatItAnnounces) {
  std::vector<FlowProblem> problems(8, with_precision(tube(0.01)));
  problems[1].scheme.strategy = EulerStrategy::expanded;
  problems[2].integrator.local_steps = problems[2].scheme.local_steps = true;
  problems[2].smoothing = {0.5, 2};
  problems[3].integrator.method = TimeMethod::adams_bashforth4;
  problems[3].density_floor = 0.1;
  problems[3].averages_from = 0;
  problems[4].periodic.clear();
  problems[4].boundaries = {{1, {}}, {2, {}}, {3, {}}, {4, {}}};
  problems[4].motion.labels = {4};
  problems[4].motion.sliding = {1, 3};
  problems[4].scheme.moving = true;
  problems[5].scheme.scheme = EulerScheme::muscl;
  for (std::size_t n : {6, 7}) {
    problems[n].implicit = ImplicitMethod{.method = n == 6 ? EulerImplicitMethod::bdf2 : EulerImplicitMethod::tr_bdf2};
    problems[n].scheme.local_steps = true;
    problems[n].scheme.step_limits_tau = false;
  }
  for (std::size_t n = 0; n < problems.size(); ++n) {
    auto const model = make_flow_model(backend(), problems[n]);
    model->start({}, field_of(problems[n], pulse(problems[n])));
    auto const found = static_cast<double>(model->memory_bytes());
    // The solve of a moving mesh has ended: its memory is free again.
    double const solve = problems[n].motion.moves() ? 400.0 * static_cast<double>(problems[n].mesh.nodes.size()) : 0;
    EXPECT_NEAR((static_cast<double>(flow_model_bytes(problems[n], backend())) - solve) / found, 1, 0.25) << n;
  }
}

/// Marches to a time; changes by floors are summed over all checks.
FlowFigures march(FlowModel& model, double end) {
  model.set_end(end);
  FlowFigures figures;
  std::int64_t changes = 0;
  double mass = 0;
  do {
    model.advance(20);
    figures = model.diagnostics();
    changes += figures.floor_changes;
    mass += figures.added_mass;
  } while (!figures.finished && figures.breakdown.empty());
  figures.floor_changes = changes;
  figures.added_mass = mass;
  return figures;
}

/// A pulse leaves gas at rest through open sides with thin rows, and through corners of one triangle.
TEST_P(FlowModelOf, APulseLeavesThroughThinTriangles) {
  for (double const thin : {1.0, 0.02}) {
    FlowProblem problem = with_precision(tube(0.1));
    problem.mesh = mesh_rectangle({{0, 0}, {2, 2}, 0.1, DiagonalPattern::right});
    for (auto& node : problem.mesh.nodes) node[1] *= thin;
    problem.periodic.clear();
    problem.forces.clear();
    for (int const label : {1, 2, 3, 4}) problem.boundaries[label] = {EulerBoundaryKind::far_field, problem.flow};
    auto const model = make_flow_model(backend(), problem);
    model->start({}, field_of(problem, pulse(problem)));
    // The strong waves have left after a few times the height over the speed of sound, 1.
    FlowFigures const figures = march(*model, 8 * thin);
    EXPECT_EQ(figures.breakdown, "") << thin;
    EXPECT_GT(figures.least_pressure, 0.8) << thin;
    EXPECT_LT(figures.largest_mach, 0.2) << thin;
  }
}

/// The piston in the west of a tube whose other walls let nodes slide, or are periodic.
FlowProblem piston(FlowProblem problem, double speed, bool periodic) {
  if (!periodic) {
    problem.periodic.clear();
    problem.boundaries = {{1, {}}, {2, {}}, {3, {}}, {4, {}}};
    problem.motion.sliding = {1, 3};
  }
  problem.motion.labels = {4};
  problem.motion.shift[0].speed = speed;
  problem.motion.weight = MotionWeight::area;
  problem.scheme.moving = true;
  return problem;
}

class FlowPistonOf : public FlowModelOf {
 protected:
  void pushes(bool periodic);
};

TEST_P(FlowPistonOf, PushesAlongSlidingWalls) { pushes(false); }
TEST_P(FlowPistonOf, PushesBetweenPeriodicSides) { pushes(true); }

void FlowPistonOf::pushes(bool periodic) {
  FlowProblem const problem = piston(with_precision(tube(0.05)), 0.5, periodic);
  auto const model = make_flow_model(backend(), problem);
  std::vector<Conservative> const rest(problem.mesh.nodes.size(), {1.4, 0, 0, 2.5});
  model->start({}, field_of(problem, rest));
  FlowFigures const figures = march(*model, 0.8);
  EXPECT_EQ(figures.breakdown, "");
  // A piston at half the speed of sound: shock of Mach 0.3 + sqrt(0.09 + 1), pressure 1 + 7/6 (M^2 - 1).
  double const mach = 0.3 + std::sqrt(1.09), pressure = 1 + 7.0 / 6 * (mach * mach - 1);
  EXPECT_NEAR(figures.forces[0][0], -(pressure - 1) * 0.5, 0.02 * pressure * 0.5);
  EXPECT_NEAR(figures.total[0], 1.4, 100 * 1.4 * rounding()) << "mass";
  auto const points = model->points();
  double const left = (*std::min_element(points.begin(), points.end()))[0];
  EXPECT_NEAR(left, 0.4, 1e-12);
  // Right triangles with legs of 0.8 and 1 times their former length: 4 sqrt(3) A / (sum of the squared edges).
  EXPECT_NEAR(figures.least_quality, 2 * std::sqrt(3.0) * 0.8 / (2 * (1 + 0.64)), 1e-6);
}

/// A piston that leaves faster than gas can follow: without floors the run breaks down.
TEST_P(FlowPistonOf, FloorsCarryAVacuum) {
  FlowProblem problem = piston(with_precision(tube(0.05)), -7, true);
  std::vector<Conservative> const rest(problem.mesh.nodes.size(), {1.4, 0, 0, 2.5});
  auto const bare = make_flow_model(backend(), problem);
  bare->start({}, field_of(problem, rest));
  FlowFigures const broken = march(*bare, 0.1);
  EXPECT_TRUE(!broken.breakdown.empty() || !(broken.least_pressure > 0)) << broken.least_pressure;
  problem.density_floor = 0.1;
  problem.pressure_floor = 0.01;
  auto const model = make_flow_model(backend(), problem);
  model->start({}, field_of(problem, rest));
  FlowFigures const figures = march(*model, 0.1);
  EXPECT_EQ(figures.breakdown, "");
  EXPECT_TRUE(figures.finished);
  EXPECT_GE(figures.least_density, 0.1 * (1 - rounding()));
  EXPECT_GT(figures.floor_changes, 0);
  EXPECT_GT(figures.added_mass, 0.001);
  // Walls and periodic sides: the gas gains as much as the floors add.
  EXPECT_NEAR(figures.total[0], 1.4 + figures.added_mass, 200 * 1.4 * rounding());
}

/// A hole that pitches and plunges in a uniform wind, in a box whose sides are all periodic.
TEST_P(FlowModelOf, KeepsAUniformFlowAroundAMovingHole) {
  Polygon polygon;
  polygon.outer = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {1, 2, 3, 4}};
  PolygonRing hole;
  hole.add_arc({0.5, 0.5}, 0.15, 0, -2 * std::numbers::pi, 0.05, 5);
  polygon.holes.push_back(hole);
  FlowProblem problem;
  problem.mesh = mesh_polygon(polygon, {.size = 0.08});
  problem.periodic = {{1, 3}, {2, 4}};
  problem.flow = {1.4, {0.6, -0.3}, 1};
  problem.boundaries = {{5, {EulerBoundaryKind::far_field, problem.flow}}};
  problem.motion.labels = {5};
  problem.motion.pivot = {0.5, 0.5};
  problem.motion.angle = {0.1, 0.3, 2, 0, 0};
  problem.motion.shift = {Oscillation{0, 0.05, 3, 0, 0.2}, Oscillation{0.01, 0.04, 2, 1, 0}};
  problem.scheme.moving = true;
  problem = with_precision(problem);
  auto const model = make_flow_model(backend(), problem);
  EXPECT_GT(model->motion_iterations(), 10);
  Conservative const wind{1.4, 0.84, -0.42, 1 / 0.4 + 0.5 * 1.4 * 0.45};
  model->start({}, field_of(problem, std::vector<Conservative>(problem.mesh.nodes.size(), wind)));
  FlowFigures const first = model->diagnostics(), last = march(*model, 0.4);
  EXPECT_EQ(last.breakdown, "");
  EXPECT_GT(last.step, 20);
  app::HostField copied;
  model->copy(copied);
  auto const u = copied.in_double();
  std::size_t const n = problem.mesh.nodes.size();
  double worst = 0, moved = 0;
  for (std::size_t i = 0; i < 4 * n; ++i) worst = std::max(worst, std::abs(u[i] - wind[i / n]));
  // Some digits per step: a wind of 1 between sides that move at up to 2.
  EXPECT_LE(worst, 20 * static_cast<double>(last.step) * rounding());
  auto const points = model->points();
  for (std::size_t i = 0; i < n; ++i) moved = std::max(moved, std::abs(points[i][0] - problem.mesh.nodes[i][0]));
  EXPECT_GT(moved, 0.05);
  // The hole keeps its size.
  EXPECT_NEAR(last.total[0], first.total[0], 100 * rounding());
}

/// Mean error of a density wave that enters through a boundary in motion, with n cells along the domain.
double wave_error(Backend backend, int n, EulerBoundaryKind kind) {
  double const speed = kind == EulerBoundaryKind::inflow ? 2.5 : 0.7;
  auto const density = [=](double x, double t) { return 1.4 + 0.3 * std::sin(2 * std::numbers::pi * (x - speed * t)); };
  FlowProblem problem;
  problem.mesh = mesh_rectangle({{0, 0}, {1, 4.0 / n}, 1.0 / n, DiagonalPattern::alternating});
  problem.periodic = {{1, 3}};
  problem.flow = {1.4, {speed, 0}, 1};
  EulerBoundaryKind const out = kind == EulerBoundaryKind::inflow ? EulerBoundaryKind::outflow : kind;
  problem.boundaries = {{2, {out, problem.flow}}, {4, {kind, problem.flow}}};
  PrescribedState const wave{[=](double x, double, double t) { return EulerState{density(x, t), {speed, 0}, 1}; },
                             true};
  problem.prescribed = {{4, wave}};
  if (out != EulerBoundaryKind::outflow) problem.prescribed[2] = wave;
  problem.motion.labels = {4};
  problem.motion.shift[0] = {0, 0.15, 0.9, 0, 0};
  problem.motion.weight = MotionWeight::area;
  problem.scheme.moving = true;
  problem.scheme.shock_capturing = 0;
  std::vector<Conservative> start;
  for (auto const& [x, y] : problem.mesh.nodes) {
    double const rho = density(x, 0);
    start.push_back({rho, rho * speed, 0, 1 / 0.4 + 0.5 * rho * speed * speed});
  }
  auto const model = make_flow_model(backend, problem);
  model->start({}, field_of(problem, start));
  FlowFigures const end = march(*model, 1.2);
  EXPECT_EQ(end.breakdown, "");
  app::HostField copied;
  model->copy(copied);
  auto const u = copied.in_double();
  auto const points = model->points();
  double error = 0;
  for (std::size_t i = 0; i < points.size(); ++i) error += std::abs(u[i] - density(points[i][0], 1.2));
  return error / static_cast<double>(points.size());
}

class FlowWaveOf : public testing::TestWithParam<Backend> {};

TEST_P(FlowWaveOf, EntersThroughAMovingBoundaryWithSecondOrder) {
  for (auto const kind : {EulerBoundaryKind::far_field, EulerBoundaryKind::inflow}) {
    double const coarse = wave_error(GetParam(), 24, kind), fine = wave_error(GetParam(), 48, kind);
    std::printf("[          ] %s: errors %.2e and %.2e, order %.2f\n", std::string(name(kind)).c_str(), coarse, fine,
                std::log2(coarse / fine));
    EXPECT_LE(fine, 0.004);
    EXPECT_GE(std::log2(coarse / fine), 1.8) << coarse << ", " << fine;
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, FlowWaveOf, testing::ValuesIn(enabled_backends()),
                         [](auto const& info) { return std::string(name(info.param)); });

std::string name_of(testing::TestParamInfo<std::tuple<Backend, app::Precision>> const& info) {
  return std::string(name(std::get<0>(info.param))) + '_' + std::string(app::name(std::get<1>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(Backends, FlowModelOf,
                         testing::Combine(testing::ValuesIn(enabled_backends()),
                                          testing::Values(app::Precision::f32, app::Precision::f64)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Backends, FlowPistonOf,
                         testing::Combine(testing::ValuesIn(enabled_backends()),
                                          testing::Values(app::Precision::f32, app::Precision::f64)),
                         name_of);

}  // namespace flow_model_test
