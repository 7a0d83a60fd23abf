// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wave_case.hpp"

#include "boundary_codes.hpp"
#include "build_features.hpp"
#include "case_depth.hpp"
#include "case_mesh.hpp"
#include "common/case/direction.hpp"
#include "common/case/texts.hpp"
#include "common/mesh/boundary_list.hpp"
#include "common/mesh/mesh_of_file.hpp"
#include "common/mesh/mesh_shapes.hpp"
#include "common/mesh/named_labels.hpp"
#include "incoming.hpp"
#include "nodal_values.hpp"
#include "read_waves.hpp"
#include "wave_options_json.hpp"
#include "waves/case/mesh_resolution.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>
#include <waves_texts.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace karman::waves {
namespace {

using app::formatted;
using app::PointFinder;
using Problems = std::vector<CaseProblem>;

using app::degree;

WaveBoundary read_boundary(Case const& input, std::string const& pointer) {
  auto boundary = read_options<WaveBoundary>(input, pointer);
  if (boundary.kind != BoundaryKind::reflecting) return boundary;
  boundary.phase = input.get<double>(pointer + "/phase") * degree;
  auto const& angle = input.json().at(nlohmann::json::json_pointer(pointer + "/angle"));
  if (angle.is_number()) {
    boundary.unknown_angle = false;
    boundary.angle = angle.get<double>() * degree;
  }
  return boundary;
}

bool is_selafin(std::filesystem::path const& file) {
  auto const extension = file.extension();
  return extension == ".slf" || extension == ".sel" || extension == ".srf";
}

/// Why a mesh of TELEMAC has boundary edges without a name; empty for other meshes.
std::string reason_of_unnamed(Case const& input) {
  if (input.get<std::string>("/mesh/kind") != "file") return {};
  std::filesystem::path file = app::file_of(input, "/mesh/file");
  if (!is_selafin(file)) return {};
  file.replace_extension(".cli");
  std::string const name = file.filename().string();
  return std::filesystem::exists(file) ? ", not listed in " + name : "; there is no " + name;
}

/// Conditions by the codes of TELEMAC's boundary file, for labels that the case does not mention: removed from
/// `labels`. With "others" the case mentions all.
std::map<int, BoundaryKind> conditions_of_codes(Case const& input, MeshData const& mesh, std::vector<int>& labels) {
  std::map<int, BoundaryKind> conditions;
  if (input.get<std::string>("/mesh/kind") != "file" || input.has("/boundaries/others")) return conditions;
  if (!is_selafin(app::file_of(input, "/mesh/file"))) return conditions;
  std::set<int> mentioned;
  for (auto const& [key, ignored] : input.json().at("boundaries").items()) {
    for (int const label : app::labels_of({mesh.edge_labels, mesh.boundary_names, "boundary"}, key))
      mentioned.insert(label);
  }
  for (int const label : mesh.edge_labels) {
    auto const kind = kind_of_artemis_code(label);
    if (kind && mesh.boundary_names.count(label) == 0 && mentioned.count(label) == 0) conditions[label] = *kind;
  }
  std::erase_if(labels, [&](int label) { return conditions.count(label) == 1; });
  return conditions;
}

void read_boundaries(Case const& input, WaveProblem& problem, std::vector<std::string>& list, Problems& problems) {
  MeshData const& mesh = problem.mesh;
  std::vector<int> labels = mesh.edge_labels;
  auto const coded = conditions_of_codes(input, mesh, labels);
  std::size_t const before = problems.size();
  auto const where = [&](int label) {
    auto const name = mesh.boundary_names.find(label);
    bool const unnamed = name != mesh.boundary_names.end() && name->second == "unnamed";
    return app::place_of(mesh, label) + (unnamed ? reason_of_unnamed(input) : "");
  };
  auto const members = app::members_of_labels(
      input, "/boundaries", {labels, mesh.boundary_names, "boundary", where, app::seam_labels(mesh)}, problems);
  std::map<int, std::string> conditions;
  bool incident = false;
  for (auto const& [label, pointer] : members) {
    problem.boundaries[label] = read_boundary(input, pointer);
    conditions[label] = input.get<std::string>(pointer + "/kind");
    incident = incident || problem.boundaries[label].kind == BoundaryKind::incident;
  }
  for (auto const& [label, kind] : coded) {
    problem.boundaries[label].kind = kind;
    conditions[label] = std::string(nlohmann::json(kind).get<std::string>()) + " by LIHBOR " +
                        std::to_string(label / 100) + " of the boundary file";
    incident = incident || kind == BoundaryKind::incident;
  }
  list = app::boundary_list(mesh, conditions);
  if (incident || problems.size() > before) return;
  problems.push_back(input.problem("/boundaries", "expected at least one boundary of kind incident"));
}

/// Coefficient of a friction law, as given in the case.
struct FrictionValue {
  FrictionLaw law;
  char const* key;
  double Dissipation::* everywhere;
  double most;
};
constexpr FrictionValue friction_values[] = {{FrictionLaw::linear, "rate", &Dissipation::rate, 100},
                                             {FrictionLaw::quadratic, "coefficient", &Dissipation::coefficient, 1},
                                             {FrictionLaw::rough, "roughness", &Dissipation::roughness, 10}};

void read_friction(Case const& input, CaseMesh const& mesh, WaveProblem& problem, std::vector<std::string>& remarks) {
  auto const law = read_options<FrictionLaw>(input, "/friction/kind");
  problem.dissipation.friction = law;
  for (FrictionValue const& value : friction_values) {
    if (law != value.law) continue;
    std::string const pointer = std::string("/friction/") + value.key;
    auto const& given = input.json().at(nlohmann::json::json_pointer(pointer));
    if (given.is_number()) {
      problem.dissipation.*value.everywhere = given.get<double>();
      return;
    }
    auto values = nodal_values(input, pointer, mesh, "friction", remarks);
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (values[n] >= 0 && values[n] <= value.most) continue;
      throw input.error(
          pointer,
          formatted("expected values >= 0 and <= %g, found %g at node %zu, (x, y) = ", value.most, values[n], n) +
              app::place_text(mesh.mesh.nodes[n][0], mesh.mesh.nodes[n][1]));
    }
    problem.dissipation.friction_at_nodes = std::move(values);
  }
}

void read_breaking(Case const& input, Dissipation& losses) {
  losses.breaking = read_options<BreakingLaw>(input, "/breaking/kind");
  if (losses.breaking == BreakingLaw::battjes_janssen) {
    losses.breaking_index = input.get<double>("/breaking/index");
    losses.breaking_strength = input.get<double>("/breaking/strength");
  } else if (losses.breaking == BreakingLaw::dally) {
    losses.dally_decay = input.get<double>("/breaking/decay");
    losses.dally_stable = input.get<double>("/breaking/stable");
  }
}

void read_solver(Case const& input, WaveProblem& problem) {
  problem.precision = read_options<Precision>(input, "/solver/precision");
  problem.assembly = read_options<AssemblyStrategy>(input, "/solver/assembly");
  problem.lumping = input.get<double>("/solver/lumping");
  problem.linear = read_options<LinearSettings>(input, "/solver");
  problem.picard = read_options<PicardSettings>(input, "/solver/picard");
}

void read_sections(Case const& input, PointFinder const& finder, WaveCase& result, Problems& problems) {
  for (std::size_t n = 0; n < input.size("/sections"); ++n) {
    std::string const pointer = "/sections/" + std::to_string(n);
    Section section;
    section.name = input.get<std::string>(pointer + "/name");
    section.from = input.get<std::array<double, 2>>(pointer + "/from");
    section.to = input.get<std::array<double, 2>>(pointer + "/to");
    int const count = input.get<int>(pointer + "/count");
    bool wet = false;
    for (int k = 0; k < count; ++k) {
      double const share = static_cast<double>(k) / (count - 1);
      section.places.push_back(finder.find(section.from[0] + share * (section.to[0] - section.from[0]),
                                           section.from[1] + share * (section.to[1] - section.from[1])));
      wet = wet || section.places.back();
    }
    if (!wet)
      problems.push_back(
          input.problem(pointer, "expected a section with a point of the mesh" + app::extent_of(finder)));
    // Includes the end of the section, with an allowance for rounding of the length.
    double const length = (1 + 1e-12) * std::hypot(section.to[0] - section.from[0], section.to[1] - section.from[1]);
    std::string const points = pointer + "/measured/points";
    for (std::size_t k = 0, count_measured = input.has(points) ? input.size(points) : 0; k < count_measured; ++k) {
      std::string const point = points + '/' + std::to_string(k);
      if (input.get<std::array<double, 2>>(point)[0] > length)
        problems.push_back(input.problem(point + "/0", "expected a distance within the section"));
    }
    result.sections.push_back(std::move(section));
  }
}

std::optional<SurfaceSeries> read_series(Case const& input) {
  if (!input.has("/outputs/surface_series")) return std::nullopt;
  SurfaceSeries const series{input.get<double>("/outputs/surface_series/duration"),
                             input.get<double>("/outputs/surface_series/step"),
                             input.get<std::int64_t>("/outputs/surface_series/seed")};
  if (!(series.step <= series.duration))
    throw input.error("/outputs/surface_series/step", "expected at most the duration");
  if (input.get<std::string>("/waves/kind") == "period_scan")
    throw input.error("/outputs/surface_series/duration",
                      "expected waves in one sea: a period_scan has separate waves");
  constexpr double most_values = 2e8;
  double const values = series.duration / series.step * static_cast<double>(input.size("/gauges"));
  if (values > most_values)
    throw input.error(
        "/outputs/surface_series/duration",
        formatted("expected at most %.0e values, found %.2g: duration / step for each gauge", most_values, values));
  return series;
}

/// Drops a series without gauges. Remarks on steps that are too long to show the shortest waves.
void check_series(WaveCase& wave_case) {
  if (!wave_case.outputs.series) return;
  if (wave_case.gauges.empty()) {
    wave_case.outputs.series.reset();
    wave_case.remarks.emplace_back("surface_series: no gauges, so no series");
    return;
  }
  double shortest = wave_case.components.front().period;
  for (WaveComponent const& component : wave_case.components) shortest = std::min(shortest, component.period);
  if (wave_case.frequency_at) shortest = std::min(shortest, 1 / wave_case.frequency_at(1));
  double const step = wave_case.outputs.series->step;
  if (step > 0.5 * shortest)
    wave_case.remarks.push_back(
        formatted("surface_series: a step of %g s is too long for waves of %.3g s; at most %.3g s shows them", step,
                  shortest, 0.5 * shortest));
}

OutputSettings read_outputs(Case const& input) {
  auto const fields = input.get<std::vector<std::string>>("/outputs/fields");
  auto const asked = [&](char const* field) { return std::find(fields.begin(), fields.end(), field) != fields.end(); };
  return {asked("elevation"),
          asked("height"),
          asked("phase"),
          asked("direction"),
          asked("wave_number"),
          asked("celerity"),
          asked("group_celerity"),
          asked("energy_flux"),
          asked("bed_velocity"),
          asked("dissipation"),
          asked("breaking_fraction"),
          asked("radiation_stress"),
          read_options<KeptComponents>(input, "/outputs/components"),
          input.get<int>("/outputs/animation_frames"),
          input.get<int>("/outputs/compression"),
          input.get<bool>("/outputs/selafin"),
          read_series(input)};
}

/// Pointer to the period of the waves.
char const* pointer_of_period(WaveSet set) {
  switch (set) {
    case WaveSet::regular: return "/waves/period";
    case WaveSet::list: return "/waves/waves";
    case WaveSet::spectrum: return "/waves/peak_period";
    case WaveSet::spectrum_file: return "/waves/file";
    case WaveSet::period_scan: break;
  }
  return "/waves/from";
}

/// Errors found by the model, at the matching place of the case.
void ask_the_model(Case const& input, WaveCase const& wave_case, Problems& problems) {
  for (std::string const& sentence : problems_of(wave_case.problem, 1)) problems.push_back(input.problem("", sentence));
  for (WaveComponent const& component : wave_case.components) {
    auto const sentences = problems_of(wave_case.problem, component.period, component.waves);
    if (sentences.empty()) continue;
    problems.push_back(input.problem(pointer_of_period(wave_case.set), sentences.front()));
    return;
  }
}

/// "270": direction, in the convention of the case, of waves that cross the incident boundaries straight inwards.
std::string entering_direction(Case const& input, WaveProblem const& problem) {
  auto const travel = straight_inwards(problem);
  if (!travel) return {};
  auto const convention = read_options<app::DirectionConvention>(input, "/waves/convention");
  return formatted("%g", app::within_turn(std::round(app::travel_degrees(*travel / degree, convention))));
}

/// Pointer to the direction of the waves.
char const* pointer_of_direction(Case const& input, WaveSet set) {
  if (set == WaveSet::list) return "/waves/waves";
  return input.has("/waves/direction") ? "/waves/direction" : "/waves/file";
}

/// Refuses cases with outgoing waves alone: they bring no energy in, so a solve would give nothing.
void check_incoming(Case const& input, WaveCase& wave_case, Problems& problems) {
  std::vector<WaveComponent> const& components = wave_case.components;
  auto const enters = [&](WaveComponent const& component) {
    return any_enters(wave_case.problem, component.period, component.waves);
  };
  auto const entering = static_cast<std::size_t>(std::count_if(components.begin(), components.end(), enters));
  if (entering == components.size()) return;
  std::string const inwards = entering_direction(input, wave_case.problem);
  std::string const fix = inwards.empty() ? "" : "; perpendicular entry is " + inwards + " degrees";
  if (entering == 0) {
    problems.push_back(input.problem(pointer_of_direction(input, wave_case.set),
                                     "expected waves that enter through an incident boundary, found only "
                                     "outgoing waves (" +
                                         wave_case.directions + ")" + fix));
    return;
  }
  double lost = 0, all = 0;
  for (WaveComponent const& component : components) {
    double const energy = component.height * component.height;
    all += energy;
    if (!enters(component)) lost += energy;
  }
  wave_case.remarks.push_back(
      formatted(
          "%zu of %zu components enter through no incident boundary and carry no energy in (%.2g %% of the energy)",
          components.size() - entering, components.size(), 100 * lost / all) +
      fix);
}

/// Period of the mean frequency.
double mean_period(std::vector<WaveComponent> const& components) {
  double frequencies = 0;
  for (WaveComponent const& component : components) frequencies += 1 / component.period;
  return static_cast<double>(components.size()) / frequencies;
}

}  // namespace

std::string_view schema() {
  static std::string const text =
      app::with_mesh_shapes(embedded::waves_schema_json,
                            {"rectangle", "channel", "disc", "annulus", "rectangular_harbour", "island", "polygon"});
  return text;
}

std::string_view example() { return embedded::waves_example_json; }

WaveCase read_wave_case(Case const& input) {
  WaveCase result;
  result.title = input.get<std::string>("/title");
  result.text = input.text();
  read_waves(input, result);
  read_breaking(input, result.problem.dissipation);
  result.problem.extended = input.get<bool>("/extended");
  result.problem.amplitude_dispersion = input.get<bool>("/amplitude_dispersion");
  read_solver(input, result.problem);
  result.outputs = read_outputs(input);
  result.checkpoint_every = input.get<double>("/solver/checkpoint_every");

  // Of estimate(), without the solver of linear systems.
  constexpr double least_bytes_per_node = 900;
  CaseMesh mesh = make_case_mesh(input, least_bytes_per_node);
  result.remarks.insert(result.remarks.end(), mesh.remarks.begin(), mesh.remarks.end());
  result.problem.depth = case_depth(input, mesh, result.remarks);
  read_friction(input, mesh, result.problem, result.remarks);
  result.problem.mesh = std::move(mesh.mesh);
  Problems problems;
  if (result.problem.linear.preconditioner == Preconditioning::ilu_fill && !has_ilu_fill())
    problems.push_back(
        input.problem("/solver/preconditioner",
                      "ilu_fill needs Kokkos Kernels; this build has none: choose another preconditioner or "
                      "configure with -DKARMAN_KOKKOS_KERNELS=ON"));
  if (DirectLibrary const library = result.problem.linear.library; !has_library(library)) {
    problems.push_back(input.problem("/solver/library", "this build has no " + std::string(name(library)) +
                                                            ": choose another library, or install it and configure "
                                                            "again"));
  }
  read_boundaries(input, result.problem, result.boundary_list, problems);
  if (input.size("/gauges") + input.size("/sections") > 0) {
    PointFinder const finder(result.problem.mesh);
    result.gauges = app::read_gauges(input, finder, problems);
    read_sections(input, finder, result, problems);
  }
  if (problems.empty()) ask_the_model(input, result, problems);
  if (problems.empty()) check_incoming(input, result, problems);
  if (!problems.empty()) throw CaseError(input.source(), problems);
  check_series(result);
  if (!result.problem.linear.preconditioner)
    result.problem.linear.nodes_per_wavelength =
        mesh_resolution(result.problem.mesh, result.problem.depth, mean_period(result.components)).mean;
  return result;
}

bool found_together(WaveCase const& wave_case) {
  return are_superposed(wave_case.set) && wave_case.components.size() > 1 &&
         depends_on_height(wave_case.problem.dissipation);
}

double significant_height(std::vector<WaveComponent> const& components) {
  double sum = 0;
  for (WaveComponent const& component : components) sum += component.height * component.height / 8;
  return 4 * std::sqrt(sum);
}

bool keeps_all(WaveCase const& wave_case) {
  constexpr std::size_t few = 16;
  return wave_case.outputs.components == KeptComponents::all ||
         (wave_case.outputs.components == KeptComponents::automatic && wave_case.components.size() <= few);
}

}  // namespace karman::waves
