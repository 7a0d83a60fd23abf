// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `mpirun -n N karman poisson`: the bits of one process, files in parts, one end.
#include "apps/common/run_command.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace poisson_processes_test {

using namespace karman;
using namespace karman::test;
using Clock = std::chrono::steady_clock;
using Words = std::vector<std::string>;

/// Walls of which some lie on the cuts, a coefficient that varies, every kind of side.
constexpr char const* walls = R"json({
  "problem": "poisson",
  "domain": { "cells": [14, 18, 6], "size": [1.4, 1.8, 0.6], "origin": [0, -0.5, 2] },
  "sides": {
    "west": { "kind": "dirichlet", "value": "y" }, "east": { "kind": "neumann", "flux": 0.5 },
    "south": { "kind": "periodic" }, "north": { "kind": "periodic" },
    "bottom": { "kind": "dirichlet", "value": "x * y" }, "top": { "kind": "neumann", "flux": 0 }
  },
  "right_hand_side": "1 + x * y - z", "coefficient": "1.5 + 0.3 * sin(5 * x) * cos(7 * y)", "exact": "x + y",
  "solid": [
    { "kind": "box", "low": [0.3, -0.3, 2.2], "high": [0.5, 1.1, 2.4] },
    { "kind": "random_boxes", "fraction": 0.2, "size": [0.1, 0.3], "seed": 4 }
  ],
  "solver": { "method": "sor", "tolerance": 1e-9, "omega": 1.6 },
  "outputs": { "fields": ["p", "f", "residual", "error", "coefficient", "solid"], "compression": 1 }
})json";

/// A plane, and planes across y of equal size, in single precision.
constexpr char const* plane = R"json({
  "problem": "poisson",
  "domain": { "cells": [19, 22], "size": [1, 1] },
  "sides": { "west": { "kind": "dirichlet", "value": 1 }, "north": { "kind": "neumann", "flux": "x" } },
  "right_hand_side": "x - y", "coefficient": 2,
  "solver": { "method": "jacobi", "precision": "f32", "tolerance": 1e-4 }
})json";

/// Heat with values and fluxes, which change in x and y.
constexpr char const* heat = R"json({
  "problem": "heat",
  "domain": { "cells": [19, 26], "size": [1, 1.3], "origin": [0, -0.5] },
  "sides": {
    "west": { "kind": "dirichlet", "value": "y" }, "east": { "kind": "neumann", "flux": 0.5 },
    "south": { "kind": "neumann", "flux": "x" }, "north": { "kind": "dirichlet", "value": 1 }
  },
  "diffusivity": 0.1, "initial": "sin(3 * x) * cos(2 * y)", "exact": "x + y + t",
  "time": { "step": 0.01, "steps": 23, "checkpoint_every": 0 },
  "outputs": { "frames_every": 4, "compression": 1 }
})json";

/// Columns with a flux in time, in single precision.
constexpr char const* columns = R"json({
  "problem": "column_diffusion", "columns": [7, 12], "size": [7, 12],
  "layers": { "kind": "stretched", "count": 9, "thickness": 0.5, "ratio": 1.1 },
  "diffusivity": "0.5 + 0.01 * z * (1 + x * y)", "initial": "280 + 0.1 * z + 0.02 * x",
  "ground": { "kind": "flux", "flux": "sin(t) * (1 + 0.1 * y)" }, "top": { "kind": "flux", "flux": 0 },
  "time": { "step": 0.1, "steps": 23, "scheme": "crank_nicolson", "checkpoint_every": 0 },
  "precision": "f32", "outputs": { "frames_every": 4 }
})json";

/// The lines of karman, without the launcher's.
Words own_lines(std::string const& text) {
  Words lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    constexpr std::array starts{"karman poisson: ", "process ",     "walls.json", "plane.json", "line.json",
                                "heat.json",        "columns.json", "cannot ",    "good "};
    if (std::any_of(starts.begin(), starts.end(), [&](char const* word) { return line.starts_with(word); }))
      lines.push_back(line);
  }
  return lines;
}

class PoissonProcesses : public ::testing::Test {
 protected:
  PoissonProcesses() {
    place_.write("walls.json", walls);
    place_.write("plane.json", plane);
    place_.write("heat.json", heat);
    place_.write("columns.json", columns);
  }

  /// Starts `karman` as so many processes. `script`: shell commands of each before, with its number in $rank.
  pid_t start(int processes, Words const& words, std::string const& script = {}) {
    Words all{KARMAN_MPIEXEC_COUNT, std::to_string(processes)};
    if (!script.empty()) {
      std::string const shell = "rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; " + script + "; exec \"$0\" \"$@\"";
      all.insert(all.end(), {"sh", "-c", shell});
    }
    // The machine may have fewer cards than processes.
    all.insert(all.end(), {KARMAN_COMMAND, "poisson", "--share-devices"});
    all.insert(all.end(), words.begin(), words.end());
    Conditions conditions;
    conditions.program = KARMAN_MPIEXEC;
    return place_.start(all, conditions);
  }

  Outcome run(int processes, Words const& words, std::string const& script = {}) {
    return place_.wait(start(processes, words, script));
  }

  /// Sends a signal to one of so many processes, `later` than a file appears. Their end.
  Outcome signalled(int processes, Words const& words, int rank, int number, std::string const& file,
                    std::chrono::milliseconds later = {}) {
    pid_t const launcher = start(processes, words, "echo $$ > pid.$rank");
    auto const begin = Clock::now();
    while (!std::filesystem::exists(place_.path(file)) && Clock::now() - begin < std::chrono::seconds(30))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(std::filesystem::exists(place_.path(file))) << content(place_.path(".err"));
    std::this_thread::sleep_for(later);
    ::kill(std::stoi(content(place_.path("pid." + std::to_string(rank)))), number);
    return place_.wait(launcher);
  }

  Outcome one(Words words) {
    words.insert(words.begin(), "poisson");
    return place_.karman(words);
  }

  /// Names of the files of a folder that begin so.
  Words names(std::string const& folder, std::string const& beginning = "") {
    Words found;
    for (auto const& entry : std::filesystem::directory_iterator(place_.path(folder))) {
      std::string const name = entry.path().filename().string();
      if (name.starts_with(beginning)) found.push_back(name);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  /// Expects equal bits in all fields of two results, and an equal history.
  void expect_same(std::string const& folder, std::string const& of_one) {
    Hdf5File const found = Hdf5File::open(place_.path(folder + "/poisson.h5"));
    Hdf5File const expected = Hdf5File::open(place_.path(of_one + "/poisson.h5"));
    auto const fields = expected.list("/cells");
    ASSERT_FALSE(fields.empty());
    for (Hdf5Entry const& field : fields) {
      std::string const name = "/cells/" + field.name;
      DatasetInfo const info = expected.info(name);
      ASSERT_EQ(found.info(name).extents, info.extents) << name;
      bool same = false;
      if (info.type == ScalarType::float64)
        same = found.read_vector<double>(name) == expected.read_vector<double>(name);
      else if (info.type == ScalarType::float32)
        same = found.read_vector<float>(name) == expected.read_vector<float>(name);
      else same = found.read_vector<std::uint8_t>(name) == expected.read_vector<std::uint8_t>(name);
      EXPECT_TRUE(same) << name << " in " << folder;
    }
    for (char const* column : {"iteration", "residual"})
      EXPECT_EQ(found.read_table("/history").column(column), expected.read_table("/history").column(column));
    EXPECT_EQ(found.read_integer("/", "solid_cells"), expected.read_integer("/", "solid_cells"));
    EXPECT_EQ(found.read_double("/", "largest_error"), expected.read_double("/", "largest_error"));
    EXPECT_EQ(found.read_double("/", "relative_residual"), expected.read_double("/", "relative_residual"));
    EXPECT_EQ(content(place_.path(folder + "/poisson.xdmf")), content(place_.path(of_one + "/poisson.xdmf")));
  }

  /// Expects equal bits in all frames of two results, and equal figures of them; means within the rounding of sums.
  void expect_same_frames(std::string const& problem, std::string const& folder, std::string const& of_one) {
    Hdf5File const found = Hdf5File::open(place_.path(folder + "/" + problem + ".h5"));
    Hdf5File const expected = Hdf5File::open(place_.path(of_one + "/" + problem + ".h5"));
    auto const frames = expected.list("/frames");
    ASSERT_GT(frames.size(), 2u);
    ASSERT_EQ(found.list("/frames").size(), frames.size()) << folder;
    for (Hdf5Entry const& frame : frames) {
      std::string const name = "/frames/" + frame.name;
      DatasetInfo const info = expected.info(name);
      ASSERT_EQ(found.info(name).extents, info.extents) << name;
      bool const same = info.type == ScalarType::float64
                            ? found.read_vector<double>(name) == expected.read_vector<double>(name)
                            : found.read_vector<float>(name) == expected.read_vector<float>(name);
      EXPECT_TRUE(same) << name << " in " << folder;
      EXPECT_EQ(found.read_double(name, "time"), expected.read_double(name, "time"));
    }
    Table const rows = found.read_table("/history"), rows_of_one = expected.read_table("/history");
    for (char const* column : {"step", "time", "least", "most"})
      EXPECT_EQ(rows.column(column), rows_of_one.column(column)) << column;
    for (std::size_t n = 0; n < frames.size(); ++n) {
      double const mean = rows_of_one.column("mean")[n], error = rows_of_one.column("largest_error")[n];
      EXPECT_NEAR(rows.column("mean")[n], mean, 1e-13 * std::abs(rows_of_one.column("most")[n]));
      double const error_found = rows.column("largest_error")[n];
      EXPECT_TRUE(error_found == error || (std::isnan(error_found) && std::isnan(error)));
    }
    EXPECT_EQ(found.read_integer("/", "steps"), expected.read_integer("/", "steps"));
    EXPECT_EQ(found.read_integer("/", "converged"), 1);
    EXPECT_EQ(content(place_.path(folder + "/" + problem + ".xdmf")),
              content(place_.path(of_one + "/" + problem + ".xdmf")));
    EXPECT_EQ(names(folder, problem + ".frames-"), Words{});
  }

  /// Files with the parts of fields of a folder.
  std::ptrdiff_t parts_of_fields(std::string const& problem, std::string const& folder) {
    Words const parts = names(folder, problem + ".part-");
    return std::count_if(parts.begin(), parts.end(), [](auto const& name) { return name.ends_with(".h5"); });
  }

  /// Expects that a run ends in one line with these words and this exit code.
  void ends(Outcome const& outcome, int exit_code, std::string const& words) {
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    Words const lines = own_lines(outcome.err);
    ASSERT_EQ(lines.size(), 1u) << outcome.err;
    EXPECT_NE(lines[0].find(words), std::string::npos) << lines[0];
  }

  Workplace place_;
};

TEST_F(PoissonProcesses, HaveTheBitsOfOneProcess) {
  std::vector<std::pair<std::string, std::vector<int>>> const trials{
      {"sor", {3, 4}}, {"red_black_gs", {2}}, {"sor_optimal", {2}}, {"jacobi", {3}}};
  for (auto const& [method, numbers] : trials) {
    Words const words{"walls.json", "--set", "/solver/method=" + method, "--set", "/solver/max_iterations=200"};
    auto const to = [&](std::string const& folder) {
      Words all = words;
      all.insert(all.end(), {"--output", folder});
      return all;
    };
    std::string const alone = method + "_1";
    Outcome const expected = one(to(alone));
    int const exit_code = expected.exit_code;
    EXPECT_EQ(expected.out.find(" processes on "), std::string::npos) << expected.out;
    EXPECT_EQ(expected.out.find(" in all"), std::string::npos) << expected.out;
    for (int const processes : numbers) {
      std::string const folder = method + "_" + std::to_string(processes);
      Outcome const outcome = run(processes, to(folder));
      EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
      EXPECT_NE(outcome.out.find(method + ": "), std::string::npos) << outcome.out;
      EXPECT_EQ(outcome.out.find(method + ": "), outcome.out.rfind(method + ": ")) << outcome.out;
      EXPECT_NE(outcome.out.find(" of " + std::to_string(processes) + " processes on "), std::string::npos)
          << outcome.out;
      EXPECT_NE(outcome.out.find("B in all\n"), std::string::npos) << outcome.out;
      expect_same(folder, alone);
      EXPECT_EQ(names(folder, "poisson.part-1-").size(), std::size_t(processes) * (exit_code == 0 ? 1 : 2));
    }
  }
}

TEST_F(PoissonProcesses, ProblemsInTimeHaveTheBitsOfOneProcess) {
  for (auto const& [input, problem] : {std::pair{"heat.json", "heat"}, {"columns.json", "column_diffusion"}}) {
    std::string const name = problem, alone = name + "_1";
    Outcome const expected = one({input, "--output", alone});
    ASSERT_EQ(expected.exit_code, 0) << expected.err;
    EXPECT_EQ(expected.out.find(" processes on "), std::string::npos) << expected.out;
    for (int const processes : {2, 3, 4}) {
      std::string const folder = name + "_" + std::to_string(processes);
      Outcome const outcome = run(processes, {input, "--output", folder, "--progress", "json"});
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_NE(outcome.out.find(" of " + std::to_string(processes) + " processes on "), std::string::npos)
          << outcome.out;
      EXPECT_EQ(outcome.out.find("23 steps in "), outcome.out.rfind("23 steps in ")) << outcome.out;
      // One process reports.
      std::string const finished = "\"done\":23.0,";
      EXPECT_NE(outcome.err.find(finished), std::string::npos) << outcome.err;
      EXPECT_EQ(outcome.err.find("\"finished\":true"), outcome.err.rfind("\"finished\":true")) << outcome.err;
      expect_same_frames(problem, folder, alone);
      EXPECT_EQ(parts_of_fields(problem, folder), processes);
    }
    // Another number of processes replaces the result, and removes its parts.
    ASSERT_EQ(run(3, {input, "--output", name + "_4", "--overwrite"}).exit_code, 0);
    EXPECT_EQ(parts_of_fields(problem, name + "_4"), 3);
    ASSERT_EQ(one({input, "--output", name + "_4", "--overwrite"}).exit_code, 0);
    EXPECT_EQ(parts_of_fields(problem, name + "_4"), 0);
    expect_same_frames(problem, name + "_4", alone);
  }
}

/// Each number of processes takes over state and frames of another one, in the same folder and in another.
TEST_F(PoissonProcesses, ProblemsInTimeContinueByAnotherNumber) {
  for (auto const& [input, problem] : {std::pair{"heat.json", "heat"}, {"columns.json", "column_diffusion"}}) {
    std::string const name = problem;
    ASSERT_EQ(one({input, "--output", name + "_one"}).exit_code, 0);
    std::string before;
    int steps = 5;
    for (int const processes : {4, 1, 2, 3, 1, 4}) {
      bool const last = steps >= 23;
      std::string const folder = name + (steps < 12 ? "_first" : "_second");
      // The last checkpoint is one step before the end.
      Words words{input, "--output", folder, "--overwrite", "--set", "/time/checkpoint_every=1e-9"};
      words.insert(words.end(), {"--set", "/time/steps=" + std::to_string(std::min(steps, 23))});
      if (!before.empty()) words.insert(words.end(), {"--restart", before + "/" + name + ".checkpoint"});
      Outcome const outcome = run(processes, words);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_EQ(own_lines(outcome.err), Words{}) << "a warning about frames";
      if (last) expect_same_frames(problem, folder, name + "_one");
      before = folder;
      steps += 4;
    }
  }
}

/// A run that is stopped between frames keeps the earlier ones, in parts.
TEST_F(PoissonProcesses, ASignalAtAnyOfThemStopsAProblemInTime) {
  Words const words{"heat.json", "--set",           "/time/checkpoint_every=0.05", "--set", "/outputs/frames_every=10",
                    "--set",     "/exact=\"x + y\""};
  for (int rank = 0; rank < 3; ++rank) {
    std::string const folder = "of_" + std::to_string(rank), checkpoint = folder + "/heat.checkpoint";
    Words all = words;
    all.insert(all.end(), {"--output", folder, "--set", "/time/steps=1000000"});
    Outcome const stopped = signalled(3, all, rank, SIGTERM, checkpoint);
    ends(stopped, 128 + SIGTERM, "--restart " + checkpoint);
    EXPECT_NE(stopped.err.find(" with mpirun -n 3 karman poisson heat.json "), std::string::npos) << stopped.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path(folder + "/heat.h5")));
    EXPECT_GT(names(folder, "heat.frames-").size(), 3u);
    std::string const after = "after ";
    int const steps = std::stoi(stopped.err.substr(stopped.err.find(after) + after.size())) + 25;
    Words rest = words;
    rest.insert(rest.end(), {"--set", "/time/steps=" + std::to_string(steps)});
    auto const to = [&](std::string const& name, Words const& more) {
      Words copy = rest;
      copy.insert(copy.end(), {"--output", name});
      copy.insert(copy.end(), more.begin(), more.end());
      return copy;
    };
    ASSERT_EQ(one(to("one_" + std::to_string(rank), {})).exit_code, 0);
    Outcome const outcome = run(rank + 1, to(folder, {"--restart", checkpoint}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_same_frames("heat", folder, "one_" + std::to_string(rank));
  }
}

TEST_F(PoissonProcesses, ProblemsInTimeSurviveAKillAtAnyMoment) {
  Words const words{"heat.json", "--set", "/outputs/frames_every=50"};
  auto const with = [&](Words const& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  ASSERT_EQ(one(with({"--output", "one", "--set", "/time/steps=4000"})).exit_code, 0);
  for (int trial = 0; trial < 4; ++trial) {
    Outcome const killed =
        signalled(3,
                  with({"--output", "killed", "--overwrite", "--set", "/time/steps=1000000", "--set",
                        "/time/checkpoint_every=1e-9"}),
                  trial % 3, SIGKILL, "killed/heat.checkpoint.previous", std::chrono::milliseconds(40 * trial));
    EXPECT_NE(killed.exit_code, 0);
    std::string const folder = "rest" + std::to_string(trial);
    Outcome const outcome = run(
        trial % 3 + 1, with({"--output", folder, "--set", "/time/steps=4000", "--restart", "killed/heat.checkpoint"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_same_frames("heat", folder, "one");
    std::filesystem::remove_all(place_.path("killed"));
  }
}

/// A frame that is missing in one part is missing from the output, with a line; the run continues.
TEST_F(PoissonProcesses, FramesThatAreLostAreNamed) {
  Words const words{"heat.json", "--output", "lost", "--set", "/time/checkpoint_every=0.05"};
  Words all = words;
  all.insert(all.end(), {"--set", "/time/steps=1000000"});
  Outcome const stopped = signalled(2, all, 1, SIGTERM, "lost/heat.checkpoint");
  ASSERT_EQ(stopped.exit_code, 128 + SIGTERM) << stopped.err;
  std::filesystem::remove(place_.path("lost/heat.frames-000000000.part-1-0001.h5"));
  std::string const after = "after ";
  int const steps = std::stoi(stopped.err.substr(stopped.err.find(after) + after.size())) + 9;
  Words rest = words;
  rest.insert(rest.end(), {"--set", "/time/steps=" + std::to_string(steps), "--restart", "lost/heat.checkpoint"});
  Outcome const outcome = run(3, rest);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  Words const lines = own_lines(outcome.err);
  ASSERT_EQ(lines.size(), 1u) << outcome.err;
  EXPECT_NE(lines[0].find(" frames from before the checkpoint are missing from the output: "), std::string::npos)
      << lines[0];
  EXPECT_NE(lines[0].find("heat.frames-000000000.part-1-0001.h5"), std::string::npos) << lines[0];
  EXPECT_EQ(Hdf5File::open(place_.path("lost/heat.h5")).read_integer("/", "steps"), steps);
}

TEST_F(PoissonProcesses, SolvePlanesInSinglePrecision) {
  ASSERT_EQ(one({"plane.json", "--output", "one", "--set", "/exact=x"}).exit_code, 0);
  Outcome const outcome = run(3, {"plane.json", "--output", "three", "--set", "/exact=x"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_same("three", "one");
}

TEST_F(PoissonProcesses, ChooseAsOneProcessDoes) {
  Words const box{"walls.json", "--set", "/solid=[]", "--set", "/coefficient=2"};
  for (auto const& [words, method] : {std::pair{Words{"walls.json"}, "mg_pcg"}, {box, "direct"}}) {
    auto const to = [&words = words](std::string const& folder) {
      Words all = words;
      all.insert(all.end(), {"--output", folder, "--set", "/solver/method=auto"});
      return all;
    };
    std::string const name = method;
    ASSERT_EQ(one(to(name + "_1")).exit_code, 0);
    Outcome const outcome = run(3, to(name + "_3"));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    Hdf5File const file = Hdf5File::open(place_.path(name + "_3/poisson.h5"));
    EXPECT_EQ(file.read_string("/", "method"), name);
    auto const found = file.read_vector<double>("/cells/p");
    auto const expected = Hdf5File::open(place_.path(name + "_1/poisson.h5")).read_vector<double>("/cells/p");
    ASSERT_EQ(found.size(), expected.size());
    double largest = 0, difference = 0;
    for (std::size_t n = 0; n < found.size(); ++n) {
      largest = std::max(largest, std::abs(expected[n]));
      difference = std::max(difference, std::abs(found[n] - expected[n]));
    }
    EXPECT_LT(difference, 1e-9 * largest);  // the tolerance of the residual, in a domain of a few cells
  }
}

/// Multigrid carries more than the solution, and continues at its restarts alone.
TEST_F(PoissonProcesses, MultigridContinues) {
  Words const words{
      "walls.json", "--output", "out", "--set", "/solver/method=multigrid", "--set", "/solver/cycle_precision=f64"};
  Words few = words;
  few.insert(few.end(), {"--set", "/solver/max_iterations=3"});
  ends(run(3, few), 3, "continue with mpirun -n 3 karman poisson walls.json");
  Words rest = words;
  rest.insert(rest.end(), {"--overwrite", "--restart", "out/poisson.checkpoint"});
  Outcome const outcome = run(2, rest);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Hdf5File const file = Hdf5File::open(place_.path("out/poisson.h5"));
  EXPECT_LE(file.read_double("/", "relative_residual"), 1e-9);
  EXPECT_GT(file.read_integer("/", "iterations"), 3);
}

/// tools/plot reads the parts, and names one that is not there.
TEST_F(PoissonProcesses, ArePlotted) {
  if (std::string(KARMAN_FIELD_PYTHON).empty()) GTEST_SKIP() << "no Python with h5py and matplotlib";
  ASSERT_EQ(run(3, {"plane.json", "--output", "three"}).exit_code, 0);
  auto const plot = [&](std::string const& to) {
    Conditions conditions;
    conditions.program = KARMAN_FIELD_PYTHON;
    return place_.wait(place_.start({KARMAN_PLOT, "three/poisson.h5", "--output", to}, conditions));
  };
  Outcome const drawn = plot("pictures");
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  Words const pictures = names("pictures", "p");
  EXPECT_TRUE(std::any_of(pictures.begin(), pictures.end(), [](auto const& name) { return name.ends_with(".png"); }));
  std::filesystem::remove(place_.path("three/poisson.part-1-0001.h5"));
  ASSERT_EQ(run(3, {"heat.json", "--output", "heat"}).exit_code, 0);
  Conditions conditions;
  conditions.program = KARMAN_FIELD_PYTHON;
  Outcome const frames = place_.wait(place_.start({KARMAN_PLOT, "heat/heat.h5", "--output", "frames"}, conditions));
  ASSERT_EQ(frames.exit_code, 0) << frames.err;
  EXPECT_GT(names("frames").size(), 0u);
  Outcome const lost = plot("none");
  EXPECT_EQ(lost.exit_code, 4);
  EXPECT_EQ(line_count(lost.err), 1) << lost.err;
  EXPECT_NE(lost.err.find("poisson.part-1-0001.h5"), std::string::npos) << lost.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("none")));
}

TEST_F(PoissonProcesses, AnotherNumberContinues) {
  ASSERT_EQ(one({"walls.json", "--output", "one"}).exit_code, 0);
  for (auto const& [first, then] : {std::array{4, 1}, {3, 2}, {1, 3}}) {
    std::string const folder = "of_" + std::to_string(first) + "_" + std::to_string(then);
    Words words{"walls.json", "--output", folder};
    Words few = words;
    few.insert(few.end(), {"--set", "/solver/max_iterations=40"});
    ends(run(first, few), 3, "--restart " + folder + "/poisson.checkpoint");
    words.insert(words.end(), {"--overwrite", "--restart", folder + "/poisson.checkpoint"});
    Outcome const rest = run(then, words);
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    expect_same(folder, "one");
    // No parts of the former result remain.
    Words const parts = names(folder, "poisson.part-");
    EXPECT_EQ(std::count_if(parts.begin(), parts.end(), [](auto const& name) { return name.ends_with(".h5"); }),
              then == 1 ? 0 : then);
  }
}

TEST_F(PoissonProcesses, ResultsAreFirstGuesses) {
  ASSERT_EQ(run(3, {"walls.json", "--output", "three"}).exit_code, 0);
  for (int const processes : {1, 2}) {
    Outcome const outcome =
        run(processes, {"walls.json", "--output", "next" + std::to_string(processes), "--restart", "three/poisson.h5"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    Hdf5File const file = Hdf5File::open(place_.path("next" + std::to_string(processes) + "/poisson.h5"));
    EXPECT_EQ(file.read_integer("/", "iterations"), 0);
  }
  std::filesystem::remove(place_.path("three/poisson.part-1-0001.h5"));
  ends(run(1, {"walls.json", "--output", "lost", "--restart", "three/poisson.h5"}), 4,
       "part 1: cannot open three/poisson.part-1-0001.h5: No such file or directory");
}

TEST_F(PoissonProcesses, ASignalAtAnyOfThemStopsAll) {
  Words const words{"walls.json",
                    "--set",
                    "/solver/tolerance=1e-15",
                    "--set",
                    "/solver/max_iterations=1000000",
                    "--set",
                    "/solver/checkpoint_every=0.05",
                    "--set",
                    "/solver/omega=0.01",  // about 10^6 iterations
                    "--set",
                    "/domain/cells=[56, 72, 24]"};
  for (int rank = 0; rank < 3; ++rank) {
    std::string const folder = "of_" + std::to_string(rank), checkpoint = folder + "/poisson.checkpoint";
    Words all = words;
    all.insert(all.end(), {"--output", folder});
    Outcome const outcome = signalled(3, all, rank, SIGTERM, checkpoint);
    ends(outcome, 128 + SIGTERM, "--restart " + checkpoint);
    EXPECT_NE(outcome.err.find(" with mpirun -n 3 karman poisson walls.json "), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path(folder + "/poisson.h5")));
  }
}

TEST_F(PoissonProcesses, KilledWhileWritingTheyLeaveACheckpoint) {
  ASSERT_EQ(one({"walls.json", "--output", "one"}).exit_code, 0);
  // They write all the time, and one is killed at any moment.
  Words const words{"walls.json", "--output", "killed", "--set", "/solver/checkpoint_every=1e-9"};
  for (int trial = 0; trial < 4; ++trial) {
    Words all = words;
    all.insert(all.end(), {"--overwrite", "--set", "/solver/tolerance=1e-15", "--set", "/solver/check_every=1"});
    Outcome const killed = signalled(3, all, trial % 3, SIGKILL, "killed/poisson.checkpoint.previous",
                                     std::chrono::milliseconds(10 * trial));
    EXPECT_NE(killed.exit_code, 0);
    Words rest{"walls.json",
               "--output",
               "rest" + std::to_string(trial),
               "--set",
               "/solver/check_every=1",
               "--restart",
               "killed/poisson.checkpoint"};
    Outcome const outcome = run(trial % 2 + 1, rest);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    Hdf5File const found = Hdf5File::open(place_.path("rest" + std::to_string(trial) + "/poisson.h5"));
    EXPECT_LE(found.read_double("/", "relative_residual"), 1e-9);
    std::filesystem::remove_all(place_.path("killed"));
  }
}

TEST_F(PoissonProcesses, AFullDiskOfOneKeepsTheEarlierResult) {
  Words words{"walls.json",
              "--output",
              "full",
              "--set",
              "/domain/cells=[64, 128, 64]",
              "--set",
              "/outputs/compression=0",
              "--set",
              "/solver/max_iterations=20",
              "--set",
              "/solid=[]",
              "--set",
              "/solver/tolerance=0.5"};
  ASSERT_EQ(run(2, words).exit_code, 0);
  Words const before = names("full");
  words.insert(words.end(), {"--overwrite", "--set", "/right_hand_side=0.5"});
  for (int rank = 0; rank < 2; ++rank) {
    // More than the message library needs for memory that processes share.
    ends(run(2, words, "[ $rank != " + std::to_string(rank) + " ] || ulimit -f 16384"), 4, "File too large");
    EXPECT_EQ(names("full"), before);
    EXPECT_FALSE(Hdf5File::open(place_.path("full/poisson.h5")).read_vector<double>("/cells/p").empty());
  }
}

TEST_F(PoissonProcesses, AFullDiskOfOneKeepsTheEarlierFrames) {
  // Frames of 4 MiB, of which each process has half: three take less than the limit, eight more.
  Words words{"heat.json", "--output", "full", "--set", "/domain/cells=[512, 1024]", "--set", "/outputs/compression=0"};
  words.insert(words.end(), {"--set", "/exact=0", "--set", "/time/steps=2", "--set", "/outputs/frames_every=1"});
  ASSERT_EQ(run(2, words).exit_code, 0);
  Words const before = names("full");
  words.insert(words.end(), {"--overwrite", "--set", "/time/steps=7"});
  for (int rank = 0; rank < 2; ++rank) {
    // More than the message library needs for memory that processes share.
    ends(run(2, words, "[ $rank != " + std::to_string(rank) + " ] || ulimit -f 24576"), 4, "File too large");
    EXPECT_EQ(names("full"), before);
    EXPECT_EQ(Hdf5File::open(place_.path("full/heat.h5")).read_vector<double>("/frames/000000002").size(),
              512u * 1024u);
  }
}

/// The rows of compare.csv: fields by the name of the method.
std::map<std::string, Words> rows_of(std::string const& csv) {
  std::map<std::string, Words> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    Words fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    rows[fields.front()] = fields;
  }
  return rows;
}

TEST_F(PoissonProcesses, CompareAsOneProcessDoes) {
  // The odd axis is periodic, and cut by three processes.
  for (char const* cells : {"[14, 18, 6]", "[6, 19, 6]"}) {
    std::string const folder = cells[1] == '1' ? "even" : "odd";
    Words const words{"walls.json", "--compare", "--budget", "60", "--set", std::string("/domain/cells=") + cells};
    auto const to = [&](std::string const& name) {
      Words all = words;
      all.insert(all.end(), {"--output", folder + name});
      return all;
    };
    ASSERT_EQ(one(to("_1")).exit_code, 0);
    Outcome const outcome = run(3, to("_3"));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("3 processes: times of the slowest one, memory of all\n"), std::string::npos);
    EXPECT_EQ(outcome.out.find("Use "), outcome.out.rfind("Use ")) << outcome.out;
    EXPECT_EQ(names(folder + "_3"), (Words{"compare.csv", "compare.h5", "compare.json"}));
    EXPECT_NE(content(place_.path(folder + "_3/compare.json")).find("\"processes\": 3"), std::string::npos);
    auto const expected = rows_of(content(place_.path(folder + "_1/compare.csv")));
    auto const found = rows_of(content(place_.path(folder + "_3/compare.csv")));
    constexpr std::size_t fate = 2, iterations = 3, residual = 4, error = 9;
    for (std::string const method : {"jacobi", "red_black_gs", "sor", "sor_optimal"}) {
      if (folder == "odd" && method != "jacobi") {
        EXPECT_EQ(found.at(method)[fate], "does not apply") << method;
        continue;
      }
      for (std::size_t const column : {fate, iterations, residual, error})
        EXPECT_EQ(found.at(method)[column], expected.at(method)[column]) << method;
    }
    for (std::string const method : {"adi", "cg", "multigrid", "mg_pcg"}) {
      EXPECT_EQ(found.at(method)[fate], "done") << method;
      double const of_one = std::stod(expected.at(method)[error]);
      EXPECT_NEAR(std::stod(found.at(method)[error]), of_one, 1e-6 * of_one) << method;
    }
    EXPECT_EQ(found.at("gauss_seidel")[fate], "does not apply");
    Hdf5File const file = Hdf5File::open(place_.path(folder + "_3/compare.h5"));
    EXPECT_GT(file.read_table("/runs/" + host_backend() + "/mg_pcg").column("residual").size(), 1u);
  }
  // Blocks of cells for multigrid are other parts than pairs.
  Outcome const plane = run(3, {"plane.json", "--compare", "--budget", "60", "--output", "plane", "--set",
                                "/domain/cells=[24, 60]", "--set", "/solver/method=gauss_seidel"});
  EXPECT_EQ(plane.exit_code, 0) << plane.err;
  Outcome const dry = one({"walls.json", "--compare", "--dry-run", "--ranks", "3"});
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_NE(dry.out.find("comparison  8 applicable methods"), std::string::npos) << dry.out;
  EXPECT_NE(dry.out.find("processes   3; memory is that of each"), std::string::npos) << dry.out;
}

TEST_F(PoissonProcesses, ASignalAtAnyOfThemStopsAComparison) {
  for (int rank = 0; rank < 2; ++rank) {
    std::string const folder = "compare_" + std::to_string(rank);
    // The folder is made before the first method runs.
    Outcome const outcome = signalled(2,
                                      {"walls.json", "--compare", "--budget", "60", "--output", folder, "--set",
                                       "/domain/cells=[128, 192, 96]", "--set", "/solid=[]"},
                                      rank, SIGTERM, folder, std::chrono::seconds(5));
    ends(outcome, 128 + SIGTERM, "comparison stopped by a signal; the rows left are marked \"not run\"");
    EXPECT_NE(content(place_.path(folder + "/compare.csv")).find("mg_pcg,"), std::string::npos);
  }
}

TEST_F(PoissonProcesses, ADryRunPrintsThePartOfEach) {
  Words const words{"walls.json", "--output", "dry", "--dry-run", "--set", "/domain/cells=[64, 90, 32]"};
  Words announced = words;
  announced.insert(announced.end(), {"--ranks", "3"});
  Outcome const outcome = one(announced);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  // 30 rows each; both neighbours get a plane of 64 x 32 doubles.
  EXPECT_NE(outcome.out.find("part        at most 61440 cells, sends 32.8 kB an iteration"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("processes   3; memory is that of each"), std::string::npos) << outcome.out;
  Outcome const alone = one({"walls.json", "--output", "dry", "--ranks", "3"});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_NE(alone.err.find("--ranks: needs --dry-run"), std::string::npos) << alone.err;
  EXPECT_EQ(one({"walls.json", "--dry-run", "--ranks", "3", "--set", "/solver/method=gauss_seidel"}).exit_code, 2);
  // 200 rows: 100 pairs, or 25 blocks of 8 for coarser grids in parts.
  for (auto const& [method, rows] : {std::pair{"sor", 68}, {"mg_pcg", 72}}) {
    Words all = announced;
    all.insert(all.end(), {"--set", "/domain/cells=[64, 200, 32]", "--set", std::string("/solver/method=") + method});
    EXPECT_NE(one(all).out.find("part        at most " + std::to_string(64 * 32 * rows) + " cells"), std::string::npos);
  }
  for (std::string const method : {"adi", "multigrid", "auto"}) {
    Words all = announced;
    all.insert(all.end(), {"--set", "/solver/method=" + method});
    Outcome const other = one(all);
    EXPECT_EQ(other.exit_code, 0) << other.err;
    EXPECT_NE(other.out.find("part        at most 61440 cells"), std::string::npos) << other.out;
  }
}

TEST_F(PoissonProcesses, ADryRunOfAProblemInTimePrintsThePartOfEach) {
  Outcome const plate = one({"heat.json", "--dry-run", "--ranks", "3", "--set", "/domain/cells=[64, 90]"});
  ASSERT_EQ(plate.exit_code, 0) << plate.err;
  // 30 rows each, which move to whole lines in y and back; both neighbours get a row.
  EXPECT_NE(plate.out.find("part        at most 1920 cells, sends 31.8 kB a step"), std::string::npos) << plate.out;
  EXPECT_NE(plate.out.find("processes   3; memory is that of each"), std::string::npos) << plate.out;
  Outcome const present = run(3, {"columns.json", "--output", "dry", "--dry-run"});
  ASSERT_EQ(present.exit_code, 0) << present.err;
  EXPECT_NE(present.out.find("part        at most 252 cells, sends nothing in a step"), std::string::npos)
      << present.out;
  EXPECT_FALSE(std::filesystem::exists(place_.path("dry")));
  EXPECT_EQ(one({"heat.json", "--dry-run", "--ranks", "200"}).exit_code, 2);
}

/// An error in some of the processes ends all, in its first step, in a frame or in a step between.
TEST_F(PoissonProcesses, ErrorsOfProblemsInTimeEndInOneLine) {
  auto const heat_with = [](std::string const& value) { return Words{"heat.json", "--output", "bad", "--set", value}; };
  ends(run(3, heat_with("/initial=\"y > 0.7 ? 1 / 0 : 1\"")), 2, "expected finite values, found inf in cell");
  ends(run(3, heat_with("/sides/west/value=\"y > 0.7 ? 1 / 0 : 1\"")), 2, "/sides/west/value");
  ends(run(3, heat_with("/exact=\"t > 0.1 && y < 0 ? 1 / 0 : 1\"")), 2, "/exact");
  ends(run(3, {"columns.json", "--output", "bad", "--set", "/ground/flux=\"t > 1 && y > 9 ? 1 / 0 : 1\""}), 2,
       "/ground/flux");
  ends(run(3, {"columns.json", "--output", "bad", "--set", "/diffusivity=\"y > 9 ? -1 : 1\""}), 2,
       "expected values >= 0, found -1 in z-face (k, j, i) = (0, 9, 0), at (x, y, z) = (0.5, 9.5, 0)");
  ends(run(4, {"columns.json", "--output", "bad", "--set", "/columns=[3, 2]"}), 2,
       "4 processes do not divide the 3 x 2 columns of /columns: parts begin at even cells; take 2 processes");
  ends(run(3, heat_with("/domain/cells=[3, 3]")), 2,
       "3 processes do not divide the 3 x 3 columns of /domain: parts begin at even cells; take 2 processes");
  // A value that is not finite has the place that one process finds.
  Words const wild = heat_with("/initial=\"y > 0.4 ? 1e308 : x\"");
  Outcome const alone = one(wild);
  EXPECT_EQ(alone.exit_code, 5) << alone.err;
  ends(run(3, wild), 5, alone.err.substr(0, alone.err.size() - 1));
  // A checkpoint of other cells.
  ASSERT_EQ(run(3, {"heat.json", "--output", "good", "--set", "/time/checkpoint_every=1e-9"}).exit_code, 0);
  Words other = heat_with("/domain/cells=[20, 26]");
  other.insert(other.end(), {"--restart", "good/heat.checkpoint"});
  ends(run(2, other), 2, "/domain/cells");
}

TEST_F(PoissonProcesses, RefusedRunsEndInOneLine) {
  auto const with = [](std::string const& value) { return Words{"walls.json", "--output", "bad", "--set", value}; };
  for (std::string const method : {"gauss_seidel", "tridiagonal"})
    ends(run(2, with("/solver/method=" + method)), 2, "/solver/method");
  ends(run(3, with("/domain/cells=[2, 9, 6]")), 2, "odd number of 9 cells along a periodic axis");
  ends(run(3, {"plane.json", "--output", "bad", "--set", "/domain/cells=[3, 3]"}), 2,
       "karman poisson: 3 processes do not divide the 3 x 3 columns of /domain: parts begin at even cells; take 2 "
       "processes");
  // Two processes would cut the periodic axis with an odd number of cells.
  ends(run(4, with("/domain/cells=[2, 5, 6]")), 2, "columns of /domain: parts begin at even cells; take one process");
  place_.write("line.json", R"({"problem": "poisson", "domain": {"cells": [24], "size": [1]}, "right_hand_side": 1})");
  ends(run(2, {"line.json", "--output", "bad"}), 2, "/domain/cells");
  ends(run(2, {"line.json", "--output", "bad", "--compare"}), 2, "/domain/cells");
  ends(run(3, with("/solver/method=gauss_seidel")), 2,
       "method not applicable: gauss_seidel runs as one process; as several run jacobi, red_black_gs, sor, "
       "sor_optimal, adi, direct, multigrid, cg, mg_pcg");
  ends(run(3, with("/right_hand_side=\"y > 0.9 ? 1 / 0 : 1\"")), 2, "expected finite values, found inf in cell");
  ends(run(2, {"walls.json", "--output", "bad"}, "[ $rank = 0 ] || set -- \"$@\" --set /solver/omega=1.5"), 2,
       "process 1 has another case");
  ASSERT_EQ(run(2, {"walls.json", "--output", "good"}).exit_code, 0);
  ends(run(2, {"walls.json", "--output", "good"}), 4, "already holds files: add --overwrite");
  EXPECT_FALSE(std::filesystem::exists(place_.path("bad")));
}

}  // namespace poisson_processes_test
