// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A signal at every phase of a run of every application ends it in the same way.
#include "run_command.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace command_stop_test {

using karman::test::Conditions;
using karman::test::content;
using karman::test::line_count;
using karman::test::Outcome;
using karman::test::Workplace;
namespace fs = std::filesystem;

/// A run of an application.
struct Application {
  std::string name;
  std::string text;          ///< of the case
  std::string stem;          ///< of its files
  bool has_formulas = true;  ///< values at cells by formulas
};

void PrintTo(Application const& application, std::ostream* stream) { *stream << application.stem; }

/// The call at which the signal comes, see signal_hook.cpp.
struct Moment {
  std::string event;
  std::string name;  ///< end of the name of a file
  long count = 1;

  std::string text() const { return event + ' ' + name + ' ' + std::to_string(count); }
};

/// The notes of the hook.
struct Notes {
  long kernels = 0, formulas = 0, sent = 0, later = 0;
};

/// End of a run by a signal.
enum class End { in_set_up, at_checkpoint, complete };

/// Runs of one case, in the folder `out`.
class Stops {
 public:
  explicit Stops(Application const& application) : application_(application) {
    place_.write("case.json", application.text);
  }

  Outcome run(Moment const& moment, int number, std::vector<std::string> const& more = {}) {
    std::error_code ignored;
    fs::remove_all(place_.path("out"), ignored);
    fs::remove(place_.path("log"), ignored);
    Conditions conditions;
    conditions.environment = {{"LD_PRELOAD", KARMAN_SIGNAL_HOOK},
                              {"ASAN_OPTIONS", "verify_asan_link_order=0"},
                              // Neither does the process start itself again, nor do threads spin.
                              {"OMP_WAIT_POLICY", "passive"},
                              {"OMP_NUM_THREADS", "2"},
                              {"KARMAN_HOOK_EVENT", moment.event},
                              {"KARMAN_HOOK_NAME", moment.name},
                              {"KARMAN_HOOK_COUNT", std::to_string(moment.count)},
                              {"KARMAN_HOOK_SIGNAL", std::to_string(number)},
                              {"KARMAN_HOOK_LOG", place_.path("log").string()}};
    std::vector<std::string> words{application_.name,           "case.json", "--output", "out", "--backend",
                                   karman::test::host_backend()};
    words.insert(words.end(), more.begin(), more.end());
    Outcome const outcome = place_.karman(words, conditions);
    std::istringstream(content(place_.path("log"))) >> notes.kernels >> notes.formulas >> notes.sent >> notes.later;
    return outcome;
  }

  /// Expects one line, the exit code of the signal and whole files.
  End expect_stop(Moment const& moment, int number) {
    Outcome const outcome = run(moment, number);
    std::string const what = application_.name + " at " + moment.text() + ": " + outcome.err;
    EXPECT_EQ(notes.sent, 1) << "the run never came to " << what;
    EXPECT_EQ(outcome.exit_code, 128 + number) << what;
    EXPECT_EQ(line_count(outcome.err), 1) << what;
    auto const says = [&](char const* part) { return outcome.err.find(part) != std::string::npos; };
    EXPECT_TRUE(says(("karman " + application_.name + ": stopped by a signal ").c_str())) << what;
    End const end = says("during the set-up") ? End::in_set_up : says("complete") ? End::complete : End::at_checkpoint;
    auto const has = [&](char const* extension) {
      return fs::exists(place_.path("out/" + application_.stem + extension));
    };
    EXPECT_EQ(has(".checkpoint"), end == End::at_checkpoint) << what;
    EXPECT_EQ(has(".h5"), end == End::complete) << what;
    EXPECT_EQ(has(".xdmf"), end == End::complete) << what;
    if (end == End::in_set_up) {
      EXPECT_FALSE(fs::exists(place_.path("out"))) << what;
    } else {
      expect_whole_files(what);
    }
    return end;
  }

  Notes notes;

 private:
  void expect_whole_files(std::string const& what) const {
    for (auto const& entry : fs::recursive_directory_iterator(place_.path("out"))) {
      std::string const name = entry.path().filename().string();
      EXPECT_FALSE(name.starts_with('.')) << name << " was left, " << what;
      EXPECT_TRUE(entry.is_directory() || entry.file_size() > 0) << name << " is empty, " << what;
      if (name.ends_with(".h5")) {
        EXPECT_NO_THROW(karman::Hdf5File::open(entry.path())) << what;
      }
      if (name.ends_with(".checkpoint")) {
        EXPECT_NO_THROW(karman::Checkpoint::open(entry.path(), {"karman." + application_.stem, 1})) << what;
      }
    }
  }

  Application const& application_;
  Workplace place_;
};

class StopEverywhere : public ::testing::TestWithParam<Application> {};

TEST_P(StopEverywhere, EndsInOneLineWithWholeFiles) {
  Application const& application = GetParam();
  Stops stops(application);
  Outcome const whole = stops.run({}, 0);
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  ASSERT_EQ(line_count(whole.err), 0) << whole.err;
  long const kernels = stops.notes.kernels, formulas = stops.notes.formulas;
  EXPECT_EQ(stops.notes.sent, 0);

  // Reading the case; the lock of the folder, before Kokkos; the files of results.
  std::vector<Moment> moments{{"open", "case.json"},
                              {"lock", ""},
                              {"publish", '/' + application.stem + ".h5"},
                              {"publish", '/' + application.stem + ".xdmf"}};
  // Start of Kokkos, check of the backend, plan, iteration and output: all by kernels.
  for (double const part : {0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
    long const count = std::max(1L, static_cast<long>(part * static_cast<double>(kernels)));
    if (kernels > 0) moments.push_back({"kernel", "", count});
  }
  // In the evaluation of the case.
  if (application.has_formulas) moments.push_back({"formula", "", formulas / 3});
  std::set<End> ends;
  int n = 0;
  for (Moment const& moment : moments) ends.insert(stops.expect_stop(moment, n++ % 2 == 0 ? SIGINT : SIGTERM));
  EXPECT_TRUE(ends.contains(End::in_set_up));
  EXPECT_TRUE(ends.contains(End::complete));
#if defined(__GNUC__) && !defined(__clang__)
  // The hook sees the kernels of GNU's OpenMP runtime alone.
  if (karman::test::host_backend() == "openmp") {
    EXPECT_TRUE(ends.contains(End::at_checkpoint)) << kernels << " kernels";
  }
#endif
}

std::vector<Application> applications() {
  std::vector<Application> all;
  all.push_back({"wind", R"json({
    "domain": { "cells": [40, 20], "spacing": [2, 2], "layers": { "kind": "uniform", "count": 16, "thickness": 1 } },
    "wind": { "profile": { "kind": "log", "speed": 5, "height": 10, "roughness": 0.1 }, "direction": 250 },
    "buildings": [{ "kind": "block", "position": [24, 16], "size": [8, 8, 4] }],
    "solver": { "precision": "f64", "tolerance": 1e-6, "check_every": 5 } })json",
                 "wind", false});
  all.push_back({"poisson", R"json({
    "problem": "poisson", "domain": { "cells": [40, 40], "size": [1, 1] }, "coefficient": "1 + x * y",
    "right_hand_side": "sin(pi * x) * y", "exact": "x",
    "solver": { "method": "sor", "check_every": 5, "tolerance": 1e-8 } })json",
                 "poisson"});
  all.push_back({"poisson", R"json({
    "problem": "heat", "domain": { "cells": [40, 40], "size": [1, 1] }, "diffusivity": 0.1, "initial": "x * y",
    "time": { "step": 0.001, "steps": 200 }, "outputs": { "frames_every": 20 } })json",
                 "heat"});
  all.push_back({"poisson", R"json({
    "problem": "column_diffusion", "columns": [8, 8], "layers": { "kind": "uniform", "count": 10, "thickness": 1 },
    "diffusivity": "0.2 + z", "initial": "cos(z / 10)", "ground": { "kind": "flux", "flux": 0.1 },
    "time": { "step": 0.1, "steps": 200 }, "outputs": { "frames_every": 20 } })json",
                 "column_diffusion"});
  all.push_back({"euler", R"json({
    "mesh": { "kind": "wedge", "size": 0.15 }, "flow": { "pressure": 1, "density": 1.4, "mach": 2 },
    "boundaries": { "inflow": { "kind": "inflow" }, "outflow": { "kind": "outflow" }, "others": { "kind": "wall" } },
    "time": { "kind": "transient", "end": 0.5, "frames": 3 }, "outputs": { "history_every": 2 } })json",
                 "euler", false});
  all.push_back({"turbulence", R"json({
    "domain": { "points": [32, 32] }, "terms": { "viscosity": 1e-3 },
    "initial": { "kind": "formula", "vorticity": "sin(x) * cos(2 * y)" },
    "time": { "kind": "adaptive", "end": 1, "frames": 3 }, "outputs": { "history_every": 2 } })json",
                 "turbulence"});
  all.push_back({"waves", R"json({
    "mesh": { "kind": "channel", "length": 3, "width": 0.4, "size": 0.1 }, "bathymetry": { "depth": 0.45 },
    "boundaries": { "inflow": { "kind": "incident" }, "outflow": { "kind": "open" }, "wall": { "kind": "reflecting" } },
    "waves": { "kind": "period_scan", "height": 0.05, "from": 1, "to": 2, "count": 8, "direction": 270 } })json",
                 "waves", false});
  return all;
}

std::string name_of(::testing::TestParamInfo<Application> const& info) { return info.param.stem; }

INSTANTIATE_TEST_SUITE_P(Applications, StopEverywhere, ::testing::ValuesIn(applications()), name_of);

/// Formulas at many points: each thread notices the signal at its next point.
TEST(StopInAnEvaluation, EndsAtTheNextPoint) {
  for (Application const& application :
       {Application{"poisson", R"json({ "problem": "poisson", "domain": { "cells": [400, 400], "size": [1, 1] },
                      "right_hand_side": "sin(pi * x) * y" })json",
                    "poisson"},
        Application{"turbulence", R"json({ "domain": { "points": [512, 512] },
                      "initial": { "kind": "formula", "vorticity": "sin(x) * cos(2 * y)" },
                      "time": { "kind": "adaptive", "end": 1 } })json",
                    "turbulence"}}) {
    Stops stops(application);
    // Beyond the points by which the case is checked before the evaluation.
    EXPECT_EQ(stops.expect_stop({"formula", "", 100000}, SIGINT), End::in_set_up);
    EXPECT_LT(stops.notes.later, 64) << application.name;
  }
}

}  // namespace command_stop_test
