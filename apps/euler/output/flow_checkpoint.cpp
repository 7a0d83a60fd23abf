// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow_checkpoint.hpp"

#include "common/case/case_checkpoint.hpp"
#include "euler/case/file_faults.hpp"
#include "euler/case/initial_file.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <cmath>

namespace karman::euler {
namespace {

using nlohmann::json;

/// Parts of a case that determine the states.
json essence(json const& flow_case) {
  return app::without(flow_case, {"/title", "/outputs", "/solver/checkpoint_every", "/time/end", "/time/frames",
                                  "/time/max_steps", "/time/residual", "/time/force_change", "/time/window"});
}

/// A table (rows, columns) as an array of a checkpoint; tables without rows are left out.
void add_rows(std::vector<CheckpointArray>& arrays, char const* name, std::vector<double> const& values,
              std::size_t columns) {
  if (!values.empty()) arrays.push_back({name, {values.data(), {values.size() / columns, columns}}});
}

Checkpoint open_checkpoint(std::filesystem::path const& file) {
  try {
    return Checkpoint::open_latest(file, march_format());
  } catch (FileError const& error) {
    throw restart_fault(file, error);
  }
}

/// Most derivatives or flows of earlier steps that a checkpoint holds.
int former_vectors(FlowProblem const& problem) {
  if (problem.implicit) return problem.implicit->method == EulerImplicitMethod::bdf2 ? 2 : 0;
  return problem.integrator.method == TimeMethod::adams_bashforth4 ? 3 : 0;
}

}  // namespace

std::int64_t checkpoint_bytes(FlowCase const& flow_case) {
  FlowProblem const& problem = flow_case.problem;
  std::int64_t const vectors = 1 + former_vectors(problem);
  std::int64_t const node =
      4 * vectors * app::real_size(problem.precision) + (std::isfinite(problem.averages_from) ? 40 : 0);
  return node * static_cast<std::int64_t>(problem.mesh.nodes.size());
}

void save_flow(std::filesystem::path const& file, FlowCase const& flow_case, FlowState const& state) {
  std::size_t const columns = History(flow_case).columns().size();
  std::vector<CheckpointArray> arrays{{"conservative", state.conservative.array()}};
  if (!state.former.empty()) arrays.push_back({"former", state.former.array()});
  if (!state.averages.sums.empty()) arrays.push_back({"averages", state.averages.sums.array()});
  add_rows(arrays, "history", state.history, columns);
  add_rows(arrays, "frame_times", state.frame_times, 1);
  EulerNewtonState const& newton = state.time.newton;
  json const metadata{{"case", json::parse(flow_case.text)},
                      {"mesh", mesh_hash(flow_case.problem.mesh)},
                      {"step", state.time.step},
                      {"time", state.time.time},
                      {"dt", state.time.dt},
                      {"earlier_dt", state.time.earlier_dt},
                      {"newton", {newton.cfl, newton.largest, newton.exact, newton.least, newton.idle}},
                      {"averaged", state.averages.seconds},
                      {"seconds", state.seconds},
                      {"level", state.level},
                      {"level_step", state.level_step},
                      {largest_residual_name, state.largest_residual},
                      {"earlier", {state.earlier.largest_residual, state.earlier.same_flow, state.earlier.remarks}},
                      {"floors", {state.floors.changes, state.floors.mass, state.floors.energy, state.floors.node}}};
  // Remarks may have names of files in any encoding.
  write_checkpoint(file, march_format(), metadata.dump(-1, ' ', false, json::error_handler_t::replace), arrays);
}

LoadedFlow load_flow(std::filesystem::path const& file, Case const& input, FlowCase const& whole_case) {
  Checkpoint const checkpoint = open_checkpoint(file);
  LoadedFlow loaded{{}, checkpoint.warning()};
  FlowState& state = loaded.state;
  auto const refuse = [&](char const* why) {
    throw FileError(checkpoint.path().string(), "read the metadata of", why);
  };
  try {
    json const metadata = json::parse(checkpoint.metadata());
    app::require_same_case(essence(metadata.at("case")), essence(input.json()), input, checkpoint.path());
    state.level = metadata.value("level", std::size_t{0});
    state.level_step = metadata.value("level_step", std::int64_t{0});
    if (state.level > whole_case.coarser.size()) refuse("values out of range");
    if (metadata.at("mesh").get<std::uint64_t>() != mesh_hash(case_of_level(whole_case, state.level).problem.mesh))
      throw input.error(
          "/mesh", "expected the mesh of " + checkpoint.path().string() + ", found one with other nodes or triangles");
    state.time = {metadata.at("step").get<std::int64_t>(), metadata.at("time").get<double>(),
                  metadata.at("dt").get<double>(), metadata.at("earlier_dt").get<std::array<double, 3>>()};
    // Checkpoints of earlier versions have none.
    if (metadata.contains("newton")) {
      json const& newton = metadata.at("newton");
      state.time.newton = {newton.at(0).get<double>(), newton.at(1).get<double>(), newton.at(2).get<bool>(),
                           newton.at(3).get<double>(), newton.at(4).get<int>()};
    }
    if (metadata.contains("earlier")) {
      json const& earlier = metadata.at("earlier");
      state.earlier = {earlier.at(0).get<double>(), earlier.at(1).get<bool>(),
                       earlier.at(2).get<std::vector<std::string>>()};
    }
    state.averages.seconds = metadata.at("averaged").get<double>();
    state.seconds = metadata.at("seconds").get<double>();
    json const& floors = metadata.at("floors");
    state.floors = {floors.at(0).get<std::int64_t>(), floors.at(1).get<double>(), floors.at(2).get<double>(),
                    floors.at(3).get<int>()};
  } catch (json::exception const& error) {
    refuse(error.what());
  }
  FlowCase const& flow_case = case_of_level(whole_case, state.level);
  if (state.level_step < 0 || state.level_step > state.time.step) refuse("values out of range");
  EulerNewtonState const& newton = state.time.newton;
  if (state.time.step < 0 || !(state.time.dt >= 0) || !std::isfinite(state.time.time)) refuse("values out of range");
  if (!(state.earlier.largest_residual >= 0)) refuse("values out of range");
  if (!(newton.cfl >= 0) || !(newton.largest >= 0) || !(newton.least >= 0) || newton.idle < 0)
    refuse("values out of range");
  std::size_t const nodes = flow_case.problem.mesh.nodes.size();
  state.conservative = app::HostField(app::scalar_type(flow_case.problem.precision), {std::size_t{4}, nodes});
  checkpoint.read("conservative", state.conservative.array());
  if (checkpoint.has("former")) {
    ArrayExtents const extents = checkpoint.info("former").extents;
    std::size_t const fields = extents.rank() == 2 ? extents[0] : 0;
    auto const most = 4 * static_cast<std::size_t>(former_vectors(flow_case.problem));
    if (fields == 0 || fields % 4 != 0 || fields > most) refuse("unexpected derivatives or flows of earlier steps");
    for (std::size_t j = 0; j < fields / 4; ++j) {
      if (!(state.time.earlier_dt[j] > 0)) refuse("values out of range");
    }
    state.former = app::HostField(app::scalar_type(flow_case.problem.precision), {fields, nodes});
    checkpoint.read("former", state.former.array());
  }
  if (checkpoint.has("averages")) {
    state.averages.sums = app::HostField(ScalarType::float64, {std::size_t{5}, nodes});
    checkpoint.read("averages", state.averages.sums.array());
  }
  if (checkpoint.has("history"))
    state.history = app::read_rows(checkpoint, "history", History(flow_case).columns().size());
  if (checkpoint.has("frame_times")) state.frame_times = app::read_rows(checkpoint, "frame_times", 1);
  return loaded;
}

}  // namespace karman::euler
