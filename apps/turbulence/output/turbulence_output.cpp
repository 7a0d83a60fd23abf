// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "turbulence_output.hpp"

#include "common/case/texts.hpp"
#include "common/fields/provenance.hpp"
#include <karman/io/csv_writer.hpp>
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/xdmf.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <system_error>
#include <utility>

namespace karman::turbulence {
namespace {

using app::formatted;
namespace fs = std::filesystem;

constexpr int format_version = 1;

/// Points as nodes: the last ones lie a distance before the periodic sides.
XdmfUniformGrid grid_of(VorticitySetup const& setup) {
  auto const [nx, ny] = setup.points;
  XdmfUniformGrid grid;
  grid.cells = {static_cast<std::size_t>(nx) - 1, static_cast<std::size_t>(ny) - 1, 0};
  grid.spacing = {setup.lengths[0] / nx, setup.lengths[1] / ny, 1};
  return grid;
}

std::vector<XdmfAttribute> attributes_of(TurbulenceCase const& turbulence_case, std::set<std::string> const& fields,
                                         fs::path const& file) {
  auto const [nx, ny] = turbulence_case.problem.setup.points;
  ScalarType const type = app::scalar_type(turbulence_case.problem.precision);
  std::vector<XdmfAttribute> attributes;
  for (std::string const& name : fields) {
    ArrayExtents const extents = name == "velocity" ? ArrayExtents(ny, nx, 3) : ArrayExtents(ny, nx);
    attributes.push_back({name, XdmfCenter::node, {file, "/fields/" + name, type, extents}});
  }
  return attributes;
}

void write_fields(Hdf5File& file, TurbulenceCase const& turbulence_case, std::set<std::string> const& fields,
                  TurbulenceModel& model) {
  DatasetOptions const options{.chunk = {}, .deflate = turbulence_case.compression};
  for (std::string const& name : fields) {
    app::HostField values;
    if (name == "velocity") model.copy_velocity(values);
    else model.copy_vorticity(values);
    std::string const dataset = "/fields/" + name;
    file.write(dataset, std::as_const(values).array(), options);
    file.write_attribute(dataset, "units", name == "velocity" ? "m/s" : "1/s");
  }
}

void write_table(Hdf5File& file, std::string const& name, std::vector<std::string> const& columns,
                 std::vector<std::vector<double>> const& rows) {
  file.create_table(name, columns);
  for (auto const& row : rows) file.append_row(name, row);
}

void write_csv(fs::path const& path, std::vector<std::string> const& columns,
               std::vector<std::vector<double>> const& rows, Overwrite overwrite) {
  CsvWriter csv(path, columns, overwrite);
  for (auto const& row : rows) csv.append_row(row);
  csv.commit();
}

void write_points(Hdf5File& file, VorticitySetup const& setup) {
  constexpr std::array names{"/grid/x", "/grid/y"};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    std::vector<double> points;
    for (int n = 0; n < setup.points[axis]; ++n) points.push_back(n * setup.lengths[axis] / setup.points[axis]);
    file.write(names[axis], points.data(), {points.size()});
    file.write_attribute(names[axis], "units", "m");
  }
}

/// Middle of each interval, points in it, and probability density.
std::vector<std::vector<double>> histogram_rows(TurbulenceCase const& turbulence_case, TurbulenceModel& model) {
  app::HostField vorticity;
  model.copy_vorticity(vorticity);
  double largest = 0;
  for (double const value : vorticity.in_double()) largest = std::fmax(largest, std::abs(value));
  if (!(largest > 0)) largest = 1;
  auto const counts = model.histogram(largest, turbulence_case.bins);
  double const width = 2 * largest / turbulence_case.bins;
  auto const [nx, ny] = turbulence_case.problem.setup.points;
  std::vector<std::vector<double>> rows;
  for (std::size_t n = 0; n < counts.size(); ++n) {
    auto const points = static_cast<double>(counts[n]);
    rows.push_back({(static_cast<double>(n) + 0.5) * width - largest, points, points / (width * nx * ny)});
  }
  return rows;
}

}  // namespace

std::vector<std::string> const& histogram_columns() {
  static std::vector<std::string> const names{"vorticity", "points", "density"};
  return names;
}

TurbulenceOutput::TurbulenceOutput(fs::path const& folder, Overwrite overwrite, TurbulenceCase const& turbulence_case,
                                   BackendInfo const& backend)
    : folder_(folder), overwrite_(overwrite), case_(turbulence_case), backend_(backend), frames_(folder, overwrite) {}

void TurbulenceOutput::add_frame(VorticityMoment const& moment, TurbulenceModel& model) {
  frames_.make_folder();
  Hdf5File file = frames_.create();
  write_fields(file, case_, case_.fields, model);
  write_table(file, "/spectra", spectra_columns(), rows_of(model.spectra()));
  frames_.commit(file, moment.steps, moment.time);
  XdmfDocument document;
  for (std::size_t n = 0; n < frames_.times().size(); ++n) {
    document.add_step("flow", frames_.times()[n], grid_of(case_.problem.setup),
                      attributes_of(case_, case_.fields, app::FrameFiles::name(n)));
  }
  frames_.write_list(document);
}

void TurbulenceOutput::finish(RunRecord const& record, History const& history, MeanSpectra const& means,
                              TurbulenceModel& model) const {
  TurbulenceProblem const& problem = case_.problem;
  std::set<std::string> const fields{"vorticity", "velocity"};
  frames_.remove_later();
  Hdf5File file = Hdf5File::create(folder_ / fields_file, overwrite_);
  app::write_provenance(file,
                        {"karman.turbulence", format_version, case_.title, backend_, problem.precision, case_.text});
  write_points(file, problem.setup);
  write_fields(file, case_, fields, model);
  file.attach_scale("/fields/vorticity", 0, "/grid/y");
  file.attach_scale("/fields/vorticity", 1, "/grid/x");
  app::HostField modes;
  model.copy_modes(modes);
  file.write("/modes/vorticity", std::as_const(modes).array(), {.chunk = {}, .deflate = case_.compression});
  file.write_attribute("/modes/vorticity", "units", "1/s");
  write_table(file, "/history", History::columns(), history.rows());
  auto const last = rows_of(model.spectra());
  auto const mean = rows_of(means.mean());
  write_table(file, "/spectra", spectra_columns(), last);
  if (!mean.empty()) {
    write_table(file, "/mean_spectra", spectra_columns(), mean);
    file.write_attribute("/mean_spectra", "seconds", means.seconds());
  }
  auto const histogram = histogram_rows(case_, model);
  write_table(file, "/histogram", histogram_columns(), histogram);
  auto const& end = history.rows().back();
  file.write_attribute("/", "step", end[0]);
  file.write_attribute("/", "time", end[1]);
  file.write_attribute("/", "size", std::span<double const>(problem.setup.lengths));
  file.write_attribute("/", "memory_bytes", record.memory_bytes);
  std::string remarks;
  for (std::string const& remark : case_.remarks) remarks += remark + '\n';
  file.write_text("/remarks", remarks);
  file.make_group("/timings");
  file.write_attribute("/timings", "case", record.case_seconds);
  file.write_attribute("/timings", "set_up", record.set_up_seconds);
  file.write_attribute("/timings", "march", record.march_seconds);
  file.commit();
  XdmfDocument document;
  document.add("flow", grid_of(problem.setup), attributes_of(case_, fields, fields_file));
  document.write(folder_ / "turbulence.xdmf", overwrite_);
  write_csv(folder_ / "history.csv", History::columns(), history.rows(), overwrite_);
  write_csv(folder_ / "spectra.csv", spectra_columns(), mean.empty() ? last : mean, overwrite_);
  write_csv(folder_ / "histogram.csv", histogram_columns(), histogram, overwrite_);
}

}  // namespace karman::turbulence
