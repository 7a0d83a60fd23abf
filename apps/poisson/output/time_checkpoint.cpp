// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "time_checkpoint.hpp"

#include "common/case/case_checkpoint.hpp"
#include "common/fields/array_part.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/communicator_files.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace karman::poisson {
namespace {

using nlohmann::json;

CheckpointFormat format_of(TimeCase const& time_case) { return {"karman." + time_case.problem, 1}; }

/// Parts of a case that determine the states.
json essence(json const& time_case) {
  return app::without(time_case, {"/title", "/outputs", "/exact", "/time/steps", "/time/checkpoint_every"});
}

/// Frames as arrays: a row of facts each, the segment last, and their hashes.
constexpr std::size_t frame_columns = 8;
struct FrameTable {
  std::vector<double> facts;
  std::vector<std::uint64_t> hashes;
  json segments = json::array();

  std::size_t size() const { return hashes.size(); }
};

FrameTable table_of(std::vector<FrameSegment> const& segments) {
  FrameTable table;
  for (std::size_t segment = 0; segment < segments.size(); ++segment) {
    table.segments.push_back(segments[segment].file.filename().string());
    for (Frame const& frame : segments[segment].frames) {
      FrameFacts const& f = frame.facts;
      table.facts.insert(table.facts.end(), {double(f.step), f.time, f.mean, f.least, f.most, f.balance_error,
                                             f.largest_error, double(segment)});
      table.hashes.push_back(frame.hash);
    }
  }
  return table;
}

bool is_plain_name(std::string const& name) {
  return !name.empty() && name != "." && name != ".." && name.find_first_of(std::string_view("/\0", 2)) == name.npos;
}

std::vector<FrameSegment> read_segments(Checkpoint const& checkpoint, json const& names, int step) {
  auto const refuse = [&] { throw FileError(checkpoint.path().string(), "read the frames of", "values out of range"); };
  std::vector<FrameSegment> segments;
  for (json const& name : names) {
    if (!is_plain_name(name.get<std::string>())) refuse();
    std::filesystem::path const folder = checkpoint.path().parent_path();
    segments.push_back({(folder.empty() ? "." : folder) / name.get<std::string>(), {}});
  }
  if (segments.empty()) return segments;
  FrameTable table;
  table.facts = app::read_rows(checkpoint, "frames", frame_columns);
  table.hashes.resize(table.facts.size() / frame_columns);
  // Earlier checkpoints have hashes of another kind, so that their frames are not found.
  if (checkpoint.has("frame_sums")) checkpoint.read("frame_sums", table.hashes.data(), {table.hashes.size()});
  for (std::size_t n = 0; n < table.size(); ++n) {
    double const* const f = table.facts.data() + n * frame_columns;
    bool const good = f[0] >= 0 && f[0] <= step && f[7] >= 0 && f[7] < double(segments.size());
    if (!good) refuse();
    segments[static_cast<std::size_t>(f[7])].frames.push_back(
        {{static_cast<int>(f[0]), f[1], f[2], f[3], f[4], f[5], f[6]}, table.hashes[n]});
  }
  return segments;
}

}  // namespace

void save_time_state(std::filesystem::path const& file, TimeCase const& time_case, TimeState const& state) {
  FrameTable const frames = table_of(state.frames);
  std::vector<CheckpointArray> arrays{{"q", state.values.array(), {}, app::part_of(time_case.grid)}};
  if (frames.size() > 0) {
    arrays.push_back({"frames", {frames.facts.data(), {frames.size(), frame_columns}}});
    arrays.push_back({"frame_sums", {frames.hashes.data(), {frames.size()}}});
  }
  json const metadata{
      {"case", json::parse(time_case.text)},  {"step", state.step},
      {"segments", frames.segments},          {"excess", std::isfinite(state.excess) ? json(state.excess) : json()},
      {"first_content", state.first_content}, {"inflow", std::isfinite(state.inflow) ? json(state.inflow) : json()}};
  write_checkpoint(file, format_of(time_case), metadata.dump(), arrays, file_processes(time_case.communicator));
}

LoadedState load_time_state(std::filesystem::path const& file, Case const& input, TimeCase const& time_case) {
  FileProcesses const processes = file_processes(time_case.communicator);
  Checkpoint const checkpoint = Checkpoint::open_latest(file, format_of(time_case), processes);
  LoadedState loaded{{}, checkpoint.warning()};
  TimeState& state = loaded.state;
  try {
    json const metadata = json::parse(checkpoint.metadata());
    app::require_same_case(essence(metadata.at("case")), essence(input.json()), input, checkpoint.path());
    state.step = metadata.at("step").get<int>();
    state.first_content = metadata.at("first_content").get<double>();
    json const& inflow = metadata.at("inflow");
    state.inflow = inflow.is_null() ? std::numeric_limits<double>::quiet_NaN() : inflow.get<double>();
    if (metadata.contains("excess")) {
      json const& excess = metadata.at("excess");
      state.excess = excess.is_null() ? std::numeric_limits<double>::infinity() : excess.get<double>();
    }
    if (metadata.contains("segments")) state.frames = read_segments(checkpoint, metadata.at("segments"), state.step);
  } catch (json::exception const& error) {
    throw FileError(checkpoint.path().string(), "read the metadata of", error.what());
  }
  if (state.step < 0) throw FileError(checkpoint.path().string(), "read the metadata of", "values out of range");
  ArrayExtents const own(time_case.grid.extents(Location::cell));
  auto const [whole, begin] = app::part_of(time_case.grid);
  state.values = app::HostField(app::scalar_type(time_case.precision), own);
  if (own == whole) {
    checkpoint.read("q", state.values.array());
    return loaded;
  }
  processes.in_all([&] {
    ArrayExtents const found = checkpoint.info("q").extents;
    if (!(found == whole))
      throw FileError(checkpoint.path().string(), "read q in", "expected " + whole.text() + ", found " + found.text());
    checkpoint.read_box("q", state.values.array(), begin);
  });
  return loaded;
}

}  // namespace karman::poisson
