// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "turbulence_checkpoint.hpp"

#include "common/case/case_checkpoint.hpp"
#include "history.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <cmath>

namespace karman::turbulence {
namespace {

using nlohmann::json;

CheckpointFormat const format{"karman.turbulence", 1};

/// Parts of a case that determine the flow.
json essence(json const& turbulence_case) {
  return app::without(turbulence_case, {"/title", "/outputs", "/solver/checkpoint_every", "/time/end", "/time/frames"});
}

ArrayExtents mode_extents(TurbulenceCase const& turbulence_case) {
  auto const [nx, ny] = turbulence_case.problem.setup.points;
  return {ny, nx / 2 + 1, 2};
}

/// A table (rows, columns) as an array of a checkpoint; tables without rows are left out.
void add_rows(std::vector<CheckpointArray>& arrays, char const* name, std::vector<double> const& values,
              std::size_t columns) {
  if (!values.empty()) arrays.push_back({name, {values.data(), {values.size() / columns, columns}}});
}

}  // namespace

std::int64_t checkpoint_bytes(TurbulenceCase const& turbulence_case) {
  auto const values = static_cast<std::int64_t>(mode_extents(turbulence_case).count());
  return app::real_size(turbulence_case.problem.precision) * values;
}

void save_turbulence(std::filesystem::path const& file, TurbulenceCase const& turbulence_case,
                     TurbulenceState const& state) {
  std::vector<double> const sums = state.means.values();
  std::vector<CheckpointArray> arrays{{"modes", state.modes.array()}};
  add_rows(arrays, "history", state.history, History::columns().size());
  add_rows(arrays, "frame_times", state.frame_times, 1);
  add_rows(arrays, "spectra", sums, sums.size() / spectra_columns().size());
  VorticityMoment const& moment = state.moment;
  json const metadata{{"case", json::parse(turbulence_case.text)},
                      {"step", moment.steps},
                      {"time", moment.time},
                      {"dt", std::isfinite(moment.dt) ? moment.dt : 0.0},  // of fluid at rest
                      {"injected", {moment.injected_energy, moment.injected_enstrophy}},
                      {"averaged", state.means.seconds()},
                      {"seconds", state.seconds}};
  write_checkpoint(file, format, metadata.dump(), arrays);
}

LoadedTurbulence load_turbulence(std::filesystem::path const& file, Case const& input,
                                 TurbulenceCase const& turbulence_case) {
  Checkpoint const checkpoint = Checkpoint::open_latest(file, format);
  LoadedTurbulence loaded{{}, checkpoint.warning()};
  TurbulenceState& state = loaded.state;
  auto const refuse = [&](char const* why) {
    throw FileError(checkpoint.path().string(), "read the metadata of", why);
  };
  double averaged = 0;
  try {
    json const metadata = json::parse(checkpoint.metadata());
    app::require_same_case(essence(metadata.at("case")), essence(input.json()), input, checkpoint.path());
    json const& injected = metadata.at("injected");
    state.moment = {metadata.at("step").get<std::int64_t>(), metadata.at("time").get<double>(),
                    metadata.at("dt").get<double>(), injected.at(0).get<double>(), injected.at(1).get<double>()};
    averaged = metadata.at("averaged").get<double>();
    state.seconds = metadata.at("seconds").get<double>();
  } catch (json::exception const& error) {
    refuse(error.what());
  }
  bool const finite = std::isfinite(state.moment.time) && std::isfinite(state.moment.injected_energy) &&
                      std::isfinite(state.moment.injected_enstrophy);
  if (state.moment.steps < 0 || !(state.moment.dt >= 0) || !finite || !(averaged >= 0)) refuse("values out of range");
  state.modes = app::HostField(app::scalar_type(turbulence_case.problem.precision), mode_extents(turbulence_case));
  checkpoint.read("modes", state.modes.array());
  if (checkpoint.has("history")) state.history = app::read_rows(checkpoint, "history", History::columns().size());
  if (checkpoint.has("frame_times")) state.frame_times = app::read_rows(checkpoint, "frame_times", 1);
  if (checkpoint.has("spectra")) {
    ArrayExtents const extents = checkpoint.info("spectra").extents;
    if (extents.rank() != 2 || extents[0] != spectra_columns().size()) refuse("its spectra have other extents");
    state.means.restore(app::read_rows(checkpoint, "spectra", extents[1]), averaged);
  }
  return loaded;
}

}  // namespace karman::turbulence
