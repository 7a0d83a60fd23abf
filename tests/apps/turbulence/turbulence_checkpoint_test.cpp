// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints of karman turbulence: after a signal, and while running; restarts, refusals, fall-back to the
// predecessor.
#include "apps/common/command_of.hpp"
#include "apps/common/result_content.hpp"
#include "small_turbulence_case.hpp"
#include <karman/io/checkpoint.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace turbulence_checkpoint_test {

using namespace karman::test;
using karman::Checkpoint;
using karman::CheckpointFormat;
using nlohmann::json;

CheckpointFormat const format{"karman.turbulence", 1};

class TurbulenceCheckpoint : public CommandOf {
 protected:
  TurbulenceCheckpoint() : CommandOf("turbulence", small_turbulence_case) {}

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
      EXPECT_EQ(karman::Hdf5File::open(place_.path(a + name)).info("/fields/vorticity").type,
                karman::Hdf5File::open(place_.path(b + name)).info("/fields/vorticity").type);
      EXPECT_EQ(frame_bits(a + name), frame_bits(b + name));
      ++frames;
    }
    EXPECT_EQ(frames, 5) << "the start and four frames";
    EXPECT_EQ(content(place_.path(a + "/frames.xdmf")), content(place_.path(b + "/frames.xdmf")));
  }

  std::vector<double> frame_bits(std::string const& name) const {
    auto const file = karman::Hdf5File::open(place_.path(name));
    auto const field = std::string("/fields/vorticity");
    if (file.info(field).type == karman::ScalarType::float64) return file.read_vector<double>(field);
    auto const values = file.read_vector<float>(field);
    return {values.begin(), values.end()};
  }

  /// Compares a run with checkpoints with restarts from its last one and from the one before.
  void goes_on_to_the_same_bits(std::vector<std::string> const& words) {
    for (char const* folder : {"whole", "out", "on"}) std::filesystem::remove_all(place_.path(folder));
    Outcome const first = run_with_checkpoints("out", words);
    ASSERT_EQ(first.exit_code, 0) << first.err;
    // Checkpoints leave no trace in the flow.
    std::vector<std::string> plain = words;
    plain.insert(plain.end(), {"--output", "whole"});
    ASSERT_EQ(run(plain).exit_code, 0);
    EXPECT_FALSE(std::filesystem::exists(place_.path("whole/turbulence.checkpoint"))) << "none was asked for";
    expect_same_result(place_.path("whole/turbulence.h5"), place_.path("out/turbulence.h5"));
    EXPECT_LT(metadata("out/turbulence.checkpoint.previous").at("step"),
              metadata("out/turbulence.checkpoint").at("step"));
    for (char const* file : {"turbulence.checkpoint", "turbulence.checkpoint.previous"}) {
      std::filesystem::remove_all(place_.path("on"));
      std::filesystem::copy(place_.path("out"), place_.path("on"), std::filesystem::copy_options::recursive);
      std::vector<std::string> on = words;
      on.insert(on.end(), {"--output", "on", "--overwrite", "--restart", std::string("on/") + file, "--set",
                           "/solver/checkpoint_every=1e-9"});
      Outcome const outcome = run(on);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_TRUE(outcome.err.empty()) << outcome.err;
      expect_same_result(place_.path("on/turbulence.h5"), place_.path("out/turbulence.h5"));
      for (char const* text : {"turbulence.xdmf", "history.csv", "spectra.csv", "histogram.csv"})
        EXPECT_EQ(content(place_.path(std::string("on/") + text)), content(place_.path(std::string("out/") + text)));
      expect_same_frames("on", "out");
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

TEST_F(TurbulenceCheckpoint, OfForcedTurbulence) { goes_on_to_the_same_bits({}); }

TEST_F(TurbulenceCheckpoint, OfOtherMethods) {
  for (char const* method : {"low_storage_rk3", "crank_nicolson_rk54", "crank_nicolson_rk3", "etdrk4"})
    goes_on_to_the_same_bits({"--set", std::string("/solver/method=") + method, "--set", "/time/cfl=0.5"});
}

TEST_F(TurbulenceCheckpoint, OfOtherForcings) {
  goes_on_to_the_same_bits({"--set", R"(/forcing={"kind":"single","wavenumber":4,"energy_rate":0.2})"});
  goes_on_to_the_same_bits({"--set", R"(/forcing={"kind":"kolmogorov","wavenumber":4})", "--set", "/time/cfl=auto"});
}

TEST_F(TurbulenceCheckpoint, OfFixedStepsWithFading) {
  goes_on_to_the_same_bits({"--set", R"(/time={"kind":"fixed","dt":0.03,"end":2,"frames":4,"averages_from":1})",
                            "--set", "/solver/dealiasing=exponential"});
}

TEST_F(TurbulenceCheckpoint, InSinglePrecision) { goes_on_to_the_same_bits({"--set", "/solver/precision=f32"}); }

TEST_F(TurbulenceCheckpoint, WhatDoesNotChangeTheFlowMayDiffer) {
  ASSERT_EQ(run_with_checkpoints("out", {}).exit_code, 0);
  Outcome const outcome = run({"--output", "on", "--restart", "out/turbulence.checkpoint", "--set", "/title=Another",
                               "--set", R"(/outputs/fields=["velocity"])", "--set", "/time/end=2.5"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(karman::Hdf5File::open(place_.path("on/turbulence.h5")).read_double("/", "time"), 2.5);
  // A run in another folder begins its frames at the checkpoint.
  EXPECT_EQ(karman::Hdf5File::open(place_.path("on/frames/frame_000000.h5")).list("/fields").size(), 1u);
}

TEST_F(TurbulenceCheckpoint, FallsBackToTheOneBefore) {
  ASSERT_EQ(run_with_checkpoints("out", {}).exit_code, 0);
  auto const takes_the_one_before = [&] {
    Outcome const outcome = run({"--output", "on", "--overwrite", "--restart", "out/turbulence.checkpoint"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(".previous"), std::string::npos) << outcome.err;
    EXPECT_EQ(karman::Hdf5File::open(place_.path("on/turbulence.h5")).read_vector<double>("/fields/vorticity"),
              karman::Hdf5File::open(place_.path("out/turbulence.h5")).read_vector<double>("/fields/vorticity"));
  };
  std::string bytes = content(place_.path("out/turbulence.checkpoint"));
  bytes[bytes.size() / 2] ^= 1;
  place_.write("out/turbulence.checkpoint", bytes);
  takes_the_one_before();
  std::filesystem::remove(place_.path("out/turbulence.checkpoint"));
  takes_the_one_before();
  std::filesystem::remove(place_.path("out/turbulence.checkpoint.previous"));
  refused("out/turbulence.checkpoint", 4, "out/turbulence.checkpoint");
}

TEST_F(TurbulenceCheckpoint, OfAnotherCaseIsRefused) {
  ASSERT_EQ(run_with_checkpoints("out", {}).exit_code, 0);
  std::string const file = "out/turbulence.checkpoint";
  refused(file, 2, "/domain/points", {"--set", "/domain/points/0=36"});
  refused(file, 2, "/terms/viscosity", {"--set", "/terms/viscosity=2e-3"});
  refused(file, 2, "/forcing/seed", {"--set", "/forcing/seed=4"});
  refused(file, 2, "/time/cfl", {"--set", "/time/cfl=0.4"});
  refused(file, 2, "expected \"f64\" as in the checkpoint " + file, {"--set", "/solver/precision=f32"});
  refused(file, 2, "/time/end", {"--set", "/time/end=1"});
}

TEST_F(TurbulenceCheckpoint, OneRunAtATimeWritesIntoItsFolder) {
  keeps_its_folder({"--output", "out", "--set", "/time/end=1e6", "--set", "/time/frames=0"});
}

TEST_F(TurbulenceCheckpoint, InvalidCheckpointsAreRefused) {
  ASSERT_EQ(run_with_checkpoints("out", {}).exit_code, 0);
  std::string bytes = content(place_.path("out/turbulence.checkpoint"));
  bytes[bytes.size() / 2] ^= 1;
  place_.write("damaged", bytes);
  place_.write("cut", content(place_.path("out/turbulence.checkpoint")).substr(0, 3000));
  place_.write("rubbish", "not a checkpoint");
  for (char const* file : {"damaged", "cut", "rubbish", "nowhere", "out/turbulence.h5"}) refused(file, 4, file);
}

TEST_F(TurbulenceCheckpoint, ASignalWritesOneAndTheRestartEndsAsIfThereHadBeenNone) {
  std::vector<std::string> const words{"--set", "/domain/points=[96,96]", "--set", "/time/end=20",
                                       "--set", "/time/frames=40"};
  std::vector<std::string> first = words;
  first.insert(first.end(), {"--output", "out"});
  Outcome const stopped = interrupted(first, SIGTERM);
  ASSERT_EQ(stopped.exit_code, 143) << stopped.err;
  EXPECT_NE(stopped.err.find("--restart out/turbulence.checkpoint"), std::string::npos) << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/turbulence.h5")));
  std::vector<std::string> on = first;
  on.insert(on.end(), {"--restart", "out/turbulence.checkpoint"});
  Outcome const outcome = run(on);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::vector<std::string> whole = words;
  whole.insert(whole.end(), {"--output", "whole"});
  ASSERT_EQ(run(whole).exit_code, 0);
  expect_same_result(place_.path("out/turbulence.h5"), place_.path("whole/turbulence.h5"));
}

}  // namespace turbulence_checkpoint_test
