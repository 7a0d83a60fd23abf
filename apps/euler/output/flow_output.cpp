// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow_output.hpp"

#include "common/case/texts.hpp"
#include "common/fields/earlier_files.hpp"
#include "common/fields/provenance.hpp"
#include "euler/case/initial_file.hpp"
#include "flow_fields.hpp"
#include <karman/io/csv_writer.hpp>
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/mesh_files.hpp>
#include <karman/io/xdmf.hpp>

#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

namespace karman::euler {
namespace {

using app::formatted;
namespace fs = std::filesystem;

constexpr int format_version = 1;
constexpr char const* frame_mesh = "frames/mesh.h5";

void write_values(Hdf5File& file, std::string const& group, FlowCase const& flow_case, NodalValues const& field) {
  std::string const name = group + '/' + field.name;
  auto const components = static_cast<std::size_t>(field.components);
  std::size_t const nodes = field.values.size() / components;
  ArrayExtents const extents = field.components == 1 ? ArrayExtents(nodes) : ArrayExtents(nodes, components);
  DatasetOptions const options{.chunk = {}, .deflate = flow_case.compression};
  if (flow_case.problem.precision == Precision::f64) {
    file.write(name, field.values.data(), extents, options);
  } else {
    std::vector<float> const rounded(field.values.begin(), field.values.end());
    file.write(name, rounded.data(), extents, options);
  }
  file.write_attribute(name, "units", field.units);
}

/// The mesh with its nodes at other points.
MeshData moved(MeshData mesh, Points const& points) {
  mesh.nodes = points;
  return mesh;
}

XdmfTriangleGrid grid_of(MeshData const& mesh, fs::path const& file) {
  return {{file, "/mesh/nodes", ScalarType::float64, {mesh.nodes.size(), 2}},
          {file, "/mesh/triangles", ScalarType::int32, {mesh.triangles.size(), 3}}};
}

/// Names and numbers of components of the fields of a case, without their values.
std::vector<std::pair<std::string, int>> names_of_fields(FlowCase const& flow_case) {
  std::vector<std::pair<std::string, int>> names;
  for (NodalValues const& field : fields_of(flow_case, flow_case.problem.mesh, {}))
    names.emplace_back(field.name, field.components);
  return names;
}

std::vector<XdmfAttribute> attributes_of(FlowCase const& flow_case, fs::path const& file, std::string const& group) {
  std::vector<XdmfAttribute> attributes;
  std::size_t const nodes = flow_case.problem.mesh.nodes.size();
  for (auto const& [name, components] : names_of_fields(flow_case)) {
    ArrayExtents const extents = components == 1 ? ArrayExtents(nodes) : ArrayExtents(nodes, components);
    attributes.push_back(
        {name, XdmfCenter::node, {file, group + '/' + name, app::scalar_type(flow_case.problem.precision), extents}});
  }
  return attributes;
}

std::vector<std::string> const wall_columns{"label", "run", "distance", "x", "y", "pressure", "cp", "mach"};

std::vector<std::vector<double>> wall_rows(FlowProblem const& problem, MeshData const& mesh,
                                           std::vector<Conservative> const& states) {
  double const gamma = problem.scheme.gamma, scale = dynamic_pressure(problem);
  std::vector<std::vector<double>> rows;
  for (WallPoint const& point : walls_of(problem, mesh)) {
    Conservative const& u = states[static_cast<std::size_t>(point.node)];
    auto const& at = mesh.nodes[static_cast<std::size_t>(point.node)];
    double const p = pressure_of(gamma, u), speed = std::hypot(u[1], u[2]) / u[0];
    rows.push_back({double(point.label), double(point.run), point.distance, at[0], at[1], p,
                    (p - problem.flow.pressure) / scale, speed / std::sqrt(gamma * p / u[0])});
  }
  return rows;
}

}  // namespace

FlowOutput::FlowOutput(fs::path const& folder, Overwrite overwrite, FlowCase const& flow_case,
                       BackendInfo const& backend)
    : folder_(folder), overwrite_(overwrite), case_(flow_case), backend_(backend), frames_(folder, overwrite) {}

void FlowOutput::begin_frames() const {
  frames_.make_folder();
  Hdf5File file = Hdf5File::create(folder_ / frame_mesh, overwrite_);
  write_mesh(file, "/mesh", case_.problem.mesh);
  file.commit();
}

void FlowOutput::add_frame(std::int64_t step, double time, Points const& points,
                           std::vector<Conservative> const& states) {
  Hdf5File file = frames_.create();
  MeshData const mesh = moved(case_.problem.mesh, points);
  for (NodalValues const& field : fields_of(case_, mesh, states)) write_values(file, "/fields", case_, field);
  bool const moves = case_.problem.motion.moves();
  if (moves) file.write("/mesh/nodes", points.front().data(), {points.size(), std::size_t{2}});
  frames_.commit(file, step, time);
  XdmfDocument document;
  for (std::size_t n = 0; n < frames_.times().size(); ++n) {
    document.add_step("flow", frames_.times()[n], grid_of(case_.problem.mesh, frame_mesh),
                      attributes_of(case_, app::FrameFiles::name(n), "/fields"));
  }
  frames_.write_list(document);
}

void FlowOutput::finish(RunRecord const& record, History const& history, Points const& points,
                        std::vector<Conservative> const& states, FlowAverages const& averages) const {
  MeshData const mesh = moved(case_.problem.mesh, points);
  frames_.remove_later();
  Hdf5File file = Hdf5File::create(folder_ / fields_file, overwrite_);
  app::write_provenance(file,
                        {result_format, format_version, case_.title, backend_, case_.problem.precision, case_.text});
  write_mesh(file, "/mesh", mesh);
  for (NodalValues const& field : fields_of(case_, mesh, states)) write_values(file, "/fields", case_, field);
  if (averages.seconds > 0) {
    std::vector<double> const sums = averages.sums.in_double();
    std::size_t const n = case_.problem.mesh.nodes.size();
    auto const mean = [&](std::size_t c, std::size_t i) { return sums[c * n + i] / averages.seconds; };
    NodalValues density{"density", "kg/m3", {}, 1}, velocity{"velocity", "m/s", {}, 3},
        pressure{"pressure", "Pa", {}, 1}, fluctuation{"pressure_rms", "Pa", {}, 1};
    for (std::size_t i = 0; i < n; ++i) {
      density.values.push_back(mean(0, i));
      velocity.values.insert(velocity.values.end(), {mean(1, i), mean(2, i), 0.0});
      pressure.values.push_back(mean(3, i));
      fluctuation.values.push_back(std::sqrt(std::fmax(0, mean(4, i) - mean(3, i) * mean(3, i))));
    }
    for (NodalValues const* field : {&density, &velocity, &pressure, &fluctuation})
      write_values(file, "/averages", case_, *field);
    file.write_attribute("/averages", "seconds", averages.seconds);
  }
  file.create_table("/history", history.columns());
  for (auto const& row : history.rows()) file.append_row("/history", row);
  file.write_attribute("/history", largest_residual_name, history.largest_residual());
  auto const& last = history.rows().back();
  FlowProblem const& problem = case_.problem;
  file.write_attribute("/", "step", last[0]);
  file.write_attribute("/", "time", last[1]);
  file.write_attribute("/", "steady", case_.steady ? 1 : 0);
  file.write_attribute("/", "converged", record.converged ? 1 : 0);
  file.write_attribute("/", "gamma", problem.scheme.gamma);
  std::array const flow{problem.flow.density, problem.flow.velocity[0], problem.flow.velocity[1],
                        problem.flow.pressure};
  file.write_attribute("/", "flow", std::span<double const>(flow));
  file.write_attribute("/", "dynamic_pressure", dynamic_pressure(problem));
  file.write_attribute("/", "memory_bytes", record.memory_bytes);
  if (problem.motion.moves()) file.write_attribute("/", "motion_iterations", record.motion_iterations);
  std::vector<std::string> names;
  for (ForceGroup const& group : problem.forces) names.push_back(group.name);
  if (!names.empty()) file.write_texts("/forces/names", names);
  names.clear();
  for (app::Gauge const& gauge : case_.gauges) names.push_back(gauge.name);
  if (!names.empty()) file.write_texts("/gauges/names", names);
  std::string remarks;
  for (std::string const& remark : case_.remarks) remarks += remark + '\n';
  file.write_text("/remarks", remarks);
  file.make_group("/timings");
  file.write_attribute("/timings", "case", record.case_seconds);
  file.write_attribute("/timings", "set_up", record.set_up_seconds);
  file.write_attribute("/timings", "march", record.march_seconds);

  file.create_table("/walls", wall_columns);
  for (auto const& row : wall_rows(problem, mesh, states)) file.append_row("/walls", row);
  file.commit();
  XdmfDocument document;
  document.add("flow", grid_of(problem.mesh, fields_file), attributes_of(case_, fields_file, "/fields"));
  document.write(folder_ / "euler.xdmf", overwrite_);
  write_tables(history, mesh, states);
}

void FlowOutput::write_tables(History const& history, MeshData const& mesh,
                              std::vector<Conservative> const& states) const {
  FlowProblem const& problem = case_.problem;
  auto const begin = static_cast<std::ptrdiff_t>(history.gauges_begin());
  auto const& columns = history.columns();
  CsvWriter csv(folder_ / "history.csv", {columns.begin(), columns.begin() + begin}, overwrite_);
  for (auto const& row : history.rows()) csv.append_row(std::vector<double>(row.begin(), row.begin() + begin));
  csv.commit();
  if (!case_.gauges.empty()) {
    std::vector<std::string> names{"step", "time"};
    names.insert(names.end(), columns.begin() + begin, columns.end());
    CsvWriter gauges(folder_ / "gauges.csv", names, overwrite_);
    for (auto const& row : history.rows()) {
      std::vector<double> values{row[0], row[1]};
      values.insert(values.end(), row.begin() + begin, row.end());
      gauges.append_row(values);
    }
    gauges.commit();
  } else {
    app::remove_earlier(folder_ / "gauges.csv", overwrite_);
  }
  CsvWriter walls(folder_ / "walls.csv", wall_columns, overwrite_);
  for (auto const& row : wall_rows(problem, mesh, states)) walls.append_row(row);
  walls.commit();
}

}  // namespace karman::euler
