// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "time_output.hpp"

#include "../run_support.hpp"
#include <karman/io/csv_writer.hpp>

#include <array>

namespace karman::poisson {
namespace {

constexpr int format_version = 1;
std::vector<std::string> const columns{"step", "time", "mean", "least", "most", "balance_error", "largest_error"};

std::array<double, 7> row(FrameFacts const& facts) {
  return {double(facts.step), facts.time,          facts.mean,         facts.least,
          facts.most,         facts.balance_error, facts.largest_error};
}

}  // namespace

std::string fields_file_of(TimeCase const& time_case) { return time_case.problem + ".h5"; }
std::string xdmf_file_of(TimeCase const& time_case) { return time_case.problem + ".xdmf"; }

TimeOutput::TimeOutput(std::filesystem::path const& folder, Overwrite overwrite, TimeCase const& time_case,
                       BackendInfo const& backend)
    : folder_(folder),
      overwrite_(overwrite),
      case_(time_case),
      file_(Hdf5File::create(folder / fields_file_of(time_case), overwrite)) {
  app::write_provenance(file_, {"karman." + time_case.problem, format_version, time_case.title, backend,
                                time_case.precision, time_case.text});
  file_.write_attribute("/", "problem", time_case.problem);
  file_.write_attribute("/", "time_step", time_case.step);
  app::write_grid_lines(file_, time_case.grid, "");
}

void TimeOutput::add(FrameFacts const& facts, std::vector<std::byte> const& values) {
  std::string const dataset = "/frames/" + app::formatted("%09d", facts.step);
  ConstArray array;
  array.type = app::scalar_type(case_.precision);
  array.data = values.data();
  array.extents = ArrayExtents(case_.grid.extents(Location::cell));
  file_.write(dataset, array, {.chunk = {}, .deflate = case_.compression});
  file_.write_attribute(dataset, "time", facts.time);
  frames_.push_back(facts);

  UniformGrid const& grid = case_.grid;
  std::string const name = fields_file_of(case_);
  auto const line = [&](char const* axis, int count) {
    return XdmfDataset{name, axis, ScalarType::float64, {count + 1}};
  };
  xdmf_.add_step(
      case_.problem, facts.time,
      XdmfRectilinearGrid{line("/grid/x", grid.nx()), line("/grid/y", grid.ny()), line("/grid/z", grid.nz()), false},
      {{"q", XdmfCentre::cell, {name, dataset, array.type, array.extents}}});
}

void TimeOutput::finish(double solve_seconds, std::int64_t memory_bytes, std::string const& algorithm) {
  file_.write_attribute("/", "steps", frames_.back().step);
  file_.write_attribute("/", "memory_bytes", memory_bytes);
  file_.write_attribute("/", "algorithm", algorithm);
  file_.create_table("/history", columns);
  for (FrameFacts const& facts : frames_) file_.append_row("/history", row(facts));
  file_.make_group("/timings");
  file_.write_attribute("/timings", "solve", solve_seconds);
  file_.commit();
  xdmf_.write(folder_ / xdmf_file_of(case_), overwrite_);
  CsvWriter csv(folder_ / "history.csv", columns, overwrite_);
  for (FrameFacts const& facts : frames_) csv.append_row(row(facts));
  csv.commit();
}

}  // namespace karman::poisson
