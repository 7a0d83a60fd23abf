// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps over a wind rose: files, classes, interruption.
#include "apps/common/command_of.hpp"
#include "apps/common/small_case.hpp"
#include "wind/output/comfort.hpp"
#include "xdmf_references.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

namespace wind_sweep_command_test {

using namespace karman::test;
using karman::Hdf5File;

constexpr char const* no_watch = "/outputs={\"compression\": 0}";

class SweepCommand : public CommandOf {
 protected:
  SweepCommand() : CommandOf("wind", small_wind_case) {}

  /// A run of the small case with this sweep.
  Outcome sweep(std::string const& text, std::vector<std::string> more = {"--output", "out"}) {
    more.insert(more.end(), {"--set", no_watch, "--set", "/solver/method=mg_pcg", "--set", "/sweep=" + text});
    return run(more);
  }
};

std::string const rose = R"({"height": 3, "rose": {"kind": "weibull", "reference_height": 10, "sectors": [
    {"direction": 270, "frequency": 0.6, "scale": 6, "shape": 2}, {"direction": 30, "frequency": 0.3, "scale": 4, "shape": 1.8}]}})";

std::vector<float> floats(Hdf5File const& file, char const* name) { return file.read_vector<float>(name); }

TEST_F(SweepCommand, HasMapsOfEveryDirectionAndTheClassesThatFollow) {
  Outcome const outcome = sweep(rose);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("2 directions"), std::string::npos) << outcome.out;
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/wind.h5")));
  Hdf5File const file = Hdf5File::open(place_.path("out/sweep.h5"));
  EXPECT_EQ(file.read_string("/", "format"), "karman.wind_sweep");
  auto const directions = file.read_table("/directions");
  EXPECT_EQ(directions.column("direction"), (std::vector<double>{270, 30}));
  std::filesystem::path const description = place_.path("out/sweep.xdmf");
  EXPECT_EQ(karman::test::check_xdmf_references(description, "/speed_ratio"), (std::vector<double>{30, 270}))
      << "ascending";
  std::string const text = karman::read_text_file(description);
  EXPECT_LT(text.find("sweep.h5:/steps/1<"), text.find("sweep.h5:/steps/0<")) << "30 degrees is the second map";
  for (char const* name : {"speed ratio", "nen8100", "lawson", "danger"})
    EXPECT_NE(text.find("Attribute Name=\"" + std::string(name)), std::string::npos) << name;
  for (double left : directions.column("relative_divergence")) EXPECT_LE(left, 1e-9);
  auto const ratio = floats(file, "/speed_ratio");
  std::size_t const size = ratio.size() / 2;
  auto const lawson = file.read_vector<std::uint8_t>("/comfort/lawson");
  auto const nen = file.read_vector<std::uint8_t>("/comfort/nen8100");
  auto const above = floats(file, "/comfort/above_5");
  ASSERT_EQ(lawson.size(), size);
  std::vector<karman::wind::Sector> const sectors{{270, 0.6, 6, 2}, {30, 0.3, 4, 1.8}};
  int solid = 0;
  float lowest = 10, highest = 0;
  for (std::size_t cell = 0; cell < size; ++cell) {
    EXPECT_EQ(std::isnan(ratio[cell]), std::isnan(ratio[size + cell]));
    if (std::isnan(ratio[cell])) {
      ++solid;
      EXPECT_EQ(lawson[cell], karman::wind::no_class);
      EXPECT_TRUE(std::isnan(above[cell]));
      continue;
    }
    lowest = std::fmin(lowest, ratio[cell]);
    highest = std::fmax(highest, ratio[cell]);
    auto const comfort = comfort_of(sectors, std::vector<float>{ratio[cell], ratio[size + cell]});
    EXPECT_EQ(lawson[cell], static_cast<std::uint8_t>(comfort.lawson));
    EXPECT_EQ(nen[cell], static_cast<std::uint8_t>(comfort.nen));
    EXPECT_NEAR(above[cell], exceedance(sectors, std::vector<float>{ratio[cell], ratio[size + cell]}, 5), 1e-6);
  }
  EXPECT_GT(solid, 10);
  EXPECT_LT(lowest, 0.2) << "shelter behind the buildings";
  EXPECT_GT(highest, 0.7);
}

/// The field is proportional to the speed of the profile, so the ratios do not depend on it.
TEST_F(SweepCommand, TheSpeedOfTheProfileHasNoEffect) {
  ASSERT_EQ(sweep(R"({"rose": {"kind": "even", "count": 3}})").exit_code, 0);
  ASSERT_EQ(sweep(R"({"rose": {"kind": "even", "count": 3}})",
                  {"--output", "fast", "--set", "/wind/profile/speed=20", "--set", "/wind/direction=77"})
                .exit_code,
            0);
  auto const slow = floats(Hdf5File::open(place_.path("out/sweep.h5")), "/speed_ratio");
  auto const fast = floats(Hdf5File::open(place_.path("fast/sweep.h5")), "/speed_ratio");
  ASSERT_EQ(slow.size(), fast.size());
  for (std::size_t n = 0; n < slow.size(); ++n) {
    if (std::isnan(slow[n])) continue;
    ASSERT_NEAR(slow[n], fast[n], 1e-6);
  }
  EXPECT_FALSE(Hdf5File::open(place_.path("out/sweep.h5")).exists("/comfort"));
}

TEST_F(SweepCommand, AnInterruptedSweepGoesOnToTheSameBits) {
  std::string const many = R"({"rose": {"kind": "even", "count": 24}})";
  pid_t const process =
      place_.start({"wind", "case.json", "--output", "out", "--set", no_watch, "--set", "/solver/method=mg_pcg",
                    "--set", "/solver/checkpoint_every=1e-6", "--set", "/sweep=" + many});
  // The first direction leaves a checkpoint; the signal falls into one of the next.
  auto const begin = std::chrono::steady_clock::now();
  while (!std::filesystem::exists(place_.path("out/sweep.checkpoint")) &&
         std::chrono::steady_clock::now() - begin < std::chrono::seconds(60)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ::kill(process, SIGINT);
  Outcome const stopped = place_.wait(process);
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("--restart out/sweep.checkpoint"), std::string::npos) << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/sweep.h5")));
  Outcome const on = continued(stopped);
  ASSERT_EQ(on.exit_code, 0) << on.err;
  ASSERT_EQ(sweep(many, {"--output", "whole"}).exit_code, 0);
  Hdf5File const one = Hdf5File::open(place_.path("out/sweep.h5"));
  Hdf5File const other = Hdf5File::open(place_.path("whole/sweep.h5"));
  auto const ratios = floats(one, "/speed_ratio");
  auto const whole = floats(other, "/speed_ratio");
  ASSERT_EQ(ratios.size(), whole.size());
  for (std::size_t n = 0; n < ratios.size(); ++n) {
    // Solid cells are not a number in both.
    ASSERT_TRUE(ratios[n] == whole[n] || (std::isnan(ratios[n]) && std::isnan(whole[n]))) << n;
  }
  // The elapsed time has that of the stopped run.
  EXPECT_GE(one.read_double("/timings", "solve"), one.read_double("/timings", "solve_summed"));
  EXPECT_GT(one.read_double("/timings", "solve_summed"), 0);
  // Another rose is another sweep.
  Outcome const wrong =
      sweep(R"({"rose": {"kind": "even", "count": 7}})", {"--output", "other", "--restart", "out/sweep.checkpoint"});
  EXPECT_EQ(wrong.exit_code, 2) << wrong.err;
  EXPECT_NE(wrong.err.find("/sweep/rose/count"), std::string::npos) << wrong.err;
}

TEST_F(SweepCommand, ASweepAtItsLastIterationContinues) {
  std::string const two = R"({"rose": {"kind": "even", "count": 2}})";
  ASSERT_EQ(sweep(two, {"--output", "whole"}).exit_code, 0);
  auto const whole = Hdf5File::open(place_.path("whole/sweep.h5")).read_table("/directions").column("iterations");
  double const few = std::max(whole[0], whole[1]) / 2;
  // The command doubles the limit until it suffices.
  Outcome outcome = sweep(two, {"--output", "out", "--set", "/solver/max_iterations=" + std::to_string(int(few))});
  int runs = 1;
  for (; outcome.exit_code == 3 && runs < 6; ++runs) {
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    outcome = continued(outcome);
  }
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GE(runs, 2);
  Hdf5File const file = Hdf5File::open(place_.path("out/sweep.h5"));
  EXPECT_EQ(file.read_table("/directions").column("iterations"), whole) << "each was solved as a whole";
  auto const ratios = floats(file, "/speed_ratio");
  auto const expected = floats(Hdf5File::open(place_.path("whole/sweep.h5")), "/speed_ratio");
  ASSERT_EQ(ratios.size(), expected.size());
  for (std::size_t n = 0; n < ratios.size(); ++n)
    ASSERT_TRUE(ratios[n] == expected[n] || (std::isnan(ratios[n]) && std::isnan(expected[n]))) << n;
}

TEST_F(SweepCommand, OneRunAtATimeWritesIntoAFolder) {
  keeps_its_folder(
      {"--output", "out", "--set", no_watch, "--set", "/solver/omega=0.001", "--set", "/solver/tolerance=1e-14",
       "--set", "/solver/max_iterations=100000000", "--set", R"(/sweep={"rose": {"kind": "even", "count": 4}})"},
      false);
}

/// Two sensors far apart over flat ground: the divergence of the initial field is near the rounding.
TEST_F(SweepCommand, AnAutomaticToleranceEndsAtTheRounding) {
  auto const sensors = [&](std::string const& folder, std::vector<std::string> more) {
    std::vector<std::string> const values{
        R"(/domain={"cells":[100,100],"spacing":[30,30],"layers":{"kind":"uniform","count":20,"thickness":5}})",
        R"(/wind={"sensors":[
          {"name":"a","position":[50,50],"direction":270,"profile":{"kind":"log","speed":3,"height":10,"roughness":0.1}},
          {"name":"b","position":[2950,2950],"direction":300,
           "profile":{"kind":"log","speed":4,"height":10,"roughness":0.1}}]})",
        "/buildings=[]",
        "/outputs={}",
        "/solver/precision=f32",
        "/solver/method=mg_pcg"};
    for (std::string const& value : values) more.insert(more.end(), {"--set", value});
    more.insert(more.end(), {"--output", folder});
    return run(more);
  };
  Outcome const automatic = sensors("automatic", {"--set", "/solver/tolerance=auto"});
  EXPECT_EQ(automatic.exit_code, 0) << automatic.err;
  EXPECT_TRUE(automatic.err.empty()) << automatic.err;
  EXPECT_NE(automatic.out.find("max |div u| dx / U is "), std::string::npos) << automatic.out;
  EXPECT_EQ(Hdf5File::open(place_.path("automatic/wind.h5")).read_integer("/", "converged"), 1);
  // Below the rounding on every backend.
  Outcome const asked = sensors("asked", {"--set", "/solver/tolerance=1e-8"});
  EXPECT_EQ(asked.exit_code, 3) << asked.err;
  EXPECT_NE(asked.err.find("single precision is exhausted"), std::string::npos) << asked.err;
}

TEST_F(SweepCommand, OverwritingLeavesNoResultsOfAnotherKindOfRun) {
  auto const has = [&](std::string const& name) { return std::filesystem::exists(place_.path("out/" + name)); };
  std::string const probe =
      R"({"name": "NAME", "kind": "line", "from": [80, -40, 5], "to": [160, -40, 5], "samples": 5})";
  auto const with_line = [&](std::string name) {
    std::string text = probe;
    text.replace(text.find("NAME"), 4, name);
    return run({"--output", "out", "--overwrite", "--set", "/outputs={\"probes\": [" + text + "]}"});
  };
  Outcome const first = with_line("one");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  place_.write("out/notes.csv", "mine\n");
  EXPECT_TRUE(has("line_one.csv") && has("wind.h5"));
  ASSERT_EQ(with_line("two").exit_code, 0);
  EXPECT_TRUE(has("line_two.csv") && has("wind.h5") && has("wind.xdmf") && has("history.csv"));
  EXPECT_FALSE(has("line_one.csv"));
  ASSERT_EQ(sweep(rose, {"--output", "out", "--overwrite"}).exit_code, 0);
  EXPECT_TRUE(has("sweep.h5") && has("sweep.xdmf"));
  for (char const* earlier : {"line_two.csv", "wind.h5", "wind.xdmf", "history.csv"})
    EXPECT_FALSE(has(earlier)) << earlier;
  ASSERT_EQ(with_line("three").exit_code, 0);
  EXPECT_TRUE(has("line_three.csv") && has("notes.csv"));
  EXPECT_FALSE(has("sweep.h5") || has("sweep.xdmf"));
}

}  // namespace wind_sweep_command_test
