// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints of karman poisson: the older one replaces an unreadable newer one, and frames survive an interruption.
#include "apps/common/command_of.hpp"
#include "apps/common/run_command.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace poisson_restart_test {

using karman::Hdf5File;
using karman::test::content;
using karman::test::line_count;
using karman::test::Outcome;
using nlohmann::json;

class PoissonRestart : public karman::test::CommandOf {
 protected:
  PoissonRestart()
      : CommandOf("poisson", R"json({
    "problem": "poisson", "domain": { "cells": [40, 30], "size": [1, 1] }, "right_hand_side": 1,
    "solver": { "method": "sor", "omega": 0.01, "tolerance": 1e-15, "max_iterations": 100000000,
      "checkpoint_every": 0.02 } })json") {}

  /// Starts a run, waits until its folder has a checkpoint and its predecessor, and ends it.
  void leave_two_checkpoints(std::string const& name, int signal_number) {
    pid_t const process = place_.start({"poisson", "case.json", "--output", "out"});
    auto const begin = std::chrono::steady_clock::now();
    while (!std::filesystem::exists(place_.path("out/" + name + ".previous")) &&
           std::chrono::steady_clock::now() - begin < std::chrono::seconds(60)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ::kill(process, signal_number);
    EXPECT_EQ(place_.wait(process).exit_code, 128 + signal_number);
  }

  /// Restarts from the newest, which is first damaged, then missing: the predecessor is used, and reported in one line.
  void falls_back(std::string const& name, std::vector<std::string> const& limit, int exit_code) {
    auto const restart = [&](std::string const& output) {
      std::vector<std::string> words{"--output", output, "--restart", "out/" + name};
      words.insert(words.end(), limit.begin(), limit.end());
      return run(words);
    };
    std::string bytes = content(place_.path("out/" + name));
    bytes[bytes.size() / 2] ^= 1;
    place_.write("out/" + name, bytes);
    Outcome const damaged = restart("damaged");
    EXPECT_EQ(damaged.exit_code, exit_code) << damaged.err;
    EXPECT_NE(damaged.err.find(".previous"), std::string::npos) << damaged.err;
    EXPECT_EQ(line_count(damaged.err), exit_code == 0 ? 1 : 2) << damaged.err;
    std::filesystem::remove(place_.path("out/" + name));
    Outcome const missing = restart("missing");
    EXPECT_EQ(missing.exit_code, exit_code) << missing.err;
    EXPECT_NE(missing.err.find(".previous"), std::string::npos) << missing.err;
    std::filesystem::remove(place_.path("out/" + name + ".previous"));
    Outcome const nothing = restart("nothing");
    EXPECT_EQ(nothing.exit_code, 4) << nothing.err;
    EXPECT_EQ(line_count(nothing.err), 1) << nothing.err;
  }
};

TEST_F(PoissonRestart, OfASteadyCaseFallsBackToTheCheckpointBefore) {
  leave_two_checkpoints("poisson.checkpoint", SIGKILL);
  falls_back("poisson.checkpoint", {"--set", "/solver/max_iterations=1"}, 3);
}

TEST_F(PoissonRestart, OfATimeSeriesFallsBackAndKeepsItsFrames) {
  place_.write("case.json", R"json({
    "problem": "heat", "domain": { "cells": [30, 20], "size": [1, 1] }, "diffusivity": 0.01, "initial": "x",
    "time": { "step": 0.001, "steps": 100000000, "checkpoint_every": 0.02 }, "outputs": { "frames_every": 500 } })json");
  leave_two_checkpoints("heat.checkpoint", SIGTERM);
  auto const checkpoint = karman::Checkpoint::open(place_.path("out/heat.checkpoint"), {"karman.heat", 1});
  int const step = json::parse(checkpoint.metadata()).at("step").get<int>();
  ASSERT_GT(step, 0);
  std::vector<std::string> const limit{"--set", "/time/steps=" + std::to_string(step + 700)};
  auto const with = [&](std::vector<std::string> words) {
    words.insert(words.end(), limit.begin(), limit.end());
    return run(words);
  };
  // In the folder itself, and in another one.
  ASSERT_EQ(with({"--output", "whole"}).exit_code, 0);
  ASSERT_EQ(with({"--output", "other", "--restart", "out/heat.checkpoint"}).exit_code, 0);
  Outcome const same = with({"--output", "out", "--restart", "out/heat.checkpoint"});
  ASSERT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(same.err, "");
  Hdf5File const whole = Hdf5File::open(place_.path("whole/heat.h5"));
  for (char const* folder : {"out", "other"}) {
    Hdf5File const file = Hdf5File::open(place_.path(std::string(folder) + "/heat.h5"));
    auto const frames = file.list("/frames");
    EXPECT_EQ(frames.size(), static_cast<std::size_t>((step + 700 - 1) / 500 + 2)) << folder;
    ASSERT_EQ(frames.size(), whole.list("/frames").size()) << folder;
    for (auto const& frame : frames) {
      EXPECT_EQ(file.read_vector<double>("/frames/" + frame.name), whole.read_vector<double>("/frames/" + frame.name));
    }
    for (char const* text : {"/history.csv", "/heat.xdmf"})
      EXPECT_EQ(content(place_.path(folder + std::string(text))), content(place_.path(std::string("whole") + text)));
  }
  for (auto const& entry : std::filesystem::directory_iterator(place_.path("out")))
    EXPECT_EQ(entry.path().string().find("frames-"), std::string::npos) << entry.path();
  // The frames of a complete run are in its fields file.
  EXPECT_EQ(with({"--output", "again", "--restart", "out/heat.checkpoint"}).err, "");
  EXPECT_EQ(content(place_.path("again/history.csv")), content(place_.path("whole/history.csv")));
  falls_back("heat.checkpoint", limit, 0);
}

TEST_F(PoissonRestart, AStateBeyondTheLastStepIsRefused) {
  place_.write("case.json", R"json({
    "problem": "heat", "domain": { "cells": [30, 20], "size": [1, 1] }, "diffusivity": 0.01, "initial": "x",
    "time": { "step": 0.001, "steps": 100000000, "checkpoint_every": 0.02 } })json");
  leave_two_checkpoints("heat.checkpoint", SIGKILL);
  Outcome const outcome = run({"--output", "on", "--restart", "out/heat.checkpoint", "--set", "/time/steps=1"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("/time/steps"), std::string::npos) << outcome.err;
}

TEST_F(PoissonRestart, AKilledTimeSeriesLeavesOnlyItsResults) {
  place_.write("case.json", R"json({
    "problem": "heat", "domain": { "cells": [30, 20], "size": [1, 1] }, "diffusivity": 0.01, "initial": "x",
    "time": { "step": 0.001, "steps": 100000000, "checkpoint_every": 0.02 }, "outputs": { "frames_every": 100 } })json");
  leave_two_checkpoints("heat.checkpoint", SIGKILL);
  auto const checkpoint = karman::Checkpoint::open_latest(place_.path("out/heat.checkpoint"), {"karman.heat", 1});
  int const step = json::parse(checkpoint.metadata()).at("step").get<int>();
  // At any other moment the kill would have left these.
  for (char const* name : {"heat.h5", "heat.frames-000000100.h5", "heat.checkpoint"})
    place_.write("out/." + std::string(name) + left_by_a_killed_process(), "half");
  Outcome const outcome =
      run({"--output", "out", "--restart", "out/heat.checkpoint", "--set", "/time/steps=" + std::to_string(step + 50)});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (auto const& entry : std::filesystem::directory_iterator(place_.path("out")))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path() << " was left";
}

TEST_F(PoissonRestart, OneRunAtATimeWritesIntoAFolder) {
  keeps_its_folder({"--output", "out"});
  keeps_its_folder({"--output", "out", "--compare", "--budget", "100", "--set", "/domain/cells=[512, 384]"}, false);
  place_.write("case.json", R"json({
    "problem": "heat", "domain": { "cells": [30, 20], "size": [1, 1] }, "diffusivity": 0.01, "initial": "x",
    "time": { "step": 0.001, "steps": 100000000, "checkpoint_every": 0.02 } })json");
  std::filesystem::remove_all(place_.path("out"));
  keeps_its_folder({"--output", "out"});
}

TEST_F(PoissonRestart, ASolveAtItsLastIterationContinues) {
  for (std::string const method : {"sor", "cg", "multigrid"}) {
    int const few = method == "multigrid" ? 3 : 20;
    place_.write("case.json", R"json({ "problem": "poisson", "domain": { "cells": [40, 30], "size": [1, 1] },
      "right_hand_side": "1 + x", "title": "It's a plate", "solver": { "method": ")json" +
                                  method +
                                  R"json(", "tolerance": 1e-6, "check_every": 1, "checkpoint_every": 0 } })json");
    std::vector<std::string> words{
        "--output", method, "--set", "/title=It's another", "--set", "/solver/max_iterations=" + std::to_string(few)};
    Outcome outcome = not_converged(words);
    auto const checkpoint =
        karman::Checkpoint::open(place_.path(method + "/poisson.checkpoint"), {"karman.poisson", 1});
    EXPECT_EQ(json::parse(checkpoint.metadata()).at("iterations").get<int>(), few) << method;
    double const before = Hdf5File::open(place_.path(method + "/poisson.h5")).read_double("/", "relative_residual");
    outcome = continued(outcome);
    Hdf5File const file = Hdf5File::open(place_.path(method + "/poisson.h5"));
    EXPECT_LT(file.read_double("/", "relative_residual"), before) << method;
    EXPECT_EQ(file.read_table("/history").column("iteration").front(), 0) << method;
    if (method == "sor") {
      words.back() = "/solver/max_iterations=" + std::to_string(2 * few);
      words[1] = "whole";
      not_converged(words);
      EXPECT_EQ(file.read_vector<double>("/cells/p"),
                Hdf5File::open(place_.path("whole/poisson.h5")).read_vector<double>("/cells/p"));
      continue;
    }
    int runs = 2;
    for (; outcome.exit_code == 3 && runs < 12; ++runs) outcome = continued(outcome);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err << " after " << runs << " runs of " << method;
  }
}

}  // namespace poisson_restart_test
