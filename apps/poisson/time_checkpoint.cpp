// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "time_checkpoint.hpp"

#include "../run_support.hpp"
#include "time_model.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace karman::poisson {
namespace {

using nlohmann::json;

CheckpointFormat format_of(TimeCase const& time_case) { return {"karman." + time_case.problem, 1}; }

/// What of a case settles the states.
json essence(json time_case) {
  for (char const* free : {"title", "outputs", "exact"}) time_case.erase(free);
  time_case.at("time").erase("steps");
  return time_case;
}

ArrayExtents extents_of(TimeCase const& time_case) { return ArrayExtents(time_case.grid.extents(Location::cell)); }

}  // namespace

std::int64_t column_model_bytes(ColumnCase const& column_case) {
  bool const shared = !column_case.diffusivity.depends_on('x') && !column_case.diffusivity.depends_on('y');
  std::int64_t const fields = (column_case.theta < 1 ? 2 : 1) + 1 + (shared ? 0 : 8);
  return fields * column_case.grid.cell_count() * app::real_size(column_case.precision);
}

std::int64_t heat_model_bytes(HeatCase const& heat_case) {
  return heat_case.grid.cell_count() * (5 * app::real_size(heat_case.precision) + 2);
}

void save_time_state(std::filesystem::path const& file, TimeCase const& time_case, TimeState const& state) {
  ConstArray array;
  array.type = app::scalar_type(time_case.precision);
  array.data = state.values.data();
  array.extents = extents_of(time_case);
  std::array const arrays{CheckpointArray{"q", array}};
  json const metadata{{"case", json::parse(time_case.text)},
                      {"step", state.step},
                      {"first_content", state.first_content},
                      {"inflow", std::isfinite(state.inflow) ? json(state.inflow) : json()}};
  write_checkpoint(file, format_of(time_case), metadata.dump(), arrays);
}

TimeState load_time_state(std::filesystem::path const& file, Case const& input, TimeCase const& time_case) {
  Checkpoint const checkpoint = Checkpoint::open_latest(file, format_of(time_case));
  TimeState state;
  try {
    json const metadata = json::parse(checkpoint.metadata());
    app::require_same_case(essence(metadata.at("case")), essence(input.json()), input, checkpoint.path());
    state.step = metadata.at("step").get<int>();
    state.first_content = metadata.at("first_content").get<double>();
    json const& inflow = metadata.at("inflow");
    state.inflow = inflow.is_null() ? std::numeric_limits<double>::quiet_NaN() : inflow.get<double>();
  } catch (json::exception const& error) {
    throw FileError(checkpoint.path().string(), "read the metadata of", error.what());
  }
  if (state.step < 0) throw FileError(checkpoint.path().string(), "read the metadata of", "values out of range");
  MutableArray array;
  array.type = app::scalar_type(time_case.precision);
  array.extents = extents_of(time_case);
  state.values.resize(array.bytes());
  array.data = state.values.data();
  checkpoint.read("q", array);
  return state;
}

}  // namespace karman::poisson
