// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs that are killed repeatedly: restarted they end with the bits of an undisturbed run. KARMAN_KILL_SECONDS:
// duration of the kills per run (default 2). KARMAN_KILL_SEED: another sequence of moments.
#include "result_content.hpp"
#include "run_command.hpp"
#include <karman/io/checkpoint.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace kill_restart_test {

using karman::test::content;
using karman::test::host_backend;
using karman::test::Outcome;
using karman::test::Workplace;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

double number_from(char const* variable, double usual) {
  char const* const text = std::getenv(variable);
  return text != nullptr ? std::atof(text) : usual;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/// True if a process has ended; it can still be waited for.
bool has_ended(pid_t process) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

/// A run of an application, and the place of its progress in its files.
struct Application {
  std::string name;
  std::string text;         ///< of the case
  std::string stem;         ///< of its files
  std::string format;       ///< of its checkpoints
  json::json_pointer done;  ///< in their metadata
  bool restartable = true;  ///< true if it writes checkpoints within its run time; else it starts from the beginning
};

class KillAndRestart : public ::testing::TestWithParam<Application> {
 protected:
  void SetUp() override {
    // Passive, because two runs at a time would spin on each other's cores.
    ::setenv("OMP_WAIT_POLICY", "passive", 0);
    place_.write("case.json", GetParam().text);
  }

  std::vector<std::string> words(std::string const& folder, bool restart) const {
    Application const& app = GetParam();
    // On the host: a device solves these cases before the first checkpoint is due.
    std::vector<std::string> all{app.name, "case.json", "--backend", host_backend(), "--output", folder, "--overwrite"};
    if (restart) all.insert(all.end(), {"--restart", folder + '/' + app.stem + ".checkpoint"});
    return all;
  }

  std::filesystem::path checkpoint() const { return place_.path("out/" + GetParam().stem + ".checkpoint"); }
  bool has_checkpoint() const { return std::filesystem::exists(checkpoint()); }

  double progress() const {
    auto const opened = karman::Checkpoint::open_latest(checkpoint(), {GetParam().format, 1});
    return json::parse(opened.metadata()).at(GetParam().done).get<double>();
  }

  Workplace place_;
};

TEST_P(KillAndRestart, EndsWithTheSameBits) {
  Application const& app = GetParam();
  Clock::time_point start = Clock::now();
  Outcome const whole = place_.karman(words("whole", false));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  double const alone = seconds_since(start);

  std::mt19937 random(static_cast<unsigned>(number_from("KARMAN_KILL_SEED", 1)));
  double const patience = number_from("KARMAN_KILL_SECONDS", 2);
  int kills = 0, restarts = 0;
  double reached = 0;
  // The duration of a run changes with the load of the machine.
  double seconds = alone;
  start = Clock::now();
  auto const enough = [&] { return kills >= 3 && (restarts > 0 || !app.restartable); };
  for (int round = 0; round < 200; ++round) {
    if (seconds_since(start) >= patience && enough()) break;
    restarts += has_checkpoint() ? 1 : 0;
    pid_t const process = place_.start(words("out", has_checkpoint()));
    // At any moment; every other time soon after a checkpoint.
    bool const after_checkpoint = app.restartable && round % 2 == 1;
    while (after_checkpoint && !has_checkpoint() && !has_ended(process)) sleep_for(0.002);
    std::uniform_real_distribution<double> moment(0, (after_checkpoint ? 0.3 : 0.9) * seconds);
    sleep_for(moment(random));
    ::kill(process, SIGKILL);
    Outcome const killed = place_.wait(process);
    if (killed.exit_code != 128 + SIGKILL) {
      ASSERT_EQ(killed.exit_code, 0) << killed.err;
      // It was finished: starts from the beginning again.
      reached = 0;
      seconds *= 0.8;
      std::filesystem::remove_all(place_.path("out"));
      continue;
    }
    ++kills;
    if (!has_checkpoint()) {
      seconds = std::min(1.1 * seconds, 4 * alone);
      continue;
    }
    double const now = progress();
    ASSERT_GE(now, reached) << "a checkpoint was lost";
    reached = now;
  }
  EXPECT_TRUE(enough()) << kills << " kills and " << restarts << " restarts mean nothing";
  Outcome const end = place_.karman(words("out", has_checkpoint()));
  ASSERT_EQ(end.exit_code, 0) << end.err;

  karman::test::expect_same_result(place_.path("out/" + app.stem + ".h5"), place_.path("whole/" + app.stem + ".h5"));
  EXPECT_EQ(content(place_.path("out/" + app.stem + ".xdmf")), content(place_.path("whole/" + app.stem + ".xdmf")));
  for (auto const& entry : std::filesystem::directory_iterator(place_.path("out"))) {
    std::string const name = entry.path().filename().string();
    EXPECT_TRUE(name.find(".frames-") == std::string::npos && !name.ends_with(".partial")) << name << " was left";
  }
  std::printf("%d kills, %d restarts from a checkpoint, %.2f s alone\n", kills, restarts, alone);
}

/// Walls with which multigrid needs many cycles.
std::string const walls =
    R"(, "solid": [{ "kind": "random_boxes", "fraction": 0.3, "size": [0.01, 0.06], "seed": 3 }])";

std::string steady(std::string const& domain, std::string const& solver, std::string const& more = "") {
  return R"({"problem": "poisson", "domain": {)" + domain + R"(}, "right_hand_side": "1 + x * y", "solver": {)" +
         solver + R"(, "checkpoint_every": 0.05})" + more + "}";
}

std::vector<Application> applications() {
  std::string const plate = R"("cells": [96, 96], "size": [1, 1])";
  json::json_pointer const iterations("/iterations");
  std::vector<Application> all;
  auto const poisson = [&](std::string const& text, bool restartable = true) {
    all.push_back({"poisson", text, "poisson", "karman.poisson", iterations, restartable});
  };
  std::string const large = R"("cells": [256, 256], "size": [1, 1])";
  poisson(steady(plate, R"("method": "sor", "omega": 1.2, "tolerance": 1e-9)"));
  poisson(steady(R"("cells": [300, 280], "size": [1, 1])", R"("method": "cg", "tolerance": 1e-9)"));
  poisson(steady(large, R"("method": "multigrid", "tolerance": 1e-10)", walls));
  poisson(steady(large, R"("method": "mg_pcg", "tolerance": 1e-10)", walls), false);
  poisson(steady(R"("cells": [500, 400], "size": [1, 1])", R"("method": "adi", "tolerance": 1e-11)"));
  all.push_back({"poisson", R"json({
    "problem": "heat", "domain": { "cells": [120, 100], "size": [1, 1] }, "diffusivity": 0.1, "initial": "x * y",
    "sides": { "west": { "kind": "dirichlet", "value": 1 }, "south": { "kind": "neumann", "flux": 0.1 } },
    "time": { "step": 0.001, "steps": 1500, "checkpoint_every": 0.05 }, "outputs": { "frames_every": 70 } })json",
                 "heat", "karman.heat", json::json_pointer("/step")});
  all.push_back({"poisson", R"json({
    "problem": "column_diffusion", "columns": [30, 30], "layers": { "kind": "uniform", "count": 40, "thickness": 1 },
    "diffusivity": 0.2, "initial": "cos(z / 10)", "ground": { "kind": "flux", "flux": "0.1 * sin(t)" },
    "time": { "step": 0.1, "steps": 1500, "checkpoint_every": 0.05 }, "outputs": { "frames_every": 70 } })json",
                 "column_diffusion", "karman.column_diffusion", json::json_pointer("/step")});
  all.push_back({"wind", R"json({
    "domain": { "cells": [40, 30], "spacing": [2, 2], "layers": { "kind": "uniform", "count": 16, "thickness": 2 } },
    "wind": { "profile": { "kind": "log", "speed": 5, "height": 10, "roughness": 0.1 }, "direction": 250 },
    "buildings": [{ "kind": "block", "position": [30, 30], "size": [8, 8, 8] }],
    "solver": { "precision": "f64", "omega": 1.0, "tolerance": 1e-8, "checkpoint_every": 0.05, "max_iterations": 100000 },
    "outputs": { "watch": { "field": "lambda", "axis": "z", "index": 2, "every": 50 } } })json",
                 "wind", "karman.wind", json::json_pointer("/state/iteration")});
  auto const euler = [&](std::string const& time) {
    all.push_back({"euler", R"json({
    "mesh": { "kind": "wedge", "size": 0.03 }, "flow": { "pressure": 1, "density": 1.4, "mach": 2 },
    "boundaries": { "inflow": { "kind": "inflow" }, "outflow": { "kind": "outflow" }, "others": { "kind": "wall" } },
    "time": { )json" + time + R"json( }, "forces": [{ "name": "floor", "boundaries": ["wall"] }],
    "solver": { "checkpoint_every": 0.05 } })json",
                   "euler", "karman.euler", json::json_pointer("/step")});
  };
  euler(R"("kind": "transient", "end": 2, "frames": 30, "averages_from": 0.5)");
  euler(R"("kind": "steady", "residual": 1e-12, "force_change": 1, "window": 600)");
  all.push_back({"turbulence", R"json({
    "domain": { "points": [128, 128] }, "terms": { "viscosity": 1e-4, "friction": 0.1 }, "initial": { "kind": "random" },
    "forcing": { "kind": "ring", "wavenumber": 10, "energy_rate": 0.1 },
    "time": { "kind": "adaptive", "end": 6, "frames": 30, "averages_from": 2 }, "solver": { "checkpoint_every": 0.05 } })json",
                 "turbulence", "karman.turbulence", json::json_pointer("/step")});
  auto const waves = [&](std::string const& which, std::string const& friction) {
    all.push_back({"waves",
                   R"json({
    "mesh": { "kind": "rectangular_harbour", "length": 0.3111, "width": 0.0604, "sea_radius": 0.9,
      "mouth_size": 0.006, "back_size": 0.012, "sea_size": 0.025 },
    "bathymetry": { "depth": 0.2572 },
    "boundaries": { "open": { "kind": "incident", "radius": 0.9 }, "coast": { "kind": "reflecting" },
      "quay": { "kind": "reflecting" }, "back": { "kind": "reflecting" } },
    "waves": { "direction": 180, "coast": { "kind": "straight", "along": 90 }, "kind": )json" +
                       which +
                       R"json( },
    "friction": { "kind": )json" +
                       friction + R"json( }, "gauges": [{ "name": "back", "at": [-0.311, 0] }],
    "solver": { "checkpoint_every": 0.02, "picard": { "tolerance": 1e-9 } } })json",
                   "waves", "karman.waves", json::json_pointer("/systems")});
  };
  waves(R"("period_scan", "height": 0.01, "from": 0.5, "to": 2.5, "count": 12, "spacing": "frequency")", R"("none")");
  waves(R"("regular", "height": 0.01, "period": 1.5)", R"("rough", "roughness": 0.001)");
  waves(R"("spectrum", "significant_height": 0.01, "peak_period": 1.5, "periods": 2, "directions": 2, "spreading": 5)",
        R"("quadratic", "coefficient": 0.01)");
  return all;
}

std::string name_of(::testing::TestParamInfo<Application> const& info) {
  json const input = json::parse(info.param.text);
  std::string name = info.param.stem;
  for (char const* which : {"/solver/method", "/time/kind", "/waves/kind"}) {
    std::string const word = input.value(json::json_pointer(which), std::string());
    if (!word.empty()) name += '_' + word;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Applications, KillAndRestart, ::testing::ValuesIn(applications()), name_of);

}  // namespace kill_restart_test
