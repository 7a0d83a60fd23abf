// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_output.hpp"

#include "common/grid_scales.hpp"
#include "common/run_support.hpp"
#include "wind/model/host_field.hpp"
#include <karman/io/csv_writer.hpp>
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/xdmf.hpp>

#include <array>
#include <chrono>

namespace karman::wind {
namespace {

constexpr int format_version = 1;
std::vector<std::string> const history_columns{"iteration", "relative_divergence", "seconds"};

class FieldsFile {
 public:
  FieldsFile(std::filesystem::path const& path, Overwrite overwrite, WindCase const& wind_case, WindModel& model)
      : file_(Hdf5File::create(path, overwrite)), case_(wind_case), model_(model) {}

  void write_header(ProjectionState const& state, RunRecord const& record) {
    UniformGrid const& grid = case_.grid;
    app::write_provenance(
        file_, {"karman.wind", format_version, case_.title, record.backend,
                case_.solver.precision == Precision::f32 ? app::Precision::f32 : app::Precision::f64, case_.text});
    file_.write_attribute(
        "/", "cells",
        std::to_string(grid.nx()) + " x " + std::to_string(grid.ny()) + " x " + std::to_string(grid.nz()));
    file_.write_attribute("/", "converged", record.end == ProjectionEnd::converged ? 1 : 0);
    file_.write_attribute("/", "iterations", state.iteration);
    file_.write_attribute("/", "passes", state.passes);
    file_.write_attribute("/", "relative_divergence",
                          state.history.empty() ? 0.0 : state.history.back().relative_divergence);
    file_.write_attribute("/", "initial_divergence", state.initial_divergence);
    file_.write_attribute("/", "method", std::string(name(case_.solver.method)));
    file_.write_attribute("/", "omega", model_.omega());
  }

  void write_grid() {
    app::write_grid_lines(file_, case_.grid, "m");
    app::write_cell_centers(file_, case_.grid, "m");
  }

  void write_fields() {
    OutputSettings const& outputs = case_.outputs;
    if (outputs.faces) {
      write_field(ModelField::u, "/faces/u", "m/s");
      write_field(ModelField::v, "/faces/v", "m/s");
      write_field(ModelField::w, "/faces/w", "m/s");
    }
    if (outputs.flag) write_field(ModelField::flag, "/cells/flag", "0 solid, 1 air, 3 upwind cavity, 4 cavity, 5 wake");
    if (outputs.lambda) write_field(ModelField::lambda, "/cells/lambda", "m2/s");
    if (outputs.divergence) {
      write_field(ModelField::divergence_before, "/cells/divergence_before", "1/s");
      write_field(ModelField::divergence, "/cells/divergence_after", "1/s");
    }
    if (outputs.velocity) write_cell_velocity();
  }

  void write_buildings() {
    file_.create_table("/buildings", {"x", "y", "length", "width", "height", "rotation", "base"});
    auto const& origin = case_.grid.origin();
    for (Building const& b : case_.buildings) {
      file_.append_row("/buildings",
                       std::array{b.x + origin[0], b.y + origin[1], b.length, b.width, b.height, b.rotation, b.base});
    }
  }

  void write_history(ProjectionState const& state) {
    file_.create_table("/history", history_columns);
    for (DivergenceSample const& sample : state.history) {
      file_.append_row("/history", std::array{double(sample.iteration), sample.relative_divergence, sample.seconds});
    }
  }

  void write_watch(WatchRecord const& watch) {
    if (!watch.active() || watch.count() == 0) return;
    file_.write("/watch/lambda", watch.slices());
    file_.write("/watch/iteration", watch.iterations().data(), {watch.count()});
    UniformGrid const& grid = case_.grid;
    int const index = watch.watch().index;
    constexpr std::array axes{"x", "y", "z"};
    std::array const coordinate{grid.origin()[0] + (index + 0.5) * grid.dx(),
                                grid.origin()[1] + (index + 0.5) * grid.dy(),
                                watch.watch().axis == Axis::z ? grid.z_center(index) : 0.0};
    auto const axis = static_cast<std::size_t>(watch.watch().axis);
    file_.write_attribute("/watch/lambda", "axis", axes[axis]);
    file_.write_attribute("/watch/lambda", "index", index);
    file_.write_attribute("/watch/lambda", "coordinate", coordinate[axis]);
  }

  void write_timings(RunRecord const& record, double output_seconds) {
    file_.make_group("/timings");
    file_.write_attribute("/timings", "set_up", record.set_up_seconds);
    file_.write_attribute("/timings", "initial_field", record.initial_field_seconds);
    file_.write_attribute("/timings", "solve", record.solve_seconds);
    file_.write_attribute("/timings", "output", output_seconds);
  }

  void commit() { file_.commit(); }

 private:
  void write_field(ModelField field, char const* name, char const* units) {
    HostField const values = copy_to_host(model_, field, case_);
    file_.write(name, values.array(), {.chunk = {}, .deflate = case_.outputs.compression});
    file_.write_attribute(name, "units", units);
    app::attach_coordinates(file_, case_.grid, name);
  }

  void write_cell_velocity() {
    UniformGrid const& grid = case_.grid;
    HostField values(scalar_type(case_.solver.precision), {grid.nz(), grid.ny(), grid.nx(), 3});
    model_.copy_cell_velocity(values.array());
    file_.write("/cells/velocity", std::as_const(values).array(), {.chunk = {}, .deflate = case_.outputs.compression});
    file_.write_attribute("/cells/velocity", "units", "m/s");
    app::attach_coordinates(file_, grid, "/cells/velocity");
  }

  Hdf5File file_;
  WindCase const& case_;
  WindModel& model_;
};

void write_xdmf(std::filesystem::path const& path, Overwrite overwrite, WindCase const& wind_case) {
  UniformGrid const& grid = wind_case.grid;
  OutputSettings const& outputs = wind_case.outputs;
  ArrayExtents const cells(grid.extents(Location::cell));
  ScalarType const real = scalar_type(wind_case.solver.precision);
  auto const line = [](char const* name, int count) {
    return XdmfDataset{fields_file, name, ScalarType::float64, {count + 1}};
  };
  std::vector<XdmfAttribute> attributes;
  auto const add = [&](char const* name, char const* dataset, ScalarType type, ArrayExtents const& extents) {
    attributes.push_back({name, XdmfCenter::cell, {fields_file, dataset, type, extents}});
  };
  if (outputs.velocity) {
    ArrayExtents vectors = cells;
    vectors.append(3);
    add("velocity", "/cells/velocity", real, vectors);
  }
  if (outputs.flag) add("flag", "/cells/flag", ScalarType::uint8, cells);
  if (outputs.lambda) add("lambda", "/cells/lambda", real, cells);
  if (outputs.divergence) {
    add("divergence before", "/cells/divergence_before", real, cells);
    add("divergence after", "/cells/divergence_after", real, cells);
  }
  XdmfDocument document;
  document.add(
      "wind",
      XdmfRectilinearGrid{line("/grid/x", grid.nx()), line("/grid/y", grid.ny()), line("/grid/z", grid.nz()), false},
      attributes);
  document.write(path, overwrite);
}

void write_csv(std::filesystem::path const& path, Overwrite overwrite, ProjectionState const& state) {
  CsvWriter csv(path, history_columns, overwrite);
  for (DivergenceSample const& sample : state.history) {
    csv.append_row(std::array{double(sample.iteration), sample.relative_divergence, sample.seconds});
  }
  csv.commit();
}

}  // namespace

void require_no_output(std::filesystem::path const& folder, Overwrite overwrite) {
  app::require_no_files(folder, std::array{fields_file, xdmf_file, history_file}, overwrite);
}

void write_output(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case, WindModel& model,
                  ProjectionState const& state, WatchRecord const& watch, RunRecord const& record) {
  auto const start = std::chrono::steady_clock::now();
  FieldsFile file(folder / fields_file, overwrite, wind_case, model);
  file.write_header(state, record);
  file.write_grid();
  file.write_fields();
  file.write_buildings();
  file.write_history(state);
  file.write_watch(watch);
  file.write_timings(record, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  file.commit();
  write_xdmf(folder / xdmf_file, overwrite, wind_case);
  write_csv(folder / history_file, overwrite, state);
}

}  // namespace karman::wind
