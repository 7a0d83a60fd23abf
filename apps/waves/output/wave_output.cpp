// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wave_output.hpp"

#include "common/case/direction.hpp"
#include "common/case/texts.hpp"
#include "common/fields/provenance.hpp"
#include "surface_series.hpp"
#include "waves/case/wave_case.hpp"
#include "waves/model/wave_columns.hpp"
#include <karman/io/mesh_files.hpp>

#include <algorithm>
#include <cmath>

namespace karman::waves {
namespace {

using app::formatted;

constexpr int format_version = 2;
using app::degrees;

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

void add_to(std::vector<double>& sum, std::vector<double> const& values) {
  sum.resize(values.size(), 0);
  for (std::size_t n = 0; n < values.size(); ++n) sum[n] += values[n];
}

/// Direction of a component's incident waves: that of the vector sum, weighted with energy.
double mean_direction(WaveComponent const& component) {
  double x = 0, y = 0;
  for (std::size_t n = 0; n < component.waves.size() - component.images; ++n) {
    IncidentWave const& wave = component.waves[n];
    x += wave.amplitude * wave.amplitude * std::cos(wave.direction);
    y += wave.amplitude * wave.amplitude * std::sin(wave.direction);
  }
  return std::atan2(y, x) * degrees;
}

}  // namespace

WaveOutput::WaveOutput(std::filesystem::path const& folder, Overwrite overwrite, WaveCase const& wave_case,
                       BackendInfo const& backend)
    : folder_(folder),
      overwrite_(overwrite),
      case_(wave_case),
      backend_(backend),
      file_(Hdf5File::create(folder / fields_file, overwrite)) {
  app::write_provenance(file_,
                        {"karman.waves", format_version, case_.title, backend_, case_.problem.precision, case_.text});
  write_mesh();
}

void WaveOutput::write_mesh() {
  karman::write_mesh(file_, "/mesh", case_.problem.mesh);
  write_field("/depth", case_.problem.depth, "m");
}

void WaveOutput::write_field(std::string const& name, std::vector<double> const& values, char const* units) {
  write_values(name, values, {values.size()}, units);
}

void WaveOutput::write_vectors(std::string const& name, std::vector<double> const& x, std::vector<double> const& y,
                               char const* units) {
  std::vector<double> values(3 * x.size(), 0.0);
  for (std::size_t n = 0; n < x.size(); ++n) values[3 * n] = x[n], values[3 * n + 1] = y[n];
  write_values(name, values, {x.size(), std::size_t{3}}, units);
}

void WaveOutput::write_values(std::string const& name, std::vector<double> const& values, ArrayExtents const& extents,
                              char const* units) {
  DatasetOptions const options{.chunk = {}, .deflate = case_.outputs.compression};
  if (case_.problem.precision == Precision::f64) {
    file_.write(name, values.data(), extents, options);
  } else {
    std::vector<float> const rounded(values.begin(), values.end());
    file_.write(name, rounded.data(), extents, options);
  }
  file_.write_attribute(name, "units", units);
}

void WaveOutput::add(WaveState state) {
  std::size_t const component = record_.summary.size();
  WaveComponent const& waves = case_.components[component];
  double const incident = waves.height;
  double const largest_height = *std::max_element(state.height.begin(), state.height.end());
  EnergyBalance const& energy = state.energy;
  WaveReport const& report = state.report;
  record_.summary.push_back({double(component), state.period, incident, mean_direction(waves),
                             report.converged ? 1.0 : 0.0, double(report.history.size()),
                             double(report.linear_iterations), report.seconds, state.nodes_per_wavelength,
                             largest_height, energy.incident, energy.reflected, energy.radiated, energy.absorbed,
                             energy.friction, energy.breaking, energy.imbalance});
  for (PicardSample const& sample : report.history) {
    record_.history.push_back({double(component), double(sample.iteration), sample.change,
                               double(sample.linear_iterations), sample.linear_residual, sample.seconds});
  }
  std::vector<GaugeReading> readings;
  double response = case_.gauges.empty() ? largest_height : 0;
  for (app::Gauge const& gauge : case_.gauges) {
    auto const elevation = app::value_at(case_.problem.mesh, gauge.place, state.elevation);
    double const height = 2 * std::abs(elevation);
    readings.push_back({elevation, height, incident > 0 ? height / incident : 0});
    response = std::max(response, height);
  }
  record_.readings.push_back(std::move(readings));

  record_.square.resize(state.elevation.size(), 0);
  for (std::size_t n = 0; n < state.elevation.size(); ++n) record_.square[n] += std::norm(state.elevation[n]);
  add_to(record_.flux_x, state.flux_x);
  add_to(record_.flux_y, state.flux_y);
  add_to(record_.stress_xx, state.stress_xx);
  add_to(record_.stress_xy, state.stress_xy);
  add_to(record_.stress_yy, state.stress_yy);
  add_to(record_.dissipation, state.dissipation);
  if (response > record_.largest_response) {
    record_.largest_response = response;
    record_.largest_component = component;
  }
  keep(component, std::move(state));
}

void WaveOutput::keep(std::size_t component, WaveState state) {
  if (keeps_all(case_)) write_component(component, state);
  if (component == record_.largest_component) largest_ = std::move(state);
}

void WaveOutput::write_component(std::size_t component, WaveState const& state) {
  OutputSettings const& out = case_.outputs;
  std::string const group = group_of(component);
  Kept kept{component, state.period, {}};
  auto const write = [&](bool asked, char const* name, std::vector<double> const& values, char const* units) {
    if (!asked || values.empty()) return;
    write_field(group + '/' + name, values, units);
    kept.fields.emplace_back(name);
  };
  file_.make_group(group);
  file_.write_attribute(group, "period", state.period);
  file_.write_attribute(group, "height", case_.components[component].height);
  file_.write_attribute(group, "direction", mean_direction(case_.components[component]));
  file_.write_attribute(group, "converged", state.report.converged ? 1 : 0);
  if (out.elevation) {
    std::vector<double> part(state.elevation.size());
    for (std::size_t n = 0; n < part.size(); ++n) part[n] = state.elevation[n].real();
    write(true, "elevation_real", part, "m");
    for (std::size_t n = 0; n < part.size(); ++n) part[n] = state.elevation[n].imag();
    write(true, "elevation_imaginary", part, "m");
  }
  write(out.height, "height", state.height, "m");
  write(out.phase, "phase", scaled(state.phase, degrees), "degrees");
  write(out.direction, "direction", scaled(state.direction, degrees), "degrees");
  write(out.wave_number, "wave_number", state.wave_number, "rad/m");
  write(out.celerity, "celerity", state.celerity, "m/s");
  write(out.group_celerity, "group_celerity", state.group_celerity, "m/s");
  if (out.energy_flux && !state.flux_x.empty()) {
    write_vectors(group + '/' + flux_field, state.flux_x, state.flux_y, "W/m");
    kept.fields.emplace_back(flux_field);
  }
  write(out.bed_velocity, "bed_velocity", state.bed_velocity, "m/s");
  write(out.dissipation, "friction_rate", state.friction, "1/s");
  write(out.dissipation, "breaking_rate", state.breaking, "1/s");
  write(out.dissipation, "dissipation", state.dissipation, "W/m2");
  write(out.breaking_fraction, "breaking_fraction", state.breaking_fraction, "1");
  write(out.radiation_stress, "stress_xx", state.stress_xx, "N/m");
  write(out.radiation_stress, "stress_xy", state.stress_xy, "N/m");
  write(out.radiation_stress, "stress_yy", state.stress_yy, "N/m");
  kept_.push_back(std::move(kept));
}

std::vector<double> WaveOutput::significant_height() const {
  std::vector<double> height(record_.square.size());
  for (std::size_t n = 0; n < height.size(); ++n) height[n] = 4 * std::sqrt(0.5 * record_.square[n]);
  return height;
}

void WaveOutput::write_combined() {
  if (!are_superposed(case_.set)) return;
  auto const write = [&](char const* name, std::vector<double> const& values, char const* units) {
    write_field(std::string("/combined/") + name, values, units);
    combined_.emplace_back(name);
  };
  write("significant_height", significant_height(), "m");
  std::vector<double> direction(record_.flux_x.size());
  for (std::size_t n = 0; n < direction.size(); ++n)
    direction[n] = std::atan2(record_.flux_y[n], record_.flux_x[n]) * degrees;
  write("direction", direction, "degrees");
  write_vectors(std::string("/combined/") + flux_field, record_.flux_x, record_.flux_y, "W/m");
  combined_.emplace_back(flux_field);
  write("dissipation", record_.dissipation, "W/m2");
  write("stress_xx", record_.stress_xx, "N/m");
  write("stress_xy", record_.stress_xy, "N/m");
  write("stress_yy", record_.stress_yy, "N/m");
}

void WaveOutput::write_gauges() {
  if (case_.gauges.empty()) return;
  std::vector<double> x, y, significant;
  std::vector<std::string> names;
  for (app::Gauge const& gauge : case_.gauges) {
    x.push_back(gauge.x);
    y.push_back(gauge.y);
    names.push_back(gauge.name);
  }
  for (std::size_t g = 0; g < case_.gauges.size(); ++g) {
    double square = 0;
    for (auto const& row : record_.readings) square += 0.5 * std::norm(row[g].elevation);
    significant.push_back(4 * std::sqrt(square));
  }
  file_.write("/gauges/x", x.data(), {x.size()});
  file_.write("/gauges/y", y.data(), {y.size()});
  file_.write_texts("/gauges/names", names);
  file_.write("/gauges/significant_height", significant.data(), {significant.size()});
  file_.create_table("/gauges/readings", {"component", "gauge", "period", "height", "amplification", "phase",
                                          "elevation_real", "elevation_imaginary"});
  for (std::size_t component = 0; component < record_.readings.size(); ++component) {
    for (std::size_t g = 0; g < case_.gauges.size(); ++g) {
      GaugeReading const& reading = record_.readings[component][g];
      file_.append_row("/gauges/readings",
                       std::array{double(component), double(g), case_.components[component].period, reading.height,
                                  reading.amplification, std::arg(reading.elevation) * degrees,
                                  reading.elevation.real(), reading.elevation.imag()});
    }
  }
}

void WaveOutput::write_series() {
  // Components that were not solved after a breakdown are missing from the sum.
  if (!case_.outputs.series || record_.readings.size() != case_.components.size()) return;
  SurfaceSeries const& series = *case_.outputs.series;
  std::vector<std::vector<std::complex<double>>> elevation;
  for (auto const& row : record_.readings) {
    std::vector<std::complex<double>>& values = elevation.emplace_back();
    for (GaugeReading const& reading : row) values.push_back(reading.elevation);
  }
  series_times_ = times_of(series);
  series_ = surface_series(case_, series, elevation);
  DatasetOptions const options{.chunk = {}, .deflate = case_.outputs.compression};
  file_.write("/gauges/time", series_times_.data(), {series_times_.size()});
  file_.write_attribute("/gauges/time", "units", "s");
  file_.write("/gauges/surface", series_.data(), {series_times_.size(), case_.gauges.size()}, options);
  file_.write_attribute("/gauges/surface", "units", "m");
  file_.write_attribute("/gauges/surface", "seed", series.seed);
}

std::optional<double> WaveOutput::series_height(std::size_t gauge) const {
  if (series_.empty()) return std::nullopt;
  return height_of_series(series_, case_.gauges.size(), gauge);
}

/// Sections of all components together, or, in a scan, of the one with the largest response.
void WaveOutput::write_sections() {
  if (case_.sections.empty() || !largest_) return;
  bool const together = are_superposed(case_.set);
  std::vector<double> const height = together ? significant_height() : largest_->height;
  double const incident =
      together ? waves::significant_height(case_.components) : case_.components[record_.largest_component].height;
  MeshData const& mesh = case_.problem.mesh;
  for (std::size_t number = 0; number < case_.sections.size(); ++number) {
    Section const& section = case_.sections[number];
    for (std::size_t n = 0; n < section.places.size(); ++n) {
      if (!section.places[n]) continue;
      double const share = static_cast<double>(n) / static_cast<double>(section.places.size() - 1);
      double const dx = share * (section.to[0] - section.from[0]), dy = share * (section.to[1] - section.from[1]);
      double const here = app::value_at(mesh, *section.places[n], height);
      sections_.push_back({double(number), std::hypot(dx, dy), section.from[0] + dx, section.from[1] + dy,
                           app::value_at(mesh, *section.places[n], case_.problem.depth), here,
                           incident > 0 ? here / incident : 0});
    }
  }
  std::vector<std::string> names;
  for (Section const& section : case_.sections) names.push_back(section.name);
  file_.write_texts("/sections/names", names);
  file_.create_table("/sections/heights", section_columns);
  for (auto const& row : sections_) file_.append_row("/sections/heights", row);
}

void WaveOutput::write_animation() {
  int const frames = case_.outputs.animation_frames;
  if (frames == 0 || !largest_) return;
  file_.make_group("/animation");
  file_.write_attribute("/animation", "component", static_cast<std::int64_t>(record_.largest_component));
  file_.write_attribute("/animation", "period", largest_->period);
  std::vector<float> surface(largest_->elevation.size());
  for (int frame = 0; frame < frames; ++frame) {
    auto const turn = std::polar(1.0, -2 * std::numbers::pi * frame / frames);
    for (std::size_t n = 0; n < surface.size(); ++n)
      surface[n] = static_cast<float>((largest_->elevation[n] * turn).real());
    std::string const name = formatted("/animation/%03d", frame);
    file_.write(name, surface.data(), {surface.size()}, {.chunk = {}, .deflate = case_.outputs.compression});
    file_.write_attribute(name, "time", largest_->period * frame / frames);
    file_.write_attribute(name, "units", "m");
  }
}

void WaveOutput::write_attributes(RunRecord const& record) {
  constexpr std::array sets{"regular", "list", "spectrum", "period_scan", "spectrum_file"};
  file_.write_attribute("/", "waves", sets[static_cast<std::size_t>(case_.set)]);
  file_.write_attribute("/", "components", static_cast<std::int64_t>(record_.summary.size()));
  bool const whole = record_.summary.size() == case_.components.size();
  auto const& rows = record_.summary;
  bool const converged =
      std::all_of(rows.begin(), rows.end(), [](auto const& row) { return row[summary_converged] != 0; });
  file_.write_attribute("/", "converged", converged && whole ? 1 : 0);
  file_.write_attribute("/", "incident_height", waves::significant_height(case_.components));
  file_.write_attribute("/", "largest_component", static_cast<std::int64_t>(record_.largest_component));
  file_.write_attribute("/", "nodes_per_wavelength", record.nodes_per_wavelength);
  file_.write_attribute("/", "memory_bytes", record.memory_bytes);
  file_.write_attribute("/", "solver", largest_ ? largest_->report.solver : std::string());
  std::string remarks;
  for (std::string const& remark : case_.remarks) remarks += remark + '\n';
  file_.write_text("/remarks", remarks);
  file_.make_group("/timings");
  file_.write_attribute("/timings", "case", record.case_seconds);
  file_.write_attribute("/timings", "set_up", record.set_up_seconds);
  file_.write_attribute("/timings", "solve", record.solve_seconds);
  file_.write_attribute("/timings", "solve_summed", summed_seconds());
}

double WaveOutput::summed_seconds() const {
  double sum = 0;
  for (auto const& row : record_.summary) sum += row[summary_seconds];
  return sum;
}

void WaveOutput::finish(RunRecord const& record) {
  if (!keeps_all(case_) && case_.outputs.components != KeptComponents::none && largest_)
    write_component(record_.largest_component, *largest_);
  write_combined();
  write_gauges();
  write_series();
  write_sections();
  write_animation();
  file_.create_table("/summary", summary_columns);
  for (auto const& row : record_.summary) file_.append_row("/summary", row);
  file_.create_table("/history", history_columns);
  for (auto const& row : record_.history) file_.append_row("/history", row);
  write_attributes(record);
  file_.commit();
  write_xdmf();
  write_selafin();
  write_tables();
}

}  // namespace karman::waves
