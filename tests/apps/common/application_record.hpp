// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Every application as the suites of checkpoints and of runs see it: a small case, and its permitted changes.
#pragma once

#include "apps/euler/small_flow_case.hpp"
#include "apps/poisson/small_poisson_case.hpp"
#include "apps/turbulence/small_turbulence_case.hpp"
#include "apps/waves/small_wave_case.hpp"
#include "small_case.hpp"

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace karman::test {

/// Settings of a case, "/solver/omega=1.5", as arguments of the command.
inline std::vector<std::string> set(std::vector<std::string> const& settings) {
  std::vector<std::string> words;
  for (std::string const& setting : settings) words.insert(words.end(), {"--set", setting});
  return words;
}

inline std::vector<std::string> operator+(std::vector<std::string> one, std::vector<std::string> const& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

/// Pairs of an input and the words of the message that it causes.
using Refusals = std::vector<std::pair<std::string, std::string>>;

struct ApplicationRecord {
  std::string application;
  std::string stem;   ///< of its files; its checkpoints have the format "karman.STEM"
  std::string text;   ///< of a case that is solved in a moment
  std::string often;  ///< setting with which every check leaves a checkpoint
  int frames = 0;     ///< files in its folder of frames
  /// Settings of a run that would take very long.
  std::vector<std::string> endless;
  /// Position of a run in the metadata of its checkpoints. The setting `end` stops it at a larger one, with `end_code`.
  std::string position;
  std::string end;
  double further = 0;
  int end_code = 0;
  /// Settings of another case, which a restart refuses.
  Refusals others;
  /// Settings that do not change the solution; and the group of its file that then has one dataset.
  std::vector<std::string> free;
  std::string reduced;
  /// An array of its checkpoints; patches of their metadata to impossible states.
  std::string array;
  Refusals impossible;
  /// Setting of another result, and a disk that is too small for its files, in bytes.
  std::string change;
  std::uint64_t small_disk = 4000;
  /// Arguments that are refused.
  std::vector<std::vector<std::string>> wrong_words;

  std::string file(std::string const& folder) const { return folder + '/' + stem + ".h5"; }
  std::string checkpoint(std::string const& folder) const { return folder + '/' + stem + ".checkpoint"; }

  friend void PrintTo(ApplicationRecord const& record, std::ostream* out) { *out << record.stem; }
};

inline std::string const small_heat_case = R"json({
  "problem": "heat", "domain": { "cells": [30, 20], "size": [1, 1] }, "diffusivity": 0.01, "initial": "x",
  "time": { "step": 0.001, "steps": 40 }, "outputs": { "frames_every": 10 } })json";

inline std::string const small_column_case = R"json({
  "problem": "column_diffusion", "columns": [5, 4], "layers": { "kind": "uniform", "count": 10, "thickness": 1 },
  "diffusivity": 0.2, "initial": "cos(z / 10)", "ground": { "kind": "flux", "flux": "0.1 * sin(t)" },
  "time": { "step": 0.1, "steps": 40 }, "outputs": { "frames_every": 10 } })json";

/// A patch that replaces one value of the metadata.
inline std::string replaced(std::string const& pointer, std::string const& value) {
  return R"([{"op": "replace", "path": ")" + pointer + R"(", "value": )" + value + "}]";
}

inline std::vector<ApplicationRecord> application_records() {
  std::string const range = "values out of range", another_precision = "expected \"f64\" as in the checkpoint ";
  std::vector<ApplicationRecord> all(7);
  ApplicationRecord &wind = all[0], &poisson = all[1], &heat = all[2], &waves = all[3], &euler = all[4],
                    &turbulence = all[5], &columns = all[6];

  wind.application = wind.stem = "wind";
  wind.text = small_wind_case;
  wind.often = "/solver/checkpoint_every=1e-9";
  wind.endless = {"/solver/omega=0.001", "/solver/max_iterations=100000000", "/solver/tolerance=1e-14"};
  wind.position = "/state/iteration";
  wind.end = "/solver/max_iterations";
  wind.further = 95;
  wind.end_code = 3;
  wind.others = {{"/wind/direction=180", "/wind/direction: 180: expected 270 as in the checkpoint "},
                 {"/solver/precision=f32", another_precision}};
  wind.free = {
      "/title=Another",
      R"(/outputs={"fields": ["lambda"], "watch": {"field": "lambda", "axis": "x", "index": 25, "every": 10}})"};
  wind.reduced = "/cells";
  wind.array = "lambda";
  wind.impossible = {{replaced("/state/iteration", "-3"), range}};
  wind.change = "/wind/direction=200";
  wind.small_disk = 50000;
  wind.wrong_words = {{"--frobnicate"}, {"--backend", "abacus"}, {"--set", "/solver/omega=3"}};

  poisson.application = poisson.stem = "poisson";
  poisson.text = small_poisson_case;
  poisson.often = "/solver/checkpoint_every=1e-9";
  poisson.endless = {"/solver/omega=0.01", "/solver/tolerance=1e-15", "/solver/max_iterations=100000000"};
  poisson.position = "/iterations";
  poisson.end = "/solver/max_iterations";
  poisson.further = 60;
  poisson.end_code = 3;
  poisson.others = {{"/right_hand_side=1", "/right_hand_side"}, {"/solver/precision=f32", another_precision}};
  poisson.free = {"/title=Another", R"(/outputs/fields=["p"])"};
  poisson.reduced = "/cells";
  poisson.array = "p";
  poisson.impossible = {{replaced("/iterations", "-3"), range}};
  poisson.change = "/title=another";
  poisson.wrong_words = {{"--budget", "3"},     {"--compare", "--budget", "-1"},   {"--compare", "--restart", "x"},
                         {"--watch", "lambda"}, {"--set", "/solver/method=guess"}, {"--set", "/problem=waves"}};

  heat.application = "poisson";
  heat.stem = "heat";
  heat.text = small_heat_case;
  heat.often = "/time/checkpoint_every=1e-9";
  heat.endless = {"/time/steps=100000000", "/outputs/frames_every=500"};
  heat.position = "/step";
  heat.end = "/time/steps";
  heat.further = 700;
  heat.others = {{"/time/steps=1", "/time/steps"}, {"/initial=y", "/initial"}, {"/precision=f32", another_precision}};
  heat.free = {"/title=Another", "/exact=x"};
  heat.array = "q";
  heat.impossible = {
      {R"([{"op": "replace", "path": "/step", "value": -3}, {"op": "remove", "path": "/segments"}])", range}};
  heat.change = "/initial=y";
  heat.wrong_words = {{"--budget", "3"}, {"--set", "/time/steps=-1"}};

  columns = heat;
  columns.stem = "column_diffusion";
  columns.text = small_column_case;
  columns.others = {
      {"/time/steps=1", "/time/steps"}, {"/initial=z", "/initial"}, {"/precision=f32", another_precision}};
  columns.free = {"/title=Another", "/exact=z"};
  columns.change = "/initial=z";

  waves.application = waves.stem = "waves";
  waves.text = small_wave_case;
  waves.often = "/solver/checkpoint_every=1e-9";
  // An iteration that never converges.
  waves.endless = {"/mesh/size=0.7", "/solver/picard/tolerance=1e-12", "/solver/picard/relaxation=0.01",
                   "/solver/picard/max_iterations=1000"};
  waves.position = "/systems";
  waves.end = "/solver/picard/max_iterations";
  waves.further = 2;
  waves.end_code = 3;
  waves.others = {{"/mesh/size=1", "/mesh/size"},
                  {"/mesh/refine=1", "/mesh/refine"},
                  {"/waves/height=0.4", "/waves/height"},
                  {"/solver/precision=f32", another_precision},
                  {"/outputs/components=largest", "/outputs/components"},
                  {"/gauges=[]", "/gauges"}};
  waves.free = {"/title=Another", "/sections=[]", R"(/outputs/fields=["height"])", "/outputs/animation_frames=0"};
  waves.reduced = "/components/0000";
  waves.array = "elevation";
  waves.impossible = {{replaced("/at_work/component", "7"), "component 7 of 1 does not exist"},
                      {R"([{"op": "remove", "path": "/at_work"},
           {"op": "add", "path": "/kept/-", "value": {"component": 0, "converged": true, "solver": "none"}}])",
                       range}};
  waves.change = "/waves/height=0.4";
  waves.wrong_words = {{"--compare"}, {"--set", "/solver/method=guess"}, {"--set", "/gauges/0/at=[900, 0]"}};

  euler.application = euler.stem = "euler";
  euler.text = small_flow_case;
  euler.often = "/solver/checkpoint_every=1e-9";
  euler.frames = 6;  // the mesh, the start and four frames
  euler.endless = {"/time/end=1e6", "/time/frames=0"};
  euler.position = "/step";
  euler.end = "/time/end";
  euler.further = 0.05;
  euler.others = {{"/mesh/size=0.2", "/mesh/size"},
                  {"/mesh/refine=1", "/mesh/refine"},
                  {"/flow/pressure=2", "/flow/pressure"},
                  {"/time/cfl=0.4", "/time/cfl"},
                  {"/solver/precision=f32", another_precision},
                  {"/gauges=[]", "/gauges"},
                  {"/time/end=0.2", "/time/end"}};
  euler.free = {"/title=Another", R"(/outputs/fields=["mach"])", "/time/end=0.5"};
  euler.reduced = "/fields";
  euler.array = "conservative";
  euler.impossible = {{replaced("/step", "-3"), range}};
  euler.change = "/time/end=0.2";
  euler.wrong_words = {{"--restart"}, {"--set", "/flow"}, {"--backend", "gpu"}};

  turbulence.application = turbulence.stem = "turbulence";
  turbulence.text = small_turbulence_case;
  turbulence.often = "/solver/checkpoint_every=1e-9";
  turbulence.frames = 5;  // the start and four frames
  turbulence.endless = {"/time/end=1e6", "/time/frames=0"};
  turbulence.position = "/step";
  turbulence.end = "/time/end";
  turbulence.further = 0.5;
  turbulence.others = {{"/domain/points/0=36", "/domain/points"},    {"/terms/viscosity=2e-3", "/terms/viscosity"},
                       {"/forcing/seed=4", "/forcing/seed"},         {"/time/cfl=0.4", "/time/cfl"},
                       {"/solver/precision=f32", another_precision}, {"/time/end=1", "/time/end"}};
  turbulence.free = {"/title=Another", R"(/outputs/fields=["velocity"])", "/time/end=2.5"};
  turbulence.array = "modes";
  turbulence.impossible = {{replaced("/step", "-3"), range}};
  turbulence.change = "/time/end=1";
  turbulence.small_disk = 20000;
  turbulence.wrong_words = {{"--restart"}, {"--set", "/time"}, {"--backend", "gpu"}};
  return all;
}

/// The record with this stem, on another case: its own one where `text` is empty.
inline ApplicationRecord application_record(std::string const& stem, std::string const& text = "") {
  for (ApplicationRecord record : application_records()) {
    if (record.stem != stem) continue;
    if (!text.empty()) record.text = text;
    return record;
  }
  return {};
}

}  // namespace karman::test
