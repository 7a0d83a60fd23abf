// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A solve that is stopped after any linear system and continued in a new model gives the bits of an uninterrupted one.
#include "backends.hpp"
#include "waves_bay.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>

namespace waves_restart_test {

using namespace karman;
using namespace karman::waves;
using namespace karman::waves::test;

template <class Combination>
class WaveRestart : public ::testing::Test {
 protected:
  static WaveProblem problem(double size = 10) {
    WaveProblem result = bay(size);
    bool const narrow = std::is_same_v<typename Combination::real, float>;
    result.precision = narrow ? Precision::f32 : Precision::f64;
    result.linear.tolerance = narrow ? 1e-5 : 1e-9;
    // Atomic sums of a device differ from run to run.
    result.assembly = AssemblyStrategy::row_gather;
    return result;
  }

  static std::unique_ptr<WaveModel> model(WaveProblem const& problem) {
    return make_wave_model(backend_of<typename Combination::execution_space>(), problem);
  }

  static std::vector<WaveState> states(WaveModel& model) {
    std::vector<WaveState> all;
    for (std::size_t n = 0; n < model.solved(); ++n) all.push_back(model.state(n));
    return all;
  }

  static std::vector<WaveState> whole(WaveProblem const& problem, std::vector<WaveComponent> const& components) {
    auto const one = model(problem);
    one->begin(components);
    EXPECT_TRUE(one->go_on({}));
    return states(*one);
  }

  /// Stopped after every system, each time with the state for another model.
  static std::vector<WaveState> in_pieces(WaveProblem const& problem, std::vector<WaveComponent> const& components,
                                          int& stops) {
    auto one = model(problem);
    one->begin(components);
    for (stops = 0; !one->go_on([](PicardSample const&) { return false; }); ++stops) {
      WaveSnapshot const snapshot = one->snapshot();
      one = model(problem);
      one->begin(components);
      one->restore(snapshot);
    }
    return states(*one);
  }

  static void ends_with_the_same_bits(WaveProblem const& problem, std::vector<WaveComponent> const& components) {
    auto const expected = whole(problem, components);
    int stops = 0;
    auto const found = in_pieces(problem, components, stops);
    std::size_t systems = 0;
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t n = 0; n < found.size(); ++n) {
      systems += expected[n].report.history.size();
      EXPECT_TRUE(expected[n].report.converged) << expected[n].report.trouble;
      expect_same(found[n], expected[n]);
    }
    EXPECT_EQ(static_cast<std::size_t>(stops) + 1, systems) << "the last system ends the solve";
  }

  template <class T>
  static bool same(std::vector<T> const& a, std::vector<T> const& b) {
    // Bits: NaN is NaN.
    return std::ranges::equal(std::as_bytes(std::span(a)), std::as_bytes(std::span(b)));
  }

  static void expect_same(WaveState const& a, WaveState const& b) {
    EXPECT_TRUE(same(a.elevation, b.elevation));
    for (auto const field : {&WaveState::wave_number, &WaveState::celerity, &WaveState::group_celerity,
                             &WaveState::flux_x, &WaveState::friction, &WaveState::breaking, &WaveState::dissipation,
                             &WaveState::breaking_fraction, &WaveState::bed_velocity, &WaveState::stress_xy})
      EXPECT_TRUE(same(a.*field, b.*field));
    EXPECT_EQ(a.energy.imbalance, b.energy.imbalance);
    expect_same(a.report, b.report);
  }

  static void expect_same(WaveReport const& a, WaveReport const& b) {
    EXPECT_EQ(a.converged, b.converged);
    EXPECT_EQ(a.fell_back, b.fell_back);
    EXPECT_EQ(a.solver, b.solver);
    EXPECT_EQ(a.linear_iterations, b.linear_iterations);
    ASSERT_EQ(a.history.size(), b.history.size());
    for (std::size_t n = 0; n < a.history.size(); ++n) {
      EXPECT_EQ(a.history[n].iteration, b.history[n].iteration);
      EXPECT_EQ(a.history[n].change, b.history[n].change);
      EXPECT_EQ(a.history[n].linear_iterations, b.history[n].linear_iterations);
      EXPECT_EQ(a.history[n].linear_residual, b.history[n].linear_residual);
      EXPECT_EQ(a.history[n].component, b.history[n].component);
      EXPECT_GE(a.history[n].seconds, a.history[n > 0 ? n - 1 : 0].seconds);
    }
  }

  /// Two components of one period, whose factors serve both, and another one.
  static std::vector<WaveComponent> sea() {
    return {{period, arriving}, {period, {{0.3, degrees(-20)}}}, {8, {{0.4, 0}}}};
  }
};
TYPED_TEST_SUITE(WaveRestart, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(WaveRestart, OfOneComponentWithKeptFactors) {
  WaveProblem problem = this->problem();
  problem.linear.method = DirectMethod();
  this->ends_with_the_same_bits(problem, {{period, arriving}});
}

TYPED_TEST(WaveRestart, OfAnIterativeMethod) {
  WaveProblem problem = this->problem();
  problem.linear.method = KrylovMethod::cocg;
  problem.amplitude_dispersion = true;
  problem.dissipation.friction = FrictionLaw::linear;
  problem.dissipation.rate = 0.01;
  this->ends_with_the_same_bits(problem, {{period, arriving}});
}

/// Of several levels, with the aggregates of the first system.
TYPED_TEST(WaveRestart, OfAlgebraicMultigrid) {
  WaveProblem problem = this->problem(1.2);
  problem.linear.method = KrylovMethod::cocg;
  problem.linear.preconditioner = Preconditioning::amg;
  problem.dissipation.breaking = BreakingLaw::none;
  this->ends_with_the_same_bits(problem, {{period, arriving}});
}

TYPED_TEST(WaveRestart, AfterAnIterativeMethodHasHandedOver) {
  WaveProblem problem = this->problem();
  problem.linear.method = KrylovMethod::cocg;
  problem.linear.max_iterations = 3;
  this->ends_with_the_same_bits(problem, {{period, arriving}});
}

TYPED_TEST(WaveRestart, OfASea) {
  WaveProblem problem = this->problem();
  problem.linear.method = DirectMethod();
  this->ends_with_the_same_bits(problem, this->sea());
  // Of one period: factors last from iteration to iteration.
  problem.amplitude_dispersion = true;
  problem.dissipation.breaking = BreakingLaw::none;
  std::vector<WaveComponent> components = this->sea();
  components.pop_back();
  this->ends_with_the_same_bits(problem, components);
}

TYPED_TEST(WaveRestart, ValuesGiveTheStateBack) {
  for (bool const linear : {false, true}) {
    WaveProblem problem = this->problem();
    if (linear) {
      problem.dissipation = {};
      problem.dissipation.friction = FrictionLaw::linear;
      problem.dissipation.rate = 0.02;
    }
    problem.amplitude_dispersion = !linear;
    auto const one = this->model(problem);
    one->begin({{period, arriving}});
    ASSERT_TRUE(one->go_on({}));
    WaveState const expected = one->state(0);
    auto const other = this->model(problem);
    other->begin({{period, arriving}});
    other->set_values(one->values());
    WaveState found = other->state(0);
    found.report = expected.report;
    this->expect_same(found, expected);
  }
}

TYPED_TEST(WaveRestart, WhatDoesNotFitIsRefused) {
  WaveProblem const problem = this->problem();
  auto const one = this->model(problem);
  auto const components = this->sea();
  one->begin(components);
  int systems = 0;
  ASSERT_FALSE(one->go_on([&](PicardSample const&) { return ++systems < 5; }));
  WaveSnapshot const good = one->snapshot();
  EXPECT_EQ(good.position.iteration, 2);
  EXPECT_EQ(good.position.component, 2u);
  auto const refused = [&](auto const& change) {
    WaveSnapshot bad = good;
    change(bad);
    one->begin(components);
    EXPECT_THROW(one->restore(bad), std::invalid_argument);
  };
  refused([](WaveSnapshot& s) { s.values.elevation.pop_back(); });
  refused([](WaveSnapshot& s) { s.values.friction.clear(); });
  refused([](WaveSnapshot& s) { s.values.share.push_back(0); });
  refused([](WaveSnapshot& s) { s.height.pop_back(); });
  refused([](WaveSnapshot& s) { s.sea.clear(); });
  refused([](WaveSnapshot& s) { s.sea_before.pop_back(); });
  refused([](WaveSnapshot& s) { s.reports.pop_back(); });
  refused([](WaveSnapshot& s) { s.reports[1].history.clear(); });
  refused([](WaveSnapshot& s) { s.position.component = 3; });
  refused([](WaveSnapshot& s) { s.position.iteration = 0; });
  refused([](WaveSnapshot& s) { s.position.iteration = 1000; });
  if (!good.linear.matrix.empty()) refused([](WaveSnapshot& s) { s.linear.matrix.resize(2); });
  one->begin(components);
  one->restore(good);
  EXPECT_TRUE(one->go_on({}));
}

}  // namespace waves_restart_test
