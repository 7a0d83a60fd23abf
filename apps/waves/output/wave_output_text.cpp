// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files beside waves.h5: XDMF for ParaView, CSV.
#include "common/case/direction.hpp"
#include "common/fields/earlier_files.hpp"
#include "wave_output.hpp"
#include "waves/case/boundary_codes.hpp"
#include "waves/model/wave_columns.hpp"
#include <karman/io/csv_writer.hpp>
#include <karman/io/mesh_files.hpp>
#include <karman/io/xdmf.hpp>

#include <algorithm>
#include <cmath>

namespace karman::waves {
namespace {

using app::formatted;

using app::degrees;
constexpr char const* components_xdmf = output_files[2];
constexpr char const* surface_xdmf = output_files[3];

XdmfTriangleGrid grid_of(MeshData const& mesh) {
  return {{fields_file, "/mesh/nodes", ScalarType::float64, {mesh.nodes.size(), 2}},
          {fields_file, "/mesh/triangles", ScalarType::int32, {mesh.triangles.size(), 3}}};
}

void write_csv(std::filesystem::path const& path, Overwrite overwrite, std::vector<std::string> const& columns,
               std::vector<std::vector<double>> const& rows) {
  CsvWriter csv(path, columns, overwrite);
  for (auto const& row : rows) csv.append_row(row);
  csv.commit();
}

}  // namespace

void WaveOutput::write_xdmf() const {
  MeshData const& mesh = case_.problem.mesh;
  XdmfTriangleGrid const grid = grid_of(mesh);
  ScalarType const real = app::scalar_type(case_.problem.precision);
  ArrayExtents const nodes(mesh.nodes.size());
  auto const at_nodes = [&](std::string const& name, std::string const& dataset, ScalarType type) {
    ArrayExtents const vectors(mesh.nodes.size(), 3);
    return XdmfAttribute{name, XdmfCenter::node, {fields_file, dataset, type, name == flux_field ? vectors : nodes}};
  };
  auto const fields_of = [&](std::string const& group, std::vector<std::string> const& fields) {
    std::vector<XdmfAttribute> attributes{at_nodes("depth", "/depth", real)};
    for (std::string const& field : fields) attributes.push_back(at_nodes(field, group + '/' + field, real));
    return attributes;
  };
  XdmfDocument document;
  if (!combined_.empty()) document.add("waves", grid, fields_of("/combined", combined_));
  else if (!kept_.empty())
    document.add("waves", grid, fields_of(group_of(kept_.front().component), kept_.front().fields));
  else document.add("waves", grid, fields_of("", {}));
  document.write(folder_ / output_files[1], overwrite_);
  if (kept_.size() > 1) {
    XdmfDocument components;
    for (Kept const& kept : kept_) {
      components.add_step("components", static_cast<double>(kept.component), grid,
                          fields_of(group_of(kept.component), kept.fields));
    }
    components.write(folder_ / components_xdmf, overwrite_);
  } else {
    app::remove_earlier(folder_ / components_xdmf, overwrite_);
  }
  if (case_.outputs.animation_frames > 0 && largest_) {
    XdmfDocument surface;
    for (int frame = 0; frame < case_.outputs.animation_frames; ++frame) {
      surface.add_step("surface", largest_->period * frame / case_.outputs.animation_frames, grid,
                       {at_nodes("surface", formatted("/animation/%03d", frame), ScalarType::float32)});
    }
    surface.write(folder_ / surface_xdmf, overwrite_);
  } else {
    app::remove_earlier(folder_ / surface_xdmf, overwrite_);
  }
}

/// All components together, or, in a scan, the one with the largest response, as sections.
void WaveOutput::write_selafin() const {
  std::filesystem::path const path = folder_ / "waves.slf";
  if (!case_.outputs.selafin || !largest_) {
    app::remove_earlier(folder_ / "waves.cli", overwrite_);
    return app::remove_earlier(path, overwrite_);
  }
  std::vector<double> const& depth = case_.problem.depth;
  std::vector<double> bottom;
  bottom.reserve(depth.size());
  for (double const h : depth) bottom.push_back(-h);
  std::vector<NodalField> fields{{"WATER DEPTH", 1, depth}, {"BOTTOM", 1, std::move(bottom)}};
  if (are_superposed(case_.set)) {
    fields.push_back({"WAVE HEIGHT", 1, significant_height()});
    std::vector<double> direction;
    for (std::size_t n = 0; n < record_.flux_x.size(); ++n)
      direction.push_back(std::atan2(record_.flux_y[n], record_.flux_x[n]) * degrees);
    if (!direction.empty()) fields.push_back({"WAVE DIRECTION", 1, std::move(direction)});
  } else {
    fields.push_back({"WAVE HEIGHT", 1, largest_->height});
    auto const add = [&](char const* name, std::vector<double> values) {
      for (double& value : values) value *= degrees;
      if (!values.empty()) fields.push_back({name, 1, std::move(values)});
    };
    add("WAVE PHASE", largest_->phase);
    add("WAVE DIRECTION", largest_->direction);
  }
  // Codes of the boundary file instead of labels, so that ARTEMIS has the conditions of the case.
  MeshData mesh = case_.problem.mesh;
  for (int& label : mesh.edge_labels) label = artemis_code(case_.problem.boundaries.at(label).kind);
  // In double precision always: coordinates of maps need more digits than float has.
  karman::write_mesh(path, mesh, fields, {.overwrite = overwrite_});
}

void WaveOutput::write_series_table() const {
  std::filesystem::path const path = folder_ / "surface_series.csv";
  if (series_.empty()) return app::remove_earlier(path, overwrite_);
  std::vector<std::string> columns{"time (s)"};
  for (app::Gauge const& gauge : case_.gauges) columns.push_back(gauge.name + " surface (m)");
  CsvWriter csv(path, columns, overwrite_);
  std::size_t const points = case_.gauges.size();
  std::vector<double> row(1 + points);
  for (std::size_t n = 0; n < series_times_.size(); ++n) {
    row[0] = series_times_[n];
    std::copy_n(series_.begin() + static_cast<std::ptrdiff_t>(n * points), points, row.begin() + 1);
    csv.append_row(row);
  }
  csv.commit();
}

void WaveOutput::write_tables() const {
  write_series_table();
  write_csv(folder_ / "components.csv", overwrite_, summary_columns, record_.summary);
  write_csv(folder_ / "history.csv", overwrite_, history_columns, record_.history);
  if (!sections_.empty()) write_csv(folder_ / "sections.csv", overwrite_, section_columns, sections_);
  else app::remove_earlier(folder_ / "sections.csv", overwrite_);
  if (case_.gauges.empty()) return app::remove_earlier(folder_ / "gauges.csv", overwrite_);
  std::vector<std::string> columns{"component", "period", "height"};
  for (app::Gauge const& gauge : case_.gauges) {
    for (char const* what : {" height", " amplification", " phase"}) columns.push_back(gauge.name + what);
  }
  std::vector<std::vector<double>> rows;
  for (std::size_t component = 0; component < record_.readings.size(); ++component) {
    std::vector<double> row{double(component), case_.components[component].period, case_.components[component].height};
    for (GaugeReading const& reading : record_.readings[component])
      row.insert(row.end(), {reading.height, reading.amplification, std::arg(reading.elevation) * degrees});
    rows.push_back(std::move(row));
  }
  write_csv(folder_ / "gauges.csv", overwrite_, columns, rows);
}

}  // namespace karman::waves
