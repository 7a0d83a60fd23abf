// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "poisson_case.hpp"

#include "named_problems.hpp"
#include "poisson_options_json.hpp"
#include "read_sides.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>
#include <poisson_texts.hpp>

#include <algorithm>

namespace karman::poisson {
namespace {

using Problems = std::vector<CaseProblem>;

nlohmann::json const& at(Case const& input, std::string const& pointer) {
  return input.json().at(nlohmann::json::json_pointer(pointer));
}

/// An array with a value for each dimension; the others are filled up.
template <class T>
std::array<T, 3> per_dimension(Case const& input, std::string const& pointer, int dimensions, T fill) {
  std::array<T, 3> result{fill, fill, fill};
  if (!input.has(pointer)) return result;
  auto const values = input.get<std::vector<T>>(pointer);
  if (static_cast<int>(values.size()) != dimensions) {
    throw input.error(pointer,
                      "expected " + std::to_string(dimensions) + " values, one per dimension of " + "/domain/cells");
  }
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

UniformGrid read_grid(Case const& input, int dimensions) {
  auto const cells = per_dimension<int>(input, "/domain/cells", dimensions, 1);
  auto const size = per_dimension<double>(input, "/domain/size", dimensions, 1);
  auto const origin = per_dimension<double>(input, "/domain/origin", dimensions, 0);
  std::int64_t const count = std::int64_t{cells[0]} * cells[1];
  if (count > most_cells || count * cells[2] > most_cells) {
    throw input.error("/domain/cells", "expected at most " + std::to_string(most_cells) + " cells in all");
  }
  return UniformGrid(cells, {size[0] / cells[0], size[1] / cells[1], size[2] / cells[2]}, origin);
}

void read_right_hand_side(Case const& input, PoissonCase& result, ExpressionConstants const& constants,
                          Problems& problems) {
  Variables const variables = variables_of(result.dimensions);
  std::string const pointer = "/right_hand_side";
  auto const& value = at(input, pointer);
  if (input.has("/exact")) result.exact = read_quantity(input, "/exact", variables, constants, problems);
  if (!value.is_object() || input.get<std::string>(pointer + "/kind") != "named") {
    result.right_hand_side = read_quantity(input, pointer, variables, constants, problems);
    return;
  }
  NamedProblem const named = named_problem(input.get<std::string>(pointer + "/name"), result);
  result.right_hand_side.pointer = pointer;
  result.right_hand_side.expression.emplace(named.right_hand_side, variables, constants);
  if (named.exact && !result.exact) {
    result.exact.emplace();
    result.exact->pointer = pointer;
    result.exact->expression.emplace(*named.exact, variables, constants);
  }
}

void read_solid(Case const& input, PoissonCase& result, Problems& problems) {
  for (std::size_t entry = 0; entry < input.size("/solid"); ++entry) {
    std::string const pointer = "/solid/" + std::to_string(entry);
    if (input.get<std::string>(pointer + "/kind") == "box") {
      constexpr double far = 1e12;
      SolidBox const box{per_dimension<double>(input, pointer + "/low", result.dimensions, -far),
                         per_dimension<double>(input, pointer + "/high", result.dimensions, far)};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (box.low[axis] < box.high[axis]) continue;
        problems.push_back(
            input.problem(pointer + "/high/" + std::to_string(axis), "expected more than /low on this axis"));
      }
      result.solid.emplace_back(box);
    } else {
      RandomBoxes const boxes{input.get<double>(pointer + "/fraction"),
                              input.get<std::array<double, 2>>(pointer + "/size"),
                              static_cast<std::uint64_t>(input.get<int>(pointer + "/seed"))};
      if (boxes.size[0] > boxes.size[1]) {
        problems.push_back(input.problem(pointer + "/size", "expected the smallest edge first, then the largest"));
      }
      result.solid.emplace_back(boxes);
    }
  }
}

SolverSettings read_solver(Case const& input) {
  auto solver = read_options<SolverSettings>(input, "/solver");
  solver.tolerance =
      read_options<std::optional<double>>(input, "/solver/tolerance").value_or(app::usual_tolerance(solver.precision));
  if (solver.precision == Precision::f32 && solver.cycle_precision == Precision::f64) {
    throw input.error("/solver/cycle_precision", "expected f32 or auto, because /solver/precision is f32");
  }
  return solver;
}

OutputSettings read_outputs(Case const& input) {
  auto const fields = input.get<std::vector<std::string>>("/outputs/fields");
  auto const asked = [&](char const* field) { return std::find(fields.begin(), fields.end(), field) != fields.end(); };
  return {asked("p"),
          asked("f"),
          asked("residual"),
          asked("error"),
          asked("coefficient"),
          asked("solid"),
          input.get<int>("/outputs/compression")};
}

}  // namespace

std::string_view schema() { return embedded::poisson_schema_json; }

std::string_view example() { return embedded::poisson_example_json; }

PoissonCase read_poisson_case(Case const& input) {
  PoissonCase result;
  Problems problems;
  result.title = input.get<std::string>("/title");
  result.text = input.text();
  result.dimensions = static_cast<int>(input.size("/domain/cells"));
  result.grid = read_grid(input, result.dimensions);
  UniformGrid const& grid = result.grid;
  ExpressionConstants const constants{{grid.nx() * grid.dx(), grid.ny() * grid.dy(), grid.nz() * grid.dz(0)}};
  result.coefficient = read_quantity(input, "/coefficient", variables_of(result.dimensions), constants, problems);
  read_sides(input, result, constants, problems);
  read_solid(input, result, problems);
  read_right_hand_side(input, result, constants, problems);
  result.solver = read_solver(input);
  result.outputs = read_outputs(input);
  if (!problems.empty()) throw CaseError(input.source(), problems);
  return result;
}

}  // namespace karman::poisson
