// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "time_case.hpp"

#include "common/case/options_json.hpp"
#include "read_sides.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <cmath>
#include <numeric>

namespace karman::poisson {
namespace {

using Problems = std::vector<CaseProblem>;

std::vector<double> read_layers(Case const& input) {
  std::string const at = "/layers";
  auto const kind = input.get<std::string>(at + "/kind");
  if (kind == "list") return input.get<std::vector<double>>(at + "/thicknesses");
  auto const count = static_cast<std::size_t>(input.get<int>(at + "/count"));
  double thickness = input.get<double>(at + "/thickness");
  double const ratio = kind == "stretched" ? input.get<double>(at + "/ratio") : 1;
  std::vector<double> layers;
  for (std::size_t k = 0; k < count; ++k, thickness *= ratio) layers.push_back(thickness);
  constexpr double most = 1e12;
  if (!(std::accumulate(layers.begin(), layers.end(), 0.0) <= most)) {
    throw input.error(at, "expected layers with a total height of at most 1e12");
  }
  return layers;
}

void read_common(Case const& input, TimeCase& result, Variables place, ExpressionConstants const& constants,
                 Problems& problems) {
  result.title = input.get<std::string>("/title");
  result.text = input.text();
  result.initial = read_quantity(input, "/initial", place, constants, problems);
  std::string const moving = std::string(place) + 't';
  if (input.has("/exact")) result.exact = read_quantity(input, "/exact", moving, constants, problems);
  result.step = input.get<double>("/time/step");
  result.steps = input.get<int>("/time/steps");
  result.precision = read_options<Precision>(input, "/precision");
  result.checkpoint_every = input.get<double>("/time/checkpoint_every");
  result.frames_every = input.get<int>("/outputs/frames_every");
  result.compression = input.get<int>("/outputs/compression");
}

ColumnEnd read_end(Case const& input, std::string const& pointer, ExpressionConstants const& constants,
                   Problems& problems) {
  ColumnEnd end;
  end.flux = input.get<std::string>(pointer + "/kind") == "flux";
  end.value = read_quantity(input, pointer + (end.flux ? "/flux" : "/value"), "xyt", constants, problems);
  return end;
}

}  // namespace

ColumnCase read_column_case(Case const& input) {
  ColumnCase result;
  Problems problems;
  result.problem = "column_diffusion";
  auto const columns = input.get<std::array<int, 2>>("/columns");
  auto const size = input.get<std::array<double, 2>>("/size");
  std::vector<double> const layers = read_layers(input);
  if (std::int64_t{columns[0]} * columns[1] > most_cells / static_cast<std::int64_t>(layers.size())) {
    throw input.error("/columns", "expected at most " + std::to_string(most_cells) + " cells in all");
  }
  result.grid = UniformGrid::with_layers(columns, {size[0] / columns[0], size[1] / columns[1]}, layers);
  result.whole = result.grid;
  ExpressionConstants const constants{{size[0], size[1], result.grid.z_face(result.grid.nz())}};
  read_common(input, result, "xyz", constants, problems);
  result.diffusivity = read_quantity(input, "/diffusivity", "xyz", constants, problems);
  result.ground = read_end(input, "/ground", constants, problems);
  result.top = read_end(input, "/top", constants, problems);
  result.theta = input.get<std::string>("/time/scheme") == "implicit_euler" ? 1 : 0.5;
  if (!problems.empty()) throw CaseError(input.source(), problems);
  return result;
}

HeatCase read_heat_case(Case const& input) {
  HeatCase result;
  Problems problems;
  result.problem = "heat";
  auto const cells = input.get<std::array<int, 2>>("/domain/cells");
  auto const size = input.get<std::array<double, 2>>("/domain/size");
  auto const origin = input.get<std::array<double, 2>>("/domain/origin");
  result.grid =
      UniformGrid({cells[0], cells[1], 1}, {size[0] / cells[0], size[1] / cells[1], 1}, {origin[0], origin[1], 0});
  result.whole = result.grid;
  ExpressionConstants const constants{{size[0], size[1], 1}};
  read_common(input, result, "xy", constants, problems);
  result.diffusivity = input.get<double>("/diffusivity");
  PoissonCase& steady = result.steady;
  steady.dimensions = 2;
  steady.grid = result.grid;
  steady.coefficient.constant = result.diffusivity;
  steady.right_hand_side.constant = 0;
  steady.solver.precision = result.precision;
  steady.in_time = true;
  read_sides(input, steady, constants, problems);
  if (!problems.empty()) throw CaseError(input.source(), problems);
  return result;
}

}  // namespace karman::poisson
