// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_output.hpp"

#include "common/case/direction.hpp"
#include "common/fields/earlier_files.hpp"
#include "common/fields/provenance.hpp"
#include "conventions.hpp"
#include "field_part.hpp"
#include "footprint_output.hpp"
#include "grid_mapping.hpp"
#include "map_files.hpp"
#include "probe_output.hpp"
#include "sensor_output.hpp"
#include "series_output.hpp"
#include "sweep_output.hpp"
#include "terrain_output.hpp"
#include "wind/model/host_field.hpp"
#include <karman/io/csv_writer.hpp>
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/shared_hdf5_file.hpp>
#include <karman/io/xdmf.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace karman::wind {
namespace {

constexpr int format_version = 1;
std::vector<std::string> const divergence_columns{"iteration", "relative_divergence", "seconds"};

class FieldsFile {
 public:
  FieldsFile(FileProcesses const& processes, std::filesystem::path const& path, Overwrite overwrite,
             WindCase const& wind_case, WindModel& model)
      : fields_(SharedHdf5File::create(processes, path, overwrite)),
        file_(fields_.shared()),
        case_(wind_case),
        model_(model),
        region_(written_cells(wind_case)) {}

  void write_header(ProjectionState const& state, RunRecord const& record) {
    UniformGrid const& grid = case_.grid;
    app::write_provenance(
        file_, {"karman.wind", format_version, case_.title, record.backend,
                case_.solver.precision == Precision::f32 ? app::Precision::f32 : app::Precision::f64, case_.text});
    file_.write_attribute(
        "/", "cells",
        std::to_string(grid.nx()) + " x " + std::to_string(grid.ny()) + " x " + std::to_string(grid.nz()));
    file_.write_attribute("/", "wind_direction", app::within_turn(case_.profile.direction));
    file_.write_attribute("/", "converged", is_done(record.end) ? 1 : 0);
    file_.write_attribute("/", "iterations", state.iteration);
    file_.write_attribute("/", "passes", state.passes);
    file_.write_attribute("/", "relative_divergence",
                          state.history.empty() ? 0.0 : state.history.back().relative_divergence);
    file_.write_attribute("/", "initial_divergence", state.initial_divergence);
    file_.write_attribute("/", "method", std::string(name(case_.solver.method)));
    file_.write_attribute("/", "omega", model_.omega());
  }

  void write_grid() {
    UniformGrid const& grid = case_.grid;
    auto const& origin = grid.origin();
    write_line("/grid/x", 0, 1, [&](int i) { return origin[0] + i * grid.dx(); });
    write_line("/grid/y", 1, 1, [&](int j) { return origin[1] + j * grid.dy(); });
    write_line("/grid/z", 2, 1, [&](int k) { return grid.z_face(k); });
    write_line("/grid/x_center", 0, 0, [&](int i) { return origin[0] + (i + 0.5) * grid.dx(); });
    write_line("/grid/y_center", 1, 0, [&](int j) { return origin[1] + (j + 0.5) * grid.dy(); });
    write_line("/grid/z_center", 2, 0, [&](int k) { return grid.z_center(k); });
    write_component_scale(file_);
    follow_conventions(file_);
    write_grid_mapping(file_, case_.place);
  }

  void write_fields() {
    OutputSettings const& outputs = case_.outputs;
    if (outputs.faces) {
      write_field(ModelField::u, "/faces/u", {"m/s", "velocity along x", "x_wind"});
      write_field(ModelField::v, "/faces/v", {"m/s", "velocity along y", "y_wind"});
      write_field(ModelField::w, "/faces/w", {"m/s", "velocity upward", "upward_air_velocity"});
    }
    if (outputs.faces && cuts_cells(case_)) {
      write_field(ModelField::open_u, "/faces/open_u", {"1", "open fraction of the faces across x"});
      write_field(ModelField::open_v, "/faces/open_v", {"1", "open fraction of the faces across y"});
      write_field(ModelField::open_w, "/faces/open_w", {"1", "open fraction of the faces across z"});
    }
    if (outputs.flag) {
      write_flags();
    }
    if (outputs.lambda) write_field(ModelField::lambda, "/cells/lambda", {"m2/s", "Lagrange multiplier"});
    if (outputs.divergence) {
      write_field(ModelField::divergence_before, "/cells/divergence_before",
                  {"1/s", "divergence of the initial field"});
      write_field(ModelField::divergence, "/cells/divergence_after", {"1/s", "divergence of the result"});
    }
    if (outputs.velocity) write_cell_velocity();
  }

  void write_samples(std::vector<SampledProbe> const& probes) {
    write_probes(file_, case_, probes);
    if (!case_.outputs.pedestrian_height) return;
    SampledProbe const plane = sample_probe(model_, case_, plane_above_ground(*case_.outputs.pedestrian_height));
    std::vector<double> const undisturbed = undisturbed_speeds(case_, plane.probe);
    write_pedestrian(file_, case_, plane, undisturbed);
    if (map_files(case_).empty()) return;
    for (std::size_t n = 0; n < plane.velocity.size(); ++n) {
      auto const [u, v, w] = plane.velocity[n];
      double const speed = std::hypot(u, v, w);
      pedestrian_.speed.push_back(static_cast<float>(speed));
      pedestrian_.speed_up.push_back(static_cast<float>(speed / undisturbed[n]));
    }
  }

  /// The pedestrian maps as files of their own, after write_samples().
  void write_maps(std::filesystem::path const& folder, Overwrite overwrite) {
    if (!pedestrian_.speed.empty()) write_pedestrian_files(folder, overwrite, case_, std::move(pedestrian_));
  }

  void write_buildings() {
    wind::write_buildings(file_, case_);
    write_vegetation(file_, case_);
    write_terrain(file_, case_);
    write_sensors(file_, case_);
  }

  void write_history(ProjectionState const& state) {
    file_.create_table("/history", divergence_columns);
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

  void commit() { fields_.commit(); }

 private:
  /// Coordinates of the written part along an axis: of the cell centres, or of their faces with `more` = 1.
  template <class Coordinate>
  void write_line(char const* name, std::size_t axis, int more, Coordinate coordinate) {
    std::vector<double> values;
    for (int n = region_.begin[axis]; n < region_.end[axis] + more; ++n) values.push_back(coordinate(n));
    file_.write(name, values.data(), {values.size()});
    describe_coordinate(file_, name, axis, !case_.terrain.empty());
  }

  /// Coordinates of the faces, in the order of the indices.
  static constexpr std::array<char const*, 3> lines{"/grid/z", "/grid/y", "/grid/x"};

  DatasetOptions dataset_options() const { return {.chunk = {}, .deflate = case_.outputs.compression}; }

  /// Writes the values of this process in the region, in the number type of the output.
  void write_part(ModelField field, std::string const& name) {
    HostField const values = copy_to_host(model_, field, case_);
    WrittenPart const part = written_part(model_.part(), field, case_.grid, region_);
    ScalarType const type = values.array().type;
    bool const same_type = type == ScalarType::uint8 || type == written_type(case_);
    if (same_type && part.is_all_of(values.array().extents)) {
      fields_.write(name, values.array(), part.place, dataset_options());
    } else {
      HostField const written = field_part(values, part.begin, part.end, written_type(case_));
      fields_.write(name, written.array(), part.place, dataset_options());
    }
    auto const extents = wind::extents(field, case_.grid), cells = case_.grid.extents(Location::cell);
    for (std::size_t a = 0; a < 3; ++a)
      file_.attach_scale(name, a, std::string(lines[a]) + (extents[a] > cells[a] ? "" : "_center"));
  }

  void write_field(ModelField field, std::string const& name, Description const& description) {
    write_part(field, name);
    describe(file_, name, description);
    map_variable(file_, name, case_.place);
  }

  void write_flags() {
    bool const terrain = !case_.terrain.empty();
    std::string const names = terrain ? "0 solid, 1 air, 2 terrain, " : "0 solid, 1 air, ";
    bool const plants = !case_.vegetation.empty();
    std::string const long_name = names + "3 upwind cavity, 4 cavity, 5 wake, 6 canyon, 9 side wall, 10 rooftop" +
                                  (plants ? ", 11 vegetation" : "");
    write_field(ModelField::flag, "/cells/flag", {"", long_name.c_str()});
    std::vector<std::uint8_t> values{0, 1, 3, 4, 5, 6, 9, 10};
    if (terrain) values.insert(values.begin() + 2, 2);
    if (plants) values.push_back(11);
    file_.write_attribute("/cells/flag", "flag_values", std::span<std::uint8_t const>(values));
    file_.write_attribute("/cells/flag", "flag_meanings",
                          std::string(terrain ? "solid air terrain" : "solid air") +
                              " upwind_cavity cavity wake canyon sidewall rooftop" + (plants ? " vegetation" : ""));
  }

  void write_cell_velocity() {
    WrittenPart part = written_part(model_.part(), ModelField::lambda, case_.grid, region_);
    auto const count = [&](std::size_t axis) { return part.end[axis] - part.begin[axis]; };
    HostField vectors(written_type(case_), {count(0), count(1), count(2), 3});
    {
      HostField component = host_field(model_, ModelField::lambda, case_);
      for (Axis const axis : {Axis::x, Axis::y, Axis::z}) {
        model_.copy_cell_velocity(axis, component.array());
        put_component(component, part.begin, static_cast<std::size_t>(axis), vectors);
      }
    }
    part.place.whole.append(3);
    part.place.begin.append(0);
    fields_.write("/cells/velocity", std::as_const(vectors).array(), part.place, dataset_options());
    for (std::size_t a = 0; a < 3; ++a) file_.attach_scale("/cells/velocity", a, std::string(lines[a]) + "_center");
    describe(file_, "/cells/velocity", {"m/s", "wind velocity at the cell centres"});
    file_.attach_scale("/cells/velocity", 3, component_scale);
    map_variable(file_, "/cells/velocity", case_.place);
  }

  SharedHdf5File fields_;
  Hdf5File& file_;  ///< its content that is the same in all processes
  WindCase const& case_;
  WindModel& model_;
  Box region_;
  PedestrianMaps pedestrian_;  ///< for files of their own
};

void write_xdmf(std::filesystem::path const& path, Overwrite overwrite, WindCase const& wind_case) {
  OutputSettings const& outputs = wind_case.outputs;
  Box const region = written_cells(wind_case);
  auto const count = [&](std::size_t axis) { return region.end[axis] - region.begin[axis]; };
  ArrayExtents const cells(count(2), count(1), count(0));
  ScalarType const real = written_type(wind_case);
  auto const line = [&](char const* name, std::size_t axis) {
    return XdmfDataset{fields_file, name, ScalarType::float64, {count(axis) + 1}};
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
  document.add("wind", XdmfRectilinearGrid{line("/grid/x", 0), line("/grid/y", 1), line("/grid/z", 2), false},
               attributes);
  document.write(path, overwrite);
}

void write_csv(std::filesystem::path const& path, Overwrite overwrite, ProjectionState const& state) {
  CsvWriter csv(path, divergence_columns, overwrite);
  for (DivergenceSample const& sample : state.history) {
    csv.append_row(std::array{double(sample.iteration), sample.relative_divergence, sample.seconds});
  }
  csv.commit();
}

/// Adds the names of the files that hold the fields of several processes.
void add_parts(std::filesystem::path const& folder, std::vector<std::string>& names) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::string const name = at->path().filename().string();
    if (name.starts_with("wind.part-") && name.ends_with(".h5")) names.push_back(name);
  }
}

}  // namespace

Box written_cells(WindCase const& wind_case) {
  UniformGrid const& grid = wind_case.grid;
  return wind_case.outputs.region.value_or(Box{{0, 0, 0}, {grid.nx(), grid.ny(), grid.nz()}});
}

ScalarType written_type(WindCase const& wind_case) {
  return scalar_type(wind_case.outputs.precision.value_or(wind_case.solver.precision));
}

std::vector<std::string> output_files(WindCase const& wind_case) {
  std::vector<std::string> names = map_files(wind_case);
  if (wind_case.series) {
    names.insert(names.end(), {series_file, series_xdmf_file});
  } else if (wind_case.sweep) {
    names.insert(names.end(), {sweep_file, sweep_xdmf_file});
  } else {
    std::vector<std::string> const probes = probe_files(wind_case.outputs);
    names.insert(names.end(), probes.begin(), probes.end());
    names.insert(names.end(), {fields_file, xdmf_file, history_file});
  }
  return names;
}

void remove_earlier_results(std::filesystem::path const& folder, std::vector<std::string> const& kept,
                            Overwrite overwrite) {
  std::vector<std::string> results = probe_files_in(folder);
  results.insert(results.end(), map_file_names.begin(), map_file_names.end());
  results.insert(results.end(),
                 {fields_file, xdmf_file, history_file, sweep_file, sweep_xdmf_file, series_file, series_xdmf_file});
  if (std::find(kept.begin(), kept.end(), fields_file) == kept.end()) add_parts(folder, results);
  for (std::string const& name : results) {
    if (std::find(kept.begin(), kept.end(), name) == kept.end()) app::remove_earlier(folder / name, overwrite);
  }
}

void write_output(FileProcesses const& processes, std::filesystem::path const& folder, Overwrite overwrite,
                  WindCase const& wind_case, WindModel& model, ProjectionState const& state, WatchRecord const& watch,
                  RunRecord const& record) {
  auto const start = std::chrono::steady_clock::now();
  FieldsFile file(processes, folder / fields_file, overwrite, wind_case, model);
  file.write_header(state, record);
  file.write_grid();
  file.write_fields();
  std::vector<SampledProbe> const probes = sample_probes(model, wind_case);
  file.write_samples(probes);
  file.write_buildings();
  file.write_history(state);
  file.write_watch(watch);
  file.write_timings(record, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  file.commit();
  processes.in_all([&] {
    if (!processes.is_first()) return;
    write_xdmf(folder / xdmf_file, overwrite, wind_case);
    write_csv(folder / history_file, overwrite, state);
    write_probe_files(folder, overwrite, wind_case, probes);
    file.write_maps(folder, overwrite);
    remove_earlier_results(folder, output_files(wind_case), overwrite);
  });
}

}  // namespace karman::wind
