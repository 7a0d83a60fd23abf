// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command under conditions of the machine: closed and full streams, exhausted memory, signals, threads, other load.
#include "apps/poisson/small_poisson_case.hpp"
#include "command_of.hpp"
#include "small_case.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace command_machine_test {

using namespace karman::test;
using karman::Hdf5File;
using nlohmann::json;

/// Arguments of a run that would take very long.
std::vector<std::string> const endless{"--output", "out",
                                       "--set",    "/solver/omega=0.001",
                                       "--set",    "/solver/max_iterations=100000000",
                                       "--set",    "/solver/tolerance=1e-14"};

class CommandMachine : public CommandOf {
 protected:
  CommandMachine() : CommandOf("wind", small_wind_case) {}

  std::vector<double> velocity(std::string const& folder) const {
    return Hdf5File::open(place_.path(folder + "/wind.h5")).read_vector<double>("/cells/velocity");
  }

  /// No environment variable that sets the wait policy.
  static Conditions no_wait_policy() {
    Conditions conditions;
    conditions.environment = {{"OMP_WAIT_POLICY", {}}, {"GOMP_SPINCOUNT", {}}, {"KMP_BLOCKTIME", {}}};
    return conditions;
  }

  json info(Conditions const& conditions, std::vector<std::string> const& more = {}) const {
    std::vector<std::string> words{"info", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    Outcome const outcome = place_.karman(words, conditions);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  }
};

TEST_F(CommandMachine, WhatIsPrintedNeverReachesAResultFile) {
  ASSERT_EQ(run({"--output", "whole"}).exit_code, 0);
  auto const expected = velocity("whole");
  for (std::vector<int> const& closed : {std::vector{2}, {1}, {0}, {1, 2}, {0, 1, 2}}) {
    std::string folder = "closed";
    for (int const descriptor : closed) (folder += '-') += std::to_string(descriptor);
    Conditions conditions;
    conditions.closed = closed;
    Outcome const outcome = place_.karman({"wind", "case.json", "--output", folder, "--progress", "json"}, conditions);
    EXPECT_EQ(outcome.exit_code, 0) << folder << outcome.err;
    EXPECT_EQ(velocity(folder), expected) << folder;
  }
}

TEST_F(CommandMachine, ClosedDescriptorsAreTakenBeforeAnyFileIsOpened) {
  std::vector<std::string> words{"wind", "case.json"};
  words.insert(words.end(), endless.begin(), endless.end());
  Conditions conditions;
  conditions.closed = {0, 1, 2};
  pid_t const process = place_.start(words, conditions);
  for (int wait = 0; wait < 6000 && !std::filesystem::exists(place_.path("out")); ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  for (int const descriptor : conditions.closed) {
    std::filesystem::path const link = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
    std::error_code error;
    EXPECT_EQ(std::filesystem::read_symlink(link, error), "/dev/null") << descriptor << ": " << error.message();
  }
  ::kill(process, SIGKILL);
  EXPECT_EQ(place_.wait(process).exit_code, 128 + SIGKILL);
}

TEST_F(CommandMachine, AFullStdoutIsFileTrouble) {
  Conditions full;
  full.out = "/dev/full";
  for (std::vector<std::string> const& words :
       std::vector<std::vector<std::string>>{{"wind", "--example"},
                                             {"wind", "--schema"},
                                             {"poisson", "--example", "heat_2d"},
                                             {"list"},
                                             {"info"},
                                             {"--help"},
                                             {"wind", "case.json", "--dry-run"},
                                             {"wind", "case.json", "--output", "out"}}) {
    Outcome const outcome = place_.karman(words, full);
    EXPECT_EQ(outcome.exit_code, 4) << words.front() << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find("stdout"), std::string::npos) << outcome.err;
  }
  EXPECT_FALSE(velocity("out").empty()) << "the results are there all the same";
  EXPECT_EQ(
      place_.karman({"wind", "case.json", "--output", "short", "--set", "/solver/max_iterations=10"}, full).exit_code,
      3)
      << "what went wrong before counts";
}

TEST_F(CommandMachine, AStdoutThatMayNotGrowIsFileTroubleToo) {
  Conditions limited;
  limited.file_size_limit = 100;
  EXPECT_EQ(place_.karman({"wind", "--example"}, limited).exit_code, 4);
}

TEST_F(CommandMachine, AFullDiskFromTheFirstByteOnIsFileTroubleForATimeRun) {
  place_.write("heat.json", place_.karman({"poisson", "--example", "heat_2d"}).out);
  Conditions limited;
  limited.file_size_limit = 1000;
  Outcome const outcome =
      place_.karman({"poisson", "heat.json", "--output", "out", "--set", "/domain/cells=[32, 32]"}, limited);
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("out"))) << "nothing is left";
}

// An address sanitizer needs more address space than any limit allows.
#if !defined(__SANITIZE_ADDRESS__)
TEST_F(CommandMachine, MemoryThatRunsOutIsTheMachinesTrouble) {
  json const about = info({});
  if (std::any_of(about.at("backends").begin(), about.at("backends").end(),
                  [](json const& backend) { return backend.at("name") == "cuda"; })) {
    GTEST_SKIP() << "the driver of CUDA does not start in so small an address space";
  }
  Conditions limited;
  limited.memory_limit = std::uint64_t{400} << 20;
  // 4 million cells, 32 MB per field, of which the model has more than ten.
  Outcome const outcome = place_.karman(
      {"wind", "case.json", "--threads", "1", "--output", "a/b", "--set", "/domain/cells=[1024, 1024]", "--set",
       "/domain/layers/count=4", "--set", "/buildings=[]", "--set", "/solver/storage=coefficients"},
      limited);
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("karman wind: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("allocat"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("karman::"), std::string::npos) << "the label of what was asked for: " << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("a"))) << "an empty folder is left";
  // Memory of the host, checked before any kernel.
  place_.write("case.json", small_poisson_case);
  Outcome const host = place_.karman({"poisson", "case.json", "--threads", "1", "--output", "out", "--set",
                                      "/domain/cells=[2000, 2000, 4]", "--set", "/solid=[]"},
                                     limited);
  EXPECT_EQ(host.exit_code, 5) << host.err;
  EXPECT_EQ(line_count(host.err), 1) << host.err;
  EXPECT_NE(host.err.find("out of memory"), std::string::npos) << host.err;
  EXPECT_NE(host.err.find("case.json"), std::string::npos) << host.err;
}
#endif

TEST_F(CommandMachine, ARunThatFailsLeavesNoEmptyFolder) {
  std::filesystem::create_directory(place_.path("there"));
  for (std::string const folder : {"results/first", "there", "there/below"}) {
    Outcome const outcome = run({"--output", folder, "--restart", "nowhere"});
    EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path("results")));
    EXPECT_FALSE(std::filesystem::exists(place_.path("there/below")));
    EXPECT_TRUE(std::filesystem::exists(place_.path("there"))) << "it was there before the run";
  }
  EXPECT_EQ(run({"--restart", "nowhere"}).exit_code, 4);
  EXPECT_FALSE(std::filesystem::exists(place_.path("results")));
}

TEST_F(CommandMachine, ASecondRunSuggestsOverwrite) {
  ASSERT_EQ(run({"--output", "out"}).exit_code, 0);
  Outcome const again = run({"--output", "out"});
  EXPECT_EQ(again.exit_code, 4);
  EXPECT_NE(again.err.find("--overwrite"), std::string::npos) << again.err;
}

TEST_F(CommandMachine, AHangupLeavesACheckpointUnlessItIsIgnored) {
  EXPECT_EQ(interrupted(endless, SIGHUP).exit_code, 128 + SIGHUP);
  EXPECT_TRUE(std::filesystem::exists(place_.path("out/wind.checkpoint")));
  std::vector<std::string> words{"wind", "case.json", "--progress", "json", "--overwrite"};
  words.insert(words.end(), endless.begin(), endless.end());
  Conditions nohup;
  nohup.ignored_signals = {SIGHUP};
  pid_t const process = place_.start(words, nohup);
  auto const progresses = [&] {
    auto const before = content(place_.path(".err")).size();
    for (int wait = 0; wait < 6000 && content(place_.path(".err")).size() <= before; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return content(place_.path(".err")).size() > before;
  };
  EXPECT_TRUE(progresses());
  ::kill(process, SIGHUP);
  EXPECT_TRUE(progresses()) << "under nohup a run goes on";
  ::kill(process, SIGTERM);
  EXPECT_EQ(place_.wait(process).exit_code, 128 + SIGTERM);
}

TEST_F(CommandMachine, ThreadsAreThoseAskedFor) {
  for (int const threads : {1, 2}) {
    json const about = info({}, {"--threads", std::to_string(threads)});
    for (auto const& backend : about.at("backends")) {
      if (backend.at("name") != "openmp" && backend.at("name") != "threads") continue;
      EXPECT_EQ(backend.at("concurrency").get<int>(), threads);
    }
  }
  ASSERT_EQ(run({"--output", "one", "--threads", "1"}).exit_code, 0);
  ASSERT_EQ(run({"--output", "two", "--threads", "2"}).exit_code, 0);
  EXPECT_EQ(velocity("one"), velocity("two")) << "the same bits with any number of threads";
  Hdf5File const file = Hdf5File::open(place_.path("two/wind.h5"));
  if (file.read_string("/", "backend") == "openmp") {
    EXPECT_EQ(file.read_integer("/", "concurrency"), 2);
  }
  refuses_words({{"--threads", "0"}, {"--threads", "-2"}, {"--threads", "many"}, {"--threads", "1.5"}});
}

TEST_F(CommandMachine, WaitingThreadsSleepSoonUnlessTheCallerChose) {
  Conditions conditions = no_wait_policy();
  json const about = info(conditions);
  if (!std::any_of(about.at("backends").begin(), about.at("backends").end(),
                   [](json const& backend) { return backend.at("name") == "openmp"; })) {
    EXPECT_EQ(about.at("host").at("wait_policy"), "default of the OpenMP runtime");
    return;
  }
  EXPECT_EQ(about.at("host").at("wait_policy"), "GOMP_SPINCOUNT=3000 (karman's default)");
  EXPECT_EQ(about.at("environment").at("GOMP_SPINCOUNT"), "3000");
  EXPECT_NE(place_.karman({"info"}, conditions).out.find("GOMP_SPINCOUNT=3000 (karman's default)"), std::string::npos);
  conditions.environment.back() = {"OMP_WAIT_POLICY", "passive"};
  EXPECT_EQ(info(conditions).at("host").at("wait_policy"), "OMP_WAIT_POLICY=passive (set by the caller)");
  EXPECT_TRUE(info(conditions).at("environment").at("GOMP_SPINCOUNT").is_null());
  // A number of threads does not make the wait policy the command's choice.
  EXPECT_EQ(info(conditions, {"--threads", "1"}).at("host").at("wait_policy"),
            "OMP_WAIT_POLICY=passive (set by the caller)");
}

TEST_F(CommandMachine, OtherLoadIsReported) {
  json const host = info({}).at("host");
  double const cores = host.at("cores").get<double>();
  EXPECT_GE(cores, 1);
  Outcome const outcome = run({"--dry-run"});
  double load[1] = {0};
  ASSERT_EQ(::getloadavg(load, 1), 1);
  bool const said = outcome.out.find("the load average is ") != std::string::npos;
  // Between the two looks the average moves a little.
  if (std::abs(load[0] - cores) > 0.5) {
    EXPECT_EQ(said, load[0] > cores) << outcome.out;
  }
}

}  // namespace command_machine_test
