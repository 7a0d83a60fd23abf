// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case_checkpoint.hpp"

#include "texts.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

namespace karman::app {

using nlohmann::json;

void require_same_case(nlohmann::json const& then, nlohmann::json const& now, Case const& input,
                       std::filesystem::path const& file) {
  json const difference = json::diff(now, then);
  if (difference.empty()) return;
  std::string const pointer = difference.front().at("path").get<std::string>();
  json::json_pointer const at(pointer);
  std::string value = "no value";
  if (then.contains(at)) value = then.at(at).is_structured() ? "the value" : then.at(at).dump().substr(0, 60);
  throw input.error(pointer, "expected " + value + " as in the checkpoint " + file.string());
}

void require_within(double reached, double limit, char const* what, std::string const& pointer, Case const& input,
                    std::filesystem::path const& file) {
  if (reached <= limit) return;
  throw input.error(pointer, formatted("expected at least %.10g, the %s of ", reached, what) + file.string());
}

json without(json whole, std::initializer_list<char const*> pointers) {
  for (char const* const text : pointers) {
    json::json_pointer const pointer(text);
    if (whole.contains(pointer)) whole.at(pointer.parent_pointer()).erase(pointer.back());
  }
  return whole;
}

std::vector<double> read_rows(Checkpoint const& checkpoint, std::string const& table, std::size_t columns) {
  ArrayExtents const extents = checkpoint.info(table).extents;
  if (extents.rank() != 2 || extents[1] != columns) {
    throw FileError(checkpoint.path().string(), "read " + table + " in", "unexpected extents " + extents.text());
  }
  std::vector<double> values(extents.count());
  checkpoint.read(table, values.data(), extents);
  return values;
}

void write_case_checkpoint(std::filesystem::path const& file, CheckpointFormat const& format, Case const& input,
                           std::int64_t step, std::vector<CheckpointArray> const& arrays) {
  write_checkpoint(file, format, json{{"case", input.json()}, {"step", step}}.dump(), arrays);
}

CaseCheckpoint open_case_checkpoint(std::filesystem::path const& file, CheckpointFormat const& format,
                                    Case const& input, std::initializer_list<char const*> may_change,
                                    char const* limit) {
  CaseCheckpoint opened{Checkpoint::open_latest(file, format), -1};
  std::string const path = opened.file.path().string();
  try {
    json const metadata = json::parse(opened.file.metadata());
    require_same_case(without(metadata.at("case"), may_change), without(input.json(), may_change), input,
                      opened.file.path());
    opened.step = metadata.at("step").get<std::int64_t>();
  } catch (json::exception const& error) {
    throw FileError(path, "read the metadata of", error.what());
  }
  if (opened.step < 0) throw FileError(path, "read the metadata of", "values out of range");
  if (input.get<std::int64_t>(limit) < opened.step)
    throw input.error(limit, "expected at least " + std::to_string(opened.step) + ", the step of " + path);
  return opened;
}

}  // namespace karman::app
