// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole runs of karman turbulence: their files, their exit codes, exact flows.
#include "apps/common/command_of.hpp"
#include "small_turbulence_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace turbulence_command_test {

using namespace karman::test;
using karman::Hdf5File;
using std::numbers::pi;

class TurbulenceCommand : public CommandOf {
 protected:
  TurbulenceCommand() : CommandOf("turbulence", small_turbulence_case) {}
  Hdf5File result(std::string const& folder = "out") const {
    return Hdf5File::open(place_.path(folder + "/turbulence.h5"));
  }

  double sum_of_spectrum(std::string const& folder) const {
    auto const energy = result(folder).read_table("/spectra").column("energy");
    return std::accumulate(energy.begin(), energy.end(), 0.0);
  }
};

TEST_F(TurbulenceCommand, HasEverythingThatIsPromised) {
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  EXPECT_NE(outcome.out.find("out/turbulence.h5"), std::string::npos);
  EXPECT_NE(outcome.out.find("balance of energy to "), std::string::npos) << outcome.out;
  Hdf5File const file = result();
  EXPECT_EQ(file.read_string("/", "format"), "karman.turbulence");
  EXPECT_EQ(file.read_double("/", "time"), 2);
  EXPECT_EQ(file.info("/fields/vorticity").extents, karman::ArrayExtents(24, 32));
  EXPECT_EQ(file.info("/fields/velocity").extents, karman::ArrayExtents(24, 32, 3));
  EXPECT_EQ(file.info("/modes/vorticity").extents, karman::ArrayExtents(24, 17, 2));
  EXPECT_NEAR(file.read_vector<double>("/grid/y")[1], 2 * pi / 24, 1e-15);
  // Means over the points equal the last row.
  auto const vorticity = file.read_vector<double>("/fields/vorticity");
  auto const velocity = file.read_vector<double>("/fields/velocity");
  double enstrophy = 0, energy = 0;
  for (double const value : vorticity) enstrophy += value * value / (2 * 24 * 32);
  for (double const value : velocity) energy += value * value / (2 * 24 * 32);
  auto const history = file.read_table("/history");
  EXPECT_EQ(history.column("time").front(), 0);
  EXPECT_NEAR(history.column("energy").front(), 0.3, 1e-14) << "of the random modes";
  EXPECT_NEAR(history.column("energy").back(), energy, 1e-13 * energy);
  EXPECT_NEAR(history.column("enstrophy").back(), enstrophy, 1e-13 * enstrophy);
  EXPECT_NEAR(sum_of_spectrum("out"), energy, 1e-12 * energy);
  for (double const dt : history.column("dt")) EXPECT_LE(dt, 0.05);
  EXPECT_GT(history.column("injected.energy").back(), 0);
  auto const mean = file.read_table("/mean_spectra");
  EXPECT_GT(mean.column("energy")[2], 0);
  EXPECT_NEAR(file.read_double("/mean_spectra", "seconds"), 1.5, 0.2);
  // Nonlinear transfers change neither energy nor enstrophy.
  for (char const* transfer : {"energy_transfer", "enstrophy_transfer"}) {
    auto const& values = mean.column(transfer);
    double largest = 0;
    for (double const value : values) largest = std::max(largest, std::abs(value));
    EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), 0, 1e-12 * largest) << transfer;
  }
  auto const histogram = file.read_table("/histogram");
  EXPECT_EQ(histogram.column("points").size(), 21u);
  EXPECT_EQ(std::accumulate(histogram.column("points").begin(), histogram.column("points").end(), 0.0), 24 * 32);
  // Frames: the start and four.
  for (int n = 0; n <= 4; ++n) {
    auto const frame = Hdf5File::open(place_.path("out/frames/frame_00000" + std::to_string(n) + ".h5"));
    EXPECT_NEAR(frame.read_double("/", "time"), 0.5 * n, 1e-15);
    EXPECT_EQ(frame.read_vector<double>("/fields/vorticity").size(), vorticity.size());
    EXPECT_EQ(frame.read_table("/spectra").column("energy").size(), mean.column("energy").size());
  }
  std::string const xdmf = content(place_.path("out/frames.xdmf"));
  EXPECT_NE(xdmf.find("frames/frame_000004.h5:/fields/vorticity"), std::string::npos) << xdmf;
  EXPECT_NE(content(place_.path("out/turbulence.xdmf")).find("turbulence.h5:/fields/velocity"), std::string::npos);
  EXPECT_EQ(line_count(content(place_.path("out/history.csv"))), static_cast<int>(history.column("step").size()) + 1);
  EXPECT_EQ(content(place_.path("out/spectra.csv")).rfind("wavenumber,energy,enstrophy,", 0), 0u);
  EXPECT_EQ(line_count(content(place_.path("out/histogram.csv"))), 22);
}

TEST_F(TurbulenceCommand, EnergyAndEnstrophyBalance) {
  auto const closed = [&](std::string const& folder, std::string const& forcing, double tolerance) {
    Outcome const outcome =
        run({"--output", folder, "--set", "/forcing=" + forcing, "--set", "/terms/viscosity_order=1", "--set",
             "/terms/viscosity=0.01", "--set", "/outputs/history_every=1", "--set", "/time/dt_max=0.01"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    auto const history = result(folder).read_table("/history");
    for (std::string const kind : {"energy", "enstrophy"}) {
      double scale = 0;
      for (char const* of : {"", "injected."}) {
        for (double const value : history.column(of + kind)) scale = std::max(scale, std::abs(value));
      }
      for (double const value : history.column("balance." + kind)) EXPECT_NEAR(value, 0, tolerance * scale) << kind;
    }
  };
  closed("none", R"({"kind":"none"})", 1e-4);
  closed("steady", R"({"kind":"kolmogorov","wavenumber":4,"amplitude":0.2})", 1e-4);
  closed("ring", R"({"kind":"ring","wavenumber":5,"width":1.5,"energy_rate":0.1})", 1e-3);
  closed("single", R"({"kind":"single","wavenumber":5,"energy_rate":0.1})", 1e-3);
}

TEST_F(TurbulenceCommand, TaylorGreenDecaysExactly) {
  place_.write("case.json", R"({ "domain": { "points": [24, 30] }, "terms": { "viscosity": 0.05, "friction": 0.1 },
    "initial": { "kind": "taylor_green" }, "time": { "kind": "adaptive", "end": 3 } })");
  ASSERT_EQ(run({"--output", "out"}).exit_code, 0);
  auto const history = result().read_table("/history");
  // All modes have k^2 = 2.
  EXPECT_NEAR(history.column("energy").back(), 0.25 * std::exp(-2 * 3 * (0.1 + 0.1)), 1e-14);
  auto const vorticity = result().read_vector<double>("/fields/vorticity");
  EXPECT_NEAR(vorticity[0], 2 * std::exp(-3 * 0.2), 1e-13);
}

/// Nothing limits the steps of fluid at rest but the end.
TEST_F(TurbulenceCommand, FluidAtRestHasFiniteSteps) {
  place_.write("case.json", R"({ "domain": { "points": [24, 24] }, "initial": { "kind": "zero" },
    "time": { "kind": "adaptive", "end": 2, "frames": 4 } })");
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  auto const history = result().read_table("/history");
  EXPECT_EQ(history.column("step").back(), 4) << "a step to each frame";
  for (std::size_t n = 1; n < history.column("dt").size(); ++n) EXPECT_EQ(history.column("dt")[n], 2);
  EXPECT_EQ(content(place_.path("out/history.csv")).find("inf"), std::string::npos);
}

TEST_F(TurbulenceCommand, LaminarKolmogorovFlowIsExact) {
  for (char const* along : {"x", "y"}) {
    place_.write("case.json", R"({ "domain": { "points": [24, 24] }, "terms": { "viscosity": 0.1 },
      "initial": { "kind": "zero" }, "forcing": { "kind": "kolmogorov", "wavenumber": 2, "amplitude": 0.3, "along": ")" +
                                  std::string(along) + R"(" }, "time": { "kind": "adaptive", "end": 2 } })");
    Outcome const outcome = run({"--output", along});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    // omega = F (1 - exp(-0.4 t)) / 0.4, F = 0.6 cos(2 x)
    double const largest = 0.6 * (1 - std::exp(-0.8)) / 0.4;
    auto const vorticity = result(along).read_vector<double>("/fields/vorticity");
    for (std::size_t n = 0; n < 24; ++n) {
      std::size_t const place = along[0] == 'x' ? n : 24 * n;
      EXPECT_NEAR(vorticity[place], largest * std::cos(4 * pi * double(n) / 24), 1e-9) << along << n;
    }
  }
}

TEST_F(TurbulenceCommand, StiffLaminarKolmogorovFlowIsExact) {
  place_.write("case.json", R"({ "domain": { "points": [16, 16] }, "initial": { "kind": "zero" },
    "forcing": { "kind": "kolmogorov", "wavenumber": 3, "amplitude": 0.3 }, "time": { "kind": "adaptive", "end": 2, "frames": 0 } })");
  for (char const* method : {"low_storage_rk54", "low_storage_rk3", "crank_nicolson_rk54", "etdrk4"}) {
    for (double const viscosity : {0.5, 5.0}) {
      SCOPED_TRACE(std::string(method) + ' ' + std::to_string(viscosity));
      Outcome const outcome = run({"--output", "out", "--overwrite", "--set", std::string("/solver/method=") + method,
                                   "--set", "/terms/viscosity=" + std::to_string(viscosity)});
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_TRUE(outcome.err.empty()) << outcome.err;
      double const speed = 0.3 / (9 * viscosity);
      EXPECT_NEAR(result().read_table("/history").column("energy").back() / (speed * speed / 4), 1, 1e-3);
    }
  }
  // The same force as a formula, whose modes the case does not name.
  ASSERT_EQ(run({"--output", "formula", "--set", "/terms/viscosity=50", "--set", "/time/end=0.3", "--set",
                 R"json(/forcing={"kind":"formula","vorticity":"0.9 * cos(3 * x)"})json"})
                .exit_code,
            0);
  EXPECT_NEAR(result("formula").read_table("/history").column("energy").back() * 4 * 450 * 450 / 0.09, 1, 1e-3);
}

TEST_F(TurbulenceCommand, RandomForcingBalancesFastFriction) {
  place_.write("case.json", R"({ "domain": { "points": [32, 32] }, "initial": { "kind": "zero" },
    "terms": { "friction": 50 }, "forcing": { "kind": "ring", "wavenumber": 6, "width": 4, "energy_rate": 1 },
    "time": { "kind": "adaptive", "end": 4, "frames": 0 } })");
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  auto const history = result().read_table("/history");
  // Random phases: 200 relaxation times of about 50 modes leave a scatter of about a percent.
  EXPECT_NEAR(history.column("injected.energy").back(), 4, 0.02 * 4);
  auto const& energy = history.column("energy");
  auto const begin = energy.begin() + static_cast<std::ptrdiff_t>(energy.size() / 8);
  double const mean = std::accumulate(begin, energy.end(), 0.0) / static_cast<double>(energy.end() - begin);
  EXPECT_NEAR(mean, 1.0 / 100, 0.03 / 100);
}

TEST_F(TurbulenceCommand, AnOpenBalanceAndUnresolvedScalesAreSaid) {
  // Steps far longer than the forced mode takes: the forcing acts at points of time.
  place_.write("case.json",
               R"({ "domain": { "points": [16, 16] }, "initial": { "kind": "zero" }, "terms": { "viscosity": 50 },
    "forcing": { "kind": "kolmogorov", "wavenumber": 3, "amplitude": 0.3 },
    "time": { "kind": "fixed", "dt": 0.3, "end": 3, "frames": 0 } })");
  Outcome const wrong = run({"--output", "wrong"});
  EXPECT_EQ(wrong.exit_code, 3) << wrong.err;
  EXPECT_EQ(line_count(wrong.err), 1) << wrong.err;
  EXPECT_NE(wrong.err.find("NOT RIGHT"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find("/time/dt"), std::string::npos) << wrong.err;
  EXPECT_EQ(result("wrong").read_double("/", "time"), 3);
  // An inviscid flow fills all of its modes.
  place_.write("case.json",
               R"({ "domain": { "points": [32, 32] },
    "initial": { "kind": "random", "peak_wavenumber": 3 }, "time": { "kind": "adaptive", "end": 20, "frames": 0 } })");
  Outcome const rough = run({"--output", "rough"});
  EXPECT_EQ(rough.exit_code, 0) << rough.err;
  EXPECT_NE(rough.err.find("warning: the flow is under-resolved"), std::string::npos) << rough.err;
  // The filter takes from it.
  Outcome const filtered = run({"--output", "filtered", "--set", "/solver/dealiasing=exponential", "--set",
                                R"(/initial={"kind":"random","peak_wavenumber":11})"});
  EXPECT_NE(filtered.err.find("filter takes"), std::string::npos) << filtered.err;
}

TEST_F(TurbulenceCommand, ADipoleTravelsInItsDirection) {
  place_.write("case.json", R"({ "domain": { "points": [128, 128] }, "initial": { "kind": "lamb_dipole", "speed": 1,
    "radius": 0.4, "angle": 90, "center": [3, 2] }, "time": { "kind": "adaptive", "end": 1.5, "frames": 0 } })");
  ASSERT_EQ(run({"--output", "out"}).exit_code, 0);
  auto const vorticity = result().read_vector<double>("/fields/vorticity");
  // Centre of its square, to which the noise of an inviscid flow adds little.
  double sum = 0, x = 0, y = 0;
  for (std::size_t n = 0; n < vorticity.size(); ++n) {
    double const weight = vorticity[n] * vorticity[n];
    sum += weight;
    x += weight * double(n % 128) * 2 * pi / 128;
    y += weight * double(n / 128) * 2 * pi / 128;
  }
  EXPECT_NEAR(x / sum, 3, 0.02);
  // The mean flow of the pair is taken from the box: slower by about 2 pi radius^2 over its area, 2.5 %.
  EXPECT_NEAR(y / sum, 3.5 - 0.025 * 1.5, 0.02);
}

TEST_F(TurbulenceCommand, AFileOfAnotherNumberOfPointsGivesTheSameFlow) {
  std::vector<std::string> const plain{"--set", R"(/forcing={"kind":"none"})", "--set", "/time/end=0.6"};
  std::vector<std::string> words = plain;
  words.insert(words.end(), {"--output", "coarse"});
  ASSERT_EQ(run(words).exit_code, 0);
  place_.write("case.json", R"({ "domain": { "points": [64, 50] }, "initial": { "kind": "file",
    "file": "coarse/turbulence.h5" }, "time": { "kind": "adaptive", "end": 1e-9, "frames": 0 } })");
  Outcome const outcome = run({"--output", "fine"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  double const before = result("coarse").read_table("/history").column("enstrophy").back();
  EXPECT_NEAR(result("fine").read_table("/history").column("enstrophy").front(), before, 1e-13 * before);
  EXPECT_NEAR(result("fine").read_vector<double>("/fields/vorticity")[0],
              result("coarse").read_vector<double>("/fields/vorticity")[0], 1e-7);
  // Another box is no such file.
  EXPECT_EQ(run({"--output", "other", "--set", "/domain/size=[1,1]"}).exit_code, 2);
}

TEST_F(TurbulenceCommand, RandomStartsAreTheSameAtEveryNumberOfPoints) {
  place_.write("case.json",
               R"({ "domain": { "points": [64, 64] }, "initial": { "kind": "random", "peak_wavenumber": 3 },
    "time": { "kind": "adaptive", "end": 1e-9, "frames": 0 } })");
  ASSERT_EQ(run({"--output", "one"}).exit_code, 0);
  ASSERT_EQ(run({"--output", "two", "--set", "/domain/points=[128,128]"}).exit_code, 0);
  auto const one = result("one").read_vector<double>("/modes/vorticity");
  auto const two = result("two").read_vector<double>("/modes/vorticity");
  // Modes (1, 0), (0, 1), (2, 1): the common factor differs a little, by the energy in the further modes.
  for (auto const& [a, b] : {std::pair{2, 2}, {2 * 33, 2 * 65}, {2 * 35, 2 * 67}}) {
    EXPECT_NE(one[std::size_t(a)], 0);
    EXPECT_NEAR(two[std::size_t(b)] / one[std::size_t(a)], 1, 0.01) << a;
  }
}

TEST_F(TurbulenceCommand, MethodsMasksAndPrecisionsAgree) {
  std::vector<std::string> const plain{"--set", R"(/forcing={"kind":"none"})", "--set", "/time/cfl=0.4"};
  auto const of = [&](std::string const& folder, std::vector<std::string> words) {
    words.insert(words.end(), plain.begin(), plain.end());
    words.insert(words.end(), {"--output", folder});
    Outcome const outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return result(folder).read_table("/history").column("enstrophy").back();
  };
  double const reference = of("out", {});
  for (char const* method : {"low_storage_rk3", "crank_nicolson_rk54", "crank_nicolson_rk3", "etdrk4"})
    EXPECT_NEAR(of(method, {"--set", std::string("/solver/method=") + method}), reference, 2e-3 * reference) << method;
  EXPECT_NEAR(of("f32", {"--set", "/solver/precision=f32"}), reference, 1e-3 * reference);
  EXPECT_NEAR(of("square", {"--set", "/solver/dealiasing=square"}), reference, 0.2 * reference);
}

TEST_F(TurbulenceCommand, RestWithoutForcingStaysAtRest) {
  place_.write("case.json", R"({ "domain": { "points": [16, 16] }, "initial": { "kind": "zero" },
    "time": { "kind": "adaptive", "end": 5, "frames": 2 } })");
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (double const value : result().read_vector<double>("/fields/vorticity")) EXPECT_EQ(value, 0);
}

TEST_F(TurbulenceCommand, ABreakdownNamesStepTimeAndCheckpoint) {
  Outcome const outcome = run({"--output", "out", "--set", R"(/time={"kind":"fixed","dt":5,"end":5000,"frames":0})"});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.out;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  for (char const* part :
       {"karman turbulence: ", ", step ", ", time ", ", dt 5 s", "no checkpoint was written", "/time/dt"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/turbulence.h5")));
}

TEST_F(TurbulenceCommand, AStepBelowTheLeastEndsTheRun) {
  Outcome const outcome = run({"--output", "out", "--set", "/time/dt_min=0.049", "--set", "/time/cfl=0.01"});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.out;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("try a smaller /time/dt_min"), std::string::npos) << outcome.err;
}

TEST_F(TurbulenceCommand, TheExampleRuns) {
  place_.write("case.json", place_.karman({"turbulence", "--example"}).out);
  EXPECT_NE(run({"--dry-run"}).out.find("\nsteps "), std::string::npos);
  Outcome const outcome = run({"--output", "out", "--set", "/domain/points=[64,64]", "--set", "/time/end=2"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(TurbulenceCommand, AShorterRunLeavesNoFramesOfALongerOne) {
  for (int const frames : {5, 2}) {
    ASSERT_EQ(run({"--output", "out", "--overwrite", "--set", "/time/frames=" + std::to_string(frames)}).exit_code, 0);
    std::filesystem::directory_iterator const files(place_.path("out/frames"));
    EXPECT_EQ(std::distance(begin(files), end(files)), frames + 1);
  }
}

}  // namespace turbulence_command_test
