// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_case.hpp"

#include "angles.hpp"
#include "common/direction.hpp"
#include "solid_test.hpp"
#include "wind_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>

#include <nlohmann/json.hpp>
#include <wind_texts.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace karman::wind {
namespace {

constexpr double highest_top = 1e5;  // metres: above the atmosphere for every purpose of this model

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string entry_pointer(std::size_t entry) { return "/buildings/" + std::to_string(entry); }

/// Name of a building in messages: its entry, and its number where the entry makes several.
std::string called(Building const& building, Case const& input) {
  std::string const pointer = entry_pointer(building.entry);
  std::string const entry = "building " + std::to_string(building.entry);
  if (input.get<std::string>(pointer + "/kind") == "block") return entry;
  return "block " + std::to_string(building.member) + " of " + entry;
}

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

UniformGrid read_grid(Case const& input) {
  auto const cells = input.get<std::array<int, 2>>("/domain/cells");
  auto const spacing = input.get<std::array<double, 2>>("/domain/spacing");
  auto const origin = input.get<std::array<double, 2>>("/domain/origin");
  std::vector<double> const layers = read_layers(input);
  double const top = std::accumulate(layers.begin(), layers.end(), 0.0);
  if (!(top <= highest_top)) {
    throw input.error("/domain/layers", "expected a domain top of at most 100 km, found " + number(top) + " m");
  }
  std::int64_t const count = std::int64_t{cells[0]} * cells[1] * static_cast<std::int64_t>(layers.size());
  if (count > most_cells) {
    throw input.error("/domain/cells", "expected at most " + std::to_string(most_cells) + " cells in all, found " +
                                           std::to_string(count) + " with " + std::to_string(layers.size()) +
                                           " layers");
  }
  if (input.get<std::string>("/domain/layers/kind") == "uniform") {
    return UniformGrid({cells[0], cells[1], static_cast<int>(layers.size())}, {spacing[0], spacing[1], layers[0]},
                       {origin[0], origin[1], 0});
  }
  return UniformGrid::with_layers(cells, spacing, layers, {origin[0], origin[1], 0});
}

app::DirectionConvention convention_of(Case const& input) {
  return read_options<app::DirectionConvention>(input, "/wind/convention");
}

std::string describe_wind(Case const& input, Profile const& profile) {
  return "wind of " + number(profile.speed) + " m/s at " + number(profile.height) + " m, " +
         app::direction_text(input.get<double>("/wind/direction"), convention_of(input), "where the wind comes from",
                             "where the wind blows to");
}

Profile read_profile(Case const& input) {
  auto profile = read_options<Profile>(input, "/wind/profile");
  // 270 - (direction of travel) is the nautical direction of such a wind.
  profile.direction = convention_of(input) == app::DirectionConvention::nautical
                          ? input.get<double>("/wind/direction")
                          : 270 - input.get<double>("/wind/direction");
  return profile;
}

void append_entry(std::vector<Building>& buildings, Case const& input, std::size_t entry,
                  std::array<double, 3> const& origin) {
  std::string const at = entry_pointer(entry);
  auto const position = input.get<std::array<double, 2>>(at + "/position");
  auto const size = input.get<std::array<double, 3>>(at + "/size");
  Building building;
  building.x = position[0] - origin[0];
  building.y = position[1] - origin[1];
  building.length = size[0];
  building.width = size[1];
  building.height = size[2];
  building.rotation = input.get<double>(at + "/rotation");
  building.base = input.get<double>(at + "/base");
  building.entry = entry;
  if (input.get<std::string>(at + "/kind") == "block") {
    buildings.push_back(building);
    return;
  }
  auto const count = input.get<std::array<int, 2>>(at + "/count");
  auto const spacing = input.get<std::array<double, 2>>(at + "/spacing");
  auto const [c, s] = direction_cosines(building.rotation);
  double const x = building.x;
  double const y = building.y;
  for (int b = 0; b < count[1]; ++b) {
    for (int a = 0; a < count[0]; ++a) {
      double const along = (a - 0.5 * (count[0] - 1)) * spacing[0];
      double const across = (b - 0.5 * (count[1] - 1)) * spacing[1];
      building.x = x + along * c - across * s;
      building.y = y + along * s + across * c;
      buildings.push_back(building);
      ++building.member;
    }
  }
}

constexpr std::size_t most_buildings = 10000;

std::vector<Building> read_buildings(Case const& input, std::array<double, 3> const& origin) {
  std::vector<Building> buildings;
  for (std::size_t entry = 0; entry < input.size("/buildings"); ++entry) {
    std::string const at = entry_pointer(entry);
    std::size_t more = 1;
    if (input.get<std::string>(at + "/kind") == "array") {
      auto const count = input.get<std::array<int, 2>>(at + "/count");
      more = static_cast<std::size_t>(count[0]) * static_cast<std::size_t>(count[1]);
    }
    if (buildings.size() + more > most_buildings) {
      throw input.error(at, "expected at most " + std::to_string(most_buildings) + " blocks in all entries together");
    }
    append_entry(buildings, input, entry, origin);
  }
  return buildings;
}

/// The reason why a building does not fit into the domain; empty when it does.
std::string outside(Building const& building, UniformGrid const& grid) {
  double const lx = grid.nx() * grid.dx();
  double const ly = grid.ny() * grid.dy();
  double const top = grid.z_face(grid.nz());
  auto const& origin = grid.origin();
  double const slack = 1e-9;
  auto const [ex, ey] = building.half_extents();
  if (building.x - ex < -slack * lx || building.x + ex > (1 + slack) * lx || building.y - ey < -slack * ly ||
      building.y + ey > (1 + slack) * ly) {
    return "reaches outside the domain (x " + number(origin[0]) + " to " + number(origin[0] + lx) + ", y " +
           number(origin[1]) + " to " + number(origin[1] + ly) + " m); move it or extend /domain";
  }
  if (building.top() > (1 + slack) * top) {
    return "is " + number(building.top()) + " m high, above the domain top at " + number(top) +
           " m; extend /domain/layers";
  }
  return {};
}

bool holds_a_cell_center(Building const& building, UniformGrid const& grid) {
  SolidTest const test = solid_test(building);
  bool layer = false;
  for (int k = 0; k < grid.nz() && !layer; ++k) layer = test.holds_height(grid.z_center(k));
  if (!layer) return false;
  auto const [ex, ey] = building.half_extents();
  auto const first = [](double from, double spacing) {
    return std::max(0, static_cast<int>(std::floor(from / spacing)) - 1);
  };
  int const i_end = std::min(grid.nx(), first(building.x + ex, grid.dx()) + 3);
  int const j_end = std::min(grid.ny(), first(building.y + ey, grid.dy()) + 3);
  for (int j = first(building.y - ey, grid.dy()); j < j_end; ++j) {
    for (int i = first(building.x - ex, grid.dx()); i < i_end; ++i) {
      if (test.holds_point((i + 0.5) * grid.dx(), (j + 0.5) * grid.dy())) return true;
    }
  }
  return false;
}

/// The reason why no cell of the grid becomes solid, with the change that helps.
std::string too_small(Building const& building, UniformGrid const& grid) {
  auto const plan = [](double x, double y) { return number(x) + " x " + number(y) + " m"; };
  SolidTest const test = solid_test(building);
  for (int k = 0; k < grid.nz(); ++k) {
    if (!test.holds_height(grid.z_center(k))) continue;
    std::string const cell = plan(grid.dx(), grid.dy());
    std::string const size = '(' + plan(building.length, building.width) + ") ";
    bool const smaller = std::max(building.length, building.width) < std::min(grid.dx(), grid.dy());
    return size + (smaller ? "is smaller than a cell (" + cell + ')' : "contains no cell centre (cells " + cell + ')') +
           "; refine /domain/spacing";
  }
  return '(' + number(building.height) + " m high) contains no layer centre; refine /domain/layers";
}

/// Pairs that overlap, found by a sweep along x; at most `limit` of them.
std::vector<std::array<std::size_t, 2>> overlapping_pairs(std::vector<Building> const& buildings, std::size_t limit) {
  std::vector<std::size_t> order(buildings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const left = [&](std::size_t b) { return buildings[b].x - buildings[b].half_extents()[0]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return left(a) < left(b); });
  std::vector<std::array<std::size_t, 2>> pairs;
  for (std::size_t a = 0; a < order.size(); ++a) {
    double const right = buildings[order[a]].x + buildings[order[a]].half_extents()[0];
    for (std::size_t b = a + 1; b < order.size() && left(order[b]) < right; ++b) {
      if (!overlap(buildings[order[a]], buildings[order[b]])) continue;
      pairs.push_back({std::min(order[a], order[b]), std::max(order[a], order[b])});
      if (pairs.size() == limit) return pairs;
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Least height of the domain, in units of the highest roof. In a lower one the lid changes the flow at that roof by
/// more than 2 % of the wind speed there (measured in docs/wind.md).
constexpr double least_lid = 2;

/// Air must pass over the highest building: no space is an error, little space a warning.
void check_lid(WindCase& wind_case, Case const& input, std::vector<CaseProblem>& problems) {
  if (wind_case.buildings.empty()) return;
  UniformGrid const& grid = wind_case.grid;
  Building const& highest = *std::max_element(wind_case.buildings.begin(), wind_case.buildings.end(),
                                              [](Building const& a, Building const& b) { return a.top() < b.top(); });
  double const lid = grid.z_face(grid.nz());
  double const roof = highest.top();
  std::string const fix = "; extend /domain/layers to at least " + number(least_lid * roof) + " m";
  if (solid_test(highest).holds_height(grid.z_center(grid.nz() - 1))) {
    problems.push_back(input.problem(entry_pointer(highest.entry),
                                     "no air above the building: the roof of " + called(highest, input) + " is at " +
                                         number(roof) + " m, the domain top at " + number(lid) + " m" + fix));
  } else if (lid < least_lid * roof) {
    wind_case.warnings.push_back("the domain top at " + number(lid) + " m is less than " + number(least_lid) +
                                 " times as high as the highest roof, " + number(roof) + " m (" +
                                 called(highest, input) +
                                 "): the lid changes the flow at the roof by more than 2 % of the speed there" + fix);
  }
}

void check_buildings(WindCase const& wind_case, Case const& input, std::vector<CaseProblem>& problems) {
  UniformGrid const& grid = wind_case.grid;
  std::optional<std::size_t> wrong_entry;  // one line per entry of the list is enough
  for (Building const& building : wind_case.buildings) {
    if (building.entry == wrong_entry) continue;
    std::size_t const before = problems.size();
    std::string const pointer = entry_pointer(building.entry);
    if (std::string const why = outside(building, grid); !why.empty()) {
      problems.push_back(input.problem(pointer, called(building, input) + ' ' + why));
    } else if (!holds_a_cell_center(building, grid)) {
      problems.push_back(input.problem(pointer, called(building, input) + ' ' + too_small(building, grid)));
    }
    if (problems.size() > before) wrong_entry = building.entry;
  }
  for (auto const& [a, b] : overlapping_pairs(wind_case.buildings, CaseError::max_reported)) {
    Building const& first = wind_case.buildings[a];
    Building const& second = wind_case.buildings[b];
    problems.push_back(input.problem(entry_pointer(second.entry), called(second, input) + " overlaps " +
                                                                      called(first, input) + "; move one of them"));
  }
}

SolverSettings read_solver(Case const& input) {
  auto solver = read_options<SolverSettings>(input, "/solver");
  if (input.get<std::string>("/solver/method") == "auto") {
    // The slices of a watched run are those of a relaxation: cycles of multigrid are over before there is much to see.
    solver.method = input.has("/outputs/watch") ? Method::sor : Method::mg_pcg;
  } else {
    solver.method = read_options<Method>(input, "/solver/method");
  }
  solver.tolerance =
      read_options<std::optional<double>>(input, "/solver/tolerance").value_or(app::usual_tolerance(solver.precision));
  return solver;
}

OutputSettings read_outputs(Case const& input, UniformGrid const& grid, SolverSettings const& solver,
                            std::vector<CaseProblem>& problems) {
  OutputSettings outputs;
  auto const fields = input.get<std::vector<std::string>>("/outputs/fields");
  auto const asked = [&](char const* field) { return std::find(fields.begin(), fields.end(), field) != fields.end(); };
  outputs.faces = asked("faces");
  outputs.velocity = asked("velocity");
  outputs.flag = asked("flag");
  outputs.lambda = asked("lambda");
  outputs.divergence = asked("divergence");
  outputs.compression = input.get<int>("/outputs/compression");
  if (!input.has("/outputs/watch")) return outputs;
  auto const watch = read_options<Watch>(input, "/outputs/watch");
  int const layers = watch.axis == Axis::x ? grid.nx() : watch.axis == Axis::y ? grid.ny() : grid.nz();
  if (watch.index >= layers) {
    problems.push_back(input.problem("/outputs/watch/index", "expected a cell layer from 0 to " +
                                                                 std::to_string(layers - 1) + " along " +
                                                                 input.get<std::string>("/outputs/watch/axis")));
  }
  if (solver.method != Method::sor) {
    problems.push_back(input.problem("/outputs/watch",
                                     "expected /solver/method \"sor\" or \"auto\" for a watched "
                                     "run, found \"" +
                                         std::string(name(solver.method)) + '"'));
  }
  outputs.watch = watch;
  return outputs;
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

std::string_view schema() { return embedded::wind_schema_json; }

std::string_view example() { return embedded::wind_example_json; }

WindCase read_wind_case(Case const& input) {
  WindCase result;
  std::vector<CaseProblem> problems;
  result.title = input.get<std::string>("/title");
  result.text = input.text();
  result.grid = read_grid(input);
  result.profile = read_profile(input);
  result.buildings = read_buildings(input, result.grid.origin());
  result.parameterisations = read_options<Parameterisations>(input, "/parameterisations");
  result.solver = read_solver(input);
  result.outputs = read_outputs(input, result.grid, result.solver, problems);
  check_buildings(result, input, problems);
  if (problems.empty()) check_lid(result, input, problems);
  result.wind_text = describe_wind(input, result.profile);
  if (!problems.empty()) throw CaseError(input.source(), problems);
  return result;
}

}  // namespace karman::wind
