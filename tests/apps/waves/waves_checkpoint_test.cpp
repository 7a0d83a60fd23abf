// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints of karman waves: after a signal, and while running; restarts, refusals, fall-back to the predecessor.
#include "apps/common/command_of.hpp"
#include "apps/common/result_content.hpp"
#include "small_wave_case.hpp"
#include <karman/io/checkpoint.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace waves_checkpoint_test {

using namespace karman::test;
using karman::Checkpoint;
using karman::CheckpointFormat;
using karman::Hdf5File;
using nlohmann::json;

CheckpointFormat const format{"karman.waves", 1};

/// The lines about the waves: those before the line of times, without the one about the load of the machine.
std::string told(std::string const& out) {
  std::size_t const begin = out.starts_with("the load average") ? out.find('\n') + 1 : 0;
  return out.substr(begin, out.find("solved in") - begin);
}

class WavesCheckpoint : public CommandOf {
 protected:
  WavesCheckpoint() : CommandOf("waves", small_wave_case) {}

  /// Runs with a checkpoint after every linear system; the last two stay in the folder.
  Outcome run_with_checkpoints(std::string const& folder, std::vector<std::string> words) {
    words.insert(words.end(), {"--output", folder, "--set", "/solver/checkpoint_every=1e-9"});
    return run(words);
  }

  json metadata(std::string const& file) const {
    return json::parse(Checkpoint::open(place_.path(file), format).metadata());
  }

  /// Compares a run with restarts from its last checkpoint and from its predecessor.
  void goes_on_to_the_same_bits(std::vector<std::string> const& words) {
    std::vector<std::string> plain = words;
    plain.insert(plain.end(), {"--output", "whole", "--overwrite"});
    Outcome const whole = run(plain);
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path("whole/waves.checkpoint"))) << "not within ten minutes";
    std::filesystem::remove_all(place_.path("out"));
    ASSERT_EQ(run_with_checkpoints("out", words).exit_code, 0);
    expect_same_result(place_.path("out/waves.h5"), place_.path("whole/waves.h5"));
    EXPECT_LT(metadata("out/waves.checkpoint.previous").at("systems"), metadata("out/waves.checkpoint").at("systems"));
    for (char const* file : {"out/waves.checkpoint", "out/waves.checkpoint.previous"}) {
      std::vector<std::string> on = words;
      on.insert(on.end(), {"--output", "on", "--overwrite", "--restart", file});
      Outcome const outcome = run(on);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_EQ(outcome.err, whole.err);
      expect_same_result(place_.path("on/waves.h5"), place_.path("whole/waves.h5"));
      for (char const* text : {"waves.xdmf", "components.xdmf", "surface.xdmf", "gauges.csv", "sections.csv"})
        EXPECT_EQ(content(place_.path(std::string("on/") + text)), content(place_.path(std::string("whole/") + text)));
      EXPECT_EQ(told(outcome.out), told(whole.out));
    }
  }

  /// Expects that a restart is refused with this exit code, in one line that contains `what`.
  void refused(std::string const& file, int exit_code, std::string const& what, std::vector<std::string> words = {}) {
    words.insert(words.end(), {"--output", "new", "--restart", file});
    Outcome const outcome = run(words);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path("new"))) << "nothing is left";
  }
};

TEST_F(WavesCheckpoint, OfOneWave) { goes_on_to_the_same_bits({}); }

TEST_F(WavesCheckpoint, OfOneWaveInSinglePrecision) {
  goes_on_to_the_same_bits({"--set", "/solver/precision=f32", "--set", "/solver/tolerance=1e-4", "--set",
                            "/solver/method=cocg", "--set", "/solver/max_iterations=20000"});
}

TEST_F(WavesCheckpoint, OfASea) {
  place_.write("case.json", small_wave_cases().at(2));
  goes_on_to_the_same_bits({"--set", "/solver/picard/tolerance=1e-4"});
}

TEST_F(WavesCheckpoint, OfAScan) {
  place_.write("case.json", small_wave_cases().at(3));
  goes_on_to_the_same_bits({});
  for (char const* kept : {"largest", "none"})
    goes_on_to_the_same_bits({"--set", std::string("/outputs/components=") + kept});
  goes_on_to_the_same_bits(
      {"--set", R"(/friction={"kind":"rough","roughness":0.1})", "--set", "/amplitude_dispersion=true"});
}

TEST_F(WavesCheckpoint, OfAListWhoseEnergiesAreAdded) {
  place_.write("case.json", small_wave_cases().at(1));
  std::string const sections = R"(/sections=[{"name":"along","from":[0,5],"to":[40,5],"count":9}])";
  for (char const* kept : {"all", "largest"})
    goes_on_to_the_same_bits(
        {"--set", sections, "--set", "/waves/coherent=false", "--set", std::string("/outputs/components=") + kept});
}

TEST_F(WavesCheckpoint, ComponentsThatDidNotConvergeAreRemembered) {
  place_.write("case.json", small_wave_cases().at(3));
  std::vector<std::string> const words{"--set", "/solver/method=gmres",   "--set", "/solver/max_iterations=2",
                                       "--set", "/solver/fall_back=false"};
  Outcome const whole = run_with_checkpoints("out", words);
  ASSERT_EQ(whole.exit_code, 3) << whole.err;
  std::vector<std::string> on = words;
  on.insert(on.end(), {"--output", "on", "--restart", "out/waves.checkpoint"});
  Outcome const outcome = run(on);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, whole.err);
  EXPECT_EQ(Hdf5File::open(place_.path("on/waves.h5")).read_integer("/", "converged"), 0);
}

TEST_F(WavesCheckpoint, WhatDoesNotChangeTheWavesMayDiffer) {
  ASSERT_EQ(run_with_checkpoints("out", {}).exit_code, 0);
  Outcome const outcome =
      run({"--output", "on", "--restart", "out/waves.checkpoint", "--set", "/title=Another", "--set", "/sections=[]",
           "--set", R"(/outputs/fields=["height"])", "--set", "/outputs/animation_frames=0"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Hdf5File const file = Hdf5File::open(place_.path("on/waves.h5"));
  EXPECT_EQ(file.list("/components/0000").size(), 1u);
  EXPECT_EQ(file.read_vector<double>("/components/0000/height"),
            Hdf5File::open(place_.path("out/waves.h5")).read_vector<double>("/components/0000/height"));
}

TEST_F(WavesCheckpoint, FallsBackToTheOneBefore) {
  ASSERT_EQ(run_with_checkpoints("out", {}).exit_code, 0);
  auto const restart = [&] { return run({"--output", "on", "--overwrite", "--restart", "out/waves.checkpoint"}); };
  auto const takes_the_one_before = [&] {
    Outcome const outcome = restart();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find("karman waves: "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(".previous"), std::string::npos) << outcome.err;
    expect_same_result(place_.path("on/waves.h5"), place_.path("out/waves.h5"));
  };
  std::string bytes = content(place_.path("out/waves.checkpoint"));
  bytes[bytes.size() / 2] ^= 1;
  place_.write("out/waves.checkpoint", bytes);
  takes_the_one_before();
  std::filesystem::remove(place_.path("out/waves.checkpoint"));
  takes_the_one_before();
  std::filesystem::remove(place_.path("out/waves.checkpoint.previous"));
  refused("out/waves.checkpoint", 4, "out/waves.checkpoint");
}

TEST_F(WavesCheckpoint, OfAnotherCaseIsRefused) {
  ASSERT_EQ(run_with_checkpoints("out", {}).exit_code, 0);
  std::string const file = "out/waves.checkpoint";
  refused(file, 2, "/mesh/size", {"--set", "/mesh/size=1"});
  refused(file, 2, "/mesh/refine", {"--set", "/mesh/refine=1"});
  refused(file, 2, "/waves/height", {"--set", "/waves/height=0.4"});
  refused(file, 2, "expected \"f64\" as in the checkpoint " + file, {"--set", "/solver/precision=f32"});
  refused(file, 2, "/outputs/components", {"--set", "/outputs/components=largest"});
  refused(file, 2, "/gauges", {"--set", "/gauges=[]"});
}

TEST_F(WavesCheckpoint, OfAnotherMeshFileIsRefused) {
  write_small_files(place_.path("."));
  place_.write("case.json", small_wave_cases().at(7));
  ASSERT_EQ(run_with_checkpoints("out", {"--set", "/amplitude_dispersion=true"}).exit_code, 0);
  karman::MeshData mesh = small_mesh();
  mesh.nodes[mesh.nodes.size() / 2][0] += 0.01;
  karman::MeshWriteOptions overwriting;
  overwriting.overwrite = karman::Overwrite::yes;
  karman::write_mesh(place_.path("small.msh"), mesh, overwriting);
  refused("out/waves.checkpoint", 2, "/mesh", {"--set", "/amplitude_dispersion=true"});
}

TEST_F(WavesCheckpoint, InvalidCheckpointsAreRefused) {
  ASSERT_EQ(run_with_checkpoints("out", {}).exit_code, 0);
  std::string bytes = content(place_.path("out/waves.checkpoint"));
  bytes[bytes.size() / 2] ^= 1;
  place_.write("damaged", bytes);
  place_.write("cut", content(place_.path("out/waves.checkpoint")).substr(0, 5000));
  place_.write("rubbish", "not a checkpoint");
  for (char const* file : {"damaged", "cut", "rubbish", "nowhere", "out/waves.h5"}) refused(file, 4, file);
  // A whole checkpoint of an impossible state.
  std::string const good = Checkpoint::open(place_.path("out/waves.checkpoint"), format).metadata();
  auto const written = [&](json const& metadata, std::vector<karman::CheckpointArray> const& arrays) {
    karman::write_checkpoint(place_.path("odd"), format, metadata.dump(), arrays);
    refused("odd", 4, "odd");
  };
  written(json::object(), {});
  written(json::parse(good), {});
  std::vector<double> const few(5, 1.0);
  written(json::parse(good), {{"elevation", {few.data(), {1, 5}}}});
  json changed = json::parse(good);
  changed.at("at_work").at("component") = 7;
  written(changed, {});
  changed.erase("at_work");
  changed.at("kept").push_back({{"component", 0}, {"converged", true}, {"solver", "none"}});
  written(changed, {});
  karman::write_checkpoint(place_.path("other"), {"karman.wind", 1}, good, {});
  refused("other", 4, "karman.wind");
}

TEST_F(WavesCheckpoint, ASignalLeavesOneOfASea) {
  place_.write("case.json", small_wave_cases().at(2));
  // An iteration that never converges.
  std::vector<std::string> const endless{"--set", "/mesh/size=0.7",
                                         "--set", "/solver/picard/tolerance=1e-12",
                                         "--set", "/solver/picard/relaxation=0.01",
                                         "--set", "/solver/picard/max_iterations=1000"};
  std::vector<std::string> words{"--output", "out"};
  words.insert(words.end(), endless.begin(), endless.end());
  Outcome const stopped = interrupted(words);
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("karman waves: stopped by a signal in iteration "), std::string::npos) << stopped.err;
  EXPECT_NE(stopped.err.find("; continue with --restart out/waves.checkpoint\n"), std::string::npos) << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/waves.h5")));
  int const systems = metadata("out/waves.checkpoint").at("systems");
  EXPECT_GT(systems, 0);
  words.insert(words.end(), {"--restart", "out/waves.checkpoint"});
  place_.write(".err", "");  // interrupted() waits for the progress of the second run
  EXPECT_EQ(interrupted(words, SIGTERM).exit_code, 143);
  EXPECT_GT(metadata("out/waves.checkpoint").at("systems").get<int>(), systems);
  EXPECT_EQ(metadata("out/waves.checkpoint.previous").at("systems").get<int>(), systems);
  words.resize(words.size() - 2);
  keeps_its_folder(words);
}

TEST_F(WavesCheckpoint, ASignalLeavesTheComponentsThatAreDone) {
  place_.write("case.json", small_wave_cases().at(3));
  std::vector<std::string> const words{"--output", "out",
                                       "--set",    "/waves/count=10000",
                                       "--set",    "/mesh/back_size=2",
                                       "--set",    "/mesh/sea_size=2",
                                       "--set",    "/solver/checkpoint_every=0"};
  Outcome const stopped = interrupted(words, SIGHUP);
  EXPECT_EQ(stopped.exit_code, 129) << stopped.err;
  EXPECT_NE(stopped.err.find(" of 10000 components; continue with --restart out/waves.checkpoint\n"), std::string::npos)
      << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/waves.checkpoint.previous"))) << "only where it was stopped";
  json const state = metadata("out/waves.checkpoint");
  int const finished = state.at("finished");
  EXPECT_GE(finished, 1);
  EXPECT_LT(finished, 10000);
  EXPECT_EQ(state.at("kept").size(), 1u) << "the one with the largest response";
}

}  // namespace waves_checkpoint_test
