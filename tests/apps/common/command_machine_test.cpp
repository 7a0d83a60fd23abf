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
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
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

  bool has_cuda() const {
    json const about = info({});
    return std::any_of(about.at("backends").begin(), about.at("backends").end(),
                       [](json const& backend) { return backend.at("name") == "cuda"; });
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
  if (has_cuda()) GTEST_SKIP() << "the driver of CUDA does not start in so small an address space";
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
  EXPECT_NE(outcome.err.find("out of memory"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("ulimit -v"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("a"))) << "an empty folder is left";
  // Memory of the host, checked before any kernel.
  place_.write("case.json", small_poisson_case);
  Outcome const host = place_.karman({"poisson", "case.json", "--threads", "1", "--output", "out", "--set",
                                      "/domain/cells=[2000, 2000, 4]", "--set", "/solid=[]"},
                                     limited);
  EXPECT_EQ(host.exit_code, 5) << host.err;
  EXPECT_EQ(line_count(host.err), 1) << host.err;
  EXPECT_NE(host.err.find("out of memory"), std::string::npos) << host.err;
}

/// A small case of each application.
struct SmallRun {
  std::string application, example;
  std::vector<std::string> more;
};
std::vector<SmallRun> const small_runs{
    {"wind", "open_field", {"--set", "/domain/cells=[20,16]"}},
    {"poisson", "source_2d", {}},
    {"waves", "plane_wave", {}},
    {"euler", "sod_tube", {"--set", "/time/end=0.0001"}},
    {"turbulence",
     "decaying",
     {"--set", "/domain/points=[32,32]", "--set", "/time/end=0.1", "--set", R"(/initial={"kind":"taylor_green"})"}}};

TEST_F(CommandMachine, AnyLimitOfTheAddressSpaceEndsARunInOneLine) {
  if (has_cuda()) GTEST_SKIP() << "the libraries of CUDA do not load in so small an address space";
  // Below 128 MB the libraries themselves do not load.
  for (SmallRun const& small : small_runs) {
    place_.write("small.json", place_.karman({small.application, "--example", small.example}).out);
    for (std::uint64_t const megabytes : {128, 220, 340}) {
      Conditions limited;
      limited.memory_limit = megabytes << 20;
      std::vector<std::string> words{small.application, "small.json", "--overwrite", "--output", "out"};
      words.insert(words.end(), small.more.begin(), small.more.end());
      Outcome const outcome = place_.karman(words, limited);
      SCOPED_TRACE(small.application + ", " + std::to_string(megabytes) + " MB: " + outcome.err);
      EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 5) << outcome.exit_code;
      EXPECT_EQ(line_count(outcome.err), outcome.exit_code == 0 ? 0 : 1);
    }
  }
}

TEST_F(CommandMachine, ThreadsThatCannotStartAreTheMachinesTrouble) {
  if (host_backend() != "openmp") GTEST_SKIP() << "the build has no OpenMP";
  if (has_cuda()) GTEST_SKIP() << "the libraries of CUDA take most of so small an address space";
  Conditions limited;
  limited.memory_limit = std::uint64_t{600} << 20;
  Outcome const outcome = place_.karman({"wind", "case.json", "--output", "out", "--threads", "200"}, limited);
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("cannot start 200 threads"), std::string::npos) << outcome.err;
}
#endif

/// Bytes of "disk        12.3 MB at most" and of the first of "memory      about 54.6 MB, plus ...".
double announced(std::string const& report, std::string const& line) {
  auto const begin = report.find('\n' + line + ' ');
  double value = 0;
  char unit[3] = {};
  std::string const text = begin == std::string::npos ? "" : report.substr(report.find_first_of("0123456789", begin));
  EXPECT_EQ(std::sscanf(text.c_str(), "%lf %2s", &value, unit), 2) << report;
  std::string const found = unit;
  return value * (found == "GB" ? 1e9 : found == "MB" ? 1e6 : found == "kB" ? 1e3 : 1);
}

double disk_of(std::filesystem::path const& folder) {
  double bytes = 0;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
  }
  return bytes;
}

std::vector<std::string> set(std::vector<std::string> const& values) {
  std::vector<std::string> words;
  for (std::string const& value : values) words.insert(words.end(), {"--set", value});
  return words;
}

class AnnouncedNeeds : public CommandMachine {
 protected:
  /// Compares the needs that a dry run announces with the needs of the run. `disk_margin`: the announced disk may
  /// exceed the files by this factor, and by a reserve. `file`: the one with the run's own record of its memory; empty:
  /// none.
  void hold(std::string const& application, std::string const& file, std::vector<std::string> const& more,
            double disk_margin = 3, double memory_margin = 1.3) {
    std::vector<std::string> words{application, "case.json"};
    words.insert(words.end(), more.begin(), more.end());
    std::string line;
    for (std::string const& word : words) line += word + ' ';
    SCOPED_TRACE(line);
    auto dry = words;
    dry.emplace_back("--dry-run");
    Outcome const need = place_.karman(dry);
    ASSERT_EQ(need.exit_code, 0) << need.err;
    words.insert(words.end(), {"--output", "out"});
    Outcome const outcome = place_.karman(words);
    ASSERT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 3) << outcome.err;
    double const disk = disk_of(place_.path("out"));
    constexpr double reserved = 1 << 20;
    EXPECT_GE(announced(need.out, "disk"), disk);
    EXPECT_LE(announced(need.out, "disk"), disk_margin * disk + reserved);
    if (!file.empty()) {
      auto const memory =
          static_cast<double>(Hdf5File::open(place_.path("out/" + file)).read_integer("/", "memory_bytes"));
      EXPECT_GE(announced(need.out, "memory"), memory);
      EXPECT_LE(announced(need.out, "memory"), memory_margin * memory + reserved);
    }
    std::filesystem::remove_all(place_.path("out"));
  }

  void example(std::string const& application, std::string const& name) {
    place_.write("case.json", place_.karman({application, "--example", name}).out);
  }
};

TEST_F(AnnouncedNeeds, OfEveryMethodOfPoisson) {
  example("poisson", "source_2d");
  for (char const* method :
       {"jacobi", "gauss_seidel", "red_black_gs", "sor", "sor_optimal", "adi", "direct", "multigrid", "cg", "mg_pcg"}) {
    hold("poisson", "poisson.h5",
         set({"/domain/cells=[50,37]", "/solver/max_iterations=3", std::string("/solver/method=\"") + method + '"'}));
  }
  example("poisson", "buildings_3d");
  for (char const* method : {"multigrid", "mg_pcg"})
    hold(
        "poisson", "poisson.h5",
        set({"/domain/cells=[24,20,11]", "/solver/max_iterations=3", std::string("/solver/method=\"") + method + '"'}));
}

TEST_F(AnnouncedNeeds, OfPoissonInOneDimensionAndInTime) {
  example("poisson", "wire_1d");
  hold("poisson", "poisson.h5", {});
  example("poisson", "heat_2d");
  hold("poisson", "heat.h5", set({"/domain/cells=[60,50]", "/time/steps=40", "/outputs/frames_every=4"}));
  example("poisson", "column_diffusion");
  hold("poisson", "column_diffusion.h5", set({"/time/steps=40", "/outputs/frames_every=4"}), 3, 2);
}

TEST_F(AnnouncedNeeds, OfMovingMeshes) {
  // The solve for the blending field is over when the march begins, whose memory is recorded.
  constexpr double with_set_up = 2.2;
  example("euler", "moving_piston");
  hold("euler", "euler.h5", set({"/mesh/size=0.005", "/time/end=0.005"}), 3, with_set_up);
  example("euler", "pitching_naca0012");
  hold("euler", "euler.h5", set({"/time/end=0.01"}), 3, with_set_up);
}

TEST_F(AnnouncedNeeds, OfFlow) {
  example("euler", "sod_tube");
  hold("euler", "euler.h5", set({"/time/end=0.0002"}));
  hold("euler", "euler.h5", set({"/time/end=0.0002", "/time/averages_from=0.0001", "/time/frames=40"}));
}

TEST_F(AnnouncedNeeds, OfWaves) {
  example("waves", "plane_wave");
  for (char const* method : {"direct", "gmres", "cocg"})
    hold("waves", "waves.h5", set({std::string("/solver/method=\"") + method + '"'}));
}

TEST_F(AnnouncedNeeds, OfWind) {
  example("wind", "single_cube");
  hold("wind", "", {});
  hold("wind", "", set({"/solver/walls=\"cut\"", "/outputs/compression=0"}));
}

TEST_F(AnnouncedNeeds, OfTurbulenceWithManySmallStepsAndFrames) {
  // The rows of the history take more than the fields.
  place_.write("case.json", R"json({
    "domain": { "points": [32, 24], "size": [6.283185307179586, 6.283185307179586] },
    "terms": { "viscosity": 0.001, "viscosity_order": 1, "friction": 0.01 },
    "initial": { "kind": "formula", "vorticity": 0.5 },
    "forcing": { "kind": "formula", "vorticity": "sin(4*y)*cos(x)" },
    "time": { "kind": "adaptive", "end": 12, "dt_min": 0, "averages_from": 1, "frames": 40 },
    "outputs": { "fields": ["vorticity", "velocity"], "history_every": 1, "compression": 1 },
    "solver": { "method": "etdrk4", "dealiasing": "exponential" } })json");
  hold("turbulence", "turbulence.h5", {}, 4);
  example("turbulence", "decaying");
  hold("turbulence", "turbulence.h5", set({"/domain/points=[64,64]", "/time/end=0.2"}));
}

TEST_F(AnnouncedNeeds, OfCasesBeyondEveryMachineAtOnce) {
  if (has_cuda())
    GTEST_SKIP()
        << "the driver of CUDA does not start in a small address space, and machines with it may hold these cases";
  auto const refused = [&](std::string const& application, std::vector<std::string> const& more) {
    std::vector<std::string> words{application, "case.json", "--dry-run"};
    words.insert(words.end(), more.begin(), more.end());
    Conditions limited;
#if !defined(__SANITIZE_ADDRESS__)
    limited.memory_limit = std::uint64_t{1} << 30;
#endif
    auto const begin = std::chrono::steady_clock::now();
    Outcome const outcome = place_.karman(words, limited);
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    SCOPED_TRACE(application + ": " + outcome.err);
    // The memory of the machine, or its limit here.
    EXPECT_TRUE(outcome.exit_code == 2 || outcome.exit_code == 5) << outcome.exit_code;
    EXPECT_EQ(line_count(outcome.err), 1);
    EXPECT_NE(outcome.err.find("this case needs "), std::string::npos);
    EXPECT_LT(seconds, 5);
    return outcome.out;
  };
  example("turbulence", "decaying");
  for (char const* initial :
       {R"({"kind":"random","energy":1,"peak_wavenumber":4,"seed":1})",
        R"json({"kind":"formula","vorticity":"sin(3*x)"})json",
        R"({"kind":"kelvin_helmholtz","speed":1,"thickness":0.4,"amplitude":0.02,"waves":[4]})"}) {
    std::string const report =
        refused("turbulence", set({"/domain/points=[32768,32768]", std::string("/initial=") + initial}));
    EXPECT_NE(report.find("\nmemory "), std::string::npos) << report;
  }
  example("poisson", "source_2d");
  EXPECT_NE(refused("poisson", set({"/domain/cells=[60000,60000]"})).find("\nmemory "), std::string::npos);
  example("poisson", "heat_2d");
  EXPECT_NE(refused("poisson", set({"/domain/cells=[32768,32768]"})).find("\nmemory "), std::string::npos);
  example("wind", "single_cube");
  EXPECT_NE(refused("wind", set({"/domain/cells=[8000,8000]"})).find("\nmemory "), std::string::npos);
  example("euler", "sod_tube");
  refused("euler", set({"/mesh/size=0.00005"}));
  refused("euler", set({"/mesh/size=0.0008", "/mesh/refine=4"}));
  example("waves", "harbour");
  refused("waves", set({"/mesh/size=0.5", "/mesh/refine=2"}));
}

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
