// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Example 09, an application on the parts of apps/common.
#include "apps/common/run_command.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace heat_conduction_test {

using karman::test::Conditions;
using karman::test::content;
using karman::test::line_count;
using karman::test::Outcome;

/// A sine mode in a uniform plate, which decays by exp(-2 pi^2 t / 10).
constexpr char const* sine = R"json({
  "cells": [16, 16], "conductivity": 0.1, "initial": "sin(pi * x) * sin(pi * y)",
  "time": { "step": 0.02, "steps": 50, "frames_every": 25 } })json";

class HeatConduction : public ::testing::Test {
 protected:
  void SetUp() override { place_.write("case.json", sine); }

  static std::vector<std::string> words_of(std::vector<std::string> const& more, char const* folder = "out") {
    std::vector<std::string> words{"case.json", "--backend", karman::test::host_backend(), "--output", folder};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static Conditions conditions() {
    Conditions example;
    example.program = KARMAN_HEAT_CONDUCTION;
    example.environment = {{"OMP_WAIT_POLICY", "passive"}};
    return example;
  }
  Outcome run(std::vector<std::string> const& more, char const* folder = "out") const {
    return place_.karman(words_of(more, folder), conditions());
  }

  std::vector<double> frame(int number, std::string const& folder = "out") const {
    char name[32];
    std::snprintf(name, sizeof name, "frame_%06d.h5", number);
    return karman::Hdf5File::open(place_.path(folder) / "frames" / name).read_vector<double>("/fields/temperature");
  }

  /// Largest error of the last frame against the exact solution.
  double error(int cells) const {
    using std::numbers::pi;
    std::vector<double> const found = frame(2);
    double largest = 0;
    for (int j = 0; j < cells; ++j) {
      for (int i = 0; i < cells; ++i) {
        double const x = (i + 0.5) / cells, y = (j + 0.5) / cells;
        double const exact = std::sin(pi * x) * std::sin(pi * y) * std::exp(-2 * pi * pi * 0.1);
        largest = std::fmax(largest, std::abs(found.at(static_cast<std::size_t>(j * cells + i)) - exact));
      }
    }
    return largest;
  }

  karman::test::Workplace place_;
};

TEST_F(HeatConduction, DecaysAsTheSineModeDoesWithOrderTwo) {
  Outcome const coarse = run({});
  ASSERT_EQ(coarse.exit_code, 0) << coarse.err;
  EXPECT_TRUE(coarse.err.empty()) << coarse.err;
  EXPECT_TRUE(std::filesystem::exists(place_.path("out/frames.xdmf")));
  double const first = error(16);
  Outcome const fine = run({"--overwrite", "--set", "/cells=[32,32]", "--set", "/time/step=0.01", "--set",
                            "/time/steps=100", "--set", "/time/frames_every=50"});
  ASSERT_EQ(fine.exit_code, 0) << fine.err;
  // Second order in the spacing and in the step; the next order changes the ratio by about (pi / 16)^2 of itself.
  EXPECT_NEAR(std::log2(first / error(32)), 2, 0.1);
  // Eigenvalues of the grid are the eigenvalues of the plate times 1 - (pi h)^2 / 12, with a = 0.2 pi^2:
  // a exp(-a) (pi / 16)^2 / 12.
  EXPECT_NEAR(first, 8.8e-4, 0.4e-4);
}

TEST_F(HeatConduction, ConductivitiesOfTwoHalvesGiveTheSteadyState) {
  // A plate so long in y that its middle changes along x alone. Steps small enough to damp the highest modes.
  Outcome const outcome =
      run({"--set", "/size=[1,1000]", "--set", "/conductivity=x < 0.5 ? 1 : 4", "--set", "/source=1", "--set",
           "/initial=0", "--set", "/time/step=0.004", "--set", "/time/steps=1500", "--set", "/time/frames_every=1500"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::vector<double> const found = frame(1);
  // k T' = c - x, with c from T(0) = T(1) = 0.
  double const c = (0.125 + 0.375 / 4) / (0.5 + 0.5 / 4), seam = c / 2 - 0.125;
  for (int i = 0; i < 16; ++i) {
    double const h = 1.0 / 16, x = (i + 0.5) * h, k = x < 0.5 ? 1 : 4;
    double const exact = x < 0.5 ? c * x - x * x / 2 : seam + (c * (x - 0.5) - (x * x - 0.25) / 2) / k;
    // On sides and seam, half a cell away, the scheme leaves out the curvature: h^2 / 8k in each half.
    EXPECT_NEAR(found.at(static_cast<std::size_t>(8 * 16 + i)), exact + h * h / (8 * k), 1e-9) << i;
  }
}

TEST_F(HeatConduction, StopsByASignalAndContinuesToTheSameBits) {
  // On few cells a step takes microseconds: the run would last for hours.
  std::vector<std::string> const slow{"--set", "/time/step=1e-6", "--set", "/time/frames_every=1000000000"};
  auto const with = [&](std::vector<std::string> more) {
    more.insert(more.end(), slow.begin(), slow.end());
    return more;
  };
  pid_t const process = place_.start(
      words_of(with({"--progress", "json", "--set", "/time/steps=1000000000", "--set", "/time/checkpoint_every=0.05"})),
      conditions());
  auto const begin = std::chrono::steady_clock::now();
  while (content(place_.path(".err")).find("\"done\"") == std::string::npos &&
         std::chrono::steady_clock::now() - begin < std::chrono::seconds(60))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ::kill(process, SIGINT);
  Outcome const stopped = place_.wait(process);
  EXPECT_EQ(stopped.exit_code, 128 + SIGINT) << stopped.err;
  std::string const words = "karman heat_conduction: stopped by a signal after ";
  std::size_t const at = stopped.err.find(words);
  ASSERT_NE(at, std::string::npos) << stopped.err;
  // The program as it was called.
  std::string const next = "continue with " + conditions().program + " case.json --backend ";
  EXPECT_NE(stopped.err.find(next), std::string::npos) << stopped.err;
  EXPECT_NE(stopped.err.find(" --restart out/heat_conduction.checkpoint"), std::string::npos) << stopped.err;
  long long const reached = std::atoll(stopped.err.c_str() + at + words.size());
  ASSERT_GT(reached, 0) << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/.karman.lock")));

  std::string const end = "/time/steps=" + std::to_string(reached + 20);
  Outcome const restarted = run(with({"--set", end, "--restart", "out/heat_conduction.checkpoint"}));
  ASSERT_EQ(restarted.exit_code, 0) << restarted.err;
  Outcome const whole = run(with({"--set", end}), "whole");
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(frame(1), frame(1, "whole"));
  EXPECT_NE(frame(1), frame(0));
  EXPECT_EQ(content(place_.path("out/frames.xdmf")), content(place_.path("whole/frames.xdmf")));

  Outcome const other = run(
      with({"--set", end, "--set", "/conductivity=2", "--overwrite", "--restart", "out/heat_conduction.checkpoint"}));
  EXPECT_EQ(other.exit_code, 2) << other.err;
  Outcome const past = run(with({"--set", "/time/steps=1", "--restart", "out/heat_conduction.checkpoint"}));
  EXPECT_EQ(past.exit_code, 2) << past.err;
  EXPECT_EQ(line_count(past.err), 1) << past.err;
}

TEST_F(HeatConduction, RefusesWrongCasesInOneLine) {
  for (auto const& [change, part] :
       std::vector<std::pair<std::string, std::string>>{{"/conductance=1", "did you mean \"conductivity\"?"},
                                                        {"/conductivity=x - 0.5", "expected positive values"},
                                                        {"/conductivity=z", "expected a formula in x, y"},
                                                        {"/cells=[16,1]", "expected an integer from 2"},
                                                        {"/time/step=0", "/time/step"}}) {
    Outcome const outcome = run({"--set", change});
    EXPECT_EQ(outcome.exit_code, 2) << change;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_EQ(outcome.err.rfind("case.json: ", 0), 0u) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path("out")));
  }
}

TEST_F(HeatConduction, AnnouncesItsNeeds) {
  Outcome const outcome = run({"--dry-run"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (char const* part : {"16 x 16", "memory", "disk", "time"}) EXPECT_NE(outcome.out.find(part), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(place_.path("out")));
  Outcome const infinite = run({"--set", "/conductivity=1e-12", "--set", "/source=1e308", "--set", "/time/step=1000"});
  EXPECT_EQ(infinite.exit_code, 5) << infinite.err;
  EXPECT_EQ(line_count(infinite.err), 1) << infinite.err;
  Outcome const example = place_.karman({"--example"}, conditions());
  place_.write("plate.json", example.out);
  EXPECT_EQ(place_.karman({"plate.json", "--dry-run"}, conditions()).exit_code, 0);
}

}  // namespace heat_conduction_test
