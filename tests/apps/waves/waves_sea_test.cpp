// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Superposed waves: losses set by the sum of the components, against averages over phases, exact decay, single waves.
#include "solvers/common/recorded_events.hpp"
#include "waves/model/sea_friction_and_breaking.hpp"
#include "waves_bay.hpp"

namespace waves_sea_test {

using namespace karman;
using namespace karman::waves;
using namespace karman::waves::test;

constexpr double epsilon = 2.220446049250313e-16;

LocalWave wave_of(double wave_period, double depth, double amplitude) {
  double const omega = angular_frequency(wave_period);
  Dispersion const d = dispersion(omega, depth);
  return {omega, d.wave_number, d.group_celerity, depth, amplitude};
}

LocalSea sum_of(std::vector<LocalWave> const& waves) {
  LocalSea sea;
  for (LocalWave const& wave : waves) sea += sea_of(wave);
  return sea;
}

double velocity_of(LocalWave const& wave) {
  return wave.omega * wave.amplitude / std::sinh(wave.wave_number * wave.depth);
}

/// W of each wave with c_f = 1, from <|u| u u_j> = D_j / rho over all phases, by the midpoint rule. Its integrand has
/// kinks of the second derivative only, so that the error is about 1 / points^2.
std::vector<double> exact_rates(std::vector<LocalWave> const& waves) {
  constexpr int points = 120;
  std::size_t const n = waves.size();
  std::vector<double> power(n, 0), part(n);
  std::vector<int> at(n, 0);
  double count = 0;
  for (bool more = true; more; ++count) {
    double u = 0;
    for (std::size_t j = 0; j < n; ++j)
      u += part[j] = velocity_of(waves[j]) * std::cos(2 * pi * (at[j] + 0.5) / points);
    for (std::size_t j = 0; j < n; ++j) power[j] += std::fabs(u) * u * part[j];
    std::size_t j = 0;
    while (j < n && ++at[j] == points) at[j++] = 0;
    more = j < n;
  }
  for (std::size_t j = 0; j < n; ++j) power[j] /= count * 0.5 * gravity * waves[j].amplitude * waves[j].amplitude;
  return power;
}

TEST(WaveSea, OneWaveIsTheRegularWave) {
  for (double const depth : {0.5, 5.0, 60.0, 1e5})
    for (double const amplitude : {1e-6, 0.1, 2.0}) {
      LocalWave const wave = wave_of(6, depth, amplitude);
      for (FrictionLaw const law :
           {FrictionLaw::none, FrictionLaw::linear, FrictionLaw::quadratic, FrictionLaw::rough}) {
        double const single = friction_rate(law, 0.02, wave);
        EXPECT_NEAR(sea_friction_rate(law, 0.02, sea_of(wave), wave), single, 50 * epsilon * single);
      }
      LocalWave const mean = mean_wave(sea_of(wave), depth);
      EXPECT_NEAR(mean.omega, wave.omega, 4 * epsilon * wave.omega);
      EXPECT_NEAR(mean.amplitude, amplitude, 4 * epsilon * amplitude);
      EXPECT_NEAR(mean.wave_number, wave.wave_number, 4 * epsilon * wave.wave_number);
      EXPECT_NEAR(mean.group_celerity, wave.group_celerity, 4 * epsilon * wave.group_celerity);
    }
  // No loss without motion.
  LocalWave const still = wave_of(6, 5, 0);
  EXPECT_EQ(sea_friction_rate(FrictionLaw::quadratic, 0.02, sea_of(still), still), 0);
  EXPECT_EQ(sea_friction_rate(FrictionLaw::rough, 0.02, sea_of(still), still), 0);
  for (BreakingLaw const law : {BreakingLaw::battjes_janssen, BreakingLaw::dally}) {
    Dissipation losses;
    losses.breaking = law;
    EXPECT_EQ(breaking_rate(DissipationLaw(losses), mean_wave(LocalSea{}, 5)).rate, 0);
  }
}

TEST(WaveSea, AverageOverPhasesIsMetByFewWaves) {
  double worst = 0, worst_whole = 0;
  for (auto const& amplitudes : std::vector<std::vector<double>>{
           {1}, {1, 0.02}, {1, 0.1}, {1, 0.3}, {1, 0.5}, {1, 0.8}, {1, 1}, {1, 1, 1}, {1, 0.5, 0.3}, {1, 0.3, 0.3}}) {
    std::vector<LocalWave> waves;
    for (std::size_t j = 0; j < amplitudes.size(); ++j)
      waves.push_back(wave_of(6 + static_cast<double>(j), 5, 0.3 * amplitudes[j]));
    std::vector<double> const exact = exact_rates(waves);
    double whole = 0, found = 0;
    for (std::size_t j = 0; j < waves.size(); ++j) {
      double const rate = sea_friction_rate(FrictionLaw::quadratic, 1, sum_of(waves), waves[j]);
      double const energy = waves[j].amplitude * waves[j].amplitude;
      worst = std::max(worst, std::fabs(rate / exact[j] - 1));
      whole += exact[j] * energy, found += rate * energy;
    }
    worst_whole = std::max(worst_whole, std::fabs(found / whole - 1));
  }
  EXPECT_LT(worst, 0.036);
  EXPECT_LT(worst_whole, 0.021);
  EXPECT_GT(worst, 0.02) << "the bounds are those that the documents name";
}

TEST(WaveSea, LimitsOfFrictionAreExact) {
  // A small wave beside a large one: 4 / pi where its own law has 8 / (3 pi).
  LocalWave const large = wave_of(8, 5, 0.5), small = wave_of(6, 5, 1e-5);
  double const turn = small.omega / std::sinh(small.wave_number * small.depth);
  EXPECT_NEAR(sea_friction_rate(FrictionLaw::quadratic, 0.01, sum_of({large, small}), small),
              0.01 * 4 / pi * velocity_of(large) * turn * turn / gravity, 1e-8 * turn);
  EXPECT_NEAR(sea_friction_rate(FrictionLaw::quadratic, 0.01, sum_of({large, small}), large) /
                  friction_rate(FrictionLaw::quadratic, 0.01, large),
              1, 1e-8);
  // Many waves: sqrt(8 / pi) u_rms, to 0.21 / N.
  int const count = 2000;
  LocalSea sea;
  double variance = 0;
  for (int n = 0; n < count; ++n) {
    LocalWave const one = wave_of(5 + 5.0 * n / count, 5, 0.01);
    sea += sea_of(one);
    variance += 0.5 * velocity_of(one) * velocity_of(one);
  }
  LocalWave const one = wave_of(6, 5, 0.01);
  double const one_turn = velocity_of(one) / one.amplitude;
  double const gaussian = 0.01 * std::sqrt(8 / pi) * std::sqrt(variance) * one_turn * one_turn / gravity;
  EXPECT_NEAR(sea_friction_rate(FrictionLaw::quadratic, 0.01, sea, one) / gaussian, 1, 0.5 / count);
  // Roughness depends on the orbit of the single wave with their variance.
  double const orbit = std::sqrt(sea.orbit2);
  EXPECT_NEAR(sea_friction_rate(FrictionLaw::rough, 0.02, sea, one) / gaussian,
              0.5 * rough_bed_factor(orbit, 0.02) / 0.01, 0.5 / count);
}

/// A flume that is open at its far end.
WaveProblem open_flume(double length, double size, double depth) {
  WaveProblem problem = flume(length, 2 * size, size, depth);
  problem.boundaries[east].kind = BoundaryKind::open;
  problem.picard.tolerance = 1e-6;
  return problem;
}

std::vector<WaveState> solve_sea(WaveProblem const& problem, std::vector<WaveComponent> const& components) {
  std::vector<WaveState> states;
  make_wave_model(fastest(), problem)->solve_together(components, [&](std::size_t n, WaveState state) {
    EXPECT_EQ(n, states.size());
    EXPECT_TRUE(state.report.converged) << state.report.trouble;
    states.push_back(std::move(state));
    return true;
  });
  EXPECT_EQ(states.size(), components.size());
  return states;
}

TEST(WaveSea, OneComponentHasTheBitsOfASingleSolve) {
  WaveProblem const problem = bay(8);
  auto const together = solve_sea(problem, {{period, arriving}});
  WaveState const single = solve(problem, period, arriving);
  EXPECT_EQ(together[0].elevation, single.elevation);
  EXPECT_EQ(together[0].friction, single.friction);
  EXPECT_EQ(together[0].energy.breaking, single.energy.breaking);
  EXPECT_EQ(together[0].report.history.size(), single.report.history.size());
}

TEST(WaveSea, StillWaterBesideAWaveChangesNothing) {
  for (bool const by_amplitude : {false, true}) {
    WaveProblem problem = bay(8);
    problem.picard.tolerance = 1e-9;
    problem.linear.tolerance = 1e-12;
    problem.amplitude_dispersion = by_amplitude;
    problem.picard.max_iterations = 100;
    auto const together = solve_sea(problem, {{9, {{0, 0}}}, {period, arriving}});
    WaveState const single = solve(problem, period, arriving);
    // Difference of two iterations to 1e-9, of heights of about 2 m.
    EXPECT_LT(difference(together[1], single), 1e-7);
    EXPECT_EQ(*std::max_element(together[0].height.begin(), together[0].height.end()), 0);
    EXPECT_NEAR(together[1].energy.friction / single.energy.friction, 1, 1e-7);
    EXPECT_NEAR(together[1].energy.breaking / single.energy.breaking, 1, 1e-7);
  }
}

TEST(WaveSea, ASmallWaveIsDampedByALargeOne) {
  // The large wave decays as a0 / (1 + G a0 x / 2 C_g). The small one follows b' = -W b / (2 C_g'), W = (4 / pi) c_f
  // (omega' / sinh k'h)^2 u / g with the velocity u of the large one: a power of the same quotient.
  double const depth = 0.5, a0 = 0.05, b0 = 1e-4, length = 20, coefficient = 0.1, long_period = 2, short_period = 1.6;
  LocalWave const large = wave_of(long_period, depth, a0), small = wave_of(short_period, depth, b0);
  double const growth = friction_rate(FrictionLaw::quadratic, coefficient, large) / (2 * large.group_celerity);
  double const turn = velocity_of(small) / b0;
  double const start = coefficient * 4 / pi * velocity_of(large) * turn * turn / gravity / (2 * small.group_celerity);
  double const power = start / growth;
  WaveProblem problem = open_flume(length, 0.05, depth);
  problem.dissipation.coefficient = coefficient;
  std::vector<WaveComponent> const waves{{long_period, {{a0}}}, {short_period, {{b0}}}};
  auto const free = solve_sea(problem, waves);
  problem.dissipation.friction = FrictionLaw::quadratic;
  auto const damped = solve_sea(problem, waves);
  WaveState const alone = solve(problem, short_period, {{b0}});
  for (double const x : {5.0, 10.0, 20.0}) {
    std::size_t const n = nearest(problem, x, 0);
    double const quotient = 1 / (1 + growth * x);
    // The rate changes by a tenth over some waves. The error of the mesh and the change of W within a wave are errors
    // of a single wave.
    EXPECT_NEAR(damped[0].height[n] / free[0].height[n], quotient, 2e-3) << x;
    EXPECT_NEAR(damped[1].height[n] / free[1].height[n], std::pow(quotient, power), 2e-3) << x;
    EXPECT_GT(alone.height[n] / free[1].height[n], 0.999) << "by itself it is hardly damped";
  }
  EXPECT_LT(std::pow(1 / (1 + growth * length), power), 0.9);
}

TEST(WaveSea, TwoEqualWavesLoseAsMuchAsTheirBeat) {
  // <|u|^3> of two waves of velocity u is 8 u^3 (4 / (3 pi))^2. So each loses W = c_f (128 / (9 pi^2)) u (u / a)^2 / g,
  // and both decay as 1 / (1 + W0 x / 2 C_g).
  double const depth = 0.5, a0 = 0.05, length = 20, coefficient = 0.1, wave_period = 2;
  LocalWave const wave = wave_of(wave_period, depth, a0);
  double const turn = velocity_of(wave) / a0;
  double const rate = coefficient * 128 / (9 * pi * pi) * velocity_of(wave) * turn * turn / gravity;
  WaveProblem problem = open_flume(length, 0.05, depth);
  problem.dissipation.coefficient = coefficient;
  std::vector<WaveComponent> const waves{{wave_period, {{a0}}}, {wave_period, {{a0, 0, 1}}}};
  auto const free = solve_sea(problem, waves);
  problem.dissipation.friction = FrictionLaw::quadratic;
  auto const damped = solve_sea(problem, waves);
  std::size_t const n = nearest(problem, length, 0);
  for (std::size_t j = 0; j < 2; ++j) {
    double const slope = (free[j].height[n] / damped[j].height[n] - 1) / length * 2 * wave.group_celerity;
    EXPECT_NEAR(slope / rate, 1, 0.025) << "2 % of the formula, and the mesh";
    EXPECT_GT(slope / friction_rate(FrictionLaw::quadratic, coefficient, wave), 1.6) << "of the wave by itself";
  }
}

TEST(WaveSea, AWaveInPartsBreaksAsTheWhole) {
  // Parts of the same period that carry its energy together have its height and its frequency, hence the same breaking.
  for (BreakingLaw const law : {BreakingLaw::battjes_janssen, BreakingLaw::dally}) {
    WaveProblem problem = open_flume(50, 0.5, 1);
    problem.dissipation.breaking = law;
    problem.picard.tolerance = 1e-9;
    problem.linear.tolerance = 1e-12;
    double const amplitude = 0.31;
    WaveState const whole = solve(problem, 5, {{amplitude}});
    auto const parts = solve_sea(problem, {{5, {{0.6 * amplitude}}}, {5, {{0.8 * amplitude, 0, 2}}}});
    EXPECT_LT(whole.height[nearest(problem, 50, 0)], 0.93 * 2 * amplitude);
    for (std::size_t n = 0; n < whole.height.size(); ++n) {
      EXPECT_NEAR(parts[0].height[n], 0.6 * whole.height[n], 1e-7);
      EXPECT_NEAR(parts[1].height[n], 0.8 * whole.height[n], 1e-7);
      EXPECT_NEAR(parts[0].breaking_fraction[n], whole.breaking_fraction[n], 1e-6);
      EXPECT_EQ(parts[0].breaking[n], parts[1].breaking[n]);
    }
    EXPECT_NEAR((parts[0].energy.breaking + parts[1].energy.breaking) / whole.energy.breaking, 1, 1e-6);
  }
}

/// Components of every kind, two of one period.
std::vector<WaveComponent> const mixed{
    {7, {{0.3, degrees(10)}}}, {period, arriving}, {5, {{0.2, degrees(-20)}}}, {period, {{0.25, degrees(40)}}}};

TEST(WaveSea, TheOrderOfComponentsDoesNotMatterAndEnergyIsKept) {
  WaveProblem problem = bay(8);
  problem.picard.tolerance = 1e-9;
  problem.picard.max_iterations = 100;
  problem.linear.tolerance = 1e-12;
  auto const forward = solve_sea(problem, mixed);
  auto const backward = solve_sea(problem, {mixed.rbegin(), mixed.rend()});
  double incident = 0, out = 0, lost = 0, lost_alone = 0;
  for (std::size_t n = 0; n < mixed.size(); ++n) {
    EXPECT_LT(difference(forward[n], backward[mixed.size() - 1 - n]), 1e-7);
    EnergyBalance const& e = forward[n].energy;
    EXPECT_LT(std::fabs(e.imbalance), 1e-9);
    incident += e.incident;
    out += e.reflected + e.radiated + e.absorbed + e.friction + e.breaking;
    lost += e.friction + e.breaking;
    EnergyBalance const single = solve(problem, mixed[n].period, mixed[n].waves).energy;
    lost_alone += single.friction + single.breaking;
    EXPECT_EQ(forward[n].report.history.size(), forward[0].report.history.size());
    EXPECT_EQ(forward[n].report.history.back().change, forward[0].report.history.back().change);
  }
  EXPECT_NEAR(out / incident, 1, 1e-9);
  EXPECT_GT(lost, 1.1 * lost_alone);
}

TEST(WaveSea, AModelForgetsTheSeaBefore) {
  WaveProblem const problem = bay(8);
  auto const model = make_wave_model(fastest(), problem);
  auto const run = [&] {
    std::vector<WaveState> states;
    model->solve_together(mixed, [&](std::size_t, WaveState state) {
      states.push_back(std::move(state));
      return states.size() < 3;
    });
    return states;
  };
  std::int64_t const bytes = model->memory_bytes();
  WaveState const single = model->solve(period, arriving);
  auto const first = run();
  ASSERT_EQ(first.size(), 3u) << "no more than were wanted";
  EXPECT_GE(model->memory_bytes(), bytes + sea_bytes(problem, mixed.size()));
  auto const again = run();
  for (std::size_t n = 0; n < 3; ++n) EXPECT_EQ(first[n].elevation, again[n].elevation) << "the same bits";
  EXPECT_EQ(model->solve(period, arriving).elevation, single.elevation);
  EXPECT_THROW(model->solve_together({}, [](std::size_t, WaveState) { return true; }), std::invalid_argument);
  EXPECT_THROW(model->solve_together({{period, arriving}, {-1, arriving}}, [](std::size_t, WaveState) { return true; }),
               std::invalid_argument);
}

TEST(WaveSea, UnconvergedComponentsAreReturnedAndReported) {
  WaveProblem problem = bay(8);
  auto const ends = [&](Monitor const& monitor) {
    std::vector<WaveState> states;
    make_wave_model(fastest(), problem)
        ->solve_together(
            mixed,
            [&](std::size_t, WaveState state) {
              states.push_back(std::move(state));
              return true;
            },
            monitor);
    for (WaveState const& state : states) {
      EXPECT_FALSE(state.report.converged);
      EXPECT_FALSE(state.report.trouble.empty());
      EXPECT_GT(*std::max_element(state.height.begin(), state.height.end()), 0);
    }
    return states;
  };
  // In the first pass: only the components solved so far.
  std::size_t asked = 0;
  auto const early = ends([&](PicardSample const& sample) {
    EXPECT_EQ(sample.component, asked);
    return ++asked < 2;
  });
  ASSERT_EQ(early.size(), 2u);
  EXPECT_TRUE(early[0].report.stopped);
  asked = 0;
  auto const late = ends([&](PicardSample const& sample) { return sample.iteration < 2 || sample.component < 1; });
  ASSERT_EQ(late.size(), mixed.size());
  EXPECT_EQ(late[1].report.history.size(), 2u);
  EXPECT_EQ(late[2].report.history.size(), 1u);
  problem.picard.max_iterations = 2;
  EXPECT_EQ(ends({}).size(), mixed.size());
  problem.linear.method = KrylovMethod::cocg;
  problem.linear.max_iterations = 5;
  problem.linear.fall_back = false;
  auto const stalled = ends({});
  ASSERT_EQ(stalled.size(), 1u);
  EXPECT_NE(stalled[0].report.trouble.find("component 0, iteration 1: the linear solver"), std::string::npos)
      << stalled[0].report.trouble;
}

TEST(WaveSea, PassesAllocateNothing) {
  std::ptrdiff_t allocations[2];
  for (int run = 0; run < 2; ++run) {
    WaveProblem problem = bay(8);
    problem.picard.max_iterations = run == 0 ? 2 : 6;
    problem.picard.tolerance = 1e-15;
    problem.linear.method = KrylovMethod::cocg;
    auto const model = make_wave_model(fastest(), problem);
    auto const ignore = [](std::size_t, WaveState) { return true; };
    model->solve_together(mixed, ignore);
    auto const events = karman::test::record([&] { model->solve_together(mixed, ignore); });
    using Kind = karman::test::RecordedEvent::Kind;
    allocations[run] =
        std::count_if(events.begin(), events.end(), [](auto const& event) { return event.kind == Kind::allocation; });
  }
  EXPECT_EQ(allocations[0], allocations[1]);
}

}  // namespace waves_sea_test
