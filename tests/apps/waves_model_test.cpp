// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model as a whole: backends, precisions, assemblies, solvers and how they fail, what is refused.
#include "solvers/recorded_events.hpp"
#include "waves_support.hpp"

namespace {

using namespace karman;
using namespace karman::waves;
using namespace karman::waves::test;

constexpr double period = 6;

/// A bay of 120 m x 80 m over a slope, with waves from the west, a quay, a beach, friction and breaking.
WaveProblem bay(double size = 5) {
  RectangleMesh shape;
  shape.high = {120, 80};
  shape.size = size;
  WaveProblem problem = even_bed(mesh_rectangle(shape), 1);
  for (std::size_t n = 0; n < problem.depth.size(); ++n) {
    auto const& x = problem.mesh.nodes[n];
    problem.depth[n] = 5 - 0.03 * x[0] + 0.5 * std::sin(x[1] / 20);
  }
  problem.boundaries[west].kind = BoundaryKind::incident;
  problem.boundaries[south].reflection = 0.9;
  problem.boundaries[east].reflection = 0.1;
  problem.boundaries[north].kind = BoundaryKind::open;
  problem.dissipation.friction = FrictionLaw::quadratic;
  problem.dissipation.roughness = 0.05;
  problem.dissipation.breaking = BreakingLaw::battjes_janssen;
  problem.extended = true;
  return problem;
}
std::vector<IncidentWave> const waves{{0.7, degrees(15)}, {0.2, degrees(-30), 1}};

double difference(WaveState const& a, WaveState const& b) {
  double largest = 0;
  for (std::size_t n = 0; n < a.elevation.size(); ++n)
    largest = std::max(largest, std::abs(a.elevation[n] - b.elevation[n]));
  return largest;
}

TEST(WaveModel, EveryAssemblyOnEveryBackendGivesTheSame) {
  WaveProblem problem = bay();
  problem.linear.tolerance = 1e-12;
  problem.picard.tolerance = 1e-9;
  WaveState const first = solve(problem, period, waves);
  for (Backend const backend : enabled_backends()) {
    for (AssemblyMethod const method : {AssemblyMethod::automatic, AssemblyMethod::atomic, AssemblyMethod::colours,
                                        AssemblyMethod::blocks, AssemblyMethod::gather, AssemblyMethod::expanded}) {
      problem.assembly = method;
      WaveState const state = make_wave_model(backend, problem)->solve(period, waves);
      ASSERT_TRUE(state.report.converged) << state.report.trouble;
      // Rounding, times the condition of the system (some 1e3), and what two Picard iterations of 1e-9 are apart.
      EXPECT_LT(difference(state, first), 1e-8) << name(backend) << ' ' << static_cast<int>(method);
    }
  }
  EXPECT_LT(std::fabs(first.energy.imbalance), 1e-7);
  EXPECT_GT(first.energy.breaking, 0);
  EXPECT_GT(first.energy.friction, 0);
}

TEST(WaveModel, SinglePrecisionIsCloseToDouble) {
  WaveProblem problem = bay();
  WaveState const exact = solve(problem, period, waves);
  problem.precision = Precision::f32;
  for (Backend const backend : enabled_backends()) {
    WaveState const state = make_wave_model(backend, problem)->solve(period, waves);
    EXPECT_TRUE(state.report.converged) << state.report.trouble;
    // 1e-7 times the condition, and the Picard iteration's 1e-3.
    EXPECT_LT(difference(state, exact), 5e-3) << name(backend);
  }
}

TEST(WaveModel, IterativeSolversFindWhatTheDirectOneDoes) {
  WaveProblem problem = bay(8);
  problem.picard.tolerance = 1e-6;
  problem.linear.method = LinearMethod::direct;
  WaveState const direct = solve(problem, period, waves);
  EXPECT_NE(direct.report.solver.find("direct"), std::string::npos);
  problem.linear.fall_back = false;
  problem.linear.tolerance = 1e-9;
  for (LinearMethod const method : {LinearMethod::cocg, LinearMethod::bicgstab, LinearMethod::gmres}) {
    for (Preconditioning const with : {Preconditioning::none, Preconditioning::jacobi, Preconditioning::ssor,
                                       Preconditioning::ilu, Preconditioning::shifted_laplacian}) {
      problem.linear.method = method;
      problem.linear.preconditioning = with;
      for (Backend const backend : enabled_backends()) {
        WaveState const state = make_wave_model(backend, problem)->solve(period, waves);
        EXPECT_TRUE(state.report.converged) << state.report.solver << ": " << state.report.trouble;
        EXPECT_FALSE(state.report.fell_back);
        EXPECT_GT(state.report.linear_iterations, 10);
        EXPECT_LT(difference(state, direct), 1e-5) << state.report.solver;
      }
    }
  }
}

TEST(WaveModel, ASolverThatStallsSaysSoAndKeepsWhatItHas) {
  WaveProblem problem = bay(8);
  problem.linear.method = LinearMethod::cocg;
  problem.linear.max_iterations = 5;
  problem.linear.fall_back = false;
  WaveState const state = make_wave_model(fastest(), problem)->solve(period, waves);
  EXPECT_FALSE(state.report.converged);
  EXPECT_NE(state.report.trouble.find("linear solver"), std::string::npos) << state.report.trouble;
  EXPECT_EQ(state.report.history.size(), 1u);
  EXPECT_GT(state.report.history[0].linear_residual, problem.linear.tolerance);
  double highest = 0;
  for (double const h : state.height) highest = std::max(highest, h);
  EXPECT_GT(highest, 0);
  EXPECT_TRUE(std::isfinite(highest));

  problem.linear.fall_back = true;
  WaveState const saved = make_wave_model(fastest(), problem)->solve(period, waves);
  EXPECT_TRUE(saved.report.converged) << saved.report.trouble;
  EXPECT_TRUE(saved.report.fell_back);
}

TEST(WaveModel, APicardIterationThatIsNotDoneSaysSo) {
  WaveProblem problem = bay(8);
  problem.picard.max_iterations = 2;
  WaveState const state = make_wave_model(fastest(), problem)->solve(period, waves);
  EXPECT_FALSE(state.report.converged);
  EXPECT_EQ(state.report.history.size(), 2u);
  EXPECT_NE(state.report.trouble.find("did not converge"), std::string::npos) << state.report.trouble;
  EXPECT_GT(state.height[nearest(problem, 60, 40)], 0);
}

TEST(WaveModel, TheMonitorSeesEveryIterationAndStopsIt) {
  WaveProblem const problem = bay(8);
  std::vector<PicardSample> seen;
  WaveState const state = make_wave_model(fastest(), problem)->solve(period, waves, [&](PicardSample const& sample) {
    seen.push_back(sample);
    return seen.size() < 3;
  });
  EXPECT_TRUE(state.report.stopped);
  EXPECT_FALSE(state.report.converged);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[2].iteration, 3);
  EXPECT_LT(seen[2].change, seen[1].change);
}

TEST(WaveModel, OneModelSolvesManyPeriodsAndForgetsTheLast) {
  WaveProblem const problem = bay(8);
  auto const model = make_wave_model(fastest(), problem);
  WaveState const first = model->solve(period, waves);
  model->solve(9, {{0.4, 0}});
  WaveState const again = model->solve(period, waves);
  EXPECT_EQ(first.elevation, again.elevation) << "the same bits";
  EXPECT_EQ(first.report.history.size(), again.report.history.size());
  std::int64_t const bytes = model->memory_bytes(), estimate = wave_model_bytes(problem);
  EXPECT_GT(bytes, 0);
  EXPECT_LT(bytes, 2 * estimate);
  EXPECT_GT(bytes, estimate / 2);
}

TEST(WaveModel, QuadraticFrictionConvergesInSomeTenIterations) {
  WaveProblem problem = bay();
  problem.dissipation.breaking = BreakingLaw::none;
  problem.linear.method = LinearMethod::direct;
  WaveState const state = solve(problem, period, waves);
  EXPECT_LE(state.report.history.size(), 10u);
  // Factors of the first matrix serve for the others, which differ little.
  EXPECT_GT(state.report.linear_iterations, 0);
  EXPECT_LT(state.report.linear_iterations, 100);
}

TEST(WaveModel, ThePicardIterationAllocatesNothingAndLabelsItsKernels) {
  std::ptrdiff_t allocations[2], kernels[2];
  for (int run = 0; run < 2; ++run) {
    WaveProblem problem = bay(8);
    problem.picard.max_iterations = run == 0 ? 2 : 6;
    problem.picard.tolerance = 1e-15;
    problem.linear.method = LinearMethod::cocg;
    auto const model = make_wave_model(fastest(), problem);
    model->solve(period, waves);
    auto const events = karman::test::record([&] { model->solve(period, waves); });
    using Kind = karman::test::RecordedEvent::Kind;
    auto const count = [&](Kind kind) {
      return std::count_if(events.begin(), events.end(), [&](auto const& event) { return event.kind == kind; });
    };
    allocations[run] = count(Kind::allocation);
    kernels[run] = count(Kind::kernel);
    for (auto const& event : events) {
      if (event.kind != Kind::kernel || event.label.rfind("Kokkos::", 0) == 0) continue;
      EXPECT_EQ(event.label.rfind("karman::", 0), 0u) << event.label;
    }
  }
  EXPECT_EQ(allocations[0], allocations[1]);
  EXPECT_GT(kernels[1], kernels[0]);
}

/// The first sentence about a problem.
std::string said(WaveProblem const& problem) {
  auto const sentences = problems_of(problem, 1);
  EXPECT_THROW(make_wave_model(fastest(), problem), std::invalid_argument);
  return sentences.empty() ? "" : sentences.front();
}

TEST(WaveModel, RefusesWhatCannotBe) {
  WaveProblem const good = bay(8);
  EXPECT_TRUE(problems_of(good).empty());
  auto const wrong = [&](auto&& change) {
    WaveProblem problem = good;
    change(problem);
    return said(problem);
  };
  auto const has = [](std::string const& text, std::string const& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(wrong([](auto& p) { p.depth[7] = -0.5; }), "-0.5 m at node 7");
  has(wrong([](auto& p) { p.depth[7] = 0; }), "wet");
  has(wrong([](auto& p) { p.depth[7] = NAN; }), "nan m at node 7");
  has(wrong([](auto& p) { p.depth.pop_back(); }), "depth: ");
  has(wrong([](auto& p) { p.boundaries.erase(east); }), "boundary 2 (east)");
  has(wrong([](auto& p) { p.boundaries[17] = {}; }), "no boundary 17");
  has(wrong([](auto& p) { p.boundaries[north] = p.boundaries[west] = {}; }), "none is open or incident");
  has(wrong([](auto& p) { p.boundaries[east].reflection = 1.2; }), "reflection 1.2; 0 to 1");
  has(wrong([](auto& p) { p.boundaries[east].reflection = 1, p.boundaries[east].phase = pi; }), "must not vanish");
  has(wrong([](auto& p) { p.boundaries[east].unknown_angle = false, p.boundaries[east].angle = 2; }), "angle 2 rad");
  has(wrong([](auto& p) { p.boundaries[north].radius = -1; }), "radius -1 m");
  has(wrong([](auto& p) { p.dissipation.roughness = -1; }), "roughness -1 m");
  has(wrong([](auto& p) { p.dissipation.breaking_index = 0; }), "breaking: index 0");
  has(wrong([](auto& p) { p.dissipation.friction_factor = {1, 2}; }), "factors at 2 of");
  has(wrong([](auto& p) { p.picard.relaxation = 0; }), "relaxation 0");
  has(wrong([](auto& p) { p.linear.tolerance = 0; }), "tolerance 0");
  has(wrong([](auto& p) { p.lumping = 2; }), "lumping: 2");
  auto const model = make_wave_model(fastest(), good);
  EXPECT_THROW(model->solve(0, waves), std::invalid_argument);
  EXPECT_THROW(model->solve(NAN, waves), std::invalid_argument);
  EXPECT_THROW(model->solve(0.001, waves), std::invalid_argument) << "kh far beyond any sea";
  EXPECT_THROW(model->solve(period, {{-1}}), std::invalid_argument);
  EXPECT_THROW(model->solve(period, {{1, INFINITY}}), std::invalid_argument);
}

}  // namespace
