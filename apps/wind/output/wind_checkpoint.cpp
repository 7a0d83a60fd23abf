// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_checkpoint.hpp"

#include "common/case/case_checkpoint.hpp"
#include "field_part.hpp"
#include "wind/case/buildings/geometry_hash.hpp"
#include "wind/model/host_field.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace karman::wind {
namespace {

using nlohmann::json;

CheckpointFormat const format{"karman.wind", 1};

constexpr std::array state_fields{ModelField::u, ModelField::v, ModelField::w, ModelField::lambda,
                                  ModelField::correction};
constexpr std::size_t history_columns = 3;

/// Parts of a case that determine the iterates.
json essence(json wind_case, std::string_view method) {
  // "auto" depends on the outputs; checkpoints of one method may not continue with another.
  wind_case[json::json_pointer("/solver/method")] = method;
  return app::without(
      wind_case, {"/title", "/outputs", "/solver/tolerance", "/solver/max_iterations", "/solver/checkpoint_every"});
}

json state_to_json(ProjectionState const& state) {
  return {{"iteration", state.iteration},
          {"passes", state.passes},
          {"in_pass", state.in_pass},
          {"initial_divergence", state.initial_divergence},
          {"pass_divergence", state.pass_divergence},
          {"idle_passes", state.idle_passes},
          {"pass_start", state.pass_start},
          {"wall_law", state.wall_law},
          {"seconds", state.seconds}};
}

ProjectionState state_from_json(json const& saved) {
  ProjectionState state;
  state.iteration = saved.at("iteration").get<int>();
  state.passes = saved.at("passes").get<int>();
  state.in_pass = saved.at("in_pass").get<bool>();
  state.initial_divergence = saved.at("initial_divergence").get<double>();
  state.pass_divergence = saved.at("pass_divergence").get<double>();
  state.idle_passes = saved.at("idle_passes").get<int>();
  state.pass_start = saved.at("pass_start").get<int>();
  state.wall_law = saved.value("wall_law", false);  // checkpoints without it are older than the law
  state.seconds = saved.at("seconds").get<double>();
  if (state.iteration < 0 || state.passes < 0 || state.pass_start < 0 || state.pass_start > state.iteration ||
      !(state.initial_divergence > 0)) {
    throw std::out_of_range("values out of range");
  }
  return state;
}

void load_history(Checkpoint const& checkpoint, ProjectionState& state) {
  std::vector<double> const values = app::read_rows(checkpoint, "history", history_columns);
  for (std::size_t at = 0; at < values.size(); at += history_columns)
    state.history.push_back({static_cast<int>(values[at]), values[at + 1], values[at + 2]});
}

void load_watch(Checkpoint const& checkpoint, json const& saved_case, Case const& input, WatchRecord& watch) {
  if (!watch.active() || !checkpoint.has("slices")) return;
  json::json_pointer const at("/outputs/watch");
  if (saved_case.at(at) != input.json().at(at)) return;
  checkpoint.read("slices", watch.restore(app::read_rows(checkpoint, "slice_iterations", 1)));
}

}  // namespace

void save_state(FileProcesses const& processes, std::filesystem::path const& file, WindCase const& wind_case,
                WindModel& model, ProjectionState const& present, WatchRecord const& watch) {
  ProjectionState const state = resumable(present);
  model.store_correction();
  HostField values;  // of one field at a time
  std::vector<CheckpointArray> arrays;
  UniformGrid const& grid = wind_case.grid;
  Box const domain{{0, 0, 0}, {grid.nx(), grid.ny(), grid.nz()}};
  for (ModelField field : state_fields) {
    WrittenPart const part = written_part(model.part(), field, grid, domain);
    arrays.push_back({std::string(name(field)),
                      {},
                      [&values, &model, &wind_case, field, part] {
                        values = {};
                        values = copy_to_host(model, field, wind_case);
                        ConstArray const own = std::as_const(values).array();
                        if (!part.is_all_of(own.extents)) values = field_part(values, part.begin, part.end, own.type);
                        return std::as_const(values).array();
                      },
                      part.place});
  }
  std::vector<double> history;
  for (DivergenceSample const& sample : state.history) {
    history.insert(history.end(), {double(sample.iteration), sample.relative_divergence, sample.seconds});
  }
  arrays.push_back({"history", {history.data(), {state.history.size(), history_columns}}});
  if (watch.active() && watch.count() > 0) {
    arrays.push_back({"slices", watch.slices()});
    arrays.push_back({"slice_iterations", {watch.iterations().data(), {watch.iterations().size(), std::size_t{1}}}});
  }
  json const metadata{{"case", json::parse(wind_case.text)},
                      {"method", name(wind_case.solver.method)},
                      {"geometry", geometry_hash(wind_case)},
                      {"state", state_to_json(state)}};
  write_checkpoint(file, format, metadata.dump(), arrays, processes);
}

std::string load_state(FileProcesses const& processes, std::filesystem::path const& file, Case const& input,
                       WindCase const& wind_case, WindModel& model, ProjectionState& state, WatchRecord& watch) {
  Checkpoint const checkpoint = Checkpoint::open_latest(file, format, processes);
  json metadata;
  try {
    metadata = json::parse(checkpoint.metadata());
    state = state_from_json(metadata.at("state"));
    // Checkpoints without a method are older than the choice of one.
    app::require_same_case(essence(metadata.at("case"), metadata.value("method", "sor")),
                           essence(input.json(), name(wind_case.solver.method)), input, checkpoint.path());
    require_same_geometry(metadata, wind_case, input, checkpoint.path());
    load_watch(checkpoint, metadata.at("case"), input, watch);
  } catch (json::exception const& error) {
    throw FileError(checkpoint.path().string(), "read the metadata of", error.what());
  } catch (std::out_of_range const& error) {
    throw FileError(checkpoint.path().string(), "read the metadata of", error.what());
  }
  load_history(checkpoint, state);
  for (ModelField field : state_fields) {
    HostField values = host_field(model, field, wind_case);
    DomainPart const& part = model.part();
    Box const own = part.own.own_box();
    // One process reads whole arrays, whose hashes are verified.
    if (part.is_cut()) checkpoint.read_box(name(field), values.array(), {0, own.begin[1], own.begin[0]});
    else checkpoint.read(name(field), values.array());
    model.restore(field, std::as_const(values).array());
  }
  return checkpoint.warning();
}

}  // namespace karman::wind
