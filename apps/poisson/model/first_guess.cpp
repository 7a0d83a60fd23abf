// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "first_guess.hpp"

#include "common/case/case_checkpoint.hpp"
#include "common/fields/array_part.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/communicator_files.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <array>

namespace karman::poisson {
namespace {

using nlohmann::json;

CheckpointFormat const format{"karman.poisson", 1};
constexpr std::size_t history_columns = 3;

/// Parts of a case that determine the iterates.
json essence(json const& poisson_case) {
  return app::without(poisson_case, {"/title", "/outputs", "/exact", "/solver/tolerance", "/solver/max_iterations",
                                     "/solver/checkpoint_every"});
}

FirstGuess from_result(Hdf5File const& file, PoissonCase const& poisson_case, LinearSystem const& system) {
  DatasetInfo const info = file.info("/cells/p");
  auto const [wanted, begin] = app::part_of(system.grid);
  ArrayExtents const own(system.grid.extents(Location::cell));
  if (!(info.extents == wanted)) {
    throw FileError(file.path().string(), "read the first guess /cells/p from",
                    "expected the extents " + wanted.text() + ", found " + info.extents.text());
  }
  FirstGuess guess;
  std::vector<double> values(own.count());
  if (info.type == ScalarType::float32) {
    std::vector<float> narrow(own.count());
    file.read_box("/cells/p", {narrow.data(), own}, begin);
    values.assign(narrow.begin(), narrow.end());
  } else {
    file.read_box("/cells/p", {values.data(), own}, begin);
  }
  guess.state.values = app::HostField(poisson_case.solver.precision, own, values);
  return guess;
}

bool is_result(std::filesystem::path const& file) {
  try {
    return Hdf5File::open(file).exists("/cells/p");
  } catch (FileError const&) {
    return false;
  }
}

FirstGuess from_checkpoint(std::filesystem::path const& path, Case const& input, PoissonCase const& poisson_case,
                           LinearSystem const& system) {
  Checkpoint const checkpoint = Checkpoint::open_latest(path, format, file_processes(system.communicator));
  FirstGuess guess;
  guess.note = checkpoint.warning();
  try {
    json const metadata = json::parse(checkpoint.metadata());
    app::require_same_case(essence(metadata.at("case")), essence(input.json()), input, checkpoint.path());
    guess.state.iterations = metadata.at("iterations").get<int>();
    guess.state.seconds = metadata.at("seconds").get<double>();
    guess.state.double_cycles = metadata.value("double_cycles", false);
  } catch (json::exception const& error) {
    throw FileError(checkpoint.path().string(), "read the metadata of", error.what());
  }
  if (guess.state.iterations < 0)
    throw FileError(checkpoint.path().string(), "read the metadata of", "values out of range");
  std::vector<double> const history = app::read_rows(checkpoint, "history", history_columns);
  for (std::size_t at = 0; at < history.size(); at += history_columns)
    guess.state.history.push_back({static_cast<int>(history[at]), history[at + 1], history[at + 2]});
  ArrayExtents const own(system.grid.extents(Location::cell));
  auto const [whole, begin] = app::part_of(system.grid);
  guess.state.values = app::HostField(app::scalar_type(poisson_case.solver.precision), own);
  if (own == whole) {
    checkpoint.read("p", guess.state.values.array());
  } else {
    ArrayExtents const found = checkpoint.info("p").extents;
    if (!(found == whole))
      throw FileError(checkpoint.path().string(), "read p in", "expected " + whole.text() + ", found " + found.text());
    checkpoint.read_box("p", guess.state.values.array(), begin);
  }
  return guess;
}

}  // namespace

FirstGuess read_first_guess(std::filesystem::path const& file, Case const& input, PoissonCase const& poisson_case,
                            LinearSystem const& system) {
  // Reads a checkpoint unless the file is a result: a missing or damaged checkpoint has its predecessor beside it.
  FileProcesses const processes = file_processes(system.communicator);
  bool const result = processes.from_first(processes.is_first() && is_result(file) ? "yes" : "") == "yes";
  if (!result) return from_checkpoint(file, input, poisson_case, system);
  FirstGuess guess;
  processes.in_all([&] { guess = from_result(Hdf5File::open(file), poisson_case, system); });
  return guess;
}

void write_poisson_checkpoint(std::filesystem::path const& file, PoissonCase const& poisson_case,
                              LinearSystem const& system, SolveState const& state) {
  std::vector<double> history;
  for (SolveSample const& sample : state.history) {
    history.insert(history.end(), {double(sample.iteration), sample.residual, sample.seconds});
  }
  std::array arrays{CheckpointArray{"p", state.values.array()},
                    CheckpointArray{"history", {history.data(), {state.history.size(), history_columns}}}};
  arrays[0].part = app::part_of(system.grid);
  json const metadata{{"case", json::parse(poisson_case.text)},
                      {"iterations", state.iterations},
                      {"seconds", state.seconds},
                      {"double_cycles", state.double_cycles}};
  write_checkpoint(file, format, metadata.dump(), arrays, file_processes(system.communicator));
}

}  // namespace karman::poisson
