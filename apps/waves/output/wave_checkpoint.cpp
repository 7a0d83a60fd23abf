// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wave_checkpoint.hpp"

#include "common/case/case_checkpoint.hpp"
#include "waves/case/wave_case.hpp"
#include "waves/model/wave_columns.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/config.hpp>
#include <karman/io/content_hash.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace karman::waves {
namespace {

using nlohmann::json;
using Numbers = std::vector<double>;
using Rows = std::vector<Numbers>;

CheckpointFormat const format{"karman.waves", 1};
/// A reading: elevation (two), height, amplification. A sample: iteration, change, linear iterations, residual,
/// seconds, component of the sample, number of the report.
constexpr std::size_t reading_columns = 4, sample_columns = 7;

/// A vector of WaveValues and the name of its array.
struct ValuesMember {
  char const* name;
  Numbers WaveValues::* values;
  std::size_t per_node = 1;
};
constexpr std::array values_members{
    ValuesMember{"elevation", &WaveValues::elevation, 2}, ValuesMember{"friction", &WaveValues::friction},
    ValuesMember{"breaking", &WaveValues::breaking}, ValuesMember{"share", &WaveValues::share},
    ValuesMember{"amplitude", &WaveValues::amplitude}};

/// Sums of the output, in the order of the array that has them.
constexpr std::array sums{&OutputRecord::square,     &OutputRecord::flux_x,    &OutputRecord::flux_y,
                          &OutputRecord::stress_xx,  &OutputRecord::stress_xy, &OutputRecord::stress_yy,
                          &OutputRecord::dissipation};

/// Part of a case that determines the waves and which components are kept.
json essence(json const& wave_case) {
  json rest = app::without(
      wave_case, {"/title", "/sections", "/solver/checkpoint_every", "/solver/picard/max_iterations", "/outputs"});
  rest["outputs"]["components"] = wave_case.at("outputs").at("components");
  return rest;
}

/// Hash of data that a case may take from files: mesh, depths, friction, boundaries by their names in the mesh, and
/// waves of a spectrum.
std::string problem_hash(WaveCase const& wave_case) {
  WaveProblem const& problem = wave_case.problem;
  ContentHash hash;
  auto const add = [&](auto const& values) { hash.update(values.data(), values.size() * sizeof(values[0])); };
  MeshData const& mesh = problem.mesh;
  add(mesh.nodes);
  add(mesh.triangles);
  add(mesh.edges);
  add(mesh.edge_labels);
  add(problem.depth);
  add(problem.dissipation.friction_at_nodes);
  for (auto const& [label, boundary] : problem.boundaries) {
    add(std::array{double(label), double(boundary.kind), boundary.reflection, boundary.phase, boundary.angle,
                   boundary.radius});
  }
  if (wave_case.set == WaveSet::spectrum_file) {
    for (WaveComponent const& component : wave_case.components)
      add(std::array{component.period, component.height, component.waves.front().direction});
  }
  return hash_text(hash.value());
}

json to_json(WaveReport const& report) {
  return {{"linear_iterations", report.linear_iterations},
          {"fell_back", report.fell_back},
          {"seconds", report.seconds},
          {"assembly_seconds", report.assembly_seconds},
          {"linear_seconds", report.linear_seconds}};
}

WaveReport report_from(json const& saved) {
  WaveReport report;
  report.linear_iterations = saved.at("linear_iterations").get<int>();
  report.fell_back = saved.at("fell_back").get<bool>();
  report.seconds = saved.at("seconds").get<double>();
  report.assembly_seconds = saved.at("assembly_seconds").get<double>();
  report.linear_seconds = saved.at("linear_seconds").get<double>();
  return report;
}

json to_json(WaveSnapshot const& snapshot) {
  PicardPosition const& at = snapshot.position;
  json reports = json::array();
  for (WaveReport const& report : snapshot.reports) reports.push_back(to_json(report));
  return {{"iteration", at.iteration},
          {"component", at.component},
          {"part", at.part},
          {"tolerance", at.tolerance},
          {"change", at.change},
          {"loosest", at.loosest},
          {"seconds", at.seconds},
          {"omega", snapshot.omega},
          {"stalled", snapshot.linear.stalled},
          {"refined", snapshot.linear.refined},
          {"reports", reports}};
}

WaveSnapshot snapshot_from(json const& saved) {
  WaveSnapshot snapshot;
  PicardPosition& at = snapshot.position;
  at.iteration = saved.at("iteration").get<int>();
  at.component = saved.at("component").get<std::size_t>();
  at.part = saved.at("part").get<double>();
  at.tolerance = saved.at("tolerance").get<double>();
  at.change = saved.at("change").get<double>();
  at.loosest = saved.at("loosest").get<double>();
  at.seconds = saved.at("seconds").get<double>();
  snapshot.omega = saved.at("omega").get<double>();
  snapshot.linear.stalled = saved.at("stalled").get<bool>();
  snapshot.linear.refined = saved.at("refined").get<bool>();
  for (json const& report : saved.at("reports")) snapshot.reports.push_back(report_from(report));
  return snapshot;
}

Numbers joined(Rows const& rows) {
  Numbers all;
  for (Numbers const& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

Numbers numbers_of(std::vector<std::vector<GaugeReading>> const& readings) {
  Numbers all;
  for (auto const& row : readings) {
    for (GaugeReading const& r : row)
      all.insert(all.end(), {r.elevation.real(), r.elevation.imag(), r.height, r.amplification});
  }
  return all;
}

Numbers numbers_of(std::vector<WaveReport> const& reports) {
  Numbers all;
  for (std::size_t n = 0; n < reports.size(); ++n) {
    for (PicardSample const& s : reports[n].history) {
      all.insert(all.end(), {double(s.iteration), s.change, double(s.linear_iterations), s.linear_residual, s.seconds,
                             double(s.component), double(n)});
    }
  }
  return all;
}

/// Tables of doubles for a checkpoint; skips empty tables.
class Tables {
 public:
  /// `values` must outlive the object.
  void add(std::string name, Numbers const& values, std::size_t columns) {
    if (!values.empty()) arrays_.push_back({std::move(name), {values.data(), {values.size() / columns, columns}}});
  }
  std::vector<CheckpointArray> const& arrays() const { return arrays_; }

 private:
  std::vector<CheckpointArray> arrays_;
};

/// Reads these tables back.
class Reader {
 public:
  explicit Reader(Checkpoint const& checkpoint) : checkpoint_(checkpoint) {}

  /// Values of a table, row by row; empty for a skipped table.
  Numbers read(std::string const& name, std::size_t columns) const {
    return checkpoint_.has(name) ? app::read_rows(checkpoint_, name, columns) : Numbers();
  }
  /// Rows of a table.
  Rows rows(std::string const& name, std::size_t columns) const {
    Numbers const all = read(name, columns);
    Rows rows;
    for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(columns))
      rows.emplace_back(at, at + static_cast<std::ptrdiff_t>(columns));
    return rows;
  }
  void expect(bool condition, char const* what) const {
    if (!condition)
      throw FileError(checkpoint_.path().string(), std::string("read the ") + what + " of", "values out of range");
  }

 private:
  Checkpoint const& checkpoint_;
};

bool is_count(double value, double limit) { return value >= 0 && value < limit && value == std::floor(value); }

void read_samples(Reader const& reader, std::vector<WaveReport>& reports) {
  constexpr double most = 2e9;
  for (Numbers const& s : reader.rows("iterations", sample_columns)) {
    bool const good = is_count(s[0], most) && is_count(s[2], most) && is_count(s[5], most) &&
                      is_count(s[6], static_cast<double>(reports.size()));
    reader.expect(good, "iterations");
    reports[static_cast<std::size_t>(s[6])].history.push_back(
        {static_cast<int>(s[0]), s[1], static_cast<int>(s[2]), s[3], s[4], static_cast<std::size_t>(s[5])});
  }
}

OutputRecord read_output(Reader const& reader, WaveCase const& wave_case) {
  OutputRecord record;
  record.summary = reader.rows("summary", summary_columns.size());
  record.history = reader.rows("history", history_columns.size());
  std::size_t const finished = record.summary.size(), gauges = wave_case.gauges.size();
  Rows const readings = reader.rows("readings", reading_columns);
  reader.expect(finished < wave_case.components.size() && readings.size() == finished * gauges, "components");
  for (std::size_t n = 0; n < finished; ++n) {
    std::vector<GaugeReading>& row = record.readings.emplace_back();
    for (std::size_t g = 0; g < gauges; ++g) {
      Numbers const& r = readings[n * gauges + g];
      row.push_back({{r[0], r[1]}, r[2], r[3]});
    }
  }
  std::size_t const nodes = wave_case.problem.mesh.nodes.size();
  Rows const all = reader.rows("sums", nodes);
  bool const summed = finished > 0 && are_superposed(wave_case.set);
  reader.expect(all.size() == (summed ? sums.size() : 0), "sums");
  for (std::size_t n = 0; n < all.size(); ++n) record.*sums[n] = all[n];
  return record;
}

void check_kept(Reader const& reader, KeptWaves const& kept, OutputRecord const& output, WaveCase const& wave_case) {
  std::size_t const finished = output.summary.size(), count = kept.components.size();
  bool good = std::is_sorted(kept.components.begin(), kept.components.end()) && kept.reports.size() == count &&
              count == (keeps_all(wave_case) ? finished : std::min<std::size_t>(finished, 1));
  for (std::size_t n = 0; n < count; ++n)
    good = good && kept.components[n] == (keeps_all(wave_case) ? n : output.largest_component);
  good = good && (finished == 0 || output.largest_component < finished);
  for (ValuesMember const& member : values_members) {
    std::size_t const size = (kept.values.*member.values).size();
    good = good && (size == 0 || (count > 0 && size % count == 0));
  }
  reader.expect(good, "kept waves");
}

LoadedWaves read(Checkpoint const& checkpoint, Case const& input, WaveCase const& wave_case) {
  Reader const reader(checkpoint);
  std::size_t const nodes = wave_case.problem.mesh.nodes.size();
  json const metadata = json::parse(checkpoint.metadata());
  app::require_same_case(essence(metadata.at("case")), essence(input.json()), input, checkpoint.path());
  if (metadata.at("problem") != problem_hash(wave_case)) {
    throw input.error("/mesh", "the mesh, depths, friction or spectrum differ from the checkpoint " +
                                   checkpoint.path().string() + "; restore the changed file of the case");
  }
  LoadedWaves loaded{read_output(reader, wave_case), {}, checkpoint.warning()};
  WaveProgress& progress = loaded.progress;
  progress.seconds = metadata.at("seconds").get<double>();
  loaded.output.largest_component = metadata.at("largest_component").get<std::size_t>();
  loaded.output.largest_response = metadata.at("largest_response").get<double>();
  for (json const& trouble : metadata.at("troubles")) {
    progress.troubles.push_back({trouble.at("component").get<std::size_t>(), trouble.at("reason").get<std::string>()});
    reader.expect(progress.troubles.back().component < wave_case.components.size(), "components");
  }
  KeptWaves& kept = progress.kept;
  for (json const& one : metadata.at("kept")) {
    kept.components.push_back(one.at("component").get<std::size_t>());
    WaveReport& report = kept.reports.emplace_back();
    report.converged = one.at("converged").get<bool>();
    report.solver = one.at("solver").get<std::string>();
  }
  for (ValuesMember const& member : values_members)
    kept.values.*member.values = reader.read(std::string("kept_") + member.name, member.per_node * nodes);
  check_kept(reader, kept, loaded.output, wave_case);
  if (!metadata.contains("at_work")) return loaded;
  WaveSnapshot& snapshot = progress.at_work.emplace(snapshot_from(metadata.at("at_work")));
  if (int const next = snapshot.position.iteration; next > wave_case.problem.picard.max_iterations) {
    throw input.error("/solver/picard/max_iterations", "the checkpoint " + checkpoint.path().string() +
                                                           " continues with iteration " + std::to_string(next) +
                                                           "; expected at least " + std::to_string(next));
  }
  for (ValuesMember const& member : values_members)
    snapshot.values.*member.values = reader.read(member.name, member.per_node * nodes);
  snapshot.height = reader.read("height", nodes);
  snapshot.sea = reader.read("sea", nodes);
  snapshot.sea_before = reader.read("sea_before", nodes);
  snapshot.linear.matrix = reader.read("matrix", 2);
  read_samples(reader, snapshot.reports);
  return loaded;
}

}  // namespace

void KeptWaves::add(std::size_t component, WaveValues const& one, WaveReport const& report, std::size_t expected) {
  for (ValuesMember const& member : values_members) {
    Numbers const& from = one.*member.values;
    Numbers& all = values.*member.values;
    if (components.empty()) all.reserve(expected * from.size());
    all.insert(all.end(), from.begin(), from.end());
  }
  components.push_back(component);
  reports.emplace_back();
  reports.back().converged = report.converged;
  reports.back().solver = report.solver;
}

WaveValues KeptWaves::values_of(std::size_t n) const {
  WaveValues one;
  for (ValuesMember const& member : values_members) {
    Numbers const& all = values.*member.values;
    auto const size = static_cast<std::ptrdiff_t>(all.size() / components.size());
    auto const begin = all.begin() + static_cast<std::ptrdiff_t>(n) * size;
    (one.*member.values).assign(begin, begin + size);
  }
  return one;
}

void save_progress(std::filesystem::path const& file, WaveCase const& wave_case, OutputRecord const& output,
                   WaveProgress const& progress) {
  std::size_t const nodes = wave_case.problem.mesh.nodes.size();
  KeptWaves const& kept = progress.kept;
  json kept_json = json::array(), troubles = json::array();
  for (std::size_t n = 0; n < kept.components.size(); ++n) {
    kept_json.push_back({{"component", kept.components[n]},
                         {"converged", kept.reports[n].converged},
                         {"solver", kept.reports[n].solver}});
  }
  for (WaveTrouble const& trouble : progress.troubles)
    troubles.push_back({{"component", trouble.component}, {"reason", trouble.reason}});
  Numbers const summary = joined(output.summary), history = joined(output.history);
  Numbers const readings = numbers_of(output.readings);
  Numbers all_sums, iterations;
  if (are_superposed(wave_case.set)) {
    for (auto const sum : sums) all_sums.insert(all_sums.end(), (output.*sum).begin(), (output.*sum).end());
  }
  json metadata{{"case", json::parse(wave_case.text)},
                {"problem", problem_hash(wave_case)},
                {"finished", output.summary.size()},
                {"largest_component", output.largest_component},
                {"largest_response", output.largest_response},
                {"kept", kept_json},
                {"troubles", troubles},
                {"seconds", progress.seconds}};
  Tables tables;
  tables.add("summary", summary, summary_columns.size());
  tables.add("history", history, history_columns.size());
  tables.add("readings", readings, reading_columns);
  tables.add("sums", all_sums, nodes);
  for (ValuesMember const& member : values_members)
    tables.add(std::string("kept_") + member.name, kept.values.*member.values, member.per_node * nodes);
  if (progress.at_work) {
    WaveSnapshot const& snapshot = *progress.at_work;
    metadata["at_work"] = to_json(snapshot);
    iterations = numbers_of(snapshot.reports);
    for (ValuesMember const& member : values_members)
      tables.add(member.name, snapshot.values.*member.values, member.per_node * nodes);
    tables.add("height", snapshot.height, nodes);
    tables.add("sea", snapshot.sea, nodes);
    tables.add("sea_before", snapshot.sea_before, nodes);
    tables.add("matrix", snapshot.linear.matrix, 2);
    tables.add("iterations", iterations, sample_columns);
  }
  metadata["systems"] = output.history.size() + iterations.size() / sample_columns;
  write_checkpoint(file, format, metadata.dump(), tables.arrays());
}

LoadedWaves load_progress(std::filesystem::path const& file, Case const& input, WaveCase const& wave_case) {
  Checkpoint const checkpoint = Checkpoint::open_latest(file, format);
  try {
    return read(checkpoint, input, wave_case);
  } catch (json::exception const& error) {
    throw FileError(checkpoint.path().string(), "read the metadata of", error.what());
  }
}

std::int64_t checkpoint_bytes(WaveCase const& wave_case) {
  WaveProblem const& problem = wave_case.problem;
  bool const losses = depends_on_height(problem.dissipation), together = found_together(wave_case);
  bool const nonlinear = losses || problem.amplitude_dispersion;
  auto const nodes = static_cast<std::int64_t>(problem.mesh.nodes.size());
  auto const components = static_cast<std::int64_t>(wave_case.components.size());
  if (components == 1 && !nonlinear) return 0;
  // Doubles per node and component: elevation and friction; without a sea also breaking and its fraction.
  std::int64_t const in_sea = 3 + (problem.amplitude_dispersion ? 1 : 0);
  std::int64_t const alone = in_sea + (losses ? 2 : -1);
  // Doubles per node: seven complex entries of the matrix; the height; with a sea breaking, its fraction and two sums.
  constexpr std::int64_t matrix = 14, height = 1, sea = 16, row_bytes = 1000;
  std::int64_t doubles = are_superposed(wave_case.set) && !together ? static_cast<std::int64_t>(sums.size()) : 0;
  if (together) doubles += in_sea * components + sea + height + matrix;
  else if (nonlinear) doubles += alone + height + matrix;
  if (!together && components > 1) doubles += alone * (keeps_all(wave_case) ? components - 1 : 1);
  return 8 * nodes * doubles + components * row_bytes;
}

}  // namespace karman::waves
