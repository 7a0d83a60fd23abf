// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_case.hpp"

#include "case_number.hpp"
#include "common/case/memory_check.hpp"
#include "common/case/texts.hpp"
#include "plausibility.hpp"
#include "wind/case/buildings/check_buildings.hpp"
#include "wind/case/buildings/ground_buildings.hpp"
#include "wind/case/buildings/heights_above_sea.hpp"
#include "wind/case/buildings/overlapping_pairs.hpp"
#include "wind/case/buildings/read_buildings.hpp"
#include "wind/case/buildings/small_features.hpp"
#include "wind/case/outputs/read_outputs.hpp"
#include "wind/case/place/city_layers.hpp"
#include "wind/case/place/domain_box.hpp"
#include "wind/case/place/file_placement.hpp"
#include "wind/case/terrain/read_terrain.hpp"
#include "wind/case/vegetation/plant_file.hpp"
#include "wind/case/vegetation/read_vegetation.hpp"
#include "wind/case/wind/read_sensors.hpp"
#include "wind_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>

#include <nlohmann/json.hpp>
#include <wind_texts.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace karman::wind {
namespace {

constexpr double highest_top = 1e5;  // metres: above the atmosphere for every purpose of this model

std::vector<double> read_layers(Case const& input) {
  std::string const at = "/domain/layers";
  auto const kind = input.get<std::string>(at + "/kind");
  if (kind == "list") return input.get<std::vector<double>>(at + "/thicknesses");
  auto const count = input.get<int>(at + "/count");
  std::vector<double> layers(static_cast<std::size_t>(count), input.get<double>(at + "/thickness"));
  if (kind == "stretched") {
    auto const ratio = input.get<double>(at + "/ratio");
    auto const uniform = static_cast<std::size_t>(input.get<int>(at + "/uniform_layers"));
    for (std::size_t k = uniform; k < layers.size(); ++k) layers[k] = layers[k - 1] * ratio;
  }
  return layers;
}

/// Refuses planes of the domain that do not fit the memory, before they are read: the ground and its source.
void require_terrain_memory(UniformGrid const& grid) {
  constexpr double bytes_per_column = 2 * sizeof(double);
  double const columns = double(grid.nx()) * grid.ny();
  app::require_host_memory(bytes_per_column * columns, app::formatted("the ground of %.3g columns", columns));
}

/// Corner and cells from the case, or around its buildings.
DomainBox read_box(Case const& input, std::vector<double> const& layers, CityLayers& files, DomainPlace const& place) {
  bool const around = input.has("/domain/around");
  if (around == input.has("/domain/cells")) {
    throw input.error("/domain/cells", around ? "expected this or /domain/around, found both"
                                              : "missing, expected this or /domain/around");
  }
  bool const has_origin = input.has("/domain/origin");
  if (!around) {
    return {has_origin ? input.get<std::array<double, 2>>("/domain/origin") : std::array<double, 2>{0, 0},
            input.get<std::array<int, 2>>("/domain/cells"),
            {}};
  }
  if (has_origin) throw input.error("/domain/origin", "expected this or /domain/around, found both");
  return box_around_buildings(input, layers, files, place);
}

/// \param parts number of processes among which the domain is divided
UniformGrid read_grid(Case const& input, int parts, CityLayers& files, DomainPlace const& place,
                      std::vector<std::string>& warnings) {
  auto const spacing = input.get<std::array<double, 2>>("/domain/spacing");
  std::vector<double> const layers = read_layers(input);
  auto const [origin, cells, warning] = read_box(input, layers, files, place);
  if (!warning.empty()) warnings.push_back(warning);
  double const top = std::accumulate(layers.begin(), layers.end(), 0.0);
  if (!(top <= highest_top)) {
    throw input.error("/domain/layers", "expected a domain top of at most 100 km, found " + number(top) + " m");
  }
  std::int64_t const count = std::int64_t{cells[0]} * cells[1] * static_cast<std::int64_t>(layers.size());
  if (count > parts * most_cells) {
    throw input.error("/domain/cells", "expected at most " + std::to_string(parts * most_cells) +
                                           " cells in all, found " + std::to_string(count) + " with " +
                                           std::to_string(layers.size()) + " layers");
  }
  if (input.get<std::string>("/domain/layers/kind") == "uniform") {
    return UniformGrid({cells[0], cells[1], static_cast<int>(layers.size())}, {spacing[0], spacing[1], layers[0]},
                       {origin[0], origin[1], 0});
  }
  return UniformGrid::with_layers(cells, spacing, layers, {origin[0], origin[1], 0});
}

SolverSettings read_solver(Case const& input) {
  auto solver = read_options<SolverSettings>(input, "/solver");
  if (input.get<std::string>("/solver/method") == "auto") {
    // A watched run shows slices of a relaxation: cycles of multigrid are over before there is much to see.
    solver.method = input.has("/outputs/watch") ? Method::sor : Method::mg_pcg;
  } else {
    solver.method = read_options<Method>(input, "/solver/method");
  }
  auto const tolerance = read_options<std::optional<double>>(input, "/solver/tolerance");
  solver.automatic_tolerance = !tolerance;
  solver.tolerance = tolerance.value_or(app::usual_tolerance(solver.precision));
  return solver;
}

/// Refuses a wind whose squares would leave the range of the precision. A calm is allowed.
void check_speed(WindCase const& wind_case, Case const& input, std::string const& pointer, std::string const& when,
                 std::vector<CaseProblem>& problems) {
  double const speed = largest_speed(wind_case), least = least_speed(wind_case.solver.precision);
  if (!(speed > 0 && speed < least)) return;
  problems.push_back(
      input.problem(pointer, app::formatted("expected no wind, or at least %.2g m/s somewhere for ", least) +
                                 std::string(name(wind_case.solver.precision)) +
                                 ", whose range the squares of slower speeds leave; " +
                                 app::formatted("found at most %g m/s", speed) + when));
}

void check_speeds(WindCase const& wind_case, Case const& input, std::vector<CaseProblem>& problems) {
  check_speed(wind_case, input, wind_case.sensors.empty() ? "/wind/profile" : "/wind/sensors", "", problems);
  if (!wind_case.series) return;
  WindCase present = wind_case;
  for (std::size_t n = 0; n < wind_case.series->times.size() && problems.empty(); ++n) {
    set_wind_of_time(*wind_case.series, n, present);
    check_speed(present, input, "/series", app::formatted(" at %g h", wind_case.series->times[n].time), problems);
  }
}

/// The law needs its roughness inside of the first half cell.
void check_wall_law(Parameterisations const& settings, UniformGrid const& grid, Case const& input,
                    std::vector<CaseProblem>& problems) {
  if (!settings.wall_law) return;
  double thinnest = std::min(grid.dx(), grid.dy());
  for (int k = 0; k < grid.nz(); ++k) thinnest = std::min(thinnest, grid.dz(k));
  if (settings.wall_roughness < thinnest / 2) return;
  problems.push_back(input.problem("/parameterisations/wall_roughness",
                                   "expected less than half the thinnest cell, " + number(thinnest / 2) +
                                       " m, for wall_law, found " + number(settings.wall_roughness) + " m"));
}

}  // namespace

std::string_view name(Method method) {
  switch (method) {
    case Method::sor: return "sor";
    case Method::multigrid: return "multigrid";
    case Method::mg_pcg: return "mg_pcg";
  }
  return "unknown";
}

bool has_walls(WindCase const& wind_case) {
  return !wind_case.buildings.empty() || layers_below(wind_case.grid, wind_case.terrain.highest()) > 0;
}

bool cuts_cells(WindCase const& wind_case) { return wind_case.solver.walls == WallForm::cut && has_walls(wind_case); }

double largest_speed(WindCase const& wind_case) {
  UniformGrid const& grid = wind_case.grid;
  double largest = 0;
  auto const look = [&](Profile const& profile) {
    for (int k = 0; k < grid.nz(); ++k) largest = std::max(largest, std::abs(profile.speed_at(grid.z_center(k))));
  };
  if (wind_case.sensors.empty()) look(wind_case.profile);
  for (WindSensor const& sensor : wind_case.sensors) look(sensor.profile);
  return largest;
}

double least_speed(Precision precision) {
  auto const limit = [](auto zero) {
    using Limits = std::numeric_limits<decltype(zero)>;
    return std::sqrt(double(Limits::min())) / double(Limits::epsilon());
  };
  return precision == Precision::f32 ? limit(0.0F) : limit(0.0);
}

namespace {

double epsilon_of(Precision precision) {
  return precision == Precision::f32 ? double(std::numeric_limits<float>::epsilon())
                                     : std::numeric_limits<double>::epsilon();
}

}  // namespace

double rounding_divergence(WindCase const& wind_case) {
  UniformGrid const& grid = wind_case.grid;
  constexpr double safety = 2;
  return safety * epsilon_of(wind_case.solver.precision) * largest_speed(wind_case) * (1 / grid.dx() + 1 / grid.dy());
}

double canopy_roughness(Parameterisations const& settings, Profile const& profile) {
  constexpr double of_a_power_law = 0.1;
  return settings.canopy_roughness.value_or(profile.kind == Profile::Kind::power ? of_a_power_law : profile.roughness);
}

std::string_view schema() { return embedded::wind_schema_json; }

std::string_view example() { return embedded::wind_example_json; }

namespace {

using Problems = std::vector<CaseProblem>;

/// A case as it is read: each section has been checked by itself.
struct ReadCase {
  WindCase wind_case;
  std::vector<WindSensor> sensors;  ///< the only one too
  bool has_wind = false;            ///< nothing is wrong with it
};

/// Reads all sections. A section that needs one with problems is left out.
ReadCase read_sections(Case const& input, int parts, Problems& problems) {
  ReadCase read;
  WindCase& result = read.wind_case;
  result.title = input.get<std::string>("/title");
  result.text = input.text();
  CityLayers files;
  result.place = read_place(input, files, problems, result.warnings);
  if (!problems.empty()) throw CaseError(input.source(), problems);  // without a system there are no positions
  result.grid = read_grid(input, parts, files, result.place, result.warnings);
  Problems of_place;
  locate(result.place, result.grid, input, of_place, result.warnings);
  read.sensors = read_wind(input, result, problems);
  read.has_wind = problems.empty() && of_place.empty();
  if (input.has("/terrain")) require_terrain_memory(result.grid);
  result.terrain = read_terrain(input, result.grid, result.place, problems, result.warnings);
  std::size_t const before = problems.size();
  result.buildings =
      read_buildings(input, result.grid, BuildingUse::all, files, result.place, problems, result.warnings);
  // A domain far from its files is the only mistake of its place.
  bool const is_far = problems.size() > before && lies_outside_of_files(input, files, result.grid, result.place);
  if (!is_far) problems.insert(problems.begin(), of_place.begin(), of_place.end());
  put_on_ground(result.buildings, result.terrain, result.grid, input);
  subtract_ground(result.buildings, result.terrain, input, problems, result.warnings);
  take_small_features(result.buildings, result.grid, input, problems, result.warnings);
  result.parameterisations = read_options<Parameterisations>(input, "/parameterisations");
  result.vegetation =
      read_vegetation(input, result.grid, result.terrain, files, result.place, problems, result.warnings);
  take_small_plants(result.vegetation, result.buildings, canopy_roughness(result.parameterisations, result.profile),
                    result.grid, input, problems, result.warnings);
  result.solver = read_solver(input);
  result.outputs = read_outputs(input, result.grid, result.solver, problems);
  double const top = result.grid.z_face(result.grid.nz());
  if (input.has("/sweep")) result.sweep = read_sweep(input, top, problems);
  if (input.has("/series") && read.has_wind) {
    result.series = read_series(input, read.sensors, top, result.place.north, problems, result.warnings);
  }
  return read;
}

void check_sweep(WindCase const& wind_case, Case const& input, Problems& problems) {
  if (!wind_case.sweep) return;
  if (input.has("/series")) problems.push_back(input.problem("/series", "expected this or /sweep, found both"));
  if (!wind_case.sensors.empty()) {
    problems.push_back(
        input.problem("/sweep", "expected one wind over the domain, found " + std::to_string(wind_case.sensors.size()) +
                                    " /wind/sensors: readings of one wind give none of another direction; give "
                                    "/wind/profile, or readings for each direction as the times of a /series"));
  }
  if (!(wind_case.profile.speed_at(wind_case.sweep->reference_height) > 0)) {
    problems.push_back(
        input.problem("/wind/profile", "expected wind at the reference height of the sweep, found none"));
  }
}

/// The case must ask for the content of these files: nothing is left out unsaid.
void check_map_files(WindCase const& wind_case, Case const& input, Problems& problems) {
  OutputSettings const& outputs = wind_case.outputs;
  bool const series = input.has("/series");
  char const* missing = nullptr;
  if (wind_case.sweep && !wind_case.sweep->has_statistics)
    missing = "expected a sweep with the statistics of /sweep/rose, whose classes are the maps";
  else if (!wind_case.sweep && !series && !outputs.pedestrian_height)
    missing = "expected /outputs/pedestrian, whose maps these files hold, found none";
  // GeoTIFF files of a series hold its mean and its maximum.
  char const* const of_polygons =
      series ? "expected false for a series, which has no classes; its times are no statistics" : missing;
  if (outputs.geotiff && missing != nullptr) problems.push_back(input.problem("/outputs/geotiff", missing));
  if (outputs.geopackage && of_polygons != nullptr)
    problems.push_back(input.problem("/outputs/geopackage", of_polygons));
  if (!outputs.kmz) return;
  if (of_polygons != nullptr) problems.push_back(input.problem("/outputs/kmz", of_polygons));
  if (wind_case.place.empty()) {
    problems.push_back(input.problem(
        "/outputs/kmz", "expected a domain on a map: KMZ files hold longitudes and latitudes; give /domain/crs"));
  }
}

/// Checks the sections against each other.
void check_sections(ReadCase const& read, Case const& input, Problems& problems) {
  WindCase const& wind_case = read.wind_case;
  UniformGrid const& grid = wind_case.grid;
  check_wall_law(wind_case.parameterisations, grid, input, problems);
  if (read.has_wind) check_sweep(wind_case, input, problems);
  if (read.has_wind) check_map_files(wind_case, input, problems);
  check_buildings(wind_case.buildings, grid, input, problems);
  check_buried(wind_case.buildings, wind_case.terrain, grid, input, problems);
  check_vegetation(wind_case.vegetation, wind_case.buildings,
                   canopy_roughness(wind_case.parameterisations, wind_case.profile), grid, input, problems);
  if (read.has_wind) check_sensors(read.sensors, wind_case, input, problems);
  check_below_top(wind_case, input, problems);
  // The air and the speeds of a case without other problems.
  if (problems.empty()) check_air_above(wind_case.buildings, grid, input, problems);
  if (problems.empty()) check_speeds(wind_case, input, problems);
}

}  // namespace

bool divides_domain(WindCase const& wind_case) {
  return !wind_case.sweep && (!wind_case.series || wind_case.series->from_previous);
}

WindCase read_wind_case(Case const& input, int processes) {
  Problems problems;
  bool const chain = input.has("/series") && input.get<std::string>("/series/first_guess") == "previous";
  bool const whole_domains = input.has("/sweep") || (input.has("/series") && !chain);
  ReadCase read = read_sections(input, whole_domains ? 1 : processes, problems);
  check_sections(read, input, problems);
  if (!problems.empty()) throw CaseError(input.source(), problems);
  WindCase& result = read.wind_case;
  result.wind_text = describe_wind(input, result);
  auto const counted = [](std::size_t count, char const* noun, char const* of) {
    return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s") + of;
  };
  if (result.sweep) result.wind_text = counted(result.sweep->sectors.size(), "direction", " of a wind rose");
  if (result.series) result.wind_text = counted(result.series->times.size(), "time", " of a series of readings");
  auto const add_warnings = [&](std::vector<std::string> const& warnings) {
    result.warnings.insert(result.warnings.end(), warnings.begin(), warnings.end());
  };
  add_warnings(overlap_warnings(result.buildings, input));
  add_warnings(plausibility_warnings(result, [&](Building const& building) { return called(building, input); }));
  add_warnings(probe_warnings(result));
  return std::move(result);
}

}  // namespace karman::wind
