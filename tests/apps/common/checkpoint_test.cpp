// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints of every application: after a signal, at a limit, and while running; restarts to the same bits, refusals,
// fall-back to the predecessor.
#include "application_record.hpp"
#include "command_of.hpp"
#include "result_content.hpp"
#include <karman/io/checkpoint.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace checkpoint_test {

using namespace karman::test;
using karman::Checkpoint;
using karman::CheckpointFormat;
using karman::Hdf5File;
using nlohmann::json;
using Words = std::vector<std::string>;

/// Runs of one application, and its checkpoints.
class CheckpointsOf : public CommandOf {
 protected:
  explicit CheckpointsOf(ApplicationRecord record)
      : CommandOf(record.application, record.text), record_(std::move(record)), format_{"karman." + record_.stem, 1} {}

  Outcome run_into(std::string const& folder, Words const& more) { return run(Words{"--output", folder} + more); }

  /// Runs with a checkpoint after every check; the last two stay in the folder.
  Outcome run_with_checkpoints(std::string const& folder, Words const& more = {}) {
    return run_into(folder, more + set({record_.often}));
  }

  json metadata(std::string const& file) const {
    return json::parse(Checkpoint::open(place_.path(file), format_).metadata());
  }
  double position(std::string const& file) const {
    return metadata(file).at(json::json_pointer(record_.position)).get<double>();
  }

  /// Expects that a restart is refused with this exit code, in one line with these words, and leaves nothing.
  void refused(std::string const& file, int exit_code, std::string const& words, Words const& more = {}) {
    Outcome const outcome = run_into("new", more + Words{"--restart", file});
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << words << '\n' << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path("new")));
  }

  /// Flips a bit in the middle of a file.
  void damage(std::string const& file, std::string const& copy) {
    std::string bytes = content(place_.path(file));
    ASSERT_FALSE(bytes.empty()) << file;
    bytes[bytes.size() / 2] ^= 1;
    place_.write(copy, bytes);
  }

  /// Names of the files in a folder and below, without checkpoints.
  std::set<std::string> files_of(std::string const& folder) const {
    std::set<std::string> names;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(place_.path(folder))) {
      std::string const name = std::filesystem::relative(entry.path(), place_.path(folder)).string();
      if (entry.is_regular_file() && name.find(".checkpoint") == std::string::npos) names.insert(name);
    }
    return names;
  }

  /// Expects the same files, with the same content except for checkpoints and times of the clock.
  void expect_same_folder(std::string const& found, std::string const& expected) {
    std::set<std::string> const files = files_of(expected);
    EXPECT_EQ(files_of(found), files);
    EXPECT_GE(files.size(), 3u);
    for (std::string const& name : files) {
      if (name == "frames/mesh.h5") continue;
      auto const one = place_.path(found) / name, other = place_.path(expected) / name;
      if (other.extension() == ".h5") {
        expect_same_result(one, other);
        continue;
      }
      std::string const text = content(other);
      if (text.substr(0, text.find('\n')).find("seconds") != std::string::npos) continue;
      EXPECT_EQ(content(one), text) << name;
    }
  }

  ApplicationRecord record_;
  CheckpointFormat format_;
};

class Checkpoints : public CheckpointsOf, public ::testing::WithParamInterface<ApplicationRecord> {
 protected:
  Checkpoints() : CheckpointsOf(GetParam()) {}
};

TEST_P(Checkpoints, ASignalLeavesOneFromWhichARunGoesOnToTheSameBits) {
  std::string const file = record_.checkpoint("out");
  Words const endless = set(record_.endless);
  Outcome const stopped = interrupted(Words{"--output", "out"} + endless);
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("karman " + record_.application + ": stopped by a signal "), std::string::npos)
      << stopped.err;
  EXPECT_NE(stopped.err.find("; continue with karman " + record_.application + ' '), std::string::npos) << stopped.err;
  EXPECT_NE(stopped.err.find(" --output out --overwrite --restart " + file + " --set "), std::string::npos)
      << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path(record_.file("out"))));
  double const first = position(file);
  EXPECT_GT(first, 0);
  Outcome const again = interrupted(Words{"--output", "out", "--restart", file} + endless, SIGTERM);
  EXPECT_EQ(again.exit_code, 143) << again.err;
  EXPECT_GT(position(file), first);
  EXPECT_EQ(position(file + ".previous"), first);
  // The last of the settings counts.
  json const state = metadata(file);
  json const reached = record_.end == "/time/end" ? state.at("time")
                       : record_.stem == "waves"  ? state.at("at_work").at("iteration")
                                                  : state.at(json::json_pointer(record_.position));
  json const end = reached.is_number_integer() ? json(reached.get<int>() + static_cast<int>(record_.further))
                                               : json(reached.get<double>() + record_.further);
  Words const ended = endless + set({record_.end + '=' + end.dump()});
  Outcome const on = run_into("out", ended + Words{"--restart", file});
  EXPECT_EQ(on.exit_code, record_.end_code) << on.err;
  Outcome const whole = run_into("whole", ended);
  EXPECT_EQ(whole.exit_code, record_.end_code) << whole.err;
  expect_same_folder("out", "whole");
}

TEST_P(Checkpoints, FallBackToTheOneBefore) {
  std::string const file = record_.checkpoint("out");
  ASSERT_EQ(run_with_checkpoints("out").exit_code, 0);
  auto const takes_the_one_before = [&] {
    Outcome const outcome = run_into("on", {"--overwrite", "--restart", file});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("karman " + record_.application + ": ")) << outcome.err;
    EXPECT_NE(outcome.err.find(".previous"), std::string::npos) << outcome.err;
    expect_same_result(place_.path(record_.file("on")), place_.path(record_.file("out")));
  };
  damage(file, file);
  takes_the_one_before();
  std::filesystem::remove(place_.path(file));
  takes_the_one_before();
  std::filesystem::remove(place_.path(file + ".previous"));
  refused(file, 4, file);
}

TEST_P(Checkpoints, OfAnotherCaseAreRefused) {
  ASSERT_EQ(run_with_checkpoints("out").exit_code, 0);
  for (auto const& [setting, words] : record_.others) refused(record_.checkpoint("out"), 2, words, set({setting}));
}

TEST_P(Checkpoints, WhatDoesNotChangeTheSolutionMayDiffer) {
  ASSERT_EQ(run_with_checkpoints("out").exit_code, 0);
  Outcome const outcome = run_into("on", set(record_.free) + Words{"--restart", record_.checkpoint("out")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Hdf5File const file = Hdf5File::open(place_.path(record_.file("on")));
  std::string const& end = record_.free.back();
  bool const is_longer = end.starts_with("/time/end=");
  if (is_longer) {
    EXPECT_EQ(file.read_double("/", "time"), std::stod(end.substr(end.find('=') + 1)));
  }
  if (!record_.reduced.empty()) {
    auto const datasets = file.list(record_.reduced);
    ASSERT_EQ(datasets.size(), 1u);
    std::string const name = record_.reduced + '/' + datasets.front().name;
    Hdf5File const whole = Hdf5File::open(place_.path(record_.file("out")));
    if (!is_longer) {
      EXPECT_EQ(file.read_vector<double>(name), whole.read_vector<double>(name));
    }
  }
  // A run in another folder begins its frames at the checkpoint.
  if (record_.frames > 0) {
    auto const frame = Hdf5File::open(place_.path("on/frames/frame_000000.h5"));
    EXPECT_EQ(frame.list("/fields").size(), 1u);
  }
}

TEST_P(Checkpoints, ThatAreInvalidAreRefused) {
  ASSERT_EQ(run_with_checkpoints("out").exit_code, 0);
  std::string const file = record_.checkpoint("out");
  damage(file, "damaged");
  place_.write("cut", content(place_.path(file)).substr(0, 3000));
  place_.write("rubbish", "not a checkpoint");
  std::filesystem::create_directory(place_.path("folder"));
  for (std::string const invalid : {"damaged", "cut", "rubbish", "nowhere", "folder"}) refused(invalid, 4, invalid);
  // Poisson's equation takes an earlier result as first guess.
  if (record_.stem != "poisson") refused(record_.file("out"), 4, record_.file("out"));
  std::string const good = metadata(file).dump();
  karman::write_checkpoint(place_.path("other"), {"karman.other", 1}, good, {});
  refused("other", 4, "expected a state of \"karman." + record_.stem + "\", found \"karman.other\"");
  // A whole checkpoint of an impossible state.
  auto const written = [&](json const& changed, std::vector<karman::CheckpointArray> const& arrays,
                           std::string const& words = "") {
    karman::write_checkpoint(place_.path("odd"), format_, changed.dump(), arrays);
    refused("odd", 4, "odd");
    refused("odd", 4, words);
  };
  written(json::object(), {});
  written(json::parse(good), {});
  std::vector<double> const few(8, 1.0);
  written(json::parse(good), {{record_.array, {few.data(), {4, 2}}}});
  for (auto const& [patch, words] : record_.impossible) written(json::parse(good).patch(json::parse(patch)), {}, words);
}

TEST_P(Checkpoints, OneRunAtATimeWritesIntoItsFolder) {
  keeps_its_folder(Words{"--output", "out"} + set(record_.endless));
}

TEST_P(Checkpoints, ANewRunRemovesTheFilesOfAKilledOne) {
  std::string const left = left_by_a_killed_process();
  std::filesystem::create_directories(place_.path("out/frames"));
  Words files{record_.stem + ".h5", record_.stem + ".checkpoint"};
  if (record_.often.starts_with("/time")) files.push_back(record_.stem + ".frames-000000100.h5");
  auto const leave = [&] {
    for (std::string const& file : files) place_.write("out/." + file + left, "half");
    if (record_.frames > 0) place_.write("out/frames/.frame_000077.h5" + left, "half");
  };
  leave();
  ASSERT_EQ(run_into("out", {}).exit_code, 4) << "it is not empty";
  ASSERT_EQ(run_with_checkpoints("out", {"--overwrite"}).exit_code, 0);
  auto const expect_none = [&] {
    for (auto const& entry : std::filesystem::recursive_directory_iterator(place_.path("out")))
      EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
  };
  expect_none();
  leave();
  ASSERT_EQ(run_into("out", {"--overwrite", "--restart", record_.checkpoint("out")}).exit_code, 0);
  expect_none();
}

INSTANTIATE_TEST_SUITE_P(Applications, Checkpoints, ::testing::ValuesIn(application_records()),
                         [](auto const& info) { return info.param.stem; });

/// A case with settings whose restarts are compared with an uninterrupted run.
struct RestartedRun {
  std::string name;
  ApplicationRecord record;
  Words settings = {};
  bool leaves_one = false;  ///< a checkpoint, also where none was asked for: a steady march
  std::string array = {};   ///< that its last checkpoint must have
  std::string remark = {};

  friend void PrintTo(RestartedRun const& run, std::ostream* out) { *out << run.name; }
};

class Restart : public CheckpointsOf, public ::testing::WithParamInterface<RestartedRun> {
 protected:
  Restart() : CheckpointsOf(GetParam().record) {
    write_small_files(place_.path("."));
    write_small_flow_files(place_.path("."));
  }

  /// The lines about the solution: those without times of the clock and names of files.
  static std::string told(std::string const& out) {
    std::istringstream lines(out);
    std::string all;
    for (std::string line; std::getline(lines, line);) {
      bool const of_its_folder = line.find(" continue with karman ") != std::string::npos;
      if (line.find(" on ") == std::string::npos && !line.ends_with(".h5") && !of_its_folder) all += line + '\n';
    }
    return all;
  }
};

TEST_P(Restart, GivesTheSameBits) {
  RestartedRun const& param = GetParam();
  Words const settings = set(param.settings);
  Outcome const whole = run_into("whole", settings);
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_TRUE(param.remark.empty() ? whole.err.empty() : whole.err.starts_with(param.remark)) << whole.err;
  EXPECT_EQ(std::filesystem::exists(place_.path(record_.checkpoint("whole"))), param.leaves_one);
  // Checkpoints leave no trace in the solution.
  Outcome const out = run_with_checkpoints("out", settings);
  ASSERT_EQ(out.exit_code, 0) << out.err;
  expect_same_folder("out", "whole");
  auto const whole_files = files_of("whole");
  EXPECT_EQ(std::count_if(whole_files.begin(), whole_files.end(),
                          [](std::string const& name) { return name.starts_with("frames/"); }),
            param.leaves_one ? 0 : record_.frames)
      << "a steady march has none";
  std::string const last = record_.checkpoint("out");
  EXPECT_LT(position(last + ".previous"), position(last));
  if (!param.array.empty()) {
    EXPECT_TRUE(Checkpoint::open(place_.path(last), format_).has(param.array));
  }
  for (std::string const which : {"", ".previous"}) {
    // In the folder itself, without the files that it must write again; and in another one.
    std::filesystem::remove_all(place_.path("on"));
    std::filesystem::copy(place_.path("out"), place_.path("on"), std::filesystem::copy_options::recursive);
    auto const copied = std::filesystem::last_write_time(place_.path(record_.file("on")));
    for (auto const& entry : std::filesystem::directory_iterator(place_.path("out"))) {
      auto const kind = entry.path().extension();
      if (kind == ".csv" || kind == ".xdmf") std::filesystem::remove(place_.path("on") / entry.path().filename());
    }
    Outcome const on =
        run_with_checkpoints("on", settings + Words{"--overwrite", "--restart", record_.checkpoint("on") + which});
    ASSERT_EQ(on.exit_code, 0) << on.err;
    EXPECT_EQ(on.err, whole.err);
    EXPECT_EQ(told(on.out), told(whole.out));
    EXPECT_GT(std::filesystem::last_write_time(place_.path(record_.file("on"))), copied);
    expect_same_folder("on", "whole");
  }
  Outcome const other = run_into("other", settings + Words{"--restart", last + ".previous"});
  ASSERT_EQ(other.exit_code, 0) << other.err;
  EXPECT_EQ(other.err, whole.err);
  expect_same_result(place_.path(record_.file("other")), place_.path(record_.file("whole")));
}

std::vector<RestartedRun> restarted_runs() {
  auto const of = [](std::string const& stem, std::string const& text = "") { return application_record(stem, text); };
  std::vector<std::string> const wave_cases = small_wave_cases();
  std::string const box =
      R"("frames": 4 }, "gauges": [{ "name": "end", "at": [2, 0.5] }], "outputs": { "history_every": 2 } })";
  std::string const moving = R"({ "mesh": { "kind": "rectangle", "high": [2, 1], "size": 0.1 },
    "flow": { "pressure": 1, "density": 1.4, "velocity": [0, 0] }, "boundaries": { "others": { "kind": "wall" } },
    "motion": { "body": ["west"], "sliding": ["south", "north"], "surge": { "speed": 0.3 } },
    "time": { "kind": "transient", "end": 0.4, )" +
                             box;
  // Periodic sides, floors that act, and a wave that enters through the moving body.
  std::string const periodic = R"json({ "mesh": { "kind": "rectangle", "high": [2, 1], "size": 0.1 },
    "flow": { "pressure": 1, "density": 1.4, "velocity": [0.5, 0] }, "periodic": [["south", "north"]],
    "boundaries": { "east": { "kind": "far_field" }, "west": { "kind": "far_field", "state": { "pressure": 1,
      "density": "1.4 + 0.3 * sin(9 * (x - 0.5 * t))", "velocity": [0.5, 0] } } }, "scheme": { "density_floor": 1.3 },
    "motion": { "body": ["west"], "surge": { "amplitude": 0.1, "frequency": 2 }, "plunge": { "speed": 0.2 } },
    "time": { "kind": "transient", "end": 0.4, )json" +
                               box;
  std::string const sections = R"(/sections=[{"name":"along","from":[0,5],"to":[40,5],"count":9}])";
  // A multistep march: at the last frame one step is still to come, before it the multistep march is under way.
  auto const adams = [](char const* rows) { return Words{"/time/method=adams_bashforth4", "/time/cfl=0.3", rows}; };
  auto const implicit = [](char const* method, char const* more) {
    return Words{std::string("/time/method=") + method,
                 "/time/step=0.03",
                 "/time/cfl=auto",
                 "/scheme/density_floor=0",
                 "/scheme/pressure_floor=0",
                 "/outputs/history_every=1",
                 more};
  };
  std::string const coarse = "karman waves: the mesh has 9.3 nodes per wavelength ";
  std::vector<RestartedRun> all{
      {"wind", of("wind")},
      {"poisson", of("poisson"), {"/solver/omega=1"}},
      {"heat", of("heat")},
      {"column_diffusion", of("column_diffusion")},
      {"waves", of("waves")},
      {"waves_f32",
       of("waves"),
       {"/solver/precision=f32", "/solver/tolerance=1e-4", "/solver/method=cocg", "/solver/max_iterations=20000"}},
      {"waves_sea", of("waves", wave_cases[2]), {"/solver/picard/tolerance=1e-4"}},
      {"waves_scan", of("waves", wave_cases[3]), {}, false, "", coarse},
      {"waves_scan_largest", of("waves", wave_cases[3]), {"/outputs/components=largest"}, false, "", coarse},
      {"waves_scan_none", of("waves", wave_cases[3]), {"/outputs/components=none"}, false, "", coarse},
      {"waves_scan_rough",
       of("waves", wave_cases[3]),
       {R"(/friction={"kind":"rough","roughness":0.1})", "/amplitude_dispersion=true"},
       false,
       "",
       coarse},
      {"waves_list", of("waves", wave_cases[1]), {sections, "/waves/coherent=false", "/outputs/components=all"}},
      {"waves_list_largest",
       of("waves", wave_cases[1]),
       {sections, "/waves/coherent=false", "/outputs/components=largest"}},
      {"euler", of("euler")},
      {"euler_f32", of("euler"), {"/solver/precision=f32"}},
      {"euler_moving", of("euler", moving)},
      {"euler_moving_bdf2", of("euler", moving), {"/time/method=bdf2", "/time/step=0.03"}, false, "former"},
      {"euler_moving_periodic", of("euler", periodic), {}, false, "", "karman euler: floors changed nodes "},
      {"euler_ssp_rk3", of("euler"), {"/time/method=ssp_rk3"}},
      {"euler_low_storage_rk54", of("euler"), {"/time/method=low_storage_rk54"}},
      {"euler_adams_1", of("euler"), adams("/outputs/history_every=1"), false, "former"},
      {"euler_adams_3", of("euler"), adams("/outputs/history_every=3"), false, "former"},
      {"euler_bdf2", of("euler"), implicit("bdf2", "/time/newton_tolerance=1e-3"), false, "former"},
      {"euler_bdf2_tolerance", of("euler"), implicit("bdf2", "/time/tolerance=1e-3"), false, "former"},
      {"euler_tr_bdf2", of("euler"), implicit("tr_bdf2", "/time/tolerance=1e-3")},
      {"euler_steady",
       of("euler"),
       {R"(/time={"kind":"steady","residual":1e-12,"force_change":1,"window":60})", "/outputs/history_every=10"},
       true},
      {"turbulence", of("turbulence")},
      {"turbulence_f32", of("turbulence"), {"/solver/precision=f32"}},
      {"turbulence_single", of("turbulence"), {R"(/forcing={"kind":"single","wavenumber":4,"energy_rate":0.2})"}},
      {"turbulence_kolmogorov",
       of("turbulence"),
       {R"(/forcing={"kind":"kolmogorov","wavenumber":4})", "/time/cfl=auto"}},
      {"turbulence_fading",
       of("turbulence"),
       {R"(/time={"kind":"fixed","dt":0.03,"end":2,"frames":4,"averages_from":1})", "/solver/dealiasing=exponential"}}};
  for (std::string const method : {"low_storage_rk3", "crank_nicolson_rk54", "crank_nicolson_rk3", "etdrk4"})
    all.push_back({"turbulence_" + method, of("turbulence"), {"/solver/method=" + method, "/time/cfl=0.5"}});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Runs, Restart, ::testing::ValuesIn(restarted_runs()),
                         [](auto const& info) { return info.param.name; });

/// A run that ends at a limit of its iterations. Only methods that do not restart there continue to the same bits.
struct LimitedRun {
  std::string name;
  ApplicationRecord record;
  Words settings;
  std::string limit;
  int few = 0;
  bool same_bits = true;

  friend void PrintTo(LimitedRun const& run, std::ostream* out) { *out << run.name; }
};

class Limit : public CheckpointsOf, public ::testing::WithParamInterface<LimitedRun> {
 protected:
  Limit() : CheckpointsOf(GetParam().record) {}

  /// Expects a result that is not converged, after this number of iterations.
  void ended_after(std::string const& folder, int count) {
    Hdf5File const file = Hdf5File::open(place_.path(record_.file(folder)));
    EXPECT_EQ(file.read_integer("/", "converged"), 0);
    bool const steps = record_.stem == "euler";
    if (steps) {
      EXPECT_EQ(file.read_double("/", "step"), count);
    } else if (record_.stem != "waves") {
      EXPECT_EQ(file.read_integer("/", "iterations"), count);
    }
    EXPECT_EQ(file.read_table("/history").column(steps ? "step" : "iteration").back(), count);
    EXPECT_EQ(position(record_.checkpoint(folder)), count);
  }
};

TEST_P(Limit, EndsARunWhichThenContinues) {
  LimitedRun const& param = GetParam();
  auto const at = [&](std::string const& folder, int count) {
    // A quote in an argument must survive the shell.
    return Words{"--output", folder} + set(param.settings) +
           set({"/title=It's another", param.limit + '=' + std::to_string(count)});
  };
  Outcome outcome = not_converged(at("out", param.few));
  ended_after("out", param.few);
  outcome = continued(outcome);
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  ended_after("out", 2 * param.few);
  if (param.same_bits) {
    not_converged(at("whole", 2 * param.few));
    expect_same_result(place_.path(record_.file("out")), place_.path(record_.file("whole")));
    return;
  }
  int runs = 2;
  for (; outcome.exit_code == 3 && runs < 12; ++runs) outcome = continued(outcome);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err << " after " << runs << " runs";
  auto const history = Hdf5File::open(place_.path(record_.file("out"))).read_table("/history");
  EXPECT_EQ(history.column("iteration").front(), 0);
}

std::vector<LimitedRun> limited_runs() {
  ApplicationRecord const wind = application_record("wind"), waves = application_record("waves"),
                          euler = application_record("euler"),
                          plate = application_record("poisson", R"json({ "problem": "poisson",
      "domain": { "cells": [40, 30], "size": [1, 1] }, "right_hand_side": "1 + x", "solver": { "tolerance": 1e-8, "check_every": 1 } })json");
  std::string const iterations = "/solver/max_iterations";
  auto const method = [](char const* name) { return std::string("/solver/method=") + name; };
  return {{"wind_sor", wind, {method("sor")}, iterations, 20},
          {"wind_mg_pcg", wind, {method("mg_pcg"), R"(/outputs={"fields":["faces","lambda"]})"}, iterations, 2, false},
          {"poisson_sor", plate, {method("sor")}, iterations, 20},
          {"poisson_jacobi", plate, {method("jacobi")}, iterations, 20},
          {"poisson_cg", plate, {method("cg")}, iterations, 20, false},
          {"poisson_multigrid", plate, {method("multigrid")}, iterations, 2, false},
          {"waves", waves, {"/solver/picard/tolerance=1e-12"}, "/solver/picard/max_iterations", 2},
          {"euler", euler, {R"(/time={"kind":"steady"})", "/outputs/history_every=10"}, "/time/max_steps", 20},
          {"euler_newton", application_record("euler", small_newton_case), {}, "/time/max_steps", 5}};
}

INSTANTIATE_TEST_SUITE_P(Runs, Limit, ::testing::ValuesIn(limited_runs()),
                         [](auto const& info) { return info.param.name; });

/// The same case with another file of its mesh.
class MeshFile : public CheckpointsOf, public ::testing::WithParamInterface<ApplicationRecord> {
 protected:
  MeshFile() : CheckpointsOf(GetParam()) {}
};

TEST_P(MeshFile, ThatChangedIsRefused) {
  bool const waves = record_.stem == "waves";
  Words const more = set({waves ? "/amplitude_dispersion=true" : "/outputs/history_every=1"});
  auto mesh =
      waves ? small_mesh() : karman::mesh_rectangle({{0, 0}, {2, 1}, 0.25, karman::DiagonalPattern::alternating});
  karman::MeshWriteOptions overwriting;
  overwriting.overwrite = karman::Overwrite::yes;
  auto const write = [&] { karman::write_mesh(place_.path(waves ? "small.msh" : "small.mesh"), mesh, overwriting); };
  if (waves) write_small_files(place_.path("."));
  write();
  ASSERT_EQ(run_with_checkpoints("out", more).exit_code, 0);
  mesh.nodes[mesh.nodes.size() / 2][0] += 0.01;
  write();
  refused(record_.checkpoint("out"), 2, "/mesh", more);
}

INSTANTIATE_TEST_SUITE_P(Applications, MeshFile,
                         ::testing::Values(application_record("euler", small_flow_cases().at(13)),
                                           application_record("waves", small_wave_cases().at(7))),
                         [](auto const& info) { return info.param.stem; });

}  // namespace checkpoint_test
