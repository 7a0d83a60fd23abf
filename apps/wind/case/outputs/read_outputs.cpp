// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_outputs.hpp"

#include "common/case/texts.hpp"
#include "wind/case/buildings/inside_building.hpp"
#include "wind/case/grid_cell.hpp"
#include "wind/case/wind_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/geotiff.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

namespace karman::wind {
namespace {

using app::formatted;

constexpr std::array<char const*, 3> axis_names{"x", "y", "z"};

/// Extent of the domain along an axis.
double length(UniformGrid const& grid, std::size_t axis) {
  return axis == 0 ? grid.nx() * grid.dx() : axis == 1 ? grid.ny() * grid.dy() : grid.z_face(grid.nz());
}

/// Position along an axis from the domain's corner; a problem where it is outside.
double inside(Case const& input, UniformGrid const& grid, std::string const& pointer, std::size_t axis, double position,
              std::vector<CaseProblem>& problems) {
  double const origin = grid.origin()[axis];
  double const relative = position - origin;
  double const end = length(grid, axis);
  double const slack = 1e-9 * end;
  if (relative < -slack || relative > end + slack) {
    problems.push_back(input.problem(pointer, formatted("expected a position in the domain, %s from %g to %g m",
                                                        axis_names[axis], origin, origin + end)));
  }
  return std::clamp(relative, 0.0, end);
}

template <std::size_t count>
std::array<double, 3> read_point(Case const& input, UniformGrid const& grid, std::string const& pointer,
                                 std::vector<CaseProblem>& problems) {
  auto const given = input.get<std::array<double, count>>(pointer);
  std::array<double, 3> point{};
  for (std::size_t axis = 0; axis < count; ++axis)
    point[axis] = inside(input, grid, pointer + '/' + std::to_string(axis), axis, given[axis], problems);
  return point;
}

Probe read_probe(Case const& input, UniformGrid const& grid, std::string const& at,
                 std::vector<CaseProblem>& problems) {
  Probe probe;
  probe.kind = read_options<Probe::Kind>(input, at + "/kind");
  probe.name = input.get<std::string>(at + "/name");
  switch (probe.kind) {
    case Probe::Kind::point: probe.from = read_point<3>(input, grid, at + "/position", problems); break;
    case Probe::Kind::vertical: probe.from = read_point<2>(input, grid, at + "/position", problems); break;
    case Probe::Kind::line:
      probe.from = read_point<3>(input, grid, at + "/from", problems);
      probe.to = read_point<3>(input, grid, at + "/to", problems);
      probe.samples = input.get<int>(at + "/samples");
      break;
    case Probe::Kind::plane:
      probe.axis = read_options<Axis>(input, at + "/axis");
      probe.position = inside(input, grid, at + "/position", static_cast<std::size_t>(probe.axis),
                              input.get<double>(at + "/position"), problems);
      break;
  }
  return probe;
}

std::vector<Probe> read_probes(Case const& input, UniformGrid const& grid, std::vector<CaseProblem>& problems) {
  std::vector<Probe> probes;
  std::set<std::string> names;
  for (std::size_t n = 0; n < input.size("/outputs/probes"); ++n) {
    std::string const at = "/outputs/probes/" + std::to_string(n);
    probes.push_back(read_probe(input, grid, at, problems));
    if (!names.insert(probes.back().name).second)
      problems.push_back(input.problem(at + "/name", "expected a name that no other probe has"));
  }
  return probes;
}

/// Half-open range of the cells along one axis whose centres are in the region.
std::array<int, 2> range_of(Case const& input, UniformGrid const& grid, std::size_t axis,
                            std::vector<CaseProblem>& problems) {
  int const count = axis == 0 ? grid.nx() : axis == 1 ? grid.ny() : grid.nz();
  std::string const pointer = std::string("/outputs/region/") + axis_names[axis];
  if (!input.has(pointer)) return {0, count};
  auto const bounds = input.get<std::vector<double>>(pointer);
  double const spacing = axis == 0 ? grid.dx() : grid.dy();
  auto const center = [&](int n) { return axis == 2 ? grid.z_center(n) : (n + 0.5) * spacing; };
  int begin = 0;
  while (begin < count && center(begin) < bounds[0] - grid.origin()[axis]) ++begin;
  int end = begin;
  while (end < count && center(end) <= bounds[1] - grid.origin()[axis]) ++end;
  if (begin < end) return {begin, end};
  double const origin = grid.origin()[axis];
  problems.push_back(input.problem(
      pointer, formatted("expected lower and upper bound around at least one cell centre; the domain has %s from %g to "
                         "%g m",
                         axis_names[axis], origin, origin + length(grid, axis))));
  return {0, count};
}

Box read_region(Case const& input, UniformGrid const& grid, std::vector<CaseProblem>& problems) {
  Box region;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto const [begin, end] = range_of(input, grid, axis, problems);
    region.begin[axis] = begin;
    region.end[axis] = end;
  }
  return region;
}

double read_pedestrian_height(Case const& input, UniformGrid const& grid, std::vector<CaseProblem>& problems) {
  std::string const pointer = "/outputs/pedestrian/height";
  auto const height = input.get<double>(pointer);
  double const top = grid.z_face(grid.nz());
  if (height > top)
    problems.push_back(input.problem(pointer, formatted("expected a height below the domain top at %g m", top)));
  return height;
}

Watch read_watch(Case const& input, UniformGrid const& grid, SolverSettings const& solver,
                 std::vector<CaseProblem>& problems) {
  auto const watch = read_options<Watch>(input, "/outputs/watch");
  int const layers = watch.axis == Axis::x ? grid.nx() : watch.axis == Axis::y ? grid.ny() : grid.nz();
  if (watch.index >= layers) {
    problems.push_back(input.problem("/outputs/watch/index", "expected a cell layer from 0 to " +
                                                                 std::to_string(layers - 1) + " along " +
                                                                 input.get<std::string>("/outputs/watch/axis")));
  }
  if (solver.method != Method::sor) {
    problems.push_back(
        input.problem("/outputs/watch", "expected /solver/method \"sor\" or \"auto\" for a watched run, found \"" +
                                            std::string(name(solver.method)) + '"'));
  }
  if (input.has("/sweep")) problems.push_back(input.problem("/outputs/watch", "expected no watched run in a sweep"));
  if (input.has("/series")) problems.push_back(input.problem("/outputs/watch", "expected no watched run in a series"));
  return watch;
}

/// True if the cell that contains a point is solid.
bool in_a_building(WindCase const& wind_case, std::array<double, 3> const& point) {
  UniformGrid const& grid = wind_case.grid;
  auto const [i, j, k] = cell_of(grid, point);
  double const x = (i + 0.5) * grid.dx();
  double const y = (j + 0.5) * grid.dy();
  double const z = grid.z_center(k);
  return std::any_of(wind_case.buildings.begin(), wind_case.buildings.end(), [&](Building const& building) {
    BuildingInterior const test = interior_of(building);
    return test.holds_height(z) && test.holds_point(x, y);
  });
}

/// True if a case asks for maps in a format. A problem where GDAL cannot write it: found now, not after the solution.
bool read_map_format(Case const& input, std::string const& key, std::string const& driver,
                     std::vector<CaseProblem>& problems) {
  std::string const pointer = "/outputs/" + key;
  if (!input.get<bool>(pointer)) return false;
  if (std::string const fault = gdal_fault(driver); !fault.empty())
    problems.push_back(input.problem(pointer, "expected false: these files need GDAL: " + fault));
  return true;
}

}  // namespace

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
  outputs.precision = read_options<std::optional<Precision>>(input, "/outputs/precision");
  outputs.probes = read_probes(input, grid, problems);
  outputs.geotiff = read_map_format(input, "geotiff", "GTiff", problems);
  outputs.geopackage = read_map_format(input, "geopackage", "GPKG", problems);
  outputs.kmz = read_map_format(input, "kmz", "", problems);
  if (input.has("/outputs/region")) outputs.region = read_region(input, grid, problems);
  if (input.has("/outputs/pedestrian")) outputs.pedestrian_height = read_pedestrian_height(input, grid, problems);
  if (input.has("/outputs/watch")) outputs.watch = read_watch(input, grid, solver, problems);
  return outputs;
}

void check_below_top(WindCase const& wind_case, Case const& input, std::vector<CaseProblem>& problems) {
  if (wind_case.terrain.empty()) return;
  UniformGrid const& grid = wind_case.grid;
  double const top = grid.z_face(grid.nz());
  auto const refuse = [&](std::string const& pointer, double height, double highest) {
    problems.push_back(input.problem(
        pointer, formatted("expected samples below the domain top at %g m; %g m above the terrain is %g m", top, height,
                           highest)));
  };
  double const ground = wind_case.terrain.highest();
  OutputSettings const& outputs = wind_case.outputs;
  if (outputs.pedestrian_height && ground + *outputs.pedestrian_height > top)
    refuse("/outputs/pedestrian/height", *outputs.pedestrian_height, ground + *outputs.pedestrian_height);
  if (wind_case.sweep && ground + wind_case.sweep->height > top)
    refuse("/sweep/height", wind_case.sweep->height, ground + wind_case.sweep->height);
  if (wind_case.series && ground + wind_case.series->height > top)
    refuse("/series/height", wind_case.series->height, ground + wind_case.series->height);
  for (std::size_t n = 0; n < outputs.probes.size(); ++n) {
    Probe const& probe = outputs.probes[n];
    if (probe.kind != Probe::Kind::point && probe.kind != Probe::Kind::line) continue;
    std::int64_t const count = probe.count(grid);
    for (std::int64_t s = 0; s < count; ++s) {
      double const height = probe.sample(grid, s)[2];
      double const z = probe.sample(grid, s, wind_case.terrain)[2];
      if (!(z > top)) continue;
      refuse("/outputs/probes/" + std::to_string(n), height, z);
      break;
    }
  }
}

std::vector<std::string> probe_warnings(WindCase const& wind_case) {
  Probe const* first = nullptr;
  int count = 0;
  for (Probe const& probe : wind_case.outputs.probes) {
    if (probe.kind != Probe::Kind::point ||
        !in_a_building(wind_case, probe.sample(wind_case.grid, 0, wind_case.terrain)))
      continue;
    if (first == nullptr) first = &probe;
    ++count;
  }
  if (count == 0) return {};
  std::string const others = count > 1 ? formatted(" (and %d more)", count - 1) : std::string();
  return {"the probe " + first->name + others + " is inside a building: its velocity is not a number"};
}

}  // namespace karman::wind
