// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_sides.hpp"

#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/solvers/options_json.hpp>

namespace karman::poisson {
namespace {

std::string name_of(std::size_t side) { return nlohmann::json(static_cast<Side>(side)).get<std::string>(); }

}  // namespace

void read_sides(Case const& input, PoissonCase& result, ExpressionConstants const& constants,
                std::vector<CaseProblem>& problems) {
  for (std::size_t side = 0; side < 6; ++side) {
    std::string const pointer = "/sides/" + name_of(side);
    SideCondition& condition = result.sides[side];
    condition.value.pointer = pointer + "/value";
    bool const missing_axis = static_cast<int>(side) / 2 >= result.dimensions;
    if (missing_axis) condition.kind = Boundary::neumann;
    if (!input.has(pointer)) continue;
    if (missing_axis) {
      problems.push_back(input.problem(pointer, "side does not exist: the case has " +
                                                    std::to_string(result.dimensions) + " dimension" +
                                                    (result.dimensions > 1 ? "s" : "")));
      continue;
    }
    condition.kind = read_options<Boundary>(input, pointer + "/kind");
    if (condition.kind == Boundary::periodic) continue;
    char const* const member = condition.kind == Boundary::dirichlet ? "/value" : "/flux";
    condition.value = read_quantity(input, pointer + member, variables_of(result.dimensions), constants, problems);
  }
  std::array const cells{result.grid.nx(), result.grid.ny(), result.grid.nz()};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(result.dimensions); ++axis) {
    bool const high = result.sides[2 * axis].kind == Boundary::periodic;
    bool const low = result.sides[2 * axis + 1].kind == Boundary::periodic;
    std::size_t const wrong = high ? 2 * axis + 1 : 2 * axis;
    if (high != low) {
      problems.push_back(input.problem("/sides/" + name_of(wrong), "expected periodic like " + name_of(wrong ^ 1)));
    } else if (high && cells[axis] < 3) {
      problems.push_back(input.problem("/domain/cells/" + std::to_string(axis),
                                       "expected at least 3 cells along a "
                                       "periodic axis"));
    }
  }
}

}  // namespace karman::poisson
