// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every backend against a reference on the last one of the build, which is the plainest: Serial where there is one.
// Both precisions, assemblies, solvers, all fields, and a run twice.
//
// With one backend both run on the same one. Runs in double precision then differ from the reference by assembly and
// solver (compared_way), those in single precision by it.
#include "backends.hpp"
#include "waves/case/build_features.hpp"
#include "waves_bay.hpp"

namespace waves_backend_test {

using namespace karman;
using namespace karman::waves;
using namespace karman::waves::test;

/// The problem of the reference: the direct solver, double precision.
WaveProblem plain_way(WaveProblem problem) {
  problem.precision = Precision::f64;
  problem.linear.method = std::nullopt;
  problem.linear.preconditioner = std::nullopt;
  problem.linear.tolerance = 1e-12;
  problem.assembly = AssemblyStrategy::automatic;
  return problem;
}

WaveState reference(WaveProblem const& problem) {
  WaveState state = make_wave_model(enabled_backends().back(), plain_way(problem))->solve(period, arriving);
  EXPECT_TRUE(state.report.converged) << state.report.trouble;
  return state;
}

template <class Combination>
class WaveBackend : public ::testing::Test {
 protected:
  static constexpr bool is_double = std::is_same_v<typename Combination::real, double>;

  /// The bay, iterated so far that Picard's tolerance has no effect.
  static WaveProblem problem(double size) {
    WaveProblem result = bay(size);
    result.precision = is_double ? Precision::f64 : Precision::f32;
    result.linear.tolerance = is_double ? 1e-12 : 1e-6;
    result.picard.tolerance = is_double ? 1e-9 : 1e-5;
    return result;
  }

  /// In double precision with another solver and another assembly than the reference.
  static WaveProblem compared_way(WaveProblem problem) {
    if (!is_double) return problem;
    problem.linear.method = KrylovMethod::cocg;
    problem.linear.preconditioner = Preconditioning::ssor;
    problem.assembly = AssemblyStrategy::colored;
    return problem;
  }

  static WaveState run(WaveProblem const& problem) {
    WaveState state =
        make_wave_model(backend_of<typename Combination::execution_space>(), problem)->solve(period, arriving);
    EXPECT_TRUE(state.report.converged) << state.report.solver << ": " << state.report.trouble;
    return state;
  }
};
TYPED_TEST_SUITE(WaveBackend, karman::test::AllBackends, karman::test::BackendNames);

/// Largest difference over the largest value.
double relative(std::vector<double> const& a, std::vector<double> const& b) {
  double difference = 0, largest = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    difference = std::max(difference, std::fabs(a[n] - b[n]));
    largest = std::max(largest, std::fabs(b[n]));
  }
  return difference / largest;
}

TYPED_TEST(WaveBackend, EveryAssemblyAgreesWithTheReference) {
  WaveProblem problem = this->problem(5);
  WaveState const expected = reference(problem);
  for (AssemblyStrategy const method :
       {AssemblyStrategy::automatic, AssemblyStrategy::atomic, AssemblyStrategy::colored,
        AssemblyStrategy::colored_blocks, AssemblyStrategy::row_gather, AssemblyStrategy::row_blocks,
        AssemblyStrategy::expanded}) {
    problem.assembly = method;
    WaveState const state = this->run(problem);
    // Rounding, times the condition of the system (about 1e3), and the difference between two Picard iterations.
    EXPECT_LT(difference(state, expected), this->is_double ? 1e-8 : 1e-3) << static_cast<int>(method);
  }
  EXPECT_LT(std::fabs(expected.energy.imbalance), 1e-7);
  EXPECT_GT(expected.energy.breaking, 0);
  EXPECT_GT(expected.energy.friction, 0);
}

TYPED_TEST(WaveBackend, EveryFieldAgreesWithTheReference) {
  WaveProblem const problem = this->problem(5);
  WaveState const expected = reference(problem), state = this->run(this->compared_way(problem));
  EXPECT_FALSE(this->is_double && (state.report.fell_back || state.report.solver == expected.report.solver))
      << state.report.solver;
  double const tolerance = this->is_double ? 1e-7 : 1e-2;
  EXPECT_LT(relative(state.wave_number, expected.wave_number), 1e-13) << "in double precision always";
  EXPECT_LT(relative(state.celerity, expected.celerity), 1e-13);
  EXPECT_LT(relative(state.group_celerity, expected.group_celerity), 1e-13);
  EXPECT_LT(relative(state.height, expected.height), tolerance);
  EXPECT_LT(relative(state.flux_x, expected.flux_x), tolerance);
  EXPECT_LT(relative(state.flux_y, expected.flux_y), tolerance);
  EXPECT_LT(relative(state.bed_velocity, expected.bed_velocity), tolerance);
  EXPECT_LT(relative(state.friction, expected.friction), tolerance);
  EXPECT_LT(relative(state.breaking, expected.breaking), tolerance);
  EXPECT_LT(relative(state.dissipation, expected.dissipation), tolerance);
  EXPECT_LT(relative(state.breaking_fraction, expected.breaking_fraction), tolerance);
  EXPECT_LT(relative(state.stress_xx, expected.stress_xx), tolerance);
  EXPECT_LT(relative(state.stress_xy, expected.stress_xy), tolerance);
  EXPECT_LT(relative(state.stress_yy, expected.stress_yy), tolerance);
  EXPECT_NEAR(state.energy.absorbed / expected.energy.absorbed, 1, tolerance);
  EXPECT_NEAR(state.energy.friction / expected.energy.friction, 1, tolerance);
  EXPECT_NEAR(state.energy.breaking / expected.energy.breaking, 1, tolerance);
}

TYPED_TEST(WaveBackend, EveryIterativeSolverAgreesWithTheDirectOne) {
  WaveProblem problem = this->problem(8);
  WaveState const direct = reference(problem);
  EXPECT_NE(direct.report.solver.find("direct"), std::string::npos);
  problem.picard.tolerance = this->is_double ? 1e-6 : 1e-3;
  // In single precision an iteration may stall, and the direct solver continues.
  problem.linear.fall_back = !this->is_double;
  problem.linear.tolerance = this->is_double ? 1e-9 : 1e-5;
  std::vector<KrylovMethod> methods{KrylovMethod::cocg};
  if (this->is_double) methods.insert(methods.end(), {KrylovMethod::bicgstab, KrylovMethod::gmres});
  for (KrylovMethod const method : methods) {
    std::vector<Preconditioning> all{Preconditioning::none,
                                     Preconditioning::jacobi,
                                     Preconditioning::ssor,
                                     Preconditioning::ilu,
                                     Preconditioning::shifted_laplacian,
                                     Preconditioning::amg};
    if (has_ilu_fill()) all.push_back(Preconditioning::ilu_fill);
    for (Preconditioning const with : all) {
      problem.linear.method = method;
      problem.linear.preconditioner = with;
      WaveState const state = this->run(problem);
      EXPECT_FALSE(this->is_double && state.report.fell_back) << state.report.solver;
      // Fill leaves little to do in each of the Picard iterations, as the damped operator does where it is inverted.
      bool const strong = with == Preconditioning::ilu_fill || with == Preconditioning::amg;
      EXPECT_GT(state.report.linear_iterations, strong ? 0 : 10);
      EXPECT_LT(difference(state, direct), this->is_double ? 1e-5 : 5e-3) << state.report.solver;
    }
  }
}

TYPED_TEST(WaveBackend, AmplitudeDispersionAndDallysBreakersAgreeWithTheReference) {
  WaveProblem problem = this->problem(8);
  problem.dissipation.breaking = BreakingLaw::dally;
  problem.amplitude_dispersion = true;
  problem.picard.relaxation = 0.5;
  problem.picard.max_iterations = 200;
  problem.picard.tolerance = this->is_double ? 1e-7 : 1e-4;
  EXPECT_LT(difference(this->run(this->compared_way(problem)), reference(problem)), this->is_double ? 1e-5 : 1e-3);
}

TYPED_TEST(WaveBackend, SuperposedComponentsAgreeWithTheReference) {
  std::vector<WaveComponent> const sea{{period, arriving}, {period, {{0.3, degrees(40)}}}, {8, {{0.5, 0}}}};
  auto const run = [&](Backend backend, WaveProblem const& problem) {
    std::vector<WaveState> states;
    make_wave_model(backend, problem)->solve_together(sea, [&](std::size_t, WaveState state) {
      EXPECT_TRUE(state.report.converged) << state.report.solver << ": " << state.report.trouble;
      states.push_back(std::move(state));
      return true;
    });
    return states;
  };
  WaveProblem const problem = this->problem(8);
  auto const found = run(backend_of<typename TypeParam::execution_space>(), this->compared_way(problem));
  auto const expected = run(enabled_backends().back(), plain_way(problem));
  ASSERT_EQ(found.size(), expected.size());
  double const tolerance = this->is_double ? 1e-7 : 1e-2;
  for (std::size_t n = 0; n < found.size(); ++n) {
    EXPECT_LT(difference(found[n], expected[n]), this->is_double ? 1e-8 : 1e-3) << n;
    EXPECT_LT(relative(found[n].friction, expected[n].friction), tolerance) << n;
    EXPECT_LT(relative(found[n].breaking, expected[n].breaking), tolerance) << n;
    EXPECT_NEAR(found[n].energy.breaking / expected[n].energy.breaking, 1, tolerance) << n;
  }
}

TYPED_TEST(WaveBackend, ARunTwiceHasTheSameBits) {
  WaveProblem problem = this->problem(8);
  std::vector<AssemblyStrategy> methods{AssemblyStrategy::automatic, AssemblyStrategy::colored,
                                        AssemblyStrategy::row_gather};
  // On a device the threads of a block add in any order.
  if (runs_on_host<typename TypeParam::execution_space>) methods.push_back(AssemblyStrategy::row_blocks);
  for (AssemblyStrategy const method : methods) {
    problem.assembly = method;
    WaveState const first = this->run(problem), second = this->run(problem);
    EXPECT_EQ(first.elevation, second.elevation) << static_cast<int>(method);
    EXPECT_EQ(first.stress_xy, second.stress_xy);
  }
}

}  // namespace waves_backend_test
