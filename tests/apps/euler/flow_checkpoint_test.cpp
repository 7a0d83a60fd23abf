// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints of karman euler: after a signal, and while running; restarts, refusals, fall-back to the predecessor.
#include "apps/common/command_of.hpp"
#include "apps/common/result_content.hpp"
#include "small_flow_case.hpp"
#include <karman/io/checkpoint.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace flow_checkpoint_test {

using namespace karman::test;
using karman::Checkpoint;
using karman::CheckpointFormat;
using nlohmann::json;

CheckpointFormat const format{"karman.euler", 1};

class FlowCheckpoint : public CommandOf {
 protected:
  FlowCheckpoint() : CommandOf("euler", small_flow_case) {}

  /// Runs with a checkpoint after every check; the last two stay in the folder.
  Outcome run_with_checkpoints(std::string const& folder, std::vector<std::string> words) {
    words.insert(words.end(), {"--output", folder, "--set", "/solver/checkpoint_every=1e-9"});
    return run(words);
  }

  json metadata(std::string const& file) const {
    return json::parse(Checkpoint::open(place_.path(file), format).metadata());
  }

  void expect_same_frames(std::string const& a, std::string const& b) {
    int frames = 0;
    for (auto const& entry : std::filesystem::directory_iterator(place_.path(a + "/frames"))) {
      std::string const name = "/frames/" + entry.path().filename().string();
      if (name != "/frames/mesh.h5") expect_same_result(place_.path(a + name), place_.path(b + name));
      ++frames;
    }
    EXPECT_EQ(frames, 6) << "the mesh, the start and four frames";
    EXPECT_EQ(content(place_.path(a + "/frames.xdmf")), content(place_.path(b + "/frames.xdmf")));
  }

  /// Compares a run with checkpoints with restarts from its last one and from the one before.
  void goes_on_to_the_same_bits(std::vector<std::string> const& words, bool has_frames = true,
                                std::string const& remark = "") {
    for (char const* folder : {"whole", "out", "on"}) std::filesystem::remove_all(place_.path(folder));
    ASSERT_EQ(run_with_checkpoints("out", words).exit_code, 0);
    // Checkpoints leave no trace in the flow.
    std::vector<std::string> plain = words;
    plain.insert(plain.end(), {"--output", "whole"});
    ASSERT_EQ(run(plain).exit_code, 0);
    EXPECT_EQ(std::filesystem::exists(place_.path("whole/euler.checkpoint")), !has_frames)
        << "none was asked for; a steady march leaves one";
    expect_same_result(place_.path("whole/euler.h5"), place_.path("out/euler.h5"));
    EXPECT_LT(metadata("out/euler.checkpoint.previous").at("step"), metadata("out/euler.checkpoint").at("step"));
    for (char const* file : {"euler.checkpoint", "euler.checkpoint.previous"}) {
      std::filesystem::remove_all(place_.path("on"));
      std::filesystem::copy(place_.path("out"), place_.path("on"), std::filesystem::copy_options::recursive);
      std::vector<std::string> on = words;
      on.insert(on.end(), {"--output", "on", "--overwrite", "--restart", std::string("on/") + file, "--set",
                           "/solver/checkpoint_every=1e-9"});
      Outcome const outcome = run(on);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      if (remark.empty()) EXPECT_TRUE(outcome.err.empty()) << outcome.err;
      else EXPECT_TRUE(outcome.err.starts_with(remark) && line_count(outcome.err) == 1) << outcome.err;
      expect_same_result(place_.path("on/euler.h5"), place_.path("out/euler.h5"));
      for (char const* text : {"euler.xdmf", "history.csv", "gauges.csv", "walls.csv"})
        EXPECT_EQ(content(place_.path(std::string("on/") + text)), content(place_.path(std::string("out/") + text)));
      if (has_frames) expect_same_frames("on", "out");
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

TEST_F(FlowCheckpoint, OfAFlowInTime) { goes_on_to_the_same_bits({}); }

TEST_F(FlowCheckpoint, OfAMovingBody) {
  place_.write("case.json", R"({ "mesh": { "kind": "rectangle", "high": [2, 1], "size": 0.1 },
    "flow": { "pressure": 1, "density": 1.4, "velocity": [0, 0] }, "boundaries": { "others": { "kind": "wall" } },
    "motion": { "body": ["west"], "sliding": ["south", "north"], "surge": { "speed": 0.3 } },
    "time": { "kind": "transient", "end": 0.4, "frames": 4 }, "gauges": [{ "name": "end", "at": [2, 0.5] }],
    "outputs": { "history_every": 2 } })");
  goes_on_to_the_same_bits({});
}

/// Periodic sides, floors that act, and a wave that enters through the moving body.
TEST_F(FlowCheckpoint, OfAMovingBodyBetweenPeriodicSides) {
  place_.write("case.json", R"json({ "mesh": { "kind": "rectangle", "high": [2, 1], "size": 0.1 },
    "flow": { "pressure": 1, "density": 1.4, "velocity": [0.5, 0] }, "periodic": [["south", "north"]],
    "boundaries": { "east": { "kind": "far_field" }, "west": { "kind": "far_field", "state": { "pressure": 1,
      "density": "1.4 + 0.3 * sin(9 * (x - 0.5 * t))", "velocity": [0.5, 0] } } }, "scheme": { "density_floor": 1.3 },
    "motion": { "body": ["west"], "surge": { "amplitude": 0.1, "frequency": 2 }, "plunge": { "speed": 0.2 } },
    "time": { "kind": "transient", "end": 0.4, "frames": 4 }, "gauges": [{ "name": "end", "at": [2, 0.5] }],
    "outputs": { "history_every": 2 } })json");
  goes_on_to_the_same_bits({}, true, "karman euler: floors changed nodes ");
}

TEST_F(FlowCheckpoint, OfOtherMethods) {
  for (char const* method : {"ssp_rk3", "low_storage_rk54"})
    goes_on_to_the_same_bits({"--set", std::string("/time/method=") + method});
  // Checkpoints after each row: at the last frame one step is still to come, before it the multistep march is under
  // way.
  std::vector<std::string> const adams{"--set", "/time/method=adams_bashforth4", "--set", "/time/cfl=0.3", "--set"};
  for (char const* rows : {"/outputs/history_every=1", "/outputs/history_every=3"}) {
    std::vector<std::string> words = adams;
    words.push_back(rows);
    goes_on_to_the_same_bits(words);
    EXPECT_TRUE(Checkpoint::open(place_.path("out/euler.checkpoint"), format).has("former"));
  }
}

TEST_F(FlowCheckpoint, InSinglePrecision) { goes_on_to_the_same_bits({"--set", "/solver/precision=f32"}); }

TEST_F(FlowCheckpoint, OfASteadyMarch) {
  goes_on_to_the_same_bits({"--set", R"(/time={"kind":"steady","residual":1e-12,"force_change":1,"window":60})",
                            "--set", "/outputs/history_every=10"},
                           false);
}

TEST_F(FlowCheckpoint, ASteadyMarchAtItsLastStepContinues) {
  std::vector<std::string> words{
      "--output", "out", "--set", R"(/time={"kind":"steady","max_steps":20})", "--set", "/outputs/history_every=10"};
  Outcome const first = not_converged(words);
  EXPECT_EQ(metadata("out/euler.checkpoint").at("step"), 20);
  Outcome const second = continued(first);
  EXPECT_EQ(second.exit_code, 3) << second.err;
  EXPECT_NE(second.err.find("after 40 steps"), std::string::npos) << second.err;
  words[1] = "whole";
  words[3] = R"(/time={"kind":"steady","max_steps":40})";
  not_converged(words);
  expect_same_result(place_.path("out/euler.h5"), place_.path("whole/euler.h5"));
}

TEST_F(FlowCheckpoint, OneRunAtATimeWritesIntoItsFolder) {
  keeps_its_folder({"--output", "out", "--set", "/time/end=1e6", "--set", "/time/frames=0"});
}

TEST_F(FlowCheckpoint, ANewRunRemovesTheFilesOfAKilledOne) {
  std::string const left = left_by_a_killed_process();
  std::filesystem::create_directories(place_.path("out/frames"));
  place_.write("out/.euler.h5" + left, "half");
  place_.write("out/frames/.frame_000077.h5" + left, "half");
  ASSERT_EQ(run({"--output", "out"}).exit_code, 4) << "it is not empty";
  ASSERT_EQ(run({"--output", "out", "--overwrite"}).exit_code, 0);
  for (auto const& entry : std::filesystem::recursive_directory_iterator(place_.path("out")))
    EXPECT_NE(entry.path().extension(), ".partial") << entry.path();
}

TEST_F(FlowCheckpoint, WhatDoesNotChangeTheFlowMayDiffer) {
  ASSERT_EQ(run_with_checkpoints("out", {}).exit_code, 0);
  Outcome const outcome = run({"--output", "on", "--restart", "out/euler.checkpoint", "--set", "/title=Another",
                               "--set", R"(/outputs/fields=["mach"])", "--set", "/time/end=0.5"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  auto const file = karman::Hdf5File::open(place_.path("on/euler.h5"));
  EXPECT_EQ(file.list("/fields").size(), 1u);
  EXPECT_EQ(file.read_double("/", "time"), 0.5);
  // A run in another folder begins its frames at the checkpoint.
  EXPECT_TRUE(std::filesystem::exists(place_.path("on/frames/frame_000000.h5")));
}

TEST_F(FlowCheckpoint, FallsBackToTheOneBefore) {
  ASSERT_EQ(run_with_checkpoints("out", {}).exit_code, 0);
  auto const takes_the_one_before = [&] {
    Outcome const outcome = run({"--output", "on", "--overwrite", "--restart", "out/euler.checkpoint"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(".previous"), std::string::npos) << outcome.err;
    EXPECT_EQ(karman::Hdf5File::open(place_.path("on/euler.h5")).read_vector<double>("/fields/density"),
              karman::Hdf5File::open(place_.path("out/euler.h5")).read_vector<double>("/fields/density"));
  };
  std::string bytes = content(place_.path("out/euler.checkpoint"));
  bytes[bytes.size() / 2] ^= 1;
  place_.write("out/euler.checkpoint", bytes);
  takes_the_one_before();
  std::filesystem::remove(place_.path("out/euler.checkpoint"));
  takes_the_one_before();
  std::filesystem::remove(place_.path("out/euler.checkpoint.previous"));
  refused("out/euler.checkpoint", 4, "out/euler.checkpoint");
}

TEST_F(FlowCheckpoint, OfAnotherCaseIsRefused) {
  ASSERT_EQ(run_with_checkpoints("out", {}).exit_code, 0);
  std::string const file = "out/euler.checkpoint";
  refused(file, 2, "/mesh/size", {"--set", "/mesh/size=0.2"});
  refused(file, 2, "/flow/pressure", {"--set", "/flow/pressure=2"});
  refused(file, 2, "/time/cfl", {"--set", "/time/cfl=0.4"});
  refused(file, 2, "expected \"f64\" as in the checkpoint " + file, {"--set", "/solver/precision=f32"});
  refused(file, 2, "/gauges", {"--set", "/gauges=[]"});
  refused(file, 2, "/time/end", {"--set", "/time/end=0.2"});
}

TEST_F(FlowCheckpoint, OfAnotherMeshFileIsRefused) {
  write_small_flow_files(place_.path("."));
  place_.write("case.json", small_flow_cases().back());
  ASSERT_EQ(run_with_checkpoints("out", {"--set", "/outputs/history_every=1"}).exit_code, 0);
  auto mesh = karman::mesh_rectangle({{0, 0}, {2, 1}, 0.25, karman::DiagonalPattern::alternating});
  mesh.nodes[20][0] += 0.01;
  karman::MeshWriteOptions overwriting;
  overwriting.overwrite = karman::Overwrite::yes;
  karman::write_mesh(place_.path("small.mesh"), mesh, overwriting);
  refused("out/euler.checkpoint", 2, "/mesh", {"--set", "/outputs/history_every=1"});
}

TEST_F(FlowCheckpoint, InvalidCheckpointsAreRefused) {
  ASSERT_EQ(run_with_checkpoints("out", {}).exit_code, 0);
  std::string bytes = content(place_.path("out/euler.checkpoint"));
  bytes[bytes.size() / 2] ^= 1;
  place_.write("damaged", bytes);
  place_.write("cut", content(place_.path("out/euler.checkpoint")).substr(0, 5000));
  place_.write("rubbish", "not a checkpoint");
  for (char const* file : {"damaged", "cut", "rubbish", "nowhere", "out/euler.h5"}) refused(file, 4, file);
  std::string const good = Checkpoint::open(place_.path("out/euler.checkpoint"), format).metadata();
  auto const written = [&](json const& metadata, std::vector<karman::CheckpointArray> const& arrays) {
    karman::write_checkpoint(place_.path("odd"), format, metadata.dump(), arrays);
    refused("odd", 4, "odd");
  };
  written(json::object(), {});
  written(json::parse(good), {});
  std::vector<double> const few(8, 1.0);
  written(json::parse(good), {{"conservative", {few.data(), {4, 2}}}});
  json changed = json::parse(good);
  changed.at("step") = -3;
  written(changed, {});
}

TEST_F(FlowCheckpoint, ASignalLeavesOne) {
  std::vector<std::string> words{"--output", "out", "--set", "/time/end=1e6", "--set", "/time/frames=0"};
  Outcome const stopped = interrupted(words);
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("karman euler: stopped by a signal at step "), std::string::npos) << stopped.err;
  EXPECT_NE(stopped.err.find("; continue with --restart out/euler.checkpoint\n"), std::string::npos) << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/euler.h5")));
  int const step = metadata("out/euler.checkpoint").at("step");
  EXPECT_GT(step, 0);
  words.insert(words.end(), {"--restart", "out/euler.checkpoint"});
  place_.write(".err", "");  // interrupted() waits for the progress of the second run
  EXPECT_EQ(interrupted(words, SIGTERM).exit_code, 143);
  EXPECT_GT(metadata("out/euler.checkpoint").at("step").get<int>(), step);
}

}  // namespace flow_checkpoint_test
