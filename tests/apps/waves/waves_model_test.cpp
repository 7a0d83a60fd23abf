// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole model: failing solvers, the iteration, allocations, refusals.
#include "solvers/common/recorded_events.hpp"
#include "waves/case/build_features.hpp"
#include "waves_bay.hpp"

namespace waves_model_test {

using namespace karman;
using namespace karman::waves;
using namespace karman::waves::test;

TEST(WaveModel, FillOfSomeLevelsSavesIterationsOrIsRefused) {
  WaveProblem problem = bay(8);
  problem.linear.method = KrylovMethod::cocg;
  problem.linear.fall_back = false;
  problem.linear.preconditioner = Preconditioning::ilu;
  int const without = make_wave_model(fastest(), problem)->solve(period, arriving).report.linear_iterations;
  problem.linear.preconditioner = Preconditioning::ilu_fill;
  problem.linear.fill_level = 6;
  if (!has_ilu_fill()) {
    try {
      make_wave_model(fastest(), problem);
      FAIL() << "a build without Kokkos Kernels made factors";
    } catch (std::runtime_error const& error) {
      EXPECT_NE(std::string(error.what()).find("needs Kokkos Kernels"), std::string::npos) << error.what();
    }
    return;
  }
  WaveState const state = make_wave_model(fastest(), problem)->solve(period, arriving);
  EXPECT_TRUE(state.report.converged) << state.report.trouble;
  EXPECT_NE(state.report.solver.find("ILU(6)"), std::string::npos) << state.report.solver;
  EXPECT_LT(2 * state.report.linear_iterations, without);
  problem.linear.fill_level = -1;
  EXPECT_THROW(make_wave_model(fastest(), problem), std::invalid_argument);
}

TEST(WaveModel, AStalledSolverIsReportedAndKeepsItsLastIterate) {
  WaveProblem problem = bay(8);
  problem.linear.method = KrylovMethod::cocg;
  problem.linear.max_iterations = 5;
  problem.linear.fall_back = false;
  WaveState const state = make_wave_model(fastest(), problem)->solve(period, arriving);
  EXPECT_FALSE(state.report.converged);
  EXPECT_NE(state.report.trouble.find("linear solver"), std::string::npos) << state.report.trouble;
  EXPECT_EQ(state.report.history.size(), 1u);
  EXPECT_GT(state.report.history[0].linear_residual, problem.linear.tolerance);
  double highest = 0;
  for (double const h : state.height) highest = std::max(highest, h);
  EXPECT_GT(highest, 0);
  EXPECT_TRUE(std::isfinite(highest));

  problem.linear.fall_back = true;
  WaveState const saved = make_wave_model(fastest(), problem)->solve(period, arriving);
  EXPECT_TRUE(saved.report.converged) << saved.report.trouble;
  EXPECT_TRUE(saved.report.fell_back);
}

TEST(WaveModel, AnUnfinishedPicardIterationIsReported) {
  WaveProblem problem = bay(8);
  problem.picard.max_iterations = 2;
  WaveState const state = make_wave_model(fastest(), problem)->solve(period, arriving);
  EXPECT_FALSE(state.report.converged);
  EXPECT_EQ(state.report.history.size(), 2u);
  EXPECT_NE(state.report.trouble.find("did not converge"), std::string::npos) << state.report.trouble;
  EXPECT_GT(state.height[nearest(problem, 60, 40)], 0);
}

TEST(WaveModel, TheMonitorSeesEveryIterationAndStopsIt) {
  WaveProblem const problem = bay(8);
  std::vector<PicardSample> seen;
  WaveState const state = make_wave_model(fastest(), problem)->solve(period, arriving, [&](PicardSample const& sample) {
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
  WaveState const first = model->solve(period, arriving);
  model->solve(9, {{0.4, 0}});
  WaveState const again = model->solve(period, arriving);
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
  problem.linear.method = DirectMethod();
  WaveState const state = solve(problem, period, arriving);
  EXPECT_LE(state.report.history.size(), 10u);
  // Factors of the first matrix serve for the others, which differ little.
  EXPECT_GT(state.report.linear_iterations, 0);
  EXPECT_LT(state.report.linear_iterations, 100);
}

TEST(WaveModel, EveryIterationMovesTheWaves) {
  // So little friction that the waves of one system nearly solve the next one. Still no step may be idle.
  WaveProblem problem = bay();
  problem.dissipation = {};
  problem.dissipation.friction = FrictionLaw::quadratic;
  for (double const coefficient : {1e-4, 1e-3, 1e-2}) {
    problem.dissipation.coefficient = coefficient;
    for (LinearMethod const& method : {LinearMethod(DirectMethod()), LinearMethod(KrylovMethod::cocg)}) {
      problem.linear.method = method;
      WaveState const state = solve(problem, period, {{0.1, degrees(15)}});
      EXPECT_LE(state.report.history.size(), 4u) << coefficient;
      for (PicardSample const& sample : state.report.history)
        EXPECT_GT(sample.change, 0) << coefficient << ", iteration " << sample.iteration;
      EXPECT_LE(state.report.history.back().linear_residual, problem.linear.tolerance);
    }
  }
}

TEST(WaveModel, ThePicardIterationAllocatesNothingAndLabelsItsKernels) {
  std::ptrdiff_t allocations[2], kernels[2];
  for (int run = 0; run < 2; ++run) {
    WaveProblem problem = bay(8);
    problem.picard.max_iterations = run == 0 ? 2 : 6;
    problem.picard.tolerance = 1e-15;
    problem.linear.method = KrylovMethod::cocg;
    auto const model = make_wave_model(fastest(), problem);
    model->solve(period, arriving);
    auto const events = karman::test::record([&] { model->solve(period, arriving); });
    using Kind = karman::test::RecordedEvent::Kind;
    auto const count = [&](Kind kind) {
      return std::count_if(events.begin(), events.end(), [&](auto const& event) { return event.kind == kind; });
    };
    allocations[run] = count(Kind::allocation);
    kernels[run] = count(Kind::kernel);
    for (auto const& event : events) {
      if (event.kind != Kind::kernel || event.label.rfind("Kokkos::", 0) == 0) continue;
      EXPECT_TRUE(karman::test::is_ours(event.label)) << event.label;
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
  has(wrong([](auto& p) { p.boundaries[north] = p.boundaries[west] = {}; }), "at least one must be open or incident");
  has(wrong([](auto& p) { p.boundaries[east].reflection = 1.2; }), "reflection 1.2; 0 to 1");
  has(wrong([](auto& p) { p.boundaries[east].reflection = 1, p.boundaries[east].phase = pi; }), "must not vanish");
  has(wrong([](auto& p) { p.boundaries[east].unknown_angle = false, p.boundaries[east].angle = 2; }), "angle 2 rad");
  has(wrong([](auto& p) { p.boundaries[north].radius = -1; }), "radius -1 m");
  has(wrong([](auto& p) { p.dissipation.roughness = -1; }), "roughness -1 m");
  has(wrong([](auto& p) { p.dissipation.breaking_index = 0; }), "breaking: index 0");
  has(wrong([](auto& p) { p.dissipation.friction_at_nodes = {1, 2}; }), "values at 2 of");
  has(wrong([](auto& p) {
        p.dissipation.friction_at_nodes.assign(p.depth.size(), 1);
        p.dissipation.friction_at_nodes[3] = -2;
      }),
      "friction: roughness -2 m at node 3");
  has(wrong([](auto& p) { p.dissipation.friction = FrictionLaw::quadratic, p.dissipation.coefficient = NAN; }),
      "friction: coefficient nan; 0 or more");
  has(wrong([](auto& p) { p.dissipation.friction = FrictionLaw::linear, p.dissipation.rate = -1; }),
      "friction: rate -1 1/s");
  has(wrong([](auto& p) { p.picard.relaxation = 0; }), "relaxation 0");
  has(wrong([](auto& p) { p.linear.tolerance = 0; }), "tolerance 0");
  has(wrong([](auto& p) { p.lumping = 2; }), "lumping: 2");
  auto const model = make_wave_model(fastest(), good);
  EXPECT_THROW(model->solve(0, arriving), std::invalid_argument);
  EXPECT_THROW(model->solve(NAN, arriving), std::invalid_argument);
  EXPECT_THROW(model->solve(0.001, arriving), std::invalid_argument) << "kh far beyond any sea";
  EXPECT_THROW(model->solve(period, {{-1}}), std::invalid_argument);
  EXPECT_THROW(model->solve(period, {{1, INFINITY}}), std::invalid_argument);
}

}  // namespace waves_model_test
